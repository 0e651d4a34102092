"""Pages in the other five languages: in that language, without a word that runs out of its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.api import create_app
from service.desk import Desk
from service.language import languages
from service.phrases import Phrases
from service.preview import Preview
from service.store import Store
from service.table import Table
from tests.service.browsing import Opened, deal, sees, shot
from tests.service.conftest import Serve

PAGES = {"/display": (1280, 720), "/seat/2": (320, 640), "/setup": (360, 740), "/overlay": (1280, 720)}
"""Pages with the narrowest screens that they must fit."""


@pytest.mark.parametrize("language", [code for code in languages() if code != "en"])
def test_pages_speak_another_language(language: str, tmp_path: Path, serve: Serve, opened: Opened) -> None:
    with Store.open(tmp_path / "table.sqlite") as store:
        phrases = Phrases.load(language)
        desk = Desk(Table.open(store, phrases), store, Preview(), language)
        deal(desk)
        url = serve(create_app(desk))
        for path, (width, height) in PAGES.items():
            page = opened(url + path, width, height)
            assert page.evaluate("document.documentElement.lang") == language
            sees(page, "body", "Bram")
            shot(page, f"{language}{path.replace('/', '-')}")
            over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert over <= 0, f"{path} is {over} px too wide"
