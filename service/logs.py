"""What the program says of itself while it runs, on standard error: for people, or as JSON for programs."""

from __future__ import annotations

import functools
import json
import logging
import os
import sys
from datetime import UTC, datetime
from typing import TextIO

from service.sentences import one_line


class ForPeople(logging.Formatter):
    """`tableref: sentence`, with the fault behind it when there is one."""

    def __init__(self) -> None:
        super().__init__("tableref: %(message)s")


class ForPrograms(logging.Formatter):
    """One JSON object a line: `time` (ISO 8601, UTC), `level`, `logger`, `message`, and `fault` when there is one."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": one_line(record.getMessage()),
        }
        if record.exc_info:
            line["fault"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def set_up(*, as_json: bool = False, level: int = logging.WARNING) -> None:
    """Every log of the program goes there, from now on in this form."""
    if sys.stderr is None:  # closed by who started the command
        return
    handler = logging.StreamHandler(_own_way() if sys.stderr is sys.__stderr__ else sys.stderr)
    handler.setFormatter(ForPrograms() if as_json else ForPeople())
    logging.basicConfig(level=level, handlers=[handler], force=True)


@functools.cache
def _own_way() -> TextIO:
    """Standard error by a descriptor of its own, so that `vision.quiet` silences the libraries alone."""
    try:
        own = os.dup(sys.stderr.fileno())
    except (OSError, ValueError):
        return sys.stderr
    return os.fdopen(own, "w", encoding=sys.stderr.encoding, errors="backslashreplace", buffering=1)
