"""Single questions put to the eyes, counted: the top of a pile, the cards of a hand, nothing where nothing is.

`python -m models.measure --piles 500 --fans 500 --nothing 300` prints these figures; the pictures come from
`datasets.trials` and `datasets.foreign`, which training never sees.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from datasets import foreign, trials
from datasets.bank import Bank
from datasets.scenes import Scene
from models.evaluate import Sees
from referee.cards import Card
from vision.detections import BACK, Detections, Image
from vision.overlaps import overlap

Floats = npt.NDArray[np.float32]

SURE = 0.5
LIES = 0.4
LEAST = 0.2
INDEX = 0.9
CENTRE = 0.8
"""Cards of a hand that show less of themselves are not asked for, nor those of which neither an index nor the middle is
to be seen, so far at least: a deck without indices does not tell what lies under the next card."""


def at(seen: Detections, quad: Floats) -> int | None:
    """The index of the reading that lies on a card, or None."""
    shared = [overlap(one, quad) for one in seen.quads]
    best = int(np.argmax(shared)) if shared else -1
    return best if best >= 0 and shared[best] >= LIES else None


def tops(eyes: Sees, bank: Bank, count: int, seed: int = 31) -> Counter[str]:
    """How the top cards of `count` piles came out: right, unsure (right below one half), wrong, not found."""
    rng, told = np.random.default_rng(seed), Counter[str]()
    for _ in range(count):
        scene = trials.pile(rng, bank)
        seen = eyes.see(scene.image)
        index = at(seen, scene.quads[-1])
        if index is None:
            told["not found"] += 1
        elif seen.faces[index] != scene.faces[-1]:
            told["wrong"] += 1
        else:
            told["right" if seen.confidences[index] >= SURE else "unsure"] += 1
    return told


@dataclass(slots=True)
class Hands:
    """Cards of hands: named and there, named and not there, there and not named; what became of the covered ones."""

    hits: int = 0
    false: int = 0
    missed: int = 0
    covered: Counter[str] = field(default_factory=Counter)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        return 2 * self.hits / max(1, 2 * self.hits + self.false + self.missed)

    def add(self, seen: Detections, scene: Scene) -> None:
        """Counts one hand."""
        told = (scene.index >= INDEX) | (scene.centres >= CENTRE)
        shown = [i for i, share in enumerate(scene.visible) if share >= LEAST and told[i]]
        spared = Counter(str(face) for i, face in enumerate(scene.faces) if i not in shown)
        truth = Counter(str(scene.faces[i]) for i in shown)
        named = Counter(
            str(face) for face, sure in zip(seen.faces, seen.confidences, strict=True) if sure >= SURE and face != BACK
        )
        hits = sum((truth & named).values())
        self.hits += hits
        self.false += sum((named - truth - spared).values())
        self.missed += sum(truth.values()) - hits
        for i in shown:
            if scene.visible[i] < SURE:
                index = at(seen, scene.quads[i])
                right = index is not None and seen.faces[index] == scene.faces[i]
                self.covered["not found" if index is None else "right" if right else "misread"] += 1


def hands(eyes: Sees, bank: Bank, count: int, seed: int = 32) -> Hands:
    """The cards of `count` fans and rows, looked at closely, as a hand is that is counted."""
    rng, told = np.random.default_rng(seed), Hands()
    for _ in range(count):
        scene = trials.fan(rng, bank)
        told.add(eyes.see_closely(scene.image), scene)
    return told


def alarm(seen: Detections) -> str:
    """What a scene without cards was taken for: a face, a back, or nothing."""
    sure = [face for face, confidence in zip(seen.faces, seen.confidences, strict=True) if confidence >= SURE]
    return "face" if any(isinstance(face, Card) for face in sure) else "back" if sure else "nothing"


def empty_scenes(count: int, seed: int = 33) -> Iterator[Scene]:
    """Drawn scenes without cards, every kind as often."""
    rng, kinds = np.random.default_rng(seed), list(foreign.KINDS)
    for number in range(count):
        yield foreign.scene(rng, kinds[number % len(kinds)])


def real_views(each: int = 6, seed: int = 34) -> Iterator[Scene]:
    """Views of the real pictures that installed packages bring."""
    rng = np.random.default_rng(seed)
    for picture in foreign.pictures().values():
        yield from foreign.views(rng, picture, each)


def alarms(see: Callable[[Image], Detections], scenes: Iterator[Scene]) -> tuple[Counter[str], Counter[str]]:
    """What scenes without cards were taken for, and of which kind those were in which a face was seen."""
    told, kinds = Counter[str](), Counter[str]()
    for scene in scenes:
        outcome = alarm(see(scene.image))
        told[outcome] += 1
        kinds[scene.kind] += outcome == "face"
    return told, +kinds


def report(eyes: Sees, bank: Bank, piles: int, fans: int, nothing: int, seed: int = 33) -> Iterator[tuple[str, str]]:
    """What was asked and how it came out, in words; `seed` is that of the scenes without cards."""
    if piles:
        told = tops(eyes, bank, piles)
        ways = ", ".join(f"{name} {told[name]}" for name in ("unsure", "wrong", "not found"))
        yield f"top card of {piles} piles", f"{told['right'] / piles:.3f} ({ways})"
    if fans:
        held = hands(eyes, bank, fans)
        ways = ", ".join(f"{name} {count}" for name, count in sorted(held.covered.items()))
        seen = "cards whose index or middle shows; of those seen less than half"
        yield f"cards of {fans} fans and rows, F1", f"{held.f1:.3f} ({seen}: {ways})"
    if nothing:
        for about, see, scenes in (
            ("drawn scenes", eyes.see, empty_scenes(nothing, seed)),
            ("of these, looked at closely", eyes.see_closely, empty_scenes(nothing // 3, seed)),
            ("views of real pictures", eyes.see, real_views(seed=seed + 1)),
        ):
            told, kinds = alarms(see, scenes)
            where = ", ".join(f"{kind} {count}" for kind, count in kinds.most_common()) or "none"
            yield (
                f"{told.total()} {about} without cards",
                f"a face in {told['face']}, a back in {told['back']} (faces: {where})",
            )
