"""The words for what cannot be done: an error whose text is one sentence for a person, and texts fit for a line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

LONGEST: Final = 400
"""Letters of a sentence that quotes what somebody wrote; the middle of a longer one is left out."""


class Refusal(Exception):  # noqa: N818 - an answer, not a fault
    """What was asked for cannot be done; the message is one sentence that says what to do instead."""


def one_line(text: str) -> str:
    """`text` as one line of bearable length that any screen and file takes: control characters become spaces."""
    text = re.sub(r"\s+", " ", "".join(letter if letter.isprintable() else " " for letter in text)).strip()
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 100]} ... {text[-90:]}"


def refused_fields(errors: Sequence[Mapping[str, Any]]) -> str:
    """The errors that pydantic found in a request as one sentence: which field, and what was expected."""
    told = []
    for error in errors[:3]:
        if error["type"] == "json_invalid":
            return "The body is no JSON."
        where = ".".join(str(part) for part in error["loc"] if part not in ("body", "query", "path", "header"))
        what = str(error["msg"]).removeprefix("Value error, ")
        told.append(f"{where}: {what[0].lower()}{what[1:]}" if where else what)
    return one_line("; ".join(told))
