"""Short sounds before a sentence: what kind of news it is, before its first word is over.

Never alone: the sentence behind it says the same. Made here from tones, half-loud so that speech stays the louder, with
soft edges so that nothing clicks; after Blattner, Sumikawa and Greenberg, "Earcons and icons" (1989): each has a rhythm
and a contour of its own, so that they are told apart by those who do not hear pitch well.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

Note = tuple[float, float, float]
"""Hertz at the beginning and at the end, and seconds; 0 Hz is a pause."""

EARCONS: Final[Mapping[str, tuple[Note, ...]]] = {
    "turn": ((660, 660, 0.07), (0, 0, 0.02), (880, 880, 0.1)),
    "draw": ((420, 300, 0.07), (0, 0, 0.03), (360, 250, 0.09)),
    "skip": ((740, 740, 0.05), (0, 0, 0.06), (740, 740, 0.05)),
    "reverse": ((440, 880, 0.1), (880, 440, 0.1)),
    "wild": ((523, 523, 0.05), (659, 659, 0.05), (784, 784, 0.05), (1047, 1047, 0.06)),
    "uno": ((988, 988, 0.05), (0, 0, 0.02), (988, 988, 0.05), (0, 0, 0.02), (1319, 1319, 0.1)),
    "error": ((220, 220, 0.12), (0, 0, 0.03), (165, 165, 0.14)),
    "doubt": ((500, 520, 0.08), (520, 740, 0.12)),
}
"""Each sound as its notes."""
LOUDNESS: Final = 0.3
"""Peak of an earcon, of 1."""
EDGE_SECONDS: Final = 0.006
PAUSE_SECONDS: Final = 0.05
"""Silence between the sound and its sentence."""

_OF_TOPIC: Final[Mapping[str, str]] = {
    "turn.next": "turn",
    "turn.again": "turn",
    "turn.late": "turn",
    "ruling.penalty": "draw",
    "ruling.skipped": "skip",
    "ruling.direction": "reverse",
    "event.play_colour": "wild",
    "question.colour": "wild",
    "event.play_uno": "uno",
    "event.play_colour_uno": "uno",
    "ruling.uno_called": "uno",
    "ruling.caught": "error",
    "ruling.cannot_be_played": "error",
    "ruling.start_again": "error",
    "ruling.open_question": "error",
    "ruling.unexplained": "error",
    "ruling.count_mismatch": "error",
    "notice.not_stored": "error",
    "notice.camera_lost": "error",
    "notice.view_lost": "error",
    "ruling.census": "doubt",
    "notice.unclear": "doubt",
    "doubt": "doubt",
    "question.doubt_card": "doubt",
    "question.doubt_which": "doubt",
    "question.doubt_again": "doubt",
}
"""Which sound goes before which sentences, by their topic or a beginning of it."""


def earcon_of(topic: str) -> str:
    """The earcon before sentences of a topic, such as `ruling.penalty.uno`; empty when there is none."""
    while topic:
        if topic in _OF_TOPIC:
            return _OF_TOPIC[topic]
        topic = topic.rpartition(".")[0]
    return ""


@cache
def samples(name: str, rate: int, volume: float = 1.0) -> bytes:
    """An earcon and the pause behind it as 16-bit mono samples, `rate` a second; KeyError when there is none."""
    peak = LOUDNESS * volume * 32767
    wave = array("h", (round(peak * value) for note in EARCONS[name] for value in _tone(note, rate)))
    wave.extend([0] * int(PAUSE_SECONDS * rate))
    return wave.tobytes()


def _tone(note: Note, rate: int) -> Iterator[float]:
    """The samples of a note, -1 to 1. Without NumPy: loading that would make the speaking process start later."""
    begin, end, seconds = note
    count, phase = int(seconds * rate), 0.0
    for place in range(count):
        phase += 2 * math.pi * (begin + (end - begin) * place / count) / rate
        edge = min(1.0, min(place, count - 1 - place) / (EDGE_SECONDS * rate))
        yield (math.sin(phase) + 0.25 * math.sin(2 * phase)) / 1.25 * edge if begin else 0.0
