"""A match's page in a real browser: its result, its replay, and plots that a screen reader can read."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee import events as ev
from referee.cards import Card
from referee.options import MatchSettings
from referee.record import parse, replay
from service.cli_table import DEMO
from service.desk import Desk
from tests.service.browsing import Opened, deal, faults, happen, sees, shot


@pytest.fixture
def played(desk: Desk) -> Desk:
    """The game of the demo film, played to its end."""
    truth = parse((DEMO / "demo.trn").read_text("utf-8"))
    desk.table.new_match(truth.settings)
    for event in replay(truth).events:
        desk.table.apply(event)
    return desk


@pytest.mark.parametrize(("scheme", "width", "height"), [("light", 1280, 900), ("dark", 390, 844)])
def test_a_match_is_told_in_words_and_pictures(
    played: Desk, url: str, opened: Opened, scheme: str, width: int, height: int
) -> None:
    page = opened(f"{url}/match/{played.table.match}", width=width, height=height, color_scheme=scheme)
    sees(page, "#ranks li:first-child", "Anna102 points")
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    page.click("#plot-scores summary")
    rows = page.locator("#plot-scores tbody tr").all_text_contents()
    assert rows == ["110200"]
    assert page.locator("#plot-scores thead th").all_text_contents() == ["Round", "Anna", "Bram", "Cleo"]
    assert page.locator("#plot-scores .legend li").all_text_contents() == ["1Anna", "2Bram", "3Cleo"]
    assert page.locator("#plot-counts > svg polyline").count() == 3
    names = page.locator("svg.plot[role=img]").evaluate_all(
        "all => all.map((one) => one.querySelector('title').textContent)"
    )
    assert names == ["Score after each round", "Cards in each hand", "Time for a turn"]
    shot(page, f"match-{scheme}")


def test_a_match_is_replayed_step_by_step_with_the_keyboard(played: Desk, url: str, opened: Opened) -> None:
    steps = played.table.history()
    page = opened(f"{url}/match/{played.table.match}")
    sees(page, "#where", f"step {len(steps)} of {len(steps)}")
    page.click("#first")
    page.focus("#step")
    for number, judged in enumerate(steps[:12], start=1):
        sees(page, "#where", f"step {number} of {len(steps)}")
        top = judged.after.top
        assert page.get_attribute("#face", "data-card") == (str(top) if top else "null")
        assert page.locator("#seats tr.acts").count() == (1 if judged.after.turn else 0)
        page.keyboard.press("ArrowRight")
    page.click("#run")
    sees(page, "#where", "step 14 of")
    sees(page, "#run", "Stop")


def test_a_match_is_saved_as_a_picture(played: Desk, url: str, opened: Opened) -> None:
    page = opened(f"{url}/match/{played.table.match}")
    sees(page, "#ranks", "Anna")
    with page.expect_download() as saved:
        page.click("#save-picture")
    picture = cv2.imdecode(np.frombuffer(saved.value.path().read_bytes(), np.uint8), cv2.IMREAD_COLOR)
    assert saved.value.suggested_filename == f"match-{played.table.match}.png"
    assert picture is not None and picture.shape == (675, 1200, 3) and float(picture.std()) > 20


def test_stored_matches_are_listed_with_their_files(played: Desk, url: str, opened: Opened) -> None:
    first = played.table.match
    deal(played)
    page = opened(f"{url}/setup#matches")
    sees(page, "#matches", "Anna 102, Bram 0, Cleo 0")
    for ending in ("trn", "json", "csv"):
        with page.expect_download() as saved:
            page.click(f'a[href="/api/matches/{first}.{ending}"]')
        assert saved.value.suggested_filename == f"match-{first}.{ending}"
        assert saved.value.path().stat().st_size > 500
    page.click(f'a[href="/match/{first}"]')
    sees(page, "#title", f"Match {first}")


def test_the_match_in_play_grows_as_it_is_played(desk: Desk, url: str, opened: Opened) -> None:
    page = opened(f"{url}/match")
    sees(page, "#why", "No match yet. Start one on the host's page.")
    deal(desk)
    sees(page, "#where", "step 2 of 2")
    happen(desk, ev.Play(2, Card.parse("B9")))
    sees(page, "#where", "step 3 of 3")
    page.click("#first")
    happen(desk, ev.Play(3, Card.parse("B8")))
    sees(page, "#where", "step 1 of 4")


def test_what_is_not_there_yet_is_said_in_a_sentence(desk: Desk, url: str, opened: Opened) -> None:
    desk.table.new_match(MatchSettings(("Anna", "Bram"), dealer=1))
    page = opened(f"{url}/match")
    sees(page, "#what", "Nothing has happened in this match yet.")
    sees(page, "#plot-scores", "No round has ended yet.")
    sees(page, "#plot-counts", "No cards were dealt yet.")
    sees(page, "#plot-times", "Nobody has had a turn yet.")
    assert page.is_hidden("#run") and page.is_hidden("#round") and page.locator("svg.plot").count() == 0
    assert faults(page) == []
    happen(desk, ev.Deal(1), ev.Start(Card.parse("B6")))
    sees(page, "#what", "first card, blue six")
    sees(page, "#plot-scores", "No round has ended yet.")
    page.wait_for_selector("#plot-counts svg")
    assert page.is_visible("#run")
    empty = "[...document.querySelectorAll('td, th, dd, .legend span')].filter((one) => !one.textContent.trim()).length"
    assert page.evaluate(empty) == 0


def test_a_match_that_is_not_there_is_said(url: str, opened: Opened) -> None:
    sees(opened(f"{url}/match/99"), "#why", "There is no such match")
