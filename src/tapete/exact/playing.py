"""A whole round at one box: what each dealt hand is worth when every move is open, and the ways to play split hands.

The levels of attention differ only in who decides: :func:`best` lets every hand decide for itself (CDZ-, CDP1, CDP),
:func:`under` obeys a given way of playing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from tapete import lookup, rulebook
from tapete.exact import boxes, counting
from tapete.exact.counting import Counted
from tapete.exact.mixed import measured
from tapete.exact.play import Values
from tapete.exact.splits import Weights
from tapete.exact.tables import FRESH, Money, tables
from tapete.exact.tree import Ints, Numbers, Place
from tapete.rules import RuleSet

PLAY: Final = 0
SPLIT: Final = 1
RETIRE: Final = 2
"""What a dealt hand does first: play on (its wish says how), split, or retire."""
CHOICE: Final = lookup.STAND | lookup.HIT
"""The moves of which a hand whose turn is not over has one at least."""


class Way(NamedTuple):
    """A way of playing: wishes ``[hand, start]``, and of each deal whether it splits or retires, and insures.

    ``after[kinds]`` are the wishes of the hands of a split pair by place, where they differ from ``wish``.
    """

    wish: Ints
    choice: Ints
    insures: Ints
    after: dict[tuple[int, int], tuple[Ints, ...]]


class Deal(NamedTuple):
    """A two-card hand: its number in the tree, its kinds, how likely it is."""

    hand: int
    kinds: tuple[int, int]
    chance: Any


class Round(NamedTuple):
    """A round at one box under one way of playing. Values are joint with the start, by deal: ``[deal, start]``.

    ``total`` is what the deal is worth with everything; ``moves`` are its single moves (``legal`` where open), and
    ``insurance`` what insuring half the stake adds. ``splits[kinds]``: the value of splitting a pair, and its hands.
    """

    counted: Counted
    way: Way
    deals: tuple[Deal, ...]
    fresh: Values
    splits: dict[tuple[int, int], SplitPair]
    retire: Numbers
    may_retire: Ints
    insurance: Numbers
    may_insure: Ints
    total: Numbers
    stake: Any


class SplitPair(NamedTuple):
    """A pair's split: joint value by start, the weights of its hands and their values, by place.

    ``insured`` is the value with an insurance beside it, where that is more than the sum of the two; else None.
    """

    value: Numbers
    weights: Weights
    hands: SplitHands
    insured: Numbers | None = None


def deals(counted: Counted) -> tuple[Deal, ...]:
    """Every two-card hand that the shoe can deal."""
    tree, shoe, cards = counted.tables.plan.tree, counted.shoe, counted.cards
    found = []
    for one in range(len(shoe)):
        for other in range(one, len(shoe)):
            ways = shoe[one] * (shoe[other] - (one == other)) * (1 if one == other else 2)
            if ways > 0:
                found.append(Deal(tree.hand(one, other), (one, other), ways / (cards * (cards - 1))))
    return tuple(found)


def may_split(counted: Counted, deal: Deal) -> bool:
    """Whether the deal may be split at this table against some start."""
    code = counted.tables.code[deal.hand]
    return deal.hand >= 0 and bool((counted.tables.legal[0, code] & lookup.SPLIT).any())


# --- one split ------------------------------------------------------------------------------------------------------


def _split(counted: Counted, kinds: tuple[int, int], wishes: Sequence[Ints | None], stake: Any) -> SplitPair:
    """The split of a pair whose hands have these wishes by place, None being filled with the best."""
    places, weights = counting.weights_of(counted, kinds)
    decided = [_decided(counted, place, wish) for place, wish in zip(places, wishes, strict=True)]
    hands = SplitHands(counted, places, decided)
    if not boxes.pays_each_alone(counted.rules):
        value, insured = (_of_both(counted, kinds, decided, weights, stake, insured=one) for one in (False, True))
        return SplitPair(value, weights, hands, insured)
    rest = [counting.one_hand(counted, place, values) for place, values in zip(places, hands, strict=True)]
    first = rest
    if counting.first_differs(counted):
        first = [
            counting.one_hand(counted, place, counting.after_split(counted, place, wish, first=True))
            for place, wish in zip(places, hands.wishes, strict=True)
        ]
    value = counting.ended_early(counted, kinds) + counting.weighed(weights, first, rest, stake)
    return SplitPair(value, weights, hands)


def _decided(counted: Counted, place: Place, wish: Ints | None) -> Ints:
    """The wish, or where there is none the best one for hands of the split, whichever position they have."""
    if wish is not None:
        return wish
    return counting.after_split(counted, place, mean=counting.first_differs(counted)).wish


class SplitHands(Sequence[Values]):
    """The values of the hands of a split by place, counted anew whenever they are asked for.

    That is as fast as to keep them: what it takes to fill a hand's values is no more than what it takes to have new
    memory for them, and they would fill a quarter of a gigabyte.
    """

    def __init__(self, counted: Counted, places: tuple[Place, ...], wishes: list[Ints]) -> None:
        self.places = places
        self.wishes = wishes
        self._counted = counted

    def __len__(self) -> int:
        return len(self.wishes)

    def __getitem__(self, at: int) -> Values:  # type: ignore[override]
        if not 0 <= at < len(self.wishes):
            raise IndexError(at)
        return counting.after_split(self._counted, self.places[at], self.wishes[at])


def _of_both(
    counted: Counted, kinds: tuple[int, int], wishes: Sequence[Ints], weights: Weights, stake: Any, *, insured: bool
) -> Numbers:
    """The joint value of a box of two hands that decide about each other."""
    value: Numbers = counted.starts[0] * 0
    for start in range(len(value)):
        found = measured(counted, kinds, start, wishes, weights)
        nets = boxes.nets_of_two(counted, found.ends, start, stake=stake, insured=insured)
        value[start] = (nets * found.two).sum()
    return value


def _wishes(counted: Counted, kinds: tuple[int, int], convention: str, wish: Ints) -> list[Ints | None]:
    """How the hands of a split are played by place under a convention of :func:`best`."""
    places = counting.places(counted, kinds)
    if convention == "cdp":
        return [None] * len(places)
    how = _as_before if convention == "cdz" else _with_the_other_gone
    by_kind = {kind: how(counted, kinds, kind, wish) for kind in {place.kind for place in places}}
    return [by_kind[place.kind] for place in places]


def _as_before(counted: Counted, kinds: tuple[int, int], kind: int, wish: Ints) -> Ints:
    """The wishes as before splitting; a hand that has nothing to decide then does what is best after the split.

    So does a blackjack that is an ordinary 21 after a split, where 21 may be played on.
    """
    ready = counted.tables
    before, after = (ready.legal[context][ready.code][:, ready.standing] & CHOICE > 0 for context in (FRESH, kind + 1))
    alone = after & ~before
    return np.where(alone, _with_the_other_gone(counted, kinds, kind, wish), wish) if alone.any() else wish


def _with_the_other_gone(counted: Counted, kinds: tuple[int, int], kind: int, _wish: Ints) -> Ints:
    """What is best for a hand that begins with this kind, only the other card of the pair known to be gone."""
    other = kinds[1] if kind == kinds[0] else kinds[0]
    return _decided(counted, Place(kind, tuple(int(at == other) for at in range(len(counted.shoe)))), None)


# --- a whole round --------------------------------------------------------------------------------------------------


def best(counted: Counted, convention: str = "cdz", *, stake: Any = 1) -> Round:
    """The round of a player who knows every card of his hand; ``convention`` says how he plays split hands.

    ``cdz``: as before splitting (CDZ-); ``cdp1``: best with the other split card gone; ``cdp``: best for each number of
    further pairs gone (CDP; as published, each number's best enters the law of total probability, which gives the
    level a few 1e-9 less than such a player gets). ``stake`` is a new hand's, per unit of the first.
    """
    fresh = counting.fresh(counted)
    every = deals(counted)
    pairs, after = {}, {}
    for deal in every:
        if may_split(counted, deal):
            kinds = deal.kinds
            pairs[kinds] = _split(counted, kinds, _wishes(counted, kinds, convention, fresh.wish), stake)
            after[kinds] = tuple(pairs[kinds].hands.wishes)
    return _round(counted, every, fresh, pairs, Way(fresh.wish, *_nothing(counted, every), after), stake,
                  decide=True)  # fmt: skip


def one_deal(rules: RuleSet, shoe: Sequence[float], cards: Sequence[int], start: int, *, stake: Any = 1) -> Round:
    """The round of one hand, or of one pair and its split, against one start: a decision in play (CDZ-).

    Whatever else the round holds is nought.
    """
    tree = tables(rules).plan.tree
    wanted = np.bincount(np.array(cards), minlength=tree.counts.shape[1])
    group = lookup.alike(rules, cards[0])
    pair = len(cards) == 2 and cards[1] in group and rules.split.max_hands > 1
    holding = (tree.counts[:, list(group)] > 0).any(1) if pair else (tree.counts >= wanted).all(1)
    hands = np.ascontiguousarray(np.flatnonzero(holding)[::-1])
    kinds = (min(cards), max(cards))
    counted = counting.count_for(rules, shoe, start, hand=hands, split=kinds if pair else None)
    values = counting.fresh(counted, only=hands)
    every = tuple(deal for deal in deals(counted) if deal.kinds == tuple(sorted(cards)))
    pairs, after = {}, dict[tuple[int, int], tuple[Ints, ...]]()
    if pair and every and may_split(counted, every[0]):
        pairs[kinds] = _split(counted, kinds, _wishes(counted, kinds, "cdz", values.wish), stake)
    way = Way(values.wish, *_nothing(counted, every), after)
    return _round(counted, every, values, pairs, way, stake, decide=True) if every else _alone(counted, values, way)


def _alone(counted: Counted, values: Values, way: Way) -> Round:
    """A round of a hand that was not dealt but grew."""
    none = np.zeros((0, counted.starts.shape[1]))
    open_ = np.zeros(none.shape, dtype=np.int64)
    return Round(counted, way, (), values, {}, none, open_, none, open_, none, 1)


def under(counted: Counted, way: Way, *, stake: Any = 1) -> Round:
    """The round of a player with a given way of playing."""
    fresh = counting.fresh(counted, way.wish)
    every = deals(counted)
    pairs = {}
    for at, deal in enumerate(every):
        if may_split(counted, deal) and (way.choice[at] == SPLIT).any():
            kinds = deal.kinds
            alike = (way.wish,) * len(counting.places(counted, kinds))
            pairs[kinds] = _split(counted, kinds, way.after.get(kinds, alike), stake)
    return _round(counted, every, fresh, pairs, way, stake, decide=False)


def settled(round_: Round, way: Way) -> Round:
    """The same round with other choices at the deal; its wishes must be those of the round."""
    return _round(round_.counted, round_.deals, round_.fresh, round_.splits, way, round_.stake, decide=False)


def split_of(round_: Round, kinds: tuple[int, int]) -> SplitPair:
    """The split of a pair that the round's way of playing does not split, its hands played by its wishes."""
    alike = (round_.way.wish,) * len(counting.places(round_.counted, kinds))
    return _split(round_.counted, kinds, alike, round_.stake)


def offered(counted: Counted) -> tuple[Ints, Ints]:
    """Where each deal may be retired, and insured, by start."""
    every = deals(counted)
    return _retiring(counted, every)[1], _insuring(counted, every)[1]


def is_blind(rules: RuleSet) -> bool:
    """Whether boxes are asked to retire before the dealer shows a card."""
    return rulebook.retires_before_check(rules) and rules.deal_order == "players_first"


def lost_by_retiring(counted: Counted) -> int:
    """1 where a hand retires before insurance is offered, and so goes without it; else 0."""
    return int(rulebook.retires_before_check(counted.rules))


def loses_whole(rules: RuleSet) -> Ints:
    """By start, whether a dealer's blackjack takes the whole stake of a hand that would retire, or has retired."""
    before = rulebook.retires_before_check(rules) and rules.dealer_deal != "both_up"
    late, starts = rules.surrender.mode == "late", lookup.starts(rules)
    open_ = not before and not is_blind(rules)
    return np.array([open_ and (late or lookup.is_checked(rules, start)) for start in starts])


def retired_to_natural(counted: Counted, hand: int) -> Numbers:
    """By start, what a hand that retires, or would, brings where the dealer has a blackjack.

    One that ends the round before the hand could retire finds it as it was dealt.
    """
    kept = counted.tables.fresh.pay[0, counted.tables.row[FRESH, hand], :, lookup.NATURAL]
    lost = np.where(boxes.checked(counted.rules), kept, -counted.one)
    found: Numbers = np.where(loses_whole(counted.rules), lost, -lookup.retire_loss(counted.rules) * counted.one)
    return found


def _nothing(counted: Counted, every: Sequence[Deal]) -> tuple[Ints, Ints]:
    shape = len(every), counted.starts.shape[1]
    return np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)


def _round(
    counted: Counted, every: Sequence[Deal], fresh: Values, pairs: dict[tuple[int, int], SplitPair], way: Way,
    stake: Any, *, decide: bool,
) -> Round:  # fmt: skip
    """The deals with everything that may be done before and beside playing: splitting, retiring, insuring."""
    retire, may_retire = _retiring(counted, every)
    insurance, may_insure = _insuring(counted, every)
    total = np.array([fresh.value[deal.hand] for deal in every])
    choice, insures = way.choice.copy(), way.insures.copy()
    if decide:
        insures[:] = may_insure & (insurance > 0)
    taken = _taken_along(counted, fresh, every)
    for at, deal in enumerate(every):
        kinds = deal.kinds
        if kinds in pairs:
            _choose(total[at], pairs[kinds].value, choice[at], SPLIT, decide=decide, may=_split_bits(counted, deal))
        if not lost_by_retiring(counted):
            _choose(total[at], retire[at], choice[at], RETIRE, decide=decide, may=may_retire[at])
        added = np.where(choice[at] == PLAY, insurance[at] - taken[at], insurance[at])
        if kinds in pairs and (together := pairs[kinds].insured) is not None:
            added = np.where(choice[at] == SPLIT, together - pairs[kinds].value, added)
        total[at] += np.where(insures[at] > 0, added, added * 0)
        if lost_by_retiring(counted):
            _choose_early(counted, total[at], retire[at], choice[at], decide=decide, may=may_retire[at])
    return Round(counted, way._replace(choice=choice, insures=insures), tuple(every), fresh, pairs, retire, may_retire,
                 insurance, may_insure, total, stake)  # fmt: skip


def _taken_along(counted: Counted, fresh: Values, every: Sequence[Deal]) -> Numbers:
    """By deal and start, what an insurance loses because a bust hand takes it along before it would have won."""
    money = counted.tables.fresh
    if not rulebook.bust_takes_all(counted.rules) or counted.rules.insurance.who == "none":
        return np.zeros((len(every), counted.starts.shape[1]), dtype=np.int64)
    lost = np.where(boxes.checked(counted.rules), money.lost * 0, money.lost * 0 + counted.one)
    ready = counted.tables._replace(fresh=Money(money.pay * 0, lost, money.bust * 0))
    bust = counting.fresh(counted._replace(tables=ready), fresh.wish).value
    price = boxes.insurance_nets(counted)[lookup.NATURAL] + boxes.half(counted)
    return np.array([bust[deal.hand] * price for deal in every])


def _split_bits(counted: Counted, deal: Deal) -> Ints:
    ready = counted.tables
    bits: Ints = ready.legal[0, ready.code[deal.hand], ready.standing] & lookup.SPLIT
    return bits


def _choose(total: Numbers, other: Numbers, choice: Ints, move: int, *, decide: bool, may: Ints) -> None:
    """Puts the other move's value where it is chosen."""
    better = (may > 0) & ((other > total) if decide else (choice == move))
    total[better] = other[better]
    if decide:
        choice[better] = move


def _choose_early(counted: Counted, total: Numbers, retire: Numbers, choice: Ints, *, decide: bool, may: Ints) -> None:
    """Retiring before the check: with the up card seen, or, where the players' cards come first, without."""
    if not is_blind(counted.rules):
        _choose(total, retire, choice, RETIRE, decide=decide, may=may)
    elif may.any():
        whole = np.array([retire.sum() > total.sum()] * len(total)) if decide else choice == RETIRE
        if whole.all():
            total[:] = retire
            choice[:] = RETIRE


def _retiring(counted: Counted, every: Sequence[Deal]) -> tuple[Numbers, Ints]:
    """What retiring is worth, and whether it is open, by deal and start."""
    rules, ready = counted.rules, counted.tables
    loss = lookup.retire_loss(rules) * counted.one
    starts = lookup.starts(rules)
    values, may = [], []
    blind = is_blind(rules)
    standing = [0 if blind else lookup.standing(rules, start) for start in starts]
    for deal in every:
        behind = ready.plan.fresh[deal.hand]
        natural = counted.ends[behind, :, lookup.NATURAL]
        values.append(-loss * (counted.starts[behind] - natural) + natural * retired_to_natural(counted, deal.hand))
        hand = lookup.asked(rules, deal.kinds, split=False, doubled=False, standing=0)
        open_ = {total: lookup.may_retire(rules, hand._replace(standing=total)) for total in set(standing)}
        may.append([open_[total] for total in standing])
    return np.array(values), np.array(may, dtype=np.int64)


def _insuring(counted: Counted, every: Sequence[Deal]) -> tuple[Numbers, Ints]:
    """What insuring half the stake adds, and whether it is open, by deal and start."""
    rules, ready = counted.rules, counted.tables
    won, lost = (lookup.insurance_net(rules, dealer_blackjack=natural) * counted.one for natural in (True, False))
    offered = np.array([lookup.asks_insurance(rules, start) for start in lookup.starts(rules)])
    values, may = [], []
    for deal in every:
        behind = ready.plan.fresh[deal.hand]
        natural = counted.ends[behind, :, lookup.NATURAL]
        values.append(natural * won + (counted.starts[behind] - natural) * lost)
        blackjack = ready.row[0, deal.hand] == lookup.PLAYER_BLACKJACK
        may.append(offered & rulebook.may_insure(rules, blackjack=bool(blackjack), behind=False))
    return np.array(values), np.array(may, dtype=np.int64)


# --- what a round is worth ------------------------------------------------------------------------------------------


def by_start(round_: Round) -> Numbers:
    """The joint value of the round by start of the dealer; their sum is the expected value."""
    total: Any = 0
    for deal, values in zip(round_.deals, round_.total, strict=True):
        total = total + deal.chance * values
    result: Numbers = total
    return result


def value(round_: Round) -> Any:
    """The expected value of a round per initial bet, from the player's side."""
    return by_start(round_).sum()
