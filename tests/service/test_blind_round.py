"""A whole round without a page and without sight: set up by keys, told by keys and command cards, followed by ear."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from datasets.marks import pasted, printed
from referee.record import parse, plain
from service.commands import commands
from service.framing import Advice, framing
from service.hands import Hands
from service.keys import Keys
from service.phrases import Phrases
from service.store import Store
from service.table import Table
from tests.vision.scene import Clip, Lying, picture, with_arm
from vision.changes import CommandShown
from vision.detections import Detections, Image, Quads
from vision.frames import Frame
from vision.pipeline import TableWatch

STOCK = Lying.at("back", 350, 180)
PLACES = ((150, 180, 5), (156, 174, 24), (146, 186, -30), (152, 178, 60), (149, 183, -12))
ROUND = """[Players "Anna;Seat 2"]
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
        self._watch, self._frame = TableWatch(self), Frame(picture(self.cards), 0.0, 0)
        self._heard = 0

    def _framing(self) -> Advice:
        return framing(self._frame.image, self._watch.zones.discard)

    def see(self, image: Image, *, near: Quads | None = None) -> Detections:
        offset = int(image.__array_interface__["data"][0]) - int(self._frame.image.__array_interface__["data"][0])
        row, rest = divmod(offset, self._frame.image.strides[0])
        here = [card.seen() for card in (STOCK, *self.cards[1:][-3:])]  # those below are covered
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

    def rest(self, seconds: float) -> None:
        self.film(picture(self.cards), seconds)

    def lay(self, face: str) -> None:
        self.film(with_arm(picture(self.cards), (150, 185)), 0.5)
        self.cards.append(Lying.at(face, *PLACES[len(self.cards) % len(PLACES)]))
        self.film(with_arm(picture(self.cards), (150, 185)), 0.2)
        self.rest(1.2)

    def show(self, command: str) -> None:
        """Hold a command card into the picture for a moment."""
        square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * 33 + [400, 60]
        held = pasted(picture(self.cards), printed(commands()[command].mark or 0), np.asarray(square, np.float32))
        self.film(held, 1.0)
        self.rest(2.0)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.keys.press(key)
            self.keys.tick()

    def heard(self) -> str:
        """What was said since this was asked last."""
        captions = [one for one in self.table.snapshot()["captions"] if one["number"] > self._heard]
        self._heard = captions[-1]["number"] if captions else self._heard
        return " ".join(one["text"] for one in captions)


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    with Store.open(tmp_path / "t.sqlite") as store:
        ready: list[Evening] = []
        table = Table.open(store, Phrases.load("en"), clock=lambda: ready[0].clip.index / 12 if ready else 0.0)
        ready.append(Evening(table))
        yield ready[0]


def test_a_round_by_keys_and_command_cards_alone(evening: Evening) -> None:
    evening.keys.tick()
    assert evening.heard().startswith("How many players, two to ten?")
    evening.press("2", "Enter", *"Anna", "Enter", "Enter", "Enter", "Enter")
    assert "A new match: Anna and Seat 2." in evening.heard()
    evening.rest(1)
    evening.press("/", "9")
    assert evening.heard().endswith("Lay a card face up in the middle of the table.")
    evening.lay("G5")
    assert evening.heard().endswith("The first card is green five. Seat 2's turn, seven cards.")
    evening.press("/", "9")
    assert evening.heard() == "I see the discard pile in the middle. The camera is right."
    evening.lay("G7")
    assert evening.heard() == "Seat 2: green seven. Anna's turn, seven cards."
    evening.show("draw")
    assert evening.heard() == "Anna draws one card."
    evening.show("pass")
    assert evening.heard() == "Anna keeps the card. Seat 2's turn, six cards."
    evening.lay("W")
    assert evening.heard() == "Seat 2: wild. Seat 2, which colour?"
    evening.show("blue")
    assert evening.heard() == "The colour is blue. Anna's turn, eight cards."
    for card in ("B2", "B9", "R9"):
        evening.press("+", "-")
        evening.lay(card)
    evening.press("1", "2", "4")
    said = evening.heard()
    assert said.endswith("The top card is red nine. Cards: Anna eleven cards and Seat 2 two cards.")
    evening.press("+", "-")
    evening.lay("R1")
    evening.show("uno")
    assert "Seat 2 calls uno." in evening.heard()
    evening.press("+", "-")
    evening.lay("R2")
    evening.rest(0.5)
    said = evening.heard()
    assert "Seat 2 has no cards left." in said and said.endswith("the hand of Anna? Type the number, then Enter.")
    evening.press("4", "5", "Enter")
    assert "Seat 2 wins the round and scores 45 points." in evening.heard()
    evening.press("5")
    assert evening.heard() == "The score: Anna 0 and Seat 2 45."
    assert plain(parse(evening.table.record().rstrip("\n"), "played")) == plain(parse(ROUND, "meant"))
