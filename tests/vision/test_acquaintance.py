"""A deck learnt while it is played: signs that look different are different ranks."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from referee.cards import Rank
from vision.acquaintance import STANDARD, Acquaintance
from vision.prints import RANKS, Print

Floats = npt.NDArray[np.float32]

ONE, SIX, SEVEN, NINE = (list(Rank).index(rank) for rank in (Rank.ONE, Rank.SIX, Rank.SEVEN, Rank.NINE))
RANK_OF = list(Rank)
OTHERS = [rank for rank in range(RANKS) if rank not in (ONE, SEVEN)]


def shares(**given: float) -> Floats:
    """Shares of ranks by their letters (`r7`), the rest evenly over all others."""
    told = np.full(RANKS, 1e-7, np.float32)
    for name, share in given.items():
        told[list(Rank).index(Rank(name[1:]))] = share
    return told


def sign(number: int, corner: int | None = None, noise: float = 0.0, seed: int = 0) -> Print:
    """The print of a sign by its number; unlike all others, or of the same whole and another `corner`."""
    rng = np.random.default_rng((number, 5))
    whole, shake = np.tile(rng.normal(size=19), (11, 1)), np.random.default_rng((number, seed))
    whole = whole + noise * shake.normal(size=whole.shape)
    round_it = np.random.default_rng((number if corner is None else corner, 6)).normal(size=13)
    return Print(
        np.asarray(whole / np.linalg.norm(whole, axis=1, keepdims=True), np.float32),
        np.asarray(round_it / np.linalg.norm(round_it), np.float32),
    )


def familiar(*ranks: int) -> Acquaintance[str]:
    """A deck of which three cards of each of these ranks came."""
    deck = Acquaintance[str]()
    for rank in ranks:
        for colour in range(3):
            deck.meet(f"{rank}-{colour}", shares(**{f"r{RANK_OF[rank]}": 0.999}), sign(rank, seed=colour), colour)
    return deck


def test_of_two_signs_that_are_read_as_seven_the_less_likely_one_is_the_one_that_was_missing() -> None:
    deck = familiar(*OTHERS)
    first = deck.meet("odd", shares(r7=0.991, r1=0.008), sign(ONE), 1)
    assert first.argmax() == SEVEN and not deck.changed()
    deck.meet("odd again", shares(r7=0.99, r1=0.009), sign(ONE, seed=1), 1)
    for number in range(2):
        plain = deck.meet(f"seven {number}", shares(r7=0.9999, r1=2e-5), sign(SEVEN, seed=number), 1)
        assert plain.argmax() == SEVEN
    assert sorted(name for name, _ in deck.changed()) == ["odd", "odd again"]
    assert not deck.changed()
    third = deck.meet("odd too", shares(r7=0.992, r1=0.007), sign(ONE, seed=2), 2)
    assert third.argmax() == ONE and third[ONE] > 0.95


def test_a_single_one_tells_that_strange_sevens_are_none() -> None:
    deck = familiar(*OTHERS)
    for number, colour in enumerate((0, 3, 3)):
        deck.meet(f"strange {number}", shares(r1=0.9996, r7=4e-4), sign(SEVEN, seed=number), colour)
    plain = deck.meet("one", shares(r1=0.99999), sign(ONE), 3)
    assert plain.argmax() == ONE
    assert sorted(name for name, _ in deck.changed()) == ["strange 0", "strange 1", "strange 2"]


def test_what_looks_the_same_is_the_same_however_unsure_it_is_read() -> None:
    deck = familiar(*OTHERS, SEVEN)
    assert deck.meet("worn", shares(r1=0.6, r7=0.4), sign(SEVEN, seed=9), 3).argmax() == SEVEN


def test_a_card_that_was_hardly_seen_contradicts_nobody() -> None:
    deck = familiar(*OTHERS, SEVEN)
    before = shares(r7=0.3, r1=0.2, r4=0.2, r2=0.15)
    after = deck.meet("blurred", before, sign(99), 1)
    assert after.argmax() == SEVEN and not deck.changed()


def test_two_decks_mixed_are_read_as_they_are_read() -> None:
    deck, rng = Acquaintance[str](), np.random.default_rng(3)
    told = {rank: shares(**{f"r{RANK_OF[rank]}": 0.999, f"r{RANK_OF[rank + 6]}": 1e-4}) for rank in range(7)}
    cards = [(rank, half, colour) for rank in told for half in range(2) for colour in range(3)]
    for number in rng.permutation(len(cards)):
        rank, half, colour = cards[number]
        deck.meet(f"{rank} of {half}", told[rank], sign(rank + 50 * half, seed=colour), colour)
    deck.changed()
    for rank, half, _ in cards:
        assert deck.meet("again", told[rank], sign(rank + 50 * half, seed=7), 3).argmax() == rank


def test_a_nine_that_looks_like_the_six_but_for_its_corner_stays_a_nine() -> None:
    deck = familiar(*[rank for rank in range(RANKS) if rank not in (SIX, NINE)])
    for number in range(3):
        deck.meet(f"six {number}", shares(r6=0.93, r9=0.06), sign(SIX, seed=number), number)
    assert deck.meet("nine", shares(r9=0.93, r6=0.06), sign(SIX, corner=NINE), 0).argmax() == NINE


def test_what_was_seen_of_a_card_can_be_taken_back() -> None:
    deck = familiar(*OTHERS)
    deck.meet("shaken", shares(r7=0.99, r1=0.005), sign(ONE), 1)
    deck.part("shaken")
    deck.part("never met")
    for number in range(3):
        deck.meet(f"seven {number}", shares(r7=0.999, r1=1e-4), sign(SEVEN, seed=number), number)
    assert not deck.changed()


def test_a_card_that_was_alone_of_its_kind_can_be_taken_back() -> None:
    deck = Acquaintance[str]()
    deck.meet("only", shares(r7=0.99), sign(SEVEN), 1)
    deck.part("only")
    assert not deck.changed()


def test_what_is_remembered_does_not_grow() -> None:
    deck = Acquaintance[int]()
    for number in range(STANDARD.groups + 20):
        told = deck.meet(number, shares(r5=0.5), sign(1000 + number), 0)
        assert told.sum() == pytest.approx(1, abs=1e-4)
    assert len(deck.changed()) <= STANDARD.memory
