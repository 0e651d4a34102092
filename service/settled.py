"""Cards that hindsight has let go, and what to do when one of them turns out another one after all.

A strange 1 that was taken for a 7 may be known for what it is only when the deck's other cards have come (`vision`'s
acquaintance). By then play has gone on: such a card is put right in the record where that changes nothing else, neither
what was ruled nor where the game stands. What a person said of a card stays.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from referee.cards import Card
from referee.events import Amend, Play, Start
from referee.ledger import Ledger
from referee.rulings import Census, Ruling
from referee.state import MatchState
from service.ways import Item
from vision.changes import CardLaid, CardReread

MEMORY: Final = 200
"""Cards that are remembered."""


@dataclass(frozen=True, slots=True)
class Old:
    """A card that was seen to be laid at `seconds`, and is on `line` of the record."""

    seconds: float
    line: int


class Settled:
    """The cards that hindsight remembers no more."""

    def __init__(self) -> None:
        self._cards: deque[Old] = deque(maxlen=MEMORY)
        self._reread: list[tuple[int, CardReread]] = []

    def keep(self, item: Item) -> None:
        """Hindsight lets go of this."""
        lines = [line for event, line in zip(item.told, item.lines, strict=False) if isinstance(event, (Play, Start))]
        if isinstance(item.came, CardLaid) and lines and not item.sure:
            self._cards.append(Old(item.came.seconds, lines[-1]))

    def said(self, line: int) -> None:
        """A person said which card is on that line."""
        self._cards = deque((old for old in self._cards if old.line != line), MEMORY)

    def reread(self, change: CardReread) -> None:
        """A card turns out another one; it may be one of these."""
        self._reread += [(old.line, change) for old in self._cards if old.seconds == change.laid]

    def amendments(self, ledger: Ledger) -> tuple[Amend, ...]:
        """How to put them right: all of them together, or else those that can be one after the other."""
        found, self._reread = self._reread, []
        each = [
            Amend(line, change.card, confidence=change.confidence)
            for line, change in found
            if _card_on(ledger, line) not in (None, change.card)
        ]
        if each and changes_nothing_else(ledger, each):
            return tuple(each)
        kept = list[Amend]()
        for amendment in each:
            kept += [amendment] if changes_nothing_else(ledger, [*kept, amendment]) else []
        return tuple(kept)


def changes_nothing_else(ledger: Ledger, amendments: Sequence[Amend]) -> bool:
    """Whether with these amendments all is ruled as it was and the game stands where it stood.

    That a card came oftener than the deck has it may be found no longer.
    """
    history = ledger.tried(amendments)
    if _without_cards(history[-1].after) != _without_cards(ledger.state):
        return False
    both = ((set(now.rulings), set(then.rulings)) for now, then in zip(history, ledger.history, strict=True))
    return all(now <= then and _plain(now) == _plain(then) for now, then in both)


def _card_on(ledger: Ledger, line: int) -> Card | None:
    """The card that the record has on a line; None when that counts no more."""
    event = next((judged.event for judged in ledger.history if judged.line == line), None)
    return event.card if isinstance(event, (Play, Start)) else None


def _plain(rulings: Iterable[Ruling]) -> set[Ruling]:
    return {ruling for ruling in rulings if not isinstance(ruling, Census)}


def _without_cards(state: MatchState) -> MatchState:
    """The state without the count of the cards that were seen."""
    return replace(state, round=None if state.round is None else replace(state.round, seen=()))
