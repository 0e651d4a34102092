"""Sequences of lines from fixed hands, counted by the referee and by the naive game (tests/games/perft.toml)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from referee.record import event_of, line_for
from tests.referee import naive_moves, perft

DEALS = {deal["id"]: deal for deal in perft.deals()}
NAIVE = {deal.id: deal for deal in naive_moves.DEALS}


@pytest.mark.parametrize("deal", DEALS.values(), ids=DEALS)
def test_the_referee_allows_as_many_sequences_as_the_naive_game(deal: dict[str, Any]) -> None:
    known = perft.position(deal)
    assert perft.count(known, len(deal["sequences"])) == (deal["sequences"], deal["ended"])


def test_the_numbers_are_those_of_the_naive_game() -> None:
    assert list(DEALS) == list(NAIVE)
    for deal in naive_moves.DEALS:
        numbers = naive_moves.count(naive_moves.dealt(deal), deal.depth)
        assert numbers == (DEALS[deal.id]["sequences"], DEALS[deal.id]["ended"]), deal.id


@pytest.mark.parametrize("name", DEALS)
def test_both_allow_the_same_lines_and_leave_the_same_hands(name: str) -> None:
    random = Random(name)
    for _ in range(3):
        table, known = naive_moves.dealt(NAIVE[name]), perft.position(DEALS[name])
        for _ in range(12):
            lines = naive_moves.lines(table)
            assert sorted(lines) == sorted(map(line_for, perft.events(known)))
            if not lines:
                break
            line = random.choice(lines)
            event = event_of(line)
            assert event is not None
            table, known = naive_moves.follow(table, line), perft.follow(known, event)
            assert table.hands == [list(map(str, hand)) for hand in known.hands], line
