"""The shoe: an ordered stack of cards with a cut card in it, and the tray of discards beside it.

There is no chance in here. An order comes from outside (``tapete.fairness``, a script, a test), and every operation
returns a new value; one that is refused leaves the old value as it was.

    >>> from tapete.rules import RuleSet
    >>> rules = RuleSet(decks=1, shuffle="cut_card", cut_card_left=26)
    >>> shoe = load(canonical(rules), rules=rules)
    >>> first, shoe = shoe.deal()
    >>> str(first), shoe.cards_left, shoe.to_cut_card
    ('As', 51, 25)

Four laws hold. The cards left, the cards in play and the discards together are always the cards that were loaded.
Cards of a round lie in play until the round is over and never go back into the shoe before that. No card is burnt. When
the shoe runs out within a round the discards of the earlier rounds, and they alone, are shuffled and dealt on from; if
there are none either, no card can be had anywhere and the round is void (reading of the five pages, 8b.16).

*Place* counts every card that this shoe has dealt, from 0, straight on through a reshuffle within a round: the first
card after it has the next number. History files and fairness checks use this count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from operator import sub
from typing import Final

import msgspec

from tapete.cards import PACKS, RANKS, Card
from tapete.errors import Refused
from tapete.rules import RuleSet

_CANONICAL_PLACE: Final = {one: place for place, one in enumerate(one for pack in PACKS for one in pack)}


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The same cards in canonical order: by back, then suit (s, h, d, c), then rank (ace to king)."""
    return tuple(sorted(cards, key=_CANONICAL_PLACE.__getitem__))


def packs(rules: RuleSet) -> tuple[int, ...]:
    """How many packs have each back colour: (6,), or (3, 3) where a table mixes two colours."""
    return (rules.decks,) if rules.back_colours is None else rules.back_colours


def canonical_packs(of_each_back: Sequence[int]) -> tuple[Card, ...]:
    """All cards of so many packs of each back colour, in canonical order; equal cards lie side by side."""
    return tuple(one for back, times in enumerate(of_each_back) for one in PACKS[back] for _ in range(times))


def canonical(rules: RuleSet) -> tuple[Card, ...]:
    """All cards that a table's shoe is loaded with, in canonical order.

    >>> [str(one) for one in canonical(RuleSet(decks=2))[:3]], len(canonical(RuleSet(decks=6)))
    (['As', 'As', '2s'], 312)
    """
    return canonical_packs(packs(rules))


class Shoe(msgspec.Struct, frozen=True):
    """A loaded shoe with its discards. Get one from :func:`load`; positional fields are for this module alone."""

    order: tuple[Card, ...]
    """The cards as they lie, those already dealt included; shared by all values that come from one shuffle."""
    position: int
    """Index in ``order`` of the next card."""
    cut_at: int
    """Index in ``order`` behind which the cut card lies: so many cards come out before it."""
    discards: tuple[Card, ...] = ()
    """The tray: cards of finished rounds that may be shuffled in again, in the order in which they were put there."""
    began: int = 0
    """Place of the first card of the round in play."""
    offset: int = 0
    """Cards dealt before ``order`` was shuffled: none, unless the shoe ran out within a round."""
    carried: tuple[Card, ...] = ()
    """Cards of the round in play that were dealt before ``order`` was shuffled."""

    @property
    def place(self) -> int:
        """How many cards this shoe has dealt in its life, which is the place of the next one."""
        return self.offset + self.position

    @property
    def cards_left(self) -> int:
        """Cards that can be dealt before anything must be shuffled."""
        return len(self.order) - self.position

    @property
    def to_cut_card(self) -> int:
        """Cards in front of the cut card; 0 when it has come out."""
        return max(0, self.cut_at - self.position)

    @property
    def penetration(self) -> float:
        """The part of the order that has been dealt, 0 to 1."""
        return self.position / len(self.order) if self.order else 1.0

    @property
    def in_play(self) -> tuple[Card, ...]:
        """The cards dealt in this round, in order."""
        return self.carried + self.order[max(0, self.began - self.offset) : self.position]

    @property
    def needs_shuffle(self) -> bool:
        """Whether the next round must begin with a new shuffle: the cut card is out, or the table always shuffles."""
        return self.position >= self.cut_at and self.place > 0

    @property
    def must_reshuffle(self) -> bool:
        """Whether the shoe is empty while discards lie in the tray, so that they must be shuffled to deal on."""
        return self.position == len(self.order) and bool(self.discards)

    @property
    def exhausted(self) -> bool:
        """Whether no card is left anywhere but on the table, which makes a round that needs one void."""
        return self.position == len(self.order) and not self.discards

    def deal(self) -> tuple[Card, Shoe]:
        """The next card, and the shoe without it.

        Raises Refused ``shoe.empty`` when the discards must be shuffled first, ``shoe.no_card`` when there are none.
        """
        if self.position == len(self.order):
            raise Refused("shoe.empty" if self.discards else "shoe.no_card", dealt=self.place)
        dealt = Shoe(self.order, self.position + 1, self.cut_at, self.discards, self.began, self.offset, self.carried)
        return self.order[self.position], dealt

    def discard(self, cards: Sequence[Card]) -> Shoe:
        """The shoe when its round is over and ``cards``, all that it dealt in the round, lie in the tray.

        The order is that of the table: box by box as the dealer settles, hand by hand, the dealer's own last (D2-23).
        Raises Refused ``shoe.discards_differ`` unless they are exactly the cards in play.
        """
        _same_cards(cards, self.in_play, code="shoe.discards_differ")
        tray = self.discards + tuple(cards)
        return Shoe(self.order, self.position, self.cut_at, tray, self.place, self.offset)

    def reshuffled(self, order: Sequence[Card]) -> Shoe:
        """The shoe that ran out within a round, loaded again with its discards in the given order.

        The cut card counts as out, so the next round begins with a full shuffle. Raises Refused ``shoe.not_empty``
        while a card is left, ``shoe.no_card`` without discards, ``shoe.order_differs`` unless given the discards.
        """
        if self.cards_left:
            raise Refused("shoe.not_empty", left=self.cards_left)
        if not self.discards:
            raise Refused("shoe.no_card", dealt=self.place)
        _same_cards(order, self.discards, code="shoe.order_differs")
        return Shoe(tuple(order), 0, 0, (), self.began, self.place, self.in_play)


def load(order: Sequence[Card], *, rules: RuleSet) -> Shoe:
    """A full shoe of a table with its cards in the given order, the cut card put in where the table wants it.

    Raises Refused ``shoe.order_differs`` unless ``order`` is exactly the cards of the rule set.
    """
    _same_cards(order, canonical(rules), code="shoe.order_differs")
    left = rules.cut_card_left if rules.shuffle == "cut_card" else None
    return Shoe(tuple(order), 0, 0 if left is None else max(0, len(order) - left))


def cut(order: Sequence[Card], *, at: int) -> tuple[Card, ...]:
    """The order when the first ``at`` cards have been lifted off and put behind the others.

    Raises Refused ``shoe.cut_outside`` unless 0 <= at < number of cards; 0 leaves the order as it is.
    """
    if not 0 <= at < len(order):
        raise Refused("shoe.cut_outside", at=at, last=len(order) - 1)
    return tuple(order[at:]) + tuple(order[:at])


def _same_cards(given: Sequence[Card], wanted: Sequence[Card], *, code: str) -> None:
    # Equal cards are one shared value, so counting is needed for refusals only, and for cards made elsewhere.
    if sorted(map(id, given)) == sorted(map(id, wanted)):
        return
    there, due = Counter(given), Counter(wanted)
    if there != due:
        raise Refused(code, missing=_some(due - there), foreign=_some(there - due))


def _some(cards: Counter[Card]) -> str:
    return " ".join(str(one) for one in in_order(cards.elements())[:5]) or "–"


class Composition(msgspec.Struct, frozen=True):
    """How many cards of each rank, whatever their suits and backs; exact integers.

    >>> full = Composition.of(PACKS[0])
    >>> full.total, full.values, full.plain_tens, full.figures
    (52, (4, 4, 4, 4, 4, 4, 4, 4, 4, 16), 4, 12)
    """

    ranks: tuple[int, ...]
    """Thirteen counts, ace to king."""

    @classmethod
    def of(cls, cards: Iterable[Card]) -> Composition:
        """What some cards are."""
        counts = Counter(one.rank for one in cards)
        return cls(tuple(counts[rank] for rank in RANKS))

    @property
    def total(self) -> int:
        """All cards."""
        return sum(self.ranks)

    @property
    def values(self) -> tuple[int, ...]:
        """Ten counts: ace, 2 to 9, and all cards that count ten."""
        return (*self.ranks[:9], sum(self.ranks[9:]))

    @property
    def plain_tens(self) -> int:
        """Cards of rank 10, which make a blackjack at some tables and not at others."""
        return self.ranks[9]

    @property
    def figures(self) -> int:
        """Jacks, queens and kings."""
        return sum(self.ranks[10:])

    def minus(self, cards: Iterable[Card]) -> Composition:
        """What is left without some cards. Raises Refused ``composition.absent`` when one of them is not there."""
        left = tuple(map(sub, self.ranks, Composition.of(cards).ranks))
        for rank, count in zip(RANKS, left, strict=True):
            if count < 0:
                raise Refused("composition.absent", rank=rank, short=-count)
        return Composition(left)
