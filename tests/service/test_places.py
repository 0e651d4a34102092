import pytest

from service.arms import Known
from service.places import Places


def test_nobody_is_expected_anywhere_before_anybody_was_seen() -> None:
    places = Places(4)
    assert places.expected(2, "discard") is None
    assert places.whose((2, 3), "discard", 170) == 2


def test_even_spaces_are_assumed_from_the_one_who_was_seen() -> None:
    places = Places(4)
    places.learn(1, "discard", 350)
    assert places.expected(2, "discard") == pytest.approx(80)
    assert places.expected(3, "draw") == pytest.approx(170)
    assert places.whose((2, 3), "discard", 165) == 3


def test_where_somebody_was_seen_counts_more_than_even_spaces() -> None:
    places = Places(4)
    for direction in (20, 350, 5):
        places.learn(1, "discard", direction)
    places.learn(3, "discard", 120)
    assert places.expected(1, "discard") == pytest.approx(5, abs=0.1)
    assert places.expected(3, "discard") == pytest.approx(120)
    assert places.whose((2, 3), "discard", 115) == 3


def test_the_likeliest_seat_wins_where_it_is_not_clear() -> None:
    places = Places(4)
    places.learn(1, "discard", 0)
    places.learn(2, "discard", 90)
    assert places.whose((1, 2), "discard", 48) == 1
    assert places.whose((2, 1), "discard", 42) == 2
    assert places.whose((1, 2), "discard", 60) == 2


def test_each_pile_has_its_own_directions() -> None:
    places = Places(4)
    places.learn(2, "discard", 90)
    places.learn(2, "draw", 60)
    assert places.expected(2, "discard") == pytest.approx(90)
    assert places.expected(2, "draw") == pytest.approx(60)


def test_a_hand_that_was_not_seen_is_the_likeliest_ones() -> None:
    places = Places(4)
    places.learn(3, "discard", 180)
    assert places.whose((2, 3), "discard", None) == 2


def test_people_may_move() -> None:
    places = Places(4)
    for direction in [0] * 12 + [60] * 12:
        places.learn(1, "discard", direction)
    assert places.expected(1, "discard") == pytest.approx(60)


def test_whose_hand_it_was_follows_what_the_record_has_learnt_of_each_seat() -> None:
    known = Known(10).learnt(6, "draw", 162.0).learnt(6, "discard", 159.0).learnt(7, "discard", 190.0)
    assert known.whose((6, 7), "discard", 193.0) == 7
    assert known.whose((6, 7), "discard", 161.0) == 6
    assert known.whose((7, 6), "discard", 175.0) == 7, "between both it is the likelier one's"
    assert known.whose((6, 7), "discard", None) == 6
