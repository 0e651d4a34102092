"""The process that speaks: one sentence after the other, told by lines of JSON.

`mouth` starts it and may kill it at any moment; a killed process is silent at once, whatever its engine does. It
reads `{"id": 1, "say": "...", "earcon": "turn"}` (the earcon may be empty) and `{"cut": true}` from standard input, one
object a line, and answers with `{"ready": {...}}` once, then for each sentence with `{"id": 1, "done": true, "heard":
seconds}`, the seconds from the order to the first sound, or `{"id": 1, "error": "..."}`. It ends with its input. `save`
makes a WAV file instead.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Final

from service import earcons, sound
from service.engines import SpeechSettings, first_line, open_engine
from service.espeak import EngineError
from service.sound import Player, SoundError

__all__ = ["Speaker", "SpeechSettings", "main", "save"]


class Speaker:
    """An engine and the player it speaks through; an engine with its own sound needs that for earcons only."""

    def __init__(self, settings: SpeechSettings, player: Player | None) -> None:
        self._player, self._volume = player, settings.volume
        self.engine = open_engine(settings, self._take)
        self.own_sound = self.engine.own_sound
        self.name = str(self.engine)
        self.heard: float | None = None
        """Seconds from the order to the first sound of the last sentence; None when nobody can tell."""

    def _take(self, samples: bytes) -> bool:
        return self._player is not None and self._player.feed(samples)

    def say(self, text: str, earcon: str = "") -> None:
        """Speak a sentence to its end, or until the player is cut; the earcon comes first."""
        began, player = time.monotonic(), self._player
        played = player is not None and (bool(earcon) or not self.own_sound)
        if player is not None and played:
            player.begin(self.engine.rate)
            if earcon:
                player.feed(earcons.samples(earcon, self.engine.rate, self._volume))
            if self.own_sound:
                player.finish()
        self.engine.speak(text)
        if player is not None and not self.own_sound:
            player.finish()
        sounded = player.sounded if player is not None and played else None
        self.heard = None if sounded is None else sounded - began


USUAL: Final = SpeechSettings()


def save(text: str, path: Path, settings: SpeechSettings = USUAL, earcon: str = "") -> float:
    """Speak `text` into a WAV file instead of aloud, in the calling process; returns its seconds."""
    samples = bytearray()

    def take(data: bytes) -> bool:
        samples.extend(data)
        return True

    engine = open_engine(settings, take)
    if earcon:
        take(earcons.samples(earcon, engine.rate, settings.volume))
    engine.speak(text)
    sound.write_wav(path, bytes(samples), engine.rate)
    return len(samples) / 2 / engine.rate


class _Line:
    """The way back to `mouth`: one object a line, from any thread."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._lock = threading.Lock()

    def tell(self, **fields: object) -> None:
        """Write one line; a parent that is gone is no error."""
        with self._lock:
            try:
                self._stream.write(json.dumps(fields) + "\n")
                self._stream.flush()
            except OSError:
                os._exit(0)


def _private_output() -> IO[str]:
    """Standard output for this module alone: what sound libraries print must not get between the lines."""
    own = os.dup(1)
    os.dup2(2, 1)
    return os.fdopen(own, "w", encoding="utf-8")


def _orders(player: Player | None, orders: queue.Queue[dict[str, Any] | None]) -> None:
    """Read the input; a cut is carried out at once, even while a sentence is spoken."""
    for line in sys.stdin:
        order = json.loads(line)
        if not order.get("cut"):
            orders.put(order)
        elif player is not None:
            player.cut()
    orders.put(None)
    if player is not None:
        player.cut()


def _queued(orders: queue.Queue[dict[str, Any] | None]) -> Iterator[dict[str, Any]]:
    while (order := orders.get()) is not None:
        yield order


def main() -> None:
    """Speak what comes in on standard input."""
    line = _Line(_private_output())
    settings = SpeechSettings(**json.loads(sys.argv[1]))
    try:
        player: Player | None = sound.choose(settings.sound)
        reason = ""
    except SoundError as error:
        player, reason = None, str(error)
    try:
        speaker = Speaker(settings, player)
    except EngineError as error:
        line.tell(ready={"engine": "", "player": "", "reason": str(error), "fault": "engine"})
        return
    told = {"player": player.name, "device": player.device} if player else {"player": "", "device": ""}
    if speaker.own_sound:
        told, reason = {"player": speaker.name, "device": "the system's default"}, ""
    fault = "file" if settings.sound.startswith("file:") else "device"
    line.tell(ready={"engine": speaker.name, **told, "reason": reason, "fault": fault if reason else ""})
    if not reason:
        _speak(speaker, player, line)


def _speak(speaker: Speaker, player: Player | None, line: _Line) -> None:
    orders: queue.Queue[dict[str, Any] | None] = queue.Queue()
    threading.Thread(target=_orders, args=(player, orders), daemon=True).start()
    for order in _queued(orders):
        try:
            speaker.say(order["say"], order.get("earcon", ""))
        except (SoundError, EngineError, OSError, RuntimeError) as error:
            line.tell(id=order["id"], error=first_line(error))
        else:
            line.tell(id=order["id"], done=True, heard=speaker.heard)


if __name__ == "__main__":
    main()
