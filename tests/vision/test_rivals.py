"""Of the ways in which a card may lie, the one that its corners bear out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from datasets.backgrounds import surface
from datasets.bank import styles
from datasets.faces import draw_card
from datasets.warp import paste
from referee.cards import FACES, Card
from vision import rivals
from vision.confidence import Confidence
from vision.detections import Detections, Image
from vision.eyes import Eyes
from vision.indices import Corners, Indices
from vision.overlooked import overlooked
from vision.pyramid import Pyramid
from vision.reader import OUTCOMES
from vision.rectify import Quad, quad_of

LONG = quad_of(100, 112, 64, 124, 0.0)
SHORT = quad_of(100, 100, 64, 100, 0.0)


@cache
def network() -> Indices:
    return Indices.load()


def named(*cards: tuple[str, float, Quad]) -> Detections:
    """Places with what the whole card shows there."""
    outcomes = np.zeros((len(cards), len(OUTCOMES)), np.float32)
    for row, (face, sure, _) in zip(outcomes, cards, strict=True):
        row += (1 - sure) / (len(OUTCOMES) - 1)
        row[OUTCOMES.index(Card.parse(face))] = sure
    shares = np.array([sure for _, sure, _ in cards], np.float32)
    quads = np.array([quad for *_, quad in cards], np.float32)
    return Detections(
        quads, np.ones(len(cards), np.float32), tuple(Card.parse(face) for face, *_ in cards), shares, outcomes
    )


class Told(Indices):
    """Reads what a test says of each quad: the faces that both ends show, None for one that is covered."""

    def __init__(self, told: Sequence[tuple[Quad, str | None, str | None]]) -> None:
        self._told, self.asked = told, 0

    def read(self, image: Image | Pyramid, quads: npt.NDArray[np.float32], shared: bool = False) -> Corners:
        self.asked += len(quads)
        free, faces = np.zeros((len(quads), 2), np.float32), np.full((len(quads), 2, len(FACES)), 1e-4, np.float32)
        for number, quad in enumerate(quads):
            ends = next((ends for at, *ends in self._told if np.allclose(at, quad)), ())
            for end, face in enumerate(ends):
                if face is not None:
                    free[number, end], faces[number, end, FACES.index(Card.parse(face))] = 0.99, 0.99
        return Corners(free, faces, quads[:, [0, 2]], np.zeros((len(quads), 2), np.float32))


def settled(places: Detections, told: Told, kept: tuple[int, ...] = (0,), ends: int = 2) -> tuple[list[int], Corners]:
    blank = Pyramid(np.zeros((300, 300, 3), np.uint8))
    chosen, corners = rivals.settled(blank, told, Confidence.plain(), places, np.array(kept, np.intp), ends)
    return chosen.tolist(), corners


def in_line(top: str, below: str, deck: int, by: tuple[float, float]) -> tuple[Image, Quad, Quad]:
    """A card laid in line with another one: the picture, the quads of that other one and of the top."""
    rng, style = np.random.default_rng(2), styles(40, seed=77)[deck]
    picture, upper = surface(rng, 480, 640).copy(), quad_of(320, 240, 220 * style.aspect, 220, 0.0)
    lower = upper + np.array(by, np.float32)
    for face, quad in ((below, lower), (top, upper)):
        paste(picture, draw_card(Card.parse(face), style, 256), quad)
    return cv2.GaussianBlur(picture, (3, 3), 0.7).astype(np.uint8), lower, upper


def test_two_cards_in_line_are_not_one_longer_card() -> None:
    picture, lower, upper = in_line("Y6", "Y3", 2, (3, 40))
    places = named(("Y9", 0.95, np.concatenate([upper[:2], lower[2:]])), ("Y6", 0.7, upper))
    chosen, corners = rivals.settled(Pyramid(picture), network(), Confidence.load(), places, np.array([0]))
    assert chosen.tolist() == [1]
    assert [str(FACES[row.argmax()]) for row in corners.faces[0]] == ["Y6", "Y6"]


def test_the_top_of_two_cards_in_line_is_named() -> None:
    picture, _, upper = in_line("B9", "B3", 25, (8, -40))
    near = [card for card in Eyes.load().see(picture) if np.abs(card.quad.mean(axis=0) - upper.mean(axis=0)).max() < 20]
    assert [str(card.face) for card in near] == ["B9"] and near[0].confidence > 0.8


def test_what_both_ways_agree_on_has_no_rival() -> None:
    told = Told([(LONG, "Y9", None), (SHORT, "Y6", "Y6")])
    assert settled(named(("Y9", 0.97, LONG), ("Y6", 0.9, SHORT)), told)[0] == [0]
    assert told.asked == 1, "the other place is not even looked at"


def test_a_rival_shows_the_same_at_both_ends_unless_one_is_enough() -> None:
    places = named(("Y9", 0.9, LONG), ("Y6", 0.8, SHORT))
    one, odd = ([(LONG, "Y6", "Y3"), (SHORT, "Y6", across)] for across in (None, "Y3"))
    assert settled(places, Told(one))[0] == [0] and settled(places, Told(odd))[0] == [0]
    assert settled(places, Told(one), ends=1)[0] == [1], "of a hand most cards show one corner"


@pytest.mark.parametrize(
    "rival",
    [
        ("Y6", 0.3, SHORT),
        ("Y6", 0.8, quad_of(150, 100, 64, 100, 0.0)),
        ("R8", 0.8, SHORT),
    ],
    ids=["far less sure", "elsewhere", "another card by its whole"],
)
def test_a_place_that_is_no_rival_changes_nothing(rival: tuple[str, float, Quad]) -> None:
    told = Told([(LONG, "Y6", "Y3"), (rival[2], "Y6", "Y6")])
    assert settled(named(("Y9", 0.9, LONG), rival), told)[0] == [0]


def test_a_corner_that_another_card_has_claimed_is_not_the_rivals() -> None:
    below = quad_of(132, 150, 64, 100, 0.0)
    other = below + (SHORT[2] - below[0])
    told = Told([(LONG, "Y6", "Y3"), (other, "Y6", None), (SHORT, "Y6", "Y6")])
    places = named(("Y9", 0.9, LONG), ("Y6", 0.99, other), ("Y6", 0.8, SHORT))
    assert settled(places, told, kept=(0, 1))[0] == [0, 1]


TURNED = quad_of(100, 100, 64, 100, 2 * float(np.arctan(0.64)))
"""A quad whose corner across lies where `SHORT` ends at the bottom left."""
ASIDE = quad_of(117, 100, 64, 100, 0.0)


@pytest.mark.parametrize(
    ("ends", "tried", "its_ends", "found"),
    [
        (("G7", None), TURNED, (None, "G7"), []),
        (("G7", None), TURNED, (None, "G1"), []),
        (("G7", None), TURNED, (None, "R7"), ["R7"]),
        ((None, None), ASIDE, ("G7", None), []),
        ((None, None), ASIDE, ("G1", None), ["G1"]),
        (("G7", None), ASIDE, ("G7", None), ["G7"]),
    ],
    ids=[
        "an index in all four corners",
        "and read otherwise",
        "a card below of another colour",
        "its only corner, seen crooked",
        "a neighbour",
        "an identical neighbour",
    ],
)
def test_a_card_is_not_overlooked_where_a_corner_of_it_is_seen(
    ends: tuple[str | None, str | None], tried: Quad, its_ends: tuple[str | None, str | None], found: list[str]
) -> None:
    elsewhere = quad_of(400, 100, 64, 100, 0.0)
    seen = named(("G7", 0.99, SHORT), ("B3", 0.99, elsewhere))
    told = Told([(SHORT, *ends), (elsewhere, "B3", "B3"), (tried, *its_ends)])
    blank = Pyramid(np.zeros((300, 600, 3), np.uint8))
    assert [str(card.face) for card in overlooked(blank, told, seen, tried[None])] == found
