"""A seat's page in a real browser the size of a telephone: by thumb, by keyboard, and as a screen reader is told it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from referee import events as ev
from referee.cards import Card, Colour
from referee.options import MatchSettings, Options
from service.api import create_app
from service.desk import Desk
from service.guard import Admission
from service.links import Links
from service.tokens import Tokens
from tests.service.browsing import Opened, deal, faults, happen, sees, shot

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

TELEPHONE: dict[str, Any] = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}


def buttons(page: Page) -> list[str]:
    """What the seat may do, in the order of the page."""
    return page.locator("#do button").all_text_contents()


def offers(page: Page, *labels: str) -> None:
    """Waits until exactly these are offered."""
    page.wait_for_function(
        "(wanted) => [...document.querySelectorAll('#do button')].map((one) => one.textContent).join() === wanted",
        arg=",".join(labels),
    )


def test_a_seat_is_offered_exactly_what_it_may_do(desk: Desk, url: str, opened: Opened) -> None:
    deal(desk)
    page = opened(f"{url}/seat/2", **TELEPHONE)
    offers(page, "Draw a card", "Pass")
    sees(page, "#turn", "Your turn")
    page.tap("#do button.draw")
    sees(page, "#answer", "Done: Draw a card")
    offers(page, "Pass", "Take back")
    page.tap("#do button.undo")
    offers(page, "Draw a card", "Pass")
    happen(desk, ev.Play(2, Card.parse("W4")))
    offers(page, "Red", "Yellow", "Green", "Blue", "Take back")
    shot(page, "seat-colour")
    page.tap("#do .colour-G")
    sees(page, "#turn", "Cleo is to act")
    other = opened(f"{url}/seat/3", **TELEPHONE)
    offers(other, "Challenge", "Draw 4 cards", "No challenge")
    other.tap("#do .challenge")
    sees(other, "#answer", "Done: Challenge")
    offers(other, "Guilty", "Innocent", "Draw 6 cards", "Take back")
    assert desk.table.snapshot()["colour"] == "G"


def test_uno_is_called_and_caught_from_telephones(desk: Desk, url: str, opened: Opened) -> None:
    desk.table.new_match(
        MatchSettings(("Anna", "Bram", "Cleo"), top=Card.parse("R5"), turn=1, counts=(2, 2, 3), dealer=3)
    )
    anna, cleo = (opened(f"{url}/seat/{seat}", **TELEPHONE) for seat in (1, 3))
    offers(anna, "Uno!", "Draw a card", "Pass")
    happen(desk, ev.Play(1, Card.parse("R9")))
    offers(anna, "Uno!", "Take back")
    offers(cleo, "Catch Anna")
    cleo.tap("#do .catch")
    sees(cleo, "#captions", "caught by Cleo")
    assert desk.table.snapshot()["counts"][0] == 3


def test_hands_are_swapped_from_a_telephone(desk: Desk, url: str, opened: Opened) -> None:
    desk.table.new_match(
        MatchSettings(
            ("Anna", "Bram", "Cleo"), top=Card.parse("R5"), turn=1, counts=(5, 2, 3), options=Options(seven_swap=True)
        )
    )
    anna = opened(f"{url}/seat/1", **TELEPHONE)
    happen(desk, ev.Play(1, Card.parse("R7")))
    offers(anna, "Swap with Bram", "Swap with Cleo", "Take back")
    anna.tap("#do button >> nth=1")
    sees(anna, "#held", "3 cards")
    assert desk.table.snapshot()["counts"] == [3, 2, 4]


def test_everything_to_touch_is_large_and_within_reach_of_a_thumb(desk: Desk, url: str, opened: Opened) -> None:
    deal(desk, 10)
    happen(desk, ev.Play(2, Card.parse("W4")))
    page = opened(f"{url}/seat/2", **TELEPHONE)
    offers(page, "Red", "Yellow", "Green", "Blue", "Take back")
    places = page.evaluate(
        "[...document.querySelectorAll('button, .photo, .check')].filter((one) => one.getClientRects().length)"
        ".map((one) => { const box = one.getBoundingClientRect();"
        " return [one.textContent.trim(), box.width, box.height, box.top, one.closest('#do') !== null]; })"
    )
    assert [name for name, width, height, _, _ in places if width < 48 or height < 48] == []
    assert all(top > 844 * 0.45 for _, _, _, top, acts in places if acts)
    heights = {name: height for name, _, height, _, acts in places if acts}
    assert heights.pop("Take back") < min(heights.values())
    for width, height in ((390, 844), (360, 640), (320, 640)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(f"() => innerWidth === {width}")
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        assert page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0, (width, height)
        lowest = page.locator("[data-ask], #shot").evaluate_all(
            "all => Math.max(...all.map((one) => one.getBoundingClientRect().bottom))"
        )
        assert lowest <= height


def test_questions_are_answered_here_and_nobody_else_hears_it(desk: Desk, url: str, opened: Opened) -> None:
    deal(desk)
    page = opened(f"{url}/seat/4", **TELEPHONE)
    sees(page, "#turn", "Bram is to act")
    captions = desk.table.snapshot()["captions"]
    answers = {"turn": "Bram", "top": "blue six", "counts": "seven", "scores": "Anna", "repeat": "Bram"}
    for query, answer in answers.items():
        page.tap(f'[data-ask="{query}"]')
        sees(page, "#answer", answer)
    assert desk.table.snapshot()["captions"] == captions


def test_a_screen_reader_is_told_everything_in_order(desk: Desk, url: str, opened: Opened) -> None:
    deal(desk)
    happen(desk, ev.Play(2, Card.parse("W4")), ev.NameColour(2, Colour.RED))
    page = opened(f"{url}/seat/3", **TELEPHONE)
    offers(page, "Challenge", "Draw 4 cards", "No challenge")
    tree = page.locator("body").aria_snapshot()
    for line in (
        'heading "Cleo" [level=1]',
        'img "wild draw four"',
        "log",
        'checkbox "My screen reader says what happens" [checked]',
        'heading "What you may do now" [level=2]',
        'button "Challenge"',
        'button "Whose turn?"',
        'button "My hand"',
    ):
        assert line in tree, tree
    assert tree.index('button "Challenge"') < tree.index('button "No challenge"') < tree.index('button "Repeat"')
    assert page.text_content("#yours") == ("Cleo, do you challenge? You may: Challenge, Draw 4 cards, No challenge.")
    assert faults(page) == []


def test_focus_is_never_lost_when_the_buttons_change(desk: Desk, url: str, opened: Opened) -> None:
    deal(desk)
    page = opened(f"{url}/seat/2")
    offers(page, "Draw a card", "Pass")
    page.focus("#do .draw")
    page.keyboard.press("Enter")
    offers(page, "Pass", "Take back")
    assert page.evaluate("document.activeElement.id") == "do-title"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    sees(page, "#turn", "Cleo is to act")
    assert desk.table.snapshot()["counts"] == [7, 8, 7, 7]


def test_a_token_comes_by_the_code_and_stays_out_of_sight(desk: Desk, url: str, opened: Opened) -> None:
    deal(desk)
    page = opened("about:blank")
    sent: list[str | None] = []
    page.on("request", lambda asked: sent.append(asked.headers.get("authorization")) if "/api/" in asked.url else None)
    page.goto(f"{url}/seat/2#token=sesame")
    offers(page, "Draw a card", "Pass")
    assert page.url == f"{url}/seat/2"
    page.reload()
    offers(page, "Draw a card", "Pass")
    assert set(sent) == {"Bearer sesame"}


HAND = {
    "cards": [
        {"card": "B2", "confidence": 0.99, "points": 2, "playable": True},
        {"card": "R7", "confidence": 0.99, "points": 7, "playable": False},
        {"card": "W4", "confidence": 0.98, "points": 50, "playable": False},
    ],
    "points": 59, "seat": 2, "unsure": 1, "width": 2048, "height": 1536,
}  # fmt: skip

VOICE = """window.spoken = []; speechSynthesis.speak = (one) => window.spoken.push([one.text, one.lang]); 0"""


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "hand.jpg"
    cv2.imwrite(str(path), np.full((2400, 3200, 3), 120, np.uint8))
    return path


def test_a_hand_is_read_for_its_owner_and_forgotten(desk: Desk, url: str, opened: Opened, picture: Path) -> None:
    deal(desk)
    page = opened(f"{url}/seat/2", **TELEPHONE)
    offers(page, "Draw a card", "Pass")
    page.evaluate(VOICE)
    sent = []

    def read(route: Route) -> None:
        sent.append(cv2.imdecode(np.frombuffer(route.request.post_data_buffer or b"", np.uint8), cv2.IMREAD_COLOR))
        route.fulfill(json=HAND)

    page.route("**/api/read*", read)
    assert page.get_attribute("#photo", "capture") == "environment"
    page.set_input_files("#photo", picture)
    sees(page, "#hand-title", "Your hand: 3 cards. 1 can be played.")
    assert sent[0] is not None and sent[0].shape == (1536, 2048, 3)
    listed = [text.strip() for text in page.locator("#cards .card-name").all_text_contents()]
    assert listed == ["blue two can be played", "red seven", "wild draw four"]
    assert page.text_content("#hand-note") == "1 could not be read. The referee counts 7 cards."
    assert page.evaluate("document.activeElement.id") == "hand-title"
    text, language = page.evaluate("window.spoken.pop()")
    assert "blue two, can be played. red seven. wild draw four." in text and language == "en"
    assert faults(page) == []
    shot(page, "seat-hand")
    happen(desk, ev.Play(2, Card.parse("B2")))
    page.wait_for_function("() => document.querySelectorAll('#cards .tag').length === 0")
    page.evaluate("dispatchEvent(new Event('pagehide'))")
    assert page.text_content("#cards") == "" and page.is_hidden("#hand")
    assert "R7" not in str(desk.table.snapshot())


def test_a_seat_that_nobody_has_says_so(desk: Desk, url: str, opened: Opened) -> None:
    page = opened(f"{url}/seat/5", **TELEPHONE)
    sees(page, "#turn", "No match yet")
    deal(desk)
    sees(page, "#access", "Nobody sits on seat 5 in this match.")
    assert touchable(page) == []


def test_a_picture_that_is_none_is_told_in_words(desk: Desk, url: str, opened: Opened, tmp_path: Path) -> None:
    deal(desk)
    page = opened(f"{url}/seat/2", **TELEPHONE)
    offers(page, "Draw a card", "Pass")
    (tmp_path / "note.jpg").write_text("no picture")
    page.set_input_files("#photo", tmp_path / "note.jpg")
    sees(page, "#answer", "That picture cannot be read")


@pytest.fixture
def secured(desk: Desk, serve: Callable[..., str]) -> tuple[str, Tokens]:
    """The service as it is with --lan, for displays with a token as well; and the tokens."""
    tokens = Tokens.new()
    url = serve(create_app(desk, Admission(tokens=tokens, open_to_look=False)))
    desk.links = Links(url, tokens, open_to_look=False)
    return url, tokens


def test_with_tokens_each_page_is_let_in_as_what_it_is(desk: Desk, secured: tuple[str, Tokens], opened: Opened) -> None:
    url, tokens = secured
    deal(desk)
    display = opened(f"{url}/display#token={tokens.look}")
    sees(display, "#name", "Bram")
    bram = opened(f"{url}/seat/2#token={tokens.seats[1]}", **TELEPHONE)
    offers(bram, "Draw a card", "Pass")
    bram.tap("#do .draw")
    sees(bram, "#answer", "Done: Draw a card")
    host = opened(f"{url}/setup#token={tokens.host}")
    sees(host, "#state", "Bram to act")
    host.click('nav [data-view="screens"]')
    host.wait_for_selector("#links img")
    assert host.get_attribute("#links li:nth-child(2) a", "href") == f"{url}/seat/2#token={tokens.seats[1]}"
    assert tokens.seats[1] not in host.inner_text("#links")
    stranger = opened(f"{url}/seat/2#token=guessed", **TELEPHONE)
    sees(stranger, "#access", "not let in: scan its code")
    assert touchable(stranger) == [] and stranger.is_hidden(".table")
    for path, place in (("setup", "#access"), ("match", "#why"), ("display", "#banner")):
        shut = opened(f"{url}/{path}", **TELEPHONE)
        shut.wait_for_selector(f"{place}:visible")
        sees(shut, place, "host")
        assert touchable(shut) == []
        assert faults(shut) == []


def touchable(page: Page) -> list[str]:
    """Everything that is offered to be pressed, followed or filled in."""
    found = page.locator("button, a[href], input, select, textarea, summary")
    shown: list[str] = found.evaluate_all(
        "all => all.filter((one) => one.checkVisibility()).map((one) => one.id || one.textContent)"
    )
    return [name.strip() for name in shown if name not in ("follow",)]


def test_a_page_offers_only_what_its_token_can_do(desk: Desk, serve: Callable[..., str], opened: Opened) -> None:
    tokens = Tokens.new()
    url = serve(create_app(desk, Admission(tokens=tokens)))
    desk.links = Links(url, tokens)
    deal(desk)
    viewer = opened(f"{url}/seat/2", **TELEPHONE)
    sees(viewer, "#access", "To play as Bram, scan the QR code of this seat")
    sees(viewer, "#turn", "Bram is to act")
    assert touchable(viewer) == []
    shot(viewer, "seat-viewer")
    assert faults(viewer) == []
    anna = opened(f"{url}/seat/2#token={tokens.seats[0]}", **TELEPHONE)
    sees(anna, "#access", "let in for Anna")
    assert touchable(anna) == ["own-seat", "Repeat", "Whose turn?", "Which card?", "Cards?", "Score?"]
    anna.tap("#access a")
    sees(anna, "#me", "Anna")
    offers(anna)
    sees(anna, "#nothing", "nothing for you to do")
    anna.wait_for_selector(".photo")
    bram = opened(f"{url}/seat/2", **TELEPHONE)
    sees(bram, "#access", "scan the QR code")
    bram.evaluate(f"location.hash = 'token={tokens.seats[1]}'")
    offers(bram, "Draw a card", "Pass")
    assert bram.is_hidden("#access")
    for token, links in (("", ["look"]), (f"#token={tokens.seats[1]}", ["own-seat", "look"])):
        closed = opened(f"{url}/setup{token}")
        sees(closed, "#access", "Only the host can use this page")
        closed.wait_for_selector("#access:not([hidden])")
        assert touchable(closed) == links
        assert faults(closed) == []
    shot(closed, "setup-closed")
    closed.evaluate(f"location.hash = 'token={tokens.host}'")
    sees(closed, "#state", "Bram to act")
    match = opened(f"{url}/match")
    sees(match, "#where", "step 2")
    assert match.is_hidden("#to-matches")
    sees(opened(f"{url}/match/{desk.table.match}"), "#why", "Only the host can use this page")


@pytest.mark.parametrize("path", ["seat/2", "setup", "overlay"])
def test_a_page_says_that_it_is_not_connected_and_comes_back(
    desk: Desk, serving_at: Callable[..., Any], opened: Opened, path: str
) -> None:
    deal(desk)
    app = create_app(desk)
    with serving_at(app) as url:
        page = opened(f"{url}/{path}")
        page.wait_for_selector("#face[data-card=B6]")
        assert page.is_hidden("#banner")
    sees(page, "#banner", "Not connected")
    happen(desk, ev.Play(2, Card.parse("B9")))
    with serving_at(app, int(url.rpartition(":")[2])):
        page.wait_for_selector("#banner", state="hidden")
        page.wait_for_selector("#face[data-card=B9]")
        page.close()
