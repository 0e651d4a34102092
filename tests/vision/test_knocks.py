import cv2
import numpy as np
import pytest

from tests.vision.scene import Clip, Lying, picture
from vision.compare import View
from vision.detections import Image
from vision.knocks import Shift, shift
from vision.motion import MotionWatch
from vision.zones import Zone, Zones


def table(seed: int = 1) -> Image:
    """A table with a grain to hold on to, and two cards on it."""
    grain = np.random.default_rng(seed).integers(-30, 30, (90, 120, 3)).astype(np.int16)
    rough = cv2.resize(grain, (480, 360), interpolation=cv2.INTER_CUBIC)
    image = picture([Lying.at("R7", 240, 180, 5), Lying.at("back", 350, 180)])
    return np.asarray((image + rough).clip(0, 255), np.uint8)


def knocked(image: Image, turn: float = 3, x: float = 14, y: float = -9, scale: float = 1.01) -> tuple[Image, Shift]:
    matrix = np.asarray(cv2.getRotationMatrix2D((240, 180), turn, scale), np.float64)
    matrix[:, 2] += [x, y]
    return np.asarray(cv2.warpAffine(image, matrix, (480, 360), borderMode=cv2.BORDER_REFLECT), np.uint8), Shift(matrix)


def test_a_knock_is_told_by_how_much() -> None:
    after, true = knocked(table())
    found = shift(table(), after)
    corners = np.array([[10, 10], [470, 10], [470, 350], [10, 350]], np.float32)
    assert found is not None and found.quads(corners) == pytest.approx(true.quads(corners), abs=2)
    assert found.scale == pytest.approx(true.scale, abs=0.005) and not found.is_nothing((360, 480))


def test_what_cannot_be_told_is_none_and_a_camera_that_stands_is_nothing() -> None:
    assert shift(table(), np.ascontiguousarray(table()[::-1, ::-1])) is None
    assert shift(np.full((360, 480, 3), 90, np.uint8), table()) is None
    still = shift(table(), table())
    assert still is not None and still.is_nothing((360, 480))


def test_pictures_and_zones_move_along() -> None:
    after, true = knocked(table())
    view = true.view(View(table(), np.zeros((192, 256), bool)))
    inner = np.s_[60:300, 80:400]
    assert np.abs(view.picture[inner].astype(int) - after[inner]).mean() < 3
    zones = Zones(Zone(240, 180, 80), Zone(350, 180, 80)).shifted(true.point, true.scale)
    assert zones.discard is not None and zones.draw is not None
    assert (zones.discard.x, zones.discard.y) == pytest.approx((254, 171), abs=1)
    assert zones.draw.card == pytest.approx(80.8, abs=0.1) and zones.draw.y < 171


def test_a_knock_is_told_from_a_lamp_and_leaves_no_hands_behind() -> None:
    clip, watch = Clip(10), MotionWatch()
    after, _ = knocked(table())
    bright = np.asarray((table() * 0.8).astype(np.uint8))
    seen = [watch.see(frame) for image in (table(), bright, after) for frame in clip.hold(image, 1.5)]
    assert [index for index, motion in enumerate(seen) if motion.shaken] == [30]
    assert not any(motion.hands for motion in seen[36:])
