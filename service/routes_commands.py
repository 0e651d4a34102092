"""Routes for commands of one word, the same that keys, command cards and ears give."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from service.actions import Whole
from service.commands import commands, name_of, words_of
from service.desk import Desk, Looker, NotAllowed, Player, refusals
from service.routes_actions import LATE, NOT_STORED
from service.sentences import Refusal

ANOTHERS = "That is not yours to do: each seat acts for itself."


class Ordered(BaseModel):
    """One command."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    command: str = Field(max_length=40, description="an id of `GET /api/commands`")
    seat: Whole | None = Field(
        None, ge=1, le=10, description="whom it acts for; without it whoever it most likely means"
    )
    expected_version: Whole | None = Field(
        None, ge=0, description="version of the state that was looked at; without it the state as it is now"
    )


def command_routes(desk: Desk) -> APIRouter:
    """All of them."""
    router = APIRouter(prefix="/api", tags=["commands"], responses=refusals(_409=LATE, _503=NOT_STORED))

    @router.get("/commands", summary="Commands of one word", response_model=None)
    def known(who: Looker) -> dict[str, Any]:
        """Each with its name, the keys as browsers name them (`/ 5`: one after the other), its words and its mark."""
        language = desk.table.phrases.language
        return {
            "commands": [
                {
                    "id": one.id,
                    "kind": one.kind,
                    "name": name_of(one.id, language),
                    "keys": list(one.keys),
                    "words": list(words_of(one.id, language)),
                    "mark": one.mark,
                }
                for one in commands().values()
            ]
        }

    @router.post("/commands", summary="Give a command", response_model=None)
    def give(body: Ordered, who: Player) -> dict[str, Any]:
        """Answers what was said about it, empty when the table tells what happened. A seat acts for itself alone."""
        if who.seat is not None and body.seat not in (None, who.seat):
            raise NotAllowed(403, ANOTHERS)
        if who.seat is not None and body.command in ("undo", "another"):
            raise NotAllowed(403, ANOTHERS)
        if who.seat is not None and body.command in ("yes", "no") and not _may_answer(desk, who.seat):
            raise NotAllowed(403, ANOTHERS)
        known = commands().get(body.command)
        desk.let_speak(who, telling=known is not None and known.kind != "ask")
        seat = who.seat if who.seat is not None else body.seat
        source = "pages" if who.seat is None else who.name
        answer = desk.commands.do(body.command, seat, source, body.expected_version)
        return {"answer": answer, "version": desk.table.version, "state": desk.table.snapshot()}

    @router.post("/listen", summary="Listen for a spoken command", response_model=None)
    def listen(who: Player) -> dict[str, Any]:
        """As the talk key does, for a button to push; answers at once, what was heard is said and shown."""
        desk.check_seated(who)
        if desk.commands.talk is None:
            raise Refusal(desk.table.phrases.text("hands.no_ears"))
        return {"listening": desk.commands.talk()}

    return router


def _may_answer(desk: Desk, seat: int) -> bool:
    """Whether what the table waits to hear a yes or no to is this seat's own."""
    doubt = desk.table.snapshot()["doubt"]
    return not desk.commands.waits_for_yes and (doubt is None or doubt["seat"] == seat)
