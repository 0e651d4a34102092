"""The contact sheet shows each kind, and the truth where the card is."""

from __future__ import annotations

import numpy as np
import pytest

from datasets import foreign, hardships, scenes
from datasets.bank import Print
from datasets.contact_sheet import EACH, TILE, sheet, tiles, truth
from referee.cards import FACES


class OneCard:
    """A bank of one card."""

    def sample(self, rng: np.random.Generator) -> Print:
        return Print(FACES[0], np.full((120, 80, 4), 200, np.uint8))


def test_every_kind_is_on_the_sheet(monkeypatch: pytest.MonkeyPatch) -> None:
    for place, name, kept in (
        (scenes, "KINDS", ("one", "nothing")),
        (hardships, "EFFECTS", ("plain",)),
        (foreign, "KINDS", ("poster",)),
    ):
        monkeypatch.setattr(place, name, {kind: getattr(place, name)[kind] for kind in kept})
    cells = list(tiles(OneCard(), 1))
    assert len(cells) == 2 * EACH + 2
    assert sheet(cells, 8).shape == (2 * (TILE + 16), 8 * TILE, 3)


def test_the_truth_is_drawn_round_the_card() -> None:
    quad = np.array([[[40, 40], [80, 40], [80, 100], [40, 100]]], np.float32)
    grey = np.full((160, 160, 3), 90, np.uint8)
    seen = np.ones(1, np.float32)
    changed = (truth(scenes.Scene(grey, quad, (FACES[0],), seen, seen)) != 90).any(axis=2)
    rows, columns = (np.flatnonzero(changed.any(axis=axis)) * 160 / (2 * TILE) for axis in (1, 0))
    assert np.allclose([rows.min(), rows.max(), columns.min(), columns.max()], [40, 100, 40, 80], atol=2)
