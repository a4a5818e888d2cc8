"""The house at one table: keeps the secret of the shoe, shuffles, and makes the events that the table owes.

A house is rebuilt from the table's log and the secret alone, so a program that dies in the middle of a round goes on
with the same cards. It never changes the table; whoever runs one gives the events to ``table.apply`` and keeps them.
"""

from __future__ import annotations

from collections.abc import Callable

from tapete import fairness
from tapete import shoe as shoes
from tapete.cards import Card
from tapete.croupier import Croupier
from tapete.errors import Refused
from tapete.events import Checked, Dealt, DealTo, Event, Turned, Voided
from tapete.fairness import Secret, ShoeRecord
from tapete.rules import RuleSet
from tapete.state import Round
from tapete.table import Reshuffled, ShoeOpened, ShoeReady, ShoeRetired, Table

HouseEvent = Event | Reshuffled
NO_CARDS = "no_cards"
"""Why a round is void for which no card is left anywhere."""


class House:
    """Serves one table. ``secret_for`` gives the secret of a shoe's id and has kept it before it returns."""

    def __init__(self, rules: RuleSet, *, digest: str, secret_for: Callable[[str], Secret], prefix: str) -> None:
        self._rules = rules
        self._digest = digest
        self._secret_for = secret_for
        self._prefix = prefix
        self._shoes = 0
        self._secret: Secret | None = None
        self.shoe: shoes.Shoe | None = None
        self._after: shoes.Shoe | None = None
        self._croupier = Croupier(self._draw)
        self._owed: tuple[Round, HouseEvent] | None = None

    def before_round(self, table: Table) -> list[ShoeRetired | ShoeReady]:
        """What must happen to the shoe before the next lock: nothing, or the old one retired and a new one."""
        if table.shoe is None or self.shoe is None or self._secret is None:
            return [self._new_shoe()]
        if not self.shoe.needs_shuffle:
            return []
        return [ShoeRetired(fairness.reveal(table.shoe, self._secret)), self._new_shoe()]

    def open_shoe(self, table: Table) -> list[ShoeRetired | ShoeOpened]:
        """The promise of a new shoe where one is due and people may give seeds; the old one is revealed first."""
        if table.playing or table.opening is not None:
            return []
        if table.shoe is None or self.shoe is None or self._secret is None:
            return [ShoeOpened(self._opened())]
        if not self.shoe.needs_shuffle:
            return []
        return [ShoeRetired(fairness.reveal(table.shoe, self._secret)), ShoeOpened(self._opened())]

    def ready_shoe(self, table: Table, *, at: int) -> ShoeReady | None:
        """The promised shoe, shuffled with the seeds that were opened and cut at ``at`` cards."""
        if table.opening is None or not table.opening.closed:
            return None
        return ShoeReady(fairness.cut(table.opening, at=at))

    def last_words(self, table: Table) -> list[ShoeRetired]:
        """The reveal of a shoe that is not dealt on from, when the table closes."""
        if table.shoe is None or self._secret is None or table.playing:
            return []
        return [ShoeRetired(fairness.reveal(table.shoe, self._secret))]

    def _new_shoe(self) -> ShoeReady:
        return ShoeReady(fairness.cut(fairness.close(self._opened()), at=0))

    def _opened(self) -> ShoeRecord:
        name = f"{self._prefix}{self._shoes + 1}"
        secret = self._secret_for(name)
        return fairness.begin(secret, shoe_id=name, rules_digest=self._digest, rules=self._rules)

    def owes(self, table: Table) -> HouseEvent | None:
        """The event that the house owes the round in play; asking twice gives the same one."""
        if not table.playing or table.round is None:
            return None
        if self._owed is None or self._owed[0] is not table.round:
            self._after = self.shoe
            owed = self._serve(table, table.round)
            self._owed = None if owed is None else (table.round, owed)
        return None if self._owed is None else self._owed[1]

    def _serve(self, table: Table, round_: Round) -> HouseEvent | None:
        if type(round_.waits) is DealTo and self.shoe is not None:
            if self.shoe.must_reshuffle and table.shoe is not None and self._secret is not None:
                record, self._after = fairness.reshuffle(table.shoe, self._secret, self.shoe)
                return Reshuffled(record)
            if self.shoe.exhausted:
                return Voided(NO_CARDS)
        return self._croupier.serve(round_)

    def _draw(self) -> Card:
        if self.shoe is None:
            raise Refused("table.no_shoe")
        card, self._after = self.shoe.deal()
        return card

    def saw(self, before: Table, event: object, after: Table) -> None:
        """Takes note of an event that the table accepted and that is kept."""
        if self._owed is not None and event is self._owed[1]:
            self.shoe = self._after
        self._owed = None
        if isinstance(event, ShoeReady):
            self._load(event)
        if before.playing and not after.playing and after.round is not None:
            self._put_away(after.round)

    def _load(self, event: ShoeReady) -> None:
        self._shoes += 1
        self._secret = self._secret_for(event.record.id)
        self.shoe = shoes.load(fairness.order(event.record, self._secret), rules=self._rules)

    def _put_away(self, ended: Round) -> None:
        if self.shoe is not None:
            self.shoe = self.shoe.discard(cards_on_table(ended, hole=self._croupier.hole))
        self._croupier = Croupier(self._draw)

    def repeat(self, before: Table, event: object, after: Table) -> None:
        """Follows one event of a log. Raises Refused ``table.log_differs`` where the shoe holds another card."""
        if isinstance(event, Dealt | Reshuffled | Checked | Turned):
            owed = self.owes(before)
            if owed != event:
                raise Refused("table.log_differs", number=before.number, event=str(event))
            event = owed
        self.saw(before, event, after)


def cards_on_table(round_: Round, *, hole: Card | None) -> tuple[Card, ...]:
    """The cards of a round in the order in which they are put away, the dealer's own last (D2-23)."""
    players = tuple(card for box in round_.boxes for hand in box.hands for card in hand.cards)
    dealer = tuple(card if card is not None else hole for card in round_.dealer)
    return (*players, *(card for card in dealer if card is not None))
