"""The engine that runs the networks tells nobody of it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SILENCERS = ("CI", "ORT_DISABLE_TELEMETRY", "ORT_RUNNING_UNIT_TESTS")
"""Variables under which the engine would keep quiet by itself."""


def test_the_engine_leaves_no_trace_of_the_computer(tmp_path: Path) -> None:
    folders = dict.fromkeys(("HOME", "USERPROFILE", "LOCALAPPDATA", "XDG_CACHE_HOME"), str(tmp_path))
    kept = {name: value for name, value in os.environ.items() if name not in SILENCERS}
    say = "import vision.networks, os; print(os.environ.get('ORT_DISABLE_TELEMETRY'))"
    run = subprocess.run(
        [sys.executable, "-c", say], cwd=ROOT, env=kept | folders, capture_output=True, text=True, check=True
    )
    assert run.stdout == "1\n"
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
