"""The best bets by the count, for a bankroll and a risk.

At each level the best bet is proportional to mean over variance there, held between the least and the largest bet
(Brett Harris, "The theory of optimal betting spreads", 1997; Schlesinger, "Blackjack Attack", chapter 10). As the count
rises the edge does; where simulated levels fall back they are pooled with their neighbours, so that a level seen only a
few times cannot ask for a bet of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
    """A level of the count: ``seen`` rounds began at it, ``played`` of them with bets, of ``bet`` units on average.

    ``bet`` is what lies on all boxes together; ``mean`` and ``variance`` are those of such a round's result, all boxes
    together, for a bet of one unit on each.
    """

    level: int
    seen: int
    played: int
    bet: float
    mean: float
    variance: float

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return sqrt(self.variance / self.played) if self.played else 0.0


def levels(by_count: Ints, bet: int) -> tuple[Level, ...]:
    """The levels at which rounds began, from the lowest; ``bet``: the small units of a bet of one.

    ``by_count[level + LEVELS]`` has the columns of :mod:`tapete.sim.count`.
    """
    found = []
    for at in np.flatnonzero(by_count[:, count.SEEN]):
        row = [int(one) for one in by_count[at]]
        played = row[count.PLAYED]
        mean = row[count.FLAT] / bet / played if played else 0.0
        square = row[count.FLAT_SQUARES] / bet**2 / played if played else 0.0
        staked = row[count.STAKED] / played if played else 0.0
        found.append(Level(int(at) - count.LEVELS, row[count.SEEN], played, staked, mean, max(0.0, square - mean**2)))
    return tuple(found)


def pooled(by_count: Ints, share: float) -> Ints:
    """The same counts, the lowest levels and the highest put together until each end has that share of the rounds."""
    seen = by_count[:, count.SEEN]
    least, total = share * int(seen.sum()), by_count.copy()
    for order in (range(len(seen) - 1), range(len(seen) - 1, 0, -1)):
        for at in order:
            if total[at, count.SEEN] >= least:
                break
            total[at + (order.step)] += total[at]
            total[at] = 0
    return total


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

    >>> spread(Ramp(((-1, 1), (0, 1), (1, 2), (2, 4)), Moments(0.0, 1.0), 1.0))
    '-1:1,1:2,2:4'
    """
    told, last = [], None
    for level, bet in ramp.bets:
        if bet != last:
            told.append(f"{level}:{bet}")
        last = bet
    return ",".join(told)


def flat(table: Sequence[Level], bets: Iterable[float]) -> Moments:
    """What a round brings, with these bets at the levels."""
    often, mean, square = _shares(table)
    asked = np.array(list(bets), dtype=np.float64)
    total = float(often @ (asked * mean))
    return Moments(total, float(often @ (asked**2 * square)) - total**2)


def _shares(table: Sequence[Level]) -> tuple[Floats, Floats, Floats]:
    """Of each level how often it is, and the mean of a round and of its square."""
    seen = np.array([one.seen for one in table], dtype=np.float64)
    mean = np.array([one.mean for one in table])
    return seen / seen.sum(), mean, np.array([one.variance for one in table]) + mean**2


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
        pools.append((one.played * one.mean, one.played * one.variance, 1))
        while len(pools) > 1 and _worth(pools[-1]) <= _worth(pools[-2]):
            last, other = pools.pop(), pools.pop()
            pools.append((last[0] + other[0], last[1] + other[1], last[2] + other[2]))
    return np.repeat([_worth(pool) for pool in pools], [pool[2] for pool in pools])


def _worth(pool: tuple[float, float, int]) -> float:
    return pool[0] / pool[1] if pool[1] > 0 else -np.inf
