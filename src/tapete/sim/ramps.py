"""The best bets by the count, for a bankroll and a risk.

At each level the best bet is proportional to mean over variance there, held between the least and the largest bet
(Brett Harris, "The theory of optimal betting spreads", 1997; Schlesinger, "Blackjack Attack", chapter 10). As the count
rises the edge does; where simulated levels fall back they are pooled with their neighbours, so that a level seen only a
few times cannot ask for a bet of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import log, sqrt
from typing import Final, NamedTuple

import numpy as np

from tapete.exact.tree import Ints
from tapete.sim import count, risk
from tapete.sim.risk import Moments
from tapete.sim.walks import Floats

MOST_BET: Final = 1000
"""Units of the largest bet that there can be."""


class Level(NamedTuple):
    """A level of the count: ``rounds`` began at it, with ``bet`` units on all boxes on average, nought where watched.

    ``mean`` and ``variance`` are those of such a round's result, all boxes together, for a bet of one unit on each, and
    ``error`` is the standard error of the mean; None of a single round, which tells nothing of that.
    """

    level: int
    rounds: int
    bet: float
    mean: float
    variance: float
    error: float | None


def levels(by_level: Ints, sums: Floats, bet: int) -> tuple[Level, ...]:
    """The levels at which rounds began, from the lowest; ``bet``: the small units of a bet of one.

    ``by_level[level + LEVELS]`` has the columns of :mod:`tapete.sim.count`, ``sums`` the results for one unit and their
    squares, as the control variate corrects them.
    """
    found = []
    for at in np.flatnonzero(by_level[:, count.SEEN]):
        row = [int(one) for one in by_level[at]]
        rounds = row[count.SEEN]
        plain = row[count.FLAT] / bet / rounds
        mean, square = (float(one) / bet**power / rounds for power, one in enumerate(sums[at], 1))
        error = sqrt(max(0.0, square - mean**2) / rounds) if rounds > 1 else None
        variance = max(0.0, row[count.FLAT_SQUARES] / bet**2 / rounds - plain**2)
        found.append(Level(int(at) - count.LEVELS, rounds, row[count.STAKED] / rounds, mean, variance, error))
    return tuple(found)


def pooled(by_level: Ints, sums: Floats, share: float) -> tuple[Ints, Floats]:
    """The same, the lowest levels and the highest put together until each end has that share of the rounds."""
    least, books = share * int(by_level[:, count.SEEN].sum()), (by_level.copy(), sums.copy())
    last = len(by_level) - 1
    for order in (range(last), range(last, 0, -1)):
        for at in order:
            if books[0][at, count.SEEN] >= least:
                break
            for book in books:
                book[at + order.step] += book[at]
                book[at] = 0
    return books


class Ramp(NamedTuple):
    """A bet in whole units for each level, what it brings a round, and the risk to lose the bankroll with it."""

    bets: tuple[tuple[int, int], ...]
    game: Moments
    risk: float


def best(
    table: Sequence[Level], bankroll: float, risk_: float, *, least: int = 1, most: int = 8
) -> Ramp | None:  # fmt: skip
    """The ramp that wins most among those with no more than the given risk to be ruined ever; None if there is none.

    ``bankroll`` in units; 0 < ``risk_`` < 1; 0 <= ``least`` <= ``most``. For a part k of Kelly's bets ask for the risk
    exp(-2/k).
    """
    ramps, means, variances = _ramps(table, least, most)
    bound = -log(risk_) / (2 * bankroll)
    good = (means > 0) & (means >= bound * variances)
    if not good.any():
        return None
    at = int(np.argmax(np.where(good, means, -np.inf)))
    game = Moments(float(means[at]), float(variances[at]))
    bets = tuple((one.level, int(bet)) for one, bet in zip(table, ramps[at], strict=True))
    return Ramp(bets, game, risk.ever(risk.brownian_rate(game), bankroll))


def needed(table: Sequence[Level], risk_: float, *, least: int = 1, most: int = 8) -> float | None:
    """The smallest bankroll, in units, for which there is a ramp of the given risk; None where no ramp wins."""
    _, means, variances = _ramps(table, least, most)
    wins = means > 0
    return float((variances[wins] / means[wins]).min() * -log(risk_) / 2) if wins.any() else None


def spread(ramp: Ramp) -> str:
    """The ramp as ``--spread`` reads it: from each level on, the bet.

    Below the first level that it names the bet is the same.

    >>> spread(Ramp(((-2, 1), (-1, 1), (0, 1), (1, 2), (2, 4)), Moments(0.0, 1.0), 1.0))
    '0:1,1:2,2:4'
    """
    changes = [at for at, (one, other) in enumerate(pairwise(ramp.bets), 1) if one[1] != other[1]]
    begin = changes[0] - 1 if changes else len(ramp.bets) - 1
    return ",".join(f"{level}:{bet}" for level, bet in (ramp.bets[at] for at in (begin, *changes)))


def flat(table: Sequence[Level], bets: Iterable[float]) -> Moments:
    """What a round brings, with these bets at the levels."""
    often, mean, square = _shares(table)
    asked = np.array(list(bets), dtype=np.float64)
    total = float(often @ (asked * mean))
    return Moments(total, float(often @ (asked**2 * square)) - total**2)


def _shares(table: Sequence[Level]) -> tuple[Floats, Floats, Floats]:
    """Of each level how often it is, and the mean of a round and of its square."""
    rounds = np.array([one.rounds for one in table], dtype=np.float64)
    mean = np.array([one.mean for one in table])
    return rounds / rounds.sum(), mean, np.array([one.variance for one in table]) + mean**2


def _ramps(table: Sequence[Level], least: int, most: int) -> tuple[Floats, Floats, Floats]:
    """All ramps in whole units that can be best, ``[ramp, level]``, with mean and variance of a round."""
    worth = np.maximum(_rising(table), 0.0)
    halves = np.arange(least, most) + 0.5
    turns = np.unique([half / one for one in np.unique(worth) if one > 0 for half in halves])
    factors = np.concatenate([[0.0], turns * (1 + 1e-12)])
    ramps = np.clip(np.floor(factors[:, None] * worth[None, :] + 0.5), least, most)
    often, mean, square = _shares(table)
    means = ramps @ (often * mean)
    return ramps, means, ramps**2 @ (often * square) - means**2


def _rising(table: Sequence[Level]) -> Floats:
    """Mean over variance of each level, never falling as the count rises: neighbours pooled by their rounds.

    Isotonic regression by pooling adjacent violators (Ayer and others, 1955).
    """
    pools: list[tuple[float, float, int]] = []  # rounds × mean, rounds × variance, levels
    for one in table:
        pools.append((one.rounds * one.mean, one.rounds * one.variance, 1))
        while len(pools) > 1 and _worth(pools[-1]) <= _worth(pools[-2]):
            last, other = pools.pop(), pools.pop()
            pools.append((last[0] + other[0], last[1] + other[1], last[2] + other[2]))
    return np.repeat([_worth(pool) for pool in pools], [pool[2] for pool in pools])


def _worth(pool: tuple[float, float, int]) -> float:
    return pool[0] / pool[1] if pool[1] > 0 else -np.inf
