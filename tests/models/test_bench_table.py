from pathlib import Path

import numpy as np
import pytest

from datasets.film import Conditions
from datasets.simulate import film
from models.bench_table import Timed, bench, differences, plays_right
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
