"""Everybody who listens to one table, and the updates kept for those who come back."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

from service.subscription import Subscription, Update

KEPT: Final = 1024
"""Updates kept for those who come back with the last version that they saw; the store tells older ones again."""


class Fanout:
    """Tells updates to all listeners without waiting. Its owner holds a lock around every call.

    whole: makes the update that carries the whole state.
    """

    def __init__(self, whole: Callable[[], Update], leave: Callable[[Subscription], None]) -> None:
        self._whole, self._leave = whole, leave
        self._updates: deque[Update] = deque(maxlen=KEPT)
        self._subscriptions: list[Subscription] = []

    @property
    def listeners(self) -> int:
        """How many listen now."""
        return len(self._subscriptions)

    def tell(self, update: Update) -> None:
        """Tell everybody; notices are told once and not kept."""
        if update.kind != "notice":
            self._updates.append(update)
        for subscription in self._subscriptions:
            subscription.put(update)

    def subscribe(self, after: int | None, version: int) -> Subscription:
        """A listener that has seen `after`: what it missed and the whole state of `version` come first."""
        missed = () if after is None else self.since(after)
        is_gap = after is not None and after < version and not missed
        gap = (after, version) if after is not None and is_gap else None
        subscription = Subscription([*missed, self._whole()], self._whole, self._leave, gap)
        self._subscriptions.append(subscription)
        return subscription

    def leave(self, subscription: Subscription) -> None:
        """Tell this one no more."""
        if subscription in self._subscriptions:
            self._subscriptions.remove(subscription)

    def since(self, version: int) -> tuple[Update, ...]:
        """The updates after `version`, when all of them are still known; else none."""
        missed = tuple(update for update in self._updates if update.version > version)
        return missed if missed and missed[0].version == version + 1 else ()

    def before(self, updates: Sequence[Update]) -> None:
        """Keep older updates as well, when they lead up to those known without a gap."""
        first = self._updates[0].version if self._updates else None
        older = [update for update in updates if first is None or update.version < first]
        if not older or (first is not None and older[-1].version != first - 1):
            return
        room = KEPT - len(self._updates)
        self._updates.extendleft(reversed(older[-room:] if room else ()))
