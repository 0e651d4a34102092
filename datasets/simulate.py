"""Whole films from a seed: a random legal game, dealt, played, shot and written with its true record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from datasets.bank import faces_for
from datasets.clutter import clutter
from datasets.deal import ORDINARY, Habits, game
from datasets.film import STANDARD, Conditions, Studio, write_video
from datasets.script import Script, script
from datasets.styles import Style, random_style
from datasets.troubles import Troubles, mishaps
from datasets.virtual_table import Placed, TableTop, VirtualTable
from referee.events import Play
from referee.options import MatchSettings, Mode
from referee.record import Record, append, new_record

NAMES: Final = ("Anna", "Bram", "Cleo", "Daan", "Elin", "Finn", "Gita", "Hugo", "Ines", "Jens")
DEALER: Final = 1
"""The seat that deals in every film, so that a film is understood without its record: `tableref watch` supposes it."""
PLAYS: Final = (30, 60)
GRAIN: Final = 0.8
"""Noise of the sensor in the films of `tableref simulate`, grey levels: more makes large files."""
RESHUFFLING: Final = Habits(draws=0.45, keeps=0.7, reshuffles=True)
"""Players who draw so much that the draw pile runs out, with many of them at the table."""


@dataclass(frozen=True, slots=True)
class Film:
    """A film before it is shot."""

    settings: MatchSettings
    script: Script
    studio: Studio
    conditions: Conditions

    @property
    def record(self) -> Record:
        """What truly happens in it."""
        record = new_record(self.settings)
        for event in self.script.events:
            record = append(record, event)
        return record

    def write(self, video: Path, truth: Path | None = None) -> list[tuple[Placed, ...]]:
        """Shoots it; returns the cards that can be seen in every frame. `truth`: a file for what is true of each."""
        return write_video(video, self.studio.shots(), self.conditions.rate, truth)


def film(
    seed: int,
    players: int,
    conditions: Conditions = STANDARD,
    style: Style | None = None,
    plays: tuple[int, int] = PLAYS,
    habits: Habits = ORDINARY,
    top: TableTop | None = None,
    mode: Mode = "points",
) -> Film:
    """The film of that seed. Raises ValueError when no game of that many plays comes up.

    What troubles need is drawn apart: the same seed gives the same game and the same table with and without them.
    """
    rng, odd = np.random.default_rng([seed, players]), np.random.default_rng([seed, players, 5])
    settings = MatchSettings(players=NAMES[:players], dealer=DEALER, target=500, mode=mode)
    troubles = conditions.troubles
    events = game(rng, settings, plays, RESHUFFLING if troubles.reshuffle else habits)
    plan = script(rng, mishaps(odd, events, settings, troubles), players, DEALER, troubles, odd)
    deck = style or random_style(rng, faces_for(held_out=True))
    table = VirtualTable(rng, deck, conditions.size, 108 - 7 * players, conditions.card, top)
    if troubles.clutter:
        clutter(odd, table)
    return Film(settings, plan, Studio(rng, table, plan, conditions, odd), conditions)


def simulate(
    seed: int,
    players: int,
    video: Path,
    record: Path,
    conditions: Mapping[str, Any],
    *,
    troubles: str = "none",
    mode: Mode = "points",
    truth: Path | None = None,
) -> str:
    """Shoots the film of a seed into `video`, its truth into `record`, that of every frame into `truth`.

    conditions: fields of `Conditions`. Returns one line that says what was written. Raises OSError, ValueError.
    """
    shot_as = Conditions(**{"noise": GRAIN, **conditions}, troubles=Troubles.parse(troubles))
    whole = film(seed, players, shot_as, mode=mode)
    record.write_text(str(whole.record), encoding="utf-8")
    frames = len(whole.write(video, truth))
    plays = sum(isinstance(event, Play) for event in whole.script.events)
    width, height = shot_as.size
    pictures = f"{frames} frames {width}x{height}, {video.stat().st_size / 1e6:.0f} MB"
    game = f"{plays} plays of {players} players in {whole.script.seconds:.0f} s"
    return f"{video}: {game}, {pictures}; {record}: its true record"
