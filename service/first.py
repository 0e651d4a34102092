"""The first card of a match, where it lay on the table before the match began: asked about, never lost, never guessed.

Who sets the camera up is told to lay a card, and many turn the first one before the last answer is given. Whether such
a card counts only the table knows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from service.phrases import Priority
from service.table import Table
from vision.changes import CardLaid, CardTaken, TableChange

ASKED: Final = "first"


class FirstCard:
    """Remembers the card that was laid while no match was under way, or another one was being set up.

    is_idle: whether that is so now. lies: whether a card lies on the pile now.
    """

    def __init__(self, table: Table, is_idle: Callable[[], bool], lies: Callable[[], bool] = lambda: True) -> None:
        self._table, self._is_idle, self.lies = table, is_idle, lies
        self._laid: CardLaid | None = None
        self._asked = False

    def note(self, change: TableChange) -> None:
        """The camera saw `change`, before the table takes it in."""
        if isinstance(change, CardLaid):
            counts = change.card is not None and self._is_idle()
            self._laid, self._asked = (change if counts else None), False
        elif isinstance(change, CardTaken):
            self._laid = None

    def tick(self) -> None:
        """Ask, once the match has begun and nobody was asked; to be called now and then."""
        if not self._asked and (text := self.question()):
            self._table.say(text, f"turn.{ASKED}", Priority.TURN)

    def question(self) -> str:
        """What the table is to be asked now, in words; empty when no card lies there that may be the first."""
        laid, state = self._laid, self._table.state
        if laid is None or state is None or self._is_idle():
            return ""
        if state.phase != "between" or state.dealer is None or not self.lies():
            self._laid = None
            return ""
        self._asked = True
        phrases = self._table.phrases
        return phrases.sentence("opening.first", {"card": phrases.card(laid.card)})

    def answer(self, yes: bool) -> str | None:
        """What is said to a yes or no, empty where the table tells of the card; None when nobody was asked."""
        laid = self._laid if self._asked and self.question() else None
        self._laid, self._asked = (None, False) if laid is not None else (self._laid, self._asked)
        if laid is None:
            return None
        if not yes:
            return self._table.answer("pending")
        self._table.see(laid)
        return ""
