"""The control variate's tables: what every state of a round would be worth if the pack had no end.

At every draw the kernel adds the mean of these values over the cards that really remain and takes away the value of the
card that came. That has mean nought whatever the values are, so it moves no expected value; as they are nearly right,
it takes away nearly all of chance (Burch, Schmid, Moravčík, Morrill and Bowling, "AIVAT", 2018).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tapete import lookup
from tapete.exact.tree import Ints
from tapete.rules import RuleSet
from tapete.sim.count import LEVELS, WIDE
from tapete.sim.dealer import Dealer
from tapete.sim.machine import BEGIN, KINDS, REST, RETIRE, SPLIT, Machine, Shorts
from tapete.sim.money import PAYS, PLACES, RETIRED, Money

if TYPE_CHECKING:
    from tapete.sim.world import Settings, Table

Floats = npt.NDArray[np.float64]


class Control(NamedTuple):
    """Values in the small units of :mod:`tapete.sim.money`, for a bet of one unit.

    Values of a hand by what a draw may make of it stand in rows of ``wide`` kinds, some of them idle. A row begins in
    ``unseen[row]`` while the dealer has no card; in ``drawn[(hands * held + holds) * rows + row]`` in a box of so many
    hands (0: never split) when he ``holds`` what ``holds[up * KINDS + hole]`` says (his first card alone has the last
    hole); where the draw is the dealer's own, in ``dealt[state]`` for his first card and in ``dealt[(1 + up) * states +
    state]`` for his second. ``law[hand of the dealer * PAYS + outcome]`` is how he ends, ``after`` the same by his next
    card in rows, ``full[kind]`` the whole shoe. ``line[start * PLACES + end]`` says which of the different ``lines`` by
    outcome is the money of a hand never split, alone and not insured; what that is worth by his next card is in a row
    from ``alone[line * hands of the dealer + hand]`` on. Workplaces: the cards ``left`` by kind, what the boxes are
    ``worth`` by outcome. ``value[hands, holds, state]`` is what the rows are made from.
    """

    unseen: Floats
    drawn: Floats
    dealt: Floats
    after: Floats
    law: Floats
    alone: Floats
    line: Ints
    lines: Floats
    holds: Ints
    full: Floats
    left: Floats
    worth: Floats
    value: Floats
    held: int
    rows: int
    states: int
    hands: int
    wide: int


def values_of(
    rules: RuleSet, machine: Machine, dealer: Dealer, table: Table, settings: Settings, money: Money
) -> Control:  # fmt: skip
    """The tables of a game."""
    return _Values(rules, machine, dealer, table, settings, money).made()


def in_rows(
    value: Floats, law: Floats, holds: Ints, full: Floats, next_: Any, dealer: Any, line: Ints, lines: Floats
) -> Control:  # fmt: skip
    """The tables from values by hand, ``holds[up, hole]``, the cards by kind, next states by row, his next, and lines.

    Kinds come in twos.
    """
    kinds = len(full)
    wide = kinds + -kinds % 2
    idle = (0, wide - kinds)
    chance = full / full.sum()
    one = chance @ value[0, holds[:, -1]]
    then = next_[:, :kinds]
    first = value[0, holds[:, -1]].T
    second = value[0][holds[:, :kinds]].transpose(0, 2, 1)
    dealt = np.concatenate([first[None], second])
    after = law.reshape(-1, PAYS)[dealer[:, :kinds]].transpose(0, 2, 1)
    alone = np.einsum("lo,hok->lhk", lines, after)
    left, worth = np.pad(full, idle), np.zeros(len(lookup.OUTCOMES))

    def rows(table: Floats) -> Floats:
        return np.pad(table, [(0, 0)] * (table.ndim - 1) + [idle]).ravel()

    return Control(
        rows(one[then]), rows(value[:, :, then]), rows(dealt), rows(after), law, rows(alone), line, lines,
        holds.ravel(), left, left.copy(), worth, value, value.shape[1], len(next_), value.shape[2], len(dealer), wide,
    )  # fmt: skip


class _Values:
    """Finds the values of a game, from the last cards back to the first."""

    def __init__(
        self, rules: RuleSet, machine: Machine, dealer: Dealer, table: Table, settings: Settings, money: Money
    ) -> None:  # fmt: skip
        kinds = lookup.kinds(rules)
        self._full = np.array([kind.many * rules.decks for kind in kinds], dtype=np.float64)
        self._chance = self._full / self._full.sum()
        self._machine, self._settings, self._money = machine, settings, money
        self._next, self._dealer = machine.next_.reshape(-1, KINDS), dealer.next_.reshape(-1, KINDS)
        tables = machine.act, machine.full, machine.insures
        self._act, self._at_last, self._insures = (one.reshape(-1, machine.states) for one in tables)
        self._law = self._outcomes(dealer.rests)
        self._holds, hands, self._starts = self._held(rules, table)
        law = self._law[hands]
        pays = [one.reshape(-1, PLACES, PAYS)[self._starts] for one in (money.alone, money.first, money.other)]
        ends = [np.einsum("ho,heo->eh", law, one.astype(np.float64)[:, :, : law.shape[1]]) for one in pays]
        self._stand = ends[0], (ends[1] + ends[2]) / 2
        self._insured = law @ money.insured
        self._over = (hands == dealer.rests + lookup.NATURAL) & (table.checked[self._starts] == 1)
        self._known: dict[tuple[int, int], Floats] = {}
        begins = machine.begin.tolist()
        split = machine.split.reshape(len(begins), KINDS)[:, : len(kinds)]
        self._single = {*split.ravel().tolist(), *(int(self._next[at, kind]) for at in begins
                                                   for kind in range(len(kinds)))}  # fmt: skip

    def _outcomes(self, rests: int) -> Floats:
        """How the dealer ends, by his hand."""
        law = np.zeros((rests + len(lookup.OUTCOMES), len(lookup.OUTCOMES)))
        law[rests:] = np.eye(len(lookup.OUTCOMES))
        done: set[int] = set()

        def filled(hand: int) -> Floats:
            if hand < rests and hand not in done:
                done.add(hand)
                for chance, then in zip(self._chance, self._dealer[hand].tolist(), strict=False):
                    law[hand] += chance * filled(then)
            found: Floats = law[hand]
            return found

        filled(0)
        return law

    def _held(self, rules: RuleSet, table: Table) -> tuple[Ints, Ints, Ints]:
        """What the dealer can hold when players decide, by row: ``rows[up, hole]``, his hands, what he shows."""
        start, kinds = table.start.reshape(-1, KINDS), lookup.kinds(rules)
        to = [lookup.dealer_kind(rules, kind) for kind in kinds]
        many = len(lookup.dealer_kinds(rules))
        like = [to.index(kind) for kind in range(many)]  # a kind of the shoe for each of the dealer's
        ones = self._dealer[0, like].astype(np.int64)
        rows = np.zeros((len(kinds), KINDS), dtype=np.int64)
        if self._settings.second == 0:
            rows[:] = np.array(to)[:, None]
            return rows, ones, start[like, 0].astype(np.int64)
        rows[:, : len(kinds)] = np.array(to)[:, None] * many + np.array(to)
        rows[:, -1] = many * many + np.array(to)
        return rows, self._dealer[ones][:, like].astype(np.int64).ravel(), start[like][:, like].astype(np.int64).ravel()

    def made(self) -> Control:
        """All of them."""
        states, known = self._machine.states, len(self._starts)
        held = int(self._holds.max()) + 1
        value = np.zeros((self._settings.hands + 1, held, states))
        for hands in (0, *range(2, self._settings.hands + 1)):
            for state in range(BEGIN, states):
                if hands or state not in self._machine.begin:
                    value[hands, :known, state] = self._value(hands, state)
        if self._settings.second:
            for up in range(len(self._chance)):
                holes = value[0, self._holds[up, : len(self._chance)]]
                value[0, self._holds[up, -1]] = self._chance @ holes
        law = np.pad(self._law, ((0, 0), (0, PAYS - self._law.shape[1])))
        lines, line = np.unique(self._money.alone.reshape(-1, PAYS).astype(np.float64), axis=0, return_inverse=True)
        return in_rows(value, law.ravel(), self._holds, self._full, self._next, self._dealer, line.ravel(), lines)

    def _value(self, hands: int, state: int) -> Floats:
        """The value of a hand against each hand of the dealer."""
        key = hands, state
        if key not in self._known:
            self._known[key] = self._first(hands, state)
        return self._known[key]

    def _first(self, hands: int, state: int) -> Floats:
        machine, stand = self._machine, self._stand[min(hands, 1)]
        if state in self._single:
            return self._after(hands, state)
        act = self._moves(self._act, state)
        if hands >= self._settings.hands:
            act = np.where(act == SPLIT, self._moves(self._at_last, state), act)
        found: Floats = stand[machine.end[state]].copy()
        for move in set(act.tolist()) - {REST}:
            found = np.where(act == move, self._worth(hands, state, move, stand), found)
        if hands == 0:
            ends = np.where((act == RETIRE) & (self._settings.early == 1), RETIRED, machine.end[state])
            found = np.where(self._over, stand[ends, np.arange(len(found))], found)
            keeps = (act != RETIRE) | (self._settings.keeps == 1)
            found = found + np.where(keeps & (self._moves(self._insures, state) > 0), self._insured, 0.0)
        return found

    def _worth(self, hands: int, state: int, move: int, stand: Floats) -> Floats:
        if move == RETIRE:
            found: Floats = stand[RETIRED]
            return found
        if move == SPLIT:
            return 2 * self._value(max(hands, 1) + 1, self._split(state))
        return self._after(hands, move)

    def _moves(self, table: Shorts, state: int) -> Ints:
        """Moves of a state by the dealer's hand; of a plan the one at the count of nought."""
        told: Ints = table[self._starts, state].astype(np.int64)
        planned = told >= self._machine.planned
        if planned.any():
            told[planned] = self._machine.plans[(told[planned] - self._machine.planned) * WIDE + LEVELS]
        return told

    def _after(self, hands: int, row: int) -> Floats:
        """The mean over the next card, looked up in this row."""
        found = np.zeros(len(self._starts))
        for chance, then in zip(self._chance, self._next[row].tolist(), strict=False):
            found += chance * self._value(hands, then)
        return found

    def _split(self, state: int) -> int:
        """The state of one hand of a split pair; of boxes that share it, of any."""
        return int(self._machine.split[self._machine.pair[state]])
