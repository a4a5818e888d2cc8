"""Claims: which running program holds a table.

A claim is a lock on a small file. The system takes the lock back when the program ends, however it ends, so a table
whose lock is free belongs to nobody and can be resumed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from tapete import places
from tapete.errors import Refused

_PROBE_PASSES: Final = 1.0
"""Seconds to wait for a lock: another program's look whether it is free holds it for a moment."""


class Claims:
    """The tables that this program holds."""

    def __init__(self, folder: Path) -> None:
        self._folder = places.private_folder(folder)
        self._held: dict[int, FileLock] = {}

    def holds(self, table: int) -> bool:
        """Whether this program holds the table."""
        return table in self._held

    def need(self, table: int) -> None:
        """Raise Refused ``store.table_not_held`` unless this program holds the table."""
        if table not in self._held:
            raise Refused("store.table_not_held", table=table)

    def take(self, table: int) -> None:
        """Hold the table from now on. Raises Refused ``store.table_in_use`` if another program does."""
        if table in self._held:
            return
        lock = self._try(table, wait=_PROBE_PASSES)
        if lock is None:
            raise Refused("store.table_in_use", table=table)
        self._held[table] = lock

    def is_free(self, table: int) -> bool:
        """Whether no running program holds the table."""
        lock = None if table in self._held else self._try(table, wait=0)
        if lock is not None:
            lock.release()
        return lock is not None

    def drop(self, table: int) -> None:
        """Give up the table, if held."""
        lock = self._held.pop(table, None)
        if lock is not None:
            lock.release()

    def drop_all(self) -> None:
        """Give up every table."""
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
