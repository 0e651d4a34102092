"""Neural voices, the extra `neural`: Piper (`piper-tts`), with a voice file that the user gives.

    python -m pip install "tableref[neural]"
    TABLEREF_ENGINE=piper TABLEREF_VOICE=/path/to/en_US-joe-medium.onnx tableref run

A voice is two files side by side, NAME.onnx and NAME.onnx.json. Nothing is ever downloaded.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from service.espeak import EngineError, Samples

NAME: Final = "piper"
SUFFIX: Final = ".onnx"
USUAL_RATE: Final = 175
"""Words a minute at which a voice speaks as it was recorded."""


def files(voice: str | None) -> Path:
    """The .onnx file of a voice; EngineError when it, or the file beside it, is missing."""
    if voice is None:
        raise EngineError("a neural voice is a file: set voice to the path of its .onnx file")
    path = Path(voice).expanduser()
    for needed in (path, path.with_name(path.name + ".json")):
        if not needed.is_file():
            raise EngineError(f"there is no voice file {needed}: a Piper voice is NAME.onnx and NAME.onnx.json")
        if not needed.stat().st_size:
            raise EngineError(f"the voice file {needed} is empty: fetch the voice again")
    return path


def is_voice(path: Path) -> bool:
    """Whether there are the two files of a voice."""
    try:
        files(str(path))
    except (EngineError, OSError):
        return False
    return True


class Piper:
    """A neural voice; its samples go to `receive`, which says False to stop it."""

    own_sound = False

    def __init__(self, voice: str | None, rate: int, volume: float, receive: Samples) -> None:
        path = files(voice)
        try:
            import piper  # an extra: loaded when it is wanted
        except (ImportError, OSError) as error:
            raise EngineError(
                f'neural voices are not installed ({error}): run python -m pip install "tableref[neural]"'
            ) from error
        try:
            self._voice: Any = piper.PiperVoice.load(path)
            self.rate = int(self._voice.config.sample_rate)
        except Exception as error:  # whatever a damaged file makes of the runtime
            raise EngineError(f"{path} is no Piper voice ({str(error).splitlines()[0]})") from error
        self._speed: Any = piper.SynthesisConfig(length_scale=USUAL_RATE / rate, volume=volume)
        self._receive = receive
        for _ in self._voice.synthesize("0", syn_config=self._speed):
            pass  # the first sentence of a fresh model is the slowest

    def __str__(self) -> str:
        return NAME

    def speak(self, text: str) -> None:
        """Speak a sentence to its end."""
        for chunk in self._voice.synthesize(text, syn_config=self._speed):
            if not self._receive(chunk.audio_int16_bytes):
                return
