"""A table and a shoe made ready for counting, and the values of all hands under a given or the best way of playing."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from tapete import lookup
from tapete.exact import dealer, play, splits
from tapete.exact.play import Hands, Law, Shoes, Values
from tapete.exact.tables import FRESH, Money, Tables, resplits, tables
from tapete.exact.tree import Ints, Numbers, Place, further
from tapete.rules import RuleSet


class Counted(NamedTuple):
    """A table, a shoe, and all that the dealer can do behind it.

    ``shoe[kind]``; ``ends[shoe, start, outcome]`` and ``starts[shoe, start]`` are joint chances; ``one`` is the 1 of
    the arithmetic in use.
    """

    tables: Tables
    shoe: Numbers
    ends: Numbers
    starts: Numbers
    one: Any

    @property
    def rules(self) -> RuleSet:
        """The table's rules."""
        return self.tables.rules

    @property
    def cards(self) -> Any:
        """How many cards the shoe holds."""
        return self.shoe.sum()


def count(rules: RuleSet, shoe: Sequence[float], *, exact: bool = False) -> Counted:
    """Counts the dealer behind every shoe that the table's hands leave of ``shoe`` (cards by kind).

    Fractions are slow, so with ``exact`` the tree holds only hands that this shoe can deal: hands, and ways of playing,
    have other numbers then. Without ``exact`` the shoe may be a mean one with parts of cards, some of each kind.
    """
    one: Any = Fraction(1) if exact else 1.0
    most = tuple(int(many) for many in shoe) if exact else None
    ready = tables(rules, exact=exact, most=most)
    cards = np.array([many * one for many in shoe], dtype=object if exact else np.float64)
    seen = np.bincount(ready.plan.to_dealer, weights=np.array(shoe, dtype=np.float64))
    left = ((seen.astype(np.int64) if exact else seen) - ready.plan.removed) * one
    return Counted(ready, cards, dealer.ends(rules, left, one), dealer.start_chances(rules, left), one)


def count_for(
    rules: RuleSet, shoe: Sequence[float], start: int, *, hand: Ints, split: tuple[int, int] | None = None
) -> Counted:
    """Counts the dealer from one start behind some hands alone: these, and those of a pair that is ``split``.

    Everything else in it is nought.
    """
    ready = tables(rules)
    plan = ready.plan
    cards = np.array(shoe, dtype=np.float64)
    after = [plan.behind(place) for place in _weights_of(rules, cards, split)[0]] if split else []
    behind = np.unique(np.concatenate([plan.fresh[hand], *(one[one >= 0] for one in after)]))
    seen = np.bincount(plan.to_dealer, weights=cards)
    left = seen - plan.removed[behind]
    starts = lookup.starts(rules)
    shown = starts[start]
    ends = np.zeros((len(plan.removed), len(starts), len(lookup.OUTCOMES)))
    ends[behind, start] = dealer.ends_from(shown, dealer.finished_from(rules, start), left, 1.0)
    chances = np.zeros((len(plan.removed), len(starts)))
    chances[behind, start] = dealer.start_chance(shown, left[:, shown[0]], left[:, shown[-1]], left.sum(1))
    return Counted(ready, cards, ends, chances, 1.0)


def full(rules: RuleSet) -> tuple[int, ...]:
    """The table's whole shoe, by kind."""
    return tuple(kind.many * rules.decks for kind in lookup.kinds(rules))


def endless(rules: RuleSet) -> tuple[int, ...]:
    """A shoe so large that no card is missed: values are those of the infinite pack to some 13 digits."""
    return tuple(kind.many * 10**12 for kind in lookup.kinds(rules))


def fresh(counted: Counted, wish: Ints | None = None, *, only: Ints | None = None) -> Values:
    """The values of all hands as dealt, split hands left out, under these wishes or the best.

    ``only``: the hands to be valued, in descending order, all that grow from them among them.
    """
    ready = counted.tables
    hands = _descending(len(ready.code)) if only is None else only
    return _filled(counted, hands, counted.shoe, ready.plan.fresh, FRESH, ready.fresh, wish)


def after_split(
    counted: Counted, place: Place, wish: Ints | None = None, *, first: bool = False, mean: bool = False
) -> Values:
    """The values of hands that grow from the split card of a place.

    Paid as the ``first`` hand of the box, else as the others; ``mean``: half as either.
    """
    ready = counted.tables
    behind = ready.plan.behind(place)
    hands = np.flatnonzero(behind >= 0)[::-1]
    money = ready.first if first else ready.other
    if mean:
        money = Money(*((one + other) / 2 for one, other in zip(ready.first, ready.other, strict=True)))
    order = np.ascontiguousarray(hands)
    return _filled(counted, order, beside(counted, place), behind, place.kind + 1, money, wish)


def beside(counted: Counted, place: Place) -> Numbers:
    """The shoe without the cards known to be gone beside a split card; the card itself is still in it."""
    left: Numbers = counted.shoe - np.array(place.gone) * counted.one
    return left


@functools.lru_cache(maxsize=8)
def _descending(hands: int) -> Ints:
    return np.arange(hands - 1, -1, -1, dtype=np.int64)


def hands_of(counted: Counted, order: Ints) -> Hands:
    """These hands, in this order, in the tree of the table."""
    tree = counted.tables.plan.tree
    return Hands(order, tree.child, tree.counts, counted.tables.code)


def law_of(counted: Counted, context: int, money: Money) -> Law:
    """The table's law for hands of a context."""
    ready = counted.tables
    return Law(ready.row[context], ready.legal[context], ready.doubled[context], ready.standing, *money)


def _filled(
    counted: Counted, order: Ints, shoe: Numbers, behind: Ints, context: int, money: Money, wish: Ints | None
) -> Values:
    values = play.blank(len(counted.tables.code), counted.starts.shape[1], counted.one)
    if wish is not None:
        values = values._replace(wish=wish)
    room = np.full((2, counted.starts.shape[1]), counted.one * 0, dtype=counted.starts.dtype)
    fill = play.fill if counted.starts.dtype != object else play.fill.py_func
    shoes = Shoes(shoe, behind, counted.ends, counted.starts)
    fill(hands_of(counted, order), shoes, law_of(counted, context, money), values, room, wish is not None)
    return values


# --- splits ---------------------------------------------------------------------------------------------------------


def places(counted: Counted, kinds: tuple[int, int]) -> tuple[Place, ...]:
    """The hands that have to be valued for the split of a pair of these kinds, fewer cards gone first."""
    return weights_of(counted, kinds)[0]


def weights_of(counted: Counted, kinds: tuple[int, int]) -> tuple[tuple[Place, ...], splits.Weights]:
    """The hands that have to be valued for the split of a pair of these kinds, and their weights."""
    return _weights_of(counted.rules, counted.shoe, kinds)


def _weights_of(rules: RuleSet, shoe: Numbers, kinds: tuple[int, int]) -> tuple[tuple[Place, ...], splits.Weights]:
    group, again = lookup.alike(rules, kinds[0]), resplits(rules, kinds[0])
    pack = [shoe[kind] for kind in group]
    members, weights = splits.weights(
        pack,
        shoe.sum(),
        dealt=(group.index(kinds[0]), group.index(kinds[1])),
        hands=rules.split.max_hands,
        again=again,
        most=_deepest(rules, sum(pack), again=again),
    )
    return tuple(_place(len(shoe), group, *one) for one in members), weights


def deepest(counted: Counted, kind: int) -> int:
    """The largest ``a`` that this shoe and this table ask for: further cards known to be gone of what pairs with it."""
    pack = sum(counted.shoe[one] for one in lookup.alike(counted.rules, kind))
    return _deepest(counted.rules, pack, again=resplits(counted.rules, kind))


def _deepest(rules: RuleSet, pack: Any, *, again: bool) -> int:
    return int(min(further(rules.split.max_hands) if again else 0, max(pack - 2, 0)))


def _place(kinds: int, group: tuple[int, ...], member: int, gone: tuple[int, ...]) -> Place:
    many = dict(zip(group, gone, strict=True))
    return Place(group[member], tuple(many.get(kind, 0) for kind in range(kinds)))


class Part(NamedTuple):
    """X and Y of one split hand by start: its whole value, and the part in which its second card is of another kind."""

    whole: Numbers
    other: Numbers


def one_hand(counted: Counted, place: Place, values: Values) -> Part:
    """The parts of a split hand with these values."""
    tree, shoe = counted.tables.plan.tree, beside(counted, place)
    whole = values.hit[tree.hand(place.kind)].copy()
    other = whole
    for kind in lookup.alike(counted.rules, place.kind):
        pair, left = tree.hand(place.kind, kind), shoe[kind] - (kind == place.kind)
        if pair >= 0 and left > 0:
            other = other - values.value[pair] * (left / (shoe.sum() - 1))
    return Part(whole, other)


def weighed(weights: splits.Weights, first: Sequence[Part], rest: Sequence[Part], stake: Any) -> Any:
    """The joint value of split hands with these parts by place, each new stake being ``stake``."""
    total: Any = 0
    for at, part in enumerate(rest):
        total = total + (weights.rest_any[at] * part.whole + weights.rest_other[at] * part.other) * stake
    for at, part in enumerate(first):
        total = total + weights.first_any[at] * part.whole + weights.first_other[at] * part.other
    return total


def ended_early(counted: Counted, kinds: tuple[int, int]) -> Numbers:
    """What a dealer's blackjack takes of a pair's box once, however it was played."""
    behind = counted.tables.plan.fresh[counted.tables.plan.tree.hand(*kinds)]
    natural: Numbers = counted.ends[behind, :, lookup.NATURAL]
    return natural * counted.tables.once


def first_differs(counted: Counted) -> bool:
    """Whether the first hand of a split is paid otherwise than the others."""
    ready = counted.tables
    return bool((ready.first.pay != ready.other.pay).any() or (ready.first.lost != ready.other.lost).any())
