"""The dealer as a machine: what each card makes of his hand, and whether he draws."""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tapete import lookup, rulebook
from tapete.rules import RuleSet
from tapete.sim.machine import KINDS

Bytes = npt.NDArray[np.uint8]


class Dealer(NamedTuple):
    """``next_[state * KINDS + kind]``, by the kinds of the shoe.

    State 0 holds no card. Below ``rests`` he draws, if he has two cards; from there on he is done, and a state less
    ``rests`` is his outcome.
    """

    next_: Bytes
    rests: int


@functools.lru_cache(maxsize=16)
def dealer(rules: RuleSet) -> Dealer:
    """The dealer of a table."""
    kinds = lookup.dealer_kinds(rules)
    of = [lookup.dealer_kind(rules, kind) for kind in lookup.kinds(rules)]
    number: dict[tuple[object, ...], int] = {(): 0}
    hands: list[tuple[int, ...]] = [()]
    rows: list[list[int]] = []
    for cards in hands:
        row = []
        for card in range(len(kinds)):
            more = (*cards, card)
            hard, ace = sum(kinds[one].points for one in more), any(kinds[one].points == 1 for one in more)
            bust = rulebook.is_bust(hard)
            key: tuple[object, ...] = tuple(sorted(more)) if len(more) < 2 else (hard, ace)
            if len(more) > 1 and (bust or not rulebook.must_draw(rules, hard, ace=ace)):
                row.append(-1 - _outcome(rules, more, hard, ace=ace))
                continue
            if key not in number:
                number[key] = len(hands)
                hands.append(more)
            row.append(number[key])
        rows.append(row)
    next_ = np.zeros((len(rows), KINDS), dtype=np.uint8)
    by_kind = np.array(rows)[:, of]
    next_[:, : len(of)] = np.where(by_kind < 0, len(rows) - 1 - by_kind, by_kind)
    return Dealer(next_.ravel(), len(rows))


def _outcome(rules: RuleSet, cards: tuple[int, ...], hard: int, *, ace: bool) -> int:
    if lookup.is_natural(rules, cards):
        return lookup.NATURAL
    return lookup.BUST if rulebook.is_bust(hard) else lookup.OUTCOMES.index(rulebook.total(hard, ace=ace))
