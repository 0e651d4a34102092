"""All words that people hear or read, in one language: pure, one sentence an utterance.

`Phrases.say` tells a moment of the game (`telling`), `question` and `answer` tell where it stands, `text` is for pages
and the command. Nothing here speaks, waits or remembers, and nothing here knows a hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from referee.cards import Card, Colour
from referee.options import MatchSettings
from referee.state import MatchState, Question
from service.language import LEVELS, Language, Level, PhraseError, at_level, languages, load_language
from service.telling import Moment, Priority, Sentence, Telling, Utterance

__all__ = ["LEVELS", "Level", "Moment", "PhraseError", "Phrases", "Priority", "Query", "Utterance", "languages"]

Query = Literal["turn", "top", "colour", "direction", "counts", "scores", "pending"]


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

    def notice(self, key: str, priority: Priority = Priority.URGENT, /, **fields: object) -> Utterance:
        """A report that is no move of the game, such as `camera_lost`."""
        return Utterance(self.sentence(f"notice.{key}", fields), priority, f"notice.{key}")

    def question(self, state: MatchState) -> str:
        """The question that the table has to answer now, or an empty text."""
        return "" if state.pending is None else self.sentence(*self.asked(state, state.pending))

    def answer(self, query: Query, state: MatchState) -> str:
        """The answer to a question that anybody may ask at any moment."""
        return self.sentence(*_ANSWERS[query](self, state))

    # What is read

    def text(self, key: str, /, **fields: object) -> str:
        """A text of the pages or of the command, such as `page.start`."""
        return self.language.text(key, **fields)

    # Parts of sentences

    def sentence(self, key: str, fields: Mapping[str, object]) -> str:
        """The phrase `key` at this level with its gaps filled; empty when nothing is to be said."""
        text = at_level(self.language.find(key), self.level).format_map(fields)
        return text[:1].upper() + text[1:]

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
        players = state.settings.players
        name = players[seat - 1] if 1 <= seat <= len(players) else str(seat)
        return {gap: name, f"{gap}_of": self.language.of(name)}

    def all_counts(self, state: MatchState) -> str:
        """The hand counts of all seats: "Anna three cards and Bram two cards"."""
        return self._of_all(state, lambda seat: ("scores.count", {"cards": self.cards(state.counts[seat - 1])}))

    def all_scores(self, state: MatchState) -> str:
        """The scores of all seats: "Anna 120 and Bram 85"."""
        return self._of_all(state, lambda seat: ("scores.one", {"score": state.scores[seat - 1]}))

    def _of_all(self, state: MatchState, tell: Callable[[int], Sentence]) -> str:
        parts = []
        for seat in state.settings.seats:
            key, fields = tell(seat)
            parts.append(self.text(key, **self.seat_fields(state, seat), **fields))
        return self.language.listed(parts)


def _answer_turn(phrases: Phrases, state: MatchState) -> Sentence:
    if state.turn is None or state.round is None:
        return "answer.turn_none", {}
    following = state.round.next_to(state.turn)
    return "answer.turn", {**phrases.seat_fields(state, state.turn), **phrases.seat_fields(state, following, "next")}


def _answer_top(phrases: Phrases, state: MatchState) -> Sentence:
    if state.round is None or not state.round.is_turned:
        return "answer.top_none", {}
    card = {"card": phrases.card(state.top)}
    if state.colour is None or (state.top is not None and not state.top.is_wild):
        return "answer.top", card
    return "answer.top_colour", {**card, "colour": phrases.language.colour(state.colour)}


def _answer_colour(phrases: Phrases, state: MatchState) -> Sentence:
    if state.colour is None:
        return "answer.colour_none", {}
    return "answer.colour", {"colour": phrases.language.colour(state.colour)}


def _answer_direction(phrases: Phrases, state: MatchState) -> Sentence:
    return "answer.direction", {"direction": phrases.text(f"direction.{state.direction}")}


def _answer_pending(phrases: Phrases, state: MatchState) -> Sentence:
    return phrases.asked(state, state.pending) if state.pending else ("answer.pending_none", {})


_ANSWERS: Final[Mapping[Query, Callable[[Phrases, MatchState], Sentence]]] = {
    "turn": _answer_turn,
    "top": _answer_top,
    "colour": _answer_colour,
    "direction": _answer_direction,
    "counts": lambda phrases, state: ("answer.counts", {"all_counts": phrases.all_counts(state)}),
    "scores": lambda phrases, state: ("answer.scores", {"all_scores": phrases.all_scores(state)}),
    "pending": _answer_pending,
}
