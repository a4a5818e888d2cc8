"""What the ends of hands bring, in whole units, so that a simulated round adds up to the unit.

A hand's end is its row in the payoff tables, as in :mod:`tapete.exact.boxes`, and one more for a retired hand.
"""

from __future__ import annotations

from math import gcd
from typing import Any, Final, NamedTuple

import numpy as np

from tapete import lookup, rulebook
from tapete.exact import boxes, playing
from tapete.exact.boxes import BUST, ENDS, RAISED
from tapete.exact.tables import pays
from tapete.exact.tree import Ints
from tapete.rules import RuleSet
from tapete.sim.machine import Bytes

RETIRED: Final = ENDS
PLACES: Final = ENDS + 1
PAYS: Final = 8
"""So many entries has a row by outcomes, one of them idle."""
TOTAL: Final = 1
BLACKJACK: Final = 2
SECOND_CARD: Final = 4
"""Bits of what is open when the dealer's turn comes: a hand that his total decides, a blackjack, and what waits for his
second card alone."""


class Money(NamedTuple):
    """Money by start, end of a hand and outcome of the dealer, in units of which a box's bet holds ``bet``.

    ``alone[(start * PLACES + end) * PAYS + outcome]`` is a hand that was never split, ``first`` the one of a split box
    that counts as its first, ``other`` the rest; ``once[start]`` is what a blackjack takes of a split box beside that.
    ``laid[end]`` is the money on a hand, ``laid_other`` on one that a split made. ``insured[outcome]`` is what an
    insurance brings.
    """

    bet: int
    alone: Ints
    first: Ints
    other: Ints
    once: Ints
    laid: Ints
    laid_other: Ints
    insured: Ints


def money(rules: RuleSet, bet: int) -> Money:
    """The money of a table for a bet (in units of the house), all of it exact."""
    paid, base = pays(rules), lookup.stake(rules)
    stake = lookup.new_stake(rules, bet)
    alone, first, other = (_with_retired(rules, one) for one in (paid.fresh, paid.first, paid.other))
    laid = np.array([2 if RAISED <= end < ENDS else 1 for end in range(PLACES)])
    insured = np.full(len(lookup.OUTCOMES), float(lookup.insurance_net(rules, dealer_blackjack=False)))
    insured[lookup.NATURAL] = lookup.insurance_net(rules, dealer_blackjack=True)
    mine, new = stake.denominator, stake.numerator
    shares = (alone, mine), (first, mine), (other, new), (paid.once, mine), (laid, mine), (laid, new), (insured, mine)
    # The floats are whole numbers of 1 / base, and small: rounded, they are exact.
    parts = [np.rint(part * base).astype(np.int64) * share for part, share in shares]
    whole = base * stake.denominator
    common = gcd(whole, *(int(np.gcd.reduce(part.ravel())) for part in parts))
    alone, first, other, *rest = [part // common for part in parts]
    if rulebook.bust_takes_all(rules):  # whatever comes then: the box is gone
        alone[[end for end in range(ENDS) if end % RAISED == BUST]] = alone[BUST::RAISED, :, :1]
    return Money(whole // common, *(_flat(part) for part in (alone, first, other)), *rest)


def _flat(table: Ints) -> Ints:
    """By start, end and outcome, from one by end, start and outcome."""
    return np.pad(table.transpose(1, 0, 2), ((0, 0), (0, 0), (0, PAYS - table.shape[2]))).ravel()


def _with_retired(rules: RuleSet, table: Any) -> Any:
    worth = boxes.worth(table)
    lost = np.full((1, *worth.shape[1:]), -float(lookup.retire_loss(rules)))
    lost[:, playing.loses_whole(rules), lookup.NATURAL] = -1
    return np.concatenate([worth, lost])


class Open(NamedTuple):
    """What keeps the dealer drawing: bits of a hand never split, and of one of a split box: [start * PLACES + end]."""

    alone: Bytes
    split: Bytes


def open_(rules: RuleSet) -> Open:
    """The bets that are still open when the dealer's turn comes."""
    starts = lookup.starts(rules)
    alone, split = (np.array([_bits(rules, start, end, split=one) for start in starts for end in range(PLACES)],
                             dtype=np.uint8) for one in (False, True))  # fmt: skip
    return Open(alone, split)


def _bits(rules: RuleSet, start: tuple[int, ...], end: int, *, split: bool) -> int:
    possible = lookup.may_turn_out_natural(rules, start)
    if end == RETIRED:
        return 0 if rulebook.retiring_is_final(rules, dealer_blackjack_possible=possible) else SECOND_CARD
    if end % RAISED == BUST:
        return 0 if rulebook.bust_is_final(rules, dealer_blackjack_possible=possible) else SECOND_CARD
    if end == lookup.PLAYER_BLACKJACK:
        return 0 if not split and lookup.paid_before(rules, start, natural=False) else BLACKJACK
    return TOTAL
