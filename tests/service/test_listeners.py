"""Many listeners over a restart: `python -m tests.service.bench_listeners` measures two hundred beside a film."""

from __future__ import annotations

import sys

import pytest

from tests.service.bench_listeners import run


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signal that lets a program end in order")
def test_every_listener_hears_everything_once_and_in_order_over_a_restart() -> None:
    assert run(listeners=30, events=12, pause=0.02, film=False)["p50"] > 0
