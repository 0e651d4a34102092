from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import pytest

from referee.cards import Card
from tests.vision.scene import Clip, Lying, picture, with_arm
from vision.changes import CardLaid, CardsDrawn, CardTaken, TableChange, ViewBack, ViewLost
from vision.detections import BACK, Detection, Detections, Image, Quads
from vision.frames import Frame, Glimpse
from vision.pipeline import TableWatch, WatchSettings, watch
from vision.zones import Zone, Zones

STOCK = Lying.at("back", 350, 180)
R7, B3, G5 = Lying.at("R7", 150, 180, 5), Lying.at("B3", 156, 174, 24), Lying.at("G5", 146, 186, -30)


class Script:
    """What happens on a drawn table, frame by frame, and a sight that sees it: `see` fulfils `vision.sight.Sight`."""

    def __init__(self) -> None:
        self.clip = Clip(12)
        self.frames: list[Glimpse] = []
        self.lying: list[tuple[Lying, ...]] = []
        self.cards: tuple[Lying, ...] = (STOCK,)
        self.blind = range(0)
        self.misread: list[bool] = []
        """Which looks are misread, from the frame `doubted` on."""
        self.doubted = 0
        self.looks = 0
        self._now: Frame | None = None
        self._wrong = False

    def rest(self, seconds: float, light: float = 1.0) -> "Script":
        return self._show(picture(self.cards, light), seconds)

    def arm(self, tip: tuple[int, int], seconds: float, start: tuple[int, int] = (0, 200)) -> "Script":
        return self._show(with_arm(picture(self.cards), tip, start), seconds)

    def lay(self, card: Lying) -> "Script":
        self.arm((150, 185), 0.5)
        self.cards = (*self.cards, card)
        return self.arm((150, 185), 0.2).rest(1.0)

    def take_back(self) -> "Script":
        self.arm((150, 185), 0.5)
        self.cards = self.cards[:-1]
        return self.arm((150, 185), 0.2).rest(1.0)

    def doubt(self, *misread: bool) -> "Script":
        """From here on the next looks are misread, or not."""
        self.doubted, self.misread = len(self.frames), list(misread)
        return self

    def draw(self) -> "Script":
        return self.arm((350, 190), 0.6, start=(479, 200)).rest(0.6)

    def _show(self, image: Image, seconds: float) -> "Script":
        for frame in self.clip.hold(image, seconds):
            self.frames.append(frame)
            self.lying.append(self.cards)
        return self

    def glimpses(self) -> Iterable[Glimpse]:
        for glimpse in self.frames:
            if isinstance(glimpse, Frame):
                self._now = glimpse
            yield glimpse

    def see(self, image: Image, *, near: Quads | None = None) -> Detections:
        assert self._now is not None
        self.looks += 1
        self._wrong = self._now.index >= self.doubted and bool(self.misread) and self.misread.pop(0)
        offset = int(image.__array_interface__["data"][0]) - int(self._now.image.__array_interface__["data"][0])
        row, rest = divmod(offset, self._now.image.strides[0])
        shift = np.array([rest // 3, row], np.float32)
        if self._now.index in self.blind:
            return Detections.empty()
        found = [self._seen(card, shift) for card in self.lying[self._now.index]]
        return Detections.of([seen for seen in found if 0 <= seen.centre[0] < image.shape[1]])

    def _seen(self, card: Lying, shift: "np.ndarray[tuple[int, ...], np.dtype[np.float32]]") -> Detection:
        wrong = self._wrong and isinstance(card.face, Card)
        face, confidence = (Card.parse("G9"), 0.85) if wrong else (card.face, 0.95)
        return Detection(card.quad - shift, 0.9, face, confidence)

    def changes(self) -> list[TableChange]:
        return list(watch(self.glimpses(), self))


def words(changes: Iterable[TableChange]) -> list[str]:
    said = []
    for change in changes:
        match change:
            case CardLaid(card=card):
                said.append(f"{card or '??'}")
            case CardTaken(card=card):
                said.append(f"-{card}")
            case CardsDrawn(count=count):
                said.append(f"draw {count}")
            case _:
                said.append(type(change).__name__)
    return said


@dataclass(frozen=True)
class Place:
    """A card that cannot be read."""

    quads: Quads
    score: float = 0.8
    there: float = 0.99


class StrangeBacks(Script):
    """A deck the backs of which cannot be read, and a sight that sees where they lie."""

    def see(self, image: Image, *, near: Quads | None = None) -> Detections:
        return Detections.of([card for card in super().see(image, near=near) if card.face != BACK])

    def places(self, image: Image) -> list[Place]:
        assert self._now is not None
        return [Place(card.quad[None]) for card in self.lying[self._now.index]]


def test_the_draw_pile_of_a_deck_with_backs_that_nobody_knows_is_found() -> None:
    told = StrangeBacks().rest(0.6).lay(R7).rest(1.0).draw().lay(B3).changes()
    assert [type(change) for change in told] == [CardLaid, CardsDrawn, CardLaid]


def test_cards_laid_one_after_the_other() -> None:
    assert words(Script().rest(1).lay(R7).lay(B3).lay(G5).changes()) == ["R7", "B3", "G5"]


def test_a_change_carries_its_time_its_place_and_the_hand() -> None:
    script = Script().rest(1).lay(R7).lay(B3)
    change = script.changes()[-1]
    assert isinstance(change, CardLaid) and change.quad is not None and change.hand is not None
    assert change.quad == pytest.approx(B3.quad, abs=0.5)
    assert change.confidence == pytest.approx(0.95)
    assert change.since == pytest.approx(2.7, abs=0.15)
    assert 3.4 < change.seconds < 3.4 + 0.7
    assert change.hand == pytest.approx(175, abs=5)


def test_a_pattern_of_the_table_taken_for_the_pile_is_given_up_when_a_hand_lays_a_card_elsewhere() -> None:
    script = Script()
    script.cards = (STOCK, Lying.at("WC", 240, 60))
    script.rest(1).lay(R7).rest(1).lay(B3)
    assert words(script.changes()) == ["WC", "-WC", "R7", "B3"]


def test_draws_between_plays() -> None:
    script = Script().rest(1).lay(R7).draw().lay(B3).draw().draw().lay(G5)
    assert words(script.changes()) == ["R7", "draw 1", "B3", "draw 1", "draw 1", "G5"]


def test_a_hand_over_the_pile_that_lays_nothing() -> None:
    assert words(Script().rest(1).lay(R7).arm((150, 185), 0.6).rest(1).lay(B3).changes()) == ["R7", "B3"]


def test_a_card_taken_back_and_another_laid() -> None:
    assert words(Script().rest(1).lay(R7).lay(B3).take_back().lay(G5).changes()) == ["R7", "B3", "-B3", "G5"]


def test_the_same_face_again() -> None:
    again = Lying.at("B3", 145, 183, -40)
    assert words(Script().rest(1).lay(R7).lay(B3).lay(again).changes()) == ["R7", "B3", "B3"]


def test_a_lamp_switched_on_is_no_play() -> None:
    assert words(Script().rest(1).lay(R7).rest(1, light=1.3).rest(1, light=0.8).lay(B3).changes()) == ["R7", "B3"]


def test_one_misreading_is_outvoted() -> None:
    script = Script().rest(1).lay(R7).doubt(True).lay(B3)
    assert words(script.changes()) == ["R7", "B3"]


def test_a_card_read_now_this_way_now_that_is_the_likelier_one() -> None:
    script = Script().rest(1).lay(R7).doubt(*[True, False] * 9, False, False).lay(B3).rest(1)
    assert words(script.changes()) == ["R7", "B3"]


def test_a_card_is_not_lost_when_the_next_hand_comes_too_soon_to_be_sure() -> None:
    script = Script().rest(1).lay(R7).doubt(False, True, False).lay(B3)
    del script.frames[-7:], script.lying[-7:]
    script.clip.index -= 7
    script.lay(G5)
    changes = script.changes()
    assert words(changes) == ["R7", "B3", "G5"]
    assert all(change.hand == pytest.approx(175, abs=5) for change in changes if isinstance(change, CardLaid))


def test_a_card_that_nobody_can_read_is_said_to_be_one() -> None:
    script = Script().rest(1).lay(R7)
    before = len(script.frames)
    script.lay(B3).rest(2.5)
    script.blind = range(before, len(script.frames))
    script.lay(G5)
    assert words(script.changes()) == ["R7", "??", "G5"]


def test_a_card_that_can_be_read_later_without_a_hand_is_that_card_and_no_new_one() -> None:
    script = Script().rest(1).lay(R7)
    before = len(script.frames)
    script.lay(B3).rest(2.5)
    script.blind = range(before, len(script.frames))
    sliver = picture(script.cards)
    sliver[150:170, 150:180] //= 2
    script._show(sliver, 0.3).rest(1).lay(G5)
    changes = script.changes()
    assert words(changes) == ["R7", "??", "B3", "G5"]
    assert [change.late for change in changes if isinstance(change, CardLaid)] == [False, False, True, False]


def test_a_card_put_right_while_it_lies_is_no_new_card_when_it_is_moved() -> None:
    script = Script().rest(1).lay(R7)
    table = TableWatch(script)
    script.arm((150, 185), 0.5)
    script.cards = (STOCK, Lying.at("R7", 160, 170, 30))
    script.arm((150, 185), 0.2).rest(1)
    told: list[TableChange] = []
    for glimpse in script.glimpses():
        told += table.step(glimpse)
        if told:
            table.corrected(Card.parse("R7"), Card.parse("R1"))
    assert words(told) == ["R7"]


def test_a_pile_put_elsewhere_by_hand_is_read_there_and_stays_there() -> None:
    script = Script().rest(1).lay(R7).rest(0.5)
    before = len(script.frames)
    script.lay(B3)
    table, told = TableWatch(script), list[TableChange]()
    for index, glimpse in enumerate(script.glimpses()):
        if index == before:
            assert table.zones.discard is not None
            table.move("discard", Zone(60, 60, table.zones.discard.card))
        told += table.step(glimpse)
    assert words(told) == ["R7", "CardsShown"]
    assert table.zones.discard is not None
    assert table.zones.discard == Zone(60, 60, table.zones.discard.card) and table.zones.discard_by_hand


def test_a_pile_left_to_the_camera_again_is_found_and_its_card_is_no_new_one() -> None:
    script = Script().rest(1).lay(R7).rest(0.5)
    before = len(script.frames)
    script.rest(4).lay(B3)
    table, told = TableWatch(script), list[TableChange]()
    for index, glimpse in enumerate(script.glimpses()):
        if index == before:
            table.move("discard", None)
        told += table.step(glimpse)
    assert words(told) == ["R7", "B3"]


def test_a_still_table_is_looked_at_once_more_and_then_no_more() -> None:
    script = Script().rest(1).lay(R7)
    script.changes()
    before, script.looks = script.looks, 0
    script.rest(30).changes()
    assert script.looks <= before + 1


def test_a_view_that_is_lost_and_back_is_passed_on_and_nothing_is_lost() -> None:
    script = Script().rest(1).lay(R7)
    script.frames += [ViewLost(3.0, "gone"), ViewBack(9.0)]
    script.lay(B3)
    assert words(script.changes()) == ["R7", "ViewLost", "ViewBack", "B3"]


def test_a_zone_put_by_hand_is_where_cards_are_awaited() -> None:
    elsewhere = Zones(discard=Zone(60, 60, 80), discard_by_hand=True)
    script = Script().rest(1).lay(R7)
    assert words(watch(script.glimpses(), script, WatchSettings(zones=elsewhere))) == ["CardsShown"]


def test_what_was_seen_last_can_be_shown() -> None:
    script = Script().rest(1).lay(R7)
    table = TableWatch(script)
    for glimpse in script.glimpses():
        table.step(glimpse)
    assert R7.face in table.cards.faces
    assert table.zones.draw is not None and table.zones.draw.x == pytest.approx(350, abs=1)


@pytest.mark.parametrize(("tip", "soon"), [((60, 250), True), ((140, 190), False)])
def test_the_first_card_is_told_once_it_lies_open_though_the_hand_is_still_about(
    tip: tuple[int, int], soon: bool
) -> None:
    script = Script().rest(1).arm((150, 185), 0.5)
    script.cards = (STOCK, R7)
    script.arm(tip, 1.5, start=(0, 320)).rest(1)
    (laid,) = script.changes()
    assert isinstance(laid, CardLaid) and laid.card == R7.face and laid.hand is not None
    assert (laid.seconds < 2) == soon


def test_cards_lying_about_are_no_pile_the_first_card_laid_is() -> None:
    about = (STOCK, Lying.at("G9", 60, 60, 20), Lying.at("Y1", 420, 300, 70))
    script = Script()
    script.cards = about
    script.rest(1).lay(R7).lay(B3)
    assert words(script.changes()) == ["R7", "B3"]


def test_a_hand_that_only_touches_the_draw_pile_is_hardly_a_draw() -> None:
    script = Script().rest(1).lay(R7).draw()
    script.arm((350, 190), 0.6, start=(479, 200))
    script.cards = (Lying.at("back", 352, 182, 2), *script.cards[1:])
    script.rest(0.8)
    drawn = [change for change in script.changes() if isinstance(change, CardsDrawn)]
    assert [change.confidence > 0.5 for change in drawn] == [False, True]
    assert all(change.seconds - change.since < 1.2 for change in drawn)


def test_a_clock_that_goes_back_loses_no_card() -> None:
    script = Script().rest(1).lay(R7)
    script.clip.index -= 30
    script.rest(1).lay(B3)
    script.frames = [replace(frame, index=at) for at, frame in enumerate(script.frames) if isinstance(frame, Frame)]
    assert words(script.changes()) == ["R7", "B3"]


def test_a_camera_that_sends_another_size_in_the_middle_keeps_its_piles() -> None:
    script = Script().rest(1).lay(R7)
    table, told = TableWatch(script), list[TableChange]()
    for glimpse in script.glimpses():
        told += table.step(glimpse)
    before = table.zones
    bigger = Frame(np.repeat(np.repeat(picture(script.cards), 2, 0), 2, 1), script.clip.index / 12, 0)
    table.step(bigger)
    assert before.discard is not None and table.zones.discard is not None and table.zones.draw is not None
    assert table.zones.discard.x == pytest.approx(2 * before.discard.x)
    assert table.zones.discard.card == pytest.approx(2 * before.discard.card)
