"""From a moment to its sentences, in the order of speaking: what happened, what the referee says to it, who is next.

A `Moment` is an event with its rulings and the match before and after it. After a correction the events behind it were
judged again: then it is told what is different now, not every ruling a second time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final

from referee import events as ev
from referee import rulings as ru
from referee.cards import Card, Colour
from referee.judge import WORDS
from referee.options import Effect
from referee.state import MatchState, partner_of
from service.language import LEVELS

if TYPE_CHECKING:
    from service.phrases import Phrases

Sentence = tuple[str, Mapping[str, object]]
"""The key of a phrase and what fills its gaps."""


class Priority(IntEnum):
    """What may wait for what: a lower value is said first."""

    URGENT = 0
    TURN = 1
    EVENT = 2
    CHATTER = 3


@dataclass(frozen=True, slots=True)
class Utterance:
    """One sentence; `topic` is its phrase, such as `event.play`, `version` that of the table it tells of.

    `late` says it to somebody who missed what happened before, `brief` in as few words as can be; both may be empty.
    """

    text: str
    priority: Priority
    topic: str
    version: int = 0
    late: str = ""
    brief: str = ""

    @property
    def about(self) -> str:
        """The first word of the topic: a newer `turn` makes an older one untrue."""
        return self.topic.partition(".")[0]


@dataclass(frozen=True)
class Moment:
    """What happened: `event` to the match `before`, which made it `after`; `version` counts moments.

    `corrected` tells that earlier events were judged again (undo, amend); `leads` are told instead of the event then.
    """

    event: ev.Event
    rulings: tuple[ru.Ruling, ...]
    before: MatchState
    after: MatchState
    version: int = 0
    corrected: bool = False
    leads: tuple[Sentence, ...] = ()


_URGENT: Final = (
    ru.CannotBePlayed,
    ru.StartAgain,
    ru.Census,
    ru.Caught,
    ru.CountMismatch,
    ru.OpenQuestion,
    ru.Unexplained,
    ru.DealerTied,
)
_STILL_HOLDS: Final = (ru.UnoDue, ru.GoneOut, ru.RoundWon, ru.Out, ru.MatchWon)
"""What is said again after a correction that brings it; all else shows in the differences."""
_QUIET: Final = (ev.Draw, ev.Uno, ev.Catch, ev.Hand, ev.Points, ev.Reshuffle, ev.Leave)
"""Events that do not end a turn by themselves: whose turn it is is said again only when it changed."""
_VARIANTS: Final = ("why", "kind", "value")
"""Fields of a ruling that choose between several phrases for it."""


@dataclass(frozen=True)
class Telling:
    """One moment being told."""

    phrases: Phrases
    moment: Moment

    def sentences(self) -> Iterator[Utterance]:
        """All sentences in order; those that are empty at the level of the phrases, too."""
        moment = self.moment
        implied = [ruling for ruling in moment.rulings if isinstance(ruling, ru.ImpliedDraw) and not moment.corrected]
        yield from (self._ruling(ruling) for ruling in implied if not self._is_told_as_fine(ruling))
        if isinstance(moment.event, ev.Start) and moment.after.number != moment.before.number:
            yield self._utter(*self._begun())
        lead = self._lead()
        for told in moment.leads or ((lead,) if lead else ()):
            yield self._utter(*told)
        for ruling in moment.rulings:
            if ruling not in implied and not isinstance(ruling, ru.Decided) and self._is_news(ruling):
                yield self._ruling(ruling)
        if moment.corrected:
            yield from self._differences()
        if any(isinstance(ruling, ru.RoundWon) for ruling in moment.rulings):
            yield self._utter("scores.say", {"all_scores": self.phrases.all_scores(moment.after)})
        yield from self._what_now()
        if not moment.corrected:
            yield from (self._ruling(ruling) for ruling in moment.rulings if isinstance(ruling, ru.Decided))

    def _utter(self, key: str, fields: Mapping[str, object], priority: Priority | None = None) -> Utterance:
        if priority is None:
            priority = Priority.URGENT if self.moment.corrected else Priority.EVENT
        brief = self.phrases.sentence(key, fields, "brief") if priority is Priority.EVENT else ""
        return Utterance(self.phrases.sentence(key, fields), priority, key, self.moment.version, brief=brief)

    def _seat(self, seat: int) -> dict[str, object]:
        return self.phrases.seat_fields(self.moment.after, seat)

    # What happened

    def _lead(self) -> Sentence | None:
        event = self.moment.event
        tell = _LEADS.get(type(event))
        if tell is None or (self._is_refused and not self.moment.corrected):
            return None
        sentence: Sentence | None = tell(self, event)
        return sentence

    def _is_told_as_fine(self, ruling: ru.Ruling) -> bool:
        """Whether a draw that nobody saw is told by the penalty of this very moment."""
        return self._ruling_key(ruling) == "event.draw_owed" and self._is_fined(getattr(ruling, "seat", 0))

    def _is_fined(self, seat: int) -> bool:
        return any(isinstance(ruling, ru.Penalty) and ruling.seat == seat for ruling in self.moment.rulings)

    @property
    def _is_refused(self) -> bool:
        """Whether the event itself did not count, so that only the ruling tells of it."""
        word = WORDS.get(type(self.moment.event), "")
        return any(
            isinstance(ruling, (ru.CannotBePlayed, ru.StartAgain))
            or (isinstance(ruling, ru.Unexplained) and ruling.what == word)
            for ruling in self.moment.rulings
        )

    def _is_news(self, ruling: ru.Ruling) -> bool:
        """Whether nothing else that is said tells it already."""
        event = self.moment.event
        if self.moment.corrected:
            return isinstance(ruling, _STILL_HOLDS) or ruling is self._misread_misplay()
        if isinstance(ruling, ru.ColourNamed):
            return not (isinstance(event, (ev.Play, ev.Start)) and event.colour is not None)
        if isinstance(ruling, ru.UnoCalled):
            return not (isinstance(event, ev.Play) and event.uno)
        if isinstance(ruling, ru.Skipped):
            return not self._is_fined(ruling.seat)
        return True

    def _misread_misplay(self) -> ru.Ruling | None:
        """That the card as it really was could not be played; what this made of later plays is no news."""
        event = self.moment.event
        if not isinstance(event, ev.Amend):
            return None
        misplays = (ruling for ruling in self.moment.rulings if isinstance(ruling, ru.CannotBePlayed))
        return next((ruling for ruling in misplays if ruling.card == event.card), None)

    def _deal(self, event: ev.Deal) -> Sentence | None:
        return self._begun() if self.moment.after.number != self.moment.before.number else None

    def _begun(self) -> Sentence:
        """That a round began, and who dealt it if that is known."""
        after = self.moment.after
        number = {"round": self.phrases.language.number(after.number)}
        if after.round is None or after.round.dealer is None:
            return "event.deal_unseen", number
        return "event.deal", {**number, **self._seat(after.round.dealer)}

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

    def _draw(self, event: ev.Draw) -> Sentence | None:
        if event.cards is None and self._drew_by_choice(event.seat):
            return "event.draw", self._seat(event.seat)
        if self._is_fined(event.seat):
            return None  # the penalty tells how many
        return "event.draw_owed", {"cards": self.phrases.cards(event.cards or 1), **self._seat(event.seat)}

    def _drew_by_choice(self, seat: int) -> bool:
        """Whether the card comes to what was counted already: it may have been the first of a penalty instead."""
        if not 1 <= seat <= len(self.moment.after.counts):
            return True
        drawn = self.moment.after.counts[seat - 1] - self.moment.before.counts[seat - 1]
        fined = sum(one.cards for one in self.moment.rulings if isinstance(one, ru.Penalty) and one.seat == seat)
        return drawn > fined

    def _discard(self, event: ev.Discard) -> Sentence:
        return "event.discard", {"cards": self.phrases.cards(len(event.cards)), **self._seat(event.seat)}

    def _pass(self, event: ev.Pass) -> Sentence | None:
        asked = self.moment.before.pending
        if asked is None or asked.seat != event.seat:
            return "event.pass", self._seat(event.seat)
        return ("event.no_challenge", self._seat(event.seat)) if asked.kind == "challenge" else None

    def _challenge(self, event: ev.Challenge) -> Sentence | None:
        asked = self.moment.before.pending
        return None if asked is not None and asked.kind == "verdict" else ("event.challenge", self._seat(event.seat))

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
        if isinstance(ruling, _URGENT) or self.moment.corrected:
            priority = Priority.URGENT
        return self._utter(self._ruling_key(ruling), self._ruling_fields(ruling), priority)

    def _ruling_key(self, ruling: ru.Ruling) -> str:
        if isinstance(ruling, ru.ImpliedDraw) and ruling.rule != "R4.3":
            return "event.draw_owed"  # its cards were counted, and told, when they became due
        key = f"ruling.{ruling.key}"
        if isinstance(ruling, ru.Decided):
            return f"{key}.{ruling.option}_{ruling.value}"
        if isinstance(ruling, ru.MatchWon) and self.moment.after.settings.mode == "teams":
            return "ruling.team_won"
        phrase = self.phrases.language.find(key)
        if not isinstance(phrase, Mapping) or phrase.keys() & set(LEVELS):
            return key
        variants = [str(getattr(ruling, name)) for name in _VARIANTS if hasattr(ruling, name)]
        if isinstance(ruling, ru.HouseRule):
            variants = [Effect.parse(ruling.text).kind]
        return f"{key}.{next((variant for variant in variants if variant in phrase), 'default')}"

    def _ruling_fields(self, ruling: ru.Ruling) -> dict[str, object]:
        filled: dict[str, object] = {"all_counts": self.phrases.all_counts(self.moment.after)}
        for name, value in vars(ruling).items():
            filled |= self._gap(name.rstrip("_"), value)
        if isinstance(ruling, ru.Direction):
            filled["value"] = self.phrases.direction(ruling.value)
        if isinstance(ruling, ru.HouseRule):
            effect = Effect.parse(ruling.text)
            filled |= {"cards": self.phrases.cards(effect.cards), "text": effect.text}
        if isinstance(ruling, ru.MatchWon) and self.moment.after.settings.mode == "teams":
            filled |= self._player("with", partner_of(ruling.seat))
        if isinstance(ruling, ru.CannotBePlayed):
            filled["top"] = self.phrases.top(ruling.top, ruling.colour)
        return filled

    def _gap(self, gap: str, value: Any) -> dict[str, object]:
        """One field of a ruling in words."""
        if gap in ("seat", "by", "with"):
            return self._player(gap, value)
        if isinstance(value, Colour):
            return {gap: self.phrases.language.colour(value)}
        if gap in ("card", "top"):
            return {gap: self.phrases.card(value)}
        if gap in ("cards", "expected", "read"):
            return {gap: self.phrases.cards(value)}
        return {gap: self.phrases.points(value) if gap == "points" else value}

    def _player(self, gap: str, seat: int | None) -> dict[str, object]:
        after = self.moment.after
        if seat is None:
            return {gap: "", f"{gap}_of": "", f"{gap}_cards": ""}
        cards = self.phrases.cards(after.counts[seat - 1]) if 1 <= seat <= len(after.counts) else ""
        return {f"{gap}_cards": cards, **self.phrases.seat_fields(after, seat, gap)}

    def _differences(self) -> Iterator[Utterance]:
        before, after, language = self.moment.before, self.moment.after, self.phrases.language
        is_turned = after.round is not None and after.round.is_turned
        laid = is_turned and after.top != before.top
        if not is_turned:
            yield self._utter("now.nothing", {})
        elif laid:
            yield self._utter("now.top", {"card": language.card(after.top)})
        if is_turned and (after.colour != before.colour or (laid and (after.top is None or after.top.is_wild))):
            if after.colour is None:
                yield self._utter("now.colour_none", {})
            else:
                yield self._utter("now.colour", {"colour": language.colour(after.colour)})
        if after.direction != before.direction:
            yield self._utter("now.direction", {"direction": self.phrases.direction(after.direction)})
        for seat in after.settings.seats:
            if seat in before.out and seat not in after.out:
                yield self._utter("now.again", self._seat(seat))
            cards, points = after.counts[seat - 1], after.scores[seat - 1]
            if cards != before.counts[seat - 1]:
                yield self._utter("now.count", {"cards": self.phrases.cards(cards), **self._seat(seat)})
            if points != before.scores[seat - 1]:
                yield self._utter("now.score", {"points": self.phrases.points(points), **self._seat(seat)})

    # What happens next

    def _what_now(self) -> Iterator[Utterance]:
        before, after = self.moment.before, self.moment.after
        question = after.pending
        if question is not None and not question.late:
            if question != before.pending or self.moment.corrected:
                yield self._utter(*self.phrases.asked(after, question), Priority.URGENT)
            return
        if after.phase == "between" and before.phase != "between" and after.dealer is not None:
            yield self._utter("turn.deal", self._seat(after.dealer), Priority.TURN)
        if after.turn is None or after.round is None or not after.round.is_turned:
            return
        if turn := self._turn(before, after, after.turn):
            late = self.phrases.sentence("turn.late", turn[1])
            yield replace(self._utter(*turn, Priority.TURN), late=late)

    def _turn(self, before: MatchState, after: MatchState, seat: int) -> Sentence | None:
        event = self.moment.event
        fields = turn_fields(self.phrases, after, seat)
        if seat != before.turn or self.moment.corrected:
            return "turn.next", fields
        if self._is_refused:
            return ("turn.still", fields) if isinstance(event, (ev.Play, ev.Draw, ev.Pass)) else None
        if isinstance(event, _QUIET):
            return None
        return ("turn.again" if isinstance(event, ev.Play) else "turn.next"), fields


def turn_fields(phrases: Phrases, state: MatchState, seat: int) -> dict[str, object]:
    """The gaps of a sentence about whose turn it is."""
    return {
        **phrases.seat_fields(state, seat),
        "cards": phrases.cards(state.counts[seat - 1]),
        "top": phrases.top(state.top, state.colour),
        "direction": phrases.direction(state.direction),
    }


def standing(phrases: Phrases, state: MatchState, version: int) -> Iterator[Utterance]:
    """Where a match stands, for those who missed what happened."""
    if state.pending is not None and not state.pending.late:
        text = phrases.sentence(*phrases.asked(state, state.pending))
        yield Utterance(text, Priority.URGENT, f"question.{state.pending.kind}", version)
    elif state.turn is not None and state.round is not None and state.round.is_turned:
        fields = turn_fields(phrases, state, state.turn)
        yield Utterance(phrases.sentence("turn.late", fields), Priority.TURN, "turn.late", version)


_LEADS: Final[Mapping[type[ev.Event], Any]] = {
    ev.Deal: Telling._deal,
    ev.Start: Telling._start,
    ev.Play: Telling._play,
    ev.Draw: Telling._draw,
    ev.Discard: Telling._discard,
    ev.Pass: Telling._pass,
    ev.Challenge: Telling._challenge,
    ev.Hand: Telling._hand,
    ev.Points: Telling._points,
    ev.Undo: Telling._undo,
    ev.Amend: Telling._amend,
}
"""Events that have a sentence of their own; the others are told by their rulings."""
