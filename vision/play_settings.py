"""How much a still pile must differ from what it was for a card to have been laid on it, taken back or moved."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PlaySettings:
    """What counts as a change. Amounts are areas of a card, shares 0 to 1.

    nothing: a smaller change is none. Lower: shadows make the pile be read again; higher: an identical card laid almost
        exactly on the top one is missed.
    explained: share of the change that must lie inside a card for it to be the new one.
    same_place: overlap from which a quad is where a card was before.
    restored: a smaller difference from the pile before the top card came means that the top card went again.
    slid: overlap from which the top card was moved by whatever changed the pile around it.
    elsewhere: overlap below which a card does not lie where it was, however roughly its place is known.
    untouched: overlap from which the top card lies exactly where it lay: whatever changed, it was not covered.
    uncovered: share of the old top card that must stick out under an identical new one to tell it from a nudge.
    moved: share of that part that changes when the top card itself was moved.
    exposed: share of the old top card that must stick out under a new one to tell whether it is still there.
    sliver: the same when everything beside the new card looks as it did before the old one came, or is still there.
    bared: share of that part that may differ from what lay below the old top for that to show again.
    perhaps_moved: share of that part from which nobody can tell.
    shifted: share of that part from which the top was moved if twice as much of it looks as it did before that came.
    alias: probability from which a face that a card was not taken for may still be read from it later.
    renewed: share of the change that must lie where a card was in the pile for it to be another like it, on top.
    knocked: share of the surroundings that changes when it was the camera that moved.
    above: by how much the finder's score of a card may be lower than another's for it not to lie under that.
    lone: areas of a card that must have stuck out under the top for it to be told whether anything still does.
    bare: share of that which must look like the table for all below the top to be gone.
    plain, whole, replaced: confidence, score of the finder, and share of its place that changed, from which a card of a
        new face is one that was laid, whatever else changed.
    """

    nothing: float = 0.015
    explained: float = 0.6
    same_place: float = 0.85
    restored: float = 0.03
    slid: float = 0.4
    elsewhere: float = 0.6
    untouched: float = 0.9
    uncovered: float = 0.03
    moved: float = 0.4
    exposed: float = 0.06
    sliver: float = 0.02
    bared: float = 0.2
    perhaps_moved: float = 0.2
    shifted: float = 0.1
    alias: float = 0.1
    renewed: float = 0.9
    knocked: float = 0.5
    above: float = 0.3
    lone: float = 0.1
    bare: float = 0.8
    plain: float = 0.9
    whole: float = 0.6
    replaced: float = 0.4
