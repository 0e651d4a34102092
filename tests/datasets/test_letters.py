"""Letters that stand on no card."""

import numpy as np
import pytest

from datasets import letters
from datasets.bank import faces_for


@pytest.mark.parametrize("surface", letters.SURFACES, ids=lambda surface: surface.__name__)
@pytest.mark.parametrize("shape", [(160, 260), (260, 200)])
def test_surfaces_are_written_on_and_come_from_their_seed(surface: letters.Surface, shape: tuple[int, int]) -> None:
    image, again = (surface(np.random.default_rng(3), *shape) for _ in range(2))
    assert image.shape == (*shape, 3) and image.dtype == np.uint8
    assert np.array_equal(image, again)
    assert len(np.unique(image.reshape(-1, 3), axis=0)) > 20


def test_they_are_in_no_typeface_that_is_held_out() -> None:
    chosen = {letters.typeface(np.random.default_rng(seed)) for seed in range(60)}
    assert not chosen & set(faces_for(held_out=True))


def test_what_is_written_stands_where_it_was_asked_for() -> None:
    image = np.zeros((120, 200, 3), np.uint8)
    letters.write(image, "8", letters.typeface(np.random.default_rng(1)), (140, 40, 50, 0.3), (9, 9, 255))
    y, x = np.nonzero(image[:, :, 2] > 127)
    assert (x.mean(), y.mean()) == pytest.approx((140, 40), abs=3)
    assert 40 < np.ptp(y) < 62 and image[:, :, 0].max() <= 9
