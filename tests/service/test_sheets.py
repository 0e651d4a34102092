"""The printed cards: marks are found in a picture of the page, names stand there, dots are where they must be."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pypdfium2
import pytest

from service import braille, cli
from service.commands import commands, name_of, with_marks
from service.language import languages, load_language
from service.sheets import CARD, MARK, PAPERS, Paper, Sheets, braille_lines, lines_of, width_of
from vision.detections import Image
from vision.marks import MarkFinder

DOTS_A_MM = 6.0


def pages(content: bytes) -> list[tuple[Image, str]]:
    """Each page as a picture, 6 px a mm, and its text."""
    document = pypdfium2.PdfDocument(content)
    scale = DOTS_A_MM * 25.4 / 72
    return [
        (np.asarray(page.render(scale=scale).to_numpy()[:, :, :3], np.uint8), page.get_textpage().get_text_bounded())
        for page in document
    ]


@pytest.mark.parametrize("paper", list(PAPERS))
def test_every_command_card_is_seen_and_named(paper: Paper) -> None:
    language = load_language("en")
    shown = pages(Sheets(language, paper).pdf())
    found = [MarkFinder().find(image) for image, _ in shown]
    assert [sorted(marks) for marks in found] == [list(range(8)), list(range(8, 16)), []]
    for image, _ in shown:
        assert image.shape[:2] == pytest.approx([side * DOTS_A_MM for side in reversed(PAPERS[paper])], abs=2)
    for quad in (quad for marks in found for quad in marks.values()):
        assert np.linalg.norm(quad[1] - quad[0]) / DOTS_A_MM == pytest.approx(MARK, abs=0.7)
        assert quad[0, 0] < quad[1, 0] and quad[0, 1] < quad[3, 1], "the mark stands upright"
    told = " ".join(text for _, text in shown)
    assert all(name_of(one.id, language) in told.replace("\r\n", " ") for one in commands().values())


def test_the_signs_have_their_colours() -> None:
    image, _ = pages(Sheets(load_language("en")).pdf())[1]
    for bgr in ((23, 18, 204), (173, 77, 8), (43, 128, 26), (0, 199, 250)):
        painted = np.abs(image.astype(int) - bgr).max(2) < 12
        assert painted.sum() > 60 * DOTS_A_MM**2, f"no sign in {bgr}"


@pytest.mark.parametrize("code", languages())
def test_every_language_fits_on_its_cards(code: str) -> None:
    language = load_language(code)
    for command in with_marks():
        name = name_of(command.id, language)
        assert len(braille_lines(name, CARD[0] - 12)) <= 2 and braille.unicode(name, code)
        lines, points = lines_of(name, 42)
        assert points >= 14 and all(width_of(line, points) <= 42.01 for line in lines)
    assert Sheets(language).pdf().startswith(b"%PDF")


def test_braille_as_it_is_read() -> None:
    assert braille.unicode("uno") == "⠥⠝⠕"
    assert braille.unicode("Whose turn?") == "⠺⠓⠕⠎⠑⠀⠞⠥⠗⠝⠦"
    assert braille.unicode("grün", "de") == "⠛⠗⠳⠝" and braille.unicode("på", "da") == "⠏⠡"
    with pytest.raises(KeyError):
        braille.cells("ж")
    assert list(braille.dots("au")) == [(0, 0), (6, 0), (6, 5), (8.5, 5)]


def test_the_command_writes_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "cards.pdf"
    assert cli.main(["print-cards", "--out", str(out), "--paper", "letter"]) == 0
    assert out.read_bytes() == Sheets(load_language("en"), "letter").pdf()
    assert cli.main(["print-cards", "--keys"]) == 0
    told = capsys.readouterr().out
    assert "star: Uno." in told and told.endswith(
        "star helps, minus goes back, zero repeats.\nWhat may be said: player two, help, repeat, yes, no and go back.\n"
    )
    wrong = {
        "Give the file to write": ["print-cards"],
        "there is no folder": ["print-cards", "--out", str(tmp_path / "none" / "cards.pdf")],
        "is no file": ["print-cards", "--out", str(tmp_path)],
    }
    for told, arguments in wrong.items():
        assert cli.main(arguments) == 2
        error = capsys.readouterr().err
        assert error.count("\n") == 1 and told in error
    assert not (tmp_path / "none").exists()
    assert cli.main(["print-cards", "--out", str(out), "--lang", "xx"]) == 2
    assert "there is no language 'xx'" in capsys.readouterr().err
