"""Backup: everything that a data folder has, as one file, while the house is open.

The file is a tar archive: unpacked into an empty folder it is a data folder again. It holds the secrets of shoes and
the key that signs cookies, so it is for its owner alone.
"""

from __future__ import annotations

import os
import sqlite3
import tarfile
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Final

from tapete import places
from tapete.errors import BadInput
from tapete.store.link import StoreError
from tapete.store.sqlite import FILE
from tapete.store.store import Store

BESIDE: Final = ("cookies.key",)
"""What belongs to a house beside its database."""


def backup(store: Store, target: Path) -> int:
    """Write the archive and tell its bytes. Raises BadInput ``backup.exists`` or ``data.…``, StoreError otherwise."""
    source = store.path
    try:
        handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as error:
        raise BadInput("backup.exists", path=str(target)) from error
    except (OSError, ValueError) as error:
        raise places.fault(error, target) from error
    try:
        with os.fdopen(handle, "wb") as opened:
            _write(source, opened.fileno(), target)
    except BaseException as error:
        target.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise places.fault(error, target) from error
        raise
    return target.stat().st_size


def _write(source: Path, handle: int, target: Path) -> None:
    with tempfile.TemporaryDirectory(dir=target.absolute().parent, prefix=".tapete-") as folder:
        copy = Path(folder) / FILE
        _copy(source, copy)
        with os.fdopen(os.dup(handle), "wb") as out, tarfile.open(fileobj=out, mode="w") as archive:
            archive.add(copy, arcname=FILE, filter=_private)
            for beside in (source.with_name(name) for name in BESIDE):
                if beside.is_file():
                    archive.add(beside, arcname=beside.name, filter=_private)
        os.fsync(handle)


def _copy(source: Path, copy: Path) -> None:
    """A whole copy of the database, as it is after some transaction, whoever writes meanwhile."""
    places.private_file(copy)
    try:
        whole, empty = sqlite3.connect(f"{source.as_uri()}?mode=ro", uri=True), sqlite3.connect(copy)
        with closing(whole) as one, closing(empty) as other:
            one.backup(other)
            other.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.Error as error:
        raise StoreError("store.failed", path=str(source), reason=str(error)) from error


def _private(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """Nobody's name, and for the owner alone."""
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    entry.mode = 0o600
    return entry
