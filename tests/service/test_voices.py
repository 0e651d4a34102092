"""Which voices may be chosen while the program runs: by name, from a list, never a file of the request's choice."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from service import espeak
from service.audible import may_speak
from service.kept import FILE_NAME, Kept
from service.sentences import Refusal
from service.settings import Settings, load
from service.speaking import Speaking, Wish
from service.speech import SpeechSettings

LONG = "en+" + 40 * "y"
PATHS = ("../../x", "/etc/none.onnx", "en+../../../../../../x", LONG, "en-gb/", "C:\\x.onnx", "en+", "~/x.onnx")


def voice_of(path: Path) -> Path:
    path.write_bytes(b"a model")
    path.with_name(path.name + ".json").write_text("{}")
    return path


def host(settings: Settings) -> tuple[Speaking, list[Settings]]:
    taken: list[Settings] = []
    return Speaking(settings, lambda now, phrases: taken.append(now)), taken


@pytest.mark.parametrize("voice", PATHS)
@pytest.mark.parametrize("mute", [False, True])
def test_a_request_names_a_voice_and_no_file(voice: str, mute: bool) -> None:
    page, taken = host(Settings(mute=mute, sound="none"))
    with pytest.raises(Refusal, match="there is no such voice; for the language en there are en-"):
        page.change(Wish.model_validate({"voice": voice}))
    assert not taken and page.settings.voice is None


def test_the_library_is_given_no_name_that_it_does_not_know() -> None:
    """In a process of its own: a name too long ends the one that tells it to the library."""
    code = f"from service import espeak\ntry: espeak.library().set_voice({LONG!r})\nexcept espeak.EngineError: pass"
    environment = SpeechSettings.environment()
    assert subprocess.run([sys.executable, "-c", code], env=environment, check=False).returncode == 0


@pytest.mark.parametrize("name", ["en", "en-gb", "en-gb-x-gbcwmd+RicishayMax3", "gmw/en", "fr-fr", "nl+f3"])
def test_the_voices_of_the_library_are_known_by_its_names(name: str) -> None:
    espeak.library().set_voice(name)
    may_speak(Settings(voice=name, sound="none"))


@pytest.mark.parametrize("voice", [LONG, "en+../x", "nobody"])
def test_a_voice_of_the_settings_is_looked_at_while_muted_too(voice: str) -> None:
    with pytest.raises(Refusal, match="there is no such voice"):
        may_speak(Settings(voice=voice, mute=True))


def test_an_empty_file_is_no_voice(tmp_path: Path) -> None:
    path = voice_of(tmp_path / "en_US-none.onnx")
    path.write_bytes(b"")
    with pytest.raises(Refusal, match="is empty"):
        may_speak(Settings(voice=str(path), mute=True))


def test_the_voices_of_a_language_are_offered() -> None:
    page, taken = host(Settings(sound="none"))
    voices = page.public()["voices"]
    assert {"id": "en-us", "name": "English (America)"} in voices and "nl" not in {one["id"] for one in voices}
    page.change(Wish.model_validate({"voice": "en-us"}))
    assert page.public()["voice"] == "en-us" and taken[-1].voice == "en-us"
    page.change(Wish.model_validate({"lang": "nl"}))
    assert page.public()["voices"] == [{"id": "nl", "name": "Dutch"}]
    assert page.settings.voice is None, "an American would read Dutch"


def test_piper_voices_are_those_beside_the_one_of_the_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("piper")
    own = voice_of(tmp_path / "en_US-own.onnx")
    other = voice_of(tmp_path / "en_GB-other.onnx")
    voice_of(tmp_path / "nl_NL-mies.onnx")
    (tmp_path / "en_US-empty.onnx").write_bytes(b"")
    settings = Settings(voice=str(own), sound="none", data_dir=tmp_path)
    page, taken = host(settings)
    assert page.public()["voice"] == "en_US-own" and str(tmp_path) not in json.dumps(page.public())
    assert [one["id"] for one in page.public()["voices"]][:2] == ["en_GB-other", "en_US-own"]
    page.change(Wish.model_validate({"voice": "en_GB-other"}))
    assert taken[-1].voice == str(other)
    page.change(Wish.model_validate({"voice": "en-us"}))
    page.change(Wish.model_validate({"voice": "en_US-own"}))
    assert taken[-1].voice == str(own)
    Kept(tmp_path).keep_speaking({"voice": "en_GB-other"})
    monkeypatch.setenv("TABLEREF_DATA_DIR", str(tmp_path))
    config = tmp_path / "tableref.toml"
    config.write_text(f"voice = {json.dumps(str(own))}")
    chosen = Kept(tmp_path).path
    chosen.touch()
    assert load(file=config).voice == str(other)


def test_what_was_chosen_is_looked_at_key_by_key(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    chosen = {"voice": "../../x.onnx", "rate": "fast", "lang": "nl", "volume": 0.5, "silent": ["x"]}
    (tmp_path / FILE_NAME).write_text(json.dumps({"speaking": chosen}), "utf-8")
    settings = load({"data_dir": tmp_path}, environment={})
    assert (settings.voice, settings.rate, settings.lang, settings.volume) == (None, 175, "nl", 0.5)
    told = [record.getMessage() for record in caplog.records]
    assert len(told) == 3 and all("\n" not in line and "cannot be any more" in line for line in told)
    assert not any("pydantic" in line for line in told)
