"""The host's page in a real browser: a whole match with the keyboard alone, corrections, the camera and its piles."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from referee import events as ev
from referee.cards import Card
from referee.options import MatchSettings
from service.api import create_app
from service.desk import Desk
from service.phrases import Phrases, Utterance
from service.preview import Preview
from service.store import Store
from service.table import Table
from tests.service.browsing import Opened, deal, happen, sees
from vision.detections import Detections
from vision.zones import Zones

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route


class Keyboard:
    """Somebody who has no mouse: finds a control with Tab, and then types."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def to(self, place: str) -> Keyboard:
        for _ in range(120):
            self.page.keyboard.press("Tab")
            if self.page.evaluate("(place) => document.activeElement?.matches(place) ?? false", place):
                return self
        raise AssertionError(f"Tab never comes to {place}")

    def type(self, text: str) -> Keyboard:
        self.page.keyboard.type(text)
        return self

    def press(self, *keys: str) -> Keyboard:
        for key in keys:
            self.page.keyboard.press(key)
        return self

    def done(self, what: str) -> None:
        sees(self.page, "#said", what)


def test_a_match_from_the_host_s_page_with_the_keyboard_alone(desk: Desk, url: str, opened: Opened) -> None:
    page = opened(f"{url}/setup")
    keys = Keyboard(page)
    sees(page, "#state", "No match yet")
    keys.to("#players").type("Anna\nBram\nCleo").to("#start-match").press("Enter").done("New match")
    keys.to("#deal button").press("Enter").done("Deal")
    keys.to("#card").type("r5").to("#turned").press("Enter").done("Turned card R5")
    sees(page, "#state", "Bram to act")
    keys.to("#card").type("W").press("Enter").done("Bram W")
    sees(page, "#ask", "colour")
    keys.to('[data-colour="G"]').press("Space").done("Green")
    keys.to('[data-do="draw"]').press("Space").done("Draw")
    keys.to('[data-do="pass"]').press("Space").done("Pass")
    keys.to('[data-do="undo"]').press("Space").done("Undo")
    sees(page, "#state", "Cleo to act")
    sees(page, "#history", "Cleo")
    keys.to("#history tr:nth-child(3) button").press("Enter").type("W4").press("Tab", "Y").to("#amend button").press(
        "Enter"
    ).done("Amend")
    sees(page, "#state", "colour yellow")
    record = desk.table.record()
    assert re.findall(r"^(?:\d )?(\S+)", record.split('"]\n')[-1], re.MULTILINE) == [
        "deal", "start", "W", "colour", "draw", "pass", "undo", "amend",
    ]  # fmt: skip
    assert desk.table.snapshot()["top"] == "W4"


def test_counting_a_round_and_dealing_the_next_with_the_keyboard_alone(desk: Desk, url: str, opened: Opened) -> None:
    desk.table.new_match(
        MatchSettings(("Anna", "Bram", "Cleo"), top=Card.parse("R5"), turn=1, counts=(1, 2, 3), dealer=3)
    )
    page = opened(f"{url}/setup")
    keys = Keyboard(page)
    sees(page, "#state", "Anna to act")
    keys.to("#card").type("R9").press("Enter")
    sees(page, "#state", "Counting the hands")
    keys.to('#hands form:nth-child(1) [name="cards"]').type("r7 w").press("Enter").done("Cards of Bram")
    page.wait_for_function("() => document.querySelectorAll('#hands form').length === 1")
    keys.to('#hands [name="points"]').type("30").press("Enter").done("Cards of Cleo")
    sees(page, "#seats tr:nth-child(1)", "87 points")
    keys.to("#deal button").press("Enter").done("Deal")
    assert desk.table.snapshot()["round"] == 2


def test_single_letters_act_only_when_asked_for(desk: Desk, url: str, opened: Opened) -> None:
    deal(desk)
    page = opened(f"{url}/setup")
    sees(page, "#state", "Bram to act")
    version = desk.table.version
    page.keyboard.press("d")
    page.check("#keys")
    page.focus("#card")
    page.keyboard.type("pd")
    assert desk.table.version == version
    page.fill("#card", "")
    page.focus("#keys")
    page.keyboard.press("d")
    sees(page, "#said", "Draw")
    page.keyboard.press("p")
    sees(page, "#state", "Cleo to act")
    assert desk.table.snapshot()["counts"] == [7, 8, 7, 7]


def test_an_action_that_the_table_overtook_is_not_done(desk: Desk, url: str, opened: Opened) -> None:
    deal(desk)
    page = opened(f"{url}/setup")
    sees(page, "#state", "Bram to act")
    page.route("**/api/events*", lambda route: route.abort())

    def overtaken(route: Route) -> None:
        happen(desk, ev.Play(2, Card.parse("B1")))
        route.continue_()

    page.route("**/api/actions", overtaken)
    page.click('[data-do="draw"]')
    sees(page, "#said", "Too late")
    assert desk.table.snapshot()["counts"] == [7, 6, 7, 7]


def test_a_refusal_is_told_in_words(desk: Desk, url: str, opened: Opened) -> None:
    deal(desk)
    page = opened(f"{url}/setup")
    sees(page, "#state", "Bram to act")
    page.fill("#card", "X9")
    page.press("#card", "Enter")
    sees(page, "#said", "'X9' is no card")


def test_seldom_and_grave_things_are_asked_twice(desk: Desk, url: str, opened: Opened) -> None:
    deal(desk)
    page = opened(f"{url}/setup")
    sees(page, "#state", "Bram to act")
    page.click("summary:has-text('Seldom')")
    page.click('[data-do="void"]')
    sees(page, '[data-do="void"]', "Press again")
    assert desk.table.snapshot()["phase"] == "playing"
    page.click('[data-do="void"]')
    sees(page, "#state", "Between two rounds")


def test_the_camera_picture_appears_when_there_is_one(desk: Desk, url: str, opened: Opened) -> None:
    page = opened(f"{url}/setup#camera")
    sees(page, "#no-preview", "no camera picture")
    desk.preview.show(np.full((90, 160, 3), 99, np.uint8), Detections.empty(), Zones())
    page.wait_for_selector("#preview:not([hidden])")
    assert page.evaluate("document.querySelector('#preview').naturalWidth") == 160


def test_sound_that_is_gone_is_told_with_its_reason(tmp_path: Path, serve: Callable[..., str], opened: Opened) -> None:
    class Mute:
        """A voice without a device: it says nothing, and tells whoever asks."""

        def say(self, utterances: Sequence[Utterance], /) -> None:
            pass

        def listen(self, listener: Callable[[str | None], None], /) -> None:
            self.listener = listener

    voice = Mute()
    with Store.open(tmp_path / "mute.sqlite") as store:
        desk = Desk(Table.open(store, Phrases.load("en"), voice), store, Preview())
        page = opened(f"{serve(create_app(desk))}/setup")
        sees(page, "#sound", "The voice speaks")
        voice.listener("there is no sound device")
        sees(page, "#sound", "there is no sound device")
        sees(page, "#captions", "There is no sound")
