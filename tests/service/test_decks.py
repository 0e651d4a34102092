"""`tableref learn-deck`, `decks` and `--deck`: learnt from pictures and from a film, listed, used and forgotten."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.odd import Theme, draw, scene
from referee.cards import Card
from service import cli
from vision.detections import Face
from vision.frames import Frame
from vision.lessons import Lesson

THEME = Theme.random(np.random.default_rng(8), "pictures")
CODES = ("R0", "R7", "B7", "GS")


@pytest.fixture
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A computer whose stored things lie in a folder of their own."""
    monkeypatch.setenv("TABLEREF_DATA_DIR", str(tmp_path / "data"))
    return tmp_path


def photograph(code: str, seed: int, path: Path) -> Path:
    card = Card.parse(code)
    cv2.imwrite(str(path), scene(np.random.default_rng(seed), draw(THEME, card, 256), card, 0.15).image)
    return path


def read_first(path: Path, capsys: pytest.CaptureFixture[str], *flags: str) -> str | None:
    assert cli.main(["read", "--json", *flags, str(path)]) == 0
    cards = json.loads(capsys.readouterr().out)[0]["cards"]
    return cards[0]["card"] if cards and cards[0]["confidence"] >= 0.5 else None


def test_a_deck_is_learnt_from_pictures_used_listed_and_forgotten(
    at_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = at_home / "shown"
    folder.mkdir()
    for number, code in enumerate(CODES):
        photograph(code, number, folder / f"{code}.png")
    assert cli.main(["learn-deck", "zoo", "--source", str(folder), "--mute"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert not any("shown twice" in line for line in lines)
    assert lines[0] == "B7.png: blue seven" and lines[-2].startswith("zoo: four cards learnt, stored as ")
    assert lines[-1].startswith("Not shown: red one, red two, ")
    pictures = [photograph(code, 20 + number, at_home / f"{number}.png") for number, code in enumerate(CODES)]
    plain = [read_first(path, capsys) for path in pictures]
    known = [read_first(path, capsys, "--deck", "zoo") for path in pictures]
    assert sum(a == b for a, b in zip(known, CODES, strict=True)) >= 3
    assert sum(a == b for a, b in zip(plain, CODES, strict=True)) <= 1
    assert cli.main(["decks"]) == 0
    assert capsys.readouterr().out == "zoo: four cards\n"
    (at_home / "data" / "decks" / "cut.npz").write_bytes(b"PK")
    assert cli.main(["decks"]) == 2
    out, err = capsys.readouterr()
    assert out == "zoo: four cards\n" and err.startswith("tableref: The deck cut is damaged: ") and err.count("\n") == 1
    assert cli.main(["decks", "--remove", "cut"]) == 0
    assert cli.main(["decks", "--remove", "zoo"]) == 0
    assert cli.main(["decks", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == []


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["read", "--deck", "zoo", "x.png"],
            "There is no deck zoo (learnt: none yet); `tableref learn-deck zoo` learns it.",
        ),
        (["decks", "--remove", "zoo"], "There is no deck zoo; learnt decks: none."),
        (["learn-deck", "../zoo", "--source", "."], "A deck cannot be called '../zoo'"),
        (["learn-deck", "zoo", "--order", "R0,Q5", "--source", "."], "--order: "),
        (["learn-deck", "zoo", "--source", "nowhere"], "There is no file or folder nowhere"),
    ],
)
def test_what_cannot_be_is_one_sentence(
    arguments: list[str], sentence: str, at_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith(f"tableref: {sentence}") and err.count("\n") == 1


def test_the_same_card_in_two_pictures_is_told_and_one_that_cannot_be_read(
    at_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = at_home / "shown"
    folder.mkdir()
    for number, (name, code) in enumerate((("R0", "R0"), ("R7", "R0"), ("B7", "B7"))):
        photograph(code, 40 + number, folder / f"{name}.png")
    (folder / "GS.png").write_bytes(b"")
    assert cli.main(["learn-deck", "zoo", "--source", str(folder), "--lang", "nl", "--mute"]) == 2
    out, err = capsys.readouterr()
    assert err.startswith(f"tableref: {folder / 'GS.png'} is geen leesbare foto") and err.count("\n") == 1
    (told,) = (line for line in out.splitlines() if "twee keer" in line)
    assert told == "rode zeven ziet er net zo uit als rode nul: is één kaart twee keer getoond?"


def test_pictures_without_a_card_teach_nothing(at_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cv2.imwrite(str(at_home / "grey.png"), np.full((300, 400, 3), 120, np.uint8))
    assert cli.main(["learn-deck", "zoo", "--source", str(at_home / "grey.png")]) == 2
    out, err = capsys.readouterr()
    assert out == "grey.png: no card found\n"
    assert err == "tableref: No card was seen, so the deck zoo is not learnt: show its cards one after another.\n"


def test_a_film_of_cards_teaches_in_the_order_that_is_asked_for(
    at_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = np.full((480, 640, 3), (70, 90, 60), np.uint8)
    film = cv2.VideoWriter(str(at_home / "film.mp4"), cv2.VideoWriter.fourcc(*"mp4v"), 10, (640, 480))
    for number, code in enumerate((None, *CODES[:2])):
        shown = table if code is None else _laid(table, code, 250 + 90 * number)
        for _ in range(16):
            film.write(shown)
    film.release()
    arguments = ["learn-deck", "zoo", "--source", str(at_home / "film.mp4"), "--order", "R0 R7 back"]
    assert cli.main(arguments) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1:4] == ["Next: red zero.", "Next: red seven.", "Next: the back of a card."]
    assert lines[4].startswith("zoo: two cards learnt") and lines[5] == "Not shown: the back of a card"


def test_a_lesson_that_is_stopped_leaves_the_deck_as_it_was(
    at_home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = np.full((480, 640, 3), (70, 90, 60), np.uint8)
    film = cv2.VideoWriter(str(at_home / "film.mp4"), cv2.VideoWriter.fourcc(*"mp4v"), 10, (640, 480))
    for shown in (table, _laid(table, CODES[0], 250)):
        for _ in range(16):
            film.write(shown)
    film.release()
    arguments = ["learn-deck", "zoo", "--source", str(at_home / "film.mp4"), "--order", "R0 R7", "--lang", "de"]
    see = Lesson.see

    def interrupted(self: Lesson, frame: Frame) -> list[Face]:
        if see(self, frame):
            raise KeyboardInterrupt
        return []

    monkeypatch.setattr(Lesson, "see", interrupted)
    stored = at_home / "data" / "decks" / "zoo.npz"
    assert cli.main(arguments) == 0 and stored.is_file(), "a new deck is what was shown of it"
    before = stored.read_bytes()
    stored.write_bytes(before + b"\0")  # any deck that would be written now differs
    assert cli.main(arguments) == 0
    assert stored.read_bytes() == before + b"\0"
    assert capsys.readouterr().out.splitlines()[-1].endswith("Das Kartenspiel zoo bleibt, wie es war.")


def _laid(table: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], code: str, x: float) -> cv2.typing.MatLike:
    from datasets import warp
    from vision.rectify import quad_of

    image = table.copy()
    warp.paste(image, draw(THEME, Card.parse(code), 256), quad_of(x, 240, 200 * THEME.aspect, 200, 0.2))
    return image
