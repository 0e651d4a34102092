"""Command cards: seen small, soft and askew; half a second acts once; never taken for a playing card."""

from collections.abc import Iterable, Iterator

import cv2
import numpy as np
import pytest

from datasets import textures
from datasets.marks import Shooting, pasted, photographed, printed
from service import sheets
from tests.vision.scene import Clip, Lying, picture, with_arm
from vision.changes import CardLaid, CommandShown, TableChange
from vision.detections import Detections, Image, Quads
from vision.frames import Frame, Glimpse
from vision.marks import MarkFinder, MarkSettings, MarkWatch
from vision.motion import Mask, MotionWatch
from vision.pipeline import WatchSettings, watch

PILE, STOCK = Lying.at("R7", 150, 180, 5), Lying.at("back", 350, 180)
CORNER, ON_THE_PILE = (410.0, 60.0), (150.0, 180.0)


def test_marks_are_measured_as_large_as_they_are_printed() -> None:
    assert Shooting().side == sheets.MARK


@pytest.mark.parametrize(
    ("shooting", "share"),
    [
        (Shooting(side=12, blur=0.6), 0.9),  # 13 px
        (Shooting(side=20, blur=0.8), 0.9),
        (Shooting(side=36, tilt=50, blur=0.9), 0.9),
        (Shooting(side=36, shake=8, blur=0.8), 0.75),
    ],
    ids=["12 mm at 1 m in 720p", "20 mm", "tilted to 50 degrees", "moving"],
)
def test_a_printed_and_photographed_mark_is_found_where_it_is(shooting: Shooting, share: float) -> None:
    rng = np.random.default_rng(11)
    tables = [np.asarray(top(rng, 720, 1280), np.uint8) for top in (textures.wood, textures.felt)]
    found = 0
    for shot in range(10):
        image, quad = photographed(rng, tables[shot % 2], shot, shooting)
        seen = MarkFinder().find(image)
        assert seen.keys() <= {shot}
        if shot in seen:
            found += 1
            assert np.abs(seen[shot].mean(0) - quad.mean(0)).max() < 0.15 * shooting.pixels + 1
    assert found >= share * 10


def card(image: Image, mark: int, at: tuple[float, float], side: float = 44) -> Image:
    """A command card of `side` px lying or held there."""
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * side * 0.75
    return pasted(image, printed(mark), np.asarray(half + at, np.float32))


def marks(frames: Iterable[Frame]) -> list[tuple[int, ...]]:
    motion, watching = MotionWatch(), MarkWatch()
    return [shown.marks for frame in frames for shown in watching.follow(motion.see(frame))]


class Shown:
    """A clip of a table on which command cards come and go."""

    def __init__(self, lying: tuple[Lying, ...] = (PILE, STOCK)) -> None:
        self.clip, self.frames, self.bare = Clip(12), list[Frame](), picture(lying)

    def rest(self, seconds: float, *marks: tuple[int, tuple[float, float]], arm: bool = False) -> "Shown":
        image = with_arm(self.bare, (390, 80), (479, 20)) if arm else self.bare
        for mark, at in marks:
            image = card(image, mark, at)
        self.frames += self.clip.hold(image, seconds)
        return self


def test_half_a_second_acts_once_however_long_it_lies() -> None:
    shown = Shown().rest(2).rest(0.3, (6, CORNER), arm=True).rest(20, (6, CORNER))
    assert marks(shown.frames) == [(6,)]


def test_a_glance_does_not_act() -> None:
    assert marks(Shown().rest(2).rest(0.35, (6, CORNER)).rest(3).frames) == []


def test_it_acts_again_after_it_was_gone_for_a_while() -> None:
    shown = Shown().rest(2).rest(1, (6, CORNER)).rest(0.5).rest(1, (6, CORNER)).rest(2).rest(1, (6, CORNER)).rest(1)
    assert marks(shown.frames) == [(6,), (6,)]


def test_a_hand_over_a_lying_mark_does_not_make_it_act_again() -> None:
    shown = Shown().rest(2).rest(2, (6, CORNER))
    image = with_arm(card(shown.bare, 6, CORNER), (400, 70), (479, 10))
    shown.frames += shown.clip.hold(image, 2.5)
    assert marks(shown.rest(3, (6, CORNER)).frames) == [(6,)]


def test_a_mark_that_was_there_from_the_start_does_not_act() -> None:
    assert marks(Shown().rest(5, (3, CORNER)).rest(1, (3, CORNER), (4, (60, 60))).frames) == [(4,)]


def test_several_at_once_are_told_together_and_a_revealed_one_is_not_shown() -> None:
    assert marks(Shown().rest(2).rest(1.5, (6, CORNER), (7, (60, 60))).frames) == [(6, 7)]
    revealed = Shown().rest(2).rest(0.8, (6, CORNER)).rest(3, (6, (380, 130)), (7, CORNER))
    assert marks(revealed.frames) == [(6,)]


def test_a_mark_of_another_set_is_nothing() -> None:
    assert marks(Shown().rest(2).rest(2, (MarkSettings().count, CORNER)).frames) == []


class Deceived:
    """A sight that takes every command card for a blue four and sees `lying` where none covers it."""

    def __init__(self, frames: list[Frame], lying: tuple[Lying, ...]) -> None:
        self._frames, self._now, self._lying = frames, frames[0], lying

    def glimpses(self) -> Iterator[Glimpse]:
        for frame in self._frames:
            self._now = frame
            yield frame

    def see(self, image: Image, *, near: Quads | None = None) -> Detections:
        offset = int(image.__array_interface__["data"][0]) - int(self._now.image.__array_interface__["data"][0])
        row, rest = divmod(offset, self._now.image.strides[0])
        shift = np.array([rest // 3, row], np.float32)
        taken = [Lying.at("B4", *(quad.mean(0) + shift)) for quad in MarkFinder().find(image).values()]
        under = [one for one in self._lying if not any(_on(one, mark.quad.mean(0)) for mark in taken)]
        seen = Detections.of([one.seen() for one in (*under, *taken)])
        return Detections(seen.quads - shift, seen.scores, seen.faces, seen.confidences)

    def changes(self, settings: WatchSettings) -> list[TableChange]:
        return list(watch(self.glimpses(), self, settings))


def _on(lying: Lying, at: "np.ndarray[tuple[int, ...], np.dtype[np.float32]]") -> bool:
    return cv2.pointPolygonTest(lying.quad, (float(at[0]), float(at[1])), False) >= 0


@pytest.mark.parametrize(("at", "lying"), [(CORNER, (STOCK,)), (ON_THE_PILE, (PILE, STOCK))], ids=["beside", "on it"])
def test_a_command_card_is_no_play_wherever_it_lies(at: tuple[float, float], lying: tuple[Lying, ...]) -> None:
    shown = Shown(lying).rest(2).rest(0.3, (6, at), arm=True).rest(4, (6, at)).rest(3)

    def seen(settings: WatchSettings) -> tuple[list[tuple[int, ...]], set[str]]:
        changes = Deceived(shown.frames, lying).changes(settings)
        laid = {str(change.card) for change in changes if isinstance(change, CardLaid)}
        return [change.marks for change in changes if isinstance(change, CommandShown)], laid

    assert "B4" in seen(WatchSettings(marks=MarkSettings(count=0)))[1], "the sight would be deceived"
    commands, laid = seen(WatchSettings())
    assert commands == [(6,)] and "B4" not in laid


def test_no_mark_is_looked_for_where_nothing_new_came_to_lie() -> None:
    """An arm that came and went leaves the table as it was; a card that stays is looked at, and not for ever."""
    looks = list[tuple[float, float]]()

    class Counting(MarkFinder):
        def find(self, image: Image, worth: Mask | None = None) -> dict[int, Quads]:
            looks.append((motion_now[0], image.shape[0] * image.shape[1] / (360 * 480)))
            return super().find(image, worth)

    motion, watching, motion_now = MotionWatch(), MarkWatch(), [0.0]
    watching._finder = Counting()
    shown = Shown().rest(3)
    bare = shown.bare
    shown.frames += shown.clip.hold(with_arm(bare, (390, 80), (479, 20)), 0.5)
    shown.rest(3)
    shown.bare = picture((PILE, STOCK, Lying.at("B3", 155, 178, 40)))
    shown.rest(3)
    for frame in shown.frames:
        motion_now[0] = frame.seconds
        watching.follow(motion.see(frame))
    assert not [at for at, _ in looks if 1.5 < at < 3 or 3.9 < at < 6.4 or at > 8.2], looks
    assert [at for at, _ in looks if 6.5 <= at < 7.5]
    assert all(share < 0.35 for at, share in looks if at > 3)
