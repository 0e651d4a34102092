"""What card it was: what the eyes saw, weighed with what the rules and the deck let one expect.

A posterior over the faces and nothing else: likelihoods of the reader times a prior from the referee. The prior is
bounded, so it decides between close readings and never turns a clear one into another card: a reading that is clearer
than `Trust.illegal` is unlikely stays what it is, and the referee says that it cannot be played.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from referee.cards import FACES, Card
from referee.piles import INDEX
from referee.state import RoundState

TOLD: Final = 5
"""Faces that a belief lists; those beyond count for nothing."""


@dataclass(frozen=True, slots=True)
class Trust:
    """How far each side is trusted.

    illegal: how much rarer a card that the rules forbid is laid than one that they allow. Lower: more misreadings are
        put right, and a misplay must be read more clearly to be reported; 1: the rules say nothing.
    absent: the same for a face of which the deck has no copy left (a foreign deck, a reshuffle that nobody saw).
    sharpness: the reader's probabilities are raised to this power. 1: taken at its word; lower: it exaggerates.
    least: probability that any face has, whatever the reader says. Higher: the prior weighs more in clear readings.
    sure: belief from which nobody is asked. Higher: more questions; lower: more silent mistakes.
    rival: belief that the next face must have to be asked about. Higher: fewer questions.
    early: cards left in the draw pile at which a reshuffle is as likely as not, when somebody reaches for the whole
        discard pile. More: piles that are squared up count as reshuffled; fewer: those made in good time are missed.
    """

    illegal: float = 0.12
    absent: float = 0.06
    sharpness: float = 1.0
    least: float = 1e-4
    sure: float = 0.75
    rival: float = 0.12
    early: float = 4.0


STANDARD: Final = Trust()


@dataclass(frozen=True, slots=True)
class Belief:
    """The faces that it may have been, each with how far it is believed, the likeliest first. `read`: by eye alone."""

    faces: tuple[tuple[Card, float], ...]
    read: Card
    trust: Trust = STANDARD

    @property
    def card(self) -> Card:
        """The likeliest face."""
        return self.faces[0][0]

    @property
    def sure(self) -> float:
        """How far it is believed, 0 to 1."""
        return self.faces[0][1]

    @property
    def is_close(self) -> bool:
        """Whether somebody should be asked: the likeliest is not sure, and another one comes near it."""
        return self.sure < self.trust.sure and len(self.faces) > 1 and self.faces[1][1] >= self.trust.rival


def weigh(
    seen: Iterable[tuple[Card, float]], legal: Collection[Card], left: Mapping[Card, int], trust: Trust = STANDARD
) -> Belief:
    """The belief after a reading.

    seen: faces with the probability that the eyes give them. legal: what may be laid now. left: how many of each face
    the deck may still bring. Raises ValueError when nothing was seen.
    """
    shares = dict(seen)
    if not shares:
        raise ValueError("nothing was seen")
    weights = {card: _likelihood(shares.get(card, 0.0), trust) * _prior(card, legal, left, trust) for card in FACES}
    whole = sum(weights.values())
    order = sorted(weights, key=lambda card: -weights[card])[:TOLD]
    read = max(shares, key=lambda card: shares[card])
    return Belief(tuple((card, weights[card] / whole) for card in order), read, trust)


def copies_left(round: RoundState | None) -> dict[Card, int]:
    """How many of each face the deck may still bring (R2.3); before a round all that it has."""
    if round is None:
        return dict.fromkeys(FACES, 1)
    return {card: round.settings.copies[INDEX[card]] - round.seen[INDEX[card]] for card in FACES}


def reshuffled(seen: float, left: int, trust: Trust = STANDARD) -> bool:
    """Whether the discard pile was made the draw pile (R4.7), and not only squared up.

    seen: how far the eyes believe it, 0 to 1. left: cards of the draw pile, as far as counted.
    """
    before = trust.early / (trust.early + max(0, left))
    return seen * before > (1 - seen) * (1 - before)


def _likelihood(share: float, trust: Trust) -> float:
    return float(max(trust.least, min(1.0, share)) ** trust.sharpness)


def _prior(card: Card, legal: Collection[Card], left: Mapping[Card, int], trust: Trust) -> float:
    if left.get(card, 0) <= 0:
        return trust.absent
    return 1.0 if card in legal else trust.illegal
