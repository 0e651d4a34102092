"""Keyboard, number block and presenter: keys to commands, to numbers that the table asks for, to a match set up.

`Keys.press` takes one key by its browser name, `Keys.line` a typed line for those who pipe or prefer words; both do the
same through `Hands`. While the table wants a number (points, a player, a rule), digits are that number and Enter ends
it; at all other times they are commands. `KeyDoor` is the thread that reads the terminal or standard input.
"""

from __future__ import annotations

import logging
import re
import sys
import threading
from typing import IO, Final, Literal

from referee.options import MatchSettings
from service.commands import number_wanted, of_key, prefixes, written
from service.hands import Hands
from service.terminal import Terminal

log = logging.getLogger(__name__)

Way = Literal["auto", "line", "off"]

PLAYERS: Final = range(2, 11)
LONGEST_NAME: Final = 40


class Opening:
    """A table set up by keys: how many play, then their names, each said back; Enter alone takes the usual name."""

    def __init__(self, hands: Hands) -> None:
        self._hands = hands
        self._count = 0
        self._names: list[str] = []

    @property
    def wants(self) -> Literal["count", "name", None]:
        """What is asked for: the number of players, a name, or nothing (the match is under way)."""
        if self._hands.table.state is not None:
            return None
        return "name" if self._count else "count"

    def ask(self) -> None:
        """Ask for what is wanted."""
        if self.wants == "count":
            self._hands.say("how_many_players")
        elif self.wants == "name":
            self._hands.say("name", number=len(self._names) + 1)

    def take(self, text: str) -> None:
        """An answer: a number, or a name."""
        if self.wants == "count":
            self._count = int(text) if text.isdecimal() and int(text) in PLAYERS else 0
        elif self.wants == "name":
            usual = self._hands.table.phrases.text("hands.default_name", number=len(self._names) + 1)
            name = " ".join(re.sub(r'[;"]', " ", text).split())[:LONGEST_NAME] or usual
            taken = {one.casefold() for one in self._names}
            self._names.append(usual if name.casefold() in taken else name)
            self._hands.say("said_command", command=self._names[-1])
            if len(self._names) == self._count:
                self._begin()
        self.ask()

    def _begin(self) -> None:
        self._hands.table.new_match(MatchSettings(tuple(self._names), dealer=1))
        self._count, self._names = 0, []
        self._hands.do("camera")


class Keys:
    """Turns keys into commands of one table."""

    def __init__(self, hands: Hands) -> None:
        self._hands = hands
        self.opening = Opening(hands)
        self._first = ""
        self._typed = ""
        self._for_seat = False
        self._asked: object = None

    def press(self, key: str) -> None:
        """One key, such as `5`, `u`, `Enter` or `PageDown`."""
        wanted = self.opening.wants is not None or self._wants_number
        if wanted and not self._first and self._type(key):
            return
        first, self._first = self._first, ""
        if not first and key in prefixes():
            self._first = key
            return
        self._typed = ""
        self._command(of_key(f"{first} {key}" if first else key))

    def line(self, text: str) -> None:
        """A typed line: a command by any of its words or its key, `2 uno` for another seat, a number, or a name."""
        text = text.strip()
        if self.opening.wants is not None:
            self.opening.take(text)
            return
        if text.isdecimal() and self._wants_number:
            self._number(text)
            return
        found = re.fullmatch(r"(?:([0-9]{1,2})\s+)?(\S.*)?", text)
        seat, words = (found[1], (found[2] or "")) if found else (None, text)
        command = written(self._hands.table.phrases.language).get(words.lower()) or (of_key(words) if words else None)
        self._command(command or words, None if seat is None else int(seat))

    def tick(self) -> None:
        """Ask for a number or name as soon as one is wanted; to be called now and then."""
        wanted = self._wanted()
        if wanted == self._asked:
            return
        self._asked = wanted
        if isinstance(wanted, str):
            self.opening.ask()
        elif wanted is not None:
            self._ask_for_number()

    # Within

    @property
    def _wants_number(self) -> bool:
        state = self._hands.table.state
        return self._for_seat or (state is not None and number_wanted(state) is not None)

    def _wanted(self) -> object:
        state = self._hands.table.state
        return "opening" if self.opening.wants else None if state is None else number_wanted(state)

    def _type(self, key: str) -> bool:
        """A key as part of a number or name; whether it was one."""
        naming = self.opening.wants == "name"
        if key == "Enter" and (self._typed or self.opening.wants is not None):
            self._number(self._typed)
        elif key in ("Backspace", "Escape", ".") and self._typed:
            self._typed = self._typed[:-1] if key == "Backspace" else ""
        elif len(key) == 1 and (key.isdigit() or (naming and key.isprintable())):
            self._typed = (self._typed + key)[:LONGEST_NAME]
        else:
            return naming
        return True

    def _number(self, text: str) -> None:
        self._typed = ""
        if self.opening.wants is not None:
            self.opening.take(text)
            return
        for_seat, self._for_seat = self._for_seat, False
        self._hands.for_seat(int(text)) if for_seat else self._hands.number(int(text))

    def _command(self, command: str | None, seat: int | None = None) -> None:
        if command == "seat":
            self._for_seat = True
            self._hands.say("seat")
        elif command == "talk":
            self._hands.listen()
        elif command is None:
            self._hands.say("unknown_key")
        else:
            self._hands.do(command, seat, "keys")

    def _ask_for_number(self) -> None:
        state = self._hands.table.state
        wanted = None if state is None else number_wanted(state)
        if state is None or wanted is None:
            return
        phrases, players = self._hands.table.phrases, state.settings.players
        others = [phrases.text("hands.seat_number", number=at, seat=players[at - 1]) for at in state.seats]
        self._hands.say(wanted.kind, seat=players[wanted.seat - 1], seats=phrases.language.listed(others))


class KeyDoor(threading.Thread):
    """Reads keys from the terminal, or lines from standard input, until it ends or `stop` is called."""

    def __init__(self, keys: Keys, way: Way = "auto", stream: IO[str] | None = None) -> None:
        super().__init__(name="keys", daemon=True)
        self._keys, self._stream = keys, sys.stdin if stream is None else stream
        self._terminal = Terminal(self._stream)
        self._way = way
        self._stopping = threading.Event()

    @property
    def is_open(self) -> bool:
        """Whether there is anything to read from."""
        if self._way == "line":
            return self._stream is not None
        return self._way == "auto" and self._terminal.is_there

    def run(self) -> None:
        """The thread itself."""
        try:
            self._lines() if self._way == "line" else self._single()
        except EOFError:
            log.info("no more keys")
        except Exception:
            log.exception("the keys failed")

    def stop(self) -> None:
        """Read no more, and give the terminal back."""
        self._stopping.set()
        if self._way == "auto" and self.is_alive() and threading.current_thread() is not self:
            self.join(2)

    def _lines(self) -> None:
        self._keys.tick()
        for line in self._stream:
            if self._stopping.is_set():
                return
            self._keys.line(line)
            self._keys.tick()

    def _single(self) -> None:
        with self._terminal:
            while not self._stopping.is_set():
                for key in self._terminal.pressed():
                    self._keys.press(key)
                self._keys.tick()
