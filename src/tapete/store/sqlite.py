"""SQLite as the store uses it: the file, the settings of a connection, the schema put in place.

``synchronous=FULL`` makes every commit wait until the disk has it (1 to 5 ms on an ordinary SSD), so that neither a
killed program nor a lost power supply takes back what a player has been told. WAL lets others read meanwhile. A write
begins with BEGIN IMMEDIATE, so that two programs queue for their turn instead of failing halfway.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from filelock import FileLock, Timeout
from sqlalchemy import URL, Connection, Engine, create_engine, event, insert, inspect, select, text, update
from sqlalchemy.schema import CreateIndex, CreateTable

from tapete import places
from tapete.store import ledger
from tapete.store.link import BEGIN_OPTION, Link, StoreError, linked, translated
from tapete.store.schema import VERSION, metadata, schema_version

FILE: Final = "tapete.db"
READ: Final = "BEGIN"
WRITE: Final = "BEGIN IMMEDIATE"
_SETTINGS: Final = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    "fullfsync=ON",
    "checkpoint_fullfsync=ON",
)


def open_engine(folder: Path, *, patience: float) -> tuple[Engine, Path]:
    """The engine on the database in ``folder`` and the file's path; made, and its schema put in place, if it is new.

    ``patience`` is how many seconds to wait for another program's turn. Raises StoreError and BadInput.
    """
    lock = FileLock(folder / "opening.lock", timeout=patience, mode=0o600, thread_local=False)
    try:
        with lock:
            path = places.private_file(folder / FILE)
            engine = _engine(path, patience=patience)
            _prepare(engine, path)
    except Timeout as error:
        raise StoreError("store.busy", path=str(folder)) from error
    except OSError as error:
        raise places.fault(error, folder) from error
    return engine, path


def _engine(path: Path, *, patience: float) -> Engine:
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        connect_args={"timeout": patience, "isolation_level": None},
        pool_timeout=max(patience, 1),
        hide_parameters=True,  # an error must not print a secret
    )
    event.listen(engine, "connect", _set_up)
    event.listen(engine, "begin", _begin)
    return engine


def _set_up(connection: Any, _record: object) -> None:
    for setting in _SETTINGS:
        connection.execute(f"PRAGMA {setting}")


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get(BEGIN_OPTION, READ))


def _prepare(engine: Engine, path: Path) -> None:
    try:
        with translated(path), engine.begin() as connection:
            found = _version(connection, path)
        if found is None:
            _create(engine, path)
        elif found < VERSION:
            _complete(engine, path)
    except BaseException:
        engine.dispose()
        raise


def _version(connection: Connection, path: Path) -> int | None:
    names = set(inspect(connection).get_table_names())
    if not names:
        return None
    found = connection.execute(select(schema_version)).scalar() if "schema_version" in names else None
    if found is None:
        raise StoreError("store.foreign", path=str(path))
    if found > VERSION:
        raise StoreError("store.newer", path=str(path), found=found, known=VERSION)
    return int(found)


def _create(engine: Engine, path: Path) -> None:
    with linked(engine, path, begin=WRITE) as link:
        for table in metadata.sorted_tables:
            link.change(CreateTable(table))
        for index in (index for table in metadata.sorted_tables for index in table.indexes):
            link.change(CreateIndex(index))
        link.change(insert(schema_version).values(version=VERSION))
        ledger.create_house(link)


def _complete(engine: Engine, path: Path) -> None:
    """Brings an older database up to date: so far, newer versions only had more tables."""
    with linked(engine, path, begin=WRITE) as link:
        for table in metadata.sorted_tables:
            link.change(CreateTable(table, if_not_exists=True))
        link.change(update(schema_version).values(version=VERSION))


def is_sound(link: Link) -> bool:
    """Whether the file's pages and indexes agree with each other, every one of them read."""
    return [row[0] for row in link.rows(text("PRAGMA integrity_check"))] == ["ok"]
