"""New weights onto the shelf, in one go: exported, made small, calibrated, summed.

    python -m models.release --finder runs/finder/finder.pt --pair runs/reader/checkpoint.pt \
        --indices runs/indices/checkpoint.pt --bank workshop/cards --held workshop/held

Everything that is derived from the networks is made anew, so that nothing on the shelf belongs to older ones. The
shelf is filled aside and moved into place at the end: a killed release leaves the old one whole. What it cannot do is
measure; `models.card` does that next.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from datasets.bank import CardBank
from models.calibrate import calibrate
from models.evaluate import eyes_from
from models.export import export_finder, export_indices, export_pair, indices_from, pair_from
from models.quantise import quantise_indices, quantise_pair
from models.sums import write_sums
from vision.confidence import FILE

SHELF = ("*.onnx", FILE, "SHA256SUMS")


def release(
    shelf: Path,
    bank: Path,
    held: Path,
    finder: Path | None = None,
    pair: Sequence[Path] = (),
    indices: Sequence[Path] = (),
    scenes: int = 1500,
) -> None:
    """Fills `shelf`; a network that is not given stays."""
    with tempfile.TemporaryDirectory() as name:
        aside = Path(name)
        for path in shelf.glob("*.onnx"):
            shutil.copy(path, aside)
        if finder:
            export_finder(finder, aside)
        if pair:
            export_pair(pair_from(*pair), aside)
            quantise_pair(bank, aside)
        if indices:
            export_indices(indices_from(*indices), aside)
            quantise_indices(bank, aside)
        (aside / FILE).unlink(missing_ok=True)
        calibrate(eyes_from(aside), CardBank(held), scenes).save(aside)
        write_sums(aside)
        for pattern in SHELF:
            for path in aside.glob(pattern):
                shutil.copy(path, shelf)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Put trained networks on the shelf with all that belongs to them.")
    parser.add_argument("--finder", type=Path, help="finder.pt of a training; left out, the finder stays")
    parser.add_argument(
        "--pair",
        type=Path,
        nargs="+",
        default=(),
        help="checkpoint.pt of aligner and reader, of several the mean; left out, both stay",
    )
    parser.add_argument(
        "--indices",
        type=Path,
        nargs="+",
        default=(),
        help="checkpoint.pt of the index reader, of several the mean; left out, it stays",
    )
    parser.add_argument("--bank", type=Path, required=True, help="decks that training used")
    parser.add_argument("--held", type=Path, required=True, help="decks in typefaces that training never saw")
    parser.add_argument("--shelf", type=Path, default=Path("models/weights"))
    parser.add_argument("--scenes", type=int, default=1500)
    given = parser.parse_args()
    release(given.shelf, given.bank, given.held, given.finder, given.pair, given.indices, given.scenes)
    print(f"released to {given.shelf}")


if __name__ == "__main__":
    main()
