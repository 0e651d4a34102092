"""The door of the local API: who may come in, with how much, and what every answer carries.

A page from elsewhere in the same browser must not reach the service: the Host header has to be one of ours (against DNS
rebinding), writes have to come from our own pages or from programs (Origin, Sec-Fetch-Site). Who sends no body, takes
no answer, asks too often or for too much at once is sent away. Whoever comes in is known by its token (`tokens`); what
each may do is for the routes to say, which find a `Who` under `scope["state"]["who"]`.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.limits import Crowd, Rate
from service.tokens import HOST, NOBODY, VIEWER, Tokens, Who

log = logging.getLogger(__name__)

BODY_LIMIT: Final = 64 * 1024
"""The largest body of a request, bytes."""
PICTURE_LIMIT: Final = 12 * 1024 * 1024
"""The same where a picture is expected from somebody with a token."""
PICTURE_PATHS: Final = ("/api/read", "/api/count")
PICTURES_AT_ONCE: Final = 2
"""Pictures that one seat may have on their way or being read."""
PICTURES_IN_ALL: Final = 16
"""The same of everybody together: they lie in memory."""

SWALLOWED: Final = 8 * 1024 * 1024
"""Bytes of a body too large that are taken all the same: who still sends does not read why it is refused."""

BODY_SECONDS: Final = 10.0
"""How long a body may take in all; a picture four times as long."""
SWALLOW_SECONDS: Final = 1.0
"""How long the body of one who is refused anyway may take."""
ANSWER_SECONDS: Final = 25.0
"""How long a piece of an answer may wait to be taken."""
REQUESTS_AT_ONCE: Final = 32
"""Requests that one address may have open, streams among them."""
REQUESTS: Final = (50.0, 200)
"""Requests of one address: a second on average, and at once."""
WRONG_TOKENS: Final = (0.2, 10)
"""The same with a token that is nobody's."""

LOOPBACK: Final = ("localhost", "127.0.0.1", "[::1]")

HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}

Refused = tuple[int, str]


@dataclass(frozen=True)
class Admission:
    """Who may come in. `hosts`: names under which the service may be called, without ports.

    tokens: without them everybody is the host, which is right on the loopback address alone. With them the address
    that a connection came to is a name of ours, too. open_to_look: whether those without a token may look.
    """

    hosts: frozenset[str] = frozenset(LOOPBACK)
    tokens: Tokens | None = None
    open_to_look: bool = True
    rate: Rate = field(default_factory=lambda: Rate(*REQUESTS))
    wrong: Rate = field(default_factory=lambda: Rate(*WRONG_TOKENS))
    crowd: Crowd = field(default_factory=lambda: Crowd(REQUESTS_AT_ONCE))

    @classmethod
    def of(cls, names: Iterable[str], tokens: Tokens | None = None, *, open_to_look: bool = True) -> Admission:
        """For the loopback names and these."""
        hosts = frozenset((*LOOPBACK, *(_in_brackets(name.lower()) for name in names)))
        return cls(hosts, tokens, open_to_look)

    def knows(self, host: str, came_to: str | None) -> bool:
        """Whether a Host header names us; `came_to` is our address of the connection."""
        name = _name(host)
        return name in self.hosts or (self.tokens is not None and came_to is not None and name == _in_brackets(came_to))

    def who(self, authorization: str | None) -> Who | None:
        """Who somebody is; None for a token that is nobody's."""
        if self.tokens is None:
            return HOST
        if authorization is None:
            return VIEWER if self.open_to_look else NOBODY
        scheme, _, token = authorization.partition(" ")
        return self.tokens.who(token.strip()) if scheme.lower() == "bearer" else None


class Guard:
    """Middleware around the application."""

    def __init__(
        self,
        app: ASGIApp,
        admission: Admission | None = None,
        *,
        body_seconds: float = BODY_SECONDS,
        answer_seconds: float = ANSWER_SECONDS,
    ) -> None:
        self._app, self._admission = app, admission or Admission()
        self._body_seconds, self._answer_seconds = body_seconds, answer_seconds
        self._of_each, self._of_all = Crowd(PICTURES_AT_ONCE), Crowd(PICTURES_IN_ALL)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            address = "" if (client := scope.get("client")) is None else str(client[0])
            with self._admission.crowd.one_more(address) as there_is_room:
                refused = None if there_is_room or is_this_computer(address) else TOO_MANY
                with contextlib.suppress(_Left, asyncio.CancelledError):  # the line is cut: nobody waits any more
                    await self._serve(scope, receive, _Answer(send, self._answer_seconds), refused, address)
        else:
            await send({"type": "websocket.close", "code": 1008})

    async def _serve(
        self, scope: Scope, receive: Receive, answer: _Answer, refused: Refused | None, address: str
    ) -> None:
        headers = Headers(scope=scope)
        refused = refused or self._stranger(scope, headers) or self._identified(scope, headers, address)
        with self._room(scope, refused) as refused:
            body = b""
            if refused is None:
                refused, body = await self._body(scope, headers, receive)
            else:
                await self._swallow(scope, headers, receive)
            try:
                if refused is None:
                    await self._app(scope, _given(body, receive), answer.send)
                else:
                    await _refusal(*refused)(scope, receive, answer.send)
            except _Stalled:
                log.info("an answer was not taken within %g seconds; the line is cut", self._answer_seconds)

    @contextlib.contextmanager
    def _room(self, scope: Scope, refused: Refused | None) -> Iterator[Refused | None]:
        """Counts a picture from its first byte until it is answered; gives a refusal when it is one too many."""
        if refused is not None or not _is_picture(scope):
            yield refused
            return
        who: Who = scope["state"]["who"]
        with self._of_all.one_more("") as room_in_all, self._of_each.one_more(who.name) as room:
            yield None if room and room_in_all else BUSY

    def _stranger(self, scope: Scope, headers: Headers) -> Refused | None:
        method, path, host = str(scope["method"]), str(scope["path"]), headers.get("host", "")
        server = scope.get("server")
        if not self._admission.knows(host, str(server[0]) if server else None):
            return 403, "This address is not one of the referee's: open the page as it was printed at the start."
        if "content-length" in headers and "transfer-encoding" in headers:
            return 400, "A request says in one way only how long it is."
        if method not in ("GET", "POST"):
            return 405, "Only GET and POST are known here."
        foreign = headers.get("origin") not in (None, f"http://{host}", f"https://{host}")
        cross = headers.get("sec-fetch-site") == "cross-site" and path.startswith("/api/")
        if cross or (method == "POST" and foreign):
            return 403, "A page from elsewhere may not use the referee."
        return None

    def _identified(self, scope: Scope, headers: Headers, address: str) -> Refused | None:
        """Leaves in the scope who it is."""
        admission = self._admission
        who = admission.who(headers.get("authorization"))
        if not is_this_computer(address) and not admission.rate.allows(address):
            return TOO_MANY
        if who is None:
            within = admission.wrong.allows(address)
            return (401, "This link is no longer good: ask the host for a new one.") if within else TOO_MANY
        scope.setdefault("state", {})["who"] = who
        return None

    async def _body(self, scope: Scope, headers: Headers, receive: Receive) -> tuple[Refused | None, bytes]:
        """The whole body, or a refusal when it is too large, whatever its stated length, or does not come."""
        if _is_picture(scope):
            return await self._read(headers, receive, PICTURE_LIMIT, 4 * self._body_seconds)
        return await self._read(headers, receive, BODY_LIMIT, self._body_seconds)

    async def _swallow(self, scope: Scope, headers: Headers, receive: Receive) -> None:
        """Take in the small body of one who is refused: a line closed on unread bytes is reset, the answer unread."""
        stated = headers.get("content-length", "")
        most = SWALLOWED if scope["path"] in PICTURE_PATHS else BODY_LIMIT
        if stated.isascii() and stated.isdecimal() and 0 < int(stated) <= most:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(SWALLOW_SECONDS):
                    await _whole(receive, BODY_LIMIT)

    async def _read(
        self, headers: Headers, receive: Receive, limit: int, seconds: float
    ) -> tuple[Refused | None, bytes]:
        stated = headers.get("content-length", "0")
        too_large = 413, f"The body of a request may have {limit} bytes at most."
        if not (stated.isascii() and stated.isdecimal()) or int(stated) > max(SWALLOWED, limit):
            return too_large, b""
        try:
            async with asyncio.timeout(seconds):
                body = await _whole(receive, limit)
        except TimeoutError:
            return (408, f"The body of a request must come within {seconds:g} seconds."), b""
        return (too_large, b"") if body is None else (None, body)


TOO_MANY: Final = 429, "That is more than one computer may ask for at a time: wait a moment."
BUSY: Final = 503, "The pictures before this one are still being read: try again in a moment."


class _Left(Exception):  # noqa: N818 - an end, not a fault
    """Who asked is gone before everything was said."""


class _Stalled(Exception):  # noqa: N818 - an end, not a fault
    """Nobody takes the answer."""


class _Answer:
    """The way back: our headers on every answer, and no piece of it waits for ever."""

    def __init__(self, send: Send, seconds: float) -> None:
        self._send, self._seconds = send, seconds

    async def send(self, message: Message) -> None:
        """Send one message; raises _Stalled when it is not taken."""
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "no-store")
        try:
            async with asyncio.timeout(self._seconds):
                await self._send(message)
        except TimeoutError:
            raise _Stalled from None


def _is_picture(scope: Scope) -> bool:
    return scope["path"] in PICTURE_PATHS and scope["state"]["who"].role in ("host", "seat")


def is_this_computer(address: str) -> bool:
    """Whether somebody at `address` is on this computer."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def _refusal(status: int, detail: str) -> JSONResponse:
    # The rest of a body that is not read would be taken for the next request of the connection.
    headers = {"Connection": "close"} | ({"Allow": "GET, POST"} if status == 405 else {})
    if status in (429, 503):
        headers["Retry-After"] = "2"
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return JSONResponse({"detail": detail}, status, headers)


async def _whole(receive: Receive, limit: int) -> bytes | None:
    """The body; None when it is larger than `limit`. Raises _Left."""
    parts: list[bytes] = []
    length = 0
    while length <= max(SWALLOWED, limit):
        message = await receive()
        if message["type"] != "http.request":
            raise _Left
        part = message.get("body", b"")
        length += len(part)
        if length <= limit:
            parts.append(part)
        else:
            parts.clear()
        if not message.get("more_body", False):
            break
    return b"".join(parts) if length <= limit else None


def _name(host: str) -> str:
    """The name in a Host header, without its port."""
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isascii() and port.isdecimal() else host).lower()


def _in_brackets(name: str) -> str:
    """An IPv6 address as a Host header writes it; every other name as it is."""
    return f"[{name}]" if ":" in name and not name.startswith("[") else name


def _given(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives `body` once and afterwards what the server has to say."""
    pending = [body]

    async def again() -> Message:
        if pending:
            return {"type": "http.request", "body": pending.pop(), "more_body": False}
        return await receive()

    return again
