"""Nothing but our own sentence is said of a damaged picture."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from service.reading import NoPicture, unpacked
from vision.frames import SourceError, open_source, read_picture
from vision.quiet import quiet

NOISE = np.random.default_rng(1).integers(0, 255, (120, 160, 3), np.uint8)


def damaged(ending: str) -> bytes:
    coded = bytearray(np.asarray(cv2.imencode(ending, NOISE)[1]).tobytes())
    middle = len(coded) // 2
    coded[middle : middle + 40] = bytes(40)
    return bytes(coded)


@pytest.mark.parametrize("coded", [damaged(".png"), damaged(".jpg"), damaged(".jpg")[:9000], damaged(".webp")])
def test_the_libraries_below_say_nothing(coded: bytes, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "picture").write_bytes(coded)
    looks: tuple[Callable[[], object], ...] = (lambda: unpacked(coded), lambda: read_picture(tmp_path / "picture"))
    for look in looks:
        with contextlib.suppress(NoPicture, SourceError):
            look()
    assert capfd.readouterr() == ("", "")


def test_nor_of_a_damaged_video(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    film = tmp_path / "film.mp4"
    film.write_bytes(b"\0\0\0\x20ftypisom" + bytes(4000))
    with pytest.raises(SourceError, match="no video"):
        open_source(str(film))
    assert capfd.readouterr() == ("", "")


def test_standard_error_is_back_when_nobody_wants_silence(capfd: pytest.CaptureFixture[str]) -> None:
    begun, over = threading.Event(), threading.Event()

    def other() -> None:
        with quiet():
            begun.set()
            over.wait(10)

    thread = threading.Thread(target=other)
    with quiet():
        thread.start()
        begun.wait(10)
        os.write(2, b"unheard")
    os.write(2, b"unheard, too")
    over.set()
    thread.join(10)
    os.write(2, b"heard")
    assert capfd.readouterr().err == "heard"
