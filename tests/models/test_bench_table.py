from pathlib import Path

import numpy as np
import pytest

from datasets.backgrounds import FAMILIES
from datasets.film import Conditions
from datasets.simulate import film
from datasets.virtual_table import TABLE_TOPS
from models.bench_table import Timed, bench, differences, main, plays_right
from models.games import Results, half_light, held, ordinary
from vision.detections import Detections, Image, Quads


class Blind:
    """A sight that sees nothing."""

    def see(self, image: Image, *, near: Quads | None = None) -> Detections:
        return Detections.empty()


@pytest.mark.parametrize(
    ("got", "right"),
    [
        (["1 R7", "2 draw", "2 R3", "1 W>B uno"], 3),
        (["1 R1", "2 draw", "2 R3", "1 W>B uno"], 2),
        (["1 R7", "2 R3", "1 W>B uno"], 3),
        (["1 R7", "2 draw", "2 R3", "1 W>B"], 2),
        (["2 R3", "1 R7"], 1),
        ([], 0),
    ],
)
def test_plays_are_right_when_seat_card_colour_call_and_order_are(got: list[str], right: int) -> None:
    assert plays_right(["1 R7", "2 draw", "2 R3", "1 W>B uno"], got) == (right, 3)


def test_differences_say_what_is_missing_and_what_is_too_much() -> None:
    assert list(differences(["deal 1", "1 R7"], ["deal 1", "1 R1"])) == ["- 1 R7", "+ 1 R1"]
    assert list(differences(["deal 1"], ["deal 1"])) == []


def test_one_who_sees_nothing_has_no_play_right(tmp_path: Path) -> None:
    whole = film(1, 2, Conditions(size=(160, 90), rate=4), plays=(8, 20))
    result = bench(whole, Blind(), 1, tmp_path / "film.mp4")
    assert result.right == 0 and result.plays >= 8
    assert result.differences and result.watched > 0


def test_looks_are_counted_and_timed() -> None:
    timed = Timed(Blind())
    timed.see(np.zeros((4, 4, 3), np.uint8))
    assert timed.looks == 1 and timed.seconds >= 0


def test_a_run_goes_on_where_it_was_stopped_and_leaves_no_film(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["--oracle", "--seeds", "1", "--players", "2", "--size", "96x54", "--rate", "1", "--plays", "8", "20"]
    code = main([*asked, "--results", str(tmp_path)])
    first = capsys.readouterr().out
    [kept] = tmp_path.iterdir()
    assert kept.name.startswith("2-players-1-") and "times as fast" in first
    assert main([*asked, "--results", str(tmp_path)]) == code
    again = capsys.readouterr().out
    assert "watched before" in again and again.splitlines()[-1] == first.splitlines()[-1]
    [game] = ordinary("none", [1], [2], Conditions(size=(96, 54), rate=1.0), (8, 20))
    assert Results(tmp_path, "oracle").of(game) is not None
    assert Results(tmp_path, "other eyes").of(game) is None


def test_held_out_games_have_forty_plays_on_tables_that_training_never_draws() -> None:
    games = [*held(50), *half_light(20)]
    assert {game.players for game in games} == set(range(2, 11)) and len({game.seed for game in games}) == 70
    assert not {game.top for game in games} & {*TABLE_TOPS, *FAMILIES} and {game.plays[0] for game in games} == {40}
    assert all((game.conditions.size, game.conditions.rate) == ((640, 480), 8) for game in games[50:])
