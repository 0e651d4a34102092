"""The voices that may be chosen while the program runs, each by a name: a request never says which file is opened.

Those of eSpeak NG for the language, and the Piper files beside the one that the settings name. Other files are for the
file of settings, a variable or a flag to name. Voices of the system (macOS, Windows) are chosen in the system.
"""

from __future__ import annotations

import importlib.util
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from service import espeak, piper
from service.engines import chosen_engines
from service.espeak import EngineError
from service.language import load_language
from service.sentences import Refusal

NAMED: Final = 12
"""Voices that a sentence names at most."""
_OF_A_LANGUAGE: Final = re.compile("([a-z]{2,3})[_-]")
"""How the file of a Piper voice says whose it is, such as en_US-joe-medium."""


_NAME: Final = re.compile(r"[\w.+ -]{1,100}")
"""Names have no folders."""


@dataclass(frozen=True, slots=True)
class Offered:
    """A voice to choose: by `id`, shown as `name`; `voice` is what the setting is then."""

    id: str
    name: str
    voice: str


def is_file(voice: str | None) -> bool:
    """Whether a setting `voice` is the path of a Piper voice."""
    return voice is not None and voice.endswith(piper.SUFFIX)


def id_of(voice: str | None) -> str | None:
    """The name of a voice without the folder in which it lies."""
    return Path(voice).name.removesuffix(piper.SUFFIX) if voice is not None and is_file(voice) else voice


def folder_of(voice: str | None) -> Path | None:
    """The folder of a Piper voice, where others may lie beside it."""
    return Path(voice).expanduser().parent if voice is not None and is_file(voice) else None


def remembered(name: object, folder: Path | None) -> str:
    """The setting for a voice that was chosen by its name on another evening; ValueError when that is no name."""
    if not isinstance(name, str) or is_file(name) or not _NAME.fullmatch(name):
        raise ValueError("this is no name of a voice")
    path = folder / f"{name}{piper.SUFFIX}" if folder else None
    return str(path) if path is not None and piper.is_voice(path) else name


def offered(engine: str, voice: str | None, sound: str, lang: str, folder: Path | None) -> list[Offered]:
    """The voices for a language; `engine`, `voice` and `sound` are the settings, `folder` is where Piper's lie."""
    engines = {chosen_engines(engine, None, sound)[0]} | ({piper.NAME} if engine == "auto" and folder else set())
    found = of_piper(folder, lang) if folder and piper.NAME in engines else []
    if espeak.NAME in engines:
        found += of_espeak(lang)
    if voice is not None and voice not in {one.voice for one in found}:
        found.append(Offered(str(id_of(voice)), str(id_of(voice)), voice))
    return found


def of_piper(folder: Path, lang: str) -> list[Offered]:
    """The voices in a folder that speak the language, or do not say which one they speak."""
    if importlib.util.find_spec("piper") is None:
        return []
    try:
        paths = sorted(folder.glob(f"*{piper.SUFFIX}"))
    except OSError:
        return []
    names = {path: path.name.removesuffix(piper.SUFFIX) for path in paths if piper.is_voice(path)}
    return [Offered(name, name, str(path)) for path, name in names.items() if _speaks(name, lang)]


def _speaks(name: str, lang: str) -> bool:
    own = _OF_A_LANGUAGE.match(name)
    return own is None or own[1] == lang.partition("-")[0]


def of_espeak(lang: str) -> list[Offered]:
    """The library's voices for a language; none when it does not work."""
    code = str(load_language(lang).find("language.espeak")).partition("-")[0]
    try:
        known = espeak.library().voices()
    except EngineError:
        return []  # without the library there is no sound, which the pages and the doctor tell
    return [Offered(one, name, one) for one, name in known.items() if one.partition("-")[0] == code]


def choose(wanted: str, among: list[Offered], lang: str) -> str:
    """The setting for the voice that a request names; Refusal when it is not offered."""
    found = next((one.voice for one in among if one.id == wanted), None)
    if found is None:
        there_are = there_is_none(lang, [one.id for one in among])
        raise Refusal(f"voice = {wanted!r}: there is no such voice; {there_are}.")
    return found


def there_is_none(lang: str, names: list[str], others: int = 0) -> str:
    """Which voices there are for a language, to go on a sentence."""
    more = f" (and {others} of other languages)" if others else ""
    return f"for the language {lang} there are {', '.join(names[:NAMED]) or 'none to choose here'}{more}"
