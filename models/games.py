"""The games of `models.bench_table`: which are filmed, how, and what came of each, in files, so that a run goes on.

A result is only taken from its file when the same film was watched with the same weights; whoever changed the code that
watches begins in another folder.
"""

from __future__ import annotations

import dataclasses
import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from datasets.film import Conditions
from datasets.simulate import PLAYS, Film, film
from datasets.tops import HELD_TOPS
from datasets.troubles import NONE, Troubles
from datasets.virtual_table import TableTop
from models.stages import Stages

CROWD: Final = 10
"""Players of the games in which the draw pile runs out."""
HELD_PLAYS: Final = (40, 70)
HELD_SEED, HALF_LIGHT_SEED = 1001, 2001
"""From there on the games of these sets are numbered: no others have these seeds."""
HALF_LIGHT: Final = Conditions(size=(640, 480), rate=8.0, light=0.5)
WEIGHTS: Final = Path(__file__).parent / "weights" / "SHA256SUMS"


@dataclass(frozen=True, slots=True)
class Game:
    """One game to be filmed. kind: of which row of the table it is. top: None for any table top."""

    name: str
    kind: str
    seed: int
    players: int
    conditions: Conditions
    plays: tuple[int, int] = PLAYS
    top: TableTop | None = None

    @property
    def mark(self) -> str:
        """Eight letters that differ from those of any other film of the same name."""
        top = "" if self.top is None else self.top.__name__
        return f"{zlib.crc32(repr((self.conditions, self.plays, top)).encode()):08x}"

    def film(self) -> Film:
        """The game before it is shot."""
        return film(self.seed, self.players, self.conditions, plays=self.plays, top=self.top)


@dataclass(frozen=True, slots=True)
class Result:
    """One game: the differences (as a diff), how many plays were right, and how long the parts took, seconds.

    waits: seconds of film from each card at rest to the frame that settled it, for those that were found. asked: the
    referee's questions that were answered from the truth.
    """

    differences: tuple[str, ...]
    right: int
    plays: int
    seconds: float
    watched: float
    seeing: float
    waits: tuple[float, ...] = ()
    stages: Stages = field(default_factory=Stages)
    asked: int = 0


def ordinary(kind: str, seeds: Sequence[int], players: Sequence[int], given: Conditions, plays: Any) -> Iterator[Game]:
    """Games of one kind of trouble, which `kind` names, for each seed and number of players."""
    conditions = dataclasses.replace(given, troubles=Troubles.parse(kind))
    for seed in seeds:
        for number in [CROWD] if kind == "reshuffle" else players:
            name = f"{number}-players-{seed}" + ("" if kind == "none" else f"-{kind.replace(',', '-')[:40]}")
            yield Game(name, kind, seed, number, conditions, PLAYS if kind == "reshuffle" else tuple(plays))


def held(count: int, troubles: Troubles = NONE) -> Iterator[Game]:
    """Games in typefaces and on table tops that training never saw, with 2 to 10 seats and at least 40 plays each."""
    for number in range(count):
        seed, players = HELD_SEED + number, 2 + number % 9
        top = HELD_TOPS[number % len(HELD_TOPS)]
        yield Game(f"held-{seed}", "held", seed, players, Conditions(troubles=troubles), HELD_PLAYS, top)


def half_light(count: int) -> Iterator[Game]:
    """The same in small pictures, eight a second, in half light."""
    for number in range(count):
        seed, players = HALF_LIGHT_SEED + number, 2 + number % 9
        top = HELD_TOPS[number % len(HELD_TOPS)]
        yield Game(f"half-light-{seed}", "half light", seed, players, HALF_LIGHT, HELD_PLAYS, top)


class Results:
    """What came of games, one file for each in `folder`; nothing is kept without one. told: of what else it depends."""

    def __init__(self, folder: Path | None, told: str = "") -> None:
        self._folder = folder
        self._told = f"{zlib.crc32(WEIGHTS.read_bytes() if WEIGHTS.is_file() else b''):08x} {told}".strip()
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)

    def of(self, game: Game) -> Result | None:
        """What came of a game when it was watched before; None when it was not."""
        if self._folder is None:
            return None
        try:
            known = json.loads(self._file(game).read_text(encoding="utf-8"))
            return _result(known["result"]) if known["watched_with"] == self._told else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def keep(self, game: Game, result: Result) -> None:
        """Remember what came of a game."""
        if self._folder is None:
            return
        plain = {**dataclasses.asdict(dataclasses.replace(result, stages=Stages())), "stages": result.stages.seconds}
        told = {"watched_with": self._told, "game": game.name, "players": game.players, "result": plain}
        part = self._file(game).with_suffix(".part")
        part.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
        part.replace(self._file(game))

    def _file(self, game: Game) -> Path:
        assert self._folder is not None
        return self._folder / f"{game.name}-{game.mark}.json"


def _result(plain: dict[str, Any]) -> Result:
    stages = Stages()
    stages.seconds.update(plain.pop("stages"))
    differences, waits = tuple(plain.pop("differences")), tuple(plain.pop("waits"))
    return Result(differences, waits=waits, stages=stages, **plain)
