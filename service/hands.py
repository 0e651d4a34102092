"""Does at one table what keys, ears, command cards and pages ask: one command at a time, in one and the same way.

A question is answered aloud. What happened is applied for the seat that it most likely means, or the one that was
named. What cannot be is said, and nothing is stored. What the ears heard and would cost cards if they were mistaken is
said back first, and waits for a yes; silence never does anything.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from referee import events as ev
from service.commands import Command, commands, event_of, key_lines, name_of, number_wanted, of_mark
from service.first import FirstCard
from service.framing import Advice
from service.opening import Opening, Wish
from service.phrases import Query
from service.table import Conflict, NoMatch, NotStored, Table
from vision.changes import CommandShown

Source = str
"""Who asks: `keys`, `ears`, `cards`, `pages` (the host's), or a seat's own page, `seat-2`."""

PATIENCE: Final = 10.0
"""Seconds for which a yes is waited for."""
WISHES: Final[Mapping[str, Wish]] = {"yes": "yes", "no": "no", "undo": "back", "repeat": "repeat", "help": "help"}
"""What commands mean while a table is set up."""


@dataclass(frozen=True, slots=True)
class _Unsure:
    """A command that was heard and is not yet confirmed; it is about the table as it was at `version`."""

    command: Command
    event: ev.Event
    version: int
    until: float


class Hands:
    """The hands of one table; `do` may be called from any thread."""

    def __init__(
        self, table: Table, clock: Callable[[], float] = time.monotonic, framing: Callable[[], Advice] | None = None
    ) -> None:
        self.table = table
        self.opening = Opening(table, self._begun)
        self.first = FirstCard(table, self._is_idle)
        self._clock, self.framing = clock, framing
        self.talk: Callable[[], bool] | None = None
        """Listens for one spoken command, where there are ears; False while it listens already."""
        self._lock = threading.RLock()
        self._unsure: _Unsure | None = None
        self._leaving = float("-inf")
        """Until when a yes leaves the match in play for another one."""
        self._seats: dict[Source, int] = {}
        """For whom the next command of each is."""

    def do(self, command: str, seat: int | None = None, source: Source = "keys", version: int | None = None) -> str:
        """Carry out one command; what was said about it, empty when the table tells what happened.

        seat: whom it acts for, when that is known. version: what the sender was looking at; Conflict when the table
        has moved on since. Without it the command is about the table as it is now.
        """
        known = commands().get(command)
        with self._lock:
            named = self._seats.pop(source, None)
            seat = named if seat is None else seat
            if known is None or known.kind == "key":
                return self.say("unknown")
            if version is not None and version != self.table.version:
                raise Conflict(self.table.snapshot())
            if (answer := None if _is_a_seat(source) else self._set_up(command)) is not None:
                return answer
            idle = self.table.state is None or (self.opening.step is not None and known.kind == "tell")
            if idle and command != "camera":
                return self.say("no_match")
            return self._ask(command) if known.kind == "ask" else self._tell(known, seat, source)

    def listen(self) -> str:
        """Listen for a spoken command: pushed to talk."""
        if self.talk is None:
            return self.say("no_ears")
        self.talk()
        return ""

    def number(self, number: int, source: Source = "keys") -> str:
        """A number that was typed: points, a seat, a rule, whichever the table asks for."""
        with self._lock:
            state = self.table.state
            wanted = None if state is None else number_wanted(state)
            if state is None or wanted is None:
                return self.say("unknown")
            if wanted.kind == "partner" and number not in state.seats:
                return self.say("no_seat", number=number)
            return self._apply(lambda: wanted.event(number), source)

    def for_seat(self, seat: int, source: Source = "keys") -> str:
        """The next command of the same `source` acts for `seat`."""
        with self._lock:
            state = self.table.state
            if state is None or seat not in state.seats:
                return self.say("no_seat", number=seat)
            if self.table.asking.asks_turn:
                self.table.turn_is(seat)
                return ""
            self._seats[source] = seat
            return self.say("for_seat", seat=state.settings.players[seat - 1])

    def say(self, key: str, **fields: object) -> str:
        """Say and show one of the sentences of the hands; returns it."""
        text = self.table.phrases.text(f"hands.{key}", **fields)
        self.table.say(text, f"answer.{key}")
        return text

    @property
    def waits_for_yes(self) -> bool:
        """Whether a command was said back and is waiting for its yes."""
        now = self._clock()
        return now < self._leaving or (self._unsure is not None and now < self._unsure.until)

    # Within

    def _set_up(self, command: str) -> str | None:
        """What is said to a command while a table is set up, or about another match; None when it is for this one."""
        leaving, self._leaving = self._clock() < self._leaving, float("-inf")
        if leaving and command in ("yes", "no"):
            return self.opening.another() if command == "yes" else self.say("not_done")
        if command == "another":
            return self._leave()
        if self.opening.step is not None and command in WISHES:
            return self.opening.wish(WISHES[command])
        if self.opening.is_over and command == "yes" and self.table.asking.open is None:
            return self.opening.anew()
        return None

    def _leave(self) -> str:
        """Another match is wanted."""
        if self.table.state is None or self.opening.step is not None:
            return self.opening.ask()
        if self.opening.is_over:
            return self.opening.anew()
        self._unsure, self._leaving = None, self._clock() + PATIENCE
        return self.say("sure_another")

    def _ask(self, command: str) -> str:
        phrases = self.table.phrases
        if command == "help":
            spoken = [phrases.text("keys.spoken")] if self.talk else []
            text = " ".join([phrases.text("keys.intro"), *key_lines(phrases.language), *spoken])
        elif command == "camera":
            text = self._advice()
        elif command == "pending" and (question := self.first.question()):
            text = question
        else:
            return self.table.answer(cast(Query, command))
        self.table.say(text, f"answer.{command}")
        return text

    def _begun(self) -> None:
        """A match was set up: how the camera stands, and what comes first."""
        first = self.first.question() or self.table.answer("pending", aloud=False)
        self.table.say(f"{self._advice()} {first}", "answer.camera")

    def _advice(self) -> str:
        return self.table.phrases.text(f"framing.{self.framing() if self.framing else 'nothing'}")

    def _is_idle(self) -> bool:
        """Whether no match is under way, or another one is being set up."""
        state = self.table.state
        return state is None or state.winner is not None or self.opening.step is not None

    def shown(self, change: CommandShown) -> str:
        """A command card was shown to the camera."""
        if len(change.marks) > 1:
            return self.say("several_cards")
        command = of_mark(change.marks[0])
        return "" if command is None else self.do(command, source="cards")

    def _tell(self, command: Command, seat: int | None, source: Source) -> str:
        waiting = None if _is_a_seat(source) else self._unsure
        if source == "ears" or command.id in ("yes", "no"):  # who tells something else does not answer it
            self._unsure = None if waiting is not None else self._unsure
        if command.id in ("yes", "no"):
            if waiting is not None and self._clock() < waiting.until:
                return self._confirmed(waiting, source) if command.id == "yes" else self.say("not_done")
            if not _is_a_seat(source) and (answer := self.first.answer(command.id == "yes")) is not None:
                return answer
            if self._settles_doubt(command.id == "yes", source):
                return ""
        if source == "ears" and command.sure:
            return self._say_back(command, seat)
        return self._apply(lambda: self._event(command, seat), source, command)

    def _event(self, command: Command, seat: int | None) -> ev.Event | None:
        state = self.table.state
        return None if state is None else event_of(command.id, state, seat)

    def _say_back(self, command: Command, seat: int | None) -> str:
        version, event = self.table.version, self._event(command, seat)
        if event is None:
            return self._refuse(command)
        self._unsure = _Unsure(command, event, version, self._clock() + PATIENCE)
        if command.id == "undo":
            return self.say("sure_undo")
        state = self.table.state
        acting = getattr(event, "seat", None)
        player = state.settings.players[acting - 1] if state is not None and acting else ""
        return self.say("sure", command=self._name(command), seat=player)

    def _confirmed(self, waiting: _Unsure, source: Source) -> str:
        if waiting.version != self.table.version:
            return self.say("too_late")
        return self._apply(lambda: waiting.event, source, waiting.command)

    def _settles_doubt(self, yes: bool, source: Source) -> bool:
        """Whether the answer was for a card that the camera is not sure of."""
        reply: Any = getattr(self.table, "reply", None)
        return reply is not None and reply(yes, source=source) is not None

    def _apply(self, find: Callable[[], ev.Event | None], source: Source, command: Command | None = None) -> str:
        """Apply what `find` gives; once more when the table moved on between looking and acting."""
        for _ in range(2):
            version, event = self.table.version, find()
            if event is None:
                return self._refuse(command)
            try:
                self.table.apply(event, expected_version=version, source=source)
            except Conflict:
                continue
            except NotStored:
                return ""  # the table has said so
            except NoMatch:
                return self.say("no_match")
            return ""
        return self.say("too_late")

    def _refuse(self, command: Command | None) -> str:
        if command is None:
            return self.say("unknown")
        if command.id == "catch":
            return self.say("no_catch")
        key = "no_question" if command.id in ("yes", "no", "red", "blue", "green", "yellow") else "not_now"
        return self.say(key, command=self._name(command))

    def _name(self, command: Command) -> str:
        return name_of(command.id, self.table.phrases.language)


def _is_a_seat(source: Source) -> bool:
    return source.startswith("seat-")
