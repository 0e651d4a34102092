"""Keyboard, number block and presenter: keys to commands, to numbers that the table asks for, to a match set up.

`Keys.press` takes one key by its browser name, `Keys.line` a typed line for those who pipe or prefer words; both do the
same through `Hands`. While the table wants a number (points, a player, a rule), digits are that number and Enter ends
it; at all other times they are commands. `KeyDoor` is the thread that reads the terminal or standard input.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import re
import sys
import threading
import time
from collections.abc import Callable, Mapping
from functools import cache
from typing import IO, Final, Literal

from service.commands import commands, key_words, number_wanted, of_key, prefixes, written
from service.hands import WISHES, Hands
from service.language import Language
from service.opening import LONGEST_NAME, wishes
from service.terminal import Terminal

log = logging.getLogger(__name__)

Way = Literal["auto", "line", "off"]

OPENING: Final[Mapping[str, str]] = {
    "Enter": "yes",
    "PageDown": "yes",
    "0": "repeat",
    "+": "repeat",
    "*": "help",
    "?": "help",
    "F1": "help",
    "-": "no",
    ".": "no",
    "Backspace": "no",
    "PageUp": "no",
}
"""What keys do while a table is set up and nothing is typed; digits and letters are answers."""
BESIDES: Final = ("talk", "camera")
"""Commands that do while a table is set up what they always do."""
CLEARS: Final = ("Escape", ".")
HEARD: Final = 2.0
"""Seconds after asking for a number before which a line that is also a key is one: nobody can have heard by then."""
LOOKING: Final = 0.1
"""Seconds after which a wait for a line looks around."""
LONGEST_LINE: Final = 200


@cache
def _opening_words(language: Language) -> dict[str, str]:
    """What a line may say while a table is set up, lower case, beside answers: keys by sign or name, and commands."""
    keys = {key: command for command in BESIDES for key in commands()[command].keys if not key.isalpha() or key[1:]}
    words = {word: command for word, command in written(language).items() if command in (*WISHES, *BESIDES)}
    return {
        sign.lower(): command
        for key, command in {**keys, **OPENING}.items()
        for sign in (key, key_words(key, language))
    } | words


class Keys:
    """Turns keys into commands of one table."""

    def __init__(self, hands: Hands, clock: Callable[[], float] = time.monotonic) -> None:
        self._hands, self._clock = hands, clock
        self._first = ""
        self._typed = ""
        self._for_seat = False
        self._asked: object = None
        self._asked_at = 0.0

    def press(self, key: str) -> None:
        """One key, such as `5`, `u`, `Enter` or `PageDown`."""
        setting_up = self._hands.opening.step is not None
        if not self._first and (self._set_up(key) if setting_up else self._wants_number and self._type(key)):
            return
        first, self._first = self._first, ""
        if not first and key in prefixes():
            self._first = key
            return
        self._typed = ""
        command = of_key(f"{first} {key}" if first else key)
        if setting_up and command not in BESIDES:
            self._hands.opening.unknown()
            return
        self._command(command)

    def line(self, text: str) -> None:
        """A typed line: a command by any of its words or its key, `2 uno` for another seat, a number, or a name."""
        text = text[:LONGEST_LINE].strip() or (" " if text.strip("\r\n") else "")  # a space is a key
        if self._hands.opening.step is not None:
            self._opening_line(text)
            return
        if text.isdecimal() and self._wants_number and not (of_key(text) and self._is_new):
            self._number(text)
            return
        found = re.fullmatch(r"(?:([0-9]{1,9})\s+)?(\S.*)?", text)
        seat, words = (found[1], (found[2] or "")) if found else (None, text)
        command = written(self._hands.table.phrases.language).get(words.lower()) or (of_key(words) if words else None)
        self._command(command or words, None if seat is None else int(seat))

    def tick(self) -> None:
        """Ask for a number or name as soon as one is wanted; to be called now and then."""
        self._hands.opening.tick()
        wanted = self._wanted()
        if wanted == self._asked:
            return
        if self._asked is None:  # the next ones of several are waited for
            self._asked_at = self._clock()
        self._asked = wanted
        if wanted is not None:
            self._ask_for_number()

    # Within

    @property
    def _wants_number(self) -> bool:
        state = self._hands.table.state
        return self._for_seat or (state is not None and number_wanted(state) is not None)

    @property
    def _is_new(self) -> bool:
        """Whether nobody can have heard yet that a number is wanted."""
        if self._for_seat:
            return False
        return self._asked is None or self._clock() < self._asked_at + HEARD

    def _wanted(self) -> object:
        state = self._hands.table.state
        return None if state is None else number_wanted(state)

    def _set_up(self, key: str) -> bool:
        """A key while a table is set up: part of an answer, or what `OPENING` says; whether it was one of these."""
        opening = self._hands.opening
        if self._typed and key == "Enter":
            typed, self._typed = self._typed, ""
            opening.take(typed)
        elif not self._typed and key in OPENING:
            self._hands.do(OPENING[key])
        else:
            before = self._typed
            if not self._types(key, letters=opening.step == "name"):
                return False
            opening.echo(key if len(self._typed) > len(before) else self._typed)
        return True

    def _opening_line(self, text: str) -> None:
        """A line while a table is set up: an answer, or a word or key for a wish; empty it takes what is usual."""
        opening, language = self._hands.opening, self._hands.table.phrases.language
        wish = "yes" if not text else wishes(language).get(text.lower())
        if wish is not None:
            opening.wish(wish)
        elif (command := _opening_words(language).get(text.lower())) is not None:
            self._command(command)
        else:
            opening.take(text)

    def _type(self, key: str) -> bool:
        """A key as part of a number; whether it was one."""
        if key == "Enter" and self._typed:
            self._number(self._typed)
            return True
        return self._types(key)

    def _types(self, key: str, *, letters: bool = False) -> bool:
        """Add a key to what is typed, or take away from it; whether it did."""
        cleared = key in CLEARS and not (letters and key == "." and not self._typed[-1:].isdigit())
        if self._typed and (key == "Backspace" or cleared):
            self._typed = self._typed[:-1] if key == "Backspace" else ""
        elif len(key) == 1 and (key.isdigit() or (letters and key.isprintable() and (self._typed or key.isalpha()))):
            self._typed = (self._typed + key)[:LONGEST_NAME]
        else:
            return False
        return True

    def _number(self, text: str) -> None:
        self._typed = ""
        for_seat, self._for_seat = self._for_seat, False
        self._hands.for_seat(int(text)) if for_seat else self._hands.number(int(text))

    def _command(self, command: str | None, seat: int | None = None) -> None:
        state = self._hands.table.state
        if seat is not None and state is not None and seat not in state.seats:
            self._hands.say("no_seat", number=seat)
        elif command == "seat":
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
        if self.is_alive() and threading.current_thread() is not self:
            self.join(2)

    def _lines(self) -> None:
        lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        threading.Thread(target=self._read, args=(lines,), name="lines", daemon=True).start()
        while not self._stopping.is_set():
            self._keys.tick()
            with contextlib.suppress(queue.Empty):
                line = lines.get(timeout=LOOKING)
                if line is None:
                    return
                self._keys.line(line)

    def _read(self, lines: queue.SimpleQueue[str | None]) -> None:
        """Lines as they come, then None; a read of standard input cannot be broken off, so it has its own thread."""
        try:
            for line in self._stream:
                lines.put(line)
        except Exception:
            log.exception("the lines failed")
        finally:
            lines.put(None)

    def _single(self) -> None:
        with self._terminal:
            while not self._stopping.is_set():
                for key in self._terminal.pressed():
                    self._keys.press(key)
                self._keys.tick()
