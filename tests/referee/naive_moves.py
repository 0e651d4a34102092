"""The naive game once more, one line at a time: every line that the rules allow next, house rules among them.

For counting, from fixed hands and a fixed pile, and for matches (`naive_house`). Shares nothing with `referee/`.

What is counted are lines of a record: a card laid (with every colour and swap partner that may be named, with and
without the call of uno), a card drawn, the drawn card laid or kept, a Wild Draw Four accepted or challenged, a call or
a catch while the window is open. A round that has ended goes on no further.

`python -m tests.referee.naive_moves` deals the hands anew and writes the numbers to tests/games/perft.toml.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.referee.naive import full_deck, rank

FILE = Path(__file__).parents[1] / "games" / "perft.toml"


@dataclass
class Table:
    """Seats are numbered from 0 here; `coming` is what will be drawn, the next card first."""

    hands: list[list[str]]
    coming: list[str]
    top: str
    colour: str
    turn: int = 0
    direction: int = 1
    options: frozenset[str] = frozenset()
    out: frozenset[int] = frozenset()
    custom: str = ""
    drawn: str | None = None
    uncalled: frozenset[int] = frozenset()
    silent: frozenset[int] = frozenset()
    """Who never called for the one card it holds, and can no longer be caught."""
    asking: tuple[int, ...] = ()
    """Who has still to lay off what a Customizable card says, in this order."""
    asked: str | None = None
    """`W4` or `D`: `turn` is to draw `cards` for the card of `player`."""
    cards: int = 0
    player: int = 0
    guilty: bool = False
    ended: bool = False
    discards: list[str] = field(default_factory=list)
    random: Random | None = None
    """Shuffles the discards when nothing is left to come."""

    def copy(self) -> Table:
        twin = Table(**self.__dict__)
        twin.hands = [list(hand) for hand in self.hands]
        twin.coming, twin.discards = list(self.coming), list(self.discards)
        return twin

    def playing(self) -> list[int]:
        return [seat for seat in range(len(self.hands)) if seat not in self.out]

    def after(self, seat: int) -> int:
        seat = (seat + self.direction) % len(self.hands)
        while seat in self.out:
            seat = (seat + self.direction) % len(self.hands)
        return seat

    def fits(self, card: str) -> bool:
        return card.startswith("W") or card[0] == self.colour or rank(card) == rank(self.top)

    def draw(self, seat: int, cards: int) -> None:
        for _ in range(cards):
            if not self.coming and self.random:
                self.coming, self.discards = self.discards[:-1], self.discards[-1:]
                self.random.shuffle(self.coming)
            if self.coming:
                self.hands[seat].append(self.coming.pop(0))
        if len(self.hands[seat]) != 1:
            self.uncalled -= {seat}
            self.silent -= {seat}

    def close_window(self) -> None:
        """The next turn begins."""
        self.silent |= self.uncalled
        self.uncalled = frozenset()


def lines(table: Table) -> list[str]:
    """Every line that may come next."""
    if table.ended:
        return []
    found = []
    for seat in table.uncalled:
        found.append(f"{seat + 1} uno")
        found += [f"{other + 1} catch {seat + 1}" for other in table.playing() if other != seat]
    if table.asking:
        return found + laid_off(table)
    turn, hand = table.turn, table.hands[table.turn]
    if table.asked:
        found.append(f"{turn + 1} draw {table.cards}")
        if table.asked == "dare":
            return [*found, f"{turn + 1} pass"]
        if table.asked == "W4":
            found.append(f"{turn + 1} challenge {'guilty' if table.guilty else 'innocent'}")
        if not table.hands[table.player]:
            return found
        passes_on = {"stack_mixed": ("D", "W4"), "stack": (table.asked,)}
        may = next((passes_on[option] for option in passes_on if option in table.options), ())
        for card in sorted({card for card in hand if rank(card) in may and table.fits(card)}):
            found += ways(table, turn, card)
        return found
    if table.drawn:
        cards = {table.drawn}
        found += kept(table, f"{turn + 1}")
    else:
        cards = set(hand)
        found.append(f"{turn + 1} draw")
    for card in sorted(cards):
        if table.fits(card):
            found += ways(table, turn, card)
    if "jump_in" in table.options and not table.top.startswith("W"):
        for seat in table.playing():
            if seat != turn and table.top in table.hands[seat]:
                found += ways(table, seat, table.top)
    return found


def laid_off(table: Table) -> list[str]:
    """The lines by which the first one asked lays off all wilds, or all cards of a colour."""
    seat = table.asking[0]
    hand = sorted(table.hands[seat])
    marks = "RYGB" if table.custom == "discard_colour" else "W"
    sets = [[card for card in hand if card[0] == mark] for mark in marks]
    return [" ".join([f"{seat + 1} discard", *cards]) for cards in sets if cards] or [f"{seat + 1} discard"]


def kept(table: Table, seat: str) -> list[str]:
    """The lines by which a drawn card is not laid."""
    assert table.drawn
    laid = ways(table, table.turn, table.drawn) if table.fits(table.drawn) else []
    if "draw_until_playable" in table.options:
        return [] if laid else [f"{seat} draw"]
    return [] if laid and "must_play_drawn" in table.options else [f"{seat} pass"]


def ways(table: Table, seat: int, card: str) -> list[str]:
    """The lines by which `seat` may lay `card`."""
    left = len(table.hands[seat]) - 1
    words = [card]
    if left == 0:
        forbidden = "no_action_finish" in table.options and not rank(card).isdigit()
        return [] if forbidden else [f"{seat + 1} {card}"]
    if card.startswith("W"):
        words = [f"{card}>{colour}" for colour in "RYGB"]
    if card == "WS" or (rank(card) == "7" and "seven_swap" in table.options):
        words = [f"{word}={other + 1}" for word in words for other in table.playing() if other != seat]
    calls = ("", " uno") if left == 1 else ("",)
    return [f"{seat + 1} {word}{call}" for word in words for call in calls]


def follow(table: Table, line: str) -> Table:
    """The table after `line`, one of `lines(table)`."""
    table = table.copy()
    first, word, *rest = line.split()
    seat = int(first) - 1
    if word == "uno":
        table.uncalled -= {seat}
        table.silent -= {seat}
    elif word == "discard":
        lay_off(table, seat, rest)
    elif word == "catch":
        table.draw(int(rest[0]) - 1, 2)
    elif word == "challenge":
        answer(table, table.player if rest == ["guilty"] else seat, table.cards + (0 if rest == ["guilty"] else 2))
    elif word == "draw" and rest:
        answer(table, seat, int(rest[0]))
    elif word == "draw":
        table.close_window()
        held = len(table.hands[seat])
        table.draw(seat, 1)
        table.drawn = table.hands[seat][-1] if len(table.hands[seat]) > held else None
        table.turn = seat if table.drawn else table.after(seat)
    elif word == "pass" and table.asked:
        table.asked = None
    elif word == "pass":
        table.drawn = None
        table.turn = table.after(seat)
    else:
        lay(table, seat, word, rest == ["uno"])
    return table


def answer(table: Table, seat: int, cards: int) -> None:
    """`seat` draws what was asked for; whoever was asked and draws also loses its turn, but for a dare."""
    table.draw(seat, cards)
    if seat == table.turn and table.asked != "dare":
        table.turn = table.after(seat)
    table.asked = None
    table.ended = not table.hands[table.player]


def lay(table: Table, seat: int, word: str, calls: bool) -> None:
    laid, _, partner = word.partition("=")
    card, _, named = laid.partition(">")
    hand = table.hands[seat]
    hand.remove(card)
    table.discards.append(card)
    guilty = any(held[0] == table.colour for held in hand)
    riding = table.cards if table.asked else 0
    table.close_window()
    table.silent -= {seat}
    table.asked, table.drawn, table.top = None, None, card
    table.colour = named if card.startswith("W") else card[0]
    if not hand:
        if card == "W4" and "last_card_challenge" in table.options:
            table.turn = table.after(seat)
            table.asked, table.player, table.cards, table.guilty = "W4", seat, riding + 4, False
            return
        if rank(card) in ("D", "W4"):
            table.draw(table.after(seat), riding + (2 if rank(card) == "D" else 4))
        table.ended = True
        return
    if len(hand) == 1 and not calls:
        table.uncalled = frozenset({seat})
    effect(table, seat, card, riding, guilty)
    if partner:
        swap(table, seat, int(partner) - 1)


def effect(table: Table, seat: int, card: str, riding: int, guilty: bool) -> None:
    two_handed = len(table.playing()) == 2
    kind = rank(card)
    if kind == "R" and not two_handed:
        table.direction = -table.direction
    following = table.after(seat)
    table.turn = following
    if kind == "S" or (kind == "R" and two_handed):
        table.turn = table.after(following)
    elif kind == "D" and not table.options & {"stack", "stack_mixed"}:
        table.draw(following, 2)
        table.turn = table.after(following)
    elif kind in ("D", "W4"):
        table.asked, table.player = kind, seat
        table.cards = riding + (2 if kind == "D" else 4)
        table.guilty = guilty
    elif kind == "0" and "zero_rotate" in table.options:
        rotate(table)
    elif kind == "WC":
        written_on_it(table, seat, following)


def written_on_it(table: Table, seat: int, following: int) -> None:
    """What the Customizable cards of this table say; without anything they are plain wilds."""
    if table.custom == "others_draw=1":
        other = following
        while other != seat:
            table.draw(other, 1)
            other = table.after(other)
    elif table.custom == "next_draw=3":
        table.draw(following, 3)
    elif table.custom == "skip_all":
        table.turn = seat
    elif table.custom in ("discard_wilds", "discard_colour"):
        other = following
        while other != seat:
            table.asking += (other,)
            other = table.after(other)
        table.asking += (seat,) if table.custom == "discard_colour" else ()
    elif table.custom.startswith("dare=2"):
        table.asked, table.player, table.cards = "dare", seat, 2


def lay_off(table: Table, seat: int, cards: list[str]) -> None:
    for card in cards:
        table.hands[seat].remove(card)
    table.discards[-1:-1] = cards
    table.asking = table.asking[1:]
    table.ended = not table.hands[seat]
    if cards:
        table.uncalled -= {seat}
        table.silent -= {seat}
        table.uncalled |= {seat} if len(table.hands[seat]) == 1 else set()


def swap(table: Table, seat: int, other: int) -> None:
    table.hands[seat], table.hands[other] = table.hands[other], table.hands[seat]
    must_call_again(table, [seat, other])


def rotate(table: Table) -> None:
    moved = {table.after(seat): table.hands[seat] for seat in table.playing()}
    for seat, hand in moved.items():
        table.hands[seat] = hand
    must_call_again(table, table.playing())


def must_call_again(table: Table, seats: list[int]) -> None:
    table.uncalled -= set(seats)
    table.silent -= set(seats)
    if "uno_after_swap=off" not in table.options:
        table.uncalled |= {seat for seat in seats if len(table.hands[seat]) == 1}


def count(table: Table, depth: int) -> tuple[list[int], int]:
    """How many sequences of 1, 2, ... `depth` lines there are, and how many of them end the round."""
    sequences, ended = [0] * depth, 0
    level = [table]
    for ply in range(depth):
        following = [follow(before, line) for before in level for line in lines(before)]
        sequences[ply] = len(following)
        ended += sum(after.ended for after in following)
        level = following
    return sequences, ended


@dataclass(frozen=True)
class Deal:
    """Hands of these sizes from a shuffled deck, in which some cards are looked for."""

    id: str
    seed: int
    sizes: tuple[int, ...]
    depth: int
    deck: str = "108"
    options: str = ""
    custom: str = ""
    direction: int = 1
    draw_pile: int | None = None
    wanted: tuple[str, ...] = field(default=())
    """By seat: cards that it holds whatever is dealt."""
    top: str = ""


DEALS = (
    Deal("two-seats", 1, (7, 7), 5),
    Deal("three-seats", 2, (7, 7, 7), 8),
    Deal("four-seats-counter-clockwise", 3, (7, 7, 7, 7), 5, direction=-1),
    Deal("ten-seats", 4, (7,) * 10, 6),
    Deal("two-seats-last-cards", 5, (2, 2), 9, wanted=("RS RR", "RD B4"), top="R3"),
    Deal("three-seats-last-cards", 6, (2, 2, 3), 5, wanted=("G4 W", "GS G1", "GR"), top="G7"),
    Deal("wild-draw-four-guilty", 7, (3, 3, 3), 6, wanted=("W4 Y2 B1", "W4 R0"), top="Y5"),
    Deal("wild-draw-four-innocent", 8, (2, 3, 3), 6, wanted=("W4 B1",), top="Y5"),
    Deal("one-seat-out", 9, (4, 0, 4, 0, 4), 8, wanted=("RR", "", "RS", "", "RD"), top="R9"),
    Deal("two-of-five-left", 10, (0, 3, 0, 3, 0), 7, wanted=("", "BR B2", "", "BD"), top="B9"),
    Deal("reshuffled", 11, (3, 3), 9, draw_pile=1, wanted=("RD", "W4"), top="R9"),
    Deal("swap-hands", 12, (3, 2, 1), 5, deck="112", wanted=("WS", "R5"), top="R9"),
    Deal("everyone-else-draws", 13, (3, 2, 2), 7, deck="112", custom="others_draw=1", wanted=("WC R3",), top="R9"),
    Deal("next-seat-draws", 14, (3, 1, 2), 6, deck="112", custom="next_draw=3", wanted=("WC R3",), top="R9"),
    Deal("everyone-else-skips", 15, (3, 2, 2), 6, deck="112", custom="skip_all", wanted=("WC R3",), top="R9"),
    Deal("stack", 16, (3, 3, 3), 7, options="stack", wanted=("RD G1", "BD W4", "YD W4"), top="R9"),
    Deal("stack-mixed", 17, (3, 3, 3), 4, options="stack_mixed", wanted=("RD W4", "BD W4", "YD"), top="R9"),
    Deal("seven-swap", 18, (3, 2, 1), 5, options="seven_swap", wanted=("R7 G7", "Y7"), top="R9"),
    Deal("zero-rotate", 19, (2, 3, 1), 5, options="zero_rotate", wanted=("R0", "Y0 R1"), top="R9"),
    Deal("jump-in", 20, (3, 3, 2), 7, options="jump_in", wanted=("R9 G1", "Y2", "R4"), top="R4"),
    Deal("jump-in-late", 21, (2, 3, 3), 5, options="jump_in", wanted=("R9 G1", "Y2", "R9 B4"), top="R4"),
)


def dealt(deal: Deal) -> Table:
    deck = full_deck(deal.deck)
    Random(deal.seed).shuffle(deck)
    if deal.custom:
        deck.remove("WC")
        deck.remove("WC")
    hands = [words.split() for words in deal.wanted] + [[] for _ in deal.sizes[len(deal.wanted) :]]
    top = deal.top or next(card for card in deck if not card.startswith("W"))
    for card in [top] + [card for hand in hands for card in hand]:
        deck.remove(card)
    for hand, size in zip(hands, deal.sizes, strict=True):
        hand += [deck.pop() for _ in range(size - len(hand))]
    return table_of(hands, deck[:40], top, deal)


def table_of(hands: list[list[str]], coming: list[str], top: str, deal: Deal) -> Table:
    out = frozenset(seat for seat, size in enumerate(deal.sizes) if not size)
    first = min(set(range(len(hands))) - out)
    options = frozenset(filter(None, deal.options.split(";")))
    return Table(hands, coming, top, top[0], first, deal.direction, options=options, out=out, custom=deal.custom)


def record_of(deal: Deal, table: Table) -> str:
    """The header of the position, as a record has it."""
    keys = {
        "Deck": deal.deck,
        "Options": deal.options,
        "Custom": deal.custom,
        "Top": table.top,
        "Turn": str(table.turn + 1),
        "Direction": str(deal.direction),
        "Counts": ",".join(map(str, deal.sizes)),
        "DrawPile": "" if deal.draw_pile is None else str(deal.draw_pile),
    }
    if table.out:
        scores = ",".join("100" if seat in table.out else "0" for seat in range(len(deal.sizes)))
        keys |= {"Mode": "elimination", "Target": "100", "Scores": scores}
    return "".join(f'[{key} "{value}"]\n' for key, value in keys.items() if value)


def main() -> None:
    """Deals, counts and writes."""
    parts = [
        "# Sequences of lines that the rules allow, counted by the naive game: see tests/referee/naive_moves.py.\n"
    ]
    for deal in DEALS:
        table = dealt(deal)
        sequences, ended = count(table, deal.depth)
        hands = ", ".join(f'"{" ".join(hand)}"' for hand in table.hands)
        parts.append(
            f'[[deal]]\nid = "{deal.id}"\nheader = """\n{record_of(deal, table)}"""\nhands = [{hands}]\n'
            f'coming = "{" ".join(table.coming)}"\nsequences = {sequences}\nended = {ended}\n'
        )
    FILE.write_text("\n".join(parts), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
