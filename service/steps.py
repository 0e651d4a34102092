"""A match step by step: every event that counts with the state that it led to, for replay and for plots."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from referee import events as ev
from referee.notation import line_for
from referee.public import public
from referee.rulings import FalseCatch, LateCatch
from service.match import Entry, Match
from service.possible import name_of


def steps(match: Match) -> dict[str, Any]:
    """The match as one JSON object; `began` is when, ISO 8601."""
    settings = match.ledger.settings
    return {
        "match": match.id,
        "began": match.begun_at,
        "players": list(settings.players),
        "mode": settings.mode,
        "deck": settings.deck,
        "target": settings.target,
        "steps": list(map(step, match.entries())),
    }


def step(entry: Entry) -> dict[str, Any]:
    """One event, and where the match stood after it; the colour that was named with it is `named`."""
    judged, event = entry.judged, told(entry)
    state = public(judged.after, ((judged.line, ruling) for ruling in judged.rulings))
    return {**event, "named": event["colour"], "phase": judged.after.phase, **state}


def told(entry: Entry) -> dict[str, Any]:
    """One event in the words of the record, with what pages show of it."""
    event = entry.judged.event
    named = {name: getattr(event, name, None) for name in ("seat", "card", "colour")}
    words = {
        name: None if value is None else value if isinstance(value, int) else str(value)
        for name, value in named.items()
    }
    return {
        "line": entry.judged.line,
        "version": entry.version,
        "text": line_for(event),
        "action": name_of(event),
        "seconds": event.seconds,
        "source": entry.source,
        "amendable": hasattr(event, "card"),
        "seat": words["seat"],
        "card": words["card"],
        "colour": words["colour"],
        "caught": event.target if isinstance(event, ev.Catch) else None,
        "in_vain": any(isinstance(ruling, LateCatch | FalseCatch) for ruling in entry.judged.rulings),
    }


def with_pictures(lines: Iterable[dict[str, Any]], versions: frozenset[int]) -> list[dict[str, Any]]:
    """The lines, each with whether the camera's picture of it is still there."""
    return [{**line, "picture": line["version"] in versions} for line in lines]
