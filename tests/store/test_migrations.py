"""Databases of older versions: they are brought up to date when they are opened, and nothing in them is lost."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Connection, Engine, MetaData, create_engine, inspect, make_url, select

from tapete.rulefile import preset
from tapete.server.books import Books
from tapete.server.registry import Registry
from tapete.store import STARTING, Store, StoreError
from tapete.store.migrations import upgrade
from tapete.store.schema import VERSION, metadata
from tapete.store.sqlite import FILE
from tests.databases import Place
from tests.server.felts import Felt

VERSIONS = range(1, VERSION)


@contextmanager
def engine(place: Place) -> Iterator[Engine]:
    """The database without the store."""
    place.folder.mkdir(exist_ok=True)
    url = make_url(place.url or f"sqlite:///{place.folder / FILE}")
    if place.url:
        url = url.set(drivername="postgresql+psycopg")
    one = create_engine(url)
    yield one
    one.dispose()


def lay(place: Place, version: int) -> None:
    """A database as that version of the schema began it, with somebody in it."""
    with engine(place) as one, one.begin() as connection:
        upgrade(connection, to=f"{version:04}")
    place.by_hand(f"UPDATE schema_version SET version = {version}")
    place.by_hand("INSERT INTO people (name, key, at) VALUES ('Ana', 'ana', 0)")
    place.by_hand(
        "INSERT INTO accounts (name, kind, person_id, seated, balance) VALUES ('person:1', 'person', 1, false, 0)"
    )


@pytest.mark.parametrize("version", VERSIONS)
def test_an_older_database_is_brought_up_to_date_with_all_that_is_in_it(place: Place, version: int) -> None:
    lay(place, version)
    with place.store() as store:
        assert [one.name for one in store.people()] == ["Ana"]
        store.reset(1)
        assert store.balance(1) == STARTING
        assert store.audit().faults == ()
    assert place.by_hand("SELECT version FROM schema_version") == [(VERSION,)]
    assert place.by_hand("SELECT version_num FROM alembic_version") == [(f"{VERSION:04}",)]


def rows(one: Engine, names: Iterable[str]) -> dict[str, list[tuple[object, ...]]]:
    """All that stands in those tables."""
    found = MetaData()
    found.reflect(one, only=list(names))
    with one.connect() as connection:
        return {
            table.name: sorted((tuple(row) for row in connection.execute(select(table))), key=repr)
            for table in found.sorted_tables
        }


def written_by_the_first_version(place: Place, full: Engine) -> dict[str, list[tuple[object, ...]]]:
    """A database of version 1 with all that ``full`` holds of it; tells the rows."""
    with engine(place) as old:
        with old.begin() as connection:
            upgrade(connection, to="0001")
        kept = MetaData()
        kept.reflect(old)
        names = kept.tables.keys() - {"alembic_version", "schema_version"}
        with full.connect() as reader, old.begin() as writer:
            for table in (one for one in kept.sorted_tables if one.name in names):
                writer.execute(table.delete())  # what belongs to nobody was there already
                columns = ", ".join(one.name for one in table.columns)
                held = reader.exec_driver_sql(f"SELECT {columns} FROM {table.name}").mappings()
                writer.execute(table.insert(), [dict(row) for row in held])
                if place.url and "id" in table.columns and table.name != "shoes":
                    writer.exec_driver_sql(
                        f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), max(id)) FROM {table.name}"
                    )
        return rows(old, names)


async def played(store: Store) -> None:
    """Three people at a table of the web have played, and are in the middle of a round."""
    books = Books(store)
    live = await Registry(books, most=1).open(preset("british"), pace="instant", private=False)
    table = Felt(store, live)
    guests = await table.seated(Ana=1, Eva=2, Leo=3)
    while not table.questions or live.table.number < 4:
        await table.finish(*guests)
        await table.deal(*guests)
    live.halt()
    await books.aclose()


async def plays_on(store: Store) -> None:
    """They go on where they were."""
    books = Books(store)
    tables = Registry(books, most=1)
    assert await tables.resume() == 0
    (live,) = tables
    table = Felt(store, live)
    guests = [table.guest(name) for name in ("Ana", "Eva", "Leo")]
    for one in guests:
        await one.come()
    number = live.table.number
    assert table.questions
    await table.finish(*guests)
    await table.deal(*guests)
    assert live.table.number == number + 1
    table.whole()
    live.halt()
    await books.aclose()


def test_a_house_in_full_play_comes_up_from_the_first_version_without_losing_a_row(
    place: Place, tmp_path: Path
) -> None:
    with place.store() as store:
        asyncio.run(played(store))
    old = Place(tmp_path / "old", place.server)
    with engine(place) as full:
        before = written_by_the_first_version(old, full)
    assert {name for name, held in before.items() if not held} == set()
    assert set(before) == {"people", "tables", "accounts", "transfers", "entries", "events", "rounds", "shoes"}
    with old.store() as store:
        assert store.audit().faults == ()
    with engine(old) as one:
        assert rows(one, before) == before
    with old.store() as store:
        asyncio.run(plays_on(store))


def test_a_database_from_before_the_migrations_is_one_like_any_other(place: Place) -> None:
    lay(place, 1)
    place.by_hand("DROP TABLE alembic_version")
    with place.store() as store:
        assert store.balance(1) == 0
    assert place.by_hand("SELECT version_num FROM alembic_version") == [(f"{VERSION:04}",)]


def test_a_database_of_this_version_that_never_heard_of_alembic_is_marked(place: Place) -> None:
    place.store().close()
    place.by_hand("DROP TABLE alembic_version")
    place.store().close()
    assert place.by_hand("SELECT version_num FROM alembic_version") == [(f"{VERSION:04}",)]


def shape(connection: Connection) -> dict[str, object]:
    """Everything about the tables that is there, in words."""
    seen = inspect(connection)
    found = MetaData()
    found.reflect(connection)
    return {
        table.name: (
            [(column.name, str(column.type), column.nullable, column.primary_key) for column in table.columns],
            sorted(str(sorted(index.columns.keys())) + str(index.unique) for index in table.indexes),
            sorted(str(one["column_names"]) for one in seen.get_unique_constraints(table.name)),
            sorted(
                (str(one["constrained_columns"]), one["referred_table"]) for one in seen.get_foreign_keys(table.name)
            ),
            sorted(str(one["name"]) for one in seen.get_check_constraints(table.name)),
        )
        for table in found.sorted_tables
    }


def test_step_by_step_or_at_once_the_schema_is_the_same(place: Place) -> None:
    place.store().close()
    other = Place(place.folder.parent / "other", place.server)
    with engine(place) as one, engine(other) as two:
        with two.begin() as connection:
            upgrade(connection)
        with one.connect() as here, two.connect() as there:
            assert shape(here) == shape(there)
            assert set(shape(here)) == set(metadata.tables)


def test_a_migration_that_fails_leaves_the_database_as_it_was(place: Place) -> None:
    lay(place, 1)
    place.by_hand("CREATE TABLE phrases (mine INTEGER)")  # in the way
    with pytest.raises(StoreError, match=r"store\.failed"):
        place.store()
    assert place.by_hand("SELECT version FROM schema_version") == [(1,)]
    place.by_hand("DROP TABLE phrases")
    with place.store() as store:
        assert store.balance(1) == 0


def test_a_database_of_a_newer_version_is_refused_and_left_alone(place: Place) -> None:
    place.store().close()
    place.by_hand("UPDATE schema_version SET version = 99")
    with pytest.raises(StoreError, match=r"store\.newer.*found=99"):
        place.store()
    assert place.by_hand("SELECT version FROM schema_version") == [(99,)]


def test_another_programs_database_is_refused_and_left_alone(place: Place) -> None:
    place.folder.mkdir()
    place.by_hand("CREATE TABLE recipes (soup TEXT)")
    with pytest.raises(StoreError, match=r"store\.foreign"):
        place.store()


def test_a_table_in_the_terminal_does_not_wait_for_alembic(tmp_path: Path) -> None:
    """Neither in a new data folder nor in one that is up to date."""
    look = (
        "import sys, pathlib\n"
        "from tapete.store import Store\n"
        "for _ in range(2):\n"
        "    Store(pathlib.Path(sys.argv[1])).close()\n"
        "print(*sorted({name.split('.')[0] for name in sys.modules} & {'alembic', 'mako', 'psycopg'}))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", look, str(tmp_path / "data")], check=True, capture_output=True, text=True
    )
    assert done.stdout.split() == []
