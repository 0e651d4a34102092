"""Decks drawn into a bank: some lean far, and those mistaken for each other most can be drawn more often."""

from pathlib import Path

import numpy as np

from datasets.bank import ALIKE, CardBank, OneDeck, build, one_deck, styles
from referee.cards import FACES, Rank


def test_the_last_decks_lean_far_and_the_others_are_as_they_would_be_without_them() -> None:
    plain, some = styles(6, 7), styles(6, 7, leaning=2)
    assert some[:4] == plain[:4]
    assert all(style.glyphs.slant >= 0.12 for style in some[4:])
    assert [style.palette for style in some] == [style.palette for style in plain]


def test_ones_sixes_sevens_and_nines_are_drawn_more_often_when_asked_for(tmp_path: Path) -> None:
    build(tmp_path, 1, 3)
    alike = {Rank.ONE, Rank.SIX, Rank.SEVEN, Rank.NINE}
    assert {FACES[number].rank for number in ALIKE} == alike and len(ALIKE) == 16

    def share(bank: CardBank) -> float:
        rng = np.random.default_rng(5)
        cards = [bank.sample(rng).card for _ in range(600)]
        return sum(card is not None and card.rank in alike for card in cards) / len(cards)

    usual, asked = share(CardBank(tmp_path)), share(CardBank(tmp_path, 0.5))
    assert 0.2 < usual < 0.4 and 0.5 < asked < 0.75


def test_one_deck_of_one_deck_is_that_deck(tmp_path: Path) -> None:
    build(tmp_path, 2, seed=3)
    deck = OneDeck(CardBank(tmp_path), 1)
    rng = np.random.default_rng(1)
    assert all(one_deck(rng, deck) is deck for _ in range(5))
