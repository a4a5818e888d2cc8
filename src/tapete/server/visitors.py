"""Visitors: the person behind a request, made a guest at the first page and remembered by a cookie."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from tapete.errors import Refused
from tapete.server import identity
from tapete.server.live import Who
from tapete.server.pages import words_of
from tapete.server.site import Site, address_of, site_of

YEAR: Final = 365 * 24 * 3600
Page = Callable[[Request, Who], Awaitable[Response]]
Endpoint = Callable[[Request], Awaitable[Response]]


async def who_is(request: Request) -> tuple[Who, bool]:
    """The person behind a request, and whether he is new. Raises Refused ``limit.guests``."""
    site = site_of(request)
    known = await site.people.of(request)
    if known is not None:
        return known, False
    if not site.guests.take(address_of(request)):
        raise Refused("limit.guests")
    return await site.people.welcome(words_of(request)), True


def with_person(page: Page) -> Endpoint:
    """A page for somebody: whoever has no name yet gets one."""

    async def endpoint(request: Request) -> Response:
        who, new = await who_is(request)
        response = await page(request, who)
        if new:
            remember(response, site_of(request), who)
        return response

    return endpoint


def remember(response: Response, site: Site, who: Who) -> None:
    """Gives the browser the cookie of a person."""
    set_cookie(response, site, identity.COOKIE, site.people.cookie(who), hidden=True)


def set_cookie(response: Response, site: Site, name: str, value: str, *, hidden: bool) -> None:
    """Gives the browser a cookie for a year; a hidden one is kept from scripts."""
    response.set_cookie(
        name, value, max_age=YEAR, path="/", samesite="lax", httponly=hidden, secure=site.settings.secure
    )
