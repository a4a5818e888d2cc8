"""Faults: what a person reads when a page cannot be had, in words and with a stable code."""

from __future__ import annotations

import logging
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tapete.errors import BadInput, Refused, TapeteError
from tapete.server.forms import MOST_BYTES, too_large
from tapete.server.pages import page, words_of
from tapete.server.site import address_of, site_of

LOG: Final = logging.getLogger("tapete.web")
SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
BY_STATUS: Final = {
    400: "page.unreadable",
    403: "page.forbidden",
    404: "page.missing",
    405: "page.method",
    413: "page.too_large",
}
STATUS: Final = {
    "request.origin": 403,
    "form.too_large": 413,
    "server.failed": 500,
    "table.waiting": 503,
    "identity.phrase_unknown": 400,
}


def status_of(error: TapeteError) -> int:
    """The status of an answer that tells of this error."""
    if error.code.startswith("limit."):
        return 429
    return STATUS.get(error.code, 409 if isinstance(error, Refused) else 400 if isinstance(error, BadInput) else 503)


async def tapete_error(request: Request, error: Exception) -> Response:
    """Tells of an error of ours."""
    assert isinstance(error, TapeteError)
    return told(request, error, status=status_of(error))


async def http_error(request: Request, error: Exception) -> Response:
    """Tells of an address that is not there, and the like."""
    assert isinstance(error, HTTPException)
    code = BY_STATUS.get(error.status_code, "page.unreadable")
    return told(request, BadInput(code), status=error.status_code)


def told(request: Request, error: TapeteError, *, status: int) -> Response:
    """The answer to a request that could not be done: a page, or JSON for a program that asks for it."""
    text = words_of(request).explain(error)
    if request.headers.get("accept", "").startswith("application/json"):
        return JSONResponse({"code": error.code, "text": text}, status_code=status)
    return page(request, "error.html", status=status, code=error.code, text=text, status_code=status)


class Gate:
    """Turns away forms that are not ours, and addresses that ask too often, before anything is read.

    What goes wrong behind it is logged and told with the same headers as any page.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, or refuses it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request, watched = Request(scope), _Watched(send)
        refusal = why_not(request)
        if refusal is not None:
            await told(request, refusal, status=status_of(refusal))(scope, receive, watched)
        else:
            await self._pass_on(request, receive, watched)
        site_of(request).counted.answers.labels(str(watched.status)).inc()

    async def _pass_on(self, request: Request, receive: Receive, send: _Watched) -> None:
        try:
            await self._app(request.scope, receive, send)
        except Exception as error:
            LOG.error("failed", exc_info=error, extra={"method": request.method})
            if send.status:
                raise
            await told(request, BadInput("server.failed"), status=500)(request.scope, receive, send)


class _Watched:
    """Where an answer goes; remembers its status."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.status = 0

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
        await self._send(message)


def why_not(request: Request) -> TapeteError | None:
    """Why a request is not even looked at."""
    site = site_of(request)
    quiet = request.url.path.startswith(("/static/", "/health"))
    if not quiet and not site.requests.take(address_of(request)):
        return Refused("limit.requests")
    if request.method in SAFE:
        return None
    if not site.origins.allows(request):
        return Refused("request.origin")
    return BadInput("form.too_large", most=MOST_BYTES >> 10) if too_large(request) else None
