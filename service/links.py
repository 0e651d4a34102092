"""The links and QR codes that bring people to their pages; a token travels in the fragment, which no server is sent."""

from __future__ import annotations

import io
import secrets
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import segno

from service.tokens import SEATS, Tokens

TOWARDS: Final = "192.0.2.1"
"""An address that is nobody's (RFC 5737): asking the way there tells which of our own addresses faces the network."""

ONCE_SECONDS: Final = 60.0
"""How long a browser may take to start and open its first page."""


@dataclass(frozen=True, slots=True)
class Links:
    """The links under `base`, such as `http://192.168.1.5:8765`. open_to_look: a display needs no token."""

    base: str
    tokens: Tokens | None = None
    open_to_look: bool = True

    def of(self, page: str) -> str | None:
        """The link of `host`, `display`, `overlay` or `seat-N`; None for another word."""
        tokens = self.tokens
        kind, _, number = page.partition("-")
        if kind == "seat" and number in _SEATS:
            return self._link(f"/seat/{number}", tokens.seats[int(number) - 1] if tokens else None)
        if page == "host":
            return self._link("/setup", tokens.host if tokens else None)
        if page in ("display", "overlay"):
            return self._link(f"/{page}", tokens.look if tokens and not self.open_to_look else None)
        return None

    def public(self) -> dict[str, Any]:
        """All of them, for the host."""
        seats = [{"seat": seat, "url": self.of(f"seat-{seat}")} for seat in range(1, SEATS + 1)]
        pages = {page: self.of(page) for page in ("host", "display", "overlay")}
        return {"lan": self.tokens is not None, **pages, "seats": seats}

    def terminal(self, link: str) -> str:
        """A link as a QR code for a terminal, dark or light."""
        out = io.StringIO()
        segno.make(link, error="l", micro=False).terminal(out, border=2, compact=True)
        return out.getvalue()

    def _link(self, path: str, token: str | None) -> str:
        return f"{self.base}{path}" + (f"#token={token}" if token else "")


class Once:
    """Addresses on this computer that lead to a link once, and soon: what opens a browser shows the address to all."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._links: dict[str, tuple[float, str]] = {}
        self._lock = threading.Lock()

    def address(self, link: str) -> str:
        """The path, such as `/open/kZ3...`, that leads to `link`."""
        word = secrets.token_urlsafe(24)
        with self._lock:
            self._links[word] = self._clock() + ONCE_SECONDS, link
        return f"/open/{word}"

    def take(self, word: str) -> str | None:
        """The link, the first time; None for ever after, or when it is too late."""
        with self._lock:
            until, link = self._links.pop(word, (0.0, ""))
        return link if link and self._clock() < until else None


_SEATS: Final = frozenset(str(seat) for seat in range(1, SEATS + 1))


def svg(link: str) -> bytes:
    """A QR code as an SVG picture on white, with the quiet zone that readers need; scales to any size."""
    out = io.BytesIO()
    segno.make(link, error="m", micro=False).save(
        out, kind="svg", light="#fff", dark="#000", xmldecl=False, nl=False, omitsize=True, border=4
    )
    return out.getvalue()


def own_address() -> str:
    """The address of this computer in the network; the loopback one when there is no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((TOWARDS, 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
