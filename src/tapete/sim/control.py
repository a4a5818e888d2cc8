"""The control variate's tables: what every state of a round would be worth if the pack had no end.

At every draw the kernel adds the mean of these values over the cards that really remain and takes away the value of the
card that came. That has mean nought whatever the values are, so it moves no expected value; as they are nearly right,
it takes away nearly all of chance (Burch, Schmid, Moravčík, Morrill and Bowling, "AIVAT", 2018).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from tapete import lookup
from tapete.exact.tree import Ints
from tapete.rules import RuleSet
from tapete.sim.count import LEVELS
from tapete.sim.dealer import Dealer
from tapete.sim.machine import DOUBLE, HIT, PLANNED, RETIRE, SPLIT, Bytes, Machine
from tapete.sim.money import RETIRED, Money

if TYPE_CHECKING:
    from tapete.sim.kernel import Settings, Table

Floats = npt.NDArray[np.float64]


class Control(NamedTuple):
    """Values in the small units of :mod:`tapete.sim.money`, for a bet of one unit.

    ``before[state]`` of a hand while the dealer has no card, ``value[hands, row, state]`` in a box of so many hands (0:
    never split), where ``rows[up, hole]`` is the row of what the dealer holds, ``rows[up, -1]`` of his first card only.
    ``law[hand of the dealer, outcome]`` is how he ends, ``full[kind]`` the whole shoe. Workplaces: the cards ``left``
    by kind, and what the boxes are ``worth`` by outcome.
    """

    before: Floats
    rows: Ints
    value: Floats
    law: Floats
    full: Floats
    left: Floats
    worth: Floats


def values_of(
    rules: RuleSet, machine: Machine, dealer: Dealer, table: Table, settings: Settings, money: Money
) -> Control:  # fmt: skip
    """The tables of a game."""
    full = np.array([kind.many * rules.decks for kind in lookup.kinds(rules)], dtype=np.float64)
    return _Values(full, machine, dealer, table, settings, money).made()


class _Values:
    """Finds the values of a game, from the last cards back to the first."""

    def __init__(
        self, full: Floats, machine: Machine, dealer: Dealer, table: Table, settings: Settings, money: Money
    ) -> None:  # fmt: skip
        self._full, self._chance = full, full / full.sum()
        self._machine, self._dealer, self._table, self._settings = machine, dealer, table, settings
        self._to = np.bincount(table.to_dealer, weights=self._chance)
        self._law = self._outcomes()
        self._rows, hands, self._starts = self._dealt()
        law = self._law[hands]
        both = (money.first + money.other) / 2
        self._stand = [np.einsum("ho,eho->eh", law, one[:, self._starts].astype(np.float64))
                       for one in (money.alone, both)]  # fmt: skip
        self._insured = law @ money.insured
        self._over = (dealer.outcome[hands] == lookup.NATURAL) & (table.checked[self._starts] == 1)
        self._known: dict[tuple[int, int], Floats] = {}
        single = {*machine.begin.tolist(), *machine.split.ravel().tolist()}
        self._single = single | {int(machine.next_[at, kind]) for at in machine.begin for kind in range(len(full))}

    def _outcomes(self) -> Floats:
        """How the dealer ends, by his hand."""
        dealer, to = self._dealer, self._to
        law = np.zeros((len(dealer.draws), len(lookup.OUTCOMES)))
        known: set[int] = set()

        def filled(hand: int) -> Floats:
            if hand not in known:
                known.add(hand)
                if dealer.draws[hand] or len(set(dealer.next_[hand].tolist())) > 1:
                    law[hand] = sum(
                        chance * filled(int(then)) for chance, then in zip(to, dealer.next_[hand], strict=True)
                    )
                else:
                    law[hand, dealer.outcome[hand]] = 1
            found: Floats = law[hand]
            return found

        filled(0)
        return law

    def _dealt(self) -> tuple[Ints, Ints, Ints]:
        """What the dealer can hold when players decide, by row: ``rows[up, hole]``, his hands, what he shows."""
        dealer, start, many = self._dealer, self._table.start, len(self._to)
        ones = dealer.next_[0, :many].astype(np.int64)
        if self._settings.second == 0:
            return np.repeat(np.arange(many)[:, None], many + 1, 1), ones, start[:, 0]
        rows = np.empty((many, many + 1), dtype=np.int64)
        rows[:, :-1] = np.arange(many * many).reshape(many, many)
        rows[:, -1] = many * many + np.arange(many)
        return rows, dealer.next_[ones].astype(np.int64).ravel(), start.ravel()

    def made(self) -> Control:
        """All of them."""
        states, known, many = len(self._machine.end), len(self._starts), len(self._to)
        value = np.zeros((self._settings.hands + 1, int(self._rows.max()) + 1, states))
        for hands in (0, *range(2, self._settings.hands + 1)):
            for state in range(states):
                if hands or state not in self._machine.begin:
                    value[hands, :known, state] = self._value(hands, state)
        if self._settings.second:
            value[0, known:] = np.einsum("o,uos->us", self._to, value[0, :known].reshape(many, many, states))
        before = self._to @ value[0, self._rows[:, -1]]
        left, worth = self._full.copy(), np.zeros(len(lookup.OUTCOMES))
        return Control(before, self._rows, value, self._law, self._full, left, worth)

    def _value(self, hands: int, state: int) -> Floats:
        """The value of a hand against each hand of the dealer."""
        key = hands, state
        if key not in self._known:
            self._known[key] = np.zeros(len(self._starts))
            self._known[key] = self._first(hands, state)
        return self._known[key]

    def _first(self, hands: int, state: int) -> Floats:
        machine, stand = self._machine, self._stand[min(hands, 1)]
        if state in self._single:
            return self._after(hands, machine.next_[state])
        act = self._moves(machine.act, state)
        if hands >= self._settings.hands:
            act = np.where(act == SPLIT, self._moves(machine.full, state), act)
        found: Floats = stand[machine.end[state]].copy()
        for move, worth in (
            (HIT, lambda: self._after(hands, machine.next_[state])),
            (DOUBLE, lambda: self._after(hands, machine.raised[state])),
            (SPLIT, lambda: 2 * self._value(max(hands, 1) + 1, self._split(state))),
            (RETIRE, lambda: stand[RETIRED]),
        ):
            if (act == move).any():
                found = np.where(act == move, worth(), found)
        if hands == 0:
            ends = np.where((act == RETIRE) & (self._settings.early == 1), RETIRED, machine.end[state])
            found = np.where(self._over, stand[ends, np.arange(len(found))], found)
            keeps = (act != RETIRE) | (self._settings.keeps == 1)
            found = found + np.where(keeps & (self._moves(machine.insures, state) > 0), self._insured, 0.0)
        return found

    def _moves(self, table: Bytes, state: int) -> Ints:
        """Moves of a state by the dealer's hand; of a plan the one at the count of nought."""
        told: Ints = table[self._starts, state].astype(np.int64)
        planned = told >= PLANNED
        if planned.any():
            told[planned] = self._machine.plans[told[planned] - PLANNED, LEVELS]
        return told

    def _after(self, hands: int, states: npt.NDArray[np.uint16]) -> Floats:
        found = np.zeros(len(self._starts))
        for chance, then in zip(self._chance, states, strict=True):
            found += chance * self._value(hands, int(then))
        return found

    def _split(self, state: int) -> int:
        """The state of one hand of a split pair."""
        machine = self._machine
        box = int(np.searchsorted(np.sort(machine.begin), state, side="right")) - 1
        mine = int(np.argsort(machine.begin)[box])
        return int(machine.split[mine, machine.pair[state]])
