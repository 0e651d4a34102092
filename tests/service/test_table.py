"""One table: judged, stored, told to everybody, and never to the wrong turn."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from referee import events as ev
from referee.cards import Card, Colour
from referee.notation import event_of
from referee.options import MatchSettings
from referee.record import replay_text
from service.phrases import Phrases, Utterance
from service.snapshot import expected
from service.store import Store
from service.subscription import QUEUE, Update
from service.table import Conflict, NoMatch, NotStored, Table
from vision.changes import CardLaid, CardsDrawn, ViewBack, ViewLost

ROOT = Path(__file__).parents[2]
THREE = MatchSettings(players=("Anna", "Bram", "Carla"), dealer=3)
R7, R5, B5 = Card.parse("R7"), Card.parse("R5"), Card.parse("B5")


class Clock:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Ear:
    """A voice that only listens: what it was given to say, in order."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.tell: Callable[[str | None], None] = lambda reason: None

    def say(self, utterances: Sequence[Utterance], /) -> None:
        self.heard += [utterance.text for utterance in utterances]

    def listen(self, listener: Callable[[str | None], None], /) -> None:
        self.tell = listener


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def ear() -> Ear:
    return Ear()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "table.sqlite") as store:
        yield store


@pytest.fixture
def table(store: Store, ear: Ear, clock: Clock) -> Table:
    """A table at which red five was turned and Anna is to play."""
    table = Table.open(store, Phrases.load("en"), ear, clock)
    table.new_match(THREE)
    table.apply(ev.Deal(3))
    table.apply(ev.Start(R5))
    return table


def laid(card: str, clock: Clock, ago: float = 1.0, hand: float | None = None) -> CardLaid:
    """The camera settles now on a card whose hand came `ago` seconds before."""
    return CardLaid(Card.parse(card), 0.9, clock.now - 5, clock.now - 5 - ago, hand=hand)


# Applying


def test_an_event_is_judged_stored_shown_and_spoken(table: Table, store: Store, ear: Ear, clock: Clock) -> None:
    clock.now += 2.34
    applied = table.apply(ev.Play(1, R7), expected_version=3)
    assert applied.version == table.version == store.version == 4
    assert applied.state.turn == 2 and applied.rulings == ()
    assert store.load(1) == table.record()
    assert table.record().splitlines()[-1] == "1 R7 @2.3"
    assert ear.heard[-2:] == ["Anna: red seven.", "Bram's turn, seven cards."]
    captions = table.snapshot()["captions"]
    assert [caption["text"] for caption in captions][-2:] == ear.heard[-2:]
    assert [caption["number"] for caption in captions] == sorted({caption["number"] for caption in captions})


def test_the_snapshot_is_the_state_of_replay(table: Table) -> None:
    table.apply(ev.Play(1, Card.parse("W4")))
    snapshot, public = table.snapshot(), replay_text(table.record()).public()
    assert {key: snapshot[key] for key in public if key != "rulings"} == {
        key: value for key, value in public.items() if key != "rulings"
    }
    assert snapshot["players"] == ["Anna", "Bram", "Carla"]
    assert (snapshot["phase"], snapshot["match"], snapshot["version"]) == ("playing", 1, 4)
    assert snapshot["question"] == "Anna, which colour?"
    assert {"action": "colour", "seat": 1, "colour": "B"} in snapshot["expected"]


def test_what_may_be_done_is_offered_and_hints_at_no_hand(table: Table) -> None:
    for line in ("1 W", "1 colour B", "2 draw", "2 pass", "3 W4", "3 colour R", "1 challenge guilty"):
        event = event_of(line)
        assert event is not None
        offered = table.snapshot()["expected"]
        assert expected(event) in offered, offered
        assert not any("card" in one for one in offered)
        table.apply(event)


def test_an_action_that_comes_too_late_is_refused(table: Table, store: Store) -> None:
    table.apply(ev.Play(1, R7), expected_version=3)
    with pytest.raises(Conflict) as refused:
        table.apply(ev.Draw(1), expected_version=3)
    assert refused.value.snapshot == table.snapshot() and refused.value.snapshot["turn"] == 2
    assert store.version == 4


def test_repeated_delivery_applies_once(table: Table, store: Store, ear: Ear) -> None:
    first = table.apply(ev.Draw(1), expected_version=3, key="abc")
    said = list(ear.heard)
    again = table.apply(ev.Draw(1), expected_version=3, key="abc")
    assert (again.version, again.repeated, first.repeated) == (first.version, True, False)
    assert again.state == first.state and ear.heard == said and store.version == 4


def test_repeated_delivery_after_a_restart(tmp_path: Path) -> None:
    with Store.open(tmp_path / "table.sqlite") as store:
        table = Table.open(store, Phrases.load("en"))
        table.new_match(THREE)
        first = table.apply(ev.Deal(3), key="abc")
    with Store.open(tmp_path / "table.sqlite") as store:
        again = Table.open(store, Phrases.load("en")).apply(ev.Deal(3), key="abc")
    assert (again.version, again.repeated) == (first.version, True)


def test_without_a_match(store: Store, clock: Clock) -> None:
    table = Table.open(store, Phrases.load("en"))
    snapshot = table.snapshot()
    assert (snapshot["players"], snapshot["match"], snapshot["expected"], snapshot["turn"]) == ([], None, [], None)
    with pytest.raises(NoMatch):
        table.apply(ev.Draw(1))
    assert table.see(laid("R7", clock)) == () and table.record() == "" and table.history() == ()


def test_undo_and_amend_judge_again(table: Table, ear: Ear) -> None:
    table.apply(ev.Play(1, R7))
    table.apply(ev.Play(2, Card.parse("R1")))
    line = table.history()[-2].line
    assert table.record().splitlines()[line - 1].startswith("1 R7")
    table.apply(ev.Amend(line, Card.parse("RS")))
    assert ear.heard[-4:] == [
        "Correction: that was red skip.",
        "The top card is red skip.",
        "Bram has seven cards.",
        "Carla's turn, seven cards.",
    ]
    assert table.snapshot()["top"] == "RS"
    table.apply(ev.Undo())
    assert table.snapshot()["top"] == "R1"


def test_a_new_match_leaves_the_old_one_stored(table: Table, store: Store) -> None:
    old, version = table.record(), table.version
    number = table.new_match(MatchSettings(players=("Dirk", "Emma")), expected_version=version)
    assert (number, table.version) == (2, version + 1)
    assert store.load(1) == old and store.load(2) == table.record() == '[Players "Dirk;Emma"]\n'
    with pytest.raises(Conflict):
        table.new_match(THREE, expected_version=version)


def test_what_the_disk_refuses_does_not_count(table: Table, store: Store, ear: Ear) -> None:
    store.append(1, 4, "1 R9")  # as if something else had written
    with pytest.raises(NotStored):
        table.apply(ev.Play(1, R7))
    assert table.snapshot()["top"] == "R5" and table.version == 3
    assert ear.heard[-1].startswith("The move could not be stored")


# Going on


def test_a_match_goes_on_where_it_was(tmp_path: Path, clock: Clock) -> None:
    with Store.open(tmp_path / "table.sqlite") as store:
        table = Table.open(store, Phrases.load("en"), clock=clock)
        table.new_match(THREE)
        table.apply(ev.Deal(3))
        clock.now += 30
        table.apply(ev.Start(R5))
        before = table.snapshot()
    clock.now = 5.0
    with Store.open(tmp_path / "table.sqlite") as store:
        table = Table.open(store, Phrases.load("en"), clock=clock)
        after = table.snapshot()
        assert {**after, "captions": [], "rulings": []} == {**before, "captions": [], "rulings": []}
        clock.now += 1
        table.apply(ev.Play(1, R7))
        assert table.record().splitlines()[-1] == "1 R7 @31"


def test_a_match_that_is_over_is_not_gone_on_with(tmp_path: Path) -> None:
    settings = MatchSettings(players=("A", "B"), top=R5, counts=(1, 1), turn=1, target=1, dealer=1)
    with Store.open(tmp_path / "table.sqlite") as store:
        table = Table.open(store, Phrases.load("en"))
        table.new_match(settings)
        for event in (ev.Play(1, R7), ev.Points(2, 20)):
            table.apply(event)
        assert table.snapshot()["match_winner"] == 1
    with Store.open(tmp_path / "table.sqlite") as store:
        table = Table.open(store, Phrases.load("en"))
        assert table.match is None and table.snapshot()["version"] == 3


PLAYER = """
import sys
from pathlib import Path
from referee.events import Deal, Draw, Pass, Start
from referee.cards import Card
from referee.notation import event_of
from referee.options import MatchSettings
from service.phrases import Phrases
from service.store import Store
from service.table import Table

with Store.open(Path(sys.argv[1])) as store:
    table = Table.open(store, Phrases.load("en"))
    if table.match is None:
        table.new_match(MatchSettings(players=("Anna", "Bram", "Carla"), dealer=3))
    print(table.version, table.snapshot()["turn"], flush=True)
    while True:
        round = table.state.round
        if round is None:
            event = Deal(3)
        elif not round.is_turned:
            event = Start(Card.parse("R5"))
        else:
            event = Pass(round.turn) if round.drawn else Draw(round.turn)
        applied = table.apply(event, expected_version=table.version)
        print(applied.version, applied.state.turn, flush=True)
"""


def test_a_match_goes_on_after_kills_at_any_moment(tmp_path: Path) -> None:
    """Nothing acknowledged is missing, nothing is doubled, and the turn is whose it was."""
    rng, told = random.Random(5), {0: "None"}
    path = tmp_path / "table.sqlite"
    for _ in range(7):
        player = subprocess.Popen(
            [sys.executable, "-c", PLAYER, str(path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        assert player.stdout is not None
        first = player.stdout.readline().split()
        assert int(first[0]) in (max(told), max(told) + 1), "an acknowledged event is missing, or one is doubled"
        assert told.setdefault(int(first[0]), first[1]) == first[1], "the turn is not whose it was"
        for _ in range(rng.randint(0, 8)):
            version, turn = player.stdout.readline().split()
            told[int(version)] = turn
        threading.Event().wait(rng.random() * 0.01)
        player.kill()
        told |= {int(line.split()[0]): line.split()[1] for line in player.stdout.read().splitlines() if " " in line}
        player.stdout.close()
        player.wait()
    with Store.open(path) as store:
        assert [line.version for line in store.lines(1)] == list(range(2, store.version + 1))
        assert len(store.matches()) == 1
        assert set(told) - {0, 1} <= {line.version for line in store.lines(1)}


# What the camera sees


def test_the_camera_plays_for_the_seat_to_act(table: Table, clock: Clock, store: Store) -> None:
    clock.now += 10
    (applied,) = table.see(laid("R7", clock))
    assert applied.state.turn == 2
    assert table.record().splitlines()[-1] == "1 R7 @10 ~0.9"
    assert store.lines(1)[-1].source == "camera"


def test_the_camera_begins_a_round(store: Store, clock: Clock) -> None:
    table = Table.open(store, Phrases.load("en"), clock=clock)
    table.new_match(THREE)
    assert [type(event.event) for event in table.history()] == []
    table.see(laid("G4", clock))
    assert [type(event.event) for event in table.history()] == [ev.Deal, ev.Start]


def test_a_late_reading_never_lands_on_the_next_turn(table: Table, clock: Clock, ear: Ear) -> None:
    clock.now += 10
    hand_came = clock.now
    clock.now += 1
    table.apply(ev.Play(1, R7))  # somebody was quicker than the camera
    clock.now += 0.5
    assert table.see(laid("R7", clock, ago=clock.now - hand_came)) == ()
    assert table.snapshot()["turn"] == 2 and ear.heard[-1] == "Bram's turn, seven cards."
    assert table.see(laid("R1", clock, ago=clock.now - hand_came)) == ()
    assert table.snapshot()["turn"] == 2 and ear.heard[-1] == "Too late: the turn has moved on."
    clock.now += 2
    assert len(table.see(laid("R7", clock, ago=1.0))) == 1, "an identical card of the next turn counts"


def test_a_late_draw_is_not_the_next_seats(table: Table, clock: Clock) -> None:
    clock.now += 10
    came = clock.now
    clock.now += 1
    table.apply(ev.Draw(1))
    table.apply(ev.Pass(1))
    clock.now += 1
    drawn = CardsDrawn(1, 0.9, clock.now, came)
    assert table.see(drawn) == () and table.snapshot()["counts"] == [8, 7, 7]
    clock.now += 2
    assert len(table.see(CardsDrawn(1, 0.9, clock.now, clock.now - 0.5))) == 1


def test_words_about_a_play_do_not_make_the_next_card_late(table: Table, clock: Clock) -> None:
    clock.now += 5
    table.see(laid("W", clock))
    came = clock.now + 0.2
    clock.now += 0.5
    table.apply(ev.NameColour(1, Colour.BLUE))
    clock.now += 0.5
    (applied,) = table.see(laid("B5", clock, ago=clock.now - came))
    assert applied.state.top == B5 and applied.state.turn == 3


def test_a_wild_without_a_colour_leaves_the_question_open(table: Table, clock: Clock) -> None:
    clock.now += 5
    table.see(laid("W", clock))
    assert table.snapshot()["pending"] == {"kind": "colour", "seat": 1}
    assert table.snapshot()["question"] == "Anna, which colour?"


def test_a_camera_that_goes_and_comes_back(table: Table, ear: Ear) -> None:
    version = table.version
    table.see(ViewBack(1.0))
    assert table.snapshot()["camera"] == {"works": True, "reason": None}
    table.see(ViewLost(2.0, "The camera was unplugged."))
    assert table.snapshot()["camera"] == {"works": False, "reason": "The camera was unplugged."}
    assert ear.heard[-1] == "I cannot see the table."
    table.see(ViewBack(3.0))
    assert ear.heard[-1] == "I can see the table again." and table.version == version


def test_sound_that_goes_is_said_on_the_pages(table: Table, ear: Ear) -> None:
    ear.tell("device")
    assert table.snapshot()["voice"] == {"sound": False, "reason": "No loudspeaker answers."}
    assert table.snapshot()["captions"][-1]["text"].startswith("There is no sound.")
    ear.tell(None)
    assert table.snapshot()["voice"] == {"sound": True, "reason": None}


def test_an_answer_is_spoken_and_shown(table: Table, ear: Ear) -> None:
    assert table.answer("turn") == "It is Anna's turn, then Bram."
    assert ear.heard[-1] == table.snapshot()["captions"][-1]["text"] == "It is Anna's turn, then Bram."


# Listening


async def some(subscription: object, count: int) -> list[Update]:
    """The next updates of a subscription."""
    updates: list[Update] = []
    async for update in subscription:  # type: ignore[attr-defined]
        updates.append(update)
        if len(updates) == count:
            break
    return updates


def test_a_listener_gets_the_state_and_then_every_event(table: Table) -> None:
    async def listen() -> list[Update]:
        with table.subscribe() as subscription:
            await asyncio.to_thread(table.apply, ev.Play(1, R7))
            await asyncio.to_thread(table.notice, "camera_lost")
            await asyncio.to_thread(table.apply, ev.Draw(2))
            return await some(subscription, 4)

    updates = asyncio.run(listen())
    assert [(update.kind, update.version) for update in updates] == [
        ("state", 3),
        ("event", 4),
        ("notice", 4),
        ("event", 5),
    ]
    assert updates[1].data["line"].startswith("1 R7") and updates[1].data["source"] == "host"
    assert updates[1].data["sentences"] == ["Anna: red seven.", "Bram's turn, seven cards."]
    assert [update.data["state"]["version"] for update in updates] == [3, 4, 4, 5]


def test_a_listener_that_was_away_gets_what_it_missed(table: Table) -> None:
    async def listen(after: int, count: int) -> list[tuple[str, int]]:
        with table.subscribe(after) as subscription:
            return [(update.kind, update.version) for update in await some(subscription, count)]

    table.apply(ev.Play(1, R7))
    table.apply(ev.Draw(2))
    assert asyncio.run(listen(3, 3)) == [("event", 4), ("event", 5), ("state", 5)]
    assert asyncio.run(listen(5, 1)) == [("state", 5)]
    assert asyncio.run(listen(99, 1)) == [("state", 5)]


def test_a_slow_listener_gets_the_state_and_keeps_nobody(table: Table) -> None:
    async def listen() -> list[Update]:
        with table.subscribe() as subscription:
            for _ in range(QUEUE + 5):
                table.notice("camera_lost")
            updates = await some(subscription, 1)
            table.apply(ev.Play(1, R7))
            return updates + await some(subscription, 1)

    first, second = asyncio.run(listen())
    assert (first.kind, second.kind, second.version) == ("state", "event", 4)


def test_many_threads_one_order(table: Table, store: Store) -> None:
    def act() -> None:
        for _ in range(5):
            table.apply(ev.Uno(1))

    async def listen() -> list[int]:
        with table.subscribe() as subscription:
            threads = [threading.Thread(target=act) for _ in range(4)]
            for thread in threads:
                thread.start()
            updates = await some(subscription, 21)
            for thread in threads:
                thread.join()
            return [update.version for update in updates]

    assert asyncio.run(listen()) == list(range(3, 24))
    assert [line.version for line in store.lines(1)] == list(range(2, 24))


def test_a_listener_whose_loop_has_ended_disturbs_nobody(table: Table) -> None:
    async def subscribe() -> object:
        return table.subscribe()

    left = asyncio.run(subscribe())
    table.apply(ev.Play(1, R7))
    assert left is not None and table.version == 4


def test_a_match_that_cannot_be_read_is_left_alone_and_said(tmp_path: Path, ear: Ear) -> None:
    with Store.open(tmp_path / "table.sqlite") as store:
        store.create_match(["[this is no header]"])
        table = Table.open(store, Phrases.load("en"), ear)
        assert table.match is None
        assert ear.heard[0] == "The last match cannot be read, and is left as it is."
        table.new_match(THREE)
        assert table.apply(ev.Deal(3)).version == 3
