"""A ledger on a server: what can be wrong with it is told, no password is, and no table has two masters."""

from __future__ import annotations

import logging
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest

from tapete.errors import BadInput, Refused, TapeteError
from tapete.store import BANK, STARTING, Store, StoreError, purse
from tapete.words import Words
from tests.databases import Place
from tests.postgres import PASSWORD, Server, running


@pytest.fixture
def there(postgres: Server, tmp_path: Path) -> Place:
    """A new database on the server that all tests share."""
    return Place(tmp_path / "data", postgres)


@pytest.fixture
def own_server(postgres: Server) -> Iterator[Server]:
    """A server that a test may stop."""
    with running() as server:
        yield server


def give(store: Store, name: str) -> None:
    with store.transaction() as deeds:
        deeds.move({purse(deeds.person(name).id): -1, BANK: 1}, why="gift")


def refusal(folder: Path, url: str) -> TapeteError:
    with pytest.raises(TapeteError) as caught:
        Store(folder, url=url, patience=1)
    return caught.value


# --- addresses and passwords ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "postgresql+psycopg"])
def test_the_usual_ways_to_write_the_address_are_understood(there: Place, scheme: str) -> None:
    assert there.url is not None
    with Store(there.folder, url=there.url.replace("postgresql", scheme, 1)) as store:
        assert store.person("Ana").name == "Ana"
        assert store.rounds_folder().is_relative_to(there.folder)
        with pytest.raises(StoreError, match=r"store\.no_file"):
            store.path.stat()


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("", "store.url"),
        ("ledger", "store.url"),
        ("mysql://ana:hemlig@localhost/x", "store.url"),
        ("postgresql://ana:hem lig@localhost:hemlig/x", "store.url"),
        ("postgresql://ana:hemlig@127.0.0.1:1/x", "store.unreachable"),
        ("postgresql://ana@127.0.0.1:1/x?password=hemlig", "store.unreachable"),
        ("postgresql://ana@127.0.0.1:1/x?sslmode=require&sslpassword=hemlig", "store.unreachable"),
        ("postgresql://ana:hemlig@127.0.0.1:1/x?sslmode=nonsense", "store.unreachable"),
        ("postgresql://ana:hemlig@no.such.host.invalid/x", "store.unreachable"),
    ],
)
def test_an_address_that_leads_nowhere_is_told_without_its_password(tmp_path: Path, url: str, code: str) -> None:
    error = refusal(tmp_path, url)
    assert error.code == code
    told = [str(error), repr(error), "".join(traceback.format_exception(error))]
    told += [Words(lang).explain(error) for lang in ("en", "es")]
    assert not any("hemlig" in one for one in told)


def test_who_is_not_let_in_is_told_why_but_not_with_what_password(postgres: Server, tmp_path: Path) -> None:
    name = postgres.new()
    wrong = refusal(tmp_path, postgres.url(name, password="hemlig"))
    nobody = refusal(tmp_path, postgres.url(name, user="nobody"))
    nowhere = refusal(tmp_path, postgres.url("nowhere"))
    assert [wrong.code, nobody.code, nowhere.code] == ["store.no_access", "store.no_access", "store.unreachable"]
    assert "nowhere" in str(nowhere)
    for one in (wrong, nobody, nowhere):
        shown = "".join(traceback.format_exception(one))
        assert "hemlig" not in shown
        assert PASSWORD not in shown


def test_no_log_holds_a_password_or_a_secret(there: Place, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    secret = b"the secret of the shoe, 32 bytes"
    with there.store() as store:
        table = store.open_table(kind="casino", name="Mesa", config=b"")
        with store.transaction() as deeds:
            deeds.add_shoe("1/1", table=table, secret=secret)
        there.by_hand("ALTER TABLE shoes ADD CONSTRAINT none CHECK (id <> '1/2')")
        with pytest.raises(StoreError) as caught, store.transaction() as deeds:
            deeds.add_shoe("1/2", table=table, secret=secret)
    shown = "".join(map(str, (store.name, caught.value, caplog.text)))
    assert caught.value.code == "store.failed"
    assert not any(word in shown for word in (PASSWORD, "secret of the shoe", secret.hex()))


# --- the server goes away -------------------------------------------------------------------------------------------


def test_a_server_that_stops_is_told_and_when_it_is_back_play_goes_on(own_server: Server, tmp_path: Path) -> None:
    with Place(tmp_path, own_server).store(patience=2) as store:
        give(store, "Ana")
        table = store.open_table(kind="casino", name="Mesa", config=b"")
        own_server.stop()
        for deed in (lambda: give(store, "Ana"), store.people, lambda: store.claim(table)):
            with pytest.raises(StoreError, match=r"store\.unreachable"):
                deed()
        own_server.start()
        give(store, "Ana")
        assert store.balance(1) == STARTING - 2
        with store.transaction() as deeds:
            assert deeds.append(table, [b"1"], first_seq=1) == 2
        assert store.audit().faults == ()


def test_a_server_that_stops_in_the_middle_of_a_transaction_undoes_it(own_server: Server, tmp_path: Path) -> None:
    def stopped() -> None:
        with store.transaction() as deeds:
            deeds.move({purse(person): -1, BANK: 1}, why="gift")
            own_server.stop()
            own_server.start()

    with Place(tmp_path, own_server).store() as store:
        person = store.person("Ana").id
        with pytest.raises(StoreError, match=r"store\.unreachable"):
            stopped()
        assert store.holds(BANK) == 0
        assert store.audit().faults == ()


def test_a_table_that_another_program_took_while_the_connection_was_broken_is_lost(there: Place) -> None:
    with there.store() as store, there.store() as other:
        table = store.open_table(kind="casino", name="Mesa", config=b"")
        cut_off(there, store)
        other.claim(table)
        with pytest.raises(Refused, match=r"store\.table_in_use"), store.transaction() as deeds:
            deeds.append(table, [b"1"], first_seq=1)
        with pytest.raises(Refused, match=r"store\.table_not_held"), store.transaction() as deeds:
            deeds.append(table, [b"1"], first_seq=1)
        with other.transaction() as deeds:
            deeds.append(table, [b"1"], first_seq=1)


def cut_off(place: Place, store: Store) -> None:
    """Break the connection that the store writes through, as a network can."""
    with store.transaction() as deeds:
        pid = deeds._link.ask(lambda connection: connection.exec_driver_sql("SELECT pg_backend_pid()").scalar())
    place.by_hand(f"SELECT pg_terminate_backend({pid})")
    while place.by_hand(f"SELECT 1 FROM pg_stat_activity WHERE pid = {pid}"):
        time.sleep(0.01)


def test_a_broken_connection_costs_nobody_the_table_if_nobody_else_took_it(there: Place) -> None:
    with there.store() as store, there.store() as other:
        table = store.open_table(kind="casino", name="Mesa", config=b"")
        cut_off(there, store)
        with store.transaction() as deeds:
            deeds.append(table, [b"1"], first_seq=1)
        assert other.resumable() == []


# --- turns ----------------------------------------------------------------------------------------------------------


def test_a_program_that_never_lets_go_is_told_and_later_forgiven(there: Place) -> None:
    with there.store(patience=0.3) as store, there.store() as other:
        with other.transaction() as deeds:
            deeds.person("Eva")
            with pytest.raises(StoreError, match=r"store\.busy"):
                give(store, "Ana")
            assert store.people() == []  # reading goes on
        give(store, "Ana")
        assert sorted(one.name for one in store.people()) == ["Ana", "Eva"]


def test_many_programs_that_write_the_same_accounts_never_wait_for_each_other_in_a_circle(there: Place) -> None:
    def work(names: tuple[str, ...]) -> None:
        with there.store() as one:
            for _ in range(15):
                for name in names:
                    give(one, name)

    with there.store() as store:
        threads = [threading.Thread(target=work, args=(order,)) for order in (("Ana", "Eva"), ("Eva", "Ana")) * 2]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert store.holds(BANK) == 4 * 15 * 2
        assert store.audit().faults == ()


def test_whoever_reads_sees_one_moment(there: Place) -> None:
    """An audit that runs while others write finds nothing amiss."""
    stop = threading.Event()

    def write() -> None:
        with there.store() as one:
            while not stop.is_set():
                give(one, "Ana")

    with there.store() as store:
        store.person("Ana")
        writer = threading.Thread(target=write)
        writer.start()
        faults = [store.audit().faults for _ in range(40)]
        stop.set()
        writer.join()
    assert faults == [()] * 40


def test_without_the_driver_it_is_told_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(BadInput, match=r"store\.no_driver.*psycopg"):
        Store(tmp_path, url="postgresql://localhost/x")
