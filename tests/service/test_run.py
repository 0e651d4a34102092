"""An evening put together: camera thread, words of a film, record file, port, a clean end."""

from __future__ import annotations

import argparse
import contextlib
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import httpx
import numpy as np
import pytest

from referee import events as ev
from referee.cards import Card, Colour
from referee.options import MatchSettings
from referee.record import event_of, parse
from service import cli, cli_table
from service.cli_table import Film, Showing, match_from, verdict
from service.outputs import may_be_heard
from service.preview import Preview
from service.run import Evening, open_door
from service.sentences import Refusal
from service.settings import Settings
from service.sound import write_wav
from service.watching import BROKEN, Prompter, Watcher
from vision.changes import CardLaid, TableChange, ViewBack, ViewLost
from vision.detections import Detections, Image, Quads
from vision.frames import Frame, Glimpse, SourceError

ROOT = Path(__file__).parents[2]
MATCH = MatchSettings(("Anna", "Bram"), dealer=1)


class Told:
    """A source that gives what it is told, and then goes on as long as it is not closed, or fails."""

    def __init__(self, glimpses: Iterable[Glimpse], then: Exception | None = None, waits: bool = False) -> None:
        self._glimpses, self._then, self._waits = list(glimpses), then, waits
        self.closed = threading.Event()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __iter__(self) -> Iterator[Glimpse]:
        yield from self._glimpses
        if self._then:
            raise self._then
        if self._waits:
            self.closed.wait(10)

    def close(self) -> None:
        self.closed.set()


class Blind:
    """Sees no card, or cannot look at all."""

    def __init__(self, error: Exception | None = None) -> None:
        self._error = error

    def see(self, image: Image, *, near: Quads | None = None) -> Detections:
        if self._error:
            raise self._error
        return Detections.empty()


def frames(count: int) -> list[Glimpse]:
    return [Frame(np.full((90, 160, 3), 90, np.uint8), index / 10, index) for index in range(count)]


def watched(source: Told, sight: Blind | None = None) -> tuple[list[TableChange], list[float], Watcher]:
    changes: list[TableChange] = []
    times: list[float] = []
    watcher = Watcher(source, sight or Blind(), changes.append, Preview(), times.append)
    watcher.start()
    assert watcher.ended.wait(10)
    return changes, times, watcher


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(mute=True, data_dir=tmp_path, port=8765)


@pytest.fixture
def evening(settings: Settings) -> Iterator[Evening]:
    with Evening.open(settings, socket.create_server(("127.0.0.1", 0)), settings.database) as evening:
        yield evening


@contextlib.contextmanager
def served(evening: Evening) -> Iterator[httpx.Client]:
    thread = threading.Thread(target=evening.serve)
    thread.start()
    with httpx.Client(base_url=evening.url, timeout=15) as client:
        yield client
    evening.end()
    thread.join(15)
    assert not thread.is_alive()


# The camera's thread


def test_a_film_is_watched_to_its_end() -> None:
    changes, times, watcher = watched(Told([*frames(3), ViewLost(0.3, "Gone."), ViewBack(0.9)]))
    assert times == [0.0, 0.1, 0.2, 0.2, 0.2]
    assert [type(change) for change in changes] == [ViewLost, ViewBack]
    assert not watcher.failed


def test_a_source_that_fails_is_told_in_its_own_words() -> None:
    changes, _, watcher = watched(Told(frames(2), SourceError("b.jpg is no picture.")))
    assert [change.reason for change in changes if isinstance(change, ViewLost)] == ["b.jpg is no picture."]
    assert watcher.failed


def test_a_fault_in_watching_is_told_and_stops_nothing_else(caplog: pytest.LogCaptureFixture) -> None:
    changes, _, watcher = watched(Told(frames(30)), Blind(ZeroDivisionError("quad")))
    assert [change.reason for change in changes if isinstance(change, ViewLost)] == [BROKEN]
    assert watcher.failed and "quad" in caplog.text


def test_watching_stops_when_told() -> None:
    source = Told(frames(1), waits=True)
    watcher = Watcher(source, Blind(), lambda change: None, Preview())
    watcher.start()
    watcher.stop()
    assert source.closed.is_set() and watcher.stopped and not watcher.is_alive()


# The words of a film


def test_people_speak_when_their_time_has_come() -> None:
    truth = [
        ev.Deal(1, seconds=0.0),
        ev.Start(Card.parse("R5"), seconds=3.0),
        ev.Play(2, Card.parse("W"), Colour.BLUE, uno=True, seconds=5.0),
        ev.Draw(1, 2, seconds=6.0),
        ev.Catch(1, 2, seconds=7.0),
    ]
    said: list[ev.Event] = []
    prompter = Prompter(truth, said.append, delay=1.0)
    prompter.at(0.9)
    assert said == []
    prompter.at(1.0)
    assert said == [ev.Deal(1, seconds=0.0)]
    prompter.at(6.5)
    assert [type(event) for event in said] == [ev.Deal, ev.NameColour, ev.Uno]
    prompter.finish()
    assert said[-1] == ev.Catch(1, 2, seconds=7.0)


# The evening


def test_a_taken_port_is_one_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(Refusal, match=rf"Port {port} cannot be used .*--port"):
            open_door(port)


def test_everything_is_there_and_goes_again(evening: Evening) -> None:
    evening.play(MATCH)
    evening.watch(Told(frames(2), waits=True), Blind())
    with served(evening) as client:
        assert client.get("/api/state").json()["players"] == ["Anna", "Bram"]
        health = client.get("/api/health").json()
        assert health["voice"]["muted"] is True and health["camera"]["works"] is True
        assert client.get("/api/preview.jpg").status_code == 200
        with client.stream("GET", "/api/events") as stream:
            lines = stream.iter_lines()
            assert next(lines).startswith("id: ")
            began = time.monotonic()
            evening.end()
            with contextlib.suppress(httpx.TransportError):
                list(lines)
            assert time.monotonic() - began < 4


def test_why_nothing_is_heard_is_told_in_the_language_of_the_table(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, lang="nl", sound=f"file:{tmp_path / 'gone' / 'a.wav'}")
    with Evening.open(settings, socket.create_server(("127.0.0.1", 0)), settings.database) as evening:
        status = evening.voice.status()
        assert status["fault"] == "file" and "cannot be written" in status["reason"]
        with served(evening) as client:
            health = client.get("/api/health").json()
            shown = client.get("/api/state").json()["voice"]
            told = "Het geluidsbestand kan niet worden geschreven."
            assert (health["status"], health["voice"]["sound"], health["voice"]["reason"]) == ("degraded", False, told)
            assert shown == {"sound": False, "reason": told}
            client.post("/api/speaking", json={"mute": True})
            assert client.get("/api/health").json()["voice"]["reason"] == "De stem staat uit."
            assert client.get("/api/state").json()["voice"] == {"sound": False, "reason": "De stem staat uit."}


def test_the_same_evening_goes_on_where_it_was(settings: Settings) -> None:
    for version in (4, 4):
        door = socket.create_server(("127.0.0.1", 0))
        with Evening.open(settings, door, settings.database) as evening:
            evening.play(MATCH)
            if evening.table.state and evening.table.state.phase == "between":
                for event in (ev.Deal(1), ev.Start(Card.parse("R5")), ev.Play(2, Card.parse("R7"))):
                    evening.table.apply(event)
            assert evening.table.version == version
            assert evening.table.snapshot()["top"] == "R7"
    with Evening.open(settings, socket.create_server(("127.0.0.1", 0)), settings.database) as evening:
        evening.play(MatchSettings(("Cleo", "Dirk"), dealer=1))
        assert evening.table.snapshot()["players"] == ["Cleo", "Dirk"]


def test_a_match_that_was_left_is_told_of_and_is_no_trap(settings: Settings) -> None:
    for again in (False, True):
        with Evening.open(settings, socket.create_server(("127.0.0.1", 0)), settings.database) as evening:
            if not again:
                evening.play(MATCH)
                evening.table.apply(ev.Deal(1))
                evening.table.apply(ev.Start(Card.parse("Y6")))
                continue
            hands = evening.desk.commands
            hands.opening.goes_on()
            said = evening.table.snapshot()["captions"][-1]["text"]
            assert said.startswith("The match of Anna and Bram goes on") and "yellow six. It is Bram's turn" in said
            hands.do("another")
            hands.do("yes")
            version = evening.table.version
            evening._see(CardLaid(Card.parse("Y7"), 0.99, 2.0, 1.0))
            assert evening.table.version == version, "the match that is being left is not played on"


@pytest.mark.parametrize(("hand", "plays"), [(None, 0), (90.0, 1)])
def test_the_top_card_of_a_match_that_goes_on_is_not_played_again(
    settings: Settings, hand: float | None, plays: int
) -> None:
    for again in (False, True):
        with Evening.open(settings, socket.create_server(("127.0.0.1", 0)), settings.database) as evening:
            if not again:
                evening.play(MATCH)
                evening._see(CardLaid(Card.parse("Y6"), 0.99, 2.0, 1.0))
                continue
            version = evening.table.version
            evening._see(CardLaid(Card.parse("Y6"), 0.99, 2.0, 1.0, hand=hand))
            assert evening.table.version == version + plays
            evening._see(CardLaid(Card.parse("Y7"), 0.99, 4.0, 3.0))
            assert evening.table.version == version + plays + 1


def test_the_record_is_kept_in_a_file(evening: Evening, tmp_path: Path) -> None:
    path = tmp_path / "match.trn"
    evening.play(MATCH)
    evening.record(path)
    assert '[Players "Anna;Bram"]' in path.read_text("utf-8")
    evening.table.apply(ev.Deal(1))
    until = time.monotonic() + 5
    while "deal 1" not in path.read_text("utf-8") and time.monotonic() < until:
        time.sleep(0.02)
    evening.table.apply(ev.Start(Card.parse("R5")))
    assert evening.recorder is not None
    evening.recorder.stop()
    assert path.read_text("utf-8") == evening.table.record()
    assert parse(path.read_text("utf-8")).events[-2] == evening.table.history()[-1].event


def test_a_record_that_cannot_be_written_is_one_sentence(evening: Evening, tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="cannot be written"):
        evening.record(tmp_path / "missing" / "match.trn")


# The commands


def options(**given: object) -> argparse.Namespace:
    return argparse.Namespace(**{"rules": None, "players": None, **given})


def test_players_and_rules_make_a_match(tmp_path: Path) -> None:
    assert match_from(options()) is None
    assert match_from(options(players="Anna, Bram ,Cleo")) == MatchSettings(("Anna", "Bram", "Cleo"))
    assert match_from(options(players="Anna,Bram", dealer=2)) == MatchSettings(("Anna", "Bram"), dealer=2)
    rules = tmp_path / "house.trn"
    rules.write_text('[Options "stack"]\n[Target "300"]\n', "utf-8")
    both = match_from(options(rules=rules, players="Anna,Bram"))
    assert both is not None and both.options.stack and both.target == 300 and both.players == ("Anna", "Bram")
    rules.write_text('[Players "X;Y;Z"]\n[Dealer "2"]\n', "utf-8")
    alone = match_from(options(rules=rules))
    assert alone is not None and (alone.players, alone.dealer) == (("X", "Y", "Z"), 2)
    other = match_from(options(rules=rules, players="Anna,Bram"))
    assert other is not None and (other.players, other.dealer) == (("Anna", "Bram"), 2)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--source", "camera:97"], "No camera answers as camera:97"),
        (["--source", "nothing.mp4"], "There is no file or folder nothing.mp4"),
        (["--players", "Anna"], "expected 2 to 10 names"),
        (["--rules", "nothing.trn"], "nothing.trn cannot be read"),
        (["--lang", "xx"], "there is no language 'xx'"),
        (["--port", "0"], "port"),
        (["--settings", "nothing.toml"], "there is no such settings file"),
        (["--dealer", "1"], "--dealer needs the players, too"),
        (["--source", "demo", "--players", "Anna,Bram"], "--players cannot be told to the demo"),
        (["--source", "demo", "--deck", "mine"], "--deck cannot be told to the demo"),
    ],
)
def test_run_refuses_in_one_sentence(
    arguments: Sequence[str],
    words: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("TABLEREF_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(cli_table, "open_door", lambda port, lan: socket.create_server(("127.0.0.1", 0)))
    monkeypatch.chdir(tmp_path)
    assert cli.main(["run", "--no-browser", "--mute", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and words in err


@pytest.mark.parametrize(
    ("sound", "words"),
    [
        ("nowhere/a.wav", "there is no folder nowhere; make it, or name another file."),
        ("", "is no file; name one for the sound."),
        ("letter.txt", "letter.txt holds something that is no WAV sound, and stays as it is"),
    ],
)
@pytest.mark.parametrize("command", ["run", "demo"])
def test_a_file_that_cannot_take_the_sound_is_refused_before_the_evening(
    command: str,
    sound: str,
    words: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("TABLEREF_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("TABLEREF_SOUND", f"file:{sound or tmp_path}")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "letter.txt").write_text("Dear Anna", "utf-8")
    assert cli.main([command, "--no-browser"]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and words in err
    assert (tmp_path / "letter.txt").read_text("utf-8") == "Dear Anna" and not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize(
    ("engine", "voice", "words"),
    [
        ("festival", "", "there is no engine 'festival'; there are auto, espeak-ng, piper"),
        ("auto", "nobody", "voice = 'nobody': there is no such voice; for the language nl there are nl (and "),
        ("auto", "none.onnx", "there is no voice file none.onnx: a Piper voice is NAME.onnx and NAME.onnx.json."),
        ("piper", "", "a neural voice is a file: set voice to the path of its .onnx file."),
    ],
)
def test_an_engine_or_voice_that_is_not_there_is_refused(
    engine: str,
    voice: str,
    words: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("TABLEREF_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("TABLEREF_SOUND", "none")
    monkeypatch.setenv("TABLEREF_LANG", "nl")
    monkeypatch.setenv("TABLEREF_ENGINE", engine)
    if voice:
        monkeypatch.setenv("TABLEREF_VOICE", voice)
    monkeypatch.chdir(tmp_path)
    assert cli.main(["run", "--no-browser", "--source", "demo"]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and words in err


def test_a_file_for_the_sound_may_be_new_or_go_on(tmp_path: Path) -> None:
    path = tmp_path / "heard.wav"
    may_be_heard(Settings(sound=f"file:{path}"))
    assert not path.exists(), "asking leaves nothing behind"
    write_wav(path, bytes(20), 22050)
    may_be_heard(Settings(sound=f"file:{path}"))
    may_be_heard(Settings(sound="file:/nonexistent/a.wav", mute=True))


def test_the_demo_takes_keys(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "service.cli", "demo", "--mute", "--no-browser", "--keys", "line"]
    with subprocess.Popen(
        [*command, "--port", str(port)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        try:
            assert process.stdout.readline().endswith(f":{port}\n")
            process.stdin.write("help\n")
            process.stdin.flush()
            until = time.monotonic() + 20
            said: list[str] = []
            while not any(text.startswith("The keys.") for text in said) and time.monotonic() < until:
                state = httpx.get(f"http://127.0.0.1:{port}/api/state", timeout=15).json()
                said = [caption["text"] for caption in state["captions"]]
            assert any(text.startswith("The keys.") for text in said), said
        finally:
            process.kill()


TRUTH = '[Players "Anna;Bram"]\n[Dealer "1"]\ndeal 1 @0\nstart R5 @2\n2 R7 @4\n'


class Staged(Told):
    """Frames of a film at `seconds`; after each the table is told what the pipeline, tested elsewhere, would tell."""

    def __init__(self, evening: Evening, *scenes: tuple[float, str]) -> None:
        super().__init__([])
        self._table, self._scenes = evening.table, scenes

    def __iter__(self) -> Iterator[Glimpse]:
        for index, (seconds, line) in enumerate(self._scenes):
            yield Frame(np.full((90, 160, 3), 90, np.uint8), seconds, index)
            event = event_of(line)
            assert event is not None
            self._table.apply(event, source="camera")


@pytest.mark.parametrize(("last", "line", "equal"), [("2 R7", "yes (1 plays)", True), ("2 R1", "no (1 plays)", False)])
def test_a_showing_holds_the_stored_record_against_the_truth(
    evening: Evening, capsys: pytest.CaptureFixture[str], last: str, line: str, equal: bool
) -> None:
    showing = Showing(evening, Film(Path("none.mp4"), parse(TRUTH)), once=True)
    thread = threading.Thread(target=evening.serve)
    thread.start()
    showing.begin(Staged(evening, (1.5, "start R5"), (4.5, last)), Blind())
    thread.join(10)
    assert not thread.is_alive()
    assert line in capsys.readouterr().out
    assert showing.equal is equal


def test_what_differs_is_told() -> None:
    read = parse(TRUTH.replace("2 R7", "2 R1"))
    assert list(verdict(parse(TRUTH), parse(TRUTH))) == ["record equals its truth: yes (1 plays)"]
    first, *rest = verdict(read, parse(TRUTH))
    assert first == "record equals its truth: no (1 plays)"
    assert ["R1" in rest[0], "R7" in rest[1]] == [True, True]


def test_a_film_that_is_missing_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match=r"demo\.mp4 is missing"):
        Film.load(tmp_path)
