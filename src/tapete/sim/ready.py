"""Machines made beforehand: of the tables that come with the program, played by totals, so that nothing is counted.

Each is a file named by the digest of its table's rules, as ``scripts/machines.py`` writes it. Of any other table, or
of other ways of playing, the machine is made when it is wanted; that gives the same, and takes longer.
"""

from __future__ import annotations

from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import numpy as np

from tapete.rules import RuleSet, digest
from tapete.sim.machine import Machine

LEVEL: Final = "td"
"""The level of attention of who plays."""
_LETTERS: Final = 16
"""Of the digest, in a file's name."""


def file(rules: RuleSet) -> str:
    """The name of the file for a table's rules."""
    return f"{digest(rules)[:_LETTERS]}.npz"


def machine_of(rules: RuleSet, boxes: int) -> Machine | None:
    """The machine of boxes that all play like that, or None where it was not made beforehand."""
    there = files("tapete") / "sim" / "machines" / file(rules)
    if not there.is_file():
        return None
    with np.load(BytesIO(there.read_bytes()), allow_pickle=False) as arrays:
        found = Machine(*(arrays[name] for name in Machine._fields))
    return found._replace(
        begin=np.tile(found.begin, boxes),
        split=np.tile(found.split, boxes),
        states=int(found.states),
        planned=int(found.planned),
    )


def write(folder: Path, rules: RuleSet, machine: Machine) -> None:
    """Keeps the machine of one box."""
    parts: Any = machine._asdict()
    np.savez_compressed(folder / file(rules), **parts)
