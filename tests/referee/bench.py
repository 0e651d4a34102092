"""How many events a second a record is replayed at, and whether a long match costs more per event than a short one.

python -m tests.referee.bench
"""

from __future__ import annotations

import sys
from random import Random
from time import process_time

from referee.record import parse, replay
from tests.referee.naive import Game


def match_of(lines: int) -> str:
    """A record of so many lines of a match that nobody wins."""
    game = Game(Random(1), 4, target=10**6)
    game.play(limit=lines)
    return "\n".join((*game.header(), *game.lines[:lines])) + "\n"


def events_a_second(text: str, tries: int = 5) -> float:
    """Parsed and judged, in processor time, the best of several tries."""
    seconds = []
    for _ in range(tries):
        begun = process_time()
        replayed = replay(parse(text))
        seconds.append(process_time() - begun)
    return len(replayed.events) / min(seconds)


if __name__ == "__main__":
    for lines in (500, 5_000, 50_000):
        sys.stdout.write(f"{lines:>6} lines: {events_a_second(match_of(lines)):>8.0f} events a second\n")
