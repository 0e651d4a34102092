from dataclasses import replace

import pytest

from tests.vision.scene import Lying
from tests.vision.test_pipeline import R7, Script
from vision.changes import CardsDrawn, CardsShown
from vision.detections import Detections, Image
from vision.spread import SpreadWatch, without_doubles

HAND = tuple(Lying.at(name, 215 + 60 * at, 60) for at, name in enumerate(("B3", "G5", "W", "Y1")))


class Table(Script):
    """One on which cards are laid open, too."""

    def open(self, *cards: Lying, at: tuple[int, int] = (300, 70), start: tuple[int, int] = (479, 60)) -> "Table":
        self.arm(at, 0.5, start)
        self.cards = (*self.cards, *cards)
        self.arm(at, 0.2, start).rest(2.5)
        return self

    def gather(self, count: int, at: tuple[int, int] = (300, 70), start: tuple[int, int] = (479, 60)) -> "Table":
        self.arm(at, 0.5, start)
        self.cards = self.cards[:-count]
        self.arm(at, 0.2, start).rest(1.5)
        return self

    def begun(self) -> "Table":
        self.rest(1).lay(R7)
        return self

    def shown(self) -> list[tuple[str, str | None]]:
        return [
            (" ".join(str(card or "??") for card in change.cards), change.pile)
            for change in self.changes()
            if isinstance(change, CardsShown)
        ]


def test_a_hand_laid_open_is_told_once_with_the_arm_that_laid_it() -> None:
    table = Table().begun().open(*HAND)
    [shown] = [change for change in table.changes() if isinstance(change, CardsShown)]
    assert sorted(map(str, shown.cards)) == ["B3", "G5", "W", "Y1"] and shown.pile is None
    assert shown.hand is not None and shown.hand % 360 > 300
    assert shown.since < shown.seconds - 0.8 and shown.confidence > 0.9


def test_the_next_hand_is_another_one() -> None:
    table = Table().begun().open(*HAND).gather(4).open(HAND[0], Lying.at("R9", 290, 60))
    assert [sorted(names.split()) for names, _ in table.shown()] == [["B3", "G5", "W", "Y1"], ["B3", "R9"]]


def test_a_card_added_to_a_hand_is_told_with_the_rest_of_it() -> None:
    table = Table().begun().open(*HAND[:3]).open(HAND[3])
    assert [len(names.split()) for names, _ in table.shown()] == [3, 4]


def test_a_card_on_the_draw_pile_is_neither_play_nor_draw() -> None:
    table = Table().begun()
    place, start = (350, 190), (479, 200)
    table.open(Lying.at("R9", 352, 178, 4), at=place, start=start).gather(1, at=place, start=start)
    changes = table.changes()
    assert [str(change.cards[0]) for change in changes if isinstance(change, CardsShown)] == ["R9"]
    assert not any(isinstance(change, CardsDrawn) for change in changes)
    assert [change.pile for change in changes if isinstance(change, CardsShown)] == ["draw"]


def test_a_card_beside_the_discard_pile_is_told_of() -> None:
    table = Table().begun().open(Lying.at("R9", 150, 60), at=(150, 70), start=(0, 60))
    assert table.shown() == [("R9", "discard")]


def test_a_corner_of_a_card_that_was_found_is_no_card_of_its_own() -> None:
    found, again = Lying.at("R9", 100, 100).seen(), replace(Lying.at("R9", 145, 104).seen(), score=0.0)
    other, far = replace(Lying.at("B3", 60, 100).seen(), score=0.0), replace(Lying.at("R9", 190, 100).seen(), score=0.0)
    kept = without_doubles(Detections.of([found, again, other, far]))
    assert [str(card.face) for card in kept] == ["R9", "B3", "R9"]


class Close(Table):
    """One that counts its close looks."""

    close = 0

    def see_closely(self, image: Image) -> Detections:
        self.close += 1
        return self.see(image)


def test_only_cards_away_from_the_discard_pile_are_worth_a_close_look() -> None:
    table = Close()
    table.begun().lay(Lying.at("B3", 156, 174, 24))
    table.open(Lying.at("back", 252, 180), at=(252, 180))
    table.changes()
    assert table.close == 0 and table.looks > 0
    hand = Close()
    hand.begun().open(*HAND)
    assert len(hand.shown()) == 1 and hand.close == 2


def test_play_costs_no_look_away_from_the_pile(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table().begun()
    table.lay(Lying.at("B3", 156, 174, 24)).draw().lay(Lying.at("G5", 146, 186, -30))
    assert table.shown() == []
    looks, table.looks = table.looks, 0
    monkeypatch.setattr(SpreadWatch, "follow", lambda *given: [])
    assert table.shown() == [] and table.looks == looks
