"""What ``tapete simulate`` is asked for: read from its options, and made ready for the kernel."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from msgspec.structs import replace

from tapete.errors import BadInput
from tapete.exact import counting, given
from tapete.exact.analysis import LEVELS
from tapete.exact.boxes import hand_by_hand
from tapete.exact.playing import Round
from tapete.pricing import priced, simcount, simrisk, strategies
from tapete.pricing.figures import decimal
from tapete.pricing.priced import Table
from tapete.pricing.simcount import Counter
from tapete.sim import count, plays, ready
from tapete.sim.colours import with_red
from tapete.sim.machine import Machine
from tapete.sim.results import Tally
from tapete.sim.running import Progress
from tapete.sim.setting import Setting, around, setting_of
from tapete.sim.streams import SEEDS

ROUNDS: Final = 10_000_000
"""Rounds that are played where nothing is said."""
MOST_ROUNDS: Final = 10**13
MOST_BOXES: Final = 7
MOST_WORKERS: Final = 256


class Asked(NamedTuple):
    """What is to be played, and when it is enough: after so many ``rounds``, or at an ``error`` of the mean.

    ``strategy`` is what was asked for, ``strategies`` the one of each box; ``counter`` is None where nobody counts;
    ``endless``: no card is ever missed; ``plain``: without the control variate.
    """

    table: Table
    strategy: str
    boxes: int
    seed: int
    workers: int
    rounds: int
    error: float
    wish: simrisk.Wish = simrisk.Wish()
    strategies: tuple[str, ...] = ()
    counter: Counter | None = None
    cluster: str = ""
    endless: bool = False
    plain: bool = False


class Point(NamedTuple):
    """What the rounds until then came to: the mean result of a round, and its standard error."""

    rounds: int
    mean: float
    error: float


class Run(NamedTuple):
    """A run so far, and whether it came to its end; ``history``: how its estimate settled; ``game``: its mark."""

    asked: Asked
    progress: Progress
    over: bool
    history: tuple[Point, ...] = ()
    game: str = ""


# --- what is asked for ----------------------------------------------------------------------------------------------


def rounds(text: str) -> int:
    """How many rounds: a whole number, also as 1e8. Raises BadInput ``sim.rounds``."""
    try:
        wanted = float(text) if text.isascii() else math.nan
    except ValueError:
        wanted = math.nan
    if not 1 <= wanted <= MOST_ROUNDS or wanted != int(wanted):
        raise BadInput("sim.rounds", text=text[:40], most=MOST_ROUNDS)
    return int(wanted)


def error(text: str) -> float:
    """A standard error, as a part of the bet or in per cent. Raises BadInput ``sim.error``."""
    part = text.strip().removesuffix("%").strip()
    try:
        wanted = decimal(part) / (100 if text.strip().endswith("%") else 1)
    except ValueError:
        wanted = math.nan
    if not 1e-7 <= wanted <= 1:
        raise BadInput("sim.error", text=text[:40])
    return wanted


def whole(text: str, option: str, *, least: int, most: int) -> int:
    """A whole number within its limits. Raises BadInput ``sim.whole``."""
    if not text.isascii() or not text.isdecimal() or not least <= int(text[:30]) <= most:
        raise BadInput("sim.whole", option=option, text=text[:40], least=least, most=most)
    return int(text)


def asked(table: Table, options: Mapping[str, str]) -> Asked:
    """What the options ask for. Raises BadInput for each that does not read."""
    if options["rounds"] and options["until"]:
        raise BadInput("sim.both")
    each = strategies_of(options["strategy"] or priced.CHART, options["boxes"])
    return Asked(
        table,
        options["strategy"] or priced.CHART,
        len(each),
        whole(options["seed"] or "1", "--seed", least=0, most=SEEDS - 1),
        workers(options["workers"], options["cluster"]),
        0 if options["until"] else rounds(options["rounds"] or str(ROUNDS)),
        error(options["until"]) if options["until"] else 0.0,
        simrisk.wish(options),
        each,
        simcount.counter(table.rules, options),
        options["cluster"],
        endless(table),
        bool(options["plain"]),
    )


def endless(table: Table) -> bool:
    """Whether the shoe has no end. Raises BadInput ``sim.shoe`` for any other shoe than that and the table's own."""
    if table.shoe == counting.full(table.rules):
        return False
    if table.shoe == counting.endless(table.rules):
        return True
    raise BadInput("sim.shoe")


def workers(text: str, cluster: str) -> int:
    """How many threads play here: as many as the machine has cores for this program, if nothing else is said."""
    if text and cluster:
        raise BadInput("sim.cluster_workers")
    if text not in ("", "auto"):
        return whole(text, "--workers", least=1, most=MOST_WORKERS)
    usable = getattr(os, "sched_getaffinity", None)  # not on every system
    return min(MOST_WORKERS, len(usable(0)) if usable else os.cpu_count() or 1)


def strategies_of(text: str, boxes: str) -> tuple[str, ...]:
    """The strategy of each box: one for all, or one for each, with commas between. Raises ``sim.boxes_strategies``,
    ``sim.strategies``.
    """
    each = tuple(name.strip() for name in text.split(","))
    if len(each) > MOST_BOXES:
        raise BadInput("sim.strategies", given=len(each), most=MOST_BOXES)
    many = whole(boxes or str(len(each)), "--boxes", least=1, most=MOST_BOXES)
    if len(each) not in (1, many):
        raise BadInput("sim.boxes_strategies", given=len(each), boxes=many)
    if "" in each:
        raise BadInput("chart.no_strategy", strategy="", allowed=strategies.KNOWN)
    return each if len(each) > 1 else each * many


def made(wanted: Asked) -> Setting:
    """The table made ready. Raises BadInput for a strategy that there is not.

    Where hands decide about each other and cannot be counted, the way of playing is what is best hand by hand.
    """
    rules, counter = wanted.table.rules, wanted.counter
    tables = counter.counting(rules) if counter else None
    machine = _beforehand(wanted)
    if machine:
        found = around(machine, rules, counting=tables, control=not wanted.plain, endless=False)
    else:
        ways = {name: _ways(wanted, name) for name in dict.fromkeys(wanted.strategies)}
        each = [ways[name] for name in wanted.strategies]
        found = setting_of(each, rules=rules, counting=tables, control=not wanted.plain, endless=wanted.endless)
    return with_red(found, count.red_kinds(rules, counter.system)) if counter else found


def _beforehand(wanted: Asked) -> Machine | None:
    """The machine of a table and way of playing that come with the program."""
    if {*wanted.strategies} != {ready.LEVEL} or wanted.endless or (wanted.counter and wanted.counter.plays):
        return None
    return ready.machine_of(hand_by_hand(wanted.table.rules), wanted.boxes)


def _ways(wanted: Asked, strategy: str) -> list[tuple[int, Round]]:
    """The way of playing of a box, from each level of the count on."""
    table = wanted.table
    alone = table._replace(preset=replace(table.preset, rules=hand_by_hand(table.rules)))
    if wanted.counter is None or not wanted.counter.plays:
        return [(-count.LEVELS, strategies.price(alone, strategy).round)]
    if strategy in LEVELS and strategy != priced.CHART:
        raise BadInput("sim.plays_chart", strategy=strategy)
    base = strategies.price(alone, strategy).round
    chart = given.chart_of(base) if strategy == priced.CHART else strategies.chart(alone.rules, strategy)
    return plays.rounds(alone.rules, base, chart, wanted.counter.plays)


def initial(tally: Tally) -> float:
    """The initial bets of a round, all boxes together, of which an edge is a part: of a counter, what he really bet."""
    return tally.staked if len(tally.by_level) and tally.staked else tally.boxes


def enough(wanted: Asked) -> Callable[[Tally], bool]:
    """Whether a run has come to its end."""
    if wanted.rounds:
        return lambda tally: tally.rounds >= wanted.rounds
    return lambda tally: tally.rounds > 0 and tally.staked > 0 and tally.error <= wanted.error * initial(tally)
