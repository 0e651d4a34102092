"""A listener: hears only the sentences of the voice and knows the game from them.

It has a language's phrase tables, turned round: every sentence that may be said becomes a pattern whose gaps are names,
cards, numbers. What it makes of a sentence is written below by the key of the phrase, the same for all languages. It
knows no rules but one, that a deal gives seven cards to everybody who still plays.

    python -m tests.service.listener [LANGUAGE ...]     every golden game in every language, compared after every event
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final

from referee.cards import FACES, Card, Colour
from referee.ledger import Ledger
from referee.options import HAND_SIZE
from referee.record import parse
from referee.state import MatchState
from service.language import Language, at_level, languages
from service.phrases import Moment, Phrases

GAMES: Final = sorted((Path(__file__).parent.parent / "games").glob("*.trn"))
HEARD: Final = ("event", "ruling", "question", "turn", "now", "scores", "answer")
"""The tables whose sentences tell of the game."""
PARTS: Final = ("scores.one", "scores.count", "answer.repeat", "answer.last")
"""What is never said by itself, or says again what was said."""
MOST: Final = 112
"""No seat holds more cards."""

Meaning = Mapping[str, Any]
"""What a sentence said: its gaps, as the values that they stand for."""


class Misheard(AssertionError):  # noqa: N818 - a finding
    """A sentence that the listener cannot make sense of."""


@dataclass(frozen=True)
class Ear:
    """The sentences of one language turned round, for the players with these names."""

    language: Language
    names: tuple[str, ...]

    @cached_property
    def patterns(self) -> list[tuple[str, re.Pattern[str]]]:
        """Every phrase that may be heard: its key and its pattern."""
        found = []
        for table in HEARD:
            for key, template in _templates(self.language.table[table], table):
                if template and key not in PARTS:
                    found.append((key, self._pattern(template)))
        return found

    def _pattern(self, template: str) -> re.Pattern[str]:
        pattern, seen = "", set()
        for part in re.split(r"(\{\w+\})", template):
            gap = part[1:-1] if part.startswith("{") else ""
            if not gap:
                pattern += _literally(self.language, part)
            elif gap in seen:
                pattern += f"(?P={gap})"
            else:
                seen.add(gap)
                pattern += f"(?P<{gap}>{self._words(gap)})"
        return re.compile(pattern, re.IGNORECASE)

    def _words(self, gap: str) -> str:
        words = {} if gap == "points" else self._values(gap)  # two thousand alternatives are slow
        return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True)) if words else ".+?"

    @cache  # noqa: B019 - an ear lives as long as its game
    def _values(self, gap: str) -> dict[str, Any]:
        """The words that may fill a gap, lower case, and what they mean; none when it may be anything."""
        language = self.language
        seats = enumerate(self.names, start=1)
        cards = {language.card(card).lower(): card for card in (None, *FACES)}
        colours = {language.colour(colour).lower(): colour for colour in Colour}
        directions = {str(language.find(f"direction.{way}")).lower(): way for way in (1, -1)}
        counted = {language.counted("card", number).lower(): number for number in range(MOST + 1)}
        if gap in ("seat", "by", "with"):
            return {name.lower(): seat for seat, name in seats}
        if gap in ("seat_of", "by_of", "with_of"):
            return {language.of(name).lower(): seat for seat, name in seats}
        if gap in ("cards", "seat_cards", "with_cards", "expected", "read"):
            return counted
        if gap == "count":
            return {language.bare("card", number).lower(): number for number in range(MOST + 1)}
        if gap == "points":
            return {language.counted("point", number).lower(): number for number in range(2000)}
        if gap == "value":
            return colours | directions
        others: dict[str, dict[str, Any]] = {"card": cards, "colour": colours, "direction": directions}
        return others.get(gap, {})

    def meanings(self, text: str) -> Iterator[tuple[str, Meaning]]:
        """All phrases that a sentence may be, with their gaps understood."""
        for key, pattern in self.patterns:
            if found := pattern.fullmatch(text):
                words = {gap: (word.lower(), self._values(gap)) for gap, word in found.groupdict().items()}
                if all(not values or word in values for word, values in words.values()):
                    yield key, {gap: values.get(word, found[gap]) for gap, (word, values) in words.items()}

    def listed(self, text: str, template: str, gap: str) -> dict[int, Any]:
        """What "Anna three and Bram two" says of each seat."""
        told = {}
        for seat, name in enumerate(self.names, start=1):
            words = self._words("count") if gap == "count" else r"\d+"
            part = re.escape(template).replace(r"\{seat\}", re.escape(name)).replace(rf"\{{{gap}\}}", f"({words})")
            if (found := re.search(rf"(?<!\w){part}(?!\w)", text, re.IGNORECASE)) is None:
                raise Misheard(f"{name} is not in {text!r}")
            told[seat] = self._values("count")[found[1].lower()] if gap == "count" else int(found[1])
        return told


def _literally(language: Language, text: str) -> str:
    """The pattern of a text before a gap; in Spanish "y" is "e" where the sound "i" follows."""
    pattern = re.escape(text)
    return re.sub(r"\by(?=\\ $)", "[ye]", pattern) if language.code == "es" else pattern


@cache
def _ear(language: Language, names: tuple[str, ...]) -> Ear:
    return Ear(language, names)


def _templates(table: Mapping[str, Any], key: str) -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        if isinstance(value, Mapping) and not value.keys() & {"brief", "normal", "full"}:
            yield from _templates(value, f"{key}.{name}")
        else:
            yield f"{key}.{name}", at_level(value, "normal")


@dataclass
class Listener:
    """Somebody who hears the table and sees nothing. Fields are what is known so far; seats index from 1."""

    language: Language
    names: tuple[str, ...] = ()
    turn: int | None = None
    top: Card | None = None
    colour: Colour | None = None
    direction: int = 1
    counts: list[int] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    out: set[int] = field(default_factory=set)

    @property
    def ear(self) -> Ear:
        """Understands, once the names are known."""
        return _ear(self.language, self.names)

    def hear_names(self, text: str) -> None:
        """The sentence with which a match begins."""
        template = at_level(self.language.find("event.match"), "normal")
        found = re.fullmatch(re.escape(template).replace(r"\{names\}", "(.+)"), text)
        if found is None:
            raise Misheard(text)
        between, last = (str(self.language.find(f"list.{part}")) for part in ("between", "last"))
        final = last.replace("{first}", "").replace("{last}", "")
        *_, joint = re.finditer(_literally(self.language, final), found[1])
        self.names = (*found[1][: joint.start()].split(between), found[1][joint.end() :])
        self.counts, self.scores = [0] * len(self.names), [0] * len(self.names)

    def hear(self, text: str) -> None:
        """One sentence; Misheard when it means nothing, or two things that differ."""
        outcomes = []
        for key, meaning in self.ear.meanings(text):
            effect = _EFFECTS.get(key) or _EFFECTS.get(key.rpartition(".")[0])
            before = self._known()
            if effect is not None:
                effect(self, meaning)
            outcomes.append((key, self._known()))
            self._set(before)
        if not outcomes:
            raise Misheard(f"nothing is meant by {text!r}")
        if any(known != outcomes[0][1] for _, known in outcomes[1:]):
            raise Misheard(f"{text!r} may be {' or '.join(key for key, _ in outcomes)}")
        self._set(outcomes[0][1])

    def _known(self) -> tuple[Any, ...]:
        return self.turn, self.top, self.colour, self.direction, (*self.counts,), (*self.scores,), frozenset(self.out)

    def _set(self, known: tuple[Any, ...]) -> None:
        self.turn, self.top, self.colour, self.direction = known[:4]
        self.counts, self.scores, self.out = list(known[4]), list(known[5]), set(known[6])

    def holds(self, state: MatchState) -> list[str]:
        """What the listener has wrong, in words."""
        truth = {
            "turn": (self.turn, state.turn),
            "top": (self.top, state.top),
            "colour": (self.colour, state.colour),
            "direction": (self.direction, state.direction),
            "counts": (tuple(self.counts), state.counts),
            "scores": (tuple(self.scores), state.scores),
        }
        return [f"{what}: heard {heard}, is {true}" for what, (heard, true) in truth.items() if heard != true]


def _add(listener: Listener, seat: int, cards: int) -> None:
    listener.counts[seat - 1] += cards


def _deal(listener: Listener, meaning: Meaning) -> None:
    seats = range(1, len(listener.names) + 1)
    listener.counts = [0 if seat in listener.out else HAND_SIZE for seat in seats]
    listener.turn, listener.top, listener.colour, listener.direction = None, None, None, 1


def _start(listener: Listener, meaning: Meaning) -> None:
    listener.top = meaning["card"]
    listener.colour = meaning.get("colour") or (listener.top.colour if listener.top else None)


def _play(listener: Listener, meaning: Meaning) -> None:
    _start(listener, meaning)
    _add(listener, meaning["seat"], -1)


def _draw(listener: Listener, meaning: Meaning) -> None:
    _add(listener, meaning["seat"], meaning.get("cards", 1))


def _discard(listener: Listener, meaning: Meaning) -> None:
    _add(listener, meaning["seat"], -meaning["cards"])


def _colour(listener: Listener, meaning: Meaning) -> None:
    listener.colour = meaning.get("value", meaning.get("colour"))


def _direction(listener: Listener, meaning: Meaning) -> None:
    listener.direction = meaning.get("value", meaning.get("direction"))


def _turn(listener: Listener, meaning: Meaning) -> None:
    listener.turn = meaning["seat_of"] if "seat_of" in meaning else meaning["seat"]
    if "cards" in meaning:
        listener.counts[listener.turn - 1] = meaning["cards"]


def _late(listener: Listener, meaning: Meaning) -> None:
    _turn(listener, meaning)
    _direction(listener, meaning)


def _asked(listener: Listener, meaning: Meaning) -> None:
    listener.turn = meaning["seat"]


def _swapped(listener: Listener, meaning: Meaning) -> None:
    listener.counts[meaning["seat"] - 1] = meaning["seat_cards"]
    listener.counts[meaning["with"] - 1] = meaning["with_cards"]


def _all_counts(listener: Listener, meaning: Meaning) -> None:
    template = str(listener.language.find("scores.count"))
    told = listener.ear.listed(meaning["all_counts"], template, "count")
    listener.counts = [told[seat] for seat in sorted(told)]


def _all_scores(listener: Listener, meaning: Meaning) -> None:
    template = str(listener.language.find("scores.one"))
    told = listener.ear.listed(meaning["all_scores"], template, "score")
    listener.scores = [told[seat] for seat in sorted(told)]


def _nobody(listener: Listener, meaning: Meaning) -> None:
    listener.turn = None


def _out(listener: Listener, meaning: Meaning) -> None:
    listener.out.add(meaning["seat"])


def _left(listener: Listener, meaning: Meaning) -> None:
    _out(listener, meaning)
    listener.counts[meaning["seat"] - 1] = 0


def _again(listener: Listener, meaning: Meaning) -> None:
    listener.out.discard(meaning["seat"])


def _count(listener: Listener, meaning: Meaning) -> None:
    listener.counts[meaning["seat"] - 1] = meaning["cards"]


def _score(listener: Listener, meaning: Meaning) -> None:
    listener.scores[meaning["seat"] - 1] = meaning["points"]


def _nothing_lies(listener: Listener, meaning: Meaning) -> None:
    listener.turn = listener.top = listener.colour = None


_EFFECTS: Final[Mapping[str, Callable[[Listener, Meaning], None]]] = {
    "event.deal": _deal,
    "event.deal_unseen": _deal,
    "event.start": _start,
    "event.start_colour": _start,
    "event.play": _play,
    "event.play_uno": _play,
    "event.play_colour": _play,
    "event.play_colour_uno": _play,
    "event.draw": _draw,
    "event.discard": _discard,
    "ruling.penalty": _draw,
    "ruling.implied_draw": _draw,
    "ruling.colour": _colour,
    "ruling.direction": _direction,
    "ruling.swapped": _swapped,
    "ruling.rotated": _all_counts,
    "ruling.gone_out": _nobody,
    "ruling.voided": _nobody,
    "ruling.round_won": _nobody,
    "ruling.match_won": _nobody,
    "ruling.out": _out,
    "ruling.left": _left,
    "question": _asked,
    "question.dealer": _nobody,
    "turn.next": _turn,
    "turn.again": _turn,
    "turn.still": _turn,
    "turn.late": _late,
    "turn.deal": _nobody,
    "now.top": _start,
    "now.colour": _colour,
    "now.colour_none": _colour,
    "now.direction": _direction,
    "now.again": _again,
    "now.count": _count,
    "now.score": _score,
    "now.nothing": _nothing_lies,
    "scores.say": _all_scores,
    "answer.top": _start,
    "answer.top_colour": _start,
    "answer.top_none": _nothing_lies,
    "answer.colour": _colour,
    "answer.colour_none": _colour,
    "answer.direction": _direction,
    "answer.counts": _all_counts,
    "answer.scores": _all_scores,
}
"""What a sentence makes the listener believe, by the key of its phrase or of the table that it is in."""


def follow(path: Path, language: str) -> tuple[int, int]:
    """Hear a whole recorded game; Misheard when the listener knows less than the truth. Events and sentences heard."""
    record = parse(path.read_text(encoding="utf-8"), path.name)
    phrases, ledger = Phrases.load(language), Ledger(record.settings)
    listener, sentences, events = Listener(phrases.language), 0, 0
    begun = [one.text for one in phrases.taken_up(ledger.state)]
    listener.hear_names(begun[0])
    for text in begun[1:]:
        for sentence in re.split(r"(?<=\.) (?=\w)", text):
            listener.hear(sentence)
    if wrong := listener.holds(ledger.state):
        raise Misheard(f"{path.name}, at the beginning: {'; '.join(wrong)} after {begun}")
    for number, event in enumerate(record.events, start=1):
        if event is None:
            continue
        before, step = ledger.state, ledger.add(event)
        said = [one.text for one in phrases.say(Moment(event, step.rulings, before, step.state, 0, step.corrected))]
        for text in said:
            try:
                listener.hear(text)
            except Misheard as error:
                raise Misheard(f"{path.name}, event {number}, {event}: {error}") from None
        if wrong := listener.holds(step.state):
            raise Misheard(f"{path.name}, event {number}, {event}: {'; '.join(wrong)} after {said}")
        events, sentences = events + 1, sentences + len(said)
    return events, sentences


def main(codes: Iterable[str]) -> int:
    """Every golden game in the languages asked for; 1 when a game could not be followed."""
    failed = 0
    for code in codes:
        events = sentences = followed = 0
        for path in GAMES:
            try:
                told = follow(path, code)
            except Misheard as error:
                failed = 1
                print(f"{code}: {error}")
                continue
            followed, events, sentences = followed + 1, events + told[0], sentences + told[1]
        print(f"{code}: {followed} of {len(GAMES)} games followed, {events} events, {sentences} sentences")
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or languages()))
