"""One language's words: names of cards and colours, numbers, plurals, and sentences with gaps.

The data are the TOML files of `languages/CODE/`, read as one table. A sentence is a text with `{gaps}`, or a table with
the levels `brief`, `normal`, `full` (a level that is missing says what the next shorter one says; `""` says nothing).
Nothing here knows the game: `phrases` does.
"""

from __future__ import annotations

import logging
import re
import string
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

from referee.cards import Card, Colour

log = logging.getLogger(__name__)

FOLDER: Final = Path(__file__).parent / "languages"
FALLBACK: Final = "en"

FILES: Final = ("speech.toml", "commands.toml", "opening.toml", "pages.toml", "cli.toml")
FORMS: Final = ("colour.", "rank.", "noun.", "card.")
"""Tables in which a language has forms of its own."""

Level = Literal["brief", "normal", "full"]
LEVELS: Final[tuple[Level, ...]] = ("brief", "normal", "full")


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
    return dict.fromkeys(_plain(key) for key, _ in _phrases(tomllib.loads(_text(file))))


def _plain(key: str) -> str:
    return ".".join(key.split(".")[:2]) if key.startswith(FORMS) else _stem(key)


def read_language(folder: Path) -> Language:
    """The words in the files of `folder`, whose name is the code; PhraseError names a broken file."""
    table: dict[str, Any] = {}
    for file in sorted(folder.glob("*.toml")):
        text = _text(file)
        try:
            part = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise PhraseError(f"{file}: {error}") from error
        for key, value in _phrases(part):
            if fault := _fault(folder.name, key, value):
                raise PhraseError(f"{file}: line {_line_of(text, key, value)}: {key}: {fault}")
        if twice := table.keys() & part.keys():
            raise PhraseError(f"{file}: [{min(twice)}] is already in another file")
        table |= part
    return Language(folder.name, table)


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


def _phrases(table: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    """Every phrase of a file under its dotted key."""
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from _phrases(value, f"{path}{name}.")
        else:
            yield f"{path}{name}", value


def _fault(code: str, key: str, value: object) -> str:
    """What is wrong with a phrase, or nothing: gaps must be closed and be among those that English has."""
    if isinstance(value, list) and all(isinstance(word, str) for word in value):
        return ""
    if not isinstance(value, str):
        return f"a text was expected, not {value!r}"
    try:
        used = gaps(value)
    except ValueError:
        return "its braces do not match"
    known = None if code == FALLBACK else _known_gaps().get(key)
    if known is None:
        return ""
    names = {gap.removesuffix("_of") for gap in known}  # a player's name may always be the owner
    wrong = sorted(gap for gap in used if gap.removesuffix("_of") not in names)
    there = ", ".join(f"{{{gap}}}" for gap in sorted(known)) or "none"
    return f"there is no {{{wrong[0]}}} here; there are {there}" if wrong else ""


@cache
def _known_gaps() -> dict[str, frozenset[str]]:
    """The gaps of all English phrases by dotted key; a level may use what another level of the phrase uses."""
    known: dict[str, frozenset[str]] = {}
    for key, text in _phrases(load_language(FALLBACK).table):
        if isinstance(text, str):
            known[key] = gaps(text)
            known[_stem(key)] = known.get(_stem(key), frozenset()) | known[key]
    return {key: used | known.get(_stem(key), frozenset()) for key, used in known.items()}


def _stem(key: str) -> str:
    """The key of a phrase without its level."""
    stem, _, last = key.rpartition(".")
    return stem if last in LEVELS else key


def _line_of(text: str, key: str, value: object) -> int:
    """The line of a file in which a phrase stands; 1 when it cannot be told."""
    names, wanted = key.split("."), value if isinstance(value, str) else str(value)
    for number, line in enumerate(text.splitlines(), start=1):
        if wanted in line and any(re.match(rf"\s*[\w.\"-]*{re.escape(name)}\"?\s*=", line) for name in names):
            return number
    return 1


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
        return template.format_map(fields)

    def text(self, key: str, /, **fields: object) -> str:
        """The text `key` of a page or message with its gaps filled."""
        return str(self.find(key)).format_map(fields) if fields else str(self.find(key))

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
        return str(self.find("list.last")).format(first=str(self.find("list.between")).join(parts[:-1]), last=parts[-1])


def at_level(value: object, level: Level) -> str:
    """The text of a phrase at `level`."""
    if not isinstance(value, Mapping):
        return str(value)
    for candidate in LEVELS[LEVELS.index(level) :: -1]:
        if candidate in value:
            return str(value[candidate])
    return str(next(iter(value.values())))


def gaps(template: str) -> frozenset[str]:
    """The names of the `{gaps}` in a template; ValueError when its braces do not match."""
    return frozenset(name for _, name, _, _ in string.Formatter().parse(template) if name)
