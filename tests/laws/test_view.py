"""What a view takes over from the one before is what a view made afresh would show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from tapete import table as tables
from tapete.events import Asks
from tapete.fairness import Secret
from tapete.house import House
from tapete.rulefile import preset
from tapete.rules import digest
from tapete.strategy import SIMPLE
from tapete.table import Consented, Hosted, Joined, Left, Paused, Placed, Sat, StoodUp, Table, TableEvent
from tapete.view import view

PEOPLE = ("Ana", "Bea", "Ciro")


class Felt:
    """A table in play."""

    def __init__(self, name: str) -> None:
        self.rules = preset(name).rules
        self.house = House(self.rules, digest=digest(self.rules), secret_for=lambda _: Secret(b"7" * 32), prefix="s-")
        self.table = Table(self.rules)

    def tables(self) -> Iterator[Table]:
        """The table after each event of a few rounds."""
        yield from self._after([Joined(name, 100_000) for name in PEOPLE])
        boxes = min(self.rules.seats_max, len(PEOPLE))
        yield from self._after([Sat(name, box) for box, name in enumerate(PEOPLE[:boxes], start=1)])
        yield from self._after([Hosted("Ana"), Paused(on=True), Paused(on=False)])
        for _ in range(6):
            yield from self._round(boxes)
        yield from self._after([StoodUp(boxes), Left(PEOPLE[0])])

    def _round(self, boxes: int) -> Iterator[Table]:
        yield from self._after(self.house.before_round(self.table))
        bets: list[TableEvent] = [Placed(name, box, 2000) for box, name in enumerate(PEOPLE[:boxes], start=1)]
        if boxes > 1:
            bets += [
                Consented(1, "Bea"),
                Placed("Bea", 1, 1000) if not tables.may_back(self.table, 1, "Bea") else bets[0],
            ]
        yield from self._after(bets)
        yield from self._after([tables.lock_due(self.table)])
        while (event := self._next()) is not None:
            yield from self._after([event])

    def _next(self) -> TableEvent | None:
        if (owed := self.house.owes(self.table)) is not None:
            return owed
        round_ = self.table.round
        asked = round_.waits.questions if round_ is not None and isinstance(round_.waits, Asks) else ()
        return SIMPLE.answer(round_, asked[0]) if round_ is not None and asked else None

    def _after(self, events: Sequence[TableEvent]) -> Iterator[Table]:
        for event in events:
            before, self.table = self.table, tables.apply(self.table, event)
            self.house.saw(before, event, self.table)
            yield self.table


@pytest.mark.parametrize("name", ["casino", "british", "leaflet", "faceup", "home"])
def test_a_view_that_goes_on_from_another_is_the_view(name: str) -> None:
    earlier = [Table(preset(name).rules)]
    for now in Felt(name).tables():
        fresh = view(now)
        for then in earlier[-3:]:
            assert view(now, (then, view(then))) == fresh
        earlier.append(now)
    assert earlier[-1].number == 6
