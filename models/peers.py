"""What public readers of UNO cards publish of themselves, as a table: `peers.toml`."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Final

FILE: Final = Path(__file__).with_name("peers.toml")

NOTE: Final = """\
Their own figures, as published (read on {read} in stored copies); what each was taken on decides what it means. All but
one were taken on pictures of the decks that had been learnt, ours on decks that training never saw, so they do not
compare with ours. None of their weights could be had where this card was made, so none took part in our runs. Other
public readers (Hemant-Mooneea/PDE3821-UNO-Card-detector, Stormynova/Uno_Card_detection, R3xol/UNO_card_recognition,
AiswaryaShajan/UNO_Card_Detection) publish no figure in words."""


def listed() -> dict[str, Any]:
    """The file: `read`, a date, and `peer`, a list of name, address, reads, figure, means."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def table() -> str:
    """A row for each reader, and what to make of them."""
    told = listed()
    rows = ["| reader | what it reads | figure | taken on |", "|---|---|---|---|"]
    for peer in told["peer"]:
        rows.append(f"| [{peer['name']}]({peer['address']}) | {peer['reads']} | {peer['figure']} | {peer['means']} |")
    return "\n".join([NOTE.format(read=told["read"]), "", *rows])
