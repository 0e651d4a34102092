"""How long each part of watching takes: a stopwatch put around methods while a film is watched, then taken off."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable, Iterator
from typing import Any, Final

from vision.aligner import Aligner
from vision.finder import Finder
from vision.frames import Glimpse
from vision.marks import MarkWatch
from vision.motion import MotionWatch
from vision.reader import Reader

METHODS: Final = (
    (MotionWatch, "see", "motion"),
    (MarkWatch, "follow", "marks"),
    (Finder, "find", "finder"),
    (Aligner, "align", "aligner"),
    (Reader, "read", "reader"),
)
"""What is timed, and what the stage is called; the rest is what no stage took."""
STAGES: Final = ("decode", *(stage for _, _, stage in METHODS), "rest")


class Stages:
    """Seconds that each stage took."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys(STAGES, 0.0)

    @contextlib.contextmanager
    def measured(self) -> Iterator[None]:
        """Times what happens within. Not for two threads at once."""
        began, saved = time.perf_counter(), [(owner, name, getattr(owner, name)) for owner, name, _ in METHODS]
        for owner, name, stage in METHODS:
            setattr(owner, name, self._timed(getattr(owner, name), stage))
        try:
            yield
        finally:
            for owner, name, method in saved:
                setattr(owner, name, method)
            known = sum(self.seconds[stage] for stage in STAGES if stage != "rest")
            self.seconds["rest"] = max(0.0, time.perf_counter() - began - known)

    def decoded(self, glimpses: Iterable[Glimpse]) -> Iterator[Glimpse]:
        """The same frames; the time that they take to come is that of decoding."""
        frames = iter(glimpses)
        while True:
            began = time.perf_counter()
            glimpse = next(frames, None)
            self.seconds["decode"] += time.perf_counter() - began
            if glimpse is None:
                return
            yield glimpse

    def add(self, other: Stages) -> None:
        """Adds what another film took."""
        for stage, seconds in other.seconds.items():
            self.seconds[stage] += seconds

    def rows(self) -> Iterator[str]:
        """One line for each stage with its share."""
        whole = sum(self.seconds.values()) or 1.0
        for stage, seconds in self.seconds.items():
            yield f"{stage:10} {100 * seconds / whole:5.1f} %  {seconds:7.2f} s"

    def _timed(self, method: Any, stage: str) -> Any:
        def timed(*args: Any, **kwargs: Any) -> Any:
            began = time.perf_counter()
            try:
                return method(*args, **kwargs)
            finally:
                self.seconds[stage] += time.perf_counter() - began

        return timed
