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

import itertools
from collections.abc import Iterator, Sequence
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
    """Weights of the X and Y of some hands, for the hand in the box's first position and for the others."""

    first_any: list[Number]
    first_other: list[Number]
    rest_any: list[Number]
    rest_other: list[Number]


Member = tuple[int, tuple[int, ...]]
"""A split hand: its first card's place in the group of kinds that are split together, and what is gone beside it."""


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


class _Position(NamedTuple):
    """Weights of X(a, 0) and Y(a, 0), by ``a``."""

    any_: list[Number]
    other: list[Number]


def weights(
    pack: Sequence[Number], cards: Number, *, dealt: tuple[int, int], hands: int, again: bool, most: int
) -> tuple[tuple[Member, ...], Weights]:
    """The split hands that have to be valued, fewer cards gone first, and their weights.

    ``pack`` cards of each kind that is split with the others are among ``cards``; a pair of the kinds ``dealt`` is
    among them too. ``again``: whether a pair is split again, up to ``hands``; ``most`` is the largest ``a`` there is.

    The kinds of the cards that are gone are not known: X(a, 0) is the mean over them. The first hand has one card of
    the pair and the last hand the other, in either order; the first card of every hand between came with a split.
    """
    first, last, middle = _positions(_Cards(sum(pack), cards), hands if again else 2, most)
    found: dict[Member, list[Number]] = {}
    orders = {dealt, dealt[::-1]}
    for one, other in orders:
        share = cards / cards / len(orders)
        for gone in range(most + 1):
            for more, chance in _drawn(_less(pack, one, other), gone):
                _put(found, (one, _plus(more, other)), 0, first, gone, share * chance)
                _put(found, (other, _plus(more, one)), 2, last, gone, share * chance)
            for own, more, chance in _drawn_and_own(_less(pack, one, other), gone):
                _put(found, (own, _plus(_plus(more, one), other)), 2, middle, gone, share * chance)
    members = tuple(sorted(found, key=lambda member: (sum(member[1]), member)))
    return members, Weights(*(list(column) for column in zip(*(found[one] for one in members), strict=True)))


def _positions(known: _Cards, hands: int, most: int) -> tuple[_Position, _Position, _Position]:
    """The weights of the first hand, of the last one, and of all between together."""
    zero = known.pair * 0
    first, last, middle = (_Position([zero] * (most + 1), [zero] * (most + 1)) for _ in range(3))
    mixed = _Mixed(known, most)
    for chance, pairs, others, open_ in patterns(known, hands):
        if others:
            share = chance / (1 - known.chance(pairs, others - 1))
            closed, ends = mixed.of(pairs, others - 1), 1 + (not open_)
            _add(first.other, closed, share)
            _add(last.other, closed, share * (ends - 1))
            _add(middle.other, closed, share * (others - ends))
        if open_:
            opened, ends = mixed.of(pairs, others), 1 + (not others)
            _add(first.any_, opened, chance * (ends - 1))
            _add(last.any_, opened, chance)
            _add(middle.any_, opened, chance * (open_ - ends))
    return first, last, middle


def _put(
    found: dict[Member, list[Number]], member: Member, column: int, told: _Position, gone: int, chance: Number
) -> None:  # fmt: skip
    row = found.setdefault(member, [chance * 0] * 4)
    row[column] += told.any_[gone] * chance
    row[column + 1] += told.other[gone] * chance


def _less(pack: Sequence[Number], *gone: int) -> tuple[Number, ...]:
    return tuple(many - gone.count(at) for at, many in enumerate(pack))


def _plus(gone: tuple[int, ...], one: int) -> tuple[int, ...]:
    return (*gone[:one], gone[one] + 1, *gone[one + 1 :])


def _drawn(pack: tuple[Number, ...], many: int) -> Iterator[tuple[tuple[int, ...], Number]]:
    """How likely so many cards of a pack are so many of each kind."""
    for kinds in itertools.product(range(many + 1), repeat=len(pack) - 1):
        drawn, chance, taken = (*kinds, many - sum(kinds)), 1, 0
        if drawn[-1] < 0 or any(gone > left for gone, left in zip(drawn, pack, strict=True)):
            continue
        for gone, left in zip(drawn, pack, strict=True):
            for at in range(gone):
                chance = chance * (left - at) * (taken + 1) / ((at + 1) * (sum(pack) - taken))
                taken += 1
        yield drawn, chance


def _drawn_and_own(pack: tuple[Number, ...], many: int) -> Iterator[tuple[int, tuple[int, ...], Number]]:
    """The same where one of them is the first card of a hand: its kind, the other cards, how likely that is."""
    for own, left in enumerate(pack):
        if many and left > 0:
            for more, chance in _drawn(_less(pack, own), many - 1):
                yield own, more, chance * left / sum(pack)


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


# --- two hands at a time, where cards of two kinds are a pair -------------------------------------------------------


class Couple(NamedTuple):
    """Two hands of a split, by the place in the group of their first cards, and what is gone beside both.

    Their triples of weights are those of :class:`PairWeights`, the hand with the closed second card first: where the
    first of the box is one of them, where it is not, and where there are but these two.
    """

    first: list[Number]
    rest: list[Number]
    two: list[Number]


def couples(
    pack: Sequence[Number], cards: Number, *, dealt: tuple[int, int], hands: int, again: bool, most: int
) -> dict[tuple[int, int, tuple[int, ...]], Couple]:
    """The couples of hands of a split that have to be counted; the arguments are those of :func:`weights`."""
    told = _by_ends(_Cards(sum(pack), cards), hands if again else 2, most)
    found: dict[tuple[int, int, tuple[int, ...]], Couple] = {}
    orders = {dealt, dealt[::-1]}
    share = cards / cards / len(orders)
    for order in orders:
        for (ahead, behind), triple in told.items():
            for gone in range(most + 1):
                for one, other, beside, chance in _couples_of(pack, order, (ahead, behind), gone):
                    at = found.setdefault((one, other, beside), Couple(*([cards * 0] * 3 for _ in range(3))))
                    for asked in range(3):
                        (at.first if ahead else at.rest)[asked] += triple[asked][gone] * chance * share
                    if ahead and behind and not gone:
                        at.two[0 if again and hands > 2 else 2] += chance * share
    return found


def _by_ends(known: _Cards, hands: int, most: int) -> dict[tuple[bool, bool], tuple[list[Number], ...]]:
    """The triples of weights by ``a``, by whether the first hand of the box is in the couple, and the last one."""
    zero = known.pair * 0
    found = {
        (ahead, behind): tuple([zero] * (most + 1) for _ in range(3))
        for ahead in (True, False)
        for behind in (True, False)
    }
    mixed = _Mixed(known, most)
    for chance, pairs, others, open_ in patterns(known, hands):
        for one, other in itertools.combinations(range(others + open_), 2):
            closed = (one < others) + (other < others)
            share = chance
            for gone in range(others - closed, others):
                share = share / (1 - known.chance(pairs, gone))
            _add(found[one == 0, other == others + open_ - 1][2 - closed], mixed.of(pairs, others - closed), share)
    return found


def _couples_of(
    pack: Sequence[Number], dealt: tuple[int, int], ends: tuple[bool, bool], gone: int
) -> Iterator[tuple[int, int, tuple[int, ...], Number]]:  # fmt: skip
    """First cards of a couple, what is gone beside it, and how likely that is; ``ends`` are the hands dealt in it."""
    left = _less(pack, *dealt)
    if ends == (True, True):
        yield from ((*dealt, more, chance) for more, chance in _drawn(left, gone))
    elif ends == (True, False):
        for own, more, chance in _drawn_and_own(left, gone):
            yield dealt[0], own, _plus(more, dealt[1]), chance
    elif ends == (False, True):
        for own, more, chance in _drawn_and_own(left, gone):
            yield own, dealt[1], _plus(more, dealt[0]), chance
    elif gone > 1:
        for own, many in enumerate(left):
            for other, more, chance in _drawn_and_own(_less(left, own), gone - 1) if many > 0 else ():
                yield own, other, _plus(_plus(more, dealt[0]), dealt[1]), chance * many / sum(left)
