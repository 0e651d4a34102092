"""What was laid on a table is found by its shape, whatever it shows; hands, shadows and light are not taken for it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from datasets.backgrounds import surface
from vision.detections import Image
from vision.laid import EmptyTable
from vision.overlaps import overlap
from vision.rectify import Quad, quad_of

CARD = quad_of(320, 240, 125, 190, 0.4)


def table() -> Image:
    return surface(np.random.default_rng(5), 480, 640).copy()


def with_shape(quad: Quad, image: Image | None = None) -> Image:
    image = table() if image is None else image
    cv2.fillConvexPoly(image, np.round(quad).astype(np.int32), (40, 200, 90))
    return image


@pytest.mark.parametrize("light", [0.8, 1.0, 1.25])
def test_a_card_is_found_by_its_shape_in_any_light(light: float) -> None:
    empty = EmptyTable(table())
    seen = (with_shape(CARD) * light).clip(0, 255).astype(np.uint8)
    mask = empty.changed(seen)
    (found,) = empty.cards(mask)
    assert overlap(found, CARD) > 0.85 and empty.share(mask, CARD) > 0.9
    assert empty.share(mask, quad_of(90, 100, 60, 90, 0.0)) < 0.1


@pytest.mark.parametrize(
    "quad",
    [quad_of(320, 0, 125, 300, 0.2), quad_of(320, 240, 40, 260, 0.2), quad_of(320, 240, 20, 30, 0.2)],
    ids=["an arm that reaches in", "a pencil", "a crumb"],
)
def test_other_things_are_no_cards(quad: Quad) -> None:
    empty = EmptyTable(table())
    assert empty.cards(empty.changed(with_shape(quad))) == []


def test_what_is_taken_away_again_was_never_laid() -> None:
    empty = EmptyTable(table())
    assert empty.cards(empty.changed(table())) == []
