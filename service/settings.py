"""How this computer runs the referee: one checked value from a TOML file, the environment and the command line.

Later ones win: built-in default, file, what was chosen on the host's page since, `TABLEREF_*` variable, flag. These are
settings of the machine (sound, port, language); those of a match (players, deck, house rules) are
`referee.options.MatchSettings`.
"""

from __future__ import annotations

import difflib
import json
import logging
import os
import re
import tomllib
from collections.abc import Container, Iterable, Mapping
from pathlib import Path
from typing import Final, Literal

import platformdirs
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError, field_validator

from service.engines import engine_names
from service.kept import SPEAKING, Kept
from service.kinds import KINDS, Kind
from service.language import languages
from service.sentences import one_line
from service.sound import WAYS
from service.voices import Offered, folder_of, offered, remembered

log = logging.getLogger(__name__)

PREFIX: Final = "TABLEREF_"
FILE_NAME: Final = "tableref.toml"

Level = Literal["brief", "normal", "full"]


class SettingsError(ValueError):
    """A setting that cannot be used; the message is one sentence that names it."""


class Settings(BaseModel):
    """What the program may be told about this computer; every field is a key of the file, a variable and a flag."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    lang: str = Field(default="en", description="language of voice and pages")
    level: Level = Field(default="normal", description="how much the voice says")
    mute: bool = Field(default=False, description="captions only, no sound")
    rate: int = Field(default=175, ge=80, le=450, description="speed of the voice in words a minute")
    volume: float = Field(default=1.0, ge=0, le=1, description="loudness of the voice")
    voice: str | None = Field(default=None, description="name of a voice of the engine; without it the language's own")
    engine: str = Field(default="auto", description="espeak-ng, piper, the system's own (nsss, sapi5), or auto")
    silent: tuple[Kind, ...] = Field(default=(), description=f"what is shown but not spoken, of {', '.join(KINDS)}")
    earcons: bool = Field(default=True, description="short sounds before sentences")
    sound: str = Field(
        default="auto", description="auto, none, miniaudio, the name of a player program, or file:PATH.wav"
    )
    ears: Literal["off", "push", "wake"] = Field(
        default="off", description="spoken commands: off, pushed to talk, or behind the word referee"
    )
    ears_source: str = Field(default="microphone", description="microphone, or a WAV file to hear instead")
    ears_model: Path | None = Field(default=None, description="folder of a Vosk model, for more languages")
    source: str = Field(default="camera:0", description="camera:N, video file, URL, folder of pictures, or demo")
    counting: str = Field(
        default="",
        description="camera:N, URL or folder that shows where hands are laid open; else the source",
    )
    port: int = Field(default=8765, ge=1, le=65535, description="port of pages and API")
    lan: bool = Field(default=False, description="open pages and API to the network, by tokens")
    look: Literal["open", "token"] = Field(
        default="open", description="with lan: whether anyone in the network may look at the state, or needs a token"
    )
    allow_host: tuple[str, ...] = Field(
        default=(), description="more names or addresses under which the pages are called, such as table.local"
    )
    log_json: bool = Field(default=False, description="the log as JSON lines, for programs")
    deck: str = Field(default="", description="name of the learnt deck that is played with, as `tableref decks` lists")
    data_dir: Path = Field(
        default_factory=lambda: platformdirs.user_data_path("tableref"), description="folder of the stored matches"
    )

    _voices: Path | None = PrivateAttr(None)

    @field_validator("allow_host")
    @classmethod
    def _names_of_computers(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        for name in names:
            if not re.fullmatch(r"[A-Za-z0-9._:-]{1,253}", name):
                raise ValueError(f"{name!r} is no name of a computer; give one without http:// and without a port")
        return names

    @field_validator("lang")
    @classmethod
    def _known_language(cls, lang: str) -> str:
        if lang not in languages():
            raise ValueError(f"there is no language {lang!r}; there are {', '.join(languages())}")
        return lang

    @field_validator("allow_host", mode="before")
    @classmethod
    def _by_commas(cls, words: object) -> object:
        return [word.strip() for word in words.split(",") if word.strip()] if isinstance(words, str) else words

    @field_validator("silent", mode="before")
    @classmethod
    def _known_kinds(cls, silent: object) -> object:
        kinds = cls._by_commas(silent)
        for kind in kinds if isinstance(kinds, (list, tuple)) else ():
            if kind not in KINDS:
                raise ValueError(f"there is no kind of sentence {kind!r}; there are {', '.join(KINDS)}")
        return kinds

    @field_validator("engine")
    @classmethod
    def _known_engine(cls, engine: str) -> str:
        if engine not in engine_names():
            raise ValueError(f"there is no engine {engine!r}; there are {', '.join(engine_names())}")
        return engine

    @field_validator("sound")
    @classmethod
    def _file_has_a_name(cls, sound: str) -> str:
        if sound not in WAYS and not sound.startswith("file:"):
            raise ValueError(f"there is no way {sound!r} to make sound; there are {', '.join(WAYS)}, file:PATH.wav")
        if sound == "file:":
            raise ValueError("file: wants a path behind it, such as file:heard.wav")
        return sound

    @field_validator("source")
    @classmethod
    def _names_something(cls, source: str) -> str:
        if not source.strip():
            raise ValueError("expected camera:N, a video file, a URL, a folder of pictures, or demo")
        return source

    @field_validator("data_dir", mode="before")
    @classmethod
    def _names_a_folder(cls, data_dir: object) -> object:
        if isinstance(data_dir, str) and not data_dir.strip():
            raise ValueError("expected the path of a folder")
        return data_dir

    @field_validator("data_dir")
    @classmethod
    def _home_is_meant(cls, data_dir: Path) -> Path:
        try:
            return data_dir.expanduser()
        except RuntimeError:
            raise ValueError("there is no such home folder; give the whole path") from None

    @property
    def voices(self) -> list[Offered]:
        """The voices that may be chosen for the language, by name."""
        return offered(self.engine, self.voice, self.sound, self.lang, self.voice_folder)

    @property
    def voice_folder(self) -> Path | None:
        """Where the Piper voices lie; None when the settings name none."""
        return folder_of(self.voice) or self._voices

    def change(self, changes: Mapping[str, object]) -> Settings:
        """With these values, which are good; the Piper voices beside the one that was told stay to be chosen."""
        settings = self.model_copy(update=changes)
        settings._voices = self.voice_folder
        return settings

    @property
    def decks(self) -> Path:
        """The folder in which learnt decks are stored."""
        return self.data_dir / "decks"

    @property
    def database(self) -> Path:
        """The file in which matches are stored."""
        return self.data_dir / "table.sqlite"


def load(
    flags: Mapping[str, object] | None = None,
    *,
    environment: Mapping[str, str] | None = None,
    file: Path | None = None,
) -> Settings:
    """The settings of this run.

    `flags` with the value None were not given. `file` (or TABLEREF_CONFIG) must exist when it is named; without a name
    `tableref.toml` in the user's configuration folder is read if it is there. Raises SettingsError.
    """
    environment = os.environ if environment is None else environment
    given: dict[str, object] = {}
    origin: dict[str, str] = {}
    told, *now = _from_file(file, environment), _from_environment(environment), ("", _given(flags))
    for name, values in (told, *now):
        given |= values
        origin |= dict.fromkeys(values, name)
    settings = _checked(given, origin)
    return _with_chosen(settings, told, {key for _, values in now for key in values})


def _with_chosen(settings: Settings, file: tuple[str, dict[str, object]], said: Container[str]) -> Settings:
    """With what was chosen on the host's page, but for what is `said` now, or by a `file` that was written since."""
    kept = Kept(settings.data_dir)
    chosen = {key: value for key, value in kept.speaking.items() if key not in said}
    if chosen and file[0] and _written(Path(file[0].removesuffix(": "))) > _written(kept.path):
        chosen = {key: value for key, value in chosen.items() if key not in file[1]}
    for key in (key for key in SPEAKING if key in chosen):
        try:
            settings = _with_one(settings, key, chosen[key])
        except ValueError as error:
            why = error.errors()[0]["msg"] if isinstance(error, ValidationError) else error
            log.warning("%s: %s, chosen on the host's page, cannot be any more: %s", kept.path, key, one_line(str(why)))
    return settings


def _with_one(settings: Settings, key: str, value: object) -> Settings:
    if key == "voice" and value is not None:
        value = remembered(value, settings.voice_folder)
    checked = Settings.model_validate({**settings.model_dump(), key: value})
    return settings.change({key: getattr(checked, key)})


def _written(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def as_toml(settings: Settings) -> str:
    """`settings` as a file that `load` reads back to the same value; keys that are unset are left out."""
    lines = [f"{key} = {_toml(value)}" for key, value in settings.model_dump(mode="json").items() if value is not None]
    return "\n".join(lines) + "\n"


def _toml(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)  # its words for numbers, truth and text are TOML's, too


def _given(flags: Mapping[str, object] | None) -> dict[str, object]:
    return {key: value for key, value in (flags or {}).items() if value is not None}


def _from_file(file: Path | None, environment: Mapping[str, str]) -> tuple[str, dict[str, object]]:
    named = file or (Path(environment[PREFIX + "CONFIG"]) if environment.get(PREFIX + "CONFIG") else None)
    path = named or platformdirs.user_config_path("tableref") / FILE_NAME
    try:
        return f"{path}: ", tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        if named is None:
            return "", {}
        raise SettingsError(f"{path}: there is no such settings file") from None
    except OSError as error:
        raise SettingsError(f"{path}: the settings file cannot be read ({error.strerror})") from error
    except (ValueError, RecursionError) as error:  # also numbers and nesting beyond what Python takes
        raise SettingsError(f"{path}: not a TOML file ({error})") from error


def _from_environment(environment: Mapping[str, str]) -> tuple[str, dict[str, object]]:
    found = {key: value for key, value in environment.items() if key.startswith(PREFIX) and key != PREFIX + "CONFIG"}
    for key in found:
        if key[len(PREFIX) :].lower() not in Settings.model_fields:
            known = [PREFIX + name.upper() for name in (*Settings.model_fields, "config")]
            raise SettingsError(f"{key}: there is no such variable{nearest(key, known)}")
    return "environment: ", {key[len(PREFIX) :].lower(): value for key, value in found.items()}


def _checked(given: dict[str, object], origin: Mapping[str, str]) -> Settings:
    try:
        return Settings.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = str(first["loc"][0])
        if first["type"] == "extra_forbidden":
            close = nearest(key, Settings.model_fields)
            raise SettingsError(f"{origin[key]}{key}: there is no such setting{close}") from None
        reason = str(first["msg"]).removeprefix("Value error, ")
        raise SettingsError(f"{origin[key]}{key} = {given[key]!r} cannot be: {reason[0].lower()}{reason[1:]}") from None


def nearest(word: str, known: Iterable[str]) -> str:
    """`"; did you mean X?"` for the known word most like `word`, or nothing."""
    close = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f"; did you mean {close[0]}?" if close else ""
