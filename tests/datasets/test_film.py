from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from datasets import deal
from datasets.deal import game
from datasets.film import Conditions, Studio, write_video
from datasets.script import Script, script
from datasets.simulate import film
from datasets.styles import random_style
from datasets.virtual_table import Camera, Placed, Pose, VirtualTable
from models.oracle import Faults, Oracle
from referee.cards import Card, Colour, deck_census
from referee.events import Catch, Deal, Draw, Event, Hand, NameColour, Pass, Play, Start, Uno
from referee.judge import judge, new_match
from referee.options import MatchSettings
from referee.record import append, new_record, parse, plain
from service.films import watch, words_of
from vision.frames import Frame, open_source

SMALL = Conditions(size=(640, 360), rate=8, card=(0.22, 0.24))
THREE = MatchSettings(players=("Anna", "Bram", "Cleo"), dealer=3)
ODD = {"unexplained", "cannot_be_played", "census", "open_question", "implied_draw", "count_mismatch", "not_your_turn"}


def card(name: str) -> Card:
    return Card.parse(name)


SHORT: list[Event] = [
    Deal(3),
    Start(card("R5")),
    Play(1, card("R7")),
    Draw(2),
    Pass(2),
    Play(3, card("RD")),
    Draw(1, 2),
    Draw(2),
    Play(2, card("W")),
    NameColour(2, Colour.BLUE),
    Play(3, card("B3")),
    Play(1, card("B3")),
]
"""A few turns with a drawn card kept, one laid, a penalty, a wild and the same face twice."""


def studio(events: list[Event], seed: int = 4, conditions: Conditions = SMALL) -> tuple[Script, Studio]:
    rng = np.random.default_rng(seed)
    plan = script(rng, events, seats=3, dealer=3)
    table = VirtualTable(rng, random_style(rng), conditions.size, 87, conditions.card)
    return plan, Studio(rng, table, plan, conditions)


@pytest.mark.parametrize("players", [2, 3, 6, 10])
def test_random_games_are_legal_and_end_with_the_hands_counted(players: int) -> None:
    settings = MatchSettings(players=tuple("ABCDEFGHIJ"[:players]), dealer=1)
    events = game(np.random.default_rng(players), settings, (20, 60))
    state = new_match(settings)
    keys: list[str] = []
    for event in events:
        outcome = judge(state, event)
        state, keys = outcome.match, keys + [ruling.key for ruling in outcome.rulings]
    assert ODD.isdisjoint(keys)
    assert "round_won" in keys and state.phase in ("between", "over")


def test_no_card_is_in_a_game_twice() -> None:
    events = game(np.random.default_rng(8), THREE, (20, 60))
    shown = [event.card for event in events if isinstance(event, (Play, Start))]
    held = [face for event in events if isinstance(event, Hand) for face in event.cards]
    census = deck_census("108")
    assert all([*shown, *held].count(face) <= census[face] for face in {*shown, *held} if face is not None)


def test_games_have_what_the_camera_cannot_see() -> None:
    kinds = {type(event) for seed in range(6) for event in game(np.random.default_rng(seed), THREE, (15, 80))}
    assert {Uno, NameColour, Catch, Pass, Draw, Hand} <= kinds


def test_a_game_of_impossible_length_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deal, "TRIES", 3)
    with pytest.raises(ValueError, match="3 players had no round of 500 to 510 plays"):
        game(np.random.default_rng(1), THREE, (500, 510))


def test_the_same_seed_gives_the_same_film() -> None:
    one, other = (film(3, 4, SMALL) for _ in range(2))
    assert str(one.record) == str(other.record)
    first, second = (next(iter(whole.studio.shots())).image for whole in (one, other))
    assert np.array_equal(first, second)
    assert str(film(4, 4, SMALL).record) != str(one.record)


def test_the_truth_is_a_record_with_rising_times() -> None:
    record = film(3, 2, SMALL).record
    times = [event.seconds for event in parse(str(record)).events if event is not None]
    assert None not in times and times == sorted(times)  # type: ignore[type-var]


def test_words_are_said_after_the_card_and_before_the_next_hand() -> None:
    plan, _ = studio(SHORT)
    [word] = [event for event in plan.events if isinstance(event, NameColour)]
    before = max(visit.change for visit in plan.visits if visit.change < (word.seconds or 0))
    after = min(visit.start for visit in plan.visits if visit.start > before)
    assert before + 0.9 < (word.seconds or 0) < after


def test_cards_look_right_under_the_camera() -> None:
    camera = Camera((640, 480), card_px=100, tilt=15, towards=40)
    quad = camera.quad(Pose(0, 0, 0))
    assert quad.mean(0) == pytest.approx((320, 240), abs=3)
    assert float(np.linalg.norm(quad[3] - quad[0])) == pytest.approx(100, rel=0.08)
    assert camera.quad(Pose(0, 0, 90))[0] == pytest.approx(quad[1] + (quad[1] - quad[0]) * 0.3, abs=30)


class Shot(NamedTuple):
    """A film in a file."""

    plan: Script
    video: Path
    truth: list[tuple[Placed, ...]]


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Shot:
    """The short film, shot once."""
    plan, camera = studio(SHORT)
    video = tmp_path_factory.mktemp("film") / "film.mp4"
    return Shot(plan, video, write_video(video, camera.shots(), SMALL.rate))


def test_the_truth_of_a_frame_is_what_can_be_seen_in_it(short: Shot) -> None:
    last = short.truth[-1]
    assert last[-1].face == card("B3") and last[-1].visible > 0.97
    assert [placed.face for placed in last].count(None) == 1
    covered = min(cards[-1].visible for cards in short.truth if cards and cards[-1].face == card("W"))
    assert covered < 0.8


def test_a_short_film_is_watched_back_into_its_record(short: Shot) -> None:
    oracle = Oracle(short.truth, seed=1)
    with open_source(str(short.video)) as source:
        record = watch(oracle.follow(source), oracle, THREE, words_of(short.plan.events))
    want = new_record(THREE)
    for event in short.plan.events:
        want = append(want, event)
    assert plain(record) == plain(want)


def test_the_oracle_is_wrong_as_often_as_it_should(short: Shot) -> None:
    image = np.zeros((360, 640, 3), np.uint8)
    last = Frame(image, 0.0, len(short.truth) - 1)

    def tops(faults: Faults) -> list[bool]:
        oracle = Oracle(short.truth, 3, faults)
        assert list(oracle.follow([last])) == [last]
        return [card("B3") in oracle.see(image[:, :]).faces for _ in range(200)]

    assert all(tops(Faults(missed=0, wrong=0)))
    assert 60 < tops(Faults(missed=0.5, wrong=0)).count(False) < 140


def test_a_video_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    _, camera = studio(SHORT[:2])
    with pytest.raises(OSError, match="cannot be written as a video"):
        write_video(tmp_path / "nowhere" / "film.mp4", camera.shots(), 10)
