"""The site: one running server with its books, its people, its tables and its connections."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Any, Final, cast
from weakref import WeakValueDictionary

from starlette.requests import HTTPConnection

from tapete.errors import Refused, TapeteError
from tapete.server import identity, steering
from tapete.server import messages as wire
from tapete.server.books import Books
from tapete.server.counting import Counted
from tapete.server.deeds import try_coming
from tapete.server.identity import People
from tapete.server.janitor import Janitor
from tapete.server.limits import ByAddress
from tapete.server.live import LiveTable, Who
from tapete.server.registry import Registry
from tapete.server.security import Origins
from tapete.server.settings import Settings, public_origin
from tapete.server.sockets import Lines
from tapete.server.steering import at_table
from tapete.server.told import explained
from tapete.store import Store, StoreError
from tapete.table import person

LOG: Final = logging.getLogger("tapete.web")
COMES: Final = (wire.Sit, wire.Bet, wire.AskConsent)
"""The deeds that bring a person to a table with all chips."""
AGAIN: Final = 2.0
"""Seconds until a table that another program holds is tried again."""


class Site:
    """One running server."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.settings = settings
        self.books = Books(store)
        self.key = identity.signing_key(store.folder)
        self.people = People(self.books, self.key)
        limits = settings.limits
        self.registry = Registry(self.books, most=limits.open_tables)
        self.origins = Origins(public_origin(settings.public_url))
        self.lines = Lines(limits.sockets)
        self.requests = ByAddress(limits.requests)
        self.guests = ByAddress(limits.guests)
        self.tables = ByAddress(limits.tables)
        self.phrases = ByAddress(limits.phrases)
        self.counted = Counted(self.books)
        self.janitor = Janitor(self.books, self.registry, settings)
        self.ready = False
        self._rest: asyncio.Task[None] | None = None
        self._turns: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    async def start(self) -> None:
        """Takes up the open tables."""
        waiting = await self.registry.resume()
        self.janitor.start()
        self.ready = True
        LOG.info("opened", extra={"tables": len(self.registry), "waiting": waiting})
        if waiting:
            self._rest = asyncio.create_task(self._take_up_the_rest(waiting))

    async def _take_up_the_rest(self, waiting: int) -> None:
        """Tries again until this server has every open table."""
        while waiting:
            await asyncio.sleep(AGAIN)
            before = waiting
            with suppress(StoreError):  # the database may be away for a moment
                waiting = await self.registry.resume()
            if waiting < before:
                LOG.info("resumed", extra={"tables": len(self.registry), "waiting": waiting})

    async def stop(self) -> None:
        """Lets each table finish the deed it is at, and says goodbye to everyone."""
        self.ready = False
        if self._rest is not None:
            self._rest.cancel()
            await asyncio.gather(self._rest, return_exceptions=True)
        await self.janitor.stop()
        await self.registry.stop()
        await self.lines.end_all("server.stopping")

    async def close(self) -> None:
        """Brings what waits to the disk and closes the store."""
        await self.books.aclose()
        LOG.info("closed")

    # --- deeds of people

    def turn(self, person: int) -> asyncio.Lock:
        """A person does one thing at a time, in however many windows."""
        lock = self._turns.get(person)
        if lock is None:
            lock = self._turns[person] = asyncio.Lock()
        return lock

    async def perform(self, who: Who, live: LiveTable, command: wire.Command) -> bytes:
        """Does what a person wants at a table; tells the answer."""
        with self.counted.seconds.time():
            async with self.turn(who.id):
                answer = await self._performed(who, live, command)
        self.counted.commands.labels("rejected" if b'"type":"rejected"' in answer[:20] else "accepted").inc()
        return answer

    async def _performed(self, who: Who, live: LiveTable, command: wire.Command) -> bytes:
        try:
            await self._check(who, live, command)
        except TapeteError as error:
            return wire.ENCODER.encode(wire.Rejected(command.id, error.code, explained(error)))
        return await live.do(who, command)

    async def _check(self, who: Who, live: LiveTable, command: wire.Command) -> None:
        if await self.people.known(who.id) != who:
            raise Refused("identity.renamed")
        if isinstance(command.deed, COMES) and not at_table(live, who.name) and not live.answered(who, command):
            try_coming(live, who, command, chips=await self._chips(who))
            await self.gather(who)

    async def _chips(self, who: Who) -> int:
        """All chips of a person, wherever they are."""
        at_tables = sum(person(live.table, who.name).chips for live in self.registry if at_table(live, who.name))
        return at_tables + int(await self.books.read(lambda store: store.balance(who.id)))

    async def gather(self, who: Who) -> None:
        """Brings a person's chips home from every table. Raises Refused ``command.chips_elsewhere`` where they play."""
        for live in self.registry:
            if not at_table(live, who.name):
                continue
            if not await steering.let_go(live, who.name):
                raise Refused("command.chips_elsewhere")
            if live.config.private and not live.has_company() and all(one.bot for one in live.table.people):
                await steering.retire(live)


def site_of(connection: HTTPConnection) -> Site:
    """The site that a connection came to."""
    return cast(Site, cast(Any, connection.app).state.site)


def address_of(connection: HTTPConnection) -> str:
    """Where a connection comes from; a whole network of one provider's customer counts as one address."""
    host = connection.client.host if connection.client else ""
    return ":".join(host.split(":")[:4]) if ":" in host else host
