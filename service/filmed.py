"""The table of a film: what was seen and said becomes a record, and questions may be answered as people there would."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from referee.cards import Card
from referee.events import Amend, Event
from referee.notation import line_for
from referee.options import MatchSettings
from referee.record import Record, append, new_record
from referee.state import MatchState
from service.asking import Asking
from service.doubts import Doubt
from service.match import Match
from service.revisions import Revision
from vision.changes import TableChange

Answer = Callable[[Doubt, Event | None, float], bool | Card | None]
"""Answers a question about the event on its line, at a time, seconds: yes, no, the card that it was, or nothing."""

TRIES: Final = 12
"""Answers to one question and those that follow from it."""


class FilmedTable:
    """Takes in what happens, in order. Without `answer` nobody is asked anything."""

    def __init__(self, settings: MatchSettings, answer: Answer | None = None) -> None:
        self._match, self._asking = Match.begun(0, 0, settings, 0.0), Asking()
        self._answer = answer
        self.record: Record = new_record(settings)
        self.asked = 0
        """How many questions were answered."""

    @property
    def state(self) -> MatchState:
        """Where the game stands."""
        return self._match.ledger.state

    def hear(self, event: Event) -> None:
        """Somebody tells of `event`."""
        self._note(event)
        self._look_back(event.seconds or 0.0)

    def see(self, change: TableChange) -> None:
        """The camera saw `change`."""
        events = self._match.onlooker.events(change, self.state)
        for event in events:
            self._note(event)
        if events and self._answer is not None:
            self._asking.seen(change, self._match, change.seconds)
        self._look_back(change.seconds)

    def _note(self, event: Event) -> int:
        before = self._asking.is_last(self._match)
        step = self._match.judge(event, line_for(_rounded(event)), "camera")
        self._asking.noted(step, self._match, before)
        self.record = append(self.record, _rounded(event))
        return step.line

    def _look_back(self, now: float) -> None:
        revision = self._match.revision()
        if revision is not None and revision.clear:
            self._revise(revision)
        elif revision is not None and self._answer is not None:
            self._asking.wonder(revision, now)
        if self._answer is not None:
            self._asking.whose_turn(self._match, now)
            self._answered(self._answer, now)

    def _revise(self, revision: Revision) -> None:
        self._match.onlooker.revised(revision, self._note)
        self._asking.revised(revision, self._match)

    def _answered(self, answer: Answer, now: float) -> None:
        """What is asked is answered, until nothing is asked or nobody knows."""
        for _ in range(TRIES):
            doubt = self._asking.open
            if doubt is None:
                return
            said = answer(doubt, self._on(doubt.line), now)
            self.asked += 1
            if said is None:
                self._asking.clear()
                return
            event = Amend(doubt.line, said) if isinstance(said, Card) else self._reply(doubt, said, now)
            if event is not None:
                self._note(replace(event, seconds=now))
                revision = self._match.revision()
                if revision is not None and revision.clear:
                    self._revise(revision)

    def _reply(self, doubt: Doubt, yes: bool, now: float) -> Event | None:
        _, event = self._asking.answer(yes, self._match, now)
        if doubt.kind == "turn" and yes and doubt.seat is not None:
            hindsight = self._match.onlooker.hindsight
            revision = hindsight.turn_is(doubt.seat, self._match.ledger)
            if revision is not None:
                self._revise(revision)
            hindsight.forget()
        return event

    def _on(self, line: int) -> Event | None:
        return next((judged.event for judged in self._match.ledger.history if judged.line == line), None)


def _rounded(event: Event) -> Event:
    """As people write it: tenths of a second, hundredths of a confidence."""
    seconds = None if event.seconds is None else round(event.seconds, 1)
    confidence = None if event.confidence is None else round(event.confidence, 2)
    return replace(event, seconds=seconds, confidence=confidence)
