"""Claims: which running program holds a table.

A claim is a lock that the system takes back when the program ends, however it ends; so a table whose lock is free
belongs to nobody and can be resumed. Beside a SQLite file it is a lock on a small file, in PostgreSQL one of the
session that writes (``tapete.store.sessions``).
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, Protocol

from filelock import FileLock, Timeout

from tapete import places
from tapete.errors import Refused
from tapete.store.link import Link

_PROBE_PASSES: Final = 1.0
"""Seconds to wait for a lock: another program's look whether it is free holds it for a moment."""


class Claims(Protocol):
    """The tables that this program holds."""

    def need(self, link: Link, table: int) -> None:
        """Raise Refused ``store.table_not_held`` unless this program holds the table; ``link`` is about to write."""

    def take(self, link: Link, table: int) -> None:
        """Hold the table from now on. Raises Refused ``store.table_in_use`` if another program does."""

    def is_free(self, link: Link, table: int) -> bool:
        """Whether no running program holds the table."""

    def drop(self, table: int) -> None:
        """Give up the table, if held: at once, or with the next :meth:`settle`."""

    def settle(self) -> None:
        """Give up what was dropped; called when no transaction of this thread is open."""

    def drop_all(self) -> None:
        """Give up every table."""


class FileClaims:
    """Claims as locks on files in ``folder``, one for each table."""

    def __init__(self, folder: Path) -> None:
        self._folder = places.private_folder(folder)
        self._held: dict[int, FileLock] = {}

    def need(self, _: Link, table: int) -> None:
        """See :class:`Claims`."""
        if table not in self._held:
            raise Refused("store.table_not_held", table=table)

    def take(self, _: Link, table: int) -> None:
        """See :class:`Claims`."""
        if table in self._held:
            return
        lock = self._try(table, wait=_PROBE_PASSES)
        if lock is None:
            raise Refused("store.table_in_use", table=table)
        self._held[table] = lock

    def is_free(self, _: Link, table: int) -> bool:
        """See :class:`Claims`."""
        lock = None if table in self._held else self._try(table, wait=0)
        if lock is not None:
            lock.release()
        return lock is not None

    def drop(self, table: int) -> None:
        """See :class:`Claims`."""
        lock = self._held.pop(table, None)
        if lock is not None:
            lock.release()

    def settle(self) -> None:
        """See :class:`Claims`; dropped locks are free already."""

    def drop_all(self) -> None:
        """See :class:`Claims`."""
        for table in list(self._held):
            self.drop(table)

    def _try(self, table: int, *, wait: float) -> FileLock | None:
        path = self._folder / f"{table}.lock"
        lock = FileLock(path, timeout=wait, poll_interval=0.02, mode=0o600, thread_local=False)
        try:
            lock.acquire()
        except Timeout:
            return None
        except OSError as error:
            raise places.fault(error, path) from error
        return lock
