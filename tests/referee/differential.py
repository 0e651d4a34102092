"""The referee against rlcard's game of UNO (https://github.com/datamllab/rlcard, MIT), step by step.

rlcard deals and plays at random; the referee judges the same steps and must know the same table after each: whose
turn, which way, top card, colour, hands and draw pile by number, who has won. Before each step both must allow the
same cards of the hand. Wild Draw Four is left out of that: rlcard allows it only when nothing else fits.

Where rlcard leaves the rules on purpose or by mistake the referee takes its table over and goes on from there: it
does not skip the seat that a turned Draw Two makes draw, passes the turn on a Reverse between two, and lays a drawn
Wild Draw Four without its four. A top card that it shuffles into the new draw pile is put back.

`python -m tests.referee.differential` plays 2,000 games, or as many as it is told.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from random import Random
from time import process_time
from typing import Any

import numpy as np
from rlcard.games.uno import Game

from referee.cards import Card, Colour, Rank
from referee.events import Deal, Draw, Event, Pass, Play, Start
from referee.expectations import legal_plays
from referee.judge import judge, new_match
from referee.options import MatchSettings
from referee.rulings import Ruling
from referee.state import MatchState
from tests.referee.table import NAMES

SYMBOLS = {"skip": "S", "reverse": "R", "draw_2": "D", "wild": "W", "wild_draw_4": "W4"}
FAULTS = {"cannot_be_played", "census", "unexplained", "open_question", "start_again"}
LONGEST = 600
"""Steps after which a game is left."""


def card_of(printed: Any) -> Card:
    """Our card for one of rlcard's, whatever colour was named for a wild."""
    symbol = SYMBOLS.get(printed.trait, printed.trait)
    return Card.parse(symbol if printed.type == "wild" else printed.color.upper() + symbol)


def named(printed: Any) -> Colour | None:
    """The colour named for a wild."""
    return Colour(printed.color.upper()) if printed.type == "wild" else None


@dataclass
class Peer:
    """One game of rlcard and the same game in the eyes of the referee."""

    seed: int
    players: int
    steps: int = 0
    left: str = ""
    """Why the game was not followed to its end, if it was not."""
    taken_over: list[str] = field(default_factory=list)
    segments: list[tuple[MatchSettings, list[Event]]] = field(default_factory=list)
    """What the referee was shown: the beginning and the events, anew whenever it took rlcard's table over."""
    actions: list[str] = field(default_factory=list)
    seconds_of_rlcard: float = 0.0
    """Processor time of its own steps, the dealing not counted."""

    def play(self) -> None:
        """The whole game; AssertionError where the two differ."""
        self.game: Any = Game(num_players=self.players)
        self.game.np_random = np.random.RandomState(self.seed)
        self.game.init_game()
        self.random = Random(self.seed)
        self.begin()
        while not self.game.is_over() and not self.left:
            self.step()

    @property
    def seat(self) -> int:
        return int(self.game.round.current_player) + 1

    def begin(self) -> None:
        top = self.game.round.target
        settings = MatchSettings(NAMES[: self.players], dealer=self.players)
        self.show_from(settings)
        self.show(Deal(self.players), Start(card_of(top), named(top)))
        if top.trait == "draw_2":
            self.take_over("turned Draw Two")
        elif top.trait == "reverse" and self.players == 2:
            self.take_over("turned Reverse between two")
        self.compare("the turned card")

    def show_from(self, settings: MatchSettings) -> None:
        self.state: MatchState = new_match(settings)
        self.segments.append((settings, []))

    def show(self, *events: Event) -> None:
        for event in events:
            self.state, rulings = judge(self.state, event)
            self.segments[-1][1].append(event)
            assert not faults(rulings), (self.seed, event, rulings)

    def take_over(self, why: str) -> None:
        """The referee goes on from the table as rlcard sees it."""
        self.taken_over.append(why)
        round = self.game.round
        target = round.target
        self.show_from(
            MatchSettings(
                NAMES[: self.players],
                top=card_of(target),
                colour=Colour(target.color.upper()),
                direction=round.direction,
                turn=self.seat,
                counts=tuple(len(player.hand) for player in self.game.players),
                draw_pile=len(round.dealer.deck),
            )
        )

    def seconds_of_the_referee(self) -> float:
        """Processor time of judging all that it was shown."""
        begun = process_time()
        for settings, events in self.segments:
            state = new_match(settings)
            for event in events:
                state, _ = judge(state, event)
        return process_time() - begun

    def step(self) -> None:
        round, seat = self.game.round, self.seat
        if len(round.dealer.deck) + len(round.played_cards) < 8:
            self.left = "few cards left to draw"
            return
        allowed = self.game.get_legal_actions()
        self.compare_allowed(allowed)
        action = self.random.choice(sorted(allowed))
        if action == "draw" and not round.dealer.deck:
            round.replace_deck()
            self.put_top_card_back()
        kept = len(self.game.players[seat - 1].hand)
        begun = process_time()
        self.game.step(action)
        self.seconds_of_rlcard += process_time() - begun
        self.actions.append(action)
        self.steps += 1
        self.put_top_card_back()
        drawn = action == "draw" and len(self.game.players[seat - 1].hand) == kept
        if action != "draw" or drawn:
            self.laid(seat, drawn)
        else:
            self.show(Draw(seat), Pass(seat))
        if not self.left:
            self.compare(action)
        if self.steps >= LONGEST:
            self.left = "long"

    def laid(self, seat: int, drawn: bool) -> None:
        """`seat` laid the top card, from the hand or as the one just drawn."""
        target = self.game.round.target
        card = card_of(target)
        if drawn:
            self.show(Draw(seat))
        self.show(Play(seat, card, named(target)))
        if drawn and card.rank is Rank.WILD_DRAW_FOUR:
            self.take_over("drawn Wild Draw Four")
        elif card.rank is Rank.WILD_DRAW_FOUR and self.state.pending:
            self.show(Draw(self.state.pending.seat, 4))
        elif card.rank is Rank.REVERSE and self.players == 2 and not self.game.is_over():
            self.take_over("Reverse between two")

    def put_top_card_back(self) -> None:
        """rlcard shuffles the top card into the new draw pile: there it is taken out again."""
        round = self.game.round
        if not any(printed is round.target for printed in round.played_cards):
            if any(printed is round.target for printed in round.dealer.deck):
                round.dealer.deck = [printed for printed in round.dealer.deck if printed is not round.target]
                round.played_cards.append(round.target)
            else:
                self.left = "top card dealt"

    def compare_allowed(self, allowed: list[str]) -> None:
        """Both allow the same cards of the hand, Wild Draw Four aside."""
        hand = {card_of(printed) for printed in self.game.players[self.seat - 1].hand}
        ours = {str(card) for card in hand & legal_plays(self.state, self.seat)} - {"W4"}
        theirs = set()
        for action in allowed:
            colour, _, trait = action.partition("-")
            symbol = SYMBOLS.get(trait, trait)
            theirs.add(symbol if symbol.startswith("W") else colour.upper() + symbol)
        assert ours == theirs - {"W4", "DRAW"}, (self.seed, self.steps, ours, theirs)

    def compare(self, action: str) -> None:
        """Both know the same table."""
        round, state = self.game.round, self.state
        ours: dict[str, object] = {
            "top": state.top,
            "colour": state.colour,
            "counts": list(state.counts),
            "draw_pile": state.round.draw_pile if state.round else None,
            "winner": state.round_winner,
        }
        theirs: dict[str, object] = {
            "top": card_of(round.target),
            "colour": Colour(round.target.color.upper()),
            "counts": [len(player.hand) for player in self.game.players],
            "draw_pile": len(round.dealer.deck),
            "winner": round.winner[0] + 1 if round.winner else None,
        }
        if self.players > 2 and not self.game.is_over():
            ours["direction"], theirs["direction"] = state.direction, round.direction
        if not self.game.is_over():
            ours["turn"], theirs["turn"] = state.turn, self.seat
        assert ours == theirs, (self.seed, self.steps, action, ours, theirs)


def faults(rulings: tuple[Ruling, ...]) -> list[str]:
    return [ruling.key for ruling in rulings if ruling.key in FAULTS]


def games(number: int, first_seed: int = 0) -> list[Peer]:
    """So many games, with two to ten seats, compared."""
    peers = [Peer(seed, 2 + seed % 9) for seed in range(first_seed, first_seed + number)]
    for peer in peers:
        peer.play()
    return peers


def main(number: int) -> None:
    """Plays, compares and says how much was compared; a difference is an AssertionError."""
    peers = games(number)
    whole = sum(not peer.left for peer in peers)
    steps = sum(peer.steps for peer in peers)
    taken_over = sum(len(peer.taken_over) for peer in peers)
    sys.stdout.write(f"{number} games, {whole} to their end, {steps} steps: no difference\n")
    sys.stdout.write(f"{taken_over} times rlcard left the rules and the referee took its table over\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2_000)
