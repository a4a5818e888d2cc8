"""The janitor: lets people go who have been away too long, closes tables where nobody is, forgets old rounds."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Final

from tapete.errors import TapeteError
from tapete.server import steering
from tapete.server.books import Books
from tapete.server.live import LiveTable
from tapete.server.registry import KIND, Registry
from tapete.server.settings import Settings
from tapete.store import Transaction

LOG: Final = logging.getLogger("tapete.web")
ROUND: Final = 10.0
"""Seconds between two of the janitor's rounds."""
DAY: Final = 24 * 3600
MINUTE: Final = 60


class Janitor:
    """Looks after the tables of a server."""

    def __init__(self, books: Books, registry: Registry, settings: Settings) -> None:
        self._books = books
        self._registry = registry
        self._settings = settings
        self._away: dict[tuple[str, str], float] = {}
        self._pruned = 0.0
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begins with the rounds."""
        self._task = asyncio.create_task(self._walk())

    async def stop(self) -> None:
        """Ends the rounds."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _walk(self) -> None:
        while True:
            try:
                await self.look(time.monotonic())
                await self._prune(time.time())
            except TapeteError as error:
                LOG.warning("janitor", extra={"code": error.code})
            await asyncio.sleep(ROUND)

    async def look(self, now: float) -> None:
        """One look at every table; ``now`` in seconds."""
        seen: set[tuple[str, str]] = set()
        for live in self._registry:
            seen |= await self._look_at(live, now)
        self._away = {key: since for key, since in self._away.items() if key in seen}

    async def _look_at(self, live: LiveTable, now: float) -> set[tuple[str, str]]:
        """Who is away from this table, the table itself under the name "" if nobody is there."""
        away = {one.name for one in live.table.people if not one.bot} - live.present()
        for name in away:
            if self._since(live, name, now) >= self._settings.absent_minutes * MINUTE:
                await steering.send_away(live, name)
        if live.has_company():
            return {(live.config.code, name) for name in away}
        if not live.table.playing and self._since(live, "", now) >= self._settings.empty_minutes * MINUTE:
            await steering.retire(live)
        return {(live.config.code, name) for name in (*away, "")}

    def _since(self, live: LiveTable, name: str, now: float) -> float:
        return now - self._away.setdefault((live.config.code, name), now)

    async def _prune(self, now: float) -> None:
        """Forgets the rounds of tables that closed long ago, once a day."""
        if now - self._pruned < DAY:
            return
        self._pruned = now
        oldest = int(now - self._settings.keep_days * DAY)

        def job(deeds: Transaction) -> int:
            return deeds.prune(kind=KIND, before=oldest)

        if forgotten := await self._books.write(job):
            LOG.info("pruned", extra={"tables": forgotten})
