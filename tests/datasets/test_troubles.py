import itertools
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from datasets.film import Conditions, Shot
from datasets.lens import Lens
from datasets.simulate import Film, film, simulate
from datasets.textures import Image
from datasets.troubles import NAMES, Troubles
from datasets.virtual_table import Placed
from referee.events import Draw, Hand, Play, Reshuffle, Undo
from referee.record import parse, replay

BY_HANDS = (
    *("nudge", "adjust", "beside", "takeback", "exchange", "several", "touch", "straighten", "drag", "square"),
    *("astray", "counting"),
)
BY_LENS = ("knock", "focus", "exposure", "lamp", "shadow", "compression")


def small(names: str, seed: int = 3, players: int = 3, plays: tuple[int, int] = (12, 30), rate: float = 5) -> Film:
    conditions = Conditions(size=(160, 90), rate=rate, noise=0, card=(0.22, 0.24), troubles=Troubles.parse(names))
    return film(seed, players, conditions, plays=plays)


def between(whole: Film, start: float, end: float) -> list[Shot]:
    return [
        shot for shot in itertools.takewhile(lambda s: s.seconds < end, whole.studio.shots()) if shot.seconds > start
    ]


def test_troubles_are_switched_on_by_name() -> None:
    assert Troubles.parse("nudge, shadow").names == ("nudge", "shadow")
    assert Troubles.parse("all").names == NAMES
    assert Troubles.parse("none") == Troubles.parse("") == Troubles()
    with pytest.raises(ValueError, match="no trouble rain: choose of nudge"):
        Troubles.parse("nudge,rain")


@pytest.mark.parametrize("name", BY_HANDS)
def test_what_hands_do_wrong_is_in_the_script_and_the_same_from_the_same_seed(name: str) -> None:
    plain, one, other = (small(names, plays=(20, 60)).script for names in ("none", name, name))
    assert one == other and one.visits != plain.visits


@pytest.mark.parametrize("name", ["takeback", "exchange"])
def test_a_wrong_card_is_a_play_in_the_truth_that_goes_back_or_is_undone(name: str) -> None:
    whole = small(name, seed=7, plays=(30, 60))
    said = replay(parse(str(whole.record)))
    keys = Counter(ruling.key for judged in said.history for ruling in judged.rulings)
    undone = [event.seconds for event in whole.script.events if isinstance(event, Undo)]
    assert len(undone) + keys["cannot_be_played"] >= 2
    assert keys["unexplained"] == 0 and keys["round_won"] == 1
    times = [event.seconds or 0.0 for event in whole.script.events]
    assert times == sorted(times)
    kind = "lift" if name == "takeback" else "exchange"
    changes = [round(visit.change, 1) for visit in whole.script.visits if visit.kind == kind]
    assert len(changes) >= 2 and set(undone) <= set(changes)


def test_a_card_taken_back_is_gone_and_the_one_below_shows_again() -> None:
    whole = small("takeback", seed=7, plays=(30, 60))
    lift = next(visit for visit in whole.script.visits if visit.kind == "lift")
    laid = whole.script.visits[whole.script.visits.index(lift) - 1]
    shots = between(whole, laid.start - 0.6, lift.end + 0.4)
    tops = [shot.cards[-1].face for shot in shots if not shot.seats]
    assert tops[0] == tops[-1] and laid.card in tops


def test_the_draw_pile_runs_out_and_the_discard_pile_goes_under_it() -> None:
    whole = small("reshuffle", seed=1, players=10, plays=(30, 60), rate=1)
    assert any(isinstance(event, Reshuffle) for event in whole.script.events)
    visit = next(visit for visit in whole.script.visits if visit.kind == "reshuffle")
    shots = between(whole, visit.start - 3, visit.end + 3)
    faces = [len([card for card in shot.cards if card.face]) for shot in shots if not shot.seats]
    assert faces[0] > 1 and faces[-1] == 1


def test_hands_are_laid_open_apart_from_the_piles_and_taken_up_again() -> None:
    whole = small("counting", rate=2)
    hands = [event for event in whole.script.events if isinstance(event, Hand)]
    visits = [visit for visit in whole.script.visits if visit.kind == "open"]
    assert [visit.shown for visit in visits] == [event.cards for event in hands]
    assert [event.seconds for event in hands] == [round(visit.change, 1) for visit in visits]
    shots = between(whole, visits[0].start - 1, whole.script.seconds)
    during = [shot.cards for shot in shots if visits[0].end < shot.seconds < visits[0].end + 2]
    for placed in during:
        shown = [card for card in placed if card.face in visits[0].shown and card.visible > 0.5]
        assert len(shown) >= len(visits[0].shown) and placed[-1].face not in (None, *visits[0].shown)
    assert during and len(shots[-1].cards) < len(during[0])


def test_a_card_goes_astray_before_it_is_laid() -> None:
    whole = small("astray", plays=(20, 60))
    astray = [at for at, visit in enumerate(whole.script.visits) if visit.kind == "open"]
    assert {whole.script.visits[at].spot for at in astray} == {"draw", "beside"}
    assert all(whole.script.visits[at + 2].card == whole.script.visits[at].shown[0] for at in astray)


def test_penalty_cards_are_taken_at_once() -> None:
    whole = small("several", plays=(20, 60))
    due = [event.cards for event in whole.script.events if isinstance(event, Draw) and event.cards]
    assert [visit.cards for visit in whole.script.visits if visit.cards > 1] == [cards for cards in due if cards > 1]


def seen_by(lens: Lens, picture: Image) -> list[Image]:
    times = np.arange(0, 60, 0.5)
    bright = [np.asarray((picture * min(1.0, lens.gain(at))).astype(np.uint8)) for at in times]
    return [lens.compressed(lens.seen(lens.shaded(one, at), at)) for one, at in zip(bright, times, strict=True)]


@pytest.mark.parametrize("name", ["none", *BY_LENS])
def test_a_lens_shows_the_table_otherwise_only_when_it_has_that_trouble(name: str) -> None:
    picture = np.random.default_rng(1).integers(0, 255, (90, 160, 3), np.uint8)
    one, other = (
        Lens(np.random.default_rng(2), Troubles.parse(name), (160, 90), 20, 60, list(range(5, 55, 4))) for _ in "ab"
    )
    views = seen_by(one, picture)
    assert all(np.array_equal(a, b) for a, b in zip(views, seen_by(other, picture), strict=True))
    assert all(np.array_equal(view, picture) for view in views) == (name == "none")


def test_a_knocked_camera_has_its_cards_where_it_shows_them() -> None:
    lens = Lens(np.random.default_rng(2), Troubles(knock=True), (160, 90), 20, 60, [])
    spot = np.zeros((90, 160, 3), np.uint8)
    spot[40:44, 70:74] = 255
    card = Placed(None, np.array([[70, 40], [74, 40], [74, 44], [70, 44]], np.float32), 1.0)
    shown = np.argwhere(lens.seen(spot, 59)[:, :, 0] > 100).mean(0)[::-1]
    [moved] = lens.placed((card,), 59)
    assert moved.quad.mean(0) == pytest.approx(shown, abs=1.5)
    assert np.abs(moved.quad - card.quad).max() > 1


def test_frames_that_stutter_repeat_and_time_goes_on() -> None:
    shots = between(small("stutter"), -1, 30)
    times = [shot.seconds for shot in shots]
    assert times == sorted(set(times))
    frozen = [a.cards is b.cards and a.image is b.image for a, b in itertools.pairwise(shots)]
    assert 3 < sum(frozen) < len(shots) / 2


def test_other_things_lie_beside_the_piles_and_not_on_them() -> None:
    bare, full = (between(small(name), -1, 0.1)[0] for name in ("none", "clutter"))
    asides = [card for card in full.cards if card.face is not None]
    assert len(asides) >= 2 and not any(card.face for card in bare.cards)
    [stock] = [card for card in full.cards if card.face is None]
    assert stock.visible > 0.9


def test_simulate_writes_film_record_and_truth_of_every_frame_and_says_so(tmp_path: Path) -> None:
    video, record, truth = (tmp_path / name for name in ("a.mp4", "a.trn", "a.jsonl"))
    said = simulate(2, 2, video, record, {"size": (96, 64), "rate": 2.0}, troubles="nudge", truth=truth)
    lines = [json.loads(line) for line in truth.read_text("utf-8").splitlines()]
    plays = sum(isinstance(event, Play) for event in replay(parse(record.read_text("utf-8"))).events)
    assert f"{plays} plays of 2 players" in said and f"{len(lines)} frames 96x64" in said and str(record) in said
    assert lines[9]["frame"] == 9 and {"card", "visible", "quad"} == set(lines[-1]["cards"][-1])
    assert any(line["arms"] for line in lines)
