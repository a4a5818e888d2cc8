"""A server that the tests start, kill and start again: the real books, tables and secrets behind a plain socket.

Run as ``python servers.py``: for each line ``[folder, url]`` (JSON) it lets a new process serve the tables of that
store, and says ``["open", pid, port]`` and, when that process is dead, ``["dead"]``. The new process is a fork, so that
hundreds of lives do not each pay for starting Python.

A client says its table and its name in the first line, then commands as on the WebSocket of a table; each message of
the table comes back as one line.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import msgspec

from tapete.rulefile import preset
from tapete.server import messages as wire
from tapete.server.books import Books
from tapete.server.live import Config, LiveTable, Who
from tapete.server.registry import KIND, Registry
from tapete.store import Store, Transaction

GAMES: Final = ("casino", "british", "leaflet", "faceup", "home")
SHOES: Final = 30
"""Shoes whose secrets are laid down beforehand at each table, so that two runs deal the same cards."""


def lay_tables(store: Store, *, seed: int, pace: str) -> None:
    """Open the five tables, with known secrets for their shoes, and leave them for a server to take up."""
    with store.transaction() as deeds:
        for game in GAMES:
            _lay(deeds, game, seed=seed, pace=pace)
    for table in store.open_tables():
        store.release(table.id)


def _lay(deeds: Transaction, game: str, *, seed: int, pace: str) -> None:
    config = Config(preset(game), game, pace)
    which = deeds.open_table(kind=KIND, name=game, config=msgspec.json.encode(config))
    for number in range(1, SHOES + 1):
        secret = hashlib.sha256(f"{seed} {game} {number}".encode()).digest()
        deeds.add_shoe(f"{which}/t{which}-{number}", table=which, secret=secret)


# --- the server -----------------------------------------------------------------------------------------------------


class _Line:
    """What a table tells one client: the snapshot first, whatever came before it behind it."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self._early: list[bytes] | None = []

    def begin(self, snapshot: bytes) -> None:
        early, self._early = self._early or [], None
        for raw in (snapshot, *early):
            self.tell(raw)

    def tell(self, raw: bytes) -> None:
        if self._early is not None:
            self._early.append(raw)
        else:
            self._writer.write(raw + b"\n")


class Serving:
    """One life of a server."""

    def __init__(self, store: Store) -> None:
        self.books = Books(store)
        self.registry = Registry(self.books, most=100)

    async def open(self) -> int:
        """Take up all tables and listen; tells the port."""
        tables = len(await self.books.read(Store.open_tables))
        while len(self.registry) < tables:  # what another life held may take a moment to be free
            await self.registry.resume()
            await asyncio.sleep(0.005)
        server = await asyncio.start_server(self.meet, "127.0.0.1", 0, limit=1 << 22)
        return int(server.sockets[0].getsockname()[1])

    async def meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One client, from its first line to its last."""
        code, name = json.loads(await reader.readline())
        live = self.registry.find(code)
        assert live is not None
        who = Who(await self._person(name), name) if name else None

        line = _Line(writer)
        with suppress(ConnectionError):
            line.begin(await live.arrive(line, name, line.tell))
            await self._talk(reader, live, who, line)
        await live.depart(line)
        writer.close()

    async def _person(self, name: str) -> int:
        return int(await self.books.write(lambda deeds: deeds.person(name).id))

    @staticmethod
    async def _talk(reader: asyncio.StreamReader, live: LiveTable, who: Who | None, line: _Line) -> None:
        async def done(command: wire.Command) -> None:
            assert who is not None
            line.tell(await live.do(who, command))

        doing: set[asyncio.Task[None]] = set()
        while raw := await reader.readline():
            task = asyncio.create_task(done(wire.COMMAND.decode(raw)))
            doing.add(task)
            task.add_done_callback(doing.discard)


async def _serve(folder: Path, url: str | None) -> None:
    with Store(folder, url=url) as store:
        _say("open", os.getpid(), await Serving(store).open())
        await asyncio.Event().wait()


def _say(*words: object) -> None:
    sys.stdout.write(json.dumps(words) + "\n")
    sys.stdout.flush()


def _nursery() -> None:
    while line := sys.stdin.readline():
        folder, url = json.loads(line)
        child = os.fork()
        if not child:
            asyncio.run(_serve(Path(folder), url))
        os.waitpid(child, 0)
        _say("dead")


# --- who starts it --------------------------------------------------------------------------------------------------


class Nursery:
    """Starts one server after the other on the same store."""

    def __init__(self, folder: Path, url: str | None) -> None:
        self._wanted = json.dumps([str(folder), url])
        pipe = subprocess.PIPE
        self._process = subprocess.Popen([sys.executable, __file__], stdin=pipe, stdout=pipe, text=True)
        self.pid = self.port = 0

    def start(self) -> int:
        """A new life; tells its port."""
        assert self._process.stdin is not None
        self._process.stdin.write(self._wanted + "\n")
        self._process.stdin.flush()
        word, self.pid, self.port = self._hear()
        assert word == "open"
        return self.port

    def kill(self) -> None:
        """The end of that life, without a chance to say anything; returns when it is dead."""
        os.kill(self.pid, 9)
        self.pid = 0
        assert self._hear() == ["dead"]

    def _hear(self) -> list[Any]:
        assert self._process.stdout is not None
        told: list[Any] = json.loads(self._process.stdout.readline())
        return told

    def end(self) -> None:
        """The end of it all."""
        if self.pid:
            self.kill()
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()


@contextmanager
def nursery(folder: Path, url: str | None) -> Iterator[Nursery]:
    """A nursery for some tests."""
    one = Nursery(folder, url)
    try:
        yield one
    finally:
        one.end()


if __name__ == "__main__":
    _nursery()
