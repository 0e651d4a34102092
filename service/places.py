"""Where the players sit, learnt from the directions that their hands come from.

The camera tells for each hand the direction of the picture's edge where its arm came in. Seats stand clockwise around
the table, as directions grow; where nobody was seen yet, even spaces are assumed.
"""

from __future__ import annotations

import cmath
import math
from collections import defaultdict, deque
from collections.abc import Sequence
from typing import Final, Literal

from vision.motion import angle_between

Pile = Literal["discard", "draw"]
MEMORY: Final = 12
"""Directions remembered for each seat and pile: people shift, and a mistake must wear off."""
CLEARLY: Final = 0.15
"""By how much of the space between two seats another seat must be nearer to be preferred to the likeliest one."""


class Places:
    """The directions, degrees, of the seats around one table."""

    def __init__(self, seats: int) -> None:
        self._seats = seats
        self._seen: dict[tuple[int, Pile], deque[float]] = defaultdict(lambda: deque(maxlen=MEMORY))

    def learn(self, seat: int, pile: Pile, direction: float | None) -> None:
        """A hand of `seat` came to `pile` from `direction`."""
        if direction is not None:
            self._seen[seat, pile].append(direction)

    def expected(self, seat: int, pile: Pile) -> float | None:
        """Where a hand of `seat` would come from; None while nobody was seen."""
        other: Pile = "draw" if pile == "discard" else "discard"
        for known in (pile, other):
            if self._seen[seat, known]:
                return _mean(self._seen[seat, known])
        space = 360 / self._seats
        turned = [at - space * (who - 1) for (who, _), ats in self._seen.items() for at in ats]
        return (_mean(turned) + space * (seat - 1)) % 360 if turned else None

    def whose(self, candidates: Sequence[int], pile: Pile, direction: float | None) -> int:
        """Whose hand it was: the first, likeliest candidate unless another sits clearly nearer."""
        if direction is None or len(candidates) == 1:
            return candidates[0]
        away = {seat: self._away(seat, pile, direction) for seat in candidates}
        nearest = min(candidates, key=lambda seat: away[seat])
        margin = CLEARLY * 360 / self._seats
        return nearest if away[nearest] + margin < away[candidates[0]] else candidates[0]

    def _away(self, seat: int, pile: Pile, direction: float) -> float:
        expected = self.expected(seat, pile)
        return 0.0 if expected is None else angle_between(direction, expected)


def _mean(directions: Sequence[float] | deque[float]) -> float:
    """The mean of directions, degrees, whatever turn they are counted in."""
    total = sum(cmath.rect(1, math.radians(direction)) for direction in directions)
    return math.degrees(cmath.phase(total)) % 360
