"""Jobs that share a transaction: one that is refused undoes itself alone."""

from __future__ import annotations

from contextlib import suppress

import pytest

from tapete.errors import Refused
from tapete.store import BANK, ISSUANCE, Store, Transaction, purse
from tests.databases import Place


def _too_much(deeds: Transaction, person: int) -> None:
    with deeds.apart():
        deeds.move({purse(person): -100, BANK: 100}, why="second")
        deeds.move({purse(person): -(10**9), BANK: 10**9}, why="too much")


def test_what_is_refused_apart_is_undone_alone(store: Store) -> None:
    ana, bea = store.person("Ana"), store.person("Bea")
    with store.transaction() as deeds:
        with deeds.apart():
            deeds.move({purse(ana.id): -100, BANK: 100}, why="first")
        with pytest.raises(Refused):
            _too_much(deeds, bea.id)
        with deeds.apart():
            deeds.move({ISSUANCE: -50, purse(bea.id): 50}, why="third")
    assert store.balance(ana.id) == 100_000 - 100
    assert store.balance(bea.id) == 100_000 + 50
    assert store.audit().faults == ()


class Stopped(Exception):
    """A job's own fault."""


def test_a_table_whose_closing_was_undone_apart_is_still_held(place: Place, store: Store, table: int) -> None:
    def close_in_vain() -> None:
        with store.transaction() as deeds, suppress(Stopped), deeds.apart():
            deeds.close_table(table)
            raise Stopped

    close_in_vain()
    with place.store() as other:
        assert [one.id for one in other.open_tables()] == [table]
        assert other.resumable() == []


def test_a_table_whose_opening_was_undone_apart_is_free_for_others(place: Place, store: Store) -> None:
    def open_in_vain() -> None:
        with store.transaction() as deeds, suppress(Stopped), deeds.apart():
            deeds.open_table(kind="casino", name="Mesa", config=b"")
            raise Stopped

    open_in_vain()
    with place.store() as other:
        table = other.open_table(kind="home", name="Otra", config=b"")
        assert other.open_tables() == [other.table(table)]


def test_tables_opened_and_closed_apart_are_held_and_given_up(store: Store, table: int) -> None:
    with store.transaction() as deeds:
        with deeds.apart():
            deeds.close_table(table)
        with deeds.apart():
            new = deeds.open_table(kind="home", name="Otra", config=b"")
    with store.transaction() as deeds:
        deeds.append(new, [b"1"], first_seq=1)
    with pytest.raises(Refused, match=r"store\.table_closed"):
        store.claim(table)
