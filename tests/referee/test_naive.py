"""The referee against the naive game: the same table after every single line, and no fault in a legal game."""

from __future__ import annotations

from random import Random

import pytest

from referee.ledger import Ledger
from referee.public import public
from referee.record import parse
from tests.referee.naive import Game
from tests.referee.naive_house import HouseGame, LeavingGame

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
    assert faults_in(game) == set()


def faults_in(game: Game) -> set[str]:
    """The faults that the referee finds in a game; the table is the same for both after every line."""
    record = parse("\n".join((*game.header(), *game.lines)))
    ledger = Ledger(record.settings)
    faults: set[str] = set()
    for event, truth, line in zip(record.events[len(game.header()) :], game.truths, game.lines, strict=True):
        assert event is not None
        step = ledger.add(event)
        state = public(step.state)
        assert {key: state[key] for key in truth} == truth, line
        faults |= {ruling.key for ruling in step.rulings} & FAULTS
    return faults


@pytest.mark.parametrize("mode", ("points", "elimination"))
@pytest.mark.parametrize("players", (3, 4, 6, 9))
def test_the_referee_agrees_with_a_naive_game_that_people_leave(players: int, mode: str) -> None:
    game = LeavingGame(Random(players), players, mode)
    game.play(limit=250)
    assert any(line.startswith("leave") for line in game.lines)
    assert faults_in(game) == set()


HOUSE_RULES = [
    *((option, "") for option in ("stack", "stack_mixed", "seven_swap", "zero_rotate", "jump_in")),
    *((option, "") for option in ("draw_until_playable", "must_play_drawn", "no_action_finish")),
    *((option, "") for option in ("last_card_challenge", "first_wild=redraw", "misplay=draw2;false_catch=1")),
    *(
        ("", effect)
        for effect in ("others_draw=1", "next_draw=3", "skip_all", "dare=2 sing", "discard_wilds", "discard_colour")
    ),
    ("seven_swap;uno_after_swap=off;zero_rotate", ""),
    ("stack_mixed;jump_in;seven_swap;zero_rotate;must_play_drawn", "others_draw=1"),
]


@pytest.mark.parametrize("players", (2, 3, 5))
@pytest.mark.parametrize(("options", "custom"), HOUSE_RULES)
def test_the_referee_agrees_with_a_naive_game_of_house_rules(options: str, custom: str, players: int) -> None:
    mistakes = 0.1 if "misplay" in options else 0.0
    game = HouseGame(Random(players), players, deck_kind="112", options=options, custom=custom, mistakes=mistakes)
    game.play(limit=400)
    assert faults_in(game) - {"late_catch"} == ({"cannot_be_played", "false_catch"} if mistakes else set())


def test_the_referee_agrees_with_naive_players_who_speak_too_late() -> None:
    game = HouseGame(Random(0), 4, target=300, mistakes=0.12)
    game.play(limit=300)
    assert faults_in(game) == {"cannot_be_played", "false_catch", "late_catch"}


def test_naive_games_reach_the_rare_rules() -> None:
    games = [Game(Random(seed), players, "points", "112") for seed in range(12) for players in (3, 10)]
    for game in games:
        game.play(limit=1000)
    lines = [line for game in games for line in game.lines]
    assert sum(game.reshuffles for game in games) > 5
    for part in ("start W4", "challenge guilty", "challenge innocent", "catch", "WS>", "uno"):
        assert any(part in line for line in lines), part
