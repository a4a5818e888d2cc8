"""Keeping a long run's file: written anew every half minute, so that the one before stays whole until the next is."""

from __future__ import annotations

import os
import secrets
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from tapete.errors import BadInput
from tapete.pricing import priced
from tapete.terminal.complaints import sentences
from tapete.words import N_, Words

EVERY: Final = 30.0
"""Seconds between two writings."""
ROOM: Final = 1 << 16
"""Bytes that must find room before anything is played."""


class Keeper:
    """The file of a run; for ``-`` and for none there is nothing to keep."""

    def __init__(self, file: str) -> None:
        """Raises BadInput ``price.unwritable`` where it could not be written; one that is there stays as it is."""
        self._file = "" if file == "-" else file
        self._last = time.monotonic()
        self._troubled = False
        if self._file:
            try:
                _try(_meant(self._file))
            except (OSError, ValueError) as error:
                raise priced.unwritable(self._file, error) from None

    def now_and_then(self, text: Callable[[], str], words: Words) -> None:
        """Writes if it is time; a first failure is told on the error output, and the run goes on."""
        if not self._file or time.monotonic() - self._last < EVERY or not _is_regular(_meant(self._file)):
            return
        try:
            self.write(text())
            self._troubled = False
        except BadInput as error:
            if not self._troubled:
                again = words.say(N_("The run goes on, and its file is tried again every half minute."))
                sys.stderr.write("\n".join(("\r", *sentences(error, words), again, "")))
            self._troubled = True
        self._last = time.monotonic()

    def write(self, text: str) -> None:
        """Writes all or nothing. Raises BadInput ``price.unwritable``."""
        if not self._file:
            return
        try:
            _replace(_meant(self._file), text.encode())
        except (OSError, ValueError) as error:
            raise priced.unwritable(self._file, error) from None


def _meant(file: str) -> Path:
    """Where a link leads."""
    return Path(os.path.realpath(file))


def _is_regular(path: Path) -> bool:
    """Whether a file is, or would be, an ordinary one, and no device or pipe."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except OSError:  # whoever opens it will see
        return True


def _try(path: Path) -> None:
    """Raises OSError where the file could not be replaced, or its folder has no room."""
    if path.is_dir():
        raise IsADirectoryError(21, os.strerror(21))
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(13, os.strerror(13))
    if _is_regular(path):
        with _beside(path, bytes(ROOM)):
            pass


def _replace(path: Path, content: bytes) -> None:
    if not _is_regular(path):  # a device or a pipe takes it as it comes
        path.write_bytes(content)
        return
    with _beside(path, content) as beside:
        if path.exists():
            beside.chmod(path.stat().st_mode & 0o777)
        beside.replace(path)
    with suppress(OSError, AttributeError):  # a folder is no file everywhere
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


@contextmanager
def _beside(path: Path, content: bytes) -> Iterator[Path]:
    """A new file in the same folder, its content on the disk; gone at the end if it was not moved."""
    beside = path.with_name(f".tapete-{secrets.token_hex(8)}.part")
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        try:
            _write_all(handle, content)
        finally:
            os.close(handle)
        yield beside
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def _write_all(handle: int, content: bytes) -> None:
    while content:
        content = content[os.write(handle, content) :]
    os.fsync(handle)
