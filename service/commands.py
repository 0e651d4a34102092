"""The commands of a table: one list that keys, ears, command cards and pages share, and what each means in a state.

The list is data (`commands.toml`), its names and spoken words are in the language files. Nothing here acts: `hands`
does. A command acts for the seat that it most likely means, or for the seat that is named with it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Literal

from referee import events as ev
from referee.cards import Colour
from referee.expectations import expected_events
from referee.state import MatchState
from service.language import Language, PhraseError

FILE: Final = Path(__file__).parent / "commands.toml"

Kind = Literal["ask", "tell", "key"]
Wanted = Literal["points", "partner", "rule"]


@dataclass(frozen=True, slots=True)
class Command:
    """One command: `keys` as browsers name them, two after one another with a space between; `mark`: its ArUco number.

    `sure`: spoken, it is said back and wants a yes.
    """

    id: str
    kind: Kind
    keys: tuple[str, ...]
    mark: int | None = None
    sure: bool = False


@cache
def commands() -> Mapping[str, Command]:
    """All commands by id, in the order of the key card."""
    table = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {
        name: Command(name, entry["kind"], tuple(entry["keys"]), entry.get("mark"), entry.get("sure", False))
        for name, entry in table.items()
    }


def with_marks() -> tuple[Command, ...]:
    """The commands that have a card, by the number of their mark."""
    return tuple(sorted((one for one in commands().values() if one.mark is not None), key=lambda one: one.mark or 0))


def of_mark(mark: int) -> str | None:
    """The command of a mark; None for a mark that is none of ours."""
    return next((one.id for one in with_marks() if one.mark == mark), None)


def of_key(keys: str) -> str | None:
    """The command of a key, or of two with a space between them; letters in either case."""
    lone = keys if len(keys) > 1 else keys.lower()
    return next((one.id for one in commands().values() if lone in one.keys), None)


def prefixes() -> frozenset[str]:
    """The keys that begin two-key commands."""
    return frozenset(key.split(" ")[0] for one in commands().values() for key in one.keys if " " in key.strip())


def name_of(command: str, language: Language) -> str:
    """What a command is called."""
    return language.text(f"command.{command}.name")


def words_of(command: str, language: Language) -> tuple[str, ...]:
    """By which spoken words a command is known, lower case, its name last; none of one that is for keys alone.

    In this language alone: no other one's words are listened for.
    """
    entry = language.table.get("command", {}).get(command, {})
    said = [*entry.get("words", ()), entry.get("name", "").replace("-", " ")]  # no recogniser has hyphens
    return () if commands()[command].kind == "key" else tuple(dict.fromkeys(words.lower() for words in said if words))


def grammar(language: Language) -> dict[str, str]:
    """Spoken words, lower case, to the command that they mean. PhraseError when the language has none."""
    found = {words: command for command in commands() for words in words_of(command, language)}
    if not found:
        raise PhraseError(f"there are no spoken commands in the language {language.code!r}; try --lang en")
    return found


def written(language: Language) -> dict[str, str]:
    """What may be typed, lower case, to the command that it means: spoken words, names and ids."""
    named = {name_of(command, language).lower(): command for command in commands()}
    spoken = {words: command for command in commands() for words in words_of(command, language)}
    return {**{command: command for command in commands()}, **named, **spoken}


# What a command means in a state


def event_of(command: str, state: MatchState, seat: int | None = None) -> ev.Event | None:
    """The event that `command` means now, for `seat` or the likeliest one; None when it means nothing now."""
    if command == "undo":
        return ev.Undo()
    possible = _MEANT[command](expected_events(state), state) if command in _MEANT else ()
    mine = [event for event in possible if seat is None or getattr(event, "seat", seat) == seat]
    return mine[0] if mine else None


def _asked(state: MatchState) -> int | None:
    """The seat that is asked, or else whose turn it is."""
    return state.pending.seat if state.pending is not None else state.turn


def _of_kind(kind: type[ev.Event], events: Iterable[ev.Event], state: MatchState) -> list[ev.Event]:
    """The events of one kind, those of the seat that must act first."""
    seat = _asked(state)
    found = [event for event in events if isinstance(event, kind)]
    return sorted(found, key=lambda event: getattr(event, "seat", None) != seat)


def _draws(events: Iterable[ev.Event], state: MatchState) -> list[ev.Event]:
    """What is owed before what is asked, that before a card by choice."""
    owed = () if state.round is None else state.round.owed
    seat = _asked(state)

    def later(draw: ev.Draw) -> tuple[bool, bool, bool]:
        return not owed[draw.seat - 1], draw.seat != seat, draw.cards is None

    return [*sorted((event for event in events if isinstance(event, ev.Draw)), key=later)]


def _unos(events: Iterable[ev.Event], state: MatchState) -> list[ev.Event]:
    """Who can be caught calls first: a call that saves before one that is early."""
    catchable = () if state.round is None else state.round.catchable

    def later(call: ev.Uno) -> tuple[bool, bool]:
        return call.seat not in catchable, call.seat != state.turn

    return [*sorted((event for event in events if isinstance(event, ev.Uno)), key=later)]


def _yes(events: Iterable[ev.Event], state: MatchState) -> Iterator[ev.Event]:
    """A challenge is made, a challenged hand was guilty, a dare is done."""
    kind, house = _question(state)
    for event in events:
        if isinstance(event, ev.Challenge) and event.verdict == {"challenge": None, "verdict": "guilty"}.get(kind, ""):
            yield event
        if isinstance(event, ev.Pass) and house == "dare":
            yield event


def _no(events: Iterable[ev.Event], state: MatchState) -> Iterator[ev.Event]:
    """No challenge, an innocent hand, a dare refused, a penalty not passed on."""
    kind, house = _question(state)
    for event in events:
        if isinstance(event, ev.Challenge) and kind == "verdict" and event.verdict == "innocent":
            yield event
        if isinstance(event, ev.Pass) and kind == "challenge":
            yield event
        if isinstance(event, ev.Draw) and house in ("dare", "stack") and event.cards:
            yield event


def _question(state: MatchState) -> tuple[str, str | None]:
    pending = state.pending
    return ("", None) if pending is None else (pending.kind, pending.house)


def _challenges(events: Iterable[ev.Event], state: MatchState) -> list[ev.Event]:
    return [event for event in events if isinstance(event, ev.Challenge) and event.verdict is None]


def _catches(events: Iterable[ev.Event], state: MatchState) -> list[ev.Event]:
    return _of_kind(ev.Catch, events, state)


def _colour(colour: Colour) -> Callable[[Iterable[ev.Event], MatchState], list[ev.Event]]:
    return lambda events, state: [
        event for event in events if isinstance(event, ev.NameColour) and event.colour is colour
    ]


_Meant = Callable[[Iterable[ev.Event], MatchState], Iterable[ev.Event]]
_MEANT: Final[Mapping[str, _Meant]] = {
    "uno": _unos,
    "draw": _draws,
    "pass": lambda events, state: _of_kind(ev.Pass, events, state),
    "catch": _catches,
    "challenge": _challenges,
    "yes": _yes,
    "no": _no,
    "red": _colour(Colour("R")),
    "blue": _colour(Colour("B")),
    "green": _colour(Colour("G")),
    "yellow": _colour(Colour("Y")),
}


# Numbers


@dataclass(frozen=True, slots=True)
class NumberWanted:
    """What the state wants a number for: the points of `seat`, the `partner` of its swap, or the `rule` of its card."""

    kind: Wanted
    seat: int

    def event(self, number: int) -> ev.Event:
        """The event that a typed number means."""
        if self.kind == "points":
            return ev.Points(self.seat, number)
        return ev.Swap(self.seat, number) if self.kind == "partner" else ev.ChooseRule(self.seat, number)


def number_wanted(state: MatchState) -> NumberWanted | None:
    """What a number would answer now."""
    for event in expected_events(state):
        if isinstance(event, ev.Points):
            return NumberWanted("points", event.seat)
        if isinstance(event, ev.Swap) and _is_asked(state, event.seat):
            return NumberWanted("partner", event.seat)
        if isinstance(event, ev.ChooseRule) and _is_asked(state, event.seat):
            return NumberWanted("rule", event.seat)
    return None


def _is_asked(state: MatchState, seat: int) -> bool:
    return state.pending is not None and state.pending.seat == seat


# The key card


def key_words(key: str, language: Language) -> str:
    """How a key, or two after one another, is called in a sentence."""
    parts = [key] if key == " " else key.split(" ")
    names = language.find("keys")
    told = [str(names.get(part, part)) for part in parts]
    return told[0] if len(told) == 1 else language.text("keys.then", first=told[0], then=told[1])


def key_lines(language: Language) -> list[str]:
    """The key card as sentences, a command each, the first key of each: "zero: Repeat."."""
    return [
        language.text("keys.line", keys=key_words(one.keys[0], language), command=name_of(one.id, language))
        for one in commands().values()
    ]
