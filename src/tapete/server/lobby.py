"""The lobby: the tables that are open, the five houses, and a table of one's own with one click."""

from __future__ import annotations

from typing import Any, Final

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tapete.errors import BadInput, Refused
from tapete.rulecard import felt_line
from tapete.rulefile import FOUNDING, Preset, preset, presets
from tapete.server import messages as wire
from tapete.server.live import LiveTable, Who
from tapete.server.pace import pace
from tapete.server.pages import page, words_of
from tapete.server.site import Site, address_of, site_of
from tapete.server.visitors import with_person
from tapete.words import Words

BOT_BOXES: Final = (4, 6)
"""Where house bots sit beside somebody who plays alone."""


@with_person
async def lobby(request: Request, who: Who) -> Response:
    """GET /."""
    say = words_of(request)
    return page(
        request,
        "lobby.html",
        you=who.name,
        houses=[_house(preset(name), say) for name in FOUNDING],
        others=[_house(preset(name), say) for name in presets()[len(FOUNDING) :]],
    )


def _house(one: Preset, say: Words) -> dict[str, Any]:
    return {
        "id": one.id,
        "title": one.title.in_(say.language),
        "description": one.description.in_(say.language),
        "felt": felt_line(one.rules, say),
        "bots": one.rules.seats_max > 1,
    }


@with_person
async def open_table(request: Request, who: Who) -> Response:
    """POST /tables: opens a table and goes there."""
    site = site_of(request)
    if not site.tables.take(address_of(request)):
        raise Refused("limit.tables")
    form = await request.form(max_files=1, max_fields=40)
    async with site.turn(who.id):
        live = await _opened(site, who, form)
    return RedirectResponse(f"/t/{live.config.code}", status_code=303)


async def _opened(site: Site, who: Who, form: FormData) -> LiveTable:
    alone = text(form, "alone") == "yes"
    chosen = preset(text(form, "preset") or FOUNDING[0])
    speed = text(form, "pace") or ("none" if alone else "normal")
    pace(speed)
    await site.gather(who)
    live = await site.registry.open(chosen, pace=speed, private=alone or text(form, "private") == "yes")
    if alone:
        await sit_down(live, who, bots=text(form, "bots") == "yes")
    return live


async def sit_down(live: LiveTable, who: Who, *, bots: bool) -> None:
    """Puts a person on the first box of a new table, and house bots on others."""
    deeds: list[wire.Deed] = [wire.Sit(1)]
    if bots:
        deeds += [wire.SeatBot(box) for box in BOT_BOXES if box <= live.preset.rules.seats_max]
    for number, deed in enumerate(deeds):
        await live.do(who, wire.Command(f"open-{number}", live.table.number, live.seq, deed))


def text(form: FormData, name: str) -> str:
    """A text field of a form; "" if it is missing. Raises BadInput ``form.unreadable`` for a file."""
    found = form.get(name, "")
    if not isinstance(found, str):
        raise BadInput("form.unreadable", field=name)
    return found.strip()
