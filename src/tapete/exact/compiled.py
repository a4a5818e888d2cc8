"""Kernels: compiled once by numba and kept on disk, and still plain functions for exact fractions.

A kernel gets nothing but arrays, tuples of arrays and numbers, so that the cache on disk, whose key is the kernel's own
file, cannot serve stale rules. Its parts are marked with :func:`part`; called from a compiled kernel they are compiled
into it, called from its ``py_func`` they are the functions they look like.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numba
from numba.extending import register_jitable

Function = Callable[..., Any]
_BARE: Final[dict[str, Any]] = {"_nrt": False}
"""Without counting who refers to an array, which in a small part costs more than what the part does.

So kernels and parts make no arrays; an :func:`adder` may.
"""


def kernel(function: Function) -> Any:
    """The function compiled for the types it is called with; ``.py_func`` takes arrays of Fractions as well."""
    return numba.njit(cache=True, nogil=True, error_model="numpy", **_BARE)(function)


def adder(function: Function) -> Any:
    """The same for a kernel of floats whose sums may be taken in any order, so that they run side by side."""
    return numba.njit(cache=True, nogil=True, error_model="numpy", fastmath={"reassoc", "nsz", "contract"})(function)


def part(function: Function) -> Function:
    """A part of a kernel."""
    marked: Function = register_jitable(inline="never", forceinline=True, **_BARE)(function)
    return marked
