"""The exchange that docs/protocol.md shows, played at a real table whose secrets are fixed: it can be redone."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, Final

import msgspec

from tapete.fairness import seeded_secret
from tapete.rulefile import preset
from tapete.server import messages as wire
from tapete.server.books import Books
from tapete.server.live import Config, LiveTable, Who
from tapete.store import Store

SEED: Final = "c0ffee"
SECRET: Final = 4
"""Makes the hand that is played here."""
LONGEST: Final = 150
"""Parts of a message that are longer than this are left out on the page."""


class Exchange:
    """One client at one table, and the lines that the page shows of what they say to each other."""

    def __init__(self, live: LiveTable, who: Who) -> None:
        self.live = live
        self.who = who
        self.lines: list[str] = []
        self._sent = 0
        self._room: object = None

    def hear(self, raw: bytes) -> None:
        """Notes what the server says, unless it repeats the room."""
        message = json.loads(raw)
        if message["type"] == "room":
            if message["clock"]:
                message["clock"]["ends_in"] = float(message["clock"]["total"])  # however busy this machine is
            if message == self._room:
                return
            self._room = message
        self.lines.append("< " + _text(_short(message)))

    async def do(self, deed: wire.Deed, *, id: str = "", seq: int | None = None) -> None:  # noqa: A002  (its wire name)
        """Sends a deed and notes both ways."""
        self._sent += 1
        seen = self.live.seq if seq is None else seq
        command = wire.Command(id or f"ana-{self._sent}", self.live.table.number, seen, deed)
        self.lines += ["", "> " + _text(json.loads(msgspec.json.encode(command)))]
        self.hear(await self.live.do(self.who, command))


def _short(part: Any) -> Any:
    """A message without its longest parts."""
    if isinstance(part, dict):
        return {key: _short(value) for key, value in part.items()}
    if isinstance(part, list):
        kept = [_short(one) for one in part]
        return kept if len(_text(kept)) <= LONGEST or len(kept) <= 1 else [kept[0], "…"]
    return part if not isinstance(part, str) or len(part) < 64 else part[:8] + "…"


def _text(part: Any) -> str:
    return json.dumps(part, ensure_ascii=False, separators=(",", ":"))


async def play(folder: Path) -> list[str]:
    """The lines of the exchange, played with a data folder of its own."""
    books = Books(Store(folder))
    try:
        return (await _played(books)).lines
    finally:
        await books.aclose()


async def _played(books: Books) -> Exchange:
    ana = await books.write(lambda deeds: deeds.person("Ana"))
    config = Config(preset("casino"), code="q7Ty-Wb1", pace="none")
    which = await books.write(lambda deeds: deeds.open_table(kind="web", name=config.code, config=b""))
    live = LiveTable(books, which, config, lambda _: seeded_secret(SECRET))
    exchange = Exchange(live, Who(ana.id, ana.name))
    exchange.lines.append("> GET /ws/q7Ty-Wb1, with the headers Origin and Cookie")
    await _arrive(exchange)
    await _round(exchange)
    live.halt()
    return exchange


async def _arrive(exchange: Exchange) -> None:
    """The snapshot is the first message, whatever the table told while it was made."""
    line, exchange.lines = exchange.lines, []
    first = await exchange.live.arrive(exchange, "Ana", exchange.hear)
    told, exchange.lines = exchange.lines, line
    exchange.hear(_without_rules(first))
    exchange.lines += told


def _without_rules(raw: bytes) -> bytes:
    """The first message with as much of its rules as shows what they look like."""
    first = json.loads(raw)
    for name in ("rules", "clauses"):
        first["about"][name] = dict(list(first["about"][name].items())[:1]) | {"…": "…"}
    return json.dumps(first).encode()


async def _round(exchange: Exchange) -> None:
    live = exchange.live
    await exchange.do(wire.Sit(1))
    await exchange.do(wire.PromiseSeed(hashlib.sha256(bytes.fromhex(SEED)).hexdigest()))
    await exchange.do(wire.Bet(1, 1000))
    await exchange.do(wire.Ready())
    await exchange.do(wire.OpenSeed(SEED))
    await exchange.do(wire.Cut(100))
    seen = live.seq
    await exchange.do(wire.Decide(1, 1, "split"))
    await exchange.do(wire.Decide(1, 1, "hit"), id="again")
    exchange.lines += ["", "the same once more, as after a broken connection:"]
    await exchange.do(wire.Decide(1, 1, "hit"), id="again", seq=seen)
    exchange.lines += ["", "and a second one, meant for the question that is answered already:"]
    await exchange.do(wire.Decide(1, 1, "hit"), seq=seen)
    await exchange.do(wire.Decide(1, 1, "stand"))
