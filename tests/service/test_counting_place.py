"""Hands before a second camera, here a folder of pictures whose grey tells which cards lie there."""

import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.cards import Card
from referee.events import Play
from referee.options import MatchSettings
from service.counting_place import CountingPlace, PlaceSettings
from service.reading import HandReader, ReadHand
from service.run import Evening
from service.settings import Settings
from tests.vision.scene import quad_at
from vision.changes import CardsShown
from vision.detections import Detection, Detections, Image, Quads
from vision.frames import Frame, Glimpse, open_source
from vision.zones import Zones

HANDS = {40: "", 90: "B9 R5", 140: "B9 R5 ??", 190: "G1"}


class Greys:
    """Sees the hand that the grey of a picture stands for."""

    def __init__(self) -> None:
        self.looks = 0

    def see(self, image: Image, *, near: Quads | None = None) -> Detections:
        self.looks += 1
        grey = min(HANDS, key=lambda level: abs(level - float(image.mean())))
        names = HANDS[grey].split()
        return Detections.of(
            [
                Detection(
                    quad_at(60 + 60 * at, 60), 0.9, Card.parse("W" if name == "??" else name), 0.9 * (name != "??")
                )
                for at, name in enumerate(names)
            ]
        )

    def read(self, image: Image, zones: Zones) -> ReadHand:
        seen = self.see(image)
        sure = tuple(one for one in seen if one.confidence > 0.5)
        return ReadHand(sure, len(seen) - len(sure), image.shape[1], image.shape[0])


class Film:
    """A source of frames of one grey after another."""

    def __init__(self, *greys: tuple[int, float]) -> None:
        self._greys = greys

    def __enter__(self) -> "Film":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        pass

    def __iter__(self) -> Iterator[Glimpse]:
        seconds, index = 0.0, 0
        for grey, lasts in self._greys:
            for _ in range(round(lasts / 0.5)):
                yield Frame(np.full((90, 160, 3), grey, np.uint8), seconds, index)
                seconds, index = seconds + 0.5, index + 1


def shown(film: Film, *expected: int) -> tuple[list[str], int]:
    """What is told, and how often the pictures were read."""
    told, eyes = list[CardsShown](), Greys()
    place = CountingPlace(film, eyes.read, lambda: expected, told.append, PlaceSettings(pause=0))
    place.run()
    return [" ".join(str(card or "??") for card in one.cards) for one in told], eyes.looks


def test_a_hand_that_fits_is_told_once_when_it_has_lain_still_for_a_moment() -> None:
    assert shown(Film((40, 1), (90, 4), (40, 1)), 2, 5) == (["B9 R5"], 3)
    assert shown(Film((40, 1), (90, 1), (40, 1)), 2, 5)[0] == []


def test_one_that_fits_nobody_is_told_later_and_never_while_cards_are_added() -> None:
    assert shown(Film((90, 2), (140, 2), (40, 1)), 3)[0] == []
    assert shown(Film((140, 4)), 3)[0] == ["B9 R5 ??"]


def test_the_same_hand_comes_again_when_it_was_gone_between() -> None:
    assert shown(Film((90, 2), (40, 1), (90, 2)), 2)[0] == ["B9 R5", "B9 R5"]


def until(holds: Callable[[], bool]) -> None:
    ends = time.monotonic() + 20
    while not holds() and time.monotonic() < ends:
        time.sleep(0.02)
    assert holds()


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    settings = Settings(mute=True, data_dir=tmp_path / "data")
    with Evening.open(settings, socket.create_server(("127.0.0.1", 0)), settings.database) as evening:
        yield evening


def test_a_folder_is_looked_at_when_a_round_is_over_and_counts_the_hand(evening: Evening, tmp_path: Path) -> None:
    pictures, eyes = tmp_path / "hands", Greys()
    pictures.mkdir()
    for number, grey in enumerate((40, 190, 90)):
        cv2.imwrite(str(pictures / f"{number}.png"), np.full((90, 160, 3), grey, np.uint8))
    evening.desk.hands = HandReader(lambda: eyes)
    place = evening.count_at(open_source(str(pictures), pace="live"))
    evening.play(MatchSettings(("Anna", "Bram"), counts=(1, 2), top=Card.parse("R5"), turn=1))
    assert place.picture() is not None and eyes.looks == 0
    evening.table.apply(Play(1, Card.parse("R7")))
    until(lambda: "2 hand R5 B9" in evening.table.record())
    state = evening.table.state
    assert state is not None and state.scores == (14, 0)
