"""One hand, by recursion over its cards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from bench.naive.table import BLACKJACK, Closed, Number, Ranks, Table, without
from tapete import rulebook
from tapete.rules import RuleSet


class Held(NamedTuple):
    """A hand in play: its cards, sorted, but of a split hand the first one stays in front."""

    cards: Ranks
    doubled: bool = False


Choose = Callable[["Seat", Held, tuple[str, ...]], str]
"""(seat, hand, legal moves) -> move."""


@dataclass
class Seat:
    """Hand after hand against one dealer, out of one composition.

    ``pack`` holds the cards of the hand itself and all that are unseen. ``hands`` is the number of hands of the box,
    ``first`` whether it lies in the first position, ``insured`` whether an insurance rides with it to its end.
    """

    table: Table
    dealer: Ranks
    pack: Ranks
    choose: Choose
    split: bool = False
    hands: int = 1
    first: bool = True
    base: int = 0
    insured: bool = False
    known: dict[Held, Number] = field(default_factory=dict)
    paid: dict[Closed, tuple[Number, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """What stands for the whole of the seat's time."""
        self.base = self.base or self.table.stake
        self.checked = self.table.checked(self.dealer)
        self.standing = 0
        if len(self.dealer) == 2:
            hard, ace = self.table.count(self.dealer)
            self.standing = rulebook.standing_to_beat(self.table.rules, hard, ace=ace)

    def facts(self, held: Held) -> rulebook.Hand:
        """The hand as the rulebook wants to see it."""
        points, figure, cards = self.table.points, self.table.figure, held.cards
        hard, ace = self.table.count(cards)
        two = len(cards) > 1
        return rulebook.Hand(
            hard,
            ace,
            len(cards),
            points[cards[0]],
            points[cards[1]] if two else 0,
            two and cards[0] == cards[1],
            two and (figure[cards[0]] or figure[cards[1]]),
            self.split,
            held.doubled,
            self.hands,
            self.standing,
        )

    def value(self, held: Held) -> Number:
        """The value of a hand in turn, played as the seat chooses."""
        if held not in self.known:
            self.known[held] = self._value(held)
        return self.known[held]

    def _value(self, held: Held) -> Number:
        asked = self.facts(held)
        if rulebook.is_bust(asked.hard):
            return self._bust(held)
        if rulebook.is_closed(self.table.rules, asked):
            return self._stands(held, blackjack=is_natural(self.table.rules, asked))
        legal = legal_moves(self.table.rules, asked)
        if len(legal) > 1:
            return self.worth(held, self.choose(self, held, legal))
        return self.worth(held, "hit" if legal == ("hit",) else "stand")

    def worth(self, held: Held, move: str) -> Number:
        """The value of making a move now, legal or not, and of going on as the seat chooses."""
        if move == "stand":
            return self._stands(held, blackjack=False)
        if move == "retire":
            return self.retired(held)
        worth = self.table.number(0)
        for card, chance in self.table.draws(self.dealer, self.left(held)):
            worth += chance * self.value(self.with_card(held, card, doubles=move == "double"))
        return worth

    def left(self, held: Held) -> Ranks:
        """The unseen cards."""
        return without(self.pack, held.cards)

    def with_card(self, held: Held, card: int, *, doubles: bool) -> Held:
        """The hand with one more card."""
        first, *rest = held.cards
        cards = (first, *sorted((*rest, card))) if self.split else tuple(sorted((*held.cards, card)))
        return Held(cards, held.doubled or doubles)

    def retired(self, held: Held) -> Number:
        """The value of retiring: half is lost, and where a dealer blackjack may still come it takes the rest."""
        table, left = self.table, self.left(held)
        loss = -table.part(rulebook.retire_loss(table.rules, self.base))
        if table.rules.surrender.mode == "late":
            chance = table.blackjack_chance(self.dealer, left)
            loss = (1 - chance) * loss - (0 if self.checked else chance * table.part(self.base))
        return loss + (table.insurance(self.dealer, left) if self.insured else 0)

    def _bust(self, held: Held) -> Number:
        """Collected at once, except where there is no play, or where a dealer blackjack gives part of it back."""
        table, left, added = self.table, self.left(held), self.base if held.doubled else 0
        chance = table.blackjack_chance(self.dealer, left)
        struck = self._paid(Closed(rulebook.TARGET + 1, False, self.base, added))[BLACKJACK]  # noqa: FBT003
        value = (1 - chance) * -table.part(self.base + added) + chance * struck
        if self.insured and table.rules.bust_scope == "all_player_bets":
            return value - table.part(rulebook.insurance_most(table.stake))
        return value + (table.insurance(self.dealer, left) if self.insured else 0)

    def _stands(self, held: Held, *, blackjack: bool) -> Number:
        hard, ace = self.table.count(held.cards)
        added, left = self.base if held.doubled else 0, self.left(held)
        paid = self._paid(Closed(rulebook.total(hard, ace=ace), blackjack, self.base, added))
        ends = self.table.dealer_ends(self.dealer, left)
        value = sum([chance * net for chance, net in zip(ends, paid, strict=True) if chance])
        return value + (self.table.insurance(self.dealer, left) if self.insured else 0)

    def _paid(self, closed: Closed) -> tuple[Number, ...]:
        """What the hand is paid at each of the dealer's ends; 0 at a blackjack that a check has found before."""
        if closed not in self.paid:
            nets = [self.table.net(closed, end, first=self.first, first_live=True) for end in range(7)]
            if self.checked:
                nets[BLACKJACK] = 0
            self.paid[closed] = tuple([self.table.part(net) for net in nets])
        return self.paid[closed]


def is_natural(rules: RuleSet, asked: rulebook.Hand) -> bool:
    """Whether the hand is a blackjack, as far as two cards are."""
    return asked.cards == 2 and rulebook.counts_as_blackjack(rules, asked)


def legal_moves(rules: RuleSet, hand: rulebook.Hand) -> tuple[str, ...]:
    """The legal moves of an open hand whose owner has ample chips, in the engine's order."""
    reasons = {
        "hit": rulebook.why_not_hit(rules, hand),
        "stand": rulebook.why_not_stand(rules, hand),
        "double": rulebook.why_not_double(rules, hand),
        "split": rulebook.why_not_split(rules, hand),
        "retire": rulebook.why_not_retire_in_turn(rules, hand),
    }
    return tuple([move for move, reason in reasons.items() if not reason])
