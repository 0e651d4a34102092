"""How a record is put right: a `Revision`, and what it takes to get from what was told to what is told now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from referee.cards import Card
from referee.events import Amend, Event, Play, Start, Undo
from referee.ledger import Ledger
from referee.state import MatchState
from service.ways import Item


@dataclass(frozen=True, slots=True)
class Misread:
    """A card on `line`, of `seat` (None: the turned one), which `was` taken for another one than it is `now`."""

    line: int
    seat: int | None
    was: Card | None
    now: Card | None


@dataclass(frozen=True, slots=True)
class Revision:
    """How the record is to be put right.

    events: to be applied in this order: amendments, or undos and what happened instead. item: number of the first thing
    told anew, among those that came in. cards: what was taken for another. clear: whether that is clear enough to be
    done unasked. undos: how many of the events are undos of what the record has; none when they are amendments.
    """

    events: tuple[Event, ...]
    item: int
    told: tuple[tuple[Event, ...], ...]
    cards: tuple[Misread, ...]
    clear: bool
    undos: int = 0

    @property
    def amends(self) -> bool:
        """Whether only cards are put right, on the lines that they have."""
        return bool(self.events) and all(isinstance(event, Amend) for event in self.events)

    def timed(self, now: float) -> Revision:
        """The same with seconds and confidences as a record has them; what has no time happens `now`."""
        return replace(self, events=tuple(rounded(event, now) for event in self.events))


def misread_on(amendments: Iterable[Amend], ledger: Ledger) -> tuple[Misread, ...]:
    """What the record has on these lines, and what it is to have."""
    now = {amendment.line: amendment.card for amendment in amendments}
    events = ((judged.line, judged.event) for judged in ledger.history if judged.line in now)
    plays = ((line, event) for line, event in events if isinstance(event, (Play, Start)))
    return tuple(Misread(line, getattr(event, "seat", None), event.card, now[line]) for line, event in plays)


def anew(undos: int, told: Sequence[tuple[Event, ...]]) -> tuple[Event, ...]:
    """So many undos, and then what is told instead."""
    return (*((Undo(),) * undos), *(event for each in told for event in each))


def rounded(event: Event, now: float) -> Event:
    """As a record has it; what has no time happens `now`."""
    sure = None if event.confidence is None else round(event.confidence, 2)
    return replace(event, seconds=now if event.seconds is None else round(event.seconds, 1), confidence=sure)


def named(told: tuple[Event, ...], now: Card | None) -> tuple[Event, ...]:
    """What was told of a card, now that it has a name."""
    if now is None:
        return told
    return tuple(replace(event, card=now) if isinstance(event, (Play, Start)) else event for event in told)


def misread(item: Item, told: tuple[Event, ...]) -> list[Misread]:
    """The cards of a thing that came in which were taken for others."""
    before, now = ([event for event in events if isinstance(event, (Play, Start))] for events in (item.told, told))
    lines = [line for event, line in zip(item.told, item.lines, strict=False) if isinstance(event, (Play, Start))]
    if not before or not now or not lines or before[-1].card == now[-1].card:
        return []
    return [Misread(lines[-1], getattr(now[-1], "seat", None), before[-1].card, now[-1].card)]


def amendments(items: Sequence[Item], told: Sequence[tuple[Event, ...]]) -> tuple[Event, ...] | None:
    """The amendments that make of the items what is `told`; None when more than cards differ."""
    found: list[Event] = []
    for item, events in zip(items, told, strict=True):
        if item.told == events:
            continue
        if len(item.told) != len(events):
            return None
        for event, other, line in zip(item.told, events, item.lines, strict=True):
            if event == other:
                continue
            if not isinstance(event, (Play, Start)) or not isinstance(other, (Play, Start)) or other.card is None:
                return None
            if (type(event), getattr(event, "seat", None)) != (type(other), getattr(other, "seat", None)):
                return None
            found.append(Amend(line, other.card, seconds=other.seconds, confidence=other.confidence))
    return tuple(found)


def undos(items: Sequence[Item], ledger: Ledger) -> int | None:
    """How many undos take back what the items told; None when that cannot be done alone."""
    lines = {line for item in items for line in item.lines}
    place = next((place for place, judged in enumerate(ledger.history) if judged.line in lines), None)
    return 0 if place is None else ledger.undos_to(place)


def state_before(items: Sequence[Item], ledger: Ledger) -> MatchState:
    """Where the record stands once what the items told is taken back."""
    lines = {line for item in items for line in item.lines}
    first = next((judged for judged in ledger.history if judged.line in lines), None)
    return ledger.state if first is None else first.before


def in_time(items: Sequence[Item], told: Sequence[tuple[Event, ...]]) -> Iterator[tuple[Event, ...]]:
    """What is told anew, at the times that the record has for it."""
    seconds: float | None = None
    for item, events in zip(items, told, strict=True):
        seconds = item.told[-1].seconds if item.told else seconds
        changed = events != item.told and seconds is not None
        yield tuple(replace(event, seconds=seconds) for event in events) if changed else events
