"""Files that commands write: refused in one sentence before the work begins, and never over something else."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from referee.record import RecordError, parse
from service.sentences import Refusal

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
