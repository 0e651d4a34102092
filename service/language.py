"""One language's words: names of cards and colours, numbers, plurals, and sentences with gaps.

The data are the TOML files of `languages/CODE/`, read as one table. A sentence is a text with `{gaps}`, or a table with
the levels `brief`, `normal`, `full` (a level that is missing says what the next shorter one says; `""` says nothing).
Nothing here knows the game: `phrases` does.
"""

from __future__ import annotations

import logging
import re
import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from referee.cards import Card, Colour
from service.espeak_data import voice_names
from service.shapes import LEVELS, Fault, Level, faults, gaps, leaves, line_of, said_twice, stem

__all__ = [
    "FALLBACK",
    "FOLDER",
    "LEVELS",
    "Language",
    "Level",
    "PhraseError",
    "at_level",
    "gaps",
    "languages",
    "load_language",
    "read_language",
    "read_whole",
    "spoken_name",
    "untranslated",
]

log = logging.getLogger(__name__)

FOLDER: Final = Path(__file__).parent / "languages"
FALLBACK: Final = "en"

FILES: Final = ("speech.toml", "commands.toml", "opening.toml", "pages.toml", "cli.toml")
FORMS: Final = ("colour.", "rank.", "noun.", "card.")
"""Tables in which a language has forms of its own."""

_Y_BEFORE_GAP: Final = re.compile(r"\by(?= \{(\w+)\})")
_SOUNDS_I: Final = re.compile(r"h?(?:í|[iy](?![aeouáéóúy]))", re.IGNORECASE)
"""How the sound "i" begins a Spanish word; "hie", "ia", "yo" are other sounds."""


class PhraseError(ValueError):
    """A phrase file that cannot be used; the message names the file and what is wrong in it."""


@cache
def languages() -> tuple[str, ...]:
    """The codes of the languages that the program speaks, sorted."""
    return tuple(sorted(folder.name for folder in FOLDER.iterdir() if any(folder.glob("*.toml"))))


@cache
def load_language(code: str) -> Language:
    """The words of language `code`, such as `en`; PhraseError when there is none, or a file is missing or broken.

    Where a phrase is missing English is used, and the log says so once, with file and key.
    """
    if code not in languages():
        raise PhraseError(f"there is no language {code!r}; there are {', '.join(languages())}")
    language = read_whole(FOLDER / code)
    for missing in untranslated(FOLDER / code):
        log.warning("%s; the English words are used.", missing)
    return language


def spoken_name(code: str) -> str:
    """What a language calls itself; its code where its files are broken, which must not spoil the others."""
    try:
        return str(load_language(code).find("language.name"))
    except PhraseError:
        return code


def read_whole(folder: Path) -> Language:
    """The words of a folder that must have all files; PhraseError names what is missing or broken."""
    for name in FILES:
        if not (folder / name).is_file():
            raise PhraseError(f"{folder / name} is missing: put it back, or choose another language with --lang")
    return read_language(folder)


def untranslated(folder: Path) -> list[str]:
    """The phrases that English has and the files of `folder` have not: "FILE: KEY is missing"."""
    found = []
    for name in FILES:
        here, there = (_stems(part / name) for part in (folder, FOLDER / FALLBACK))
        found += [f"{folder / name}: {key} is missing" for key in there if key not in here]
    return found


def _stems(file: Path) -> dict[str, None]:
    """The phrases of a file without levels and grammatical forms, in which languages differ."""
    return dict.fromkeys(_plain(key) for key, _ in leaves(tomllib.loads(_text(file))))


def _plain(key: str) -> str:
    return ".".join(key.split(".")[:2]) if key.startswith(FORMS) else stem(key)


def read_language(folder: Path) -> Language:
    """The words in the files of `folder`, whose name is the code.

    PhraseError names file, line and key of what has not the shape that English has, or cannot be said.
    """
    table: dict[str, Any] = {}
    english = None if folder.name == FALLBACK else load_language(FALLBACK).table
    for file in sorted(folder.glob("*.toml")):
        text = _text(file)
        try:
            part = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise PhraseError(f"{file}: {error}") from error
        _refuse(file, text, next(faults(part, english), None) or _voice_fault(part))
        if twice := table.keys() & part.keys():
            raise PhraseError(f"{file}: [{min(twice)}] is already in another file")
        table |= part
        _refuse(file, text, said_twice(table))
    return Language(folder.name, table)


def _refuse(file: Path, text: str, fault: Fault | None) -> None:
    if fault is not None:
        raise PhraseError(f"{file}: line {line_of(text, fault[0])}: {fault[0]}: {fault[1]}")


def _voice_fault(part: Mapping[str, Any]) -> Fault | None:
    """A voice that the speech library does not have, where it is installed; a variant (`nl+f2`) may be any."""
    voice, known = part.get("language", {}).get("espeak"), voice_names()
    if voice is None or not known or voice.partition("+")[0] in known:
        return None
    return "language.espeak", f"the speech engine has no voice {voice!r}"


def _text(file: Path) -> str:
    data = b""
    try:
        data = file.read_bytes()
        return data.decode()
    except OSError as error:
        raise PhraseError(f"{file}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise PhraseError(f"{file}: line {line}: not UTF-8; save the file as UTF-8") from error


@dataclass(frozen=True, eq=False)
class Language:
    """The words of one language; `table` is what its files hold, nested by their headings."""

    code: str
    table: Mapping[str, Any]

    def find(self, key: str) -> Any:
        """What stands under the dotted `key`; in the fallback language if it is missing here; KeyError if nowhere."""
        value: Any = self.table
        for part in key.split("."):
            value = value.get(part) if isinstance(value, Mapping) else None
        if value is not None:
            return value
        if self.code != FALLBACK:
            return load_language(FALLBACK).find(key)
        raise KeyError(f"no phrase {key}")

    def sentence(self, key: str, level: Level, /, **fields: object) -> str:
        """The sentence `key` with its gaps filled, at `level`; empty when nothing is to be said."""
        template = at_level(self.find(key), level)
        return self.filled(template, fields)

    def filled(self, template: str, fields: Mapping[str, object]) -> str:
        """A template with its gaps filled; in Spanish "y" is "e" before the sound "i" ("Ana e Inés")."""
        if self.code == "es":
            template = _Y_BEFORE_GAP.sub(lambda y: "e" if _sounds_i(fields.get(y[1])) else "y", template)
        return template.format_map(fields)

    def text(self, key: str, /, **fields: object) -> str:
        """The text `key` of a page or message with its gaps filled."""
        return self.filled(str(self.find(key)), fields) if fields else str(self.find(key))

    def card(self, card: Card | None) -> str:
        """How a card is called, such as "red seven"; None is a card that nobody saw."""
        if card is None:
            return str(self.find("card.unseen"))
        names = self.table.get("card", {}).get("names", {})
        if str(card) in names:
            return str(names[str(card)])
        rank = self.find(f"rank.{card.rank}")
        usual = self.table.get("card", {}).get("form", "")
        name, form = (rank["name"], rank["form"]) if isinstance(rank, Mapping) else (rank, usual)
        if card.colour is None:
            return str(name)
        return str(self.find("card.pattern")).format(colour=self.colour(card.colour, form), rank=name)

    def colour(self, colour: Colour, form: str = "") -> str:
        """How a colour is called, in the grammatical `form` that a rank asks for."""
        value = self.find(f"colour.{colour}")
        if not isinstance(value, Mapping):
            return str(value)
        return str(value[form] if form in value else next(iter(value.values())))

    def number(self, value: int) -> str:
        """A number in words while the language lists it, else in digits."""
        words = self.find("number.words")
        return str(words[value]) if 0 <= value < len(words) else str(value)

    def counted(self, noun: str, value: int) -> str:
        """`value` of `noun`: "one card", "two cards"; "no cards" may be a form of its own."""
        forms = self.find(f"noun.{noun}")
        form = "none" if value == 0 and "none" in forms else "one" if value == 1 else "other"
        return str(forms[form]).format(n=self.number(value))

    def bare(self, noun: str, value: int) -> str:
        """`value` of a `noun` that is understood: "Anna one, Bram none"."""
        forms = self.find(f"noun.{noun}")
        form = "bare_none" if value == 0 else "bare_one"
        return str(forms[form]) if value in (0, 1) and form in forms else self.number(value)

    def duration(self, seconds: float) -> str:
        """Hours and minutes in words, "one hour and five minutes"; empty for less than a minute."""
        hours, minutes = divmod(int(seconds) // 60, 60)
        parts = {"hour": hours, "minute": minutes}
        return self.listed([self.counted(noun, value) for noun, value in parts.items() if value])

    def of(self, name: str) -> str:
        """A name as owner: "Anna's"."""
        ending = name[-1:].lower()
        special = ending in self.find("possessive.special_endings")
        return str(self.find("possessive.special" if special else "possessive.plain")).format(name=name)

    def listed(self, parts: list[str]) -> str:
        """Several things in a row: "Anna, Bram and Carla"."""
        if len(parts) < 2:
            return "".join(parts)
        return self.text("list.last", first=str(self.find("list.between")).join(parts[:-1]), last=parts[-1])


def _sounds_i(name: object) -> bool:
    return _SOUNDS_I.match(unicodedata.normalize("NFC", str(name))) is not None


def at_level(value: object, level: Level) -> str:
    """The text of a phrase at `level`."""
    if not isinstance(value, Mapping):
        return str(value)
    for candidate in LEVELS[LEVELS.index(level) :: -1]:
        if candidate in value:
            return str(value[candidate])
    return str(next(iter(value.values())))
