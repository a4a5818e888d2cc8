"""The log of a table, its rounds and its shoes: appended to, never changed."""

from __future__ import annotations

import logging

import pytest

from tapete.errors import Refused
from tapete.store import STARTING, Store, StoreError, Table
from tests.databases import Place


class Stopped(Exception):
    """A program's own fault in the middle of a transaction."""


def append(store: Store, table: int, *payloads: bytes, first_seq: int) -> int:
    with store.transaction() as deeds:
        return deeds.append(table, payloads, first_seq=first_seq)


def test_events_come_back_in_order_byte_for_byte(store: Store, table: int) -> None:
    payloads = [b"", b"\x00\xff", "ñ".encode(), b"x" * 100_000]
    assert append(store, table, *payloads[:2], first_seq=1) == 3
    assert append(store, table, *payloads[2:], first_seq=3) == 5
    assert [tuple(one) for one in store.events(table)] == list(enumerate(payloads, 1))
    assert [one.seq for one in store.events(table, after_seq=3)] == [4]
    assert store.last_seq(table) == 4


@pytest.mark.parametrize("seq", [-1, 0, 1, 2, 4, 10**9])
def test_an_event_out_of_step_is_refused(store: Store, table: int, seq: int) -> None:
    append(store, table, b"1", b"2", first_seq=1)
    with pytest.raises(Refused, match=r"log\.out_of_step: .*expected=3"):
        append(store, table, b"x", first_seq=seq)
    assert store.last_seq(table) == 2


def test_tables_count_their_events_apart(store: Store, table: int) -> None:
    other = store.open_table(kind="home", name="Otra", config=b"")
    append(store, table, b"a", first_seq=1)
    append(store, other, b"b", first_seq=1)
    assert store.events(table)[0].payload == b"a"
    assert store.events(other)[0].payload == b"b"


def test_a_table_is_rebuilt_from_what_it_was_opened_with(place: Place, store: Store) -> None:
    table = store.open_table(kind="faceup", name="Mesa nº 1", config=b"\x00config")
    expected = Table(table, "faceup", "Mesa nº 1", b"\x00config", is_open=True)
    store.close()
    with place.store() as again:
        assert again.resumable() == again.open_tables() == [expected]
        assert again.claim(table) == again.claim(table) == expected


def test_a_closed_table_takes_nothing_more_and_still_tells(store: Store, table: int) -> None:
    person = store.person("Ana").id
    store.sit(person, table=table)
    append(store, table, b"1", first_seq=1)
    store.close_table(table)
    assert store.balance(person) == STARTING
    assert (store.open_tables(), store.resumable()) == ([], [])
    assert store.events(table)[0].payload == b"1"
    assert not store.table(table).is_open
    for deed in (
        lambda: append(store, table, b"2", first_seq=2),
        lambda: store.sit(person, table=table),
        lambda: store.close_table(table),
        lambda: store.claim(table),
    ):
        with pytest.raises(Refused, match=r"store\.table_closed"):
            deed()


def test_a_table_that_never_was_is_unknown(store: Store) -> None:
    for deed in (lambda: store.table(9), lambda: store.claim(9), lambda: append(store, 9, b"x", first_seq=1)):
        with pytest.raises(Refused, match=r"store\.table_unknown"):
            deed()
    assert store.events(9) == []


def test_a_table_whose_opening_was_undone_can_be_opened_again(place: Place, store: Store) -> None:
    def undone() -> None:
        with store.transaction() as deeds:
            made.append(deeds.open_table(kind="casino", name="Mesa", config=b""))
            raise Stopped

    made: list[int] = []
    with pytest.raises(Stopped):
        undone()
    assert store.open_tables() == []
    with place.store() as other:
        again = other.open_table(kind="casino", name="Mesa", config=b"")
        assert place.server is not None or [again] == made  # a server uses no number twice
        assert other.open_tables() == [other.table(again)]


def test_a_table_whose_closing_was_undone_is_still_held(place: Place, store: Store, table: int) -> None:
    def undone() -> None:
        with store.transaction() as deeds:
            deeds.close_table(table)
            raise Stopped

    with pytest.raises(Stopped):
        undone()
    append(store, table, b"1", first_seq=1)
    with place.store() as other, pytest.raises(Refused, match=r"store\.table_in_use"):
        other.claim(table)


def test_a_released_table_is_anothers(place: Place, store: Store, table: int) -> None:
    store.release(table)
    with pytest.raises(Refused, match=r"store\.table_not_held"):
        append(store, table, b"1", first_seq=1)
    with place.store() as other:
        other.claim(table)
        append(other, table, b"1", first_seq=1)
        with pytest.raises(Refused, match=r"store\.table_in_use"):
            store.claim(table)
        other.release(table)  # by itself a database server may take a moment to see that a program has gone
    assert store.claim(table).id == table


def test_finished_rounds_come_back_and_are_saved_once(store: Store, table: int) -> None:
    with store.transaction() as deeds:
        deeds.save_round(table, number=1, text="[[round]]\n# señal\n")
        deeds.save_round(table, number=2, text="two")
    with pytest.raises(Refused, match=r"log\.round_saved"), store.transaction() as deeds:
        deeds.save_round(table, number=2, text="another")
    assert store.rounds(table) == {1: "[[round]]\n# señal\n", 2: "two"}
    assert store.rounds(table, after=1) == {2: "two"}


def test_a_shoes_secret_is_kept_once_and_revealed_later(store: Store, table: int) -> None:
    secret = bytes(range(32))
    with store.transaction() as deeds:
        deeds.add_shoe("1/1", table=table, secret=secret)
    assert (store.shoe("1/1").secret, store.shoe("1/1").revealed) == (secret, False)
    with pytest.raises(Refused, match=r"log\.shoe_known"), store.transaction() as deeds:
        deeds.add_shoe("1/1", table=table, secret=b"another")
    with store.transaction() as deeds:
        assert deeds.reveal_shoe("1/1").secret == secret
    assert store.shoes(table) == [store.shoe("1/1")]
    assert store.shoe("1/1").revealed
    with pytest.raises(Refused, match=r"log\.shoe_unknown"):
        store.shoe("1/2")


def test_a_secret_shows_in_no_error_log_or_text(store: Store, table: int, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    secret = b"the secret of the shoe, 32 bytes"
    with store.transaction() as deeds:
        deeds.add_shoe("1/1", table=table, secret=secret)
    with pytest.raises(StoreError) as caught, store.transaction() as deeds:
        deeds.add_shoe("\ud800", table=table, secret=secret)
    shown = "".join(
        map(str, (store.shoe("1/1"), store.shoes(table), caught.value, caught.value.__cause__, caplog.text))
    )
    assert "secret of the shoe" not in shown
