"""The round engine and the simulator's kernel side by side: the same shoe, the same way of playing, box by box.

A way of playing is made at random, so that rare moves are common. On the engine's side it is asked question by
question. A shoe that runs out within a round is dealt on from the cards of its earlier rounds, as they lay; a round for
which no card is left is void.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Final, NamedTuple

import numpy as np

from tapete import lookup
from tapete import round as rounds
from tapete.cards import Card
from tapete.croupier import Croupier
from tapete.events import Decided, Over, Question, Voided
from tapete.exact import counting, playing
from tapete.exact.counting import Counted
from tapete.exact.play import OTHERWISE, draws_on
from tapete.exact.playing import PLAY, RETIRE, SPLIT, Way
from tapete.exact.tree import Ints
from tapete.rules import RuleSet, with_
from tapete.shoe import canonical
from tapete.sim import kernel, world
from tapete.sim.dealer import Bytes
from tapete.sim.results import Tally, nothing
from tapete.sim.setting import Setting, setting
from tapete.stakes import BoxStake, Lock
from tapete.state import BoxHand, Round, box_index, is_bust
from tests.exact.ways import random_way

SPARE: Final = 10**9
COUNTED: Final = (
    "rounds",
    "void",
    "splits",
    "doubles",
    "blackjacks",
    "busts",
    "insured",
    "retires",
    "laid",
    "naturals",
)
"""What the kernel counts of rounds, in its order."""


class Told(NamedTuple):
    """What a shoe brought: each box's net by round, where the shoe stood at the end, how often things happened.

    Money is in units of the house.
    """

    nets: list[tuple[int, ...]]
    place: int
    counts: Counter[str]


class NoCard(Exception):
    """No card is left anywhere."""


class Sides(NamedTuple):
    """A table, a number of boxes and a way of playing that all of them have, for both sides."""

    rules: RuleSet
    setting: Setting
    answers: Answers
    first: Round
    kinds: dict[str, int]

    @property
    def boxes(self) -> int:
        """How many boxes play."""
        return len(self.first.boxes)

    @property
    def bet(self) -> int:
        """What each of them bets."""
        return self.first.lock.boxes[0].amount


def sides(rules: RuleSet, *, boxes: int, bet: int, seed: int) -> Sides:
    """Both sides of a table, the way of playing made at random from the seed."""
    rules = with_(rules, {"min_players": 1, "seats_max": 7})
    counted = counting.count(rules, counting.full(rules))
    way = wild_way(counted, seed)
    unsplit = playing.under(counted, way._replace(choice=np.where(way.choice == SPLIT, PLAY, way.choice)))
    return sides_of(unsplit._replace(way=way), boxes=boxes, bet=bet)


def sides_of(round_: playing.Round, *, boxes: int, bet: int) -> Sides:
    """Both sides of an analysed round's table and way of playing."""
    rules = round_.counted.rules
    names = [f"P{number}" for number in range(1, boxes + 1)]
    stakes = tuple(BoxStake(number, name, bet) for number, name in enumerate(names, 1))
    return Sides(
        rules,
        setting(round_, boxes_=boxes, bet=bet),
        Answers(round_.counted, round_.way),
        rounds.begin(rules, Lock(stakes, tuple((name, SPARE) for name in names))),
        kind_of(rules),
    )


def any_sides(rules: RuleSet, dice: random.Random, *, boxes: int = 0) -> Sides:
    """Both sides of a table with so many boxes, else some, a bet that it takes, and a way of playing."""
    least, most = -(-rules.bet_min // rules.unit), (rules.bet_max or 10**5) // rules.unit
    bet = rules.unit * dice.randint(max(1, least), max(1, least, min(most, 10)))
    return sides(rules, boxes=boxes or dice.randint(1, 7), bet=bet, seed=dice.randrange(2**32))


def kind_of(rules: RuleSet) -> dict[str, int]:
    """The kind of each rank at a table."""
    kinds = lookup.kinds(rules)
    names = {kind.name: at for at, kind in enumerate(kinds)}
    plain, figure = (names.get(name, names.get("T", -1)) for name in ("10", "F"))
    return {rank: names.get(rank, figure if rank in "JQK" else plain) for rank in [*"A23456789", "10", *"JQK"]}


def wild_way(counted: Counted, seed: int) -> Way:
    """A random way that now and then hits or doubles what nobody would; after splits it may think otherwise."""
    way, dice = random_way(counted, seed), np.random.default_rng([seed, 1])
    wish = _wild(way.wish, dice)
    if dice.random() < 0.5:
        return way._replace(wish=wish)
    after = [_wild(wish, dice) for _ in lookup.kinds(counted.rules)]
    pairs = [deal.kinds for deal in playing.deals(counted) if playing.may_split(counted, deal)]
    places = {kinds: counting.places(counted, kinds) for kinds in pairs}
    return Way(wish, way.choice, way.insures, {at: tuple(after[one.kind] for one in places[at]) for at in pairs})


def _wild(wish: Ints, dice: np.random.Generator) -> Ints:
    wild = dice.random(wish.shape) < dice.choice([0, 0.05, 0.3])
    return np.where(wild, dice.integers(0, 2 * OTHERWISE, wish.shape), wish)


class Answers:
    """A way of playing as answers to the engine's questions; a pair that may be split again is."""

    def __init__(self, counted: Counted, way: Way) -> None:
        kinds = lookup.kinds(counted.rules)
        self._way = way
        self._tree = counted.tables.plan.tree
        self._place = {deal.kinds: at for at, deal in enumerate(playing.deals(counted))}
        self._kinds = kind_of(counted.rules)
        self._seen = {rank: lookup.dealer_kind(counted.rules, kinds[kind]) for rank, kind in self._kinds.items()}
        self._starts = {start: at for at, start in enumerate(lookup.starts(counted.rules))}
        self._known: dict[object, str] = {}

    def __call__(self, round_: Round, question: Question) -> Decided:
        """What the box says; an insurance is as high as it may be."""
        hand = round_.boxes[box_index(round_, question.box)].hands[question.hand - 1]
        shown = tuple([card.rank for card in round_.dealer[:2] if card])
        key = tuple([card.rank for card in hand.cards]), shown, hand.split, hand.doubled, question.legal
        if key not in self._known:
            self._known[key] = self._answer(hand, shown, question.legal)
        action = self._known[key]
        return Decided(question.box, question.hand, action, question.most if action == "insure" else 0)

    def _answer(self, hand: BoxHand, shown: tuple[str, ...], legal: tuple[str, ...]) -> str:
        kinds = [self._kinds[card.rank] for card in hand.cards]
        start = self._starts[tuple(sorted(self._seen[rank] for rank in shown))] if shown else 0
        if hand.split or len(kinds) != 2:
            return "split" if "split" in legal else self._move(hand, kinds, start, legal)
        at = self._place[min(kinds), max(kinds)]
        choice = self._way.choice[at, start]
        if "insure" in legal:
            return "insure" if self._way.insures[at, start] else "no_insurance"
        if "retire" in legal and choice == RETIRE:
            return "retire"
        if "keep" in legal:
            return "keep"
        return "split" if "split" in legal and choice == SPLIT else self._move(hand, kinds, start, legal)

    def _move(self, hand: BoxHand, kinds: list[int], start: int, legal: tuple[str, ...]) -> str:
        after = self._way.after.get((kinds[0], kinds[0])) if hand.split else None
        wish = (after[0] if after else self._way.wish)[self._tree.hand(*kinds), start]
        if wish & 2 and "double" in legal:
            return "double"
        wants = draws_on(wish) if hand.doubled else wish & 1
        return "hit" if "stand" not in legal or (wants and "hit" in legal) else "stand"


# --- the engine's side ----------------------------------------------------------------------------------------------


class _Stack:
    """A shoe in its order; ``place`` is the next card's, ``out`` whether it has run out within a round."""

    def __init__(self, cards: list[Card]) -> None:
        self.cards = cards
        self.place = self.began = 0
        self.limit = len(cards)
        self.out = False

    def draw(self) -> Card:
        if self.place == self.limit:
            if self.out or self.began == 0:
                raise NoCard
            self.out, self.place, self.limit = True, 0, self.began
        self.place += 1
        return self.cards[self.place - 1]


def by_engine(side: Sides, cards: list[Card], *, cut: int, dry: bool = False) -> Told:
    """Rounds from the shoe until ``cut`` cards are out; the one in which it runs out counts if ``dry``, else not."""
    stack, nets, counts = _Stack(cards), list[tuple[int, ...]](), Counter[str]()
    while (stack.place < cut or not nets) and not stack.out:
        stack.began = stack.place
        try:
            over = _played(side, stack)
        except NoCard:
            over = None
            stack.out = True
        if stack.out and not dry:
            return Told(nets, stack.began, counts)
        counts.update({"rounds": 1, "void": int(over is None)})
        nets.append((0,) * side.boxes if over is None else _nets(over))
        if over is not None:
            _count(over, counts)
    return Told(nets, stack.place, counts)


def _played(side: Sides, stack: _Stack) -> Round:
    croupier, now = Croupier(stack.draw), side.first
    while type(now.waits) is not Over:
        try:
            event = croupier.serve(now)
        except NoCard:
            void = rounds.apply(now, Voided("no_cards"))
            if any(_nets(void)):
                raise AssertionError("a void round pays") from None
            raise
        now = rounds.apply(now, event or side.answers(now, now.waits.questions[0]))  # type: ignore[union-attr]
    return now


def _nets(round_: Round) -> tuple[int, ...]:
    found = Counter({box.number: 0 for box in round_.boxes})
    for one in round_.statements:
        found[one.box] += one.net
    return tuple([found[box.number] for box in round_.boxes])


def _count(round_: Round, counts: Counter[str]) -> None:
    natural = round_.checked or (round_.rules.dealer_deal == "both_up" and _is_natural(round_))
    counts["naturals"] += bool(natural)
    for box in round_.boxes:
        counts["insured"] += any(bet.amount for bet in box.insurances)
        counts["splits"] += len(box.hands) - 1
        for hand in box.hands:
            _count_hand(hand, counts)


def _is_natural(round_: Round) -> bool:
    cards = [card for card in round_.dealer if card]
    kinds = [lookup.dealer_kind(round_.rules, kind) for kind in lookup.kinds(round_.rules)]
    names = kind_of(round_.rules)
    return len(cards) == 2 and lookup.is_natural(round_.rules, tuple(kinds[names[card.rank]] for card in cards))


def _count_hand(hand: BoxHand, counts: Counter[str]) -> None:
    counts["doubles"] += hand.doubled
    counts["blackjacks"] += hand.blackjack and not hand.split
    counts["busts"] += is_bust(hand)
    counts["retires"] += bool(hand.retired)
    counts["laid"] += sum(bet.base + bet.added for bet in hand.bets)


# --- the kernel's side ----------------------------------------------------------------------------------------------


def lying(cards: Bytes) -> world.Shoe:
    """A shoe whose cards come as they lie."""
    return _shoe(cards, seed=0, shuffled=False)


def drawn(set_: Setting, seed: int) -> world.Shoe:
    """A table's shoe whose cards are drawn at random, and lie afterwards as they came."""
    return _shoe(set_.cards.copy(), seed=seed, shuffled=True)


def _shoe(cards: Bytes, *, seed: int, shuffled: bool) -> world.Shoe:
    marks = np.zeros(world.MARKS, dtype=np.int64)
    marks[world.LIMIT], marks[world.OUT] = len(cards), int(shuffled)
    return world.Shoe(cards, marks, np.uint64(2 * seed + 1), shuffled, 1)


def played(set_: Setting, shoe: world.Shoe, many: int) -> tuple[Tally, Ints]:
    """So many rounds, or to the end of a shoe that is drawn at random: their tally, and each box's net by round."""
    found, boxes = nothing(set_.game, set_.bet), set_.game.settings.boxes
    told = np.zeros((many + len(shoe.cards), boxes), dtype=np.int64)
    kernel.play(set_.game, shoe, np.array([shoe.step], dtype=np.uint64), many, found.books._replace(told=told))
    return found, told[: found.rounds]


def by_kernel(side: Sides, cards: list[Card], many: int) -> Told:
    """So many rounds from the shoe."""
    shoe = lying(np.array([side.kinds[card.rank] for card in cards], dtype=np.uint8))
    tally, told = played(side.setting, shoe, many)
    counts = tally.counts
    told, laid = told * side.bet, int(counts[world.LAID]) * side.bet
    if (told % side.setting.bet).any() or laid % side.setting.bet:
        raise AssertionError("a box wins a part of a unit")
    found = Counter(
        {**dict(zip(COUNTED, counts[: world.SHOES].tolist(), strict=True)), "laid": laid // side.setting.bet}
    )
    return Told([tuple(row) for row in (told // side.setting.bet).tolist()], int(shoe.marks[world.PLACE]), found)


# --- shoes ----------------------------------------------------------------------------------------------------------


def any_shoe(rules: RuleSet, dice: random.Random, *, wild: bool) -> list[Card]:
    """The shoe of a table in some order; if ``wild``, cards that make pairs and blackjacks may lie in front."""
    cards = list(canonical(rules))
    dice.shuffle(cards)
    front = dice.choice(((), (1,), (1, 10), (10,), (8, 9), (2, 3), (5, 6, 1))) if wild else ()
    return sorted(cards, key=lambda card: dice.random() - 0.6 * (card.points in front)) if front else cards


def difference(side: Sides, cards: list[Card], *, cut: int, dry: bool = False) -> tuple[Told, str]:
    """What the engine says of a shoe, and in what the kernel differs, empty when in nothing."""
    told = by_engine(side, cards, cut=cut, dry=dry)
    found = by_kernel(side, cards, len(told.nets))
    for at, (one, other) in enumerate(zip(told.nets, found.nets, strict=True)):
        if one != other:
            return told, f"round {at}: {one} at the table, {other} in the simulator"
    if told.place != found.place:
        return told, f"{told.place} cards at the table, {found.place} in the simulator"
    sure = (
        ("rounds", "void", "laid") if told.counts["void"] else COUNTED
    )  # what a void round would have brought is idle
    differs = [key for key in sure if told.counts[key] != found.counts[key]]
    return told, ", ".join(f"{key} {told.counts[key]} {found.counts[key]}" for key in differs)
