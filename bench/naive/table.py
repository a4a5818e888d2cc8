"""What stands on the table: rules, shoe, the dealer's ends, and what a played hand is paid."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tapete import rulebook
from tapete.rules import RuleSet

Number = Any
"""A float or a Fraction."""
Ranks = tuple[int, ...]
"""Indices of ranks; in a composition, the count of each rank."""
Strategy = Callable[[tuple[int, ...], tuple[int, ...], bool, int, tuple[str, ...]], str]
"""(values of the hand, of the dealer's open cards, whether split, hands of the box, legal answers) -> answer."""

TOTALS = (17, 18, 19, 20, 21)
BUST, BLACKJACK = 5, 6
"""Places of a dealer's ends: the totals 17 to 21, bust, blackjack."""


class RanOut(Exception):
    """A card is due and none is left."""


class Closed(NamedTuple):
    """A hand of a box that has been played: what its settlement needs."""

    total: int
    blackjack: bool
    base: int
    added: int


def without(left: Ranks, cards: Sequence[int]) -> Ranks:
    """A composition less some cards."""
    rest = list(left)
    for card in cards:
        rest[card] -= 1
    return tuple(rest)


def composition(rules: RuleSet, shoe: Sequence[int] | None) -> Ranks:
    """The composition of a shoe: ten counts from the ace on, or thirteen; fresh packs if absent.

    Ten counts become thirteen where ranks matter: the tens are spread evenly. Raises ValueError if that is impossible.
    """
    told = tuple(shoe) if shoe is not None else (*(4 * rules.decks,) * 9, 16 * rules.decks)
    alike = rules.split.match == "value" and rules.bj_definition == "ace_with_any_ten"
    if len(told) == 13:
        return (*told[:9], sum(told[9:])) if alike else told
    if not alike and told[9] % 4:
        raise ValueError(f"{told[9]} tens cannot be spread evenly over four ranks")
    return told if alike else (*told[:9], *(told[9] // 4,) * 4)


@dataclass
class Table:
    """A rule set, a shoe, and the kind of number to count in."""

    rules: RuleSet
    shoe: Ranks
    number: Callable[[int], Number]
    stake: int
    ends: dict[tuple[Ranks, Ranks], tuple[Number, ...]] = field(default_factory=dict)
    places: dict[tuple[int, bool], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Ten ranks, or thirteen where tens must be told apart."""
        thirteen = len(self.shoe) == 13
        self.points = (*range(1, 11), *(10,) * (3 if thirteen else 0))
        self.figure = (False,) * 10 + (True,) * 3 if thirteen else (False,) * 9 + (True,)

    def part(self, units: int) -> Number:
        """Units as a part of the stake."""
        return self.number(units) / self.stake

    def values(self, cards: Sequence[int]) -> tuple[int, ...]:
        """The sorted values of cards."""
        return tuple(sorted([self.points[card] for card in cards]))

    def count(self, cards: Ranks) -> tuple[int, bool]:
        """The hard total, and whether there is an ace."""
        return sum([self.points[card] for card in cards]), 0 in cards

    def is_blackjack(self, one: int, other: int) -> bool:
        """Whether two cards of the dealer are a blackjack."""
        hard, ace = self.count((one, other))
        figure = self.figure[one] or self.figure[other]
        return rulebook.is_blackjack(self.rules, cards=2, hard=hard, ace=ace, figure=figure)

    def checked(self, dealer: Ranks) -> bool:
        """Whether the hole card is looked at before the turns."""
        return rulebook.checks(self.rules, self.points[dealer[0]], figure=self.figure[dealer[0]])

    def blackjack_chance(self, dealer: Ranks, left: Ranks) -> Number:
        """The chance that the dealer's second card makes a blackjack; 0 or 1 if it is seen."""
        if len(dealer) == 2:
            return self.number(self.is_blackjack(*dealer))
        made = sum([count for card, count in enumerate(left) if count and self.is_blackjack(dealer[0], card)])
        return self.number(made) / sum(left) if made else self.number(0)

    def draws(self, dealer: Ranks, left: Ranks) -> Iterator[tuple[int, Number]]:
        """Each card that may come, with its chance. A hole card is in ``left`` and cannot be the last to come."""
        many = sum(left)
        if many == (self.rules.dealer_deal == "hole" and len(dealer) == 1):
            raise RanOut
        for card, count in enumerate(left):
            if count:
                yield card, self.number(count) / many

    def chance(self, left: Ranks, cards: Ranks) -> Number:
        """The chance that the next one or two cards are these, in any order; 0 if they are not there."""
        chance, rest = self.number(1), left
        for card in cards:
            chance = chance * rest[card] / sum(rest) if rest[card] > 0 else self.number(0)
            rest = without(rest, (card,))
        return chance * (2 if len(cards) == 2 and cards[0] != cards[1] else 1)

    def dealer_ends(self, dealer: Ranks, left: Ranks) -> tuple[Number, ...]:
        """The chances of the dealer's ends, from what he shows and the cards that are left."""
        key = (dealer, left)
        if key not in self.ends:
            self.ends[key] = _dealer_ends(self, dealer, left)
        return self.ends[key]

    def end(self, hard: int, *, ace: bool) -> int:
        """The place of the dealer's end with this total, -1 while he draws."""
        if (hard, ace) not in self.places:
            total = rulebook.total(hard, ace=ace)
            place = BUST if total > rulebook.TARGET else total - TOTALS[0]
            self.places[hard, ace] = -1 if rulebook.must_draw(self.rules, hard, ace=ace) else place
        return self.places[hard, ace]

    def insurance(self, dealer: Ranks, left: Ranks) -> Number:
        """The value of insuring for half of the stake."""
        chance, most = self.blackjack_chance(dealer, left), rulebook.insurance_most(self.stake)
        won = rulebook.insurance_net(self.rules, most, dealer_blackjack=True)
        lost = rulebook.insurance_net(self.rules, most, dealer_blackjack=False)
        return chance * self.part(won) + (1 - chance) * self.part(lost)

    def net(self, hand: Closed, end: int, *, first: bool, first_live: bool) -> int:
        """The units that a played hand wins or loses when the dealer ends so.

        ``first``: it lies in the first position; ``first_live``: it is the first that has not gone bust.
        """
        rules, struck = self.rules, end == BLACKJACK
        if hand.total > rulebook.TARGET:
            struck = struck and not rulebook.bust_is_final(rules, dealer_blackjack_possible=True)
            result = rulebook.LOSS
        else:
            dealer = rulebook.TARGET if struck else rulebook.TARGET + 1 if end == BUST else TOTALS[end]
            result = rulebook.outcome(
                rules, player=hand.total, blackjack=hand.blackjack, dealer=dealer, dealer_blackjack=struck
            )
        if result == rulebook.LOSS and struck and not hand.blackjack:
            taken = rulebook.taken_by_blackjack(
                rules, base=hand.base, added=hand.added, first=first, first_live=first_live
            )
            return -taken
        return rulebook.net(rules, result, hand.base + hand.added)


def _dealer_ends(table: Table, dealer: Ranks, left: Ranks) -> tuple[Number, ...]:
    """Card by card: what the dealer may have drawn so far, in any order, with its chance."""
    ends = [table.number(0)] * 7
    hard, ace = table.count(dealer)
    if len(dealer) == 2 and table.is_blackjack(*dealer):
        ends[BLACKJACK] = table.number(1)
    elif table.end(hard, ace=ace) >= 0:
        ends[table.end(hard, ace=ace)] = table.number(1)
    else:
        drawing = {left: (hard, ace, table.number(1))}
        natural = [len(dealer) == 1 and table.is_blackjack(dealer[0], card) for card in range(len(left))]
        while drawing:
            drawing = _one_card_more(table, drawing, ends, natural)
            natural = [False] * len(left)
    return tuple(ends)


def _one_card_more(
    table: Table, drawing: dict[Ranks, tuple[int, bool, Number]], ends: list[Number], natural: list[bool]
) -> dict[Ranks, tuple[int, bool, Number]]:
    """The dealers that go on after one more card, by what is left; those that end are added to ``ends``."""
    following: dict[Ranks, tuple[int, bool, Number]] = {}
    many = sum(next(iter(drawing)))
    if not many:
        raise RanOut
    for left, (hard, ace, chance) in drawing.items():
        share = chance / many
        for card, count in enumerate(left):
            if not count:
                continue
            now, has_ace = hard + table.points[card], ace or card == 0
            end = BLACKJACK if natural[card] else table.end(now, ace=has_ace)
            if end >= 0:
                ends[end] += share * count
                continue
            rest = (*left[:card], count - 1, *left[card + 1 :])
            before = following.get(rest)
            following[rest] = (now, has_ace, share * count + (before[2] if before else 0))
    return following
