"""How fast is the simulator?

    .venv/bin/python bench/sim.py            million rounds per second and core, by table
    .venv/bin/python bench/sim.py --workers  and the wall time of two threads against one

CPU time of whole blocks, median of several after one that does not count: the common game (six packs, S17, DAS, splits
to four hands, the cut card at 78) by its best chart, and the five tables by theirs.
"""

from __future__ import annotations

import argparse
import statistics
import time

from tapete.exact.analysis import analyse
from tapete.rulefile import preset
from tapete.sim import running
from tapete.sim.setting import Setting, setting

TABLES = ("american-6d", "casino", "british", "leaflet", "faceup", "home")
LEAST = {"american-6d": 25}
"""Million rounds that each was asked to reach; the others 12."""


def rate(set_: Setting, times: int) -> float:
    """Million rounds per second of CPU time."""
    running.block(set_, 1, 0)
    taken = []
    for number in range(times):
        before = time.process_time()
        rounds = running.block(set_, 1, number).rounds
        taken.append((time.process_time() - before) / rounds)
    return 1e-6 / statistics.median(taken)


def wall(set_: Setting, workers: int) -> float:
    """Seconds for fifty blocks."""
    before = time.perf_counter()
    for _ in running.run(set_, 1, workers=workers, enough=lambda tally: tally.rounds > 50 * running.BLOCK):
        pass
    return time.perf_counter() - before


def main() -> None:
    """Prints what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=15)
    parser.add_argument("--workers", action="store_true")
    asked = parser.parse_args()
    ready = {name: setting(analyse(preset(name).rules, level="td").round) for name in TABLES}
    for name, set_ in ready.items():
        print(f"{name:12} {rate(set_, asked.times):6.1f} million rounds/s   (wanted {LEAST.get(name, 12)})")
    if asked.workers:
        one, two = (wall(ready["american-6d"], many) for many in (1, 2))
        print(f"two threads: {one / two:.2f} times as fast as one")


if __name__ == "__main__":
    main()
