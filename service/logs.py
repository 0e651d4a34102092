"""What the program says of itself while it runs, on standard error: for people, or as JSON for programs."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime

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
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(ForPrograms() if as_json else ForPeople())
    logging.basicConfig(level=level, handlers=[handler], force=True)
