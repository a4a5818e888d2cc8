"""How the dealer ends from one start behind very many shoes: his finished hands as a low half beside a high half.

Most of the shoes that two split hands leave behind differ in low cards alone. So for all shoes that agree in their high
cards, and in how many cards they hold, the dealer's finished hands are added up once by their low halves; each of the
shoes then adds over some hundred low halves, which is a product of two rows. See also ``dealer``.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from tapete import lookup
from tapete.exact.compiled import adder, kernel, part
from tapete.exact.dealer import Finished
from tapete.exact.tree import Ints, Numbers

LOW: Final = 3
"""How many kinds are low: ace, two and three."""
_BITS: Final = (6, 5, 5)
_MORE: Final = 4
"""Bits that count the cards of a kind in a key, low ones and others: two hands and a few more of one kind."""


class Gone(NamedTuple):
    """Cards that have left a shoe: ``removed[at, dealer's kind]``, and ``more`` cards of one kind beside them.

    As a list of shoes: each of ``removed`` with the first of ``more``, then each with the next.
    """

    removed: Ints
    kind: int
    more: Ints

    def keys(self) -> Ints:
        """A number for each shoe, the same where they are the same: [more, removed]."""
        power = _power(self.removed.shape[1])
        found: Ints = (self.removed @ power)[None] + (self.more * power[self.kind])[:, None]
        return found

    def of(self, places: Ints) -> Picked:
        """Some shoes of the list."""
        more, at = np.divmod(places, len(self.removed))
        size = self.removed.sum(1)[at] + self.more[more]
        return Picked(self.removed, self.kind, at, self.more[more], size, self.keys().ravel()[places])


class Picked(NamedTuple):
    """Shoes: what is removed of ``removed[at]`` and ``more`` of a kind, ``size`` cards in all; their ``key``."""

    removed: Ints
    kind: int
    at: Ints
    more: Ints
    size: Ints
    key: Ints

    def rows(self, which: Ints | slice) -> Ints:
        """What is removed from some of them: [shoe, kind]."""
        rows = self.removed[self.at[which]]
        rows[:, self.kind] += self.more[which]
        return rows

    def column(self, kind: int) -> Ints:
        """How many of a kind are removed from each."""
        found: Ints = self.removed[self.at, kind] + (self.more if kind == self.kind else 0)
        return found


def _power(kinds: int) -> Ints:
    bits = np.array([*_BITS, *(_MORE,) * (kinds - LOW)], dtype=np.int64)
    power: Ints = np.int64(1) << np.concatenate([[0], np.cumsum(bits)[:-1]])
    return power


class Half(NamedTuple):
    """Multisets of some kinds, each one card more than its ``parent``, an earlier one; the first is empty.

    The card more is of ``kind``, of which the parent holds ``used``.
    """

    parent: Ints
    kind: Ints
    used: Ints


class Halves(NamedTuple):
    """Finished hands, in the order of their low halves: ``first`` cuts them by it. ``outcomes`` are those there are."""

    low: Half
    high: Half
    first: Ints
    beside: Ints
    outcome: Ints
    size: Ints
    orders: Numbers
    outcomes: Ints


def halves(walk: Finished) -> Halves:
    """The finished hands of a walk over a single start in two halves."""
    hands = []
    path: list[int] = []
    for step, depth in enumerate(walk.depth.tolist()):
        path[depth - 1 :] = [int(walk.kind[step])]
        for at in range(walk.first[step], walk.first[step + 1]):
            cut = sum(kind >= LOW for kind in path)
            hands.append((tuple(path[cut:]), tuple(path[:cut]), int(walk.into[at]), depth, int(walk.orders[at])))
    low, high = _numbered([one[0] for one in hands]), _numbered([one[1] for one in hands])
    hands.sort(key=lambda one: low[one[0]])
    first = np.searchsorted([low[one[0]] for one in hands], np.arange(len(low) + 1))
    beside, outcome, size = (
        np.array(column, dtype=np.int64)
        for column in ([high[one[1]] for one in hands], [one[2] for one in hands], [one[3] for one in hands])
    )
    orders = np.array([float(one[4]) for one in hands])
    return Halves(_half(low), _half(high), first, beside, outcome, size, orders, np.unique(outcome))


def _numbered(parts: list[tuple[int, ...]]) -> dict[tuple[int, ...], int]:
    every = {part[:size] for part in parts for size in range(len(part) + 1)} | {()}
    return {part: at for at, part in enumerate(sorted(every, key=lambda one: (len(one), one)))}


def _half(numbers: dict[tuple[int, ...], int]) -> Half:
    parts = list(numbers)
    columns = (
        [numbers[part[:-1]] for part in parts],
        [part[-1] if part else 0 for part in parts],
        [part[:-1].count(part[-1]) if part else 0 for part in parts],
    )
    return Half(*(np.array(column, dtype=np.int64) for column in columns))


@kernel
def number(keys: Ints, table: Ints, of: Ints, first: Ints) -> int:
    """Numbers equal keys alike: ``of[place]``, and the ``first`` place of each number; gives how many there are.

    ``table`` is empty, -1, longer than the keys and of a size that is a power of two.
    """
    many, mask = 0, table.shape[0] - 1
    for place in range(keys.shape[0]):
        key = keys[place]
        slot = (((key ^ (key >> 20)) * 5851) >> 7) & mask
        while table[slot] >= 0 and keys[first[table[slot]]] != key:
            slot = (slot + 1) & mask
        if table[slot] < 0:
            table[slot] = many
            first[many] = place
            many += 1
        of[place] = table[slot]
    return many


def numbered(keys: Ints) -> tuple[Ints, Ints]:
    """Equal keys numbered alike: the number of each place, and the first place of each number."""
    of, first = np.empty(len(keys), dtype=np.int64), np.empty(len(keys), dtype=np.int64)
    many = number(keys, np.full(2 << len(keys).bit_length(), -1, dtype=np.int64), of, first)
    return of, first[:many]


@kernel
def gather(group: Ints, begin: Ints, rows: Ints) -> None:
    """Puts the places of each group side by side: ``begin`` says where in ``rows``, and is left one group ahead."""
    for place in range(group.shape[0]):
        rows[begin[group[place]]] = place
        begin[group[place]] += 1


@adder
def add_up(
    lows: Numbers, highs: Numbers, cards: Numbers, ending: Ints, rows: Ints, low: Ints, told: Halves, into: Numbers
) -> None:  # fmt: skip
    """Fills ``into[shoe, outcome]``; a group's shoes, alike but for low cards, end in ``rows`` where ``ending`` says.

    ``low[shoe]`` is a row of ``lows``; ``highs`` and ``cards`` are what the shoes of each group have left.
    """
    halves = told.low.parent.shape[0]
    falling = np.empty((lows.shape[0], halves))
    for one in range(lows.shape[0]):
        _fall(lows[one], told.low, falling[one])
    high, over = np.empty(told.high.parent.shape[0]), np.empty(64)
    sums, begin = np.empty((into.shape[1], halves)), 0
    for one in range(ending.shape[0]):
        _fall(highs[one], told.high, high)
        _over(cards[one], over)
        sums[:] = 0.0
        for half in range(halves):
            for at in range(told.first[half], told.first[half + 1]):
                sums[told.outcome[at], half] += told.orders[at] * high[told.beside[at]] * over[told.size[at]]
        for outcome in told.outcomes:
            row = sums[outcome]
            for place in range(begin, ending[one]):
                mine, total = falling[low[rows[place]]], 0.0
                for half in range(halves):
                    total += mine[half] * row[half]
                into[rows[place], outcome] = total
        begin = ending[one]


@part
def _fall(left: Numbers, half: Half, into: Numbers) -> None:
    """The products of falling factorials for each multiset."""
    into[0] = 1.0
    for one in range(1, half.parent.shape[0]):
        into[one] = into[half.parent[one]] * (left[half.kind[one]] - half.used[one])


@part
def _over(cards: float, into: Numbers) -> None:
    """One over the falling factorials of so many cards."""
    into[0] = 1.0
    for size in range(1, into.shape[0]):
        rest = cards - (size - 1)
        into[size] = into[size - 1] / rest if rest > 0 else 0.0


def chances(told: Halves, gone: Picked, shoe: Numbers) -> Numbers:
    """The chance of each outcome but bust behind ``shoe`` less what is gone, joint with the start: [shoe, outcome]."""
    bits = sum(_BITS)
    low, lows = numbered(gone.key & ((1 << bits) - 1))
    group, highs = numbered((gone.key >> bits) + (gone.size << 48))
    ending = np.cumsum(np.bincount(group, minlength=len(highs))) - np.bincount(group, minlength=len(highs))
    rows = np.empty(len(group), dtype=np.int64)
    gather(group, ending, rows)
    into = np.zeros((len(group), len(lookup.OUTCOMES)))
    add_up(
        shoe - gone.rows(lows), shoe - gone.rows(highs), shoe.sum() - gone.size[highs], ending, rows, low, told, into
    )  # fmt: skip
    return into
