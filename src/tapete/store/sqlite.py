"""SQLite as the store uses it: the file, the settings of a connection, what its faults mean.

``synchronous=FULL`` makes every commit wait until the disk has it (1 to 5 ms on an ordinary SSD), so that neither a
killed program nor a lost power supply takes back what a player has been told. WAL lets others read meanwhile. A write
begins with BEGIN IMMEDIATE, so that two programs queue for their turn instead of failing halfway.
"""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path
from typing import Any, Final

from filelock import FileLock, Timeout
from sqlalchemy import URL, Engine, create_engine, event, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from tapete import places
from tapete.store.claims import FileClaims
from tapete.store.database import Database, prepare
from tapete.store.link import BEGIN_OPTION, READ, WRITE, Fault, Link, StoreError

FILE: Final = "tapete.db"
_BEGIN: Final = {READ: "BEGIN", WRITE: "BEGIN IMMEDIATE"}
_NO_ROOM: Final = 1 << 18
_CODES: Final = (
    ("SQLITE_BUSY", "store.busy"),
    ("SQLITE_LOCKED", "store.busy"),
    ("SQLITE_FULL", "data.full"),
    ("SQLITE_CORRUPT", "store.corrupt"),
    ("SQLITE_NOTADB", "store.corrupt"),
    ("SQLITE_READONLY", "data.readonly"),
    ("SQLITE_CANTOPEN", "data.readonly"),
    ("SQLITE_PERM", "data.readonly"),
)
_SETTINGS: Final = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    "fullfsync=ON",
    "checkpoint_fullfsync=ON",
)


def open_database(folder: Path, *, patience: float) -> Database:
    """The database in ``folder``; made, and its schema put in place, if it is new.

    ``patience`` is how many seconds to wait for another program's turn. Raises StoreError and BadInput.
    """
    claims = FileClaims(folder / "tables")
    lock = FileLock(folder / "opening.lock", timeout=patience, mode=0o600, thread_local=False)
    try:
        with lock:
            path = places.private_file(folder / FILE)
            engine = _engine(path, patience=patience)
            database = Database(str(path), engine, engine, partial(fault, path=path), claims, is_sound)
            prepare(database)
    except Timeout as error:
        raise StoreError("store.busy", path=str(folder)) from error
    except OSError as error:
        raise places.fault(error, folder) from error
    return database


def _engine(path: Path, *, patience: float) -> Engine:
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        connect_args={"timeout": patience, "isolation_level": None},
        pool_timeout=max(patience, 1),
        hide_parameters=True,  # an error must not print a secret
        execution_options={BEGIN_OPTION: _BEGIN},
    )
    event.listen(engine, "connect", _set_up)
    return engine


def _set_up(connection: Any, _record: object) -> None:
    for setting in _SETTINGS:
        connection.execute(f"PRAGMA {setting}")


def fault(error: Fault, *, path: Path) -> StoreError:
    """What a fault of the database in the file ``path`` means for the person who plays."""
    if isinstance(error, PoolTimeout):
        return StoreError("store.busy", path=str(path))
    if not isinstance(error, DBAPIError):
        return StoreError("store.failed", path=str(path), reason=str(error))
    name = str(getattr(error.orig, "sqlite_errorname", ""))
    if name.startswith(("SQLITE_IOERR", "SQLITE_CANTOPEN")) and _no_room(path):
        return StoreError("data.full", path=str(path))
    for beginning, code in _CODES:
        if name.startswith(beginning):
            return StoreError(code, path=str(path))
    return StoreError("store.failed", path=str(path), reason=f"{error.orig} {name}".strip())


def _no_room(path: Path) -> bool:
    try:
        return shutil.disk_usage(path.parent).free < _NO_ROOM
    except OSError:
        return False


def is_sound(link: Link) -> bool:
    """Whether the file's pages and indexes agree with each other, every one of them read."""
    return [row[0] for row in link.rows(text("PRAGMA integrity_check"))] == ["ok"]
