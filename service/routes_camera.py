"""Routes for what the camera sees, and for reading hands. No picture is stored."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from referee.cards import Card
from referee.expectations import legal_plays, seats_to_play
from service.desk import REFUSALS, Desk, NotAllowed, Player, is_host, refusals
from service.preview import Preview
from service.reading import NoPicture, ReadHand, aside
from vision.zones import PileName, Zone, Zones

FRAME: Final = b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%b\r\n"
FRAME_SECONDS: Final = 0.1
NO_CAMERA: Final = "There is no camera picture now."
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


class Place(BaseModel):
    """Where a pile lies, px of the camera picture; `card` is the height of its cards, as before when left out."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    x: float = Field(ge=0, le=20_000)
    y: float = Field(ge=0, le=20_000)
    card: float | None = Field(None, ge=12, le=4_000)


class Moves(BaseModel):
    """Where piles are put by hand; null leaves one to the camera again, one that is left out stays."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    discard: Place | None = None
    draw: Place | None = None


class NoCamera(Exception):  # noqa: N818 - an answer, not a fault
    """There is no camera picture now."""

    def __init__(self) -> None:
        super().__init__(NO_CAMERA)


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
        return _zones(desk)

    @router.post("/zones", summary="Put piles elsewhere", response_model=None, responses=NO_TABLE)
    def move(moves: Moves) -> dict[str, Any]:
        """A pile put by hand stays there until the program ends or it is left to the camera again."""
        for pile in ("discard", "draw"):
            if pile in moves.model_fields_set:
                _move(desk, pile, getattr(moves, pile))
        return _zones(desk)

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
        if who.seat is not None and seat not in (None, who.seat):
            raise NotAllowed(403, "Each seat reads its own hand.")
        whose = who.seat or seat
        hand = await aside(desk.hands.read, await request.body())
        return {**hand.public(_playable(desk, whose)), "seat": whose}

    @router.post("/count", summary="Count a hand", dependencies=[is_host], response_model=None, openapi_extra=A_PICTURE)
    async def count(
        request: Request, seat: Annotated[int, Query(ge=1, le=10, description="whose hand")]
    ) -> dict[str, Any]:
        """The cards that a seat was left with: as the camera sees them now, or in a picture that is sent.

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


def _zones(desk: Desk) -> dict[str, Any]:
    image = desk.preview.seen[0]
    if desk.watcher is None or image is None:
        raise NoCamera
    zones = desk.watcher.zones
    found = {"discard": _zone(zones.discard, zones.discard_by_hand), "draw": _zone(zones.draw, zones.draw_by_hand)}
    return {"width": image.shape[1], "height": image.shape[0], **found}


def _zone(zone: Zone | None, by_hand: bool) -> dict[str, Any] | None:
    if zone is None:
        return None
    return {"x": round(zone.x, 1), "y": round(zone.y, 1), "card": round(zone.card, 1), "by_hand": by_hand}


def _move(desk: Desk, pile: PileName, place: Place | None) -> None:
    image, watcher = desk.preview.seen[0], desk.watcher
    if watcher is None or image is None:
        raise NoCamera
    if place is None:
        watcher.move(pile, None)
        return
    height, width = image.shape[:2]
    card = place.card or _known_card(watcher.zones, pile) or height / 4
    watcher.move(pile, Zone(min(place.x, width - 1.0), min(place.y, height - 1.0), min(card, float(height))))


def _known_card(zones: Zones, pile: PileName) -> float | None:
    """The height of a card as it is known from this pile, or from the other one."""
    piles = (zones.discard, zones.draw) if pile == "discard" else (zones.draw, zones.discard)
    return next((zone.card for zone in piles if zone is not None), None)


def _playable(desk: Desk, seat: int | None) -> frozenset[Card] | None:
    """What a seat may lay now; None when it is not its play."""
    state = desk.table.state
    if state is None or seat is None or seat not in seats_to_play(state):
        return None
    return legal_plays(state, seat)


def _counted(desk: Desk, coded: bytes) -> ReadHand:
    if coded:
        return desk.hands.read(coded)
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
