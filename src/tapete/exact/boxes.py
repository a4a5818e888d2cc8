"""What a box brings by the ends of its hands, where one hand of it may decide about the others.

Two switches pay a box as a whole: ``no_hole_bj_takes = "busted_and_one"``, for the one stake more is that of the first
hand which is not bust, and ``bust_scope = "all_player_bets"``, for a bust ends the play of the whole box. They are
counted exactly for boxes of two hands; decisions stay those that are best hand by hand.
"""

from __future__ import annotations

import functools
from typing import Any, Final

import numpy as np

from tapete import lookup, rulebook
from tapete.errors import BadInput
from tapete.exact.counting import Counted
from tapete.exact.tables import Money
from tapete.exact.tree import Ints, Numbers
from tapete.rules import RuleSet, with_

BUST: Final = lookup.ROWS
"""The row of bust hands, beside those of the payoff tables."""
RAISED: Final = lookup.ROWS + 1
"""A hand's end is its row, or so many more when it is doubled."""
ENDS: Final = 2 * RAISED
_NAT: Final = lookup.NATURAL


def is_bust(ends: Ints) -> Any:
    """Which of these ends are bust."""
    return ends % RAISED == BUST


def is_raised(ends: Ints) -> Any:
    """Which of these ends are those of a doubled hand."""
    return ends >= RAISED


@functools.lru_cache(maxsize=64)
def pays_each_alone(rules: RuleSet) -> bool:
    """Whether each hand of a box is settled by itself, whatever becomes of the others."""
    if rulebook.bust_takes_all(rules):
        return False
    return not rulebook.takes_first_live(rules) or not any(
        lookup.may_turn_out_natural(rules, start) for start in lookup.starts(rules)
    )


def check(rules: RuleSet) -> None:
    """Raises BadInput ``exact.not_linear`` where hands decide about each other and a box may hold more than two."""
    if rules.split.max_hands > 2 and not pays_each_alone(rules):
        switch = "bust_scope" if rulebook.bust_takes_all(rules) else "no_hole_bj_takes"
        raise BadInput("exact.not_linear", switch=switch, value=getattr(rules, switch), hands=rules.split.max_hands)


def hand_by_hand(rules: RuleSet) -> RuleSet:
    """The same table with each hand settled by itself, where :func:`check` would refuse it.

    A hand alone has the same money there, so what is best hand by hand is the same.
    """
    if rules.split.max_hands <= 2 or pays_each_alone(rules):
        return rules
    takes = "original_only" if rulebook.takes_first_live(rules) else rules.no_hole_bj_takes
    return with_(rules, {"bust_scope": "hand", "no_hole_bj_takes": takes})


def checked(rules: RuleSet) -> Ints:
    """By start, whether a blackjack of the dealer ends the round before the turns."""
    return np.array([lookup.is_checked(rules, start) for start in lookup.starts(rules)])


# --- money ----------------------------------------------------------------------------------------------------------


def worth(money: Money) -> Numbers:
    """What a hand brings by its end, paid by itself: [end, start, outcome]."""
    found = np.empty((2, RAISED, *money.pay.shape[2:]), dtype=money.pay.dtype)
    found[:, :BUST] = money.pay
    found[:, BUST] = money.bust[:, None, None]
    found[:, BUST, :, _NAT] = money.lost
    by_end: Numbers = found.reshape(ENDS, *money.pay.shape[2:])
    return by_end


def half(counted: Counted) -> Any:
    """What an insurance costs."""
    return -lookup.insurance_net(counted.rules, dealer_blackjack=False) * counted.one


def insurance_nets(counted: Counted) -> Numbers:
    """What an insurance brings, by outcome."""
    nets = np.full(len(lookup.OUTCOMES), -half(counted), dtype=counted.starts.dtype)
    nets[_NAT] = lookup.insurance_net(counted.rules, dealer_blackjack=True) * counted.one
    return nets


def nets_of_one(counted: Counted, *, insured: bool) -> Numbers:
    """The net of a round with one hand: [end, start, outcome]."""
    nets: Numbers = worth(counted.tables.fresh)
    if not insured:
        return nets
    nets = nets + insurance_nets(counted)
    if rulebook.bust_takes_all(counted.rules):  # a bust takes the insurance along, where it is still open
        nets[BUST::RAISED, ~checked(counted.rules), _NAT] -= insurance_nets(counted)[_NAT] + half(counted)
    return nets


def beside(counted: Counted, start: int, *, insured: bool) -> Numbers:
    """What a split box brings beside its hands, by outcome: insurance, and what a blackjack takes once."""
    nets = insurance_nets(counted) * int(insured)
    nets[_NAT] += counted.tables.once[start]
    return nets


def nets_of_two(counted: Counted, ends: Ints, start: int, *, stake: Any, insured: bool) -> Numbers:
    """The net of a round with two hands: [end of the first, end of the second, outcome]."""
    ready, rules = counted.tables, counted.rules
    first, rest = (worth(money)[ends, start] for money in (ready.first, ready.other))
    nets: Numbers = first[:, None] + rest[None] * stake + beside(counted, start, insured=insured)
    seen, bust = lookup.is_checked(rules, lookup.starts(rules)[start]), is_bust(ends)
    if rulebook.takes_first_live(rules) and not seen:
        second = first[None, :, _NAT] * stake + insurance_nets(counted)[_NAT] * int(insured)
        nets[bust, :, _NAT] = first[bust, None, _NAT] + second
    if rulebook.bust_takes_all(rules):
        played = slice(0, _NAT) if seen else slice(0, _NAT + 1)
        ended = bust[:, None] | bust[None]
        lost = -laid_on_two(rules, ends, stake=stake) - half(counted) * int(insured)
        nets[:, :, played] = np.where(ended[:, :, None], lost[:, :, None], nets[:, :, played])
    return nets


def raised_of_two(rules: RuleSet, ends: Ints) -> tuple[Ints, Ints]:
    """Which of two hands with these ends are doubled: a hand that is never played is not."""
    raised = np.where(is_raised(ends), 1, 0)
    gone = is_bust(ends) & rulebook.bust_takes_all(rules)
    return np.repeat(raised[:, None], len(ends), axis=1), np.where(gone[:, None], 0, raised[None])


def laid_on_two(rules: RuleSet, ends: Ints, *, stake: Any) -> Numbers:
    """The money laid on two hands with these ends."""
    first, second = raised_of_two(rules, ends)
    laid: Numbers = (1 + first) + (1 + second) * stake
    return laid
