"""The truth that comes with a training picture is exact, complete and the same every time."""

import cv2
import numpy as np
import pytest

from datasets import degrade, layouts, scenes, warp
from datasets.bank import Print
from datasets.hands import hand
from datasets.negatives import distractor
from datasets.textures import Image
from referee.cards import Card


class MarkedCards:
    """A bank of one white card with a dot of its own colour near each corner."""

    DOTS = ((255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 0, 255))
    INSET = 20

    def __init__(self) -> None:
        self.sprite = np.full((256, 166, 4), 255, np.uint8)
        for (x, y), ink in zip(self.places(), self.DOTS, strict=True):
            cv2.circle(self.sprite, (x, y), 9, (*ink, 255), -1, cv2.LINE_AA)

    def places(self) -> list[tuple[int, int]]:
        low, right, bottom = self.INSET, 166 - self.INSET, 256 - self.INSET
        return [(low, low), (right, low), (right, bottom), (low, bottom)]

    def sample(self, rng: np.random.Generator) -> Print:
        return Print(None if rng.random() < 0.3 else Card.parse("R5"), self.sprite)


@pytest.fixture(scope="module")
def bank() -> MarkedCards:
    return MarkedCards()


def _centre(image: Image, ink: tuple[int, int, int]) -> np.ndarray:
    weight = np.maximum(0, 120 - np.abs(image.astype(float) - ink).sum(2))
    y, x = np.mgrid[: image.shape[0], : image.shape[1]] + 0.5
    return np.asarray(np.array([(x * weight).sum(), (y * weight).sum()]) / weight.sum())


def _at(x: int, y: int) -> warp.Quad:
    return warp.corners(60, 100) + np.array([x, y], np.float32)


@pytest.mark.parametrize("seed", range(12))
def test_a_card_lands_where_its_quad_says(bank: MarkedCards, seed: int) -> None:
    rng = np.random.default_rng(seed)
    spot = layouts.Spot(160, 150, float(rng.uniform(110, 190)), float(rng.uniform(-3, 3)))
    matrix = layouts.view(rng, (160, 150), 500)
    quad = layouts.seen_through(matrix, layouts.rectangle(spot, 166 / 256))
    picture = np.zeros((320, 320, 3), np.uint8)
    warp.paste(picture, bank.sprite, quad)
    onto = cv2.getPerspectiveTransform(warp.corners(166, 256), quad)
    places = np.array(bank.places(), np.float32)[None] + 0.5
    expected = cv2.perspectiveTransform(places, onto)[0]
    for ink, place in zip(bank.DOTS, expected, strict=True):
        assert np.linalg.norm(_centre(picture, ink) - place) < 0.5


def test_an_upright_quad_covers_just_its_pixels() -> None:
    picture, ids = np.zeros((40, 40, 3), np.uint8), np.zeros((40, 40), np.int16)
    sprite = np.full((20, 10, 4), 255, np.uint8)
    warp.paste(picture, sprite, warp.corners(10, 20) + np.float32(5), ids, 1)
    rows, columns = np.nonzero(ids)
    assert (rows.min(), rows.max(), columns.min(), columns.max()) == (5, 24, 5, 14)
    assert picture[24, 14].tolist() == [255] * 3


@pytest.mark.parametrize("kind", scenes.KINDS)
def test_the_seed_decides_everything(bank: MarkedCards, kind: str) -> None:
    first, second = (scenes.compose(np.random.default_rng(7), bank, 160, kind) for _ in range(2))
    assert np.array_equal(first.image, second.image)
    assert np.array_equal(first.quads, second.quads)
    assert first.faces == second.faces
    other = scenes.compose(np.random.default_rng(8), bank, 160, kind)
    assert not np.array_equal(first.image, other.image)


@pytest.mark.parametrize("kind", scenes.KINDS)
def test_a_scene_has_the_shapes_it_says(bank: MarkedCards, kind: str) -> None:
    for seed in range(4):
        scene = scenes.compose(np.random.default_rng(seed), bank, 128, kind)
        count = len(scene.faces)
        assert scene.image.shape == (128, 128, 3)
        assert scene.image.dtype == np.uint8
        assert scene.quads.shape == (count, 4, 2)
        assert scene.quads.dtype == np.float32
        assert scene.visible.shape == (count,)
        assert (scene.visible >= scenes.LEAST_VISIBLE).all()
        assert (scene.visible <= 1).all()
        if kind in ("nothing", "scan"):
            assert count == (kind == "scan")


def test_quads_run_clockwise(bank: MarkedCards) -> None:
    rng = np.random.default_rng(3)
    for _ in range(30):
        for quad in scenes.compose(rng, bank, 96).quads:
            assert cv2.contourArea(quad, oriented=True) > 0


def test_every_kind_occurs(bank: MarkedCards) -> None:
    rng = np.random.default_rng(0)
    kinds = [scenes.compose(rng, bank, 64).kind for _ in range(300)]
    assert set(kinds) == set(scenes.KINDS)
    assert 0.12 < kinds.count("nothing") / 300 < 0.28


def test_the_share_seen_is_what_later_cards_leave(bank: MarkedCards) -> None:
    canvas = scenes.Canvas.over(np.zeros((200, 200, 3), np.uint8))
    card = Card.parse("R5")
    canvas.lay(card, bank.sprite, _at(20, 20))
    canvas.lay(card, bank.sprite, _at(50, 20))
    canvas.lay(card, bank.sprite, _at(20, 150))
    mask = np.zeros((200, 200), np.uint8)
    mask[:70] = 255
    canvas.cover(mask)
    assert warp.seen(canvas.ids, [1, 2, 3], canvas.quads, canvas.fullness) == pytest.approx([0.25, 0.5, 0.5], abs=0.02)


@pytest.mark.parametrize("effect", [effect for effect, _ in degrade.CHAIN], ids=lambda effect: effect.__name__)
def test_effects_change_the_picture_and_keep_its_shape(effect: degrade.Effect) -> None:
    rng = np.random.default_rng(1)
    image = rng.integers(60, 190, (90, 120, 3)).astype(np.uint8)
    before = image.copy()
    results = [effect(rng, image, 1.0) for _ in range(3)]
    assert np.array_equal(image, before)
    assert all(out.shape == image.shape and out.dtype == np.uint8 for out in results)
    assert any(not np.array_equal(out, image) for out in results)


def test_sprites_are_opaque_somewhere_and_clear_elsewhere() -> None:
    rng = np.random.default_rng(2)
    for _ in range(20):
        assert distractor(rng, 96)[:, :, 3].max() == 255
    alpha = hand(rng, 128)[:, :, 3]
    assert alpha.max() == 255
    assert alpha.min() == 0
