"""Places: the folder where Tapete keeps what must last, and what can be wrong with it.

TAPETE_DATA names the folder; else it is the user's own data folder as the system knows it. Folders made here are for
their owner alone (0700), files made here too (0600), because the database holds the secrets of shoes.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Final

import platformdirs

from tapete.errors import BadInput
from tapete.messages import why

VARIABLE: Final = "TAPETE_DATA"
_NOT_A_FOLDER: Final = frozenset({errno.ENOTDIR, errno.EEXIST})
_READ_ONLY: Final = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})


def data_folder(folder: Path | None = None) -> Path:
    """The data folder, made if it is missing: ``folder``, else TAPETE_DATA, else the user's data folder.

    Raises BadInput ``data.not_a_folder``, ``data.readonly``, ``data.full`` or ``data.unusable``.
    """
    return private_folder(folder or _named() or Path(platformdirs.user_data_dir("tapete", appauthor=False)))


def _named() -> Path | None:
    named = os.environ.get(VARIABLE, "")
    return Path(named) if named else None


def private_folder(folder: Path) -> Path:
    """``folder`` as an absolute path, made for its owner alone if it is missing. Raises as :func:`data_folder`."""
    try:
        whole = folder.expanduser().absolute()
        whole.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, RuntimeError, ValueError) as error:
        raise fault(error, folder) from error
    return whole


def private_file(path: Path) -> Path:
    """``path``, made empty if it is missing, for its owner alone. Raises as :func:`data_folder`."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        os.close(handle)
        path.chmod(0o600)
    except OSError as error:
        raise fault(error, path) from error
    return path


def fault(error: Exception, path: Path) -> BadInput:
    """What the system's refusal to use ``path`` means for the person who chose the folder."""
    number = getattr(error, "errno", None)
    if number in _NOT_A_FOLDER:
        return BadInput("data.not_a_folder", path=str(path))
    if number in _READ_ONLY:
        return BadInput("data.readonly", path=str(path))
    if number in _FULL:
        return BadInput("data.full", path=str(path))
    return BadInput("data.unusable", path=str(path), reason=why(error))
