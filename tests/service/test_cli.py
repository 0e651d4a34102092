"""The `tableref` command: help, results, and one sentence when something is wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.cards import Card
from service import cli, cli_read
from vision.detections import BACK, Detection, Detections, Face, Image

ROOT = Path(__file__).parents[2]
SQUARE = np.array([[10, 10], [50, 10], [50, 70], [10, 70]], np.float32)


class Scripted:
    """A sight that sees what it is told, picture by picture."""

    def __init__(self, *pictures: Sequence[tuple[Face, float]]) -> None:
        self.pictures = list(pictures)
        self.shapes: list[tuple[int, ...]] = []

    def see(self, image: Image) -> Detections:
        self.shapes.append(image.shape)
        return Detections.of([Detection(SQUARE, 0.9, face, sure) for face, sure in self.pictures.pop(0)])


def fails(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The sentence with which a command refuses."""
    assert cli.main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("tableref: ") and err.count("\n") == 1, err
    return err.removeprefix("tableref: ").rstrip("\n")


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "hand é.png"
    done, coded = cv2.imencode(".png", np.full((80, 120, 3), 90, np.uint8))
    assert done
    path.write_bytes(coded.tobytes())
    return path


@pytest.mark.parametrize("command", sorted(cli.COMMANDS))
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main([command, "--help"])
    assert end.value.code == 0
    assert f"tableref {command}" in capsys.readouterr().out


@pytest.mark.parametrize("command", sorted(cli.COMMANDS))
def test_every_command_has_its_function(command: str) -> None:
    assert callable(cli.command(command))


def test_help_needs_no_camera_library() -> None:
    say = "import sys; from service.cli import main\ntry: main(['--help'])\nfinally: print(sorted(sys.modules))"
    run = subprocess.run([sys.executable, "-c", say], cwd=ROOT, capture_output=True, text=True)
    loaded = run.stdout.splitlines()[-1]
    assert run.returncode == 0, run.stderr
    assert not [name for name in ("cv2", "numpy", "fastapi", "sqlalchemy", "pyttsx3") if f"'{name}'" in loaded]


@pytest.mark.parametrize(
    "arguments", [[], ["dance"], ["read"], ["run", "--port", "x"], ["export", "1", "--format", "pdf"]]
)
def test_a_wrong_word_is_told_with_the_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(arguments)
    assert end.value.code == 2
    assert capsys.readouterr().err.startswith("usage: tableref")


def test_read_prints_the_surest_first(picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sight = Scripted([(Card.parse("R7"), 0.4), (BACK, 0.6), (None, 0.99), (Card.parse("W4"), 0.98764)])
    assert cli_read.read_all([picture], sight, as_json=True, points=False, draw=None) == 0
    (result,) = json.loads(capsys.readouterr().out)
    assert (result["image"], result["width"], result["height"]) == (str(picture), 120, 80)
    assert result["milliseconds"] >= 0
    assert [(card["card"], card["confidence"], card["points"]) for card in result["cards"]] == [
        ("W4", 0.9876, 50),
        ("back", 0.6, 0),
        ("R7", 0.4, 7),
    ]
    assert result["cards"][0]["quad"] == [[10, 10], [50, 10], [50, 70], [10, 70]]


def test_read_counts_the_points_of_a_hand(picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sight = Scripted([(Card.parse("R7"), 0.9), (Card.parse("GS"), 0.8), (Card.parse("W"), 0.2)], [])
    assert cli_read.read_all([picture, picture], sight, as_json=False, points=True, draw=None) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.endswith("R7 90 %, GS 80 %, W 20 %; 27 points in 2 cards")
    assert second.endswith("no cards; 0 points in 0 cards")


def test_read_draws_what_it_saw(picture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sight = Scripted([(Card.parse("R7"), 0.9)])
    assert cli_read.read_all([picture], sight, as_json=False, points=False, draw=tmp_path) == 0
    drawn = cv2.imdecode(np.frombuffer((tmp_path / "hand é.cards.jpg").read_bytes(), np.uint8), cv2.IMREAD_COLOR)
    assert drawn is not None and drawn.shape == (80, 120, 3) and drawn[40, 50].max() > 120


def test_read_turns_a_picture_as_its_camera_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from PIL import Image as Pictures

    upright = Pictures.new("RGB", (120, 80))
    tags = upright.getexif()
    tags[0x0112] = 6
    upright.save(tmp_path / "turned.jpg", exif=tags)
    sight = Scripted([])
    assert cli_read.read_all([tmp_path / "turned.jpg"], sight, as_json=True, points=False, draw=None) == 0
    (result,) = json.loads(capsys.readouterr().out)
    assert (result["width"], result["height"]) == (80, 120)
    assert sight.shapes == [(120, 80, 3)]


def test_read_goes_on_after_a_file_that_is_no_picture(
    picture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes.jpg").write_text("no picture")
    bad = [tmp_path / "notes.jpg", tmp_path / "missing.jpg", tmp_path]
    sight = Scripted([(Card.parse("B0"), 0.9)])
    assert cli_read.read_all([*bad, picture], sight, as_json=True, points=False, draw=None) == 2
    out, err = capsys.readouterr()
    assert [result["image"] for result in json.loads(out)] == [str(picture)]
    assert [line.startswith(f"tableref: {path}") for line, path in zip(err.splitlines(), bad, strict=True)] == [
        True
    ] * 3
