"""The exact price of a table the slow and certain way: every order of a small shoe through the round engine.

One box, one bettor with ample chips, a fixed strategy. Nothing here knows a rule: the round says what it waits for, the
cards come in every order, each with its weight, and what the round pays is counted. Orders that leave the round with
the same hands, bets and cards to come are carried on together; ``merge=False`` does without, to show that it is the
same.

Weights are whole numbers: a shoe of n cards begins with n!, and a card of which c among m are left takes c / m of it.

A card that lies face down is drawn when it is turned: unseen cards may be drawn in any order. A check that finds no
blackjack only narrows what may be turned later; the orders that it excludes end there, without weight. ``merge=False``
draws the hidden card when it is dealt and keeps it secret.

When a card is due and the shoe is empty, :class:`RanOut` is raised, or with ``when_empty="void"`` the round is void, as
it is at a table that has no cards left anywhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import factorial
from typing import Literal, NamedTuple

from tapete import round as rounds
from tapete import rulebook
from tapete.cards import PACK, RANKS
from tapete.events import Asks, Check, Checked, Dealt, DealTo, Decided, Event, Over, Question, Turned, TurnHole, Voided
from tapete.rules import RuleSet, with_
from tapete.stakes import BoxStake, Lock
from tapete.state import BoxHand, Round, dealer_count, is_bust, total_of

Strategy = Callable[[tuple[int, ...], tuple[int, ...], bool, int, tuple[str, ...]], str]
"""(values of the hand, of the dealer's open cards, whether split, hands of the box, legal answers) -> answer.

Values are sorted, the ace is 1. The answers are those of a turn, ("retire", "keep") or ("insure", "no_insurance")."""

CARDS = tuple(next(one for one in PACK if one.rank == rank) for rank in RANKS)
"""One card of each rank; suits and backs decide nothing."""

NONE, LATE = -1, -2

EVENTS = ("win", "push", "loss", "blackjack", "bust", "double", "split", "retire", "insured", "void")


class RanOut(Exception):
    """A card is due and the shoe is empty."""


class Enumerated(NamedTuple):
    """What all orders together give, per initial bet and exactly."""

    ev: Fraction
    square: Fraction
    """The mean of the squared net."""
    staked: Fraction
    """The mean of all money laid, insurance included."""
    nets: dict[Fraction, Fraction]
    """The probability of each net result of the round."""
    by_dealer: dict[tuple[int, ...], tuple[Fraction, Fraction]]
    """By the dealer's open card, or his two: its probability, and the expected value given it."""
    chance: dict[str, Fraction]
    """The probability of each of :data:`EVENTS` in a round: a net above, at or below 0; a blackjack dealt to the
    player; some hand bust, doubled, split; retired; insured; void."""

    @property
    def variance(self) -> Fraction:
        """The variance of the net, in squared initial bets."""
        return self.square - self.ev**2


class _State(NamedTuple):
    round: Round
    left: tuple[int, ...]
    """Cards that have not been seen, by rank: those in the shoe, and the hidden one if it is not drawn yet."""
    hole: int
    """The rank that lies face down; NONE, or LATE while it is not drawn."""


class _Result(NamedTuple):
    dealer: tuple[int, ...]
    net: int
    staked: int
    events: frozenset[str]


def by_rank(rules: RuleSet, shoe: Sequence[int]) -> tuple[int, ...]:
    """The counts of the thirteen ranks: as given, or from ten counts with the tens as kings.

    Where ranks matter the tens are spread evenly over 10, J, Q and K. Raises ValueError where that is not possible.
    """
    if len(shoe) == 13:
        return tuple(shoe)
    if rules.split.match == "value" and rules.bj_definition == "ace_with_any_ten":
        return (*shoe[:9], 0, 0, 0, shoe[9])
    if shoe[9] % 4:
        raise ValueError(f"{shoe[9]} tens cannot be spread evenly over four ranks")
    return (*shoe[:9], *(shoe[9] // 4,) * 4)


def enumerate_round(
    rules: RuleSet,
    shoe: Sequence[int],
    strategy: Strategy,
    *,
    stake: int | None = None,
    when_empty: Literal["raise", "void"] = "raise",
    merge: bool = True,
) -> Enumerated:
    """One round from this shoe (counts from the ace on: ten, or thirteen ranks) over every order of its cards.

    ``stake`` in units, the table's smallest bet if absent; it matters only with ``split.stake = "one_chip"``. Raises
    RanOut as the module says.
    """
    rules, stake = with_(rules, {"min_players": 1}), stake or max(rules.unit, rules.bet_min)
    left = by_rank(rules, shoe)
    first = rounds.begin(rules, Lock((BoxStake(1, "one", stake),), (("one", 100 * stake),)))
    states: dict[object, tuple[_State, int]] = {None: (_State(first, left, NONE), factorial(sum(left)))}
    results: Counter[_Result] = Counter()
    while states:
        following: dict[object, tuple[_State, int]] = {}
        for state, weight in states.values():
            for drawn, share in _next(state, weight, when_empty=when_empty, late=merge):
                after = _answered(drawn, strategy)
                if type(after.round.waits) is Over:
                    results[_result(after.round)] += share
                    continue
                key = _key(after) if merge else object()
                known = following.get(key)
                following[key] = (after, share + known[1] if known else share)
        states = following
    return _summed(results, stake)


# --- one step -------------------------------------------------------------------------------------------------------


def _next(state: _State, weight: int, *, when_empty: str, late: bool) -> Iterator[tuple[_State, int]]:
    due = state.round.waits
    if type(due) is DealTo:
        if sum(state.left) == (state.hole == LATE):
            yield from _empty(state, weight, when_empty)
        elif due.face_down and late:
            yield _after(state, Dealt(due.box, due.hand, None))._replace(hole=LATE), weight
        else:
            yield from _drawn(state, weight, due)
    elif type(due) is Check:
        yield from _checked(state, weight)
    elif type(due) is TurnHole:
        yield from ((_after(one, Turned(CARDS[one.hole])), share) for one, share in _with_hole(state, weight))


def _answered(state: _State, strategy: Strategy) -> _State:
    """The state after all that the bettor is asked before the next card."""
    while type(state.round.waits) is Asks:
        state = _after(state, _decide(state.round, state.round.waits.questions[0], strategy))
    return state


def _after(state: _State, event: Event) -> _State:
    return state._replace(round=rounds.apply(state.round, event))


def _empty(state: _State, weight: int, when_empty: str) -> Iterator[tuple[_State, int]]:
    if when_empty == "raise":
        raise RanOut
    void = _after(state, Voided("no_cards"))
    yield void, sum(share for _, share in _with_hole(state, weight)) if state.hole == LATE else weight


def _drawn(state: _State, weight: int, due: DealTo) -> Iterator[tuple[_State, int]]:
    for rank, left, share in _draws(state.left, weight):
        card = None if due.face_down else CARDS[rank]
        dealt = rounds.apply(state.round, Dealt(due.box, due.hand, card))
        yield _State(dealt, left, rank if due.face_down else state.hole), share


def _draws(left: tuple[int, ...], weight: int) -> Iterator[tuple[int, tuple[int, ...], int]]:
    many = sum(left)
    for rank, count in enumerate(left):
        if count:
            yield rank, (*left[:rank], count - 1, *left[rank + 1 :]), weight * count // many


def _with_hole(state: _State, weight: int) -> Iterator[tuple[_State, int]]:
    """The state with each hidden card that agrees with what a check has said."""
    if state.hole != LATE:
        yield state, weight
        return
    for rank, left, share in _draws(state.left, weight):
        drawn = state._replace(left=left, hole=rank)
        if state.round.checked in (None, _hole_is_blackjack(drawn)):
            yield drawn, share


def _checked(state: _State, weight: int) -> Iterator[tuple[_State, int]]:
    for one, share in _with_hole(state, weight):
        found = _hole_is_blackjack(one)
        if found or state.hole != LATE:
            yield _after(one, Checked(found)), share
    if state.hole == LATE:
        yield _after(state, Checked(False)), weight


def _hole_is_blackjack(state: _State) -> bool:
    up, hole = state.round.dealer[0], CARDS[state.hole]
    if up is None:
        raise AssertionError("the first card of the dealer lies open")
    return rulebook.is_blackjack(
        state.round.rules,
        cards=2,
        hard=up.points + hole.points,
        ace=1 in (up.points, hole.points),
        figure=up.figure or hole.figure,
    )


def _decide(round_: Round, question: Question, strategy: Strategy) -> Decided:
    box = round_.boxes[0]
    hand, dealer = box.hands[question.hand - 1], [one.points for one in round_.dealer if one is not None]
    cards = sorted([one.points for one in hand.cards])
    action = strategy(tuple(cards), tuple(sorted(dealer)), hand.split, len(box.hands), question.legal)
    return Decided(question.box, question.hand, action, question.most if action == "insure" else 0)


# --- which states are one -------------------------------------------------------------------------------------------


def _key(state: _State) -> object:
    """What the rest of the round and its result depend on; equal for orders that need not be told apart."""
    round_ = state.round
    box, told = round_.boxes[0], round_.statements
    return (
        state.left,
        state.hole,
        _dealer_key(round_),
        round_.dealt < len(round_.places) and round_.dealt,
        round_.checked,
        round_.cause,
        tuple([_hand_key(hand) for hand in box.hands]),
        box.insurances,
        sum([one.net for one in told]),
        sum([one.stake for one in told]),
    )


def _dealer_key(round_: Round) -> object:
    """The dealer's cards; once all hands are done, what he shows first and his total."""
    ranks = [one.rank if one else "" for one in round_.dealer]
    if len(ranks) > 2 and all(hand.done for hand in round_.boxes[0].hands):
        return _shown(round_), dealer_count(round_)
    return (*ranks[:2], *sorted(ranks[2:]))


def _hand_key(hand: BoxHand) -> object:
    """A finished hand is its total; one in play its cards, in the order in which they count.

    Two cards of one value keep their order, for a split tells them apart; a split hand keeps its first card.
    """
    marks = (hand.bets, hand.split, hand.doubled, hand.blackjack, hand.retired)
    if hand.done:
        return (total_of(hand), *marks)
    ranks = [one.rank for one in hand.cards]
    pair = len(ranks) == 2 and hand.cards[0].points == hand.cards[1].points
    fixed = len(ranks) if pair else int(hand.split)
    return (*ranks[:fixed], *sorted(ranks[fixed:])), hand.pending, marks


# --- counting -------------------------------------------------------------------------------------------------------


def _result(round_: Round) -> _Result:
    told = round_.statements
    net = sum(one.net for one in told)
    return _Result(_shown(round_), net, sum(one.stake for one in told), frozenset(_happened(round_, net)))


def _shown(round_: Round) -> tuple[int, ...]:
    """The values of what the dealer shows from the start, sorted."""
    open_ = round_.dealer[: 2 if round_.rules.dealer_deal == "both_up" else 1]
    return tuple(sorted([one.points for one in open_ if one]))


def _happened(round_: Round, net: int) -> Iterator[str]:
    box = round_.boxes[0]
    yield "win" if net > 0 else "push" if net == 0 else "loss"
    yield from ("void",) if round_.cause else ()
    yield from ("split",) if len(box.hands) > 1 else ()
    yield from ("insured",) if any(bet.amount for bet in box.insurances) else ()
    for hand in box.hands:
        yield from ("bust",) if is_bust(hand) else ()
        yield from ("double",) if hand.doubled else ()
        yield from ("retire",) if hand.retired else ()
        yield from ("blackjack",) if hand.blackjack and not hand.split else ()


def _summed(results: Counter[_Result], stake: int) -> Enumerated:
    whole = sum(results.values())
    nets: Counter[int] = Counter()
    dealers: dict[tuple[int, ...], list[int]] = {}
    for one, weight in results.items():
        nets[one.net] += weight
        dealer = dealers.setdefault(one.dealer, [0, 0])
        dealer[0] += weight
        dealer[1] += weight * one.net
    return Enumerated(
        ev=Fraction(sum(net * weight for net, weight in nets.items()), whole * stake),
        square=Fraction(sum(net**2 * weight for net, weight in nets.items()), whole * stake**2),
        staked=Fraction(sum(one.staked * weight for one, weight in results.items()), whole * stake),
        nets={Fraction(net, stake): Fraction(weight, whole) for net, weight in sorted(nets.items())},
        by_dealer={key: (Fraction(w, whole), Fraction(sum_, w * stake)) for key, (w, sum_) in sorted(dealers.items())},
        chance={
            event: Fraction(sum(weight for one, weight in results.items() if event in one.events), whole)
            for event in EVENTS
        },
    )
