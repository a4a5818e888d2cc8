"""The tables of a rule set in the shape that the kernels want: by hand of the tree, start of the dealer and outcome."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from fractions import Fraction
from typing import Final, NamedTuple

import numpy as np

from tapete import lookup, rulebook
from tapete.exact.tree import Ints, Numbers, Plan, plan_for
from tapete.rules import RuleSet

FRESH: Final = 0
"""The context of a hand as dealt; a hand that grew from a split card of kind ``k`` has context ``k + 1``."""


class Money(NamedTuple):
    """What a hand brings per unit of its first stake.

    ``pay[doubled, row, start, outcome]`` of a hand that has not gone bust, its row being its total or
    ``lookup.PLAYER_BLACKJACK``; ``lost[doubled, start]`` of a bust hand where the dealer has a blackjack. A bust hand
    otherwise brings ``bust[doubled]``: its stake is lost whole.
    """

    pay: Numbers
    lost: Numbers
    bust: Numbers


class Pays(NamedTuple):
    """The money of a table: of a hand never split, of the two kinds of hands of a split, and of a split box.

    Of the hands of a split, ``first`` is the money of the one in the box's first position, beside ``once[start]``, what
    a dealer's blackjack takes of the box however it was played.
    """

    fresh: Money
    first: Money
    other: Money
    once: Numbers


class Tables(NamedTuple):
    """All that the counting knows of a table.

    ``row[context, hand]`` chooses the line of :class:`Money`; ``legal[context, code, standing]`` and ``doubled[...]``
    (after a double) are bits of legal moves, ``code[hand]`` and ``standing[start]`` saying where to look. The money is
    that of :class:`Pays`.
    """

    rules: RuleSet
    plan: Plan
    code: Ints
    row: Ints
    legal: Ints
    doubled: Ints
    standing: Ints
    fresh: Money
    first: Money
    other: Money
    once: Numbers


def resplits(rules: RuleSet, kind: int) -> bool:
    """Whether a split hand that draws another card of its kind may be split again, while there are hands left."""
    hand = lookup.asked(rules, (kind, kind), split=True, doubled=False, standing=0)
    return not rulebook.why_not_split(rules, hand._replace(hands=2))


def _cards(counts: tuple[int, ...], context: int) -> tuple[int, ...]:
    """The kinds of a hand, the split card of its context first."""
    cards = [kind for kind, many in enumerate(counts) for _ in range(many)]
    if context and context - 1 in cards:
        cards.remove(context - 1)
        cards.insert(0, context - 1)
    return tuple(cards)


def _codes(plan: Plan) -> tuple[Ints, list[tuple[int, ...]]]:
    """A code for each hand, and one hand for each code: hands alike to the rulebook share one."""
    code, example, known = [], list[tuple[int, ...]](), dict[object, int]()
    for counts, size, hard in zip(plan.tree.counts.tolist(), plan.tree.size, plan.tree.hard, strict=True):
        key = tuple(counts) if size < 3 else (int(hard), counts[0] > 0)
        if key not in known:
            known[key] = len(example)
            example.append(tuple(counts))
        code.append(known[key])
    return np.array(code, dtype=np.int64), example


def _legal(rules: RuleSet, example: list[tuple[int, ...]], *, doubled: bool) -> Ints:
    totals = lookup.STANDING if rules.forced_play != "off" else (0,)
    contexts = 1 + len(lookup.kinds(rules))
    bits = np.zeros((contexts, len(example), len(totals)), dtype=np.int64)
    for context in range(contexts):
        for code, counts in enumerate(example):
            if sum(counts) < 2 or (sum(counts) == 2 and context and not counts[context - 1]):
                continue
            hand = lookup.asked(rules, _cards(counts, context), split=context > 0, doubled=doubled, standing=0)
            if context:
                hand = hand._replace(first=lookup.kinds(rules)[context - 1].points)
            for at, standing in enumerate(totals):
                bits[context, code, at] = lookup.moves(rules, hand._replace(standing=standing))
    return bits


def _rows(rules: RuleSet, plan: Plan) -> Ints:
    contexts = 1 + len(lookup.kinds(rules))
    best = [
        rulebook.total(int(hard), ace=counts[0] > 0)
        for hard, counts in zip(plan.tree.hard, plan.tree.counts.tolist(), strict=True)
    ]
    rows = np.tile(np.array(best, dtype=np.int64), (contexts, 1))
    for hand in np.flatnonzero(plan.tree.size == 2).tolist():
        counts = tuple(plan.tree.counts[hand].tolist())
        for context in range(contexts):
            if context and not counts[context - 1]:
                continue
            told = lookup.asked(rules, _cards(counts, context), split=context > 0, doubled=False, standing=0)
            if rulebook.counts_as_blackjack(rules, told):
                rows[context, hand] = lookup.PLAYER_BLACKJACK
            elif not context and rows[context, hand] == rulebook.TARGET:
                rows[context, hand] = lookup.DEALT_21
    return rows


@functools.lru_cache(maxsize=16)
def pays(rules: RuleSet, *, exact: bool = False) -> Pays:
    """The money of a rule set, with ``exact`` in Fractions."""
    one: object = Fraction(1) if exact else 1.0
    once = [-int(_takes_once(rules, start)) * one for start in lookup.starts(rules)]  # type: ignore[operator]
    return Pays(
        _money(rules, one, split=False, first=True),
        _money(rules, one, split=True, first=True),
        _money(rules, one, split=True, first=False),
        np.array(once),
    )


def _money(rules: RuleSet, one: object, *, split: bool, first: bool) -> Money:
    starts = lookup.starts(rules)
    kind = np.dtype(object) if isinstance(one, Fraction) else np.dtype(np.float64)
    pay = np.zeros((2, lookup.ROWS, len(starts), len(lookup.OUTCOMES)), dtype=kind)
    lost = np.zeros((2, len(starts)), dtype=kind)
    for doubled in (False, True):
        for row in range(lookup.ROWS):
            for at, start in enumerate(starts):
                if at and row != lookup.PLAYER_BLACKJACK:  # only when a blackjack is paid depends on the start
                    pay[int(doubled), row, at] = pay[int(doubled), row, 0]
                else:
                    nets = _nets(rules, start, row, split=split, doubled=doubled)
                    pay[int(doubled), row, at, : lookup.NATURAL] = [net * one for net in nets]  # type: ignore[operator]
                mine = first and not (split and _takes_once(rules, start))
                net = _against_natural(rules, start, row, split=split, first=mine, doubled=doubled)
                pay[int(doubled), row, at, lookup.NATURAL] = net * one  # type: ignore[operator]
                lost[int(doubled), at] = -_taken(rules, start, first=mine, doubled=doubled, bust=True) * one  # type: ignore[operator]
    return Money(pay, lost, np.array([-1 * one, -2 * one], dtype=kind))  # type: ignore[operator]


def _takes_once(rules: RuleSet, start: tuple[int, ...]) -> bool:
    """Whether a dealer's blackjack takes one stake of a split box, however its hands were played."""
    if lookup.is_checked(rules, start):
        return True
    return rules.no_hole_bj_takes == "one_bet" and rules.split_21_is_bj == "none" and rules.bj_beats_21


def _nets(rules: RuleSet, start: tuple[int, ...], row: int, *, split: bool, doubled: bool) -> Iterator[Fraction]:
    blackjack, total = row == lookup.PLAYER_BLACKJACK, min(row, rulebook.TARGET)
    for outcome in lookup.OUTCOMES[: lookup.NATURAL]:
        yield lookup.final_net(
            rules, start, total=total, blackjack=blackjack, doubled=doubled, split=split, outcome=outcome
        )


def _against_natural(
    rules: RuleSet, start: tuple[int, ...], row: int, *, split: bool, first: bool, doubled: bool
) -> Fraction:
    blackjack = row == lookup.PLAYER_BLACKJACK
    if lookup.is_checked(rules, start) and (split or row < lookup.PLAYER_BLACKJACK):
        return -_taken(rules, start, first=first, doubled=doubled, bust=False)
    total = min(row, rulebook.TARGET)
    net = lookup.final_net(rules, start, total=total, blackjack=blackjack, doubled=doubled, split=split, outcome=0)
    if net >= 0 or blackjack:
        return net
    return -_taken(rules, start, first=first, doubled=doubled, bust=False)


def _taken(rules: RuleSet, start: tuple[int, ...], *, first: bool, doubled: bool, bust: bool) -> Fraction:
    """What a dealer's blackjack takes; one that was seen before the turns finds one hand and one stake."""
    if lookup.is_checked(rules, start):
        return Fraction(int(first))
    return lookup.taken(rules, doubled=doubled, first=first, bust=bust)


@functools.lru_cache(maxsize=16)
def tables(rules: RuleSet, *, exact: bool = False, most: tuple[int, ...] | None = None) -> Tables:
    """The tables of a rule set; with ``exact`` the money is Fractions; ``most``: see ``tree.tree``."""
    plan = plan_for(rules, most)
    code, example = _codes(plan)
    places = [lookup.STANDING.index(lookup.standing(rules, start)) for start in lookup.starts(rules)]
    return Tables(
        rules,
        plan,
        code,
        _rows(rules, plan),
        _legal(rules, example, doubled=False),
        _legal(rules, example, doubled=True),
        np.array(places, dtype=np.int64),
        *pays(rules, exact=exact),
    )
