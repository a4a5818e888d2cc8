"""Ways of playing drawn by lot: each hand against each dealer's card has its move, the same in every program."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from tapete import lookup, rulebook
from tapete.exact import counting, playing
from tapete.exact.playing import Round, Way
from tapete.exact.tree import Ints
from tapete.rules import RuleSet
from tests.oracle.enumeration import Strategy

Cards = tuple[int, ...]


class Lot(NamedTuple):
    """Moves by lot: values of the hand and of what the dealer shows, the ace 1, decide, whatever their order."""

    seed: int

    def wish(self, cards: Cards, dealer: Cards) -> int:
        """0 stand, 1 hit, 2 double or stand, 3 double or hit; no hand draws for long."""
        drawn = random.Random(repr((self.seed, sorted(cards), sorted(dealer))))
        hard = sum(cards)
        best = rulebook.total(hard, ace=1 in cards)
        if best >= 19 or (hard >= 14 and best == hard):
            return drawn.choice((0, 0, 0, 2))
        if len(cards) >= 4:
            return 0 if best >= 12 else 1
        return drawn.choice((0, 1, 2, 3, 1))

    def first(self, cards: Cards, dealer: Cards) -> float:
        """A number below 1 for what is decided about a hand as dealt."""
        return random.Random(repr((self.seed, "first", sorted(cards), sorted(dealer)))).random()

    def splits(self, cards: Cards, dealer: Cards) -> bool:
        """Whether a pair is split; once split it is split again whenever it may be."""
        return self.first(cards, dealer) < 0.7

    def retires(self, cards: Cards, dealer: Cards) -> bool:
        """Whether a hand is retired where it may be."""
        return self.first(cards, dealer) > 0.75

    def insures(self, cards: Cards, dealer: Cards) -> bool:
        """Whether a hand is insured where it may be."""
        return self.first(cards, dealer) > 0.4


def strategy(lot: Lot, rules: RuleSet) -> Strategy:
    """The lot as the enumeration asks for it."""
    blind = playing.is_blind(rules)

    def answer(cards: Cards, dealer: Cards, split: bool, hands: int, legal: tuple[str, ...]) -> str:
        if "insure" in legal:
            return "insure" if lot.insures(cards, dealer) else "no_insurance"
        if "keep" in legal:
            return "retire" if lot.retires(cards, () if blind else dealer) else "keep"
        if "retire" in legal and lot.retires(cards, dealer):
            return "retire"
        if "split" in legal and (split or lot.splits(cards, dealer)):
            return "split"
        wish = lot.wish(cards, dealer)
        if wish >= 2 and "double" in legal:
            return "double"
        return "hit" if "stand" not in legal or (wish % 2 and "hit" in legal) else "stand"

    return answer


def counted_round(lot: Lot, rules: RuleSet, shoe: tuple[int, ...], *, exact: bool = True) -> Round:
    """The round that the analyser counts under the lot; ``shoe`` by value, tens spread evenly over their ranks.

    Or by kind, where the table has more than ten of them.
    """
    kinds = lookup.kinds(rules)
    tens = sum(kind.many for kind in kinds if kind.points == 10)
    spread = tuple(shoe[kind.points - 1] * kind.many // (tens if kind.points == 10 else kind.many) for kind in kinds)
    counted = counting.count(rules, shoe if len(shoe) == len(kinds) else spread, exact=exact)
    seen = [kind.points for kind in lookup.dealer_kinds(rules)]
    starts = [tuple(seen[kind] for kind in start) for start in lookup.starts(rules)]
    hands = [
        tuple(kinds[kind].points for kind, many in enumerate(row) for _ in range(many))
        for row in counted.tables.plan.tree.counts.tolist()
    ]
    wish = np.array([[lot.wish(hand, start) if len(hand) > 1 else 1 for start in starts] for hand in hands])
    deals = [tuple(kinds[kind].points for kind in deal.kinds) for deal in playing.deals(counted)]
    blind = playing.is_blind(rules)
    retires = np.array([[lot.retires(deal, () if blind else start) for start in starts] for deal in deals])
    splits = np.array([[lot.splits(deal, start) for start in starts] for deal in deals])
    insures = np.array([[lot.insures(deal, start) for start in starts] for deal in deals], dtype=np.int64)
    stake = lookup.new_stake(rules, max(rules.bet_min, rules.unit)) * counted.one
    return playing.under(counted, _allowed(counted, Way(wish, splits, insures, {}), retires), stake=stake)


def _allowed(counted: counting.Counted, way: Way, retires: Ints) -> Way:
    """The way with each choice only where the table offers it."""
    may_retire, may_insure = playing.offered(counted)
    choice = np.zeros(way.choice.shape, dtype=np.int64)
    for at, deal in enumerate(playing.deals(counted)):
        if playing.may_split(counted, deal):
            choice[at][way.choice[at].astype(bool)] = playing.SPLIT
    choice[retires & (may_retire > 0)] = playing.RETIRE
    return Way(way.wish.astype(np.int64), choice, way.insures * may_insure, {})


def same(one: Fraction, other: Fraction) -> bool:
    """Whether two exact results are one."""
    return isinstance(one, Fraction) and isinstance(other, Fraction) and one == other
