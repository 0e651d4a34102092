"""Every page in every language: in that language, and never wider than the screen, from telephones to televisions."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee import events as ev
from referee.cards import Card
from service.api import create_app
from service.desk import Desk
from service.language import languages
from service.phrases import Phrases
from service.preview import Preview
from service.speaking import Wish
from service.store import Store
from service.table import Table
from tests.service.browsing import BROKEN, DRAWN, Opened, deal, faults, happen, sees, shot, sideways
from tests.service.conftest import Serve

NAMED = {"/display": "body", "/seat/2": "body", "/setup": "#history", "/overlay": "body", "/match": "#ranks"}
"""Pages on which Bram is named, and where."""
PARTS = {
    "#new": "#options",
    "#matches": "#matches a",
    "#screens": "#links a",
    "#camera": "#stage",
    "#check": ".works",
}
"""Parts of the host's page, and what is there when all has come."""
OPENED = "document.querySelectorAll('details').forEach((one) => { one.open = true; })"
WIDTHS = (320, 360, 390, 768, 1080, 1920)


@pytest.mark.parametrize("language", languages())
def test_no_page_is_wider_than_the_screen(language: str, tmp_path: Path, serve: Serve, opened: Opened) -> None:
    with Store.open(tmp_path / "table.sqlite") as store:
        desk = Desk(Table.open(store, Phrases.load(language)), store, Preview(), language)
        deal(desk, 5)
        happen(desk, ev.Play(2, Card.parse("BR")), ev.Play(1, Card.parse("W4")))
        url = serve(create_app(desk))
        for path, place in NAMED.items():
            page = opened(url + path)
            assert page.evaluate("document.documentElement.lang") == language
            sees(page, place, "Bram")
            page.evaluate(OPENED)
            assert sideways(page, WIDTHS, f"{language}{path.replace('/', '-')}") == []
        page = opened(f"{url}/setup")
        for part, place in PARTS.items():
            page.click(f'nav [href="{part}"]')
            page.wait_for_selector(place, state="attached")
            page.evaluate(OPENED)
            assert sideways(page, WIDTHS, f"{language}-setup-{part[1:]}") == []


@pytest.mark.parametrize("path", ["/seat/2", "/display", "/overlay", "/match", "/setup"])
def test_a_page_follows_when_the_table_changes_its_language(desk: Desk, url: str, opened: Opened, path: str) -> None:
    deal(desk)
    desk.table.view_over()
    page = opened(url + path)
    place = {"/match": "#where", "/setup": "#state"}.get(path, "#captions" if path == "/seat/2" else "#happened")
    page.wait_for_function("(place) => document.querySelector(place).textContent.trim()", arg=place)
    desk.speaking.change(Wish.model_validate({"lang": "de"}))
    page.wait_for_selector('html[lang="de"]')
    if path in ("/seat/2", "/display", "/setup"):
        sees(page, "#banner", "Das Video ist zu Ende.")
    happen(desk, ev.Play(2, Card.parse("B9")))
    if path in ("/seat/2", "/display", "/setup"):
        sees(page, "#captions", "Blau neun")
        told = page.locator("#captions p").evaluate_all("all => all.map((one) => [one.textContent, one.lang])")
        assert told[-1][1] == "de"
        assert path != "/seat/2" or ["The video has ended.", "en"] in told
    if path in ("/display", "/overlay"):
        sees(page, "#happened", "Blau neun")
        assert "video" not in page.inner_text("#happened")
    if path == "/match":
        sees(page, "#where", "Schritt 3 von 3")
    assert faults(page) == []


@pytest.mark.parametrize("language", languages())
def test_four_colours_and_what_was_said_fit_on_the_smallest_telephone(
    language: str, tmp_path: Path, serve: Serve, opened: Opened
) -> None:
    with Store.open(tmp_path / "table.sqlite") as store:
        desk = Desk(Table.open(store, Phrases.load(language)), store, Preview(), language)
        deal(desk)
        happen(desk, ev.Play(2, Card.parse("W4")))
        page = opened(f"{serve(create_app(desk))}/seat/2", width=320, height=640)
        page.wait_for_selector("#do .colour-B")
        page.evaluate(DRAWN)
        shot(page, f"{language}-seat-colours")
        assert page.evaluate(BROKEN) == []
        log, dock = (page.locator(place).bounding_box() for place in ("#captions", ".dock"))
        assert log and dock and log["height"] >= 70 and log["y"] + log["height"] <= dock["y"]


@pytest.mark.parametrize("path", ["/", "/docs"])
def test_pages_in_english_alone_are_never_too_wide(url: str, opened: Opened, path: str) -> None:
    assert sideways(opened(url + path), WIDTHS, path.replace("/", "-"), words=path == "/") == []


def test_what_is_too_wide_is_seen(url: str, opened: Opened) -> None:
    page = opened(f"{url}/")
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<div class=scroll><p>' + 'x'.repeat(400))")
    assert sideways(page, (1280,), "") != []
    page.evaluate("document.querySelector('.scroll').className = 'cut'")
    assert sideways(page, (1280,), "") != []
