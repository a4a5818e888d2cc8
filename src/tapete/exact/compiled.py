"""Kernels: compiled once by numba and kept on disk, and still plain functions for exact fractions.

A kernel gets nothing but arrays, tuples of arrays and numbers. Its parts are marked with :func:`part`; called from a
compiled kernel they are compiled into it, called from its ``py_func`` they are the functions they look like. What is
kept on disk serves until one of the files changes that kernels, their parts and their constants are written in.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numba
from numba.extending import register_jitable

Function = Callable[..., Any]
_BARE: Final[dict[str, Any]] = {"_nrt": False}
"""Without counting who refers to an array, which in a small part costs more than what the part does.

So kernels and parts make no arrays; an :func:`adder` may.
"""
_WITHIN: Final[dict[str, Any]] = {"forceinline": True, "no_cfunc_wrapper": True, "no_cpython_wrapper": True}
"""Of a part that only kernels call, nothing else is compiled than what goes into them."""


def written_in(home: Path) -> tuple[Path, ...]:
    """The files of the package in this folder that kernels, their parts and their constants are written in."""
    return home / "lookup.py", *sorted(home.glob("exact/*.py")), *sorted(home.glob("sim/*.py"))


_WRITTEN_IN: Final = written_in(Path(__file__).parent.parent)


def _kept(compiled: Any) -> Any:
    """A kernel that is compiled anew when any of the files changed; numba itself asks after the kernel's own alone."""
    files = tuple(sorted((file.name, file.stat().st_mtime_ns, file.stat().st_size) for file in _WRITTEN_IN))
    cache = compiled._cache._cache_file  # noqa: SLF001  (there is no other way in)
    cache._source_stamp = (cache._source_stamp, files)  # noqa: SLF001
    return compiled


def kernel(function: Function) -> Any:
    """The function compiled for the types it is called with; ``.py_func`` takes arrays of Fractions as well."""
    return _kept(numba.njit(cache=True, nogil=True, error_model="numpy", **_BARE)(function))


def adder(function: Function) -> Any:
    """The same for a kernel of floats whose sums may be taken in any order, so that they run side by side."""
    fast = {"reassoc", "nsz", "contract"}
    return _kept(numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=fast)(function))


def part(function: Function) -> Function:
    """A part of a kernel."""
    marked: Function = register_jitable(inline="never", **_WITHIN, **_BARE)(function)
    return marked
