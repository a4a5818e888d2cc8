"""How bets are settled: bust hands, retired hands, safe blackjacks, insurances, and the end of the round.

Each function returns a new round in which the bets concerned have their statement and the money is back in the bettors'
hands. What is won or lost is the rulebook's word; here is only whose turn it is to be paid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from msgspec.structs import replace

from tapete import rulebook
from tapete.rulebook import BLACKJACK, LOSS, PUSH
from tapete.rules import RuleSet
from tapete.stakes import Bet, InsuranceBet, Statement, laid
from tapete.state import (
    Box,
    BoxHand,
    Round,
    dealer_total,
    is_bust,
    is_live,
    live_bets,
    may_have_blackjack,
    shows_blackjack,
    total_of,
)


def settle_bet(round_: Round, at: int, position: int, bet: Bet, *, net: int, reason: str) -> Round:
    """Settles one bet of a hand: statement written, stake and winnings back in the bettor's hand."""
    box = round_.boxes[at]
    hand = box.hands[position]
    stake = bet.base + bet.added
    known = len(round_.dealer) > 1 and round_.dealer[1] is not None
    shown = dealer_total(round_) if known else 0
    told = Statement(box.number, position + 1, round_.bettors[bet.bettor], stake, net, reason, total_of(hand), shown)
    bets = tuple([replace(one, settled=True) if one is bet else one for one in hand.bets])
    hands = (*box.hands[:position], replace(hand, bets=bets), *box.hands[position + 1 :])
    return _settled(round_, at, replace(box, hands=hands), bet.bettor, back=stake + net, told=told)


def _settled(round_: Round, at: int, box: Box, bettor: int, *, back: int, told: Statement) -> Round:
    spare, boxes = round_.spare, round_.boxes
    return replace(
        round_,
        boxes=(*boxes[:at], box, *boxes[at + 1 :]),
        spare=(*spare[:bettor], spare[bettor] + back, *spare[bettor + 1 :]),
        statements=(*round_.statements, told),
    )


def _each_bet(round_: Round, order: range) -> Iterator[tuple[int, int, Bet]]:
    for at in order:
        for position, hand in enumerate(round_.boxes[at].hands):
            for bet in live_bets(hand):
                yield at, position, bet


# --- during the round -----------------------------------------------------------------------------------------------


def bust(round_: Round, at: int, position: int) -> Round:
    """Collects a bust hand at once, where a dealer blackjack could not give part of it back (D0-06, D1-25)."""
    for bet in live_bets(round_.boxes[at].hands[position]):
        if rulebook.bust_is_final(round_.rules, dealer_blackjack_possible=may_have_blackjack(round_)):
            round_ = settle_bet(round_, at, position, bet, net=-(bet.base + bet.added), reason="bust")
            if rulebook.bust_takes_all(round_.rules):
                round_ = _lose_everything(round_, bet.bettor)
    return round_


def _lose_everything(round_: Round, bettor: int) -> Round:
    for at, position, bet in list(_each_bet(round_, range(len(round_.boxes)))):
        if bet.bettor == bettor:
            round_ = settle_bet(round_, at, position, bet, net=-(bet.base + bet.added), reason="bust_elsewhere")
    for at, box in enumerate(round_.boxes):
        for insurance in _open_on(box):
            if insurance.bettor == bettor:
                round_ = _settle_insurance(round_, at, insurance, net=-insurance.amount, reason="bust_elsewhere")
    return round_


def retire(round_: Round, at: int, position: int) -> Round:
    """Settles a retired hand with all bets on it, unless a dealer blackjack may still take the rest (D4-24, 8b.2)."""
    if rulebook.retiring_is_final(round_.rules, dealer_blackjack_possible=may_have_blackjack(round_)):
        for bet in live_bets(round_.boxes[at].hands[position]):
            round_ = settle_bet(
                round_, at, position, bet, net=-rulebook.retire_loss(round_.rules, bet.base), reason="retired"
            )
    return round_


def pay_blackjacks(round_: Round) -> Round | None:
    """Pays the blackjacks that are paid before the turns; None when there is none (D1-19, D3-03)."""
    if not rulebook.pays_early(round_.rules, dealer_blackjack_possible=may_have_blackjack(round_)):
        return None
    paid = round_
    for at, position, bet in _each_bet(round_, _order(round_)):
        box = round_.boxes[at]
        hand = box.hands[position]
        if not hand.split and hand.blackjack:
            net = rulebook.net(round_.rules, BLACKJACK, bet.base)
            paid = settle_bet(paid, at, position, bet, net=net, reason="blackjack")
    return None if paid is round_ else paid


def _settle_insurance(round_: Round, at: int, bet: InsuranceBet, *, net: int, reason: str) -> Round:
    box = round_.boxes[at]
    told = Statement(box.number, 0, round_.bettors[bet.bettor], bet.amount, net, reason)
    bets = tuple(replace(one, settled=True) if one is bet else one for one in box.insurances)
    return _settled(round_, at, replace(box, insurances=bets), bet.bettor, back=bet.amount + net, told=told)


def _open_on(box: Box) -> tuple[InsuranceBet, ...]:
    return tuple([bet for bet in box.insurances if bet.amount and not bet.settled])


def open_insurances(round_: Round) -> bool:
    """Whether an insurance waits for the dealer's second card."""
    for box in round_.boxes:  # noqa: SIM110  (asked at every card of the dealer)
        if box.insurances and _open_on(box):
            return True
    return False


def settle_insurances(round_: Round) -> Round | None:
    """Settles the insurances by what the dealer has; None when none is open (D1-21, D2-32, D2-33)."""
    if not open_insurances(round_):
        return None
    won = shows_blackjack(round_)
    for at in _order(round_):
        for bet in _open_on(round_.boxes[at]):
            net = rulebook.insurance_net(round_.rules, bet.amount, dealer_blackjack=won)
            round_ = _settle_insurance(round_, at, bet, net=net, reason="insurance_won" if won else "insurance_lost")
    return round_


# --- the end of the round -------------------------------------------------------------------------------------------


def _order(round_: Round) -> range:
    many = len(round_.boxes)
    return range(many) if round_.rules.settle_order == "left_to_right" else range(many - 1, -1, -1)


class _Dealer(NamedTuple):
    """What the hands are settled against."""

    total: int
    blackjack: bool


def settle_rest(round_: Round) -> Round | None:
    """Settles every bet that is still on the cloth, in the table's order; None when there is none (8b.12)."""
    return _settle_hands(round_, is_live)


def settle_decided(round_: Round) -> Round | None:
    """Settles what the dealer's second card decides: retired and bust hands that waited for it; None if none did."""
    return _settle_hands(round_, lambda hand: is_live(hand) and (bool(hand.retired) or is_bust(hand)))


def _settle_hands(round_: Round, due: Callable[[BoxHand], bool]) -> Round | None:
    told: list[Statement] = []
    boxes, spare = list(round_.boxes), list(round_.spare)
    dealer = _Dealer(dealer_total(round_), shows_blackjack(round_))
    for at in _order(round_):
        box = boxes[at]
        mine = [_statements(round_, box, place, dealer) if due(hand) else () for place, hand in enumerate(box.hands)]
        told += [one for statements in mine for one in statements]
        hands = tuple([_hand_settled(hand) if done else hand for hand, done in zip(box.hands, mine, strict=True)])
        boxes[at] = replace(box, hands=hands)
    if not told:
        return None
    for one in told:
        spare[round_.bettors.index(one.bettor)] += one.stake + one.net
    return replace(round_, boxes=tuple(boxes), spare=tuple(spare), statements=(*round_.statements, *told))


def _statements(round_: Round, box: Box, position: int, dealer: _Dealer) -> tuple[Statement, ...]:
    hand = box.hands[position]
    verdicts = [(bet, *_verdict(round_.rules, box, position, bet, dealer)) for bet in hand.bets if not bet.settled]
    return tuple(
        [
            Statement(
                box.number,
                position + 1,
                round_.bettors[bet.bettor],
                bet.base + bet.added,
                net,
                reason,
                total_of(hand),
                dealer.total,
            )
            for bet, net, reason in verdicts
        ]
    )


def _verdict(rules: RuleSet, box: Box, position: int, bet: Bet, dealer: _Dealer) -> tuple[int, str]:
    hand = box.hands[position]
    if hand.retired or is_bust(hand):
        if dealer.blackjack:
            return _lost(rules, box, position, bet)
        loss = rulebook.retire_loss(rules, bet.base) if hand.retired else bet.base + bet.added
        return -loss, "retired" if hand.retired else "bust"
    player = total_of(hand)
    result = rulebook.outcome(
        rules, player=player, blackjack=hand.blackjack, dealer=dealer.total, dealer_blackjack=dealer.blackjack
    )
    if result == LOSS and dealer.blackjack and not hand.blackjack:
        return _lost(rules, box, position, bet)
    net = rulebook.net(rules, result, bet.base + bet.added)
    return net, _reason(result, player=player, dealer=dealer.total, blackjack=hand.blackjack)


def _reason(result: int, *, player: int, dealer: int, blackjack: bool) -> str:
    if result == BLACKJACK:
        return "blackjack"
    if result == PUSH:
        return "blackjack_push" if blackjack else "push"
    if result == LOSS:
        return "tie_lost" if player == dealer else "loss"
    return "dealer_bust" if dealer > rulebook.TARGET else "win"


def _lost(rules: RuleSet, box: Box, position: int, bet: Bet) -> tuple[int, str]:
    """What a dealer blackjack takes of a bet."""
    first_live = position == _first_live(box, bet.bettor)
    taken = rulebook.taken_by_blackjack(
        rules, base=bet.base, added=bet.added, first=position == 0, first_live=first_live
    )
    return -taken, "dealer_blackjack" if taken == bet.base + bet.added else "part_returned"


def _first_live(box: Box, bettor: int) -> int:
    """The position of the bettor's first hand that did not go bust."""
    for position, hand in enumerate(box.hands):
        if not is_bust(hand) and any(bet.bettor == bettor for bet in hand.bets):
            return position
    return -1


def void(round_: Round, cause: str) -> Round:
    """The void round: every stake, doubled part and insurance returned, payments already made reversed (D3-37)."""
    told = [
        Statement(box.number, position + 1, round_.bettors[bet.bettor], bet.base + bet.added, 0, "void")
        for box in round_.boxes
        for position, hand in enumerate(box.hands)
        for bet in hand.bets
    ]
    told += [
        Statement(box.number, 0, round_.bettors[bet.bettor], bet.amount, 0, "void")
        for box in round_.boxes
        for bet in box.insurances
        if bet.amount
    ]
    return replace(round_, statements=tuple(told), spare=_as_before(round_), cause=cause, boxes=_all_settled(round_))


def _as_before(round_: Round) -> tuple[int, ...]:
    before, on_cloth = dict(round_.lock.spare), laid(round_.lock)
    return tuple(before[name] + on_cloth[name] for name in round_.bettors)


def _all_settled(round_: Round) -> tuple[Box, ...]:
    return tuple(
        replace(
            box,
            hands=tuple(_hand_settled(hand) for hand in box.hands),
            insurances=tuple(replace(bet, settled=True) for bet in box.insurances),
        )
        for box in round_.boxes
    )


def _hand_settled(hand: BoxHand) -> BoxHand:
    return replace(hand, done=True, bets=tuple(replace(bet, settled=True) for bet in hand.bets))
