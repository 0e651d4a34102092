from collections.abc import Iterable
from dataclasses import replace

import pytest

from referee.cards import Card, Colour
from referee.events import Amend, Challenge, Deal, Draw, Event, NameColour, Play, Reshuffle, Start, Uno
from referee.ledger import Ledger
from referee.options import MatchSettings
from referee.record import line_for
from referee.state import MatchState
from service.onlooker import Onlooker
from vision.changes import CardLaid, CardsDrawn, CardTaken, PileReshuffled, TableChange, ViewBack, ViewLost

FROM = {1: 0.0, 2: 90.0, 3: 180.0, 4: 270.0}
"""Where the four hands come from."""


class Evening:
    """A table of four with an onlooker who has seen everybody play once."""

    def __init__(self, start: str = "R5", dealer: int | None = 4) -> None:
        self.ledger = Ledger(MatchSettings(players=("Anna", "Bram", "Cleo", "Daan"), dealer=dealer))
        self.onlooker = Onlooker(4)
        if start:
            self.lays(start, 4)
            for seat, name in enumerate(("R1", "R2", "R3", "R4"), start=1):
                self.lays(name, seat)

    def tells(self, event: Event) -> None:
        self.onlooker.noted(event, self.ledger.add(event).line)

    def sees(self, change: TableChange) -> list[str]:
        """The lines that a change means."""
        events = self.onlooker.events(change, self.ledger.state)
        for event in events:
            self.tells(event)
        return [line_for(event).partition(" @")[0] for event in events]

    def lays(self, name: str | None, seat: int | None) -> list[str]:
        card = Card.parse(name) if name else None
        return self.sees(CardLaid(card, 0.9, 10, 9, None, FROM.get(seat or 0)))

    def draws(self, seat: int, times: int = 1) -> list[str]:
        return [line for _ in range(times) for line in self.sees(CardsDrawn(1, 0.9, 10, 9, FROM[seat]))]


def test_the_first_card_starts_the_round_with_the_deal_it_implies() -> None:
    assert Evening(start="").lays("G4", 4) == ["deal 4", "start G4"]


def test_without_a_known_dealer_the_first_card_means_nothing_yet() -> None:
    assert Evening(start="", dealer=None).lays("G4", 4) == []


def test_after_a_told_deal_the_first_card_is_turned() -> None:
    evening = Evening(start="")
    evening.tells(Deal(2))
    assert evening.lays("G4", 4) == ["start G4"]


def test_a_card_is_that_of_the_seat_in_turn_wherever_the_hand_came_from() -> None:
    assert Evening().lays("R6", 3) == ["1 R6"]


def test_an_event_carries_time_and_confidence() -> None:
    evening = Evening()
    change = CardLaid(Card.parse("R6"), 0.7, 12.5, 11.0)
    assert evening.onlooker.events(change, evening.ledger.state) == (
        Play(1, Card.parse("R6"), seconds=12.5, confidence=0.7),
    )


def test_a_card_that_was_not_read_is_a_play_all_the_same() -> None:
    assert Evening().lays(None, 1) == ["1 ??"]


def test_one_who_draws_and_lays_plays_the_drawn_card() -> None:
    evening = Evening()
    assert evening.draws(1) == ["1 draw"]
    assert evening.lays("R6", 1) == ["1 R6"]
    assert evening.ledger.state.turn == 2


def test_one_who_draws_and_keeps_is_told_by_the_next_hand() -> None:
    evening = Evening()
    evening.draws(1)
    assert evening.lays("R6", 2) == ["2 R6"]
    assert evening.ledger.state.turn == 3


def test_two_who_draw_one_after_the_other() -> None:
    evening = Evening()
    assert evening.draws(1) + evening.draws(2) + evening.draws(3) == ["1 draw", "2 draw", "3 draw"]


def test_penalty_cards_are_counted_one_by_one_and_the_next_draw_is_the_next_seats() -> None:
    evening = Evening()
    evening.lays("RD", 1)
    assert evening.draws(2, 2) == ["2 draw 1", "2 draw 1"]
    assert evening.draws(3) == ["3 draw"]


def test_a_penalty_taken_in_one_grip_leaves_nothing_to_the_next_seat() -> None:
    evening = Evening()
    evening.lays("RD", 1)
    evening.draws(2)
    assert evening.draws(3) == ["3 draw"]
    assert evening.lays("R6", 3) == ["3 R6"]


def test_drawing_accepts_a_wild_draw_four() -> None:
    evening = Evening()
    evening.lays("W4", 1)
    evening.tells(NameColour(1, Colour.BLUE))
    assert evening.draws(2, 4) == ["2 draw 1"] * 4
    assert evening.lays("B6", 3) == ["3 B6"]
    assert not {"unexplained", "implied_draw"} & {ruling.key for _, ruling in evening.ledger.rulings}


def test_the_guilty_one_draws_after_a_challenge() -> None:
    evening = Evening()
    evening.lays("W4", 1)
    evening.tells(NameColour(1, Colour.BLUE))
    evening.tells(Challenge(2, "guilty"))
    assert evening.draws(1, 4) == ["1 draw 1"] * 4
    assert evening.lays("B6", 2) == ["2 B6"]


def test_hands_at_the_draw_pile_mean_nothing_between_rounds() -> None:
    assert Evening(start="").draws(1) == []


def test_a_card_taken_back_is_undone_with_what_was_said_about_it() -> None:
    evening = Evening()
    evening.lays("W", 1)
    evening.tells(NameColour(1, Colour.BLUE))
    evening.tells(Uno(1))
    assert evening.sees(CardTaken(Card.parse("W"), 0.9, 12, 11)) == ["undo"] * 3
    assert evening.ledger.state.top == Card.parse("R4")
    assert evening.ledger.state.turn == 1


def test_a_card_that_could_not_be_played_goes_back_without_a_word() -> None:
    evening = Evening()
    evening.lays("B9", 1)
    assert evening.sees(CardTaken(Card.parse("B9"), 0.9, 12, 11)) == []
    assert evening.ledger.state.turn == 1


def with_left(evening: Evening, left: int) -> MatchState:
    """Where the match stands, with so many cards left in the draw pile."""
    state = evening.ledger.state
    assert state.round is not None
    return replace(state, round=replace(state.round, draw_pile=left))


@pytest.mark.parametrize(("sure", "left", "told"), [(0.9, 4, 1), (0.4, 1, 1), (0.4, 10, 0), (0.9, 60, 0)])
def test_a_pile_left_bare_was_reshuffled_when_the_draw_pile_was_low(sure: float, left: int, told: int) -> None:
    evening = Evening()
    events = evening.onlooker.events(PileReshuffled(12, 11, sure), with_left(evening, left))
    assert events == (Reshuffle(seconds=12),) * told


@pytest.mark.parametrize(("took", "drawn"), [(1, []), (3, ["1 draw"])])
def test_the_hand_that_brings_the_shuffled_cards_draws_none(took: int, drawn: list[str]) -> None:
    evening = Evening()
    evening.onlooker.events(PileReshuffled(9, 8, 0.9, FROM[took]), with_left(evening, 3))
    assert evening.draws(1) == drawn
    assert evening.draws(1) != drawn


@pytest.mark.parametrize("change", [ViewLost(3, "gone"), ViewBack(4)])
def test_the_view_is_no_event(change: TableChange) -> None:
    evening = Evening()
    assert evening.onlooker.events(change, evening.ledger.state) == ()


def test_a_start_is_undone_alone() -> None:
    evening = Evening(start="")
    evening.lays("G4", 4)
    assert evening.sees(CardTaken(Card.parse("G4"), 0.9, 12, 11)) == ["undo"]
    assert isinstance(evening.onlooker.events(CardLaid(Card.parse("B1"), 0.9, 10, 9), evening.ledger.state)[0], Start)


def lines(events: Iterable[Event]) -> list[str]:
    return [line_for(event) for event in events]


def test_draws_are_of_the_one_who_owes_when_no_hand_was_seen() -> None:
    evening = Evening()
    evening.lays("RD", 1)
    assert lines(evening.onlooker.events(CardsDrawn(1, 0.9, 10, 9), evening.ledger.state)) == ["2 draw 1 @10 ~0.9"]
    assert Draw(2, 1, seconds=10, confidence=0.9) in evening.onlooker.events(
        CardsDrawn(1, 0.9, 10, 9), evening.ledger.state
    )


def late(name: str) -> CardLaid:
    return CardLaid(Card.parse(name), 0.9, 10, 9, late=True)


def test_a_card_read_late_is_the_one_that_could_not_be_read_and_no_play_of_the_next_seat() -> None:
    evening = Evening()
    assert evening.lays(None, 1) == ["1 ??"]
    line = evening.ledger.next_line - 1
    assert evening.sees(late("R6")) == [f"amend {line} R6"]
    assert evening.ledger.state.turn == 2


def test_a_card_read_late_after_somebody_named_it_is_laid_as_any_other() -> None:
    evening = Evening()
    evening.lays(None, 1)
    evening.tells(Amend(evening.ledger.next_line - 1, Card.parse("R6")))
    assert evening.sees(late("R9")) == ["2 R9"]


def test_the_same_face_again_is_no_play_when_the_deck_has_no_other() -> None:
    evening = Evening()
    evening.lays("R0", 1)
    again = CardLaid(Card.parse("R0"), 0.9, 10, 9, again=True)
    assert evening.sees(again) == []
    evening.lays("R8", 2)
    assert evening.sees(CardLaid(Card.parse("R8"), 0.9, 10, 9, again=True)) == ["3 R8"]


def test_a_misreading_put_right_by_the_rules_is_taken_back_as_what_it_is() -> None:
    evening = Evening()
    close = ((Card.parse("G6"), 0.5), (Card.parse("R6"), 0.45))
    assert evening.sees(CardLaid(Card.parse("G6"), 0.5, 10, 9, faces=close)) == ["1 R6"]
    assert evening.sees(CardTaken(Card.parse("G6"), 0.9, 12, 11)) == ["undo"]


def test_a_hand_that_touches_the_draw_pile_draws_only_what_it_owes() -> None:
    evening = Evening()
    touched = CardsDrawn(1, 0.2, 10, 9, FROM[1])
    assert evening.sees(touched) == []
    evening.lays("RD", 1)
    assert evening.sees(CardsDrawn(1, 0.2, 12, 11, FROM[2])) == ["2 draw 1"]


def test_the_same_face_again_by_a_hand_of_somebody_else_is_the_card_itself_moved() -> None:
    evening = Evening()
    evening.lays("R8", 1)
    moved = [evening.sees(CardLaid(Card.parse("R8"), 0.9, 10, 9, None, FROM[seat], again=True)) for seat in (1, 3, 4)]
    assert moved == [[], [], []]
    assert evening.sees(CardLaid(Card.parse("R8"), 0.9, 10, 9, None, FROM[2], again=True)) == ["2 R8"]
