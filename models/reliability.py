"""Whether the confidences mean what they say: expected calibration error and reliability diagram.

    python -m models.reliability ../shared/photos/* --bank workshop/held --out docs/reliability.png

On photographs (one labelled card each; every reading counts, the wrong ones, too) and on drawn scenes of unseen decks.
The diagram holds the share that was right against the confidence, and shows how many readings there were.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from datasets.bank import CardBank
from models.calibrate import expected_error, right, scenes, truth_at
from models.evaluate import eyes_from, labelled
from vision.detections import Detections
from vision.eyes import Eyes
from vision.frames import read_picture

Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]

PARTS: Final = ("face", "colour", "rank")
STEPS: Final = 10
SIDE: Final = 320
INKS: Final = ((150, 90, 20), (40, 130, 60), (40, 40, 200))


@dataclass(frozen=True, slots=True, eq=False)
class Told:
    """Confidences (n, 3) of face, colour and rank, and whether each was right (n, 3)."""

    sure: Floats
    right: Bools

    def errors(self) -> dict[str, float]:
        """The expected calibration error of each part."""
        return {part: expected_error(self.sure[:, i], self.right[:, i]) for i, part in enumerate(PARTS)}


def told(rows: Iterator[tuple[Detections, list[tuple[bool, bool, bool]]]]) -> Told:
    """Readings with their marks, put together."""
    sure, marks = [np.zeros((0, 3), np.float32)], [np.zeros((0, 3), bool)]
    for seen, outcome in rows:
        sure.append(np.stack([seen.confidences, seen.colour_confidences, seen.rank_confidences], axis=1))
        marks.append(np.array(outcome, bool).reshape(-1, 3))
    return Told(np.concatenate(sure), np.concatenate(marks))


def on_photographs(eyes: Eyes, folders: list[Path]) -> Iterator[tuple[Detections, list[tuple[bool, bool, bool]]]]:
    """Every reading of every photograph; only the first that names the card may be right."""
    for folder in folders:
        for path, card in labelled(folder):
            seen, used, marks = eyes.see(read_picture(path)), False, []
            for face in seen.faces:
                marks.append((False, False, False) if used else right(face, card))
                used = used or face == card
            yield seen, marks


def on_scenes(
    eyes: Eyes, bank: CardBank, count: int, seed: int = 88
) -> Iterator[tuple[Detections, list[tuple[bool, bool, bool]]]]:
    """Every reading of drawn scenes."""
    for scene in scenes(bank, count, seed):
        seen = eyes.see(scene.image)
        truths = [truth_at(quad, scene) for quad in seen.quads]
        yield seen, [right(face, truth) for face, truth in zip(seen.faces, truths, strict=True)]


def diagram(sure: Floats, marks: Bools, title: str, ink: tuple[int, int, int]) -> npt.NDArray[np.uint8]:
    """One reliability diagram (SIDE + 60 px high): bars of the share right, the diagonal, the counts below."""
    page = np.full((SIDE + 60, SIDE + 40, 3), 255, np.uint8)
    cv2.putText(page, title, (20, 18), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (0, 0, 0), 1, cv2.LINE_AA)
    which = np.minimum((sure * STEPS).astype(int), STEPS - 1)
    for step in range(STEPS):
        inside = which == step
        left, wide = 20 + step * SIDE // STEPS, SIDE // STEPS
        if inside.any():
            top = round(float(marks[inside].mean()) * SIDE)
            cv2.rectangle(page, (left + 2, 30 + SIDE - top), (left + wide - 2, 30 + SIDE), ink, -1)
        cv2.putText(page, str(int(inside.sum())), (left, SIDE + 46), cv2.FONT_HERSHEY_SIMPLEX, 0.33, (90, 90, 90), 1)
    cv2.rectangle(page, (20, 30), (20 + SIDE, 30 + SIDE), (0, 0, 0), 1)
    cv2.line(page, (20, 30 + SIDE), (20 + SIDE, 30), (0, 0, 0), 1, cv2.LINE_AA)
    return page


def picture(groups: dict[str, Told]) -> npt.NDArray[np.uint8]:
    """A row of three diagrams for each group."""
    rows = []
    for name, group in groups.items():
        errors = group.errors()
        cells = [
            diagram(group.sure[:, i], group.right[:, i], f"{name}, {part}: error {errors[part]:.3f}", INKS[i])
            for i, part in enumerate(PARTS)
        ]
        rows.append(np.hstack(cells))
    return np.vstack(rows)


def measured(eyes: Eyes, folders: list[Path], bank: Path | None, count: int) -> dict[str, Told]:
    """Both groups, as far as there is something to measure on."""
    groups = {}
    if folders:
        groups["photographs"] = told(on_photographs(eyes, folders))
    if bank is not None:
        groups["drawn scenes"] = told(on_scenes(eyes, CardBank(bank), count))
    return groups


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Measure how far the confidences can be believed.")
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--bank", type=Path)
    parser.add_argument("--scenes", type=int, default=400)
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--out", type=Path, help="write the diagram here")
    given = parser.parse_args()
    folders = [folder for folder in given.folders if (folder / "labels.csv").is_file()]
    groups = measured(eyes_from(given.weights), folders, given.bank, given.scenes)
    for name, group in groups.items():
        words = ", ".join(f"{part} {error:.4f}" for part, error in group.errors().items())
        print(f"{name}: expected calibration error {words} of {len(group.sure)} readings")
    if given.out:
        cv2.imwrite(str(given.out), picture(groups))


if __name__ == "__main__":
    main()
