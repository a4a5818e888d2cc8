"""Simulates what others have simulated and published, and tells the differences.

    .venv/bin/python scripts/published.py                 eight million rounds for each figure: three minutes
    .venv/bin/python scripts/published.py --millions 1    a short one, as in the tests
    .venv/bin/python scripts/published.py --write         writes the figures into docs/records.md, in both languages

What is compared, and how far apart figures may be, stands in ``tests/sim/published.py``. Ends with code 1 if a figure
is off that is not known to be.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parent.parent))

from scripts import records
from tests.sim import published
from tests.sim.published import Figure

IN_PER_CENT: Final = ("edges", "off the top", "cut card", "counters")


def shown(name: str, figures: Sequence[Figure]) -> records.Table:
    """The figures as a table; those that do not meet the published ones have an asterisk."""
    digits = 3 if name in IN_PER_CENT else 5
    theirs = "By the law" if name == "frequencies" else "Published"
    head = ("What", theirs, "Ours", "Standard error", "Difference")
    return head, [
        (one.what + ("" if one.agrees else " *"), (one.theirs, digits), (one.ours, digits + 1), (one.error, digits + 1),
         (one.ours - one.theirs, digits + 1))
        for one in figures
    ]  # fmt: skip


def main() -> int:
    """Simulates, and tells what is off."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--millions", type=float, default=8)
    asked.add_argument("--write", action="store_true", help="writes into the pages of the manual")
    options = asked.parse_args()
    off = []
    for name, compare in published.ALL.items():
        print(f"{name} …", file=sys.stderr, flush=True)
        figures = [*compare(options.millions)]
        records.tell({name.replace(" ", "-"): shown(name, figures)}, write=options.write)
        off += [one for one in figures if not one.agrees and one.what not in published.DISAGREE]
    for one in off:
        print(f"off: {one}")
    return 1 if off else 0


if __name__ == "__main__":
    sys.exit(main())
