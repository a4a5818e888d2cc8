"""A live table within the test, on a real store, with people whose words and ears the test is."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any, Final

import msgspec

from tapete.events import Asks, Question
from tapete.fairness import Secret
from tapete.keeping import read_event
from tapete.rulefile import preset, set_
from tapete.server import messages as wire
from tapete.server.books import Books
from tapete.server.live import Config, LiveTable, Who
from tapete.server.pace import Pace
from tapete.server.workings import default
from tapete.stakes import Lock
from tapete.store import BANK, Store, purse, rack
from tapete.table import TableEvent

Json = dict[str, Any]
AT_ONCE: Final = Pace(None, None, 0, 0, 0)
"""No clock for people, no pause for the house."""
WITH_CLOCK: Final = Pace(None, 0.02, 0, 0, 0)
"""Who does not answer in a fiftieth of a second is answered for."""


_IDS: Final = count(1)


class Guest:
    """A person with one connection, or with several."""

    def __init__(self, felt: Felt, name: str) -> None:
        self.felt = felt
        self.who = Who(felt.store.person(name).id, name)
        self.heard: list[Json] = []

    async def come(self, connection: object | None = None) -> Json:
        """Connect; tells the snapshot."""
        key = connection if connection is not None else self
        snapshot: Json = json.loads(await self.felt.live.arrive(key, self.who.name, self._hear))
        return snapshot

    async def go(self, connection: object | None = None) -> None:
        """The connection breaks."""
        await self.felt.live.depart(connection if connection is not None else self)

    def _hear(self, raw: bytes) -> None:
        self.heard.append(json.loads(raw))

    def command(self, deed: Any, *, id: str = "", round: int = -1, seq: int = -1) -> wire.Command:  # noqa: A002
        """The deed as it would be sent now, or as it was sent when ``round`` and ``seq`` were the last ones seen."""
        live = self.felt.live
        return wire.Command(
            id or f"c{next(_IDS)}",
            live.table.number if round < 0 else round,
            live.seq if seq < 0 else seq,
            deed,
        )

    async def send(self, command: wire.Command) -> Json:
        """Send it; tells the answer."""
        answer: Json = json.loads(await self.felt.live.do(self.who, command))
        return answer

    async def do(self, *deeds: Any) -> None:
        """Do what must be accepted."""
        for deed in deeds:
            answer = await self.send(self.command(deed))
            assert answer["type"] == "accepted", (self.who.name, deed, answer)

    async def refused(self, deed: Any) -> str:
        """Try what must be refused; tells the code."""
        answer = await self.send(self.command(deed))
        assert answer["type"] == "rejected", (self.who.name, deed, answer)
        return str(answer["code"])

    @property
    def money(self) -> tuple[int, int]:
        """The units on the account and on the rack of this table, as the ledger has them."""
        store = self.felt.store
        return store.holds(purse(self.who.id)), store.racks(self.felt.live.id).get(self.who.id, 0)

    def entries(self) -> int:
        """How many times a round moved chips of this rack."""
        at = rack(self.who.id, table=self.felt.live.id)
        with self.felt.store._linked("read") as link:
            return len(link.ask(lambda connection: connection.exec_driver_sql(_ROUNDS.format(at.key)).all()))


_ROUNDS: Final = (
    "SELECT t.id FROM transfers t JOIN entries e ON e.transfer_id = t.id JOIN accounts a ON a.id = e.account_id"
    " WHERE t.why = 'round' AND a.name = '{}'"
)


class Felt:
    """A live table; :func:`felt` opens one."""

    def __init__(self, store: Store, live: LiveTable) -> None:
        self.store = store
        self.live = live

    def guest(self, name: str) -> Guest:
        return Guest(self, name)

    async def seated(self, **boxes: int) -> list[Guest]:
        """These people, each connected and on a box."""
        guests = [self.guest(name) for name in boxes]
        for one, box in zip(guests, boxes.values(), strict=True):
            await one.come()
            await one.do(wire.Sit(box))
        return guests

    async def deal(self, *guests: Guest, bet: int = 1000) -> None:
        """A round begins, each with this bet on the first box of their own."""
        await self.rested()
        for one in guests:
            box = next(seat.box for seat in self.live.table.seats if seat.name == one.who.name)
            await one.do(wire.Bet(box, bet))
        for one in guests:
            await one.do(wire.Ready())

    async def rested(self) -> None:
        """The last round is cleared away."""
        live = self.live
        await until(lambda: live.rested and not live.table.playing and not live._lock.locked())

    @property
    def questions(self) -> tuple[Question, ...]:
        round_ = self.live.table.round
        return round_.waits.questions if round_ is not None and isinstance(round_.waits, Asks) else ()

    async def finish(self, *guests: Guest) -> None:
        """Everybody answers by default until the round is over."""
        while self.live.table.playing:
            question = self.questions[0]
            stated = default(question)
            one = next(one for one in guests if one.who.name == question.bettor)
            await one.do(wire.Decide(question.box, question.hand, stated.action))

    def log(self) -> list[TableEvent]:
        """The events on the disk."""
        return [read_event(event.payload) for event in self.store.events(self.live.id)]

    def rounds(self) -> int:
        """How many rounds began."""
        return sum(isinstance(event, Lock) for event in self.log())

    def whole(self) -> None:
        """The ledger and the log are whole, and the racks hold what the table says."""
        assert self.store.audit().faults == ()
        names = {one.id: one.name for one in self.store.people()}
        racks = {names[person]: chips for person, chips in self.store.racks(self.live.id).items()}
        assert racks == {one.name: one.chips for one in self.live.table.people if not one.bot}

    @property
    def bank(self) -> int:
        return self.store.holds(BANK)


def secrets(seed: int) -> Callable[[str], Secret]:
    """Shoes that are the same in every test with that seed."""
    return lambda shoe: Secret(hashlib.sha256(f"{seed} {shoe.rpartition('-')[2]}".encode()).digest())


@asynccontextmanager
async def felt(
    store: Store, game: str, *, seed: int = 1, pace: Pace = AT_ONCE, rules: Sequence[str] = ()
) -> AsyncIterator[Felt]:
    """A live table of that game, with switches of its own."""
    books = Books(store)
    config = Config(set_(preset(game), list(rules)) if rules else preset(game), game, "instant")
    which = store.open_table(kind="web", name=game, config=msgspec.json.encode(config))
    live = LiveTable(books, which, config, secrets(seed))
    live.pace = pace
    try:
        yield Felt(store, live)
    finally:
        live.halt()
        await asyncio.to_thread(books._tasks.put, None)
        await asyncio.to_thread(books._thread.join)


async def again(before: Felt, *, pace: Pace = AT_ONCE, seed: int = 1) -> Felt:
    """The table as another program takes it up from its log alone."""
    live = LiveTable(before.live.books, before.live.id, before.live.config, secrets(seed))
    live.pace = pace
    people = {one.name: one.id for one in before.store.people()}
    live.load([(event.seq, event.payload) for event in before.store.events(before.live.id)], people)
    return Felt(before.store, live)


async def until(happened: Callable[[], bool]) -> None:
    """Wait for it; not longer than a machine can take that is very busy."""
    for _ in range(4000):
        if happened():
            return
        await asyncio.sleep(0.005)
    raise AssertionError("it never happened")


def run(test: Callable[[Store], Coroutine[Any, Any, None]], folder: Path) -> None:
    """A test on a store of its own."""
    with Store(folder) as store:
        asyncio.run(test(store))
