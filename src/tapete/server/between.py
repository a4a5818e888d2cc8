"""Between rounds: how a live table comes from one round to the next, and whom it waits for.

All of it runs in the table's turn.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from tapete import table as tables
from tapete.errors import TapeteError
from tapete.server.workings import bot_bets, boxes_short
from tapete.table import Left, SeedsClosed

if TYPE_CHECKING:
    from tapete.server.live import LiveTable


async def rest(live: LiveTable) -> None:
    """The last round has been looked at for long enough."""
    live.rested = True
    try:
        await tidy_up(live)
    except TapeteError:
        live.rested = not (live.table.leaving or live.table.closing)  # else it is done once more
        raise


async def tidy_up(live: LiveTable) -> None:
    """Leaves those go who wanted to, closes the table if it is to be closed, promises the next shoe."""
    await live.commit([Left(name) for name in sorted(live.table.leaving)])
    if live.table.closing:
        await live.close()
        return
    await live.commit(live.house.open_shoe(live.table))
    live.arm()


# --- whom it waits for


def waiting_for(live: LiveTable) -> set[str]:
    """The people who hold a box, are there, do not sit out, and have not said that their bets are made."""
    there = (_seated(live) & live.present()) | awaited(live)
    return {name for name in there if not live.sits_out(name)} - live.ready


def _seated(live: LiveTable) -> set[str]:
    return {seat.name for seat in live.table.seats if not tables.person(live.table, seat.name).bot}


def awaited(live: LiveTable) -> set[str]:
    """The people who hold a box and may still come back after a restart."""
    return _seated(live) - live.present() if live.grace.left() else set()


def is_back(live: LiveTable, name: str) -> None:
    """Somebody has come: after a restart the others are given a moment to do so too."""
    if not name or not live.grace.left():
        return
    live.grace.somebody_is_back(lambda: _waited_enough(live))
    if not awaited(live):
        live.grace.end()
        if not live.table.playing:
            live.clock.stop()  # what waited for the others does so no more


def _waited_enough(live: LiveTable) -> None:
    async def go_on() -> None:
        live.grace.end()
        live.arm()
        await begin_if_all_are_ready(live)

    async def task() -> None:
        with suppress(TapeteError):
            await live.alone(go_on)

    live.task = asyncio.get_running_loop().create_task(task())


# --- the next round


async def begin_if_all_are_ready(live: LiveTable) -> None:
    """Begins the round when nobody needs to be waited for."""
    if live.rested and live.table.bets and not waiting_for(live):
        await begin_round(live)


async def begin_round(live: LiveTable) -> None:
    """Begins a round with the bets that lie; a new shoe first takes its seeds and its cut."""
    if not _may_begin(live):
        return
    if live.table.shoe is None or live.house.open_shoe(live.table):
        await _new_shoe(live)
        return
    await _deal(live)


def _may_begin(live: LiveTable) -> bool:
    table = live.table
    return bool(table.bets) and not (table.playing or table.paused or live.closed or boxes_short(table))


async def _new_shoe(live: LiveTable) -> None:
    await live.commit(live.house.open_shoe(live.table))
    if live.table.opening is not None and not live.table.opening.closed:
        await live.commit([SeedsClosed()])
    await seeds_may_be_complete(live)
    live.arm()


async def seeds_may_be_complete(live: LiveTable) -> None:
    """Goes on to the cut once every promised seed is open."""
    opening = live.table.opening
    complete = opening is not None and opening.closed and all(opening.opened)
    if complete and not live.cutter and not awaited(live):
        await after_seeds(live)


async def after_seeds(live: LiveTable) -> None:
    """The seeds are open, or their time is up: somebody cuts."""
    seated = [seat.name for seat in live.table.seats if seat.name in live.present()]
    asks = live.pace.cut > 0 and live.preset.rules.shuffle == "cut_card"  # every round would be a nuisance
    live.cutter = seated[live.table.number % len(seated)] if seated and asks else ""
    if not live.cutter:
        await cut_at(live, 0)
    else:
        live.arm()


async def cut_at(live: LiveTable, at: int) -> None:
    """Cuts the shoe and deals."""
    ready = live.house.ready_shoe(live.table, at=at)
    live.cutter = ""
    if ready is not None:
        await live.commit([ready])
    await _deal(live)


async def _deal(live: LiveTable) -> None:
    bets = bot_bets(live.table)
    with_bots = live.table
    for bet in bets:
        with_bots = tables.apply(with_bots, bet)
    if _may_begin(live) and live.table.shoe is not None:
        await live.commit([*bets, tables.lock_due(with_bots)])
