"""The local API: one application of all routes, and what it answers when something cannot be.

    app = create_app(Desk(table, store, preview))

Everything that people or programs do comes through here to the one `Table`; nothing here knows the rules.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp

from referee.options import SettingsError
from referee.record import RecordError
from service.desk import Desk, NotAllowed, who_asks
from service.docs import docs_page
from service.guard import Admission, Guard
from service.language import PhraseError
from service.reading import Busy, NoPicture
from service.routes_actions import NothingAsked, OtherRequest, action_routes
from service.routes_camera import NoCamera, camera_routes, reading_routes
from service.routes_commands import command_routes
from service.routes_host import host_routes, match_routes
from service.routes_pages import page_routes
from service.routes_state import own_routes, state_routes
from service.sentences import Refusal, one_line, refused_fields
from service.store import NoSuchMatchError, StoreError
from service.table import Conflict, NoMatch, NotStored
from service.version import VERSION

__all__ = ["Desk", "create_app"]

DESCRIPTION: Final = """What happens at the table, for pages and programs.

GET /api/state says where the match stands, GET /api/events streams everything that happens, POST /api/actions tells the
table what the camera cannot see. Seats count from 1, clockwise. Cards are written as in the game record: a colour R, Y,
G or B and then 0 to 9, S (skip), R (reverse) or D (draw two); W, W4, WS and WC are the wilds.

On this computer alone everybody is the host. Started with `--lan` the service asks for a token, `Authorization: Bearer
...`: the host's does everything, that of a seat acts for this seat, and looking is open unless `look = "token"` is set.
Host and Origin are checked, and sizes, times and numbers of requests are limited."""

ROUTES: Final = (
    own_routes,
    state_routes,
    action_routes,
    command_routes,
    camera_routes,
    reading_routes,
    match_routes,
    host_routes,
    page_routes,
)

STATUS: Final[dict[type[Exception], int]] = {
    NoMatch: 409,
    NoCamera: 409,
    NothingAsked: 409,
    OtherRequest: 422,
    SettingsError: 422,
    RecordError: 422,
    PhraseError: 422,
    Refusal: 422,
    NoPicture: 422,
    Busy: 503,
    StoreError: 503,
    NotStored: 503,
    NoSuchMatchError: 404,
}
"""Answers that are a sentence and a number."""
WORDS: Final = {
    404: "There is nothing at this address: /docs lists what there is.",
    405: "This address takes no such request: /docs lists what it takes.",
}
"""The sentences of refusals that the library makes."""


def create_app(desk: Desk, admission: Admission | None = None) -> ASGIApp:
    """The whole service for one table; without an `admission` it is for this computer alone."""
    app = FastAPI(title="Tableref", version=VERSION, description=DESCRIPTION, docs_url=None, redoc_url=None)
    for routes in ROUTES:
        app.include_router(routes(desk))
    app.add_api_route("/docs", lambda: docs(app), include_in_schema=False, methods=["GET"], response_model=None)
    for kind, status in STATUS.items():
        app.add_exception_handler(kind, _refusing(desk, status))
    app.add_exception_handler(Conflict, _conflict)
    app.add_exception_handler(NotAllowed, _not_allowed)
    app.add_exception_handler(
        RequestValidationError, lambda request, error: _refused(desk, request, 422, _not_understood(error))
    )
    app.add_exception_handler(HTTPException, lambda request, error: _unknown(desk, request, error))
    return Guard(app, admission)


def docs(app: FastAPI) -> HTMLResponse:
    """The API as a page."""
    return HTMLResponse(docs_page(app.openapi(), ("/pages/style.css", "/pages/setup.css")))


def _refusing(desk: Desk, status: int) -> Callable[[Request, Exception], Response]:
    return lambda request, error: _refused(desk, request, status, _said(error))


def _said(error: Exception) -> str:
    """The sentence of an error for those outside: no path of ours is in it."""
    return one_line(error.sentence if isinstance(error, StoreError) else str(error))


def _conflict(request: Request, error: Exception) -> Response:
    assert isinstance(error, Conflict)
    return JSONResponse({"detail": str(error), "state": error.snapshot}, 409)


def _not_allowed(request: Request, error: Exception) -> Response:
    assert isinstance(error, NotAllowed)
    headers = {401: {"WWW-Authenticate": "Bearer"}, 429: {"Retry-After": "4"}}.get(error.status)
    return JSONResponse({"detail": str(error)}, error.status, headers)


def _not_understood(error: Exception) -> str:
    assert isinstance(error, RequestValidationError)
    return refused_fields(error.errors())


def _unknown(desk: Desk, request: Request, error: Exception) -> Response:
    """No such route or method; or a body that the library gave up on, such as one nested too deeply."""
    assert isinstance(error, HTTPException)
    if error.status_code == 400:
        return _refused(desk, request, 422, "The body is no JSON.")
    detail = WORDS.get(error.status_code, error.detail)
    return JSONResponse({"detail": detail}, error.status_code, error.headers)


def _refused(desk: Desk, request: Request, status: int, detail: str) -> Response:
    """`detail`, and the state that holds for those who may know it."""
    body: dict[str, Any] = {"detail": detail}
    if who_asks(request).role != "nobody":
        body["state"] = desk.table.snapshot()
    return JSONResponse(body, status, {"Retry-After": "3"} if status == 503 else None)
