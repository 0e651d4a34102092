import dataclasses
import itertools

import cv2
import numpy as np
import pytest

from datasets.faces import draw_card, indexed
from datasets.styles import Style, random_style
from datasets.wear import wear
from referee.cards import FACES, Card, Colour

FACES_AND_BACK = (*FACES, None)


def style(seed: int) -> Style:
    return random_style(np.random.default_rng(seed))


@pytest.mark.parametrize("seed", range(6))
def test_every_face_can_be_drawn_and_no_two_look_alike(seed: int) -> None:
    deck = style(seed)
    pictures = [draw_card(card, deck, 120).astype(int) for card in FACES_AND_BACK]
    for (a, first), (b, second) in itertools.combinations(zip(FACES_AND_BACK, pictures, strict=True), 2):
        assert np.abs(first - second).max() > 40, f"{a} and {b} look alike"


@pytest.mark.parametrize("seed", range(6))
def test_cards_look_nearly_the_same_turned_round(seed: int) -> None:
    """Either end may be up on a table: most of a face's print is at both ends."""
    deck = style(seed)
    for notation in ("R0", "B5", "GS"):
        picture = draw_card(Card.parse(notation), deck, 160)[..., :3].astype(int)
        assert np.abs(picture - picture[::-1, ::-1]).mean() < 30


@pytest.mark.parametrize("seed", range(12))
def test_the_field_has_the_colour_that_the_card_is_called(seed: int) -> None:
    deck = style(seed)
    hues = {Colour.RED: (170, 10), Colour.YELLOW: (16, 38), Colour.GREEN: (38, 90), Colour.BLUE: (90, 125)}
    for colour, (low, high) in hues.items():
        blue, green, red = deck.palette[colour]
        hue = int(cv2.cvtColor(np.array([[[blue, green, red]]], np.uint8), cv2.COLOR_BGR2HSV)[0, 0, 0])
        assert low <= hue <= high or (low > high and (hue >= low or hue <= high)), f"{colour} {hue}"


@pytest.mark.parametrize("seed", range(12))
def test_a_card_is_indexed_where_its_corners_tell_which_it_is(seed: int) -> None:
    deck = style(seed)
    bare = dataclasses.replace(
        deck,
        corners=dataclasses.replace(deck.corners, count=0),
        actions=dataclasses.replace(deck.actions, wild_corner="none"),
    )
    for card in FACES:
        printed = not np.array_equal(draw_card(card, deck, 120), draw_card(card, bare, 120))
        assert indexed(card, deck) == (printed and card != Card.parse("WC"))
    assert not indexed(None, deck)


def test_invented_typefaces_change_the_numbers_and_nothing_else() -> None:
    changed = 0
    for seed in range(8):
        own, plain = (random_style(np.random.default_rng(seed), None, invented) for invented in (True, False))
        shapes = {name: getattr(plain.glyphs, name) for name in ("bend", "one", "seven")}
        assert dataclasses.replace(own, glyphs=dataclasses.replace(own.glyphs, **shapes)) == plain
        for notation, moved in (("R1", own.glyphs.bend or own.glyphs.one), ("G6", own.glyphs.bend), ("RS", ())):
            first, second = (draw_card(Card.parse(notation), deck, 120) for deck in (own, plain))
            same = np.array_equal(first, second)
            assert same != bool(moved)
            changed += not same
    assert changed > 4


def test_the_size_is_the_one_asked_for_and_the_corners_are_clear() -> None:
    deck = style(3)
    for height in (64, 256, 500):
        picture = draw_card(Card.parse("Y3"), deck, height)
        assert picture.shape == (height, round(height * deck.aspect), 4)
        assert picture[0, 0, 3] < 40 and picture[height // 2, picture.shape[1] // 2, 3] == 255


def test_styles_come_from_their_seed_alone() -> None:
    assert style(11) == style(11)
    assert style(11) != style(12)


def test_wear_keeps_shape_and_outline() -> None:
    card = draw_card(Card.parse("G4"), style(1), 200)
    changed = 0
    for seed in range(20):
        worn = wear(np.random.default_rng(seed), card)
        assert worn.shape == card.shape and (worn[..., 3] == card[..., 3]).all()
        changed += not np.array_equal(worn, card)
    assert 5 <= changed <= 15
