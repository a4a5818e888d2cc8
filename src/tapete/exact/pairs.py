"""Two hands of a split at once: how likely each pair of their ends is, together with each end of the dealer.

Expectation needs one hand at a time; the square of a round needs two, which share the shoe and the dealer. A split hand
is told in *items*: its final hands that are not bust, the hands at which it doubles, and the card that it began with.
What is bust is the rest: where an item stands for a hand that did end otherwise, it is taken off the bust ones again.
The items of two hands are laid together; all their orders are equally likely, so each sum of two multisets is counted
once, with one product of falling factorials and one dealer behind it. See docs/exact.md.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from tapete import lookup
from tapete.exact import counting, dealer, splits
from tapete.exact.boxes import BUST, RAISED
from tapete.exact.compiled import kernel, part
from tapete.exact.counting import Counted
from tapete.exact.halves import Gone, Halves, chances, halves, numbered
from tapete.exact.play import draws_on
from tapete.exact.splits import PairWeights, Weights
from tapete.exact.tables import resplits
from tapete.exact.tree import Ints, Numbers
from tapete.rules import RuleSet

_MOST: Final = 42
"""The points of two hands that are not bust."""


class Items(NamedTuple):
    """A split hand against one start: hands of the tree, what each is, and in how many orders it comes about.

    ``kind`` is a place in ``ends``, of the items that are there at all: an end (row, rows more when doubled), or -1
    for what the hand began with, -2 for the pair, -3 for hands that are doubled. ``other`` are the orders whose
    second card is of another kind than the split card, ``any_`` all of them. Items of one kind stand together.
    """

    hand: Ints
    kind: Ints
    other: Ints
    any_: Ints


BEGUN: Final = -1
PAIR: Final = -2
DOUBLES: Final = -3
_ROLES: Final = 5
"""What :func:`spell` tells apart: in play, stands, is doubled, ends doubled, doubled and drawing on."""
_STANDS: Final = 1
_RAISES: Final = 2
_RAISED: Final = 3


@kernel
def spell(order: Ints, child: Ints, bits: Ints, wish: Ints, goes_on: Ints, kind: int, found: Ints) -> None:
    """Fills ``found[hand, role, other/any]``, the orders in which a split hand comes to each hand of the tree.

    ``order`` begins with the split card alone; ``bits`` and ``wish`` are those of each hand, ``goes_on`` tells whether
    a doubled hand draws on.
    """
    for drawn in range(child.shape[1]):
        more = child[order[0], drawn]
        if more >= 0:
            found[more, 0, 0] += drawn != kind
            found[more, 0, 1] += 1
    for hand in order[1:]:
        if found[hand, 0, 1]:
            _played(child, bits[hand], wish[hand], hand, found)
        if found[hand, 4, 1]:
            if goes_on[hand]:
                _passed(child, hand, 4, 4, found)
            else:
                _moved(found, hand, 4, hand, 3)


@part
def _played(child: Ints, bits: int, wish: int, hand: int, found: Ints) -> None:
    if bits & 3 == 0:
        _moved(found, hand, 0, hand, 1)
    elif wish & 2 != 0 and bits & 4 != 0:
        _moved(found, hand, 0, hand, 2)
        _passed(child, hand, 0, 4, found)
    elif bits & 1 == 0 or (wish & 1 == 1 and bits & 2 != 0):
        _passed(child, hand, 0, 0, found)
    else:
        _moved(found, hand, 0, hand, 1)


@part
def _passed(child: Ints, hand: int, before: int, after: int, found: Ints) -> None:
    for drawn in range(child.shape[1]):
        more = child[hand, drawn]
        if more >= 0:
            _moved(found, hand, before, more, after)


@part
def _moved(found: Ints, hand: int, before: int, more: int, after: int) -> None:
    for asked in range(2):
        found[more, after, asked] += found[hand, before, asked]


def goes_on(counted: Counted, context: int, wish: Ints, start: int) -> Ints:
    """Whether each hand, when doubled, draws on against a start."""
    ready = counted.tables
    bits: Ints = ready.doubled[context, ready.code, ready.standing[start]]
    if not bits.any():
        return bits
    wanted = (bits & lookup.STAND == 0) | draws_on(wish[:, start])
    drawn: Ints = np.where((bits & lookup.HIT > 0) & wanted, 1, 0)
    return drawn


def items(counted: Counted, kind: int, wish: Ints, start: int) -> Items:
    """The items of a hand that grows from a split card of this kind under its wishes against a start."""
    ready, tree = counted.tables, counted.tables.plan.tree
    order = np.flatnonzero(ready.plan.split[kind][0] >= 0)
    bits = ready.legal[kind + 1, ready.code, ready.standing[start]]
    alike = lookup.alike(counted.rules, kind)
    spelt = np.zeros((len(alike), len(ready.code), _ROLES, 2), dtype=np.int64)
    mine = np.ascontiguousarray(wish[:, start])
    for at, other in enumerate(alike):
        spell(order, tree.child, bits, mine, goes_on(counted, kind + 1, wish, start), other, spelt[at])
    found = spelt[0]
    found[..., 0] = spelt[..., 0].sum(0) - (len(alike) - 1) * found[..., 1]  # second cards of none of these kinds
    row = ready.row[kind + 1]
    pairs = [tree.hand(kind, other) for other in alike if tree.hand(kind, other) >= 0]
    begun = np.array([[1, 1], *([[-1, 0]] * len(pairs))])
    parts = [
        (np.array([tree.hand(kind), *pairs]), np.array([BEGUN, *([PAIR] * len(pairs))]), begun),
        _taken(found, _RAISES, np.full(len(row), DOUBLES)),
        _taken(found, _STANDS, row),
        _taken(found, _RAISED, row + RAISED),
    ]
    hands, kinds, orders = (np.concatenate(one) for one in zip(*parts, strict=True))
    sorted_ = np.argsort(kinds, kind="stable")
    return Items(hands[sorted_], kinds[sorted_], orders[sorted_, 0], orders[sorted_, 1])


def _taken(found: Ints, role: int, kinds: Ints) -> tuple[Ints, Ints, Ints]:
    hands = np.flatnonzero(found[:, role, 1])
    return hands, kinds[hands], found[hands, role]


# --- two hands laid together ----------------------------------------------------------------------------------------


class Laid(NamedTuple):
    """Sums of two items by kinds: ``begin`` cuts the entries by pair of kinds.

    An entry is a sum of multisets ``sum_`` (a place in ``counts``) and ``ways`` [entry, 4]: twice the orders with both
    second cards of another kind, with the first hand's, with the second hand's, with any.
    """

    pair: Ints
    begin: Ints
    sum_: Ints
    ways: Ints
    counts: Ints


@kernel
def lay(keys: Ints, first: Ints, orders: Ints, table: Ints, known: Ints, sums: Ints, ways: Ints, begin: Ints) -> int:
    """Lays every two items together; gives the number of different sums.

    ``first`` cuts the items by kind. Filled: ``known[sum]`` (key, one item, the other, its last entry), ``sums[entry]``
    and ``ways[entry]``, ``begin`` by pair of kinds. ``table`` is empty, -1, and its size a power of two.
    """
    many, entries, pairs, mask = 0, 0, 0, table.shape[0] - 1
    for low in range(first.shape[0] - 1):
        for high in range(low, first.shape[0] - 1):
            begin[pairs] = entries
            for one in range(first[low], first[low + 1]):
                for two in range(max(one, first[high]), first[high + 1]):
                    key = keys[one] + keys[two]
                    slot = (((key ^ (key >> 20)) * 5851) >> 7) & mask
                    while table[slot] >= 0 and known[table[slot], 0] != key:
                        slot = (slot + 1) & mask
                    at = table[slot]
                    if at < 0:
                        at = many
                        many += 1
                        table[slot] = at
                        known[at, 0], known[at, 1], known[at, 2], known[at, 3] = key, one, two, -1
                    entry = known[at, 3]
                    if entry < begin[pairs]:
                        entry = entries
                        entries += 1
                        known[at, 3] = entry
                        sums[entry] = at
                        ways[entry, 0] = ways[entry, 1] = ways[entry, 2] = ways[entry, 3] = 0
                    _added(ways[entry], orders, one, two)
            pairs += 1
    begin[pairs] = entries
    return many


@part
def _added(ways: Ints, orders: Ints, one: int, two: int) -> None:
    twice = 1 if one == two else 2
    ways[0] += twice * orders[one, 0] * orders[two, 0]
    ways[1] += twice * orders[one, 0] * orders[two, 1]
    ways[2] += twice * orders[one, 1] * orders[two, 0]
    ways[3] += twice * orders[one, 1] * orders[two, 1]


def laid(counted: Counted, one_hand: Items) -> Laid:
    """Two hands of these items laid together."""
    counts = counted.tables.plan.tree.counts[one_hand.hand]
    room = [_MOST // kind.points + 1 for kind in lookup.kinds(counted.rules)]
    keys = counts @ np.cumprod([1, *room[:-1]])
    first = np.concatenate([[0], np.flatnonzero(np.diff(one_hand.kind)) + 1, [len(keys)]])
    kinds, many = len(first) - 1, len(keys) * (len(keys) + 1) // 2
    begin = np.empty(kinds * (kinds + 1) // 2 + 1, dtype=np.int64)
    table = np.full(1 << int(many * 3 // 2).bit_length(), -1, dtype=np.int64)
    known, sums, ways = (np.empty((many, *wide), dtype=np.int64) for wide in ((4,), (), (4,)))
    orders = np.stack([one_hand.other, one_hand.any_], axis=1)
    found = lay(keys, first, orders, table, known, sums, ways, begin)
    places = one_hand.kind[first[:-1]]
    pair = np.array([(places[low], places[high]) for low in range(kinds) for high in range(low, kinds)])
    return Laid(pair, begin, sums[: begin[-1]], ways[: begin[-1]], counts[known[:found, 1]] + counts[known[:found, 2]])


# --- with the dealer ------------------------------------------------------------------------------------------------


def ends_behind(counted: Counted, gone: Gone, start: int) -> tuple[Ints, Numbers]:
    """The dealer's ends from a start behind these shoes: which row of them, [further cards, sum], and the rows."""
    of, first = numbered(gone.keys().ravel())
    mine = gone.of(first)
    shoe = np.zeros(gone.removed.shape[1], dtype=counted.shoe.dtype)
    np.add.at(shoe, counted.tables.plan.to_dealer, counted.shoe)
    shown, walk = lookup.starts(counted.rules)[start], dealer.finished_from(counted.rules, start)
    if shoe.dtype == object:
        ends = dealer.ends_from(shown, walk, shoe - mine.rows(slice(None)), counted.one)
    else:
        ends = chances(_halves(counted.rules, start), mine, shoe)
        one, other = (shoe[kind] - mine.column(kind) for kind in (shown[0], shown[-1]))
        ends[:, lookup.BUST] = dealer.start_chance(shown, one, other, shoe.sum() - mine.size) - ends.sum(1)
    return of.reshape(len(gone.more), -1), ends


@functools.lru_cache(maxsize=128)
def _halves(rules: RuleSet, start: int) -> Halves:
    return halves(dealer.finished_from(rules, start))


@kernel
def weigh(
    begin: Ints, sums: Ints, ways: Ints, many: Ints, share: Numbers, place: Ints, ends: Numbers, into: Numbers
) -> None:  # fmt: skip
    """Adds up ways x share x the dealer's ends behind each sum: ``into[gone, pair of kinds, way, outcome]``.

    Of the ways, ``many[gone]`` are wanted.
    """
    for gone in range(share.shape[0]):
        for pair in range(begin.shape[0] - 1):
            for entry in range(begin[pair], begin[pair + 1]):
                at = sums[entry]
                if share[gone, at] == 0:
                    continue
                row = ends[place[gone, at]]
                for way in range(many[gone]):
                    chance = share[gone, at] * ways[entry, way]
                    total = into[gone, pair, way]
                    for outcome in range(row.shape[0]):
                        total[outcome] += chance * row[outcome]


def weights_of(counted: Counted, kind: int) -> PairWeights:
    """The weights of two hands of a split of this kind."""
    rules = counted.rules
    return splits.pair_weights(
        counted.shoe[kind],
        counted.cards,
        hands=rules.split.max_hands,
        again=resplits(rules, kind),
        most=counting.deepest(counted, kind),
    )


class Measured(NamedTuple):
    """The hands of one split pair against one start, by end ``[end, outcome]`` or ends of two hands.

    Everything is joint with the start, given that the pair was dealt. ``ends`` tells which ends the places are;
    ``first`` and ``rest`` are the mean numbers of hands by end: of the hand in the box's first position, and of all
    the others; ``with_first`` and ``among_rest`` those of pairs of hands; ``two`` is the chance of two hands, and no
    more, with these ends.
    """

    ends: Ints
    first: Numbers
    rest: Numbers
    with_first: Numbers
    among_rest: Numbers
    two: Numbers


def measured(counted: Counted, kind: int, start: int, wishes: Sequence[Ints], single: Weights) -> Measured:
    """The hands of a split pair of this kind against a start, their wishes and weights by ``a`` being given."""
    mine = [wish[:, start] for wish in wishes]
    cuts = [0, *(at for at in range(1, len(mine)) if (mine[at] != mine[at - 1]).any()), len(mine)]
    groups = [
        (laid(counted, items(counted, kind, wishes[low], start)), range(low, high))
        for low, high in itertools.pairwise(cuts)
    ]
    kinds = np.concatenate([one.pair.ravel() for one, _ in groups])
    ends = np.union1d([BUST, BUST + RAISED], kinds[kinds >= 0])
    sums: Any = 0
    couples = weights_of(counted, kind)
    for told, gone in groups:
        scales = _scales(counted, couples, single, gone)
        raw = _tables(counted, kind, start, told, gone, scales)
        sums = sums + _in_ends(raw, told.pair, ends, scales)
    return Measured(ends, *sums)


def _scales(counted: Counted, couples: PairWeights, single: Weights, gone: range) -> Numbers:
    """What each number of further pair cards weighs in each field of :class:`Measured`: [field, asked, gone]."""
    none = [counted.one * 0] * len(couples.first[0])
    two = [counted.one, *none[1:]]
    fields = [
        (none, single.first_other, single.first_any),
        (none, single.rest_other, single.rest_any),
        couples.first,
        couples.rest,
        (two, none, none) if couples.again else (none, none, two),
    ]
    scales: Numbers = np.array(fields, dtype=counted.shoe.dtype)[:, :, gone]
    return scales


def _tables(counted: Counted, kind: int, start: int, told: Laid, gone: range, scales: Numbers) -> Numbers:
    """What :func:`weigh` finds for each number of further pair cards gone: [gone, pair of kinds, way, outcome]."""
    removed, place = told.counts, counted.tables.plan.to_dealer
    if len(place) > int(place.max()) + 1:
        removed = np.stack([removed[:, place == one].sum(1) for one in range(int(place.max()) + 1)], axis=1)
    of, ends = ends_behind(counted, Gone(removed, int(place[kind]), np.array(gone)), start)
    into = np.zeros((len(gone), len(told.pair), 4, ends.shape[1]), dtype=counted.shoe.dtype)
    many = np.where((scales[:, 1:] != 0).any((0, 1)), 4, 1)
    add = weigh if counted.shoe.dtype != object else weigh.py_func
    add(told.begin, told.sum_, told.ways, many, _shares(counted, kind, told.counts, gone), of, ends, into)
    return into


def _in_ends(raw: Numbers, pair: Ints, ends: Ints, scales: Numbers) -> Numbers:
    """The fields of :class:`Measured`, each an array, from what was found by pairs of kinds."""
    kinds = np.unique(pair)
    low, high = np.searchsorted(kinds, pair).T
    fields = np.empty(len(scales), dtype=object)
    ahead = np.einsum("fag,gpao->fpo", scales, raw[:, :, [0, 1, 3]]) / 2
    behind = np.einsum("fag,gpao->fpo", scales, raw[:, :, [0, 2, 3]]) / 2
    for at in range(len(scales)):
        square = np.zeros((len(kinds), len(kinds), raw.shape[3]), dtype=raw.dtype)
        square[low, high] += ahead[at]
        square[high, low] += behind[at]
        half = told_apart(square, kinds, ends)
        if at < 2:
            fields[at] = half[:, np.searchsorted(kinds, BEGUN)]
        else:
            fields[at] = told_apart(half.swapaxes(0, 1), kinds, ends).swapaxes(0, 1)
    return fields


def told_apart(table: Numbers, kinds: Ints, ends: Ints) -> Numbers:
    """From rows by kind of item, rows by end: what is bust is what did not end otherwise."""
    found = np.zeros((len(ends), *table.shape[1:]), dtype=table.dtype)
    plain, doubled = kinds >= 0, kinds >= RAISED
    raised = table[kinds == DOUBLES].sum(0)
    found[np.searchsorted(ends, kinds[plain])] = table[plain]
    begun = table[(kinds == BEGUN) | (kinds == PAIR)].sum(0)
    found[np.searchsorted(ends, BUST)] = begun - raised - table[plain & ~doubled].sum(0)
    found[np.searchsorted(ends, BUST + RAISED)] = raised - table[doubled].sum(0)
    return found


def products(many: Any, most: int, cards: Any) -> list[Any]:
    """The products n (n - 1) ... by number of factors, never negative, each factor as a part of all ``cards``."""
    found = [cards / cards]
    for at in range(most):
        found.append(found[-1] * (max(many - at, many * 0) / cards))
    return found


def _shares(counted: Counted, kind: int, counts: Ints, gone: range) -> Numbers:
    """How likely the cards of each sum come in one order, so many more than the pair gone of its kind: [gone, sum]."""
    cards, most, size = counted.cards, counts.max(0), counts.sum(1) - 2
    falling = np.full((len(most), int(most.max()) + 1), counted.one, dtype=counted.shoe.dtype)
    for one, many in enumerate(counted.shoe):
        falling[one, : most[one] + 1] = products(many, int(most[one]), cards)
    own = [products(counted.shoe[kind] - 2 - more, int(most[kind]) - 2, cards) for more in gone]
    every = [products(cards - 2 - more, int(size.max()), cards) for more in gone]
    over = [[1 / one if one else one for one in row] for row in every]
    into = np.empty((len(gone), len(counts)), dtype=falling.dtype)
    share = multiply if falling.dtype != object else multiply.py_func
    share(counts, size, kind, falling, np.array(own, dtype=falling.dtype), np.array(over, dtype=falling.dtype), into)
    return into


@kernel
def multiply(
    counts: Ints, size: Ints, kind: int, falling: Numbers, own: Numbers, over: Numbers, into: Numbers
) -> None:  # fmt: skip
    """Fills ``into[gone, sum]`` with the products that :func:`_shares` wants."""
    for at in range(counts.shape[0]):
        product = over[0, 0]
        for one in range(counts.shape[1]):
            if one != kind:
                product *= falling[one, counts[at, one]]
        for gone in range(into.shape[0]):
            into[gone, at] = product * own[gone, counts[at, kind] - 2] * over[gone, size[at]]
