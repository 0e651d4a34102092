"""A second, deliberately naive game: real hands in lists of strings, one long loop, nothing shared with `referee/`.

It plays a whole match at random, always within the rules, and writes down what an onlooker would (the lines of a
record) and, after each line, what a referee should say of the table.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

NAMES = ["Anna", "Bram", "Cleo", "Dirk", "Emma", "Finn", "Gijs", "Hana", "Iris", "Joep"]
POINTS = {"S": 20, "R": 20, "D": 20, "W": 50, "W4": 50, "WS": 40, "WC": 40}


def full_deck(kind: str) -> list[str]:
    deck = [colour + rank for colour in "RYGB" for rank in "0112233445566778899SSRRDD"]
    return deck + ["W", "W4"] * 4 + (["WS", "WC", "WC", "WC"] if kind == "112" else [])


def rank(card: str) -> str:
    return card if card.startswith("W") else card[1:]


def points(card: str) -> int:
    return POINTS[rank(card)] if rank(card) in POINTS else int(rank(card))


@dataclass
class Game:
    """One match. `lines` is its record without the header, `truths` what holds after each of them."""

    random: Random
    players: int
    mode: str = "points"
    deck_kind: str = "108"
    target: int = 200
    lines: list[str] = field(default_factory=list)
    truths: list[dict[str, object]] = field(default_factory=list)
    piles: list[int] = field(default_factory=list)
    """How many cards the draw pile holds after each line."""
    reshuffles: int = 0
    pile: list[str] = field(default_factory=list)
    discards: list[str] = field(default_factory=list)
    hands: list[list[str]] = field(default_factory=list)

    def header(self) -> list[str]:
        return [
            f'[Deck "{self.deck_kind}"]',
            f'[Mode "{self.mode}"]',
            f'[Target "{self.target}"]',
            f'[Players "{";".join(NAMES[: self.players])}"]',
        ]

    def play(self, limit: int = 10_000) -> None:
        """The whole match, or as many lines of it."""
        self.scores = [0] * self.players
        self.out: list[int] = []
        self.match_winner: int | None = None
        dealer = 0
        while self.match_winner is None and len(self.lines) < limit:
            dealer = self.next_in(dealer - 1, 1) if dealer in self.out else dealer
            self.round(dealer)
            dealer = self.next_in(dealer, 1)

    def next_in(self, seat: int, step: int) -> int:
        seat = (seat + step) % self.players
        while seat in self.out:
            seat = (seat + step) % self.players
        return seat

    def following(self, seat: int) -> int:
        return self.next_in(seat, self.direction)

    def note(self, line: str) -> None:
        self.lines.append(line)
        self.piles.append(len(self.pile))
        self.truths.append(
            {
                "turn": None if self.turn is None else self.turn + 1,
                "top": self.top,
                "colour": self.colour,
                "direction": self.direction,
                "counts": [len(hand) for hand in self.hands],
                "scores": list(self.scores),
                "round_winner": None if self.winner is None else self.winner + 1,
                "match_winner": None if self.match_winner is None else self.match_winner + 1,
                "out": sorted(seat + 1 for seat in self.out),
            }
        )

    def take(self, seat: int, count: int) -> None:
        for _ in range(count):
            if not self.pile:
                self.pile = self.discards[:-1]
                self.random.shuffle(self.pile)
                self.discards = self.discards[-1:]
                self.reshuffles += 1
            if self.pile:
                self.hands[seat].append(self.pile.pop())

    def round(self, dealer: int) -> None:
        seats = [seat for seat in range(self.players) if seat not in self.out]
        self.pile = full_deck(self.deck_kind)
        self.random.shuffle(self.pile)
        self.discards = []
        self.hands = [[self.pile.pop() for _ in range(7)] if seat in seats else [] for seat in range(self.players)]
        self.top: str | None = None
        self.colour: str | None = None
        self.direction = 1
        self.turn: int | None = None
        self.winner: int | None = None
        self.note(f"deal {dealer + 1}")
        self.start(dealer, two_handed=len(seats) == 2)
        while self.winner is None:
            self.one_turn(two_handed=len(seats) == 2)
        self.count_hands(seats)

    def start(self, dealer: int, two_handed: bool) -> None:
        while self.pile[-1] == "W4":
            self.note("start W4")
            self.random.shuffle(self.pile)
        card = self.pile.pop()
        self.discards.append(card)
        self.top = card
        self.colour = None if card.startswith("W") else card[0]
        first = self.next_in(dealer, 1)
        self.turn = first
        written = card
        if rank(card) == "S" or (rank(card) == "R" and two_handed):
            self.turn = self.next_in(first, 1)
        elif rank(card) == "R":
            self.direction, self.turn = -1, dealer
        elif rank(card) == "D":
            self.take(first, 2)
            self.turn = self.next_in(first, 1)
        elif card.startswith("W"):
            self.colour = self.random.choice("RYGB")
            written = f"{card}>{self.colour}"
            if card == "WS":
                other = self.random.choice([s for s in range(self.players) if s != first and s not in self.out])
                self.hands[first], self.hands[other] = self.hands[other], self.hands[first]
                written += f"={other + 1}"
        self.note(f"start {written}")

    def fitting(self, seat: int) -> list[str]:
        assert self.top is not None
        hand = self.hands[seat]
        return [card for card in hand if card[0] in ("W", self.colour) or rank(card) == rank(self.top)]

    def one_turn(self, two_handed: bool) -> None:
        seat = self.turn
        assert seat is not None
        choice = self.fitting(seat)
        if choice and self.random.random() < 0.9:
            self.lay(seat, self.random.choice(choice), two_handed)
            return
        before = len(self.hands[seat])
        self.take(seat, 1)
        if len(self.hands[seat]) == before:
            self.turn = self.following(seat)
            self.note(f"{seat + 1} draw")
            return
        self.note(f"{seat + 1} draw")
        drawn = self.hands[seat][-1]
        if drawn in self.fitting(seat) and self.random.random() < 0.8:
            self.lay(seat, drawn, two_handed)
        else:
            self.turn = self.following(seat)
            self.note(f"{seat + 1} pass")

    def lay(self, seat: int, card: str, two_handed: bool) -> None:
        self.hands[seat].remove(card)
        self.discards.append(card)
        had_colour = any(held[0] == self.colour and not held.startswith("W") for held in self.hands[seat])
        self.top = card
        last = not self.hands[seat]
        after = self.following(seat)
        written = card
        if card.startswith("W"):
            self.colour = None if last else self.random.choice("RYGB")
            written += "" if last else f">{self.colour}"
        else:
            self.colour = card[0]
        calls = len(self.hands[seat]) == 1 and self.random.random() < 0.7
        forgot = len(self.hands[seat]) == 1 and not calls
        self.turn = after
        if last:
            if rank(card) in ("D", "W4"):
                self.take(after, 2 if rank(card) == "D" else 4)
            self.turn, self.winner = None, seat
        elif rank(card) == "S" or (rank(card) == "R" and two_handed):
            self.turn = self.following(after)
        elif rank(card) == "R":
            self.direction = -self.direction
            self.turn = self.following(seat)
        elif rank(card) == "D":
            self.take(after, 2)
            self.turn = self.following(after)
        elif card == "WS":
            other = self.random.choice([s for s in range(self.players) if s != seat and s not in self.out])
            self.hands[seat], self.hands[other] = self.hands[other], self.hands[seat]
            written += f"={other + 1}"
        self.note(f"{seat + 1} {written}{' uno' if calls else ''}")
        if forgot and card != "WS" and self.random.random() < 0.6:
            self.take(seat, 2)
            self.note(f"{after + 1} catch {seat + 1}")
        if card == "W4" and not last:
            self.answer(seat, after, had_colour)

    def answer(self, seat: int, after: int, guilty: bool) -> None:
        if self.random.random() < 0.7:
            self.take(after, 4)
            self.turn = self.following(after)
            self.note(f"{after + 1} draw 4")
        elif guilty:
            self.take(seat, 4)
            self.turn = after
            self.note(f"{after + 1} challenge guilty")
        else:
            self.take(after, 6)
            self.turn = self.following(after)
            self.note(f"{after + 1} challenge innocent")

    def count_hands(self, seats: list[int]) -> None:
        assert self.winner is not None
        mate = (self.winner + 2) % 4 if self.mode == "teams" else None
        losers = [seat for seat in seats if seat not in (self.winner, mate)]
        for seat in losers:
            if seat == losers[-1]:
                self.score(seats, mate)
            self.note(" ".join([f"{seat + 1} hand", *self.hands[seat]]))

    def score(self, seats: list[int], mate: int | None) -> None:
        assert self.winner is not None
        held = [sum(map(points, hand)) for hand in self.hands]
        if self.mode == "elimination":
            self.scores = [score + (held[seat] if seat in seats else 0) for seat, score in enumerate(self.scores)]
            self.out += [seat for seat in seats if self.scores[seat] >= self.target]
            left = [seat for seat in seats if seat not in self.out]
            self.match_winner = left[0] if len(left) == 1 else None
            return
        gained = sum(held) - (held[mate] if mate is not None else 0)
        for seat in {self.winner, self.winner if mate is None else mate}:
            self.scores[seat] += gained
            if self.scores[seat] >= self.target:
                self.match_winner = self.winner if mate is None else min(self.winner, mate)
