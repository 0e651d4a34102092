"""A face that is seen oftener than a deck holds it is believed less."""

from __future__ import annotations

import dataclasses

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


def boxes(count: int, height: float = 87.0) -> np.ndarray:
    quads = [quad_of(60 + 70 * (i % 8), 400 + 100 * (i // 8), 56 / 87 * height, height, 0) for i in range(count)]
    return np.array(quads, np.float32)


def test_a_card_among_many_things_like_it_is_likely_one_of_them() -> None:
    alone = seen(Card.parse("G8"))
    assert census.in_company(alone, boxes(20)).confidences == pytest.approx([0.9 / 21])
    assert census.in_company(alone, boxes(7)) is alone, "a few things that look like cards lie on every table"
    assert census.in_company(alone, boxes(20, height=30)) is alone, "things of another size are of another kind"


def test_many_cards_bear_with_things_like_them_and_with_their_own_boxes() -> None:
    hand = seen(*[Card.parse(face) for face in ("G8", "R1", "B2", "Y3", "WC", "R5")])
    assert census.in_company(hand, boxes(10)) is hand
    assert census.in_company(hand, np.concatenate([hand.quads] * 4)) is hand


def alone(sure: float, score: float, *others: Face) -> Detections:
    told = seen(Card.parse("R5"), *others, sure=sure)
    return dataclasses.replace(told, scores=np.array([score, *[0.9] * len(others)], np.float32))


@pytest.mark.parametrize(("sure", "score"), [(0.9, 0.3), (0.6, 0.6)])
def test_a_face_that_nothing_vouches_for_is_not_believed(sure: float, score: float) -> None:
    assert census.vouched(alone(sure, score)).confidences[0] < 0.5


@pytest.mark.parametrize(("sure", "score"), [(0.97, 0.3), (0.6, 0.8), (0.4, 0.3)])
def test_a_card_that_is_plain_or_not_believed_anyway_is_as_sure_as_before(sure: float, score: float) -> None:
    told = alone(sure, score)
    assert census.vouched(told) is told


@pytest.mark.parametrize("other", [Card.parse("G7"), BACK])
def test_a_plain_card_vouches_for_those_beside_it(other: Face) -> None:
    told = alone(0.6, 0.3, other)
    told.confidences[1] = 0.9
    assert census.vouched(told) is told
