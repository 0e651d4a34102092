"""Routes for telling the table what happened, and for asking it."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Final

from fastapi import APIRouter, Header
from pydantic import BaseModel, ConfigDict, Field

from referee.header import header_lines
from referee.notation import event_of, line_for
from referee.options import Effect, MatchSettings, Options, SettingsError
from service import phrases
from service.actions import Action, Body, NewMatchAction, ReplyAction, Told
from service.desk import Desk, NotAllowed, Player, refusals
from service.possible import may_tell
from service.sentences import Refusal
from service.table import Applied, Conflict
from service.tokens import Who

LATE: Final = (
    "The table has moved on, there is no match, or a setting cannot be: `detail` says why, `state` what holds."
)
TOO_LARGE: Final = "The body is too large."
NOT_STORED: Final = "The disk takes no more; what was told does not count."
ANOTHERS: Final = "That is not yours to do now: each seat acts for itself."

MOST_DRAWN: Final = 30
"""What `DrawAction` takes in one go, and so the most that a rule of a Customizable card may cost."""

Key = Annotated[str | None, Header(max_length=200, description="names this request: delivered twice, it applies once")]


class OtherRequest(Exception):  # noqa: N818 - an answer, not a fault
    """A key that named another request before; nothing happened."""

    def __init__(self) -> None:
        super().__init__("This Idempotency-Key named another request before: give each request its own.")


class NothingAsked(Exception):  # noqa: N818 - an answer, not a fault
    """There is nothing to say yes or no to."""

    def __init__(self) -> None:
        super().__init__("The table asked nothing: there is nothing to say yes or no to.")


class Question(BaseModel):
    """A question that anybody may ask at any moment."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    query: phrases.Query
    aloud: bool = Field(
        True, strict=True, description="spoken and shown at the table, too; else for the one who asks alone"
    )


def action_routes(desk: Desk) -> APIRouter:
    """Both of them."""
    answers = refusals(_409=LATE, _413=TOO_LARGE, _503=NOT_STORED)
    router = APIRouter(prefix="/api", tags=["actions"], responses=answers)

    @router.post("/actions", summary="Tell the table", response_model=None)
    def actions(body: Action, who: Player, idempotency_key: Key = None) -> dict[str, Any]:
        """What the camera cannot see. Answers the new `version`, the `rulings` of the referee and the `state`.

        A seat tells what its `may` in the state offers, and uno, catch and play at any time."""
        desk.check_seated(who)
        if isinstance(body, NewMatchAction):
            if who.role != "host":
                raise NotAllowed(403, ANOTHERS)
            with desk.beginning:
                return _begin(desk, body, idempotency_key)
        if isinstance(body, ReplyAction):
            return _reply(desk, body, who)
        return _tell(desk, body, who, idempotency_key)

    @router.post("/ask", summary="Ask the table", response_model=None)
    def ask(body: Question, who: Player) -> dict[str, Any]:
        """Whose turn it is, which card lies on top, and so on: as a sentence, which is spoken, too."""
        desk.let_speak(who) if body.aloud else desk.check_seated(who)
        return {"answer": desk.table.answer(body.query, aloud=body.aloud)}

    return router


def _tell(desk: Desk, body: Told, who: Who, key: str | None) -> dict[str, Any]:
    event = body.event()
    _check_seats(desk, body)
    if who.seat is not None and not _may_tell(desk, body, who.seat, key):
        raise NotAllowed(403, ANOTHERS)
    desk.let_tell(who)
    applied = desk.table.apply(event, expected_version=body.expected_version, key=key, source=who.name)
    if applied.repeated and _plain(applied.line) != line_for(event):
        raise OtherRequest
    return _answer(desk, applied)


def _reply(desk: Desk, body: ReplyAction, who: Who) -> dict[str, Any]:
    """The answer to a doubt; a seat answers for its own card alone."""
    state = desk.table.snapshot()
    if state["version"] != body.expected_version:
        raise Conflict(state)
    doubt = state["doubt"]
    if doubt is None:
        raise NothingAsked
    if who.seat is not None and doubt["seat"] != who.seat:
        raise NotAllowed(403, ANOTHERS)
    desk.let_tell(who)
    desk.table.reply(body.action == "yes", source=who.name)
    state = desk.table.snapshot()
    return {"version": state["version"], "repeated": False, "rulings": state["rulings"], "state": state}


def _may_tell(desk: Desk, body: Told, seat: int, key: str | None) -> bool:
    """Whether a seat may tell this now; what the table has moved on from, or has taken already, it says itself."""
    if desk.table.version != body.expected_version or (key is not None and desk.table.has_applied(key)):
        return getattr(body, "seat", seat) == seat
    return may_tell(seat, body.action, body.event(), desk.table.possible(seat))


def _check_seats(desk: Desk, body: Body) -> None:
    """Refusal when a seat is named that this table does not have."""
    state = desk.table.state
    players = state.settings.players if state else ()
    for name in ("seat", "target", "partner"):
        seat = getattr(body, name, None)
        if players and isinstance(seat, int) and seat > len(players):
            raise Refusal(f"{name}: there is no seat {seat} at this table of {len(players)}.")


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
    settings = match_settings(body)
    known = desk.store.match_of(key) if key is not None else None
    if known is not None and known.header != "".join(f"{line}\n" for line in header_lines(settings)):
        raise OtherRequest
    match = known.id if known else desk.table.new_match(settings, expected_version=body.expected_version, key=key)
    version = known.version if known else body.expected_version + 1
    answer = {"match": match, "version": version, "repeated": known is not None, "rulings": []}
    return {**answer, "state": desk.table.snapshot()}


def match_settings(body: NewMatchAction) -> MatchSettings:
    """The settings that a request for a new match asks for; SettingsError names the one that cannot be."""
    options = Options.parse(";".join(f"{name}={word}" for name, word in body.options.items()))
    players = tuple(" ".join(name.split()) for name in body.players)
    return MatchSettings(players, body.deck, body.mode, body.target, body.dealer, options, _custom(body))


def _custom(body: NewMatchAction) -> tuple[Effect, ...]:
    """The rules of the Customizable cards, which only one of the decks has."""
    if body.custom and body.deck != "112":
        raise SettingsError("Custom", "only the deck of 112 has Customizable cards")
    effects = tuple(map(Effect.parse, body.custom))
    if any(effect.cards > MOST_DRAWN for effect in effects):
        raise SettingsError("Custom", f"a house rule lets draw {MOST_DRAWN} cards at most")
    return effects
