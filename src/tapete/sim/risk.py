"""Risk: what a round's mean and spread do to a bankroll, rounds taken as independent of each other.

Money is in initial bets. A bankroll is lost when nothing of it is left. What the drift of a walk does to its chances
hangs on one number, its *rate*: of a Brownian motion 2 mean/variance; of the walk itself the root beside nought of
E[exp(-rate X)] = 1, in which the skewness of the results is, too. :mod:`tapete.sim.walks` counts the same without
formulas.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import erfc, exp, expm1, inf, log, log1p, pi, sqrt
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

HUNDRED: Final = 100
"""Rounds to which a win rate is told."""
SCORE_BANKROLL: Final = 10_000
_STILL: Final = 1e-9
"""A mean of so few standard deviations is lost in rounding."""
_HUGE: Final = 700.0
"""Exponents below this are no more than a float can hold."""

Results: TypeAlias = Sequence[tuple[float, float]]
"""Pairs of a net result and how often it came."""


class Moments(NamedTuple):
    """The mean and the variance of a round's result."""

    mean: float
    variance: float

    @property
    def sd(self) -> float:
        """The standard deviation."""
        return sqrt(self.variance)


def moments(results: Results) -> Moments | None:
    """The mean and the variance; None of no rounds.

    >>> moments([(1, 3), (-1, 1)])
    Moments(mean=0.5, variance=0.75)
    """
    rounds = sum(many for _, many in results)
    if not rounds:
        return None
    mean = sum(net * many for net, many in results) / rounds
    return Moments(mean, sum((net - mean) ** 2 * many for net, many in results) / rounds)


def tilted(results: Results, mean: float) -> Results:
    """The same results, those that win a little more often or less, so that their mean is another.

    Each is weighed by exp(t × result), which is of all ways to have that mean the nearest to what was found (Csiszár,
    "I-divergence geometry", 1975). A mean that is not between the least result and the greatest is not to be had, and
    the results stay as they are.

    >>> [(net, round(many, 12)) for net, many in tilted([(1, 1), (-1, 1)], 0.2)]
    [(1, 0.6), (-1, 0.4)]
    """
    seen = [(net, many) for net, many in results if many]
    if not seen or not min(seen)[0] < mean < max(seen)[0]:
        return results
    off, often = np.array(seen, dtype=np.float64).T
    off = off - mean

    def weights(by: float) -> NDArray[np.float64]:
        told = np.log(often) + by * off
        each: NDArray[np.float64] = np.exp(told - np.logaddexp.reduce(told))
        return each

    def beyond(by: float) -> bool:
        return float(weights(by) @ off) > 0

    wide = 1.0
    while beyond(-wide) or not beyond(wide):
        wide *= 2
    return [(net, float(many)) for (net, _), many in zip(seen, weights(halved(beyond, -wide, wide)), strict=True)]


# --- how good a game is ---------------------------------------------------------------------------------------------


def n0(game: Moments) -> float | None:
    """The rounds after which the mean win is one standard deviation; None where nothing is won.

    Variance over mean squared (Brett Harris, "The theory of optimal betting spreads", 1997).
    """
    return game.variance / game.mean**2 if game.mean > 0 else None


def desirability(game: Moments) -> float | None:
    """A thousand times mean over standard deviation, the desirability index; None without spread.

    Don Schlesinger, "Blackjack Attack", 3rd edition, page 186.
    """
    return 1000 * game.mean / game.sd if game.variance > 0 else None


def score(game: Moments) -> float | None:
    """SCORE: the mean win of 100 rounds with a bankroll of 10,000, bet so high that 13.5 % of such bankrolls are lost.

    13.5 % is exp(-2), the risk of who bets as Kelly says, so that SCORE is the desirability index squared, and a
    million over N0. None where nothing is won, or nothing can be lost. Schlesinger, "Blackjack Attack", chapter 10; so
    too Norman Wattenberger, "Modern Blackjack", page 99.
    """
    if game.mean <= 0 or not game.variance:
        return None
    scale = SCORE_BANKROLL * game.mean / game.variance
    return HUNDRED * scale * game.mean


def certainty(game: Moments, bankroll: float, *, kelly: float = 1.0) -> float:
    """The sure win a round that is worth as much as the game to a player of this bankroll (in initial bets).

    Mean - variance/(2 kelly bankroll), for who bets the part ``kelly`` of what Kelly says; the second order of his
    utility (Karel Janeček, "Insights into various optimal betting strategies", 1999).
    """
    return game.mean - game.variance / (2 * kelly * bankroll)


# --- the rate of a walk ---------------------------------------------------------------------------------------------


def brownian_rate(game: Moments) -> float:
    """2 mean/variance; without spread infinite, and below nought only where something is lost."""
    if game.variance > 0:
        return 2 * game.mean / game.variance
    return inf if game.mean >= 0 else -inf


def rate(results: Results) -> float:
    """The root of E[exp(-rate X)] = 1 beside nought, with the sign of the mean.

    Infinite where nothing can be lost, or nothing won; nought of no rounds.

    Lundberg's adjustment coefficient (Feller, "An Introduction to Probability Theory", volume II, XII.5); for games of
    chance Evgeny Sorokin, in Dunbar and Math Boy, "Risk of Ruin for Video Poker", Blackjack Forum XIX 3, 1999.

    >>> round(rate([(1, 0.6), (-1, 0.4)]) - log(0.6 / 0.4), 12)
    0.0
    """
    game = moments(results)
    if game is not None and not any(net < 0 and many for net, many in results):
        return inf
    if game is None or not game.mean:
        return 0.0
    if game.mean < 0:
        return -rate([(-net, many) for net, many in results])
    nets, often = np.array(results, dtype=np.float64).T

    def excess(at: float) -> float:
        """What E[exp(-at X)] - 1 has the sign of: below nought before the root, above it after."""
        return float(often @ np.expm1(np.minimum(_HUGE, -at * nets)))

    high = brownian_rate(game)
    while excess(high) <= 0:
        high *= 2
    low = high
    while excess(low) > 0:
        low /= 2
    return halved(lambda at: excess(at) > 0, low, high)


def brownian(results: Results) -> Moments:
    """The Brownian motion that has the mean and the rate of the walk, so that it is ruined as often in the end.

    Its variance is 2 mean/rate, which for a mean near nought is that of the results. Of no rounds it does not move.
    """
    game = moments(results)
    if game is None:
        return Moments(0.0, 0.0)
    at = rate(results)
    if abs(game.mean) < _STILL * game.sd or at in (0.0, -inf):
        return game
    return game._replace(variance=2 * game.mean / at)


def halved(beyond: Callable[[float], bool], low: float, high: float) -> float:
    """Where a question that is No at ``low`` and Yes at ``high`` changes its answer."""
    while low < (middle := (low + high) / 2) < high:
        low, high = (low, middle) if beyond(middle) else (middle, high)
    return middle


# --- ruin -----------------------------------------------------------------------------------------------------------


def ever(rate_: float, bankroll: float) -> float:
    """The chance to lose the bankroll sooner or later: exp(-rate bankroll), or 1 where nothing is won.

    Exact for a Brownian motion, and for a walk that never falls by more than one step and a bankroll of whole steps; of
    other walks the most that it can be (Lundberg's inequality, Feller II, XII.5), as who falls by several bets at once
    falls below nought. With the Brownian rate Schlesinger, "Blackjack Attack", 3rd edition, page 112.
    """
    return 1.0 if rate_ <= 0 else exp(-rate_ * bankroll)


def before(rate_: float, bankroll: float, goal: float) -> float:
    """The chance to lose the bankroll before ``goal`` is won, with any sign of the rate.

    (exp(-rate bankroll) - exp(-rate (bankroll + goal))) / (1 - exp(-rate (bankroll + goal))), the gambler's ruin
    (Feller I, XIV.2; for games of several results XIV.8, and Griffin, "The Theory of Blackjack", chapter 9).
    """
    if not rate_:
        return goal / (bankroll + goal)
    if rate_ == inf:
        return 0.0
    if rate_ < 0:
        return expm1(rate_ * goal) / expm1(rate_ * (bankroll + goal)) if rate_ > -inf else 1.0
    return exp(-rate_ * bankroll) * expm1(-rate_ * goal) / expm1(-rate_ * (bankroll + goal))


def within(game: Moments, bankroll: float, rounds: float) -> float:
    """The chance to lose the bankroll within so many rounds: of a Brownian motion to reach a barrier in that time.

    Φ((-B - mN)/s√N) + exp(-2mB/s²) Φ((-B + mN)/s√N), with any sign of the mean. Schlesinger, "Blackjack Attack", 3rd
    edition, page 132; Borodin and Salminen, "Handbook of Brownian Motion", 2.2.0.2.
    """
    if rounds <= 0:
        return 0.0
    if not game.variance:
        return 1.0 if -game.mean * rounds >= bankroll else 0.0
    wide, drift = game.sd * sqrt(rounds), game.mean * rounds
    again = _log_tail((bankroll - drift) / wide) - brownian_rate(game) * bankroll
    return min(1.0, _tail((bankroll + drift) / wide) + exp(min(0.0, again)))


def standing(game: Moments, bankroll: float, rounds: float, won: float) -> float:
    """The chance that the bankroll is not lost and more than ``won`` is won, after so many rounds.

    ``won`` is not below minus the bankroll. Of a Brownian motion, by reflection at the barrier (Borodin and Salminen,
    as for :func:`within`).
    """
    if rounds <= 0 or not game.variance:
        return 1.0 if game.mean * max(0.0, rounds) > won else 0.0
    wide, drift = game.sd * sqrt(rounds), game.mean * rounds
    again = _log_tail((won + 2 * bankroll - drift) / wide) - brownian_rate(game) * bankroll
    return max(0.0, _tail((won - drift) / wide) - exp(min(0.0, again)))


def ahead(game: Moments, rounds: float) -> float:
    """The chance to be ahead after so many rounds, by the normal distribution."""
    if rounds <= 0 or not game.variance:
        return 1.0 if rounds > 0 and game.mean > 0 else 0.0
    return _tail(-game.mean * sqrt(rounds) / game.sd)


def _tail(x: float) -> float:
    """The normal distribution above x."""
    return erfc(x / sqrt(2)) / 2


def _log_tail(x: float) -> float:
    """Its logarithm, also where it is too small for a float; by the first terms of its series there."""
    return log(_tail(x)) if x < 30 else -x * x / 2 - log(x * sqrt(2 * pi)) + log1p(-1 / (x * x))


# --- the bankroll that it takes -------------------------------------------------------------------------------------


def bankroll_ever(rate_: float, risk: float) -> float | None:
    """The bankroll that is lost sooner or later with the given risk, 0 < risk < 1; None where each one is lost."""
    return -log(risk) / rate_ if rate_ > 0 else None


def bankroll_within(game: Moments, risk: float, rounds: float) -> float:
    """The bankroll that is lost within so many rounds with the given risk, 0 < risk < 1."""
    if rounds <= 0 or (not game.variance and game.mean >= 0):
        return 0.0
    high = 1.0
    while within(game, high, rounds) > risk:
        high *= 2
    return halved(lambda bankroll: within(game, bankroll, rounds) <= risk, 0.0, high)


def kelly_of(risk: float) -> float:
    """The part of Kelly's bets that has the given risk to be ruined sooner or later, if bets are never made smaller.

    >>> round(kelly_of(exp(-2)), 12)
    1.0
    """
    return -2 / log(risk)
