"""One table: events in, judge, store, fan out. The only holder of a match; safe to use from any thread.

Whatever happens goes through `apply`: it is written to the store, judged, and only then told to the voice and to those
who subscribed, all from one and the same moment. `version` rises by one with each event, over all matches of the store;
whoever acts can say what it was looking at, and an action that comes too late is refused with the state that holds.

    TableError
    ├── Conflict        the table has moved on since; `snapshot` says where it stands
    ├── NoMatch         no match has been begun
    └── NotStored       the disk refused; the event does not count
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol

from referee import events as ev
from referee.header import header_lines
from referee.ledger import Judged, Ledger
from referee.notation import line_for
from referee.options import MatchSettings
from referee.record import RecordError, parse
from referee.record import ledger as judged_record
from referee.rulings import Ruling
from referee.state import MatchState
from service.onlooker import Onlooker
from service.phrases import Moment, Phrases, Priority, Query, Utterance
from service.snapshot import Caption, Sight, Snapshot, snapshot
from service.store import Store, StoreError
from service.subscription import Subscription, Update
from vision.changes import CardLaid, CardsDrawn, TableChange, ViewBack, ViewLost

log = logging.getLogger(__name__)

CAPTIONS: Final = 12
"""Sentences that a snapshot carries, for displays that come late."""
KEPT: Final = 128
"""Updates kept for those who come back with the last version that they saw."""


class TableError(Exception):
    """The table cannot do that; the message is one sentence."""


class Conflict(TableError):  # noqa: N818 - an answer, not a fault
    """The table has moved on since; `snapshot` is the state now."""

    def __init__(self, state: Snapshot) -> None:
        super().__init__("The table has moved on since.")
        self.snapshot = state


class NoMatch(TableError):  # noqa: N818 - an answer, not a fault
    """No match has been begun."""

    def __init__(self) -> None:
        super().__init__("No match has been begun.")


class NotStored(TableError):  # noqa: N818 - an answer, not a fault
    """The event could not be stored, so it does not count."""


@dataclass(frozen=True, slots=True)
class Applied:
    """An event that counts: the version that it made, what was ruled, the match after it, its line of the record.

    `repeated` when the same request had been applied before; then nothing happened now.
    """

    version: int
    rulings: tuple[Ruling, ...]
    state: MatchState
    repeated: bool = False
    line: str = ""


class Speaking(Protocol):
    """What a table needs of a voice."""

    def say(self, utterances: Sequence[Utterance], /) -> None:
        """Say these, without waiting."""

    def listen(self, listener: Callable[[str | None], None], /) -> None:
        """Call `listener` with a reason when sound goes, with None when it comes back."""


@dataclass
class _Match:
    """The match in play."""

    id: int
    ledger: Ledger
    onlooker: Onlooker
    keys: dict[str, Applied]
    lines: list[str]
    began: float
    """The table's clock at the start of the record."""


class Table:
    """One table. `Table.open` goes on with the match in the store; `new_match` begins one."""

    def __init__(
        self,
        store: Store,
        phrases: Phrases,
        voice: Speaking | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store, self.phrases, self._voice, self._clock = store, phrases, voice, clock
        self._lock = threading.RLock()
        self._version = store.version
        self._match: _Match | None = None
        self._captions: deque[Caption] = deque(maxlen=CAPTIONS)
        self._spoken = 0
        self._last: tuple[tuple[int, Ruling], ...] = ()
        self._sight = Sight()
        self._sound: str | None = None
        self._updates: deque[Update] = deque(maxlen=KEPT)
        self._subscriptions: list[Subscription] = []
        self._laid_by_word = self._drawn_by_word = float("-inf")
        """When somebody told the table of a card laid or drawn: what the camera saw before that is the same card."""

    @classmethod
    def open(
        cls,
        store: Store,
        phrases: Phrases,
        voice: Speaking | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> Table:
        """The table of a store, its newest match going on where it was unless that is over. Raises StoreError."""
        table = cls(store, phrases, voice, clock)
        table._resume()
        if voice is not None:
            voice.listen(table._sound_changed)
        return table

    # Asking

    @property
    def version(self) -> int:
        """Rises by one with each event and each new match."""
        return self._version

    @property
    def match(self) -> int | None:
        """The number of the match in play, as the store has it."""
        with self._lock:
            return self._match.id if self._match else None

    @property
    def state(self) -> MatchState | None:
        """Where the match stands; None while none was begun."""
        with self._lock:
            return self._match.ledger.state if self._match else None

    def record(self) -> str:
        """The record of the match in play, as text; empty while none was begun."""
        with self._lock:
            return "".join(f"{line}\n" for line in self._match.lines) if self._match else ""

    def history(self) -> tuple[Judged, ...]:
        """The events that count, in order: what was undone is gone, what was amended is as it really was."""
        with self._lock:
            return self._match.ledger.history if self._match else ()

    def snapshot(self) -> Snapshot:
        """The whole public state as JSON: `referee.public` with version, players, captions and what may be done now."""
        with self._lock:
            return snapshot(
                self.phrases,
                self._match.ledger.state if self._match else None,
                version=self._version,
                match=self._match.id if self._match else None,
                rulings=self._last,
                captions=self._captions,
                sight=self._sight,
                sound=self._sound,
            )

    def answer(self, query: Query) -> str:
        """The answer to a question that anybody may ask at any moment; it is spoken and shown, too."""
        with self._lock:
            if self._match is None:
                raise NoMatch
            text = self.phrases.answer(query, self._match.ledger.state)
            self._tell([Utterance(text, Priority.URGENT, f"answer.{query}", self._version)])
            return text

    # Telling

    def new_match(self, settings: MatchSettings, *, expected_version: int | None = None) -> int:
        """Begin a match; the one in play stays stored as it is. Returns its number; raises Conflict and NotStored."""
        with self._lock:
            if expected_version is not None and expected_version != self._version:
                raise Conflict(self.snapshot())
            lines = header_lines(settings)
            try:
                number = self._store.create_match(lines)
            except StoreError as error:
                raise NotStored(str(error)) from error
            self._version += 1
            ledger = Ledger(settings, len(lines) + 1)
            self._match = _Match(number, ledger, Onlooker(len(settings.players)), {}, list(lines), self._clock())
            self._last = ()
            self._laid_by_word = self._drawn_by_word = float("-inf")
            self._tell([self.phrases.begun(settings, self._version)], kind="state")
            return number

    def apply(
        self,
        event: ev.Event,
        *,
        expected_version: int | None = None,
        key: str | None = None,
        source: str = "host",
    ) -> Applied:
        """Let `event` happen: judged, stored, then told to everybody.

        `expected_version` is what the sender was looking at: Conflict when that is not what holds. `key` names the
        request: one that was applied already is answered as before and applied no second time. The time of the event
        is the table's own, seconds since the match began. Raises NotStored when the disk refuses.
        """
        with self._lock:
            match = self._match
            if match is None:
                raise NoMatch
            if key is not None and key in match.keys:
                return replace(match.keys[key], repeated=True)
            if expected_version is not None and expected_version != self._version:
                raise Conflict(self.snapshot())
            sure = None if event.confidence is None else round(event.confidence, 2)
            event = replace(event, seconds=round(max(0.0, self._clock() - match.began), 1), confidence=sure)
            line = line_for(event)
            self._store_line(match, line, key, source)
            applied, utterances = self._judge(match, event, line)
            if key is not None:
                match.keys[key] = applied
            self._note_words(event, source)
            told = {"line": line, "source": source, "sentences": [utterance.text for utterance in utterances]}
            self._tell(utterances, told, "event")
            return applied

    def see(self, change: TableChange) -> tuple[Applied, ...]:
        """Take in what the camera saw; the events that it meant, which may be none.

        A card whose hand came before somebody told the table of a card is that card: it never lands on the next turn.
        """
        with self._lock:
            if isinstance(change, (ViewLost, ViewBack)):
                self._view(change)
                return ()
            if self._match is None or self._is_late(change):
                return ()
            found = self._match.onlooker.events(change, self._match.ledger.state)
            return tuple(self.apply(event, source="camera") for event in found)

    def notice(self, key: str, /, priority: Priority = Priority.URGENT, **fields: object) -> None:
        """Report something that is no move of the game, such as `camera_lost`; it is spoken and shown, not stored."""
        with self._lock:
            self._tell([self.phrases.notice(key, priority, **fields)], {"notice": key, **fields}, "notice")

    # Listening

    def subscribe(self, after: int | None = None) -> Subscription:
        """A stream of updates for the asyncio loop that is running.

        Its first ones are the events since version `after`, if they are still known, and the whole state; nothing that
        happens after this call is missing or doubled.
        """
        with self._lock:
            first = [*(self.since(after) if after is not None else ()), self._state_update()]
            subscription = Subscription(first, self._state_update, self._unsubscribe)
            self._subscriptions.append(subscription)
            return subscription

    def since(self, version: int) -> tuple[Update, ...]:
        """The events after `version`, when all of them are still known; else none, and the state must do."""
        with self._lock:
            missed = tuple(update for update in self._updates if update["version"] > version)
            complete = bool(missed) and missed[0]["version"] == version + 1
            return missed if complete else ()

    def _unsubscribe(self, subscription: Subscription) -> None:
        with self._lock:
            if subscription in self._subscriptions:
                self._subscriptions.remove(subscription)

    # Within

    def _resume(self) -> None:
        stored = self._store.matches()
        if not stored:
            return
        number = stored[-1].id
        try:
            lines = self._store.lines(number)
            record = parse(self._store.load(number).rstrip("\n"), f"match {number}")
        except (StoreError, RecordError) as error:
            self.notice("match_unreadable", reason=str(error))
            return
        ledger = judged_record(record)
        if ledger.state.winner is not None:
            return
        onlooker = Onlooker(len(record.settings.players))
        for event in filter(None, record.events):
            onlooker.noted(event)
        last = max((event.seconds or 0.0 for event in record.events if event), default=0.0)
        began = self._clock() - last
        self._match = _Match(number, ledger, onlooker, {}, list(record.lines), began)
        for line in (stored for stored in lines if stored.key is not None):
            self._match.keys[str(line.key)] = Applied(line.version, (), ledger.state, line=line.line)
        self._last = ledger.rulings[-1:]

    def _store_line(self, match: _Match, line: str, key: str | None, source: str) -> None:
        try:
            self._store.append(match.id, self._version + 1, line, key, source)
        except StoreError as error:
            log.error("an event was not stored: %s", error)
            self.notice("not_stored", reason=str(error))
            raise NotStored(str(error)) from error

    def _judge(self, match: _Match, event: ev.Event, line: str) -> tuple[Applied, tuple[Utterance, ...]]:
        before = match.ledger.state
        step = match.ledger.add(event)
        match.lines.append(line)
        match.onlooker.noted(event)
        self._version += 1
        self._last = tuple((step.line, ruling) for ruling in step.rulings)
        moment = Moment(event, step.rulings, before, step.state, self._version, step.corrected)
        return Applied(self._version, step.rulings, step.state, line=line), self._sentences(moment)

    def _sentences(self, moment: Moment) -> tuple[Utterance, ...]:
        """What is said; the event counts already, so a fault in the phrases must not undo it for those who listen."""
        try:
            return self.phrases.say(moment)
        except Exception:
            log.exception("no words for %r", moment.event)
            return ()

    def _note_words(self, event: ev.Event, source: str) -> None:
        if source == "camera":
            return
        if isinstance(event, (ev.Play, ev.Start, ev.Pass)):
            self._laid_by_word = self._clock()
        if isinstance(event, (ev.Draw, ev.Pass)):
            self._drawn_by_word = self._clock()

    def _is_late(self, change: TableChange) -> bool:
        if not isinstance(change, (CardLaid, CardsDrawn)):
            return False
        came = self._clock() - max(0.0, change.seconds - change.since)
        late = came < (self._laid_by_word if isinstance(change, CardLaid) else self._drawn_by_word)
        if late and isinstance(change, CardLaid) and change.card != self._top():
            self.notice("late")
        return late

    def _top(self) -> Any:
        return self._match.ledger.state.top if self._match else None

    def _view(self, change: ViewLost | ViewBack) -> None:
        if isinstance(change, ViewLost):
            self._sight = Sight(False, change.reason)
            self.notice("view_lost", reason=change.reason)
        elif not self._sight.works:
            self._sight = Sight()
            self.notice("view_back")

    def _sound_changed(self, reason: str | None) -> None:
        with self._lock:
            self._sound = reason
            self.notice("sound_back") if reason is None else self.notice("no_sound", reason=reason)

    def _tell(self, utterances: Sequence[Utterance], data: dict[str, Any] | None = None, kind: str = "notice") -> None:
        """Show, stream and speak what is to be said; displays get the words even where there is no voice."""
        for utterance in utterances:
            self._spoken += 1
            self._captions.append(Caption(self._spoken, utterance.text, utterance.topic))
        self._fan_out(kind, data or {})
        if self._voice is not None:
            self._voice.say(utterances)

    def _fan_out(self, kind: str, data: dict[str, Any]) -> None:
        update = Update(version=self._version, kind=kind, data={**data, "state": self.snapshot()})
        if kind != "notice":
            self._updates.append(update)
        for subscription in self._subscriptions:
            subscription.put(update)

    def _state_update(self) -> Update:
        return Update(version=self._version, kind="state", data={"state": self.snapshot()})
