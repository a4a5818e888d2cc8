"""Rule pages: what a house's or a table's rules say, made from the rules themselves."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from tapete.rulecard import card, compare, felt_line
from tapete.rulefile import Preset, preset, presets
from tapete.server.live import Who
from tapete.server.lobby import limits_text
from tapete.server.pages import page, words_of
from tapete.server.tablepage import table_of
from tapete.server.visitors import with_person


@with_person
async def house_rules(request: Request, who: Who) -> Response:
    """GET /rules/{preset}."""
    name = request.path_params["preset"]
    if name not in presets():
        raise HTTPException(404)
    return _page(request, who, preset(name), back="/")


@with_person
async def table_rules(request: Request, who: Who) -> Response:
    """GET /t/{code}/rules."""
    live = table_of(request)
    return _page(request, who, live.preset, back=f"/t/{live.config.code}")


def _page(request: Request, who: Who, shown: Preset, *, back: str) -> Response:
    say = words_of(request)
    base = next((preset(name) for name in (shown.base, shown.id) if name in presets()), None)
    return page(
        request,
        "rules.html",
        you=who.name,
        card=card(shown, say),
        felt=felt_line(shown.rules, say),
        limits=limits_text(shown, say),
        base="" if base is None else base.title.in_(say.language),
        changed=() if base is None else compare(shown.rules, base.rules, say),
        back=back,
    )
