"""Whole films from a seed: a random legal game, dealt, played, shot and written with its true record."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from datasets.bank import faces_for
from datasets.deal import ORDINARY, Habits, game
from datasets.film import STANDARD, Conditions, Script, Studio, script, write_video
from datasets.styles import Style, random_style
from datasets.virtual_table import Placed, TableTop, VirtualTable
from referee.options import MatchSettings
from referee.record import Record, append, new_record

NAMES: Final = ("Anna", "Bram", "Cleo", "Daan", "Elin", "Finn", "Gita", "Hugo", "Ines", "Jens")
DEALER: Final = 1
"""The seat that deals in every film, so that a film is understood without its record: `tableref watch` supposes it."""
PLAYS: Final = (30, 60)


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

    def write(self, video: Path) -> list[tuple[Placed, ...]]:
        """Shoots it; returns the cards that can be seen in every frame."""
        return write_video(video, self.studio.shots(), self.conditions.rate)


def film(
    seed: int,
    players: int,
    conditions: Conditions = STANDARD,
    style: Style | None = None,
    plays: tuple[int, int] = PLAYS,
    habits: Habits = ORDINARY,
    top: TableTop | None = None,
) -> Film:
    """The film of that seed. Raises ValueError when no game of that many plays comes up."""
    rng = np.random.default_rng([seed, players])
    settings = MatchSettings(players=NAMES[:players], dealer=DEALER, target=500)
    events = game(rng, settings, plays, habits)
    plan = script(rng, events, players, DEALER)
    deck = style or random_style(rng, faces_for(held_out=True))
    table = VirtualTable(rng, deck, conditions.size, 108 - 7 * players, conditions.card, top)
    return Film(settings, plan, Studio(rng, table, plan, conditions), conditions)


def simulate(seed: int, players: int, video: Path, record: Path, conditions: Conditions = STANDARD) -> None:
    """Shoots the film of a seed into `video` and writes its truth into `record`. Raises OSError, ValueError."""
    whole = film(seed, players, conditions)
    record.write_text(str(whole.record), encoding="utf-8")
    whole.write(video)
