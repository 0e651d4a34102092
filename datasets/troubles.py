"""What goes wrong at a real table, each by name: switched on alone, together, or not at all.

`Troubles.parse("nudge,shadow")` names them; `mishaps` puts those that hands bring about between the events of a game,
with the truth that follows: a card laid and taken back is a play and an undo, a wrong card is a play that the referee
sends back. What befalls the camera is in `lens`, what lies about is put there by `clutter`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from typing import Final, Literal

import numpy as np

from referee.cards import FACES, Card
from referee.events import Event, Play, Undo
from referee.expectations import legal_plays
from referee.judge import judge, new_match
from referee.options import MatchSettings
from referee.piles import is_used_up
from referee.state import MatchState

Deed = Literal["lift", "exchange", "shift", "drag", "straighten", "square", "touch", "misplace", "mislay"]


@dataclass(frozen=True, slots=True)
class Mishap:
    """Something that a hand does and no line of the record tells: `lift` takes the top card away, `exchange` means that
    the next card laid takes its place in one go; `shift` and `drag` move it a little or far, `straighten` and `square`
    move the whole pile, `touch` is a hand at the draw pile that takes nothing. `misplace` lays a `card` face up on the
    draw pile, `mislay` beside the discard pile, and takes it up again.
    """

    deed: Deed
    seat: int
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class Troubles:
    """Which of them happen.

    nudge: the top card is pushed by a hand that lays nothing. adjust: whoever laid a card moves it once more. beside: a
    card comes to lie half beside the pile. takeback: a card is laid and taken back. exchange: a wrong card is laid and
    exchanged for another in one go. several: penalty cards are taken all at once. touch: a hand touches the draw pile
    and takes nothing. straighten: somebody straightens the pile. drag: a sleeve drags the top card along. square: the
    pile is squared up. astray: a card is first laid on the draw pile, or beside the discard pile. counting: hands are
    laid open in view when somebody has gone out. reshuffle: the draw pile runs out, the discard pile is shuffled and
    becomes the draw pile. knock: the camera is knocked and stands differently afterwards. focus, exposure: they hunt.
    lamp: light goes off and on. shadow: somebody leans over. stutter: frames are dropped, doubled, late. compression:
    the camera compresses hard. clutter: a drink, a telephone, other cards face up beside the pile.
    """

    nudge: bool = False
    adjust: bool = False
    beside: bool = False
    takeback: bool = False
    exchange: bool = False
    several: bool = False
    touch: bool = False
    straighten: bool = False
    drag: bool = False
    square: bool = False
    astray: bool = False
    counting: bool = False
    reshuffle: bool = False
    knock: bool = False
    focus: bool = False
    exposure: bool = False
    lamp: bool = False
    shadow: bool = False
    stutter: bool = False
    compression: bool = False
    clutter: bool = False

    @classmethod
    def parse(cls, text: str) -> Troubles:
        """Those named in `text`, by comma; `all` and `none` are names, too. ValueError tells which there are."""
        names = [name.strip() for name in text.split(",") if name.strip()]
        if names == ["all"]:
            return cls(**dict.fromkeys(NAMES, True))
        unknown = [name for name in names if name not in NAMES and name != "none"]
        if unknown:
            raise ValueError(f"there is no trouble {unknown[0]}: choose of {', '.join(NAMES)}, all, none")
        return cls(**{name: True for name in names if name != "none"})

    @property
    def names(self) -> tuple[str, ...]:
        """The names of those that happen."""
        return tuple(name for name in NAMES if getattr(self, name))


NAMES: Final = tuple(field.name for field in fields(Troubles))
NONE: Final = Troubles()

OFTEN: Final[dict[str, float]] = {
    "nudge": 0.2,
    "takeback": 0.12,
    "exchange": 0.12,
    "touch": 0.2,
    "straighten": 0.12,
    "drag": 0.12,
    "square": 0.1,
    "astray": 0.15,
}
"""How often each of those that hands bring about follows a play."""


def mishaps(
    rng: np.random.Generator, events: Iterable[Event], settings: MatchSettings, troubles: Troubles
) -> Iterator[Event | Mishap]:
    """The events of a game, with what goes wrong between them."""
    state = new_match(settings)
    for event in events:
        if isinstance(event, Play):
            yield from _mistakes(rng, state, event, troubles)
            yield from _astray(rng, event, troubles)
        yield event
        state = judge(state, event).match
        if isinstance(event, Play) and state.phase == "playing":
            yield from _idle_hands(rng, settings, troubles)


def _mistakes(rng: np.random.Generator, state: MatchState, play: Play, troubles: Troubles) -> Iterator[Event | Mishap]:
    """Another card first, which is taken back or exchanged; an illegal one, or one that its player thinks better of."""
    kinds = [name for name in ("takeback", "exchange") if getattr(troubles, name) and rng.random() < OFTEN[name]]
    if not kinds or state.pending is not None or state.turn != play.seat or state.counts[play.seat - 1] < 4:
        return
    legal = bool(rng.random() < 0.5)
    other = _other(rng, state, play, legal)
    if other is None or state.round is None or state.round.drawn:
        return
    yield Play(play.seat, other)
    if kinds[0] == "takeback":
        yield Mishap("lift", play.seat)
    if legal:
        yield Undo()
    if kinds[0] == "exchange":
        yield Mishap("exchange", play.seat)


def _astray(rng: np.random.Generator, play: Play, troubles: Troubles) -> Iterator[Mishap]:
    """The card goes to the wrong place first."""
    if troubles.astray and play.card is not None and rng.random() < OFTEN["astray"]:
        yield Mishap("misplace" if rng.random() < 0.5 else "mislay", play.seat, play.card)


def _other(rng: np.random.Generator, state: MatchState, play: Play, legal: bool) -> Card | None:
    """A number that is, or is not, legal now and that the deck still has."""
    assert state.round is not None
    allowed = legal_plays(state, play.seat)
    cards = [card for card in FACES if card.rank.is_number and (card in allowed) == legal and card != play.card]
    cards = [card for card in cards if not is_used_up(state.round, card)]
    return cards[int(rng.integers(len(cards)))] if cards else None


def _idle_hands(rng: np.random.Generator, settings: MatchSettings, troubles: Troubles) -> Iterator[Mishap]:
    deeds: tuple[tuple[str, Deed], ...] = (
        ("nudge", "shift"),
        ("touch", "touch"),
        ("straighten", "straighten"),
        ("drag", "drag"),
        ("square", "square"),
    )
    for name, deed in deeds:
        if getattr(troubles, name) and rng.random() < OFTEN[name]:
            yield Mishap(deed, int(rng.integers(1, len(settings.players) + 1)))
