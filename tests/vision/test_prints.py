"""Whether two cards show one sign, by what the shipped networks see of them."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from datasets.backgrounds import surface
from datasets.bank import styles
from datasets.faces import draw_card
from datasets.warp import paste
from referee.cards import Card
from vision.acquaintance import STANDARD
from vision.decks import Deck, kept
from vision.detections import Image
from vision.eyes import Eyes
from vision.prints import Print, direction, mean_print
from vision.rectify import Quad, quad_of


@cache
def eyes() -> Eyes:
    return Eyes.load()


def lying(code: str, deck: int, seed: int, turned: float = 0.2) -> tuple[Image, Quad]:
    """A card of a deck on a table."""
    rng, style = np.random.default_rng(seed), styles(6, seed=78, held_out=True)[deck]
    picture = surface(rng, 320, 400).copy()
    quad = quad_of(200, 160, 200 * style.aspect, 200, turned)
    paste(picture, draw_card(Card.parse(code), style, 256), quad)
    return picture, np.asarray(quad, np.float32)


def of(code: str, deck: int, seed: int, turned: float = 0.2, shaken: float = 0.0) -> Print:
    picture, quad = lying(code, deck, seed, turned)
    shift = np.random.default_rng(seed).normal(0, shaken * 200, (4, 2)).astype(np.float32)
    found = eyes().print_of(picture, quad + shift)
    assert found is not None
    return found


@pytest.mark.parametrize("deck", range(4))
def test_one_sign_in_two_colours_is_nearer_than_two_signs_in_one_colour(deck: int) -> None:
    for one, other in (("1", "7"), ("3", "8"), ("2", "D")):
        same = [of(f"R{sign}", deck, 1).apart(of(f"G{sign}", deck, 2, 2.0))[0] for sign in (one, other)]
        assert max(same) < of(f"R{one}", deck, 1).apart(of(f"R{other}", deck, 2, 2.0))[0]


def test_a_card_whose_corners_are_not_found_exactly_is_still_like_itself() -> None:
    whole, corner = of("B7", 1, 3).apart(of("B7", 1, 4, 1.1, shaken=0.02))
    assert whole < STANDARD.near and corner is not None and corner < STANDARD.near_corner


def test_a_card_without_free_corners_is_known_by_the_whole_of_it_alone() -> None:
    picture, quad = lying("B7", 1, 3)
    for end in (quad[0], quad[2]):
        x, y = (end * 0.82 + quad.mean(axis=0) * 0.18).astype(int)
        picture[y - 30 : y + 30, x - 30 : x + 30] = 90
    found = eyes().print_of(picture, quad)
    assert found is not None and found.corner is None
    assert found.apart(of("B7", 1, 4))[1] is None
    assert mean_print([found, found]).corner is None


def test_no_print_is_taken_where_a_deck_is_remembered() -> None:
    picture, quad = lying("B7", 1, 3)
    remembering = Eyes.load(Deck.of("mine", [(Card.parse("B7"), kept(picture, quad))]))
    assert remembering.print_of(picture, quad) is None


def test_taking_a_print_teaches_nothing_of_the_light_of_the_table() -> None:
    picture, quad = lying("B7", 1, 3)
    warm = (picture * [0.7, 0.9, 1]).astype(np.uint8)
    at_a_table = Eyes.for_table()
    light = at_a_table.reader.light
    assert light is not None
    at_a_table.reader.read(picture, quad[None])
    assert light.white is not None
    before = light.white.copy()
    assert at_a_table.print_of(warm, quad) is not None
    assert light.white == pytest.approx(before)


def test_shares_of_nothing_are_a_direction_all_the_same() -> None:
    shares = np.array([[1.0, 0.0, 0.0], [0.2, 0.3, 0.5]], np.float32)
    found = direction(shares)
    assert np.isfinite(found).all() and np.linalg.norm(found, axis=1) == pytest.approx([1, 1], abs=1e-5)
