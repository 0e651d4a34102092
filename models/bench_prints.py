"""How far apart the prints of cards are that show one sign, and of cards that do not: what `acquaintance` goes by.

    python -m models.bench_prints --bank workshop/cards --decks 40 --piles 24

Piles of one deck after another are drawn; of each card that lies open its print is taken, and all of one deck are
compared. Told are the distances that so many of a hundred are within, by whole cards and by index corners, apart for
cards of one colour; then how often the deck, met card by card, changes a rank rightly and wrongly.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from datasets.bank import CardBank, OneDeck
from datasets.trials import pile
from models.evaluate import eyes_from
from models.trials import at
from referee.cards import Card, Colour, Rank
from vision.acquaintance import Acquaintance
from vision.detections import Shares
from vision.eyes import Eyes
from vision.prints import Print, by_rank

PARTS: Final = (1, 5, 25, 50, 75, 95, 99)
PAIRS: Final = ({Rank.ONE, Rank.SEVEN}, {Rank.SIX, Rank.NINE})
OPEN: Final = 0.95
"""Share of a card that must be seen."""
RANKS: Final = list(Rank)
COLOURS: Final = [*Colour, None]


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """A card that was drawn, and what the eyes saw of it: the shares (13,) of its rank, and its print."""

    card: Card
    shares: Shares
    print: Print


def cards_of(eyes: Eyes, rng: np.random.Generator, deck: OneDeck, piles: int) -> Iterator[Read]:
    """Cards of one deck that lie open on piles."""
    for _ in range(piles):
        scene = pile(rng, deck)
        seen = eyes.see(scene.image)
        for number in np.flatnonzero(scene.visible >= OPEN):
            card, place = scene.faces[number], at(seen, scene.quads[number])
            if card is None or card.is_wild or place is None or seen.outcomes is None:
                continue
            shares, found = by_rank(seen.outcomes[place : place + 1])[0], eyes.print_of(scene.image, seen.quads[place])
            if found is not None and shares.sum() > 0.5:
                yield Read(card, np.asarray(shares / shares.sum(), np.float32), found)


def kind(one: Card, other: Card) -> str:
    """What two cards have in common."""
    ranks = {one.rank, other.rank}
    sign = "one sign" if len(ranks) == 1 else "/".join(sorted(map(str, ranks))) if ranks in PAIRS else "two signs"
    return f"{sign}, {'one colour' if one.colour == other.colour else 'two colours'}"


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Measure how far apart prints are.")
    parser.add_argument("--bank", type=Path, required=True, help="decks that the filmed games do not use")
    parser.add_argument("--decks", type=int, default=40)
    parser.add_argument("--piles", type=int, default=24, help="piles drawn of each deck")
    parser.add_argument("--weights", type=Path)
    given = parser.parse_args()
    eyes, rng, bank = eyes_from(given.weights), np.random.default_rng(8), CardBank(given.bank)
    apart: dict[str, list[tuple[float, float | None]]] = defaultdict(list)
    count = right = wrong = 0
    for _ in range(given.decks):
        cards = list(cards_of(eyes, rng, OneDeck(bank, bank.style(rng)), given.piles))
        for number, one in enumerate(cards):
            for other in cards[:number]:
                apart[kind(one.card, other.card)].append(one.print.apart(other.print))
        deck = Acquaintance[int]()
        told = [
            int(deck.meet(number, card.shares, card.print, COLOURS.index(card.card.colour)).argmax())
            for number, card in enumerate(cards)
        ]
        for number, shares in deck.changed():
            told[number] = int(shares.argmax())
        for card, rank in zip(cards, told, strict=True):
            before, now = (RANKS[number] == card.card.rank for number in (int(card.shares.argmax()), rank))
            count, right, wrong = count + 1, right + (now and not before), wrong + (before and not now)
    for name, pairs in sorted(apart.items()):
        for way, told_apart in zip(("whole", "corner"), zip(*pairs, strict=True), strict=True):
            known = [float(each) for each in told_apart if each is not None] or [float("nan")]
            figures = "  ".join(
                f"{part}: {value:.3f}" for part, value in zip(PARTS, np.percentile(known, PARTS), strict=True)
            )
            print(f"{name}, {way} ({len(known)})  {figures}")
    print(f"{count} cards: {right} ranks put right, {wrong} spoilt")


if __name__ == "__main__":
    main()
