"""The value of a split box: one hand at a time, or all hands together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from bench.naive.hand import Held, Seat, is_natural, legal_moves
from bench.naive.table import BLACKJACK, Closed, Number, Ranks, RanOut, Table, without
from tapete import rulebook


@dataclass
class Exchange:
    """A split pair by exchangeable hands.

    ``left`` is what is unseen, ``most`` how many hands the pair becomes at most. ``seat`` makes the seat of a hand from
    its pack, for the first position or another. Cards of different rank are a pair only where ``most`` is two.
    """

    table: Table
    left: Ranks
    pair: tuple[int, int]
    most: int
    seat: Callable[..., Seat]
    known: dict[Any, Number] = field(default_factory=dict)
    seats: dict[Any, Seat] = field(default_factory=dict)

    def value(self) -> Number:
        """The value of the box."""
        return self._patterns(pending=2, hands=2, pairs=0, singles=0, chance=self.table.number(1))

    def _patterns(self, *, pending: int, hands: int, pairs: int, singles: int, chance: Number) -> Number:
        """The second cards come from the left; ``singles`` are hands whose own was not a pair card."""
        if hands == self.most or not pending:
            return chance * self._sum(pairs, singles, pending)
        again, many = self.left[self.pair[0]] - pairs, sum(self.left) - pairs - singles
        value = self.table.number(0)
        if again:
            value += self._patterns(
                pending=pending + 1, hands=hands + 1, pairs=pairs + 1, singles=singles, chance=chance * again / many
            )
        if many > again:
            on = chance * (many - again) / many
            value += self._patterns(pending=pending - 1, hands=hands, pairs=pairs, singles=singles + 1, chance=on)
        return value

    def _sum(self, pairs: int, singles: int, pending: int) -> Number:
        """All hands of a pattern: the singles, then those that take any second card."""
        sum_ = self.table.number(0)
        for place in range(singles + pending):
            single, card = place < singles, self.pair[min(place, 1)]
            sum_ += self._hand(pairs, singles - single, single=single, first=place == 0, card=card)
        return sum_

    def _hand(self, a: int, b: int, *, single: bool, first: bool, card: int) -> Number:
        """Y(a, b): ``a`` further pair cards gone, and ``b`` unknown cards that are not."""
        key = (a, b, single, first, card)
        if key not in self.known:
            if b:
                self.known[key] = self._by_total_probability(a, b, single=single, first=first, card=card)
            else:
                self.known[key] = self._drawn(a, single=single, first=first, card=card)
        return self.known[key]

    def _by_total_probability(self, a: int, b: int, *, single: bool, first: bool, card: int) -> Number:
        before = self._hand(a, b - 1, single=single, first=first, card=card)
        left = self.left[self.pair[0]] - a
        if not left:
            return before
        chance = self.table.number(left) / (sum(self.left) - a - (b - 1) - single)
        after = self._hand(a + 1, b - 1, single=single, first=first, card=card)
        return (before - chance * after) / (1 - chance)

    def _drawn(self, a: int, *, single: bool, first: bool, card: int) -> Number:
        left = without(self.left, (self.pair[0],) * a)
        if (a, first, card) not in self.seats:
            pack = tuple([count + (rank == card) for rank, count in enumerate(left)])
            self.seats[a, first, card] = self.seat(pack, first=first)
        seat = self.seats[a, first, card]
        draws = [(rank, count) for rank, count in enumerate(left) if count and not (single and rank == self.pair[0])]
        many = sum([count for _, count in draws])
        if not many:
            raise RanOut
        return sum([self.table.number(count) / many * seat.value(Held((card, rank))) for rank, count in draws])


class Waiting(NamedTuple):
    """A hand of the box that has one card."""

    card: int
    base: int


class Box(NamedTuple):
    """A split box: hands that are played, hands that wait, and what is unseen."""

    done: tuple[Closed, ...]
    waiting: tuple[Waiting, ...]
    left: Ranks


@dataclass
class Joint:
    """A split pair by drawing all hands of the box; second cards come when a hand is played.

    ``move`` answers (hand, hands of the box, legal moves) with a move.
    """

    table: Table
    dealer: Ranks
    move: Callable[[Held, int, tuple[str, ...]], str]
    insured: bool = False
    known: dict[Any, Number] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """A seat that knows what stands against this dealer."""
        self.seat = Seat(self.table, self.dealer, self.table.shoe, lambda *_: "", split=True)

    def value(self, left: Ranks, pair: tuple[int, int]) -> Number:
        """The value of the box, the cards ``left`` unseen."""
        base = self.table.stake
        fresh = Waiting(pair[1], rulebook.split_stake(self.table.rules, base))
        return self._next(Box((), (Waiting(pair[0], base), fresh), left))

    def _next(self, box: Box) -> Number:
        """The next hand gets its second card."""
        if box not in self.known:
            self.known[box] = self._second(box) if box.waiting else self._settled(box)
        return self.known[box]

    def _second(self, box: Box) -> Number:
        (card, base), waiting = box.waiting[0], box.waiting[1:]
        value = self.table.number(0)
        for drawn, chance in self.table.draws(self.dealer, box.left):
            rest = Box(box.done, waiting, without(box.left, (drawn,)))
            value += chance * self._turn(Held((card, drawn)), base, rest)
        return value

    def _turn(self, held: Held, base: int, box: Box) -> Number:
        key = (held, base, box)
        if key not in self.known:
            self.known[key] = self._played(held, base, box)
        return self.known[key]

    def _played(self, held: Held, base: int, box: Box) -> Number:
        rules, hands = self.table.rules, len(box.done) + 1 + len(box.waiting)
        asked = self.seat.facts(held)._replace(hands=hands)
        total, added = rulebook.total(asked.hard, ace=asked.ace), base if held.doubled else 0
        over = box._replace(done=(*box.done, Closed(total, is_natural(rules, asked), base, added)))
        if rulebook.is_bust(asked.hard):
            return self._all_lost(over) if rules.bust_scope == "all_player_bets" else self._next(over)
        if rulebook.is_closed(rules, asked):
            return self._next(over)
        legal = legal_moves(rules, asked)
        move = self.move(held, hands, legal) if len(legal) > 1 else "hit" if legal == ("hit",) else "stand"
        if move == "stand":
            return self._next(over)
        if move == "split":
            fresh = Waiting(held.cards[1], rulebook.split_stake(rules, base))
            return self._next(box._replace(waiting=(Waiting(held.cards[0], base), fresh, *box.waiting)))
        value = self.table.number(0)
        for card, chance in self.table.draws(self.dealer, box.left):
            longer = self.seat.with_card(held, card, doubles=move == "double")
            value += chance * self._turn(longer, base, box._replace(left=without(box.left, (card,))))
        return value

    def _all_lost(self, box: Box) -> Number:
        """A bust hand takes all that its owner has on the cloth; nobody plays where a check found a blackjack."""
        table = self.table
        laid = sum([one.base + one.added for one in box.done]) + sum([one.base for one in box.waiting])
        if self.seat.checked:
            return -(1 - table.blackjack_chance(self.dealer, box.left)) * table.part(laid)
        return -table.part(laid + (rulebook.insurance_most(table.stake) if self.insured else 0))

    def _settled(self, box: Box) -> Number:
        table = self.table
        live = [place for place, one in enumerate(box.done) if not rulebook.is_bust(one.total)]
        value = table.insurance(self.dealer, box.left) if self.insured else table.number(0)
        ends = table.dealer_ends(self.dealer, box.left) if live else self._blackjack_or_not(box.left)
        for end, chance in enumerate(ends):
            if chance and not (end == BLACKJACK and self.seat.checked):
                for place, one in enumerate(box.done):
                    net = table.net(one, end, first=place == 0, first_live=place in live[:1])
                    value += chance * table.part(net)
        return value

    def _blackjack_or_not(self, left: Ranks) -> tuple[Number, ...]:
        """All hands are bust: of the dealer's ends only a blackjack can matter, and he draws for nothing else."""
        chance = self.table.blackjack_chance(self.dealer, left)
        return (1 - chance, *(self.table.number(0),) * 5, chance)
