"""What a table agrees on: as values, as a header, and what it may not agree on."""

from __future__ import annotations

from random import Random

import pytest

from referee.cards import Card, Colour, Rank
from referee.header import header_lines, header_of, settings_of
from referee.options import OPTION_VALUES, Effect, MatchSettings, Options, SettingsError
from tests.referee.table import random_settings


@pytest.mark.parametrize("seed", range(60))
def test_every_agreement_reads_as_it_was_written(seed: int) -> None:
    agreed = random_settings(Random(seed))
    assert settings_of(header_of(agreed)) == agreed


def test_defaults_are_not_written() -> None:
    assert header_lines(MatchSettings(("Anna", "Bram"))) == ('[Players "Anna;Bram"]',)


def test_a_position_is_written_whole() -> None:
    position = MatchSettings(
        ("Anna", "Bram"),
        top_unknown=True,
        colour=Colour.GREEN,
        direction=-1,
        turn=2,
        counts=(3, 4),
        scores=(10, 0),
        draw_pile=0,
    )
    assert header_of(position) == {
        "Players": "Anna;Bram",
        "Top": "??",
        "Colour": "G",
        "Direction": "-1",
        "Turn": "2",
        "Counts": "3,4",
        "Scores": "10,0",
        "DrawPile": "0",
    }
    assert settings_of(header_of(position)) == position


@pytest.mark.parametrize("name", OPTION_VALUES)
def test_every_option_has_words_for_all_its_values(name: str) -> None:
    for word, value in OPTION_VALUES[name].items():
        options = Options.parse(f" {name} = {word} ;")
        assert getattr(options, name) == value
        assert options.word(name) == word
        assert Options.parse(str(options)) == options


def test_a_switch_needs_no_word() -> None:
    assert Options.parse("stack;jump_in=off") == Options(stack=True)


def test_an_option_of_the_wrong_value_is_refused_in_code_too() -> None:
    with pytest.raises(SettingsError, match="false_catch is one of 0, 1, 2, not 3") as caught:
        Options(false_catch=3)  # type: ignore[arg-type]
    assert caught.value.key == "Options"


def test_a_dare_is_read_with_its_text() -> None:
    effect = Effect.parse(" dare=3 do three sit-ups ")
    assert effect == Effect("dare", 3, "do three sit-ups")
    assert str(effect) == "dare=3 do three sit-ups"


def test_a_dare_cannot_break_the_header() -> None:
    with pytest.raises(SettingsError, match=r"^Custom: the text of a dare cannot hold ; or quotation marks$") as caught:
        Effect("dare", 1, 'say "uno"; twice')
    assert caught.value.key == "Custom"


def test_2_to_10_seats() -> None:  # R3.1
    for count in (1, 11):
        with pytest.raises(SettingsError, match="expected 2 to 10 names"):
            MatchSettings(tuple("ABCDEFGHIJK"[:count]))
    assert len(MatchSettings(tuple("ABCDEFGHIJ")).seats) == 10


def test_the_lowest_target_is_one_point() -> None:
    assert MatchSettings(("A", "B"), target=1).target == 1


@pytest.mark.parametrize(
    ("deck", "rules", "cards"), [("108", 0, 108), ("112", 0, 112), ("112", 1, 110), ("112", 3, 112)]
)
def test_decks(deck: str, rules: int, cards: int) -> None:  # R2.1, R2.2
    agreed = MatchSettings(("A", "B"), deck=deck, custom=(Effect("skip_all"),) * rules)  # type: ignore[arg-type]
    assert agreed.cards == cards


def test_a_wild_may_be_the_top_of_a_position_in_any_colour() -> None:
    agreed = MatchSettings(("A", "B"), top=Card(None, Rank.WILD), colour=Colour.BLUE)
    assert settings_of(header_of(agreed)) == agreed


def test_an_eliminated_seat_is_out_from_the_start() -> None:
    agreed = MatchSettings(("A", "B", "C"), mode="elimination", scores=(0, 500, 0), top=Card.parse("R7"))
    assert agreed.out == (2,)
    assert agreed.start_counts == (7, 0, 7)
