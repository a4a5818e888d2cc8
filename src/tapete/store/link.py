"""Link: the one door through which statements reach the database, and what its faults mean.

SQLite may undo a whole transaction by itself when a statement fails (a full disk, say). A link that has seen a fault
therefore refuses everything after it, and its transaction is undone even if the caller swallowed the error.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Engine, Executable, Row
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from tapete.errors import TapeteError

BEGIN_OPTION: Final = "tapete_begin"
"""The execution option that says how a transaction begins (``tapete.store.sqlite`` obeys it)."""

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


class StoreError(TapeteError):
    """The database cannot do its work; the transaction was undone."""


class Link:
    """A connection within one transaction."""

    def __init__(self, connection: Connection, path: Path) -> None:
        self._connection = connection
        self._path = path
        self._fault: StoreError | None = None

    def rows(self, statement: Executable) -> Sequence[Row[Any]]:
        """All rows that ``statement`` finds."""
        with self._watched():
            return self._connection.execute(statement).all()

    def row(self, statement: Executable) -> Row[Any] | None:
        """The first row that ``statement`` finds."""
        with self._watched():
            return self._connection.execute(statement).first()

    def change(self, statement: Executable, rows: Sequence[Mapping[str, object]] | None = None) -> None:
        """Write: ``statement`` once, or once for each of ``rows``."""
        with self._watched():
            self._connection.execute(statement, rows)

    def add(self, statement: Executable) -> int:
        """Write one new row and tell its id."""
        with self._watched():
            key = self._connection.execute(statement).inserted_primary_key
            return int(key[0]) if key else 0

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Work that is undone alone if the block raises, unless the database itself failed: then all of it is."""
        with self._watched():
            point = self._connection.begin_nested()
        try:
            yield
            self.check()
        except BaseException:
            if self._fault is None:
                with self._watched():
                    point.rollback()
            raise
        with self._watched():
            point.commit()

    def check(self) -> None:
        """Raise the fault that this link has seen, if it has."""
        if self._fault is not None:
            raise self._fault

    def shut(self) -> None:
        """The transaction is over: refuse whatever comes later."""
        self._fault = StoreError("store.closed")

    @contextmanager
    def _watched(self) -> Iterator[None]:
        self.check()
        try:
            yield
        except DBAPIError as error:
            self._fault = fault(error, self._path)
            raise self._fault from error
        except (OverflowError, UnicodeError) as error:  # a number or a text that no database column can keep
            self._fault = StoreError("store.failed", path=str(self._path), reason=str(error))
            raise self._fault from error


@contextmanager
def linked(engine: Engine, path: Path, *, begin: str) -> Iterator[Link]:
    """A link whose work is kept when the block ends well and undone when it does not. Raises StoreError."""
    with translated(path), engine.connect() as plain:
        connection = plain.execution_options(**{BEGIN_OPTION: begin})
        with connection.begin():
            link = Link(connection, path)
            try:
                yield link
                link.check()
            finally:
                link.shut()


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Tell the faults of the database at ``path`` as StoreError."""
    try:
        yield
    except (DBAPIError, PoolTimeout) as error:
        raise fault(error, path) from error


def fault(error: DBAPIError | PoolTimeout, path: Path) -> StoreError:
    """What a fault of the database means for the person who plays."""
    if isinstance(error, PoolTimeout):
        return StoreError("store.busy", path=str(path))
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
