"""Replay pages: the finished rounds of a table, one by one, as a page, as a file to keep, and by a link to share."""

from __future__ import annotations

import asyncio
import re
from typing import Any, Final

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from tapete.errors import Refused
from tapete.history import anonymous, dumps
from tapete.rulefile import Preset
from tapete.server import identity, rounds
from tapete.server.live import Config, Who
from tapete.server.pages import language_of, page, words_of
from tapete.server.registry import KIND
from tapete.server.rounds import Played
from tapete.server.scenes import scenes
from tapete.server.site import Site, site_of
from tapete.server.visitors import with_person
from tapete.store import Store, Table

LISTED: Final = 50
TOGETHER: Final = 200
"""Rounds in the file of a whole table."""
_MOST: Final = 10**9
_CODE: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


def _config(table: Table) -> Config:
    return msgspec.json.decode(table.config, type=Config)


async def _table(request: Request) -> Table:
    """The table in a request's path, open or closed. Raises HTTPException 404."""
    code = request.path_params["code"]
    try:
        found: Table = await site_of(request).books.read(lambda store: store.table_named(code, kind=KIND))
    except Refused as error:
        raise HTTPException(404) from error
    return found


async def _played(site: Site, which: int, preset: Preset, number: int) -> Played:
    def look(store: Store) -> Played:
        return rounds.played(store, which, preset, number=number)

    try:
        found: Played = await site.books.read(look)
    except Refused as error:
        raise HTTPException(404) from error
    return found


async def _asked(request: Request) -> tuple[Table, Played]:
    table, number = await _table(request), request.path_params["number"]
    return table, await _played(site_of(request), table.id, _config(table).preset, min(number, _MOST))


@with_person
async def listed(request: Request, who: Who) -> Response:
    """GET /t/{code}/rounds: the last rounds of a table."""
    site, table = site_of(request), await _table(request)
    numbers = list(await site.books.read(lambda store: store.rounds(table.id)))
    return page(
        request,
        "rounds.html",
        you=who.name,
        code=table.name,
        open=site.registry.find(table.name) is not None,
        title=_config(table).preset.title.in_(language_of(request)),
        numbers=numbers[: -LISTED - 1 : -1],
        count=len(numbers),
        days=site.settings.keep_days,
    )


@with_person
async def replay_page(request: Request, who: Who) -> Response:
    """GET /t/{code}/rounds/{n}."""
    table, one = await _asked(request)
    at = f"/t/{table.name}/rounds/{one.record.number}"
    site = site_of(request)
    shared = f"{site.origins.base(request)}/r/{token(site, table.id, one.record.number)}"
    return await _shown(
        request, one, keep={who.name}, you=who.name, own=who.name, at=at, back=f"/t/{table.name}/rounds", link=shared
    )


@with_person
async def shared_page(request: Request, who: Who) -> Response:
    """GET /r/{token}: a round for anybody who has the link; nobody is named."""
    one = await _of_token(request)
    return await _shown(request, one, keep=(), you=who.name, own="", at=request.url.path, back="", link="")


async def _shown(request: Request, one: Played, *, keep: Any, **facts: Any) -> Response:
    say = words_of(request)
    record = rounds.public(one, keep=keep).records[0]
    told = await asyncio.to_thread(scenes, record, say)
    step = _step(request, len(told))
    return page(
        request,
        "round.html",
        number=one.record.number,
        title=one.preset.title.in_(say.language),
        scenes=told,
        step=step,
        scene=told[step - 1],
        **facts,
    )


def _step(request: Request, last: int) -> int:
    """Which step is asked for; the last one if none is."""
    text = request.query_params.get("step", "")
    return min(max(int(text), 1), last) if text.isascii() and text.isdecimal() and len(text) < 6 else last


@with_person
async def verify_page(request: Request, who: Who) -> Response:
    """GET /verify: whether the shuffles of a history file were as promised; the check runs in the page."""
    code = request.query_params.get("t", "")
    path = f"/verify?t={code}" if _CODE.fullmatch(code) else "/verify"
    return page(request, "verify.html", you=who.name, path=path)


async def replay_json(request: Request) -> Response:
    """GET /t/{code}/rounds/{n}.json."""
    who = await site_of(request).people.of(request)
    _, one = await _asked(request)
    return await _json(one, keep=() if who is None else {who.name})


async def shared_json(request: Request) -> Response:
    """GET /r/{token}.json."""
    return await _json(await _of_token(request), keep=())


async def _json(one: Played, *, keep: Any) -> Response:
    body = msgspec.json.encode(await asyncio.to_thread(rounds.told, one, keep=keep))
    return Response(body, media_type="application/json", headers={"Cache-Control": "no-store", "Vary": "Cookie"})


async def history_file(request: Request) -> Response:
    """GET /t/{code}/rounds/{n}.bjh."""
    who = await site_of(request).people.of(request)
    _, one = await _asked(request)
    return _file(one, keep=() if who is None else {who.name})


async def table_file(request: Request) -> Response:
    """GET /t/{code}/history.bjh: the last rounds of a table in one file, for the page that verifies."""
    site, table = site_of(request), await _table(request)
    who = await site.people.of(request)
    preset = _config(table).preset

    def look(store: Store) -> str:
        told = rounds.lately(store, table.id, preset, most=TOGETHER)
        return dumps(anonymous(told, keep=() if who is None else {who.name}))

    try:
        text: str = await site.books.read(look)
    except Refused as error:
        raise HTTPException(404) from error
    return _text(text, name=f"{preset.id}-{table.id}.bjh")


async def shared_file(request: Request) -> Response:
    """GET /r/{token}.bjh."""
    return _file(await _of_token(request), keep=())


def _file(one: Played, *, keep: Any) -> Response:
    return _text(dumps(rounds.public(one, keep=keep)), name=f"{one.preset.id}-{one.record.number}.bjh")


def _text(text: str, *, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store", "Vary": "Cookie"}
    return Response(text, media_type="text/plain", headers=headers)


# --- links to share -------------------------------------------------------------------------------------------------


def token(site: Site, which: int, number: int) -> str:
    """What a link to one round holds: nobody can make another."""
    return str(identity.signer(site.key, salt="tapete/round/1").dumps([which, number]))


async def _of_token(request: Request) -> Played:
    site = site_of(request)
    told = identity.unsigned(identity.signer(site.key, salt="tapete/round/1"), request.path_params["token"])
    if not isinstance(told, list) or len(told) != 2:
        raise HTTPException(404)
    which, number = told
    table: Table = await site.books.read(lambda store: store.table(which))
    return await _played(site, which, _config(table).preset, number)
