"""The public state of a table as one JSON object: what `GET /api/state` and every display get."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from referee import events as ev
from referee.expectations import expected_events
from referee.options import MatchSettings
from referee.public import public
from referee.rulings import Ruling
from referee.state import MatchState
from service.phrases import Phrases
from service.possible import ACTIONS, expected, possible

__all__ = ["ACTIONS", "Caption", "Sight", "Snapshot", "expected", "snapshot"]


@dataclass(frozen=True, slots=True)
class Caption:
    """A sentence as it was said: `number` rises by one a sentence, `topic` is its phrase, such as `event.play`;
    `lang` is the language that it was said in."""

    number: int
    text: str
    topic: str
    lang: str


@dataclass(frozen=True, slots=True)
class Sight:
    """Whether the camera sees the table, and if not why, in a sentence."""

    works: bool = True
    reason: str | None = None


Snapshot = dict[str, Any]
"""The object of `referee.public.public` and, besides:

| field | |
|---|---|
| `version` | rises by one with each event |
| `match` | its number in the store, null while none was begun |
| `players` | names in seat order; empty while no match was begun |
| `mode`, `deck`, `target` | what was agreed |
| `custom` | the rules of the Customizable cards, in their order: `kind`, `cards` that it costs, `text` of a dare |
| `phase` | `between` rounds, `playing`, `counting` hands, or `over` |
| `dealer` | the seat that dealt this round |
| `next_dealer` | between rounds, the seat that deals the next one, if it is known |
| `next` | the seat after `turn` |
| `question` | what is asked, as a sentence; empty when nothing is |
| `doubt` | what is asked about a card that the camera is not sure of, or null (see `service.doubts`) |
| `owed` | penalty cards by seat that nobody has yet seen it draw |
| `uncounted` | seats whose hands are still to be counted |
| `expected` | what may sensibly be done now: `action` and its fields as in `POST /api/actions` |
| `may` | by seat, what its player may do now: `id`, `body` of the action, what it still `needs` |
| `lang` | the language of the table now, such as `en` |
| `captions` | the last sentences: `number` (rises by one), `text`, `topic`, `lang` |
| `camera` | `works`, and a `reason` when it does not |
| `voice` | `sound`, and a `reason` when there is none, in the language of the table |
"""


def snapshot(
    phrases: Phrases,
    state: MatchState | None,
    *,
    version: int,
    match: int | None,
    rulings: Iterable[tuple[int, Ruling]],
    captions: Iterable[Caption],
    sight: Sight,
    sound: str | None,
    last: ev.Event | None = None,
    doubt: dict[str, Any] | None = None,
) -> Snapshot:
    """The snapshot; `rulings` are those of the last event, `sound` why nothing is heard (see `phrases.unheard`), or
    None, `last` the last event."""
    known = state is not None
    may = possible(state, last)
    state = state or _NOTHING
    round = state.round
    return {
        **public(state, rulings),
        "version": version,
        "match": match,
        "players": list(state.settings.players) if known else [],
        "mode": state.settings.mode,
        "deck": state.settings.deck,
        "target": state.settings.target,
        "custom": [asdict(effect) for effect in state.settings.custom],
        "phase": state.phase,
        "dealer": round.dealer if round else None,
        "next_dealer": state.dealer if state.phase == "between" else None,
        "next": round.next_to(state.turn) if round and state.turn else None,
        "question": phrases.question(state) or (doubt["text"] if doubt else ""),
        "doubt": doubt,
        "owed": list(round.owed) if round else [],
        "uncounted": [event.seat for event in expected_events(state) if isinstance(event, ev.Points)],
        "expected": [expected(event) for event in expected_events(state)] if known else [],
        "may": [[one.public(seat) for one in found] for seat, found in enumerate(may, start=1)],
        "lang": phrases.language.code,
        "captions": [asdict(one) for one in captions],
        "camera": {"works": sight.works, "reason": sight.reason},
        "voice": {"sound": sound is None, "reason": phrases.unheard(sound)},
    }


_NOTHING = MatchState(MatchSettings(players=("-", "--")), scores=())
