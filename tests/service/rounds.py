"""Rounds that several tests begin from."""

from __future__ import annotations

from referee import events as ev
from referee.cards import Card
from service.table import Table


def played_out(table: Table) -> None:
    """A round that seat 2 dealt and seat 1 has just ended with red one to seven, seat 2 drawing each time."""
    table.apply(ev.Deal(2))
    table.apply(ev.Start(Card.parse("R0")))
    for number in "1234567":
        table.apply(ev.Play(1, Card.parse(f"R{number}")))
        if number != "7":
            table.apply(ev.Draw(2))
            table.apply(ev.Pass(2))
