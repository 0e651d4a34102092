"""One table: events in, judge, store, fan out. The only holder of a match; safe to use from any thread.

Whatever happens goes through `apply`: it is written to the store, judged, and only then told to the voice and to those
who subscribed, all from one and the same moment. `version` rises by one with each event, over all matches of the store;
whoever acts can say what it was looking at, and an action that comes too late is refused with the state that holds.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from referee import events as ev
from referee.header import header_lines
from referee.notation import line_for
from referee.options import MatchSettings
from referee.record import RecordError
from referee.rulings import Ruling
from referee.state import MatchState
from service.answers import REMEMBERED, Memory
from service.asking import Asking, left_at
from service.captions import Captions
from service.doubts import Doubt
from service.fanout import Fanout
from service.match import OUT_OF_STEP, Applied, Conflict, Match, NoMatch, NotStored, TableError
from service.phrases import Moment, Phrases, Priority, Query, Utterance
from service.retold import Latecomers
from service.revising import put_right
from service.revisions import Revision
from service.senses import Senses, Speaking
from service.snapshot import Snapshot, snapshot
from service.standing import Standing
from service.store import Store, StoreError
from service.subscription import Kind, Subscription, Update
from vision.changes import CardLaid, TableChange, ViewBack, ViewLost

__all__ = ["Applied", "Conflict", "NoMatch", "NotStored", "Speaking", "Table", "TableError"]

log = logging.getLogger(__name__)

AFTER_A_SILENCE: Final = ("sound_back", "resumed")
"""Notices behind which it is told where the match stands."""


class Table(Standing):
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
        self._match: Match | None = None
        self._captions = Captions()
        self._last: tuple[tuple[int, Ruling], ...] = ()
        self.senses = Senses()
        self.asking = Asking()
        self._fanout = Fanout(self._state_update, self._unsubscribe)
        self._latecomers = Latecomers(store, self._fanout, self._lock, lambda: (self._match, self.phrases), self._shown)

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

    def snapshot(self) -> Snapshot:
        """The whole public state as JSON: `referee.public` with version, players, captions and what may be done now."""
        with self._lock:
            match = self._match
            state, last = (match.ledger.state, match.last) if match else (None, None)
            return self._shown(state, self._version, self._last, last)

    def answer(self, query: Query, *, aloud: bool = True) -> str:
        """The answer to a question that anybody may ask at any moment; `aloud` it is spoken and shown, too."""
        with self._lock:
            if self._match is None:
                raise NoMatch
            text = self._answer(query, self._match)
            if aloud:
                self._tell([Utterance(text, Priority.URGENT, f"answer.{query}", self._version)])
            return text

    # Telling

    def new_match(self, settings: MatchSettings, *, expected_version: int | None = None, key: str | None = None) -> int:
        """Begin a match; the one in play stays stored as it is. Returns its number; raises Conflict and NotStored."""
        with self._lock:
            if expected_version is not None and expected_version != self._version:
                raise Conflict(self.snapshot())
            try:
                number = self._store.create_match(header_lines(settings), key)
            except StoreError as error:
                log.error("a match was not stored: %s", error)
                raise NotStored(error.sentence) from error
            self._version += 1
            self._match = Match.begun(number, self._version, settings, self._clock())
            self._last = ()
            self.asking.clear()
            self._tell(self.phrases.taken_up(self._match.ledger.state, self._version), kind="state")
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
                return self._told_before(key, match)
            if self.asking.asks_turn and source != "camera" and isinstance(event, (ev.Play, ev.Draw)):
                self.turn_is(event.seat)
            event = self.asking.meant(event, match, source)
            sure = None if event.confidence is None else round(event.confidence, 2)
            event = replace(event, seconds=round(match.seconds(self._clock()), 1), confidence=sure)
            line = line_for(event) + match.mark(source)
            self._store_line(match, line, key, source)
            applied, utterances = self._judge(match, event, line, source)
            if key is not None:
                match.keys[key] = applied
            match.note_words(event, source, self._clock())
            told = {"line": line, "source": source, "sentences": [utterance.text for utterance in utterances]}
            self._tell(utterances, told, "event")
            if isinstance(event, ev.Amend) and source != "camera":
                self._look_back(match)
            return applied

    def see(self, change: TableChange) -> tuple[Applied, ...]:
        """Take in what the camera saw; the events that it meant, which may be none.

        A card whose hand came before somebody told the table of a card is that card: it never lands on the next turn.
        """
        with self._lock:
            if isinstance(change, (ViewLost, ViewBack)):
                self._view(change)
                return ()
            if self._match is None:
                return ()
            if self._match.is_late(change, self._clock()):
                if isinstance(change, CardLaid) and change.card != self._match.ledger.state.top:
                    self.notice("late")
                return ()
            found = self._match.onlooker.events(change, self._match.ledger.state)
            applied = tuple(self.apply(event, source="camera") for event in found)
            if applied and self.asking.seen(change, self._match, self._clock()) is not None:
                self._ask(self._match)
            self._look_back(self._match)
            return applied

    def reply(self, yes: bool, *, source: str = "host") -> Doubt | None:
        """Somebody answers the question about a card; the question, or None when there is none."""
        with self._lock:
            if self._match is None:
                return None
            doubt, event = self.asking.answer(yes, self._match, self._clock())
            if doubt is not None and doubt.kind == "turn" and yes:
                self.turn_is(doubt.seat or 0)
            elif event is not None:
                self.apply(event, source=source)
            elif doubt is not None and self.asking.open not in (None, doubt):
                self._ask(self._match)
            elif doubt is not None:
                self._fan_out("notice", {})
            return doubt

    def turn_is(self, seat: int) -> None:
        """Somebody says whose turn it is, after the thread was lost: the record is brought there."""
        with self._lock:
            match = self._match
            if match is None:
                return
            self.asking.clear()
            if (revision := match.onlooker.hindsight.turn_is(seat, match.ledger)) is not None:
                self._revise(revision, match, OUT_OF_STEP)
            else:
                self._tell(self.phrases.standing(match.ledger.state, self._version), {})
            match.onlooker.hindsight.forget()

    def tick(self) -> None:
        """Time goes on: a question that nobody answered lapses."""
        if self.asking.open is None:
            return
        with self._lock:
            doubt = self.asking.lapse(self._clock())
            if doubt is not None and self._match is not None:
                self._tell(left_at(self.phrases, doubt, self._match, self._version))

    def notice(self, key: str, /, priority: Priority = Priority.URGENT, **fields: object) -> None:
        """Report something that is no move of the game, such as `camera_lost`; it is spoken and shown, not stored."""
        with self._lock:
            told = [self.phrases.notice(key, priority, **fields)]
            if key in AFTER_A_SILENCE and self._match is not None:
                told += self.phrases.standing(self._match.ledger.state, self._version)
            self._tell(told, {"notice": key, **fields}, "notice")

    def say(self, text: str, topic: str, priority: Priority = Priority.URGENT) -> None:
        """Speak and show a sentence that is no event; it is not stored."""
        with self._lock:
            self._tell([Utterance(text, priority, topic, self._version)])

    def view_over(self, *, told: bool = True) -> None:
        """The film is over. `told`: also spoken and shown as news."""
        with self._lock:
            self.senses.over()
            self.notice("video_over") if told else self.show_anew()

    def show_anew(self) -> None:
        """Whoever looks gets the state once more, in the language that holds now."""
        with self._lock:
            self._fan_out("notice", {})

    # Listening

    def subscribe(self, after: int | None = None) -> Subscription:
        """A stream of updates for the asyncio loop that is running.

        Its first ones are the events since version `after` and the whole state; nothing that happens after this call is
        missing or doubled. What is no longer in memory is the subscription's `gap`, for `missed` to tell.
        """
        with self._lock:
            return self._fanout.subscribe(after, self._version)

    def missed(self, after: int, until: int) -> tuple[Update, ...]:
        """The events after `after` up to version `until`, from the store where memory has them no longer.

        None when they are more than a listener should get, or of an earlier match: then the state must do.
        """
        return self._latecomers.missed(after, until)

    @property
    def listeners(self) -> int:
        """How many listen to the stream now."""
        with self._lock:
            return self._fanout.listeners

    def _unsubscribe(self, subscription: Subscription) -> None:
        with self._lock:
            self._fanout.leave(subscription)

    # Within

    def _answer(self, query: Query, match: Match) -> str:
        memory = Memory(self._captions.of_the_last_event(), self._happened(match), self._clock() - match.began)
        return self.phrases.answer(query, match.ledger.state, memory)

    def _happened(self, match: Match) -> tuple[str, ...]:
        """The last events in words, the oldest first."""
        last = match.ledger.history[-REMEMBERED:]
        moments = [Moment(one.event, one.rulings, one.before, one.after) for one in last]
        return tuple(text for moment in moments if (text := self.phrases.recalled(self._sentences(moment))))

    def _resume(self) -> None:
        try:
            self._match = Match.newest(self._store, self._clock())
        except (StoreError, RecordError) as error:
            log.error("the last match cannot be read: %s", error)
            self.notice("match_unreadable")
        if self._match is not None:
            self._last = self._match.ledger.rulings[-1:]

    def _shown(
        self, state: MatchState | None, version: int, rulings: tuple[tuple[int, Ruling], ...], last: ev.Event | None
    ) -> Snapshot:
        return snapshot(
            self.phrases,
            state,
            version=version,
            match=self._match.id if self._match else None,
            rulings=rulings,
            last=last,
            captions=self._captions,
            sight=self.senses.sight(self.phrases),
            sound=self.senses.unheard,
            doubt=self.asking.public(self.phrases, self._match, self._clock()),
        )

    def _told_before(self, key: str | None, match: Match) -> Applied:
        """The answer to a request of an earlier match that is delivered once more; Conflict for every other one."""
        stored = self._store.told_with(key) if key is not None else None
        if stored is None:
            raise Conflict(self.snapshot())
        return Applied(stored.version, (), match.ledger.state, repeated=True, line=stored.line)

    def _ask(self, match: Match) -> None:
        self._tell([self.asking.question(self.phrases, match, self._version)])

    def _look_back(self, match: Match) -> None:
        """Put the record right where what came since clearly says so; ask where it only seems so."""
        revision = match.revision()
        if revision is not None and revision.clear:
            self._revise(revision, match, match.mark())
        elif revision is not None and self.asking.wonder(revision, self._clock()) is not None:
            self._ask(match)
        if self.asking.whose_turn(match, self._clock()) is not None:
            self._ask(match)

    def _revise(self, revision: Revision, match: Match, mark: str = "") -> None:
        """All of a revision is stored at once, its lines marked, and told in one correction."""
        before, history = match.ledger.state, match.ledger.history
        revision = revision.timed(round(match.seconds(self._clock()), 1))
        self._store_line(match, [line_for(event) + mark for event in revision.events], None, "camera")

        def apply(event: ev.Event) -> int:
            line = line_for(event) + mark
            step = match.judge(event, line, "camera")
            self._version += 1
            if self._version < last:
                self._fan_out("event", {"line": line, "source": "camera", "sentences": []})
            return step.line

        last = self._version + len(revision.events)
        match.onlooker.revised(revision, apply)
        self.asking.revised(revision, match)
        utterances = self._sentences(put_right(revision, self.phrases, before, history, match.ledger, last))
        told = {"line": match.lines[-1], "source": "camera", "sentences": [utterance.text for utterance in utterances]}
        self._tell(utterances, told, "event")

    def _store_line(self, match: Match, line: str | Sequence[str], key: str | None, source: str) -> None:
        try:
            self._store.append(match.id, self._version + 1, line, key, source)
        except StoreError as error:
            log.error("an event was not stored: %s", error)
            self.notice("not_stored", reason=error.told)
            raise NotStored(error.sentence) from error

    def _judge(self, match: Match, event: ev.Event, line: str, source: str) -> tuple[Applied, tuple[Utterance, ...]]:
        before, was_last = match.ledger.state, self.asking.is_last(match)
        step = match.judge(event, line, source)
        self.asking.noted(step, match, was_last)
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

    def _view(self, change: ViewLost | ViewBack) -> None:
        if isinstance(change, ViewLost):
            self.notice("view_lost", reason=self.senses.lost(change, self.phrases))
        elif self.senses.back():
            self.notice("view_back")

    def _sound_changed(self, fault: str | None) -> None:
        with self._lock:
            self.senses.sound = fault
            self.notice("sound_back") if fault is None else self.notice("no_sound", fault=fault)

    def _tell(self, utterances: Sequence[Utterance], data: dict[str, Any] | None = None, kind: Kind = "notice") -> None:
        """Show, stream and speak what is to be said; displays get the words even where there is no voice."""
        self._captions.add(utterances, self.phrases.language.code)
        self._fan_out(kind, data or {})
        if self._voice is not None:
            self._voice.say(utterances)

    def _fan_out(self, kind: Kind, data: dict[str, Any]) -> None:
        self._fanout.tell(Update.of(self._version, kind, {**data, "state": self.snapshot()}))

    def _state_update(self) -> Update:
        return Update.of(self._version, "state", {"state": self.snapshot()})
