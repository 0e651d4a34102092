"""How well a deck is read that was shown once, and whether other decks suffer from it.

    python -m models.bench_decks --bank workshop/held --themes 10 --cards 60

Theme decks (`datasets.odd`) are shown card by card, then their cards are looked at on other tables in other light: how
many are named with and without the memory. Then cards of ordinary decks, with and without a theme deck in memory.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from datasets.bank import CardBank
from datasets.odd import SIGNS, Theme, draw, scene
from datasets.scenes import Scene
from datasets.textures import Image
from models.calibrate import scenes
from models.evaluate import eyes_from
from models.trials import SURE, at
from referee.cards import FACES, Card
from vision.decks import Deck, kept
from vision.detections import BACK, Face
from vision.eyes import Eyes

CARDS: tuple[Card | None, ...] = (*FACES, None)


def named(card: Card | None) -> Face:
    """A card of a bank as a face."""
    return BACK if card is None else card


def shown(eyes: Eyes, rng: np.random.Generator, sprites: dict[Card | None, Image]) -> Deck:
    """The deck as it is learnt: every card laid down, again where it was not found at first, as a person would."""
    pairs = []
    for card, sprite in sprites.items():
        for _ in range(4):
            picture = scene(rng, sprite, card, 0.3)
            places = eyes.places(picture.image)
            if at_place(places.quads, picture):
                pairs.append((named(card), kept(picture.image, places.quads[0])))
                break
    return Deck.of("theme", pairs)


def at_place(quads: np.ndarray[tuple[int, ...], np.dtype[np.float32]], picture: Scene) -> bool:
    """Whether the first place is the card."""
    from vision.eyes import overlap

    return len(quads) > 0 and overlap(quads[0], picture.quads[0]) > SURE


def share(eyes: Eyes, drawn: list[Scene]) -> tuple[float, float]:
    """Of all well seen cards: found at all and named right with at least one half."""
    found = right = count = 0
    for picture in drawn:
        seen = eyes.see(picture.image)
        for i in np.flatnonzero(picture.visible > 0.8):
            index = at(seen, picture.quads[i])
            count += 1
            found += index is not None
            right += (
                index is not None and seen.faces[index] == named(picture.faces[i]) and seen.confidences[index] >= SURE
            )
    return found / max(1, count), right / max(1, count)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Measure decks that were shown once.")
    parser.add_argument("--bank", type=Path, required=True, help="ordinary decks that training never saw")
    parser.add_argument("--themes", type=int, default=10)
    parser.add_argument("--cards", type=int, default=60, help="cards looked at per theme")
    parser.add_argument("--others", type=int, default=120, help="scenes of ordinary decks")
    parser.add_argument("--weights", type=Path)
    given = parser.parse_args()
    eyes, rng = eyes_from(given.weights), np.random.default_rng(6)
    before, after = [], []
    for number in range(given.themes):
        theme = Theme.random(rng, SIGNS[number % len(SIGNS)])
        sprites = {card: draw(theme, card, 256) for card in CARDS}
        eyes.remember(None)
        deck = shown(eyes, rng, sprites)
        known = [card for card in CARDS if named(card) in deck.faces]
        asked = [known[int(i)] for i in rng.integers(len(known), size=given.cards)]
        drawn = [scene(rng, sprites[card], card) for card in asked]
        before.append(share(eyes, drawn))
        eyes.remember(deck)
        after.append(share(eyes, drawn))
        told = f"{len(known)} of {len(CARDS)} cards learnt; named {before[-1][1]:.3f} before, {after[-1][1]:.3f} after"
        print(f"theme {number + 1}, {theme.signs}: {told}, found {after[-1][0]:.3f}", flush=True)
    plain = list(scenes(CardBank(given.bank), given.others, 12))
    with_deck = share(eyes, plain)
    eyes.remember(None)
    print(f"theme decks: named {np.mean(before, axis=0)[1]:.3f} before, {np.mean(after, axis=0)[1]:.3f} after")
    print(f"ordinary decks: named {share(eyes, plain)[1]:.3f} without, {with_deck[1]:.3f} with a theme deck in memory")


if __name__ == "__main__":
    main()
