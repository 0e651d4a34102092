"""A running game is killed in the middle: `python -m tests.service.killing --times 200` does it more often."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.service.killing import kills


@pytest.mark.skipif(os.name == "nt", reason="Windows ends programs in another way")
def test_a_killed_game_goes_on_where_it_was(tmp_path: Path) -> None:
    *_, last = kills(2, tmp_path, seed=7)
    assert last["kill"] == 2 and last["acknowledged"] > 0
