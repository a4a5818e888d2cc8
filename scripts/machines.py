"""Makes the machines that come with the program: those of its tables, played by totals.

    python scripts/machines.py            makes them in src/tapete/sim/machines
    python scripts/machines.py FOLDER     makes them in another folder

With them a simulation begins at once. The same program makes the same files, so a file that changes is a rule, a
strategy or a machine that has changed; a test makes them anew and compares.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from tapete.exact.analysis import analyse
from tapete.exact.boxes import hand_by_hand
from tapete.rulefile import preset, presets
from tapete.rules import RuleSet
from tapete.sim import ready
from tapete.sim.machine import Machine
from tapete.sim.setting import setting

FOLDER: Final = Path(__file__).parent.parent / "src" / "tapete" / "sim" / "machines"


def made(rules: RuleSet) -> Machine:
    """The machine of one box."""
    return setting(analyse(rules, level=ready.LEVEL).round).game.machine


def write(folder: Path) -> None:
    """Makes all of them, and no others are there then."""
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.npz"):
        old.unlink()
    for name in presets():
        rules = hand_by_hand(preset(name).rules)
        ready.write(folder, rules, made(rules))


if __name__ == "__main__":
    write(Path(sys.argv[1]) if sys.argv[1:] else FOLDER)
