"""What a listener missed, told again from the store: the same lines judged again give the same states and sentences."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from typing import Any

from referee import events as ev
from referee.ledger import Ledger
from referee.notation import event_of
from referee.record import RecordError, parse
from referee.rulings import Ruling
from referee.state import MatchState
from service.fanout import KEPT, Fanout
from service.match import Match
from service.phrases import Moment, Phrases
from service.store import Store, StoreError
from service.subscription import Update

log = logging.getLogger(__name__)

Show = Callable[[MatchState, int, tuple[tuple[int, Ruling], ...], ev.Event], dict[str, Any]]
"""Makes the snapshot of a state, its version, the rulings with their lines, and the event that led to it."""


def retold(store: Store, match: int, phrases: Phrases, after: int, until: int, show: Show) -> Iterator[Update]:
    """The updates of one match after version `after`, up to `until`. Raises StoreError, RecordError."""
    header = store.header(match)
    ledger = Ledger(parse(header.rstrip("\n"), f"match {match}").settings, header.count("\n") + 1)
    for stored in store.lines(match):
        event = event_of(stored.line)
        if event is None or stored.version > until:
            return
        before = ledger.state
        step = ledger.add(event)
        if stored.version > after:
            moment = Moment(event, step.rulings, before, step.state, stored.version, step.corrected)
            sentences = [utterance.text for utterance in phrases.say(moment)]
            state = show(step.state, stored.version, tuple((step.line, ruling) for ruling in step.rulings), event)
            data = {"line": stored.line, "source": stored.source, "sentences": sentences, "state": state}
            yield Update.of(stored.version, "event", data)


class Latecomers:
    """Tells those who come back what they missed, from memory or else from the store; one of them at a time.

    now: the match in play and its phrases. lock: that of the table.
    """

    def __init__(
        self,
        store: Store,
        fanout: Fanout,
        lock: threading.RLock,
        now: Callable[[], tuple[Match | None, Phrases]],
        show: Show,
    ) -> None:
        self._store, self._fanout, self._lock, self._now, self._show = store, fanout, lock, now, show
        self._one_at_a_time = threading.Lock()

    def missed(self, after: int, until: int) -> tuple[Update, ...]:
        """The events after `after` up to version `until`; see `Table.missed`."""
        with self._one_at_a_time:
            with self._lock:
                known, (match, phrases) = self._fanout.since(after), self._now()
            if not known and match is not None and match.version <= after and until - after <= KEPT:
                known = self._from_store(match, phrases, max(match.version, until - KEPT), until)
            return tuple(update for update in known if after < update.version <= until)

    def _from_store(self, match: Match, phrases: Phrases, after: int, until: int) -> tuple[Update, ...]:
        try:
            updates = tuple(retold(self._store, match.id, phrases, after, until, self._shown))
        except (StoreError, RecordError) as error:
            log.warning("what a listener missed cannot be told again: %s", error)
            return ()
        with self._lock:
            self._fanout.before(updates)
        return updates

    def _shown(
        self, state: MatchState, version: int, rulings: tuple[tuple[int, Ruling], ...], event: ev.Event
    ) -> dict[str, Any]:
        with self._lock:
            return self._show(state, version, rulings, event)
