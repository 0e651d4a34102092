"""`tableref doctor`: what works on this computer, one line each, and what to do about what does not."""

from __future__ import annotations

import argparse
import contextlib
import importlib.metadata
import importlib.util
import json
import logging
import os
import platform
import shutil
import socket
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Final

from service import settings as configuration
from service.language import FALLBACK, load_language
from service.refusals import in_language
from service.settings import Settings

CAMERAS_TRIED: Final = 3
LIBRARIES: Final = {
    "cv2": "opencv-python-headless",
    "onnxruntime": "onnxruntime",
    "pyttsx3": "pyttsx3",
    "fastapi": "fastapi",
}
"""Modules that do the work, and who brings them (OpenCV comes under several names)."""
SPEECH: Final = "python -m pip install espeakng-loader"
"""What to do when there is no speech engine."""
VOSK: Final = ("vosk", "ears-vosk", " --ears-model FOLDER")
"""Module, extra and flag of the ears for languages that pocketsphinx has no model for."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One line: what was looked at, whether it works, what was found, and what to do when it does not.

    `what` is the same in every language; `name` is what people call it.
    """

    what: str
    works: bool
    found: str
    advice: str = ""
    name: str = ""

    def __post_init__(self) -> None:
        if self.works:
            object.__setattr__(self, "advice", "")

    def __str__(self) -> str:
        return f"{self.name or self.what}: {self.found}" + (f" {self.advice}" if self.advice else "")


class Teller:
    """Makes findings in one language."""

    def __init__(self, lang: str) -> None:
        self._language = load_language(lang)

    def text(self, key: str, /, **fields: object) -> str:
        """The text `key` with its gaps filled."""
        return self._language.text(key, **fields)

    def told(self, sentence: str) -> str:
        """What another part of the program says in English."""
        return in_language(sentence, self._language.code)

    def finding(self, what: str, works: bool, found: str, advice: str = "") -> Finding:
        """A finding; `found` and `advice` are whole texts."""
        names = self._language.find("doctor.names")
        return Finding(what, works, found, advice, str(names.get(what.lower().replace(" ", "_"), what)))

    def line(self, finding: Finding) -> str:
        """A finding with its sign, as it is printed."""
        sign = self.text("doctor.works" if finding.works else "doctor.fails")
        return f"{sign:3} {finding}"


def doctor(options: argparse.Namespace) -> int:
    """Print what works; 1 when something that a game needs does not."""
    given = {"port": options.port, "source": options.camera or None, "lang": options.lang}
    chosen = configuration.load(given)
    findings, tell = [], Teller(chosen.lang)
    looks = LOOKS if options.camera is None else (*LOOKS, framed)
    with quiet():
        for look in looks:
            for finding in look(chosen):
                findings.append(finding)
                if not options.json:
                    print(tell.line(finding), flush=True)
    if options.json:
        print(json.dumps([asdict(finding) for finding in findings]))
    return 0 if all(finding.works for finding in findings) else 1


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Without a log: the findings say it themselves."""
    log = logging.getLogger("service")
    before = log.level
    log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        log.setLevel(before)


def python(chosen: Settings) -> Iterator[Finding]:
    """The interpreter and the system."""
    tell = Teller(chosen.lang)
    found = tell.text(
        "doctor.python_found",
        version=platform.python_version(),
        system=platform.system(),
        machine=platform.machine(),
        cores=os.cpu_count(),
    )
    yield tell.finding("Python", sys.version_info >= (3, 11), found, tell.text("doctor.python_advice"))


def libraries(chosen: Settings) -> Iterator[Finding]:
    """The libraries that do the work."""
    tell, brought = Teller(chosen.lang), importlib.metadata.packages_distributions()
    for module, name in LIBRARIES.items():
        if module in brought:
            yield tell.finding(brought[module][0], True, importlib.metadata.version(brought[module][0]))
        else:
            advice = tell.text("doctor.run", command=f"python -m pip install {name}")
            yield tell.finding(name, False, tell.text("doctor.library_missing"), advice)


def models(chosen: Settings) -> Iterator[Finding]:
    """The shipped weights, tried on an empty picture."""
    import numpy as np

    tell = Teller(chosen.lang)
    try:
        from vision.eyes import Eyes

        Eyes.load().see(np.zeros((480, 640, 3), np.uint8))
    except Exception as error:
        yield tell.finding("card models", False, tell.told(_first_line(error)), tell.text("doctor.models_advice"))
    else:
        yield tell.finding("card models", True, tell.text("doctor.models_found"))


def cameras(chosen: Settings) -> Iterator[Finding]:
    """The cameras that answer with a picture."""
    from vision.cameras import camera_names, open_camera
    from vision.frames import SourceError

    tell, names = Teller(chosen.lang), camera_names()
    answering = []
    for index in sorted(names)[:CAMERAS_TRIED] or range(CAMERAS_TRIED):
        try:
            open_camera(str(index)).close()
        except SourceError:
            continue
        answering.append(f"camera:{index}" + (f" ({names[index]})" if index in names else ""))
    found = ", ".join(answering) or tell.text("doctor.cameras_none")
    yield tell.finding("cameras", bool(answering), found, tell.text("doctor.cameras_advice"))


def voice(chosen: Settings) -> Iterator[Finding]:
    """Speech engine, its voice for the language, and where the sound goes."""
    from service.audible import may_speak
    from service.sentences import Refusal
    from service.voice import Voice

    tell = Teller(chosen.lang)
    try:
        may_speak(chosen)
    except Refusal as refusal:
        yield tell.finding("voice", False, tell.told(str(refusal)))
        return
    if chosen.mute:
        yield tell.finding("voice", True, tell.text("doctor.voice_muted"))
        return
    speaking = Voice(chosen)
    try:
        status = speaking.status()
    finally:
        speaking.stop()
    found = ", ".join(str(status[part]) for part in ("engine", "player", "device") if status[part])
    advice = tell.text("doctor.voice_louder") if status["engine"] else tell.text("doctor.voice_engine", command=SPEECH)
    fault = status["reason"] if chosen.lang == FALLBACK else status["fault"] and tell.text(f"sound.{status['fault']}")
    yield tell.finding("voice", status["works"], sentence(fault or found), advice)


def ears(chosen: Settings) -> Iterator[Finding]:
    """The recogniser of spoken commands and its microphone, when they are wanted."""
    from service.ears import grammars
    from service.language import PhraseError
    from service.microphone import open_ears
    from service.recognisers import EarsError, recogniser

    tell = Teller(chosen.lang)
    if chosen.ears == "off":
        yield tell.finding("ears", True, tell.text("doctor.ears_off", how=_possible_ears(chosen.lang, tell)))
        return
    try:
        heard = recogniser(grammars(load_language(chosen.lang)), chosen.lang, chosen.ears_model)
        open_ears(chosen.ears_source)
    except (EarsError, PhraseError) as error:
        yield tell.finding("ears", False, sentence(tell.told(str(error))))
    else:
        yield tell.finding("ears", True, f"{heard.name}, {chosen.ears_source}")


def _possible_ears(lang: str, tell: Teller) -> str:
    """How spoken commands could be switched on."""
    from service.recognisers import has_sounds

    library, extra, model = ("pocketsphinx", "ears", "") if has_sounds(lang) else VOSK
    if importlib.util.find_spec(library) is None:
        return tell.text("doctor.ears_install", command=f'python -m pip install "tableref[{extra}]"')
    return tell.text("doctor.ears_there", library=library, flags=f"--ears push{model}")


def framed(chosen: Settings, pictures: int = 12) -> Iterator[Finding]:
    """Whether the camera sees the discard pile well, from its first pictures, and stands as it stood last."""
    from service.framing import framing
    from service.kept import Kept
    from service.standpoint import has_moved
    from vision.eyes import Eyes
    from vision.frames import Frame, SourceError, open_source
    from vision.survey import survey
    from vision.zones import SURE_ALONE, Zones

    image, tell = None, Teller(chosen.lang)
    try:
        with open_source(chosen.source) as source:
            for seen, glimpse in enumerate(source, start=1):
                image = glimpse.image if isinstance(glimpse, Frame) else image
                if seen >= pictures:  # the first ones of a camera are too dark or too bright
                    break
    except SourceError as error:
        yield tell.finding("camera", False, tell.told(str(error)))
        return
    pile = None if image is None else Zones().found_in(survey(Eyes.load(), image), SURE_ALONE).discard
    advice = framing(image, pile)
    yield tell.finding("camera", advice == "good", load_language(chosen.lang).text(f"framing.{advice}"))
    if image is not None and has_moved(Kept(chosen.data_dir).standpoint(chosen.source), image):
        yield tell.finding("camera", False, load_language(chosen.lang).text("framing.moved"))


def folder(chosen: Settings) -> Iterator[Finding]:
    """Where matches are stored."""
    from service.store import LEAST_FREE

    tell = Teller(chosen.lang)
    try:
        chosen.data_dir.mkdir(parents=True, exist_ok=True)
        writable, free = os.access(chosen.data_dir, os.W_OK), shutil.disk_usage(chosen.data_dir).free
    except OSError:
        writable, free = False, 0
    full = writable and free < LEAST_FREE
    found = str(chosen.data_dir) if writable else tell.text("doctor.folder_locked", folder=chosen.data_dir)
    if full:
        found = tell.text("doctor.folder_full", folder=chosen.data_dir, room=free // 2**20)
    advice = tell.text("doctor.make_room" if full else "doctor.folder_other")
    yield tell.finding("stored matches", writable and not full, found, advice)


def port(chosen: Settings) -> Iterator[Finding]:
    """Whether pages and API find their port free."""
    tell = Teller(chosen.lang)
    with socket.socket() as probe:
        if os.name == "posix":  # as `run` does: a port that was just left is free
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", chosen.port))
        except OSError as error:
            found = tell.text("doctor.port_taken", port=chosen.port, reason=error.strerror or str(error))
            yield tell.finding("port", False, found, tell.text("doctor.port_advice", flag="--port 8766"))
        else:
            yield tell.finding("port", True, tell.text("doctor.port_free", port=chosen.port))


LOOKS: Final[tuple[Callable[[Settings], Iterator[Finding]], ...]] = (
    python,
    libraries,
    models,
    cameras,
    voice,
    ears,
    folder,
    port,
)


def sentence(text: str) -> str:
    """`text` with a full stop."""
    return text if text.endswith(".") else f"{text}."


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
