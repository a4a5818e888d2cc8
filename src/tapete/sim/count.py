"""Counting cards: what a counter adds up, and what he bets on it, as tables for the kernel.

A *level* is a true count as a whole number (of an unbalanced system, its running count), from -LEVELS to LEVELS; what
lies beyond is held at the ends.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from tapete import lookup
from tapete.errors import BadInput
from tapete.exact.tree import Ints
from tapete.rules import RuleSet
from tapete.sim.systems import System

LEVELS: Final = 40
WIDE: Final = 2 * LEVELS + 1
"""So many levels there are."""
PACK: Final = 52
"""Cards of a pack."""
FLOOR: Final = 0
TRUNCATE: Final = 1
NEAREST: Final = 2
"""How a true count becomes a whole number: down, towards nought, to the nearest (halves up)."""
SEEN: Final = 0
PLAYED: Final = 1
STAKED: Final = 2
FLAT: Final = 3
FLAT_SQUARES: Final = 4
WON: Final = 5
WON_SQUARES: Final = 6
FIELDS: Final = 7
"""What is counted of each level: rounds that began at it, those of them with a bet, the units bet on boxes in those;
what all boxes of a round brought for a bet of one unit each, and its square; what they brought with the bets, and its
square. Money is in the small units of :mod:`tapete.sim.money`."""


class Counting(NamedTuple):
    """A counter at a table.

    ``tags[kind]`` are what a seen card adds to the running count, which is ``begin`` after a shuffle; where colours are
    looked at, red cards are kinds of their own behind the others (:mod:`tapete.sim.colours`). The true count is
    ``unit`` times it over ``parts[unseen]``, the number of unseen cards, made whole by ``rounding``. ``bets[level +
    LEVELS]`` are the units on each box, 0 for a round that is watched; he plays from the level ``enter`` on, until a
    round begins below ``leave``, and after a shuffle from the beginning again.
    """

    tags: Ints
    begin: int
    unit: int
    parts: Ints
    rounding: int
    bets: Ints
    enter: int
    leave: int


class IndexPlay(NamedTuple):
    """A play that hangs on the count: ``above`` from the true count ``least`` on, ``below`` it else.

    ``row`` and ``column`` are those of chart files (:mod:`tapete.chart`), the letters too; the rows about insurance
    have :data:`tapete.chart.YES` and :data:`tapete.chart.NO`.
    """

    row: str
    column: str
    below: str
    least: int
    above: str


class Conversion(NamedTuple):
    """How a running count becomes a level.

    ``grain`` is to how many cards the unseen ones are estimated (1: exactly; 26: to the nearest half pack, halves up,
    and never to none); 0: the running count is not divided. ``rounding`` is :data:`FLOOR` and so on.
    """

    grain: int
    rounding: int


class Ramp(NamedTuple):
    """What is bet: ``bets[level + LEVELS]`` units; for ``enter`` and ``leave`` see :class:`Counting`."""

    bets: tuple[int, ...]
    enter: int
    leave: int


FLAT_RAMP: Final = Ramp((1,) * (2 * LEVELS + 1), -LEVELS, -LEVELS)
"""One unit, whatever the count."""


def usual(system: System) -> Conversion:
    """The conversion as it was published: divided by what is unseen, to the card, and rounded down; or not divided."""
    return Conversion(int(system.per > 0), FLOOR)


def scale(system: System) -> int:
    """The parts of a point in which a system is counted in whole numbers: 1, or 2 where it has halves."""
    return 2 if any(half % 2 for half in (*system.tags, *system.red, system.begin, system.begin_per_pack)) else 1


def red_kinds(rules: RuleSet, system: System) -> tuple[int, ...]:
    """The kinds of card whose red ones count something else."""
    points = [kind.points - 1 for kind in lookup.kinds(rules)]
    return tuple(kind for kind, one in enumerate(points) if system.red[one] != system.tags[one])


def counting(rules: RuleSet, system: System, conversion: Conversion, ramp: Ramp) -> Counting:
    """A counter at a table.

    A divided count of an unbalanced system begins so low that 0 is its pivot, where it is as good as exact: it begins
    at minus what the whole shoe adds. Raises BadInput ``sim.count_begin`` where a running count begins beyond the
    levels that are told apart.
    """
    parted = scale(system)
    points = [kind.points - 1 for kind in lookup.kinds(rules)]
    halves = [*(system.tags[one] for one in points), *(system.red[points[kind]] for kind in red_kinds(rules, system))]
    if conversion.grain:
        begin, unit = -system.surplus * rules.decks, system.per or PACK
    else:
        begin, unit = system.begin + system.begin_per_pack * rules.decks, 1
        if abs(begin) > 2 * LEVELS:
            raise BadInput("sim.count_begin", system=system.name, begin=begin // 2, most=LEVELS)
    parts = parted * np.array([_divisor(unseen, conversion.grain) for unseen in range(PACK * rules.decks + 1)])
    tags = np.array(halves, dtype=np.int64) * parted // 2
    bets = np.array(ramp.bets, dtype=np.int64)
    return Counting(tags, begin * parted // 2, unit, parts, conversion.rounding, bets, ramp.enter, ramp.leave)


def _divisor(unseen: int, grain: int) -> int:
    return max(grain, (2 * unseen + grain) // (2 * grain) * grain) if grain else 1


def level(counted: Counting, running: Any, unseen: Any) -> Any:
    """The level of a running count (in the parts of a point that ``tags`` have) with so many cards unseen.

    Of arrays of both, an array.
    """
    above, below = running * counted.unit, counted.parts[unseen]
    if counted.rounding == FLOOR:
        whole = above // below
    elif counted.rounding == TRUNCATE:
        whole = np.sign(above) * (np.abs(above) // below)
    else:
        whole = (2 * above + below) // (2 * below)
    return np.clip(whole, -LEVELS, LEVELS)
