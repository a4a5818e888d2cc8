"""Every hand a player may hold without going bust, as a tree of multisets, and the shoes that are left behind them."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from tapete import lookup, rulebook
from tapete.rules import RuleSet

Ints = npt.NDArray[np.int64]
Numbers = npt.NDArray[Any]
"""An array of floats, or of objects that are Fractions."""
_BITS: Final = 5
"""Bits that count the cards of one kind in a key: no hand and no split removes more than 31."""


class Tree(NamedTuple):
    """Hands by number: 0 is the empty one, a hand comes after all smaller ones.

    ``counts[hand, kind]``; ``child[hand, kind]`` is the hand with one more card, -1 when that is bust or cannot be.
    """

    counts: Ints
    child: Ints
    hard: Ints
    size: Ints
    number: dict[tuple[int, ...], int]

    def hand(self, *cards: int) -> int:
        """The number of the hand of these kinds; -1 if it is bust or not in the tree."""
        at = 0
        for kind in cards:
            at = int(self.child[at, kind]) if at >= 0 else -1
        return at


@functools.lru_cache(maxsize=8)
def tree(points: tuple[int, ...], most: tuple[int, ...] | None = None) -> Tree:
    """The tree over kinds worth ``points``, with at most ``most`` of each (for shoes of few cards)."""
    many = len(points)
    hands: list[tuple[int, ...]] = [(0,) * many]
    index = {hands[0]: 0}
    children: list[list[int]] = []
    for counts in hands:
        hard, row = sum(map(int.__mul__, counts, points)), []
        for kind, worth in enumerate(points):
            if rulebook.is_bust(hard + worth) or (most and counts[kind] >= most[kind]):
                row.append(-1)
                continue
            more = (*counts[:kind], counts[kind] + 1, *counts[kind + 1 :])
            if more not in index:
                index[more] = len(hands)
                hands.append(more)
            row.append(index[more])
        children.append(row)
    table = np.array(hands, dtype=np.int64)
    return Tree(table, np.array(children, dtype=np.int64), table @ np.array(points), table.sum(1), index)


def soft(grown: Tree) -> npt.NDArray[np.bool_]:
    """By hand, whether an ace of it counts 11."""
    aces = grown.counts[:, 0] > 0
    told = [rulebook.is_soft(int(hard), ace=bool(ace)) for hard, ace in zip(grown.hard, aces, strict=True)]
    return np.array(told)


class Place(NamedTuple):
    """Where a hand of a split stands: the kind of its first card, and the cards by kind known to be gone beside it."""

    kind: int
    gone: tuple[int, ...]


class Plan(NamedTuple):
    """Which shoes have to be counted for a table: the same whatever the shoe.

    ``removed[shoe, dealer's kind]`` are the cards gone; ``left[split kind + 1, further cards gone]`` gives the number
    of the shoe behind each hand of the tree (row 0: the hand alone), -1 where it is not needed. Where cards of two
    kinds are a pair, ``beside[place]`` is the same behind the hands of a split.
    """

    tree: Tree
    removed: Ints
    fresh: Ints
    split: tuple[tuple[Ints, ...], ...]
    to_dealer: Ints
    beside: dict[Place, Ints]

    def behind(self, place: Place) -> Ints:
        """The number of the shoe behind each hand of a split, -1 where there is none."""
        if place in self.beside:
            return self.beside[place]
        return self.split[place.kind][sum(place.gone) - 1]


def further(hands: int) -> int:
    """How many cards of the split kind, beyond the first two, the law of total probability asks for."""
    return max(2 * hands - 4, 0)


@functools.lru_cache(maxsize=8)
def plan(
    to_dealer: tuple[int, ...],
    points: tuple[int, ...],
    hands: int,
    most: tuple[int, ...] | None,
    alike: tuple[tuple[int, ...], ...] = (),
) -> Plan:
    """The plan for kinds of these ``points``, up to so many ``hands`` in a box; kinds that are ``alike`` are pairs."""
    grown = tree(points, most)
    collapse = np.zeros((len(points), max(to_dealer) + 1), dtype=np.int64)
    collapse[np.arange(len(points)), to_dealer] = 1
    seen = grown.counts @ collapse
    rows, parts = [seen], [(-1, 0, np.arange(len(seen)))]
    mixed = list(_mixed(len(points), hands, alike))
    if hands > 1:
        for kind, dealer in enumerate(to_dealer):
            holding = np.flatnonzero(grown.counts[:, kind])
            for gone in range(further(hands) + 1):
                shifted = seen[holding].copy()
                shifted[:, dealer] += 1 + gone
                rows.append(shifted)
                parts.append((kind, gone, holding))
    for place in mixed:
        holding = np.flatnonzero(grown.counts[:, place.kind])
        rows.append(seen[holding] + np.array(place.gone, dtype=np.int64) @ collapse)
        parts.append((place.kind, -1, holding))
    return _numbered(grown, np.concatenate(rows), parts, np.array(to_dealer, dtype=np.int64), mixed)


def _mixed(kinds: int, hands: int, alike: tuple[tuple[int, ...], ...]) -> Iterator[Place]:
    """The kinds that are split with others, each with all the cards of such kinds that may be gone beside it."""
    for group in alike if hands > 1 else ():
        for many in itertools.product(range(further(hands) + 2), repeat=len(group)):
            if 1 <= sum(many) <= further(hands) + 1:
                gone = tuple(many[group.index(kind)] if kind in group else 0 for kind in range(kinds))
                yield from (Place(kind, gone) for kind in group)


def _numbered(
    grown: Tree, rows: Ints, parts: list[tuple[int, int, Ints]], to_dealer: Ints, mixed: list[Place]
) -> Plan:  # fmt: skip
    keys = rows @ (1 << (_BITS * np.arange(rows.shape[1], dtype=np.int64)))
    _, first, number = np.unique(keys, return_index=True, return_inverse=True)
    fresh = np.empty(0, dtype=np.int64)
    split: list[list[Ints]] = [[] for _ in to_dealer]
    at, beside, waiting = 0, dict[Place, Ints](), iter(mixed)
    for kind, gone, holding in parts:
        numbers = np.full(len(grown.size), -1, dtype=np.int64)
        numbers[holding] = number[at : at + len(holding)]
        at += len(holding)
        if kind < 0:
            fresh = numbers
        elif gone < 0:
            beside[next(waiting)] = numbers
        else:
            split[kind].append(numbers)
    return Plan(grown, rows[first], fresh, tuple(tuple(one) for one in split), to_dealer, beside)


def plan_for(rules: RuleSet, most: tuple[int, ...] | None = None) -> Plan:
    """The plan of a table."""
    kinds = lookup.kinds(rules)
    to_dealer = tuple(lookup.dealer_kind(rules, kind) for kind in kinds)
    groups = sorted({lookup.alike(rules, kind) for kind in range(len(kinds))})
    alike = tuple(group for group in groups if len(group) > 1)
    return plan(to_dealer, tuple(kind.points for kind in kinds), rules.split.max_hands, most, alike)
