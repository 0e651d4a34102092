"""Whatever happens at a table, in any order and by anybody: what must hold all the same."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from referee.cards import FACES, Colour
from referee.events import (
    Amend,
    Catch,
    Challenge,
    ChooseRule,
    Deal,
    Discard,
    Draw,
    Event,
    NameColour,
    Pass,
    Play,
    Reshuffle,
    Start,
    Swap,
    Undo,
    Uno,
    Void,
)
from referee.expectations import expected_events, legal_plays, seats_to_play
from referee.header import header_lines
from referee.judge import judge
from referee.ledger import Ledger
from referee.options import MatchSettings
from referee.record import line_for, parse, plain, replay_text
from referee.rulings import Ruling
from referee.state import MatchState
from tests.referee.table import absurd_event, random_settings, sensible_event

FAULTS = {"unexplained", "cannot_be_played", "false_catch", "late_catch", "census"}
# A game is played by a seeded Random, not drawn move by move: that is fifty times as fast, and the seed says it all.
some = settings(
    max_examples=30,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],  # a busy machine is no fault of a seed
)
few = settings(some, max_examples=6)
randoms = st.integers(0, 2**32).map(Random)


def happening(random: Random, ledger: Ledger, corrections: bool = True) -> Event:
    """Mostly something sensible, now and then something absurd, an undo or an amendment."""
    state, chance = ledger.state, random.random()
    if corrections and chance < 0.06:
        return Undo()
    if corrections and chance < 0.12:
        return Amend(random.randint(1, ledger.next_line), random.choice(FACES), random.choice([*Colour, None]))
    if chance < 0.25 or state.phase == "over":
        return absurd_event(random, len(state.settings.players))
    return sensible_event(random, state)


def states(random: Random, events: int) -> list[MatchState]:
    """The states of some match that goes through so many events."""
    ledger = Ledger(random_settings(random))
    return [ledger.add(happening(random, ledger, corrections=False)).state for _ in range(events)]


def faults(rulings: tuple[Ruling, ...]) -> list[str]:
    return [ruling.key for ruling in rulings if ruling.key in FAULTS]


@some
@given(randoms)
def test_nothing_raises_and_no_card_is_lost_or_invented(random: Random) -> None:
    for state in states(random, 60):
        round = state.round
        if round is None:
            continue
        assert sum(round.counts) + round.draw_pile + round.discards == state.settings.cards
        assert min(round.counts) >= 0 and round.draw_pile >= 0 and round.discards >= 0
        assert all(0 <= owed <= count for owed, count in zip(round.owed, round.counts, strict=True))
        assert all(round.count(seat) == 1 for seat in (*round.catchable, *round.missed))
        assert len(set(round.catchable)) == len(round.catchable)
        assert state.turn is None or state.turn in round.seats
        assert (state.turn is not None) == (state.phase == "playing" and round.is_turned)


@few
@given(randoms)
def test_replaying_any_beginning_of_a_record_gives_the_state_reached_live(random: Random) -> None:
    agreed = random_settings(random)
    lines = list(header_lines(agreed))
    ledger = Ledger(agreed, first_line=len(lines) + 1)
    for _ in range(25):
        event = happening(random, ledger)
        lines.append(line_for(event))
        step = ledger.add(event)
        replayed = replay_text("\n".join(lines))
        assert replayed.state == step.state
        assert replayed.rulings == ledger.rulings
        assert str(replayed.record) == "\n".join(lines)


@some
@given(randoms)
def test_undo_takes_everything_back(random: Random) -> None:
    ledger = Ledger(random_settings(random))
    before = [(ledger.state, ledger.history)]
    for _ in range(20):
        ledger.add(happening(random, ledger, corrections=False))
        before.append((ledger.state, ledger.history))
    ledger.add(Amend(random.randint(1, 20), random.choice(FACES)))
    while before:
        ledger.add(Undo())
        assert (ledger.state, ledger.history) == before.pop()
    assert ledger.add(Undo()).rulings[0].key == "unexplained"


@some
@given(randoms)
def test_an_amended_record_is_the_record_of_what_really_happened(random: Random) -> None:
    agreed = random_settings(random)
    ledger, truth = Ledger(agreed), Ledger(agreed)
    events = [ledger.add(happening(random, ledger, corrections=False)).event for _ in range(20)]
    plays = [line for line, event in enumerate(events, start=1) if isinstance(event, Play)]
    if not plays:
        return
    line, card = random.choice(plays), random.choice(FACES)
    ledger.add(Amend(line, card, Colour.RED))
    for number, event in enumerate(events, start=1):
        truth.add(replace(event, card=card, colour=Colour.RED) if number == line else event)  # type: ignore[call-arg]
    assert ledger.state == truth.state
    assert ledger.rulings == truth.rulings


@few
@given(randoms)
def test_legal_plays_are_those_that_stay_on_the_pile(random: Random) -> None:
    for state in states(random, 20):
        for seat in state.settings.seats:
            legal = legal_plays(state, seat)
            stays = {card for card in FACES if not faults(judge(state, Play(seat, card)).rulings)}
            assert legal == stays
        assert legal_plays(state) == frozenset().union(*(legal_plays(state, seat) for seat in seats_to_play(state)))


@some
@given(randoms)
def test_expected_events_are_no_faults(random: Random) -> None:
    for state in states(random, 40):
        for event in expected_events(state):
            assert not faults(judge(state, event).rulings), event


@some
@given(randoms)
def test_unexpected_events_are_faults_or_change_nothing(random: Random) -> None:
    for state in states(random, 25):
        expected = {template(event) for event in expected_events(state)}
        for event in everything(state):
            if template(event) not in expected:
                after, rulings = judge(state, event)
                assert faults(rulings) or replace(after, decided=state.decided) == state, event


def template(event: Event) -> object:
    """An event without what is free in it."""
    if isinstance(event, Draw):
        return Draw, event.seat
    if isinstance(event, (NameColour, Swap, ChooseRule, Catch)):
        return event
    return type(event), getattr(event, "seat", None)


def everything(state: MatchState) -> list[Event]:
    """One of every kind of event by every seat, but for plays of real cards and hands."""
    seats = state.settings.seats
    by_seat = [
        made
        for seat in seats
        for made in (
            Deal(seat),
            Play(seat, None),
            Draw(seat),
            Pass(seat),
            Uno(seat),
            Challenge(seat, "guilty"),
            Challenge(seat),
            NameColour(seat, Colour.RED),
            ChooseRule(seat, 1),
            Discard(seat, ()),
            *(Catch(seat, other) for other in seats),
            *(Swap(seat, other) for other in seats),
        )
    ]
    return [*by_seat, Start(FACES[0]), Reshuffle(), Void()]


@some
@given(randoms)
def test_the_normal_form_is_its_own_normal_form(random: Random) -> None:
    agreed = random_settings(random)
    ledger = Ledger(agreed)
    while len(ledger.history) < 40 and ledger.state.phase != "over":
        ledger.add(Undo() if random.random() < 0.1 else sensible_event(random, ledger.state))
    happened = [line_for(judged.event) for judged in ledger.history]
    once = plain(parse("\n".join((*header_lines(agreed), *happened))))
    assert plain(parse("\n".join((*header_lines(agreed), *once)))) == once


def test_a_seed_always_plays_the_same_match() -> None:
    assert states(Random(3), 30) == states(Random(3), 30)


def test_random_tables_differ() -> None:
    tables: list[MatchSettings] = [random_settings(Random(seed)) for seed in range(30)]
    assert {table.mode for table in tables} == {"points", "elimination", "teams"}
    assert any(table.is_position for table in tables) and not all(table.is_position for table in tables)
