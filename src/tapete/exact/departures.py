"""Where a player who looks at more than totals departs from a chart, and what the chart would cost him there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np

from tapete import lookup
from tapete.chart import Chart
from tapete.exact import counting, given, play, playing
from tapete.exact.playing import RETIRE, SPLIT, Round, Way
from tapete.exact.tables import FRESH
from tapete.exact.tree import Ints, Numbers

LEAST: Final = 1e-12
"""Costs nearer to nothing are no difference but rounding."""
_NAMES: Final = {lookup.STAND: "stand", lookup.HIT: "hit", lookup.DOUBLE: "double",
                 lookup.SPLIT: "split", lookup.RETIRE: "retire"}  # fmt: skip


class Departure(NamedTuple):
    """A hand, by kinds, against a start of the dealer: the chart's move, the one played instead.

    Moves are ``stand``, ``hit``, ``double``, ``split``, ``retire``, and ``insure`` or ``no_insurance``. ``chance`` is
    how often in a round that comes up, ``cost`` what the chart's move there loses per round and initial bet, all later
    play being that of the round.
    """

    cards: tuple[int, ...]
    start: tuple[int, ...]
    chart: str
    played: str
    cost: Any
    chance: Any


def departures(round_: Round, chart: Chart) -> tuple[Departure, ...]:
    """Every hand before a split at which the round plays otherwise than the chart, the costliest first."""
    way = given.way(round_.counted, chart)
    found = [*_dealt(round_, way), *_longer(round_, way), *_insured(round_, way)]
    return tuple(sorted(found, key=lambda one: -one.cost))


def _bits(round_: Round) -> Ints:
    ready = round_.counted.tables
    bits: Ints = ready.legal[FRESH][ready.code][:, ready.standing]
    return bits


def _moves(bits: Ints, wish: Ints) -> Ints:
    """The move that each wish becomes; 0 for a hand whose turn is over."""
    doubles = (wish & 2 > 0) & (bits & lookup.DOUBLE > 0)
    hits = (bits & lookup.STAND == 0) | ((wish & 1 == 1) & (bits & lookup.HIT > 0))
    moves: Ints = np.where(doubles, lookup.DOUBLE, np.where(hits, lookup.HIT, lookup.STAND))
    return np.where(bits & (lookup.STAND | lookup.HIT) > 0, moves, 0)


def _value(round_: Round, move: int, hand: int, start: int) -> Any:
    values = {lookup.STAND: round_.fresh.stand, lookup.HIT: round_.fresh.hit, lookup.DOUBLE: round_.fresh.double}
    return values[move][hand, start]


def _departure(round_: Round, hand: int, start: int, moves: tuple[str, str], told: tuple[Any, Any]) -> Departure:
    counted = round_.counted
    tree = counted.tables.plan.tree
    cards = tuple(kind for kind, many in enumerate(tree.counts[hand].tolist()) for _ in range(many))
    seen = counted.starts[counted.tables.plan.fresh[hand], start]
    return Departure(cards, lookup.starts(counted.rules)[start], *moves, told[0],
                     told[1] * seen)  # fmt: skip


# --- hands as dealt -------------------------------------------------------------------------------------------------


def _dealt(round_: Round, way: Way) -> Iterator[Departure]:
    bits = _bits(round_)
    by_chart, by_round = _moves(bits, way.wish), _moves(bits, round_.way.wish)
    for at, deal in enumerate(round_.deals):
        worth = _Dealt(round_, at)
        for start in range(bits.shape[1]):
            there = int(bits[deal.hand, start])
            told = worth.move(there, int(way.choice[at, start]), int(by_chart[deal.hand, start]), start)
            played = worth.move(there, int(round_.way.choice[at, start]), int(by_round[deal.hand, start]), start)
            if told and played and told != played:
                cost = deal.chance * (worth.value(played, start) - worth.value(told, start))
                if abs(cost) > LEAST:
                    yield _departure(round_, deal.hand, start, (_NAMES[told], _NAMES[played]), (cost, deal.chance))


class _Dealt:
    """The moves of one deal, and what they are worth; a split that the round does not play is counted when asked."""

    def __init__(self, round_: Round, at: int) -> None:
        self._round, self._at, self._deal = round_, at, round_.deals[at]
        self._pair: Any = round_.splits.get(self._deal.kinds)

    def move(self, bits: int, choice: int, plain: int, start: int) -> int:
        if choice == RETIRE and self._round.may_retire[self._at, start]:
            return lookup.RETIRE
        return lookup.SPLIT if choice == SPLIT and bits & lookup.SPLIT else plain

    def value(self, move: int, start: int) -> Any:
        if move == lookup.RETIRE:
            return self._round.retire[self._at, start]
        if move == lookup.SPLIT:
            self._pair = self._pair or playing.split_of(self._round, self._deal.kinds)
            return self._pair.value[start]
        return _value(self._round, move, self._deal.hand, start)


def _insured(round_: Round, way: Way) -> Iterator[Departure]:
    for at, start in np.argwhere((round_.way.insures != way.insures) & (round_.may_insure > 0)).tolist():
        insures = bool(round_.way.insures[at, start])
        chance, gain = round_.deals[at].chance, round_.insurance[at, start]
        cost = chance * (gain if insures else -gain)
        moves = ("no_insurance", "insure") if insures else ("insure", "no_insurance")
        if abs(cost) > LEAST:
            yield _departure(round_, round_.deals[at].hand, start, moves, (cost, chance))


# --- longer hands ---------------------------------------------------------------------------------------------------


def _longer(round_: Round, way: Way) -> Iterator[Departure]:
    size = round_.counted.tables.plan.tree.size
    bits, weight = _bits(round_), _reached(round_)
    by_chart, by_round = _moves(bits, way.wish), _moves(bits, round_.way.wish)
    apart = (by_chart != by_round) & (weight > 0) & (size > 2)[:, None]
    for hand, start in np.argwhere(apart).tolist():
        told, played = int(by_chart[hand, start]), int(by_round[hand, start])
        chance = weight[hand, start]
        cost = chance * (_value(round_, played, hand, start) - _value(round_, told, hand, start))
        if abs(cost) > LEAST:
            yield _departure(round_, hand, start, (_NAMES[told], _NAMES[played]), (cost, chance))


def _reached(round_: Round) -> Numbers:
    """The chance of coming to each hand that is played on, by start, split hands left out."""
    counted = round_.counted
    weight = np.zeros_like(round_.fresh.stand)
    for deal, choice in zip(round_.deals, round_.way.choice, strict=True):
        weight[deal.hand] = np.where(choice == playing.PLAY, deal.chance, deal.chance * 0)
    hands, starts = weight.shape
    room = np.full((1, 1, play.WISHES), counted.one * 0, dtype=weight.dtype)
    one = play.Cells(np.zeros(hands, dtype=np.int64), np.zeros(starts, dtype=np.int64), room)
    follow = play.reach if weight.dtype != object else play.reach.py_func
    law = counting.law_of(counted, FRESH, counted.tables.fresh)
    follow(counting.hands_of(counted, np.arange(hands, dtype=np.int64)), counted.shoe, law, round_.fresh, weight, one)
    return weight
