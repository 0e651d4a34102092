"""Whole matches: every ruling in order, the same from any beginning, and the same text back."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path

import pytest

from referee.events import Amend, Undo
from referee.ledger import Ledger
from referee.record import ledger, parse, plain, replay
from referee.rulings import Decided
from tests.referee.golden import CORRECTED, GAMES, MATCHES, TAKEN_UP, record_of, verdicts

RECORDS = sorted(GAMES.glob("*.trn"))
UNTOLD = {"round": None, "rulings": None}
"""What the record of a position cannot know: how many rounds there were, and what was ruled in them."""


def text_at(name: str) -> str:
    return (GAMES / f"{name}.trn").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_golden_game(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert str(parse(text)) == text
    assert verdicts(text) == path.with_suffix(".jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_match_may_be_taken_up_anywhere(path: Path) -> None:
    record = parse(path.read_text(encoding="utf-8"))
    middle = len(record.lines) // 2
    taken_up = ledger(parse("\n".join(record.lines[:middle]) + "\n"))
    for event in record.events[middle:-1]:
        assert event is not None
        taken_up.add(event)
    assert taken_up.state == replay(record).state
    assert taken_up.rulings == replay(record).rulings


def test_all_golden_games_are_there() -> None:
    assert {path.stem for path in RECORDS} == {*MATCHES, *CORRECTED, *TAKEN_UP}
    played = [parse(text_at(name)).settings for name in MATCHES]
    assert {len(settings.players) for settings in played} == set(range(2, 11))
    assert {(settings.mode, settings.deck) for settings in played} == {
        (mode, deck) for mode in ("points", "elimination", "teams") for deck in ("108", "112")
    }
    for derived in (CORRECTED, TAKEN_UP):
        assert {parse(text_at(name)).settings.mode for name in derived} == {"points", "elimination", "teams"}


@pytest.mark.parametrize("name", MATCHES)
def test_the_naive_game_ends_where_the_golden_game_does(name: str) -> None:
    game = deepcopy(MATCHES[name])
    game.play()
    assert record_of(game) == text_at(name)
    end = json.loads((GAMES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert {key: end[key] for key in game.truths[-1]} == game.truths[-1]
    assert end["match_winner"] is not None


@pytest.mark.parametrize("name", CORRECTED)
def test_a_corrected_match_is_the_match_itself(name: str) -> None:
    written, happened = parse(text_at(name)), replay(parse(text_at(CORRECTED[name])))
    assert {Undo, Amend} <= set(map(type, written.events))
    assert replay(written).state == happened.state
    assert [ruling for _, ruling in replay(written).rulings] == [ruling for _, ruling in happened.rulings]
    assert plain(written) == plain(happened.record)


@pytest.mark.parametrize("name", TAKEN_UP)
def test_a_match_taken_up_in_a_position_ends_as_it_did(name: str) -> None:
    written, happened = replay(parse(text_at(name))), replay(parse(text_at(TAKEN_UP[name])))
    assert written.record.settings.is_position
    said = [ruling for _, ruling in written.rulings if not isinstance(ruling, Decided)]
    assert said == [ruling for _, ruling in happened.rulings if not isinstance(ruling, Decided)][-len(said) :]
    assert written.public() | UNTOLD == happened.public() | UNTOLD


@pytest.mark.parametrize("name", [*CORRECTED, *TAKEN_UP])
def test_any_beginning_of_a_corrected_match_is_the_match_so_far(name: str) -> None:
    record = parse(text_at(name))
    live = Ledger(record.settings, first_line=record.events.index(next(filter(None, record.events))) + 1)
    for line, event in enumerate(record.events, start=1):
        if event is not None:
            live.add(event)
            if line % 37 == 0:
                begun = replay(parse("\n".join(record.lines[:line])))
                assert (begun.state, begun.rulings) == (live.state, live.rulings)
