"""A draw is believed when the draw pile looks otherwise afterwards, and told of by the pile where no hand was seen."""

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
import pytest

from referee.cards import Card
from tests.vision.scene import Lying, picture, quad_at
from vision.changes import CardsDrawn
from vision.detections import BACK, Detection, Detections, Image, Quads
from vision.frames import Frame
from vision.motion import Motion
from vision.stock import StockSettings, StockWatch, shows_face
from vision.zones import Zone

RATE = 20
DRAW, DISCARD = Zone(330, 180, 80), Zone(210, 180, 80)
SCALE = 480 / 256
TOP = Lying.at("R5", 210, 180)
PILE = picture([TOP, Lying.at("back", 330, 180)])
FEWER = picture([TOP, Lying.at("back", 330, 180), Lying.at("back", 332, 179, 5)])
HANDLIKE = picture([TOP, Lying.at("back", 330, 180), Lying.at("Y1", 345, 190, 30)])
"""Something lies across the pile."""

Shot = tuple[Image, float, bool]
"""A picture, for how many seconds, and whether something moves at the draw pile."""


def motions(shots: Sequence[Shot]) -> Iterator[Motion]:
    seconds, still = 0.0, 0.0
    for image, lasts, moves in shots:
        for _ in range(round(lasts * RATE)):
            still = 0.0 if moves else still + 1 / RATE
            plane = np.full((192, 256), still, np.float32)
            yield Motion(Frame(image, seconds, 0), plane, (), SCALE)
            seconds += 1 / RATE


def told(*shots: Shot, hand: CardsDrawn | None = None, discard: Zone | None = DISCARD) -> list[CardsDrawn]:
    """What is told of these shots; `hand`: a draw of a hand that was seen, which ends at its seconds."""
    watch, found = StockWatch(), []
    for motion in motions(shots):
        ended = [hand] if hand is not None and 0 <= motion.seconds - hand.seconds < 0.9 / RATE else []
        found += watch.follow(motion, DRAW, ended, discard)
    return found


def test_a_card_that_is_gone_was_drawn_though_no_hand_was_seen() -> None:
    (draw,) = told((PILE, 1, False), (PILE, 1, True), (FEWER, 1.5, False))
    assert draw.hand is None and draw.count == 1 and draw.confidence == StockSettings().unseen
    assert draw.since == pytest.approx(1, abs=0.2) and draw.seconds == pytest.approx(2, abs=0.2)


def test_a_hand_that_was_seen_to_draw_is_told_once() -> None:
    hand = CardsDrawn(1, 0.9, 1.9, 1.2, 40.0)
    assert told((PILE, 1, False), (PILE, 1, True), (FEWER, 1.5, False), hand=hand) == [hand]


def test_a_hand_seen_to_leave_only_after_the_pile_lay_free_is_told_once() -> None:
    hand = CardsDrawn(1, 0.9, 2.3, 1.2, 40.0)
    assert told((PILE, 1, False), (PILE, 1, True), (FEWER, 1.5, False), hand=hand) == [hand]


def test_each_card_that_is_gone_is_told() -> None:
    assert len(told((PILE, 1, False), (PILE, 0.5, True), (FEWER, 1, False), (FEWER, 0.5, True), (PILE, 1, False))) == 2


def test_a_pile_that_was_only_touched_tells_of_nothing() -> None:
    assert not told((PILE, 1, False), (HANDLIKE, 1, True), (PILE, 1.5, False))


def test_a_hand_that_pauses_and_looks_like_the_table_draws_once() -> None:
    pause = StockSettings().steady - 0.1
    shots = [(PILE, 1, False), (PILE, 0.3, True), (HANDLIKE, pause, False), (FEWER, 0.3, True), (FEWER, 1.5, False)]
    assert len(told(*shots)) == 1


@pytest.mark.parametrize("seen", [False, True])
def test_a_card_laid_face_up_on_the_draw_pile_and_taken_away_again_is_no_draw(seen: bool) -> None:
    astray = picture([TOP, Lying.at("back", 330, 180), Lying.at("Y1", 330, 180, 12)])
    shots = [(PILE, 1, False), (PILE, 0.5, True), (astray, 1.5, False), (astray, 0.5, True), (PILE, 1.5, False)]
    yellow = astray[180, 330]
    watch = StockWatch(is_face=lambda image, zone: (image[zone.window(image.shape, 1)] == yellow).all(-1).mean() > 0.05)
    hands = [CardsDrawn(1, 0.9, at + 0.45, at + 0.1, 40.0) for at in (1.0, 3.0)] if seen else []
    found = []
    for motion in motions(shots):
        ended = [hand for hand in hands if 0 <= motion.seconds - hand.seconds < 0.9 / RATE]
        found += watch.follow(motion, DRAW, ended, DISCARD)
    assert not found


@pytest.mark.parametrize(
    ("middle", "sure", "lies"),
    [((330, 180), 0.99, True), ((370, 205), 0.99, True), ((330, 180), 0.3, False), ((255, 180), 0.99, False)],
    ids=["on the pile", "half beside it", "hardly seen", "on a discard pile that leans over"],
)
def test_a_face_counts_where_it_lies_on_the_draw_pile(middle: tuple[int, int], sure: float, lies: bool) -> None:
    """A discard pile that leans over the draw pile's window does not turn a draw into a card laid by mistake."""

    class Seeing:
        def see(self, image: Image, *, near: Quads | None = None) -> Detections:
            rows, columns = DRAW.window(PILE.shape, 1.0)
            corner = np.array([columns.start, rows.start], np.float32)
            back = Detection(quad_at(330, 180) - corner, 0.9, BACK, 0.99)
            return Detections.of([back, Detection(quad_at(*middle) - corner, 0.5, Card.parse("GS"), sure)])

    assert shows_face(Seeing(), PILE, DRAW) is lies


def test_a_card_on_the_other_pile_is_no_draw() -> None:
    laid = picture([TOP, Lying.at("G7", 222, 178, 8), Lying.at("back", 330, 180)])
    assert not told((PILE, 1, False), (PILE, 0.5, True), (laid, 1.5, False))


def test_while_cards_are_dealt_nobody_draws() -> None:
    assert not told((PILE, 1, False), (PILE, 1, True), (FEWER, 1.5, False), discard=None)


def test_what_changed_while_the_camera_was_moved_is_no_draw() -> None:
    watch, found = StockWatch(), []
    for motion in motions([(PILE, 1, False), (PILE, 0.5, True), (FEWER, 1.5, False)]):
        shaken = 1 <= motion.seconds < 1.5
        seen = Motion(motion.frame, motion.still, (), SCALE, shaken)
        found += watch.follow(seen, DRAW, [], DISCARD)
    assert not found


def test_a_camera_that_looks_for_its_focus_draws_nothing() -> None:
    blurred = np.asarray(cv2.GaussianBlur(PILE, (0, 0), 4), np.uint8)
    shots = [(PILE, 1, False), (blurred, 0.3, True), (blurred, 1.5, False), (PILE, 0.3, True), (PILE, 1.5, False)]
    assert not told(*shots)


def test_a_darker_room_is_no_draw() -> None:
    dim = picture([TOP, Lying.at("back", 330, 180)], light=0.6)
    assert not told((PILE, 1, False), (PILE, 0.3, True), (dim, 1.5, False))


HAND = CardsDrawn(1, 0.9, 1.9, 1.2, 40.0)
GRAIN = np.random.default_rng(5).normal(0, 6, (*PILE.shape[:2], 1))


def grainy(image: Image, right: float = 0.0) -> Image:
    """The picture with a table that can be told from itself, seen from a camera that stands `right` px aside."""
    rough = cv2.GaussianBlur(image + GRAIN, (0, 0), 1.0)
    moved = cv2.warpAffine(rough, np.array([[1, 0, right], [0, 1, 0]], np.float32), rough.shape[1::-1])
    return np.clip(moved, 0, 255).astype(np.uint8)


def neat(right: float = 0.15) -> Image:
    """The pile after its top card was taken from one below that lies nearly as it lay, so many px aside."""
    moved = cv2.warpAffine(PILE, np.array([[1, 0, right], [0, 1, 0]], np.float32), PILE.shape[1::-1])
    return np.where(np.arange(PILE.shape[1])[None, :, None] > 280, moved, PILE)


def after(image: Image, before: Image = PILE) -> float:
    """The confidence in a draw by a hand that was seen, after which the pile looks like this."""
    (draw,) = told((before, 1, False), (before, 1, True), (image, 1.5, False), hand=HAND)
    return draw.confidence


def test_a_card_taken_neatly_is_told_from_a_touch_by_the_one_that_lies_there_now() -> None:
    assert after(neat()) == HAND.confidence
    assert after(PILE) == StockSettings().untouched


def test_a_shadow_over_a_touched_pile_takes_no_card() -> None:
    shadow = np.linspace(0.6, 1.0, PILE.shape[1])[None, :, None]
    assert after((PILE * shadow).astype(np.uint8)) == StockSettings().untouched


def test_a_pile_of_which_the_last_card_was_taken() -> None:
    assert after(picture([TOP])) == HAND.confidence


def test_a_card_taken_neatly_by_a_hand_that_nobody_saw_is_told_where_the_table_shows_that_the_camera_stands() -> None:
    assert len(told((grainy(PILE), 1, False), (PILE, 0.5, True), (grainy(neat()), 1.5, False))) == 1


@pytest.mark.parametrize("right", [0.1, 0.2, 0.4])
def test_who_leans_on_the_table_draws_nothing(right: float) -> None:
    assert not told((grainy(PILE), 1, False), (PILE, 0.5, True), (grainy(PILE, right), 1.5, False))


def dim(seed: int) -> Image:
    """The pile with a back without print, on a grainy table in half light, with a noise of its own."""
    image, card = picture([TOP]), Lying.at("back", 330, 180, 6).quad
    for size, ink in ((1.0, (225, 225, 225)), (0.9, (120, 20, 150))):
        cv2.fillConvexPoly(image, ((card - card.mean(0)) * size + card.mean(0)).astype(np.int32), ink)
    cv2.ellipse(image, (330, 180), (20, 32), 6, 0, 360, (30, 25, 190), -1)
    dark = 0.3 * cv2.GaussianBlur(image + 8 * GRAIN, (0, 0), 1.0)
    noisy = np.clip(dark + np.random.default_rng(seed).normal(0, 2, image.shape), 0, 255).astype(np.uint8)
    _, packed = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 60])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


@pytest.mark.parametrize("seed", [6, 12, 14])
def test_noise_on_a_back_without_print_is_no_draw(seed: int) -> None:
    assert not told((dim(seed), 1, False), (PILE, 0.5, True), (dim(seed + 1), 1.5, False))
