"""The host's page in a real browser: a whole match with the keyboard alone, and corrections."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from referee import events as ev
from referee.cards import Card, Colour
from referee.options import MatchSettings
from service.api import create_app
from service.desk import Desk
from service.phrases import Phrases, Utterance
from service.preview import Preview, encoded
from service.speaking import Wish
from service.store import Store
from service.table import Table
from tests.service.browsing import DRAWN, Opened, deal, faults, happen, sees, shot
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
    sees(page, "#keys-about", "D ")
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
    page.keyboard.press("t")
    sees(page, "#said", "Cleo")
    page.keyboard.press("z")
    sees(page, "#state", "Bram to act")


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


def test_between_two_rounds_nothing_of_a_round_is_offered(desk: Desk, url: str, opened: Opened) -> None:
    desk.table.new_match(MatchSettings(("Anna", "Bram"), dealer=1))
    page = opened(f"{url}/setup")
    sees(page, "#state", "Between two rounds")
    offered = page.locator("#view-table button:visible")
    assert offered.all_text_contents() == [
        "Undo", "Repeat", "Whose turn?", "Which card?", "How many cards?", "Score?", "Deal",
    ]  # fmt: skip
    assert page.is_visible("#idle") and page.is_hidden("#hand")
    shot(page, "setup-between")
    page.focus("#deal button")
    page.keyboard.press("Enter")
    sees(page, "#state", "Waiting for the turned card")
    assert page.evaluate("document.activeElement.id") == "hand"
    assert page.is_visible("#turned") and page.is_hidden("#play") and page.is_hidden('[data-do="draw"]')
    page.fill("#card", "W")
    page.press("#card", "Enter")
    sees(page, "#said", "Done: Turned card W")
    page.wait_for_selector('[data-colour="R"]:not(.plain)')
    page.click('[data-colour="R"]')
    sees(page, "#state", "colour red")
    page.wait_for_selector('[data-colour="R"].plain')
    assert page.is_hidden("#idle") and page.is_visible("#play") and page.is_hidden("#turned")
    assert faults(page) == []


@pytest.mark.parametrize(("width", "rows"), [(320, 2), (390, 2), (1280, 1), (1920, 1)])
def test_the_menu_is_short_and_nothing_is_empty_beneath_it(
    desk: Desk, url: str, opened: Opened, width: int, rows: int
) -> None:
    desk.speaking.change(Wish.model_validate({"lang": "de"}))
    deal(desk)
    page = opened(f"{url}/setup", width=width)
    sees(page, "#state", "Bram")
    tops = page.locator("nav a").evaluate_all("all => all.map((one) => Math.round(one.getBoundingClientRect().top))")
    assert len(set(tops)) == rows
    below = "(place) => document.querySelector(place).getBoundingClientRect()"
    gap = page.evaluate(below, "#view-table section")["top"] - page.evaluate(below, "header")["bottom"]
    assert 0 < gap < 24
    order = page.locator("header a:visible").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect()).map((box) => [Math.round(box.top / 20), box.left])"
    )
    assert len(order) == 7 and order == sorted(order)


HIDDEN = """(place) => [...document.querySelectorAll(place)].filter((one) => one.getClientRects().length).slice(0, 1)
    .filter((one) => { const box = one.getBoundingClientRect();
        return !one.contains(document.elementFromPoint(box.left + 3, box.top + 3)) || box.bottom > innerHeight; })
    .map((one) => [location.hash, one.textContent, Math.round(one.getBoundingClientRect().top)])"""


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (390, 844), (320, 640)])
def test_another_part_begins_with_its_heading_and_the_alarm_in_sight(
    desk: Desk, url: str, opened: Opened, width: int, height: int
) -> None:
    deal(desk, 10)
    desk.table.view_over()
    page = opened(f"{url}/setup", width=width, height=height)
    sees(page, "#banner", "The video has ended.")
    for part in ("new", "camera", "screens", "matches", "check", "table", "new", "check"):
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        page.evaluate("(part) => document.querySelector(`nav [href='#${part}']`).click()", part)
        page.wait_for_selector(f"#view-{part}:not([hidden])")
        page.evaluate(DRAWN)
        assert page.evaluate(HIDDEN, ".view:not([hidden]) h2") + page.evaluate(HIDDEN, "#banner") == []
        assert page.evaluate("document.activeElement.id") == "main"
    page.go_back()
    page.wait_for_selector("#view-new:not([hidden])")
    page.evaluate(DRAWN)
    assert page.evaluate(HIDDEN, ".view:not([hidden]) h2") == []
    page = opened(f"{url}/setup#matches", width=width, height=height)
    page.wait_for_selector("#matches a")
    sees(page, "#banner", "The video has ended.")
    page.evaluate(DRAWN)
    assert page.evaluate(HIDDEN, ".view:not([hidden]) h2") + page.evaluate(HIDDEN, "#banner") == []


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
        voice.listener("device")
        sees(page, "#sound", "No loudspeaker answers.")
        sees(page, "#captions", "There is no sound")


def test_axe_finds_nothing_wrong_with_any_part(desk: Desk, url: str, opened: Opened) -> None:
    deal(desk, 10)
    desk.preview.show(np.full((90, 160, 3), 99, np.uint8), Detections.empty(), Zones())
    for scheme, width, height in (("light", 1280, 800), ("dark", 390, 844)):
        page = opened(f"{url}/setup", width=width, height=height, color_scheme=scheme)
        sees(page, "#state", "Bram to act")
        for part in ("table", "new", "camera", "screens", "matches", "check"):
            page.click(f'nav [data-view="{part}"]')
            page.wait_for_selector(f"#view-{part}:not([hidden])")
            if part == "new":
                page.evaluate("document.querySelector('#options').closest('details').open = true")
            if part in ("screens", "matches", "check"):
                page.wait_for_selector({"screens": "#links a", "matches": "#matches a", "check": ".works"}[part])
            if scheme == "light" or part in ("table", "new"):
                assert (part, faults(page)) == (part, [])
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, part
            shot(page, f"setup-{part}-{scheme}")


def test_every_house_rule_is_explained_and_chosen(desk: Desk, url: str, opened: Opened) -> None:
    page = opened(f"{url}/setup")
    page.fill("#players", "Anna\nBram")
    page.click("summary:has-text('House rules')")
    unexplained = (
        "() => [...document.querySelectorAll('#options [name]')].filter((field) =>"
        " !document.getElementById(field.getAttribute('aria-describedby')).textContent.trim()).length"
    )
    assert page.evaluate(unexplained) == 0
    page.check('#options [name="seven_swap"]')
    page.select_option('#options [name="misplay"]', "draw2")
    page.select_option("#mode", "elimination")
    page.select_option("#deck", "112")
    page.fill("#target", "250")
    page.click("#start-match")
    sees(page, "#said", "Done: New match")
    state = desk.table.state
    assert state is not None
    chosen = state.settings
    assert (str(chosen.options), chosen.mode, chosen.deck, chosen.target) == (
        "misplay=draw2;seven_swap=on", "elimination", "112", 250,
    )  # fmt: skip


def test_rules_of_the_customizable_cards_are_chosen_and_named(desk: Desk, url: str, opened: Opened) -> None:
    page = opened(f"{url}/setup", width=390, height=844)
    page.fill("#players", "Anna\nBram\nCleo")
    assert page.is_hidden("#custom")
    page.select_option("#deck", "112")
    first, second = (page.locator("#effects .option").nth(number) for number in (0, 1))
    assert not first.locator("[name=cards]").is_visible()
    first.locator("[name=effect]").select_option("others_draw")
    first.locator("[name=cards]").fill("4")
    second.locator("[name=effect]").select_option("dare")
    second.locator("[name=dare]").fill("sing a song")
    assert "refuses" in second.inner_text()
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    shot(page, "setup-custom")
    page.click("#start-match")
    sees(page, "#said", "Done: New match")
    assert list(map(str, desk.table.state.settings.custom)) == ["others_draw=4", "dare=2 sing a song"]  # type: ignore[union-attr]
    happen(desk, ev.Deal(1), ev.Start(Card.parse("B6")), ev.Play(2, Card.parse("WC"), Colour.RED))
    sees(page, "#rules", "All others draw 4 cards")
    assert page.locator("#rules button").all_text_contents() == ["All others draw 4 cards", "Dare: sing a song"]
    assert faults(page) == []
    seat = opened(f"{url}/seat/2", width=390, height=844)
    sees(seat, "#do", "Dare: sing a song")
    page.click("#rules button >> nth=0")
    sees(page, "#said", "Done: All others draw 4 cards")
    page.wait_for_selector("#rules", state="hidden")
    assert desk.table.snapshot()["owed"] == [4, 0, 4]


def test_a_line_is_amended_beside_what_the_camera_saw(desk: Desk, url: str, opened: Opened) -> None:
    deal(desk)
    desk.pictures.keep(desk.table.version, encoded(np.full((90, 160, 3), 99, np.uint8)))
    page = opened(f"{url}/setup")
    sees(page, "#history", "blue six")
    page.click("#history button >> nth=0")
    page.wait_for_selector("#amend-picture:not([hidden])")
    shot(page, "setup-amend")
    page.fill("#amend-card", "g6")
    page.press("#amend-card", "Enter")
    sees(page, "#said", "Done: Amend line")
    assert desk.table.snapshot()["top"] == "G6"


def test_a_line_says_who_was_caught_and_whether_wrongly(desk: Desk, url: str, opened: Opened) -> None:
    desk.table.new_match(
        MatchSettings(("Anna", "Bram", "Cleo"), top=Card.parse("R5"), turn=1, counts=(2, 2, 3), dealer=3)
    )
    happen(desk, ev.Catch(3, 2), ev.Play(1, Card.parse("R9")), ev.Catch(2, 1))
    page = opened(f"{url}/setup")
    sees(page, "#history", "Cleo: catches Bram, wrongly")
    assert page.locator("#history .told > span").first.text_content() == "Bram: catches Anna"
    match = opened(f"{url}/match")
    sees(match, "#what", "Bram: catches Anna")


def test_a_hand_is_counted_by_camera_and_put_right_by_hand(desk: Desk, url: str, opened: Opened) -> None:
    desk.table.new_match(
        MatchSettings(("Anna", "Bram", "Cleo"), top=Card.parse("R5"), turn=1, counts=(1, 2, 3), dealer=3)
    )
    happen(desk, ev.Play(1, Card.parse("R9")))
    page = opened(f"{url}/setup")
    counted = {
        "cards": [{"card": "R7", "points": 7, "confidence": 1.0}], "points": 7, "expected": 2, "complete": False,
        "seat": 2, "unsure": 1, "width": 640, "height": 480, "action": {"action": "hand", "seat": 2, "cards": ["R7"]},
    }  # fmt: skip
    page.route("**/api/count*", lambda route: route.fulfill(json=counted))
    page.click("#hands form:first-child .plain")
    sees(page, "#hands .note", "1 card, 7 points. The referee expects 2 cards: please check.")
    assert page.input_value('#hands [name="cards"] >> nth=0') == "R7"
    page.fill('#hands [name="cards"] >> nth=0', "R7 W")
    page.press('#hands [name="cards"] >> nth=0', "Enter")
    sees(page, "#said", "Done: Cards of Bram")
    assert desk.table.snapshot()["uncounted"] == [3]


def test_a_card_in_doubt_is_put_right_with_one_press(desk: Desk, url: str, opened: Opened) -> None:
    deal(desk)
    happen(desk, ev.Play(2, Card.parse("B1")))
    state = desk.table.snapshot()
    doubt = {"kind": "card", "line": 5, "seat": 2, "cards": ["B7", "B1"], "text": "Bram, was it a blue seven?"}
    page = opened("about:blank")
    told = json.dumps({**state, "doubt": {**doubt, "seconds": 9}, "question": doubt["text"]})
    stream = f"event: state\nid: 3\ndata: {told}\n\n"
    page.route("**/api/events*", lambda route: route.fulfill(body=stream, content_type="text/event-stream"))
    page.goto(f"{url}/setup")
    sees(page, "#ask", "was it a blue seven?")
    assert page.locator("#doubt button").all_text_contents() == ["Yes", "No", "blue seven", "blue one"]
    with page.expect_request("**/api/commands") as asked:
        page.click("#doubt button:has-text('Yes')")
    assert asked.value.post_data_json == {"command": "yes", "expected_version": state["version"]}
    page.click("#doubt button:has-text('blue seven')")
    sees(page, "#said", "Done: blue seven")
    assert desk.table.snapshot()["top"] == "B7"
