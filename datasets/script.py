"""The script of a film: every event of a game with its time, and an arm for every one that can be seen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final, Literal

import numpy as np

from datasets.arms import Gesture
from datasets.troubles import NONE, Mishap, Troubles
from referee.cards import Card
from referee.events import Deal, Draw, Event, Hand, Pass, Play, Reshuffle, Start, Undo

Kind = Literal[
    "lay",
    "take",
    "lift",
    "exchange",
    "shift",
    "drag",
    "straighten",
    "square",
    "touch",
    "reshuffle",
    "bring",
    "open",
    "gather",
]
Spot = Literal["draw", "beside", "free"]
"""Where cards are laid face up that are no play: on the draw pile, beside the discard pile, where there is room."""

WORD_AFTER: Final = (1.0, 1.5)
"""Seconds from what happened on the table to what is said about it."""
ACT_AFTER_WORD: Final = 0.6
"""Seconds from the last word to the next arm that sets out."""
LEAD_IN: Final = 2.0
"""Seconds of an untouched table before the first card, and after the last word."""
THOUGHT: Final = (1.4, 2.2)
"""Seconds that a card lies before its player thinks better of it."""

SHOWN: Final = (4.0, 6.0)
"""Seconds for which a hand lies open, or a card where it should not."""
SHUFFLING: Final = (2.0, 4.0)
"""Seconds for which the discard pile is shuffled before it is put down as the draw pile."""


@dataclass(frozen=True, slots=True)
class Visit:
    """One arm that comes to a pile and goes again; times in seconds since the film began.

    let_go: share of `hold` after which the card is let go, or taken up. cards: how many are taken. adjusts: the card is
    moved once more before the arm leaves. beside: the card comes to lie half beside the pile. shown: cards that are
    laid open at `spot`.
    """

    seat: int
    kind: Kind
    card: Card | None
    start: float
    reach: float
    hold: float
    leave: float
    gesture: Gesture
    let_go: float = 0.6
    cards: int = 1
    adjusts: bool = False
    beside: bool = False
    shown: tuple[Card, ...] = ()
    spot: Spot = "free"

    @property
    def change(self) -> float:
        """When the card is let go, or taken up."""
        return self.start + self.reach + self.let_go * self.hold

    @property
    def adjusted(self) -> float:
        """When the card is moved once more."""
        return self.start + self.reach + 0.8 * self.hold

    @property
    def end(self) -> float:
        """When the arm has left."""
        return self.start + self.reach + self.hold + self.leave

    @property
    def at_draw_pile(self) -> bool:
        """Whether it goes to the draw pile."""
        return self.kind in ("take", "touch", "bring") or (self.spot == "draw" and self.kind in ("open", "gather"))

    def carries(self, now: float, below: Card | None) -> tuple[bool, Card | None]:
        """Whether a card is in the hand, and which (None: its back); `below` is the card that lay on top before."""
        before = now < self.change
        match self.kind:
            case "lay":
                return before, self.card
            case "take" | "reshuffle":
                return not before, None
            case "bring":
                return before, None
            case "open":
                return before, self.shown[0]
            case "gather":
                return not before, self.shown[0]
            case "lift":
                return not before, below
            case "exchange":
                return True, self.card if before else below
        return False, None


@dataclass(frozen=True, slots=True)
class Script:
    """A game with times: what is seen (`visits`), and all that happens, as the record tells it (`events`)."""

    visits: tuple[Visit, ...]
    events: tuple[Event, ...]
    seconds: float
    seats: int


@dataclass(slots=True)
class _Writer:
    """Lays the visits and events of a script out in time. `odd` draws what only troubles need."""

    rng: np.random.Generator
    dealer: int
    troubles: Troubles
    odd: np.random.Generator
    now: float = LEAD_IN
    spoken: float = 0.0
    visits: list[Visit] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    lays: Kind = "lay"
    undo: Undo | None = None
    """One that waits for the hand that exchanges the card."""

    def visit(self, seat: int, kind: Kind, card: Card | None = None, gap: float = 0.0) -> float:
        """An arm comes after `gap` seconds; returns the moment at which the card changes hands."""
        rng = self.rng
        start = max(self.now + gap, self.spoken + ACT_AFTER_WORD)
        gesture: Gesture = "flat" if rng.random() < 0.6 else "pinch"
        visit = Visit(
            seat, kind, card, start, rng.uniform(0.45, 0.7), rng.uniform(0.3, 0.5), rng.uniform(0.4, 0.6), gesture
        )
        return self._add(self._troubled(visit))

    def _troubled(self, visit: Visit) -> Visit:
        if visit.kind not in ("lay", "exchange"):
            return visit
        if self.troubles.adjust and self.odd.random() < 0.3:
            visit = replace(visit, adjusts=True, hold=visit.hold + self.odd.uniform(0.4, 0.7), let_go=0.4)
        if self.troubles.beside and self.odd.random() < 0.2:
            visit = replace(visit, beside=True)
        return visit

    def mishap(self, mishap: Mishap) -> None:
        """A hand does what it should not."""
        if mishap.deed == "exchange":
            self.lays = "exchange"
            return
        deed = mishap.deed
        if deed == "misplace" or deed == "mislay":
            if mishap.card is not None:
                self.show(mishap.seat, (mishap.card,), "draw" if deed == "misplace" else "beside")
            return
        odd, quick = self.odd, mishap.deed == "drag"
        gap = odd.uniform(*THOUGHT) if mishap.deed == "lift" else odd.uniform(0.9, 1.4)
        start = max(self.now + gap, self.spoken + ACT_AFTER_WORD)
        hold = {"straighten": 0.9, "square": 1.1, "drag": 0.1}.get(mishap.deed, 0.35)
        reach, leave = (0.35, 0.35) if quick else (odd.uniform(0.45, 0.7), odd.uniform(0.4, 0.6))
        self._add(Visit(mishap.seat, deed, None, start, reach, hold, leave, "flat"))

    def show(self, seat: int, cards: tuple[Card, ...], spot: Spot = "free") -> float:
        """Cards are laid open and taken up again; returns when they are laid."""
        odd = self.odd
        start = max(self.now + odd.uniform(0.8, 1.3), self.spoken + ACT_AFTER_WORD)
        visit = Visit(seat, "open", None, start, odd.uniform(0.5, 0.7), 0.5, 0.5, "flat", shown=cards, spot=spot)
        laid = self._add(visit)
        self._add(replace(visit, kind="gather", start=self.now + odd.uniform(*SHOWN)))
        return laid

    def _add(self, visit: Visit) -> float:
        self.visits.append(visit)
        self.now = visit.end
        return visit.change

    def add(self, event: Event, seconds: float) -> None:
        """Puts an event into the record, to the tenth of a second."""
        self.events.append(replace(event, seconds=round(seconds, 1)))

    def say(self, event: Event) -> None:
        """Something is said about what just happened."""
        last = self.visits[-1].change if self.visits else 0.0
        self.spoken = max(last, self.spoken) + self.rng.uniform(*WORD_AFTER)
        self.add(event, self.spoken)

    def act(self, event: Event) -> None:
        """One event of the game."""
        pause = self.rng.uniform(0.45, 1.0)
        match event:
            case Deal():
                self.add(event, 0.0)
            case Start(card=card):
                self.add(event, self.visit(self.dealer, "lay", card))
            case Play(seat=seat, card=card):
                self._lay(event, seat, card, pause)
            case Draw(seat=seat, cards=None):
                self.add(event, self.visit(seat, "take", gap=pause))
            case Draw(seat=seat, cards=int(count)):
                self._draw(event, seat, count)
            case Undo() if self.visits[-1].kind == "lift":
                self.add(event, self.visits[-1].change)
            case Undo():
                self.undo = event
            case Reshuffle():
                self._reshuffle(event)
            case Hand(seat=seat, cards=cards) if self.troubles.counting:
                self.add(event, self.show(seat, tuple(card for card in cards if card is not None)))
            case Pass():
                self.add(event, self.now)
            case _:
                self.say(event)

    def _lay(self, event: Play, seat: int, card: Card | None, pause: float) -> None:
        kind, self.lays = self.lays, "lay"
        gap = self.odd.uniform(*THOUGHT) if kind == "exchange" else pause
        at = self.visit(seat, kind, card, gap)
        if self.undo is not None:
            self.add(self.undo, at)
            self.undo = None
        self.add(event, at)

    def _draw(self, event: Draw, seat: int, count: int) -> None:
        if self.troubles.several and count > 1:
            at = self.visit(seat, "take", gap=self.rng.uniform(0.4, 0.8))
            self.visits[-1] = replace(self.visits[-1], cards=count)
            self.add(event, at)
            return
        times = [self.visit(seat, "take", gap=self.rng.uniform(0.1, 0.3)) for _ in range(count)]
        self.add(event, times[0])

    def _reshuffle(self, event: Event) -> None:
        start = max(self.now + 0.8, self.spoken + ACT_AFTER_WORD)
        self.add(event, self._add(Visit(self.dealer, "reshuffle", None, start, 0.6, 1.6, 0.6, "pinch")))
        start = self.now + self.odd.uniform(*SHUFFLING)
        self._add(Visit(self.dealer, "bring", None, start, 0.6, 0.9, 0.5, "pinch"))


def script(
    rng: np.random.Generator,
    events: Iterable[Event | Mishap],
    seats: int,
    dealer: int = 1,
    troubles: Troubles = NONE,
    odd: np.random.Generator | None = None,
) -> Script:
    """The film script of a game. Events that can be seen get an arm; all get their `seconds`."""
    writer = _Writer(rng, dealer, troubles, odd or np.random.default_rng(0))
    for event in events:
        if isinstance(event, Mishap):
            writer.mishap(event)
        else:
            writer.act(event)
    return Script(tuple(writer.visits), tuple(writer.events), max(writer.now, writer.spoken) + LEAD_IN, seats)
