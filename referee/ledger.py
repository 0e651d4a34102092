"""What happened, line by line, judged as it comes; undo and amend judge it again.

The ledger keeps the state before every line that still counts, so an ordinary event and an undo cost the same
however long the match is; an amended line costs the judging of what follows it. It knows line numbers, not texts.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from referee.events import Amend, Draw, Event, Pass, Play, Start, Undo
from referee.judge import judge
from referee.openings import new_match
from referee.options import MatchSettings
from referee.rulings import Ruling, Unexplained
from referee.state import MatchState


@dataclass(frozen=True, slots=True)
class Judged:
    """One line that counts: the event (as amended), the state before and after it, and what was ruled."""

    line: int
    event: Event
    before: MatchState
    after: MatchState
    rulings: tuple[Ruling, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """What adding one event did.

    `corrected` when it was an undo or amend that changed something: then `rulings` are those that hold now and did not
    before, `withdrawn` those that no longer hold, and `taken_back` is the event that was undone or misread.
    """

    line: int
    event: Event
    state: MatchState
    rulings: tuple[Ruling, ...]
    corrected: bool = False
    withdrawn: tuple[Ruling, ...] = ()
    taken_back: Event | None = None


@dataclass(frozen=True, slots=True)
class _Mark:
    """How to take one line back: `place` in the history, and what an amendment had replaced from there on."""

    place: int
    replaced: tuple[Judged, ...] = ()


class Ledger:
    """A match in progress: `add` what happens, read `state` and `history`; lines are numbered from `first_line`."""

    def __init__(self, settings: MatchSettings, first_line: int = 1) -> None:
        self.settings = settings
        self.next_line = first_line
        self._start = new_match(settings)
        self._history: list[Judged] = []
        self._marks: list[_Mark] = []

    @property
    def state(self) -> MatchState:
        """Where the match stands now."""
        return self._history[-1].after if self._history else self._start

    @property
    def history(self) -> tuple[Judged, ...]:
        """All lines that count, in order."""
        return tuple(self._history)

    @property
    def rulings(self) -> tuple[tuple[int, Ruling], ...]:
        """All rulings that hold, in order, each with its line."""
        return tuple((judged.line, ruling) for judged in self._history for ruling in judged.rulings)

    def add(self, event: Event) -> Step:
        """Judges `event` on the next line of the record; never raises for an event of `events`."""
        line = self.next_line
        self.next_line += 1
        if isinstance(event, Undo):
            return self._undo(line, event)
        if isinstance(event, Amend):
            return self._amend(line, event)
        return self._judge(line, event)

    def undos_to(self, count: int) -> int | None:
        """How many undos leave the first `count` of the history as they are; None when undos alone cannot."""
        length, undos = len(self._history), 0
        for mark in reversed(self._marks):
            if length <= count:
                break
            if mark.replaced and mark.place < count:
                return None
            length = length if mark.replaced else mark.place
            undos += 1
        return undos if length == count else None

    def tried(self, amendments: Iterable[Amend]) -> tuple[Judged, ...]:
        """The history as it would be with these amendments; lines that cannot be amended stay as they are."""
        named = {amendment.line: amendment for amendment in amendments}
        first = next((place for place, judged in enumerate(self._history) if judged.line in named), len(self._history))
        tried = self._history[:first]
        for judged in self._history[first:]:
            event = amended(judged.event, named[judged.line]) if judged.line in named else None
            tried.append(_judged(judged.line, event or judged.event, tried[-1].after if tried else self._start))
        return tuple(tried)

    def skip_line(self) -> None:
        """The next line of the record holds no event."""
        self.next_line += 1

    def _judge(self, line: int, event: Event) -> Step:
        judged = _judged(line, event, self.state)
        self._marks.append(_Mark(len(self._history)))
        self._history.append(judged)
        return Step(line, event, judged.after, judged.rulings)

    def _undo(self, line: int, event: Undo) -> Step:
        if not self._marks:
            return Step(line, event, self.state, (Unexplained("undo", None, "nothing_to_undo"),))
        mark = self._marks.pop()
        taken_back = self._history[mark.place].event
        return self._correct(line, event, mark.place, mark.replaced, taken_back)

    def _amend(self, line: int, event: Amend) -> Step:
        place = self._place(event.line)
        misread = None if place is None else self._history[place].event
        reading = None if misread is None else amended(misread, event)
        if place is None or misread is None or reading is None:
            return self._judge(line, event)
        replaced = tuple(self._history[place:])
        self._marks.append(_Mark(place, replaced))
        again = _judged_again(self._history[place].before, replaced, reading)
        return self._correct(line, event, place, again, misread)

    def _correct(self, line: int, event: Event, place: int, now: tuple[Judged, ...], misread: Event) -> Step:
        before = self._history[place:]
        self._history[place:] = now
        return Step(
            line,
            event,
            self.state,
            rulings=tuple(_only_in(now, before)),
            corrected=True,
            withdrawn=tuple(_only_in(before, now)),
            taken_back=misread,
        )

    def _place(self, line: int) -> int | None:
        """Where in the history `line` is, when it still counts."""
        place = bisect_left(self._history, line, key=lambda judged: judged.line)
        return place if place < len(self._history) and self._history[place].line == line else None


def _judged(line: int, event: Event, state: MatchState) -> Judged:
    after, rulings = judge(state, event)
    return Judged(line, event, state, after, rulings)


def _judged_again(state: MatchState, lines: tuple[Judged, ...], reading: Event) -> tuple[Judged, ...]:
    """The same lines, the first of them read as `reading`."""
    again: list[Judged] = []
    for number, old in enumerate(lines):
        again.append(_judged(old.line, old.event if number else reading, state))
        state = again[-1].after
    return tuple(again)


def _only_in(these: tuple[Judged, ...] | list[Judged], those: tuple[Judged, ...] | list[Judged]) -> Iterator[Ruling]:
    known = {judged.line: judged.rulings for judged in those}
    for judged in these:
        yield from (ruling for ruling in judged.rulings if ruling not in known.get(judged.line, ()))


def amended(event: Event, amendment: Amend) -> Event | None:
    """`event` with the card that it really was; None when no card could have been misread there.

    A draw or a pass may have been a play. A colour named with the card stays when the amendment names none.
    """
    card, colour, partner = amendment.card, amendment.colour, amendment.partner
    if isinstance(event, (Play, Start)):
        named = colour or (event.colour if card.is_wild else None)
        with_whom = partner if partner is not None else event.partner
        return replace(event, card=card, colour=named, partner=with_whom, confidence=amendment.confidence)
    if isinstance(event, (Draw, Pass)):
        return Play(event.seat, card, colour, partner, seconds=event.seconds)
    return None
