"""The shape that a phrase file must have, so that no wrong list, table or text is met in mid-evening. Pure.

English is the pattern: what is a text, a table or a list there is one in every language. Beside that a few tables and
lists have rules of their own: grammatical forms, spoken words, the words by which letters are spelt.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal

from referee.cards import Card

Level = Literal["brief", "normal", "full"]
LEVELS: Final[tuple[Level, ...]] = ("brief", "normal", "full")

Known = Mapping[str, frozenset[str]]
"""The gaps that a phrase may have, by its dotted key."""
Fault = tuple[str, str]
"""A dotted key, and what is wrong there."""

LETTERS: Final = len(string.ascii_uppercase)
NUMBERS: Final = 11
"""Nought to ten: as many players are asked for by voice."""
SILENT: Final = ("event.", "ruling.", "turn.", "scores.", "now.")
"""Where an empty text says nothing on purpose."""
NOUN: Final = frozenset({"one", "other", "none", "bare_none", "bare_one"})
ENDINGS: Final = "possessive.special_endings"
SPOKEN: Final = re.compile(r"number\.words|opening\.(back|names|spelling)|command\.\w+\.words")
"""Lists of what is said, which become grammars of speech; their marks cannot be words."""
SAID: Final = re.compile(r"opening\.player|command\.\w+\.name")
"""Texts that may be said as well."""
MARKS: Final = frozenset(';=|*+<>()[]{}/\\"#,:!?')
ASIDE: Final = ("yes", "no", "repeat", "help")
"""The commands that are known while a table is set up, beside "back"."""


def gaps(template: str) -> frozenset[str]:
    """The names of the `{gaps}` in a template; ValueError when its braces do not match."""
    return frozenset(name for _, name, _, _ in string.Formatter().parse(template) if name)


def stem(key: str) -> str:
    """The key of a phrase without its level."""
    first, _, last = key.rpartition(".")
    return first if last in LEVELS else key


def leaves(table: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    """Everything in a table that is no table, under its dotted key."""
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from leaves(value, f"{path}{name}.")
        else:
            yield f"{path}{name}", value


def known_gaps(english: Mapping[str, Any]) -> Known:
    """The gaps of all English phrases; a level may use what another level of the phrase uses."""
    known: dict[str, frozenset[str]] = {}
    for key, text in leaves(english):
        if isinstance(text, str):
            known[key] = gaps(text)
            known[stem(key)] = known.get(stem(key), frozenset()) | known[key]
    return {key: used | known.get(stem(key), frozenset()) for key, used in known.items()}


def faults(table: Mapping[str, Any], english: Mapping[str, Any] | None = None, path: str = "") -> Iterator[Fault]:
    """What is wrong in a file; `english` is the whole English table, None for the English files themselves."""
    known = None if english is None else known_gaps(english)
    yield from _inside(table, english or {}, known, path)
    yield from _forms(table)


def _inside(table: Mapping[str, Any], english: Mapping[str, Any], known: Known | None, path: str) -> Iterator[Fault]:
    for name, value in table.items():
        key, wanted = f"{path}{name}", english.get(name)
        if fault := _fault(key, value, wanted) or (_gap_fault(key, value, known) if isinstance(value, str) else ""):
            yield key, fault
        elif isinstance(value, Mapping):
            yield from _inside(value, wanted if isinstance(wanted, Mapping) else {}, known, f"{key}.")


def _fault(key: str, value: object, wanted: object) -> str:
    if SPOKEN.fullmatch(key) or key == ENDINGS:
        return _list_fault(key, value, wanted)
    if isinstance(value, Mapping):
        return _table_fault(key, value, wanted)
    if isinstance(wanted, Mapping) and not _has_levels(wanted):
        return f"a table was expected, not {value!r}"
    if not isinstance(value, str):
        return f"a text was expected, not {value!r}"
    if not value and wanted != "" and not key.startswith(SILENT):
        return "the text is empty"
    return _unspoken([re.sub(r"\{\w+\}", "", value)]) if SAID.fullmatch(key) else ""


# Lists


def _list_fault(key: str, value: object, wanted: object) -> str:
    if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
        return f"a list of texts was expected, not {value!r}"
    if not value and key != ENDINGS and (wanted or not key.startswith("command.")):
        return "the list is empty"
    if not all(word.strip() for word in value):
        return "a text in the list is empty"
    folded = [word.casefold() for word in value]
    if twice := next((word for at, word in enumerate(value) if folded[at] in folded[:at]), ""):
        return f"{twice!r} is there twice"
    rule = _RULES.get(key, _nothing)
    return rule(value) or ("" if key == ENDINGS else _unspoken(value))


def _unspoken(words: Sequence[str]) -> str:
    wrong = next((word for word in words if not word.isprintable() or MARKS & set(word)), None)
    return "" if wrong is None else f"{wrong!r} cannot be said: only letters, apostrophes, hyphens and spaces can"


def _spelling(words: Sequence[str]) -> str:
    if len(words) != LETTERS:
        return f"one word for each of the {LETTERS} letters was expected, not {len(words)} words"
    parted = next((word for word in words if len(word.split()) > 1), "")
    return f"a letter is spelt by one word, not by {parted!r}" if parted else ""


def _numbers(words: Sequence[str]) -> str:
    return "" if len(words) >= NUMBERS else f"the numbers from 0 to 10 were expected, not {len(words)} words"


def _endings(words: Sequence[str]) -> str:
    wrong = next((word for word in words if len(word) != 1 or word != word.lower()), "")
    return f"an ending is one small letter, not {wrong!r}" if wrong else ""


def _nothing(_words: Sequence[str]) -> str:
    return ""


_RULES: Final[Mapping[str, Callable[[Sequence[str]], str]]] = {
    "opening.spelling": _spelling,
    "number.words": _numbers,
    ENDINGS: _endings,
}


# Tables


def _has_levels(value: object) -> bool:
    return isinstance(value, Mapping) and bool(value) and value.keys() <= set(LEVELS)


def _table_fault(key: str, value: Mapping[str, Any], wanted: object) -> str:
    head, _, tail = key.partition(".")
    if tail and "." not in tail and head in _FORMS:
        wrong = next((form for form, text in value.items() if not isinstance(text, str)), "")
        return f"a text was expected for {wrong}" if wrong else _FORMS[head](value)
    if key == "card.names":
        wrong = next((name for name in value if not _is_card(name)), "")
        return f"there is no card {wrong!r}" if wrong else ""
    if isinstance(wanted, str):
        return "a text was expected, not a table"
    if _has_levels(wanted) and not _has_levels(value):
        return f"a text, or brief, normal and full were expected, not {_listed(value)}"
    if isinstance(wanted, Mapping) and not _has_levels(wanted) and set(LEVELS) & value.keys():
        return f"no levels were expected, but {_listed(wanted)}"
    return ""


def _listed(names: Mapping[str, Any]) -> str:
    return ", ".join(names) or "nothing"


def _is_card(name: str) -> bool:
    try:
        return str(Card.parse(name)) == name
    except ValueError:
        return False


def _noun(value: Mapping[str, Any]) -> str:
    lacking = next((form for form in ("one", "other") if form not in value), "")
    wrong = next((form for form in value if form not in NOUN), "")
    return f"{lacking} is missing" if lacking else f"there is no form {wrong!r} of a noun" if wrong else ""


def _rank(value: Mapping[str, Any]) -> str:
    return "" if value.keys() == {"name", "form"} else f"a text, or name and form were expected, not {_listed(value)}"


def _colour(value: Mapping[str, Any]) -> str:
    return "" if value else "a text, or its forms were expected, not nothing"


_FORMS: Final[Mapping[str, Callable[[Mapping[str, Any]], str]]] = {"noun": _noun, "rank": _rank, "colour": _colour}


def _forms(table: Mapping[str, Any]) -> Iterator[Fault]:
    """Forms that a rank asks for and a colour has not."""
    colours = _table(table, "colour")
    forms = [set(colour) for colour in colours.values() if isinstance(colour, Mapping)]
    ranks = {f"rank.{name}": rank for name, rank in _table(table, "rank").items() if isinstance(rank, Mapping)}
    asked = {f"{key}.form": rank.get("form") for key, rank in ranks.items()}
    asked["card.form"] = _table(table, "card").get("form")
    for key, form in asked.items():
        if form is not None and not all(form in there for there in forms):
            yield key, f"a colour has no form {form!r}"


def _table(table: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = table.get(name)
    return found if isinstance(found, Mapping) else {}


# Gaps


def _gap_fault(key: str, text: str, known: Known | None) -> str:
    """Gaps must be closed, bare names, and among those that English has."""
    try:
        found = list(string.Formatter().parse(text))
    except ValueError:
        return "its braces do not match"
    if any(name is not None and (not name.isidentifier() or spec or way) for _, name, spec, way in found):
        return "a gap is a name in braces and nothing else"
    allowed = _allowed(key, known)
    if allowed is None:
        return ""
    names = {gap.removesuffix("_of") for gap in allowed}  # a player's name may always be the owner
    wrong = sorted(gap for gap in gaps(text) if gap.removesuffix("_of") not in names)
    there = ", ".join(f"{{{gap}}}" for gap in sorted(allowed)) or "none"
    return f"there is no {{{wrong[0]}}} here; there are {there}" if wrong else ""


def _allowed(key: str, known: Known | None) -> frozenset[str] | None:
    """None where any gap may be: in English, and in a phrase that English has not."""
    if key.startswith("noun."):
        return frozenset({"n"})
    if key.startswith(("colour.", "rank.", "card.names.")):
        return frozenset()
    return None if known is None else known.get(key, known.get(stem(key)))


# Words that are said


def said_twice(table: Mapping[str, Any]) -> Fault | None:
    """The first words that mean two commands, or a command and "back", under the key of the later one."""
    owners: dict[str, str] = {}
    for key, word in _said(table):
        command = key.split(".")[1]
        if key == "opening.back":
            if owners.get(word) in ASIDE:
                return key, f"{word!r} is already said for {owners[word]}"
        elif owners.setdefault(word, command) != command:
            return key, f"{word!r} is already said for {owners[word]}"
    return None


def _said(table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What is said for commands, their words and names, and then for "back", under its key."""
    commands = {name: entry for name, entry in _table(table, "command").items() if isinstance(entry, Mapping)}
    for name, entry in commands.items():
        yield from ((f"command.{name}.words", _folded(word)) for word in entry.get("words", ()))
        if "name" in entry:
            yield f"command.{name}.name", _folded(entry["name"])
    yield from (("opening.back", _folded(word)) for word in _table(table, "opening").get("back", ()))


def _folded(word: str) -> str:
    return word.casefold().replace("-", " ")


# Where it stands

_HEADING: Final = re.compile(r"\s*\[([^\[\]]+)\]")
_ENTRY: Final = re.compile(r"""\s*("[^"]*"|'[^']*'|[\w.-]+)\s*=""")


def line_of(text: str, key: str) -> int:
    """The line of a file in which a key stands, or the nearest table around it; 1 when it cannot be told."""
    heading, best, number_of = "", -1, 1
    for number, line in enumerate(text.splitlines(), start=1):
        if found := _HEADING.match(line):
            heading = path = ".".join(part.strip().strip("\"'") for part in found[1].split("."))
        elif found := _ENTRY.match(line):
            name = found[1].strip("\"'")
            path = f"{heading}.{name}" if heading else name
        else:
            continue
        if (key == path or key.startswith(f"{path}.")) and len(path) > best:
            best, number_of = len(path), number
    return number_of
