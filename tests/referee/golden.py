"""Writes the golden games: matches of the naive game, and what the referee says of them."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

from referee.record import replay_text
from tests.referee.naive import Game

GAMES = Path(__file__).parents[1] / "games"
MATCHES = {
    "two-points": Game(Random(2), 2),
    "three-points": Game(Random(3), 3, target=300),
    "five-112": Game(Random(5), 5, deck_kind="112"),
    "four-teams": Game(Random(4), 4, "teams"),
    "four-elimination": Game(Random(6), 4, "elimination", target=150),
    "ten-elimination-112": Game(Random(10), 10, "elimination", "112", target=60),
}


def verdicts(text: str) -> str:
    """Where the record ends, then every ruling in order: one JSON object a line."""
    state = replay_text(text).public()
    rulings = state.pop("rulings")
    return "".join(f"{json.dumps(entry)}\n" for entry in (state, *rulings))


def main() -> None:
    """Plays, judges and writes every match."""
    for name, game in MATCHES.items():
        game.play()
        text = "\n".join((*game.header(), *game.lines)) + "\n"
        (GAMES / f"{name}.trn").write_text(text, encoding="utf-8", newline="\n")
        (GAMES / f"{name}.jsonl").write_text(verdicts(text), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
