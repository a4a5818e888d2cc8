"""Security: who may send what, and what a browser may do with our pages."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable
from typing import Any, Final
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'{sockets}; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
# no-referrer would make browsers send forms with "Origin: null", which no origin check can accept.


def own_names() -> frozenset[str]:
    """What this machine may be called by those who reach it without a public URL, beside its numbers."""
    name = socket.gethostname().lower()
    return frozenset({"localhost", name, f"{name}.local"})


class Origins:
    """Which pages may send forms and open connections: our own."""

    def __init__(self, public: str) -> None:
        self._public = public
        self._names = own_names()

    def allows(self, connection: HTTPConnection) -> bool:
        """Whether a form or a WebSocket comes from a page of ours; without any Origin it does not."""
        origin = connection.headers.get("origin", "").lower()
        if self._public and origin == self._public:
            return True
        host = connection.headers.get("host", "").lower()
        # A name that somebody else's DNS points at us is not ours; a number cannot be pointed.
        return bool(host) and origin == f"http://{host}" and self._is_ours(host)

    def _is_ours(self, host: str) -> bool:
        name = urlsplit(f"//{host}").hostname or ""
        return name in self._names or _is_number(name)

    def base(self, connection: HTTPConnection) -> str:
        """What links to this house begin with."""
        return self._public or f"http://{connection.headers.get('host', '')}"


def _is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class Guard:
    """Puts the headers on every answer that tell browsers what our pages may do."""

    def __init__(self, app: ASGIApp, *, secure: bool) -> None:
        self._app = app
        self._secure = secure

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, and its answer back with the headers."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        await self._app(scope, receive, self._guarded(HTTPConnection(scope), send))

    def _guarded(self, connection: HTTPConnection, send: Send) -> Callable[[Message], Any]:
        # Safari before 15.4 does not count a WebSocket of the same host as 'self'.
        host = connection.headers.get("host", "")
        plain = host if all(sign.isalnum() or sign in ".-:[]" for sign in host) else ""
        sockets = f" {'wss' if self._secure else 'ws'}://{plain}" if plain else ""

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["Content-Security-Policy"] = _POLICY.format(sockets=sockets)
                headers.update(_HEADERS)
                if self._secure:
                    headers["Strict-Transport-Security"] = "max-age=31536000"
            await send(message)

        return guarded
