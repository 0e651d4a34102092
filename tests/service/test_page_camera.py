"""The camera's picture on the host's page, and the piles that are moved on it by mouse, touch and keys."""

from __future__ import annotations

import numpy as np
import pytest

from service.desk import Desk
from tests.service.browsing import Opened, sees
from vision.changes import ViewBack, ViewLost
from vision.detections import Detections
from vision.zones import Zone, Zones


def test_the_camera_picture_appears_when_there_is_one(desk: Desk, url: str, opened: Opened) -> None:
    page = opened(f"{url}/setup#camera")
    sees(page, "#no-preview", "no camera picture")
    desk.preview.show(np.full((90, 160, 3), 99, np.uint8), Detections.empty(), Zones())
    page.wait_for_selector("#preview:not([hidden])")
    assert page.evaluate("document.querySelector('#preview').naturalWidth") == 160


class Piles:
    """A watcher that was told where the piles are: what `GET /api/zones` and moving need of one."""

    def __init__(self) -> None:
        self.zones = Zones(Zone(80.0, 45.0, 30.0), None)
        self.moved: list[tuple[str, Zone | None]] = []

    def move(self, pile: str, zone: Zone | None) -> None:
        self.moved.append((pile, zone))
        self.zones = Zones(
            zone if pile == "discard" else self.zones.discard, zone if pile == "draw" else self.zones.draw
        )


def test_piles_are_moved_by_mouse_and_by_keys(desk: Desk, url: str, opened: Opened) -> None:
    piles = Piles()
    desk.watcher = piles  # type: ignore[assignment]
    desk.preview.show(np.full((360, 640, 3), 99, np.uint8), Detections.empty(), Zones())
    page = opened(f"{url}/setup#camera")
    page.wait_for_selector("#zone-discard:not([hidden])")
    box = page.locator("#preview").bounding_box()
    grip = page.locator("#zone-discard").bounding_box()
    assert box is not None and grip is not None
    page.mouse.move(grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
    page.mouse.up()
    sees(page, "#zone-at", "Discard pile")
    pile, zone = piles.moved[-1]
    assert pile == "discard" and zone is not None
    assert zone.x == pytest.approx(320, abs=3) and zone.y == pytest.approx(180, abs=3)
    page.check('[name="zone"][value="draw"]')
    page.click("#preview", position={"x": box["width"] / 4, "y": box["height"] / 4})
    page.wait_for_function("() => document.querySelector('#zone-at').textContent.includes('Draw pile')")
    pile, zone = piles.moved[-1]
    assert pile == "draw" and zone is not None and zone.x == pytest.approx(160, abs=3)
    page.focus("#zone-discard")
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("() => document.querySelector('#zone-at').textContent.includes('Discard pile')")
    moved = piles.moved[-1][1]
    assert moved is not None and moved.x < 320
    page.click("#zone-auto")
    sees(page, "#zone-at", "found by itself")
    assert piles.moved[-1] == ("discard", None)
    touched = opened(f"{url}/setup#camera", width=390, height=844, has_touch=True, is_mobile=True)
    touched.wait_for_selector("#zone-draw:not([hidden])")
    touched.locator("#preview").tap(position={"x": 20, "y": 20})
    sees(touched, "#zone-at", "Discard pile")
    pile, zone = piles.moved[-1]
    assert pile == "discard" and zone is not None and zone.x < 100


def test_a_camera_that_is_gone_or_a_film_that_is_over_leaves_no_picture_to_work_on(
    desk: Desk, url: str, opened: Opened
) -> None:
    desk.watcher = Piles()  # type: ignore[assignment]
    desk.preview.show(np.full((360, 640, 3), 99, np.uint8), Detections.empty(), Zones())
    page = opened(f"{url}/setup#camera")
    page.wait_for_selector("#zone-tools:not([hidden])")
    desk.table.see(ViewLost(1.0, "The film is over."))
    sees(page, "#no-preview", "The film is over.")
    page.wait_for_selector("#preview", state="hidden")
    page.wait_for_selector("#zone-tools", state="hidden")
    assert page.is_hidden("#zones-about") and page.is_hidden("#zone-discard")
    desk.table.see(ViewBack(2.0))
    page.wait_for_selector("#zone-tools:not([hidden])")
