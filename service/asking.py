"""The questions of one table about its cards: `doubts`, with the words for them and the record that they are about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from referee.cards import Card
from referee.events import Amend, Event, Play, Start
from referee.expectations import seats_to_play
from referee.ledger import Step
from service.doubts import STANDARD, Doubt, Doubts, DoubtSettings
from service.match import Match
from service.phrases import Phrases, Priority, Utterance
from service.revising import about_one_card
from service.revisions import Revision
from vision.changes import CardLaid, TableChange

_TURNED: Final[dict[str, str]] = {"card": "turned", "which": "which_turned", "instead": "instead_turned"}
"""Questions about the turned card, which is nobody's."""


def nobody(was: Card, now: Card) -> None:
    """No camera is there to be told."""


class Asking:
    """What is asked now. `corrected` is told of cards that the camera took for others: for which, and what they are."""

    def __init__(self, settings: DoubtSettings = STANDARD) -> None:
        self._doubts = Doubts(settings)
        self.corrected: Callable[[Card, Card], object] = nobody
        self._is_lost = False

    def clear(self) -> None:
        """Another match: nothing is asked."""
        self._doubts.clear()

    def meant(self, event: Event, match: Match, source: str) -> Event:
        """What somebody who answers by naming the card means by it."""
        return event if source == "camera" else self._doubts.meant(event, seats_to_play(match.ledger.state))

    def noted(self, step: Step, match: Match, was_last: bool) -> None:
        """A line was added to the record; a card put right stays right for the camera, too."""
        self._doubts.noted(step.event, was_last)
        misread = step.taken_back
        if isinstance(step.event, Amend) and isinstance(misread, (Play, Start)) and misread.card is not None:
            self._put_right(misread.card, step.event.card, step.event.line, match)

    def seen(self, change: TableChange, match: Match, now: float) -> Doubt | None:
        """The camera saw something, which is applied by now; the question that it leaves."""
        belief = match.onlooker.belief
        if not isinstance(change, CardLaid) or change.late or not match.ledger.history:
            return None
        if belief is not None and belief.card != belief.read:
            self.corrected(belief.read, belief.card)
        newest = match.ledger.history[-1]
        return self._doubts.about(change, belief, newest.event, newest.line, now)

    def wonder(self, revision: Revision, now: float) -> Doubt | None:
        """The question whether a card was the one that hindsight thinks likelier; None when it is not to be asked."""
        misread = about_one_card(revision)
        if misread is None or self._doubts.open is not None:
            return None
        return self._doubts.wonder(misread, now)

    def whose_turn(self, match: Match, now: float) -> Doubt | None:
        """The question whose turn it is, once each time that the thread is lost; None when it is not to be asked."""
        state, lost = match.ledger.state, match.onlooker.hindsight.is_lost
        asks, self._is_lost = lost and not self._is_lost and state.turn is not None, lost
        if not asks or state.turn is None or state.round is None:
            return None
        seats = [state.turn]
        while (following := state.round.next_to(seats[-1])) != seats[0]:
            seats.append(following)
        line = match.ledger.history[-1].line
        return self._doubts.whose_turn(line, tuple(seats), match.onlooker.hindsight.pile, now)

    @property
    def asks_turn(self) -> bool:
        """Whether it is asked whose turn it is."""
        return self.open is not None and self.open.kind == "turn"

    def revised(self, revision: Revision, match: Match) -> None:
        """The record was put right: the camera learns of it, and what is settled is no longer asked."""
        for misread in revision.cards:
            if misread.was is not None and misread.now is not None:
                self._put_right(misread.was, misread.now, misread.line, match)
        doubt = self._doubts.open
        if doubt is not None and (revision.amends or all(judged.line != doubt.line for judged in match.ledger.history)):
            self._doubts.clear()

    def _put_right(self, was: Card, now: Card, line: int, match: Match) -> None:
        """The camera learns which card it was, unless one that it reads the same was laid since: that it would take."""
        since = (judged.event for judged in match.ledger.history if judged.line > line)
        if not any(isinstance(event, (Play, Start)) and event.card == was for event in since):
            self.corrected(was, now)

    def is_last(self, match: Match) -> bool:
        """Whether the line in question is the last that counts."""
        doubt, history = self._doubts.open, match.ledger.history
        return doubt is not None and bool(history) and history[-1].line == doubt.line

    def answer(self, yes: bool, match: Match, now: float) -> tuple[Doubt | None, Event | None]:
        """Somebody says yes or no: the question that this was for, and what follows for the record."""
        asked = self._doubts.open
        event = self._doubts.answer(yes, self.is_last(match), now)
        if asked is not None and asked.kind != "turn" and event is None and yes != (asked.kind == "instead"):
            match.onlooker.hindsight.stands(asked.line)
        return asked, event

    def lapse(self, now: float) -> Doubt | None:
        """The question that nobody answered in time."""
        return self._doubts.lapse(now)

    @property
    def open(self) -> Doubt | None:
        """What is asked now."""
        return self._doubts.open

    def text(self, phrases: Phrases, match: Match | None) -> str:
        """What is asked now, in words; empty when nothing is."""
        doubt = self._doubts.open
        if doubt is None or match is None:
            return ""
        return phrases.sentence(f"doubt.{_key(doubt, match)}", _fields(phrases, doubt, match))

    def public(self, phrases: Phrases, match: Match | None, now: float) -> dict[str, Any] | None:
        """What is asked now, as the snapshot shows it."""
        doubt = self._doubts.open
        return None if doubt is None else doubt.public(self.text(phrases, match), now)

    def question(self, phrases: Phrases, match: Match, version: int) -> Utterance:
        """The question to be spoken."""
        assert self._doubts.open is not None
        return Utterance(self.text(phrases, match), Priority.URGENT, f"doubt.{self._doubts.open.kind}", version)


def left_at(phrases: Phrases, doubt: Doubt, match: Match, version: int) -> tuple[Utterance, ...]:
    """That nobody answered, and what stands; nothing when nobody knows the card."""
    if doubt.stands is None or doubt.kind == "turn":
        return ()
    fields = {"card": phrases.card(doubt.stands)}
    return (Utterance(phrases.sentence("doubt.kept", fields), Priority.EVENT, "doubt.kept", version),)


def _key(doubt: Doubt, match: Match) -> str:
    """The phrase that asks it."""
    if doubt.kind != "turn":
        return doubt.kind if doubt.seat is not None else _TURNED.get(doubt.kind, doubt.kind)
    round = match.ledger.state.round
    if round is None or len(doubt.seats) + 1 < len(round.seats):
        return "turn"
    return "lost" if doubt.stands is not None else "lost_unread"


def _fields(phrases: Phrases, doubt: Doubt, match: Match) -> dict[str, object]:
    card: dict[str, object] = {"card": phrases.card(doubt.asked or doubt.stands)}
    return card if doubt.seat is None else {**card, **phrases.seat_fields(match.ledger.state, doubt.seat)}
