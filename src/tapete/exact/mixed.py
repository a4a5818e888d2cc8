"""Two hands of a split at once where cards of two kinds are a pair: a plain ten beside a figure, told apart by rule.

The same as ``pairs`` for one kind. The hands of such a split begin with cards of either kind, and what is gone is told
by kind, so each couple of first cards, with each set of cards gone beside it, has a table of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from tapete import lookup
from tapete.exact import counting, pairs, splits
from tapete.exact.boxes import BUST, RAISED
from tapete.exact.counting import Counted
from tapete.exact.halves import Gone
from tapete.exact.pairs import BEGUN, Items, Laid, Measured
from tapete.exact.splits import Couple, Weights
from tapete.exact.tables import resplits
from tapete.exact.tree import Ints, Numbers, Place

_APART: Final = 1000
"""Added to the kinds of the second hand's items, so that one list holds those of both."""
_MIDDLE: Final = _APART // 2
_ALONE: Final = 2
"""So many of the fields are about one hand at a time."""


class _Pair(NamedTuple):
    """Two hands of a split: where each of them stands, and the cards by kind that are gone beside both."""

    one: Place
    other: Place
    gone: Ints


def measured(
    counted: Counted, kinds: tuple[int, int], start: int, wishes: Sequence[Ints], single: Weights
) -> Measured:  # fmt: skip
    """The hands of a split pair of these kinds against a start, their wishes and weights by place being given."""
    if len(lookup.alike(counted.rules, kinds[0])) == 1:
        return pairs.measured(counted, kinds[0], start, wishes, single)
    places = counting.places(counted, kinds)
    items = {place: pairs.items(counted, place.kind, wishes[at], start) for at, place in enumerate(places)}
    alone = {place: [column[at] for column in single] for at, place in enumerate(places)}
    found = np.unique(np.concatenate([[BUST, BUST + RAISED], *(one.kind for one in items.values())]))
    ends, fields = found[found >= 0], list[Any]([0] * len(Measured._fields[1:]))
    for pair, weights in _couples(counted, kinds):
        table = _table(counted, pair, (items[pair.one], items[pair.other]), start)
        mine = alone.pop(pair.one, [counted.one * 0] * 4)  # the mean of single hands is that of couples which hold them
        scales = ([0, mine[1], mine[0]], [0, mine[3], mine[2]], *weights)
        for field, scale in enumerate(scales):
            if any(scale):
                fields[field] = fields[field] + _folded(table, ends, scale, alone=field < _ALONE)
    return Measured(ends, *_filled(fields))


def _filled(fields: list[Any]) -> list[Any]:
    """Fields to which nothing was added, as nothing in their shape."""
    one, two = fields[0] * 0, fields[-1] * 0
    return [field if isinstance(field, np.ndarray) else (one, two)[at >= _ALONE] for at, field in enumerate(fields)]


def _couples(counted: Counted, kinds: tuple[int, int]) -> list[tuple[_Pair, Couple]]:
    rules = counted.rules
    group = lookup.alike(rules, kinds[0])
    found = splits.couples(
        [counted.shoe[kind] for kind in group],
        counted.cards,
        dealt=(group.index(kinds[0]), group.index(kinds[1])),
        hands=rules.split.max_hands,
        again=resplits(rules, kinds[0]),
        most=counting.deepest(counted, kinds[0]),
    )
    return [(_pair(group, key, len(counted.shoe)), weights) for key, weights in found.items()]


def _pair(group: tuple[int, ...], key: tuple[int, int, tuple[int, ...]], kinds: int) -> _Pair:
    one, other, gone = group[key[0]], group[key[1]], np.zeros(kinds, dtype=np.int64)
    gone[list(group)] = key[2]
    with_one, with_other = gone.copy(), gone.copy()
    with_one[one] += 1
    with_other[other] += 1
    return _Pair(Place(one, tuple(with_other.tolist())), Place(other, tuple(with_one.tolist())), gone)


# --- one couple -----------------------------------------------------------------------------------------------------


class _Table(NamedTuple):
    """What the couple's items come to: [pair of kinds, way, outcome]; ``both``: one list of items serves both hands."""

    raw: Numbers
    pair: Ints
    both: bool


def _table(counted: Counted, pair: _Pair, items: tuple[Items, Items], start: int) -> _Table:
    both = pair.one == pair.other
    told = pairs.laid(counted, items[0] if both else _beside(*items))
    place = counted.tables.plan.to_dealer
    removed = np.stack([(told.counts + pair.gone)[:, place == one].sum(1) for one in range(int(place.max()) + 1)], 1)
    of, ends = pairs.ends_behind(counted, Gone(removed, 0, np.array([0])), start)
    into = np.zeros((1, len(told.pair), 4, ends.shape[1]), dtype=counted.shoe.dtype)
    add = pairs.weigh if counted.shoe.dtype != object else pairs.weigh.py_func
    add(told.begin, told.sum_, told.ways, np.array([4]), _shares(counted, pair, told)[None], of, ends, into)
    return _Table(into[0], told.pair, both)


def _beside(one: Items, other: Items) -> Items:
    """The items of two hands in one list, told apart by their kinds."""
    joined = one._replace(kind=one.kind), other._replace(kind=other.kind + _APART)
    return Items(*(np.concatenate(column) for column in zip(*joined, strict=True)))


def _shares(counted: Counted, pair: _Pair, told: Laid) -> Numbers:
    """How likely the cards of each sum come in one order, the first cards of both hands being there."""
    first = np.bincount([pair.one.kind, pair.other.kind], minlength=len(counted.shoe))
    left, drawn, cards = counted.shoe - pair.gone - first, told.counts - first, counted.cards
    falling = [
        np.array(pairs.products(many, int(most), cards), dtype=counted.shoe.dtype)
        for many, most in zip(left, drawn.max(0), strict=True)
    ]
    every = pairs.products(left.sum(), int(drawn.sum(1).max()), cards)
    share = np.array([1 / one if one else one for one in every], dtype=counted.shoe.dtype)[drawn.sum(1)]
    for kind, chances in enumerate(falling):
        share = share * chances[drawn[:, kind]]
    found: Numbers = share
    return found


def _folded(table: _Table, ends: Ints, scale: Sequence[Any], *, alone: bool) -> Numbers:
    """What is asked of a table, weighed, by the ends of both hands; ``alone``: of the first, whatever the other."""
    kinds = np.unique(table.pair)
    low, high = np.searchsorted(kinds, table.pair).T
    square = np.zeros((len(kinds), len(kinds), table.raw.shape[2]), dtype=table.raw.dtype)
    for asked, weight in enumerate(scale):
        if weight:
            square[low, high] += table.raw[:, (0, 1, 3)[asked]] * (weight / 2)
            square[high, low] += table.raw[:, (0, 2, 3)[asked]] * (weight / 2)
    mine, theirs = (kinds, kinds) if table.both else (kinds[kinds < _MIDDLE], kinds[kinds > _MIDDLE])
    square = square[np.searchsorted(kinds, mine)][:, np.searchsorted(kinds, theirs)]
    half, theirs = pairs.told_apart(square, mine, ends), theirs - (0 if table.both else _APART)
    if alone:
        return half[:, np.searchsorted(theirs, BEGUN)]
    return pairs.told_apart(half.swapaxes(0, 1), theirs, ends).swapaxes(0, 1)
