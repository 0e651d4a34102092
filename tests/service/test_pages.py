"""The display and the front page in a real browser over the running service: what a person sees across the room.

Skipped only where there is no Chromium (or no driver for it): `apt-get install chromium`. TABLEREF_SHOTS=FOLDER keeps
pictures of the pages for looking at.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from referee import events as ev
from referee.cards import Card, Colour
from referee.options import MatchSettings
from service.api import create_app
from service.desk import Desk
from service.speaking import Wish
from tests.service.browsing import DRAWN, Opened, deal, faults, happen, sees, shot
from vision.changes import ViewBack, ViewLost


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
    .filter((one) => one.getClientRects().length && (one.tagName === "svg" || one.textContent !== ""))
    .filter((one) => { const box = one.getBoundingClientRect();
        return box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1
            || box.height < 8; })
    .map((one) => `${one.className}: ${one.textContent}`)"""

OVERLAPPING = """() => { const box = (place) => document.querySelector(place).getBoundingClientRect();
    const shown = ["#name", "#ask", "#happened", ".facts"].filter((place) => box(place).height);
    if (innerWidth > innerHeight) shown.push("#seats");
    return shown.slice(1).filter((place, at) => box(place).top < box(shown[at]).bottom - 2); }"""


@pytest.mark.parametrize(("players", "language"), [(2, "en"), (5, "nl"), (6, "de"), (10, "fr")])
def test_the_display_never_scrolls_and_hides_nothing(
    desk: Desk, url: str, opened: Opened, players: int, language: str
) -> None:
    desk.speaking.change(Wish.model_validate({"lang": language}))
    deal(desk, players, mode="elimination", target=20)
    happen(desk, ev.Play(2, Card.parse("W4")))
    desk.table.see(ViewLost(1.0, "No picture comes from camera 0: check its cable; I go on when it is back."))
    page = opened(f"{url}/display")
    page.wait_for_selector("#banner:not([hidden])")
    page.wait_for_selector("#ask:not([hidden])")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(f"() => innerWidth === {width} && document.body.scrollWidth === innerWidth")
        page.evaluate(DRAWN)
        assert (page.evaluate(OUTSIDE), width) == ([], width)
        assert (page.evaluate(OVERLAPPING), width) == ([], width)
        assert page.evaluate("document.documentElement.scrollHeight - innerHeight") == 0
        assert page.evaluate("document.body.scrollWidth - innerWidth") == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_wrong_with_the_display(desk: Desk, url: str, opened: Opened, scheme: str) -> None:
    deal(desk, 6)
    page = opened(f"{url}/display", color_scheme=scheme)
    for card in ("B5", "R5", "Y5", "G5"):
        seat = desk.table.snapshot()["turn"]
        assert seat is not None
        happen(desk, ev.Play(seat, Card.parse(card)))
        sees(page, "#colour", {"B": "Blue", "R": "Red", "Y": "Yellow", "G": "Green"}[card[0]])
        assert faults(page) == []
        shot(page, f"display-{card}-{scheme}")
    page.evaluate("Object.assign(document.querySelector('#kicker').style, {color: '#888', background: '#999'})")
    assert any("contrast" in fault for fault in faults(page))


CUT = """() => [...document.querySelectorAll(".now, .now *, .seat .who, .seat .who span, .flag, .flag span, .colour")]
    .filter((one) => one.getClientRects().length && !one.closest("svg, .quiet"))
    .filter((one) => { const style = getComputedStyle(one); const beyond = parseFloat(style.fontSize) * 0.25;
        const box = one.getBoundingClientRect(); const place = one.parentElement.getBoundingClientRect();
        return style.webkitLineClamp !== "none" || style.textOverflow !== "clip"
            || innerWidth > 700 && parseFloat(style.fontSize) < 0.014 * Math.min(innerHeight, innerWidth)
            || one.clientWidth && one.scrollWidth > one.clientWidth + 1 || box.right > place.right + 1
            || one.clientHeight && one.scrollHeight > one.clientHeight + beyond; })
    .map((one) => `${innerWidth}: ${one.className || one.id} ${one.textContent.slice(0, 50)}`)"""
LONG = ("Anna", "Bartholomeus", "Cleo", "de Vries-Jansen", "Elisabeth-Charlotte", "Maximiliane", "Gea", "Hendrik-Jan",
        "Wilhelmina", "Jo")  # fmt: skip


@pytest.mark.parametrize(("players", "language"), [(4, "en"), (10, "de"), (10, "fr"), (10, "es")])
def test_no_word_is_cut_at_the_end_of_a_round(
    desk: Desk, url: str, opened: Opened, players: int, language: str
) -> None:
    desk.speaking.change(Wish.model_validate({"lang": language}))
    counts = (1, *(4 for _ in range(players - 1)))
    desk.table.new_match(MatchSettings(LONG[:players], top=Card.parse("R5"), turn=1, counts=counts, dealer=players))
    happen(desk, ev.Play(1, Card.parse("RD")), *(ev.Points(seat, 40 + seat) for seat in range(2, players + 1)))
    page = opened(f"{url}/display")
    page.wait_for_selector(f'body[data-version="{desk.table.version}"]')
    for width, height in [*SIZES, (390, 844), (320, 640)]:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(f"() => innerWidth === {width}")
        page.evaluate(DRAWN)
        shot(page, f"display-end-{language}-{players}-{width}")
        assert (page.evaluate(OUTSIDE), page.evaluate(CUT)) == ([], [])
        assert page.evaluate("document.documentElement.scrollHeight - innerHeight") == 0


STRANGE = ("אברהם בן־דוד", "Anna Maria Wolfeschlegelsteinhausenbergerdorff", "عائشة", "Łukasz Ćwiąkała-Żądło", "李")


def test_names_of_all_kinds_stay_in_their_places(desk: Desk, url: str, opened: Opened) -> None:
    desk.table.new_match(MatchSettings(STRANGE, dealer=2))
    happen(desk, ev.Deal(2), ev.Start(Card.parse("B6")))
    page = opened(f"{url}/display", reduced_motion="reduce")
    sees(page, "#name", "عائشة")
    for card in ("B5", "B4", "B3", "B2", "B1"):
        seat = desk.table.snapshot()["turn"]
        happen(desk, ev.Play(seat, Card.parse(card)))
        page.wait_for_selector(f'#face[data-card="{card}"]')
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_function(f"() => innerWidth === {width}")
            page.evaluate(DRAWN)
            assert page.evaluate(OUTSIDE) == []
    shot(page, "display-names")


def test_who_wants_less_motion_gets_none(desk: Desk, url: str, opened: Opened) -> None:
    deal(desk)
    moves = "getComputedStyle(document.querySelector('#face.fresh .card')).animationName"
    for wish, moving in (("reduce", "none"), ("no-preference", "lay")):
        page = opened(f"{url}/display", reduced_motion=wish)
        page.wait_for_selector("#face[data-card]")
        happen(desk, ev.Play(desk.table.snapshot()["turn"], Card.parse("B1" if wish == "reduce" else "B2")))
        page.wait_for_selector("#face.fresh")
        assert page.evaluate(moves) == moving


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


@pytest.mark.parametrize(
    ("asks", "shown", "hidden"),
    [
        ("", ["#face", "#name", "#happened", ".score"], []),
        ("?layout=column&side=right&scale=1.5", ["#face", "#name", ".count"], []),
        ("?show=colour,turn", ["#colour", "#name"], ["#face", "#seats", "#happened"]),
        ("?show=seats,counts", ["#seats", ".count"], ["#pile", "#name", ".score"]),
    ],
)
def test_the_overlay_lies_on_nothing_and_shows_what_it_is_asked_for(
    desk: Desk, url: str, opened: Opened, asks: str, shown: list[str], hidden: list[str]
) -> None:
    deal(desk, 10)
    page = opened(f"{url}/overlay{asks}")
    sees(page, "#name", "Bram")
    for part in ("html", "body"):
        assert (
            page.evaluate(f"getComputedStyle(document.querySelector('{part}')).backgroundColor") == "rgba(0, 0, 0, 0)"
        )
    assert [part for part in shown if not page.locator(part).first.is_visible()] == []
    assert [part for part in hidden if page.locator(part).first.is_visible()] == []
    assert page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0
    assert page.evaluate(OUTSIDE) == []
    assert faults(page) == []
    shot(page, f"overlay{asks.replace('?', '-').replace('&', '-')}")


@pytest.mark.parametrize("layout", ["lower", "column"])
def test_the_overlay_is_large_enough_to_be_read_in_a_small_video(
    desk: Desk, url: str, opened: Opened, layout: str
) -> None:
    deal(desk, 5)
    happen(desk, ev.Play(2, Card.parse("BR")))
    page = opened(f"{url}/overlay?layout={layout}")
    sees(page, "#direction", "Counter-clockwise")
    assert page.locator("#direction span").bounding_box()["width"] > 60  # type: ignore[index]
    told = page.locator("#colour, .kicker, .name, #direction, .happened, .who, .count, .score, .flag")
    sizes = told.evaluate_all("all => all.map((one) => parseFloat(getComputedStyle(one).fontSize))")
    assert min(sizes) >= 16
    inks = told.evaluate_all(
        "all => all.map((one) => [one, one.closest('.pile, .words, .seat')].map((it) => getComputedStyle(it).color))"
    )
    assert [ink for ink, ground in inks if ink != ground] == []  # nothing is greyer than its ground
    assert page.evaluate(CUT) == []


def test_the_pages_can_be_left_and_the_table_forgets_them(desk: Desk, url: str, opened: Opened) -> None:
    page = opened(f"{url}/")
    assert faults(page) == []
    page.click("text=Host's page")
    sees(page, "#state", "No match yet")
    page.go_back()
    page.click("a:has-text('Display')")
    sees(page, "#name", "No match yet")
    assert httpx.get(f"{url}/api/health").json()["status"] == "ok"


@pytest.mark.parametrize(
    ("path", "status"),
    [("/seat/1", 200), ("/seat/10", 200), ("/match/3", 200)]
    + [
        (path, 404)
        for path in ("/seat/0", "/seat/11", "/seat/01", "/seat/x", "/seat/-1", "/seat/1.0", "/match/0", "/match/a")
    ],
)
def test_pages_are_for_seats_that_can_be(url: str, path: str, status: int) -> None:
    assert httpx.get(url + path, timeout=15).status_code == status


def test_names_stay_as_they_were_typed(desk: Desk, url: str, opened: Opened) -> None:
    names = ("de vries", "ANNA", "van der Berg", "o'brien mcLean")
    desk.table.new_match(MatchSettings(names, top=Card.parse("R5"), turn=1, counts=(2, 3, 3, 3), dealer=4))
    happen(
        desk, ev.Play(1, Card.parse("R9")), ev.Catch(2, 1), ev.Play(2, Card.parse("RS")), ev.Play(4, Card.parse("W4"))
    )
    pages = [opened(f"{url}{path}") for path in ("/display", "/overlay", "/seat/4", "/setup", "/match")]
    told = " ".join(caption["text"] for caption in desk.table.snapshot()["captions"])
    for page in pages:
        page.wait_for_selector("[data-card=W4]")
        told += page.inner_text("body")
    found = {name for typed in names for name in re.findall(re.escape(typed), told, re.IGNORECASE)}
    assert found == set(names)
