"""What is told of a card once the other cards of the evening have had their word."""

from __future__ import annotations

import numpy as np
import pytest

from referee.cards import FACES, Card, Rank
from tests.vision.scene import quad_at
from tests.vision.test_acquaintance import OTHERS, RANK_OF, SEVEN, sign
from vision.changes import CardLaid, CardReread, CardsShown
from vision.detections import Detection, Detections, Image, Quads, Shares, likeliest
from vision.evening import Evening
from vision.prints import Print

HERE = quad_at(150, 180)
PICTURE: Image = np.zeros((4, 4, 3), np.uint8)


class Seeing:
    """A sight that is told which sign it sees."""

    def __init__(self, knows_the_deck: bool = False) -> None:
        self.sign = sign(0)
        self._knows = knows_the_deck
        self.asked = 0

    def see(self, image: Image, *, near: Quads | None = None) -> Detections:
        return Detections.empty()

    def print_of(self, image: Image, quad: Quads) -> Print | None:
        self.asked += 1
        return None if self._knows else self.sign


class Blind:
    """A sight that cannot tell signs."""

    def see(self, image: Image, *, near: Quads | None = None) -> Detections:
        return Detections.empty()


class Table:
    """An evening at which cards are laid, one a second."""

    def __init__(self, sight: Seeing | Blind | None = None) -> None:
        self.sight = sight or Seeing()
        self.evening, self.now = Evening(self.sight), 0.0

    def lays(self, print_of: Print | None = None, **faces: float) -> tuple[CardLaid, *tuple[CardReread, ...]]:
        self.now += 1
        if print_of is not None and isinstance(self.sight, Seeing):
            self.sight.sign = print_of
        told = shares(**faces)
        (card, sure), *_ = likeliest(told)
        change = CardLaid(card, sure, self.now, self.now - 0.5, HERE, 90.0, likeliest(told))
        return self.evening.laid(change, told, PICTURE)

    def knows(self, *ranks: int) -> Table:
        for rank in ranks:
            for seed, colour in enumerate("RYG"):
                self.lays(sign(rank, seed=seed), **{f"{colour}{RANK_OF[rank]}": 0.999})
        return self


def shares(**faces: float) -> Shares:
    told = np.full(len(FACES), 1e-8, np.float32)
    for name, share in faces.items():
        told[FACES.index(Card.parse(name))] = share
    return told


def sevens_and_ones(table: Table) -> list[tuple[CardLaid, *tuple[CardReread, ...]]]:
    """A strange 1, twice, then two 7s."""
    one, seven = list(Rank).index(Rank.ONE), SEVEN
    strange = [table.lays(sign(one, seed=seed), Y7=0.99, Y1=0.009) for seed in range(2)]
    return [*strange, *(table.lays(sign(seven, seed=seed), Y7=0.9999, Y1=2e-5) for seed in range(2))]


def test_a_strange_one_is_put_right_once_the_sevens_have_come_and_known_from_then_on() -> None:
    table = Table().knows(*OTHERS)
    *_, last = told = sevens_and_ones(table)
    assert [str(change.card) for change, *_ in told] == ["Y7"] * 4
    reread = [again for _, *rest in told for again in rest]
    assert [(str(again.card), again.laid) for again in reread] == [("Y1", table.now - 3), ("Y1", table.now - 2)]
    assert reread[0].seconds <= last[0].seconds and reread[0].confidence > 0.9
    now, *rest = table.lays(sign(list(Rank).index(Rank.ONE), seed=5), G7=0.99, G1=0.008)
    assert str(now.card) == "G1" and str(now.faces[0][0]) == "G1" and now.confidence == now.faces[0][1] and not rest
    assert (now.hand, now.since, now.quad is HERE) == (90.0, table.now - 0.5, True)


@pytest.mark.parametrize("sight", [Blind(), Seeing(knows_the_deck=True)])
def test_without_prints_all_is_told_as_it_is_seen(sight: Blind | Seeing) -> None:
    table = Table(sight).knows(*OTHERS)
    assert all(str(change.card) == "Y7" and not rest for change, *rest in sevens_and_ones(table))


def test_wilds_are_told_as_they_are_seen_and_keep_their_share() -> None:
    table = Table().knows(*OTHERS)
    assert isinstance(table.sight, Seeing)
    asked = table.sight.asked
    change, *rest = table.lays(sign(77), W=0.9, B7=0.08)
    assert table.sight.asked == asked  # which would take time for nothing
    assert str(change.card) == "W" and change.confidence == pytest.approx(0.9) and not rest
    change, *_ = table.lays(sign(SEVEN), B7=0.8, W=0.15, B1=0.04)
    assert str(change.card) == "B7" and dict(change.faces)[Card.parse("W")] == pytest.approx(0.15)


def test_a_card_that_looks_otherwise_later_is_told_of_when_that_holds_among_the_others() -> None:
    table = Table().knows(*OTHERS, SEVEN)
    first, *_ = table.lays(sign(99), R7=0.4, R1=0.2, R4=0.2, R2=0.15)
    assert str(first.card) == "R7"
    one = CardReread(
        Card.parse("R1"), 0.8, table.now + 2, table.now, ((Card.parse("R1"), 0.8), (Card.parse("R7"), 0.2))
    )
    assert isinstance(table.sight, Seeing)
    table.sight.sign = sign(SEVEN)
    assert not table.evening.again(one, PICTURE, HERE)  # it looks like all other sevens
    table.sight.sign = sign(list(Rank).index(Rank.ONE))
    [told] = table.evening.again(one, PICTURE, HERE)
    assert str(told.card) == "R1" and told.laid == table.now and told.confidence > 0.9


def test_a_card_that_was_never_met_is_told_of_as_it_is_seen() -> None:
    change = CardReread(Card.parse("R1"), 0.8, 5.0, 3.0, ((Card.parse("R1"), 0.8),))
    assert Table().evening.again(change, PICTURE, HERE) == [change]


def test_what_was_put_right_is_told_once_more_when_it_has_become_sure() -> None:
    """Who is told that it is likely may wait for more: then that comes, once."""
    table, one = Table().knows(*OTHERS), list(Rank).index(Rank.ONE)
    first, *_ = table.lays(sign(one), Y7=0.9, Y1=0.09)
    told = [table.lays(sign(SEVEN, seed=seed), Y7=0.99, Y1=0.002) for seed in range(2)]
    told += [table.lays(sign(one, seed=seed), Y7=0.5, Y1=0.49) for seed in range(1, 4)]
    about = [change for _, *rest in told for change in rest if change.laid == first.seconds]
    assert str(first.card) == "Y7" and [str(change.card) for change in about] == ["Y1", "Y1"]
    assert about[0].confidence + 0.005 < about[1].confidence


def open_hand(**faces: float) -> tuple[CardsShown, list[Detection], Image]:
    """One card laid open, as it is read."""
    told = shares(**faces)
    (card, sure), *_ = likeliest(told)
    return CardsShown((card, None), sure, 50.0, 49.0), [Detection(HERE, 0.9, card, sure, told)] * 2, PICTURE


def test_a_card_of_a_hand_is_what_the_cards_that_came_say() -> None:
    table, one = Table().knows(*OTHERS), list(Rank).index(Rank.ONE)
    sevens_and_ones(table)
    assert isinstance(table.sight, Seeing)
    table.sight.sign = sign(one, seed=7)
    shown = table.evening.shown(*open_hand(G7=0.99, G1=0.008))
    assert [str(card) for card in shown.cards] == ["G1", "None"] and (shown.seconds, shown.since) == (50.0, 49.0)
    table.sight.sign = sign(SEVEN, seed=8)
    assert str(table.evening.shown(*open_hand(R7=0.9999, R1=2e-5)).cards[0]) == "R7"
    again, *_ = table.lays(sign(one, seed=9), B7=0.99, B1=0.008)
    assert str(again.card) == "B1", "what lies open teaches nothing, and spoils nothing"


def test_a_card_of_a_hand_that_is_like_none_that_came_is_what_it_is_read_as() -> None:
    table = Table().knows(*OTHERS)
    assert isinstance(table.sight, Seeing)
    table.sight.sign = sign(55)
    assert str(table.evening.shown(*open_hand(R7=0.6, R1=0.39)).cards[0]) == "R7"
    assert str(table.evening.shown(*open_hand(W=0.99)).cards[0]) == "W"


@pytest.mark.parametrize("sight", [Blind(), Seeing(knows_the_deck=True)])
def test_a_hand_without_prints_is_told_as_it_is_read(sight: Blind | Seeing) -> None:
    table = Table(sight).knows(*OTHERS)
    assert str(table.evening.shown(*open_hand(G7=0.6, G1=0.39)).cards[0]) == "G7"
