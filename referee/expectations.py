"""What may come next: the cards that may be laid and the events that a page offers as buttons.

Both agree with `judge`: a card of `legal_plays` is neither sent back nor a census fault, an event of `expected_events`
is neither unexplained nor a false alarm.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.cards import FACES, Card, Colour
from referee.challenges import INNOCENT_EXTRA
from referee.events import (
    Catch,
    Challenge,
    ChooseRule,
    Deal,
    Discard,
    Draw,
    Event,
    Hand,
    Leave,
    NameColour,
    Pass,
    Play,
    Points,
    Reshuffle,
    Start,
    Swap,
    Uno,
    Void,
)
from referee.piles import is_used_up
from referee.plays import ready_to_play, unplayable
from referee.state import MatchState, Question, RoundState
from referee.turns import go_on, may_play, must_draw_on


def legal_plays(state: MatchState, seat: int | None = None) -> frozenset[Card]:
    """The faces that `seat` (by default: whoever may be next) may lay now and that the deck still has (R2.3, R4.1)."""
    round = state.round
    if round is None or state.phase != "playing":
        return frozenset()
    seats = seats_to_play(state) if seat is None else (seat,)
    return frozenset(
        card for card in FACES if not is_used_up(round, card) and any(_may_lay(round, Play(s, card)) for s in seats)
    )


def seats_to_play(state: MatchState) -> tuple[int, ...]:
    """The seats whose card the next one on the pile can be, the likeliest first.

    Several after a draw (the drawn card, or the next seat's play that implies keeping it) and after a challenge without
    a verdict. While a Wild Draw Four may be challenged it is not the seat asked, but the one after it. Where penalties
    are stacked, the seat asked comes last, and may lay only what `legal_plays(state, seat)` says.
    """
    round = state.round
    if round is None or state.phase != "playing":
        return ()
    seats = may_play(round)
    asked = round.question.seat if round.question else None
    if asked is not None and asked not in seats and any(_may_lay(round, Play(asked, card)) for card in FACES):
        return (*seats, asked)
    return seats


def _may_lay(round: RoundState, play: Play) -> bool:
    if play.seat not in round.seats:
        return False
    ready = ready_to_play(round, play)
    return ready is not None and unplayable(ready.round, play) is None


def expected_events(state: MatchState) -> tuple[Event, ...]:
    """All that may sensibly happen next, without undo and amend, which always may.

    An event here is a template where something is free: `Play` and `Start` have no card (`legal_plays` has them),
    `Points` has 0, `Hand` has as many unread cards as the seat holds, `Discard` has none.
    """
    if state.phase == "over":
        return ()
    if state.phase == "between":
        return (*_between(state), *_always(state))
    if state.phase == "counting":
        return (*_counting(state), Void(), *_always(state))
    assert state.round is not None
    if not state.round.is_turned:
        return (Start(None), *map(Deal, state.seats), Void(), *_always(state))
    return (*dict.fromkeys(_playing(state.round)), Void(), *_always(state))


def _always(state: MatchState) -> Iterator[Event]:
    yield from map(Leave, state.seats)


def _between(state: MatchState) -> Iterator[Event]:
    for seat in state.drawing_for_deal:
        yield Hand(seat, (None,))
    if state.dealer is not None:
        yield Deal(state.dealer)
        yield Start(None)
    yield from (Deal(seat) for seat in state.seats if seat != state.dealer)


def _counting(state: MatchState) -> Iterator[Event]:
    for seat in state.uncounted:
        yield Hand(seat, (None,) * state.counts[seat - 1])
        yield Points(seat, 0)


def _playing(round: RoundState) -> Iterator[Event]:
    for question in round.questions:
        yield from _answers(round, question)
        if question.kind != "verdict" and question.cards > round.owed[question.seat - 1]:
            yield Draw(question.seat, question.cards)
    for seat in may_play(round):
        yield from _turn(round, seat)
    yield from (Draw(seat, owed) for seat, owed in enumerate(round.owed, start=1) if owed)
    yield from _uno(round)
    if round.discards > 1 or round.reshuffle_unseen:
        yield Reshuffle()


def _turn(round: RoundState, seat: int) -> Iterator[Event]:
    yield Play(seat, None)
    ready = go_on(round, seat)
    assert ready is not None
    if not round.owed[seat - 1] and (not ready.round.drawn or round.settings.options.draw_until_playable):
        yield Draw(seat)
    if not must_draw_on(ready.round):
        yield Pass(seat)


def _uno(round: RoundState) -> Iterator[Event]:
    following = may_play(round)
    for seat in round.seats:
        early = round.count(seat) == 2 and seat in following and round.early_call != seat
        if early or seat in round.catchable or seat in round.missed:
            yield Uno(seat)
    for target in round.catchable:
        yield from (Catch(seat, target) for seat in round.seats if seat != target)


def _answers(round: RoundState, question: Question) -> Iterator[Event]:
    seat = question.seat
    if question.kind == "colour":
        yield from (NameColour(seat, colour) for colour in Colour)
    elif question.kind == "swap":
        yield from (Swap(seat, partner) for partner in round.seats if partner != seat)
    elif question.kind in ("challenge", "verdict"):
        yield from _challenge(question)
    elif question.house == "which":
        yield from (ChooseRule(seat, number) for number in range(1, len(round.settings.custom) + 1))
    elif question.house in ("stack", "dare"):
        yield Pass(seat)
    else:
        yield Discard(seat, ())


def _challenge(question: Question) -> Iterator[Event]:
    seat = question.seat
    yield from (Challenge(seat, "guilty"), Challenge(seat, "innocent"))
    if question.kind == "challenge":
        yield Challenge(seat)
    else:
        yield from (Draw(question.target, question.cards), Draw(seat, question.cards + INNOCENT_EXTRA))
    yield Pass(seat)
