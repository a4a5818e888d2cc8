"""Pages of several tables that are written at once are what the same deeds one by one would be."""

from __future__ import annotations

import pytest

from tapete.errors import Refused
from tapete.store import BANK, STARTING, Page, Store, rack


@pytest.fixture
def tables(store: Store) -> tuple[int, int]:
    """Two tables with a player at each."""
    both = tuple(store.open_table(kind="casino", name=name, config=b"{}") for name in ("Una", "Otra"))
    for name, table in zip(("Ana", "Bea"), both, strict=True):
        store.sit(store.person(name).id, table=table)
    return both[0], both[1]


def _round(table: int, seq: int, number: int, won: int) -> Page:
    """A page with two events, the second of which ends a round; the player of table n is person n."""
    moved = {rack(table, table=table): won, BANK: -won}
    return Page(table, seq, [b"card %d" % seq, b"end"], [(number, f"round {number}")], [moved])


def test_what_several_tables_write_at_once_is_all_there(store: Store, tables: tuple[int, int]) -> None:
    una, otra = tables
    with store.transaction() as deeds:
        deeds.write([_round(una, 1, 1, 500), _round(otra, 1, 1, -300), _round(una, 3, 2, 200), Page(otra, 3, [b"bet"])])
    assert [event.payload for event in store.events(una)] == [b"card 1", b"end", b"card 3", b"end"]
    assert [(event.seq, event.payload) for event in store.events(otra)] == [(1, b"card 1"), (2, b"end"), (3, b"bet")]
    assert store.rounds(una) == {1: "round 1", 2: "round 2"}
    assert store.racks(una) == {1: STARTING + 700}
    assert store.racks(otra) == {2: STARTING - 300}
    assert store.holds(BANK) == -400
    assert store.audit().faults == ()


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (lambda table: Page(table, 2, [b"gap"]), "log.out_of_step"),
        (lambda table: Page(table, 0, [b"again"]), "log.out_of_step"),
        (lambda table: _round(table, 1, 7, STARTING * -2), "ledger.overdrawn"),
        (lambda table: _round(table, 1, 1, 0)._replace(rounds=[(1, "once"), (1, "twice")]), "log.round_saved"),
        (lambda table: _round(table, 1, 1, 0)._replace(won=[{BANK: 5}]), "ledger.unbalanced"),
        (lambda table: _round(table, 1, 1, 0)._replace(won=[{BANK: 5, rack(9, table=table): -5}]), "ledger.no_account"),
        (lambda _: Page(99, 1, [b"nowhere"]), "store.table_unknown"),
    ],
)
def test_one_page_that_is_refused_lets_nothing_be_written(
    store: Store, tables: tuple[int, int], wrong: object, code: str
) -> None:
    una, otra = tables
    assert callable(wrong)
    with store.transaction() as deeds:
        with pytest.raises(Refused, match=code.replace(".", r"\.")):
            deeds.write([_round(una, 1, 1, 500), wrong(otra)])
        deeds.append(una, [b"after all"], first_seq=1)  # the transaction goes on
    assert [event.payload for event in store.events(una)] == [b"after all"]
    assert store.events(otra) == []
    assert store.rounds(una) == {}
    assert store.racks(una) == {1: STARTING}
    assert store.audit().faults == ()


def test_a_round_is_saved_once_however_it_is_written(store: Store, tables: tuple[int, int]) -> None:
    with store.transaction() as deeds:
        deeds.write([_round(tables[0], 1, 1, 500)])
    with pytest.raises(Refused, match=r"log\.round_saved"), store.transaction() as deeds:
        deeds.write([_round(tables[0], 3, 1, 500)])
    assert store.racks(tables[0]) == {1: STARTING + 500}


def test_a_page_for_a_table_that_has_closed_is_refused(store: Store, tables: tuple[int, int]) -> None:
    store.close_table(tables[1])
    with pytest.raises(Refused, match=r"store\.table_closed"), store.transaction() as deeds:
        deeds.write([Page(tables[0], 1, [b"bet"]), Page(tables[1], 1, [b"bet"])])
    assert store.events(tables[0]) == []
