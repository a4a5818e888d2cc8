"""The rulebook walked over its whole domain, as tables: all that the counting parts know of a table's rules.

Nothing is decided here. Every entry is an answer of ``tapete.rulebook``; the kernels are written against these tables
alone, so that a new rule set needs no new kernel, and a rule no second wording.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from fractions import Fraction
from math import lcm
from typing import Final, NamedTuple

from tapete import rulebook
from tapete.rulebook import Hand
from tapete.rules import RuleSet

STAND: Final = 1
HIT: Final = 2
DOUBLE: Final = 4
SPLIT: Final = 8
RETIRE: Final = 16
"""Bits of the legal moves of a hand; none of them: the hand's turn is over by itself."""

STANDING: Final = (0, 17, 18, 19, 20, 21)
"""The totals of a dealer known to stand that forced play may ask a hand to beat; 0: play is free."""
OUTCOMES: Final = (17, 18, 19, 20, 21, 22, 0)
"""How a dealer ends: his total, 22 for bust, and 0 for a blackjack."""
BUST: Final = 5
NATURAL: Final = 6
"""Places of bust and blackjack among :data:`OUTCOMES`."""
PLAYER_BLACKJACK: Final = 22
"""The row of a payoff table for a hand that is a blackjack; other rows are totals."""
DEALT_21: Final = 23
"""The row for two cards as dealt that make 21 and are no blackjack."""
ROWS: Final = 24


class Kind(NamedTuple):
    """Cards that no rule of the table tells apart. ``many``: how many of them a pack holds."""

    points: int
    figure: bool
    name: str
    many: int


@functools.lru_cache(maxsize=256)
def kinds(rules: RuleSet) -> tuple[Kind, ...]:
    """The kinds of card at this table, ace first: ten, unless ranks of ten or figures must be told apart."""
    low = tuple(Kind(points, False, "A23456789"[points - 1], 4) for points in range(1, 10))  # noqa: FBT003
    if rules.split.match == "rank":
        return (*low, *(Kind(10, name != "10", name, 4) for name in ("10", "J", "Q", "K")))
    return (*low, *_dealer_tens(rules))


@functools.lru_cache(maxsize=256)
def dealer_kinds(rules: RuleSet) -> tuple[Kind, ...]:
    """The kinds of card that the dealer's play tells apart."""
    low = tuple(Kind(points, False, "A23456789"[points - 1], 4) for points in range(1, 10))  # noqa: FBT003
    return (*low, *_dealer_tens(rules))


def _dealer_tens(rules: RuleSet) -> tuple[Kind, ...]:
    if rules.bj_definition == "ace_with_any_ten":
        return (Kind(10, True, "T", 16),)  # noqa: FBT003
    return (Kind(10, False, "10", 4), Kind(10, True, "F", 12))  # noqa: FBT003


def asked(rules: RuleSet, cards: tuple[int, ...], *, split: bool, doubled: bool, standing: int) -> Hand:
    """The hand of these kinds as the rulebook wants to see it; a split hand stands at the last box there is."""
    seen = [kinds(rules)[one] for one in cards]
    two = len(seen) > 1
    return Hand(
        hard=sum(kind.points for kind in seen),
        ace=any(kind.points == 1 for kind in seen),
        cards=len(seen),
        first=seen[0].points,
        second=seen[1].points if two else 0,
        same_rank=two and seen[0].name == seen[1].name,
        figure=two and (seen[0].figure or seen[1].figure),
        split=split,
        doubled=doubled,
        hands=rules.split.max_hands if split else 1,
        standing=standing,
    )


@functools.lru_cache(maxsize=4096)
def alike(rules: RuleSet, kind: int) -> tuple[int, ...]:
    """The kinds whose cards make a pair with this one, itself among them; itself alone where no pair may be split."""
    pairs = ((kind, other) for other in range(len(kinds(rules))))
    dealt = [asked(rules, pair, split=False, doubled=False, standing=0) for pair in pairs]
    return tuple(at for at, pair in enumerate(dealt) if not rulebook.why_not_split(rules, pair)) or (kind,)


def dealer_kind(rules: RuleSet, kind: Kind) -> int:
    """The place among :func:`dealer_kinds` of a kind of card."""
    if kind.points < 10:
        return kind.points - 1
    return 10 if rules.bj_definition == "ace_with_figure" and kind.figure else 9


# --- legal moves ----------------------------------------------------------------------------------------------------


def moves(rules: RuleSet, hand: Hand) -> int:
    """The legal moves of a hand, as bits; 0 when its turn is over by itself. Retiring is :func:`may_retire`.

    A hand that may do nothing but take a card takes it: HIT alone.
    """
    if rulebook.is_closed(rules, hand):
        return 0
    asked = (
        (STAND, rulebook.why_not_stand(rules, hand)),
        (HIT, rulebook.why_not_hit(rules, hand)),
        (DOUBLE, rulebook.why_not_double(rules, hand)),
        (SPLIT, rulebook.why_not_split(rules, hand)),
    )
    return sum(bit for bit, reason in asked if not reason)


def may_retire(rules: RuleSet, hand: Hand) -> bool:
    """Whether the hand, as dealt, may be retired at this table at all, in whichever window."""
    return not rulebook.why_not_retire(rules, hand) and (
        rules.surrender.window == "on_second_card" or not rulebook.is_closed(rules, hand)
    )


# --- money ----------------------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=64)
def stake(rules: RuleSet) -> int:
    """A stake in units of which every payment of the table is exact, and half of it too."""
    return 2 * rules.unit * lcm(rules.bj_pays[1], rules.insurance.pays[1], rules.surrender.loss[1])


def final_net(
    rules: RuleSet, start: tuple[int, ...], *, total: int, blackjack: bool, doubled: bool, split: bool, outcome: int
) -> Fraction:
    """What a hand that has not gone bust wins (or, -1, loses whole) per unit of its first stake.

    ``outcome`` is one of :data:`OUTCOMES`. What a dealer's blackjack really takes of a losing hand is :func:`taken`.
    """
    base, natural = stake(rules), outcome == 0
    if blackjack and not split and paid_before(rules, start, natural=natural):
        return Fraction(rulebook.net(rules, rulebook.BLACKJACK, base), base)
    result = rulebook.outcome(
        rules,
        player=total,
        blackjack=blackjack,
        dealer=rulebook.TARGET if natural else outcome,
        dealer_blackjack=natural,
    )
    return Fraction(rulebook.net(rules, result, base * (2 if doubled else 1)), base)


def paid_before(rules: RuleSet, start: tuple[int, ...], *, natural: bool) -> bool:
    """Whether a dealt blackjack is paid before the dealer's hand is known, so that nothing can tie it any more.

    With both cards up only the payment on the deal is, and not once the dealer shows a blackjack himself.
    """
    if len(start) == 2:
        return rules.bj_pay_time == "on_deal" and not natural
    up = dealer_kinds(rules)[start[0]]
    looked = is_checked(rules, start) and not natural
    possible = rulebook.can_become_blackjack(rules, up.points, figure=up.figure) and not looked
    return rulebook.pays_early(rules, dealer_blackjack_possible=possible)


def taken(rules: RuleSet, *, doubled: bool, first: bool, bust: bool) -> Fraction:
    """What a dealer's blackjack that shows itself after the turns takes of a hand, per unit of its first stake.

    A bust hand that was collected at once is lost whole.
    """
    base = stake(rules)
    added = base if doubled else 0
    if bust and rulebook.bust_is_final(rules, dealer_blackjack_possible=True):
        return Fraction(base + added, base)
    return Fraction(rulebook.taken_by_blackjack(rules, base=base, added=added, first=first, first_live=first), base)


def retire_loss(rules: RuleSet) -> Fraction:
    """The part of the stake that retiring loses."""
    return Fraction(rulebook.retire_loss(rules, stake(rules)), stake(rules))


def insurance_net(rules: RuleSet, *, dealer_blackjack: bool) -> Fraction:
    """What an insurance of half the stake wins or loses, per unit of the stake."""
    half = rulebook.insurance_most(stake(rules))
    return Fraction(rulebook.insurance_net(rules, half, dealer_blackjack=dealer_blackjack), stake(rules))


def new_stake(rules: RuleSet, bet: int) -> Fraction:
    """The stake of a hand made by a split, per unit of the first hand's ``bet`` (in units)."""
    return Fraction(rulebook.split_stake(rules, bet), bet)


# --- the dealer -----------------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=256)
def starts(rules: RuleSet) -> tuple[tuple[int, ...], ...]:
    """What a player sees of the dealer: one kind, or two where both cards are up."""
    many = len(dealer_kinds(rules))
    if rules.dealer_deal != "both_up":
        return tuple((up,) for up in range(many))
    return tuple((one, other) for one in range(many) for other in range(one, many))


@functools.lru_cache(maxsize=4096)
def standing(rules: RuleSet, start: tuple[int, ...]) -> int:
    """The standing total that forced play asks to beat against this start, 0 where play is free."""
    points = [dealer_kinds(rules)[kind].points for kind in start]
    return rulebook.standing_to_beat(rules, sum(points), ace=1 in points) if len(start) == 2 else 0


@functools.lru_cache(maxsize=4096)
def is_checked(rules: RuleSet, start: tuple[int, ...]) -> bool:
    """Whether a blackjack of the dealer ends the round before the turns: looked at, or seen."""
    if len(start) == 2:
        return True
    up = dealer_kinds(rules)[start[0]]
    return rulebook.checks(rules, up.points, figure=up.figure)


def may_turn_out_natural(rules: RuleSet, start: tuple[int, ...]) -> bool:
    """Whether the dealer may still turn out to have a blackjack when the turns begin."""
    if is_checked(rules, start):
        return False
    up = dealer_kinds(rules)[start[0]]
    return rulebook.can_become_blackjack(rules, up.points, figure=up.figure)


@functools.lru_cache(maxsize=8192)
def is_natural(rules: RuleSet, cards: tuple[int, ...]) -> bool:
    """Whether these dealer's kinds are a blackjack."""
    seen = [dealer_kinds(rules)[kind] for kind in cards]
    return rulebook.is_blackjack(
        rules,
        cards=len(cards),
        hard=sum(kind.points for kind in seen),
        ace=any(kind.points == 1 for kind in seen),
        figure=any(kind.figure for kind in seen),
    )


def asks_insurance(rules: RuleSet, start: tuple[int, ...]) -> bool:
    """Whether insurance is offered against this start."""
    return len(start) == 1 and rulebook.offers_insurance(rules, dealer_kinds(rules)[start[0]].points)


def dealer_hands(rules: RuleSet) -> Iterator[tuple[tuple[int, ...], dict[int, int]]]:
    """Every multiset of cards with which the dealer ends without going bust: (counts by kind, orders by start).

    ``orders[start]`` is in how many orders the dealer's rule deals exactly this multiset from that start, the cards of
    one kind not told apart.
    """
    places = {start: at for at, start in enumerate(starts(rules))}
    points = [kind.points for kind in dealer_kinds(rules)]
    layer: dict[tuple[int, ...], dict[int, int]] = {}
    for start, at in places.items():
        for cards in {start, start[::-1]}:
            counts = tuple(cards.count(kind) for kind in range(len(points)))
            layer.setdefault(counts, {}).setdefault(at, 0)
            layer[counts][at] += 1
    while layer:
        following: dict[tuple[int, ...], dict[int, int]] = {}
        for counts, orders in layer.items():
            hard = sum(map(int.__mul__, counts, points))
            if rulebook.is_bust(hard):
                continue
            if sum(counts) > 1 and not rulebook.must_draw(rules, hard, ace=counts[0] > 0):
                yield counts, orders
                continue
            for kind in range(len(points)):
                more = (*counts[:kind], counts[kind] + 1, *counts[kind + 1 :])
                into = following.setdefault(more, {})
                for at, many in orders.items():
                    into[at] = into.get(at, 0) + many
        layer = following
