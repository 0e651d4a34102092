"""How well a deck is read that was shown once, and whether other decks suffer from it.

    python -m models.bench_decks --bank workshop/held --themes 10 --cards 60

Theme decks (`datasets.odd`) are shown card by card, then their cards are looked at on other tables in other light: how
many are named with and without the memory. Then cards of ordinary decks, and scenes without cards, with and without a
theme deck in memory (the mean of two).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from datasets.bank import CardBank
from datasets.odd import SIGNS, Theme, draw, scene
from datasets.scenes import Scene
from datasets.textures import Image
from models.calibrate import scenes
from models.evaluate import eyes_from
from models.trials import SURE, alarms, at, empty_scenes
from referee.cards import FACES, Card
from vision.decks import Deck, kept
from vision.detections import BACK, Face
from vision.eyes import Eyes
from vision.overlaps import overlap

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
            if places and overlap(places[0].quads[0], picture.quads[0]) > SURE:
                pairs += [(named(card), kept(picture.image, quad)) for quad in places[0].quads]
                break
    return Deck.of("theme", pairs)


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


def learnt(eyes: Eyes, rng: np.random.Generator, number: int, cards: int) -> tuple[Deck, float, float]:
    """One theme: the deck as it was learnt, and the share of its cards that are named before and after."""
    theme = Theme.random(rng, SIGNS[number % len(SIGNS)])
    sprites = {card: draw(theme, card, 256) for card in CARDS}
    eyes.remember(None)
    deck = shown(eyes, rng, sprites)
    known = [card for card in CARDS if named(card) in deck.faces]
    asked = [known[int(i)] for i in rng.integers(len(known), size=cards)]
    drawn = [scene(rng, sprites[card], card) for card in asked]
    _, before = share(eyes, drawn)
    eyes.remember(deck)
    found, after = share(eyes, drawn)
    told = f"{len(known)} of {len(CARDS)} cards learnt; named {before:.3f} before, {after:.3f} after"
    print(f"theme {number + 1}, {theme.signs}: {told}, found {found:.3f}", flush=True)
    return deck, before, after


def without_and_with(eyes: Eyes, decks: Sequence[Deck], ask: Callable[[], float]) -> tuple[float, float]:
    """What is asked, with no deck in memory, and the mean with each of some."""
    eyes.remember(None)
    plain, told = ask(), []
    for deck in decks:
        eyes.remember(deck)
        told.append(ask())
    return plain, float(np.mean(told))


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Measure decks that were shown once.")
    parser.add_argument("--bank", type=Path, required=True, help="ordinary decks that training never saw")
    parser.add_argument("--themes", type=int, default=10)
    parser.add_argument("--cards", type=int, default=60, help="cards looked at per theme")
    parser.add_argument("--others", type=int, default=120, help="scenes of ordinary decks")
    parser.add_argument("--nothing", type=int, default=102, help="scenes without cards")
    parser.add_argument("--weights", type=Path)
    given = parser.parse_args()
    eyes, rng = eyes_from(given.weights), np.random.default_rng(6)
    told = [learnt(eyes, rng, number, given.cards) for number in range(given.themes)]
    _, before, after = zip(*told, strict=True)
    print(f"theme decks: named {np.mean(before):.3f} before, {np.mean(after):.3f} after", flush=True)
    decks, plain = [deck for deck, _, _ in told[-2:]], list(scenes(CardBank(given.bank), given.others, 12))
    without, having = without_and_with(eyes, decks, lambda: share(eyes, plain)[1])
    print(f"ordinary decks: named {without:.3f} without, {having:.3f} with a theme deck in memory", flush=True)
    empty = list(empty_scenes(given.nothing))
    without, having = without_and_with(eyes, decks, lambda: alarms(eyes.see, iter(empty))[0]["face"])
    print(f"{given.nothing} scenes without cards: a face in {without:.0f} without, {having:.1f} with a theme deck")


if __name__ == "__main__":
    main()
