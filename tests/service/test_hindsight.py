"""A mistake of the eyes is found out by what follows, and one that is none stays as it was seen."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import pytest

from models.bench_table import plays_right
from referee.cards import Card, Colour
from referee.events import Amend, Draw, Event, NameColour, Play, Uno
from referee.judge import judge, new_match
from referee.ledger import Ledger
from referee.options import MatchSettings
from referee.record import plain, replay
from referee.rulings import CannotBePlayed
from service.hindsight import HindsightSettings
from service.onlooker import Onlooker
from tests.service.acted import Acted
from vision.changes import CardLaid, CardsDrawn, CardTaken, TableChange

FROM = {1: 20.0, 2: 92.0, 3: 164.0, 4: 236.0, 5: 308.0}
"""Where the hands of five come from."""


class Evening:
    """A table of five that has seen everybody play once; it revises its record when that is clear."""

    def __init__(self) -> None:
        self.ledger = Ledger(MatchSettings(players=("Anna", "Bram", "Cleo", "Daan", "Elin"), dealer=5))
        self.onlooker, self.revisions = Onlooker(5), 0
        for name, seat in (("R5", 5), ("R1", 1), ("R2", 2), ("R3", 3), ("R4", 4), ("R6", 5)):
            self.lays(seat, name)

    def note(self, event: Event) -> int:
        line = self.ledger.add(event).line
        self.onlooker.noted(event, line)
        return line

    def sees(self, change: TableChange) -> None:
        for event in self.onlooker.events(change, self.ledger.state):
            self.note(event)
        self.look_back()

    def look_back(self) -> None:
        revision = self.onlooker.hindsight.revision(self.ledger)
        if revision is not None and revision.clear:
            self.onlooker.revised(revision, self.note)
            self.revisions += 1

    def lays(self, seat: int, card: str = "", **shares: float) -> None:
        faces = [(Card.parse(name), share) for name, share in shares.items() if share]
        faces = faces or [(Card.parse(card), 0.99)]
        self.sees(CardLaid(faces[0][0], faces[0][1], 10, 9, None, FROM[seat], tuple(faces)))

    def draws(self, seat: int, times: int = 1) -> None:
        for _ in range(times):
            self.sees(CardsDrawn(1, 0.9, 10, 9, FROM[seat]))

    def plays(self, last: int) -> list[str]:
        """The last plays that count: seat and card."""
        plays = [judged.event for judged in self.ledger.history if isinstance(judged.event, Play)]
        return [f"{play.seat} {play.card}" for play in plays][-last:]


def test_a_reverse_taken_for_a_draw_two_is_found_by_the_hands_that_come() -> None:
    evening = Evening()
    evening.lays(1, RD=0.6, RS=0.3, RR=0.09)
    assert evening.plays(1) == ["1 RD"]
    for seat, card in ((5, "R7"), (4, "R8"), (3, "R9")):
        evening.lays(seat, card)
    assert evening.plays(4) == ["1 RR", "5 R7", "4 R8", "3 R9"]
    assert evening.ledger.state.turn == 2 and evening.ledger.state.direction == -1 and evening.revisions == 1


def test_a_reverse_that_the_eyes_did_not_think_of_is_found_as_well() -> None:
    evening = Evening()
    evening.lays(1, R8=0.97, R3=0.02)
    for seat, card in ((5, "R7"), (4, "R1"), (3, "R9"), (2, "R2")):
        evening.lays(seat, card)
    assert evening.plays(5) == ["1 RR", "5 R7", "4 R1", "3 R9", "2 R2"]


def test_a_legal_card_taken_for_one_that_is_not_is_found_by_those_that_match_it() -> None:
    evening = Evening()
    evening.lays(1, B9=0.93, R9=0.06)
    assert evening.ledger.state.turn == 1 and evening.plays(1) == ["1 B9"]
    for seat, card in ((2, "R7"), (3, "R8"), (4, "R0")):
        evening.lays(seat, card)
    assert evening.plays(4) == ["1 R9", "2 R7", "3 R8", "4 R0"] and evening.ledger.state.turn == 5


def test_what_nobody_can_name_does_not_stop_the_game() -> None:
    evening = Evening()
    evening.lays(1, B9=0.99)
    for seat, card in ((2, "G4"), (3, "G2"), (4, "G6"), (5, "G1")):
        evening.lays(seat, card)
    assert evening.plays(4) == ["2 G4", "3 G2", "4 G6", "5 G1"] and evening.ledger.state.turn == 1


def test_words_said_meanwhile_are_those_of_the_seat_that_was_asked() -> None:
    evening = Evening()
    evening.lays(1, RS=0.6, RR=0.3)
    evening.lays(5, "W")
    evening.note(NameColour(evening.ledger.state.turn or 0, Colour.BLUE))
    for seat, card in ((4, "B1"), (3, "B2"), (2, "B4")):
        evening.lays(seat, card)
    assert evening.plays(5) == ["1 RR", "5 W", "4 B1", "3 B2", "2 B4"]
    assert not {"unexplained", "open_question"} & {ruling.key for _, ruling in evening.ledger.rulings}


def test_one_hand_from_elsewhere_changes_nothing() -> None:
    evening = Evening()
    for seat, card in ((1, "R7"), (4, "R8"), (3, "R9"), (4, "R0")):
        evening.lays(seat, card)
    assert evening.plays(3) == ["2 R8", "3 R9", "4 R0"] and not evening.revisions


def test_a_misplay_that_goes_back_stays_a_misplay() -> None:
    evening = Evening()
    evening.lays(1, B9=0.95, R9=0.05)
    evening.sees(CardTaken(Card.parse("B9"), 0.9, 12, 11, FROM[1]))
    for seat, card in ((1, "R7"), (2, "R8"), (3, "R0")):
        evening.lays(seat, card)
    assert evening.plays(4) == ["1 B9", "1 R7", "2 R8", "3 R0"] and not evening.revisions


def test_what_a_person_says_stays_said() -> None:
    evening = Evening()
    evening.lays(1, RD=0.6, RS=0.3, RR=0.09)
    evening.note(Amend(evening.ledger.history[-1].line, Card.parse("RS")))
    for seat, card in ((5, "R7"), (4, "R8"), (3, "R9")):
        evening.lays(seat, card)
    assert "1 RS" in evening.plays(9)


def test_a_wild_draw_four_that_looked_like_no_wild_is_found_by_the_colour_that_is_named() -> None:
    evening = Evening()
    evening.lays(1, R0=0.4, R8=0.3, R6=0.2)
    evening.note(NameColour(1, Colour.GREEN))
    evening.draws(2, 4)
    evening.lays(3, "G8")
    assert evening.plays(2) == ["1 W4", "3 G8"] and evening.ledger.state.turn == 4


def test_a_wild_that_nobody_saw_is_known_by_the_colour_that_is_named() -> None:
    evening = Evening()
    evening.lays(1, "R7")
    evening.note(NameColour(2, Colour.GREEN))
    evening.draws(3, 4)
    evening.lays(4, "G8")
    assert evening.plays(3) == ["1 R7", "2 W4", "4 G8"] and evening.ledger.state.turn == 5


def test_a_draw_that_nobody_saw_after_one_that_was_seen_is_found_by_whose_hand_comes() -> None:
    evening = Evening()
    evening.draws(1)
    for seat, card in ((3, "R7"), (4, "R8"), (5, "R9")):  # 2 drew
        evening.lays(seat, card)
    assert evening.plays(3) == ["3 R7", "4 R8", "5 R9"] and evening.ledger.state.turn == 1


def test_a_hand_beside_the_one_that_owes_cards_draws_them() -> None:
    evening = Evening()
    evening.lays(1, "RD")
    beside = FROM[2] + 40
    for _ in range(2):
        evening.sees(CardsDrawn(1, 0.9, 10, 9, beside))
    for seat, card in ((3, "R7"), (4, "R8")):
        evening.lays(seat, card)
    owed = [judged.event.seat for judged in evening.ledger.history if isinstance(judged.event, Draw)]
    assert evening.plays(3) == ["1 RD", "3 R7", "4 R8"] and set(owed) == {2}


def test_a_wild_seen_twice_under_one_hand_was_laid_once() -> None:
    evening = Evening()
    evening.onlooker.hindsight._settings = HindsightSettings(beam=8)  # as many ways as are left late in a game
    evening.lays(1, "W")
    evening.lays(1, "W")
    evening.note(NameColour(1, Colour.RED))
    evening.lays(2, "RD")
    evening.draws(3, 2)
    evening.lays(4, "R5")
    assert evening.plays(4) == ["5 R6", "1 W", "2 RD", "4 R5"] and evening.ledger.state.turn == 5


def test_a_hand_that_touched_the_draw_pile_drew_nothing_whatever_else_is_told_anew() -> None:
    evening = Evening()
    evening.draws(1)
    evening.lays(2, "R8")
    evening.sees(CardsDrawn(1, 0.2, 10, 9, FROM[3]))
    evening.lays(3, RD=0.6, RS=0.3, RR=0.09)
    for seat, card in ((2, "R7"), (1, "R0"), (5, "R9"), (4, "R4")):
        evening.lays(seat, card)
    drew = [judged.event.seat for judged in evening.ledger.history if isinstance(judged.event, Draw)]
    assert evening.plays(5) == ["3 RR", "2 R7", "1 R0", "5 R9", "4 R4"] and drew == [1]


@pytest.mark.parametrize("seed", range(8))
def test_no_misplay_is_read_away_in_whole_games(seed: int) -> None:
    game = Acted(seed, 2 + seed % 5, misplays=0.15)
    rulings = replay(game.watched()).rulings
    backs = [ruling.card for _, ruling in rulings if isinstance(ruling, CannotBePlayed)]
    missing = [card for card in game.misplayed if card not in backs]
    assert game.misplayed and not missing


def right(games: Iterable[Acted]) -> float:
    counts = [plays_right(plain(game.record()), plain(game.watched())) for game in games]
    return sum(found for found, _ in counts) / sum(every for _, every in counts)


def test_whole_games_stay_in_step_whatever_the_eyes_mistake() -> None:
    assert right(Acted(seed, 2 + seed % 5, close=0.05) for seed in range(5)) > 0.95
    assert right(Acted(seed, 2 + seed % 5, blunders=0.03) for seed in range(5)) > 0.9


@pytest.mark.parametrize("seed", [31, 54, 56])
def test_a_draw_that_nobody_saw_is_found_when_the_last_card_did_not_end_the_round(seed: int) -> None:
    game = Acted(seed, 2 + seed % 5, strangers=0.0)
    unseen, state = None, new_match(game.settings)
    for event, after in pairwise(game.truth):
        if isinstance(event, Draw) and isinstance(after, Play) and state.counts[event.seat - 1] == 1:
            unseen = unseen or (event.seconds if event.cards is None and after.seat == event.seat else None)
        state = judge(state, event).match
    game.changes = [seen for seen in game.changes if not (isinstance(seen, CardsDrawn) and seen.seconds == unseen)]
    assert unseen is not None and plain(game.watched()) == plain(game.record())


def test_undos_that_lead_back_are_counted_amendments_among_them() -> None:
    evening = Evening()
    ledger, lines = evening.ledger, len(evening.ledger.history)
    evening.lays(1, "R7")
    evening.note(Amend(ledger.history[-1].line, Card.parse("R9")))
    evening.note(Uno(1))
    assert [ledger.undos_to(count) for count in (lines, lines + 1, lines + 2, lines + 3)] == [3, 1, 0, None]
    evening.note(Amend(ledger.history[2].line, Card.parse("R9")))
    assert ledger.undos_to(lines) is None and ledger.undos_to(lines + 2) == 0
