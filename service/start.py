"""The first thing that runs: as little as can be, so that Ctrl-C while the libraries load ends quietly, too."""

from __future__ import annotations

import os
import signal
from types import FrameType


def leave(number: int, frame: FrameType | None) -> None:
    """End at once: nothing was opened yet. An exception would come out of a half-loaded library as something else."""
    os._exit(130)


def main() -> int:
    """The `tableref` command."""
    signal.signal(signal.SIGINT, leave)
    from service.cli import main as run

    return run()
