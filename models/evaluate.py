"""Measures the eyes on labelled photographs, part by part.

    python -m models.evaluate ../shared/photos/*

A folder holds `labels.csv` with the columns `file,cards`, one card a picture. Prints per folder how many faces, colours
and ranks come out right and the worst confusions, and the total last.
"""

from __future__ import annotations

import argparse
import csv
from collections import Counter
from pathlib import Path

import cv2
import numpy as np

from referee.cards import Card
from vision.aligner import Aligner
from vision.detections import Detection
from vision.eyes import Eyes
from vision.finder import Finder
from vision.reader import Reader
from vision.weights import Network


def eyes_from(folder: Path | None) -> Eyes:
    """The shipped eyes, or those of the networks in a folder."""
    if folder is None:
        return Eyes.load()
    finder, aligner, reader = (Network(folder / f"{name}.onnx") for name in ("finder", "aligner", "reader"))
    return Eyes(Finder(finder), Aligner(aligner), Reader(reader))


def labelled(folder: Path) -> list[tuple[Path, Card]]:
    """The pictures of a folder with their one card."""
    with (folder / "labels.csv").open() as lines:
        return [(folder / row["file"], Card.parse(row["cards"])) for row in csv.DictReader(lines)]


def surest(eyes: Eyes, path: Path, side: int | None) -> Detection | None:
    """The surest face in a picture."""
    image = cv2.imread(str(path))
    if image is None:
        raise SystemExit(f"{path} is no picture that can be read.")
    seen = eyes.see(image.astype(np.uint8, copy=False), side)
    return next((card for card in seen if isinstance(card.face, Card)), None)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Measure the eyes on labelled photographs.")
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--weights", type=Path, help="folder of finder.onnx, aligner.onnx and reader.onnx")
    parser.add_argument("--side", type=int)
    parser.add_argument("--misses", action="store_true", help="name every picture that is read wrong")
    given = parser.parse_args()
    eyes, right, count = eyes_from(given.weights), 0, 0
    for folder in filter(Path.is_dir, given.folders):
        figures: Counter[str] = Counter()
        confusions: Counter[tuple[str, str]] = Counter()
        pictures = labelled(folder)
        for path, truth in pictures:
            best = surest(eyes, path, given.side)
            face = best.face if best else None
            figures["face"] += face == truth
            if isinstance(face, Card):
                figures["found"] += 1
                figures["colour"] += face.colour == truth.colour
                figures["rank"] += face.rank == truth.rank
            if face != truth:
                confusions[str(truth), str(face)] += 1
                if given.misses:
                    print(path.name, face, f"{best.confidence:.2f} {best.score:.2f}" if best else "")
        right, count = right + figures["face"], count + len(pictures)
        words = ", ".join(f"{name} {figures[name] / len(pictures):.3f}" for name in ("face", "found", "colour", "rank"))
        worst = ", ".join(f"{a} as {b} x{n}" for (a, b), n in confusions.most_common(8)) or "none"
        print(f"{folder.name}: {words} of {len(pictures)}; worst: {worst}")
    print(f"faces right: {right / count:.4f} of {count} photographs")


if __name__ == "__main__":
    main()
