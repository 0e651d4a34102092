"""What aligner and reader learn from; needs PyTorch only for its tensors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from datasets.bank import CardBank, build
from datasets.scenes import Scene
from referee.cards import Card
from vision.finder import Boxes
from vision.rectify import carry, cut, quad_of

pytestmark = pytest.mark.train


@pytest.mark.parametrize("lean", [0.0, 0.5, -0.9, 1.4, 2.8])
def test_the_target_is_where_the_card_lies_in_the_cut_out(lean: float) -> None:
    from models.samples import place

    quad = quad_of(150, 140, 56, 92, 0.3)
    square = quad_of(155, 135, 150, 150, 0.3 - lean)
    _, matrix = cut(np.zeros((300, 300, 3), np.uint8), square, (96, 96))
    target = place(quad, matrix)
    centre = carry(np.array([[150.0, 140.0]]), matrix)[0] / 96 - 0.5
    assert target[:2] == pytest.approx(centre, abs=1e-4)
    assert np.exp(target[2]) * 150 == pytest.approx(92, rel=1e-3)
    assert np.arctan2(target[4], target[3]) / 2 == pytest.approx((lean + np.pi / 2) % np.pi - np.pi / 2, abs=1e-4)
    if abs((lean + np.pi / 2) % np.pi - np.pi / 2) < np.pi / 3:
        corners = target[5:].reshape(4, 2)
        assert corners[0, 1] < corners[2, 1], "the first corner is an upper one"
        back = carry((corners + 0.5) * 96, np.linalg.inv(matrix))
        ways = [np.abs(np.roll(back, turn, axis=0) - quad).max() for turn in (0, 2)]
        assert min(ways) < 0.1
    else:
        assert np.isnan(target[5:]).all()


def test_samples_hold_cards_backs_and_nothing(tmp_path: Path) -> None:
    from models.samples import BACK, NOTHING, draw

    build(tmp_path, 2, seed=5)
    bank, rng = CardBank(tmp_path), np.random.default_rng(1)
    samples = [sample for _ in range(60) for sample in draw(rng, bank)]
    assert {sample.there for sample in samples} == {0, 1}
    ranks = [sample.rank for sample in samples]
    assert BACK in ranks and NOTHING in ranks and len(set(ranks)) > 12
    for sample in samples:
        assert sample.square.shape == (96, 96, 3) and sample.upright.shape == (120, 80, 3)
        assert (sample.rank == NOTHING) == (not sample.there)


def test_a_box_between_two_cards_is_of_the_one_on_top() -> None:
    from models.samples import boxes_of

    below, top = quad_of(200, 200, 130, 200, 0.0), quad_of(205, 200, 130, 200, 0.7)
    cards = np.stack([below, top])
    seen = np.array([0.4, 1.0], np.float32)
    scene = Scene(np.zeros((400, 400, 3), np.uint8), cards, (Card.parse("R1"), Card.parse("G2")), seen, seen)
    boxes = np.stack([quad_of(202, 200, 135, 205, 0.35), below, quad_of(40, 40, 30, 50, 0.0)])
    assert {number: len(found) for number, found in boxes_of(scene, boxes).items()} == {1: 1, 0: 1}


def test_what_a_finder_takes_for_a_card_is_taught_as_nothing(tmp_path: Path) -> None:
    from models.samples import NOTHING, draw, strays_of

    class Middle:
        """A finder that finds one thing, in the middle of every picture."""

        def find(self, image: np.ndarray) -> Boxes:
            size = len(image)
            return Boxes(np.array([[size / 2, size / 2, 40, 60, 0.2]], np.float32), np.ones(1, np.float32))

    card = quad_of(100, 100, 60, 90, 0.3)
    seen = np.ones(1, np.float32)
    scene = Scene(np.zeros((300, 300, 3), np.uint8), card[None], (Card.parse("R1"),), seen, seen)
    beside, on_it = quad_of(220, 200, 40, 60, 0.0), quad_of(104, 98, 60, 90, 0.2)
    assert [quad.mean(axis=0).round().tolist() for quad in strays_of(scene, np.stack([on_it, beside]))] == [[220, 200]]

    build(tmp_path, 1, seed=5)
    bank, rng = CardBank(tmp_path), np.random.default_rng(2)
    scenes = [list(draw(rng, bank, Middle())) for _ in range(40)]  # type: ignore[arg-type]
    assert any(samples and all(sample.rank == NOTHING for sample in samples) for samples in scenes)
    assert any(sample.there for samples in scenes for sample in samples)


def test_corners_are_taught_where_they_are_free_and_as_none_where_they_are_covered(tmp_path: Path) -> None:
    from models.index_samples import draw
    from models.samples import IGNORE, NOTHING

    build(tmp_path, 2, seed=5)
    bank, rng = CardBank(tmp_path), np.random.default_rng(1)
    corners = [corner for _ in range(40) for corner in draw(rng, bank)]
    ranks = {corner.rank for corner in corners}
    assert NOTHING in ranks and len(ranks) > 12
    for corner in corners:
        assert corner.picture.shape == (64, 64, 3)
        assert (corner.rank == NOTHING) == (corner.colour == IGNORE) == bool(np.isnan(corner.shift).all())
    shifts = np.array([corner.shift for corner in corners if corner.rank != NOTHING])
    assert np.abs(np.median(shifts, axis=0)).max() < 0.03, "corners are where the quads have them, give or take"


def test_what_is_drawn_once_is_shown_several_times() -> None:
    import torch

    from models.loop import Batch, replayed

    fresh: list[Batch] = [{"number": torch.tensor(number)} for number in range(300)]
    shown = [int(one["number"]) for one in replayed(np.random.default_rng(0), iter(fresh), 3, kept=20)]
    assert 800 < len(shown) < 900 and set(shown) == set(range(300))
