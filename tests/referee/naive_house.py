"""Matches of the naive game with house rules, with plays that go back and with catches that are wrong."""

from __future__ import annotations

from dataclasses import dataclass

from tests.referee.naive import Game
from tests.referee.naive_moves import Table, follow, lines

COST = {"misplay=draw1": 1, "misplay=draw2": 2, "false_catch=1": 1, "false_catch=2": 2}


@dataclass
class HouseGame(Game):
    """One match; `options` and `custom` as the header writes them."""

    options: str = ""
    custom: str = ""
    mistakes: float = 0.0
    """How often somebody is wrong."""

    def header(self) -> list[str]:
        keys = {"Options": self.options, "Custom": ";".join([self.custom] * 3) if self.custom else ""}
        return super().header() + [f'[{key} "{value}"]' for key, value in keys.items() if value]

    def start(self, dealer: int, two_handed: bool) -> None:
        while self.pile[-1] == "W" and "first_wild=redraw" in self.options:
            self.note("start W")
            self.random.shuffle(self.pile)
        super().start(dealer, two_handed)

    def one_turn(self, two_handed: bool) -> None:
        """The whole round from the turned card on."""
        assert self.top is not None and self.colour is not None and self.turn is not None
        self.table = Table(
            hands=self.hands,
            coming=self.pile[::-1],
            top=self.top,
            colour=self.colour,
            turn=self.turn,
            direction=self.direction,
            options=frozenset(self.options.split(";")),
            out=frozenset(self.out),
            custom=self.custom,
            discards=self.discards,
            random=self.random,
        )
        while not self.table.ended:
            if self.random.random() < self.mistakes * (5 if self.table.silent else 1):
                self.mistake()
            line = self.choose(lines(self.table))
            self.show(follow(self.table, line), line)

    def show(self, table: Table, line: str) -> None:
        self.table, self.hands = table, table.hands
        self.top, self.colour, self.direction = table.top, table.colour or None, table.direction
        self.turn = None if table.ended else (*table.asking, table.turn)[0]
        if table.ended:
            self.winner = next(seat for seat in table.playing() if not table.hands[seat])
        self.note(line)

    def choose(self, choice: list[str]) -> str:
        """Mostly a card, mostly with the call of uno; who forgot is often caught."""
        after = [line for line in choice if line.split()[1] in ("uno", "catch")]
        if after and self.random.random() < 0.5:
            return self.random.choice(after)
        laid = [line for line in choice if line.split()[1] not in ("uno", "catch", "draw", "pass", "challenge")]
        called = [line for line in laid if line.endswith("uno")]
        if called and self.random.random() < 0.7:
            return self.random.choice(called)
        other = [line for line in choice if line not in after and line not in laid]
        return self.random.choice(laid if laid and (not other or self.random.random() < 0.85) else other)

    def mistake(self) -> None:
        """A call or catch that comes late, a catch of somebody who forgot nothing, or a card that does not match."""
        table = self.table.copy()
        if table.silent and self.random.random() < 0.5:
            self.late(table, self.random.choice(sorted(table.silent)))
            return
        wrong = [card for card in table.hands[table.turn] if not table.fits(card)]
        if self.random.random() < 0.5:
            seat = self.random.choice(table.playing())
            innocent = [other for other in table.playing() if other != seat and len(table.hands[other]) != 1]
            if innocent:
                table.draw(seat, self.cost("false_catch"))
                self.show(table, f"{seat + 1} catch {self.random.choice(innocent) + 1}")
        elif wrong and not table.asked and not table.drawn:
            table.close_window()
            table.draw(table.turn, self.cost("misplay"))
            self.show(table, f"{table.turn + 1} {self.random.choice(wrong)}")

    def late(self, table: Table, forgot: int) -> None:
        """`forgot` calls, or is caught, when nothing comes of it any more."""
        if self.random.random() < 0.5:
            self.show(follow(table, f"{forgot + 1} uno"), f"{forgot + 1} uno")
        else:
            other = self.random.choice([seat for seat in table.playing() if seat != forgot])
            self.show(table, f"{other + 1} catch {forgot + 1}")

    def cost(self, fault: str) -> int:
        return sum(COST.get(option, 0) for option in self.options.split(";") if option.startswith(fault))


class LeavingGame(Game):
    """One match of the official rules, from which people leave now and then."""

    def one_turn(self, two_handed: bool) -> None:
        there = [seat for seat in range(self.players) if seat not in self.out]
        if len(there) > 2 and self.random.random() < 0.05:
            there.remove(self.leave(self.random.choice(there)))
        super().one_turn(two_handed=len(there) == 2)

    def leave(self, seat: int) -> int:
        """The cards of `seat` go under the draw pile."""
        following = self.following(seat)
        self.pile[:0], self.hands[seat] = self.hands[seat], []
        self.out.append(seat)
        self.turn = following if self.turn == seat else self.turn
        self.note(f"leave {seat + 1}")
        return seat

    def count_hands(self, seats: list[int]) -> None:
        super().count_hands([seat for seat in seats if seat not in self.out])
