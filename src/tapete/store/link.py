"""Link: the one door through which statements reach the database, and what its faults mean.

A database may undo a whole transaction by itself when a statement fails (SQLite on a full disk, PostgreSQL always). A
link that has seen a fault therefore refuses everything after it, and its transaction is undone even if the caller
swallowed the error.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, TypeVar, cast

from sqlalchemy import Connection, Engine, Executable, Row
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from tapete.errors import TapeteError

READ: Final = "read"
"""A transaction that sees one state of the database from its first look to its last, and changes nothing."""
WRITE: Final = "write"
"""A transaction that has the database for itself, as far as writing goes."""
BEGIN_OPTION: Final = "tapete_begin"
"""The execution option of an engine that has its database's own words for beginning each of the two."""


Answer = TypeVar("Answer")


class StoreError(TapeteError):
    """The database cannot do its work; the transaction was undone."""


Fault = DBAPIError | PoolTimeout | OverflowError | UnicodeError
"""What SQLAlchemy and the drivers raise; the last two for a number or a text that no column can keep."""
Meaning = Callable[[Fault], StoreError]
"""What a fault of one database means for the person who plays."""


class Link:
    """A connection within one transaction."""

    def __init__(self, connection: Connection, meaning: Meaning) -> None:
        self._connection = connection
        self._meaning = meaning
        self._driver: Any = connection.dialect.loaded_dbapi
        self._fault: StoreError | None = None
        self._points = 0

    def begin(self, kind: str) -> None:
        """Begin the transaction: READ or WRITE."""
        self._plainly(self._connection.engine.get_execution_options()[BEGIN_OPTION][kind])

    def keep(self) -> None:
        """Bring the transaction to the disk, if this link has seen no fault."""
        self._plainly("COMMIT")

    def rows(self, statement: Executable) -> Sequence[Row[Any]]:
        """All rows that ``statement`` finds."""
        with self._watched():
            return self._connection.execute(statement).all()

    def row(self, statement: Executable, values: Mapping[str, object] | None = None) -> Row[Any] | None:
        """The first row that ``statement`` finds, with these values where it has names for some."""
        with self._watched():
            return self._connection.execute(statement, values).first()

    def change(self, statement: Executable, rows: Sequence[Mapping[str, object]] | None = None) -> None:
        """Write: ``statement`` once, or once for each of ``rows``."""
        with self._watched():
            self._connection.execute(statement, rows)

    def add(self, statement: Executable, values: Mapping[str, object] | None = None) -> int:
        """Write one new row, with these values, and tell its id."""
        with self._watched():
            key = self._connection.execute(statement, values).inserted_primary_key
            return int(key[0]) if key else 0

    def direct(self, words: str, values: Sequence[object]) -> list[Any]:
        """The rows that a statement in the database's own words gives, ``?`` for each value.

        What happens at every command goes this way: SQLAlchemy takes ten times as long for it as the database.
        """
        with self._directly() as cursor:
            return list(cursor.execute(self._spelt(words), values).fetchall())

    def direct_many(self, words: str, rows: Collection[Sequence[object]]) -> None:
        """Write a statement in the database's own words for each of the rows, as :meth:`direct`."""
        if rows:
            with self._directly() as cursor:
                cursor.executemany(self._spelt(words), rows)

    @contextmanager
    def _directly(self) -> Iterator[Any]:
        self.check()
        cursor = self._connection.connection.cursor()
        try:
            yield cursor
        except (self._driver.Error, OverflowError, UnicodeError) as error:
            self._fault = self._meaning(self._wrapped(error))
            raise self._fault from error
        finally:
            cursor.close()

    def _spelt(self, words: str) -> str:
        return words if self._connection.dialect.paramstyle == "qmark" else words.replace("?", "%s")

    def _wrapped(self, error: Exception) -> Fault:
        """A driver's fault as SQLAlchemy would tell it; a connection that broke is not used again."""
        if not isinstance(error, self._driver.Error):
            return cast(Fault, error)
        dialect = self._connection.dialect
        broken = dialect.is_disconnect(error, self._connection.connection, None)
        if broken:
            self._connection.invalidate(error)
        told = DBAPIError.instance(
            None, None, error, self._driver.Error, connection_invalidated=broken, dialect=dialect, hide_parameters=True
        )
        return cast(Fault, told)

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Work that is undone alone if the block raises, unless the database itself failed: then all of it is."""
        self._points += 1
        point = f"apart{self._points}"
        self._plainly(f"SAVEPOINT {point}")
        try:
            yield
            self.check()
        except BaseException:
            if self._fault is None:
                self._plainly(f"ROLLBACK TO SAVEPOINT {point}")
                self._plainly(f"RELEASE SAVEPOINT {point}")
            raise
        finally:
            self._points -= 1
        self._plainly(f"RELEASE SAVEPOINT {point}")

    def _plainly(self, words: str) -> None:
        """Tell the database something without the machinery that statements need; there is much of this."""
        with self._directly() as cursor:
            cursor.execute(words)

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
        except (DBAPIError, OverflowError, UnicodeError) as error:
            self._fault = self._meaning(error)
            raise self._fault from error

    def ask(self, look: Callable[[Connection], Answer]) -> Answer:
        """What ``look`` makes of the connection itself, where statements alone will not do."""
        with self._watched():
            return look(self._connection)

    @property
    def session(self) -> object:
        """The connection to the database as such, which outlives this transaction; for comparing by identity."""
        return self._connection.connection.dbapi_connection


@contextmanager
def linked(engine: Engine, meaning: Meaning, *, begin: str) -> Iterator[Link]:
    """A link whose work is kept when the block ends well and undone when it does not. Raises StoreError."""
    with translated(meaning), engine.connect() as connection:  # on its way out it undoes what was not kept
        link = Link(connection, meaning)
        link.begin(begin)
        try:
            yield link
            link.keep()
        finally:
            link.shut()


@contextmanager
def translated(meaning: Meaning) -> Iterator[None]:
    """Tell the faults of a database as StoreError."""
    try:
        yield
    except (DBAPIError, PoolTimeout) as error:
        raise meaning(error) from error
