"""The shipped networks on drawn pictures: coarse levels that a broken cut-out, order or scale would miss by far."""

from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.backgrounds import surface
from datasets.bank import Print, styles
from datasets.faces import draw_card
from datasets.scenes import compose
from datasets.warp import paste
from referee.cards import FACES, Card
from vision import networks
from vision.detections import BACK, Detections, Image
from vision.eyes import Eyes, distinct
from vision.finder import Boxes
from vision.overlaps import overlap
from vision.rectify import Quad, quad_of

ANGLES = np.linspace(0, 2 * np.pi, 8, endpoint=False)


@cache
def eyes() -> Eyes:
    return Eyes.load()


def on_a_table(seed: int, card: Card | None, height: float, angle: float) -> tuple[Image, Quad]:
    """A 480 x 640 picture of one card on some surface, and the quad that it lies in."""
    rng = np.random.default_rng(seed)
    deck = styles(12, seed=77)[seed % 12]
    picture = surface(rng, 480, 640).copy()
    quad = quad_of(320, 240, height * deck.aspect, height, angle)
    paste(picture, draw_card(card, deck, 256), quad)
    return cv2.GaussianBlur(picture, (3, 3), 0.8).astype(np.uint8), quad


def test_single_cards_are_read_whatever_the_deck_the_size_and_the_angle() -> None:
    right = colours = 0
    cards = [FACES[(seed * 7) % 54] for seed in range(40)]
    for seed, card in enumerate(cards):
        picture, _ = on_a_table(seed, card, 90 + 6 * seed, seed * 1.3)
        best = eyes().see(picture).best()
        right += best is not None and best.face == card
        colours += best is not None and isinstance(best.face, Card) and best.face.colour == card.colour
    assert right >= 34, f"{right} of 40 faces"
    assert colours >= 38, f"{colours} of 40 colours"


def test_without_colours_no_face_is_sure_but_its_rank_may_be() -> None:
    picture, _ = on_a_table(3, Card.parse("R7"), 220, 0.4)
    grey = np.asarray(cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR), np.uint8)
    assert (eyes().see(picture).confidences >= 0.5).any()
    for seen in (eyes().see(grey), eyes().see_closely(grey)):
        assert len(seen) and not (seen.confidences >= 0.3).any()


def test_quads_lie_on_the_cards() -> None:
    close = 0
    for seed, angle in enumerate(ANGLES):
        picture, quad = on_a_table(seed + 50, Card.parse("B5"), 160, float(angle))
        best = eyes().see(picture).best()
        close += best is not None and overlap(best.quad, quad) > 0.85
    assert close >= 7


def test_a_back_is_a_back() -> None:
    seen = [eyes().see(on_a_table(seed, None, 150, 0.4)[0]).best() for seed in range(8)]
    assert sum(best is not None and best.face == BACK for best in seen) >= 7


def test_nothing_is_seen_where_nothing_lies() -> None:
    class NoCards:
        def sample(self, rng: np.random.Generator) -> Print:
            raise AssertionError("a scene without cards asked for one")

    alarms = 0
    for seed in range(60):
        scene = compose(np.random.default_rng(seed), NoCards(), 320, "nothing")
        alarms += bool((eyes().see(scene.image).confidences >= 0.5).any())
    assert alarms <= 3, "a third of these are coloured keys and words"
    assert len(eyes().see(np.full((300, 400, 3), 128, np.uint8))) == 0


@pytest.mark.parametrize("shape", [(40, 900, 3), (900, 40, 3), (33, 33, 3), (1, 1, 3)])
def test_pictures_of_any_shape_can_be_looked_at(shape: tuple[int, int, int]) -> None:
    noise = np.random.default_rng(1).integers(0, 255, shape, np.uint8)
    assert len(eyes().see(noise)) < 5


def test_known_places_are_read_in_their_order() -> None:
    picture, quad = on_a_table(3, Card.parse("G2"), 200, 0.2)
    elsewhere = quad_of(60, 60, 60, 90, 0.0)
    readings = eyes().read(picture, np.stack([elsewhere, quad]))
    assert readings.faces[1] == Card.parse("G2")
    assert readings.faces[0] is None


def test_of_two_readings_of_one_card_the_surer_stays() -> None:
    picture, quad = on_a_table(3, Card.parse("G2"), 200, 0.2)
    twice = eyes().read(picture, np.stack([quad, quad + 2]))
    assert len(twice) == 2 and len(distinct(twice)) == 1
    assert distinct(twice).confidences[0] == twice.confidences.max()


def test_a_piece_of_a_card_is_no_card_and_a_card_beside_it_is_one() -> None:
    card, corner = quad_of(200, 200, 130, 200, 0.1), quad_of(160, 130, 30, 45, 0.1)
    covering = quad_of(230, 260, 130, 200, 0.9)
    quads = np.stack([card, corner, covering])
    faces = (Card.parse("R5"), Card.parse("RS"), Card.parse("B2"))
    ones = np.ones(3, np.float32)
    seen = distinct(Detections(quads, ones, faces, np.array([0.8, 0.9, 0.7], np.float32)))
    assert seen.faces == (Card.parse("R5"), Card.parse("B2"))
    pile = distinct(Detections(quads, ones, (BACK, Card.parse("RS"), BACK), np.array([0.2, 0.9, 0.1], np.float32)))
    assert pile.faces[0] == Card.parse("RS"), "what is hardly believed takes nothing away"


def test_a_box_that_lies_across_a_pile_is_looked_at_from_other_angles() -> None:
    picture, _ = on_a_table(5, Card.parse("Y3"), 220, 0.1)
    deck = styles(12, seed=77)[5]
    top = quad_of(322, 238, 220 * deck.aspect, 220, 1.0)
    paste(picture, draw_card(Card.parse("G7"), deck, 256), top)
    across = quad_of(321, 239, 240 * deck.aspect, 240, 0.45)

    class Blunt:
        side = 320

        def find(self, *_: object) -> Boxes:
            return Boxes(
                np.array([[*across.mean(axis=0), 240 * deck.aspect, 240, 0.45]], np.float32), np.ones(1, np.float32)
            )

    seeing = Eyes.load()
    seeing.finder = Blunt()  # type: ignore[assignment]
    best = seeing.see(picture).best()
    assert best is not None and best.face == Card.parse("G7") and overlap(best.quad, top) > 0.9


def test_missing_and_broken_weights_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(networks, "PLACES", (tmp_path,))
    with pytest.raises(networks.WeightsError, match=r"finder\.onnx is missing: install Tableref again"):
        Eyes.load()
    (tmp_path / "finder.onnx").write_bytes(b"no network")
    with pytest.raises(networks.WeightsError, match=r"finder\.onnx cannot be read"):
        networks.Network.named("finder")


def test_a_damaged_file_is_named_before_it_is_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for file in networks.find("finder.onnx").parent.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    monkeypatch.setattr(networks, "PLACES", (tmp_path,))
    Eyes.load()
    whole = (tmp_path / "aligner.onnx").read_bytes()
    for name in ("aligner.onnx", "aligner.int8.onnx"):
        (tmp_path / name).write_bytes(whole[:-4000] + bytes(4000))
    with pytest.raises(networks.WeightsError, match=r"^The file aligner\S*\.onnx is damaged: install"):
        Eyes.load()
