"""Bets: what is laid between rounds, by the people at this keyboard, one place after another.

A place is a person and a box: each box that somebody here holds, and each box of another on which somebody here bets.
Everything goes through the game at once, so it is kept; undo gives the game the bets as they lay before.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from tapete import table as tables
from tapete.errors import Refused
from tapete.money import CHIP
from tapete.rules import RuleSet
from tapete.table import Consented, Placed, Table
from tapete.terminal.game import Game

_VALUES: Final = tuple(
    digit * power for power in (CHIP, 10 * CHIP, 100 * CHIP, 1000 * CHIP, 10_000 * CHIP) for digit in (1, 5)
)
_QUARTER: Final = 25 * CHIP
MOST_CHIPS: Final = 6


class Place(msgspec.Struct, frozen=True):
    """Where a person's money can lie."""

    name: str
    box: int


def chip_values(rules: RuleSet) -> tuple[int, ...]:
    """The chips offered at a table, in units, smallest first: multiples of its step, none above its maximum."""
    top = rules.bet_max
    ladder = sorted({CHIP // 2, *_VALUES, _QUARTER})
    least = max(rules.unit, rules.bet_min // 10)
    fit = [one for one in ladder if one % rules.unit == 0 and one >= least and (top is None or one <= top)]
    return tuple(fit[:MOST_CHIPS]) or (rules.unit,)


def humans(table: Table) -> tuple[str, ...]:
    """The people at this keyboard."""
    return tuple(one.name for one in table.people if not one.bot)


def places(table: Table) -> tuple[Place, ...]:
    """All places at this keyboard: own boxes in seat order, then the boxes of others."""
    here = humans(table)
    own = [Place(seat.name, seat.box) for seat in table.seats if seat.name in here]
    agreed = [Place(one.name, one.box) for one in table.consents if one.agrees and one.name in here]
    laid = [Place(bet.name, bet.box) for bet in (*table.bets, *table.last) if bet.name in here]
    behind = [one for one in (*agreed, *laid) if tables.holder(table, one.box) not in ("", one.name)]
    return tuple(dict.fromkeys((*own, *sorted(behind, key=lambda one: one.box))))


class Bets:
    """The bets of the coming round: the place in hand, and what can be undone."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._at: Place | None = None
        self._undo: list[tuple[Placed, ...]] = []

    # --- the place in hand

    @property
    def place(self) -> Place | None:
        """Where the next chip goes; None when nobody here can bet."""
        open_ = places(self.game.table)
        if self._at not in open_:
            self._at = open_[0] if open_ else None
        return self._at

    def go(self, step: int) -> None:
        """Moves on to the next place, or back."""
        open_ = places(self.game.table)
        if open_ and self.place is not None:
            self._at = open_[(open_.index(self.place) + step) % len(open_)]

    def go_to(self, place: Place) -> None:
        """Takes this place in hand, if it is one."""
        if place in places(self.game.table):
            self._at = place

    @property
    def amount(self) -> int:
        """What lies on the place in hand."""
        return tables.bet_on(self.game.table, self.place.box, self.place.name) if self.place else 0

    # --- laying; each raises Refused or StoreError, with the bets as they were

    def add(self, chips: int) -> None:
        """One chip more on the place in hand."""
        self.set(self.amount + chips)

    def set(self, amount: int) -> None:
        """So much on the place in hand."""
        place = self.place
        if place is not None:
            self._change([Placed(place.name, place.box, amount)])

    def clear(self) -> None:
        """Takes back what lies on the place in hand."""
        if self.amount:
            self.set(0)

    def rebet(self, *, times: int = 1) -> None:
        """The person in hand bets as in the last round, or so many times that; Refused ``full.no_last`` without one."""
        mine = self._of_person(self.game.table.last)
        if not mine:
            raise Refused("full.no_last")
        self._change([Placed(one.name, one.box, one.amount * times) for one in mine])

    def double(self) -> None:
        """Twice what the person in hand has laid; without a bet, twice the last one."""
        mine = self._of_person(self.game.table.bets)
        if not mine:
            return self.rebet(times=2)
        return self._change([Placed(one.name, one.box, one.amount * 2) for one in mine])

    def _of_person(self, bets: Iterable[Placed]) -> list[Placed]:
        return [one for one in bets if self.place is not None and one.name == self.place.name]

    @property
    def can_undo(self) -> bool:
        """Whether a change of this round's bets can be taken back."""
        return bool(self._undo)

    def undo(self) -> None:
        """Takes back the last change, if there is one."""
        if self._undo:
            self._restore(self._undo.pop())

    def begin(self) -> None:
        """The bets of a new round begin: what was done before cannot be undone."""
        self._undo.clear()

    def _change(self, wanted: list[Placed]) -> None:
        before = self.game.table.bets
        self._all_or_none(wanted, before)
        if self.game.table.bets != before:
            self._undo.append(before)

    def _all_or_none(self, wanted: list[Placed], before: tuple[Placed, ...]) -> None:
        try:
            for one in wanted:
                self.game.do(one)
        except Refused:
            self._restore(before)
            raise

    def _restore(self, wanted: tuple[Placed, ...]) -> None:
        """Lays the bets as they were: what has to shrink first, then what grows, each holder before his backers."""
        there = {(one.name, one.box): one for one in wanted}
        table = self.game.table
        for bet in reversed(table.bets):
            if (bet.name, bet.box) not in there and tables.bet_on(self.game.table, bet.box, bet.name):
                self.game.do(Placed(bet.name, bet.box, 0))
        for bet in sorted(wanted, key=lambda one: one.amount - tables.bet_on(table, one.box, one.name)):
            if tables.bet_on(self.game.table, bet.box, bet.name) != bet.amount:
                self.game.do(bet)

    # --- backing another's box

    def backable(self, name: str) -> tuple[int, ...]:
        """The boxes of others on which the person may bet at this table, with consent or without."""
        if self.game.table.rules.bet_behind.mode == "off":
            return ()
        return tuple(seat.box for seat in self.game.table.seats if seat.name != name)

    @property
    def backers(self) -> tuple[str, ...]:
        """The people here who can bet on a box of another."""
        return tuple(name for name in humans(self.game.table) if self.backable(name))

    def needs_consent(self, place: Place) -> bool:
        """Whether the box's holder has still to agree."""
        return tables.may_back(self.game.table, place.box, place.name) == "no_consent"

    def back(self, place: Place) -> None:
        """Takes another's box in hand, its holder having agreed where that is needed."""
        if self.needs_consent(place):
            self.game.do(Consented(place.box, place.name))
        self._at = place
