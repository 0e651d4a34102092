"""What one look at the discard pile means, in words that the rest of this room shares."""

from __future__ import annotations

from dataclasses import dataclass

from referee.cards import Card
from vision.compare import View
from vision.detections import Detection, Detections
from vision.overlaps import overlap
from vision.zones import Zone


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """The discard pile while nothing covers it, and the cards seen around it."""

    view: View
    cards: Detections
    zone: Zone


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The pile is as it was."""


@dataclass(frozen=True, slots=True)
class Unclear:
    """Something changed, but no card explains it."""


@dataclass(frozen=True, slots=True)
class Knocked:
    """The camera moved: the whole surroundings changed."""


@dataclass(frozen=True, slots=True, eq=False)
class Laid:
    """A card was laid.

    again: it has the top's own face, and nothing tells whether it is that card itself, moved. late: it is the card that
    could not be read when it was laid. instead: the card that lay on top before was taken away.
    """

    card: Card
    seen: Detection
    again: bool = False
    late: bool = False
    instead: Card | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Nudged:
    """The top card was moved, not covered; `others` are cards below it that were moved as well."""

    seen: Detection
    others: tuple[Detection, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class TakenBack:
    """The top card was taken back; `card` is the one that went."""

    card: Card
    seen: Detection


@dataclass(frozen=True, slots=True, eq=False)
class Bared:
    """Nothing shows any more of the cards below the top: they were taken away, or squared up under it.

    moved: whether the top lies elsewhere than it lay, as it does when a pile is squared up.
    """

    seen: Detection
    moved: bool = False


Reading = Unchanged | Unclear | Knocked | Laid | Nudged | TakenBack | Bared


def told(reading: Reading) -> str:
    """A reading in a few words, for people who look for a fault."""
    match reading:
        case Laid(card=card, seen=seen, again=again, late=late, instead=instead):
            more = [" again, or moved"] * again + [" read late"] * late + [f" instead of {instead}"] * bool(instead)
            return f"{card} laid, {100 * seen.confidence:.0f} %" + "".join(more)
        case TakenBack(card=card):
            return f"{card} taken back"
        case Nudged(seen=seen):
            return f"{seen.face} moved"
        case Bared(seen=seen):
            return f"nothing but {seen.face} lies on the pile"
    return {Unchanged: "nothing changed", Unclear: "no card explains the change"}.get(type(reading), "camera moved")


def same(one: Reading | None, other: Reading) -> bool:
    """Whether two looks mean the same: the same thing happened, with the same card at the same place."""
    match one, other:
        case Laid(), Laid():
            return one.card == other.card and overlap(one.seen.quad, other.seen.quad) > 0.5
        case (Nudged(), Nudged()) | (TakenBack(), TakenBack()):
            return True
    return type(one) is type(other)
