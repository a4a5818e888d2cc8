"""Chips are never made, lost or owed, whatever is asked of the ledger and however it is refused."""

from __future__ import annotations

import sqlite3
import tempfile
import threading
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from tapete.errors import BadInput, Refused, TapeteError
from tapete.store import BANK, ISSUANCE, STARTING, Account, Page, Store, StoreError, purse, rack
from tapete.store.ledger import MOST
from tests.databases import Place
from tests.postgres import Server

NAMES = ("Ana", "Eva", "Leo")
AMOUNTS = st.one_of(
    st.sampled_from([0, 1, STARTING]),
    st.integers(-50, 50),
    st.integers(-2 * STARTING, 2 * STARTING),
    st.sampled_from([MOST, -(10**30)]),
)
PEOPLE = st.sampled_from([1, 1, 1, 2, 3])
TABLES = st.sampled_from([1, 1, 1, 2, 3])


class Stopped(Exception):
    """A program's own fault in the middle of a transaction."""


class Ledger(RuleBasedStateMachine):
    """The store against a dictionary of balances that obeys the laws by the simplest means."""

    server: Server | None = None

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.place = Place(Path(self.folder.name), self.server)
        self.store = self.place.store()
        self.chips: dict[Account, int] = {BANK: 0, ISSUANCE: 0}
        self.seated: set[Account] = set()
        self.tables: list[int] = []
        self.events: dict[int, list[bytes]] = {}
        self.someone_comes("Ana")
        self.a_table_opens()

    def teardown(self) -> None:
        self.store.close()
        self.folder.cleanup()

    def allowed(self, moves: Mapping[Account, int]) -> bool:
        """Whether these moves balance, touch only accounts that are there, and overdraw nobody."""
        after = {one: self.chips.get(one, 0) + amount for one, amount in moves.items() if amount}
        there = all(one in self.chips for one in after)
        owes = any(amount < 0 for one, amount in after.items() if one not in (BANK, ISSUANCE))
        too_large = any(abs(amount) > MOST for amount in (*after.values(), *moves.values()))
        return there and not owes and not too_large and not sum(moves.values())

    def put(self, moves: Mapping[Account, int]) -> None:
        for one, amount in moves.items():
            self.chips[one] = self.chips.get(one, 0) + amount

    @rule(name=st.sampled_from(NAMES))
    def someone_comes(self, name: str) -> None:
        person = self.store.person(name).id
        if purse(person) not in self.chips:
            self.put({ISSUANCE: -STARTING, purse(person): STARTING})

    @precondition(lambda self: len(self.tables) < 3)
    @rule()
    def a_table_opens(self) -> None:
        self.tables.append(self.store.open_table(kind="casino", name="Mesa", config=b""))
        self.events[self.tables[-1]] = []

    @rule(person=PEOPLE, which=TABLES, amount=st.sampled_from([None, 0, 1, 500]) | AMOUNTS)
    def someone_sits(self, person: int, which: int, amount: int | None) -> None:
        moved = self.chips.get(purse(person), 0) if amount is None else amount
        place = rack(person, table=which)
        fine = purse(person) in self.chips and which in self.tables and 0 <= moved <= self.chips[purse(person)]
        fine = fine and self.chips.get(place, 0) + moved <= MOST
        if self.done(lambda: self.store.sit(person, table=which, amount=amount), fine=fine):
            self.put({purse(person): -moved, place: moved})
            self.seated.add(place)

    @rule(person=PEOPLE, which=TABLES)
    def someone_leaves(self, person: int, which: int) -> None:
        place = rack(person, table=which)
        fine = place in self.chips and which in self.tables and self.chips[purse(person)] + self.chips[place] <= MOST
        if self.done(lambda: self.store.leave(person, table=which), fine=fine):
            self.put({purse(person): self.chips[place], place: -self.chips[place]})
            self.seated.discard(place)

    @rule(which=TABLES, data=st.data(), breaks=st.sampled_from([False, False, True]), on_a_page=st.booleans())
    def a_round_is_played(self, which: int, data: st.DataObject, *, breaks: bool, on_a_page: bool) -> None:
        """Moves between any accounts, drawn to balance most of the time, together with an event."""
        known = sorted(self.chips, key=str)
        moves = data.draw(st.dictionaries(st.sampled_from([*known, rack(9, table=1)]), AMOUNTS, max_size=4))
        if data.draw(st.integers(0, 4)):
            moves[BANK] = moves.get(BANK, 0) - sum(moves.values())
        seq = len(self.events.get(which, ())) + data.draw(st.sampled_from([1, 1, 1, 1, 0, 2]))
        fine = which in self.tables and self.allowed(moves) and seq == len(self.events[which]) + 1 and not breaks
        fine = fine and all(one.table in (None, *self.tables) for one in moves)
        if self.done(lambda: self.play(which, moves, seq=seq, breaks=breaks, on_a_page=on_a_page), fine=fine):
            self.put({one: amount for one, amount in moves.items() if amount})
            self.events[which].append(b"round")

    def play(self, which: int, moves: Mapping[Account, int], *, seq: int, breaks: bool, on_a_page: bool) -> None:
        with self.store.transaction() as deeds:
            if on_a_page:
                deeds.write([Page(which, seq, [b"round"], won=[moves])])
            else:
                deeds.append(which, [b"round"], first_seq=seq)
                deeds.move(moves, why="round", table=which)
            if breaks:
                raise Stopped

    @rule(person=PEOPLE)
    def someone_resets(self, person: int) -> None:
        racks = [one for one in self.chips if one.kind == "rack" and one.person == person]
        at_table = any(one in self.seated or self.chips[one] for one in racks)
        if self.done(lambda: self.store.reset(person), fine=purse(person) in self.chips and not at_table):
            self.put({ISSUANCE: self.chips[purse(person)] - STARTING})
            self.chips[purse(person)] = STARTING

    @rule(which=TABLES)
    def a_table_closes(self, which: int) -> None:
        racks = [one for one in self.chips if one.table == which and one.person is not None]
        fits = all(self.chips[purse(one.person)] + self.chips[one] <= MOST for one in racks if one.person is not None)
        if self.done(lambda: self.store.close_table(which), fine=which in self.tables and fits):
            self.tables.remove(which)
            for place in racks:
                assert place.person is not None
                self.put({purse(place.person): self.chips[place], place: -self.chips[place]})
                self.seated.discard(place)

    @rule()
    def the_program_starts_anew(self) -> None:
        self.store.close()
        self.store = self.place.store()
        assert [self.store.claim(one.id).id for one in self.store.resumable()] == self.tables

    def done(self, deed: object, *, fine: bool) -> bool:
        """Whether the deed was done, which it must be exactly if it is ``fine``."""
        assert callable(deed)
        try:
            deed()
        except (TapeteError, Stopped):
            assert not fine
            return False
        assert fine
        return True

    @invariant()
    def every_chip_is_where_it_should_be(self) -> None:
        found = self.place.by_hand("SELECT name, balance FROM accounts")
        assert {str(name): balance for name, balance in found} == {
            one.key: amount for one, amount in self.chips.items()
        }
        assert sum(self.chips.values()) == 0
        assert self.store.audit().faults == ()

    @invariant()
    def every_event_is_there_once(self) -> None:
        for table, payloads in self.events.items():
            assert [one.payload for one in self.store.events(table)] == payloads


def test_chips_are_conserved_through_any_deeds_and_refusals() -> None:
    run_state_machine_as_test(Ledger, settings=settings(max_examples=25, stateful_step_count=30))


def test_chips_are_conserved_in_postgresql_too(postgres: Server) -> None:
    class There(Ledger):
        server = postgres

    run_state_machine_as_test(There, settings=settings(max_examples=8, stateful_step_count=25))


def move_in_turn(store: Store, *moves: Mapping[Account, int]) -> None:
    """All these transfers in one transaction."""
    with store.transaction() as deeds:
        for one in moves:
            deeds.move(one, why="gift")


@pytest.mark.parametrize(
    ("moves", "code"),
    [
        ({purse(1): 5}, "ledger.unbalanced"),
        ({purse(1): 5, BANK: -4}, "ledger.unbalanced"),
        ({purse(1): -STARTING - 1, BANK: STARTING + 1}, "ledger.overdrawn"),
        ({purse(2): 5, BANK: -5}, "ledger.no_account"),
        ({purse(1): 10**30, BANK: -(10**30)}, "ledger.too_large"),
    ],
)
def test_a_refused_transfer_says_why_and_undoes_the_deeds_before_it(
    store: Store, moves: Mapping[Account, int], code: str
) -> None:
    store.person("Ana")
    with pytest.raises(Refused) as caught:
        move_in_turn(store, {purse(1): -1, BANK: 1}, moves)
    assert caught.value.code == code
    assert (store.balance(1), store.holds(BANK)) == (STARTING, 0)


def test_a_refusal_that_is_caught_keeps_the_other_deeds(store: Store) -> None:
    person = store.person("Ana").id
    with store.transaction() as deeds:
        deeds.move({purse(person): -1, BANK: 1}, why="gift")
        with pytest.raises(Refused):
            deeds.move({purse(person): -STARTING, BANK: STARTING}, why="gift")
        assert deeds.holds(BANK) == 1
    assert store.holds(BANK) == 1


def test_a_fault_of_the_database_that_is_swallowed_still_undoes_everything(store: Store, table: int) -> None:
    person = store.person("Ana").id

    def swallow() -> None:
        with store.transaction() as deeds:
            deeds.move({purse(person): -1, BANK: 1}, why="gift")
            with pytest.raises(StoreError):
                deeds.save_round(table, number=2**70, text="x")
            with pytest.raises(StoreError):
                deeds.move({purse(person): -1, BANK: 1}, why="gift")

    with pytest.raises(StoreError, match=r"store\.failed"):
        swallow()
    assert store.holds(BANK) == 0


def test_nobody_sees_a_transaction_before_it_is_kept(place: Place, store: Store) -> None:
    person = store.person("Ana").id
    with place.store() as other:
        with store.transaction() as deeds:
            deeds.move({purse(person): -1, BANK: 1}, why="gift")
            assert (store.holds(BANK), other.holds(BANK)) == (0, 0)
        assert (store.holds(BANK), other.holds(BANK)) == (1, 1)


def test_a_transaction_that_is_over_takes_no_more_deeds(store: Store) -> None:
    with store.transaction() as deeds:
        person = deeds.person("Ana").id
    with pytest.raises(StoreError, match=r"store\.closed"):
        deeds.reset(person)


def test_a_transaction_within_a_transaction_is_a_programmers_fault_told_at_once(store: Store) -> None:
    with store.transaction() as deeds:
        deeds.person("Ana")
        with pytest.raises(RuntimeError):
            store.person("Eva")
    assert [one.name for one in store.people()] == ["Ana"]


def test_threads_take_turns(store: Store) -> None:
    person = store.person("Ana").id

    def give() -> None:
        for _ in range(30):
            with store.transaction() as deeds:
                deeds.move({purse(person): -1, BANK: 1}, why="gift")

    givers = [threading.Thread(target=give) for _ in range(4)]
    for one in givers:
        one.start()
    for one in givers:
        one.join()
    assert store.holds(BANK) == 120
    assert store.audit().faults == ()


def test_sitting_again_adds_chips_and_leaving_brings_all_back(store: Store, table: int) -> None:
    person = store.person("Ana").id
    assert store.sit(person, table=table, amount=300) == 300
    assert store.sit(person, table=table, amount=200) == 200
    assert store.racks(table) == {person: 500}
    assert store.sit(person, table=table) == STARTING - 500
    assert store.leave(person, table=table) == STARTING
    assert store.racks(table) == {}


def test_less_than_nothing_cannot_be_taken_to_a_table(store: Store, table: int) -> None:
    person = store.person("Ana").id
    with pytest.raises(BadInput, match=r"ledger\.negative"):
        store.sit(person, table=table, amount=-1)
    with pytest.raises(Refused, match=r"ledger\.overdrawn"):
        store.sit(person, table=table, amount=STARTING + 1)
    assert store.racks(table) == {}


# --- the audit finds what a hand in the file did --------------------------------------------------------------------

MISSTATED = {"audit.total", "audit.balance"}


@pytest.mark.parametrize(
    ("by_hand", "codes"),
    [
        ("UPDATE accounts SET balance = balance + 1 WHERE kind = 'bank'", MISSTATED),
        (
            "UPDATE entries SET amount = amount + 1 WHERE balance = 99999",
            {"audit.transfer", "audit.balance", "audit.running"},
        ),
        ("DELETE FROM entries WHERE balance = 99999", {"audit.transfer", "audit.balance"}),
        ("DELETE FROM entries", {"audit.transfer", "audit.balance"}),
        ("UPDATE entries SET balance = 5 WHERE balance = 99999", {"audit.running"}),
        ("DELETE FROM events WHERE seq = 2", {"audit.gap"}),
        ("UPDATE accounts SET balance = -1 WHERE kind = 'person'", {*MISSTATED, "audit.overdrawn", "store.corrupt"}),
    ],
)
def test_the_audit_finds_what_was_changed_by_hand(
    place: Place, store: Store, table: int, by_hand: str, codes: set[str]
) -> None:
    person = store.person("Ana").id
    with store.transaction() as deeds:
        deeds.append(table, [b"1", b"2", b"3"], first_seq=1)
        deeds.move({purse(person): -1, BANK: 1}, why="gift")
    if place.server is not None and "audit.overdrawn" in codes:
        place.by_hand("ALTER TABLE accounts DROP CONSTRAINT account_not_overdrawn")
        codes = codes - {"store.corrupt"}  # what SQLite's own check says of it
    place.by_hand(by_hand)
    assert {fault.code for fault in store.audit().faults} == codes


def test_the_database_itself_refuses_an_overdraft(place: Place, store: Store) -> None:
    store.person("Ana")
    overdraft = "UPDATE accounts SET balance = -1 WHERE kind = 'person'"
    if place.server is None:
        with closing(sqlite3.connect(store.path)) as hand, pytest.raises(sqlite3.IntegrityError):
            hand.execute(overdraft)
    else:
        with pytest.raises(psycopg.errors.CheckViolation):
            place.by_hand(overdraft)
