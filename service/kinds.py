"""Kinds of sentences that a table may switch off; what is urgent or asked is always said.

What is switched off is not spoken, and shown all the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from service.telling import Priority, Utterance

Kind = Literal[
    "plays",
    "draws",
    "turns",
    "skips",
    "direction",
    "colours",
    "uno",
    "swaps",
    "hands",
    "scores",
    "decisions",
    "reshuffles",
]

KINDS: Final[Mapping[Kind, tuple[str, ...]]] = {
    "plays": ("event.play", "event.start", "event.deal", "event.match"),
    "draws": ("event.draw", "event.pass", "event.discard", "ruling.implied_draw", "ruling.penalty"),
    "turns": ("turn.",),
    "skips": ("ruling.skipped",),
    "direction": ("ruling.direction",),
    "colours": ("ruling.colour",),
    "uno": ("ruling.uno_due", "ruling.uno_called", "ruling.late_catch", "ruling.false_catch"),
    "swaps": ("ruling.swapped", "ruling.rotated", "ruling.house_rule"),
    "hands": ("event.hand", "event.points"),
    "scores": ("scores.",),
    "decisions": ("ruling.decided",),
    "reshuffles": ("ruling.reshuffled",),
}
"""Each kind and how the topics of its sentences begin."""


def is_switched_off(utterance: Utterance, silent: tuple[Kind, ...]) -> bool:
    """Whether a sentence belongs to a kind that is in `silent`."""
    if utterance.priority is Priority.URGENT:
        return False
    return any(utterance.topic.startswith(start) for kind in silent for start in KINDS[kind])
