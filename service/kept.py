"""What was chosen on the host's page and holds on the next evening, too: how the table speaks, where piles lie.

One small file in the data folder, written by the program that has the store, read by all. What cannot be read or
written is no reason to stop: it is logged, and the settings hold.
"""

from __future__ import annotations

import contextlib
import json
import logging
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

log = logging.getLogger(__name__)

FILE_NAME: Final = "chosen.json"
SPEAKING: Final = ("lang", "level", "mute", "rate", "volume", "voice", "earcons", "silent")
"""Settings that the host's page changes."""
OF_THE_EVENING: Final = ("mute",)
"""Those of them that end with the evening: who cannot see would not know why the table is silent."""


class Kept:
    """The file in the data folder `folder`."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE_NAME
        self._lock = threading.Lock()

    @property
    def speaking(self) -> dict[str, Any]:
        """The settings that were chosen."""
        known = self._part("speaking").items()
        return {key: value for key, value in known if key in SPEAKING and key not in OF_THE_EVENING}

    def keep_speaking(self, chosen: Mapping[str, Any]) -> bool:
        """Keep these as well as what was chosen before; whether that could be written."""
        with self._lock:
            lasting = {key: value for key, value in chosen.items() if key not in OF_THE_EVENING}
            return self._write("speaking", {**self.speaking, **lasting})

    def forget(self, setting: str) -> None:
        """A setting that was chosen holds no more."""
        with self._lock:
            self._write("speaking", {key: value for key, value in self.speaking.items() if key != setting})

    def piles(self, source: str) -> dict[str, Any]:
        """The piles that were put by hand before the camera `source`, as `keep_piles` took them."""
        found = self._part("piles").get(source)
        return found if isinstance(found, dict) else {}

    def keep_piles(self, source: str, piles: Mapping[str, Any]) -> None:
        """Keep the piles of `source`: `width` and `height` of its pictures, and `x`, `y`, `card` of each by name."""
        with self._lock:
            self._write("piles", {**self._part("piles"), source: dict(piles)})

    def standpoint(self, source: str) -> dict[str, Any]:
        """How the camera `source` stood, as `keep_standpoint` took it."""
        found = self._part("standpoints").get(source)
        return found if isinstance(found, dict) else {}

    def keep_standpoint(self, source: str, standpoint: Mapping[str, Any]) -> None:
        """Keep how the camera `source` stands now."""
        with self._lock:
            self._write("standpoints", {**self._part("standpoints"), source: dict(standpoint)})

    def _part(self, name: str) -> dict[str, Any]:
        part = self._read().get(name)
        return part if isinstance(part, dict) else {}

    def _read(self) -> dict[str, Any]:
        try:
            found = json.loads(self.path.read_text(encoding="utf-8"))
        except OSError:
            return {}  # there is none; a folder that cannot be read is the store's to tell
        except (ValueError, RecursionError) as error:
            log.warning("%s cannot be read, and what was chosen on the host's page is forgotten: %s", self.path, error)
            return {}
        return found if isinstance(found, dict) else {}

    def _write(self, part: str, content: Mapping[str, Any]) -> bool:
        beside = self.path.with_name(f"{FILE_NAME}.part")
        text = json.dumps({**self._read(), part: content}, indent=2, ensure_ascii=False)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            beside.write_text(text, encoding="utf-8")
            beside.replace(self.path)
        except OSError as error:
            with contextlib.suppress(OSError):
                beside.unlink()  # half of it on a full disk
            log.warning("%s cannot be written, what was chosen holds for this evening: %s", self.path, error)
            return False
        return True
