"""Jobs that share a transaction: one that is refused undoes itself alone."""

from __future__ import annotations

import pytest

from tapete.errors import Refused
from tapete.store import BANK, ISSUANCE, Store, Transaction, purse


def _too_much(deeds: Transaction, person: int) -> None:
    with deeds.apart():
        deeds.move({purse(person): -100, BANK: 100}, why="second")
        deeds.move({purse(person): -(10**9), BANK: 10**9}, why="too much")


def test_what_is_refused_apart_is_undone_alone() -> None:
    with Store() as store:
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
