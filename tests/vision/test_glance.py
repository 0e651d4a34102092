"""A card that lies open is believed before the hand is gone; one that a hand covers, holds or moves is not."""

from collections.abc import Iterable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.scene import Lying, picture, quad_at, with_arm
from tests.vision.test_pipeline import Script, words
from vision.changes import CardLaid
from vision.compare import View
from vision.detections import Detection, Detections, Image
from vision.frames import Frame
from vision.glance import Glance, GlanceSettings, broken
from vision.motion import Motion
from vision.plays import Pile
from vision.readings import Laid, Look, Reading, Unclear, told
from vision.zones import Zone

STANDARD = GlanceSettings()
R7, B3 = Lying.at("R7", 150, 180, 5), Lying.at("B3", 156, 174, 24)
G5 = Lying.at("G5", 162, 168, -30)
BESIDE, OVER, AWAY = (98, 184), (126, 184), (20, 196)
"""Where an arm ends: near the card, over its edge, far from it."""


class Sure(Script):
    """The table of the pipeline's tests, read as surely as wanted."""

    sure = 0.99

    def _seen(self, card: Lying, shift: "np.ndarray[tuple[int, ...], np.dtype[np.float32]]") -> Detection:
        return replace(super()._seen(card, shift), confidence=self.sure)

    def put(self, card: Lying, tip: tuple[int, int]) -> "Sure":
        """A hand brings a card, stays where `tip` says for a second, and goes."""
        self.arm((150, 185), 0.5)
        self.cards = (*self.cards, card)
        self.arm(tip, 1.0)
        self.rest(1.0)
        return self

    def waited(self) -> float:
        """Seconds from the last card put down to its being told."""
        down = next(at for at, cards in enumerate(self.lying) if cards == self.cards)
        told = [change for change in self.changes() if isinstance(change, CardLaid)][-1]
        assert told.card == self.cards[-1].face
        return told.seconds - down / self.clip.rate


def table() -> Sure:
    script = Sure()
    script.rest(1.0)
    script.lay(R7)
    return script


def test_an_open_card_is_told_while_the_hand_is_still_near() -> None:
    assert table().put(B3, BESIDE).waited() == pytest.approx(2 / 12, abs=0.01)


def test_fingers_over_its_border_make_a_card_wait() -> None:
    assert table().put(B3, OVER).waited() > 1.0


def test_an_unsure_reading_waits() -> None:
    script = table()
    script.sure = STANDARD.sure - 0.01
    assert script.put(B3, BESIDE).waited() > 1.0


def test_a_card_that_still_slides_waits() -> None:
    script = table()
    script.arm((150, 185), 0.5)
    for step in range(6):
        script.cards = (*script.cards[:2], Lying.at("B3", 156 + 4 * step, 174, 24))
        script.arm((98 + 4 * step, 184), 1 / 12)
    assert not [change for change in script.changes() if isinstance(change, CardLaid)][1:]


def glanced(confidences: Iterable[float], glance: Glance) -> list[int]:
    """How many looks in a row have seen the card, after each look."""
    counts = []
    for index, confidence in enumerate(confidences):
        frame = Frame(picture([R7]), index * 0.1, index)
        motion = Motion(frame, np.ones((60, 80), np.float32), (), 6.0)
        glance.open_cards(motion, Detections.of([R7.seen(confidence)]), Zone(150, 180, 80))
        counts.append(max([count for _, _, count in glance._seen], default=0))
    return counts


def test_looks_count_up_to_the_cap_and_one_that_sees_nothing_sets_them_back() -> None:
    glance = Glance(replace(STANDARD, agree=3))
    assert glanced([0.99] * 5 + [0.5, 0.99, 0.99], glance) == [1, 2, 3, 3, 3, 0, 1, 2]
    assert glanced([0.99], Glance()) == [1]


@pytest.mark.parametrize("light", [1.0, 0.4])
def test_the_border_tells_fingers_in_any_light(light: float) -> None:
    def seen(image: Image) -> float:
        return broken((image * light).astype(np.uint8), R7.quad, STANDARD.apart)

    assert seen(picture([R7])) == 0
    assert seen(with_arm(picture([R7]), OVER)) > STANDARD.broken
    crooked = broken(picture([R7]), R7.quad + np.array([1.5, -1], np.float32), STANDARD.apart)
    assert crooked == 0


def test_a_card_that_may_lie_in_the_stead_of_another_waits_for_the_arm_to_leave() -> None:
    script = table()
    script.lay(Lying.at("G5", 132, 186, -20))
    script.arm((150, 185), 0.5)
    script.cards = (*script.cards[:-1], Lying.at("B3", 172, 174, 10))
    script.arm((116, 184), 1.0).rest(2.0)
    assert words(script.changes()) == ["R7", "G5", "-G5", "B3"]


def test_what_a_hand_hid_when_its_card_was_told_is_no_card_that_nobody_can_read() -> None:
    script = table()
    script.arm((150, 185), 0.5)
    script.cards = (*script.cards, B3)
    script.arm(BESIDE, 1.0)
    left = picture(script.cards)
    cv2.fillConvexPoly(left, quad_at(92, 176, 10).astype(np.int32), (60, 70, 80))
    script._show(left, 5.0)
    assert words(script.changes()) == ["R7", "B3"]


def test_the_top_squared_up_with_the_pile_is_no_new_card_while_the_hand_is_near() -> None:
    script = table().put(B3, BESIDE)
    script.arm((150, 185), 0.5)
    script.cards = (script.cards[0], Lying.at("R7", 176, 178, 24), Lying.at("B3", 180, 176, 24))
    script.arm(OVER, 1.0)
    script.rest(1.0)
    assert [change.card for change in script.changes() if isinstance(change, CardLaid)] == [R7.face, B3.face]


def test_cards_below_that_come_to_light_as_the_hand_goes_were_not_laid() -> None:
    top, below, new = B3.seen(0.99), R7.seen(0.3), Lying.at("G5", 190, 200).seen(0.99)
    pile = Pile(cards=[R7.face, B3.face], quads=[R7.quad, B3.quad], names=[frozenset({R7.face}), frozenset({B3.face})])  # type: ignore[arg-type,list-item]
    look = Look(View(picture([R7, B3]), np.zeros((60, 80), bool)), Detections.of([top, below, new]), Zone(150, 180, 80))
    glance, gone = Glance(), replace(look, cards=Detections.of([below, new]))

    def means(reading: Reading, look: Look) -> str:
        return told(glance.settled(reading, look, pile))

    assert means(Laid(R7.face, below), look) == means(Unclear(), look) == "nothing changed"  # type: ignore[arg-type]
    assert means(Laid(new.face, new), look) == "G5 laid, 99 %"  # type: ignore[arg-type]
    assert means(Laid(R7.face, below), gone) == "R7 laid, 30 %"  # type: ignore[arg-type]
    assert means(Unclear(), gone) == "no card explains the change"


def test_another_copy_of_a_card_below_that_lies_open_over_all_was_laid() -> None:
    again = Lying.at("R7", 160, 190, 70)
    pile = Pile(cards=[R7.face, B3.face], quads=[R7.quad, B3.quad], names=[frozenset({R7.face}), frozenset({B3.face})])  # type: ignore[arg-type,list-item]
    cards = Detections.of([B3.seen(0.99), again.seen(0.99)])
    look = Look(View(picture([R7, B3, again]), np.zeros((60, 80), bool)), cards, Zone(150, 180, 80))
    laid = Laid(again.face, again.seen(0.99))  # type: ignore[arg-type]
    assert told(Glance().settled(laid, look, pile)) == "R7 laid, 99 %"


@pytest.mark.parametrize(("name", "over", "believed"), [("R7", 150, False), ("Y9", 110, False), ("Y9", 150, True)])
def test_a_covered_card_of_which_more_is_seen_while_a_hand_is_near_was_not_laid(
    name: str, over: int, believed: bool
) -> None:
    """A card comes down at `over`; beside it one is read, of a face that is remembered there or of another."""
    lying, hidden = (R7, B3), np.zeros((60, 80), bool)
    names = [frozenset({R7.face}), frozenset({B3.face})]
    pile = Pile(cards=[R7.face, B3.face], quads=[R7.quad, B3.quad], names=names)  # type: ignore[arg-type,list-item]
    pile.view = View(picture(lying), hidden)
    after = picture([*lying, Lying.at("G5", over, 180, 5)])
    read, glance = Lying.at(name, 150, 182, 5).seen(0.99), Glance()
    look = Look(View(after, hidden), Detections.of([read]), Zone(150, 180, 80))
    told = []
    for index in range(3):
        motion = Motion(Frame(after, index * 0.1, index), np.ones((60, 80), np.float32), (), 6.0)
        glance.open_cards(motion, look.cards, look.zone)
        told.append(glance.believes(Laid(read.face, read), look, motion, pile))  # type: ignore[arg-type]
    assert told == [False, believed, believed]


def test_an_identical_card_is_a_play_though_the_one_below_was_told_beside_a_hand() -> None:
    script = table().arm((150, 185), 0.5)
    script.cards = (*script.cards, B3)
    script.arm((84, 184), 0.1).rest(1.0).lay(Lying.at("B3", 190, 190, -20))
    script.rest(1.0)
    assert words(script.changes()) == ["R7", "B3", "B3"]


def held(seconds: float) -> Sure:
    """A card that lies there, read surely, with fingers over its border."""
    script = table()
    script.arm((150, 185), 0.5)
    script.cards = (*script.cards, B3)
    script.arm(OVER, seconds)
    return script


def looks_at(script: Sure) -> int:
    list(script.changes())
    return script.looks


def test_while_fingers_hold_a_card_the_eyes_hardly_look() -> None:
    frames = 12 * 2.0
    more = looks_at(held(3.0)) - looks_at(held(1.0))
    assert 2 <= more <= frames * (1 / 12) / STANDARD.held + 1


def test_a_card_is_told_with_the_first_frame_in_which_fingers_have_let_go_of_it() -> None:
    script = held(1.0)
    let_go = len(script.frames) / script.clip.rate
    script.arm(BESIDE, 1.0)
    told = [change for change in script.changes() if isinstance(change, CardLaid)][-1]
    assert told.card == B3.face
    assert told.seconds == pytest.approx(let_go, abs=1 / 12 + 0.01)


def test_a_card_that_fingers_move_is_looked_at_again_at_once() -> None:
    """It is told where it lies in the end, and not where it was held."""
    moved = Lying.at("B3", 164, 170, 24)
    script = held(1.0)
    script.cards = (*script.cards[:-1], moved)
    let_go = len(script.frames) / script.clip.rate
    script.arm(BESIDE, 1.0)
    told = [change for change in script.changes() if isinstance(change, CardLaid)][-1]
    assert told.quad == pytest.approx(moved.quad, abs=0.5)
    assert told.seconds - let_go < 0.2


def test_a_card_laid_while_fingers_hold_the_one_before_is_told() -> None:
    script = held(1.0)
    script.cards = (*script.cards, G5)
    script.arm(OVER, 0.5)
    script.rest(1.0)
    assert words(script.changes())[-1] == "G5"
