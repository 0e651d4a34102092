import numpy as np
import pytest

from tests.vision.scene import Lying, picture
from vision.shade import shade


def soft(dark: float = 0.5) -> "np.ndarray[tuple[int, ...], np.dtype[np.float64]]":
    rows, columns = np.mgrid[:360, :480]
    return np.asarray(1 - dark * np.exp(-(((rows - 180) / 70.0) ** 2) - ((columns - 240) / 90.0) ** 2))


def told(before: np.ndarray, now: np.ndarray) -> tuple[int, int]:
    """Places that changed, and those of them that are shade."""
    one, other = (image[::2, ::2].astype(np.float32) for image in (before, now))
    changed = np.abs(one - other).max(axis=2) > 20
    found = shade(one, other, changed, 0.5)
    assert not (found & ~changed).any()
    return int(changed.sum()), int(found.sum())


@pytest.mark.parametrize("comes", [True, False])
def test_a_shadow_that_comes_or_goes_is_shade(comes: bool) -> None:
    table = picture([Lying.at("R7", 200, 170, 20)])
    shadowed = np.asarray(table * soft()[:, :, None], np.uint8)
    changed, shaded = told(*((table, shadowed) if comes else (shadowed, table)))
    assert changed > 2000 and shaded > 0.9 * changed


def test_a_card_is_no_shade_not_even_in_a_shadow() -> None:
    table, card = picture([]), Lying.at("B3", 240, 180)
    changed, shaded = told(table, picture([card]))
    assert changed > 800 and shaded < 0.05 * changed
    within = np.asarray(picture([card]) * soft()[:, :, None], np.uint8)
    changed, shaded = told(table, within)
    assert changed - shaded > 800


def test_a_grey_thing_with_a_rim_is_no_shade() -> None:
    table = picture([])
    sleeve = table.copy()
    sleeve[100:260, 200:300] //= 2
    assert told(table, sleeve)[1] == 0


def test_nothing_is_no_shade() -> None:
    assert told(picture([]), picture([])) == (0, 0)
