"""The pages in a real browser over the running service: what a person sees, and what the keyboard alone can do.

Skipped only where there is no Chromium (or no driver for it): `apt-get install chromium`.
"""

from __future__ import annotations

import contextlib
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import numpy as np
import pytest

from referee import events as ev
from referee.cards import Card, Colour
from referee.options import MatchSettings
from service.api import Desk, create_app
from service.phrases import Phrases, Utterance
from service.preview import Preview
from service.store import Store
from service.table import Table
from vision.changes import ViewBack, ViewLost
from vision.detections import Detections
from vision.zones import Zones

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
NAMES = ("Anna", "Bram", "Cleo", "Dirk", "Elisabeth-Charlotte", "Fatima", "Gea", "Hendrik-Jan", "Ine", "Jo")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed, and the pages are tested in one")
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright, which drives Chromium, is not installed"
    )
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with Store.open(tmp_path / "table.sqlite") as store:
        yield Desk(Table.open(store, Phrases.load("en")), store, Preview())


@pytest.fixture
def url(desk: Desk, serve: Callable[..., str]) -> str:
    return serve(create_app(desk))


Opened = Callable[..., "Page"]


@pytest.fixture
def opened(browser: Browser) -> Iterator[Opened]:
    """Opens pages; afterwards none of them may have complained."""
    complaints: list[str] = []
    with contextlib.ExitStack() as closing:

        def opened(url: str, width: int = 1280, height: int = 720, **context: Any) -> Page:
            page = closing.enter_context(
                browser.new_context(viewport={"width": width, "height": height}, **context)
            ).new_page()
            page.set_default_timeout(15_000)
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
            page.goto(url)
            return page

        yield opened
    # A server that is not there, and a picture that is not there yet, are part of the tests.
    assert [text for text in complaints if "ERR_" not in text and "status of 4" not in text] == []


def deal(desk: Desk, players: int = 4, **settings: Any) -> Table:
    desk.table.new_match(MatchSettings(NAMES[:players], dealer=1, **settings))
    happen(desk, ev.Deal(1), ev.Start(Card.parse("B6")))
    return desk.table


def happen(desk: Desk, *events: ev.Event) -> None:
    for event in events:
        desk.table.apply(event)


def sees(page: Page, place: str, text: str) -> None:
    """Waits until `place` shows `text`."""
    page.wait_for_function(
        "([place, text]) => (document.querySelector(place)?.textContent || '').includes(text)", arg=[place, text]
    )


def test_the_display_follows_the_table(desk: Desk, url: str, opened: Opened) -> None:
    page = opened(f"{url}/display")
    sees(page, "#name", "No match yet")
    deal(desk)
    sees(page, "#name", "Bram")
    sees(page, "#colour", "Blue")
    assert page.get_attribute("#face", "data-card") == "B6"
    assert page.text_content("#face title") == "blue six"
    assert "colour-B" in (page.get_attribute("#pile", "class") or "")
    happen(desk, ev.Play(2, Card.parse("BR")))
    sees(page, "#direction", "Counter-clockwise")
    sees(page, "#name", "Anna")
    assert page.text_content(".seat[aria-current] .who") == "Anna"
    sees(page, ".seat:nth-child(2)", "6 cards")
    happen(desk, ev.Play(1, Card.parse("W")))
    sees(page, "#ask", "colour")
    sees(page, "#colour", "Colour to be named")
    assert page.get_attribute("#pile", "class") == "pile"
    happen(desk, ev.NameColour(1, Colour.YELLOW))
    sees(page, "#colour", "Yellow")
    assert page.is_hidden("#ask")
    assert page.locator("#colour polygon").count() == 1


def test_what_is_said_is_said_by_a_screen_reader_once(desk: Desk, url: str, opened: Opened) -> None:
    deal(desk)
    page = opened(f"{url}/display")
    sees(page, "#name", "Bram")
    assert page.text_content("#captions") == ""
    happen(desk, ev.Play(2, Card.parse("B7")), ev.Play(3, Card.parse("B8")))
    sees(page, "#captions", "Dirk")
    told = [caption["text"] for caption in desk.table.snapshot()["captions"]]
    assert page.locator("#captions p").all_text_contents() == told[-page.locator("#captions p").count() :]
    assert page.get_attribute("#captions", "aria-live") == "polite"


SIZES = [(1280, 720), (1920, 1080), (1080, 1920), (1024, 768)]

OUTSIDE = """() => [...document.querySelectorAll(
        "#banner, #name, #ask, #colour, #direction, .card, .who, .count, .score, .flag")]
    .filter((one) => one.tagName === "svg" || (one.offsetParent !== null && one.textContent !== ""))
    .filter((one) => { const box = one.getBoundingClientRect();
        return box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1
            || box.height < 8; })
    .map((one) => `${one.className}: ${one.textContent}`)"""

OVERLAPPING = """() => { const box = (place) => document.querySelector(place).getBoundingClientRect();
    const shown = ["#name", "#ask", "#happened", ".facts"].filter((place) => box(place).height);
    if (innerWidth > innerHeight) shown.push("#seats");
    return shown.slice(1).filter((place, at) => box(place).top < box(shown[at]).bottom - 2); }"""


@pytest.mark.parametrize("players", [2, 6, 10])
def test_the_display_never_scrolls_and_hides_nothing(desk: Desk, url: str, opened: Opened, players: int) -> None:
    deal(desk, players, mode="elimination", target=20)
    happen(desk, ev.Play(2, Card.parse("W4")))
    desk.table.see(ViewLost(1.0, "No picture comes from camera 0: check its cable; I go on when it is back."))
    page = opened(f"{url}/display")
    sees(page, "#banner", "No picture")
    sees(page, "#ask", "colour")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(f"innerWidth === {width} && document.body.scrollWidth === innerWidth")
        assert (page.evaluate(OUTSIDE), width) == ([], width)
        assert (page.evaluate(OVERLAPPING), width) == ([], width)
        assert page.evaluate("document.documentElement.scrollHeight - innerHeight") == 0
        assert page.evaluate("document.body.scrollWidth - innerWidth") == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_stand_out_from_what_is_behind_them(desk: Desk, url: str, opened: Opened, scheme: str) -> None:
    deal(desk, 6)
    page = opened(f"{url}/display", color_scheme=scheme)
    for card in ("B5", "R5", "Y5", "G5"):
        seat = desk.table.snapshot()["turn"]
        assert seat is not None
        happen(desk, ev.Play(seat, Card.parse(card)))
        sees(page, "#colour", {"B": "Blue", "R": "Red", "Y": "Yellow", "G": "Green"}[card[0]])
        assert faint(page) == []
    page.goto(f"{url}/setup")
    sees(page, "#state", "Round 1")
    assert faint(page) == []
    page.evaluate("document.querySelector('#state').style.color = '#7f7f7f'")
    assert len(faint(page)) == 1


def faint(page: Page) -> list[str]:
    """Texts of a page whose contrast is under 4.5 to 1 (WCAG 2.2, 1.4.3)."""
    found: list[str] = page.evaluate(FAINT)
    return found


FAINT = """() => {
    const light = (part) => (part /= 255) <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    const shine = ([r, g, b]) => 0.2126 * light(r) + 0.7152 * light(g) + 0.0722 * light(b);
    const parts = (colour) => (colour.match(/[\\d.]+/g) || []).map(Number);
    const behind = (one) => {
        for (; one; one = one.parentElement) {
            const colour = parts(getComputedStyle(one).backgroundColor);
            if (colour.length === 3 || colour[3] === 1) return colour;
        }
        return [255, 255, 255];
    };
    return [...document.querySelectorAll("body *")]
        .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()))
        .filter((one) => one.getClientRects().length)
        .filter((one) => !one.closest("svg, .quiet, script, noscript, [hidden], option"))
        .map((one) => {
            const [a, b] = [shine(parts(getComputedStyle(one).color)), shine(behind(one))];
            return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), one.textContent.trim()];
        })
        .filter(([contrast]) => contrast < 4.5).map(([contrast, text]) => `${contrast.toFixed(2)}: ${text}`);
    }"""


def test_the_display_says_that_it_is_not_connected_and_comes_back(
    desk: Desk, serving_at: Callable[..., Any], opened: Opened
) -> None:
    deal(desk)
    app = create_app(desk)
    with serving_at(app) as url:
        page = opened(f"{url}/display")
        sees(page, "#name", "Bram")
        assert page.is_hidden("#banner")
    sees(page, "#banner", "Not connected")
    happen(desk, ev.Play(2, Card.parse("B9")))
    with serving_at(app, int(url.rpartition(":")[2])):
        sees(page, "#name", "Cleo")
        page.wait_for_selector("#banner", state="hidden")
        assert page.get_attribute("#face", "data-card") == "B9"
        page.close()


def test_the_display_says_that_the_camera_is_gone(desk: Desk, url: str, opened: Opened) -> None:
    deal(desk)
    page = opened(f"{url}/display")
    sees(page, "#name", "Bram")
    desk.table.see(ViewLost(1.0, "No picture comes from camera 0."))
    sees(page, "#banner", "No picture comes from camera 0.")
    desk.table.see(ViewBack(2.0))
    page.wait_for_selector("#banner", state="hidden")


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
    page.wait_for_function("document.querySelectorAll('#hands form').length === 1")
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


def test_the_pages_can_be_left_and_the_table_forgets_them(desk: Desk, url: str, opened: Opened) -> None:
    page = opened(f"{url}/")
    page.click("text=Host's page")
    sees(page, "#state", "No match yet")
    page.go_back()
    page.click("a:has-text('Display')")
    sees(page, "#name", "No match yet")
    assert httpx.get(f"{url}/api/health").json()["status"] == "ok"
