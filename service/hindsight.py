"""Looking back: whether what came since is better explained when an earlier card was another one.

The last things that came in are remembered with what the record makes of them. As soon as something comes that fits
badly, they are told anew in every way that is worth a thought (`ways`), a few of the likeliest kept at each step. When
one of them becomes much likelier than the record, the record is to be revised; when it is only likelier, somebody is
to be asked. What a person said stays as it was said: nothing before it is looked at again, but for cards that the deck
shows to be others (`settled`).
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from referee.cards import Card
from referee.events import Play, Start
from referee.ledger import Ledger
from referee.state import MatchState
from service.arms import Known
from service.revisions import Revision, amendments, anew, in_time, misread, misread_on, named, state_before, undos
from service.settled import Settled
from service.ways import STANDARD as USUAL
from service.ways import Item, Odds, Way, as_told, options, unseen_turns
from vision.changes import CardLaid, CardReread


@dataclass(frozen=True, slots=True)
class HindsightSettings:
    """How the past is looked at.

    memory: things that came in that may be told anew. More: mistakes are found that show later, at more work.
    beam: tellings kept at each step. More: rarer combinations are found, at more work.
    odd: how much rarer than the usual something must be for the past to be looked at. Higher: less work, later finds.
    alert: how many things more are then looked at.
    amend: how many times likelier another telling must be for the record to be revised. Lower: mistakes are put right
        sooner, and now and then what was right is spoilt.
    ask: the same for somebody to be asked.
    rival: how many times likelier it must also be than any that leads to another turn or card on top.
    lost: how many cards in a row must be unexplained for the thread to be lost; from the next card on it goes on from
        what is likeliest, however unsure.
    """

    memory: int = 24
    beam: int = 32
    odd: float = 5.0
    alert: int = 6
    amend: float = 30.0
    ask: float = 3.0
    rival: float = 2.0
    lost: int = 3


STANDARD: Final = HindsightSettings()
HOPELESS: Final = 12.0
"""By how much, as a logarithm, a telling may be less likely than the likeliest one to be followed on."""


class Hindsight:
    """The memory of one table. `take_in` all that comes, then ask for the `revision` that it suggests."""

    def __init__(self, seats: int, settings: HindsightSettings = STANDARD, odds: Odds = USUAL) -> None:
        self._seats, self._settings, self._odds = seats, settings, odds
        self._items: deque[Item] = deque()
        self._base: Way | None = None
        self._now: Way | None = None
        self._known = Known(seats)
        self._alert = 0
        self._settled = Settled()
        self._moved = False
        """Whether cards were put right that came before all that is remembered."""
        self._beam: list[Way] | None = None
        """The likeliest ways to tell all that came in, while the past is looked at."""

    def forget(self) -> None:
        """A person put something right: what was before is settled."""
        if self._now is not None:
            self._known = self._now.known
        for item in self._items:
            self._settled.keep(item)
        self._items.clear()
        self._base = self._now = self._beam = None
        self._alert = 0

    def take_in(self, item: Item, before: MatchState | None = None) -> None:
        """Something came in and is in the record now; `before`: the state that the record had, where that is known."""
        if self._base is None or self._now is None:
            if before is None:
                return
            self._base = self._now = Way(before, self._known)
        after = as_told(self._now, item, self._odds)
        if after is None:
            self.forget()
            return
        if self._now.weight - after.weight > math.log(self._settings.odd):
            self._alert = self._settings.alert
        self._alert = max(0, self._alert - 1)
        self._items.append(item)
        self._now = after
        if self._beam is not None:
            self._beam = self._further(self._beam, item) if self._alert else None
        if len(self._items) > self._settings.memory:
            self._let_go()

    def again(self, change: CardLaid, now: Card | None = None) -> bool:
        """The newest card was seen better: what is known of it is replaced. False when it is not remembered.

        now: what the record was made to say of it meanwhile.
        """
        found = (place for place in reversed(range(len(self._items))) if isinstance(self._items[place].came, CardLaid))
        place = next(found, None)
        if place is None:
            return False
        self._better(place, change, now)
        return self._now is not None

    def reread(self, change: CardReread) -> None:
        """A card turns out another one, after further looks or when others came, unless a person said which it is."""
        for place in reversed(range(len(self._items))):
            came = self._items[place].came
            if isinstance(came, CardLaid) and came.seconds == change.laid:
                self._better(place, change)
                return
        self._settled.reread(change)

    def _better(self, place: int, change: CardLaid | CardReread, now: Card | None = None) -> None:
        """What is known of a card among the things that came in is replaced, unless a person said which it is."""
        item = self._items[place]
        if isinstance(item.came, CardLaid) and not item.sure:
            better = replace(item.came, card=change.card, confidence=change.confidence, faces=change.faces)
            self._items[place] = replace(item, came=better, told=named(item.told, now))
            self._now, self._beam = self._retold(self._items), None
            self._alert = max(self._alert, 1)

    def said(self, line: int, card: Card) -> None:
        """A person says which card stands on that line, and the record has it: what came since may be told anew."""
        for place, item in enumerate(self._items):
            if line in item.lines and isinstance(item.came, CardLaid):
                came = replace(item.came, card=card, faces=((card, 1.0),))
                self._items[place] = replace(item, came=came, told=named(item.told, card), sure=True)
                self._now, self._beam = self._retold(self._items), None
                self._alert = self._settings.alert
                return
        self._settled.said(line)
        self.forget()

    def stands(self, line: int) -> None:
        """A person says that the card on that line is what the record has."""
        for item in self._items:
            cards = [event.card for event in item.told if isinstance(event, (Play, Start)) and event.card]
            if line in item.lines and cards:
                self.said(line, cards[-1])
                return
        self._settled.said(line)

    def revision(self, ledger: Ledger) -> Revision | None:
        """What would explain all that came in better than the record does; None when nothing does."""
        if (old := self._of_old(ledger)) is not None:
            return old
        if not self._alert or self._base is None or self._now is None:
            return None
        best = max(self._ways(), key=lambda way: way.weight, default=None)
        return None if best is None else self._compared(best, ledger)

    def _of_old(self, ledger: Ledger) -> Revision | None:
        """Cards put right that came before all that is remembered."""
        if self._moved and self._base is not None:
            self._base, self._moved = replace(self._base, state=state_before(self._items, ledger)), False
            self._now, self._beam = self._retold(self._items), None
        amends = self._settled.amendments(ledger)
        if not amends:
            return None
        self._moved = True
        return Revision(amends, len(self._items), (), misread_on(amends, ledger), clear=True)

    @property
    def known(self) -> Known | None:
        """Where hands came from as the record has it now; None where that is not known."""
        return None if self._now is None else self._now.known

    @property
    def is_lost(self) -> bool:
        """Whether none of the last cards could be explained."""
        return self._lost_for(0)

    def _lost_for(self, cards: int) -> bool:
        """Whether that was so before the last few `cards` came."""
        pairs = zip(self._items, self._now.odd if self._now else (), strict=False)
        odd = [odd for item, odd in pairs if isinstance(item.came, CardLaid)]
        last = odd[: len(odd) - cards][-self._settings.lost :]
        return len(last) == self._settings.lost and all(last)

    @property
    def pile(self) -> Card | None:
        """What the eyes say of the newest card."""
        laid = [item.came for item in self._items if isinstance(item.came, CardLaid)]
        return laid[-1].card if laid else None

    def turn_is(self, seat: int, ledger: Ledger) -> Revision | None:
        """A person says whose turn it is: the likeliest telling that leads there, or turns that nobody saw."""
        ways = [way for way in self._beam or () if way.state.turn == seat]
        best = max(ways, key=lambda way: way.weight, default=None)
        if best is not None and self._now is not None and best.told != self._now.told:
            found = self._revision(best, ledger, clear=True)
            if found is not None:
                return found
        events = unseen_turns(ledger.state, seat, self.pile)
        return Revision(events, len(self._items), (), (), clear=True) if events else None

    def revised(self, revision: Revision, lines: Sequence[int]) -> None:
        """The record was revised; `lines`: those of the revision's events."""
        fresh = iter(lines[revision.undos :])
        for place, told in enumerate(revision.told, start=revision.item):
            item = self._items[place]
            where = item.lines if revision.amends else tuple(next(fresh) for _ in told)
            self._items[place] = replace(item, told=told, lines=where)
        self._now, self._beam = self._retold(self._items), None
        self._alert = 0 if revision.told else self._alert
        if self._now is None:
            self.forget()

    # Within

    def _let_go(self) -> None:
        assert self._base is not None
        first = self._items.popleft()
        self._settled.keep(first)
        base = as_told(self._base, first, self._odds)
        if base is None:
            self.forget()
            return
        self._base = _begun(base, 0)
        self._now = self._retold(self._items)
        if self._beam is not None:
            self._beam = [_begun(way, 1, base.weight) for way in self._beam if way.told[0] == first.told]

    def _retold(self, items: Sequence[Item] | deque[Item]) -> Way | None:
        """The way of the record."""
        way = self._base
        for item in items:
            way = None if way is None else as_told(way, item, self._odds)
        return way

    def _ways(self) -> list[Way]:
        """The likeliest ways to tell all that came in, the record's among them or not."""
        assert self._base is not None
        if self._beam is None:
            self._beam = [self._base]
            for item in self._items:
                self._beam = self._further(self._beam, item)
        return self._beam

    def _further(self, ways: Sequence[Way], item: Item) -> list[Way]:
        """The likeliest ways once `item` came in, too; of those that lead to the same state the likeliest one."""
        found: dict[MatchState, Way] = {}
        for way in ways:
            for after in options(way, item, self._odds):
                other = found.get(after.state)
                if other is None or after.weight > other.weight:
                    found[after.state] = after
        best = sorted(found.values(), key=lambda way: -way.weight)[: self._settings.beam]
        return [way for way in best if way.weight > best[0].weight - HOPELESS]

    def _compared(self, best: Way, ledger: Ledger) -> Revision | None:
        assert self._now is not None
        gain = best.weight - self._now.weight
        if gain < math.log(self._settings.ask) or best.told == self._now.told:
            return None
        clear = gain >= math.log(self._settings.amend) and self._stands_out(best)
        return self._revision(best, ledger, clear or self._lost_for(1))

    def _stands_out(self, best: Way) -> bool:
        """Whether no telling that leads elsewhere is nearly as likely."""
        others = (way.weight for way in self._beam or () if _leads(way) != _leads(best))
        return best.weight - max(others, default=-math.inf) >= math.log(self._settings.rival)

    def _revision(self, best: Way, ledger: Ledger, clear: bool) -> Revision | None:
        """The steps from the record to another way."""
        items, now = list(self._items), self._now
        assert now is not None
        pairs = list(zip(now.told, best.told, strict=True))
        first = next(place for place, (one, other) in enumerate(pairs) if one != other)
        cards = tuple(card for item, (_, told) in zip(items, pairs, strict=True) for card in misread(item, told))
        told = tuple(in_time(items[first:], best.told[first:]))
        amends = amendments(items[first:], told)
        if amends is not None:
            return Revision(amends, first, told, cards, clear)
        for start in range(first, -1, -1):  # an amendment of what was before must be taken back as well
            back, here = undos(items[start:], ledger), self._retold(items[:start])
            if back is not None and here is not None and here.state == state_before(items[start:], ledger):
                told = (*best.told[start:first], *told)
                return Revision(anew(back, told), start, told, cards, clear, back)
        return None


def _leads(way: Way) -> tuple[object, ...]:
    """What comes next on a way."""
    return way.state.turn, way.state.top, way.state.direction


def _begun(way: Way, told: int, less: float | None = None) -> Way:
    """A way without its first `told` things that came in; what it weighed until then is settled."""
    weight = 0.0 if less is None else way.weight - less
    return replace(
        way,
        weight=weight,
        told=way.told[told:] if told else (),
        stack=way.stack if told else (),
        odd=way.odd[told:] if told else (),
    )
