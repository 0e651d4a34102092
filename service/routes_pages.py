"""What people see: the pages and what they are made of. No path of a request leads to a file."""

from __future__ import annotations

import re
from collections.abc import Callable

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse

from service import screens
from service.desk import Desk
from service.guard import is_this_computer
from service.tokens import SEATS

NO_PAGE = "There is no such page."
LARGEST = 2**53 - 1
"""The largest number that a page can count with."""
GONE = "This address was for one browser, once: open the link, or scan the code, that the terminal shows."
PATHS = {
    "/": "index",
    "/display": "display",
    "/overlay": "overlay",
    "/setup": "setup",
    "/seat/{number}": "seat",
    "/match": "match",
    "/match/{number}": "match",
}
"""Where each page is; a page knows its number from its own address."""
NUMBERS = {"seat": SEATS, "match": LARGEST}
"""The largest number of each."""


def page_routes(desk: Desk) -> APIRouter:
    """All pages in the language of the table, and their scripts and styles."""
    router = APIRouter(include_in_schema=False)

    def page(name: str) -> Callable[[Request], Response]:
        def shown(request: Request) -> Response:
            number = request.path_params.get("number")
            if name not in screens.PAGES or (number is not None and not _is_number(number, NUMBERS[name])):
                return JSONResponse({"detail": NO_PAGE}, 404)
            return HTMLResponse(screens.page(name, desk.language))

        return shown

    for path, name in PATHS.items():
        router.add_api_route(path, page(name), methods=["GET"], response_model=None)

    @router.get("/open/{word}", response_model=None)
    def once(word: str, request: Request) -> Response:
        """Leads the browser that the program opened to its page; a redirection keeps the token out of every log."""
        link = desk.once.take(word) if request.client and is_this_computer(request.client.host) else None
        return JSONResponse({"detail": GONE}, 410) if link is None else RedirectResponse(link, 303)

    @router.get("/pages/{name}", response_model=None)
    def asset(name: str) -> Response:
        found = screens.asset(name)
        if found is None:
            return JSONResponse({"detail": NO_PAGE}, 404)
        content, kind = found
        return Response(content, media_type=kind, headers={"Cache-Control": "no-cache"})

    return router


def _is_number(text: str, most: int) -> bool:
    return re.fullmatch("[1-9][0-9]{0,15}", text) is not None and int(text) <= most
