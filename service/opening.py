"""A table set up without a page: how many play, their names, who deals; typed or spoken, one and the same way.

Every answer is said back with the next question; what was heard, not typed, wants a yes first. One may go back a step,
have the question repeated or ask for help at any moment, and nothing begins before the whole was confirmed. Names come
from a list of usual ones by number or by voice, are typed or spelt, or are simply those of the seats.
"""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from referee.options import MatchSettings, SettingsError
from referee.state import MatchState
from service.commands import commands, key_words, name_of, words_of
from service.language import Language
from service.phrases import Priority, Query
from service.table import Table

Step = Literal["count", "name", "dealer", "sure"]
Wish = Literal["yes", "no", "back", "repeat", "help"]
"""What can be said or pressed at every step, besides an answer."""

STEPS: Final[tuple[Step, ...]] = ("count", "name", "dealer", "sure")
PLAYERS: Final = range(2, 11)
LONGEST_NAME: Final = 40
LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
USUAL: Final[Mapping[Step, str]] = {"name": "", "dealer": "1"}
"""What an empty answer takes, for steps that have something usual."""
SPELT: Final = range(2, 13)
"""How many letters a spelt name may have."""


@dataclass
class Opening:
    """The setting up of one table. began: called when the match has begun, to say what comes next."""

    table: Table
    began: Callable[[], object] = lambda: None
    by_keys: bool = True
    by_voice: bool = False
    """Which of these there are: what is said names no others."""
    count: int = 0
    names: list[str] = field(default_factory=list)
    dealer: int = 0
    again: bool = False
    """Whether another match was wanted after one that is over."""
    _left: int | None = None
    """The match in play that was left for the one being set up."""
    _heard: str | None = None
    _asked: bool = False
    _offered: bool = False
    _lock: threading.RLock = field(default_factory=threading.RLock)

    @property
    def is_over(self) -> bool:
        """Whether a match was played to its end and no other one was wanted since."""
        state = self.table.state
        return state is not None and state.winner is not None and not self.again

    @property
    def step(self) -> Step | None:
        """What is asked for; None while a match is under way, or over."""
        state = self.table.state
        if state is not None and not (self.again and (state.winner is not None or self._leaves)):
            return None
        if not self.count:
            return "count"
        return "name" if len(self.names) < self.count else "sure" if self.dealer else "dealer"

    def ask(self, first: str = "") -> str:
        """Ask for what is wanted, `first` something else in the same breath: of two answers one would go unheard."""
        self._asked = True
        return self._say(f"{first} {self._question()}".strip())

    def tick(self) -> None:
        """Ask when nobody was asked yet; to be called now and then."""
        with self._lock:
            if self.step is not None and not self._asked:
                self.ask()
            elif self.is_over and not self._offered:
                self.table.say(self._told("again"), "turn.again", Priority.TURN)
            if self.step is None and not self.is_over:  # begun, here or on a page
                self._forget()
            self._offered = self.is_over

    def anew(self) -> str:
        """Another match with the same players, after one that is over. Returns what was said."""
        state = self.table.state
        if state is None or not self.is_over:
            return ""
        self.again = True
        self.count, self.names, self.dealer = len(state.settings.players), list(state.settings.players), 0
        return self.ask()

    def another(self) -> str:
        """Set up another match while one is in play, which stays stored. Returns what was said."""
        with self._lock:
            self._forget()
            self.again, self._left = True, self.table.match
            return self.ask(self._told("another"))

    def goes_on(self) -> str:
        """Tell that a match that was left goes on, where it stands, and how another one begins; nothing without one."""
        state = self.table.state
        if state is None or state.winner is not None:
            return ""
        standing: tuple[Query, ...] = ("scores", "pending")
        if state.phase == "playing":
            standing = ("top", "pending" if state.pending else "turn")
        told = [self._text("goes_on", names=self._language.listed(list(state.settings.players)))]
        told += [self.table.answer(query, aloud=False) for query in standing]
        told.append(self._told("another_key", keys=key_words(commands()["another"].keys[0], self._language)))
        return self._say(" ".join(told))

    def take(self, text: str) -> str:
        """An answer that was typed, or is certain; an empty one takes what is usual. Returns what was said."""
        with self._lock:
            self._heard, step, text = None, self.step, " ".join(text.split())
            if step is None:
                return ""
            if step == "sure":
                return self.ask(self._text("no_answer")) if text else self._begin()
            return self.ask(_TAKES[step](self, text))

    def hear(self, phrase: str) -> str:
        """A phrase of `spoken`, or a name that was spelt: an answer is said back first. Returns what was said."""
        with self._lock:
            if self.step is None:
                return ""
            meant = meaning(self.table.phrases.language, self.step, phrase)
            wish = wishes(self.table.phrases.language).get(phrase)
            if wish == "yes" and self._heard is None and self.step in USUAL:  # nobody was asked that
                meant = USUAL[self.step]
            elif wish is not None:
                return self.wish(wish)
            if meant is None or self.step == "sure":
                return self.ask(self._text("no_answer"))
            self._heard = meant
            return self._say_back(meant)

    def wish(self, wish: Wish) -> str:
        """Yes, no, back, repeat or help. Returns what was said."""
        with self._lock:
            if wish == "help":
                return self._help()
            if wish == "repeat" and self._heard is not None:
                return self._say_back(self._heard)
            heard, self._heard = self._heard, None
            if wish == "yes":
                return self.take(heard or "") if heard is not None or self.step != "count" else self.ask()
            if wish == "repeat" or heard is not None:  # no to what was heard: asked once more
                return self.ask()
            return self._back()

    def echo(self, key: str) -> str:
        """Say what was typed, a key at a time; empty when nothing of it is left."""
        marks = self._language.find("opening.marks")  # a mark alone has no sound
        return self._say(marks.get(key, key.upper()) if key else self._text("cleared"))

    def unknown(self) -> str:
        """A key that does nothing here was pressed."""
        return self._say(self._text("unknown"))

    # The steps; each takes an answer and returns what to say about it

    def _take_count(self, text: str) -> str:
        if not text.isdecimal() or int(text) not in PLAYERS:
            return self._text("count_wrong")
        self.count = int(text)
        return self._text("players", number=self._language.number(self.count))

    def _take_name(self, text: str) -> str:
        usual = self._usual
        if text.isdecimal():
            listed = names(self._language)
            if not 1 <= int(text) <= len(listed):
                return self._text("no_name", number=text, count=len(listed))
            text = listed[int(text) - 1]
        name = " ".join(re.sub(r'[;"]', " ", text).split())[:LONGEST_NAME] or usual
        if not any(letter.isalnum() for letter in text or usual):
            return self._text("no_letter")
        if name.casefold() in {one.casefold() for one in self.names}:
            return self._text("taken", name=name)
        self.names.append(name)
        return f"{name}."

    def _take_dealer(self, text: str) -> str:
        text = text or "1"
        if not text.isdecimal() or not 1 <= int(text) <= self.count:
            return self.table.phrases.text("hands.no_seat", number=text)
        self.dealer = int(text)
        return ""

    def _begin(self) -> str:
        settings = _agreed(self.table.state, tuple(self.names), self.dealer)
        self._forget()
        self.table.new_match(settings)
        self.began()
        return ""

    def _back(self) -> str:
        if self.dealer:
            self.dealer = 0
        elif self.names:
            self.names.pop()
        elif self.count:
            self.count = 0
        elif self._leaves:
            self._forget()
            return self.goes_on()
        else:
            return self.ask(self._text("at_start"))
        return self.ask()

    @property
    def _leaves(self) -> bool:
        """Whether the match in play is the one that was left."""
        return self._left is not None and self._left == self.table.match

    def _forget(self) -> None:
        self.count, self.names, self.dealer = 0, [], 0
        self.again, self._asked, self._left, self._heard = False, False, None, None

    # Words

    @property
    def _language(self) -> Language:
        return self.table.phrases.language

    @property
    def _usual(self) -> str:
        """The name of a seat whose player gives none."""
        return self.table.phrases.text("hands.default_name", number=len(self.names) + 1)

    def _text(self, key: str, **fields: object) -> str:
        return self.table.phrases.text(f"opening.{key}", **fields)

    def _told(self, key: str, **fields: object) -> str:
        """A text that says what to press, or what to say where there are no keys."""
        if self.by_keys or not self.by_voice:
            return self._text(key, **fields)
        words = {name: words_of(name, self._language)[0] for name in ("yes", "no", "repeat", "help", "another")}
        return self._text(f"{key}_said", **words, back=self._language.find("opening.back")[0], **fields)

    def _question(self) -> str:
        step = self.step
        if step == "name":
            number = len(self.names) + 1
            if self.names:
                return self._text("name_next", number=number)
            return self._told("name", number=number, usual=self._usual, player=_player(self._language, number))
        if step == "dealer":
            return self._told("dealer", name=self.names[0], seats=self._seats())
        if step == "sure":
            everybody = self._language.listed(self.names)
            return self._told("sure", names=everybody, dealer=self.names[self.dealer - 1])
        return self._told("count")

    def _help(self) -> str:
        listed = names(self._language)
        if self.by_keys or not self.by_voice:
            listed = [self._numbered(at, name) for at, name in enumerate(listed, start=1)]
        both = self.by_keys and self.by_voice
        key = "help_name_talk" if both and self.step == "name" else f"help_{self.step}"
        told = [self._told("help"), *([self._text("help_talk")] if both else [])]
        return self._say(" ".join([*told, self._told(key, names=self._language.listed(listed))]))

    def _say_back(self, heard: str) -> str:
        return self._say(self._text("heard", answer=self._called(heard)))

    def _called(self, answer: str) -> str:
        """How an answer is said back."""
        if self.step == "dealer" and answer.isdecimal() and 1 <= int(answer) <= self.count:
            return self.names[int(answer) - 1]
        if self.step == "name":
            return answer or self._usual
        return self._language.number(int(answer)) if answer.isdecimal() else answer

    def _seats(self) -> str:
        return self._language.listed([self._numbered(at, name) for at, name in enumerate(self.names, start=1)])

    def _numbered(self, number: int, name: str) -> str:
        return self.table.phrases.text("hands.seat_number", number=number, seat=name)

    def _say(self, text: str) -> str:
        text = text[:1].upper() + text[1:]
        self.table.say(text, "answer.opening")
        return text


_TAKES: Final[dict[Step, Callable[[Opening, str], str]]] = {
    "count": Opening._take_count,
    "name": Opening._take_name,
    "dealer": Opening._take_dealer,
}


def _agreed(before: MatchState | None, players: tuple[str, ...], dealer: int) -> MatchSettings:
    """The match to begin: by the rules of the one before, where these players can play by them."""
    if before is not None:
        old = before.settings
        with contextlib.suppress(SettingsError):
            return MatchSettings(
                players,
                deck=old.deck,
                mode=old.mode,
                target=old.target,
                dealer=dealer,
                options=old.options,
                custom=old.custom,
                site=old.site,
            )
    return MatchSettings(players, dealer=dealer)


# What can be said


def names(language: Language) -> list[str]:
    """The usual names of a language, which are taken by number or by voice."""
    return list(language.find("opening.names"))


def spelling(language: Language) -> dict[str, str]:
    """The words by which letters are spelt, lower case, to their letters."""
    return dict(zip((word.lower() for word in language.find("opening.spelling")), LETTERS, strict=True))


def spoken(language: Language, step: Step) -> dict[str, str]:
    """What may be said at a step, lower case, to what it means: an answer as it would be typed, or a wish."""
    found: dict[str, str] = dict(wishes(language).items())
    if step == "count":
        found |= {language.number(number).lower(): str(number) for number in PLAYERS}
    elif step == "name":
        found |= {name.lower(): name for name in names(language)}
        found |= {_player(language, number): "" for number in range(1, PLAYERS.stop)}
    elif step == "dealer":
        found |= {_player(language, number): str(number) for number in range(1, PLAYERS.stop)}
        found |= {language.number(number).lower(): str(number) for number in range(1, PLAYERS.stop)}
    return found


def meaning(language: Language, step: Step, phrase: str) -> str | None:
    """What a phrase means at a step, an answer or a wish; the letters of a spelt name become that name."""
    letters, words = spelling(language), phrase.split()
    if step == "name" and len(words) in SPELT and all(word in letters for word in words):
        return "".join(letters[word] for word in words).capitalize()
    return spoken(language, step).get(phrase)


def sayable(language: Language) -> str:
    """What may be said at any step, as a sentence; numbers and names are understood besides."""
    usual = [name_of(command, language).lower() for command in ("help", "repeat", "yes", "no")]
    words = [_player(language, 2), *usual, str(language.find("opening.back")[-1])]
    return language.text("opening.sayable", words=language.listed(words))


def _player(language: Language, number: int) -> str:
    return language.text("opening.player", number=language.number(number)).lower()


def wishes(language: Language) -> dict[str, Wish]:
    """The words for yes, no, repeat and help are those of play; back has its own."""
    said: dict[Wish, Iterable[str]] = {
        "yes": words_of("yes", language),
        "no": words_of("no", language),
        "repeat": words_of("repeat", language),
        "help": words_of("help", language),
        "back": language.find("opening.back"),
    }
    return {word.lower(): wish for wish, words in said.items() for word in words}
