"""The camera picture of the host's page."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from referee.cards import Card
from service.preview import WIDTH, Preview
from vision.detections import Detection, Detections
from vision.zones import Zone, Zones

GREY = np.full((720, 1280, 3), 128, np.uint8)
QUAD = np.array([[400, 200], [600, 200], [600, 500], [400, 500]], np.float32)
BLUE_SIX = Detections.of([Detection(QUAD, 0.9, Card.parse("B6"), 0.97)])


def decoded(jpeg: bytes | None) -> npt.NDArray[np.uint8]:
    assert jpeg is not None
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    return picture.astype(np.uint8)


def test_nothing_to_see_before_the_first_frame_and_after_the_last() -> None:
    preview = Preview()
    assert preview.jpeg() is None
    preview.show(GREY, Detections.empty(), Zones())
    assert preview.jpeg() is not None
    preview.end()
    assert preview.jpeg() is None


def test_a_large_picture_is_brought_to_the_width_of_the_page() -> None:
    preview = Preview()
    preview.show(GREY, Detections.empty(), Zones())
    assert decoded(preview.jpeg()).shape == (540, WIDTH, 3)


def test_cards_and_piles_are_outlined_where_they_lie() -> None:
    preview = Preview()
    preview.show(GREY, BLUE_SIX, Zones(draw=Zone(1000, 360, 200)))
    picture = decoded(preview.jpeg()).astype(int)
    scale = WIDTH / 1280
    blue, _, red = picture[round(350 * scale), round(400 * scale)]
    assert blue > red + 60
    assert abs(picture[round(360 * scale), round(1150 * scale)] - 128).max() > 60
    assert np.abs(picture[10:60, 10:60] - 128).max() < 12


def test_the_frame_itself_stays_as_it_was() -> None:
    image = GREY.copy()
    preview = Preview()
    preview.show(image, BLUE_SIX, Zones())
    preview.jpeg()
    assert (image == GREY).all()


def test_one_frame_is_coded_once() -> None:
    preview = Preview()
    preview.show(GREY, BLUE_SIX, Zones())
    first = preview.jpeg()
    assert preview.jpeg() is first
    preview.show(GREY, BLUE_SIX, Zones())
    assert preview.jpeg() is not first
