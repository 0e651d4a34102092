"""The `tableref` command: help, results, and one sentence when something is wrong."""

from __future__ import annotations

import contextlib
import csv
import json
import logging
import shlex
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import tomllib
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.cards import Card
from referee.options import MatchSettings
from referee.record import event_of
from service import cli, cli_doctor, cli_read, logs
from service.phrases import Phrases
from service.settings import load
from service.store import Store
from service.table import Table
from vision.detections import BACK, Detection, Detections, Face, Image, Quads

ROOT = Path(__file__).parents[2]
SQUARE = np.array([[10, 10], [50, 10], [50, 70], [10, 70]], np.float32)


class Scripted:
    """A sight that sees what it is told, picture by picture."""

    def __init__(self, *pictures: Sequence[tuple[Face, float]]) -> None:
        self.pictures = list(pictures)
        self.shapes: list[tuple[int, ...]] = []

    def see(self, image: Image, *, near: Quads | None = None) -> Detections:
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
    done, coded = cv2.imencode(".png", np.full((80, 120, 3), (90, 120, 60), np.uint8))
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
def test_a_wrong_word_is_one_sentence(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(arguments)
    assert end.value.code == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("tableref") and err.endswith("--help\n") and err.count("\n") == 1


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


def test_a_folder_stands_for_its_pictures(picture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bare").mkdir()
    sight = Scripted([(Card.parse("R7"), 0.9)])
    assert cli_read.read_all([picture.parent, tmp_path / "bare"], sight, as_json=False, points=False, draw=None) == 2
    out, err = capsys.readouterr()
    assert out == f"{picture}: R7 90 %\n"
    assert err.count("\n") == 1 and f"There is no picture in {tmp_path / 'bare'}" in err


def test_a_name_that_no_system_takes_is_told_in_a_sentence(picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sight, endless = Scripted([(Card.parse("R7"), 0.9)]), Path("a" * 5000)
    assert cli_read.read_all([endless, picture], sight, as_json=False, points=False, draw=None) == 2
    out, err = capsys.readouterr()
    assert out == f"{picture}: R7 90 %\n" and err.count("\n") == 1 and "cannot be read" in err


def test_read_draws_what_it_saw(picture: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sight = Scripted([(Card.parse("R7"), 0.9)])
    assert cli_read.read_all([picture], sight, as_json=False, points=False, draw=tmp_path) == 0
    drawn = cv2.imdecode(np.frombuffer((tmp_path / "hand é.cards.jpg").read_bytes(), np.uint8), cv2.IMREAD_COLOR)
    assert drawn is not None and drawn.shape == (80, 120, 3) and drawn[40, 50].max() > 120


def test_drawings_of_pictures_of_one_name_do_not_overwrite_each_other() -> None:
    images = [Path("a/1.png"), Path("b/1.png"), Path("b/2.png")]
    assert [cli_read.drawing_name(path, images) for path in images] == ["1-1.cards.jpg", "1-2.cards.jpg", "2.cards.jpg"]
    assert cli_read.drawing_name(images[0], [images[0], images[0]]) == "1.cards.jpg"


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
    bad = [tmp_path / "notes.jpg", tmp_path / "missing.jpg"]
    sight = Scripted([(Card.parse("B0"), 0.9)])
    assert cli_read.read_all([*bad, picture], sight, as_json=True, points=False, draw=None) == 2
    out, err = capsys.readouterr()
    assert [result["image"] for result in json.loads(out)] == [str(picture)]
    assert [line.startswith(f"tableref: {path}") for line, path in zip(err.splitlines(), bad, strict=True)] == [
        True
    ] * 2


def test_read_says_that_colours_are_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, colour in (("grey.png", (90, 90, 90)), ("green.png", (90, 120, 60))):
        cv2.imwrite(str(tmp_path / name), np.full((80, 120, 3), colour, np.uint8))
    pictures, sight = [tmp_path / "grey.png", tmp_path / "green.png"], Scripted(*[[(Card.parse("B0"), 0.9)]] * 2)
    assert cli_read.read_all(pictures, sight, as_json=True, points=False, draw=None) == 0
    assert capsys.readouterr().err.startswith(f"tableref: {pictures[0]} is black and white: the colours of its cards ")


RECORD = '[Players "Anna;Bram"]\ndeal 1\nstart R5\n2 B7\n'


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.trn"
    path.write_text(RECORD, "utf-8")
    return path


def test_replay_prints_one_object_a_record(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["replay", "--json", str(record), str(record)]) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert first == second
    assert (first["turn"], first["top"], first["counts"]) == (2, "R5", [7, 7])
    assert (first["rulings"][0]["key"], first["rulings"][0]["line"]) == ("cannot_be_played", 4)


def test_replay_tells_people_too(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["replay", str(record)]) == 0
    out = capsys.readouterr().out
    assert "seat 2 to act" in out and "line 4: cannot_be_played (R9.1)" in out


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'[Players "Anna;Bram"]\n2 R77\n', ["line 2", "expected"]),
        (b'[Players "Anna"]\n', ["line 1", "Players"]),
        (b"\xff\xfe\x00", ["UTF-8"]),
        (None, ["cannot be read"]),
    ],
)
def test_replay_names_file_line_and_what_was_expected(
    content: bytes | None, words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.trn"
    if content is not None:
        path.write_bytes(content)
    sentence = fails(capsys, "replay", "--json", str(path))
    assert str(path) in sentence and all(word in sentence for word in words)


def test_replay_goes_on_after_a_record_that_cannot_be_read(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["replay", "--json", "missing.trn", str(record)]) == 2
    out, err = capsys.readouterr()
    assert json.loads(out)["top"] == "R5" and "missing.trn" in err


@pytest.fixture
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TABLEREF_DATA_DIR", str(tmp_path))
    with Store.open(tmp_path / "table.sqlite") as store:
        table = Table.open(store, Phrases.load("en"))
        table.new_match(MatchSettings(("Anna", "Bram"), dealer=1))
        for line in ("deal 1", "start R5", "2 R7 ~0.93"):
            event = event_of(line)
            assert event is not None
            table.apply(event)
    return tmp_path


def test_matches_are_listed(stored: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["matches"]) == 0
    assert "Anna, Bram" in capsys.readouterr().out
    assert cli.main(["matches", "--json"]) == 0
    (match,) = json.loads(capsys.readouterr().out)
    assert (match["id"], match["players"], match["lines"]) == (1, ["Anna", "Bram"], 3)


def test_a_match_is_exported_in_every_format(stored: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["export", "1"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("[") and "\n2 R7 @0" in text
    assert cli.main(["export", "1", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["top"] == "R7"
    assert cli.main(["export", "1", "--format", "csv"]) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert [row["text"].split(" @")[0] for row in rows] == ["deal 1", "start R5", "2 R7"]
    assert rows[-1]["confidence"] == "0.93"


def test_what_is_not_stored_is_one_sentence(
    stored: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert "no match 9" in fails(capsys, "export", "9")
    for word in ("x", "-1", "²", "9" * 30):
        assert f"'{word}' is no match" in fails(capsys, "export", word)
    assert "no match" in fails(capsys, "export", "9" * 18)
    monkeypatch.setenv("TABLEREF_DATA_DIR", str(tmp_path / "empty"))
    assert "no matches are stored" in fails(capsys, "matches")
    assert cli.main(["matches", "--json"]) == 0 and capsys.readouterr().out == "[]\n"
    monkeypatch.setenv("TABLEREF_DATA_DIR", str(tmp_path / ("x" * 300)))
    assert "cannot be read" in fails(capsys, "matches")


def test_the_reader_of_a_pipe_may_leave(record: Path) -> None:
    command = [sys.executable, "-m", "service.cli", "replay", *[str(record)] * 400]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    assert process.wait(30) == 0
    assert process.stderr.read() == b""
    process.stderr.close()


def test_doctor_has_a_line_for_everything(
    stored: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        cli_doctor, "LOOKS", (cli_doctor.python, cli_doctor.libraries, cli_doctor.folder, cli_doctor.port)
    )
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert cli.main(["doctor", "--port", str(port)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line[:3] for line in lines] == ["ok "] * (len(lines) - 1) + ["NO "]
    assert f"{port} is taken" in lines[-1] and "--port" in lines[-1]


@pytest.mark.parametrize(
    ("lang", "there", "found"),
    [
        ("en", True, "off; pocketsphinx is installed: --ears push"),
        ("en", False, 'off; for spoken commands: python -m pip install "tableref[ears]"'),
        ("da", True, "slået fra; vosk er installeret: --ears push --ears-model FOLDER"),
        ("da", False, 'slået fra; til talte kommandoer: python -m pip install "tableref[ears-vosk]"'),
    ],
)
def test_doctor_tells_whether_ears_could_be_switched_on(
    lang: str, there: bool, found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object() if there else None)
    (told,) = cli_doctor.ears(load({"lang": lang}, environment={}))
    assert told.works and told.found == found


def test_doctor_advises_nothing_where_nothing_is_wrong(
    stored: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli_doctor, "LOOKS", (cli_doctor.python, cli_doctor.folder))
    assert cli.main(["doctor", "--json"]) == 0
    assert [one["advice"] for one in json.loads(capsys.readouterr().out)] == ["", ""]
    (tmp_path / "file").touch()
    (told,) = cli_doctor.folder(load({"data_dir": str(tmp_path / "file" / "in")}, environment={}))
    assert str(told).endswith("cannot be written. Choose another folder with data_dir.") and not told.works


@pytest.mark.parametrize(
    ("lang", "last"),
    [
        ("da", "NEJ port: {} er optaget"),
        ("de", "NEIN Port: {} ist belegt"),
        ("es", "NO  puerto: {} está ocupado"),
        ("fr", "NON port: {} est occupé"),
        ("nl", "NEE poort: {} is bezet"),
    ],
)
def test_doctor_speaks_the_language(
    lang: str, last: str, stored: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli_doctor, "LOOKS", (cli_doctor.folder, cli_doctor.ears, cli_doctor.port))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        told = []
        for language in ("en", lang):
            assert cli.main(["doctor", "--lang", language, "--port", str(port)]) == 1
            told.append(capsys.readouterr().out.splitlines())
    assert told[1][-1].startswith(last.format(port)) and not {*told[0]} & {*told[1]}


@pytest.mark.parametrize(
    ("variable", "value", "found", "advice"),
    [
        ("SOUND", "file:nowhere/a.wav", "there is no folder nowhere", ""),
        ("VOICE", "nobody", "there is no such voice; for the language en there are en-", ""),
        ("SOUND", "afplay", "afplay is not installed", "Plug in a loudspeaker"),
        ("MUTE", "1", "muted by choice", ""),
    ],
)
def test_doctor_says_what_is_wrong_with_the_voice(
    variable: str, value: str, found: str, advice: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "")
    settings = load(environment={f"TABLEREF_{variable}": value})
    (told,) = cli_doctor.voice(settings)
    assert told.works is (variable == "MUTE")
    assert found in told.found and advice in str(told) and (advice or "loudspeaker" not in str(told))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["watch", "missing.mp4"], "no file or folder missing.mp4"),
        (["watch", "missing.mp4", "--players", "1"], "expected 2 to 10 names"),
        (["watch", "missing.mp4", "--players", "9" * 5000], "expected 2 to 10 names"),
        (["watch", "missing.mp4", "--players", "1000000000"], "expected 2 to 10 names"),
        (["watch", "missing.mp4", "--record", ""], "cannot be written"),
        (["watch", ""], "no file or folder without a name"),
        (["watch", "missing.mp4", "--record", "missing/out.trn"], "cannot be written"),
        (["simulate", "--players", "11", "--video", "a.mp4", "--record", "a.trn"], "2 to 10 players"),
        (["simulate", "--video", "a.mp4", "--record", "a.trn", "--troubles", "rain"], "no trouble rain: choose of"),
        (["simulate", "--video", "a.mp4", "--record", "a.trn", "--size", "big"], "expected WIDTHxHEIGHT"),
        (["simulate", "--video", "a.mp4", "--record", "a.trn", "--rate", "0"], "1 to 60 frames a second"),
        (["simulate", "--players", "2", "--video", "missing/a.mp4", "--record", "missing/a.trn"], "cannot be made"),
    ],
)
def test_films_that_cannot_be_are_refused_at_once(
    arguments: list[str],
    words: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert words in fails(capsys, *arguments)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", [["watch", "film.mp4", "--record"], ["run", "--no-browser", "--mute", "--record"]])
@pytest.mark.parametrize("content", [b"\0\0\0\x18ftypmp42", b"Dear diary,\n" * 10_000])
def test_a_record_is_never_written_over_something_else(
    command: list[str],
    content: bytes,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TABLEREF_DATA_DIR", str(tmp_path / "data"))
    film = tmp_path / "film.mp4"
    film.write_bytes(content)
    assert "holds something that is no record" in fails(capsys, *command, str(film))
    assert film.read_bytes() == content
    assert "it is no file" in fails(capsys, *command, str(tmp_path))


def test_a_sentence_is_one_line_of_bearable_length(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = tmp_path / "new\nline \x1b[31m.trn"
    name.write_text(f'[Options "{"x" * 100_000}"]\n', "utf-8")
    sentence = fails(capsys, "replay", str(name))
    assert "no option" in sentence and sentence.isprintable() and len(sentence) < 500


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no device that is always full")
def test_a_full_disk_is_one_sentence(record: Path) -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "service.cli", "replay", "--json", str(record)]
        run = subprocess.run(command, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True)
    assert run.returncode == 2
    assert run.stderr.startswith("tableref: ") and run.stderr.count("\n") == 1 and "No space left" in run.stderr


@pytest.mark.parametrize("players", ["A;B,C", 'A"],B', "A\nB,C", "A\0,B", "A,\udcff", "A", ","])
def test_names_that_cannot_be_are_refused(
    players: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABLEREF_DATA_DIR", str(tmp_path))
    assert "layers: " in fails(capsys, "run", "--players", players)
    assert "Players: " in fails(capsys, "watch", "missing.mp4", "--players", players)


def test_a_damaged_header_hides_no_other_match(stored: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Store.open(stored / "table.sqlite") as store:
        store.create_match(['[Players "Anna"]'])
    assert cli.main(["matches", "--json"]) == 0
    assert [match["players"] for match in json.loads(capsys.readouterr().out)] == [["Anna", "Bram"], []]


def test_a_store_of_another_kind_is_one_sentence(stored: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for version, words in ((99, "newer Tableref"), (0, "no matches are stored there")):
        with contextlib.closing(sqlite3.connect(stored / "table.sqlite")) as database:
            database.execute(f"PRAGMA user_version = {version}")
        assert words in fails(capsys, "matches")
    for ending in ("-wal", "-shm"):
        (stored / f"table.sqlite{ending}").unlink(missing_ok=True)
    (stored / "table.sqlite").write_bytes(b"no database" * 1000)
    assert "`tableref run` keeps them aside" in fails(capsys, "export", "1")


@pytest.mark.skipif(sys.platform == "win32", reason="a shell closes standard output there in another way")
def test_a_closed_output_is_no_fault(record: Path) -> None:
    say = f"exec {shlex.quote(sys.executable)} -m service.cli replay --json {shlex.quote(str(record))} >&-"
    run = subprocess.run(["/bin/sh", "-c", say], cwd=ROOT, stderr=subprocess.PIPE, text=True)
    assert (run.returncode, run.stderr) == (0, "")


def test_printed_settings_are_those_of_the_run(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "tableref.toml"
    file.write_text('port = 1000\nrate = 100\nlook = "token"\n')
    monkeypatch.setenv("TABLEREF_RATE", "200")
    monkeypatch.setenv("TABLEREF_ALLOW_HOST", "table.local, 192.168.1.5")
    assert cli.main(["run", "--settings", str(file), "--port", "3000", "--lan", "--print-settings"]) == 0
    printed = tomllib.loads(capsys.readouterr().out)
    assert (printed["port"], printed["rate"], printed["look"], printed["lan"]) == (3000, 200, "token", True)
    assert printed["allow_host"] == ["table.local", "192.168.1.5"]
    assert "no name of a computer" in fails(capsys, "run", "--allow-host", "http://x", "--print-settings")


def test_the_log_is_for_people_or_for_programs(capfd: pytest.CaptureFixture[str]) -> None:
    try:
        for as_json in (False, True):
            logs.set_up(as_json=as_json)
            logging.getLogger("service.store").warning("two\nlines")
        try:
            raise ZeroDivisionError("quad")
        except ZeroDivisionError:
            logging.getLogger("service.x").exception("fault")
    finally:
        logging.getLogger().handlers.clear()
    person, program, fault = capfd.readouterr().err.rstrip().rsplit("\n", 2)
    assert person == "tableref: two\nlines"
    told = json.loads(program)
    assert (told["level"], told["logger"], told["message"]) == ("warning", "service.store", "two lines")
    assert told["time"].endswith("+00:00") and "ZeroDivisionError: quad" in json.loads(fault)["fault"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no signal to a single program")
@pytest.mark.parametrize("wait", [0.02, 0.1, 0.3])
def test_an_interrupt_while_libraries_load_is_quiet(wait: float, tmp_path: Path) -> None:
    script = (
        "import sys; from service.start import main; print('started', flush=True); "
        "sys.argv[1:] = ['watch', 'missing.mp4']; sys.exit(main())"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None and process.stdout.readline() == "started\n"
    time.sleep(wait)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert "Traceback" not in err and "KeyboardInterrupt" not in err
    quiet = (130, -signal.SIGINT, 2)
    assert process.returncode in quiet, "interrupted (also while Python itself was ending), or done before it was"
