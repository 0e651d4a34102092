"""Cards: colours, ranks, faces, decks, points, and their one-word notation.

A `Card` is a printed face and nothing else: the colour named for a wild, who holds it and where it lies belong to the
events and the state. Two cards with the same face are equal. The notation is that of the game record (docs/record.md):
`R7`, `BS`, `W4`; `Card.parse(str(card)) == card` for every card.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final, Literal


class Colour(Enum):
    """One of the four colours; the value is its letter in the record."""

    RED = "R"
    YELLOW = "Y"
    GREEN = "G"
    BLUE = "B"

    def __str__(self) -> str:
        return self.value


class Rank(Enum):
    """A number or symbol; the value is its notation (for the wilds that of the whole card)."""

    ZERO = "0"
    ONE = "1"
    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    SKIP = "S"
    REVERSE = "R"
    DRAW_TWO = "D"
    WILD = "W"
    WILD_DRAW_FOUR = "W4"
    SWAP_HANDS = "WS"
    CUSTOMIZABLE = "WC"

    def __str__(self) -> str:
        return self.value

    @property
    def is_number(self) -> bool:
        """Whether this is one of 0 to 9."""
        return self in NUMBERS

    @property
    def is_wild(self) -> bool:
        """Whether a card of this rank has no colour of its own."""
        return self in WILDS


NUMBERS: Final = tuple(list(Rank)[:10])
ACTIONS: Final = (Rank.SKIP, Rank.REVERSE, Rank.DRAW_TWO)
WILDS: Final = (Rank.WILD, Rank.WILD_DRAW_FOUR, Rank.SWAP_HANDS, Rank.CUSTOMIZABLE)

# R2.4
POINTS: Final[Mapping[Rank, int]] = {
    **{rank: int(rank.value) for rank in NUMBERS},
    **dict.fromkeys(ACTIONS, 20),
    Rank.WILD: 50,
    Rank.WILD_DRAW_FOUR: 50,
    Rank.SWAP_HANDS: 40,
    Rank.CUSTOMIZABLE: 40,
}


@dataclass(frozen=True, slots=True, repr=False)
class Card:
    """A printed face: `colour` is None exactly for the wilds.

    Raises ValueError when colour and rank do not go together.
    """

    colour: Colour | None
    rank: Rank

    def __post_init__(self) -> None:
        if (self.colour is None) != self.rank.is_wild:
            raise ValueError(f"no such card: colour {self.colour}, rank {self.rank}")

    def __str__(self) -> str:
        return f"{self.colour or ''}{self.rank}"

    def __repr__(self) -> str:
        return f"Card.parse({str(self)!r})"

    @classmethod
    def parse(cls, text: str) -> Card:
        """The card that `text` notes, such as `R7`, `BS` or `W4`; ValueError quotes a text that is none."""
        try:
            return _BY_NOTATION[text]
        except KeyError:
            expected = "R, Y, G or B with 0-9, S, R or D, or W, W4, WS, WC"
            raise ValueError(f"{text!r} is no card: expected {expected}") from None

    @property
    def is_wild(self) -> bool:
        """Whether any colour may be named with it."""
        return self.colour is None

    @property
    def points(self) -> int:
        """What it counts in a hand at the end of a round (R2.4)."""
        return POINTS[self.rank]


COLOURED_FACES: Final = tuple(Card(colour, rank) for colour in Colour for rank in (*NUMBERS, *ACTIONS))
WILD_FACES: Final = tuple(Card(None, rank) for rank in WILDS)
FACES: Final = COLOURED_FACES + WILD_FACES
"""All 56 faces of the 112-card deck, in the order that the card models number them; the first 54 are the 108's."""

_BY_NOTATION: Final = {str(card): card for card in FACES}

DeckName = Literal["108", "112"]


def _copies(card: Card, deck: DeckName) -> int:
    if card.rank in (Rank.WILD, Rank.WILD_DRAW_FOUR):
        return 4
    if card.rank is Rank.SWAP_HANDS:
        return 1 if deck == "112" else 0
    if card.rank is Rank.CUSTOMIZABLE:
        return 3 if deck == "112" else 0
    return 1 if card.rank is Rank.ZERO else 2


def deck_census(deck: DeckName) -> Counter[Card]:
    """How often each face is in the deck (R2.1, R2.2); faces that it lacks are not in the counter."""
    return +Counter({card: _copies(card, deck) for card in FACES})
