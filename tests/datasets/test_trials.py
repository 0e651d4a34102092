"""Test pictures: what they promise to show is to be seen in them."""

from __future__ import annotations

import numpy as np
import pytest

from datasets import foreign, hardships, odd, trials
from datasets.bank import CardBank, build
from referee.cards import FACES, Card


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> CardBank:
    folder = tmp_path_factory.mktemp("bank")
    build(folder, 1, seed=5)
    return CardBank(folder)


def test_the_top_of_a_pile_is_whole(bank: CardBank) -> None:
    rng = np.random.default_rng(1)
    for _ in range(6):
        scene = trials.pile(rng, bank)
        assert scene.visible[-1] > 0.97 and isinstance(scene.faces[-1], Card)
        assert len(scene.faces) >= 2


def test_of_every_card_of_a_hand_a_fifth_is_seen(bank: CardBank) -> None:
    rng = np.random.default_rng(2)
    for _ in range(10):
        scene = trials.fan(rng, bank)
        assert 2 <= len(scene.faces) <= 12 and None not in scene.faces
        assert scene.visible.min() > 0.17
        height, width = scene.image.shape[:2]
        assert (scene.quads.mean(axis=1) > 0).all() and (scene.quads.mean(axis=1) < (width, height)).all()


@pytest.mark.parametrize("kind", foreign.KINDS)
def test_things_that_are_no_cards_are_drawn(kind: str) -> None:
    scene = foreign.scene(np.random.default_rng(3), kind)
    assert scene.kind == kind and len(scene.quads) == 0 and scene.image.std() > 3


@pytest.mark.parametrize("kind", hardships.EFFECTS)
def test_every_hardship_leaves_its_card_in_the_picture(kind: str, bank: CardBank) -> None:
    scene = hardships.scene(np.random.default_rng(4), bank, kind)
    x, y = scene.quads[0].mean(axis=0)
    assert 0 <= x <= 640 and 0 <= y <= 480 and isinstance(scene.faces[0], Card)


@pytest.mark.parametrize("signs", odd.SIGNS)
def test_no_two_cards_of_a_theme_deck_look_alike(signs: odd.Signs) -> None:
    theme = odd.Theme.random(np.random.default_rng(6), signs)
    pictures = [odd.draw(theme, card, 140)[..., :3].astype(int) for card in (*FACES, None)]
    for number, picture in enumerate(pictures):
        for other in pictures[:number]:
            assert np.abs(picture - other).max() > 40
