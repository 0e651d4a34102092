"""All words that people hear or read, in one language: pure, one sentence an utterance.

`Phrases.say` tells a moment of the game (`telling`), `question` and `answer` tell where it stands, `text` is for pages
and the command. Nothing here speaks, waits or remembers, and nothing here knows a hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from referee.cards import Card, Colour
from referee.options import MatchSettings
from referee.state import MatchState, Question
from service.answers import QUERIES, Asked, Memory, Query
from service.language import LEVELS, Language, Level, PhraseError, at_level, languages, load_language
from service.telling import Moment, Priority, Sentence, Telling, Utterance, standing

__all__ = [
    "LEVELS",
    "QUERIES",
    "Level",
    "Memory",
    "Moment",
    "PhraseError",
    "Phrases",
    "Priority",
    "Query",
    "Utterance",
    "languages",
]

NOTHING: Final = Memory()
POSITION: Final[tuple[Query, ...]] = ("top", "direction", "counts", "scores")
"""The questions whose answers tell a position."""
_AS_TYPED: Final = ("{seat}", "{seat_of}", "{said}")
"""Gaps that hold a name, or a sentence that may begin with one."""


@dataclass(frozen=True)
class Phrases:
    """All that is said and shown in one language, at one level."""

    language: Language
    level: Level = field(default="normal")

    @classmethod
    def load(cls, code: str, level: Level = "normal") -> Phrases:
        """The phrases of a language; PhraseError when there is none or its files are broken."""
        return cls(load_language(code), level)

    # What is said

    def say(self, moment: Moment) -> tuple[Utterance, ...]:
        """What is to be said about a moment, in order; sentences that its level leaves out are not in it."""
        spoken = Telling(self, moment).sentences()
        return tuple(utterance for utterance in spoken if utterance.text)

    def begun(self, settings: MatchSettings, version: int = 0) -> Utterance:
        """That a match begins, and who plays."""
        names = self.language.listed(list(settings.players))
        text = self.sentence("event.match", {"names": names, "target": settings.target})
        return Utterance(text, Priority.EVENT, "event.match", version)

    def taken_up(self, state: MatchState, version: int = 0) -> tuple[Utterance, ...]:
        """That a match begins, who plays, and where it stands when it begins in the middle of a round or of scores."""
        told = [self.begun(state.settings, version)]
        if state.settings.is_position or any(state.scores):
            told += (
                Utterance(self.answer(query, state), Priority.EVENT, "event.position", version)
                for query in POSITION
                if query != "top" or state.settings.is_position
            )
            told += self.standing(state, version)
        return tuple(told)

    def notice(self, key: str, priority: Priority = Priority.URGENT, /, **fields: object) -> Utterance:
        """A report that is no move of the game, such as `camera_lost`."""
        return Utterance(self.sentence(f"notice.{key}", fields), priority, f"notice.{key}")

    def lost(self, key: str, reason: str, name: str, seconds: float) -> str:
        """Why the camera shows nothing: the phrase `view.KEY`, or the `reason` as it came where there is no key."""
        return self.text(f"view.{key}", name=name, seconds=f"{seconds:.1f}") if key else reason

    def unheard(self, fault: str | None) -> str | None:
        """Why nothing is heard: the phrase `sound.FAULT`, or None when there is no fault."""
        return None if fault is None else self.text(f"sound.{fault}")

    def question(self, state: MatchState) -> str:
        """The question that the table has to answer now, or an empty text."""
        return "" if state.pending is None else self.sentence(*self.asked(state, state.pending))

    def answer(self, query: Query, state: MatchState, memory: Memory = NOTHING) -> str:
        """The answer to a question that anybody may ask at any moment."""
        return Asked(self, state, memory).answer(query)

    def recalled(self, utterances: Iterable[Utterance]) -> str:
        """What is remembered of one event, for `last`: what happened and what was ruled, not who is next."""
        return " ".join(one.text for one in utterances if one.about in ("event", "ruling", "now"))

    def standing(self, state: MatchState, version: int = 0) -> tuple[Utterance, ...]:
        """Where a match stands, after a silence: top card, direction, who is to act and what is asked."""
        return tuple(standing(self, state, version))

    # What is read

    def text(self, key: str, /, **fields: object) -> str:
        """A text of the pages or of the command, such as `page.start`."""
        return self.language.text(key, **fields)

    # Parts of sentences

    def sentence(self, key: str, fields: Mapping[str, object], level: Level | None = None) -> str:
        """The phrase `key` at `level` (or the own one) with its gaps filled; empty when nothing is to be said.

        It begins with a capital, unless it begins with a name: that stays as it was typed."""
        phrase = at_level(self.language.find(key), level or self.level)
        text = self.language.filled(phrase, fields)
        return text if phrase.startswith(_AS_TYPED) else text[:1].upper() + text[1:]

    def asked(self, state: MatchState, question: Question) -> Sentence:
        """What to ask the table."""
        key = f"question.house_{question.house}" if question.house else f"question.{question.kind}"
        return key, {"cards": self.cards(question.cards), **self.seat_fields(state, question.seat)}

    def card(self, card: Card | None) -> str:
        """How a card is called."""
        return self.language.card(card)

    def top(self, card: Card | None, colour: Colour | None) -> str:
        """A top card as it must be matched: "red seven", "wild, blue"."""
        named = self.card(card)
        if card is not None and card.is_wild and colour is not None:
            return f"{named}, {self.language.colour(colour)}"
        return named

    def cards(self, count: int) -> str:
        """A number of cards in words: "three cards"."""
        return self.language.counted("card", count)

    def points(self, points: int) -> str:
        """A number of points: "20 points"."""
        return self.language.counted("point", points)

    def seat_fields(self, state: MatchState, seat: int, gap: str = "seat") -> dict[str, object]:
        """The gaps `seat` and `seat_of` (or another `gap`) filled with a player's name."""
        name = self.name(state, seat)
        return {gap: name, f"{gap}_of": self.language.of(name)}

    def name(self, state: MatchState, seat: int) -> str:
        """How the player on `seat` is called; a seat that nobody sits on by its number."""
        players = state.settings.players
        return players[seat - 1] if 1 <= seat <= len(players) else self.text("hands.default_name", number=seat)

    def direction(self, direction: int) -> str:
        """How a direction of play is called: "clockwise"."""
        return self.text(f"direction.{direction}")

    def all_counts(self, state: MatchState) -> str:
        """The hand counts of all seats: "Anna three and Bram two"."""
        counts = [self.language.bare("card", count) for count in state.counts]
        return self._of_all(state, lambda seat: ("scores.count", {"count": counts[seat - 1]}))

    def all_scores(self, state: MatchState) -> str:
        """The scores of all seats: "Anna 120 and Bram 85"."""
        return self._of_all(state, lambda seat: ("scores.one", {"score": state.scores[seat - 1]}))

    def _of_all(self, state: MatchState, tell: Callable[[int], Sentence]) -> str:
        parts = []
        for seat in state.settings.seats:
            key, fields = tell(seat)
            parts.append(self.text(key, **self.seat_fields(state, seat), **fields))
        return self.language.listed(parts)
