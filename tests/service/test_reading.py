"""Hands read for their owners: what is told of them, in which order, and that nothing of them stays."""

from __future__ import annotations

import io
import logging
import struct
import threading
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import httpx
import numpy as np
import pytest

from referee import events as ev
from referee.cards import Card
from referee.options import MatchSettings
from service.api import Desk, create_app
from service.phrases import Phrases
from service.preview import Preview
from service.reading import Busy, HandReader, NoPicture, unpacked
from service.store import Store
from service.table import Table
from vision.detections import BACK, Detection, Detections, Face, Image, Quads
from vision.zones import Zone, Zones


def lying(face: Face, x: float, confidence: float = 0.9) -> Detection:
    quad = np.array([[x, 20], [x + 40, 20], [x + 40, 80], [x, 80]], np.float32)
    return Detection(quad, 0.9, face, confidence)


class Shows:
    """Sees the same cards in every picture."""

    def __init__(self, *cards: Detection) -> None:
        self.cards, self.go_on, self.shapes = cards, threading.Event(), list[tuple[int, ...]]()
        self.go_on.set()

    def see(self, image: Image, *, near: Quads | None = None) -> Detections:
        self.shapes.append(image.shape)
        assert self.go_on.wait(10)
        return Detections.of(list(self.cards))


def jpeg(width: int = 320, height: int = 200, ending: str = ".jpg") -> bytes:
    return bytes(np.asarray(cv2.imencode(ending, np.full((height, width, 3), 90, np.uint8))[1]))


HAND = (
    lying(Card.parse("W4"), 0),
    lying(Card.parse("B5"), 50),
    lying(Card.parse("R7"), 100),
    lying(Card.parse("GS"), 150),
    lying(Card.parse("R5"), 200),
    lying(BACK, 250),
    lying(Card.parse("Y1"), 300, 0.3),
)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with Store.open(tmp_path / "table.sqlite") as store:
        yield Desk(Table.open(store, Phrases.load("en")), store, Preview(), hands=HandReader(lambda: Shows(*HAND)))


@pytest.fixture
def client(desk: Desk, serve: Callable[..., str]) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=serve(create_app(desk)), timeout=15) as client:
        yield client


def begin(desk: Desk) -> None:
    desk.table.new_match(MatchSettings(("Anna", "Bram"), dealer=1))
    for event in (ev.Deal(1), ev.Start(Card.parse("R5"))):
        desk.table.apply(event)


def test_a_hand_is_read_by_colour_and_added_up(client: httpx.Client) -> None:
    hand = client.post("/api/read", content=jpeg()).json()
    assert [card["card"] for card in hand["cards"]] == ["R5", "R7", "GS", "B5", "W4"]
    assert (hand["points"], hand["unsure"], hand["seat"]) == (5 + 7 + 20 + 5 + 50, 1, None)
    assert {card["playable"] for card in hand["cards"]} == {None}
    assert (hand["width"], hand["height"], len(hand["cards"][0]["quad"])) == (320, 200, 4)


def test_what_may_be_played_comes_first_for_whose_turn_it_is(client: httpx.Client, desk: Desk) -> None:
    begin(desk)
    mine = client.post("/api/read?seat=2", content=jpeg()).json()["cards"]
    assert [(card["card"], card["playable"]) for card in mine] == [
        ("R5", True),
        ("R7", True),
        ("B5", True),
        ("W4", True),
        ("GS", False),
    ]
    other = client.post("/api/read?seat=1", content=jpeg()).json()["cards"]
    assert {card["playable"] for card in other} == {None}


def test_nothing_of_a_hand_stays(
    client: httpx.Client, desk: Desk, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    begin(desk)
    caplog.set_level(logging.DEBUG)
    files = {path: path.stat().st_size for path in tmp_path.rglob("*")}
    version, state = desk.table.version, desk.table.snapshot()
    assert client.post("/api/read?seat=2", content=jpeg()).status_code == 200
    assert {path: path.stat().st_size for path in tmp_path.rglob("*")} == files
    assert (desk.table.version, desk.table.snapshot()) == (version, state)
    assert not [text for text in caplog.messages if "GS" in text or "W4" in text]


def test_a_hand_is_counted_from_the_camera_without_the_piles(client: httpx.Client, desk: Desk) -> None:
    begin(desk)
    assert client.post("/api/count?seat=1").status_code == 409, "no camera"
    desk.preview.show(np.full((200, 400, 3), 90, np.uint8), Detections.empty(), Zones())
    counted = client.post("/api/count?seat=1").json()
    assert counted["action"] == {"action": "hand", "seat": 1, "cards": ["R5", "R7", "GS", "B5", "W4"]}
    assert (counted["expected"], counted["complete"]) == (7, False)
    at_the_pile = HandReader(lambda: Shows(*HAND)).look(np.zeros((200, 400, 3), np.uint8), Zones(Zone(20, 50, 60)))
    assert "W4" not in [str(card.face) for card in at_the_pile.cards]


def test_a_count_is_confirmed_as_an_action(client: httpx.Client, desk: Desk) -> None:
    begin(desk)
    counted = client.post("/api/count?seat=1", content=jpeg()).json()
    told = client.post("/api/actions", json={**counted["action"], "expected_version": desk.table.version})
    assert told.status_code == 200


# What is no picture, or too much of one


def png(width: int, height: int) -> bytes:
    """A tiny file that unpacks to so many pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = zlib.compressobj(9)
    data = b"".join([*(rows.compress(bytes(width // 8 + 1)) for _ in range(height)), rows.flush()])
    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


@pytest.mark.parametrize(
    ("coded", "words"),
    [
        (b"", "no picture"),
        (b"not a picture at all", "no picture"),
        (b"\xff\xd8" + bytes(500), "no picture"),
        (b"\x89PNG\r\n\x1a\n" + bytes(40), "no picture"),
        (b"RIFF" + bytes(100), "no picture"),
        (b"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>", "no picture"),
        (jpeg()[:300], "no picture"),
        (png(30_000, 30_000), "30000 by 30000 is more than can be read"),
    ],
)
def test_what_cannot_be_looked_at_is_refused_in_a_sentence(client: httpx.Client, coded: bytes, words: str) -> None:
    answer = client.post("/api/read", content=coded)
    assert answer.status_code == 422 and words in answer.json()["detail"]


@pytest.mark.parametrize("ending", [".jpg", ".png", ".webp"])
def test_the_pictures_of_telephones_are_read(ending: str) -> None:
    assert unpacked(jpeg(300, 200, ending)).shape == (200, 300, 3)


def test_a_very_large_photograph_is_unpacked_smaller() -> None:
    coded = bytes(np.asarray(cv2.imencode(".jpg", np.zeros((6000, 8000, 3), np.uint8))[1]))
    assert unpacked(coded).shape == (3000, 4000, 3)


def test_a_picture_taken_upright_is_upright() -> None:
    exif = b"\xff\xe1" + struct.pack(">H", 34) + b"Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01"
    exif += struct.pack(">HHIHH", 0x0112, 3, 1, 6, 0) + struct.pack(">I", 0)
    coded = jpeg(300, 200)
    assert unpacked(coded[:2] + exif + coded[2:]).shape == (300, 200, 3)


def test_one_hand_at_a_time() -> None:
    sight = Shows(*HAND)
    reader = HandReader(lambda: sight, patience=0.05)
    sight.go_on.clear()
    first = threading.Thread(target=reader.read, args=(jpeg(),))
    first.start()
    while not sight.shapes:
        first.join(0.01)
    with pytest.raises(Busy):
        reader.read(jpeg())
    assert reader.busy
    sight.go_on.set()
    first.join()
    assert len(reader.read(jpeg()).cards) == 5


def test_a_picture_larger_than_the_limit_is_refused(client: httpx.Client) -> None:
    answer = client.post("/api/read", content=io.BytesIO(bytes(12 * 1024 * 1024 + 1)).read())
    assert answer.status_code == 413


def test_no_picture_is_an_answer_and_not_a_fault() -> None:
    with pytest.raises(NoPicture):
        unpacked(b"\xff\xd8\xff\xc0\x00\x11\x08\xff\xff\xff\xff\x03" + bytes(20))
