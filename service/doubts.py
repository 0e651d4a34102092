"""What the table is asked when the eyes are not certain: a question, who may answer it how, and what is assumed else.

Play never waits for an answer: the likeliest card stands in the record at once, the question is about its line, and an
answer amends that line, however much was played since. So a late answer never lands on another turn. Any channel may
answer: yes or no, the card itself (amend), or undo. Without an answer what stands is left standing.

Pure: the table tells the time, keeps the record and speaks.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from referee.cards import Card
from referee.events import Amend, Event, Play, Start, Undo
from service.evidence import Belief
from service.revisions import Misread
from vision.changes import CardLaid

Kind = Literal["card", "which", "again", "instead", "turn"]
"""Whether it was this card; which card it was; whether another card of the same face was laid at all; whether it was
another card than what stands, as what followed makes one think; whose turn it is."""

ASKED: Final = 3
"""Cards that are asked about one after the other before it is asked which it was."""

WONDERED: Final = 20
"""Questions about the past that are remembered, so that none is asked twice."""


@dataclass(frozen=True, slots=True)
class DoubtSettings:
    """How the table is asked.

    wait: seconds that an answer is waited for; then what stands is left standing. Longer: more is put right, and the
        question stands in the way of others for longer.
    plausible: belief from which a card is asked about.
    """

    wait: float = 15.0
    plausible: float = 0.05


STANDARD: Final = DoubtSettings()


@dataclass(frozen=True, slots=True)
class Doubt:
    """One open question, about line `line` of the record, where `stands` stands; `cards` are asked about in turn.

    seat: who laid the card, None for the turned one; or whose turn it may be, then `seats`. until: when it lapses,
    seconds of the table's clock.
    """

    kind: Kind
    line: int
    seat: int | None
    stands: Card | None
    cards: tuple[Card, ...]
    until: float
    seats: tuple[int, ...] = ()

    @property
    def asked(self) -> Card | None:
        """The card that is asked about now; None when it is asked which it was."""
        return self.cards[0] if self.cards else None

    def public(self, text: str, now: float) -> dict[str, Any]:
        """As the snapshot shows it; `text` is the question in words."""
        return {
            "kind": self.kind,
            "line": self.line,
            "seat": self.seat,
            "cards": [str(card) for card in self.cards],
            "text": text,
            "seconds": round(max(0.0, self.until - now), 1),
        }


class Doubts:
    """The open question of a table, at most one: a newer one takes the place of an older, which then lapses."""

    def __init__(self, settings: DoubtSettings = STANDARD) -> None:
        self._settings = settings
        self.open: Doubt | None = None
        self._wondered: tuple[Misread, ...] = ()

    def about(self, change: CardLaid, belief: Belief | None, event: Event, line: int, now: float) -> Doubt | None:
        """What to ask about a card that the camera saw laid and that stands in `line` now; None when it is certain."""
        doubt = self._of(change, belief, event, line, now)
        self.open = doubt or self.open
        return doubt

    def wonder(self, misread: Misread, now: float) -> Doubt | None:
        """What to ask about a card that may have been another one; None when that was asked already."""
        if misread.now is None or misread in self._wondered:
            return None
        self._wondered = (*self._wondered, misread)[-WONDERED:]
        until = now + self._settings.wait
        self.open = Doubt("instead", misread.line, misread.seat, misread.was, (misread.now,), until)
        return self.open

    def whose_turn(self, line: int, seats: tuple[int, ...], pile: Card | None, now: float) -> Doubt:
        """The thread is lost: whose turn it is is asked, the likeliest of `seats` first."""
        self.open = Doubt("turn", line, seats[0], pile, (), now + self._settings.wait, seats[1:])
        return self.open

    def noted(self, event: Event, last: bool) -> None:
        """Somebody told the table of `event`: one that settles the question closes it.

        last: whether the line in question was the last that counts before that.
        """
        amended = isinstance(event, Amend) and self.open is not None and event.line == self.open.line
        if amended or (isinstance(event, Undo) and last):
            self.open = None

    def meant(self, event: Event, may_play: tuple[int, ...]) -> Event:
        """`event` as it was meant: a card told for the seat in question, when it cannot be playing, names that card."""
        doubt = self.open
        if doubt is None or not isinstance(event, Play) or event.card is None:
            return event
        if doubt.seat != event.seat or event.seat in may_play:
            return event
        return Amend(doubt.line, event.card, event.colour, event.partner)

    def answer(self, yes: bool, last: bool, now: float) -> Event | None:
        """Somebody says yes or no; what follows for the record, or None. `open` is the next question, if there is one.

        last: whether the line in question is the last that counts, so that it can be taken back.
        """
        doubt, self.open = self.open, None
        if doubt is not None and doubt.kind == "turn":
            if not yes and doubt.seats:
                until = now + self._settings.wait
                self.open = replace(doubt, seat=doubt.seats[0], seats=doubt.seats[1:], stands=None, until=until)
            return None
        if doubt is None or doubt.kind == "which":
            self.open = doubt  # neither says which card it was
            return None
        if doubt.kind == "again":
            return Undo() if not yes and last else None
        if yes:
            return None if doubt.asked == doubt.stands or doubt.asked is None else Amend(doubt.line, doubt.asked)
        if doubt.kind == "instead":
            return None
        rest = doubt.cards[1:]
        self.open = replace(doubt, kind="card" if rest else "which", cards=rest, until=now + self._settings.wait)
        return None

    def lapse(self, now: float) -> Doubt | None:
        """The question that nobody answered in time, now closed."""
        if self.open is None or now < self.open.until:
            return None
        doubt, self.open = self.open, None
        return doubt

    def clear(self) -> None:
        """Nothing is asked any more: another match, another round."""
        self.open = None

    def _of(self, change: CardLaid, belief: Belief | None, event: Event, line: int, now: float) -> Doubt | None:
        if not isinstance(event, (Play, Start)):
            return None
        seat, until = getattr(event, "seat", None), now + self._settings.wait
        if change.card is None or belief is None:
            return Doubt("which", line, seat, None, (), until)
        if change.again:
            return Doubt("again", line, seat, event.card, (belief.card,), until)
        if not belief.is_close:
            return None
        likely = tuple(card for card, share in belief.faces if share >= self._settings.plausible)
        return Doubt("card", line, seat, event.card, likely[:ASKED], until)
