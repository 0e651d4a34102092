"""The colour of the light is told by a card's own white."""

from __future__ import annotations

import numpy as np
import pytest

from vision import light as lights
from vision.detections import Image
from vision.light import Floats, Light, is_grey, white_of


def balanced(cut: Image, others: Floats | None = None) -> Image | None:
    return lights.balanced(cut, lights.light_on(white_of(cut), others))


def among(cuts: list[Image]) -> Floats | None:
    return lights.among(map(white_of, cuts))


def card(gains: tuple[float, float, float], border: tuple[int, int, int] = (245, 245, 245)) -> Image:
    picture = np.empty((120, 80, 3), np.uint8)
    picture[:] = border
    picture[8:112, 6:74] = (40, 160, 60)
    return np.asarray(picture * gains, np.uint8)


@pytest.mark.parametrize("gains", [(0.5, 0.85, 1.0), (1.0, 0.8, 0.6), (0.6, 1.0, 0.65)])
def test_a_card_in_coloured_light_looks_as_in_white(gains: tuple[float, float, float]) -> None:
    seen = balanced(card(gains))
    assert seen is not None
    assert seen[60, 40].tolist() == pytest.approx([40, 160, 60], abs=6)
    assert np.ptp(seen[2, 2]) <= 4


@pytest.mark.parametrize(
    "picture",
    [card((1, 1, 1)), card((0.1, 0.1, 0.1)), card((1, 1, 1), border=(30, 220, 250)), np.zeros((120, 80, 3), np.uint8)],
)
def test_white_light_darkness_and_a_coloured_border_are_left_alone(picture: Image) -> None:
    assert balanced(picture) is None


ORANGE = (0.55, 0.8, 1.0)
COVERED = np.full((120, 80, 3), np.array((40, 160, 60)) * ORANGE, np.uint8)


def test_a_card_that_shows_no_white_stands_in_the_light_of_the_others() -> None:
    assert balanced(COVERED) is None
    light = among([card(ORANGE), COVERED, card(ORANGE)])
    seen = balanced(COVERED, light)
    assert seen is not None and seen[60, 40].tolist() == pytest.approx([40, 160, 60], abs=8)
    assert among([COVERED]) is None
    assert balanced(COVERED, among([card((1, 1, 1))])) is None, "in white light nothing is changed"


def test_a_white_of_its_own_is_believed_before_the_others() -> None:
    own = balanced(card(ORANGE), among([card((0.6, 1.0, 0.65))]))
    assert own is not None and own[60, 40].tolist() == pytest.approx([40, 160, 60], abs=6)


def test_the_light_of_an_evening_is_learnt_and_learnt_anew_when_a_lamp_is_switched() -> None:
    light = Light()
    light.learn([white_of(COVERED)])
    assert light.white is None, "a card that shows no white tells nothing"
    light.learn([white_of(card(ORANGE))])
    assert balanced(COVERED, light.white) is not None
    light.learn([white_of(card((1, 1, 1)))] * 40)
    assert balanced(COVERED, light.white) is None


def test_a_picture_has_colours_when_anything_in_it_has() -> None:
    grey = np.repeat(np.random.default_rng(1).integers(0, 255, (600, 900, 1)), 3, axis=2).astype(np.uint8)
    assert is_grey(grey) and is_grey(np.asarray(grey + np.array([0, 1, 0]), np.uint8).clip(1, 254))
    grey[301:311, 401:411] = (30, 40, 200)  # a small red card far away
    assert not is_grey(grey)
