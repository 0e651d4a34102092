"""The film that ships, through the real pipeline and service into a real browser: what somebody across the room saw."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from referee.events import Pass
from referee.record import replay
from referee.state import MatchState
from service.api import create_app
from service.cli_table import Film
from service.desk import Desk
from service.phrases import Phrases
from service.preview import Preview
from service.store import Store
from service.table import Table
from service.watching import Prompter, Watcher
from tests.service.browsing import Opened, sees, shot
from tests.service.conftest import Serve
from vision.eyes import Eyes
from vision.frames import open_source

SECONDS = 40.0
"""How much of the film is shown: draws, turns of direction, wilds and a penalty."""

RECORDER = """() => {
    const text = (place) => document.querySelector(place).textContent;
    const all = (place) => [...document.querySelectorAll(place)].map((one) => one.textContent);
    window.seen = [];
    new MutationObserver(() => window.seen.push({
        card: document.querySelector("#face").dataset.card, colour: text("#colour"), name: text("#name"),
        direction: text("#direction"), counts: all(".seat .count .quiet"), scores: all(".seat .score .quiet"),
        acts: all(".seat.acts .who"), version: Number(document.body.dataset.version),
    })).observe(document.body, { attributeFilter: ["data-version"] });
}"""


class Showing:
    """The film as fast as this computer goes, its people speaking in time; the table's clock is the film's."""

    def __init__(self, film: Film, desk: Desk, clock: list[float]) -> None:
        people = Prompter(replay(film.truth).events, lambda event: desk.table.apply(event, source="film"))

        def at(seconds: float) -> None:
            people.at(seconds)
            clock[0] = seconds
            if seconds > SECONDS:
                self.watcher.stop()

        source = open_source(str(film.video))
        self.watcher = desk.watcher = Watcher(source, Eyes.load(), desk.table.see, desk.preview, at)


def cards(number: int) -> str:
    return "1 card" if number == 1 else f"{number} cards"


def expected(state: MatchState) -> dict[str, Any]:
    """What the display has to show of a state in which somebody is to act."""
    colours = {"R": "Red", "Y": "Yellow", "G": "Green", "B": "Blue"}
    pending = state.pending
    actor = (pending.seat if pending else None) or state.turn
    assert actor is not None
    return {
        "card": str(state.top),
        "colour": colours[str(state.colour)] if state.colour else "Colour to be named",
        "name": state.settings.players[actor - 1],
        "direction": "Clockwise" if state.direction == 1 else "Counter-clockwise",
        "counts": [cards(count) for count in state.counts],
        "scores": [f"{score} points" for score in state.scores],
        "acts": [state.settings.players[actor - 1]],
    }


def last_of_each_card(shown: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What was shown just before the next card or colour came, without versions."""
    kept = []
    for one, following in zip(shown, [*shown[1:], None], strict=True):
        if following is None or (one["card"], one["colour"]) != (following["card"], following["colour"]):
            kept.append({key: value for key, value in one.items() if key != "version"})
    return kept


def test_somebody_across_the_room_sees_the_game_as_it_was(tmp_path: Path, serve: Serve, opened: Opened) -> None:
    film = Film.load()
    with Store.open(tmp_path / "film.sqlite") as store:
        clock = [0.0]
        desk = Desk(Table.open(store, Phrases.load("en"), clock=lambda: clock[0]), store, Preview())
        showing = Showing(film, desk, clock)
        desk.table.new_match(film.truth.settings)
        page = opened(f"{serve(create_app(desk))}/display")
        sees(page, "#name", "Waiting for the deal")
        page.evaluate(RECORDER)
        showing.watcher.start()
        while not showing.watcher.ended.wait(0.05):
            page.evaluate("0")
        version = desk.table.version
        page.wait_for_selector(f'body[data-version="{version}"]')
        shot(page, "display-film")
        shown = page.evaluate("window.seen")
    assert [one["version"] for one in shown] == sorted({one["version"] for one in shown})
    seen = last_of_each_card([one for one in shown if one["acts"]])
    # That a drawn card is kept nobody can see: the next card tells.
    told = [step for step in replay(film.truth).history if not isinstance(step.event, Pass)]
    states = [step.after for step in told if step.after.top and step.after.turn]
    truth = last_of_each_card([expected(state) for state in states])
    assert len(seen) > 12
    assert seen[:-1] == truth[: len(seen) - 1]
