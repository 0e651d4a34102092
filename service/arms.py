"""How well the direction of an arm goes with a seat: learnt from the hands that came before, never certain.

`Known` belongs to one telling of a game: another telling of the same game learns other directions, and the one in which
each seat keeps to its place is the likelier one. Nothing here changes: `learnt` gives a new value.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from service.places import Pile


@dataclass(frozen=True, slots=True)
class ArmSettings:
    """How far arms are trusted; angles in degrees.

    spread: by how much the arm of a seat comes from elsewhere each time, once it was seen at that pile.
    guessed: the same where it was only seen at the other pile, or is reckoned from where others sit.
    stranger: share of hands that come from anywhere: who reaches around a neighbour, or is helped. Lower: a single hand
        says more, and a guest who lays cards for somebody confuses more.
    clearly: by how much, as a logarithm, a hand must fit another seat better than the likeliest one to be its hand.
    fades: what is left of the past with each new hand. Lower: who changes places is followed sooner.
    """

    spread: float = 15.0
    guessed: float = 30.0
    stranger: float = 0.1
    fades: float = 0.8
    clearly: float = 0.3


STANDARD: Final = ArmSettings()


@dataclass(frozen=True, slots=True)
class Known:
    """Where hands came from: for each seat and pile a sum of unit vectors, the newest weighing most."""

    seats: int
    seen: Mapping[tuple[int, Pile], complex] = field(default_factory=dict)
    settings: ArmSettings = STANDARD

    def learnt(self, seat: int, pile: Pile, direction: float | None) -> Known:
        """The same after a hand of `seat` came to `pile` from `direction`."""
        if direction is None:
            return self
        before = self.seen.get((seat, pile), 0j) * self.settings.fades
        seen = {**self.seen, (seat, pile): before + cmath.rect(1, math.radians(direction))}
        return Known(self.seats, seen, self.settings)

    def fits(self, seat: int, pile: Pile, direction: float | None) -> float:
        """Logarithm of how much likelier that direction is for `seat` than for anybody (0: it tells nothing)."""
        if direction is None:
            return 0.0
        expected = self._expected(seat, pile)
        if expected is None:
            return 0.0
        middle, spread = expected
        away = (direction - middle + 180) % 360 - 180
        peak = 360 / (spread * math.sqrt(2 * math.pi)) * math.exp(-0.5 * (away / spread) ** 2)
        return math.log((1 - self.settings.stranger) * peak + self.settings.stranger)

    def is_rather(self, other: int, seats: Sequence[int], pile: Pile, direction: float | None) -> bool:
        """Whether the hand fits another seat better than any of those that it may have been, or none of them at all."""
        fits = [self.fits(seat, pile, direction) for seat in seats]
        return bool(fits) and max(fits) < max(0.0, self.fits(other, pile, direction))

    def whose(self, candidates: Sequence[int], pile: Pile, direction: float | None) -> int:
        """Whose hand it was: the first, likeliest candidate unless it clearly fits another one better."""
        fits = {seat: self.fits(seat, pile, direction) for seat in candidates}
        best = max(candidates, key=lambda seat: fits[seat])
        return best if fits[best] - fits[candidates[0]] > self.settings.clearly else candidates[0]

    def _expected(self, seat: int, pile: Pile) -> tuple[float, float] | None:
        """Where a hand of `seat` comes from, and how exactly that is known; None while nobody was seen."""
        own = self.seen.get((seat, pile))
        if own:
            return _degrees(own), self.settings.spread
        other = self.seen.get((seat, "draw" if pile == "discard" else "discard"))
        if other:
            return _degrees(other), self.settings.guessed
        space = 2 * math.pi / self.seats
        turned = sum(arm * cmath.rect(1, space * (seat - who)) for (who, _), arm in self.seen.items())
        return (_degrees(turned), self.settings.guessed) if turned else None


def _degrees(arm: complex) -> float:
    return math.degrees(cmath.phase(arm)) % 360
