"""Answers the referee's questions about a film from its truth, as somebody who sat at the table would."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from referee.cards import Card
from referee.events import Event, Play, Start
from referee.judge import judge, new_match
from referee.options import MatchSettings
from service.films import Question

SETTLING: Final = 3.0
"""Seconds after which a card that was laid has been told of."""


class TrueAnswers:
    """Knows a film's true events. `asked` counts the questions that were answered, `unknown` those that were not."""

    def __init__(self, settings: MatchSettings, truth: Iterable[Event]) -> None:
        self._settings, self._truth = settings, tuple(truth)
        self.asked = self.unknown = 0

    def __call__(self, doubt: Question, event: Event | None, now: float) -> bool | Card | None:
        """Yes, no, or the card that was laid; None when the truth does not say."""
        said = self._turn(doubt, now) if doubt.kind == "turn" else self._card(doubt, event)
        self.asked, self.unknown = self.asked + (said is not None), self.unknown + (said is None)
        return said

    def _turn(self, doubt: Question, now: float) -> bool:
        state = new_match(self._settings)
        for event in self._truth:
            if (event.seconds or 0.0) <= now:
                state = judge(state, event).match
        return state.turn == doubt.seat

    def _card(self, doubt: Question, event: Event | None) -> bool | Card | None:
        """Which card was laid when that event was seen."""
        seen = None if event is None else event.seconds
        if seen is None:
            return None
        laid = [one for one in self._truth if isinstance(one, (Play, Start)) and (one.seconds or 0.0) <= seen]
        if not laid or laid[-1].card is None:
            return None
        if doubt.kind == "again":
            return seen - (laid[-1].seconds or 0.0) < SETTLING and laid[-1].card == doubt.asked
        return laid[-1].card if doubt.asked is None else laid[-1].card == doubt.asked
