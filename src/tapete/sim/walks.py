"""Many rounds after each other, counted without formulas: the distribution of a round's result added up round by round.

Rounds are taken as independent of each other. Money is in initial bets; within, in steps of which every result is a
whole number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil, gcd, lcm, log2, sqrt
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tapete.sim.risk import Results

Floats: TypeAlias = NDArray[np.float64]
FAR: Final = 9
"""Standard deviations beyond which nothing is looked for: less than 1e-18 of all walks."""
WORK: Final = 1_000_000_000
"""Multiplications that a walk may cost, about a second's."""
WIDEST: Final = 1 << 20
"""Steps of the widest ring on which sums are counted."""
_SMALL: Final = 64
"""The narrowest block of equations."""
_FINEST: Final = 10_000


class Steps(NamedTuple):
    """The results of a round in steps: ``chances[i]`` that of ``lowest + i`` steps, of ``step`` initial bets each."""

    step: float
    lowest: int
    chances: Floats

    @property
    def mean(self) -> float:
        """The mean result, in steps."""
        return float(self.chances @ self._results)

    @property
    def sd(self) -> float:
        """The standard deviation, in steps."""
        return sqrt(float(self.chances @ (self._results - self.mean) ** 2))

    @property
    def _results(self) -> Floats:
        return self.lowest + np.arange(len(self.chances), dtype=np.float64)


def steps(results: Results) -> Steps:
    """The results of one or more rounds on the widest lattice that holds them all.

    >>> steps([(-1.0, 1), (1.5, 1)])
    Steps(step=0.5, lowest=-2, chances=array([0.5, 0. , 0. , 0. , 0. , 0.5]))
    """
    exact = [(Fraction(net).limit_denominator(_FINEST), many) for net, many in results if many]
    parts = lcm(*(net.denominator for net, _ in exact))
    whole = [(int(net * parts), many) for net, many in exact]
    wide = gcd(*(net for net, _ in whole)) or 1
    lowest = min(net for net, _ in whole) // wide
    chances = np.zeros(max(net for net, _ in whole) // wide - lowest + 1)
    for net, many in whole:
        chances[net // wide - lowest] += many
    return Steps(wide / parts, lowest, chances / chances.sum())


class Spread(NamedTuple):
    """Where many walks are: ``chances[i]`` that they are at ``(lowest + i) * step`` initial bets."""

    step: float
    lowest: int
    chances: Floats

    def part(self, share: float) -> float:
        """The money below which the given share of all walks is."""
        return (self.lowest + int(np.searchsorted(np.cumsum(self.chances), share))) * self.step

    @property
    def ahead(self) -> float:
        """The share of the walks that are above nought."""
        return float(self.chances[max(0, 1 - self.lowest) :].sum())


def after(each: Steps, rounds: int) -> Spread:
    """What so many rounds come to together, whatever bankroll it takes: their distributions convolved.

    By Fourier's transform on a ring so wide that what lies beyond it cannot be told from rounding.
    """
    size = _ring(each, rounds)
    centre = round(each.mean)  # so that the walk drifts as little as can be
    ring = np.zeros(size)
    np.add.at(ring, (each.lowest - centre + np.arange(len(each.chances))) % size, each.chances)
    spread = np.fft.irfft(np.fft.rfft(ring) ** rounds, size).clip(0)
    begin = round((each.mean - centre) * rounds) - size // 2
    chances = spread[(begin + np.arange(size)) % size]
    return Spread(each.step, begin + centre * rounds, chances / chances.sum())


def summable(each: Steps, rounds: int) -> bool:
    """Whether :func:`after` takes a fraction of a second; beyond that, sums are as good as normal."""
    return _ring(each, rounds) <= WIDEST


def _ring(each: Steps, rounds: int) -> int:
    """How many steps a ring needs, a power of two."""
    far = FAR * each.sd * sqrt(rounds) + min(FAR, rounds) * len(each.chances)
    return 1 << ceil(log2(2 * far + 2))


class Stage(NamedTuple):
    """A bankroll after some rounds: ``alive[i]`` the chance that i steps are left of it, else it is lost or has won."""

    ruined: float
    won: float
    alive: Floats


def walk(each: Steps, bankroll: float, rounds: int, *, goal: float | None = None) -> Iterator[Stage]:
    """The bankroll after each of so many rounds; who has lost all of it, or has won ``goal``, plays no more."""
    begin = ceil(round(bankroll / each.step, 6))
    room = begin + (_room(each, rounds) if goal is None else ceil(round(goal / each.step, 6)))
    alive = np.zeros(room + 1)
    alive[begin] = 1.0
    ruined = won = 0.0
    for _ in range(rounds):
        moved = np.convolve(alive, each.chances)  # moved[i]: at i + lowest steps
        up = room + (goal is None) - each.lowest
        down = max(0, 1 - each.lowest)
        ruined += float(moved[:down].sum())
        won += float(moved[max(0, up) :].sum())
        alive = np.zeros(room + 1)
        kept = moved[down : max(0, up)]
        first = down + each.lowest
        alive[first : first + len(kept)] = kept
        yield Stage(ruined, won, alive)


def _room(each: Steps, rounds: int) -> int:
    """Steps above the bankroll that no walk of so many rounds passes, but for less than can be told."""
    return ceil(max(0.0, each.mean) * rounds + FAR * each.sd * sqrt(rounds)) + len(each.chances)


def payable(each: Steps, bankroll: float, rounds: int) -> bool:
    """Whether a walk can be counted in about a second."""
    return rounds * (bankroll / each.step + _room(each, rounds)) * len(each.chances) <= WORK


def before(each: Steps, bankroll: float, goal: float) -> float:
    """The chance to lose the bankroll before the goal is won, counted: a linear equation for each number of steps left.

    The chance with i steps left is the mean of the chances with as many as there may be a round later, 1 where nothing
    is left and 0 where the goal is won. Solved by blocks as wide as a result can reach, from both ends towards the
    bankroll. Some result must not be nought.
    """
    begin, top = _ends(each, bankroll, goal)
    wide = _block(each, top)
    low = max(1, min(begin - wide // 2, top - wide))
    high = min(top, low + wide)
    lower = [(max(1, at - wide), at) for at in range(low, 1, -wide)][::-1]
    upper = [(at, min(top, at + wide)) for at in range(high, top, wide)][::-1]
    here = (low, high)
    equations, told = _equations(each, here, here), _ruined_at_once(each, here)
    for blocks in (lower, upper):
        if blocks:
            matrix, found = _eliminated(each, blocks, here)
            beside = _equations(each, here, blocks[-1])
            equations, told = equations - beside @ matrix, told - beside @ found
    return float(np.clip(np.linalg.solve(equations, told)[begin - low], 0.0, 1.0))


def solvable(each: Steps, bankroll: float, goal: float) -> bool:
    """Whether :func:`before` takes about a second, and has an answer."""
    _, top = _ends(each, bankroll, goal)
    return each.sd > 0 and top * _block(each, top) ** 2 <= WORK


def _ends(each: Steps, bankroll: float, goal: float) -> tuple[int, int]:
    """The bankroll, and the bankroll that has won its goal, in whole steps."""
    begin, more = (ceil(round(one / each.step, 6)) for one in (bankroll, goal))
    return begin, begin + max(1, more)


def _block(each: Steps, top: int) -> int:
    """How wide a block is: no result reaches beyond the next, and small ones are not worth their while."""
    return min(top, max(_SMALL, -each.lowest, each.lowest + len(each.chances) - 1))


def _eliminated(
    each: Steps, blocks: Sequence[tuple[int, int]], last: tuple[int, int]
) -> tuple[Floats, Floats]:  # fmt: skip
    """What the chances of the last of the blocks are by those of the block after it: told - matrix @ those."""
    matrix, found = np.zeros((0, 0), dtype=np.float64), np.zeros(0, dtype=np.float64)
    for at, (here, there) in enumerate(pairwise([*blocks, last])):
        equations, told = _equations(each, here, here), _ruined_at_once(each, here)
        if at:
            beside = _equations(each, here, blocks[at - 1])
            equations, told = equations - beside @ matrix, told - beside @ found
        beyond = np.column_stack([_equations(each, here, there), told])
        solved = np.linalg.solve(equations, beyond).astype(np.float64)
        matrix, found = solved[:, :-1], solved[:, -1]
    return matrix, found


def _equations(each: Steps, rows: tuple[int, int], columns: tuple[int, int]) -> Floats:
    """Of each number of steps in the rows, what the chances of those in the columns come with."""
    by = np.arange(*columns)[None, :] - np.arange(*rows)[:, None]
    at = by - each.lowest
    there = (at >= 0) & (at < len(each.chances))
    chances = np.where(there, each.chances[np.where(there, at, 0)], 0.0)
    found: Floats = (by == 0) - chances
    return found


def _ruined_at_once(each: Steps, rows: tuple[int, int]) -> Floats:
    """Of each number of steps, the chance that the next round loses all of them."""
    sums = np.concatenate([[0.0], np.cumsum(each.chances)])
    found: Floats = sums[np.clip(1 - np.arange(*rows) - each.lowest, 0, len(each.chances))]
    return found


def paths(each: Steps, marks: Sequence[int], many: int, seed: int = 1) -> Floats:
    """So many walks drawn at random: what is won after as many rounds as each mark says, ``[walk, mark]``.

    ``marks`` rise from nought; between two of them it is drawn how often each result comes.
    """
    dice = np.random.Generator(np.random.PCG64(seed))
    worth = (each.lowest + np.arange(len(each.chances))) * each.step
    drawn = [dice.multinomial(rounds, each.chances, size=many) @ worth for rounds in np.diff(marks, prepend=0)]
    return np.cumsum(np.array(drawn).T, axis=1)
