"""The end of a round and of the match: hands counted, points scored, seats out, the match won (R7)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from referee.cards import Card
from referee.events import Hand, Points
from referee.openings import ask_for_dealer, draw_for_deal
from referee.options import Mode
from referee.piles import changed, see_hand
from referee.rulings import CountMismatch, MatchWon, OpenQuestion, Out, RoundWon, Ruling, Unexplained, Voided
from referee.state import MatchOutcome, MatchState, RoundState, partner_of, replace


def points_of(cards: Iterable[Card | None]) -> int:
    """What a hand counts; a card that nobody could read counts nothing yet (R2.4)."""
    return sum(card.points for card in cards if card is not None)


def hand(match: MatchState, event: Hand) -> MatchOutcome:
    """A hand is shown: held against the hand count, then counted (R7.5)."""
    if match.phase == "between" and match.drawing_for_deal:
        return draw_for_deal(match, event)
    if match.round is None or not _may_be_counted(match, event.seat):
        return MatchOutcome(match, (Unexplained("hand", event.seat, "no_round"),))
    expected, read = match.round.count(event.seat), len(event.cards)
    if expected != read:
        return MatchOutcome(_unread(match, event.seat), (CountMismatch(event.seat, expected, read),))
    known = match.round.points[event.seat - 1] is not None
    seen = see_hand(match.round, () if known else event.cards)
    if None in event.cards:
        open_question = OpenQuestion("hand", event.seat, rule="R7.5")
        return MatchOutcome(_unread(match, event.seat), (*seen.rulings, open_question))
    counted = count(replace(match, round=seen.round), event.seat, points_of(event.cards))
    return MatchOutcome(counted.match, seen.rulings + counted.rulings)


def points(match: MatchState, event: Points) -> MatchOutcome:
    """The points of a hand are typed; that settles what could not be read (R7.5)."""
    if match.round is None or event.points < 0 or not _may_be_counted(match, event.seat):
        return MatchOutcome(match, (Unexplained("points", event.seat, "no_round"),))
    return count(match, event.seat, event.points)


def _may_be_counted(match: MatchState, seat: int) -> bool:
    """While hands are counted, or afterwards for a hand that the score did not wait for."""
    round = match.round
    if round is None or seat not in round.seats or round.ending in (None, "void"):
        return False
    return not round.scored or round.points[seat - 1] is None


def _unread(match: MatchState, seat: int) -> MatchState:
    assert match.round is not None
    return replace(match, round=replace(match.round, points=_put(match.round.points, seat, None)))


def _put(numbers: tuple[int | None, ...], seat: int, value: int | None) -> tuple[int | None, ...]:
    return (*numbers[: seat - 1], value, *numbers[seat:])


def count(match: MatchState, seat: int, value: int) -> MatchOutcome:
    """The hand of `seat` counts `value`; with the last hand the round is scored."""
    assert match.round is not None
    counted = replace(match, round=replace(match.round, points=_put(match.round.points, seat, value)))
    return score_when_counted(counted)


def score_when_counted(match: MatchState) -> MatchOutcome:
    """Scores the round once no hand is missing."""
    if match.phase != "counting" or match.round is None or match.uncounted:
        return MatchOutcome(match)
    scored = SCORING[match.settings.mode](match, match.round)
    done = replace(scored.match, round=replace(match.round, scored=True))
    return MatchOutcome(next_deal(done), scored.rulings)


def next_deal(match: MatchState) -> MatchState:
    """The deal passes over seats that are out."""
    dealer = match.dealer
    if dealer is not None and dealer not in match.seats:
        dealer = next((seat for seat in match.seats if seat > dealer), match.seats[0])
    return ask_for_dealer(replace(match, dealer=dealer))


def left_with(round: RoundState, seats: Iterable[int]) -> int:
    """The points in the hands of `seats`."""
    return sum(round.points[seat - 1] or 0 for seat in seats)


def fewest(values: dict[int, int]) -> int | None:
    """The key of the lowest value, unless several share it."""
    lowest = [key for key, value in values.items() if value == min(values.values())]
    return lowest[0] if len(lowest) == 1 else None


def score_points(match: MatchState, round: RoundState) -> MatchOutcome:
    """The winner scores what all the others hold; who reaches the target first wins (R7.2)."""
    winner = round.winner or fewest({seat: left_with(round, [seat]) for seat in round.seats})
    if winner is None:
        return MatchOutcome(match, (Voided(),))
    gained = left_with(round, (seat for seat in round.seats if seat != winner))
    return _scored(match, (winner,), winner, gained, "R7.2")


def score_teams(match: MatchState, round: RoundState) -> MatchOutcome:
    """The team scores the hands of both opponents only (R7.4)."""
    pairs = {seat: left_with(round, (seat, partner_of(seat))) for seat in (1, 2)}
    winner = round.winner or fewest(pairs)
    if winner is None:
        return MatchOutcome(match, (Voided(),))
    pair = tuple(sorted((winner, partner_of(winner))))
    gained = left_with(round, (seat for seat in round.seats if seat not in pair))
    return _scored(match, pair, winner, gained, "R7.4")


def _scored(match: MatchState, seats: tuple[int, ...], winner: int, gained: int, rule: str) -> MatchOutcome:
    scores = match.scores
    for seat in seats:
        scores = changed(scores, seat, gained)
    rulings: tuple[Ruling, ...] = (RoundWon(winner, gained, rule),)
    if scores[seats[0] - 1] < match.settings.target:
        return MatchOutcome(replace(match, scores=scores), rulings)
    return MatchOutcome(replace(match, scores=scores, winner=seats[0]), (*rulings, MatchWon(seats[0], rule)))


def score_elimination(match: MatchState, round: RoundState) -> MatchOutcome:
    """Everybody's total grows by the own hand; who reaches the target is out, the last one left wins (R7.3)."""
    scores = match.scores
    for seat in round.seats:
        scores = changed(scores, seat, left_with(round, [seat]))
    staying = [seat for seat in round.seats if scores[seat - 1] < match.settings.target]
    if not staying:  # nobody would remain: the lowest total wins, a tie among them is played out
        lowest = min(scores[seat - 1] for seat in round.seats)
        staying = [seat for seat in round.seats if scores[seat - 1] == lowest]
    leaving = tuple(seat for seat in round.seats if seat not in staying)
    won: tuple[Ruling, ...] = (RoundWon(round.winner, 0, "R7.3"),) if round.winner else ()
    rulings = (*won, *(Out(seat) for seat in leaving))
    after = replace(match, scores=scores, out=tuple(sorted((*match.out, *leaving))))
    return last_one_left(after, rulings, "R7.3")


def last_one_left(match: MatchState, rulings: tuple[Ruling, ...], rule: str) -> MatchOutcome:
    """The match is won when only one seat is left in it."""
    if len(match.seats) > 1:
        return MatchOutcome(match, rulings)
    winner = match.seats[0]
    return MatchOutcome(replace(match, winner=winner), (*rulings, MatchWon(winner, rule)))


SCORING: Final[dict[Mode, Callable[[MatchState, RoundState], MatchOutcome]]] = {
    "points": score_points,
    "teams": score_teams,
    "elimination": score_elimination,
}
