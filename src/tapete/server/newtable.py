"""A new table, from a form: a house's rules or a file of one's own, with the limits, the pace and who may come."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tapete.errors import BadInput, Refused
from tapete.rulecheck import Fault
from tapete.rulefile import Preset, RuleFileError, preset, read_bytes, set_
from tapete.rules import get
from tapete.server import messages as wire
from tapete.server.forms import Form, file, form_of, text
from tapete.server.live import LiveTable, Who
from tapete.server.lobby import FIELDS, lobby_page
from tapete.server.pace import pace
from tapete.server.pages import words_of
from tapete.server.site import Site, address_of, site_of
from tapete.server.visitors import with_person
from tapete.words import Words

BACKERS: Final = ("off", "consent", "open")
RULE_FILE: Final = "rules.toml"
"""What the faults of an uploaded file call it: its real name is nobody's business."""
BESIDE: Final = 2
"""So many boxes to either side of somebody who plays alone sit house bots, or as far as the table goes."""


@with_person
async def open_table(request: Request, who: Who) -> Response:
    """POST /tables: opens a table and goes there; what is wrong with the form is told in the lobby."""
    site = site_of(request)
    if not site.tables.take(address_of(request)):
        raise Refused("limit.tables")
    form = await form_of(request)
    source = b"" if text(form, "alone") == "yes" else file(form, "rules")
    try:
        chosen = await asyncio.to_thread(_rules, form, source)
    except RuleFileError as error:
        return _again(request, who, form, faults_of(error, source, words_of(request)))
    except BadInput as error:
        return _again(request, who, form, [_plain(words_of(request).explain(error))])
    async with site.turn(who.id):
        live = await _opened(site, who, chosen, form)
    return RedirectResponse(f"/t/{live.config.code}", status_code=303)


def _rules(form: Form, source: bytes) -> Preset:
    """The rules that a form asks for. Raises RuleFileError with all faults, or BadInput."""
    pace(_pace(form))
    if text(form, "alone") == "yes":
        return preset(text(form, "preset"))
    base = read_bytes(source, source=RULE_FILE) if source else preset(text(form, "preset"))
    # A decimal comma is as good as a point, here as on the cloth.
    wanted = [f"{key}={value.replace(',', '.')}" for key in ("bet_min", "bet_max") if (value := text(form, key))]
    backers = text(form, "backers")
    if backers in BACKERS and backers != get(base.rules, "bet_behind.mode"):
        wanted.append(f"bet_behind.mode={backers}")
    return set_(base, wanted) if wanted else base


def _pace(form: Form) -> str:
    return text(form, "pace") or ("none" if text(form, "alone") == "yes" else "normal")


def _again(request: Request, who: Who, form: Form, faults: list[dict[str, Any]]) -> Response:
    filled = {name: text(form, name)[:80] for name in FIELDS}
    return lobby_page(request, who, status=400, faults=faults, filled=filled)


def faults_of(error: RuleFileError, source: bytes, say: Words) -> list[dict[str, Any]]:
    """Every fault with its line, what stands there, its key, and what is allowed."""
    lines = source.decode("utf-8-sig", "replace").replace("\r\n", "\n").split("\n")
    return [_fault(one, lines, say) for one in error.faults]


def _plain(text: str) -> dict[str, Any]:
    return {"line": None, "source": "", "key": "", "text": text}


def _fault(one: Fault, lines: Sequence[str], say: Words) -> dict[str, Any]:
    known = one.line is not None and 0 < one.line <= len(lines) and one.file == RULE_FILE
    return {
        "line": one.line,
        "source": lines[one.line - 1].strip()[:200] if known and one.line is not None else "",
        "key": one.key,
        "text": say.reason(one.code, **one.facts),
    }


async def _opened(site: Site, who: Who, chosen: Preset, form: Form) -> LiveTable:
    alone = text(form, "alone") == "yes"
    if alone:
        await site.gather(who)
    private = alone or text(form, "who") != "public"
    live = await site.registry.open(chosen, pace=_pace(form), private=private)
    if alone:
        await _sit_down(live, who, bots=text(form, "bots") == "yes")
    return live


async def _sit_down(live: LiveTable, who: Who, *, bots: bool) -> None:
    """Puts a person in the middle of a new table, and house bots to both sides."""
    boxes = live.preset.rules.seats_max
    middle = (boxes + 1) // 2
    deeds: list[wire.Deed] = [wire.Sit(middle)]
    if bots:
        beside = {max(1, middle - BESIDE), min(boxes, middle + BESIDE)} - {middle}
        deeds += [wire.SeatBot(box) for box in sorted(beside)]
    for number, deed in enumerate(deeds):
        await live.do(who, wire.Command(f"open-{number}", live.table.number, live.seq, deed))
