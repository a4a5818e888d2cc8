"""Counting cards: what a counter adds up, and what he bets on it, as tables for the kernel.

A *level* is a true count as a whole number (of an unbalanced system, its running count), from -LEVELS to LEVELS; what
lies beyond is held at the ends.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from tapete.exact.tree import Ints

LEVELS: Final = 40
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

    ``tags[kind]`` are what a seen card adds to the running count, which is ``begin`` after a shuffle; the true count is
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
