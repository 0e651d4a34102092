from pathlib import Path

import numpy as np
import pytest

from referee.cards import Card, Colour
from referee.events import Hand, NameColour, Pass, Play, Start, Swap, Uno
from referee.options import MatchSettings
from referee.record import parse, plain, replay
from service import films
from service.sentences import Refusal
from vision.detections import Detections, Image, Quads
from vision.eyes import Eyes
from vision.frames import Frame, open_source

R7 = Card.parse("R7")


class Blind:
    """A sight that sees nothing."""

    def see(self, image: Image, *, near: Quads | None = None) -> Detections:
        return Detections.empty()


def test_words_are_what_no_camera_sees_in_the_order_of_their_times() -> None:
    hand = Hand(2, (R7,), seconds=9)
    truth = [
        hand,
        Start(R7, seconds=1),
        Play(1, Card.parse("W"), Colour.BLUE, uno=True, seconds=3),
        Pass(2, seconds=4),
        Play(2, Card.parse("WS"), Colour.RED, 1, seconds=5),
    ]
    assert films.words_of(truth) == [
        NameColour(1, Colour.BLUE, seconds=3),
        Uno(1, seconds=3),
        NameColour(2, Colour.RED, seconds=5),
        Swap(2, 1, seconds=5),
        hand,
    ]


def test_a_film_of_nothing_is_an_empty_record_with_the_words_that_were_said() -> None:
    settings = MatchSettings(players=("Anna", "Bram"), dealer=1)
    record = films.watch([], Blind(), settings, [Hand(2, (R7,), seconds=1.26)])
    assert str(record) == '[Players "Anna;Bram"]\n[Dealer "1"]\n2 hand R7 @1.3\n'


@pytest.mark.parametrize("players", [0, 1, 11])
def test_a_game_has_two_to_ten_players(tmp_path: Path, players: int) -> None:
    with pytest.raises(Refusal, match=f"A game has 2 to 10 players, not {players}"):
        films.simulate(1, players, tmp_path / "a.mp4", tmp_path / "a.trn")


def test_away_from_a_checkout_there_is_no_workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr("importlib.import_module", missing)
    with pytest.raises(Refusal, match="in a checkout of the source"):
        films.simulate(1, 3, tmp_path / "a.mp4", tmp_path / "a.trn")


def test_without_the_packages_that_draw_their_lack_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_painter(name: str) -> None:
        raise ModuleNotFoundError("No module named 'PIL'", name="PIL")

    monkeypatch.setattr("importlib.import_module", no_painter)
    with pytest.raises(Refusal, match=r"not installed \(PIL\): pip install --group dev"):
        films.simulate(1, 3, tmp_path / "a.mp4", tmp_path / "a.trn")


def test_a_place_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match=r"The film cannot be made: .*No such file"):
        films.simulate(1, 3, tmp_path / "a.mp4", tmp_path / "nowhere" / "a.trn")


def test_watching_needs_no_words() -> None:
    still = [Frame(np.zeros((90, 120, 3), np.uint8), at / 10, at) for at in range(30)]
    record = films.watch(still, Blind(), MatchSettings(players=("Anna", "Bram")))
    assert str(record) == '[Players "Anna;Bram"]\n'


def test_the_film_that_ships_is_read_to_its_truth() -> None:
    home = Path(films.__file__).parent / "demo"
    truth = parse((home / "demo.trn").read_text("utf-8"))
    with open_source(str(home / "demo.mp4")) as source:
        record = films.watch(source, Eyes.load(), truth.settings, films.words_of(replay(truth).events))
    assert plain(record) == plain(truth)
