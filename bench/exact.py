"""How fast is the exact analysis, and how much faster than a naive one?

    .venv/bin/python bench/exact.py                 CPU milliseconds, median of several, warm
    .venv/bin/python bench/exact.py --naive         and the ratio to bench/naive at one pack (takes a minute)
    .venv/bin/python bench/exact.py --cold          wall time of ``tapete edge`` with kernels cached, and the first time

The game is six packs, S17, DAS: every hand against every card, composition-dependent (CDZ-), so the dealer behind
thousands of shoes and all move values; ``td`` is the best strategy by totals; "in play" is one decision in a shoe of
which a third is gone, the split of a pair included. One process, one core, CPU time, so that other programs on the
machine disturb little (they still share its caches).
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tapete.exact import analysis, counting, playing
from tapete.rulefile import preset
from tapete.rules import RuleSet, with_

GAME = preset("american-6d").rules
LIMITS = {"no split": 15, "split once": 40, "splits to four": 100, "best by totals": 500, "in play": 20}
"""Milliseconds that each was asked to stay within."""
TABLES = ("casino", "british", "leaflet", "faceup", "home")


def whole(rules: RuleSet, level: str = "cdz") -> Callable[[], object]:
    """The whole analysis of a table."""
    return lambda: playing.value(analysis.analyse(rules, level=level).round)


def in_play() -> object:
    """One decision in the middle of a shoe."""
    shoe = [many * 2 // 3 for many in counting.full(GAME)]
    return analysis.decision(GAME, (7, 7), (9,), shoe=shoe)


WORK = {
    "no split": whole(with_(GAME, {"split.max_hands": 1})),
    "split once": whole(with_(GAME, {"split.max_hands": 2})),
    "splits to four": whole(GAME),
    "best by totals": whole(GAME, "td"),
    "in play": in_play,
}


def milliseconds(work: Callable[[], object], times: int) -> float:
    """The median CPU time of some runs after one that does not count."""
    work()
    taken = []
    for _ in range(times):
        before = time.process_time()
        work()
        taken.append(1000 * (time.process_time() - before))
    return statistics.median(taken)


def against_naive() -> None:
    """One pack, split once: the naive recursion in the same run."""
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from bench import naive  # noqa: PLC0415  (slow, and asked for)

    rules = with_(GAME, {"decks": 1, "split.max_hands": 2, "cut_card_left": 13})
    ours = milliseconds(whole(rules), 5)
    before = time.process_time()
    told = naive.analyse(rules)
    theirs = 1000 * (time.process_time() - before)
    print(f"one pack, split once: {ours:.0f} ms against {theirs:,.0f} ms, {theirs / ours:,.0f} times as fast")
    print(f"the same value: {analysis.analyse(rules).ev:+.15f} {float(told.ev):+.15f}")


def cold() -> None:
    """``tapete edge`` as a command: the first time without compiled kernels, then with them.

    The edge is there first; the standard deviation and the chances, which take longer, follow it.
    """
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder, "PYTHONUNBUFFERED": "1"}
        for name, table in (("first time", "faceup"), *(("cached", one) for one in TABLES)):
            command = [sys.executable, "-m", "tapete", "edge", table]
            before = time.perf_counter()
            with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as running:
                assert running.stdout is not None
                running.stdout.readline()
                edge = time.perf_counter() - before
                running.stdout.read()
            if running.returncode:
                sys.exit(f"tapete edge {table} failed")
            print(
                f"tapete edge {table:8} {name:10}: {edge:.2f} s to the edge, {time.perf_counter() - before:.2f} s all"
            )


def main() -> None:
    """Prints what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=9)
    parser.add_argument("--naive", action="store_true")
    parser.add_argument("--cold", action="store_true")
    asked = parser.parse_args()
    for name, work in WORK.items():
        print(f"{name:16} {milliseconds(work, asked.times):7.1f} ms   (limit {LIMITS[name]})")
    print(f"memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MiB")
    if asked.naive:
        against_naive()
    if asked.cold:
        cold()


if __name__ == "__main__":
    main()
