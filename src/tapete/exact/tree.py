"""Every hand a player may hold without going bust, as a tree of multisets, and the shoes that are left behind them."""

from __future__ import annotations

import functools
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


class Plan(NamedTuple):
    """Which shoes have to be counted for a table: the same whatever the shoe.

    ``removed[shoe, dealer's kind]`` are the cards gone; ``left[split kind + 1, further cards gone]`` gives the number
    of the shoe behind each hand of the tree (row 0: the hand alone), -1 where it is not needed.
    """

    tree: Tree
    removed: Ints
    fresh: Ints
    split: tuple[tuple[Ints, ...], ...]
    to_dealer: Ints


def further(hands: int) -> int:
    """How many cards of the split kind, beyond the first two, the law of total probability asks for."""
    return max(2 * hands - 4, 0)


@functools.lru_cache(maxsize=8)
def plan(to_dealer: tuple[int, ...], points: tuple[int, ...], hands: int, most: tuple[int, ...] | None) -> Plan:
    """The plan for kinds of these ``points``, up to so many ``hands`` in a box."""
    grown = tree(points, most)
    collapse = np.zeros((len(points), max(to_dealer) + 1), dtype=np.int64)
    collapse[np.arange(len(points)), to_dealer] = 1
    seen = grown.counts @ collapse
    rows, parts = [seen], [(-1, 0, np.arange(len(seen)))]
    if hands > 1:
        for kind, dealer in enumerate(to_dealer):
            holding = np.flatnonzero(grown.counts[:, kind])
            for gone in range(further(hands) + 1):
                shifted = seen[holding].copy()
                shifted[:, dealer] += 1 + gone
                rows.append(shifted)
                parts.append((kind, gone, holding))
    return _numbered(grown, np.concatenate(rows), parts, np.array(to_dealer, dtype=np.int64))


def _numbered(grown: Tree, rows: Ints, parts: list[tuple[int, int, Ints]], to_dealer: Ints) -> Plan:
    keys = rows @ (1 << (_BITS * np.arange(rows.shape[1], dtype=np.int64)))
    _, first, number = np.unique(keys, return_index=True, return_inverse=True)
    fresh = np.empty(0, dtype=np.int64)
    split: list[list[Ints]] = [[] for _ in to_dealer]
    at = 0
    for kind, _, holding in parts:
        numbers = np.full(len(grown.size), -1, dtype=np.int64)
        numbers[holding] = number[at : at + len(holding)]
        at += len(holding)
        if kind < 0:
            fresh = numbers
        else:
            split[kind].append(numbers)
    return Plan(grown, rows[first], fresh, tuple(tuple(one) for one in split), to_dealer)


def plan_for(rules: RuleSet, most: tuple[int, ...] | None = None) -> Plan:
    """The plan of a table."""
    kinds = lookup.kinds(rules)
    to_dealer = tuple(lookup.dealer_kind(rules, kind) for kind in kinds)
    return plan(to_dealer, tuple(kind.points for kind in kinds), rules.split.max_hands, most)
