"""A tally as JSON and back, bit for bit, whatever fields it has; and the mark of the game that it was counted at.

A whole number is itself. An array is its shape and what is not nought in it: the places, counted through all of it, and
the values there; whole numbers as they are, floats in Python's hexadecimal form, so that no bit is lost.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np

from tapete.sim import running, world
from tapete.sim.results import Tally
from tapete.sim.setting import Setting

MOST: Final = 1 << 62
"""A counted number is below this."""
NEVER_BELOW: Final = ("nets", "counts")
"""The fields that count something; others may hold money, which may be lost."""


def plain(tally: Tally) -> dict[str, Any]:
    """The tally as JSON has it."""
    return {name: _plain(value) for name, value in zip(tally._fields, tally, strict=True)}


def _plain(value: Any) -> Any:
    if not isinstance(value, np.ndarray):
        return value
    flat = value.ravel()
    floats = flat.dtype.kind == "f"
    at = np.flatnonzero(flat.view(np.int64) if floats else flat)  # so that minus nought is kept, too
    values = [float(one).hex() for one in flat[at]] if floats else flat[at].tolist()
    return {"shape": list(value.shape), "at": at.tolist(), "values": values}


def filled(empty: Tally, told: Any, blocks: int) -> Tally:
    """The tally that :func:`plain` has told, of so many blocks, with the fields of an empty one.

    Raises ValueError, TypeError, KeyError or OverflowError for what it cannot have told.
    """
    if set(told) != set(empty._fields):
        raise ValueError(sorted(told))
    fields = zip(empty._fields, empty, strict=True)
    found = Tally(*(_filled(value, told[name], counts=name in NEVER_BELOW) for name, value in fields))
    rounds = sum(found.nets.tolist())
    if found.counts[world.ROUNDS] != rounds or not blocks <= rounds / running.BLOCK <= 2 * blocks:
        raise ValueError(rounds)
    return found


def _filled(empty: Any, told: Any, *, counts: bool) -> Any:
    if not isinstance(empty, np.ndarray):
        if type(told) is not type(empty) or told != empty:
            raise ValueError(told)
        return empty
    if set(told) != {"shape", "at", "values"} or told["shape"] != list(empty.shape):
        raise ValueError(told)
    places, values = told["at"], told["values"]
    read = _float if empty.dtype.kind == "f" else _whole
    found = empty.copy()
    before = -1
    for at, value in zip(places, values, strict=True):
        number = read(value)
        if type(at) is not int or not before < at < found.size or (counts and number < 0):
            raise ValueError(at)
        found.flat[at] = number
        before = at
    return found


def _whole(value: Any) -> int:
    if type(value) is not int or not -MOST < value < MOST:
        raise ValueError(value)
    return value


def _float(value: Any) -> float:
    number = float.fromhex(value)
    if not math.isfinite(number) or number.hex() != value:
        raise ValueError(value)
    return number


# --- the game -------------------------------------------------------------------------------------------------------


def mark(set_: Setting) -> str:
    """A digest of all that decides what is played: cards, states, moves, payments, the counter's tables.

    Floats are not in it: they estimate, and decide nothing.
    """
    found = hashlib.sha256()
    for name, value in _leaves("", set_._asdict()):
        if name.startswith(".game.room."):  # a workplace
            continue
        if isinstance(value, np.ndarray):
            if value.dtype.kind in "iub":
                found.update(f"{name} {value.shape} ".encode() + value.astype("<i8").tobytes())
        elif isinstance(value, int):
            found.update(f"{name} {value} ".encode())
    return found.hexdigest()


def _leaves(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, Mapping):
        for key, one in value.items():
            yield from _leaves(f"{name}.{key}", one)
    elif isinstance(value, tuple):
        for at, one in enumerate(value):
            yield from _leaves(f"{name}.{at}", one)
    else:
        yield name, value
