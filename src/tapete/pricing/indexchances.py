"""How often a counter stands at each level when he decides, and how far the shoe then leans.

The cards seen beside those in sight are drawn without replacement from the rest of the shoe; what they add to the count
is taken as normal, on the whole numbers that the tags can add up to.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from tapete.exact.leaning import Frame, Group
from tapete.exact.tree import Ints, Numbers
from tapete.sim.count import LEVELS, Counting, level

SIGHT: Final = 3
"""Cards in sight at a usual decision."""
_WIDE: Final = 9.0
"""Standard deviations of the count that are looked at."""
FEWEST: Final = 26
"""With fewer cards unseen, later cards are taken to go together as with so many."""
_NEXT: Final = 4
"""Leans between which a value is taken."""


class Seen(NamedTuple):
    """Who counts at a table: how, what is the same however the shoe leans, the leans that are counted, and how many
    cards beside those in sight have been seen, each number as likely as the others.
    """

    counting: Counting
    frame: Frame
    leans: Numbers
    depths: Ints

    @property
    def unseen(self) -> float:
        """The cards unseen at a usual decision."""
        return self.frame.pack.cards - SIGHT - float(self.depths.mean())


def chances(seen: Seen) -> Numbers:
    """The chance of each level, split over the leans between which it lies: ``[group, 0, level + LEVELS, lean]``.

    At ``[group, 1]`` are the weights of the second derivatives by the lean.
    What leans further than the last one is counted there.
    """
    found = np.zeros((len(seen.frame.groups), 2, 2 * LEVELS + 1, len(seen.leans)))
    for at, group in enumerate(seen.frame.groups):
        unseen, added, chance = _drawn(seen, group)
        place = LEVELS + level(seen.counting, seen.counting.begin + added, unseen)
        _spread(seen, group, (unseen, (seen.frame.pack.total - added) / unseen), (found[at], place, chance))
    return found


def _drawn(seen: Seen, group: Group) -> tuple[Ints, Ints, Numbers]:
    """Unseen cards, what all seen ones have added, and how likely that is, at a decision of a group."""
    pack = seen.frame.pack
    step = math.gcd(*(int(tag) for tag in pack.tags if tag))
    unseen, added, chance = [], [], []
    for depth in seen.depths.tolist():
        middle, off = _beside(seen, group, depth)
        low, high = (round((middle + sign * (_WIDE * off + 1)) / step) for sign in (-1, 1))
        sums = step * np.arange(low, high + 1)
        likely = np.exp(-0.5 * ((sums - middle) / off) ** 2)
        unseen.append(np.full(len(sums), int(pack.cards) - group.sight - depth))
        added.append(sums + group.tag)
        chance.append(likely / likely.sum() / len(seen.depths))
    return np.concatenate(unseen), np.concatenate(added), np.concatenate(chance)


def _beside(seen: Seen, group: Group, depth: float) -> tuple[float, float]:
    """Mean and standard deviation of what so many cards add that were drawn beside those in sight."""
    pack = seen.frame.pack
    left = pack.cards - group.sight
    spread = pack.spread / pack.cards * depth * (left - depth) / (left - 1)
    return depth * (pack.total - group.tag) / left, math.sqrt(max(spread, 1e-9))


def _spread(seen: Seen, group: Group, at: tuple[Numbers, Numbers], into: tuple[Numbers, Ints, Numbers]) -> None:
    """Adds chances at these places to the four leans next to where the shoe leans, as a cubic wants them.

    ``at`` are the unseen cards and their mean tag. Of few unseen cards a low one makes the next one high more than of a
    whole shoe that leans: the product of two tags is less, on average, by the squared spread times 1/unseen - 1/left.
    To the second order that is a lean which varies by so much less than nothing, so half of that times the second
    derivative by the lean is to be taken off: these are the second weights.
    """
    (unseen, mean), (found, place, chance) = at, into
    pack, leans = seen.frame.pack, seen.leans
    left = pack.cards - group.sight
    lean = (mean * left + group.tag - pack.total) / pack.spread
    where = np.clip((lean - leans[0]) / (leans[1] - leans[0]), 0, len(leans) - 1)
    low = np.clip(where.astype(np.int64) - 1, 0, len(leans) - _NEXT)
    apart = (1 / np.maximum(unseen, FEWEST) - 1 / left) * pack.cards / pack.spread
    for one in range(_NEXT):
        others = [other for other in range(_NEXT) if other != one]
        share = chance * math.prod((where - low - other) / (one - other) for other in others)
        np.add.at(found[0], (place, low + one), share)
        np.add.at(found[1], (place, low + one), -share * apart / 2)


def told(seen: Seen) -> Ints:
    """The levels that hardly ever lean further than what is counted, from the lowest."""
    found, beyond = np.zeros((2, 2 * LEVELS + 1))
    usual = Group(open_=False, sight=SIGHT, tag=0)
    unseen, added, chance = _drawn(seen, usual)
    place = LEVELS + level(seen.counting, seen.counting.begin + added, unseen)
    pack = seen.frame.pack
    lean = ((pack.total - added) / unseen * (pack.cards - SIGHT) - pack.total) / pack.spread
    np.add.at(found, place, chance)
    np.add.at(beyond, place, np.where(np.abs(lean) > seen.leans[-1], chance, 0))
    known: Ints = np.flatnonzero((found > 0) & (beyond <= 0.05 * found)) - LEVELS
    return known[(known > -LEVELS) & (known < LEVELS)]


# --- between the levels ---------------------------------------------------------------------------------------------


def points(seen: Seen, many: int) -> tuple[Numbers, Numbers]:
    """Counts as they are before they are made whole, rising, and the weights of groups and leans there.

    The weights are ``[group, 0 or 1, point, lean]`` as in :func:`chances`, so many cards being unseen as usual; those
    of groups whose cards in sight would have brought the count there more easily are larger.
    """
    counting, pack, unseen = seen.counting, seen.frame.pack, seen.unseen
    leans = np.linspace(seen.leans[-1], seen.leans[0], many)
    mean = (pack.total + leans * pack.spread) / pack.cards
    added = pack.total - mean * unseen
    divided = counting.parts[-1] != counting.parts[0]
    part = counting.parts[-1] / pack.cards * unseen if divided else counting.parts[-1]
    depth = float(seen.depths.mean())
    usual = _unlikely(seen, Group(open_=False, sight=SIGHT, tag=0), depth, added)
    weights = np.zeros((len(seen.frame.groups), 2, many, len(seen.leans)))
    for at, group in enumerate(seen.frame.groups):
        likely = np.exp(np.clip(usual - _unlikely(seen, group, depth, added), -50, 50))
        _spread(seen, group, (np.full(many, unseen), mean), (weights[at], np.arange(many), likely))
    counts: Numbers = (counting.begin + added) * counting.unit / part
    return counts, weights


def _unlikely(seen: Seen, group: Group, depth: float, added: Numbers) -> Numbers:
    middle, off = _beside(seen, group, depth)
    found: Numbers = 0.5 * ((added - group.tag - middle) / off) ** 2
    return found
