"""Keys of the terminal, one at a time and without Enter, by the names that browsers give them. Needs no special rights.

`Terminal` is a context manager that gives the terminal back as it was. It works on the terminal that the program was
started in, in front only: a program in the background must not ask for keys, the system would stop it.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from types import TracebackType
from typing import IO, Any, Final, Self

PAUSE: Final = 0.1
"""Seconds after which a wait for a key looks around."""

_SEQUENCES: Final = {
    "[5~": "PageUp",
    "[6~": "PageDown",
    "[15~": "F5",
    "[11~": "F1",
    "OP": "F1",
    "[[A": "F1",
    "OM": "Enter",
    "Oj": "*",
    "Ok": "+",
    "Om": "-",
    "On": ".",
    "Oo": "/",
    **{f"O{chr(ord('p') + digit)}": str(digit) for digit in range(10)},
}
"""What terminals send behind an escape character, number blocks in application mode included. Source: xterm."""
_PLAIN: Final = {"\r": "Enter", "\n": "Enter", "\x7f": "Backspace", "\x08": "Backspace", "\x1b": "Escape"}
_WINDOWS: Final = {"I": "PageUp", "Q": "PageDown", "?": "F5", ";": "F1"}
"""The second half of what `getwch` gives for special keys. Source: Microsoft's `_getch`."""


def names(text: str) -> Iterator[str]:
    """The keys in what a terminal sent at once; sequences that stand for none of ours are left out."""
    at = 0
    while at < len(text):
        if text[at] == "\x1b" and text[at + 1 : at + 2] in ("[", "O"):
            end = at + 2
            while end < len(text) and not (text[end].isalpha() or text[end] == "~"):
                end += 1
            if text[at + 1 : end + 1] == "[[":
                end += 1
            sequence = text[at + 1 : end + 1]
            at = end + 1
            if sequence in _SEQUENCES:
                yield _SEQUENCES[sequence]
            continue
        yield _PLAIN.get(text[at], text[at])
        at += 1


class Terminal:
    """The keys of the terminal behind `stream`."""

    def __init__(self, stream: IO[str] | None = None) -> None:
        self._stream = sys.stdin if stream is None else stream
        self._before: Any = None

    @property
    def is_there(self) -> bool:
        """Whether somebody can press keys: a terminal, with this program in front."""
        try:
            return self._stream is not None and self._stream.isatty() and self._in_front()
        except ValueError:  # closed
            return False

    def _in_front(self) -> bool:
        if sys.platform == "win32":
            return True
        try:
            return os.tcgetpgrp(self._stream.fileno()) == os.getpgrp()
        except OSError:
            return False

    def __enter__(self) -> Self:
        if sys.platform != "win32":
            import termios
            import tty

            self._before = termios.tcgetattr(self._stream.fileno())
            tty.setcbreak(self._stream.fileno(), termios.TCSANOW)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if sys.platform != "win32" and self._before is not None:
            import termios

            with contextlib.suppress(OSError, termios.error, ValueError):
                termios.tcsetattr(self._stream.fileno(), termios.TCSANOW, self._before)

    def pressed(self) -> list[str]:
        """The keys pressed since the last call; waits a moment for the first. EOFError when the terminal is gone."""
        return self._keys_of_windows() if sys.platform == "win32" else self._keys_of_posix()

    def _keys_of_posix(self) -> list[str]:
        import select

        if not self._in_front():
            time.sleep(PAUSE)
            return []
        ready, _, _ = select.select([self._stream.fileno()], [], [], PAUSE)
        if not ready:
            return []
        try:
            sent = os.read(self._stream.fileno(), 256)
        except OSError as error:
            raise EOFError from error
        if not sent or sent == b"\x04":
            raise EOFError
        return list(names(sent.decode(errors="ignore")))

    def _keys_of_windows(self) -> list[str]:
        import msvcrt

        console: Any = msvcrt
        found = []
        while console.kbhit():
            letter = console.getwch()
            if letter in ("\x00", "\xe0"):
                letter = _WINDOWS.get(console.getwch(), "")
            found += [_PLAIN.get(letter, letter)] if letter else []
        if not found:
            time.sleep(PAUSE)
        return found
