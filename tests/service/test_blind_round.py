"""A whole round without a page and without sight: set up by keys and voice, the camera put right by what it says,
played by keys and command cards, followed by ear."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.marks import pasted, printed
from referee.record import parse, plain
from service import speech
from service.commands import commands, grammar
from service.ears import Ears, grammars
from service.framing import Advice, framing
from service.hands import Hands
from service.keys import Keys
from service.microphone import WavFile
from service.phrases import Phrases
from service.recognisers import EarsError, Recogniser, recogniser
from service.sound import append_wav
from service.store import Store
from service.table import Table
from tests.vision.scene import Clip, Lying, picture, with_arm
from vision.changes import CommandShown
from vision.detections import Detections, Image, Quads
from vision.frames import Frame
from vision.pipeline import TableWatch

STOCK = Lying.at("back", 350, 180)
PLACES = ((150, 180, 5), (156, 174, 24), (146, 186, -30), (152, 178, 60), (149, 183, -12))
ASIDE = -90
GRAIN = cv2.GaussianBlur(np.random.default_rng(5).normal(0, 60, (360, 480)), (0, 0), 1.5).astype(np.int16)
"""Wood, by which the camera knows that it was moved."""
ROUND = """[Players "Anna;Henry"]
[Dealer "1"]
deal 1
start G5
2 G7
1 draw
1 pass
2 W
2 colour B
1 draw
1 pass
2 B2
1 draw
1 pass
2 B9
1 draw
1 pass
2 R9
1 draw
1 pass
2 R1
2 uno
1 draw
1 pass
2 R2
1 points 45
"""


class Evening:
    """A table under a camera that sees drawn cards, with its keys; what it says is all that anybody gets to know."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.hands = Hands(table, framing=self._framing)
        self.keys = Keys(self.hands)
        self.clip, self.cards = Clip(12), [STOCK]
        self.aside = ASIDE
        """By how many pixels the camera sees everything too far to the right; to the left when it is negative."""
        self._watch, self._frame = TableWatch(self), Frame(self.picture(), 0.0, 0)
        self._heard = 0

    def _framing(self) -> Advice:
        return framing(self._frame.image, self._watch.zones.discard)

    def see(self, image: Image, *, near: Quads | None = None) -> Detections:
        offset = int(image.__array_interface__["data"][0]) - int(self._frame.image.__array_interface__["data"][0])
        row, rest = divmod(offset, self._frame.image.strides[0])
        # those below are covered
        here = [
            Lying(card.face, card.quad + np.array([self.aside, 0], np.float32)).seen()
            for card in (STOCK, *self.cards[1:][-3:])
        ]
        seen = Detections.of([one for one in here if 0 <= one.centre[0] - rest // 3 < image.shape[1]])
        return Detections(
            seen.quads - np.array([rest // 3, row], np.float32), seen.scores, seen.faces, seen.confidences
        )

    def film(self, image: Image, seconds: float) -> None:
        for frame in self.clip.hold(image, seconds):
            self._frame = frame
            for change in self._watch.step(self._frame):
                self.hands.shown(change) if isinstance(change, CommandShown) else self.table.see(change)
        self.keys.tick()

    def picture(self) -> Image:
        seen = np.roll(picture(self.cards).astype(np.int16) + GRAIN[:, :, None], self.aside, axis=1)
        return np.asarray(seen.clip(0, 255), np.uint8)

    def rest(self, seconds: float) -> None:
        self.film(self.picture(), seconds)

    def lay(self, face: str) -> None:
        self.film(with_arm(self.picture(), (150, 185)), 0.5)
        self.cards.append(Lying.at(face, *PLACES[len(self.cards) % len(PLACES)]))
        self.film(with_arm(self.picture(), (150, 185)), 0.2)
        self.rest(1.2)

    def show(self, command: str) -> None:
        """Hold a command card into the picture for a moment."""
        square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * 33 + [400, 60]
        held = pasted(self.picture(), printed(commands()[command].mark or 0), np.asarray(square, np.float32))
        self.film(held, 1.0)
        self.rest(2.0)

    def speak(self, text: str, wav: Path) -> None:
        """Push to talk, and say `text`; without a recogniser it is understood all the same."""
        speech.save(text, wav, speech.SpeechSettings(espeak_voice="en-us", rate=150))
        append_wav(wav, bytes(16_000), 22_050)
        language = self.table.phrases.language
        try:
            heard: Recogniser = recogniser(grammars(language), "en")
        except EarsError:
            heard = Understanding(text)
        ears = Ears(self.hands, heard, grammar(language), lambda: WavFile(wav, hurry=True))
        done = threading.Event()
        self.hands.talk = lambda: ears.push(done.set)
        self.press(" ")
        assert done.wait(20)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.keys.press(key)
            self.keys.tick()

    def heard(self) -> str:
        """What was said since this was asked last."""
        captions = [one for one in self.table.snapshot()["captions"] if one["number"] > self._heard]
        self._heard = captions[-1]["number"] if captions else self._heard
        return " ".join(one["text"] for one in captions)


class Understanding:
    """A recogniser for where there is none."""

    name = "understanding"

    def __init__(self, text: str) -> None:
        self._text = text

    def hear(self, samples: bytes, grammar: str) -> str:
        return self._text if samples else ""


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    with Store.open(tmp_path / "t.sqlite") as store:
        ready: list[Evening] = []
        table = Table.open(store, Phrases.load("en"), clock=lambda: ready[0].clip.index / 12 if ready else 0.0)
        ready.append(Evening(table))
        yield ready[0]


def set_up(evening: Evening, wav: Path) -> None:
    """By keys and by voice, with the help and the way back that somebody who does it for the first time needs."""
    evening.keys.tick()
    assert evening.heard().startswith("How many players, two to ten?")
    evening.press("*")
    assert evening.heard().endswith("Now type how many play, such as 3, then Enter.")
    evening.press("9", "Enter", "-", "2", "Enter")
    assert evening.heard().endswith("or the number of a usual name, or just Enter for Seat 1.")
    evening.press(*"Anna", "Enter")
    evening.heard()
    evening.speak("henry", wav)
    assert evening.heard() == "Henry? Yes or no."
    evening.speak("yes", wav)
    assert evening.heard() == "Henry. Who deals first? Type the number, or just Enter for Anna: 1 Anna and 2 Henry."
    evening.press("Enter")
    assert evening.heard() == "Anna and Henry play, and Anna deals. Enter begins, minus goes back."


def put_the_camera_right(evening: Evening) -> None:
    """A card is laid to try it out: where the camera must go is said until it is right."""
    evening.press("/", "9")
    assert evening.heard() == "I see no discard pile yet. Lay a card face up in the middle of the table."
    evening.cards.append(Lying.at("R4", 150, 180))
    evening.rest(2)
    evening.press("/", "9")
    assert evening.heard() == "I see the discard pile; move the camera a little to the left."
    for evening.aside in range(ASIDE, 1, 10):
        evening.film(evening.picture(), 0.1)
    evening.rest(3)
    evening.press("/", "9")
    assert evening.heard() == "I see the discard pile in the middle. The camera is well placed."
    evening.cards.pop()
    evening.film(with_arm(evening.picture(), (150, 185)), 0.5)
    evening.rest(2)
    assert evening.heard() == "", "nothing is played yet"


def test_a_round_by_keys_and_command_cards_alone(evening: Evening, tmp_path: Path) -> None:
    set_up(evening, tmp_path / "said.wav")
    put_the_camera_right(evening)
    evening.press("Enter")
    assert "A new match: Anna and Henry." in evening.heard()
    evening.lay("G5")
    assert evening.heard().endswith("The first card is green five. Henry's turn, seven cards.")
    evening.press("/", "9")
    assert evening.heard() == "I see the discard pile in the middle. The camera is well placed."
    evening.lay("G7")
    assert evening.heard() == "Henry: green seven. Anna's turn, seven cards."
    evening.show("draw")
    assert evening.heard() == "Anna draws one card."
    evening.show("pass")
    assert evening.heard() == "Anna keeps the card. Henry's turn, six cards."
    evening.lay("W")
    assert evening.heard() == "Henry: wild. Henry, which colour?"
    evening.show("blue")
    assert evening.heard() == "The colour is blue. Anna's turn, eight cards."
    evening.show("repeat")
    assert evening.heard() == "Henry: wild. Henry, which colour? The colour is blue. Anna's turn, eight cards."
    for card in ("B2", "B9", "R9"):
        evening.press("+", "-")
        evening.lay(card)
    evening.press("1", "2", "4")
    said = evening.heard()
    assert said.endswith("The top card is red nine. Cards: Anna eleven and Henry two.")
    evening.press("+", "-")
    evening.lay("R1")
    evening.show("uno")
    assert "Henry calls uno." in evening.heard()
    evening.press("+", "-")
    evening.lay("R2")
    evening.rest(0.5)
    said = evening.heard()
    assert "Henry has no cards left." in said and said.endswith("the hand of Anna? Type the number, then Enter.")
    evening.press("4", "5", "Enter")
    assert "Henry wins the round and scores 45 points." in evening.heard()
    evening.press("5")
    assert evening.heard() == "The score: Anna 0 and Henry 45."
    assert plain(parse(evening.table.record().rstrip("\n"), "played")) == plain(parse(ROUND, "meant"))
