"""Routes for looking: who one is, the state now, as a stream, as it came about, and whether everything works."""

from __future__ import annotations

import re
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Request
from sse_starlette import EventSourceResponse

from service import feed
from service import health as whole
from service.desk import REFUSALS, Desk, is_host, may_look, who_asks
from service.speaking import Wish
from service.steps import told, with_pictures


def state_routes(desk: Desk) -> APIRouter:
    """What anyone may know who may look."""
    router = APIRouter(prefix="/api", tags=["state"], dependencies=[may_look], responses=REFUSALS)

    @router.get("/state", summary="Where the match stands", response_model=None)
    def state() -> dict[str, Any]:
        """The whole public state: whose turn, top card, colour, direction, counts, scores, open question, captions.

        `version` rises by one with every event; `expected` lists what may sensibly be done now, `may` the same by
        seat."""
        return dict(desk.table.snapshot())

    @router.get("/events", summary="Everything that happens, as it happens", response_model=None)
    async def events(
        last_event_id: Annotated[
            str | None, Header(description="the last `id` seen; what was missed comes first")
        ] = None,
        after: Annotated[
            int | None, Query(description="the same, for those who cannot set headers", ge=-(2**53), le=2**53)
        ] = None,
    ) -> EventSourceResponse:
        """Server-sent events `state`, `event` and `notice`; `id` is the version, the data hold the whole `state`."""
        is_known = last_event_id is not None and re.fullmatch("[0-9]{1,15}", last_event_id)
        known = int(last_event_id) if last_event_id and is_known else after
        return feed.stream(desk.table, known)

    @router.get("/history", summary="The events that count", response_model=None)
    def history(
        last: Annotated[int, Query(ge=1, le=1000, description="how many, from the newest back")] = 50,
    ) -> dict[str, Any]:
        """Each with its line of the record, which is what an `amend` names, and whether there is a `picture` of it."""
        lines = with_pictures(map(told, desk.table.entries()[-last:]), desk.pictures.versions())
        return {"version": desk.table.version, "lines": lines}

    @router.get("/steps", summary="The match in play, step by step", response_model=None)
    def all_steps() -> dict[str, Any]:
        """Every event that counts with the state after it; `match` is null while none was begun."""
        return desk.table.steps()

    return router


def own_routes(desk: Desk) -> APIRouter:
    """What concerns the one who asks, and how the table speaks."""
    router = APIRouter(prefix="/api", tags=["state"], responses=REFUSALS)

    @router.get("/me", summary="Who one is here", response_model=None)
    def me(request: Request) -> dict[str, Any]:
        """`role` is host, seat, viewer (may look) or nobody; everybody is the host while there are no tokens."""
        who, links = who_asks(request), desk.links
        is_open = links is None or links.open_to_look
        return {
            "role": who.role,
            "seat": who.seat,
            "lan": links is not None and links.tokens is not None,
            "look": "open" if is_open else "token",
            "lang": desk.language,
        }

    @router.get("/health", summary="Whether everything works", response_model=None)
    def health(request: Request) -> dict[str, Any]:
        """Camera, voice and store in a few words; `status` is `degraded` when one of them does not work.

        Who may not look, such as the watch of a container, learns the `status` alone."""
        found = whole.health(desk)
        return found if who_asks(request).role != "nobody" else {"status": found["status"]}

    @router.get("/speaking", summary="Language and voice", dependencies=[may_look], response_model=None)
    def speaking() -> dict[str, Any]:
        """What is set, and which `languages`, `levels` and `voices` (`id` and `name`, of the language) there are."""
        return desk.speaking.public()

    @router.post("/speaking", summary="Change language and voice", dependencies=[is_host], response_model=None)
    def speak(wish: Wish) -> dict[str, Any]:
        """What is left out stays; answers what is set then. It holds on the next evening, too."""
        desk.speaking.change(wish)
        return desk.speaking.public()

    return router
