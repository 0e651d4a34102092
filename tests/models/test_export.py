"""From a training to the shelf: exported, in eight bits, summed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from datasets.bank import build
from vision.networks import Network, WeightsError, verified

pytestmark = pytest.mark.train


@pytest.mark.filterwarnings("ignore")  # the exporter's and the quantiser's own, on every release others
def test_networks_are_exported_made_small_and_summed(tmp_path: Path) -> None:
    import onnx
    import torch

    from models.export import export_indices, export_pair
    from models.networks import IndexReader, Pair
    from models.quantise import quantise_indices, quantise_pair
    from models.sums import write_sums

    torch.manual_seed(3)
    torch.set_num_threads(1)
    build(tmp_path / "bank", 1, seed=5)
    shelf = tmp_path / "shelf"
    export_pair(Pair().eval(), shelf)
    quantise_pair(tmp_path / "bank", shelf, count=24)
    write_sums(shelf)
    cuts = np.random.default_rng(0).integers(0, 255, (3, 120, 80, 3), np.uint8)
    whole = Network(shelf / "reader.onnx").outputs(cuts)
    small = Network(shelf / "reader.int8.onnx").outputs(cuts)
    assert [out.shape for out in whole] == [(3, 24), (3, 160)] == [out.shape for out in small]
    assert np.corrcoef(whole[1].ravel(), small[1].ravel())[0, 1] > 0.95
    kinds = {node.op_type for node in onnx.load(str(shelf / "reader.int8.onnx")).graph.node}
    assert "Conv" in kinds and not kinds & {"Cast", "Div", "Sub"}, "bytes go straight into the first layer"
    assert (shelf / "aligner.int8.onnx").stat().st_size < 0.6 * (shelf / "aligner.onnx").stat().st_size
    export_indices(IndexReader().eval(), shelf)
    quantise_indices(tmp_path / "bank", shelf, count=16)
    write_sums(shelf)
    one, other = (Network(shelf / f"indices{kind}.onnx").run(cuts[:, :64, :64]) for kind in ("", ".int8"))
    assert one.shape == (3, 26) and np.corrcoef(one.ravel(), other.ravel())[0, 1] > 0.9
    (shelf / "reader.onnx").write_bytes(b"cut off")
    with pytest.raises(WeightsError, match=r"reader\.onnx is damaged"):
        verified(shelf / "reader.onnx")
    export_pair(Pair().eval(), shelf)
    assert not (shelf / "reader.int8.onnx").exists(), "what belongs to older networks goes"


def test_a_finder_made_quicker_says_the_same(tmp_path: Path) -> None:
    import onnx
    from onnx import helper

    from models.export import quicker

    path, weights = tmp_path / "finder.onnx", np.arange(16, dtype=np.float32).reshape(1, 16, 1, 1)
    across = np.random.default_rng(1).normal(0, 0.06, (16, 16, 3, 3)).astype(np.float32)
    nodes = [
        helper.make_node("Conv", ["images", "across", "bias"], ["plain"], pads=[1, 1, 1, 1]),
        helper.make_node("Sigmoid", ["plain"], ["gate"]),
        helper.make_node("Mul", ["plain", "gate"], ["whole"]),
        helper.make_node("Split", ["whole", "sizes"], ["first", "second"], axis=1),
        helper.make_node("Concat", ["second", "first"], ["turned"], axis=1),
        helper.make_node("Softmax", ["turned"], ["shares"], name="/dfl/Softmax", axis=1),
        helper.make_node("Conv", ["shares", "weights"], ["out"]),
    ]
    ends, out = (
        helper.make_tensor_value_info(name, 1, shape)
        for name, shape in (("images", (1, 16, 4, 30)), ("out", (1, 1, 4, 30)))
    )
    numbers = {"weights": weights, "across": across, "bias": across[:, 0, 0, 0], "sizes": np.array([8, 8])}
    kept = [onnx.numpy_helper.from_array(values, name) for name, values in numbers.items()]
    graph = helper.make_graph(nodes, "ends", [ends], [out], kept)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, str(path))
    given = np.random.default_rng(0).normal(0, 8, (1, 16, 4, 30)).astype(np.float32)
    before = Network(path).run(given)
    quicker(path)
    assert np.allclose(Network(path).run(given), before, atol=1e-4)
    assert "Split" not in {node.op_type for node in onnx.load(str(path)).graph.node}
    with pytest.raises(ValueError, match="no finder"):
        quicker(path)
