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
PRIVATE_BYTES: Final = 16
"""Random bytes in the code of a table: a private one cannot be guessed."""


class Registry:
    """The open tables of a server."""

    def __init__(self, books: Books, *, most: int) -> None:
        self._books = books
        self._most = most
        self._tables: dict[str, LiveTable] = {}

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

    async def resume(self) -> None:
        """Takes up every open table of this kind from its log."""
        for table in await self._books.read(Store.resumable):
            if table.kind != KIND:
                continue
            try:
                await self._take_up(table)
            except (TapeteError, msgspec.MsgspecError) as error:  # one that cannot be read must not keep others shut
                LOG.error("unreadable", extra={"table": table.id, "why": type(error).__name__})
                self._books.store.release(table.id)

    async def _take_up(self, table: Table) -> None:
        kept = await self._books.read(lambda store: _kept(store, table.id))
        config = msgspec.json.decode(table.config, type=Config)
        live = LiveTable(self._books, table.id, config, Secrets(self._books, table.id, kept.secrets))
        live.load(kept.events, kept.people)
        self._add(live)

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
