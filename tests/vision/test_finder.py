"""The finder's arithmetic, with a network of one fixed answer; what the trained one finds is tested in test_eyes."""

import numpy as np
import numpy.typing as npt
import pytest

from vision.finder import Boxes, Finder, letterbox, suppressed


class Fixed:
    """Stands for the network: answers with the boxes that it was given, in the network's own shape."""

    def __init__(self, rows: list[list[float]]) -> None:
        self.rows = np.array(rows, np.float32)
        self.seen: list[tuple[int, ...]] = []

    def run(self, batch: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        self.seen.append(batch.shape)
        return np.ascontiguousarray(self.rows.T[None])


def test_letterbox_keeps_the_shape_and_pads_to_the_stride() -> None:
    image = np.full((480, 640, 3), (10, 20, 30), np.uint8)
    planes, factor = letterbox(image, 320)
    assert planes.shape == (1, 3, 256, 320)
    assert factor == 0.5
    assert planes[0, :, 128, 160] * 255 == pytest.approx([30, 20, 10])
    assert planes[0, :, 0, 0] * 255 == pytest.approx([114, 114, 114])


def test_boxes_come_back_in_the_pixels_of_the_picture() -> None:
    network = Fixed([[160, 128, 40, 60, 0.9, 0.5], [10, 10, 5, 5, 0.01, 0.0]])
    boxes = Finder(network).find(np.zeros((480, 640, 3), np.uint8))  # type: ignore[arg-type]
    assert network.seen == [(1, 3, 256, 320)]
    assert boxes.rows.tolist() == [pytest.approx([320, 240, 80, 120, 0.5])]
    assert boxes.scores.tolist() == [pytest.approx(0.9)]


def test_the_weaker_of_two_boxes_on_one_card_goes_and_a_crossed_one_stays() -> None:
    rows = [[100, 100, 40, 60, 0.0], [102, 101, 41, 60, 0.02], [100, 100, 40, 60, np.pi / 2], [300, 100, 40, 60, 0]]
    boxes = suppressed(Boxes(np.array(rows, np.float32), np.array([0.6, 0.9, 0.5, 0.4], np.float32)), overlap=0.7)
    assert boxes.scores.tolist() == pytest.approx([0.9, 0.5, 0.4])


def test_no_box_is_an_answer() -> None:
    boxes = Finder(Fixed([[0, 0, 1, 1, 0.0, 0.0]])).find(np.zeros((64, 64, 3), np.uint8))  # type: ignore[arg-type]
    assert len(boxes) == 0 and boxes.quads().shape == (0, 4, 2)
