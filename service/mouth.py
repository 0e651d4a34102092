"""The speaking process from outside: started, told what to say, killed; what it leaves on the disk is cleaned up."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from service.engines import SpeechSettings


class Mouth:
    """A `speech` process, started; all that it answers comes in through a thread of its own."""

    def __init__(self, settings: SpeechSettings) -> None:
        self.settings = settings
        # pyttsx3's own drivers leave a tmp*.wav for every sentence, players that are killed theirs
        self._scratch = tempfile.TemporaryDirectory(prefix="tableref-", ignore_cleanup_errors=True)
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "service.speech", json.dumps(asdict(settings))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=settings.environment() | dict.fromkeys(("TMPDIR", "TEMP", "TMP"), self._scratch.name),
            text=True,
            encoding="utf-8",
        )
        self.pid = self._process.pid
        self._answers: list[dict[str, Any]] = []
        self._news = threading.Condition()
        self._gone = False
        self._reader = threading.Thread(target=self._read, name="speech-answers", daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            with self._news, contextlib.suppress(ValueError):
                self._answers.append(json.loads(line))
                self._news.notify_all()
        with self._news:
            self._gone = True
            self._news.notify_all()

    @property
    def alive(self) -> bool:
        """Whether it can still be told anything."""
        return not self._gone

    def tell(self, **order: object) -> None:
        """Write one order; a process that is gone shows in `answer`."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            self._process.stdin.write(json.dumps(order) + "\n")
            self._process.stdin.flush()

    def answer(self, wanted: Callable[[dict[str, Any]], bool], seconds: float) -> dict[str, Any] | None:
        """The first answer that is wanted; None when the process ended, or `seconds` passed, without it."""
        until = time.monotonic() + seconds
        with self._news:
            while True:
                for index, found in enumerate(self._answers):
                    if wanted(found):
                        del self._answers[: index + 1]
                        return found
                left = until - time.monotonic()
                if self._gone or left <= 0:
                    return None
                self._news.wait(left)

    def kill(self) -> None:
        """End it, silent at once."""
        self._process.kill()
        self._process.wait()
        self._reader.join(2)
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        self._scratch.cleanup()
