import numpy as np
import pytest

from referee.cards import Card
from vision.detections import Detection, Detections, Image, Quads
from vision.survey import pieces, survey


@pytest.mark.parametrize(("height", "width"), [(720, 1280), (480, 640), (1080, 1920), (360, 360), (90, 1000)])
def test_pieces_cover_the_picture_and_overlap(height: int, width: int) -> None:
    seen = np.zeros((height, width), int)
    for rows, columns in pieces(height, width):
        assert rows.stop <= height
        seen[rows, columns] += 1
    assert seen.min() >= 1
    assert (seen > 1).mean() > 0.2


class ShortSighted:
    """Sees one card of 30 px, only in pictures no larger than 400 px; surer the nearer the card is to the middle."""

    def __init__(self) -> None:
        self.looks = 0

    def see(self, image: Image, *, near: Quads | None = None) -> Detections:
        self.looks += 1
        marked = np.argwhere(image[:, :, 0] == 255)
        if max(image.shape[:2]) > 450 or not len(marked):
            return Detections.empty()
        y, x = marked[0]
        quad = np.array([[x - 10, y - 15], [x + 10, y - 15], [x + 10, y + 15], [x - 10, y + 15]], np.float32)
        sure = 1 - abs(x - image.shape[1] / 2) / image.shape[1]
        return Detections.of([Detection(quad, 0.9, Card.parse("R7"), float(sure))])


def test_a_card_too_small_for_the_whole_picture_is_found_once_at_its_surest() -> None:
    image = np.zeros((720, 1280, 3), np.uint8)
    image[350, 600] = 255
    sight = ShortSighted()
    [card] = list(survey(sight, image))
    assert card.centre == pytest.approx((600, 350))
    assert card.confidence == pytest.approx(0.78, abs=0.01)
    assert sight.looks == 1 + len(list(pieces(720, 1280)))
