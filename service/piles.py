"""Piles put by hand on the host's page: where they lie now, and where they lay when the program ran last."""

from __future__ import annotations

from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from service.desk import Desk
from service.standpoint import moved_since, standpoint
from vision.zones import PileName, Zone, Zones

NO_CAMERA: Final = "There is no camera picture now."
PILES: Final[tuple[PileName, PileName]] = ("discard", "draw")


class Place(BaseModel):
    """Where a pile lies, px of the camera picture; `card` is the height of its cards, as before when left out."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    x: float = Field(strict=True, ge=0, le=20_000)
    y: float = Field(strict=True, ge=0, le=20_000)
    card: float | None = Field(None, strict=True, ge=12, le=4_000)


class Moves(BaseModel):
    """Where piles are put by hand; null leaves one to the camera again, one that is left out stays."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    discard: Place | None = None
    draw: Place | None = None


class NoCamera(Exception):  # noqa: N818 - an answer, not a fault
    """There is no camera picture now."""

    def __init__(self) -> None:
        super().__init__(NO_CAMERA)


def told(desk: Desk) -> dict[str, Any]:
    """Middle and card height of both piles, px of the picture of `width` by `height`. Raises NoCamera."""
    image = desk.preview.seen[0]
    if desk.watcher is None or image is None:
        raise NoCamera
    zones = desk.watcher.zones
    found = {"discard": _zone(zones.discard, zones.discard_by_hand), "draw": _zone(zones.draw, zones.draw_by_hand)}
    return {"width": image.shape[1], "height": image.shape[0], **found}


def put(desk: Desk, moves: Moves) -> dict[str, Any]:
    """Put piles elsewhere, for the next evenings, too; where they lie then. Raises NoCamera."""
    for pile in PILES:
        if pile in moves.model_fields_set:
            _move(desk, pile, getattr(moves, pile))
    now = told(desk)
    if desk.kept is not None:
        by_hand: dict[str, Any] = {pile: now[pile] for pile in PILES if now[pile] and now[pile].pop("by_hand")}
        desk.kept.keep_piles(desk.settings.source, {"width": now["width"], "height": now["height"], **by_hand})
        remember(desk, anew=True)
    return told(desk)


def remember(desk: Desk, *, anew: bool = False) -> bool:
    """Keep how the camera stands, once it sees the discard pile; False as long as it does not.

    Where piles were put by hand, it is kept how it stood then, until they are put `anew`.
    """
    image = desk.preview.seen[0]
    if image is None or desk.watcher is None or desk.watcher.zones.discard is None:
        return False
    if desk.kept is not None and (anew or not desk.kept.piles(desk.settings.source)):
        desk.kept.keep_standpoint(desk.settings.source, standpoint(image, desk.watcher.zones))
    return True


def restore(desk: Desk) -> bool:
    """Put the piles where they were put before this camera; False as long as it shows no picture.

    Pictures of another size are taken as the same view; those of another shape as another one. Where the camera stands
    otherwise than then, as far as its landmarks tell, the piles are put where they are seen now.
    """
    image = desk.preview.seen[0]
    if image is None or desk.watcher is None:
        return False
    known = desk.kept.piles(desk.settings.source) if desk.kept else {}
    height, width = image.shape[:2]
    if known and _number(known, "width") * height == _number(known, "height") * width:
        scale = width / _number(known, "width")
        moved = moved_since(desk.kept.standpoint(desk.settings.source), image) if desk.kept else None
        for pile in PILES:
            place = _place(known.get(pile))
            if place is not None and place.card is not None:
                zone = Zone(place.x * scale, place.y * scale, place.card * scale)
                desk.watcher.move(pile, zone if moved is None else zone.shifted(moved.point, moved.scale))
    return True


def _number(known: dict[str, Any], name: str) -> int:
    found = known.get(name)
    return found if isinstance(found, int) and found > 0 else -1


def _place(known: object) -> Place | None:
    try:
        return Place.model_validate(known) if known else None
    except ValidationError:
        return None


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
