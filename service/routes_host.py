"""Routes for the host: stored matches, links and QR codes, what works on this computer."""

from __future__ import annotations

import io
import threading
import time
from dataclasses import asdict
from typing import Any, Final

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse, PlainTextResponse

from referee.record import parse, replay
from service import health, matches
from service.desk import REFUSALS, Desk, is_host, refusals
from service.links import Links, svg

LOOKED_SECONDS: Final = 10.0
"""For how long a look at the computer holds: it takes a second, and a page asks again."""
UNKNOWN: Final = refusals(_404="There is no such match.", _503="The stored matches cannot be read.")
NO_PAGE: Final = refusals(_404="There is no such page.")
TEXT: Final[dict[int | str, dict[str, Any]]] = {200: {"content": {"text/plain": {}}}}
CSV: Final[dict[int | str, dict[str, Any]]] = {200: {"content": {"text/csv": {}}}}
SVG: Final[dict[int | str, dict[str, Any]]] = {200: {"content": {"image/svg+xml": {}}}}


def match_routes(desk: Desk) -> APIRouter:
    """The stored matches."""
    router = APIRouter(prefix="/api/matches", tags=["matches"], dependencies=[is_host], responses=UNKNOWN)

    @router.get("", summary="The stored matches", response_model=None)
    def all_matches() -> dict[str, Any]:
        """Number, beginning, players, length and outcome of each; `current` is the one in play."""
        return {"matches": matches.listed(desk.store), "current": desk.table.match}

    @router.get("/{match}.trn", summary="A stored match as a game record", response_model=None, responses=TEXT)
    def record(match: int) -> PlainTextResponse:
        """The record of one match."""
        return PlainTextResponse(desk.store.load(match), headers=_named(match, "trn"))

    @router.get("/{match}.json", summary="A stored match as it ended, with all rulings", response_model=None)
    def result(match: int) -> Response:
        """What `tableref replay --json` prints of it."""
        found = replay(parse(desk.store.load(match), f"match {match}")).public()
        return JSONResponse(found, headers=_named(match, "json"))

    @router.get("/{match}.csv", summary="A stored match as a table", response_model=None, responses=CSV)
    def table(match: int) -> Response:
        """One row for each event that counts."""
        out = io.StringIO()
        matches.write_csv(parse(desk.store.load(match), f"match {match}"), out)
        return Response(out.getvalue(), media_type="text/csv", headers=_named(match, "csv"))

    @router.get("/{match}/steps", summary="A stored match, step by step", response_model=None)
    def stepwise(match: int) -> dict[str, Any]:
        """Every event that counts with the state after it: for replay, and for plots."""
        return matches.stepwise(desk.store, match)

    return router


def _named(match: int, ending: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="match-{match}.{ending}"'}


def host_routes(desk: Desk) -> APIRouter:
    """Links, QR codes, and the doctor."""
    router = APIRouter(prefix="/api", tags=["host"], dependencies=[is_host], responses=REFUSALS)
    doctor = Doctor(desk)

    @router.get("/links", summary="The links to hand out", response_model=None)
    def links() -> dict[str, Any]:
        """Of the host's page, the display, the overlay and each seat, with their tokens when there are any."""
        return _links(desk).public()

    @router.get("/qr/{page}.svg", summary="A link as a QR code", response_model=None, responses=SVG | NO_PAGE)
    def code(page: str) -> Response:
        """`host`, `display`, `overlay`, or `seat-1` and so on."""
        link = _links(desk).of(page)
        if link is None:
            return JSONResponse({"detail": "There is no such page."}, 404)
        return Response(svg(link), media_type="image/svg+xml")

    @router.get("/doctor", summary="What works on this computer", response_model=None)
    def look() -> dict[str, Any]:
        """One finding a line: `what`, whether it `works`, what was `found`, and what to do about it (`advice`)."""
        return {"findings": doctor.findings()}

    return router


def _links(desk: Desk) -> Links:
    return desk.links or Links(f"http://127.0.0.1:{desk.settings.port}")


class Doctor:
    """Looks at the computer while the program runs: camera and voice are in use, so that they say it themselves."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._lock = threading.Lock()
        self._found: tuple[float, str, list[dict[str, Any]]] = (float("-inf"), "", [])

    def findings(self) -> list[dict[str, Any]]:
        """What `tableref doctor` would say."""
        with self._lock:
            lang = self._desk.language
            if time.monotonic() - self._found[0] > LOOKED_SECONDS or self._found[1] != lang:
                self._found = (time.monotonic(), lang, self._look())
            return self._found[2]

    def _look(self) -> list[dict[str, Any]]:
        from service import cli_doctor

        looks = (cli_doctor.python, cli_doctor.libraries)  # where matches go, the store tells
        settings = self._desk.settings.model_copy(update={"lang": self._desk.language})
        found = [asdict(finding) for look in looks for finding in look(settings)]
        return [*found, *health.findings(self._desk)]
