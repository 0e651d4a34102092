"""What a listener missed, told again from the store: the same lines judged again give the same states and sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from referee import events as ev
from referee.ledger import Ledger
from referee.notation import event_of
from referee.record import parse
from referee.rulings import Ruling
from referee.state import MatchState
from service.phrases import Moment, Phrases
from service.store import Store
from service.subscription import Update

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
