"""What the camera can tell of a table, one frozen class each: the words that vision and the service exchange.

These are not events of the game: nothing here knows seats, turns or rules. Every change has `seconds`, the time of the
frame that settled it; most also have `since`, the time at which the hand that did it came, which orders a change among
words spoken meanwhile. `hand` tells where that hand came from: its direction in degrees around the middle of the
picture, 0 to the right and 90 downwards (so it grows clockwise, as seats do), or None when no hand was seen.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.cards import Card
from vision.detections import Quads


@dataclass(frozen=True, slots=True, eq=False)
class CardLaid:
    """A card came to rest on the discard pile; `card` is None when one was laid that could not be read.

    quad: (4, 2) float32 px, or None with the card. confidence: 0 to 1. faces: what it may be, by eye alone, each with
    its probability, the likeliest first; empty with the card. again: it has the face of the card below it, and nothing
    tells whether it is another one or that card itself, moved. late: it is the card that was told of before as one that
    could not be read.
    """

    card: Card | None
    confidence: float
    seconds: float
    since: float
    quad: Quads | None = None
    hand: float | None = None
    faces: tuple[tuple[Card, float], ...] = ()
    again: bool = False
    late: bool = False


@dataclass(frozen=True, slots=True)
class CardReread:
    """The card on top, told of at `laid` seconds, is `card` after further looks; `faces` as in CardLaid."""

    card: Card
    confidence: float
    seconds: float
    laid: float
    faces: tuple[tuple[Card, float], ...]


@dataclass(frozen=True, slots=True, eq=False)
class CardTaken:
    """The top card was taken back, and the card below it shows again."""

    card: Card
    confidence: float
    seconds: float
    since: float
    hand: float | None = None


@dataclass(frozen=True, slots=True)
class CardsDrawn:
    """A hand went to the draw pile and left again `count` times.

    confidence: that it took a card each time; low when the pile looks as it did before.
    """

    count: int
    confidence: float
    seconds: float
    since: float
    hand: float | None = None


@dataclass(frozen=True, slots=True)
class CardsShown:
    """Cards came to lie face up away from the discard pile, one person's together; None for each that is not read.

    confidence: of the least sure. pile: of a single card, the pile that it lies on (`draw`), or beside (`discard`).
    """

    cards: tuple[Card | None, ...]
    confidence: float
    seconds: float
    since: float
    hand: float | None = None
    pile: str | None = None


@dataclass(frozen=True, slots=True)
class PileReshuffled:
    """The discard pile is gone but for its top card.

    confidence: that it was taken away; low when the top card was moved, as by somebody who squares the pile up.
    """

    seconds: float
    since: float
    confidence: float = 0.9
    hand: float | None = None


@dataclass(frozen=True, slots=True)
class ViewLost:
    """No pictures come any more; `reason` is one sentence that says what is being done about it.

    key: the phrase that says the same in other languages, `silent` or `ended`, about the source called `name`; both are
    empty where there is none.
    """

    seconds: float
    reason: str
    key: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class ViewBack:
    """Pictures come again."""

    seconds: float


@dataclass(frozen=True, slots=True)
class CommandShown:
    """Somebody shows a command card; several `marks` when more than one came at once, which then means nothing."""

    marks: tuple[int, ...]
    seconds: float
    since: float


TableChange = (
    CardLaid | CardReread | CardTaken | CardsDrawn | CardsShown | PileReshuffled | CommandShown | ViewLost | ViewBack
)
