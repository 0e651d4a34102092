"""Writes the golden games: matches of the naive game, and what the referee says of them.

Some of them once more, as people write: with lines that were wrong and are corrected (`CORRECTED`), or from a position
in the middle of a round on (`TAKEN_UP`).
"""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from random import Random

from referee.record import replay_text
from tests.referee.corrections import corrected, taken_up
from tests.referee.naive import Game
from tests.referee.naive_house import HouseGame, LeavingGame

GAMES = Path(__file__).parents[1] / "games"
MATCHES = {
    "two-points": Game(Random(2), 2),
    "three-points": Game(Random(3), 3, target=300),
    "five-112": Game(Random(5), 5, deck_kind="112"),
    "four-teams": Game(Random(4), 4, "teams"),
    "four-elimination": Game(Random(6), 4, "elimination", target=150),
    "ten-elimination-112": Game(Random(10), 10, "elimination", "112", target=60),
    "two-elimination-112": Game(Random(21), 2, "elimination", "112", target=100),
    "three-elimination": Game(Random(22), 3, "elimination", target=100),
    "four-teams-112": Game(Random(23), 4, "teams", "112"),
    "six-points-112": Game(Random(24), 6, deck_kind="112"),
    "seven-points": Game(Random(25), 7, target=500),
    "eight-points": Game(Random(26), 8),
    "nine-elimination": Game(Random(27), 9, "elimination", target=80),
    "ten-points-112": Game(Random(28), 10, deck_kind="112", target=500),
    "five-stack": HouseGame(Random(31), 5, options="stack"),
    "four-teams-stack-mixed": HouseGame(Random(32), 4, "teams", options="stack_mixed"),
    "three-swaps-112": HouseGame(Random(33), 3, deck_kind="112", target=100, options="seven_swap;zero_rotate"),
    "six-swaps-unheard-112": HouseGame(
        Random(34), 6, deck_kind="112", target=100, options="uno_after_swap=off;seven_swap;zero_rotate"
    ),
    "six-jump-in": HouseGame(Random(35), 6, options="jump_in"),
    "two-draw-until-playable": HouseGame(Random(36), 2, target=100, options="draw_until_playable"),
    "three-must-play-drawn": HouseGame(Random(37), 3, options="must_play_drawn;no_action_finish"),
    "seven-redraw-first-wild": HouseGame(Random(38), 7, options="first_wild=redraw;last_card_challenge"),
    "two-skip-all-112": HouseGame(Random(39), 2, deck_kind="112", custom="skip_all"),
    "five-others-draw-112": HouseGame(Random(40), 5, deck_kind="112", custom="others_draw=1"),
    "four-elimination-next-draws-112": HouseGame(Random(41), 4, "elimination", "112", target=100, custom="next_draw=3"),
    "eight-dares-112": HouseGame(Random(42), 8, deck_kind="112", custom="dare=2 sing a song"),
    "six-discard-wilds-112": HouseGame(Random(47), 6, deck_kind="112", target=100, custom="discard_wilds"),
    "three-discard-colour-112": HouseGame(Random(48), 3, deck_kind="112", target=100, custom="discard_colour"),
    "five-leave": LeavingGame(Random(49), 5, target=300),
    "three-mistakes": HouseGame(Random(43), 3, options="false_catch=1;misplay=draw2", mistakes=0.1),
    "two-mistakes-112": HouseGame(Random(44), 2, deck_kind="112", target=100, mistakes=0.1),
    "four-teams-everything-112": HouseGame(
        Random(45),
        4,
        "teams",
        "112",
        target=150,
        options="stack_mixed;seven_swap;zero_rotate;jump_in;must_play_drawn",
        custom="others_draw=1",
    ),
    "nine-elimination-house-rules": HouseGame(
        Random(46), 9, "elimination", target=60, options="stack;jump_in;no_action_finish"
    ),
}

CORRECTED = {f"{name}-corrected": name for name in ("two-points", "five-112", "four-teams-112", "four-elimination")}
"""Matches of `MATCHES` with misreadings, lines undone and undone corrections."""
TAKEN_UP = {f"{name}-taken-up": name for name in ("seven-points", "six-points-112", "four-teams", "three-elimination")}
"""The same from a position on, and corrected, too."""


def verdicts(text: str) -> str:
    """Where the record ends, then every ruling in order: one JSON object a line."""
    state = replay_text(text).public()
    rulings = state.pop("rulings")
    return "".join(f"{json.dumps(entry)}\n" for entry in (state, *rulings))


def record_of(game: Game) -> str:
    """The match as a record, once it is played."""
    return text_of(game.header(), game.lines)


def text_of(header: list[str], lines: list[str]) -> str:
    """A record of these lines."""
    return "\n".join((*header, *lines)) + "\n"


def records() -> dict[str, str]:
    """Plays every match; the record of each by its name, those that are derived from another too."""
    written = {}
    for name, match in MATCHES.items():
        game = deepcopy(match)
        game.play()
        written[name] = record_of(game)
        if f"{name}-corrected" in CORRECTED:
            header = game.header()
            written[f"{name}-corrected"] = text_of(header, corrected(game.lines, len(header), Random(name)))
        if f"{name}-taken-up" in TAKEN_UP:
            header, lines = taken_up(game)
            written[f"{name}-taken-up"] = text_of(header, corrected(lines, len(header), Random(name)))
    return written


def main() -> None:
    """Plays, judges and writes every match."""
    for name, text in records().items():
        (GAMES / f"{name}.trn").write_text(text, encoding="utf-8", newline="\n")
        (GAMES / f"{name}.jsonl").write_text(verdicts(text), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
