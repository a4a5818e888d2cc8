"""A table with people and a house, for clauses that only show over several rounds or before one begins."""

from __future__ import annotations

from collections.abc import Callable

from tapete import fairness
from tapete.cards import Card
from tapete.events import Asks, Decided, Question
from tapete.house import House, cards_on_table
from tapete.rules import digest
from tapete.table import Consented, Joined, Placed, Reshuffled, Sat, Table, TableEvent, apply, lock_due
from tests.driving import UNASKED, Rules, table

Choose = Callable[[Question], str]


def stand(question: Question) -> str:
    """Nothing that costs, and no card: no to retiring, insuring and following; stand, or hit where that is withheld."""
    return UNASKED.get(question.kind) or ("stand" if "stand" in question.legal else "hit")


def splits_and_hits(question: Question) -> str:
    """As many cards as can be had."""
    return UNASKED.get(question.kind) or ("split" if "split" in question.legal else "hit")


class Sitting:
    """People at one table, each box held by a person of its own with plenty of chips: P1, P2, ..."""

    def __init__(self, rules: Rules, *, boxes: int = 1, seed: int = 1, **switch: object) -> None:
        named = table(rules, {key.replace("__", "."): value for key, value in switch.items()})
        self.table = Table(named)
        self.house = House(
            named, digest=digest(named), secret_for=lambda _: fairness.seeded_secret(seed), prefix="shoe-"
        )
        self.shoes: list[str] = []
        """The shoe that each round was dealt from."""
        self.reshuffles = 0
        for box in range(1, boxes + 1):
            self.does(Joined(f"P{box}", 10**6))
            self.does(Sat(f"P{box}", box))

    def does(self, event: TableEvent) -> None:
        """An event at the table; Refused goes through to the test."""
        before, self.table = self.table, apply(self.table, event)
        self.house.saw(before, event, self.table)
        self.reshuffles += isinstance(event, Reshuffled)

    def bets(self, name: str, box: int, chips: int) -> None:
        self.does(Placed(name, box, chips * 100))

    def agrees(self, box: int, name: str) -> None:
        self.does(Consented(box, name))

    def plays(self, choose: Choose = stand) -> tuple[Card, ...]:
        """One round with the bets as they lie, 10 chips on each box that has none; its cards as they are put away."""
        for seat in self.table.seats:
            if not any(bet.box == seat.box for bet in self.table.bets):
                self.bets(seat.name, seat.box, 10)
        for event in self.house.before_round(self.table):
            self.does(event)
        assert self.table.shoe is not None
        self.shoes.append(self.table.shoe.id)
        self.does(lock_due(self.table))
        while self.table.playing:
            self.does(self.house.owes(self.table) or self._answer(choose))
        assert self.table.round is not None
        return cards_on_table(self.table.round, hole=None)

    def _answer(self, choose: Choose) -> Decided:
        assert self.table.round is not None
        waits = self.table.round.waits
        assert isinstance(waits, Asks)
        first = waits.questions[0]
        return Decided(first.box, first.hand, choose(first), 0, first.bettor)
