"""What simulated rounds came to: sums of whole numbers, so that the order in which they are added up is no matter."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from tapete.exact.tree import Ints
from tapete.sim import kernel


class Tally(NamedTuple):
    """Rounds counted: ``nets[net + middle]`` by what all boxes together brought, in units of which a bet holds ``bet``.

    ``counts`` is as in :mod:`tapete.sim.kernel`; ``boxes`` were played in each round.
    """

    nets: Ints
    counts: Ints
    bet: int
    boxes: int

    def __add__(self, other: object) -> Tally:
        if not isinstance(other, Tally):
            return NotImplemented
        return self._replace(nets=self.nets + other.nets, counts=self.counts + other.counts)

    @property
    def rounds(self) -> int:
        """How many rounds were played, void ones among them."""
        return int(self.counts[kernel.ROUNDS])

    @property
    def results(self) -> tuple[tuple[float, int], ...]:
        """Each net result, in initial bets of one box, with the number of rounds that brought it."""
        there = np.flatnonzero(self.nets)
        middle = len(self.nets) // 2
        return tuple((float(at - middle) / self.bet, int(self.nets[at])) for at in there)

    @property
    def mean(self) -> float:
        """The mean result of a round, in initial bets of one box."""
        return sum(net * many for net, many in self.results) / self.rounds

    @property
    def variance(self) -> float:
        """The variance of a round's result, all boxes together."""
        mean = self.mean
        return sum((net - mean) ** 2 * many for net, many in self.results) / self.rounds

    @property
    def sd(self) -> float:
        """The standard deviation of a round's result."""
        return sqrt(self.variance)

    @property
    def error(self) -> float:
        """The standard error of the mean, rounds taken as independent."""
        return self.sd / sqrt(self.rounds)

    @property
    def laid(self) -> float:
        """The mean money laid on hands in a round, in initial bets of one box."""
        return float(self.counts[kernel.LAID]) / self.bet / self.rounds

    def rate(self, what: int) -> float:
        """How often something counted happens, per round."""
        return float(self.counts[what]) / self.rounds

    def share(self, sign: int) -> float:
        """The part of the rounds that win (1), come out even (0) or lose (-1)."""
        return sum(many for net, many in self.results if (net > 0) - (net < 0) == sign) / self.rounds


def nothing(set_: kernel.Game, bet: int) -> Tally:
    """No rounds yet, with room for every result there can be."""
    money, boxes = set_.money, set_.settings.boxes
    most = max(int(abs(one).max()) for one in (money.alone, money.first, money.other)) * set_.settings.hands
    wide = boxes * (most + int(abs(money.insured).max()) + int(abs(money.once).max()))
    return Tally(np.zeros(2 * wide + 1, dtype=np.int64), np.zeros(kernel.COUNTS, dtype=np.int64), bet, boxes)
