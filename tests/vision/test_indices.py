"""Corner indices as a second way to read a card, and both ways together."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from datasets.backgrounds import surface
from datasets.bank import styles
from datasets.faces import draw_card
from datasets.warp import paste
from referee.cards import FACES, Card
from vision.agreement import agreed
from vision.detections import BACK, Detections, Face, Image
from vision.eyes import Eyes
from vision.indices import Corners, Indices, ends, square_at
from vision.overlooked import overlooked
from vision.pyramid import Pyramid
from vision.reader import OUTCOMES
from vision.rectify import Quad, quad_of

HAND = ("R5", "G5", "B8", "YS", "G2", "B8")


@cache
def indices() -> Indices:
    return Indices.load()


def row(codes: tuple[str, ...], seed: int = 2) -> tuple[Image, list[Quad]]:
    """Cards laid over each other from the left, of all but the last less than a third to be seen."""
    rng, deck = np.random.default_rng(seed), styles(12, seed=77)[seed]
    picture, quads = surface(rng, 480, 640).copy(), []
    for number, code in enumerate(codes):
        quad = quad_of(150 + 58 * number, 240, 220 * deck.aspect, 220, 0.0)
        paste(picture, draw_card(Card.parse(code), deck, 256), quad)
        quads.append(quad)
    return cv2.GaussianBlur(picture, (3, 3), 0.7).astype(np.uint8), quads


def test_covered_cards_are_read_by_the_corner_that_is_free() -> None:
    picture, quads = row(HAND)
    shaken = [quad + np.random.default_rng(i).normal(0, 4, 2) for i, quad in enumerate(quads)]
    corners = indices().read(picture, np.array(shaken, np.float32))
    named = [str(FACES[row.argmax()]) for row in corners.shares()]
    assert sum(a == b for a, b in zip(named, HAND, strict=True)) >= 5
    assert (corners.free[:-1, 0] > 0.5).all() and (corners.free[:-1, 1] < 0.5).all(), "the corner across is covered"
    first = np.array([quad[0] for quad in quads])
    far = np.linalg.norm(corners.places[:, 0] - first, axis=1)
    assert np.median(far) < 5, "the second look is cut out where the corner is"


def test_identical_neighbours_are_two_cards_and_every_card_is_named_once() -> None:
    picture, _ = row(("R5", "B8", "B8", "G2"))
    seen = Eyes.load().see(picture)
    named = sorted(str(face) for face, sure in zip(seen.faces, seen.confidences, strict=True) if sure >= 0.5)
    assert named == ["B8", "B8", "G2", "R5"]


def test_one_corner_is_of_one_card_only() -> None:
    picture, quads = row(("R5", "B8"))
    twice = np.array([quads[0], quads[0] + np.array([14, 0]), quads[1]], np.float32)
    corners = indices().read(picture, twice)
    assert corners.free[0, 0] > 0.5 and corners.free[1, 0] == 0


def test_nothing_to_read_is_no_error() -> None:
    assert indices().read(np.zeros((40, 40, 3), np.uint8), np.zeros((0, 4, 2), np.float32)).free.shape == (0, 2)


def test_the_second_end_is_the_corner_across() -> None:
    quad = quad_of(100, 100, 64, 100, 0.0)
    near, across = ends(quad)
    assert square_at(near).mean(axis=0) == pytest.approx([68 + 9, 50 + 9], abs=0.5)
    assert square_at(across).mean(axis=0) == pytest.approx([132 - 9, 150 - 9], abs=0.5)


def said(face: Face, confidence: float) -> Detections:
    """One card as the whole of it was read."""
    outcomes = np.full((1, len(OUTCOMES)), (1 - confidence) / (len(OUTCOMES) - 1), np.float32)
    outcomes[0, OUTCOMES.index(face)] = confidence
    one = np.ones(1, np.float32)
    return Detections(np.zeros((1, 4, 2), np.float32), one, (face,), one * np.float32(confidence), outcomes)


def shown(code: str, free: float = 0.99, across: float = 0.0, sure: float = 0.99) -> Corners:
    """One free corner that surely holds an index, the other covered unless it shows the same `across`."""
    faces = np.full((1, 2, len(FACES)), (1 - sure) / (len(FACES) - 1), np.float32)
    faces[0, :, FACES.index(Card.parse(code))] = sure
    frees = np.array([[free, across]], np.float32)
    return Corners(frees, faces, np.zeros((1, 2, 2), np.float32), np.zeros((1, 2), np.float32))


def test_both_ways_that_agree_are_surer_than_one() -> None:
    together = agreed(said(Card.parse("B8"), 0.7), shown("B8"))
    assert together.faces == (Card.parse("B8"),) and together.confidences[0] > 0.95


def test_both_ways_that_contradict_each_other_are_believed_less() -> None:
    together = agreed(said(Card.parse("B8"), 0.95), shown("B3"))
    assert together.confidences[0] < 0.9
    assert together.colour_confidences[0] > 0.95 > together.rank_confidences[0], "of the colour there is no doubt"


def test_both_corners_together_say_no_more_than_one_since_they_are_printed_alike() -> None:
    one, both = (agreed(said(Card.parse("R3"), 0.998), shown("R8", 1.0, across, 0.8)) for across in (0.0, 1.0))
    assert both.faces == (Card.parse("R3"),) and both.confidences[0] == pytest.approx(one.confidences[0], abs=0.01)


def test_a_corner_is_read_alike_wherever_about_it_the_square_is_cut_out() -> None:
    picture, quads = row(HAND)
    told = [
        indices().read(picture, np.asarray(np.array(quads) + by, np.float32)).faces[:, 0] for by in (0.0, 1.5, -1.5)
    ]
    assert all(np.array_equal(one.argmax(axis=1), told[0].argmax(axis=1)) for one in told)


def test_the_corner_decides_where_the_whole_card_cannot_be_made_out() -> None:
    together = agreed(said(BACK, 0.2), shown("YS"))
    assert together.faces == (Card.parse("YS"),) and together.confidences[0] > 0.8


@pytest.mark.parametrize(("whole", "corner"), [("WC", "W"), ("W", "WC")])
def test_corners_that_two_faces_share_leave_the_choice_to_the_whole_card(whole: str, corner: str) -> None:
    together = agreed(said(Card.parse(whole), 0.7), shown(corner))
    assert together.faces == (Card.parse(whole),) and together.confidences[0] > 0.9


def test_covered_corners_change_nothing() -> None:
    alone = agreed(said(Card.parse("B8"), 0.6), shown("R1", free=0.0))
    assert alone.faces == (Card.parse("B8"),) and alone.confidences[0] == pytest.approx(0.6, abs=0.02)


def test_a_card_of_a_hand_that_was_overlooked_is_found_by_its_corner() -> None:
    picture, quads = row(HAND)
    known = [i for i in range(len(HAND)) if i != 2]
    faces = tuple(Card.parse(HAND[i]) for i in known)
    ones = np.ones(len(known), np.float32)
    seen = Detections(np.array([quads[i] for i in known], np.float32), ones, faces, ones)
    more = overlooked(Pyramid(picture), indices(), seen)
    assert [str(face) for face in more.faces] == [HAND[2]]
    assert len(overlooked(Pyramid(picture), indices(), seen.pick(np.arange(1)))) == 0, "one card is no hand"
    whole = Detections(np.array(quads, np.float32), np.ones(6, np.float32), (*faces, faces[0]), np.ones(6, np.float32))
    assert len(overlooked(Pyramid(picture), indices(), whole)) == 0, "nobody is there twice"


def test_neighbours_of_cards_that_were_overlooked_are_found_after_them() -> None:
    picture, quads = row(HAND)
    ones = np.ones(2, np.float32)
    seen = Detections(np.array(quads[:2], np.float32), ones, tuple(Card.parse(face) for face in HAND[:2]), ones)
    more = overlooked(Pyramid(picture), indices(), seen)
    assert {str(face) for face in more.faces} >= set(HAND[2:4])


def test_a_card_that_was_taken_for_another_is_found_where_it_may_lie() -> None:
    picture, quads = row(HAND)
    ones = np.ones(2, np.float32)
    seen = Detections(np.array(quads[:2], np.float32), ones, tuple(Card.parse(face) for face in HAND[:2]), ones)
    far = overlooked(Pyramid(picture), indices(), seen, np.array(quads[5:], np.float32))
    assert HAND[5] in {str(face) for face in far.faces}
