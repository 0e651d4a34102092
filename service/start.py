"""The first thing that runs: as little as can be, so that Ctrl-C while the libraries load ends quietly, too."""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType


def leave(number: int, frame: FrameType | None) -> None:
    """End at once: nothing was opened yet. An exception would come out of a half-loaded library as something else."""
    os._exit(130)


def end(code: int) -> None:
    """End now that everything is closed: Python would take the libraries apart first, seconds on a small computer."""
    from contextlib import suppress

    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):  # closed by who started the command, or gone
            stream.flush()
    os._exit(code)


def main() -> None:
    """The `tableref` command."""
    signal.signal(signal.SIGINT, leave)
    from service.cli import main as run

    end(run())
