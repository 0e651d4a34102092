"""Language and voice on the host's page, in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from service.desk import Desk
from tests.service.browsing import Opened, faults, sees, shot

if TYPE_CHECKING:
    from playwright.sync_api import Route


def test_the_pages_speak_the_language_of_the_table(desk: Desk, url: str, opened: Opened) -> None:
    page = opened(f"{url}/setup#new")
    page.wait_for_selector("#speaking-part:not([hidden])")
    page.uncheck('[name="silent"][value="draws"]')
    sees(page, "#said", "Done: cards drawn")
    assert desk.speaking.settings.silent == ("draws",)
    page.select_option("#lang", label="Nederlands")
    page.wait_for_selector('html[lang="nl"]')
    assert desk.table.phrases.language.code == "nl"


def test_a_voice_is_chosen_from_those_that_there_are(desk: Desk, url: str, opened: Opened) -> None:
    page = opened("about:blank")
    voices = [{"id": "en-gb", "name": "English (Great Britain)"}, {"id": "en-us", "name": "English (America)"}]
    told = {**desk.speaking.public(), "voices": voices}

    def speaking(route: Route) -> None:
        wish = dict(route.request.post_data_json or {}) if route.request.method == "POST" else {}
        route.fulfill(json={**told, **wish})

    page.route("**/api/speaking", speaking)
    page.goto(f"{url}/setup#new")
    page.wait_for_selector("#voice")
    names = ["that of the language", "English (Great Britain)", "English (America)"]
    assert page.locator("#voice option").all_text_contents() == names
    assert page.input_value("#voice") == ""
    with page.expect_request(lambda one: one.method == "POST") as asked:
        page.select_option("#voice", label="English (America)")
    assert asked.value.post_data_json == {"voice": "en-us"}
    sees(page, "#said", "Done: Voice")
    assert page.input_value("#voice") == "en-us"
    shot(page, "setup-voice")
    assert faults(page) == []
    voices.clear()
    page.reload()
    page.wait_for_selector("#speaking-part")
    assert page.is_hidden("#voice")
