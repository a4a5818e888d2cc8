"""Store: one data folder, or one database of a server, open for reading and for transactions."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from tapete import places
from tapete.store import identities, ledger, log, people, postgres, sqlite
from tapete.store.audit import Audit, audit
from tapete.store.database import Database
from tapete.store.interrupts import uninterrupted
from tapete.store.ledger import Account, purse
from tapete.store.link import READ, WRITE, Link, StoreError, linked
from tapete.store.log import Event, Shoe, Table
from tapete.store.people import Person
from tapete.store.transaction import Transaction

PATIENCE: Final = 10.0
"""Seconds to wait for another program's transaction before giving up with ``store.busy``."""


class Store:
    """The log and the ledger in one database. Threads may share it; two programs may open the same one."""

    def __init__(self, folder: Path | None = None, *, url: str | None = None, patience: float = PATIENCE) -> None:
        """Open the SQLite file in ``folder`` (else TAPETE_DATA, else the user's data folder), made if it is missing.

        With a ``url`` (``postgresql://user:password@host:port/name``) open that database of a PostgreSQL server
        instead; the folder then serves for local files alone. Raises BadInput ``data.…`` for a folder that cannot
        serve, ``store.url`` or ``store.no_driver``; StoreError ``store.busy``, ``store.corrupt``, ``store.foreign``,
        ``store.newer``, ``store.unreachable``, ``store.no_access`` or ``store.failed`` for a database that cannot.
        """
        self.folder = places.data_folder(folder)
        with uninterrupted():
            self._database = _open(self.folder, url, patience)
        self.name = self._database.name
        """What messages call the database; it holds no password."""
        self._writers: set[int] = set()
        self._closed = False

    @property
    def path(self) -> Path:
        """The file of the database. Raises StoreError ``store.no_file`` where a server keeps it."""
        path = Path(self.name)
        if not path.is_absolute():
            raise StoreError("store.no_file", path=self.name)
        return path

    def __enter__(self) -> Self:
        """The store itself; leaving the block closes it."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        """Close the store."""
        self.close()

    def close(self) -> None:
        """Give up all tables and connections; open tables can be resumed. Closing twice does no harm."""
        self._closed = True
        self._database.dispose()

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        """Deeds that are all kept, on disk, when the block ends well, and all undone when it raises.

        One at a time: another thread or program waits for its turn, and so does Ctrl-C. Raises StoreError.
        """
        with uninterrupted(), self._not_nested():
            deeds: Transaction | None = None
            kept = False
            try:
                with self._linked(WRITE) as link:
                    deeds = Transaction(link, self._database.claims)
                    yield deeds
                kept = True
            finally:
                if deeds is not None:
                    deeds.ended(kept=kept)
                    self._database.claims.settle()

    @contextmanager
    def _not_nested(self) -> Iterator[None]:
        me = threading.get_ident()
        if me in self._writers:
            raise RuntimeError("a transaction within a transaction would wait for itself")
        try:
            self._writers.add(me)
            yield
        finally:
            self._writers.discard(me)

    @contextmanager
    def _linked(self, begin: str) -> Iterator[Link]:
        if self._closed:
            raise StoreError("store.closed")
        engine = self._database.writer if begin == WRITE else self._database.reader
        with uninterrupted(), linked(engine, self._database.meaning, begin=begin) as link:
            yield link

    def person(self, name: str) -> Person:
        """The person of that name, made with STARTING units at first. See :meth:`Transaction.person`."""
        with self.transaction() as deeds:
            return deeds.person(name)

    def people(self) -> list[Person]:
        """All people, in the order in which they first came."""
        with self._linked(READ) as link:
            return people.everyone(link)

    def known(self, person: int) -> Person:
        """The person with that id. Raises Refused ``person.unknown``."""
        with self._linked(READ) as link:
            return people.get(link, person)

    def of_phrase(self, digest: str) -> Person:
        """The person whose recovery phrase has that hash. Raises Refused ``identity.phrase_unknown``."""
        with self._linked(READ) as link:
            return identities.of_phrase(link, digest)

    def balance(self, person: int) -> int:
        """The units on a person's account, without what lies at tables. Raises Refused ``ledger.no_account``."""
        return self.holds(purse(person))

    def holds(self, account: Account) -> int:
        """The units on any account. Raises Refused ``ledger.no_account``."""
        with self._linked(READ) as link:
            return ledger.holds(link, account)

    def racks(self, table: int) -> dict[int, int]:
        """The units on each rack in use at a table, by person: who sits there."""
        with self._linked(READ) as link:
            return ledger.racks(link, table)

    def reset(self, person: int) -> None:
        """Bring a person's account back to STARTING. See :meth:`Transaction.reset`."""
        with self.transaction() as deeds:
            deeds.reset(person)

    def open_table(self, *, kind: str, name: str, config: bytes) -> int:
        """A new table, held by this program; tells its id."""
        with self.transaction() as deeds:
            return deeds.open_table(kind=kind, name=name, config=config)

    def close_table(self, table: int) -> None:
        """Move every rack back to its person and close the table for good."""
        with self.transaction() as deeds:
            deeds.close_table(table)

    def sit(self, person: int, *, table: int, amount: int | None = None) -> int:
        """Move units from a person's account to the rack. See :meth:`Transaction.sit`."""
        with self.transaction() as deeds:
            return deeds.sit(person, table=table, amount=amount)

    def leave(self, person: int, *, table: int) -> int:
        """Move the whole rack back to the person's account; tells how many units."""
        with self.transaction() as deeds:
            return deeds.leave(person, table=table)

    def table(self, table: int) -> Table:
        """The table with that id, open or closed. Raises Refused ``store.table_unknown``."""
        with self._linked(READ) as link:
            return log.table(link, table)

    def table_named(self, name: str, *, kind: str) -> Table:
        """The table of a kind with that name, open or closed. Raises Refused ``store.table_unknown``."""
        with self._linked(READ) as link:
            return log.named(link, kind=kind, name=name)

    def open_tables(self) -> list[Table]:
        """The tables that nobody has closed, whoever holds them, oldest first."""
        with self._linked(READ) as link:
            return log.open_tables(link)

    def resumable(self) -> list[Table]:
        """The open tables that no running program holds, oldest first."""
        with self._linked(READ) as link:
            return [one for one in log.open_tables(link) if self._database.claims.is_free(link, one.id)]

    def claim(self, table: int) -> Table:
        """Hold an open table from now on, and tell what it is; holding it already is no fault.

        Raises Refused ``store.table_unknown``, ``store.table_closed``, ``store.table_in_use`` if another program does.
        """
        with self._linked(WRITE) as link:
            found = log.open_table(link, table)
            self._database.claims.take(link, table)
            return found

    def release(self, table: int) -> None:
        """Give up a table without closing it: it can be resumed, here or by another program."""
        self._database.claims.drop(table)
        self._database.claims.settle()

    def events(self, table: int, *, after_seq: int = 0) -> list[Event]:
        """The events of a table behind ``after_seq``, in order."""
        with self._linked(READ) as link:
            return log.read(link, table, after_seq=after_seq)

    def last_seq(self, table: int) -> int:
        """The number of a table's last event; 0 if there is none."""
        with self._linked(READ) as link:
            return log.last_seq(link, table)

    def rounds(self, table: int, *, after: int = 0) -> dict[int, str]:
        """The history texts of a table's finished rounds behind number ``after``, in order."""
        with self._linked(READ) as link:
            return log.saved_rounds(link, table, after=after)

    def shoe(self, shoe: str) -> Shoe:
        """The shoe with that id. Raises Refused ``log.shoe_unknown``."""
        with self._linked(READ) as link:
            return log.get_shoe(link, shoe)

    def shoes(self, table: int) -> list[Shoe]:
        """The shoes of a table, by id."""
        with self._linked(READ) as link:
            return log.shoes_of(link, table)

    def rounds_folder(self) -> Path:
        """The folder for exported histories, made if it is missing."""
        return places.private_folder(self.folder / "rounds")

    def audit(self) -> Audit:
        """Recompute everything that the ledger and the logs promise, and let the database check itself."""
        with self._linked(READ) as link:
            sound, found = self._database.is_sound(link), audit(link)
        damage = () if sound else (StoreError("store.corrupt", path=self.name),)
        return found._replace(faults=(*damage, *found.faults))


def _open(folder: Path, url: str | None, patience: float) -> Database:
    if url is None:
        return sqlite.open_database(folder, patience=patience)
    return postgres.open_database(url, patience=patience)
