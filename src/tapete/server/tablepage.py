"""The page of a table, and what its script needs to speak."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tapete.errors import Refused
from tapete.server import steering
from tapete.server.live import LiveTable, Who
from tapete.server.pages import language_of, page
from tapete.server.pagewords import page_words
from tapete.server.site import site_of
from tapete.server.steering import at_table
from tapete.server.visitors import with_person
from tapete.words import LANGUAGES


def table_of(request: Request) -> LiveTable:
    """The open table in a request's path. Raises HTTPException 404, Refused ``table.waiting``."""
    code, registry = request.path_params["code"], site_of(request).registry
    live = registry.find(code)
    if live is None and registry.is_waiting(code):
        raise Refused("table.waiting")
    if live is None:
        raise HTTPException(404)
    return live


@with_person
async def table_page(request: Request, who: Who) -> Response:
    """GET /t/{code}."""
    live = table_of(request)
    return page(
        request,
        "table.html",
        you=who.name,
        code=live.config.code,
        title=live.preset.title.in_(language_of(request)),
        link=f"{site_of(request).origins.base(request)}/t/{live.config.code}",
        private=live.config.private,
    )


@with_person
async def leave(request: Request, who: Who) -> Response:
    """POST /t/{code}/leave: gets up, with bets in play when the round is over."""
    live, site = table_of(request), site_of(request)
    async with site.turn(who.id):
        if at_table(live, who.name):
            await steering.send_away(live, who.name)
    return RedirectResponse("/", status_code=303)


async def words_file(request: Request) -> Response:
    """GET /words/{lang}.json."""
    language = request.path_params["lang"]
    if language not in LANGUAGES:
        raise HTTPException(404)
    return Response(page_words(language), media_type="application/json", headers={"Cache-Control": "no-cache"})
