"""The lobby: the tables that are open, the five houses, and a table of one's own with one click."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from tapete import rulebook
from tapete.rulecard import card, felt_line
from tapete.rulefile import FOUNDING, Preset, preset, presets
from tapete.server.live import LiveTable, Who
from tapete.server.pace import PACES
from tapete.server.pages import page, templates, words_of
from tapete.server.site import Site, site_of
from tapete.server.steering import at_table
from tapete.server.visitors import with_person
from tapete.words import N_, Words

PACE_NAMES: Final = {
    "relaxed": N_("Relaxed"),
    "normal": N_("Normal"),
    "fast": N_("Fast"),
    "none": N_("No clock: the table waits for everybody"),
    "instant": N_("No clock and no pauses"),
}
OFFERED: Final = ("relaxed", "normal", "fast", "none")
"""The paces that a person is offered; programs may ask for any."""
MOST_SHOWN: Final = 100
FIELDS: Final = ("preset", "bet_min", "bet_max", "pace", "backers", "who")
"""Of the form for a new table, as far as it is filled in again when something was wrong."""
NOTHING: Final[Mapping[str, str]] = MappingProxyType({})


@with_person
async def lobby(request: Request, who: Who) -> Response:
    """GET /."""
    return lobby_page(request, who)


def lobby_page(
    request: Request,
    who: Who,
    *,
    status: int = 200,
    faults: Sequence[Mapping[str, Any]] = (),
    filled: Mapping[str, str] = NOTHING,
) -> HTMLResponse:
    """The lobby, with what was wrong with a form, and what that form said."""
    say = words_of(request)
    told = {
        "you": who.name,
        "houses": [house(preset(name), say) for name in FOUNDING],
        "others": [house(preset(name), say) for name in presets()[len(FOUNDING) :]],
        "paces": {name: pace_text(name, say) for name in OFFERED},
        "faults": faults,
        "filled": {**dict.fromkeys(FIELDS, ""), **filled},
    }
    return page(request, "lobby.html", status=status, **told, **open_tables(site_of(request), who, say))


async def open_part(request: Request) -> Response:
    """GET /open: the part of the lobby that changes, for its script."""
    site, say = site_of(request), words_of(request)
    who = await site.people.of(request)
    told = {"say": say.say, "plural": say.plural, "amount": say.amount, **open_tables(site, who, say)}
    body = templates().get_template("open.html").render(told)
    return HTMLResponse(body, headers={"Cache-Control": "no-store", "Vary": "Cookie"})


def open_tables(site: Site, who: Who | None, say: Words) -> dict[str, Any]:
    """The person's own tables, and the public ones that anybody may join."""
    mine = [live for live in site.registry if who is not None and at_table(live, who.name)]
    public = [live for live in site.registry if not live.config.private and live not in mine]
    public.sort(key=lambda live: (not live.has_company(), live.id))
    return {
        "mine": [_shown(live, say) for live in mine],
        "public": [_shown(live, say) for live in public[:MOST_SHOWN]],
    }


def _shown(live: LiveTable, say: Words) -> dict[str, Any]:
    rules, present = live.preset.rules, live.present()
    people = [one for one in live.table.people if not one.bot]
    return {
        "code": live.config.code,
        "title": live.preset.title.in_(say.language) or live.preset.id,
        "felt": felt_line(rules, say),
        "pace": pace_text(live.config.pace, say),
        "limits": limits_text(live.preset, say),
        "boxes": rules.seats_max,
        "taken": len(live.table.seats),
        "people": [one.name for one in people if one.name in present],
        "away": [one.name for one in people if one.name not in present],
        "bots": sum(one.bot for one in live.table.people),
        "playing": live.table.playing,
        "paused": live.table.paused,
        "behind": rulebook.why_not_back(rules, consent=True) == "",
    }


def house(one: Preset, say: Words) -> dict[str, Any]:
    """What the lobby tells of a house."""
    return {
        "id": one.id,
        "title": one.title.in_(say.language),
        "description": one.description.in_(say.language),
        "felt": felt_line(one.rules, say),
        "limits": limits_text(one, say),
        "bots": one.rules.seats_max > 1,
        "card": card(one, say) if one.id in FOUNDING else None,
    }


def limits_text(one: Preset, say: Words) -> str:
    """The smallest and the largest bet."""
    least, most = one.rules.bet_min, one.rules.bet_max
    if most is None:
        return say.say(N_("Bets from {least:chips}"), least=least)
    return say.say(N_("Bets from {least:chips} to {most:chips}"), least=least, most=most)


def pace_text(name: str, say: Words) -> str:
    """A pace with its seconds."""
    seconds = PACES[name].question
    if seconds is None:
        return say.say(PACE_NAMES[name])
    return say.say(N_("{pace}: {seconds} seconds a move"), pace=say.say(PACE_NAMES[name]), seconds=int(seconds))
