"""The whole game: every dealer, every two cards, every answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

from bench.naive.hand import Held, Seat, is_natural, legal_moves
from bench.naive.splits import Exchange, Joint
from bench.naive.table import BLACKJACK, Closed, Number, Ranks, Strategy, Table, composition, without
from tapete import rulebook
from tapete.rules import RuleSet

ORDER = ("stand", "hit", "double", "split", "retire")
"""Of equal moves the first is taken."""
RETIRE, INSURE = ("retire", "keep"), ("insure", "no_insurance")


@dataclass
class Cell:
    """Two cards against what the dealer shows."""

    probability: Number
    ev: Number
    """The value of the hand as it is played, insurance and retiring included."""
    values: dict[str, Number]
    """The value of each legal move of the turn; under a given strategy, of the one that it makes."""
    best: str
    """The move of the turn; empty where there is nothing to choose."""
    blackjack: Number
    """The probability that the dealer has blackjack, given these cards."""

    def given_no_blackjack(self, move: str) -> Number:
        """The value of a move once a check has found no blackjack."""
        return (self.values[move] + self.blackjack) / (1 - self.blackjack)


@dataclass
class Analysis:
    """The price of a table, per initial bet."""

    ev: Number
    by_dealer: dict[tuple[int, ...], tuple[Number, Number]]
    """By the dealer's open card, or his two: its probability, and the expected value given it."""
    cells: dict[tuple[tuple[int, ...], tuple[int, ...]], Cell]
    """By the values of the hand and of the dealer's open cards; ranks of one value averaged by weight."""
    strategy: Strategy
    """What was played, asked by values."""


def best_of(worth: dict[str, Number]) -> str:
    """The best move; of equal ones the first in :data:`ORDER`."""
    return max([move for move in ORDER if move in worth], key=lambda move: worth[move])


def by_worth(seat: Seat, held: Held, legal: tuple[str, ...]) -> str:
    """The best move before splitting."""
    return best_of({move: seat.worth(held, move) for move in legal if move != "split"})


@dataclass
class Against:
    """All hands against one dealer. ``seats``: a box that has not split, plain or with an insurance riding along."""

    table: Table
    dealer: Ranks
    strategy: Strategy | None
    splits: str

    def __post_init__(self) -> None:
        """What stands against this dealer."""
        table = self.table
        self.pack = without(table.shoe, self.dealer)
        self.shown = table.values(self.dealer)
        self.checked = table.checked(self.dealer)
        choose = self._plainly if self.strategy is None else self._told
        self.seats = {
            insured: Seat(table, self.dealer, self.pack, choose, insured=insured) for insured in (False, True)
        }

    def ask(self, cards: Ranks, legal: tuple[str, ...], *, hands: int = 1) -> str:
        """The given strategy's answer, "" if none is given."""
        if self.strategy is None:
            return ""
        return self.strategy(self.table.values(cards), self.shown, hands > 1, hands, legal)

    def _told(self, seat: Seat, held: Held, legal: tuple[str, ...]) -> str:
        """The given strategy's move; of a split hand it must not depend on the number of hands."""
        if not seat.split:
            return self.ask(held.cards, legal)
        answers = {self.ask(held.cards, legal, hands=hands) for hands in range(2, seat.hands + 1)}
        if len(answers) > 1:
            raise ValueError(f"{held.cards} against {self.shown}: the answer depends on the number of hands")
        return answers.pop()

    def _plainly(self, _: Seat, held: Held, legal: tuple[str, ...]) -> str:
        """The best move before splitting, whether or not an insurance rides along."""
        return by_worth(self.seats[False], held, legal)

    # --- splitting

    def split_value(self, pair: tuple[int, int], *, insured: bool) -> Number:
        """The value of splitting these two cards; an insurance that rides along is in it.

        Two tens of different rank come in either order, and the first of them keeps the first position.
        """
        orders = {pair, (pair[1], pair[0])}
        return sum([self._split_so(one, insured=insured) for one in orders]) / len(orders)

    def _split_so(self, pair: tuple[int, int], *, insured: bool) -> Number:
        left = without(self.pack, pair)
        if self._one_at_a_time(pair):
            return Exchange(self.table, left, pair, self._most(pair), self._split_seat(pair)).value()

        def move(held: Held, hands: int, legal: tuple[str, ...]) -> str:
            return self.ask(held.cards, legal, hands=hands) or self.after_split(held, legal)

        return Joint(self.table, self.dealer, move, insured=insured).value(left, pair)

    def _one_at_a_time(self, pair: tuple[int, int]) -> bool:
        """Whether the hands are alike and settled each by itself."""
        rules, points = self.table.rules, self.table.points
        late = not self.checked and self.table.blackjack_chance(self.dealer, self.pack) > 0
        alone = rules.bust_scope == "hand" and not (late and rules.no_hole_bj_takes == "busted_and_one")
        ranks = [card for card, value in enumerate(points) if value == points[pair[0]]]
        alike = self.splits == "joint" or len(ranks) == 1 or rules.split.match == "rank" or self._most(pair) == 2
        if self.splits == "exchange" and not (alone and alike):
            raise ValueError("the hands of this table cannot be counted one at a time")
        return self.splits != "joint" and alone and alike

    def _most(self, pair: tuple[int, int]) -> int:
        """How many hands this pair becomes at most: two if it is not split again."""
        rules, most = self.table.rules, self.table.rules.split.max_hands
        asked = Seat(self.table, self.dealer, self.pack, by_worth, split=True).facts(Held(pair))
        twice = [h for h in range(2, most) if not rulebook.why_not_split(rules, asked._replace(hands=h))]
        legal = legal_moves(rules, asked._replace(hands=2))
        answers = {self.ask(pair, legal, hands=hands) in ("", "split") for hands in twice}
        if len(answers) > 1:
            raise ValueError(f"{pair} against {self.shown}: splitting again depends on the number of hands")
        return most if answers == {True} else 2

    def _split_seat(self, pair: tuple[int, int]) -> Callable[..., Seat]:
        rules, stake, most = self.table.rules, self.table.stake, self._most(pair)

        def choose(_: Seat, held: Held, legal: tuple[str, ...]) -> str:
            return self.after_split(held, legal)

        def seat(pack: Ranks, *, first: bool) -> Seat:
            base = stake if first else rulebook.split_stake(rules, stake)
            how = choose if self.strategy is None else self._told
            return Seat(self.table, self.dealer, pack, how, split=True, hands=most, first=first, base=base)

        return seat

    def after_split(self, held: Held, legal: tuple[str, ...]) -> str:
        """CDZ-: splits where it is legal, else the best move before splitting among those that are legal now."""
        if "split" in legal or len(legal) == 1:
            return "split" if "split" in legal else legal[0]
        before = Held(tuple(sorted(held.cards)), held.doubled)
        return best_of({move: self.seats[False].worth(before, move) for move in legal})

    # --- two cards

    def cell(self, hand: tuple[int, int]) -> Cell:
        """The two cards of the deal, with everything that may be asked about them."""
        table, rules = self.table, self.table.rules
        blackjack = table.blackjack_chance(self.dealer, without(self.pack, hand))
        chance = table.chance(table.shoe, self.dealer) * table.chance(self.pack, hand)
        if len(self.dealer) == 2 and blackjack:
            return Cell(chance, self._struck(hand), {}, "", blackjack)
        values, best, plain = self.turn(hand, insured=False)
        ev = self.insured(hand, plain)
        if rulebook.retires_before_check(rules) and rules.deal_order == "interleaved":
            ev = self.retired(hand, insured=False) if self.retires(hand, ev) else ev
        return Cell(chance, ev, values, best, blackjack)

    def _struck(self, hand: tuple[int, int]) -> Number:
        """What these two cards get when the dealer's blackjack ends the round before the turns."""
        asked = self.seats[False].facts(Held(hand))
        total = rulebook.total(asked.hard, ace=asked.ace)
        closed = Closed(total, is_natural(self.table.rules, asked), self.table.stake, 0)
        return self.table.part(self.table.net(closed, BLACKJACK, first=True, first_live=True))

    def _ended(self, hand: tuple[int, int]) -> Number:
        """The part of the value that comes from a blackjack found by the check, before anybody plays."""
        if not self.checked:
            return self.table.number(0)
        return self.table.blackjack_chance(self.dealer, without(self.pack, hand)) * self._struck(hand)

    def play(self, hand: tuple[int, int], *, insured: bool) -> tuple[dict[str, Number], str, Number]:
        """The turn: the moves' values, the move, the value."""
        rules, held, seat, ended = self.table.rules, Held(hand), self.seats[insured], self._ended(hand)
        asked = seat.facts(held)
        legal = () if rulebook.is_closed(rules, asked) else legal_moves(rules, asked)
        if len(legal) < 2:
            return {}, "", seat.value(held) + ended
        told = self.play(hand, insured=False)[1] if insured else self.ask(hand, legal)
        values = {
            move: ended + (self.split_value(hand, insured=insured) if move == "split" else seat.worth(held, move))
            for move in ((told,) if told else legal)
        }
        best = best_of(values)
        return values, best, values[best]

    def turn(self, hand: tuple[int, int], *, insured: bool) -> tuple[dict[str, Number], str, Number]:
        """The turn, with the offer to retire that may come before it: the moves' values, the move, the value."""
        values, best, value = self.play(hand, insured=insured)
        if rulebook.retires_after_check(self.table.rules):
            keep = self.play(hand, insured=False)[2] if insured else value
            value = self.retired(hand, insured=insured) if self.retires(hand, keep) else value
        return values, best, value

    def retired(self, hand: tuple[int, int], *, insured: bool) -> Number:
        """The value of retiring."""
        late = self.table.rules.surrender.mode == "late"
        return self.seats[insured].retired(Held(hand)) + (self._ended(hand) if late else 0)

    def retires(self, hand: tuple[int, int], keep: Number) -> bool:
        """Whether a hand of two cards retires, as told or because that is better than keeping it."""
        if rulebook.why_not_retire(self.table.rules, self.seats[False].facts(Held(hand))):
            return False
        told = self.ask(hand, RETIRE)
        return told == "retire" if told else bool(self.retired(hand, insured=False) > keep)

    def insured(self, hand: tuple[int, int], plain: Number) -> Number:
        """The better of insuring and not, or as told."""
        rules, asked = self.table.rules, self.seats[False].facts(Held(hand))
        offered = rulebook.offers_insurance(rules, self.table.points[self.dealer[0]])
        if not offered or not rulebook.may_insure(rules, blackjack=is_natural(rules, asked), behind=False):
            return plain
        told = self.ask(hand, INSURE)
        if told == "no_insurance":
            return plain
        with_it = self._with_insurance(hand, plain)
        return with_it if told or with_it > plain else plain

    def _with_insurance(self, hand: tuple[int, int], plain: Number) -> Number:
        """A bust hand may take an open insurance with it: then the two are counted together."""
        if self.table.rules.bust_scope == "all_player_bets" and not self.checked:
            return self.turn(hand, insured=True)[2]
        return plain + self.table.insurance(self.dealer, without(self.pack, hand))


# --- all of it ------------------------------------------------------------------------------------------------------


def analyse(
    rules: RuleSet,
    shoe: Sequence[int] | None = None,
    number: Callable[[int], Number] = float,
    strategy: Strategy | None = None,
    *,
    stake: int | None = None,
    splits: str = "auto",
) -> Analysis:
    """The price of a table, in ``float`` or ``Fraction``, under a given strategy or the best one (CDZ-).

    ``splits``: exchange, joint, or auto: one hand at a time wherever the rules settle each hand by itself. ``stake`` in
    units, the smallest bet if absent; it matters only with ``split.stake = "one_chip"``. Raises RanOut when a card is
    due and none is left, even for a move that is only weighed, and ValueError where ``exchange`` cannot be used.
    """
    table = Table(rules, composition(rules, shoe), number, stake or max(rules.unit, rules.bet_min))
    kinds = [card for card, count in enumerate(table.shoe) if count]
    dealers = combinations_with_replacement(kinds, 2 if rules.dealer_deal == "both_up" else 1)
    against = {one: Against(table, one, strategy, splits) for one in dealers if table.chance(table.shoe, one)}
    cells: dict[tuple[Ranks, Ranks], Cell] = {}
    for dealer, one in against.items():
        for hand in combinations_with_replacement(kinds, 2):
            if table.chance(one.pack, hand):
                cells[hand, dealer] = one.cell(hand)
    blind = _retire_blind(table, cells, strategy)
    return _summed(table, cells, strategy or Played(table, against, cells, blind))


def _retire_blind(table: Table, cells: dict[tuple[Ranks, Ranks], Cell], strategy: Strategy | None) -> dict[Ranks, bool]:
    """Which hands retire before the dealer has a card, where the table asks then; their cells are rewritten."""
    rules, gone = table.rules, dict[Ranks, bool]()
    if not rulebook.retires_before_check(rules) or rules.deal_order == "interleaved":
        return gone
    lost = -table.part(rulebook.retire_loss(rules, table.stake))
    for hand in {hand for hand, _ in cells}:
        if rulebook.why_not_retire(rules, Seat(table, (0,), table.shoe, by_worth).facts(Held(hand))):
            continue
        mine = [cell for (one, _), cell in cells.items() if one == hand]
        kept = sum(cell.probability * cell.ev for cell in mine) / sum(cell.probability for cell in mine)
        told = strategy(table.values(hand), (), False, 1, RETIRE) if strategy else ""  # noqa: FBT003
        gone[hand] = told == "retire" if told else lost > kept
        for cell in mine if gone[hand] else ():
            cell.ev = lost
    return gone


def _summed(table: Table, cells: dict[tuple[Ranks, Ranks], Cell], strategy: Strategy) -> Analysis:
    zero = table.number(0)
    merged: dict[tuple[tuple[int, ...], tuple[int, ...]], Cell] = {}
    dealers: dict[tuple[int, ...], tuple[Number, Number]] = {}
    for (hand, dealer), cell in cells.items():
        key = (table.values(hand), table.values(dealer))
        merged[key] = _averaged(merged[key], cell) if key in merged else cell
        chance, sum_ = dealers.get(key[1], (zero, zero))
        dealers[key[1]] = (chance + cell.probability, sum_ + cell.probability * cell.ev)
    return Analysis(
        ev=sum(sum_ for _, sum_ in dealers.values()),
        by_dealer={key: (chance, sum_ / chance) for key, (chance, sum_) in sorted(dealers.items())},
        cells=merged,
        strategy=strategy,
    )


def _averaged(one: Cell, other: Cell) -> Cell:
    whole = one.probability + other.probability

    def mean(a: Number, b: Number) -> Number:
        return (one.probability * a + other.probability * b) / whole

    return Cell(
        whole,
        mean(one.ev, other.ev),
        {move: mean(value, other.values[move]) for move, value in one.values.items() if move in other.values},
        one.best if one.probability >= other.probability else other.best,
        mean(one.blackjack, other.blackjack),
    )


@dataclass
class Played:
    """The best strategy, to be asked by values. It knows no ranks: at a table of thirteen it raises ValueError.

    After a double that may go on, it answers as if the hand had not been doubled.
    """

    table: Table
    against: dict[Ranks, Against]
    cells: dict[tuple[Ranks, Ranks], Cell]
    blind: dict[Ranks, bool]

    def __call__(
        self,
        hand_cards: tuple[int, ...],
        dealer: tuple[int, ...],
        split: bool,  # noqa: FBT001
        hands: int,  # noqa: ARG002
        legal: tuple[str, ...],
    ) -> str:
        """The best answer."""
        if len(self.table.shoe) == 13:
            raise ValueError("values do not tell the ranks of this table")
        hand, shown = tuple([card - 1 for card in hand_cards]), tuple([card - 1 for card in dealer])
        if legal in (RETIRE, INSURE):
            return self._beside(hand, shown, legal)
        one = self.against[shown]
        if split:
            return one.after_split(Held(hand), legal)
        return self.cells[hand, shown].best if len(hand) == 2 else by_worth(one.seats[False], Held(hand), legal)

    def _beside(self, hand: Ranks, shown: Ranks, legal: tuple[str, ...]) -> str:
        """The questions that are not a turn."""
        if not shown:
            return "retire" if self.blind[hand] else "keep"
        one, two = self.against[shown], (hand[0], hand[1])
        if legal == INSURE:
            plain = one.turn(two, insured=False)[2]
            return "insure" if one.insured(two, plain) > plain else "no_insurance"
        keep = one.play(two, insured=False)[2]
        if rulebook.retires_before_check(self.table.rules):
            keep = one.insured(two, keep)
        return "retire" if one.retires(two, keep) else "keep"
