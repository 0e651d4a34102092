"""What the tests of pages share: a browser's flags, a table to look at, and what a person or axe finds on a page."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from axe_playwright_python.sync_playwright import Axe

from referee import events as ev
from referee.cards import Card
from referee.options import MatchSettings
from service.desk import Desk
from service.table import Table

if TYPE_CHECKING:
    from playwright.sync_api import Page

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
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
"""Everything that axe knows of WCAG 2.2 up to AA, and what is good besides."""

Opened = Callable[..., "Page"]


def deal(desk: Desk, players: int = 4, **settings: Any) -> Table:
    """A match whose first card, a blue six, was just turned: Bram is to act."""
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


def faults(page: Page) -> list[str]:
    """What axe finds wrong with a page as it is now."""
    found = Axe().run(page, options={"runOnly": {"type": "tag", "values": WCAG}, "resultTypes": ["violations"]})
    return [
        f"{fault['id']}: {node['html'][:120]} {node['failureSummary'][:160]}"
        for fault in found.response["violations"]
        for node in fault["nodes"]
    ]


TOO_WIDE = """() => { const shown = (one) => one.getClientRects().length && !one.closest(".quiet, .skip, svg");
    const wide = document.documentElement.clientWidth;
    return [...document.querySelectorAll("html, body, body *")].filter(shown).filter((one) => {
        const box = one.getBoundingClientRect();
        return box.right > wide + 1 || box.left < -1
            || (one.clientWidth && one.scrollWidth > one.clientWidth + 1
                && (one === document.documentElement || getComputedStyle(one).overflowX !== "visible"));
    }).map((one) => `${innerWidth}: ${one.tagName}#${one.id} ${one.textContent.trim().slice(0, 40)}`); }"""
BROKEN = r"""() => { const found = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text; (text = texts.nextNode());) {
        if (!text.parentElement.checkVisibility() || text.parentElement.closest(".quiet, .skip, svg, code")) continue;
        if (text.data.includes("://")) continue;
        for (const word of text.data.matchAll(/[\p{L}\p{N}’']+/gu)) {
            const range = document.createRange();
            range.setStart(text, word.index);
            range.setEnd(text, word.index + word[0].length);
            const tops = [...range.getClientRects()].map((box) => box.top);
            if (Math.max(...tops) - Math.min(...tops) > 8) found.push(`${innerWidth}: ${word[0]} is broken`);
        }
    }
    return found; }"""
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 20))))"


def sideways(page: Page, widths: Sequence[int], name: str, *, words: bool = True) -> list[str]:
    """What does not fit into windows of these widths: beyond an edge, or cut, or to be scrolled to; broken `words`."""
    found: list[str] = []
    for width in widths:
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_function(f"() => innerWidth === {width}")
        page.evaluate(DRAWN)
        found += page.evaluate(TOO_WIDE) + (page.evaluate(BROKEN) if words else [])
        shot(page, f"{name}-{width}")
    return found


def shot(page: Page, name: str) -> None:
    """A picture of the page for looking at, in the folder that TABLEREF_SHOTS names; without it none is taken."""
    folder = os.environ.get("TABLEREF_SHOTS")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=str(Path(folder) / f"{name}.png"), full_page=True)
