"""Whether the voice can be the one that the settings ask for: refused in one sentence at the start, told by the doctor.

A wish that cannot come true (a file, an engine, a voice that is not there) is a mistake to be put right; a computer
without sound is none, there the words are shown. Nothing here makes a sound.
"""

from __future__ import annotations

import importlib.util

from service import espeak, piper
from service.engines import chosen_engines
from service.espeak import EngineError
from service.outputs import may_be_heard
from service.sentences import Refusal, one_line
from service.settings import Settings
from service.voices import of_espeak, there_is_none


def may_speak(settings: Settings) -> None:
    """Refusal when sound file, engine or voice of the settings cannot be."""
    if not settings.mute:
        may_be_heard(settings)
    engine = chosen_engines(settings.engine, settings.voice, settings.sound)[0]
    if engine == piper.NAME:
        _may_be_neural(settings.voice)
    elif engine == espeak.NAME and settings.voice:
        _may_be_espeak(settings.voice, settings.lang)


def _may_be_neural(voice: str | None) -> None:
    try:
        piper.files(voice)
    except EngineError as error:
        raise Refusal(f"The voice cannot speak: {error}.") from None
    if importlib.util.find_spec("piper") is None:
        raise Refusal('Neural voices are not installed: run python -m pip install "tableref[neural]".')


def _may_be_espeak(voice: str, lang: str) -> None:
    try:
        library = espeak.library()
    except EngineError:
        return  # without the library there is no sound, which the pages and the doctor tell
    if not library.has(voice):
        raise Refusal(f"voice = {one_line(voice)!r}: there is no such voice; {_there_are(library, lang)}.")


def _there_are(library: espeak.Library, lang: str) -> str:
    """The voices of a language first, so that one can be chosen."""
    mine = [one.id for one in of_espeak(lang)]
    return there_is_none(lang, mine, len(library.voices()) - len(mine))
