import cv2
import numpy as np
import pytest

from vision.rectify import ASPECT, carry, cut, cuts, quad_of, rectangle, sides


def marked(side: int = 400) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """A picture whose blue grows to the right and whose green grows downwards, one step each four pixels."""
    ys, xs = np.mgrid[0:side, 0:side]
    return np.dstack([xs // 2, ys // 2, np.zeros_like(xs)]).astype(np.uint8)


@pytest.mark.parametrize("angle", [0.0, 0.3, 1.6, 3.0])
@pytest.mark.parametrize("height", [40.0, 120.0, 300.0])
def test_a_cut_shows_what_lies_inside_the_quad(angle: float, height: float) -> None:
    quad = quad_of(200, 200, height * ASPECT, height, angle)
    picture, matrix = cut(marked(), quad, (80, 120))
    assert picture.shape == (120, 80, 3)
    for x, y in ((10, 10), (40, 60), (70, 110)):
        source = carry(np.array([[x + 0.5, y + 0.5]]), np.linalg.inv(matrix))[0]
        blue, green = picture[y, x, :2]
        assert blue == pytest.approx((source[0] - 0.5) / 2, abs=1.7)
        assert green == pytest.approx((source[1] - 0.5) / 2, abs=1.7)


def test_the_homography_carries_the_quad_onto_the_cut() -> None:
    for height in (50.0, 350.0):
        quad = quad_of(180, 210, height * 0.6, height, 0.4)
        _, matrix = cut(marked(), quad, (80, 120))
        assert carry(quad, matrix) == pytest.approx(rectangle(80, 120), abs=0.6)


def test_a_quad_outside_the_picture_is_filled_from_its_edge() -> None:
    picture, _ = cut(np.full((50, 50, 3), 77, np.uint8), quad_of(0, 0, 300, 400, 0.2), (80, 120))
    assert (picture == 77).all()


def test_shrinking_averages_fine_print() -> None:
    stripes = np.zeros((600, 600, 3), np.uint8)
    stripes[:, ::2] = 255
    picture, _ = cut(stripes, quad_of(300, 300, 320, 480, 0.0), (80, 120))
    assert abs(float(picture.mean()) - 127) < 3
    assert float(picture.std()) < 20


def test_sides_of_a_turned_card() -> None:
    assert sides(quad_of(0, 0, 30, 50, 1.1)) == pytest.approx((30, 50), abs=1e-4)
    assert cv2.contourArea(quad_of(0, 0, 30, 50, 1.1)) == pytest.approx(1500, abs=0.1)


def test_many_cuts_at_once_are_those_of_each_alone() -> None:
    rng = np.random.default_rng(3)
    noise = rng.integers(0, 255, (400, 400, 3)).astype(np.uint8)
    quads = np.stack([quad_of(200, 180, size * ASPECT, size, angle) for size, angle in ((40, 0.3), (150, 2), (380, 5))])
    pictures, matrices = cuts(noise, quads, (80, 120))
    for quad, picture, matrix in zip(quads, pictures, matrices, strict=True):
        alone, onto = cut(noise, quad, (80, 120))
        assert np.array_equal(picture, alone) and np.array_equal(matrix, onto)
    assert cuts(noise, quads[:0], (80, 120))[0].shape == (0, 120, 80, 3)
