"""From what happened to what is said: pure, one sentence an utterance.

A `Moment` is an event with its rulings and the match before and after it; `Phrases.say` turns it into utterances in the
order of speaking. Nothing here speaks, waits or remembers, and nothing here knows a hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Final, Literal

from referee import events as ev
from referee import rulings as ru
from referee.cards import Card, Colour
from referee.state import MatchState, Question
from service.language import LEVELS, Language, Level, PhraseError, at_level, languages, load_language

__all__ = ["LEVELS", "Level", "Moment", "PhraseError", "Phrases", "Priority", "Utterance", "languages"]


class Priority(IntEnum):
    """What may wait for what: a lower value is said first."""

    URGENT = 0
    TURN = 1
    EVENT = 2
    CHATTER = 3


@dataclass(frozen=True, slots=True)
class Utterance:
    """One sentence; `topic` is its phrase, such as `event.play`, `version` that of the table it tells of."""

    text: str
    priority: Priority
    topic: str
    version: int = 0

    @property
    def about(self) -> str:
        """The first word of the topic: a newer `turn` makes an older one untrue."""
        return self.topic.partition(".")[0]


@dataclass(frozen=True)
class Moment:
    """What happened: `event` to the match `before`, which made it `after`; `version` counts moments.

    `corrected` tells that earlier events were judged again (undo, amend).
    """

    event: ev.Event
    rulings: tuple[ru.Ruling, ...]
    before: MatchState
    after: MatchState
    version: int = 0
    corrected: bool = False


_URGENT: Final = frozenset(
    {
        "cannot_be_played",
        "start_again",
        "census",
        "caught",
        "count_mismatch",
        "open_question",
        "unexplained",
        "dealer_tied",
    }
)
_REFUSALS: Final = (ru.CannotBePlayed, ru.Unexplained, ru.StartAgain)
_CHATTER: Final = frozenset({"decided"})
_QUIET: Final = (ev.Draw, ev.Uno, ev.Catch, ev.Hand, ev.Points, ev.Reshuffle, ev.Leave)
"""Events that do not end a turn by themselves: whose turn it is is said again only when it changed."""

Query = Literal["turn", "top", "colour", "direction", "counts", "scores", "pending"]


@dataclass(frozen=True)
class Phrases:
    """All that is said and shown in one language."""

    language: Language
    level: Level = field(default="normal")

    @classmethod
    def load(cls, code: str, level: Level = "normal") -> Phrases:
        """The phrases of a language; PhraseError when there is none or its files are broken."""
        return cls(load_language(code), level)

    def text(self, key: str, /, **fields: object) -> str:
        """A text of the pages or of the command, such as `page.start`."""
        return self.language.text(key, **fields)

    def texts(self, heading: str) -> dict[str, Any]:
        """All texts under a heading, such as `page`, for a page to take along; English fills what is missing."""
        return {**load_language("en").table.get(heading, {}), **self.language.table.get(heading, {})}

    def card(self, card: Card | None) -> str:
        """How a card is called."""
        return self.language.card(card)

    def notice(self, key: str, priority: Priority = Priority.URGENT, /, **fields: object) -> Utterance:
        """A report that is no move of the game, such as `camera_lost`."""
        return Utterance(_upper(self.text(f"notice.{key}").format_map(fields)), priority, f"notice.{key}")

    def say(self, moment: Moment) -> tuple[Utterance, ...]:
        """What is to be said about a moment, in order; empty sentences of the level are left out."""
        spoken = _Telling(self, moment).sentences()
        return tuple(utterance for utterance in spoken if utterance.text)

    def question(self, state: MatchState) -> str:
        """The question that the table has to answer now, or an empty text."""
        if state.pending is None:
            return ""
        return self._sentence(*_question(self, state, state.pending))

    def answer(self, query: Query, state: MatchState) -> str:
        """The answer to a question that anybody may ask at any moment."""
        return self._sentence(*_ANSWERS[query](self, state))

    def _sentence(self, key: str, fields: Mapping[str, object]) -> str:
        return _upper(at_level(self.language.find(key), self.level).format_map(fields))

    def _name(self, state: MatchState, seat: int) -> str:
        return state.settings.players[seat - 1]

    def seat_fields(self, state: MatchState, seat: int, gap: str = "seat") -> dict[str, object]:
        """The gaps `seat` and `seat_of` (or another `gap`) filled with a player's name."""
        name = self._name(state, seat)
        return {gap: name, f"{gap}_of": self.language.of(name)}

    def all_counts(self, state: MatchState) -> str:
        """The hand counts of all seats: "Anna three cards and Bram two cards"."""
        return self._of_all(state, "scores.count", lambda seat: {"cards": self.cards(state.counts[seat - 1])})

    def all_scores(self, state: MatchState) -> str:
        """The scores of all seats: "Anna 120 and Bram 85"."""
        return self._of_all(state, "scores.one", lambda seat: {"score": state.scores[seat - 1]})

    def _of_all(self, state: MatchState, key: str, fields: Any) -> str:
        parts = [self.text(key, seat=self._name(state, seat), **fields(seat)) for seat in state.settings.seats]
        return self.language.listed(parts)

    def cards(self, count: int) -> str:
        """A number of cards in words: "three cards"."""
        return self.language.counted("card", count)

    def points(self, points: int) -> str:
        """A number of points: "20 points"."""
        return self.language.counted("point", points)


def _upper(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


Sentence = tuple[str, Mapping[str, object]]
"""The key of a phrase and what fills its gaps."""


@dataclass(frozen=True)
class _Telling:
    """One moment being told."""

    phrases: Phrases
    moment: Moment

    def sentences(self) -> Iterator[Utterance]:
        moment = self.moment
        early = [ruling for ruling in moment.rulings if isinstance(ruling, ru.ImpliedDraw)]
        yield from map(self._ruling, early)
        if lead := self._lead():
            yield self._utter(*lead)
        for ruling in moment.rulings:
            if ruling not in early and not self._is_told_by_lead(ruling):
                yield self._ruling(ruling)
        if moment.corrected:
            yield from self._differences()
        if any(isinstance(ruling, ru.RoundWon) for ruling in moment.rulings):
            yield self._utter("scores.say", {"all_scores": self.phrases.all_scores(moment.after)})
        yield from self._what_now()

    def _utter(self, key: str, fields: Mapping[str, object], priority: Priority | None = None) -> Utterance:
        if priority is None:
            priority = Priority.URGENT if self.moment.corrected else Priority.EVENT
        return Utterance(self.phrases._sentence(key, fields), priority, key, self.moment.version)

    def _seat(self, seat: int) -> dict[str, object]:
        return self.phrases.seat_fields(self.moment.after, seat)

    # What happened

    def _lead(self) -> Sentence | None:
        event = self.moment.event
        refused = any(isinstance(ruling, _REFUSALS) for ruling in self.moment.rulings)
        tell = _LEADS.get(type(event))
        return None if refused or tell is None else tell(self, event)

    def _is_told_by_lead(self, ruling: ru.Ruling) -> bool:
        event = self.moment.event
        named = isinstance(event, (ev.Play, ev.Start, ev.Amend)) and event.colour is not None
        called = isinstance(event, ev.Play) and event.uno
        return (isinstance(ruling, ru.ColourNamed) and named) or (isinstance(ruling, ru.UnoCalled) and called)

    def _deal(self, event: ev.Deal) -> Sentence:
        return "event.deal", {"round": self.phrases.language.number(self.moment.after.number), **self._seat(event.seat)}

    def _start(self, event: ev.Start) -> Sentence:
        return self._with_colour("event.start", event.card, event.colour)

    def _play(self, event: ev.Play) -> Sentence:
        key, fields = self._with_colour("event.play", event.card, event.colour)
        return key + ("_uno" if event.uno else ""), {**fields, **self._seat(event.seat)}

    def _with_colour(self, key: str, card: Card | None, colour: Colour | None) -> Sentence:
        language = self.phrases.language
        if colour is None:
            return key, {"card": language.card(card)}
        return f"{key}_colour", {"card": language.card(card), "colour": language.colour(colour)}

    def _draw(self, event: ev.Draw) -> Sentence:
        if event.cards is None:
            return "event.draw", self._seat(event.seat)
        return "event.draw_owed", {"cards": self.phrases.cards(event.cards), **self._seat(event.seat)}

    def _pass(self, event: ev.Pass) -> Sentence:
        return "event.pass", self._seat(event.seat)

    def _challenge(self, event: ev.Challenge) -> Sentence:
        return "event.challenge", self._seat(event.seat)

    def _hand(self, event: ev.Hand) -> Sentence:
        if self.moment.before.phase != "counting":
            card = self.phrases.card(event.cards[0] if event.cards else None)
            return "event.draw_for_deal", {"card": card, **self._seat(event.seat)}
        total = sum(card.points for card in event.cards if card)
        counted = {"cards": self.phrases.cards(len(event.cards)), "points": self.phrases.points(total)}
        return "event.hand", counted | self._seat(event.seat)

    def _points(self, event: ev.Points) -> Sentence:
        return "event.points", {"points": self.phrases.points(event.points), **self._seat(event.seat)}

    def _undo(self, event: ev.Undo) -> Sentence:
        return "event.undo", {}

    def _amend(self, event: ev.Amend) -> Sentence:
        return self._with_colour("event.amend", event.card, event.colour)

    # What the referee says to it

    def _ruling(self, ruling: ru.Ruling) -> Utterance:
        priority = Priority.EVENT
        if ruling.key in _URGENT or self.moment.corrected:
            priority = Priority.URGENT
        if ruling.key in _CHATTER:
            priority = Priority.CHATTER
        return self._utter(self._ruling_key(ruling), self._ruling_fields(ruling), priority)

    def _ruling_key(self, ruling: ru.Ruling) -> str:
        key = f"ruling.{ruling.key}"
        phrase = self.phrases.language.find(key)
        if not isinstance(phrase, Mapping) or phrase.keys() & set(LEVELS):
            return key
        variants = [str(getattr(ruling, name)) for name in ("why", "kind", "value", "option") if hasattr(ruling, name)]
        return f"{key}.{next((variant for variant in variants if variant in phrase), 'default')}"

    def _ruling_fields(self, ruling: ru.Ruling) -> dict[str, object]:
        after, language = self.moment.after, self.phrases.language
        filled: dict[str, object] = {"all_counts": self.phrases.all_counts(after)}
        for name, value in vars(ruling).items():
            gap = name.rstrip("_")
            if gap in ("seat", "by", "with"):
                filled |= self._player(gap, value)
            elif isinstance(value, Colour):
                filled[gap] = language.colour(value)
            elif gap in ("card", "top"):
                filled[gap] = language.card(value)
            elif gap in ("cards", "expected", "read"):
                filled[gap] = self.phrases.cards(value)
            elif gap == "points":
                filled[gap] = self.phrases.points(value)
            else:
                filled[gap] = value
        if isinstance(ruling, ru.Direction):
            filled["value"] = language.text(f"direction.{ruling.value}")
        if isinstance(ruling, ru.CannotBePlayed):
            filled["top_colour"] = filled["colour"] or ""
        return filled

    def _player(self, gap: str, seat: int | None) -> dict[str, object]:
        after = self.moment.after
        if seat is None or not 1 <= seat <= len(after.settings.players):
            return {gap: "", f"{gap}_of": "", f"{gap}_cards": ""}
        return {
            f"{gap}_cards": self.phrases.cards(after.counts[seat - 1]),
            **self.phrases.seat_fields(after, seat, gap),
        }

    def _differences(self) -> Iterator[Utterance]:
        before, after, language = self.moment.before, self.moment.after, self.phrases.language
        if after.top != before.top:
            yield (
                self._utter("now.top", {"card": language.card(after.top)})
                if after.top
                else self._utter("now.nothing", {})
            )
        if after.colour is not None and after.colour != before.colour:
            yield self._utter("now.colour", {"colour": language.colour(after.colour)})
        if after.direction != before.direction:
            yield self._utter("now.direction", {"direction": language.text(f"direction.{after.direction}")})
        for seat in after.settings.seats:
            if after.counts[seat - 1] != before.counts[seat - 1]:
                yield self._utter(
                    "now.count", {"cards": self.phrases.cards(after.counts[seat - 1]), **self._seat(seat)}
                )
            if after.scores[seat - 1] != before.scores[seat - 1]:
                yield self._utter(
                    "now.score", {"points": self.phrases.points(after.scores[seat - 1]), **self._seat(seat)}
                )

    # What happens next

    def _what_now(self) -> Iterator[Utterance]:
        before, after = self.moment.before, self.moment.after
        question = after.pending
        if question is not None and not question.late:
            if question != before.pending or self.moment.corrected:
                yield self._utter(*_question(self.phrases, after, question), Priority.URGENT)
            return
        if after.turn is None or after.round is None or not after.round.is_turned:
            return
        if turn := self._turn(before, after, after.turn):
            yield self._utter(*turn, Priority.TURN)

    def _turn(self, before: MatchState, after: MatchState, seat: int) -> Sentence | None:
        event = self.moment.event
        fields = {**self._seat(seat), "cards": self.phrases.cards(after.counts[seat - 1]), "top": self._top(after)}
        if any(isinstance(ruling, (ru.CannotBePlayed, ru.Unexplained)) for ruling in self.moment.rulings):
            return "turn.still", fields
        if seat != before.turn or self.moment.corrected:
            return "turn.next", fields
        if isinstance(event, _QUIET):
            return None
        return ("turn.again" if isinstance(event, ev.Play) else "turn.next"), fields

    def _top(self, state: MatchState) -> str:
        language = self.phrases.language
        card = language.card(state.top)
        if state.top is not None and state.top.is_wild and state.colour is not None:
            return f"{card}, {language.colour(state.colour)}"
        return card


_LEADS: Final[Mapping[type[ev.Event], Any]] = {
    ev.Deal: _Telling._deal,
    ev.Start: _Telling._start,
    ev.Play: _Telling._play,
    ev.Draw: _Telling._draw,
    ev.Pass: _Telling._pass,
    ev.Challenge: _Telling._challenge,
    ev.Hand: _Telling._hand,
    ev.Points: _Telling._points,
    ev.Undo: _Telling._undo,
    ev.Amend: _Telling._amend,
}
"""Events that have a sentence of their own; the others are told by their rulings."""


def _question(phrases: Phrases, state: MatchState, question: Question) -> Sentence:
    key = f"question.house_{question.house}" if question.house else f"question.{question.kind}"
    return key, {"cards": phrases.cards(question.cards), **phrases.seat_fields(state, question.seat)}


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


def _answer_pending(phrases: Phrases, state: MatchState) -> Sentence:
    return _question(phrases, state, state.pending) if state.pending else ("answer.pending_none", {})


_ANSWERS: Final[Mapping[Query, Any]] = {
    "turn": _answer_turn,
    "top": _answer_top,
    "colour": _answer_colour,
    "direction": lambda phrases, state: (
        "answer.direction",
        {"direction": phrases.text(f"direction.{state.direction}")},
    ),
    "counts": lambda phrases, state: ("answer.counts", {"all_counts": phrases.all_counts(state)}),
    "scores": lambda phrases, state: ("answer.scores", {"all_scores": phrases.all_scores(state)}),
    "pending": _answer_pending,
}
