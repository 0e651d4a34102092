"""How long a card lies before it is told: from the frame in which it came to rest, open, to the one that settled it.

Film time only: what the computer needs to look at those frames comes on top, and is what the stages tell.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np

from datasets.virtual_table import Placed
from vision.changes import CardLaid, TableChange

UNCOVERED: Final = 0.9
"""Share of a card that must be seen for it to lie open."""
AT_REST: Final = 1.5
"""Pixels that its corners may move from one frame to the next."""
SOONEST, LATEST = 0.5, 4.0
"""Seconds within which a change may belong to a card that came to rest. One that is told before, as it lay open and
still before the hand let go of it, did not wait."""


def latencies(truth: Sequence[tuple[Placed, ...]], rate: float, changes: Iterable[TableChange]) -> Iterator[float]:
    """The wait for every card laid that was told as what it was, seconds."""
    rests = list(_rests(truth, rate))
    for change in changes:
        if not isinstance(change, CardLaid):
            continue
        waits = [change.seconds - at for at, card in rests if card == change.card]
        fitting = [wait for wait in waits if -SOONEST <= wait <= LATEST]
        if fitting:
            yield max(0.0, min(fitting))


def _rests(truth: Sequence[tuple[Placed, ...]], rate: float) -> Iterator[tuple[float, object]]:
    """When a new top card first lay open and still, and which."""
    resting: Placed | None = None
    before: Placed | None = None
    for index, cards in enumerate(truth):
        top = cards[-1] if cards and cards[-1].face is not None else None
        still = top is not None and before is not None and _lies(top, before) and top.visible >= UNCOVERED
        if still and top is not None and (resting is None or not _lies(top, resting)):
            resting = top
            yield (index - 1) / rate, top.face
        before = top


def _lies(card: Placed, other: Placed) -> bool:
    return card.face == other.face and float(np.abs(card.quad - other.quad).max()) <= AT_REST
