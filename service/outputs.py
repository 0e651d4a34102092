"""Files that commands write: refused in one sentence before the work begins, and never over something else."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from referee.record import RecordError, parse
from service.sentences import Refusal
from service.settings import Settings

INTO_FILE: Final = "file:"
WAV: Final = b"RIFF"
LOOKED_AT: Final = 65536
"""Bytes of a file that tell whether it is a record; a film named by mistake is not read to its end."""


def may_become_a_record(path: Path) -> None:
    """Refusal when `path` cannot be written, or holds something that is no record and would be lost."""
    try:
        if path.exists() and not path.is_file():
            raise Refusal(f"{path} cannot be written: it is no file; name one for the record.")
        is_new = not path.exists()
        with path.open("a+b") as file:
            file.seek(0)
            beginning = file.read(LOOKED_AT)
        if is_new:
            path.unlink()
    except OSError as error:
        raise Refusal(f"{path} cannot be written: {error.strerror or error}.") from None
    if beginning and not _is_record(beginning):
        raise Refusal(f"{path} holds something that is no record, and stays as it is: name another file.")


def may_be_heard(settings: Settings) -> None:
    """Refusal when the voice is to go into a file that cannot be written, or holds something that is no sound."""
    if settings.mute or not settings.sound.startswith(INTO_FILE):
        return
    path = Path(settings.sound.removeprefix(INTO_FILE))
    if not path.absolute().parent.is_dir():
        raise Refusal(f"sound = {settings.sound!r}: there is no folder {path.parent}; make it, or name another file.")
    if path.exists() and not path.is_file():
        raise Refusal(f"sound = {settings.sound!r}: {path} is no file; name one for the sound.")
    is_new = not path.exists()
    try:
        with path.open("a+b") as file:
            file.seek(0)
            beginning = file.read(len(WAV))
    except OSError as error:
        raise Refusal(f"sound = {settings.sound!r}: {path} cannot be written ({error.strerror or error}).") from None
    if is_new:
        path.unlink()
    if beginning and beginning != WAV:
        raise Refusal(f"{path} holds something that is no WAV sound, and stays as it is: name another file.")


def write_text(path: Path, text: str) -> None:
    """`text` into the file `path`; Refusal says why not."""
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise Refusal(f"{path} cannot be written: {error.strerror or error}.") from None


def _is_record(beginning: bytes) -> bool:
    whole_lines = beginning if len(beginning) < LOOKED_AT else beginning[: beginning.rfind(b"\n") + 1]
    try:
        parse(whole_lines.decode("utf-8").replace("\r\n", "\n"))
    except (RecordError, UnicodeDecodeError):
        return False
    return True
