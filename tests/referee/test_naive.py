"""The referee against the naive game: the same table after every single line, and no fault in a legal game."""

from __future__ import annotations

from random import Random

import pytest

from referee.ledger import Ledger
from referee.public import public
from referee.record import parse
from tests.referee.naive import Game

FAULTS = {"cannot_be_played", "census", "unexplained", "open_question", "count_mismatch", "late_catch", "false_catch"}
TABLES = [
    *((players, "points", "108") for players in range(2, 11)),
    *((players, "points", "112") for players in (2, 3, 6)),
    *((players, "elimination", "108") for players in (2, 3, 4, 7)),
    (5, "elimination", "112"),
    (4, "teams", "108"),
    (4, "teams", "112"),
]


@pytest.mark.parametrize("seed", (1, 2))
@pytest.mark.parametrize(("players", "mode", "deck"), TABLES)
def test_the_referee_agrees_with_a_naive_game(players: int, mode: str, deck: str, seed: int) -> None:
    game = Game(Random(seed * 100 + players), players, mode, deck)
    game.play(limit=250)
    record = parse("\n".join((*game.header(), *game.lines)))
    ledger = Ledger(record.settings)
    for event, truth, line in zip(record.events[4:], game.truths, game.lines, strict=True):
        assert event is not None
        step = ledger.add(event)
        state = public(step.state)
        assert {key: state[key] for key in truth} == truth, line
        assert not [ruling for ruling in step.rulings if ruling.key in FAULTS], line


def test_naive_games_reach_the_rare_rules() -> None:
    games = [Game(Random(seed), players, "points", "112") for seed in range(12) for players in (3, 10)]
    for game in games:
        game.play(limit=1000)
    lines = [line for game in games for line in game.lines]
    assert sum(game.reshuffles for game in games) > 5
    for part in ("start W4", "challenge guilty", "challenge innocent", "catch", "WS>", "uno"):
        assert any(part in line for line in lines), part
