"""How the dealer ends, from every start and behind every shoe, by counting his finished hands.

All orders of a multiset are equally likely, so one product of falling factorials serves all of its orders and all
starts at once: chance(start, end) = sum over finished hands of orders x product / falling(cards, size). What is left
of a start's own chance is bust.
"""

from __future__ import annotations

import functools
from typing import Any, Final, NamedTuple

import numpy as np

from tapete import lookup, rulebook
from tapete.exact.compiled import kernel, part
from tapete.exact.tree import Ints, Numbers
from tapete.rules import RuleSet

LANES: Final = 128
"""Shoes counted side by side, so that the innermost loops run over neighbours in memory."""


class Finished(NamedTuple):
    """The finished hands of a dealer as a depth-first walk over their sorted cards, and what each adds to.

    Step ``i`` takes a card of ``kind[i]``, of which the path already holds ``used[i]``; the next step that does not
    pass through it is ``leap[i]``. Its additions are ``into[first[i]:first[i + 1]]`` with ``orders``.
    """

    depth: Ints
    kind: Ints
    used: Ints
    leap: Ints
    first: Ints
    into: Ints
    orders: Ints
    starts: int


@functools.lru_cache(maxsize=16)
def finished(rules: RuleSet) -> Finished:
    """The finished hands of this table's dealer."""
    return _walk(_like(rules.dealer_soft17, rules.dealer_deal, rules.bj_definition))


@functools.lru_cache(maxsize=128)
def finished_from(rules: RuleSet, start: int) -> Finished:
    """The finished hands of the dealer that grow from one start."""
    walk, outcomes = finished(rules), len(lookup.OUTCOMES)
    mine = walk.into // outcomes == start
    step = np.repeat(np.arange(len(walk.depth)), np.diff(walk.first))
    many = np.bincount(step[mine], minlength=len(walk.depth))
    through = np.concatenate([[0], np.cumsum(many)])
    kept = np.flatnonzero(through[walk.leap] > through[:-1])
    first = np.concatenate([[0], np.cumsum(many[kept])])
    return Finished(
        walk.depth[kept], walk.kind[kept], walk.used[kept], np.searchsorted(kept, walk.leap[kept]), first,
        walk.into[mine] % outcomes, walk.orders[mine], 1,
    )  # fmt: skip


def _like(soft17: Any, deal: Any, definition: Any) -> RuleSet:
    """A table whose dealer plays alike."""
    return RuleSet(dealer_soft17=soft17, dealer_deal=deal, bj_definition=definition)


def _walk(rules: RuleSet) -> Finished:
    ends: dict[tuple[int, ...], tuple[int, dict[int, int]]] = {}
    points = [kind.points for kind in lookup.dealer_kinds(rules)]
    for counts, ways in lookup.dealer_hands(rules):
        path = tuple(kind for kind in reversed(range(len(counts))) for _ in range(counts[kind]))
        best = rulebook.total(sum(points[kind] for kind in path), ace=counts[0] > 0)
        natural = lookup.is_natural(rules, path)
        ends[path] = (lookup.NATURAL if natural else lookup.OUTCOMES.index(best)), ways
    paths = sorted({path[:size] for path in ends for size in range(1, len(path) + 1)})
    first, into, weights = [0], [], []
    for path in paths:
        outcome, by_start = ends.get(path, (0, {}))
        into += [at * len(lookup.OUTCOMES) + outcome for at in by_start]
        weights += list(by_start.values())
        first.append(len(into))
    sizes = [len(path) for path in paths]
    used = [path[:-1].count(path[-1]) for path in paths]
    arrays = sizes, [path[-1] for path in paths], used, _leaps(sizes), first, into, weights
    depth, kind, gone, leap, begin, places, orders = (np.array(one, dtype=np.int64) for one in arrays)
    return Finished(depth, kind, gone, leap, begin, places, orders, len(lookup.starts(rules)))


def _leaps(sizes: list[int]) -> list[int]:
    leaps, open_ = [len(sizes)] * len(sizes), list[int]()
    for at, size in enumerate(sizes):
        while open_ and sizes[open_[-1]] >= size:
            leaps[open_.pop()] = at
        open_.append(at)
    return leaps


class Room(NamedTuple):
    """Workplace of the kernel, lanes side by side: products and one over falling factorials by size, a share, sums."""

    product: Numbers
    over: Numbers
    share: Numbers
    sums: Numbers


@kernel
def count_ends(left: Numbers, many: Numbers, walk: Finished, orders: Numbers, room: Room, chances: Numbers) -> None:
    """Fills ``chances[shoe, start and outcome]``, the shoes in blocks of lanes.

    They have ``left[block, kind, lane]`` cards, ``many[block, lane]`` in all. No row of an array is taken by itself
    here: compiled, that would cost more than what is done with it.
    """
    lanes = room.share.shape[0]
    for block in range(left.shape[0]):
        room.sums[:] = room.product[0, 0] * 0
        _overs(many, room, block)
        _walked(left, walk, orders, room, block)
        for lane in range(min(lanes, chances.shape[0] - block * lanes)):
            for place in range(room.sums.shape[0]):
                chances[block * lanes + lane, place] = room.sums[place, lane]


@part
def _overs(many: Numbers, room: Room, block: int) -> None:
    """One over the falling factorials of the shoes' cards."""
    over = room.over
    for size in range(1, over.shape[0]):
        for lane in range(over.shape[1]):
            cards = many[block, lane] - (size - 1)
            if cards > 0:
                over[size, lane] = over[size - 1, lane] / cards
            else:
                over[size, lane] = over[size - 1, lane] * 0


@part
def _walked(left: Numbers, walk: Finished, orders: Numbers, room: Room, block: int) -> None:
    """Walks over the finished hands; a path that holds cards which no lane has is left at once."""
    product, over, share, sums = room.product, room.over, room.share, room.sums
    step, lanes = 0, room.share.shape[0]
    while step < walk.depth.shape[0]:
        size, kind, gone = walk.depth[step], walk.kind[step], walk.used[step]
        for lane in range(lanes):
            product[size, lane] = product[size - 1, lane] * (left[block, kind, lane] - gone)
        if lanes == 1 and product[size, 0] == 0:
            step = walk.leap[step]
            continue
        if walk.first[step] < walk.first[step + 1]:
            for lane in range(lanes):
                share[lane] = product[size, lane] * over[size, lane]
        for at in range(walk.first[step], walk.first[step + 1]):
            into, weight = walk.into[at], orders[at]
            for lane in range(lanes):
                sums[into, lane] += weight * share[lane]
        step += 1


def ends(rules: RuleSet, left: Numbers, one: Any) -> Numbers:
    """The joint chance of start and outcome behind each shoe: ``[shoe, start, outcome]``.

    ``left[shoe, dealer's kind]`` are the cards not yet seen, the dealer's among them; ``one`` is the number 1 of the
    arithmetic wanted. Shoes with a negative count give chances without meaning.
    """
    shaped = _counted(finished(rules), left, one)
    _rest_is_bust(shaped, start_chances(rules, left))
    return shaped


def ends_from(start: tuple[int, ...], walk: Finished, left: Numbers, one: Any) -> Numbers:
    """The same from a single start: ``[shoe, outcome]``, ``walk`` being the finished hands that grow from it."""
    shaped = _counted(walk, left, one)
    chance = start_chance(start, left[:, start[0]], left[:, start[-1]], left.sum(1))
    _rest_is_bust(shaped, chance[:, None])
    found: Numbers = shaped[:, 0]
    return found


def _counted(walk: Finished, left: Numbers, one: Any) -> Numbers:
    exact = left.dtype == object
    lanes, places = (1 if exact else LANES), walk.starts * len(lookup.OUTCOMES)
    product = np.full((int(walk.depth.max()) + 1, lanes), one, dtype=left.dtype)
    room = Room(product, product.copy(), product[0].copy(), np.empty((places, lanes), dtype=left.dtype))
    chances = np.empty((len(left), places), dtype=left.dtype)
    count = count_ends.py_func if exact else count_ends
    orders = walk.orders if exact else walk.orders.astype(np.float64)
    blocks = _in_blocks(left, lanes)
    count(blocks, blocks.sum(1), walk, orders, room, chances)
    return chances.reshape(len(left), walk.starts, len(lookup.OUTCOMES))


def _in_blocks(left: Numbers, lanes: int) -> Numbers:
    """Shoes side by side: ``[block, kind, lane]``, the last block filled up with copies of the last shoe."""
    shoes, kinds = left.shape
    rows = np.minimum(np.arange(-(-shoes // lanes) * lanes), shoes - 1)
    return np.ascontiguousarray(left[rows].reshape(-1, lanes, kinds).transpose(0, 2, 1))


def _rest_is_bust(chances: Numbers, starts: Numbers) -> None:
    known = chances.sum(2) if chances.dtype == object else chances @ np.ones(len(lookup.OUTCOMES))
    chances[:, :, lookup.BUST] = starts - known


def start_chances(rules: RuleSet, left: Numbers) -> Numbers:
    """The chance of each of the dealer's starts behind each shoe: ``[shoe, start]``."""
    many = left.sum(1)
    starts = lookup.starts(rules)
    if len(starts[0]) == 1:
        found: Numbers = left / np.where(many > 0, many, 1)[:, None]
        return found
    return np.stack([start_chance(one, left[:, one[0]], left[:, one[-1]], many) for one in starts], axis=1)


def start_chance(start: tuple[int, ...], one: Numbers, other: Numbers, many: Numbers) -> Numbers:
    """The chance of a start behind each shoe, which holds so many of the start's kinds, and ``many`` cards in all."""
    if len(start) == 1:
        found: Numbers = one / np.where(many > 0, many, 1)
        return found
    alike = start[0] == start[1]
    pairs: Numbers = one * (other - alike) * (1 if alike else 2) / np.where(many > 1, many * (many - 1), 1)
    return pairs
