"""Measures the eyes on labelled photographs, part by part.

    python -m models.evaluate ../shared/photos/*

A folder holds `labels.csv` with the columns `file,cards`, one card a picture. Prints per folder how many faces, colours
and ranks come out right and the worst confusions, and the total last.
"""

from __future__ import annotations

import argparse
import csv
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from referee.cards import Card
from vision.aligner import Aligner
from vision.confidence import Confidence
from vision.detections import Detection, Detections, Image
from vision.eyes import Eyes
from vision.finder import Finder
from vision.indices import Indices
from vision.networks import Network, in_folder
from vision.reader import Reader


class Sees(Protocol):
    """What can be measured: our eyes, or another way of seeing cards."""

    def see(self, image: Image, side: int | None = None) -> Detections:
        """The cards in a picture, the surest first."""
        ...

    def see_closely(self, image: Image) -> Detections:
        """The same where time does not matter."""
        ...


def eyes_from(folder: Path | None) -> Eyes:
    """The shipped eyes, or those of the networks in a folder."""
    if folder is None:
        return Eyes.load()
    finder, aligner, reader = (Network(in_folder(name, folder)) for name in ("finder", "aligner", "reader"))
    corners = in_folder("indices", folder)
    indices = Indices(Network(corners)) if corners.is_file() else None
    return Eyes(Finder(finder), Aligner(aligner), Reader(reader), Confidence.load(folder), indices)


def labelled(folder: Path) -> list[tuple[Path, Card]]:
    """The pictures of a folder with their one card."""
    with (folder / "labels.csv").open() as lines:
        return [(folder / row["file"], Card.parse(row["cards"])) for row in csv.DictReader(lines)]


def surest(eyes: Sees, path: Path, side: int | None) -> Detection | None:
    """The surest face in a picture."""
    image = cv2.imread(str(path))
    if image is None:
        raise SystemExit(f"{path} is no picture that can be read.")
    seen = eyes.see(image.astype(np.uint8, copy=False), side)
    return next((card for card in seen if isinstance(card.face, Card)), None)


@dataclass(slots=True)
class FolderScore:
    """How a folder came out: counts of `face`, `found`, `colour`, `rank` right, confusions, pictures read wrong."""

    name: str
    count: int = 0
    right: Counter[str] = field(default_factory=Counter)
    confusions: Counter[tuple[str, str]] = field(default_factory=Counter)
    misses: list[str] = field(default_factory=list)

    def share(self, name: str) -> float:
        """The share of pictures that came out right."""
        return self.right[name] / max(1, self.count)

    def add(self, path: Path, truth: Card, best: Detection | None) -> None:
        """Counts one picture."""
        self.count += 1
        face = best.face if best else None
        self.right["face"] += face == truth
        if isinstance(face, Card):
            self.right["found"] += 1
            self.right["colour"] += face.colour == truth.colour
            self.right["rank"] += face.rank == truth.rank
        if face != truth:
            self.confusions[str(truth), str(face)] += 1
            sure = f" {best.confidence:.2f}, finder {best.score:.2f}" if best else ""
            self.misses.append(f"{path.name} read as {face}{sure}")

    def __str__(self) -> str:
        shares = ", ".join(f"{name} {self.share(name):.3f}" for name in ("face", "found", "colour", "rank"))
        worst = ", ".join(f"{a} as {b} x{n}" for (a, b), n in self.confusions.most_common(8)) or "none"
        return f"{self.name}: {shares} of {self.count}; worst: {worst}"


def score_folder(eyes: Sees, folder: Path, side: int | None = None) -> FolderScore:
    """Reads all pictures of a folder."""
    score = FolderScore(folder.name)
    for path, truth in labelled(folder):
        score.add(path, truth, surest(eyes, path, side))
    return score


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Measure the eyes on labelled photographs.")
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--weights", type=Path, help="folder of finder.onnx, aligner.onnx and reader.onnx")
    parser.add_argument("--side", type=int, help="pixels on the longer side that the finder looks at")
    parser.add_argument("--misses", action="store_true", help="name every picture that is read wrong")
    given = parser.parse_args()
    eyes = eyes_from(given.weights)
    scores = [score_folder(eyes, folder, given.side) for folder in filter(Path.is_dir, given.folders)]
    for score in scores:
        print(score)
        if given.misses:
            print("\n".join(f"  {miss}" for miss in score.misses))
    right, count = sum(score.right["face"] for score in scores), sum(score.count for score in scores)
    print(f"faces right: {right / max(1, count):.4f} of {count} photographs")


if __name__ == "__main__":
    main()
