"""What a table agrees on before the match: one frozen value, checked when it is made.

`MatchSettings` holds the deck, the mode, the players and, when play does not begin with a deal, a position to start
from. `Options` holds the decisions marked *Option* in docs/rules.md and the house rules of R10, `Effect` the rule of a
Customizable card. Every error names the key of the record's header (`SettingsError`); `header` reads and prints that.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from functools import cached_property
from typing import Any, Final, Literal, get_args

from referee.cards import FACES, Card, Colour, DeckName, Rank, deck_census

Mode = Literal["points", "elimination", "teams"]
EffectKind = Literal["others_draw", "next_draw", "skip_all", "discard_wilds", "discard_colour", "dare"]

HAND_SIZE: Final = 7  # R3.3
BLANKS: Final = 3  # R2.2


class SettingsError(ValueError):
    """A setting that cannot be: `key` is its name in the record's header, the message says what was expected."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(f"{key}: {message}")
        self.key = key


@dataclass(frozen=True, slots=True)
class Effect:
    """The house rule of one Customizable card (R10): its kind, the cards it costs, and the text of a dare.

    Noted `others_draw=2`, `next_draw=3`, `skip_all`, `discard_wilds`, `discard_colour`, `dare=3 sing a song`.
    """

    kind: EffectKind
    cards: int = 0
    text: str = ""

    def __post_init__(self) -> None:
        if self.kind not in get_args(EffectKind):
            raise SettingsError("Custom", f"no house rule {self.kind!r}{nearest(self.kind, get_args(EffectKind))}")
        if self.cards < 0 or (self.kind in _COSTING) != (self.cards > 0):
            raise SettingsError("Custom", f"{self.kind} needs {'a' if self.kind in _COSTING else 'no'} number of cards")
        if any(mark in self.text for mark in ';"\n'):
            raise SettingsError("Custom", "the text of a dare cannot hold ; or quotation marks")
        if _unwritable(self.text):
            raise SettingsError("Custom", "the text of a dare cannot hold control characters")

    def __str__(self) -> str:
        cost = f"={self.cards}" if self.cards else ""
        return f"{self.kind}{cost} {self.text}".strip()

    @classmethod
    def parse(cls, text: str) -> Effect:
        """The effect that `text` notes."""
        head, _, words = text.strip().partition(" ")
        kind, _, cards = head.partition("=")
        return cls(kind, whole_number("Custom", cards) if cards else 0, words.strip())  # type: ignore[arg-type]


_COSTING: Final = ("others_draw", "next_draw", "dare")


@dataclass(frozen=True, slots=True)
class Options:
    """The decisions of the table, each with the default of docs/rules.md; house rules (R10) are off."""

    first_wild: Literal["name", "redraw"] = "name"  # R3.4
    stalemate: Literal["void", "score"] = "void"  # R4.7
    uno_after_swap: bool = True  # R5.8
    false_catch: Literal[0, 1, 2] = 0  # R6.4
    last_card_challenge: bool = False  # R7.1
    misplay: Literal["none", "draw1", "draw2"] = "none"  # R9.1
    stack: bool = False  # R10, this and all that follow
    stack_mixed: bool = False
    seven_swap: bool = False
    zero_rotate: bool = False
    jump_in: bool = False
    draw_until_playable: bool = False
    must_play_drawn: bool = False
    no_action_finish: bool = False

    def __post_init__(self) -> None:
        for name, values in OPTION_VALUES.items():
            if getattr(self, name) not in values.values():
                raise SettingsError("Options", f"{name} is one of {', '.join(values)}, not {getattr(self, name)!r}")

    def __str__(self) -> str:
        changed = [name for name in OPTION_VALUES if getattr(self, name) != getattr(DEFAULTS, name)]
        return ";".join(f"{name}={self.word(name)}" for name in changed)

    def word(self, name: str) -> str:
        """How the value of option `name` is written in the header."""
        return next(word for word, value in OPTION_VALUES[name].items() if value == getattr(self, name))

    @classmethod
    def parse(cls, text: str) -> Options:
        """The options that `text` notes: `name` or `name=value`, by `;`."""
        given: dict[str, Any] = {}
        for part in filter(None, (part.strip() for part in text.split(";"))):
            name, _, word = (side.strip() for side in part.partition("="))
            given[name] = _option_value(name, word)
        return cls(**given)

    @property
    def stacking(self) -> bool:
        """Whether a penalty may be passed on at all."""
        return self.stack or self.stack_mixed


_SWITCH: Final = {"on": True, "off": False}
OPTION_VALUES: Final[Mapping[str, Mapping[str, object]]] = {
    **{option.name: _SWITCH for option in fields(Options)},
    "first_wild": {"name": "name", "redraw": "redraw"},
    "stalemate": {"void": "void", "score": "score"},
    "false_catch": {"0": 0, "1": 1, "2": 2},
    "misplay": {"none": "none", "draw1": "draw1", "draw2": "draw2"},
}
"""Every option with the words that may be written for it and what they stand for."""

DEFAULTS: Final = Options()


def _option_value(name: str, word: str) -> object:
    if name not in OPTION_VALUES:
        raise SettingsError("Options", f"no option {name!r}{nearest(name, OPTION_VALUES)}")
    values = OPTION_VALUES[name]
    if not word and values is _SWITCH:
        return True
    if word not in values:
        raise SettingsError("Options", f"{name} is one of {', '.join(values)}, not {word!r}{meant(word, values)}")
    return values[word]


def nearest(word: str, words: Iterable[str]) -> str:
    """The end of an error message: the one of `words` that was probably meant, or all of them."""
    choice = list(words)
    return meant(word, choice) or f"; expected one of {', '.join(choice)}"


def meant(word: str, words: Iterable[str]) -> str:
    """The end of an error message that lists `words` already: the one that was probably meant, if any."""
    close = get_close_matches(word, list(words), 1)
    return f"; did you mean {close[0]!r}?" if close else ""


def whole_number(key: str, text: str) -> int:
    """The number that `text` is; SettingsError names `key` when it is none."""
    digits = text.strip()
    if not re.fullmatch(r"[+-]?[0-9]{1,9}", digits):
        raise SettingsError(key, f"expected a whole number, not {text!r}")
    return int(digits)


@dataclass(frozen=True)
class MatchSettings:
    """The whole agreement. Seats count from 1, in the order of `players`, clockwise.

    `top` to `draw_pile` describe a position to start from instead of a deal; without `top` (or `turn`, `counts`,
    `draw_pile`) play begins with a deal. `top_unknown` stands for a top card that nobody saw.
    """

    players: tuple[str, ...]
    deck: DeckName = "108"
    mode: Mode = "points"
    target: int = 500
    dealer: int | None = None
    options: Options = field(default=DEFAULTS)
    custom: tuple[Effect, ...] = ()
    date: str = ""
    site: str = ""
    top: Card | None = None
    top_unknown: bool = False
    colour: Colour | None = None
    direction: Literal[1, -1] = 1
    turn: int | None = None
    counts: tuple[int, ...] | None = None
    scores: tuple[int, ...] | None = None
    draw_pile: int | None = None

    def __post_init__(self) -> None:
        for check in _CHECKS:
            check(self)

    @property
    def seats(self) -> tuple[int, ...]:
        """All seats, 1 to n."""
        return tuple(range(1, len(self.players) + 1))

    @property
    def is_position(self) -> bool:
        """Whether play begins in the middle of a round."""
        return self.top is not None or self.top_unknown

    @cached_property
    def start_counts(self) -> tuple[int, ...]:
        """Hand counts of the position: given, or seven for every seat that is not out."""
        if self.counts is not None:
            return self.counts
        return tuple(0 if seat in self.out else HAND_SIZE for seat in self.seats)

    @cached_property
    def start_scores(self) -> tuple[int, ...]:
        """Scores before the first event."""
        return self.scores if self.scores is not None else (0,) * len(self.players)

    @cached_property
    def out(self) -> tuple[int, ...]:
        """Seats that the given scores put out of the match (R7.3)."""
        if self.mode != "elimination":
            return ()
        return tuple(seat for seat in self.seats if self.start_scores[seat - 1] >= self.target)

    @cached_property
    def copies(self) -> tuple[int, ...]:
        """How often the deck holds each of `cards.FACES` (R2.1, R2.2)."""
        census = deck_census(self.deck)
        if self.deck == "112" and self.custom:
            census[Card(None, Rank.CUSTOMIZABLE)] = len(self.custom)
        return tuple(census[card] for card in FACES)

    @cached_property
    def cards(self) -> int:
        """How many cards the deck holds."""
        return sum(self.copies)


def _check_choices(settings: MatchSettings) -> None:
    for key, value, words in (
        ("Deck", settings.deck, get_args(DeckName)),
        ("Mode", settings.mode, get_args(Mode)),
        ("Direction", settings.direction, (1, -1)),
    ):
        if value not in words:
            choice = [str(word) for word in words]
            hint = meant(str(value), filter(str.isalpha, choice))  # one number is not nearer than another
            raise SettingsError(key, f"expected {' or '.join(choice)}, not {value!r}{hint}")


_UNWRITABLE: Final = ("Cc", "Cs", "Zl", "Zp")
"""Categories of Unicode that no file or screen shows: control characters, halves of pairs, separators of lines."""
_TURNS_TEXT: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Marks that only turn the direction of writing: a name with one could show what follows it backwards."""


def _unwritable(text: str) -> bool:
    return any(letter in _TURNS_TEXT or unicodedata.category(letter) in _UNWRITABLE for letter in text)


def _check_players(settings: MatchSettings) -> None:
    if not 2 <= len(settings.players) <= 10:  # R3.1
        raise SettingsError("Players", f"expected 2 to 10 names, not {len(settings.players)}")
    if any(not name.strip() or any(mark in name for mark in ';"\n') for name in settings.players):
        raise SettingsError("Players", 'every seat needs a name without ; and "')
    if any(map(_unwritable, settings.players)):
        raise SettingsError("Players", "a name cannot hold control characters")
    called = [unicodedata.normalize("NFKC", name).casefold().strip() for name in settings.players]
    twice = next((name for name, call in zip(settings.players, called, strict=True) if called.count(call) > 1), None)
    if twice is not None:
        raise SettingsError("Players", f"expected another name for each seat, not {twice!r} twice")
    if settings.mode == "teams" and len(settings.players) != 4:  # R7.4
        raise SettingsError("Players", f"teams are four seats, partners opposite, not {len(settings.players)}")


def _check_seats(settings: MatchSettings) -> None:
    for key, seat in (("Dealer", settings.dealer), ("Turn", settings.turn)):
        if seat is not None and seat not in settings.seats:
            raise SettingsError(key, f"expected a seat from 1 to {len(settings.players)}, not {seat}")


def _check_scores(settings: MatchSettings) -> None:
    if settings.target < 1:
        raise SettingsError("Target", f"expected at least 1, not {settings.target}")
    scores = settings.start_scores
    if len(scores) != len(settings.players) or min(scores) < 0:
        raise SettingsError("Scores", f"expected {len(settings.players)} numbers from 0")
    if settings.mode == "teams" and scores[:2] != scores[2:]:
        raise SettingsError("Scores", "partners have the same score")
    playing = len(scores) - len(settings.out)
    if playing < 2 or (settings.mode != "elimination" and max(scores) >= settings.target):
        raise SettingsError("Scores", f"the match is over: the target of {settings.target} is reached")
    for key, seat in (("Dealer", settings.dealer), ("Turn", settings.turn)):
        if seat in settings.out:
            raise SettingsError(key, f"seat {seat} is out")


def _check_custom(settings: MatchSettings) -> None:
    if len(settings.custom) > BLANKS:
        raise SettingsError("Custom", f"there are {BLANKS} blank cards, not {len(settings.custom)}")


def _check_position(settings: MatchSettings) -> None:
    if not settings.is_position:
        _check_no_position(settings)
        return
    counts = settings.start_counts
    if len(counts) != len(settings.players):
        raise SettingsError("Counts", f"expected {len(settings.players)} numbers, not {len(counts)}")
    if any((counts[seat - 1] < 1) != (seat in settings.out) for seat in settings.seats) or min(counts) < 0:
        raise SettingsError("Counts", "expected at least 1 card for every seat that is not out, none for the others")
    on_piles = settings.cards - sum(counts)
    if on_piles < 1:
        raise SettingsError("Counts", f"{sum(counts)} cards in hand leave none for the top of {settings.cards}")
    if settings.draw_pile is not None and not 0 <= settings.draw_pile < on_piles:
        raise SettingsError("DrawPile", f"expected 0 to {on_piles - 1} cards, not {settings.draw_pile}")
    if settings.top is not None and settings.top.colour not in (None, settings.colour or settings.top.colour):
        raise SettingsError("Colour", f"expected {settings.top.colour}, the colour of {settings.top}")


def _check_no_position(settings: MatchSettings) -> None:
    for key, value in (
        ("Colour", settings.colour),
        ("Turn", settings.turn),
        ("Counts", settings.counts),
        ("DrawPile", settings.draw_pile),
    ):
        if value is not None:
            raise SettingsError("Top", f"a position with {key} needs its top card, or ??")


_CHECKS: Final = (_check_choices, _check_players, _check_custom, _check_scores, _check_seats, _check_position)
