"""How much one computer in the network may ask for: so often, and so much at once."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

ADDRESSES: Final = 1024
"""Addresses that are remembered; the one that was longest quiet is forgotten first."""


class Rate:
    """At most `burst` at once and `per_second` on average, for each address."""

    def __init__(self, per_second: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_second, self._burst, self._clock = per_second, float(burst), clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, address: str) -> bool:
        """Count one more from `address`; whether it is within the rate."""
        now = self._clock()
        left, since = self._left.pop(address, (self._burst, now))
        left = min(self._burst, left + (now - since) * self._per_second)
        allowed = left >= 1
        self._left[address] = (left - 1 if allowed else left, now)
        if len(self._left) > ADDRESSES:
            self._left.popitem(last=False)
        return allowed


class Crowd:
    """At most `most` at the same time for each address."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._there: Counter[str] = Counter()

    @contextmanager
    def one_more(self, address: str) -> Iterator[bool]:
        """Counts one from `address` as there while the context lasts; gives whether it is not one too many."""
        self._there[address] += 1
        try:
            yield self._there[address] <= self._most
        finally:
            self._there[address] -= 1
            if self._there[address] <= 0:
                del self._there[address]
