"""The referee and rlcard play the same games, as far as rlcard keeps the rules."""

from __future__ import annotations

import pytest

pytest.importorskip("rlcard", reason="rlcard is not installed: `pip install --group dev`")

from tests.referee.differential import Peer, games


@pytest.fixture(scope="module")
def peers() -> list[Peer]:
    return games(200)


def test_no_difference_in_two_hundred_games(peers: list[Peer]) -> None:
    assert sum(peer.steps for peer in peers) > 10_000
    assert sum(not peer.left for peer in peers) > 190


def test_every_part_of_the_rules_that_is_compared_was_played(peers: list[Peer]) -> None:
    assert {peer.players for peer in peers} == set(range(2, 11))
    laid = {action.partition("-")[2] for peer in peers for action in peer.actions}
    assert laid >= {*"0123456789", "skip", "reverse", "draw_2", "wild", "wild_draw_4"}
    assert {why for peer in peers for why in peer.taken_over} == {
        "turned Draw Two",
        "turned Reverse between two",
        "Reverse between two",
        "drawn Wild Draw Four",
    }


def test_a_difference_would_be_seen() -> None:
    peer = Peer(3, 4)
    peer.play()
    with pytest.raises(AssertionError):
        peer.compare_allowed(["r-0", "g-0"])
    peer.game.players[0].hand.append(peer.game.round.target)
    with pytest.raises(AssertionError):
        peer.compare("one card too many")
