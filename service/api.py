"""The local API: state, event stream, actions, camera picture, stored matches, pages.

    app = create_app(Desk(table, store, preview))

Everything that people or programs do comes through here to the one `Table`; nothing here knows the rules.
"""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Final

from fastapi import APIRouter, FastAPI, Header, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, StreamingResponse
from pydantic import BaseModel, ConfigDict
from sse_starlette import EventSourceResponse
from starlette.types import ASGIApp

from referee.ledger import Judged
from referee.notation import event_of, line_for
from referee.options import MatchSettings, Options, SettingsError
from service import feed, matches, phrases, screens
from service.actions import Action, NewMatchAction
from service.docs import docs_page
from service.guard import Admission, Guard
from service.preview import Preview
from service.sentences import refused_fields
from service.store import NoSuchMatchError, Store, StoreError
from service.table import Applied, Conflict, NoMatch, NotStored, Table
from service.version import VERSION

DESCRIPTION: Final = """What happens at the table, for pages and programs on this computer.

GET /api/state says where the match stands, GET /api/events streams everything that happens, POST /api/actions tells the
table what the camera cannot see. Seats count from 1, clockwise. Cards are written as in the game record: a colour R, Y,
G or B and then 0 to 9, S (skip), R (reverse) or D (draw two); W, W4, WS and WC are the wilds.

This service is meant for the computer that it runs on: Host and Origin are checked, bodies are limited."""

LATE: Final = (
    "The table has moved on, there is no match, or a setting cannot be: `detail` says why, `state` what holds."
)
FRAME: Final = b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%b\r\n"
FRAME_SECONDS: Final = 0.1
REMEMBERED: Final = 64


@dataclass
class Desk:
    """What the API serves: one table with its store and camera picture, in one language.

    voice: what is known of the voice, for `/api/health`. begun: the answers to requests that began a match, by key;
    `beginning` lets one at a time begin.
    """

    table: Table
    store: Store
    preview: Preview
    language: str = "en"
    voice: Callable[[], dict[str, Any]] = dict
    begun: dict[str, dict[str, Any]] = field(default_factory=dict)
    beginning: threading.Lock = field(default_factory=threading.Lock)


class OtherRequest(Exception):  # noqa: N818 - an answer, not a fault
    """A key that named another request before; nothing happened."""

    def __init__(self) -> None:
        super().__init__("This Idempotency-Key named another request before: give each request its own.")


class Question(BaseModel):
    """A question that anybody may ask at any moment; the answer is also spoken and shown."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    query: phrases.Query


def create_app(desk: Desk, admission: Admission | None = None) -> ASGIApp:
    """The whole service for one table; without an `admission` it is for this computer alone."""
    app = FastAPI(title="Tableref", version=VERSION, description=DESCRIPTION, docs_url=None, redoc_url=None)
    for routes in (state_routes, action_routes, picture_routes, match_routes, page_routes):
        app.include_router(routes(desk))
    app.add_api_route("/docs", lambda: docs(app), include_in_schema=False, methods=["GET"], response_model=None)
    app.add_exception_handler(Conflict, _conflict)
    app.add_exception_handler(NoMatch, lambda request, error: _refused(desk, 409, str(error)))
    app.add_exception_handler(OtherRequest, lambda request, error: _refused(desk, 422, str(error)))
    app.add_exception_handler(SettingsError, lambda request, error: _refused(desk, 422, str(error)))
    app.add_exception_handler(StoreError, lambda request, error: _refused(desk, 503, str(error)))
    app.add_exception_handler(NotStored, lambda request, error: _refused(desk, 503, str(error)))
    app.add_exception_handler(RequestValidationError, lambda request, error: _not_understood(desk, error))
    app.add_exception_handler(NoSuchMatchError, lambda request, error: _refused(desk, 404, str(error)))
    return Guard(app, admission)


def docs(app: FastAPI) -> HTMLResponse:
    """The API as a page."""
    return HTMLResponse(docs_page(app.openapi(), ("/pages/style.css", "/pages/setup.css")))


def _conflict(request: Request, error: Exception) -> Response:
    assert isinstance(error, Conflict)
    return JSONResponse({"detail": str(error), "state": error.snapshot}, 409)


def _not_understood(desk: Desk, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return _refused(desk, 422, refused_fields(error.errors()))


def _refused(desk: Desk, status: int, detail: str) -> Response:
    return JSONResponse({"detail": detail, "state": desk.table.snapshot()}, status)


def state_routes(desk: Desk) -> APIRouter:
    """Looking: the state now, as a stream, and as it came about."""
    router = APIRouter(prefix="/api", tags=["state"])

    @router.get("/state", summary="Where the match stands", response_model=None)
    def state() -> dict[str, Any]:
        """The whole public state: whose turn, top card, colour, direction, counts, scores, open question, captions.

        `version` rises by one with every event; `expected` lists what may sensibly be done now."""
        return dict(desk.table.snapshot())

    @router.get("/events", summary="Everything that happens, as it happens", response_model=None)
    async def events(
        last_event_id: Annotated[
            str | None, Header(description="the last `id` seen; what was missed comes first")
        ] = None,
        after: Annotated[int | None, Query(description="the same, for those who cannot set headers")] = None,
    ) -> EventSourceResponse:
        """Server-sent events `state`, `event` and `notice`; `id` is the version, the data hold the whole `state`."""
        is_known = last_event_id is not None and re.fullmatch("[0-9]{1,18}", last_event_id)
        known = int(last_event_id) if last_event_id and is_known else after
        return feed.stream(desk.table, known)

    @router.get("/history", summary="The events that count", response_model=None)
    def history(
        last: Annotated[int, Query(ge=1, le=1000, description="how many, from the newest back")] = 50,
    ) -> dict[str, Any]:
        """Each with its line of the record, which is what an `amend` names."""
        return {"version": desk.table.version, "lines": [_line(judged) for judged in desk.table.history()[-last:]]}

    @router.get("/health", summary="Whether everything works", response_model=None)
    def health() -> dict[str, Any]:
        """Camera, voice and store in a few words."""
        snapshot = desk.table.snapshot()
        found = {
            "match": snapshot["match"],
            "camera": snapshot["camera"],
            "voice": {**snapshot["voice"], **desk.voice()},
        }
        return {"status": "ok", "program": VERSION, "version": snapshot["version"], **found}

    return router


def _line(judged: Judged) -> dict[str, Any]:
    event = judged.event
    named = {name: getattr(event, name, None) for name in ("seat", "card", "colour")}
    told = {
        name: None if value is None else value if isinstance(value, int) else str(value)
        for name, value in named.items()
    }
    return {"line": judged.line, "text": line_for(event), "amendable": hasattr(event, "card"), **told}


def action_routes(desk: Desk) -> APIRouter:
    """Telling the table what happened, and asking it."""
    router = APIRouter(prefix="/api", tags=["actions"])

    @router.post("/actions", summary="Tell the table", response_model=None, responses={409: {"description": LATE}})
    def actions(
        body: Action,
        idempotency_key: Annotated[
            str | None, Header(max_length=200, description="names this request: delivered twice, it applies once")
        ] = None,
    ) -> dict[str, Any]:
        """What the camera cannot see. Answers the new `version`, the `rulings` of the referee and the `state`."""
        if isinstance(body, NewMatchAction):
            with desk.beginning:
                return _begin(desk, body, idempotency_key)
        event = body.event()
        applied = desk.table.apply(event, expected_version=body.expected_version, key=idempotency_key)
        if applied.repeated and _plain(applied.line) != line_for(event):
            raise OtherRequest
        return _answer(desk, applied)

    @router.post("/ask", summary="Ask the table", response_model=None, responses={409: {"description": LATE}})
    def ask(body: Question) -> dict[str, Any]:
        """Whose turn it is, which card lies on top, and so on: as a sentence, which is spoken, too."""
        return {"answer": desk.table.answer(body.query)}

    return router


def _plain(line: str) -> str:
    """A line of the record without its time and confidence."""
    event = event_of(line)
    return line_for(replace(event, seconds=None, confidence=None)) if event else line


def _answer(desk: Desk, applied: Applied) -> dict[str, Any]:
    rulings = [ruling.fields() for ruling in applied.rulings]
    return {
        "version": applied.version,
        "repeated": applied.repeated,
        "rulings": rulings,
        "state": desk.table.snapshot(),
    }


def _begin(desk: Desk, body: NewMatchAction, key: str | None) -> dict[str, Any]:
    if key is not None and key in desk.begun:
        return {**desk.begun[key], "repeated": True}
    match = desk.table.new_match(match_settings(body), expected_version=body.expected_version)
    answer = {"match": match, "version": body.expected_version + 1, "repeated": False, "rulings": []}
    answer["state"] = desk.table.snapshot()
    if key is not None:
        desk.begun[key] = answer
        while len(desk.begun) > REMEMBERED:
            del desk.begun[next(iter(desk.begun))]
    return answer


def match_settings(body: NewMatchAction) -> MatchSettings:
    """The settings that a request for a new match asks for; SettingsError names the one that cannot be."""
    options = Options.parse(";".join(f"{name}={word}" for name, word in body.options.items()))
    players = tuple(" ".join(name.split()) for name in body.players)
    return MatchSettings(players, body.deck, body.mode, body.target, body.dealer, options)


def picture_routes(desk: Desk) -> APIRouter:
    """What the camera sees. No picture is stored."""
    router = APIRouter(prefix="/api", tags=["camera"])
    none_now: dict[int | str, dict[str, Any]] = {404: {"description": "There is no picture now."}}

    @router.get("/preview.jpg", summary="The newest camera picture", response_model=None, responses=none_now)
    def picture() -> Response:
        """JPEG, at most 960 px wide, with the found cards and piles outlined."""
        jpeg = desk.preview.jpeg()
        if jpeg is None:
            return JSONResponse({"detail": "There is no camera picture now."}, 404)
        return Response(jpeg, media_type="image/jpeg")

    @router.get("/preview.mjpeg", summary="The camera pictures as they come", response_model=None)
    async def film() -> StreamingResponse:
        """Motion JPEG, at most ten pictures a second."""
        return StreamingResponse(_frames(desk.preview), media_type="multipart/x-mixed-replace; boundary=frame")

    return router


async def _frames(preview: Preview) -> AsyncIterator[bytes]:
    shown = -1
    while True:
        number = preview.number
        if number != shown:
            shown = number
            jpeg = await asyncio.to_thread(preview.jpeg)
            if jpeg is not None:
                yield FRAME % (len(jpeg), jpeg)
        await asyncio.sleep(FRAME_SECONDS)


def match_routes(desk: Desk) -> APIRouter:
    """The stored matches."""
    router = APIRouter(prefix="/api/matches", tags=["matches"])

    @router.get("", summary="The stored matches", response_model=None)
    def all_matches() -> dict[str, Any]:
        """Number, beginning, players and length of each; `current` is the one in play."""
        return {"matches": matches.listed(desk.store), "current": desk.table.match}

    @router.get("/{match}.trn", summary="A stored match as a game record", response_class=PlainTextResponse)
    def record(match: int) -> PlainTextResponse:
        """The record of one match."""
        name = f'attachment; filename="match-{match}.trn"'
        return PlainTextResponse(desk.store.load(match), headers={"Content-Disposition": name})

    return router


def page_routes(desk: Desk) -> APIRouter:
    """What people see."""
    router = APIRouter(include_in_schema=False)

    def page(name: str) -> Callable[[], HTMLResponse]:
        return lambda: HTMLResponse(screens.page(name, desk.language))

    for path, name in (("/", "index"), ("/display", "display"), ("/setup", "setup")):
        router.add_api_route(path, page(name), methods=["GET"], response_model=None)

    @router.get("/pages/{name}", response_model=None)
    def asset(name: str) -> Response:
        found = screens.asset(name)
        if found is None:
            return JSONResponse({"detail": "There is no such page."}, 404)
        content, kind = found
        return Response(content, media_type=kind, headers={"Cache-Control": "no-cache"})

    return router
