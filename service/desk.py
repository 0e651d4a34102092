"""What the API serves, and who may have which part of it.

A route names its people by a dependency: `Looker` may look, `Player` may act (the host or a seat), `Host` is the host
alone. The guard has found out who somebody is; without it nobody is anybody.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Final

from fastapi import Depends, Request
from pydantic import BaseModel, Field

from service.counting_place import CountingPlace
from service.hands import Hands
from service.kept import Kept
from service.limits import Rate
from service.links import Links, Once
from service.phrases import Phrases
from service.pictures import Pictures
from service.preview import Preview
from service.reading import HandReader
from service.settings import Settings
from service.speaking import Speaking
from service.store import Store
from service.table import Table
from service.tokens import NOBODY, Who
from service.watching import Watcher

ALOUD: Final = (0.25, 5)
"""Questions aloud of each seat: a second on average, and at once."""
TOLD: Final = (1.0, 10)
"""The same of what each tells by commands, which may be answered aloud, and of whatever the host asks."""
TOO_OFTEN: Final = "The table is still answering: wait a moment before you ask aloud again."

TOO_FAST: Final = "That is more than one player does at a table: wait a moment and tell it again."


@dataclass
class Desk:
    """One table with its store and its camera, in one language.

    voice: what is known of the voice, for `/api/health`. watcher: the camera's thread, once there is one. `beginning`
    lets one match at a time begin.
    """

    table: Table
    store: Store
    preview: Preview
    language: str = "en"
    voice: Callable[[], dict[str, Any]] = dict
    settings: Settings = field(default_factory=Settings)
    links: Links | None = None
    kept: Kept | None = None
    """What was chosen on the host's page, where that holds longer than this evening."""
    once: Once = field(default_factory=Once)
    watcher: Watcher | None = None
    place: CountingPlace | None = None
    """Where hands are counted, when a second camera sees that."""
    hands: HandReader = field(default_factory=HandReader)
    pictures: Pictures = field(default_factory=Pictures)
    beginning: threading.Lock = field(default_factory=threading.Lock)
    opened: float = field(default_factory=time.monotonic)
    voice_changed: Callable[[Settings], object] = bool
    """Takes the settings of the voice whenever they change."""
    speaking: Speaking = field(init=False)
    commands: Hands = field(init=False)
    """Does what keys, command cards, ears and pages ask in one word."""
    asked: Rate = field(default_factory=lambda: Rate(*ALOUD))
    told: Rate = field(default_factory=lambda: Rate(*TOLD))
    """How often each may let the table speak, by asking and by telling."""

    def __post_init__(self) -> None:
        self.commands = Hands(self.table)
        self.speaking = Speaking(self.settings, self._speak, self.keep)
        self.table.senses.silence = silence_of(self.settings)

    def let_speak(self, who: Who, *, telling: bool = False) -> None:
        """NotAllowed when `who` may not make the table speak now: nobody talks it down, and guests do not talk."""
        self.check_seated(who)
        rate = self.told if telling or who.role == "host" else self.asked
        if not rate.allows(f"{who.name} {telling}"):
            raise NotAllowed(429, TOO_OFTEN)

    def let_tell(self, who: Who) -> None:
        """NotAllowed when `who` may not tell the table anything now: a seat floods neither the record nor the voice."""
        if who.role == "seat" and not self.told.allows(f"{who.name} acting"):
            raise NotAllowed(429, TOO_FAST)

    def check_seated(self, who: Who) -> None:
        """NotAllowed when this is the page of a seat that nobody at the table has."""
        state = self.table.state
        if who.seat is not None and state is not None and who.seat not in state.seats:
            raise NotAllowed(403, f"Nobody has seat {who.seat} at this table of {len(state.seats)}.")

    def _speak(self, settings: Settings, phrases: Phrases) -> None:
        self.table.phrases, self.language = phrases, settings.lang
        self.table.senses.silence = silence_of(settings)
        self.voice_changed(settings)
        self.table.show_anew()

    def keep(self, chosen: Mapping[str, Any]) -> bool:
        """Settings that were chosen hold on the next evening, too; False when they cannot be kept."""
        return self.kept is None or self.kept.keep_speaking(chosen)


def silence_of(settings: Settings) -> str | None:
    """Why nothing shall be heard with these settings; a phrase of `sound`."""
    return "muted" if settings.mute else "none" if settings.sound == "none" else None


class NotAllowed(Exception):  # noqa: N818 - an answer, not a fault
    """Somebody may not do that; `status` is 401 where a token would help, 403 where it is another's, 429 when it
    is too often."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status = status


NO_TOKEN: Final = "Open this page with the link or the QR code that the host gives out."


def who_asks(request: Request) -> Who:
    """Who makes this request."""
    who: Who = getattr(request.state, "who", NOBODY)
    return who


def _looker(request: Request) -> Who:
    who = who_asks(request)
    if who.role == "nobody":
        raise NotAllowed(401, NO_TOKEN)
    return who


def _player(request: Request) -> Who:
    who = who_asks(request)
    if who.role not in ("host", "seat"):
        raise NotAllowed(401, NO_TOKEN)
    return who


def _host(request: Request) -> Who:
    who = who_asks(request)
    if who.role == "seat":
        raise NotAllowed(403, "That is the host's to do.")
    if who.role != "host":
        raise NotAllowed(401, NO_TOKEN)
    return who


may_look: Final = Depends(_looker)
is_host: Final = Depends(_host)
Looker = Annotated[Who, may_look]
Player = Annotated[Who, Depends(_player)]
Host = Annotated[Who, is_host]


class Refused(BaseModel):
    """Why something was not done."""

    detail: str = Field(description="one sentence")
    state: dict[str, Any] | None = Field(None, description="the state that holds, for those who may look")


def refusals(**told: str) -> dict[int | str, dict[str, Any]]:
    """Answers of a route that refuse, for its description: `refusals(_409="There is no match.")`."""
    always = {
        "_401": "No token, or one that is no longer good: `detail` says what to do.",
        "_403": "That is another's to do, or this page is from elsewhere: `detail` says which.",
        "_422": "That cannot be: `detail` says what, `state` what holds.",
        "_429": "That is more than one computer may ask for at a time.",
    }
    return {int(name[1:]): {"model": Refused, "description": text} for name, text in {**always, **told}.items()}


REFUSALS: Final = refusals()
