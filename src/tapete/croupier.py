"""The croupier: draws the cards that a round waits for, and keeps the one that lies face down.

A round has no chance in it; whoever runs one gives a croupier a way to draw (a shoe, a script) and hands the events
that he makes to the round.
"""

from __future__ import annotations

from collections.abc import Callable

from tapete.cards import Card
from tapete.events import Check, Checked, Dealt, DealTo, Event, Turned, TurnHole
from tapete.rulebook import is_blackjack
from tapete.state import Round


class Croupier:
    """Serves one round. ``draw`` takes the next card out of the shoe; it may raise when there is none."""

    def __init__(self, draw: Callable[[], Card]) -> None:
        self._draw = draw
        self.hole: Card | None = None

    def serve(self, round_: Round) -> Event | None:
        """The event that the house owes the round now; None when the round asks the players or is over."""
        due = round_.waits
        if type(due) is DealTo:
            return self._deal(due)
        if type(due) is Check:
            return Checked(self._has_blackjack(round_))
        if type(due) is TurnHole and self.hole is not None:
            return Turned(self.hole)
        return None

    def _deal(self, due: DealTo) -> Dealt:
        card = self._draw()
        if due.face_down:
            self.hole = card
            return Dealt(due.box, due.hand, None)
        return Dealt(due.box, due.hand, card)

    def _has_blackjack(self, round_: Round) -> bool:
        up, hole = round_.dealer[0], self.hole
        if up is None or hole is None:
            return False
        return is_blackjack(
            round_.rules,
            cards=2,
            hard=up.points + hole.points,
            ace=up.points == 1 or hole.points == 1,
            figure=up.figure or hole.figure,
        )
