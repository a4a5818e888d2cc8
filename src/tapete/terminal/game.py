"""A game: one table, its house and its place in the store, one step at a time.

Every step is written before it is shown: :meth:`Game.do` gives an event to the table and, if the table accepts it,
keeps it (with the money that it moves) in one transaction. A game that was broken off anywhere is taken up again by
:meth:`Game.resume` with the same cards and the same turn. The faces only ask, tell and wait.
"""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec.json import encode

from tapete import fairness
from tapete import round as rounds
from tapete import table as tables
from tapete.errors import Refused
from tapete.events import Asks, Question
from tapete.fairness import Secret
from tapete.history import Record
from tapete.house import House
from tapete.keeping import Move, keep, read_event
from tapete.rulefile import Preset
from tapete.rules import digest
from tapete.store import Store
from tapete.strategy import SIMPLE
from tapete.table import (
    Joined,
    Left,
    Placed,
    Sat,
    ShoeRetired,
    Table,
    TableEvent,
)
from tapete.terminal.chronicle import Chronicle

KIND: Final = "terminal"
BOT_CHIPS: Final = 100_000_00
"""What a house bot brings, in units: the house's own chips, outside the ledger."""


class Config(msgspec.Struct, frozen=True):
    """What a table was opened with: enough to rebuild it."""

    preset: Preset
    seed: int | None = None


class Step(msgspec.Struct, frozen=True):
    """One thing that happened: the table before, the event, the table after."""

    before: Table
    event: TableEvent
    after: Table


class Game:
    """One table in play. ``table`` is its state; make it with :meth:`open` or :meth:`resume`."""

    def __init__(self, store: Store, which: int, config: Config) -> None:
        self.store = store
        self.id = which
        self.preset = config.preset
        self.seed = config.seed
        self.table = Table(config.preset.rules)
        self._people: dict[str, int] = {}
        prefix = f"t{which}-" if config.seed is None else f"seed{config.seed}-"
        self.house = House(
            config.preset.rules, digest=digest(config.preset.rules), secret_for=self._secret, prefix=prefix
        )
        self._next_seq = 1
        self.chronicle = Chronicle(store, which, config.preset)

    @classmethod
    def open(cls, store: Store, preset: Preset, *, seed: int | None = None) -> Game:
        """A new table in the store, held by this program."""
        config = Config(preset, seed)
        which = store.open_table(kind=KIND, name=preset.id, config=encode(config))
        return cls(store, which, config)

    @classmethod
    def resume(cls, store: Store, which: int) -> Game:
        """The table as its log tells it, in the middle of a round if that is where it stopped."""
        config = msgspec.json.decode(store.claim(which).config, type=Config)
        game = cls(store, which, config)
        for kept in store.events(which):
            event = read_event(kept.payload)
            after = tables.apply(game.table, event)
            game.house.repeat(game.table, event, after)
            game.table, game._next_seq = after, kept.seq + 1
            if isinstance(event, ShoeRetired):
                game.chronicle.remember(event.record)
        game.chronicle.catch_up()
        return game

    def _secret(self, shoe: str) -> Secret:
        if self.seed is not None:
            return fairness.seeded_secret(self.seed)
        name = f"{self.id}/{shoe}"
        known = {one.id: one.secret for one in self.store.shoes(self.id)}
        if name in known:
            return Secret(known[name])
        secret = fairness.new_secret()
        with self.store.transaction() as deeds:
            deeds.add_shoe(name, table=self.id, secret=secret.raw)
        return secret

    # --- one step

    def do(self, event: TableEvent) -> Step:
        """Gives the event to the table and keeps it. Raises Refused or StoreError with nothing changed."""
        before, after = self.table, tables.apply(self.table, event)
        record = self._record(before, after)
        with self.store.transaction() as deeds:
            moves = [Move(before, event, after, record)]
            keep(deeds, self.id, moves, first_seq=self._next_seq, person_id=self.person_id)
        self._next_seq += 1
        self.table = after
        self.house.saw(before, event, after)
        self._tell(record, event)
        return Step(before, event, after)

    def _record(self, before: Table, after: Table) -> Record | None:
        ended = before.playing and not after.playing
        return self.chronicle.record(before, after, after.round) if ended and after.round is not None else None

    def _tell(self, record: Record | None, event: TableEvent) -> None:
        if record is not None:
            self.chronicle.add(record)
        elif isinstance(event, ShoeRetired):
            self.chronicle.reveal(event.record)

    def person_id(self, name: str) -> int:
        """The store's id of a person at the table."""
        if name not in self._people:
            self._people = {one.name: one.id for one in self.store.people()}
        return self._people[name]

    # --- people

    def join(self, name: str) -> str:
        """Brings a person with the whole bankroll; tells the name as the store spells it."""
        person = self.store.person(name)
        if person.name not in {one.name for one in self.table.people}:
            self.do(Joined(person.name, self.store.balance(person.id)))
        return person.name

    def refill(self, name: str) -> None:
        """A person whose chips are gone starts again with the starting bankroll; boxes are kept."""
        if self.table.playing:
            raise Refused("table.in_play")
        boxes = tables.boxes_of(self.table, name)
        self.do(Left(name))
        self.store.reset(self.person_id(name))
        self.join(name)
        for box in boxes:
            self.do(Sat(name, box))

    def seat_bot(self, box: int) -> str:
        """Puts a house bot on a free box."""
        name = f"Bot {box}"
        if name not in {one.name for one in self.table.people}:
            self.do(Joined(name, BOT_CHIPS, bot=True))
        self.do(Sat(name, box))
        return name

    def bots(self) -> tuple[str, ...]:
        """The bots at the table."""
        return tuple(one.name for one in self.table.people if one.bot)

    # --- a round

    def bet_for_bots(self) -> list[Step]:
        """Every bot on a box bets the table's smallest stake."""
        amount = -(-self.preset.rules.bet_min // self.preset.rules.unit) * self.preset.rules.unit
        boxes = [seat for seat in self.table.seats if seat.name in self.bots()]
        return [self.do(Placed(seat.name, seat.box, amount)) for seat in boxes]

    def deal(self) -> list[Step]:
        """Locks the bets and begins the round: a new shoe first where one is due. Raises Refused for no bets."""
        lock = tables.lock_due(self.table)
        rounds.begin(self.table.rules, lock)
        steps = [self.do(event) for event in self.house.before_round(self.table)]
        return [*steps, self.do(lock)]

    def serve(self) -> Step | None:
        """Lets the house do the one thing that it owes; None when people must answer or the round is over."""
        owed = self.house.owes(self.table)
        return None if owed is None else self.do(owed)

    def questions(self) -> tuple[Question, ...]:
        """The open questions, in seat order."""
        round_ = self.table.round
        return round_.waits.questions if round_ is not None and isinstance(round_.waits, Asks) else ()

    def answer_for_bots(self) -> Step | None:
        """Answers one open question that concerns a bot; None when there is none."""
        for question in self.questions():
            if question.bettor in self.bots() and self.table.round is not None:
                return self.do(SIMPLE.answer(self.table.round, question))
        return None

    def close(self) -> None:
        """Ends the game between rounds: the shoe is revealed, all chips go back to their owners."""
        for event in self.house.last_words(self.table):
            self.do(event)
        self.store.close_table(self.id)
