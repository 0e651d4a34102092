"""The words for what cannot be done: an error whose text is one sentence for a person, and texts fit for a line."""

from __future__ import annotations

import json
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
    """The errors that pydantic found in a request as one sentence: which field, and what to send there instead."""
    if any(error["type"] == "json_invalid" for error in errors):
        return "The body is no JSON."
    places = [_place(error) for error in errors]
    # a list of which an entry was refused counts as too short, too
    whole = [error for error, at in zip(errors, places, strict=True) if not _has_within(at, places)]
    return one_line("; ".join(_told(error) for error in whole[:3])) + "."


def _place(error: Mapping[str, Any]) -> tuple[str | int, ...]:
    """The fields and numbers that lead to it; not where they were sent, nor which action it is."""
    where, *inner = error["loc"]
    if where == "body" and len(inner) > 1 and isinstance(inner[1], str) and isinstance(inner[0], str):
        is_object = inner[0] in _OBJECTS and inner[1] in ("x", "y", "card")
        return tuple(inner if is_object else inner[1:])
    return tuple(inner)


def _has_within(place: tuple[str | int, ...], places: Sequence[tuple[str | int, ...]]) -> bool:
    return any(len(other) > len(place) > 0 and other[: len(place)] == place for other in places)


def _told(error: Mapping[str, Any]) -> str:
    kind, place, ctx = str(error["type"]), _place(error), error.get("ctx", {})
    if kind.startswith("union_tag"):
        missing = kind == "union_tag_not_found"
        return (
            f"action: {'is missing' if missing else _but(error)}; send the name of one, such as draw, play or new_match"
        )
    if not place:
        return _BODY
    if kind == "value_error":
        return f"{_named(place)}: {str(error['msg']).removeprefix('Value error, ')}"
    if len(place) == 1 and place[0] in _HINTS and kind != "extra_forbidden":
        return f"{place[0]}: send {_HINTS[place[0]]}{'' if kind == 'missing' else _but(error)}"
    if kind == "missing":
        return f"{_named(place)} is missing"
    if kind == "extra_forbidden":
        return f"{_named(place)}: there is no such field here"
    wanted = next((text for start, text in _WANTED.items() if kind.startswith(start)), "")
    return (
        f"{_named(place)}: send {wanted.format(**ctx)}{_but(error)}" if wanted else f"{_named(place)}: {error['msg']}"
    )


def _named(place: tuple[str | int, ...]) -> str:
    """`players, number 2` for the second of them."""
    return ", ".join(f"number {part + 1}" if isinstance(part, int) else part for part in place)


def _but(error: Mapping[str, Any]) -> str:
    """What came instead, where that is short."""
    found, ctx = error.get("input"), error.get("ctx", {})
    if "actual_length" in ctx:
        return f", not {ctx['actual_length']}"
    if str(error["type"]).startswith("union_tag"):
        return f"there is none of the name {ctx.get('tag', '')}"
    text = json.dumps(found, ensure_ascii=False) if isinstance(found, str | int | float) else ""
    return f", not {text}" if 0 < len(text) <= 40 else ""


_OBJECTS: Final = ("discard", "draw")
"""Fields of a body that are objects themselves; other words before a field are the name of the action."""
_BODY: Final = "Send a JSON object as the body, with the header Content-Type: application/json"
_HINTS: Final = {
    "players": 'a list of 2 to 10 names, such as ["Anna", "Bram"]',
    "expected_version": "the `version` of the state that you looked at",
}
_WANTED: Final = {
    "string_too_short": "at least {min_length} letter(s)",
    "string_too_long": "at most {max_length} letters",
    "string": "a text",
    "too_short": "at least {min_length}",
    "too_long": "at most {max_length}",
    "tuple": "a list",
    "list": "a list",
    "dict": "an object",
    "model": "an object",
    "int": "a whole number",
    "float": "a number",
    "finite": "a number",
    "bool": "true or false",
    "literal": "{expected}",
    "enum": "{expected}",
    "greater_than_equal": "{ge} or more",
    "less_than_equal": "{le} or less",
}
"""What to send, by how the name of an error begins."""
