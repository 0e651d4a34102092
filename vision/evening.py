"""What is told of a card once the other cards of the evening have had their word (`acquaintance`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from typing import Final

import numpy as np

from referee.cards import COLOURED_FACES, FACES, Card, Rank
from vision.acquaintance import STANDARD, Acquaintance, AcquaintanceSettings
from vision.changes import CardLaid, CardReread, CardsShown
from vision.detections import Detection, Image, Quads, Shares, likeliest
from vision.prints import RANKS, by_rank
from vision.sight import PrintingSight, Sight

COLOURED: Final = 0.5
"""Share of the faces that have a colour from which a card is one of them."""


@dataclass(slots=True, eq=False)
class Told:
    """A card that was told of at `seconds`: the shares (56,) that the eyes give it, and what it was called; `reread`:
    whether it was put right since."""

    seconds: float
    shares: Shares
    card: Card
    reread: bool = False


class Evening:
    """Hands on what was seen of cards, each as it looks among all that came."""

    def __init__(self, sight: Sight, settings: AcquaintanceSettings = STANDARD) -> None:
        self._sight = sight
        self._told = settings.told
        self._deck = Acquaintance[Told](settings)
        self._newest: Told | None = None
        """The last card among them, which further looks may be about."""

    def laid(self, change: CardLaid, shares: Shares, image: Image) -> tuple[CardLaid, *tuple[CardReread, ...]]:
        """A card was laid that has these shares (56,) by eye: what is told of it, and of others that it explains."""
        assert change.card is not None and change.quad is not None
        told = Told(change.seconds, shares, change.card)
        found = self._met(told, image, change.quad)
        if found is None:
            return (change,)
        faces = likeliest(found)
        sure = change.confidence if faces[0][0] == change.card else faces[0][1]
        told.card = faces[0][0]
        return replace(change, card=told.card, confidence=sure, faces=faces), *self._reread(change.seconds)

    def again(self, change: CardReread, image: Image, quad: Quads) -> list[CardReread]:
        """The card on top looks like another one after further looks: what is told, if that holds among the others."""
        told = self._newest
        if told is None or told.seconds != change.laid:
            return [change]
        self._deck.part(told)
        told.shares = np.zeros_like(told.shares)
        for card, share in change.faces:
            told.shares[FACES.index(card)] = share
        found = self._met(told, image, quad)
        if found is None:
            return [change]
        faces, before = likeliest(found), told.card
        told.card = faces[0][0]
        mine = [replace(change, card=told.card, confidence=faces[0][1], faces=faces)] if told.card != before else []
        return [*mine, *self._reread(change.seconds)]

    def shown(self, change: CardsShown, lying: Sequence[Detection], image: Image) -> CardsShown:
        """Cards were laid open, seen as these: what is told of them, like others of the evening by their names."""
        return replace(change, cards=tuple(map(self._known, change.cards, lying, repeat(image))))

    def _known(self, card: Card | None, seen: Detection, image: Image) -> Card | None:
        """The card as the others of the evening have it, if they are sure of another one."""
        colours = _colours(seen.shares())
        if card is None or card.is_wild or colours.sum() < COLOURED or not isinstance(self._sight, PrintingSight):
            return card
        found = self._sight.print_of(image, seen.quad)
        ranks = by_rank(seen.shares()[None])[0] / colours.sum()
        told = None if found is None else self._deck.known(ranks, found, int(colours.argmax()))
        if told is None or told.max() < self._told:
            return card
        return Card(card.colour, list(Rank)[int(told.argmax())])

    def _met(self, told: Told, image: Image, quad: Quads) -> Shares | None:
        """The shares (56,) of a card among the others; None where they have no word."""
        colours = _colours(told.shares)
        if colours.sum() < COLOURED or not isinstance(self._sight, PrintingSight):
            return None
        seen = self._sight.print_of(image, quad)
        if seen is None:
            return None
        self._newest = told
        ranks = by_rank(told.shares[None])[0] / colours.sum()
        return _with_ranks(told.shares, self._deck.meet(told, ranks, seen, int(colours.argmax())))

    def _reread(self, now: float) -> list[CardReread]:
        """Cards of before that turn out to be others than was told, or surely so what was told of them since."""
        changes = list[CardReread]()
        for told, ranks in self._deck.changed():
            faces = likeliest(_with_ranks(told.shares, ranks))
            if faces[0][0] != told.card or told.reread:
                told.card, told.reread = faces[0][0], True
                changes.append(CardReread(told.card, faces[0][1], now, told.seconds, faces))
        return changes


def _colours(shares: Shares) -> Shares:
    """The shares (4,) of the colours."""
    return np.asarray(shares[: len(COLOURED_FACES)].reshape(-1, RANKS).sum(axis=1), np.float32)


def _with_ranks(shares: Shares, ranks: Shares) -> Shares:
    """Shares (56,) of which the colours and the wilds stay, and the ranks (13,) become these."""
    return np.concatenate([np.outer(_colours(shares), ranks).ravel(), shares[len(COLOURED_FACES) :]]).astype(np.float32)
