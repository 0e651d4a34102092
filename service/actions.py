"""What people may tell the table over the API: one body each, checked, and the event of the game that it stands for."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer, Strict, WithJsonSchema

from referee import events
from referee.cards import Card, Colour
from referee.options import BLANKS

CARD_PATTERN = "^([RYGB][0-9SRD]|W|W4|WS|WC)$"


def _card(value: object) -> Card:
    return value if isinstance(value, Card) else Card.parse(str(value).strip().upper())


def _card_or_unseen(value: object) -> Card | None:
    return None if value == "??" else _card(value)


def _colour(value: object) -> Colour:
    if isinstance(value, Colour):
        return value
    try:
        return Colour(str(value).upper())
    except ValueError:
        raise ValueError(f"{value!r} is no colour: expected R, Y, G or B") from None


_TEXT = PlainSerializer(lambda value: "??" if value is None else str(value), return_type=str)

Face = Annotated[
    Card,
    BeforeValidator(_card),
    _TEXT,
    WithJsonSchema({"type": "string", "pattern": CARD_PATTERN, "examples": ["R7", "BS", "W4"]}),
]
SeenFace = Annotated[
    Card | None,
    BeforeValidator(_card_or_unseen),
    _TEXT,
    WithJsonSchema({"type": "string", "examples": ["R7", "W", "??"], "description": "?? is a card nobody saw"}),
]
NamedColour = Annotated[
    Colour, BeforeValidator(_colour), _TEXT, WithJsonSchema({"type": "string", "enum": ["R", "Y", "G", "B"]})
]


Whole = Annotated[int, Strict()]
"""What JSON calls an integer: neither true nor "1"."""
Seat = Annotated[int, Strict(), Field(ge=1, le=10, description="seat at the table, from 1 clockwise")]


class Body(BaseModel):
    """What every action has."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    expected_version: Whole = Field(
        ge=0, description="version of the state that was looked at; when the table has moved on the action is refused"
    )


class DrawAction(Body):
    """A seat draws: one card by choice, or the cards of a penalty."""

    action: Literal["draw"]
    seat: Seat
    cards: Whole | None = Field(None, ge=1, le=30, description="cards of a penalty; without it one card by choice")

    def event(self) -> events.Event:
        """The event of the game."""
        return events.Draw(self.seat, self.cards)


class PassAction(Body):
    """A seat keeps the card it drew."""

    action: Literal["pass"]
    seat: Seat

    def event(self) -> events.Event:
        """The event of the game."""
        return events.Pass(self.seat)


class PlayAction(Body):
    """A seat plays a card that the camera did not see."""

    action: Literal["play"]
    seat: Seat
    card: SeenFace
    colour: NamedColour | None = Field(None, description="colour named with a wild")
    partner: Seat | None = Field(None, description="seat that hands are swapped with")
    uno: bool = Field(False, strict=True, description="called uno with the card")

    def event(self) -> events.Event:
        """The event of the game."""
        return events.Play(self.seat, self.card, self.colour, self.partner, self.uno)


class ColourAction(Body):
    """A seat names the colour of the wild on the pile."""

    action: Literal["colour"]
    seat: Seat
    colour: NamedColour

    def event(self) -> events.Event:
        """The event of the game."""
        return events.NameColour(self.seat, self.colour)


class UnoAction(Body):
    """A seat calls uno."""

    action: Literal["uno"]
    seat: Seat

    def event(self) -> events.Event:
        """The event of the game."""
        return events.Uno(self.seat)


class CatchAction(Body):
    """A seat catches another that forgot to call uno."""

    action: Literal["catch"]
    seat: Seat
    target: Seat = Field(description="the seat that forgot")

    def event(self) -> events.Event:
        """The event of the game."""
        return events.Catch(self.seat, self.target)


class ChallengeAction(Body):
    """The next seat challenges a Wild Draw Four; with `verdict` once the hand was shown."""

    action: Literal["challenge"]
    seat: Seat
    verdict: Literal["guilty", "innocent"] | None = Field(None, description="what the hand showed, once it is known")

    def event(self) -> events.Event:
        """The event of the game."""
        return events.Challenge(self.seat, self.verdict)


class SwapAction(Body):
    """A seat swaps hands with another."""

    action: Literal["swap"]
    seat: Seat
    partner: Seat

    def event(self) -> events.Event:
        """The event of the game."""
        return events.Swap(self.seat, self.partner)


class RuleAction(Body):
    """A seat says which of the agreed house rules its Customizable card carries."""

    action: Literal["choose_rule"]
    seat: Seat
    number: Whole = Field(ge=1, le=3, description="the rule, from 1 in the order agreed on")

    def event(self) -> events.Event:
        """The event of the game."""
        return events.ChooseRule(self.seat, self.number)


class DiscardAction(Body):
    """A seat lays off cards because a house rule says so."""

    action: Literal["discard"]
    seat: Seat
    cards: tuple[SeenFace, ...] = Field(max_length=112)

    def event(self) -> events.Event:
        """The event of the game."""
        return events.Discard(self.seat, self.cards)


class DealAction(Body):
    """A round begins."""

    action: Literal["deal"]
    seat: Seat = Field(description="the seat that deals")

    def event(self) -> events.Event:
        """The event of the game."""
        return events.Deal(self.seat)


class StartAction(Body):
    """The card that was turned to start the discard pile."""

    action: Literal["start"]
    card: SeenFace
    colour: NamedColour | None = Field(None, description="colour named for a wild")
    partner: Seat | None = Field(None, description="seat that hands are swapped with")

    def event(self) -> events.Event:
        """The event of the game."""
        return events.Start(self.card, self.colour, self.partner)


class HandAction(Body):
    """The cards that a seat was left with at the end of a round."""

    action: Literal["hand"]
    seat: Seat
    cards: tuple[SeenFace, ...] = Field(max_length=112)

    def event(self) -> events.Event:
        """The event of the game."""
        return events.Hand(self.seat, self.cards)


class PointsAction(Body):
    """The points that a seat was left with at the end of a round."""

    action: Literal["points"]
    seat: Seat
    points: Whole = Field(ge=0, le=5000)

    def event(self) -> events.Event:
        """The event of the game."""
        return events.Points(self.seat, self.points)


class ReshuffleAction(Body):
    """The discard pile, but for its top card, became the draw pile."""

    action: Literal["reshuffle"]

    def event(self) -> events.Event:
        """The event of the game."""
        return events.Reshuffle()


class LeaveAction(Body):
    """A seat leaves the match."""

    action: Literal["leave"]
    seat: Seat

    def event(self) -> events.Event:
        """The event of the game."""
        return events.Leave(self.seat)


class VoidAction(Body):
    """The round is void."""

    action: Literal["void"]

    def event(self) -> events.Event:
        """The event of the game."""
        return events.Void()


class UndoAction(Body):
    """Take back the last thing that happened; twice takes back two."""

    action: Literal["undo"]

    def event(self) -> events.Event:
        """The event of the game."""
        return events.Undo()


class AmendAction(Body):
    """A line of the record was misread: everything after it is judged again."""

    action: Literal["amend"]
    line: Whole = Field(ge=1, le=1_000_000, description="line of the record, as `GET /api/history` numbers them")
    card: Face
    colour: NamedColour | None = Field(None, description="colour named with it")
    partner: Seat | None = Field(None, description="seat that hands are swapped with")

    def event(self) -> events.Event:
        """The event of the game."""
        return events.Amend(self.line, self.card, self.colour, self.partner)


class ReplyAction(Body):
    """The answer to what the table asked about a card that it could not be sure of."""

    action: Literal["yes", "no"]


class NewMatchAction(Body):
    """A new match begins; the one under way stays stored as it is."""

    action: Literal["new_match"]
    players: tuple[Annotated[str, Field(min_length=1, max_length=40)], ...] = Field(
        min_length=2, max_length=10, description="names in seat order, clockwise"
    )
    mode: Literal["points", "elimination", "teams"] = "points"
    deck: Literal["108", "112"] = "108"
    target: Whole = Field(500, ge=1, le=100_000, description="points that end the match")
    dealer: Seat = Field(1, description="the seat that deals first")
    options: dict[str, str] = Field(default_factory=dict, description="house rules that are not at their default")
    custom: tuple[Annotated[str, Field(max_length=200)], ...] = Field(
        (),
        max_length=BLANKS,
        description="the rules of the Customizable cards of deck 112, written as in docs/rules.md (R10)",
        examples=[["others_draw=2", "skip_all", "dare=3 sing a song"]],
    )


Told = (
    DrawAction
    | PassAction
    | PlayAction
    | ColourAction
    | UnoAction
    | CatchAction
    | ChallengeAction
    | SwapAction
    | RuleAction
    | DiscardAction
    | DealAction
    | StartAction
    | HandAction
    | PointsAction
    | ReshuffleAction
    | LeaveAction
    | VoidAction
    | UndoAction
    | AmendAction
)
"""The actions that are an event of the game."""

Action = Annotated[Told | NewMatchAction | ReplyAction, Field(discriminator="action")]
