"""A live table: the one actor that owns a table's fold, its house and its clock.

Everything that changes the table goes through one lock, in this order: the fold accepts the events, the books bring
them to the disk with the chips that they move, and only then is anyone told. If the books cannot keep them, the table
is read again from its log, as after a crash. What is not in the log (who is there, who is ready, whose time runs) is
the room.
"""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from tapete import table as tables
from tapete.errors import Refused, TapeteError
from tapete.events import Question, Voided
from tapete.fairness import Secret
from tapete.history import record_of
from tapete.history.records import Table as NamedRules
from tapete.house import House
from tapete.keeping import Move, comes_or_goes, keep, page
from tapete.rulefile import Preset
from tapete.rules import digest
from tapete.server import between
from tapete.server import messages as wire
from tapete.server.books import Books
from tapete.server.clock import Grace, TableClock
from tapete.server.pace import PACES, Pace
from tapete.server.room import room
from tapete.server.told import explained, sentences
from tapete.server.workings import Key, boxes_short, changes, default, key_of, questions, replayed
from tapete.stakes import Lock
from tapete.strategy import SIMPLE
from tapete.table import Closing, Table, TableEvent
from tapete.view import shown, view

REMEMBERED: Final = 64
"""How many of a person's last commands are remembered, to answer one that comes twice."""
PATIENCE: Final = 2
"""After so many questions in a row that only the clock answered, a person sits out."""
LAST_ROUNDS: Final = 20
UNWRITTEN: Final = ("store.", "data.")
"""How the codes begin that tell of trouble with the books."""
TROUBLE: Final = 5.0
"""Seconds until what the books could not keep is tried again where only the clock would."""


class Who(NamedTuple):
    """A person as the session knows them."""

    id: int
    name: str


class Config(msgspec.Struct, frozen=True):
    """What a table was opened with: enough to rebuild it."""

    preset: Preset
    code: str
    pace: str = "normal"
    private: bool = False


Listener = Callable[[bytes], None]
Answer = TypeVar("Answer")


class LiveTable:
    """One table in play."""

    def __init__(self, books: Books, which: int, config: Config, secrets: Callable[[str], Secret]) -> None:
        self.books = books
        self.id = which
        self.config = config
        self.preset = config.preset
        self.pace: Pace = PACES[config.pace]
        self._secrets = secrets
        self._named = NamedRules.of(config.preset)
        self._lock = asyncio.Lock()
        self.table = Table(config.preset.rules)
        self.seq = 0
        self.house = self._new_house()
        self._view = view(self.table)
        self._asked: dict[Key, int] = {}
        self._told: list[wire.Told] = []
        self.ids: dict[str, int] = {}
        self._answers: dict[str, OrderedDict[str, bytes]] = {}
        self._listeners: dict[object, tuple[str, Listener]] = {}
        self.ready: set[str] = set()
        self.late: dict[str, int] = {}
        self.requests: list[wire.Request] = []
        self.closed = False
        self.clock = TableClock(self._ring)
        self.grace = Grace()
        self.task: asyncio.Task[None] | None = None
        """What the end of the grace does."""
        self._moved = 0
        """The number of the last event of a round, from which a question's time counts."""
        self._room_told: object = None
        self.rested = True
        self._broken = False
        """Whether a deed failed halfway, so that only the log tells how the table stands."""
        self.cutter = ""
        self.on_closed: Callable[[LiveTable], None] = lambda _: None

    def _new_house(self) -> House:
        rules = self.preset.rules
        return House(rules, digest=digest(rules), secret_for=self._secrets, prefix=f"t{self.id}-")

    # --- reading the log

    def load(self, payloads: Iterable[tuple[int, bytes]], people: dict[str, int]) -> None:
        """Takes the table up from its log."""
        self.ids = dict(people)
        self.house, self._told = self._new_house(), []
        self.table, self.seq, last = replayed(self.preset.rules, self.house, payloads)
        for seq, move in enumerate(last, start=self.seq - len(last) + 1):
            self._note(move, seq)
        self._view = view(self.table)
        self._moved = self.seq
        self._open_questions()

    def go_on(self) -> None:
        """Goes on after a restart: the time for a question runs, whoever is back; nothing begins without the others."""
        self.grace.begin()
        self.rested = self.table.playing or not (self.table.leaving or self.table.closing)
        self.arm()

    async def _mend(self) -> None:
        """Reads the table again from its log, as after a crash, if a deed has failed halfway. Raises StoreError.

        Should the log have that deed after all (its connection broke at the wrong moment), everyone is told anew.
        """
        if not self._broken:
            return
        seq, was_playing = self.seq, self.table.playing
        kept = await self.books.read(lambda store: store.events(self.id))
        self.load([(event.seq, event.payload) for event in kept], self.ids)
        self._broken = False
        if self.seq == seq:
            return
        if was_playing and not self.table.playing:
            self.rested = False
        for name, listener in list(self._listeners.values()):
            listener(wire.ENCODER.encode(self.snapshot(name)))
        self.arm()

    def _note(self, move: Move, seq: int) -> wire.Told:
        told = wire.Told(seq, shown(move.event), sentences(move))
        if isinstance(move.event, Lock):
            self._told = []
        self._told.append(told)
        return told

    # --- one command

    async def do(self, who: Who, command: wire.Command) -> bytes:
        """The answer to a person's command: accepted, or rejected with nothing changed."""
        return await self._undisturbed(partial(self._do, who, command))

    def answered(self, who: Who, command: wire.Command) -> bool:
        """Whether a command with that id has its answer already."""
        return command.id in self._answers.get(who.name, ())

    async def _do(self, who: Who, command: wire.Command) -> bytes:
        known = self._answers.setdefault(who.name, OrderedDict())
        if command.id in known:
            return known[command.id]
        told = await self._answer(who, command)
        answer = wire.ENCODER.encode(told)
        if isinstance(told, wire.Rejected) and told.code.startswith(UNWRITTEN):
            return answer  # it may be sent again, and be done then
        known[command.id] = answer
        while len(known) > REMEMBERED:
            known.popitem(last=False)
        return answer

    async def _answer(self, who: Who, command: wire.Command) -> wire.Accepted | wire.Rejected:
        from tapete.server.deeds import perform  # noqa: PLC0415  (deeds know the table, the table only this door)

        try:
            if self.closed:
                raise Refused("command.closed")
            await self._mend()
            self.ids[who.name] = who.id
            await perform(self, who, command)
        except TapeteError as error:
            return wire.Rejected(command.id, error.code, explained(error))
        self.late.pop(who.name, None)
        self.tell_room()
        return wire.Accepted(command.id, self.seq)

    # --- changing the table

    async def commit(self, events: Sequence[TableEvent]) -> None:
        """Gives the events to the table, with all that follows by itself, keeps them, and tells everyone.

        Raises Refused with nothing changed.
        """
        if not events:
            return
        accepted = self._accepted(events)
        self._broken = True  # until it is kept: the house changes as it serves
        moves = self._moves(events, accepted)
        await self._keep(moves)
        self._broken = False
        self._publish(moves)

    async def _keep(self, moves: list[Move]) -> None:
        first, person_id = self.seq + 1, self.ids.__getitem__
        if comes_or_goes(moves):
            await self.books.write(partial(keep, which=self.id, moves=moves, first_seq=first, person_id=person_id))
        else:
            await self.books.keep(partial(page, self.id, moves, first_seq=first, person_id=person_id))

    def _accepted(self, events: Sequence[TableEvent]) -> list[Table]:
        """The table after each event. Raises Refused where it accepts one not, before the house has seen any."""
        accepted = [self.table]
        for event in events:
            accepted.append(tables.apply(accepted[-1], event))
        return accepted[1:]

    def _moves(self, events: Sequence[TableEvent], accepted: Sequence[Table]) -> list[Move]:
        moves: list[Move] = []
        now = self.table
        for event, after in zip(events, accepted, strict=True):
            now = self._step(moves, now, event, after)
        while (owed := self._owed(now)) is not None:
            now = self._step(moves, now, owed, tables.apply(now, owed))
        return moves

    def _step(self, moves: list[Move], before: Table, event: TableEvent, after: Table) -> Table:
        self.house.saw(before, event, after)
        record = None
        if before.playing and not after.playing and after.round is not None:
            record = record_of(
                after.round,
                after.events,
                number=after.number,
                table=self._named,
                shoe=before.shoe,
                first=sum(before.spent),
            )
        moves.append(Move(before, event, after, record))
        return after

    def _owed(self, table: Table) -> TableEvent | None:
        """What follows by itself: the house's cards, and the answers of bots and of people who have left."""
        if (owed := self.house.owes(table)) is not None:
            return owed
        for question in questions(table):
            if tables.person(table, question.bettor).bot and table.round is not None:
                return SIMPLE.answer(table.round, question)
            if question.bettor in table.leaving:
                return default(question)
        return None

    def _publish(self, moves: Sequence[Move]) -> None:
        told = []
        for move in moves:
            self.seq += 1
            told.append(self._note(move, self.seq))
            if move.after.round is not move.before.round:
                self._moved = self.seq
        before, then = self._view, self.table
        self.table = moves[-1].after
        self._view = view(self.table, (then, before))
        self._open_questions()
        if any(move.before.playing and not move.after.playing for move in moves):
            self.rested = False
            self.ready.clear()
        self._send(wire.Update(self.seq, tuple(told), changes(before, self._view)))
        self.arm()

    # --- questions and clocks

    def _open_questions(self) -> None:
        now = {key_of(self.table, question): question for question in questions(self.table)}
        self._asked = {key: self._asked.get(key, self.seq) for key in now}

    def asked_at(self, question: Question) -> int:
        """The number of the event after which this question stood open."""
        return self._asked.get(key_of(self.table, question), self.seq)

    def arm(self) -> None:
        """Sets the clock for whatever the table waits for now; one that runs for the same thing runs on."""
        what, seconds = self._due()
        of = self._moved if what == "question" else self.table.number
        self.clock.run(what, None if self.closed else seconds, of=of)
        self.tell_room()

    def _due(self) -> tuple[str, float | None]:
        if self.table.playing:
            return ("question", self.pace.question) if questions(self.table) else ("", None)
        if not self.rested:
            return "result", self.pace.result
        return self._due_before_a_round()

    def _due_before_a_round(self) -> tuple[str, float | None]:
        opening, grace = self.table.opening, self.grace.left()
        if grace == math.inf:
            return "", None
        if opening is not None and opening.closed:
            what, seconds = ("cut", self.pace.cut) if self.cutter else ("seeds", self.pace.seeds)
            return what, max(seconds, grace if between.awaited(self) else 0)
        if self.table.bets and not self.table.paused and self.present() and not boxes_short(self.table):
            return "bets", self.pace.bets
        return "", None

    def _ring(self, what: str, of: int) -> None:
        self._task = asyncio.get_running_loop().create_task(self._rung(what, of))

    async def _rung(self, what: str, of: int) -> None:
        async with self._lock:
            if self.closed or what != self._due()[0] or (what == "question" and of != self._moved):
                return  # while this waited for its turn, the table went on
            try:
                await self._mend()
                await self._time_is_up(what)
            except TapeteError as error:
                await self._in_trouble(error)

    async def _time_is_up(self, what: str) -> None:
        if what == "question":
            await self.commit(self._defaults())
        elif what == "result":
            await between.rest(self)
            if not self.closed:
                await between.begin_if_all_are_ready(self)
        elif what == "seeds":
            await between.after_seeds(self)
        elif what == "cut":
            await between.cut_at(self, 0)
        elif what == "bets":
            await between.begin_round(self)

    def _defaults(self) -> list[TableEvent]:
        events: list[TableEvent] = []
        for question in questions(self.table):
            events.append(default(question))
            self.late[question.bettor] = self.late.get(question.bettor, 0) + 1
        return events

    async def _in_trouble(self, error: TapeteError) -> None:
        """The disk is full or the like: nothing was told; try again in a while."""
        self._send(wire.Bye(error.code))
        asyncio.get_running_loop().call_later(TROUBLE, self.arm)

    # --- between rounds

    async def close(self) -> None:
        """Ends the table between rounds: the shoe revealed, all chips back with their owners."""
        if self.table.playing:
            await self.commit([] if self.table.closing else [Closing()])
            return
        last = self.house.last_words(self.table)
        if last:
            await self.commit(last)
        await self.books.write(lambda deeds: deeds.close_table(self.id))
        self.halt()
        self._send(wire.Bye("table.closed"))
        self.on_closed(self)

    async def alone(self, deed: Callable[[], Awaitable[Any]], *, mend: bool = True) -> Any:
        """Does something to the table while nobody else does; ``mend`` is for what needs to know how it stands."""

        async def mended() -> Any:
            if mend:
                await self._mend()
            return await deed()

        return await self._undisturbed(mended)

    async def _undisturbed(self, deed: Callable[[], Awaitable[Answer]]) -> Answer:
        """Does something under the table's lock, and to its end even if whoever asked for it is cancelled."""

        async def locked() -> Answer:
            async with self._lock:
                return await deed()

        return await asyncio.shield(asyncio.create_task(locked()))

    def halt(self) -> None:
        """Does no more; the table can be taken up from its log."""
        self.closed = True
        self.clock.stop()

    async def void(self, cause: str) -> None:
        """Makes the round in play void."""

        async def deed() -> None:
            if self.table.playing:
                await self.commit([Voided(cause)])

        await self.alone(deed)

    # --- the room

    def sits_out(self, name: str) -> bool:
        """Whether the person has let the clock answer too often."""
        return self.late.get(name, 0) >= PATIENCE

    def present(self) -> set[str]:
        """The names of those who are connected."""
        return {name for name, _ in self._listeners.values() if name}

    def has_company(self) -> bool:
        """Whether anybody is connected, to play or to watch."""
        return bool(self._listeners)

    async def arrive(self, connection: object, name: str, listener: Listener) -> bytes:
        """Connects a listener; tells the snapshot that it begins with."""
        return await self._undisturbed(partial(self._arrive, connection, name, listener))

    async def _arrive(self, connection: object, name: str, listener: Listener) -> bytes:
        with suppress(TapeteError):  # a full disk keeps nobody from looking on
            await self._mend()
        self._listeners[connection] = (name, listener)
        self._room_told = None  # whoever comes has not been told
        between.is_back(self, name)
        self.late.pop(name, None)
        first = wire.ENCODER.encode(self.snapshot(name))
        if not self.table.playing and self.rested and not self.closed and not self._broken:
            with suppress(TapeteError):
                await between.tidy_up(self)
        self.arm()
        return first

    async def depart(self, connection: object) -> None:
        """A connection is gone; seats and bets stay."""
        await self._undisturbed(partial(self._depart, connection))

    async def _depart(self, connection: object) -> None:
        self._listeners.pop(connection, None)
        self.arm()
        if self.pace.bets is None and self.ready & self.present():  # no clock goes on without whoever has gone
            with suppress(TapeteError):
                await self._mend()
                await between.begin_if_all_are_ready(self)

    def snapshot(self, name: str) -> wire.Snapshot:
        """All that somebody needs who comes now."""
        from tapete.server.about import about  # noqa: PLC0415  (rule cards are needed by newcomers only)

        last = self.table.number - (1 if self.table.playing else 0)
        numbers = tuple(range(max(1, last - LAST_ROUNDS + 1), last + 1))
        return wire.Snapshot(
            wire.VERSION, self.seq, name, about(self.config), self._view, tuple(self._told[-400:]), numbers
        )

    def watchers(self) -> int:
        """How many look on without being anybody at the table."""
        return sum(not name for name, _ in self._listeners.values())

    def tell_room(self) -> None:
        """Tells everyone the room, if it is another one than they know."""
        now = room(self)
        known = replace(now, clock=None), self.clock.deadline
        if known != self._room_told:
            self._room_told = known
            self._send(now)

    def _send(self, message: wire.ServerMessage) -> None:
        if self._listeners:
            raw = wire.ENCODER.encode(message)
            for _, listener in list(self._listeners.values()):
                listener(raw)
