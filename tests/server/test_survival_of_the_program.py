"""The program itself, as it is started from a command line, dies at any moment while people play through browsers."""

from __future__ import annotations

import asyncio
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from websockets.typing import Origin

from tapete.server import identity
from tests.databases import Place
from tests.server.players import GUEST, HOST, Player
from tests.server.servers import GAMES, lay_tables
from tests.server.test_survival import ALONE, BACKED, ROUNDS, Session, quiet
from tests.server.witness import Witness

KILLS: Final = int(os.environ.get("TAPETE_KILLS", "10"))
"""On each database; hundreds take minutes."""
MOST: Final = 30
"""Of one session: it has not more messages than that many lives need."""


class Program:
    """``tapete serve`` in a process of its own, again and again on the same data."""

    def __init__(self, place: Place) -> None:
        self.said = place.folder / "said"
        database = {"TAPETE_DATABASE": place.url} if place.url else {}
        self._surroundings = {**os.environ, "TAPETE_DATA": str(place.folder), "PYTHONUNBUFFERED": "1", **database}
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> int:
        """A new life; tells its port."""
        command = [sys.executable, "-m", "tapete", "serve", "--port", "0", "--lang", "en"]
        with self.said.open("a") as errors:
            self._process = subprocess.Popen(
                command, env=self._surroundings, stdout=subprocess.PIPE, stderr=errors, text=True
            )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert " at " in line, self.said.read_text()
        return int(line.split(" at ")[1].split()[0].rpartition(":")[2])

    def kill(self) -> None:
        """As when the plug is pulled; returns when it is dead."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            assert self._process.stdout is not None
            self._process.stdout.close()
            self._process = None

    def complaints(self) -> list[str]:
        """What it wrote into its log beyond its coming and going."""
        lines = [json.loads(line) for line in self.said.read_text().splitlines()]
        return [line["event"] for line in lines if line["level"] != "info"]


class AtBrowser(Player):
    """A player who comes by WebSocket, with the cookie of a person of the house."""

    cookie = ""

    async def live(self, port: int, heard: asyncio.Queue[str]) -> None:
        """Play until the connection breaks or all rounds are over, at a table that may not be open again at once."""
        with suppress(OSError, WebSocketException, asyncio.TimeoutError):
            while await self._one_connection(port, heard) == 1013:
                await asyncio.sleep(0.05)

    async def _one_connection(self, port: int, heard: asyncio.Queue[str]) -> int | None:
        url = f"127.0.0.1:{port}"
        cookie = {"Cookie": f"{identity.COOKIE}={self.cookie}"}
        self.room, self._unanswered = {}, self.asked is not None
        self._out: asyncio.Queue[str] = asyncio.Queue()
        at = connect(
            f"ws://{url}/ws/{self.code}", origin=Origin(f"http://{url}"), additional_headers=cookie, max_size=None
        )
        async with at as socket:
            sender = asyncio.create_task(self._send(socket))
            try:
                async for raw in socket:
                    message = json.loads(raw)
                    if message["type"] != "bye":
                        self._hear(message)
                        heard.put_nowait(self.name)
                        self._act()
            finally:
                sender.cancel()
        return socket.close_code

    async def _send(self, socket: ClientConnection) -> None:
        with suppress(WebSocketException):
            while True:
                await socket.send(await self._out.get())

    def _say(self, words: Any) -> None:
        self._out.put_nowait(json.dumps(words))


def crew(place: Place) -> list[Player]:
    """Everybody of the five tables, known to the house."""
    players: list[Player] = []
    signer = identity.signer(identity.signing_key(place.folder), salt="tapete/me/1")
    with place.store() as store:
        for code in GAMES:
            for role in (HOST,) if code in ALONE else (HOST, GUEST):
                one = AtBrowser(code, role, rounds=ROUNDS, alone=code in ALONE, backs=code in BACKED)
                one.cookie = str(signer.dumps(store.person(one.name).id))
                players.append(one)
    return players


@contextmanager
def program(place: Place) -> Iterator[Program]:
    """The program, and its end."""
    one = Program(place)
    try:
        yield one
    finally:
        one.kill()


@pytest.mark.parametrize("seed", range(-(-KILLS // MOST)))
def test_the_program_killed_at_any_moment_loses_no_card_no_chip_and_no_turn(place: Place, seed: int) -> None:
    with place.store() as store, program(place) as server:
        lay_tables(store, seed=seed, pace="instant")
        session = Session(server, Witness(store), random.Random(seed), kills=min(KILLS, MOST), players=crew(place))
        died = asyncio.run(session.play())
    undisturbed = quiet(seed)
    for code in GAMES:
        assert session.witness.rounds(code) == undisturbed.rounds(code)
        assert session.witness.decisions(code) == undisturbed.decisions(code)
    assert died >= min(KILLS, MOST) // 2
    assert session.seen >= died * len(GAMES)
    assert sum(player.done_twice for player in session.players) == 0
    assert server.complaints() == []
