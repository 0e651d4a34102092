"""The model card: what stands in it by hand, and what is said of others."""

from __future__ import annotations

from pathlib import Path

import pytest

from models import peers

WEIGHTS = Path(__file__).parents[2] / "models" / "weights"


def test_what_others_publish_is_in_the_card_with_its_source_and_meaning() -> None:
    table, card = peers.table(), (WEIGHTS / "README.md").read_text(encoding="utf-8")
    assert table in card
    for peer in peers.listed()["peer"]:
        assert peer["address"].startswith("https://") and peer["figure"] and peer["means"]
        assert (
            f"| [{peer['name']}]({peer['address']}) | {peer['reads']} | {peer['figure']} | {peer['means']} |" in table
        )


@pytest.mark.train
def test_the_sentences_of_the_card_are_those_that_its_command_writes() -> None:
    """Whoever edits one of the two must edit the other: figures between the sentences are not looked at."""
    from models.card import CARD

    card = (WEIGHTS / "README.md").read_text(encoding="utf-8")
    for paragraph in CARD.split("\n\n"):
        if "{" not in paragraph:
            assert paragraph.strip() in card, paragraph


@pytest.mark.train
def test_what_is_not_measured_anew_stays_as_the_card_had_it(tmp_path: Path) -> None:
    from models.card import kept

    card = WEIGHTS / "README.md"
    assert kept(card, "recipe").startswith("- Finder:") and kept(card, "recipe").endswith("not the minutes.")
    assert kept(card, "speed").startswith("| ms |") and kept(card, "compared").startswith("The plain YOLO")
    assert kept(card, "decks").splitlines()[0].startswith("- theme 1") and "##" not in kept(card, "decks")
    assert kept(tmp_path / "README.md", "speed") == "Not measured for these weights."
