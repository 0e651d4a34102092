"""Holds the eyes against one YOLO with a class for each face, on the same pictures, counted the same way.

    python -m models.compare_plain --weights runs/plain/plain.pt --photos ../shared/photos/*/ --bank workshop/held \\
        --out runs/plain.md

The plain YOLO (`models.train_plain`) runs as Ultralytics runs it, at the finder's size and at twice that. What it takes
to be sure is fitted on drawn hands apart, to its favour. Prints a table last, which `models.card --compare` takes.
"""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from datasets import trials as drawn
from datasets.bank import CardBank
from models import trials
from models.evaluate import Sees, eyes_from, score_folder
from models.measure import measure
from models.progress import FILE, read
from models.train_plain import BEGUN
from referee.cards import FACES
from vision.detections import BACK, Detections, Face, Image

SIDES: Final = (320, 640)
LEAST: Final = 0.03
"""Boxes below it are not looked at, but for the surest of a picture."""

FITTED_ON: Final = 60
"""Hands on which it is fitted what counts as sure, of a seed of their own."""

_NAMES: Final[tuple[Face, ...]] = (*FACES, BACK)


def bent(scores: npt.NDArray[np.float32], sure: float) -> npt.NDArray[np.float32]:
    """Scores 0 to 1 on a scale on which `sure` is one half; their order stays."""
    return np.where(scores < sure, 0.5 * scores / sure, 0.5 + 0.5 * (scores - sure) / (1 - sure)).astype(np.float32)


@dataclass(slots=True)
class Plain:
    """A YOLO with a class for each face, shown pictures of `side` px; `sure` is the score that counts as one half."""

    model: Any
    side: int
    sure: float = 0.5

    def see(self, image: Image, side: int | None = None) -> Detections:
        """The cards in a picture, the surest first; one face for each card."""
        found = self.model.predict(
            image,
            imgsz=side or self.side,
            conf=LEAST / 30,
            iou=0.6,
            agnostic_nms=True,
            max_det=64,
            verbose=False,
            device="cpu",
        )[0].obb
        scores = found.conf.cpu().numpy().astype(np.float32).clip(0, 1)
        quads = found.xyxyxyxy.cpu().numpy().astype(np.float32).reshape(-1, 4, 2)
        faces = tuple(_NAMES[int(number)] for number in found.cls.cpu().numpy())
        seen = Detections(quads, scores, faces, bent(scores, self.sure)).surest_first()
        return seen.pick(np.arange(max(int((scores >= LEAST).sum()), min(1, len(scores)))))

    def see_closely(self, image: Image) -> Detections:
        """The same."""
        return self.see(image)


def fitted(plain: Plain, bank: CardBank, count: int = FITTED_ON) -> Plain:
    """The same with the score that counts as sure with which it counts hands best."""
    rng = np.random.default_rng(131)
    hands = [drawn.fan(rng, bank) for _ in range(count)]
    seen = [plain.see(scene.image) for scene in hands]

    def f1(sure: float) -> float:
        told = trials.Hands()
        for scene, cards in zip(hands, seen, strict=True):
            told.add(dataclasses.replace(cards, confidences=bent(cards.scores, sure)), scene)
        return told.f1

    return Plain(plain.model, plain.side, max((0.03, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5), key=f1))


@dataclass(frozen=True, slots=True)
class Pictures:
    """What is looked at."""

    folders: tuple[Path, ...]
    bank: CardBank
    scenes: int
    piles: int
    fans: int
    nothing: int


def figures(eyes: Sees, pictures: Pictures) -> Iterator[tuple[str, str]]:
    """Each question and how it came out."""
    right = count = 0
    for folder in pictures.folders:
        score = score_folder(eyes, folder)
        right, count = right + score.right["face"], count + score.count
        yield f"{folder.name}: right face", f"{score.share('face'):.3f}"
    if count:
        yield f"all {count} photographs: right face", f"**{right / count:.4f}**"
    told = measure(eyes, pictures.bank, pictures.scenes).figures()
    for name in ("cards found", "right faces, end to end", "false alarms per scene without cards"):
        yield f"{pictures.scenes} drawn scenes: {name}", f"{told[name]:.3f}"
    yield from asked(eyes, pictures)


def asked(eyes: Sees, pictures: Pictures) -> Iterator[tuple[str, str]]:
    """Piles, hands, and what is no card."""
    if pictures.piles:
        piles = trials.tops(eyes, pictures.bank, pictures.piles)
        yield f"top card of {pictures.piles} piles", f"{piles['right'] / pictures.piles:.3f}"
    if pictures.fans:
        yield (
            f"cards of {pictures.fans} fans and rows, F1",
            f"{trials.hands(eyes, pictures.bank, pictures.fans).f1:.3f}",
        )
    if pictures.nothing:
        alarms, _ = trials.alarms(eyes.see, trials.empty_scenes(pictures.nothing))
        yield f"{pictures.nothing} scenes of other things: a face in", str(alarms["face"])


def table(columns: dict[str, list[tuple[str, str]]]) -> str:
    """The answers side by side; every column answers the same questions."""
    rows = [f"| on | {' | '.join(columns)} |", f"|---{'|---' * len(columns)}|"]
    for answers in zip(*columns.values(), strict=True):
        rows.append(f"| {answers[0][0]} | {' | '.join(result for _, result in answers)} |")
    return "\n".join(rows)


ENOUGH: Final = 188.0
"""Minutes that our finder was trained for: a plain YOLO that had less is not held against it as an equal."""


def trained(weights: Path) -> str:
    """For how long the plain YOLO was trained, as far as its run tells."""
    marks, note = read(weights.parent / FILE), weights.parent / BEGUN
    words = f"{marks[-1].step} steps, {marks[-1].minutes:.0f} minutes" if marks else "not told for how long"
    if marks and marks[-1].minutes < ENOUGH:
        words += ", which are too few for 57 classes to tell what it could become"
    return f"{words}; {note.read_text('utf-8')}" if note.is_file() else f"{words}, from scratch"


def compared(weights: Path, pictures: Pictures, eyes: Sees, report: Callable[[str], None] = print) -> str:
    """The table with a line about what was compared."""
    from ultralytics import YOLO

    model, columns = YOLO(str(weights)), {}
    rivals: dict[str, Sees] = {"Tableref's eyes": eyes}
    for side in SIDES:
        plain = fitted(Plain(model, side), pictures.bank)
        rivals[f"plain YOLO, {side} px (sure from {plain.sure:g})"] = plain
    for name, rival in rivals.items():
        columns[name] = list(figures(rival, pictures))
        report(f"{name}: {'; '.join(f'{about} {result}' for about, result in columns[name])}")
    return f"The plain YOLO: {trained(weights)}. Ours: see the recipe.\n\n{table(columns)}"


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Hold the eyes against one YOLO with a class for each face.")
    parser.add_argument("--weights", type=Path, required=True, help="plain.pt of models.train_plain")
    parser.add_argument("--eyes", type=Path, help="folder of our networks; the shipped ones when left out")
    parser.add_argument("--photos", nargs="*", type=Path, default=[])
    parser.add_argument("--bank", type=Path, required=True, help="decks in typefaces that training never saw")
    parser.add_argument("--scenes", type=int, default=300)
    parser.add_argument("--piles", type=int, default=200)
    parser.add_argument("--fans", type=int, default=100)
    parser.add_argument("--nothing", type=int, default=108)
    parser.add_argument("--out", type=Path, help="write the table here")
    given = parser.parse_args()
    folders = tuple(folder for folder in sorted(given.photos) if (folder / "labels.csv").is_file())
    pictures = Pictures(folders, CardBank(given.bank), given.scenes, given.piles, given.fans, given.nothing)
    text = compared(given.weights, pictures, eyes_from(given.eyes), lambda line: print(line, flush=True))
    print(f"\n{text}")
    if given.out:
        given.out.write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
