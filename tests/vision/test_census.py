"""A face that is seen oftener than a deck holds it is believed less."""

from __future__ import annotations

import numpy as np
import pytest

from referee.cards import Card
from vision import census
from vision.detections import BACK, Detections, Face
from vision.rectify import quad_of


def seen(*faces: Face, sure: float = 0.9) -> Detections:
    quads = np.array([quad_of(100 + 80 * i, 100, 56, 87, 0) for i in range(len(faces))], np.float32)
    return Detections(quads, np.ones(len(faces), np.float32), faces, np.full(len(faces), sure, np.float32))


def test_seven_skips_of_one_colour_are_no_cards() -> None:
    weighed = census.weighed(seen(*[Card.parse("YS")] * 7, Card.parse("R5")))
    assert weighed.confidences[:7].sum() == pytest.approx(2) and weighed.confidences[:7].max() < 0.5
    assert weighed.confidences[7] == pytest.approx(0.9), "the others are as sure as before"
    assert weighed.colour_confidences[:7].max() < 0.5


def test_what_a_deck_holds_is_as_sure_as_before() -> None:
    backs: list[Face] = [BACK] * 5
    whole = seen(*[Card.parse(face) for face in ("YS", "YS", "W4", "W4", "W4", "W4", "B0", "B0")], *backs)
    assert census.weighed(whole) is whole


def test_it_is_weighed_once() -> None:
    once = census.weighed(seen(*[Card.parse("G8")] * 5))
    assert census.weighed(once).confidences == pytest.approx(once.confidences)
