"""How the hands of a split pair are weighed, so that one hand at a time suffices.

Under a fixed way of playing, the hands of a split are exchangeable: each draws from cards of which all that is known
is how many of the split kind (``a``, beyond the first two) and how many others (``b``) the other hands' second cards
took. ``X(a, 0)``, the value of one hand, is counted directly; the law of total probability gives the rest,

    X(a, b - 1) = p X(a + 1, b - 1) + (1 - p) X(a, b),

with p the chance that one more unknown card is of the split kind. The same holds for the part ``Y`` of the value in
which the hand's second card is of another kind. So the value of the whole split is a sum over a of weights times
X(a, 0) and Y(a, 0), and only these weights are found here.
Source: E. Farmer, MGP and k_c, "Calculating Split EVs Exactly" (blackjackinfo forum); see docs/exact.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

Number = Any
"""A float or a Fraction."""


class Pattern(NamedTuple):
    """One way the second cards can fall: ``pairs`` split again, ``others`` closed, ``open_`` hands at the limit."""

    chance: Number
    pairs: int
    others: int
    open_: int


class Weights(NamedTuple):
    """Weights by ``a`` of X(a, 0) and Y(a, 0), for the hand in the box's first position and for the others."""

    first_any: list[Number]
    first_other: list[Number]
    rest_any: list[Number]
    rest_other: list[Number]


class _Cards(NamedTuple):
    pair: Number
    all: Number

    def chance(self, pairs: int, others: int) -> Number:
        """The chance that the next card is of the split kind, so many pairs and others gone beyond the first two."""
        cards = self.all - 2 - pairs - others
        return max(self.pair - 2 - pairs, self.pair * 0) / cards if cards > 0 else self.pair * 0


def patterns(cards: _Cards, hands: int) -> Iterator[Pattern]:
    """Every way the second cards can fall, dealt hand after hand, up to so many hands."""
    waiting = [(Pattern(cards.all / cards.all, 0, 0, 2), 2)]
    while waiting:
        so_far, made = waiting.pop()
        chance, pairs, others, slots = so_far
        if not slots or made == hands:
            yield so_far
            continue
        again = cards.chance(pairs, others)
        if again > 0:
            waiting.append((Pattern(chance * again, pairs + 1, others, slots + 1), made + 1))
        if again < 1:
            waiting.append((Pattern(chance * (1 - again), pairs, others + 1, slots - 1), made))


def weights(pair: Number, cards: Number, *, hands: int, again: bool, most: int) -> Weights:
    """The weights for ``pair`` cards of the split kind among ``cards``, both before the two that are split.

    ``again``: whether a pair is split again, up to ``hands``; ``most`` is the largest ``a`` there is.
    """
    known, zero = _Cards(pair, cards), pair * 0
    found = Weights(*([zero] * (most + 1) for _ in range(4)))
    mixed = _Mixed(known, most)
    for chance, pairs, others, open_ in patterns(known, hands if again else 2):
        if others:
            share = chance / (1 - known.chance(pairs, others - 1))
            closed = mixed.of(pairs, others - 1)
            _add(found.first_other, closed, share)
            _add(found.rest_other, closed, share * (others - 1))
        if open_:
            mine = 0 if others else 1
            _add(found.first_any, mixed.of(pairs, others), chance * mine)
            _add(found.rest_any, mixed.of(pairs, others), chance * (open_ - mine))
    return found


def _add(into: list[Number], shares: list[Number], scale: Number) -> None:
    for at, share in enumerate(shares):
        into[at] += share * scale


class _Mixed:
    """X(a, b) as a sum of X(a', 0): the weights of each a'."""

    def __init__(self, cards: _Cards, most: int) -> None:
        self._cards = cards
        self._most = most
        self._known: dict[tuple[int, int], list[Number]] = {}

    def of(self, pairs: int, others: int) -> list[Number]:
        key = pairs, others
        if key not in self._known:
            self._known[key] = self._found(pairs, others)
        return self._known[key]

    def _found(self, pairs: int, others: int) -> list[Number]:
        zero = self._cards.pair * 0
        if not others:
            return [zero + (at == pairs) for at in range(self._most + 1)]
        chance = self._cards.chance(pairs, others - 1)
        before = self.of(pairs, others - 1)
        after = self.of(pairs + 1, others - 1) if chance > 0 else before
        return [(one - chance * more) / (1 - chance) for one, more in zip(before, after, strict=True)]


# --- two hands at a time --------------------------------------------------------------------------------------------


class PairWeights(NamedTuple):
    """The same for two hands of a split, each a triple of weights by ``a``.

    The three are for the part in which both second cards are of another kind, the part in which that of the first of
    the two is, and the whole. ``first``: pairs with the hand in the box's first position; ``rest``: pairs of the
    others. ``again``: whether there may be more than two hands.
    """

    first: tuple[list[Number], list[Number], list[Number]]
    rest: tuple[list[Number], list[Number], list[Number]]
    again: bool


def pair_weights(pair: Number, cards: Number, *, hands: int, again: bool, most: int) -> PairWeights:
    """The weights of two hands at a time; see :func:`weights`."""
    known, zero = _Cards(pair, cards), pair * 0
    first, rest = (tuple([zero] * (most + 1) for _ in range(3)) for _ in range(2))
    mixed = _Mixed(known, most)
    more = again and hands > 2
    for chance, pairs, others, open_ in patterns(known, hands if again else 2):
        for closed, asked in ((2, 0), (1, 1), (0, 2)):
            mine, theirs = _couples(others, open_, closed)
            if mine + theirs == 0:
                continue
            share = chance
            for gone in range(others - closed, others):
                share = share / (1 - known.chance(pairs, gone))
            shares = mixed.of(pairs, others - closed)
            _add(first[asked], shares, share * mine)
            _add(rest[asked], shares, share * theirs)
    return PairWeights((first[0], first[1], first[2]), (rest[0], rest[1], rest[2]), more)


def _couples(others: int, open_: int, closed: int) -> tuple[int, int]:
    """How many couples of hands, so many of the two closed, hold the first hand, and how many do not.

    The first hand is closed where any is.
    """
    if closed == 2:
        return (max(others - 1, 0), others * (others - 1) // 2 - max(others - 1, 0))
    if closed == 1:
        return (open_ if others else 0, max(others - 1, 0) * open_)
    first = 0 if others else max(open_ - 1, 0)
    return (first, open_ * (open_ - 1) // 2 - first)
