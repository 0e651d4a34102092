"""What is said next: sentences in waiting, pure, with any clock.

Answers go before everything; urgent news (a card that cannot be played, a correction, a lost camera) before the rest;
all else in the order in which it happened. Nothing outdated is said: a newer move makes whose turn it was untrue, a
correction all that it corrects, an answer the answer before it. Who is late says it shorter, and at last only the end.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from service.telling import Priority, Utterance

BACKLOG_SECONDS: Final = 8.0
"""More speech than this in waiting, and older moves are told in short, then no longer."""
FRESH_SECONDS: Final = {Priority.URGENT: 30.0, Priority.TURN: 10.0, Priority.EVENT: 20.0, Priority.CHATTER: 4.0}
"""How long a sentence is worth saying once something newer has happened."""
ANSWER_SECONDS: Final = 6.0
"""How long somebody waits for an answer."""

_AMENDMENTS: Final = ("event.amend", "event.amend_colour")
_OPPOSITES: Final = (
    {"notice.view_lost", "notice.view_back"},
    {"notice.camera_lost", "notice.camera_back"},
    {"notice.no_sound", "notice.sound_back"},
)
"""Reports of which only the last one is true."""


def seconds_of(text: str, rate: int = 175) -> float:
    """About how long a sentence takes at `rate` words a minute."""
    return 0.4 + len(text) * 11.5 / rate


def interrupts(utterance: Utterance) -> bool:
    """Whether a sentence does not wait for the one being spoken: urgent news and answers; a question does."""
    return _rank(utterance) < 2


def _rank(utterance: Utterance) -> int:
    if utterance.about == "answer":
        return 0
    return 1 if utterance.priority is Priority.URGENT and utterance.about != "question" else 2


def passes(utterance: Utterance) -> bool:
    """Whether a sentence is no longer true, or no longer worth it, once something else has happened."""
    return utterance.about in ("turn", "question") or utterance.priority is Priority.CHATTER


@dataclass(frozen=True, slots=True)
class Waiting:
    """A sentence in the queue, since when, and how often it was begun."""

    utterance: Utterance
    since: float
    tries: int = 0


@dataclass
class SpeechQueue:
    """Sentences in the order in which they are to be said; `now` is any clock in seconds."""

    rate: int = 175
    waiting: list[Waiting] = field(default_factory=list)
    newest: int = 0
    """The version of the table after the last moment that is known."""
    missed: bool = False
    """Whether moves were left out: then whose turn it is is said with the card that lies there."""
    _corrected: int = 0
    _amended: int = 0
    _undone: set[int] = field(default_factory=set)

    def put(self, utterances: Iterable[Utterance], now: float, told: Iterable[Utterance] = ()) -> None:
        """Take in the sentences of one moment; `told` are all of them where some are not to be said."""
        batch = [Waiting(utterance, now) for utterance in utterances]
        everything = tuple(told) or tuple(waiting.utterance for waiting in batch)
        topics = {utterance.topic for utterance in everything}
        self.newest = max([self.newest, *(utterance.version for utterance in everything)])
        if "event.undo" in topics:
            self._corrected = self.newest
            self._undone.add(self.newest - 1)
        if topics & set(_AMENDMENTS):
            self._corrected = self._amended = self.newest
            self._undone.clear()
        of_now = {utterance.about for utterance in everything} & {"turn", "question"}
        gone = topics | {other for pair in _OPPOSITES if pair & topics for other in pair}
        self.waiting = [
            old
            for old in self.waiting
            if self.is_true(old.utterance)
            and not (of_now and old.utterance.about in ("turn", "question"))
            and not (old.utterance.about == "notice" and old.utterance.topic in gone)
            and not (old.utterance.about == "answer" and any(topic.startswith("answer.") for topic in topics))
            and self._is_fresh(old, now)
        ]
        self.waiting = sorted(self.waiting + batch, key=lambda waiting: _rank(waiting.utterance))
        self._coalesce()

    def put_back(self, waiting: Waiting, now: float) -> None:
        """Take in a sentence that was begun and not heard to its end, unless it is no longer worth saying."""
        if waiting.utterance.about == "answer" or not self.is_true(waiting.utterance):
            return
        again = replace(waiting, tries=waiting.tries + 1)
        if self._is_fresh(again, now):
            place = sum(1 for other in self.waiting if _rank(other.utterance) < _rank(again.utterance))
            self.waiting.insert(place, again)

    def take(self, now: float) -> Waiting | None:
        """The next sentence that is still worth saying."""
        while self.waiting:
            first = self.waiting.pop(0)
            if not self._is_fresh(first, now):
                self.missed = self.missed or first.utterance.priority is Priority.EVENT
            elif self.missed and first.utterance.late:
                self.missed = False
                return replace(first, utterance=replace(first.utterance, text=first.utterance.late))
            else:
                return first
        return None

    def is_true(self, utterance: Utterance) -> bool:
        """Whether a sentence still holds after the last moment that is known."""
        if utterance.version >= self.newest or utterance.about in ("notice", "answer"):
            return utterance.priority is not Priority.CHATTER or utterance.version >= self.newest
        if utterance.priority is Priority.URGENT and utterance.about != "question":
            return utterance.version >= self._amended and utterance.version not in self._undone
        return not passes(utterance) and utterance.version >= self._corrected

    @property
    def backlog(self) -> float:
        """Seconds of speech in waiting."""
        return sum(seconds_of(waiting.utterance.text, self.rate) for waiting in self.waiting)

    def _is_fresh(self, waiting: Waiting, now: float) -> bool:
        utterance, age = waiting.utterance, now - waiting.since
        if utterance.about == "answer":
            return age <= ANSWER_SECONDS
        lasting = utterance.about in ("turn", "question") or utterance.priority is Priority.URGENT
        if lasting and (utterance.version >= self.newest or utterance.about == "notice"):
            return True  # it holds as long as nothing else happens
        return age <= FRESH_SECONDS[utterance.priority]

    def _coalesce(self) -> None:
        """Who is late says older moves in short, and leaves out the oldest ones."""
        if self.backlog > BACKLOG_SECONDS:
            self.waiting = [self._shortened(waiting) for waiting in self.waiting]
            self.waiting = [waiting for waiting in self.waiting if waiting.utterance.text]
        while self.backlog > BACKLOG_SECONDS:
            old = next((waiting for waiting in self.waiting if self._may_be_left_out(waiting.utterance)), None)
            if old is None:
                return
            self.missed = True
            self.waiting.remove(old)

    def _shortened(self, waiting: Waiting) -> Waiting:
        utterance = waiting.utterance
        if not self._may_be_left_out(utterance) or utterance.about != "event":
            return waiting
        return replace(waiting, utterance=replace(utterance, text=utterance.brief))

    def _may_be_left_out(self, utterance: Utterance) -> bool:
        return utterance.priority > Priority.URGENT and utterance.version < self.newest
