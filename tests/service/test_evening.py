"""A bad evening in short; `python -m tests.service.evening` is the whole of it, with its figures."""

from __future__ import annotations

from pathlib import Path

import pytest

from service import voice
from tests.service.evening import evening, whole


def test_a_bad_evening_loses_nothing_urgent_and_says_nothing_stale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The speaking process is killed, fifteen moves come at once, the sound goes and comes back."""
    monkeypatch.setattr(voice, "RETRY_SECONDS", 0.3)
    with evening(tmp_path, seed=8) as here:
        whole(here, events=24, silent=1.0, kills=2, storm=15)
        assert here.lost() == [] and here.stale() == []
        assert here.kills == 2 and here.voice.status(0)["starts"] >= 4, "killed, and started again"
        assert len(here.told) >= 24 and len(here.spoken) > 15 and here.voice.status(0)["waiting"] == 0
        assert all(seconds < 20 for seconds in here.latencies())
        assert here.memory[-1] - here.memory[0] < 20
