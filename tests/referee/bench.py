"""How many events a second a record is replayed at, and whether a long match costs more per event than a short one.

Then, where rlcard is installed, the same games by its `step` and by the referee, in the same run.

python -m tests.referee.bench
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
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


def beside_rlcard(number: int = 100, tries: int = 3) -> str:
    """Processor time for the same games: rlcard's `step` of each action, the referee's `judge` of what it shows."""
    from tests.referee.differential import games

    theirs = min(sum(peer.seconds_of_rlcard for peer in games(number)) for _ in range(tries))
    peers = games(number)
    ours = min(sum(peer.seconds_of_the_referee() for peer in peers) for _ in range(tries))
    steps = sum(peer.steps for peer in peers)
    events = sum(len(events) for peer in peers for _, events in peer.segments)
    return (
        f"{number} games, {steps} steps of rlcard: {theirs:.2f} s, {steps / theirs:.0f} steps a second\n"
        f"the same in {events} events of the referee: {ours:.2f} s, {events / ours:.0f} events a second\n"
        f"the referee takes {ours / theirs:.2f} times as long as rlcard"
    )


if __name__ == "__main__":
    for lines in (500, 5_000, 50_000):
        sys.stdout.write(f"{lines:>6} lines: {events_a_second(match_of(lines)):>8.0f} events a second\n")
    if find_spec("rlcard"):
        sys.stdout.write(f"{beside_rlcard()}\n")
    else:
        sys.stdout.write("rlcard is not installed, so nothing is compared with it\n")
