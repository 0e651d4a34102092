"""The door of the local API: who may come in, with how much, and what every answer carries.

The service is meant for this computer. A page from elsewhere in the same browser must not reach it: the Host header has
to be one of ours (against DNS rebinding), writes have to come from our own pages or from programs (Origin,
Sec-Fetch-Site), and bodies are small.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

BODY_LIMIT: Final = 64 * 1024
"""The largest body of a request, bytes."""

SWALLOWED: Final = 8 * 1024 * 1024
"""Bytes of a body too large that are taken all the same: who still sends does not read why it is refused."""

LOOPBACK: Final = ("localhost", "127.0.0.1", "[::1]")

HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Guard:
    """Middleware around the application. `hosts`: the names under which it may be called, without ports."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = LOOPBACK, body_limit: int = BODY_LIMIT) -> None:
        self._app, self._hosts, self._limit = app, frozenset(host.lower() for host in hosts), body_limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._serve(scope, receive, _with_headers(send))
        else:
            await send({"type": "websocket.close", "code": 1008})

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = self._refusal(str(scope["method"]), str(scope["path"]), Headers(scope=scope))
        if refusal is None:
            refusal, body = await self._body(Headers(scope=scope).get("content-length", "0"), receive)
        if refusal is None:
            await self._app(scope, _given(body, receive), send)
        else:
            status, detail = refusal
            # The rest of a body that is not read would be taken for the next request of the connection.
            answer = JSONResponse({"detail": detail}, status, {"Connection": "close"})
            await answer(scope, receive, send)

    def _refusal(self, method: str, path: str, headers: Headers) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if _name(host) not in self._hosts:
            return 403, "This address is not one of the referee's: open the page as it was printed at the start."
        if method not in ("GET", "HEAD", "POST"):
            return 405, "Only GET and POST are known here."
        foreign = headers.get("origin") not in (None, f"http://{host}")
        cross = headers.get("sec-fetch-site") == "cross-site" and path.startswith("/api/")
        if cross or (method == "POST" and foreign):
            return 403, "A page from elsewhere may not use the referee."
        return None

    async def _body(self, stated: str, receive: Receive) -> tuple[tuple[int, str] | None, bytes]:
        """The whole body, or a refusal when it is too large, whatever its stated length."""
        too_large = 413, f"The body of a request may have {self._limit} bytes at most."
        if not stated.isdecimal() or int(stated) > SWALLOWED:
            return too_large, b""
        body, length = b"", 0
        while length <= SWALLOWED:
            message = await receive()
            part = message.get("body", b"")
            length += len(part)
            body = body + part if length <= self._limit else b""
            if message["type"] != "http.request" or not message.get("more_body", False):
                break
        return (too_large, b"") if length > self._limit else (None, body)


def _name(host: str) -> str:
    """The name in a Host header, without its port."""
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdecimal() else host).lower()


def _given(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives `body` once and afterwards what the server has to say."""
    pending = [body]

    async def again() -> Message:
        if pending:
            return {"type": "http.request", "body": pending.pop(), "more_body": False}
        return await receive()

    return again


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return sending
