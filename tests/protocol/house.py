"""A server in a process of its own, and players who talk to it as any program would: by HTTP and WebSocket alone."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Self

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tapete.store import BANK, ISSUANCE, Store
from tapete.store.ledger import purse, rack
from tests.protocol.schema import faults

Json = dict[str, Any]
PATIENCE = 30.0
"""Seconds after which a test gives up waiting; nothing is measured with it."""
SERVER = """
import sys
from tapete.server.pace import PACES, Pace
from tapete.server.serve import serve
from tapete.server.settings import Limits, NO_LIMITS, Settings
from tapete.words import words

PACES["brisk"] = Pace(bets=0.3, question=0.3, result=0, seeds=0.3, cut=0.3)
PACES["unhurried"] = Pace(bets=None, question=None, result=0, seeds=30, cut=30)
sys.exit(serve(words("en"), Settings(port=0, limits=eval(sys.argv[1])), browser=False))
"""


HARMLESS = ('"level": "info"', "Invalid UTF-8 sequence received from client", "Invalid HTTP request received")
"""What may stand in the log of a server that is well, whatever its clients do."""
CONNECTED: set[Player] = set()
"""Who has to hang up before a scenario is over."""


class House:
    """A running server and its data folder."""

    def __init__(self, folder: Path, *, limits: str = "NO_LIMITS") -> None:
        self.folder = folder
        self.limits = limits
        self.said = folder / "said"
        self.start()

    def start(self) -> None:
        """Opens the house, again with the same data."""
        surroundings = {**os.environ, "TAPETE_DATA": str(self.folder / "data"), "PYTHONUNBUFFERED": "1"}
        with self.said.open("ab") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-c", SERVER, self.limits], stdout=subprocess.PIPE, stderr=errors, env=surroundings
            )
        assert self.process.stdout is not None
        self.url = next(word for word in self.process.stdout.readline().decode().split() if word.startswith("http"))

    def stop(self) -> None:
        """Closes the house in an orderly way."""
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(PATIENCE) == 0
        assert self.process.stdout is not None
        self.process.stdout.close()

    def kill(self) -> None:
        """As when the plug is pulled."""
        self.process.kill()
        self.process.wait(PATIENCE)
        assert self.process.stdout is not None
        self.process.stdout.close()

    @property
    def complaints(self) -> str:
        """What the server wrote into its log, beyond that it is well."""
        lines = self.said.read_text("utf-8", errors="replace").splitlines()
        return "\n".join(line for line in lines if not any(one in line for one in HARMLESS))

    @contextlib.contextmanager
    def store(self) -> Iterator[Store]:
        """The data folder, to look into."""
        with Store(self.folder / "data") as store:
            yield store

    def money(self) -> dict[str, int]:
        """Every account with chips, by its name."""
        with self.store() as store:
            tables = [table.id for table in store.open_tables()]
            found = {BANK.key: store.holds(BANK), ISSUANCE.key: store.holds(ISSUANCE)}
            for person in store.people():
                found[purse(person.id).key] = store.balance(person.id)
            for table in tables:
                found |= {rack(person, table=table).key: units for person, units in store.racks(table).items()}
        return {name: units for name, units in found.items() if units}

    def check(self) -> None:
        """Everything that the books promise holds, and nothing was complained of."""
        with self.store() as store:
            assert store.audit().faults == ()
        assert self.process.poll() is None
        assert self.complaints == "", self.complaints


def run(scenario: Any) -> Any:
    """Plays a scenario to its end; one that hangs fails."""

    async def bounded() -> Any:
        try:
            return await asyncio.wait_for(scenario, 4 * PATIENCE)
        finally:
            while CONNECTED:
                await CONNECTED.pop().close()

    return asyncio.run(bounded())


class Player:
    """One person with one connection: what was heard, and the table as it follows from that."""

    def __init__(self, house: House, cookie: str) -> None:
        self.house = house
        self.cookie = cookie
        self.code = ""
        self.you = ""
        self.seq = 0
        self.view: Json = {}
        self.room: Json = {}
        self.about: Json = {}
        self.heard: list[Json] = []
        self.raw: list[str] = []
        self.closed: tuple[int, str] | None = None
        self._answers: dict[str, asyncio.Future[Json]] = {}
        self._news = asyncio.Event()
        self._ids = itertools.count(1)
        self._reader: asyncio.Task[None] | None = None
        self.socket: ClientConnection | None = None

    @property
    def number(self) -> int:
        """The person's number, which only the store knows."""
        with self.house.store() as store:
            return next(one.id for one in store.people() if one.name == self.you)

    def browser(self) -> httpx.AsyncClient:
        """Asks for pages and sends forms as this person."""
        headers = {"Origin": self.house.url} | ({"Cookie": self.cookie} if self.cookie else {})
        return httpx.AsyncClient(base_url=self.house.url, headers=headers, verify=False, timeout=PATIENCE)

    # --- the connection

    async def connect(self, code: str) -> Self:
        """Connects to a table, and hears its snapshot."""
        self.code = code
        address = self.house.url.replace("http", "ws", 1) + f"/ws/{code}"
        headers = {"Cookie": self.cookie} if self.cookie else {}
        self.socket = await connect(address, origin=self.house.url, additional_headers=headers, max_size=None)  # type: ignore[arg-type]
        self.closed, self.view, self.room = None, {}, {}
        self._reader = asyncio.create_task(self._read(self.socket))
        CONNECTED.add(self)
        await self.until(lambda: bool(self.view and self.room) or self.closed is not None)
        return self

    async def _read(self, socket: ClientConnection) -> None:
        try:
            async for raw in socket:
                self._hear(raw if isinstance(raw, str) else raw.decode())
        except ConnectionClosed:
            pass
        self.closed = (socket.close_code or 0, socket.close_reason or "")
        self._news.set()

    def _hear(self, raw: str) -> None:
        message = json.loads(raw)
        self.raw.append(raw)
        self.heard.append(message)
        kind = message["type"]
        if kind == "snapshot":
            self.seq, self.view, self.you, self.about = (message[name] for name in ("seq", "view", "you", "about"))
        elif kind == "update":
            self._follow(message)
        elif kind == "room":
            self.room = message
        elif kind in ("accepted", "rejected") and message["id"] in self._answers:
            self._answers.pop(message["id"]).set_result(message)
        self._news.set()

    def _follow(self, update: Json) -> None:
        assert [told["seq"] for told in update["events"]] == list(range(self.seq + 1, update["seq"] + 1))
        self.seq = update["seq"]
        changes = dict(update["changes"])
        for number, box in changes.pop("boxes", {}).items():
            self.view["boxes"][int(number) - 1] = box
        self.view |= changes

    async def until(self, done: Callable[[], bool]) -> None:
        """Listens until that is so."""

        async def listen() -> None:
            while not done():
                self._news.clear()
                await self._news.wait()

        await asyncio.wait_for(listen(), PATIENCE)

    async def close(self) -> None:
        """Hangs up."""
        if self.socket is not None:
            await self.socket.close()
        if self._reader is not None:
            await self._reader

    async def again(self) -> Self:
        """Hangs up, and connects to the same table."""
        await self.close()
        return await self.connect(self.code)

    # --- commands

    def command(self, deed: Json, **other: Any) -> Json:
        """A command with that deed, as of now; ``other`` fields replace its own."""
        return {"id": f"c{next(self._ids)}", "round": self.view["round"], "seq": self.seq, "deed": deed} | other

    async def send(self, command: Json) -> asyncio.Future[Json]:
        """Sends a command; the answer is still to come."""
        future = self._answers[command["id"]] = asyncio.get_running_loop().create_future()
        await self.say(json.dumps(command))
        return future

    async def say(self, raw: str | bytes, *, text: bool | None = None) -> None:
        """Sends anything."""
        assert self.socket is not None
        await self.socket.send(raw, text=text)

    async def ask(self, deed: str, /, **fields: Any) -> Json:
        """The answer to a deed."""
        return await asyncio.wait_for(await self.send(self.command({"do": deed, **fields})), PATIENCE)

    async def do(self, deed: str, /, **fields: Any) -> Json:
        """Does a deed that has to be accepted."""
        answer = await self.ask(deed, **fields)
        assert answer["type"] == "accepted", answer
        return answer

    async def refused(self, deed: str, /, **fields: Any) -> str:
        """The code with which a deed is refused, which has to change nothing that anyone could see."""
        before = (self.seq, json.dumps(self.view), len(self.heard))
        answer = await self.ask(deed, **fields)
        assert answer["type"] == "rejected", answer
        assert (self.seq, json.dumps(self.view), len(self.heard) - 1) == before
        return str(answer["code"])

    # --- play

    @property
    def chips(self) -> int:
        """The chips that lie on no box."""
        return next(int(one["chips"]) for one in self.view["people"] if one["name"] == self.you)

    @property
    def boxes(self) -> list[int]:
        """The boxes that this person holds."""
        return [one["box"] for one in self.view["boxes"] if one["holder"] == self.you]

    def questions(self) -> list[Json]:
        """What this person is asked."""
        return [one for one in self.view["questions"] if one["bettor"] == self.you]

    @property
    def playing(self) -> bool:
        """Whether a round is in play."""
        return bool(self.view["phase"] != "bets")

    async def decide(self, question: Json, action: str) -> Json:
        """Answers a question."""
        return await self.do("decide", box=question["box"], hand=question["hand"], action=action)

    def wish(self, question: Json) -> str:
        """A modest answer: no side bets, hit below 14, else stand."""
        for action in ("no_insurance", "stay", "keep"):
            if action in question["legal"]:
                return action
        hand = self.view["boxes"][question["box"] - 1]["hands"][question["hand"] - 1]
        wanted = "hit" if hand["total"] < 14 else "stand"
        return wanted if wanted in question["legal"] else question["legal"][0]

    def validate(self) -> None:
        """Holds everything that was heard against the published schema."""
        for message in self.heard:
            assert faults(message, "ServerMessage") == [], message


async def guest(house: House) -> Player:
    """Somebody new."""
    async with Player(house, "").browser() as web:
        (await web.get("/")).raise_for_status()
        return Player(house, "; ".join(f"{name}={value}" for name, value in web.cookies.items()))


async def open_table(player: Player, preset: str = "casino", *, pace: str = "instant", **fields: str) -> str:
    """Opens a table; tells its code."""
    async with player.browser() as web:
        answer = await web.post("/tables", data={"preset": preset, "pace": pace, **fields})
        assert answer.status_code == 303, answer.text
        return answer.headers["location"].rpartition("/")[2]


@contextlib.asynccontextmanager
async def company(
    house: House, count: int, preset: str = "casino", *, pace: str = "instant", seated: bool = True
) -> AsyncIterator[list[Player]]:
    """So many people at a new table, on boxes 1, 2 …; what they heard is checked when they part."""
    players = [await guest(house) for _ in range(count)]
    code = await open_table(players[0], preset, pace=pace)
    for box, player in enumerate(players, 1):
        await player.connect(code)
        if seated:
            await player.do("sit", box=box)
    try:
        yield players
    finally:
        for player in players:
            await player.close()
    for player in players:
        player.validate()


async def level(players: Sequence[Player]) -> int:
    """Waits until all of them know the same events; tells the number of the last."""
    newest = max(player.seq for player in players)
    for player in players:
        await player.until(lambda player=player: player.seq >= newest)  # type: ignore[misc]
    return newest


async def begin(players: Sequence[Player], *, amount: int = 1000) -> None:
    """All of them bet on each of their boxes and are ready; waits until the cards are dealt."""
    before = players[0].view["round"]
    for player in players:
        for box in player.boxes:
            await player.do("bet", box=box, amount=amount)
    for player in players:
        await player.do("ready")
    for player in players:
        await player.until(lambda player=player: player.view["round"] == before + 1)  # type: ignore[misc]


async def finish(players: Sequence[Player], wish: Callable[[Player, Json], str] = Player.wish) -> None:
    """They answer whatever they are asked until the round is over."""
    while True:
        await level(players)
        if not players[0].playing:
            return
        await next(answering(players, wish))


def answering(players: Sequence[Player], wish: Callable[[Player, Json], str] = Player.wish) -> Iterator[Any]:
    """The answer to the first question that any of them is asked."""
    for player in players:
        for question in player.questions():
            yield player.decide(question, wish(player, question))
            return
    raise AssertionError(f"nobody is asked: {players[0].view['questions']}")
