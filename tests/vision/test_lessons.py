"""Cards of a theme deck laid down before a camera, or given as pictures: which of them are learnt under which name."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets import warp
from datasets.backgrounds import surface
from datasets.odd import Theme, draw
from referee.cards import Card
from vision.detections import BACK, Face, Image
from vision.eyes import Eyes
from vision.frames import Frame, SourceError
from vision.lessons import CLASSIC, Lesson, named_by, taught_by
from vision.rectify import quad_of

THEME = Theme.random(np.random.default_rng(8), "pictures")
CARDS: tuple[Face, ...] = tuple(Card.parse(code) for code in ("R0", "R7", "B7", "GS"))


@cache
def eyes() -> Eyes:
    return Eyes.load()


def laid(image: Image, face: Face, x: float, y: float, turn: float) -> Image:
    """The table with one more card on it."""
    out = image.copy()
    quad = quad_of(x, y, 150 * THEME.aspect, 150, turn)
    warp.shade(out, quad + 2, 3, 0.4)
    warp.paste(out, draw(THEME, face if isinstance(face, Card) else None, 256), quad)
    return out


def table() -> Image:
    return surface(np.random.default_rng(5), 360, 480).copy()


def filmed(tables: list[tuple[Image, float]]) -> Iterator[Frame]:
    """Each table for so many seconds, with the camera's noise, five times a second."""
    rng, number = np.random.default_rng(0), 0
    for image, seconds in tables:
        for _ in range(round(5 * seconds)):
            noisy = (image + rng.normal(0, 3, image.shape)).clip(0, 255).astype(np.uint8)
            yield Frame(cv2.GaussianBlur(noisy, (3, 3), 0.6).astype(np.uint8), number / 5, number)
            number += 1


def test_cards_laid_on_one_another_are_taken_in_their_order_once_they_lie_still() -> None:
    tables, image = [(table(), 0.6)], table()
    for number, card in enumerate(CARDS):
        hand = image.copy()
        cv2.line(hand, (0, 200), (240, 180), (70, 110, 190), 60)
        image = laid(image, card, 240 + 4 * number, 180 - 3 * number, 0.2 * number)
        tables += [(hand, 0.4), (image, 1.6)]
    lesson = Lesson(eyes(), CARDS)
    taken = [face for frame in filmed(tables) for face in lesson.see(frame)]
    assert taken == list(CARDS) and lesson.next is None
    assert list(dict.fromkeys(face for face, _ in lesson.shown)) == list(CARDS)


def test_a_card_shown_twice_is_told_of_and_taken_only_when_it_is_left_there() -> None:
    first, second = laid(table(), CARDS[0], 240, 180, 0.1), laid(table(), CARDS[1], 240, 180, 0.1)
    again = laid(table(), CARDS[0], 170, 190, 0.5)
    lesson, told, taken = Lesson(eyes(), CARDS), list[tuple[Face, Face]](), list[tuple[Face, float]]()
    shown = [
        (table(), 0.6),
        (first, 1.6),
        (table(), 1),
        (again, 2),
        (table(), 1),
        (second, 2),
        (table(), 1),
        (again, 9),
    ]
    for frame in filmed(shown):
        taken += [(face, frame.seconds) for face in lesson.see(frame)]
        told += [lesson.twin] if lesson.twin else []
    assert told == [(CARDS[1], CARDS[0]), (CARDS[2], CARDS[0])]
    assert [face for face, _ in taken] == list(CARDS[:3])
    assert 6 < taken[1][1] < 9 and taken[2][1] > 15, "the second card when it was laid, the last as it was left there"


def test_what_lay_there_before_is_never_taken_for_a_card_though_a_card_covers_part_of_it() -> None:
    rng = np.random.default_rng(13)
    theme = Theme.random(rng, "runes")
    cluttered = surface(
        rng, 480, 640
    ).copy()  # a green box, which the finder takes for a card once its corner is covered
    seen = cluttered.copy()
    warp.paste(seen, draw(theme, Card.parse("R0"), 256), quad_of(320, 240, 200 * theme.aspect, 200, np.pi))
    lesson = Lesson(eyes(), CARDS)
    assert [face for frame in filmed([(cluttered, 0.6), (seen, 1.6)]) for face in lesson.see(frame)] == [CARDS[0]]


def test_a_row_is_taken_from_the_left() -> None:
    image = table()
    for number, card in enumerate(CARDS[:3]):
        image = laid(image, card, 110 + 130 * number, 180, 0.05)
    lesson = Lesson(eyes(), CARDS)
    taken = [face for frame in filmed([(table(), 0.6), (image, 2)]) for face in lesson.see(frame)]
    assert taken == list(CARDS[:3]) and lesson.next == CARDS[3]


def test_a_card_that_is_pushed_about_is_taken_once_it_rests() -> None:
    moving = [(laid(table(), CARDS[0], 150 + 40 * step, 180, 0.1), 0.2) for step in range(5)]
    lesson = Lesson(eyes(), CARDS)
    assert [face for frame in filmed([(table(), 0.6), *moving]) for face in lesson.see(frame)] == []


@pytest.mark.parametrize(
    ("name", "face"),
    [("R7.jpg", "R7"), ("W4-2.png", "W4"), ("back.jpeg", BACK), ("BACK_1.png", BACK), ("IMG_2034.jpg", None)],
)
def test_files_are_named_after_their_card(name: str, face: str | None) -> None:
    named = named_by(Path(name))
    assert (None if named is None else str(named)) == face


def test_pictures_teach_by_name_or_in_order(tmp_path: Path) -> None:
    row = table()
    for number, card in enumerate(CARDS[:2]):
        row = laid(row, card, 140 + 200 * number, 180, 0.0)
    pictures = {"1.png": row, "B7.png": laid(table(), CARDS[2], 240, 180, 0.7), "2.png": table()}
    for name, image in pictures.items():
        cv2.imwrite(str(tmp_path / name), image)
    learnt = {
        path.name: list(dict.fromkeys(face for face, _ in shown))
        for path, shown in taught_by(eyes(), sorted(tmp_path.iterdir()), CARDS, [])
    }
    assert learnt == {"1.png": list(CARDS[:2]), "2.png": [], "B7.png": [CARDS[2]]}


def test_one_bad_picture_leaves_out_one_card_unless_the_next_would_get_its_name(tmp_path: Path) -> None:
    bad, good, unnamed = tmp_path / "B0.png", tmp_path / "R0.png", tmp_path / "1.png"
    bad.write_bytes(b"no picture")
    unnamed.write_bytes(b"")
    cv2.imwrite(str(good), laid(table(), CARDS[0], 240, 180, 0.0))
    unread: list[SourceError] = []
    assert [path for path, _ in taught_by(eyes(), [bad, good], CARDS, unread)] == [good]
    assert [str(error).split(" is ")[0] for error in unread] == [str(bad)]
    with pytest.raises(SourceError, match=r"1\.png"):
        list(taught_by(eyes(), [unnamed, good], CARDS, []))


def test_the_classic_order_has_every_face_once() -> None:
    assert len(CLASSIC) == len(set(CLASSIC)) == 55
