"""People at a table, for tests: records in short, random settings, and players who do sensible or absurd things."""

from __future__ import annotations

from random import Random
from typing import Any, get_args

from referee.cards import FACES, Card, Colour
from referee.events import (
    Catch,
    Challenge,
    ChooseRule,
    Deal,
    Discard,
    Draw,
    Event,
    Hand,
    Leave,
    NameColour,
    Pass,
    Play,
    Points,
    Reshuffle,
    Start,
    Swap,
    Uno,
    Void,
)
from referee.expectations import expected_events, legal_plays, seats_to_play
from referee.options import OPTION_VALUES, Effect, EffectKind, MatchSettings, Options
from referee.record import Replay, replay_text
from referee.state import MatchState

NAMES = ("Anna", "Bram", "Cleo", "Dirk", "Emma", "Finn", "Gijs", "Hana", "Iris", "Joep")


def played(lines: str, **header: str) -> Replay:
    """The replay of `lines` (one event each, `/` between two) after a header of these keys."""
    text = "".join(f'[{key} "{value}"]\n' for key, value in header.items())
    return replay_text(text + lines.replace("/", "\n") + "\n")


def keys(replay: Replay) -> list[str]:
    """The keys of all rulings, in order."""
    return [ruling.key for _, ruling in replay.rulings]


def random_settings(random: Random) -> MatchSettings:
    """Any agreement that a table may make, with a deal or a position to start from."""
    mode = random.choice(("points", "points", "elimination", "teams"))
    players = NAMES[: 4 if mode == "teams" else random.randint(2, 10)]
    options = {name: list(values.values()) for name, values in OPTION_VALUES.items()}
    chosen = {name: random.choice(values) for name, values in options.items() if random.random() < 0.3}
    settings: dict[str, Any] = {
        "players": players,
        "deck": random.choice(("108", "112")),
        "mode": mode,
        "target": random.choice((50, 500)),
        "dealer": random.choice((None, 1, len(players))),
        "options": Options(**chosen),  # type: ignore[arg-type]
        "custom": tuple(random_effect(random) for _ in range(random.randint(0, 3))),
    }
    if random.random() < 0.5:
        counts = tuple(random.randint(1, 4) for _ in players)
        top = random.choice(FACES)
        draw_pile = random.choice((None, 0, 1, 20))
        settings |= {"top": top, "counts": counts, "turn": 1, "draw_pile": draw_pile}
    return MatchSettings(**settings)


def random_effect(random: Random) -> Effect:
    """Any rule for a Customizable card."""
    kind: EffectKind = random.choice(get_args(EffectKind))
    return Effect(kind, random.randint(1, 3) if kind in ("others_draw", "next_draw", "dare") else 0)


def absurd_event(random: Random, seats: int) -> Event:
    """Anything at all, by anybody, whether or not there is such a seat."""

    def seat() -> int:
        return random.choice((0, 11, 99)) if random.random() < 0.2 else random.randint(1, seats)

    def card() -> Card | None:
        return random.choice([*FACES, None])

    def cards() -> tuple[Card | None, ...]:
        return tuple(card() for _ in range(random.randint(0, 4)))

    colour = random.choice((*Colour, None))
    number = random.choice((None, 1, 2, 3, 4, 99))
    return random.choice(
        (
            lambda: Deal(seat()),
            lambda: Start(card(), colour, number),
            lambda: Play(seat(), card(), colour, number, random.random() < 0.3),
            lambda: Draw(seat(), random.choice((None, 1, 2, 4, 6, 0, 200))),
            lambda: Pass(seat()),
            lambda: Uno(seat()),
            lambda: Catch(seat(), seat()),
            lambda: Challenge(seat(), random.choice(("guilty", "innocent", None))),
            lambda: NameColour(seat(), random.choice(tuple(Colour))),
            lambda: Swap(seat(), seat()),
            lambda: ChooseRule(seat(), random.randint(0, 5)),
            lambda: Discard(seat(), cards()),
            lambda: Hand(seat(), cards()),
            lambda: Points(seat(), random.randint(0, 300)),
            Reshuffle,
            lambda: Leave(seat()),
            Void,
        )
    )()


def sensible_event(random: Random, state: MatchState) -> Event:
    """Something that may well happen next, a play of a real card most often; the match must not be over."""
    seat = random.choice(seats_to_play(state) or (0,))
    legal = sorted(legal_plays(state, seat), key=str)
    if legal and random.random() < 0.7:
        colour = random.choice((*Colour, None))
        partner = random.choice((None, *state.seats))
        card = random.choice(legal)
        named = colour if card.is_wild else None
        return Play(seat, card, named, partner if card.is_wild else None, random.random() < 0.5)
    expected = [event for event in expected_events(state) if not isinstance(event, (Leave, Void))]
    event = random.choice(expected)
    if isinstance(event, Start):
        return Start(random.choice(FACES))
    if isinstance(event, Points):
        return Points(event.seat, random.randint(0, 120))
    return event
