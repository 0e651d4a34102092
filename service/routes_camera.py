"""Routes for what the camera sees, and for reading hands. No picture is stored."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse

from referee.cards import Card
from referee.expectations import legal_plays, seats_to_play
from service import piles
from service.desk import REFUSALS, Desk, NotAllowed, Player, is_host, refusals
from service.piles import NO_CAMERA, Moves, NoCamera
from service.preview import Preview
from service.reading import NoPicture, ReadHand, aside
from vision.zones import Zones

FRAME: Final = b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%b\r\n"
FRAME_SECONDS: Final = 0.1
NONE_NOW: Final = refusals(_404="There is no picture now.")
NO_TABLE: Final = refusals(_409="There is no camera picture.")
JPEG: Final[dict[int | str, dict[str, Any]]] = {200: {"content": {"image/jpeg": {}}}}
A_PICTURE: Final[dict[str, Any]] = {
    "requestBody": {
        "content": {kind: {"schema": {"type": "string", "format": "binary"}} for kind in ("image/jpeg", "image/png")}
    }
}
UNREADABLE: Final = refusals(
    _408="The picture did not come in time.",
    _409="There is no camera picture.",
    _413="The picture is too large.",
    _422="That is no picture.",
    _503="Another hand is being read; `Retry-After` says when to try again.",
)


def camera_routes(desk: Desk) -> APIRouter:
    """What the host sees."""
    router = APIRouter(prefix="/api", tags=["camera"], dependencies=[is_host], responses=REFUSALS)

    @router.get("/preview.jpg", summary="The newest camera picture", response_model=None, responses=NONE_NOW | JPEG)
    def picture() -> Response:
        """JPEG, at most 960 px wide, with the found cards and piles outlined."""
        return _jpeg(desk.preview.jpeg(), NO_CAMERA)

    @router.get("/preview.mjpeg", summary="The camera pictures as they come", response_model=None)
    async def film() -> StreamingResponse:
        """Motion JPEG, at most ten pictures a second."""
        return StreamingResponse(_frames(desk.preview), media_type="multipart/x-mixed-replace; boundary=frame")

    @router.get(
        "/pictures/{version}.jpg", summary="What the camera saw", response_model=None, responses=NONE_NOW | JPEG
    )
    def seen(version: int) -> Response:
        """The picture that led to an event, as long as it is in memory; `/api/history` says of which there is one."""
        return _jpeg(desk.pictures.of(version), "There is no picture of that any more.")

    @router.get("/zones", summary="Where the piles lie", response_model=None, responses=NO_TABLE)
    def zones() -> dict[str, Any]:
        """Middle and card height of both piles, px of the camera picture of `width` by `height`; null when unknown."""
        return piles.told(desk)

    @router.post("/zones", summary="Put piles elsewhere", response_model=None, responses=NO_TABLE)
    def move(moves: Moves) -> dict[str, Any]:
        """A pile put by hand stays there, on the next evening, too, until it is left to the camera again."""
        return piles.put(desk, moves)

    return router


def reading_routes(desk: Desk) -> APIRouter:
    """Hands, for their owners and for the count at the end."""
    router = APIRouter(prefix="/api", tags=["reading"], responses=UNREADABLE)

    @router.post("/read", summary="Read a hand", response_model=None, openapi_extra=A_PICTURE)
    async def read(
        request: Request,
        who: Player,
        seat: Annotated[int | None, Query(ge=1, le=10, description="whose hand; a seat reads its own")] = None,
    ) -> dict[str, Any]:
        """The cards in a JPEG, PNG or WebP picture, for the sender alone; nothing of it is kept.

        Those that the seat may play now come first (`playable` is null when it is not its play), then by colour."""
        desk.check_seated(who)
        if who.seat is not None and seat not in (None, who.seat):
            raise NotAllowed(403, "Each seat reads its own hand.")
        whose = who.seat or seat
        hand = await aside(desk.hands.read, await request.body())
        return {**hand.public(_playable(desk, whose)), "seat": whose}

    @router.post("/count", summary="Count a hand", dependencies=[is_host], response_model=None, openapi_extra=A_PICTURE)
    async def count(
        request: Request, seat: Annotated[int, Query(ge=1, le=10, description="whose hand")]
    ) -> dict[str, Any]:
        """The cards that a seat was left with: as the camera, that of the counting place where there is one, sees them
        now, or in a picture that is sent.

        Nothing is counted by this: `action` is what to tell the table when it is right."""
        coded = await request.body()
        hand = await aside(_counted, desk, coded)
        return {**hand.public(None), **_proposal(desk, hand, seat)}

    return router


def _jpeg(jpeg: bytes | None, otherwise: str) -> Response:
    return JSONResponse({"detail": otherwise}, 404) if jpeg is None else Response(jpeg, media_type="image/jpeg")


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


def _playable(desk: Desk, seat: int | None) -> frozenset[Card] | None:
    """What a seat may lay now; None when it is not its play."""
    state = desk.table.state
    if state is None or seat is None or seat not in seats_to_play(state):
        return None
    return legal_plays(state, seat)


def _counted(desk: Desk, coded: bytes) -> ReadHand:
    if coded:
        return desk.hands.read(coded)
    if desk.place is not None and (seen := desk.place.picture()) is not None:
        return desk.hands.look(seen, Zones())
    image = desk.preview.seen[0]
    if image is None:
        raise NoCamera
    return desk.hands.look(image, desk.watcher.zones if desk.watcher else Zones())


def _proposal(desk: Desk, hand: ReadHand, seat: int) -> dict[str, Any]:
    state = desk.table.state
    held = state.counts[seat - 1] if state is not None and seat <= len(state.counts) else None
    cards = [card["card"] for card in hand.public(None)["cards"]]
    return {
        "seat": seat,
        "expected": held,
        "complete": hand.unsure == 0 and len(cards) == held,
        "action": {"action": "hand", "seat": seat, "cards": cards},
    }


__all__ = ["NoCamera", "NoPicture", "camera_routes", "reading_routes"]
