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
from service.settings import Settings

CAMERAS_TRIED: Final = 3
LIBRARIES: Final = {
    "cv2": "opencv-python-headless",
    "onnxruntime": "onnxruntime",
    "pyttsx3": "pyttsx3",
    "fastapi": "fastapi",
}
"""Modules that do the work, and who brings them (OpenCV comes under several names)."""
LOUDER: Final = "Plug in a loudspeaker or choose one in the system; until then the words are shown on the pages."
SPOKEN: Final = (
    "Install the speech engine: python -m pip install espeakng-loader; until then the words are on the pages."
)
"""What to do when there is an engine and no sound, and when there is no engine."""
VOSK: Final = ("vosk", "ears-vosk", " --ears-model FOLDER")
"""Module, extra and flag of the ears for languages that pocketsphinx has no model for."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One line: what was looked at, whether it works, what was found, and what to do when it does not."""

    what: str
    works: bool
    found: str
    advice: str = ""

    def __post_init__(self) -> None:
        if self.works:
            object.__setattr__(self, "advice", "")

    def __str__(self) -> str:
        sign = "ok " if self.works else "NO "
        return f"{sign} {self.what}: {self.found}" + (f" {self.advice}" if self.advice else "")


def doctor(options: argparse.Namespace) -> int:
    """Print what works; 1 when something that a game needs does not."""
    chosen = configuration.load({"port": options.port, "source": options.camera or None})
    findings = []
    looks = LOOKS if options.camera is None else (*LOOKS, framed)
    with quiet():
        for look in looks:
            for finding in look(chosen):
                findings.append(finding)
                if not options.json:
                    print(finding, flush=True)
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
    found = f"Python {platform.python_version()} on {platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    yield Finding("Python", sys.version_info >= (3, 11), found, "Install Python 3.11 or newer.")


def libraries(chosen: Settings) -> Iterator[Finding]:
    """The libraries that do the work."""
    brought = importlib.metadata.packages_distributions()
    for module, name in LIBRARIES.items():
        if module in brought:
            yield Finding(brought[module][0], True, importlib.metadata.version(brought[module][0]))
        else:
            yield Finding(name, False, "is not installed.", f"Run: python -m pip install {name}")


def models(chosen: Settings) -> Iterator[Finding]:
    """The shipped weights, tried on an empty picture."""
    import numpy as np

    try:
        from vision.eyes import Eyes

        Eyes.load().see(np.zeros((480, 640, 3), np.uint8))
    except Exception as error:
        yield Finding("card models", False, _first_line(error), "Without them no card is read.")
    else:
        yield Finding("card models", True, "load and run")


def cameras(chosen: Settings) -> Iterator[Finding]:
    """The cameras that answer with a picture."""
    from vision.cameras import camera_names, open_camera
    from vision.frames import SourceError

    names = camera_names()
    answering = []
    for index in sorted(names)[:CAMERAS_TRIED] or range(CAMERAS_TRIED):
        try:
            open_camera(str(index)).close()
        except SourceError:
            continue
        answering.append(f"camera:{index}" + (f" ({names[index]})" if index in names else ""))
    advice = "Plug one in, close other programs that use it, or on Linux join the group video."
    yield Finding("cameras", bool(answering), ", ".join(answering) or "none answers.", advice)


def voice(chosen: Settings) -> Iterator[Finding]:
    """Speech engine, its voice for the language, and where the sound goes."""
    from service.audible import may_speak
    from service.sentences import Refusal
    from service.voice import Voice

    try:
        may_speak(chosen)
    except Refusal as refusal:
        yield Finding("voice", False, str(refusal))
        return
    if chosen.mute:
        yield Finding("voice", True, "muted by choice; the words are shown on the pages")
        return
    speaking = Voice(chosen)
    try:
        status = speaking.status()
    finally:
        speaking.stop()
    found = ", ".join(str(status[part]) for part in ("engine", "player", "device") if status[part])
    yield Finding("voice", status["works"], sentence(status["reason"] or found), LOUDER if status["engine"] else SPOKEN)


def ears(chosen: Settings) -> Iterator[Finding]:
    """The recogniser of spoken commands and its microphone, when they are wanted."""
    from service.ears import grammars
    from service.language import PhraseError, load_language
    from service.microphone import open_ears
    from service.recognisers import EarsError, recogniser

    if chosen.ears == "off":
        yield Finding("ears", True, f"off; {_possible_ears(chosen.lang)}")
        return
    try:
        heard = recogniser(grammars(load_language(chosen.lang)), chosen.lang, chosen.ears_model)
        open_ears(chosen.ears_source)
    except (EarsError, PhraseError) as error:
        yield Finding("ears", False, sentence(str(error)))
    else:
        yield Finding("ears", True, f"{heard.name}, {chosen.ears_source}")


def _possible_ears(lang: str) -> str:
    """How spoken commands could be switched on."""
    from service.recognisers import has_sounds

    library, extra, model = ("pocketsphinx", "ears", "") if has_sounds(lang) else VOSK
    if importlib.util.find_spec(library) is None:
        return f'for spoken commands: python -m pip install "tableref[{extra}]"'
    return f"{library} is installed: --ears push{model}"


def framed(chosen: Settings, pictures: int = 12) -> Iterator[Finding]:
    """Whether the camera sees the discard pile well, from its first pictures."""
    from service.framing import framing
    from service.language import load_language
    from vision.eyes import Eyes
    from vision.frames import Frame, SourceError, open_source
    from vision.survey import survey
    from vision.zones import SURE_ALONE, Zones

    image = None
    try:
        with open_source(chosen.source) as source:
            for seen, glimpse in enumerate(source, start=1):
                image = glimpse.image if isinstance(glimpse, Frame) else image
                if seen >= pictures:  # the first ones of a camera are too dark or too bright
                    break
    except SourceError as error:
        yield Finding("camera", False, str(error))
        return
    pile = None if image is None else Zones().found_in(survey(Eyes.load(), image), SURE_ALONE).discard
    advice = framing(image, pile)
    yield Finding("camera", advice == "good", load_language(chosen.lang).text(f"framing.{advice}"))


def folder(chosen: Settings) -> Iterator[Finding]:
    """Where matches are stored."""
    from service.store import LEAST_FREE

    try:
        chosen.data_dir.mkdir(parents=True, exist_ok=True)
        writable, free = os.access(chosen.data_dir, os.W_OK), shutil.disk_usage(chosen.data_dir).free
    except OSError:
        writable, free = False, 0
    full = writable and free < LEAST_FREE
    found = f"{chosen.data_dir}" if writable else f"{chosen.data_dir} cannot be written."
    found += f" has only {free // 2**20} MB left." if full else ""
    advice = "Make room on the disk." if full else "Choose another folder with data_dir."
    yield Finding("stored matches", writable and not full, found, advice)


def port(chosen: Settings) -> Iterator[Finding]:
    """Whether pages and API find their port free."""
    with socket.socket() as probe:
        if os.name == "posix":  # as `run` does: a port that was just left is free
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", chosen.port))
        except OSError as error:
            reason = error.strerror or str(error)
            yield Finding("port", False, f"{chosen.port} is taken ({reason}).", "Use another one: --port 8766")
        else:
            yield Finding("port", True, f"{chosen.port} is free")


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
