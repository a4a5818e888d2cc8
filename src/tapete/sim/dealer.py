"""The dealer as a machine: what each card makes of his hand, and whether he draws."""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tapete import lookup, rulebook
from tapete.rules import RuleSet

Bytes = npt.NDArray[np.uint8]


class Dealer(NamedTuple):
    """``next_[state, kind]``, whether he ``draws`` at a state of two cards or more, and his ``outcome`` if he does not.

    State 0 holds no card.
    """

    next_: Bytes
    draws: Bytes
    outcome: Bytes


@functools.lru_cache(maxsize=16)
def dealer(rules: RuleSet) -> Dealer:
    """The dealer of a table."""
    kinds = lookup.dealer_kinds(rules)
    number: dict[tuple[object, ...], int] = {(): 0}
    hands: list[tuple[int, ...]] = [()]
    rows: list[list[int]] = []
    draws, outcome = [], []
    for cards in hands:
        hard, ace = sum(kinds[card].points for card in cards), any(kinds[card].points == 1 for card in cards)
        bust = rulebook.is_bust(hard)
        on = len(cards) < 2 or (not bust and rulebook.must_draw(rules, hard, ace=ace))
        draws.append(int(on and len(cards) > 1))
        outcome.append(_outcome(rules, cards, hard, ace=ace) if not on else 0)
        row = []
        for card in range(len(kinds)) if on else ():
            more = (*cards, card)
            key: tuple[object, ...] = tuple(sorted(more))
            if len(more) > 2:
                key = hard + kinds[card].points, ace or kinds[card].points == 1, "drawn"
            if key not in number:
                number[key] = len(hands)
                hands.append(more)
            row.append(number[key])
        rows.append(row or [0] * len(kinds))
    return Dealer(*(np.array(one, dtype=np.uint8) for one in (rows, draws, outcome)))


def _outcome(rules: RuleSet, cards: tuple[int, ...], hard: int, *, ace: bool) -> int:
    if lookup.is_natural(rules, cards):
        return lookup.NATURAL
    return lookup.BUST if rulebook.is_bust(hard) else lookup.OUTCOMES.index(rulebook.total(hard, ace=ace))
