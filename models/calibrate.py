"""Fits `confidence.json`: how far what the networks say is to be believed.

    python -m models.calibrate --bank workshop/held --weights models/weights

Drawn scenes of decks in typefaces that training never saw; no photograph is used. First the temperatures of colour and
rank, then the logistic weights of face, colour and rank. Prints the expected calibration error on scenes drawn apart.
"""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from datasets.bank import CardBank
from datasets.scenes import Scene, compose
from models.evaluate import eyes_from
from models.sums import write_sums
from referee.cards import Card
from vision.confidence import EVIDENCE, KNOTS, PARTS, Confidence, Part, log_odds, sigmoid
from vision.detections import BACK, Face
from vision.eyes import Eyes, distinct_of
from vision.look import Look
from vision.overlaps import overlap
from vision.pyramid import Pyramid
from vision.reader import OUTCOME_COLOUR, OUTCOME_RANK, OUTCOMES

Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]

SIZES: Final = (320, 400, 400, 560)
LIES: Final = 0.4
"""Overlap from which a reading is of that card."""

BINS: Final = 15
REACH: Final = 0.75
FEW: Final = 8
"""A point of a curve is told by at least `FEW` readings within `REACH` of it."""
HELD_BACK: Final = 0.003
"""Weight of the pull towards plain weights, so that a few odd scenes do not decide."""


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """Readings of scenes: the evidence of each part (n, 8), whether that part was right (n,)."""

    rows: dict[Part, Floats]
    right: dict[Part, Bools]


def truth_at(quad: Floats, scene: Scene) -> Face | None:
    """The face of the card that lies at a quad; None where none does."""
    shared = [overlap(quad, card) for card in scene.quads]
    best = int(np.argmax(shared)) if shared else -1
    if best < 0 or shared[best] < LIES:
        return None
    card = scene.faces[best]
    return BACK if card is None else card


def right(face: Face, truth: Face | None) -> tuple[bool, bool, bool]:
    """Whether a reading is right in all, in its colour and in its rank. Backs have no colour."""
    if isinstance(face, Card) and isinstance(truth, Card):
        return face == truth, face.colour == truth.colour, face.rank == truth.rank
    return (face == truth and truth is not None,) * 3


def kept(eyes: Eyes, scene: Scene) -> Look:
    """What the eyes report of a scene, unweighed."""
    look = eyes.look(Pyramid(scene.image))
    faces = np.array([face is not None for face in look.readings.faces], bool)
    look = look.pick(np.flatnonzero(faces))
    return look.pick(distinct_of(eyes.weigh(look)))


def scenes(bank: CardBank, count: int, seed: int) -> Iterator[Scene]:
    """Scenes of all kinds and sizes."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        yield compose(rng, bank, int(rng.choice(SIZES)))


def gathered(eyes: Eyes, drawn: Iterator[Scene]) -> Seen:
    """The readings of scenes with what is right of them."""
    rows: dict[Part, list[Floats]] = {part: [np.zeros((0, len(EVIDENCE)), np.float32)] for part in PARTS}
    marks: list[tuple[bool, bool, bool]] = []
    for scene in drawn:
        look = kept(eyes, scene)
        marks += [
            right(face, truth_at(quad, scene)) for face, quad in zip(look.readings.faces, look.quads, strict=True)
        ]
        for part in PARTS:
            rows[part].append(look.evidence(part))
    table = np.array(marks, bool).reshape(-1, 3)
    return Seen(
        {part: np.concatenate(rows[part]) for part in PARTS}, {part: table[:, i] for i, part in enumerate(PARTS)}
    )


def temperature(chances: Floats, truth: npt.NDArray[np.intp]) -> float:
    """The divisor of the logits under which the truth is likeliest; `chances` (n, k) at temperature one."""
    logs = np.log(chances.astype(np.float64).clip(1e-12))
    tried = np.exp(np.linspace(0, np.log(4), 31))

    def surprise(divisor: float) -> float:
        scaled = logs / divisor
        scaled -= np.log(np.exp(scaled).sum(axis=1, keepdims=True))
        return float(-scaled[np.arange(len(truth)), truth].mean())

    return float(min(tried, key=surprise))


def temperatures(eyes: Eyes, drawn: Iterator[Scene]) -> tuple[float, float]:
    """Those of colour and rank, on exact quads of cards that are well seen."""
    tables: list[tuple[Floats, Floats, int, int]] = []
    for scene in drawn:
        clear = [i for i, seen in enumerate(scene.visible) if seen > 0.7]
        readings = eyes.reader.read(scene.image, scene.quads[clear])
        for i, colour, rank in zip(clear, readings.colours, readings.ranks, strict=True):
            face: Face = BACK if scene.faces[i] is None else scene.faces[i]
            number = OUTCOMES.index(face)
            tables.append((colour, rank, int(OUTCOME_COLOUR[number]), int(OUTCOME_RANK[number])))
    coloured = [row for row in tables if row[2] >= 0]
    colour = temperature(np.stack([row[0] for row in coloured]), np.array([row[2] for row in coloured]))
    return colour, temperature(np.stack([row[1] for row in tables]), np.array([row[3] for row in tables]))


def logistic(rows: Floats, right: Bools, towards: Floats, pull: float = HELD_BACK) -> Floats:
    """The weights (k,) of a logistic regression, pulled towards `towards`; only the first may be negative."""
    free = np.ones(rows.shape[1], bool)
    weights = np.zeros(rows.shape[1])
    while True:
        weights[free] = _newton(rows[:, free], right, towards[free], pull)
        wrong = (weights < 0) & (np.arange(len(weights)) > 0)
        if not wrong.any():
            return weights.astype(np.float32)
        free &= ~wrong
        weights[~free] = 0


def _newton(rows: Floats, right: Bools, towards: Floats, pull: float) -> npt.NDArray[np.float64]:
    """The unbounded fit, by Newton's method with steps shortened until they help."""
    x, y, start = rows.astype(np.float64), right.astype(np.float64), towards.astype(np.float64)

    def loss(weights: npt.NDArray[np.float64]) -> float:
        sums = x @ weights
        surprise = np.logaddexp(0, sums) - y * sums
        return float(surprise.mean() + pull / 2 * ((weights - start) ** 2).sum())

    weights = start.copy()
    for _ in range(30):
        p = 1 / (1 + np.exp(-(x @ weights).clip(-30, 30)))
        slope = x.T @ (p - y) / len(y) + pull * (weights - start)
        bend = (x * (p * (1 - p))[:, None]).T @ x / len(y) + pull * np.eye(len(weights))
        step = np.linalg.solve(bend, slope)
        while loss(weights - step) > loss(weights) and np.abs(step).max() > 1e-9:
            step = step / 2
        weights = weights - step
    return weights


def rising(right: Bools) -> npt.NDArray[np.float64]:
    """The rising sequence closest to the marks, which are ordered by log odds (pool adjacent violators)."""
    values: list[float] = []
    counts: list[int] = []
    for mark in right:
        values.append(float(mark))
        counts.append(1)
        while len(values) > 1 and values[-2] > values[-1]:
            value, count = values.pop(), counts.pop()
            values[-1] = (values[-1] * counts[-1] + value * count) / (counts[-1] + count)
            counts[-1] += count
    return np.repeat(values, counts)


def curve(sums: Floats, right: Bools) -> Floats:
    """What the log odds `KNOTS` mean, from readings of log odds `sums`; as they are where there are too few."""
    order = np.argsort(sums, kind="stable")
    ordered, shares = sums[order], rising(right[order])
    points = sigmoid(KNOTS).astype(np.float64)
    for number, knot in enumerate(KNOTS):
        near = np.abs(ordered - knot) <= REACH
        if near.sum() >= FEW:
            points[number] = shares[near].mean()
    return np.maximum.accumulate(points).clip(0.002, 0.998).astype(np.float32)


def both_ways(eyes: Eyes, drawn: Iterator[Scene]) -> tuple[Floats, Bools, Bools]:
    """What whole cards and their index corners say together (n, 3), unweighed, which of them show an index (n,), and
    what was right (n, 3)."""
    chances, indices = [np.zeros((0, 3), np.float32)], [np.zeros(0, bool)]
    marks = list[tuple[bool, bool, bool]]()
    for scene in drawn:
        pyramid = Pyramid(scene.image)
        _, told, index = eyes.both_ways(pyramid)
        if len(told):
            indices.append(index)
            chances.append(np.stack([told.confidences, told.colour_confidences, told.rank_confidences], axis=1))
            marks += [right(face, truth_at(q, scene)) for face, q in zip(told.faces, told.quads, strict=True)]
    return np.concatenate(chances), np.concatenate(indices), np.array(marks, bool).reshape(-1, 3)


def fitted(seen: Seen, found: tuple[float, float]) -> Confidence:
    """The confidence that explains what was right."""
    plain = Confidence.plain().weights
    weights = {part: logistic(seen.rows[part], seen.right[part], plain[part]) for part in PARTS}
    curves = {part: curve(seen.rows[part] @ weights[part], seen.right[part]) for part in PARTS}
    return Confidence(weights, curves, found)


def expected_error(confidences: Floats, right: Bools, bins: int = BINS) -> float:
    """Expected calibration error: mean distance of confidence and share right over bins (Naeini et al., 2015)."""
    if not len(right):
        return 0.0
    which = np.minimum((confidences * bins).astype(int), bins - 1)
    gaps = [abs(float(confidences[which == b].sum() - right[which == b].sum())) for b in range(bins)]
    return sum(gaps) / len(right)


def calibrate(eyes: Eyes, bank: CardBank, count: int, seed: int = 21) -> Confidence:
    """The fitted confidence; the eyes carry it afterwards."""
    eyes.carry(Confidence.plain())
    found = temperatures(eyes, scenes(bank, count // 3, seed))
    eyes.carry(dataclasses.replace(Confidence.plain(), temperatures=found))
    learnt = fitted(gathered(eyes, scenes(bank, count, seed + 1)), found)
    eyes.carry(learnt)
    if eyes.indices is not None:
        chances, index, marks = both_ways(eyes, scenes(bank, count, seed + 2))
        both, bare = (
            {part: curve(log_odds(chances[which, i]), marks[which, i]) for i, part in enumerate(PARTS)}
            for which in (index, ~index)
        )
        learnt = dataclasses.replace(learnt, both=both, bare=bare)
        eyes.carry(learnt)
    return learnt


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Fit the confidences on drawn scenes.")
    parser.add_argument("--bank", type=Path, required=True, help="decks in typefaces that training never saw")
    parser.add_argument("--weights", type=Path, default=Path("models/weights"))
    parser.add_argument("--scenes", type=int, default=1200)
    given = parser.parse_args()
    eyes, bank = eyes_from(given.weights), CardBank(given.bank)
    learnt = calibrate(eyes, bank, given.scenes)
    learnt.save(given.weights)
    write_sums(given.weights)
    apart = gathered(eyes, scenes(bank, given.scenes // 3, 77))
    for part in PARTS:
        error = expected_error(learnt.of(part, apart.rows[part]), apart.right[part])
        print(f"{part}: expected calibration error {error:.4f} on {len(apart.right[part])} readings drawn apart")


if __name__ == "__main__":
    main()
