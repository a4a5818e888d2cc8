"""How many people does one server bear, and how long does each wait for what he does?

    .venv/bin/python bench/server.py                               1,000 players at 200 tables, 500 commands a second
    .venv/bin/python bench/server.py --players 100,300,1000,2000   how it grows
    .venv/bin/python bench/server.py --profile                     where the time goes (needs py-spy)

The server is a real process: ``tapete serve`` without limits, with a database of its own on this machine's disk. The
players are one other process: five to a table, each with a WebSocket of its own, at tables of pace ``instant``. They
bet, say that they are ready, and answer what they are asked; the load generator sends so many commands a second in
all, spread evenly, each at a table by chance that has answered the one before. Measured is the time from the sending
of a command to the event that it makes, on the connection that sent it (to the answer where it makes none). What a
round owes by itself, the cards and the results, comes within that event. Afterwards the books are audited and every
rack is compared with what its player was told.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from tapete.rulefile import preset
from tapete.server.identity import COOKIE, signer, signing_key
from tapete.server.live import Config
from tapete.server.registry import KIND
from tapete.store import BANK, ISSUANCE, Store

AT_A_TABLE: Final = 5
BET: Final = 1000
WARM: Final = 10.0
"""Seconds before the measurement begins: by then no two tables are at the same point of a round."""
SERVER: Final = """
import sys
from tapete.server.serve import serve
from tapete.server.settings import NO_LIMITS, Settings
from tapete.words import words
sys.exit(serve(words("en"), Settings(port=0, limits=NO_LIMITS), browser=False))
"""


# --- the house


class Person(msgspec.Struct):
    """One player to be: the cookie, the table's code and the box."""

    name: str
    cookie: str
    code: str
    box: int


def furnish(folder: Path, players: int) -> list[Person]:
    """A data folder with so many people and the tables for them."""
    key = signer(signing_key(folder), salt="tapete/me/1")
    people: list[Person] = []
    with Store(folder) as store, store.transaction() as deeds:
        for number in range(players):
            if number % AT_A_TABLE == 0:
                code = f"bench{number // AT_A_TABLE}"
                config = Config(preset("casino"), code, pace="instant")
                deeds.open_table(kind=KIND, name=code, config=msgspec.json.encode(config))
            one = deeds.person(f"Player {number}")
            people.append(Person(one.name, f"{COOKIE}={key.dumps(one.id)}", code, number % AT_A_TABLE + 1))
    return people


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """A server over that folder, and its address."""
    surroundings = {**os.environ, "TAPETE_DATA": str(folder)}
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, stderr=log, env=surroundings)
        assert process.stdout is not None
        try:
            line = process.stdout.readline().decode()
            yield process, next(word for word in line.split() if word.startswith("http"))
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(30)
            process.stdout.close()


def memory(process: int) -> dict[str, float]:
    """The resident memory of a process in MiB, now and at most."""
    lines = dict(line.split(":", 1) for line in Path(f"/proc/{process}/status").read_text().splitlines())
    return {name: int(lines[name].split()[0]) / 1024 for name in ("VmRSS", "VmHWM")}


def cpu(process: int) -> float:
    """The CPU time of a process so far, in seconds."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# --- the players


class Table:
    """What the players of one table know of it together, and whose move is next."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.seats: list[Line] = []
        self.seq = 0
        self.round = 0
        self.playing = False
        self.questions: list[dict[str, Any]] = []
        self.chips: dict[str, int] = {}
        self.todo: deque[tuple[int, dict[str, Any]]] = deque()
        self.busy = False

    def learn(self, view: dict[str, Any]) -> None:
        """Takes in a view or its changes."""
        self.round = view.get("round", self.round)
        self.questions = view.get("questions", self.questions)
        if "phase" in view:
            self.playing = view["phase"] != "bets"
        for one in view.get("people", ()):
            self.chips[one["name"]] = one["chips"]

    def next(self) -> tuple[Line, dict[str, Any]] | None:
        """Who does what next; None while the table is at work by itself."""
        if self.questions:
            return self._answer(self.questions[0])
        if self.playing:
            return None
        if not self.todo:
            seats = range(len(self.seats))
            self.todo.extend((seat, self._bet(self.seats[seat])) for seat in seats)
            self.todo.extend((seat, {"do": "ready"}) for seat in seats)
        seat, deed = self.todo.popleft()
        return self.seats[seat], deed

    def _bet(self, line: Line) -> dict[str, Any]:
        broke = self.chips.get(line.person.name, BET) < BET
        return {"do": "refill"} if broke else {"do": "bet", "box": line.person.box, "amount": BET}

    def _answer(self, asked: dict[str, Any]) -> tuple[Line, dict[str, Any]] | None:
        line = next(line for line in self.seats if line.person.name == asked["bettor"])
        wishes = ("no_insurance", "keep", "stay", "stand" if (self.seq + asked["hand"]) % 3 else "hit", "stand", "hit")
        action = next(wish for wish in wishes if wish in asked["legal"])
        return line, {"do": "decide", "box": asked["box"], "hand": asked["hand"], "action": action}


class Line(asyncio.Protocol):
    """One player's WebSocket, as little of it as this needs: the generator must not be slower than the server."""

    def __init__(self, person: Person, table: Table, crowd: Crowd) -> None:
        self.person = person
        self.table = table
        self.crowd = crowd
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._buffer = bytearray()
        self._open = False
        self._sent = 0.0
        self._heard = 0.0
        self._number = 0
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Asks for a WebSocket."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        lines = (
            f"GET /ws/{self.table.code} HTTP/1.1", f"Host: {self.crowd.host}", f"Origin: http://{self.crowd.host}",
            f"Cookie: {self.person.cookie}", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "", "",
        )  # fmt: skip
        transport.write("\r\n".join(lines).encode())

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  (asyncio's own signature)
        """Nobody should be lost while it is measured."""
        if not self.crowd.over:
            self.crowd.errors["connection lost"] += 1

    def data_received(self, data: bytes) -> None:
        """Takes frames apart."""
        self._buffer += data
        if not self._open:
            head, found, rest = bytes(self._buffer).partition(b"\r\n\r\n")
            if not found:
                return
            assert head.startswith(b"HTTP/1.1 101"), head
            self._open, self._buffer = True, bytearray(rest)
        while (frame := self._frame()) is not None:
            kind, payload = frame
            if kind == 1:
                self._hear(payload)
            elif kind == 9:
                self._write(0x8A, payload)

    def _frame(self) -> tuple[int, bytes] | None:
        buffer = self._buffer
        if len(buffer) < 2:
            return None
        length, start = buffer[1] & 127, 2
        if length >= 126:
            start = 4 if length == 126 else 10
            length = int.from_bytes(buffer[2:start], "big")
        if len(buffer) < start + length:
            return None
        payload = bytes(buffer[start : start + length])
        kind = buffer[0] & 15
        del buffer[: start + length]
        return kind, payload

    def _write(self, first: int, payload: bytes) -> None:
        length = len(payload)
        head = bytes([first, 0x80 | length]) if length < 126 else bytes([first, 0xFE]) + length.to_bytes(2, "big")
        assert self._transport is not None
        self._transport.write(head + b"\0\0\0\0" + payload)  # a mask of zeros leaves the payload as it is

    def _hear(self, raw: bytes) -> None:
        if raw.startswith(b'{"type":"update"'):
            self._heard = time.perf_counter()
            if int(raw[23 : raw.index(b",", 23)]) > self.table.seq:
                message = msgspec.json.decode(raw)
                self.table.seq = message["seq"]
                self.table.learn(message["changes"])
        elif raw.startswith(b'{"type":"accepted"'):
            self._answered()
        elif raw.startswith(b'{"type":"rejected"'):
            self.crowd.errors[msgspec.json.decode(raw)["code"]] += 1
            self._answered(refused=True)
        elif raw.startswith(b'{"type":"snapshot"'):
            message = msgspec.json.decode(raw)
            self.table.seq = message["seq"]
            self.table.learn(message["view"])
            self.ready.set_result(None)

    def _answered(self, *, refused: bool = False) -> None:
        now = time.perf_counter()
        if not refused:
            self.crowd.took.append((self._sent, (self._heard if self._heard > self._sent else now) - self._sent))
        self.table.busy = False

    def send(self, deed: dict[str, Any]) -> None:
        """Sends a command; its answer frees the table for the next one."""
        table = self.table
        table.busy = True
        self._number += 1
        command = {"id": f"{self._number}", "round": table.round, "seq": table.seq, "deed": deed}
        self._sent = time.perf_counter()
        self._write(0x81, msgspec.json.encode(command))

    def hang_up(self) -> None:
        """Ends the connection."""
        assert self._transport is not None
        self._transport.close()


class Crowd:
    """All players, and what they measured."""

    def __init__(self, host: str, people: list[Person]) -> None:
        self.host = host
        self.took: list[tuple[float, float]] = []
        self.errors: Counter[str] = Counter()
        self.missed = 0
        self.over = False
        self.tables = {person.code: Table(person.code) for person in people}
        self._all = list(self.tables.values())
        self._chance = random.Random(1)
        self._people = people

    async def come(self) -> None:
        """Everybody connects and sits down, fifty at a time."""
        loop = asyncio.get_running_loop()
        host, _, port = self.host.partition(":")
        for start in range(0, len(self._people), 50):
            made = [Line(one, self.tables[one.code], self) for one in self._people[start : start + 50]]
            await asyncio.gather(*(loop.create_connection(lambda one=one: one, host, int(port)) for one in made))  # type: ignore[misc]
            await asyncio.gather(*(one.ready for one in made))
            for one in made:
                one.table.seats.append(one)
        for seat in range(AT_A_TABLE):
            for table in self.tables.values():
                if seat < len(table.seats):
                    table.seats[seat].send({"do": "sit", "box": table.seats[seat].person.box})
            while any(table.busy for table in self.tables.values()):
                await asyncio.sleep(0.01)

    async def play(self, rate: float, seconds: float) -> None:
        """Sends so many commands a second; a table that is at work is passed over for the next one."""
        began, sent = time.perf_counter(), 0
        while (now := time.perf_counter()) - began < seconds:
            due = int((now - began) * rate) + 1
            while sent < due:
                sent += 1
                self.missed += not self._one()
            await asyncio.sleep(max(0.0, began + sent / rate - time.perf_counter()))

    def _one(self) -> bool:
        """Sends the next command of some table that is not at work; tells whether there is one."""
        for table in self._chance.sample(self._all, min(20, len(self._all))):
            step = None if table.busy else table.next()
            if step is not None:
                step[0].send(step[1])
                return True
        return False

    async def end(self) -> None:
        """Waits for the last answers and hangs up."""
        for _ in range(300):
            if not any(table.busy for table in self.tables.values()):
                break
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.5)
        self.over = True
        for table in self.tables.values():
            for line in table.seats:
                line.hang_up()


def profile(job: dict[str, Any]) -> subprocess.Popen[bytes]:
    """Watches the server while it is measured; it writes folded stacks, for a flame graph."""
    what = ("-p", str(job["server"]), "-d", str(int(job["seconds"])), "-f", "raw", "-r", "200", "--gil")
    return subprocess.Popen(["py-spy", "record", *what, "-o", job["profile"]], stdout=subprocess.DEVNULL)


async def generate(job: dict[str, Any]) -> dict[str, Any]:
    """The load: comes, warms up, is measured, goes; tells what it found."""
    crowd = Crowd(job["host"], [Person(**one) for one in job["people"]])
    began = time.perf_counter()
    await crowd.come()
    came = time.perf_counter() - began
    await crowd.play(job["rate"], WARM)
    spy = profile(job) if job["profile"] else None
    crowd.missed, begun, before, own = 0, time.perf_counter(), cpu(job["server"]), time.process_time()
    await crowd.play(job["rate"], job["seconds"])
    spent, own, lasted = cpu(job["server"]) - before, time.process_time() - own, time.perf_counter() - begun
    rss = memory(job["server"])
    await crowd.end()
    if spy is not None:
        spy.wait(60)
    took = sorted(took for sent, took in crowd.took if sent >= begun)
    chips = {name: chips for table in crowd.tables.values() if not table.playing for name, chips in table.chips.items()}
    return {
        "came": came, "lasted": lasted, "commands": len(took), "missed": crowd.missed, "errors": crowd.errors,
        "p50": took[len(took) // 2], "p99": took[len(took) * 99 // 100], "max": took[-1], "cpu": spent, "own": own,
        "rss": rss, "chips": chips, "rounds": sum(table.round for table in crowd.tables.values()),
    }  # fmt: skip


# --- the measurement


def audit(folder: Path, chips: dict[str, int]) -> list[str]:
    """What is wrong with the books afterwards."""
    with Store(folder) as store:
        found = [str(fault) for fault in store.audit().faults]
        numbers = {one.name: one.id for one in store.people()}
        racks = {person: units for table in store.open_tables() for person, units in store.racks(table.id).items()}
        total = store.holds(BANK) + store.holds(ISSUANCE) + sum(racks.values())
        total += sum(store.balance(person) for person in numbers.values())
        found += [f"all accounts together: {total}"] if total else []
        found += [
            f"{name} was told of {told}" for name, told in chips.items() if not _right(racks[numbers[name]], told)
        ]
        return found


def _right(rack: int, told: int) -> bool:
    """Whether a rack holds what its player was told: all chips, or all but the bet that lies ready."""
    return rack - told in (0, BET)


def measure(players: int, options: argparse.Namespace) -> bool:
    """Measures with so many players, prints a line, and tells whether all was right."""
    with tempfile.TemporaryDirectory(prefix="tapete-bench-", dir=options.data) as name:
        folder = Path(name)
        people = furnish(folder, players)
        with serving(folder) as (server, url):
            job = {
                "host": url.removeprefix("http://"), "people": [msgspec.to_builtins(one) for one in people],
                "rate": options.rate, "seconds": options.seconds, "server": server.pid, "profile": options.profile,
            }  # fmt: skip
            load = [sys.executable, __file__, "--generate"]
            done = subprocess.run(load, input=json.dumps(job), stdout=subprocess.PIPE, text=True, check=True)
        found = json.loads(done.stdout)
        faults = audit(folder, found["chips"])
        faults += [line for line in (folder / "log").read_text().splitlines() if '"level": "info"' not in line][:5]
    print(line_of(players, found), flush=True)
    for fault in [*faults, *(f"{count} x {code}" for code, count in found["errors"].items())]:
        print(f"    WRONG: {fault}")
    return not faults and not found["errors"]


HEAD: Final = (
    "players  tables  commands/s    p50 ms    p99 ms    max ms  CPU ms/command  server CPU  RSS MiB  load CPU  rounds"
)


def line_of(players: int, found: dict[str, Any]) -> str:
    """A line of the printed table."""
    rate = found["commands"] / found["lasted"]
    return (
        f"{players:7,}  {players // AT_A_TABLE:6}  {rate:10.0f}  {found['p50'] * 1000:8.1f}  {found['p99'] * 1000:8.1f}"
        f"  {found['max'] * 1000:8.1f}  {found['cpu'] / max(1, found['commands']) * 1000:14.2f}"
        f"  {found['cpu'] / found['lasted']:10.0%}  {found['rss']['VmHWM']:7.0f}  {found['own'] / found['lasted']:8.0%}"
        f"  {found['rounds']:6}" + (f"  ({found['missed']} not sent: all tables at work)" if found["missed"] else "")
    )


def main() -> int:
    """Reads the options and measures."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--players", default="1000", help="how many, or several numbers with commas between them")
    options.add_argument("--rate", type=float, default=500, help="commands a second in all")
    options.add_argument("--seconds", type=float, default=15, help="how long each measurement lasts")
    options.add_argument("--data", help="a folder on the disk that is to be measured")
    options.add_argument("--profile", metavar="FILE", help="where py-spy writes its stacks")
    options.add_argument("--generate", action="store_true", help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.generate:
        print(json.dumps(asyncio.run(generate(json.load(sys.stdin)))))
        return 0
    print(HEAD)
    right = [measure(int(number), chosen) for number in chosen.players.split(",")]
    return 0 if all(right) else 1


if __name__ == "__main__":
    sys.exit(main())
