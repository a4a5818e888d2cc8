"""Database: what the store needs of SQLite or PostgreSQL, and the schema put in place in either."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sqlalchemy import Connection, Engine, insert, inspect, select, update
from sqlalchemy.schema import CreateIndex, CreateTable

from tapete.store import ledger
from tapete.store.claims import Claims
from tapete.store.link import READ, WRITE, Link, Meaning, StoreError, linked
from tapete.store.schema import VERSION, metadata, migration, revision, schema_version


class Database(NamedTuple):
    """One database, ready for use."""

    name: str
    """What messages call it; no password is in it."""
    reader: Engine
    writer: Engine
    """For one writing transaction at a time."""
    meaning: Meaning
    claims: Claims
    is_sound: Callable[[Link], bool]
    """Whether the database's own check of itself finds nothing."""

    def dispose(self) -> None:
        """Close all connections."""
        self.claims.drop_all()
        self.reader.dispose()
        self.writer.dispose()


def prepare(database: Database) -> None:
    """Put the schema in place, or bring it up to date, if it is not. Raises StoreError with nothing changed.

    ``store.foreign`` is a database of something else, ``store.newer`` one that a newer Tapete has left.
    """
    try:
        _prepare(database)
    except BaseException:
        database.dispose()
        raise


def _prepare(database: Database) -> None:
    with linked(database.reader, database.meaning, begin=READ) as link:
        ready = link.ask(lambda connection: _is_ready(connection, database.name))
    if not ready:
        with linked(database.writer, database.meaning, begin=WRITE) as link:
            link.ask(lambda connection: _bring_up_to_date(link, connection, database.name))


def _is_ready(connection: Connection, name: str) -> bool:
    names = _tables(connection)
    return _version(connection, names, name) == VERSION and migration.name in names


def _tables(connection: Connection) -> set[str]:
    return set(inspect(connection).get_table_names())


def _version(connection: Connection, names: set[str], name: str) -> int:
    """The version of the schema that is there; 0 if the database is empty."""
    if not names:
        return 0
    found = connection.execute(select(schema_version)).scalar() if schema_version.name in names else None
    if found is None:
        raise StoreError("store.foreign", path=name)
    if found > VERSION:
        raise StoreError("store.newer", path=name, found=found, known=VERSION)
    return int(found)


def _bring_up_to_date(link: Link, connection: Connection, name: str) -> None:
    names = _tables(connection)  # once more: another program may have been here in between
    found = _version(connection, names, name)
    if not found:
        _create(link)
        return
    if migration.name not in names:  # written before there were migrations
        link.change(CreateTable(migration))
        link.change(insert(migration).values(version_num=revision(found)))
    if found < VERSION:
        from tapete.store.migrations import upgrade  # noqa: PLC0415  (slow to import and needed once in years)

        upgrade(connection)
        link.change(update(schema_version).values(version=VERSION))


def _create(link: Link) -> None:
    for table in metadata.sorted_tables:
        link.change(CreateTable(table))
    for index in (index for table in metadata.sorted_tables for index in table.indexes):
        link.change(CreateIndex(index))
    link.change(insert(schema_version).values(version=VERSION))
    link.change(insert(migration).values(version_num=revision(VERSION)))
    ledger.create_house(link)
