"""What simulated rounds came to: sums over blocks, always added up in the order of the blocks."""

from __future__ import annotations

from math import nan, sqrt
from typing import Any, NamedTuple

import numpy as np

from tapete.exact.tree import Ints
from tapete.sim import world
from tapete.sim.control import Floats
from tapete.sim.count import FIELDS, LEVELS, PLAYED, SEEN


class Tally(NamedTuple):
    """Rounds counted: ``nets[net + middle]`` by what all boxes together brought, in units of which a bet holds ``bet``.

    The arrays are as in :class:`tapete.sim.world.Books`; those by level have rows where cards were counted, and
    ``corrected`` tells whether the control variate was on. ``boxes`` were played in each round.
    """

    nets: Ints
    counts: Ints
    by_box: Ints
    by_level: Ints
    sums: Floats
    level_sums: Floats
    bet: int
    boxes: int
    corrected: bool

    def __add__(self, other: object) -> Tally:
        if not isinstance(other, Tally):
            return NotImplemented
        both: Any = zip(self, other, strict=True)
        return Tally(*(mine + theirs if isinstance(mine, np.ndarray) else mine for mine, theirs in both))

    @property
    def books(self) -> world.Books:
        """The arrays, to be filled in."""
        told = np.zeros((0, self.boxes), dtype=np.int64)
        return world.Books(self.nets, self.counts, self.by_box, self.by_level, self.sums, self.level_sums, told)

    @property
    def rounds(self) -> int:
        """How many rounds were played, void ones among them."""
        return int(self.counts[world.ROUNDS])

    @property
    def shoes(self) -> int:
        """How many shoes they came from."""
        return int(self.counts[world.SHOES])

    @property
    def results(self) -> tuple[tuple[float, int], ...]:
        """Each net result, in units bet on one box, with the number of rounds that brought it."""
        there = np.flatnonzero(self.nets)
        middle = len(self.nets) // 2
        return tuple((float(at - middle) / self.bet, int(self.nets[at])) for at in there)

    @property
    def plain_mean(self) -> float:
        """The mean result of a round, in units bet on one box, as it was played."""
        return sum(net * many for net, many in self.results) / self.rounds

    @property
    def plain_error(self) -> float:
        """The standard error of the plain mean: that of a ratio of sums over shoes, which are independent."""
        return self._ratio_error(self.plain_mean, world.NETS_SQUARED, world.ROUNDS_NETS)

    @property
    def mean(self) -> float:
        """The mean result of a round, corrected by the control variate where there is one."""
        return float(self.sums[world.CORRECTED]) / self.bet / self.rounds

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return self._ratio_error(self.mean, world.CORRECTED_SQUARED, world.ROUNDS_CORRECTED)

    def _ratio_error(self, mean: float, squares: int, products: int) -> float:
        spread = (
            float(self.sums[squares]) / self.bet**2
            - 2 * mean * float(self.sums[products]) / self.bet
            + mean**2 * float(self.sums[world.ROUNDS_SQUARED])
        )
        return sqrt(max(spread, 0.0)) / self.rounds

    @property
    def variance(self) -> float:
        """The variance of a round's result, all boxes together."""
        mean = self.plain_mean
        return sum((net - mean) ** 2 * many for net, many in self.results) / self.rounds

    @property
    def sd(self) -> float:
        """The standard deviation of a round's result."""
        return sqrt(self.variance)

    @property
    def staked(self) -> float:
        """The mean of all initial bets of a round, in units."""
        return float(self.counts[world.STAKES]) / self.rounds

    @property
    def laid(self) -> float:
        """The mean money laid on hands in a round, in units."""
        return float(self.counts[world.LAID]) / self.bet / self.rounds

    @property
    def flat_mean(self) -> float:
        """The mean result of a round had one unit always been bet on each box, corrected where that is done."""
        if not len(self.by_level):
            return self.mean
        return float(self.level_sums[:, 0].sum()) / self.bet / self.rounds

    @property
    def each(self) -> tuple[tuple[float, float], ...]:
        """Mean and variance of each box's result for a bet of one unit; of one box alone those of the round."""
        if self.boxes == 1 and not len(self.by_level):
            return ((self.plain_mean, self.variance),)
        means = [float(net) / self.bet / self.rounds for net in self.by_box[:, 0]]
        squares = [float(square) / self.bet**2 / self.rounds for square in self.by_box[:, 1]]
        return tuple((mean, square - mean**2) for mean, square in zip(means, squares, strict=True))

    @property
    def covariance(self) -> float | None:
        """The mean covariance of two boxes, None for one box or for bets that change."""
        if self.boxes == 1 or len(self.by_level):
            return None
        return (self.variance - sum(one for _, one in self.each)) / (self.boxes * (self.boxes - 1))

    def rate(self, what: int) -> float:
        """How often something counted happens, per round."""
        return float(self.counts[what]) / self.rounds

    @property
    def watched(self) -> int:
        """How many rounds began without a bet."""
        return int((self.by_level[:, SEEN] - self.by_level[:, PLAYED]).sum())

    def share(self, sign: int) -> float:
        """The part of the rounds with a bet that win (1), come out even (0) or lose (-1); nan where there are none."""
        played = self.rounds - self.watched
        many = sum(many for net, many in self.results if (net > 0) - (net < 0) == sign)
        return (many - self.watched * (sign == 0)) / played if played else nan


def nothing(game: world.Game, bet: int) -> Tally:
    """No rounds yet, with room for every result there can be."""
    money, boxes, counting = game.money, game.settings.boxes, game.counting
    most = max(int(abs(one).max()) for one in (money.alone, money.first, money.other)) * game.settings.hands
    wide = boxes * (most + int(abs(money.insured).max()) + int(abs(money.once).max()))
    units = 1 if counting is None else int(counting.bets.max())
    levels = 0 if counting is None else 2 * LEVELS + 1
    return Tally(
        np.zeros(2 * wide * units + 1, dtype=np.int64),
        np.zeros(world.COUNTS, dtype=np.int64),
        np.zeros((boxes, 2), dtype=np.int64),
        np.zeros((levels, FIELDS), dtype=np.int64),
        np.zeros(world.SUMS),
        np.zeros((levels, 2)),
        bet,
        boxes,
        game.control is not None,
    )
