"""What is chosen on the host's page holds on the next evening, until something newer is said."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
import pytest

from service import cli, cli_table, piles
from service.kept import FILE_NAME, Kept
from service.piles import Moves
from service.run import Evening
from service.sentences import Refusal
from service.settings import Settings, load
from service.speaking import Wish
from tests.service.test_run import Blind, Told
from vision.detections import Image
from vision.frames import Frame, Glimpse


def settings(folder: Path, file: Path | None = None, **flags: object) -> Settings:
    return load({"data_dir": folder, "sound": "none", **flags}, environment={}, file=file)


@contextmanager
def evening(
    folder: Path, size: tuple[int, int] = (180, 320), table: Image | None = None, **flags: object
) -> Iterator[Evening]:
    chosen = settings(folder, None, **flags)
    image = np.full((*size, 3), 90, np.uint8) if table is None else table
    frames: list[Glimpse] = [Frame(image, at / 10, at) for at in range(3)]
    with Evening.open(chosen, socket.create_server(("127.0.0.1", 0)), chosen.database) as evening:
        watcher = evening.watch(Told(frames, waits=True), Blind())
        until = time.monotonic() + 10
        while evening.desk.preview.number < 3 and time.monotonic() < until:
            watcher.join(0.01)
        yield evening


def test_how_the_table_speaks_holds_on_the_next_evening(tmp_path: Path) -> None:
    with evening(tmp_path) as first:
        first.desk.speaking.change(Wish.model_validate({"lang": "da", "silent": ["draws"]}))
        first.desk.speaking.change(Wish.model_validate({"rate": 200, "mute": True}))
    again = settings(tmp_path)
    assert (again.lang, again.silent, again.rate, again.level) == ("da", ("draws",), 200, "normal")
    assert not again.mute, "who cannot see would not know why the table is silent"
    assert settings(tmp_path, lang="fr").lang == "fr", "what is said now comes first"
    assert load({"data_dir": tmp_path}, environment={"TABLEREF_RATE": "150"}).rate == 150


def test_a_settings_file_that_was_written_since_comes_first(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('lang = "de"\n', "utf-8")
    Kept(tmp_path).keep_speaking({"lang": "da", "rate": 200})
    os.utime(file, (1, 1))
    assert settings(tmp_path, file).lang == "da"
    os.utime(file, (time.time() + 60,) * 2)
    assert (settings(tmp_path, file).lang, settings(tmp_path, file).rate) == ("de", 200)


def test_piles_lie_where_they_were_put(tmp_path: Path) -> None:
    with evening(tmp_path) as first:
        put = piles.put(first.desk, Moves.model_validate({"discard": {"x": 100, "y": 90, "card": 60}}))
        assert put["discard"] == {"x": 100, "y": 90, "card": 60, "by_hand": True}
    with evening(tmp_path) as second:
        assert piles.told(second.desk)["discard"] == put["discard"]
    with evening(tmp_path, size=(360, 640)) as larger:
        assert piles.told(larger.desk)["discard"] == {"x": 200, "y": 180, "card": 120, "by_hand": True}
    with evening(tmp_path, size=(240, 320)) as otherwise:
        assert piles.told(otherwise.desk)["discard"] is None
    with evening(tmp_path, source="camera:1") as elsewhere:
        assert piles.told(elsewhere.desk)["discard"] is None
    with evening(tmp_path) as third:
        piles.put(third.desk, Moves.model_validate({"discard": None}))
    with evening(tmp_path) as fourth:
        assert piles.told(fourth.desk)["discard"] is None


def test_piles_are_put_where_a_camera_that_was_moved_sees_them_now(tmp_path: Path) -> None:
    small = (np.random.default_rng(3).random((24, 32, 3)) * 255).astype(np.uint8)
    table = np.asarray(cv2.resize(small, (640, 480), interpolation=cv2.INTER_NEAREST), np.uint8)
    moved = np.asarray(cv2.warpAffine(table, np.array([[1, 0, 40], [0, 1, -25]], np.float64), (640, 480)), np.uint8)
    with evening(tmp_path, table=table) as first:
        piles.put(first.desk, Moves.model_validate({"discard": {"x": 200, "y": 240, "card": 90}}))
    for _ in range(2):
        with evening(tmp_path, table=moved) as second:
            place = piles.told(second.desk)["discard"]
            assert (place["x"], place["y"]) == (pytest.approx(240, abs=2), pytest.approx(215, abs=2))


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"speaking": 3, "piles": {"camera:0": 4}}', '{"speaking": {"rate": "fast", "port": 1}}']
)
def test_a_damaged_file_stops_nobody(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE_NAME).write_text(text, "utf-8")
    assert (settings(tmp_path).rate, settings(tmp_path).port) == (175, 8765)
    with evening(tmp_path) as one:
        one.desk.speaking.change(Wish.model_validate({"rate": 200}))
    assert settings(tmp_path).rate == 200


def test_a_chosen_voice_that_is_gone_stops_nobody(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    gone: list[str | None] = []

    def may_speak(settings: Settings) -> None:
        gone.append(settings.voice)
        raise Refusal("there is no such voice.")

    monkeypatch.setattr(cli_table, "may_speak", may_speak)
    monkeypatch.setenv("TABLEREF_DATA_DIR", str(tmp_path))
    Kept(tmp_path).keep_speaking({"voice": "nobody", "rate": 200})
    assert cli.main(["run", "--print-settings"]) == 0
    out = capsys.readouterr().out
    assert gone == ["nobody"] and "voice =" not in out and "rate = 200" in out
    assert Kept(tmp_path).speaking == {"rate": 200}


def test_a_folder_that_takes_nothing_is_no_fault(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / f"{FILE_NAME}.part").mkdir()
    Kept(tmp_path).keep_speaking({"rate": 200})
    assert "holds for this evening" in caplog.text


def test_what_does_not_last_is_told_and_leaves_no_half_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    with evening(tmp_path) as one:
        speaking = one.desk.speaking
        speaking.change(Wish.model_validate({"rate": 190}))
        assert speaking.public()["lasts"] is True
        monkeypatch.setattr(Path, "replace", full)
        speaking.change(Wish.model_validate({"rate": 200}))
        assert (speaking.public()["rate"], speaking.public()["lasts"]) == (200, False)
    assert not (tmp_path / f"{FILE_NAME}.part").exists() and settings(tmp_path).rate == 190


def test_a_film_with_a_table_of_its_own_keeps_nothing(tmp_path: Path) -> None:
    chosen = settings(tmp_path)
    with Evening.open(chosen, socket.create_server(("127.0.0.1", 0)), tmp_path / "film.sqlite") as showing:
        showing.desk.speaking.change(Wish.model_validate({"rate": 200}))
    assert not (tmp_path / FILE_NAME).exists()
