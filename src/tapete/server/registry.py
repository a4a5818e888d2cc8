"""The registry: the tables that are open in this house, by the code in their address."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Iterator
from typing import Final

import msgspec

from tapete.errors import Refused, TapeteError
from tapete.rulefile import Preset
from tapete.server import steering
from tapete.server.books import Books
from tapete.server.live import Config, LiveTable
from tapete.server.shoes import Secrets
from tapete.store import Store, Table, Transaction

LOG: Final = logging.getLogger("tapete.web")
KIND: Final = "web"
PUBLIC_BYTES: Final = 6
PASSING: Final = ("store.table_in_use", "store.busy", "store.unreachable", "data.full")
"""Why a table could not be taken up just now; it is tried again."""
PRIVATE_BYTES: Final = 16
"""Random bytes in the code of a table: a private one cannot be guessed."""


class Registry:
    """The open tables of a server."""

    def __init__(self, books: Books, *, most: int) -> None:
        self._books = books
        self._most = most
        self._tables: dict[str, LiveTable] = {}
        self._waiting: set[str] = set()
        self._unreadable: set[int] = set()

    def __iter__(self) -> Iterator[LiveTable]:
        return iter(list(self._tables.values()))

    def __len__(self) -> int:
        return len(self._tables)

    def find(self, code: str) -> LiveTable | None:
        """The open table with that code."""
        return self._tables.get(code)

    async def open(self, preset: Preset, *, pace: str, private: bool) -> LiveTable:
        """A new table. Raises Refused ``house.full``."""
        if len(self._tables) >= self._most:
            raise Refused("house.full", most=self._most)
        code = secrets.token_urlsafe(PRIVATE_BYTES if private else PUBLIC_BYTES)
        config = Config(preset, code, pace, private)

        def job(deeds: Transaction) -> int:
            return deeds.open_table(kind=KIND, name=code, config=msgspec.json.encode(config))

        which = await self._books.write(job)
        return self._add(LiveTable(self._books, which, config, Secrets(self._books, which)))

    def _add(self, live: LiveTable) -> LiveTable:
        live.on_closed = self._forget
        self._tables[live.config.code] = live
        return live

    def _forget(self, live: LiveTable) -> None:
        self._tables.pop(live.config.code, None)

    def is_waiting(self, code: str) -> bool:
        """Whether the table with that code is open and this server has not got it yet."""
        return code in self._waiting

    async def resume(self) -> int:
        """Takes up every open table of this kind from its log; tells how many another program still holds.

        That may be a server that is no more: a database notices only after a while that a machine is gone. Raises
        StoreError.
        """
        free = {table.id for table in await self._books.read(Store.resumable)}
        held = {live.id for live in self} | self._unreadable
        missing = [one for one in await self._books.read(Store.open_tables) if one.kind == KIND and one.id not in held]
        self._waiting = {table.name for table in missing}
        for table in missing:
            if table.id in free:
                await self._try(table)
        return len(self._waiting)

    async def _try(self, table: Table) -> None:
        """Takes up one table; one that cannot be read must not keep others shut."""
        try:
            await self._take_up(table)
        except (TapeteError, msgspec.MsgspecError) as error:
            await self._books.read(lambda store: store.release(table.id))
            if isinstance(error, TapeteError) and error.code in PASSING:
                return
            LOG.error("unreadable", extra={"table": table.id, "why": type(error).__name__})
            self._unreadable.add(table.id)
        self._waiting.discard(table.name)

    async def _take_up(self, table: Table) -> None:
        kept = await self._books.read(lambda store: _kept(store, table.id))
        config = msgspec.json.decode(table.config, type=Config)
        live = LiveTable(self._books, table.id, config, Secrets(self._books, table.id, kept.secrets))
        live.load(kept.events, kept.people)
        self._add(live)
        live.go_on()

    async def stop(self) -> None:
        """Lets every table finish what it is doing, and no more."""
        await asyncio.gather(*(steering.stop(live) for live in self))


class _Kept(msgspec.Struct, frozen=True):
    """What the store has about an open table."""

    events: list[tuple[int, bytes]]
    people: dict[str, int]
    secrets: dict[str, bytes]


def _kept(store: Store, which: int) -> _Kept:
    store.claim(which)
    return _Kept(
        [(event.seq, event.payload) for event in store.events(which)],
        {store.known(person).name: person for person in store.racks(which)},
        {shoe.id: shoe.secret for shoe in store.shoes(which)},
    )
