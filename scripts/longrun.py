"""Plays the six tables of the records for a long time and holds what came of it against what is counted exactly.

    .venv/bin/python scripts/longrun.py                       a thousand million rounds of each table: five minutes
    .venv/bin/python scripts/longrun.py --rounds 1e6          a short one
    .venv/bin/python scripts/longrun.py --tables home,faceup  two tables alone
    .venv/bin/python scripts/longrun.py --write               writes the figures into docs/records.md, in both languages

The best chart by totals is played, with a fresh shoe for each round, as the analyser counts. First with the control
variate, until the standard error of a box's mean is at most 0.000003, by one box and by several; then without it, and
mean, variance, rates and the whole distribution of results are compared. Whatever is off by four standard errors is
told, and the exit code is 1. Ctrl-C ends it; nothing is written then.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from math import sqrt
from pathlib import Path
from typing import Final, NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

from scripts import records
from scripts.records import Found
from tapete.exact.analysis import analyse
from tapete.exact.playing import Round
from tapete.exact.spread import Spread, spread
from tapete.rulefile import preset
from tapete.rules import RuleSet, with_
from tapete.sim import running, world
from tapete.sim.results import Tally
from tapete.sim.setting import Setting, setting

TABLES: Final = ("casino", "leaflet", "british", "faceup", "home", "american-6d")
SEVERAL: Final = {"casino": 7, "leaflet": 3, "british": 5, "faceup": 2, "home": 3, "american-6d": 7}
"""The boxes of the runs with more than one."""
FRESH: Final[dict[str, object]] = {"shuffle": "every_round", "cut_card_left": None, "min_players": 1}
ERROR: Final = 3e-6
PART: Final = 10
"""Several boxes play so many times fewer rounds."""
LEAST: Final = 1_000_000
FAR: Final = 4
EXPECTED: Final = 25
"""Results that are expected more rarely are put together for the test of the distribution."""


class Long(NamedTuple):
    """A long run: its tally, and the standard error of the money laid, by the blocks."""

    tally: Tally
    laid_error: float


def fresh(name: str) -> RuleSet:
    """The table, its shoe shuffled before every round."""
    return with_(preset(name).rules, FRESH)


def play(name: str, set_: Setting, options: argparse.Namespace, rounds: float) -> Long:
    """Plays so many rounds, or with the control variate until the error is small enough; each table from its seed."""
    began, told, laid, before, tally = time.monotonic(), 0.0, list[float](), 0, None
    error, seed = ERROR if set_.game.control else 0.0, options.seed + TABLES.index(name)

    def enough(found: Tally) -> bool:
        return found.rounds >= rounds if not error else found.rounds > 0 and found.error <= error * found.boxes

    for _, tally in running.run(set_, seed, workers=options.workers, enough=enough):
        now = int(tally.counts[world.LAID])
        laid.append((now - before) / tally.bet)
        before = now
        if time.monotonic() > told + 1:
            told = time.monotonic()
            rate = tally.rounds / (told - began)
            print(f"\r{name:12}{tally.rounds:15,} rounds, {rate:12,.0f} a second", end="", file=sys.stderr, flush=True)
    assert tally is not None
    mean = sum(laid) / len(laid)
    spread_ = sqrt(sum((one - mean) ** 2 for one in laid) / max(1, len(laid) - 1) * len(laid))
    return Long(tally, spread_ / tally.rounds)


# --- what is compared -----------------------------------------------------------------------------------------------


def means(name: str, round_: Round, exact: Spread, options: argparse.Namespace) -> Iterator[Found]:
    """The means of one box and of several, with the control variate."""
    for boxes in (1, SEVERAL[name]):
        tally = play(name, setting(round_, boxes_=boxes, control=True), options, 0).tally
        yield Found(name, "mean", boxes, tally.rounds, tally.mean / boxes, float(exact.ev), tally.error / boxes)


def plain(name: str, round_: Round, exact: Spread, options: argparse.Namespace) -> Iterator[Found]:
    """Mean, variance, rates and distribution of one box, then mean and variance of each of several."""
    long = play(name, setting(round_), options, options.rounds)
    tally, laid_error = long
    rounds = tally.rounds
    moment = fourth(tally)
    yield Found(name, "mean", 1, rounds, tally.plain_mean, float(exact.ev), tally.plain_error)
    yield Found(name, "variance", 1, rounds, tally.variance, float(exact.variance), moment / sqrt(rounds))
    yield Found(name, "laid", 1, rounds, tally.laid, float(exact.wagered), laid_error)
    for what, played, counted in rates(tally, exact):
        yield Found(name, what, 1, rounds, played, counted, sqrt(counted * (1 - counted) / rounds))
    if not exact.beyond:
        square, free = chi_square(tally, exact)
        yield Found(name, "distribution", 1, rounds, square, free, sqrt(2 * free))
    boxes = SEVERAL[name]
    tally = play(name, setting(round_, boxes_=boxes), options, options.rounds / PART).tally
    rounds = tally.rounds
    for mean, variance in tally.each:
        yield Found(name, "mean", boxes, rounds, mean, float(exact.ev), sqrt(exact.variance / rounds))
        yield Found(name, "variance", boxes, rounds, variance, float(exact.variance), moment / sqrt(rounds))


def fourth(tally: Tally) -> float:
    """The standard deviation of the square of a round's distance from the mean: what a variance's error is made of."""
    mean = tally.plain_mean
    moment = sum((net - mean) ** 4 * many for net, many in tally.results) / tally.rounds
    return sqrt(moment - tally.variance**2)


def rates(tally: Tally, exact: Spread) -> Iterator[tuple[str, float, float]]:
    """Rates that are counted exactly: name, played, counted."""
    told = exact.rates
    yield "blackjack", tally.rate(world.BLACKJACKS), float(told.blackjack)
    if told.retire:
        yield "retire", tally.rate(world.RETIRES), float(told.retire)
    if not exact.beyond:
        yield "split", tally.rate(world.SPLITS), float(told.split)
        yield "win", tally.share(1), float(told.win)
        yield "push", tally.share(0), float(told.push)
        yield "loss", tally.share(-1), float(told.loss)


def chi_square(tally: Tally, exact: Spread) -> tuple[float, int]:
    """Pearson's sum over all net results, and its degrees of freedom; the rarest are taken together."""
    played = dict(tally.results)
    expected = {float(net): float(chance) * tally.rounds for net, chance in exact.nets}
    often = [net for net, many in expected.items() if many >= EXPECTED]
    pairs = [(played.pop(net, 0), expected.pop(net)) for net in often]
    if sum(expected.values()) >= 1:
        pairs.append((sum(played.values()), sum(expected.values())))
    return sum((found - told) ** 2 / told for found, told in pairs), len(pairs) - 1


def main() -> int:
    """Plays, and tells what is far off."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--rounds", type=float, default=1e9, help="of each table, without the control variate")
    asked.add_argument("--tables", default=",".join(TABLES))
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--workers", type=int, default=2)
    asked.add_argument("--write", action="store_true", help="writes into the pages of the manual")
    options = asked.parse_args()
    if options.rounds < LEAST or not set(options.tables.split(",")) <= set(TABLES):
        asked.error(f"a million rounds at least, and tables of {', '.join(TABLES)}")
    with_control, without = list[Found](), list[Found]()
    try:
        for name in options.tables.split(","):
            round_ = analyse(fresh(name), level="td").round
            exact = spread(round_)
            with_control += means(name, round_, exact, options)
            without += plain(name, round_, exact, options)
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        return 130
    print(file=sys.stderr)
    shown = {"means": records.means(with_control), "plain": records.plain(without), "rates": records.rates(without)}
    records.tell(shown, write=options.write)
    far = [one for one in (*with_control, *without) if abs(one.z) >= FAR]
    for one in far:
        print(f"far off: {one}")
    return 1 if far else 0


if __name__ == "__main__":
    sys.exit(main())
