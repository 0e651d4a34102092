"""A deck that was shown once is known, other decks are read as before; on a theme deck that nobody taught."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from datasets.odd import Theme, draw, scene
from referee.cards import Card
from vision.decks import Deck, DeckError, counted, in_rows, kept, removed, stored
from vision.detections import BACK
from vision.eyes import Eyes
from vision.memory import CAUTION, LIKE, Memory, features, looks
from vision.reader import OUTCOMES, Readings
from vision.rectify import quad_of

CODES = ("R0", "R7", "B7", "B3", "GS", "Y5", "W", "W4")
THEME = Theme.random(np.random.default_rng(8), "pictures")


@cache
def eyes() -> Eyes:
    return Eyes.load()


@cache
def deck() -> Deck:
    rng, pairs = np.random.default_rng(1), []
    for code in CODES:
        picture = scene(rng, draw(THEME, Card.parse(code), 256), Card.parse(code), 0.1)
        pairs.append((Card.parse(code), kept(picture.image, picture.quads[0])))
    return Deck.of("theme", pairs)


def named(count: int) -> int:
    """How many of `count` cards of the theme are named, on tables and in lights of their own."""
    rng, right = np.random.default_rng(2), 0
    for number in range(count):
        card = Card.parse(CODES[number % len(CODES)])
        picture = scene(rng, draw(THEME, card, 256), card, 0.4)
        best = eyes().see(picture.image).best()
        right += best is not None and best.face == card and best.confidence >= 0.5
    return right


def test_cards_that_nobody_can_read_are_named_once_shown() -> None:
    eyes().remember(None)
    assert named(16) <= 4
    eyes().remember(deck())
    try:
        assert named(16) >= 13
    finally:
        eyes().remember(None)


def test_a_deck_is_kept_listed_and_forgotten(tmp_path: Path) -> None:
    folder = tmp_path / "decks"
    deck().save(folder)
    again = Deck.load("theme", folder)
    assert stored(folder) == ["theme"]
    assert again.faces == deck().faces and np.array_equal(again.pictures, deck().pictures)
    removed("theme", folder)
    assert stored(folder) == []
    with pytest.raises(DeckError, match=r"There is no deck theme \(learnt: none yet\); `tableref learn-deck theme`"):
        Deck.load("theme", folder)
    with pytest.raises(DeckError, match="There is no deck theme"):
        removed("theme", folder)


@pytest.mark.parametrize("part", [0.0, 0.01, 0.5, 0.999])
@pytest.mark.parametrize("rest", [b"", b"no archive"])
def test_a_damaged_deck_is_told_without_a_library_s_words_and_hides_no_other(
    part: float, rest: bytes, tmp_path: Path
) -> None:
    path = deck().save(tmp_path)
    whole = path.read_bytes()
    (tmp_path / "our zoo.npz").write_bytes(whole[: int(part * len(whole))] + rest)
    sentence = "The deck our zoo is damaged: learn it again with `tableref learn-deck 'our zoo'`."
    with pytest.raises(DeckError) as told:
        Deck.load("our zoo", tmp_path)
    assert str(told.value) == sentence
    assert counted(tmp_path) == ([("theme", len(CODES))], [sentence])


def test_bytes_that_changed_in_a_deck_are_told_in_one_sentence(tmp_path: Path) -> None:
    path, rng = deck().save(tmp_path), np.random.default_rng(4)
    whole = path.read_bytes()
    for at in rng.integers(len(whole), size=150):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x5A]) + whole[at + 1 :])
        found, damaged = counted(tmp_path)
        assert len(found) + len(damaged) == 1


@pytest.mark.parametrize("name", ["", "../x", "a/b", "a\\b", ".hidden", "x" * 60, "dot.", "CON", "nul.zoo"])
def test_a_name_that_is_no_file_s_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(DeckError, match="cannot be called"):
        Deck.load(name, tmp_path)


def certain_of(code: str, sure: float, row: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> Readings:
    """A cut-out of which the reader says so surely that it is that card."""
    table = np.full((1, len(OUTCOMES)), 1e-4, np.float32)
    table[0, OUTCOMES.index(Card.parse(code))] = 1
    colours, ranks = np.eye(5, dtype=np.float32)[[2]], np.eye(19, dtype=np.float32)[[2]]
    return Readings(table, colours, ranks, np.full((1, 3), sure, np.float32), row, np.zeros(1, np.float32))


def test_a_card_that_the_reader_knows_is_not_taken_for_one_of_the_deck() -> None:
    memory, picture = Memory(deck(), eyes().reader), deck().pictures[0]
    row = features(eyes().reader, looks(picture, count=1))
    noise = np.random.default_rng(0).integers(0, 255, picture.shape)
    washed = [(picture * (1 - part) + noise * part).astype(np.uint8) for part in np.linspace(0, 1, 50)]
    like = np.array([float(memory.likeness(row, one[None])[0, 0]) for one in washed])
    doubtful = washed[int(np.abs(like - LIKE - CAUTION / 2).argmin())][None]
    for sure, seen, face in ((1, doubtful, "G2"), (0.5, doubtful, CODES[0]), (1, picture[None], CODES[0])):
        assert memory.blend(certain_of("G2", sure, row), memory.likeness(row, seen)).faces == (Card.parse(face),)


def test_nothing_shown_is_no_deck() -> None:
    with pytest.raises(DeckError, match="No card was seen"):
        Deck.of("empty", [])


def test_rows_are_read_as_a_page_is() -> None:
    places = [(300, 110), (100, 100), (200, 290), (205, 95), (90, 310)]
    quads = [quad_of(x, y, 60, 90, 0.0) for x, y in places]
    assert [places[i] for i in in_rows(quads)] == [(100, 100), (205, 95), (300, 110), (90, 310), (200, 290)]


def test_a_back_can_be_shown_too() -> None:
    picture = scene(np.random.default_rng(3), draw(THEME, None, 256), None, 0.1)
    known = Deck.of("theme", [(BACK, kept(picture.image, picture.quads[0]))])
    assert known.faces == (BACK,)
