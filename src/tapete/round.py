"""A round of blackjack as a fold over events.

The laws of this file:

1. ``round.waits`` (or :func:`waits_for`) says what must happen next: a card to a place, a look at the hole card, the
   turning of it, questions with their legal answers, or nothing, it is over. It is a function of the rest of the round.
2. :func:`apply` accepts exactly that and returns a new round, or raises :class:`Refused` and the old one is untouched.
   The only other event is a void, which may come at any moment before the end.
3. There is no chance and no clock in here: cards come as events. A card that lies face down is None, and nothing is
   derived from it, so a log without the hidden cards replays as well.
4. Questions that are open together may be answered in any order; the money is the same.

The phases follow the reading of the pages (section 8): deal, blackjacks paid on the deal, retiring, insurance, check,
late retiring, interim payment, turns, the dealer, settlement. Each phase is a function that answers with a wait, with a
new round (something happened by itself), or with None: nothing to do here, go on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Final

from msgspec.structs import replace

from tapete import questions, rulebook, settling
from tapete.cards import Card
from tapete.errors import Refused
from tapete.events import (
    CHECK,
    DEALER,
    OVER,
    TURN_HOLE,
    Asks,
    Check,
    Checked,
    Dealt,
    DealTo,
    Decided,
    Event,
    Over,
    Question,
    Turned,
    TurnHole,
    Voided,
    Wait,
)
from tapete.rules import RuleSet
from tapete.stakes import Bet, InsuranceBet, Lock, check_lock
from tapete.state import (
    Box,
    BoxHand,
    Round,
    box_index,
    dealer_count,
    facts,
    is_bust,
    is_live,
    live_bets,
    shows_blackjack,
    with_box,
    with_hand,
    with_spare,
)

# --- the public fold ------------------------------------------------------------------------------------------------


def begin(rules: RuleSet, lock: Lock) -> Round:
    """The round that begins with these stakes. Raises Refused when the table does not allow them."""
    check_lock(rules, lock)
    bettors = tuple(name for name, _ in lock.spare)
    boxes = tuple(
        Box(
            box.box,
            bettors.index(box.holder),
            (
                BoxHand(
                    (),
                    0,
                    False,  # noqa: FBT003  (no ace yet)
                    (
                        Bet(bettors.index(box.holder), box.amount),
                        *(Bet(bettors.index(one.bettor), one.amount) for one in box.backers),
                    ),
                ),
            ),
        )
        for box in lock.boxes
    )
    places = deal_order(tuple([box.number for box in boxes]), rules.deal_order, rules.dealer_deal)
    return _rest(Round(rules, lock, bettors, tuple([amount for _, amount in lock.spare]), boxes, places))


def waits_for(round_: Round) -> Wait:
    """What the round waits for."""
    return round_.waits


def apply(round_: Round, event: Event) -> Round:
    """The round after this event. Raises Refused, with the old round untouched, for anything it does not wait for."""
    accept = _ACCEPT.get(type(event))
    if accept is None or type(round_.waits) is Over:
        raise Refused("round.over" if type(round_.waits) is Over else "round.not_an_event", event=str(event)[:200])
    return _rest(accept(round_, event))


def replay(rules: RuleSet, events: Iterable[Event]) -> Round:
    """The round that these events make, the first of them its lock."""
    rest = iter(events)
    lock = next(rest, None)
    if not isinstance(lock, Lock):
        raise Refused("round.no_lock")
    round_ = begin(rules, lock)
    for event in rest:
        round_ = apply(round_, event)
    return round_


# --- accepting an event ---------------------------------------------------------------------------------------------


def _accept_card(round_: Round, event: Dealt) -> Round:
    due = round_.waits
    if type(due) is not DealTo or event.box != due.box or event.hand != due.hand:
        raise Refused("round.no_card_due", box=event.box, hand=event.hand)
    if (event.card is None) != due.face_down:
        raise Refused("round.face", box=event.box, hand=event.hand)
    if event.box == DEALER or event.card is None:
        return replace(round_, dealer=(*round_.dealer, event.card), dealt=round_.dealt + 1)
    at = box_index(round_, event.box)
    box, position = round_.boxes[at], event.hand - 1
    hand = _with_card(round_, box, box.hands[position], event.card)
    hands = (*box.hands[:position], hand, *box.hands[position + 1 :])
    boxes = (*round_.boxes[:at], replace(box, hands=hands), *round_.boxes[at + 1 :])
    return replace(round_, boxes=boxes, dealt=round_.dealt + 1)


def _with_card(round_: Round, box: Box, hand: BoxHand, card: Card) -> BoxHand:
    taken = replace(
        hand, cards=(*hand.cards, card), hard=hand.hard + card.points, ace=hand.ace or card.points == 1, pending=""
    )
    if len(taken.cards) == 2 and rulebook.counts_as_blackjack(round_.rules, facts(round_, box, taken)):
        return replace(taken, blackjack=True)
    return taken


def _accept_check(round_: Round, event: Checked) -> Round:
    if type(round_.waits) is not Check:
        raise Refused("round.no_check_due")
    return replace(round_, checked=event.blackjack)


def _accept_turned(round_: Round, event: Turned) -> Round:
    if type(round_.waits) is not TurnHole:
        raise Refused("round.no_hole_due")
    turned = replace(round_, dealer=(round_.dealer[0], event.card))
    if round_.checked is not None and shows_blackjack(turned) != round_.checked:
        raise Refused("round.hole_contradicts", card=str(event.card))
    return turned


def _accept_void(round_: Round, event: Voided) -> Round:
    return settling.void(round_, event.cause)


def _accept_decision(round_: Round, event: Decided) -> Round:
    question = question_for(round_, event)
    if event.action not in question.legal:
        reasons = dict(question.refused)
        raise Refused(
            "round.illegal", box=event.box, hand=event.hand, action=event.action, reason=reasons.get(event.action, "")
        )
    _check_amount(question, event)
    return _ANSWER[question.kind](round_, box_index(round_, event.box), event, question)


def question_for(round_: Round, event: Decided) -> Question:
    """The open question that the decision answers. Raises Refused ``round.not_asked``."""
    if type(round_.waits) is Asks:
        for question in round_.waits.questions:
            if question.box == event.box and question.hand == event.hand and _speaks(round_, question, event):
                return question
    raise Refused("round.not_asked", box=event.box, hand=event.hand, action=event.action)


def _speaks(round_: Round, question: Question, event: Decided) -> bool:
    if event.action not in questions.OF_KIND[question.kind]:
        return False
    return question.bettor == (event.bettor or round_.bettors[round_.boxes[box_index(round_, event.box)].holder])


def _check_amount(question: Question, event: Decided) -> None:
    if event.action == "insure":
        if not question.least <= event.amount <= question.most or event.amount % question.step:
            raise Refused(
                "round.amount", amount=event.amount, least=question.least, most=question.most, step=question.step
            )
    elif event.amount:
        raise Refused("round.amount", amount=event.amount, least=0, most=0, step=0)


# --- the answers ----------------------------------------------------------------------------------------------------


def _answer_retire(round_: Round, at: int, event: Decided, _question: Question) -> Round:
    hand = round_.boxes[at].hands[0]
    if event.action == "keep":
        return with_hand(round_, at, 0, replace(hand, retired=False))
    return settling.retire(with_hand(round_, at, 0, replace(hand, retired=True, done=True)), at, 0)


def _answer_insure(round_: Round, at: int, event: Decided, question: Question) -> Round:
    bettor = round_.bettors.index(question.bettor)
    box = round_.boxes[at]
    given = (*box.insurances, InsuranceBet(bettor, event.amount))
    order = [bet.bettor for bet in box.hands[0].bets]
    in_order = tuple(sorted(given, key=lambda bet: order.index(bet.bettor)))
    return with_spare(with_box(round_, at, replace(box, insurances=in_order)), bettor, -event.amount)


def _answer_turn(round_: Round, at: int, event: Decided, _question: Question) -> Round:
    position = event.hand - 1
    hand = round_.boxes[at].hands[position]
    if event.action == "hit":
        return with_hand(round_, at, position, replace(hand, pending="hit"))
    if event.action == "stand":
        return with_hand(round_, at, position, replace(hand, done=True))
    if event.action == "retire":
        return settling.retire(with_hand(round_, at, position, replace(hand, retired=True, done=True)), at, position)
    return _raise_stake(round_, at, position, event.action)


def _raise_stake(round_: Round, at: int, position: int, move: str) -> Round:
    """The holder doubles or splits: his money is laid, and the backers who may choose are asked."""
    box = round_.boxes[at]
    hand = box.hands[position]
    price = questions.cost(round_, hand, bettor=box.holder, move=move)
    raised = with_spare(round_, box.holder, -price)
    for bet in live_bets(hand):
        if bet.bettor != box.holder:
            raised, hand = _unasked(raised, hand, bet.bettor, move)
    return _when_all_answered(with_hand(raised, at, position, replace(hand, pending=move)), at, position)


def _unasked(round_: Round, hand: BoxHand, bettor: int, move: str) -> tuple[Round, BoxHand]:
    """What a backer's money does without a question: it mirrors, it stays by rule, or it stays for lack of funds."""
    rules = round_.rules
    price = questions.cost(round_, hand, bettor=bettor, move=move)
    can = rulebook.backer_may_match(rules) and price <= round_.spare[bettor]
    if can and not rulebook.backer_matches_unasked(rules):
        return round_, hand
    paid = with_spare(round_, bettor, -price) if can else round_
    return paid, replace(hand, answers=(*hand.answers, (bettor, can)))


def _answer_follow(round_: Round, at: int, event: Decided, question: Question) -> Round:
    position = event.hand - 1
    hand = round_.boxes[at].hands[position]
    bettor, matches = round_.bettors.index(question.bettor), event.action == "match"
    if matches:
        round_ = with_spare(round_, bettor, -question.most)
    answered = replace(hand, answers=(*hand.answers, (bettor, matches)))
    return _when_all_answered(with_hand(round_, at, position, answered), at, position)


def _when_all_answered(round_: Round, at: int, position: int) -> Round:
    box = round_.boxes[at]
    hand = box.hands[position]
    if questions.following(round_, box, position):
        return round_
    joins = {bettor for bettor, matches in hand.answers if matches} | {box.holder}
    return _double(round_, at, position, joins) if hand.pending == "double" else _split(round_, at, position, joins)


def _double(round_: Round, at: int, position: int, joins: set[int]) -> Round:
    hand = round_.boxes[at].hands[position]
    bets = tuple(replace(bet, added=bet.base) if bet.bettor in joins and not bet.settled else bet for bet in hand.bets)
    return with_hand(round_, at, position, replace(hand, bets=bets, doubled=True, pending="hit", answers=()))


def _split(round_: Round, at: int, position: int, joins: set[int]) -> Round:
    """Two hands of one card each; money that does not join stays on the first of them (8b.14)."""
    box = round_.boxes[at]
    hand = box.hands[position]
    first, second = hand.cards
    stays = _one_card(replace(hand, pending="", answers=(), split=True), first)
    bets = tuple(
        Bet(bet.bettor, rulebook.split_stake(round_.rules, bet.base))
        for bet in hand.bets
        if bet.bettor in joins and not bet.settled
    )
    goes = replace(_one_card(stays, second), bets=bets)
    hands = (*box.hands[:position], stays, goes, *box.hands[position + 1 :])
    return with_box(_moved_on(round_, box.number, position), at, replace(box, hands=hands))


def _one_card(hand: BoxHand, card: Card) -> BoxHand:
    return replace(hand, cards=(card,), hard=card.points, ace=card.points == 1)


def _moved_on(round_: Round, box: int, position: int) -> Round:
    """Statements name positions: those of hands behind a split hand move one on."""
    if not round_.statements:
        return round_
    told = tuple(
        replace(one, hand=one.hand + 1) if one.box == box and one.hand > position + 1 else one
        for one in round_.statements
    )
    return replace(round_, statements=told)


# --- what comes next ------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def deal_order(numbers: tuple[int, ...], order: str, dealer: str) -> tuple[DealTo, ...]:
    """Where the cards of the initial deal go (D2-13, D2-14, D4-08, Q4-15)."""
    players = tuple(DealTo(number, 1) for number in numbers)
    second = {"no_hole": (), "hole": (DealTo(DEALER, 0, face_down=True),), "both_up": (DealTo(DEALER, 0),)}[dealer]
    between, last = ((DealTo(DEALER, 0),), second) if order == "interleaved" else ((), (DealTo(DEALER, 0), *second))
    return (*players, *between, *players, *last)


@lru_cache(maxsize=1024)
def _card_to(box: int, hand: int) -> DealTo:
    return DealTo(box, hand)


def _rest(round_: Round) -> Round:
    """Lets happen what happens by itself, until the round waits for something."""
    while True:
        due = _next(round_)
        if type(due) is not Round:
            return replace(round_, waits=due)
        round_ = due


def _next(round_: Round) -> Round | Wait:
    if round_.cause:
        return OVER
    if round_.dealt < len(round_.places):
        return _deal(round_)
    phases = _AFTER_BLACKJACK if shows_blackjack(round_) else _FROM_TURNS if _turns_begun(round_) else _PHASES
    for phase in phases:
        due = phase(round_)
        if due is not None:
            return due
    return OVER


def _turns_begun(round_: Round) -> bool:
    """Whether the first box has had its turn or is in it, so that no earlier phase can have anything left to do."""
    first = round_.boxes[0].hands[0]
    return bool(first.pending or (first.done and not first.retired) or first.split or len(first.cards) > 2)


def _deal(round_: Round) -> Wait:
    due = round_.places[round_.dealt]
    if due.box == DEALER and round_.dealt == 2 * len(round_.boxes) and rulebook.retires_before_check(round_.rules):
        return (
            _ask(questions.retiring(round_)) or due
        )  # players first: they retire before the dealer has a card (Q4-15)
    return due


def _blackjacks_on_deal(round_: Round) -> Round | Wait | None:
    return settling.pay_blackjacks(round_) if round_.rules.bj_pay_time == "on_deal" else None


def _retire_early(round_: Round) -> Round | Wait | None:
    return _ask(questions.retiring(round_)) if rulebook.retires_before_check(round_.rules) else None


def _ask(open_: tuple[Question, ...]) -> Asks | None:
    return Asks(open_) if open_ else None


def _insurance(round_: Round) -> Round | Wait | None:
    up = round_.dealer[0]
    if up is None or not rulebook.offers_insurance(round_.rules, up.points):
        return None
    return _ask(questions.insuring(round_))


def _check(round_: Round) -> Round | Wait | None:
    dealer = round_.dealer
    if len(dealer) != 2 or dealer[1] is not None or dealer[0] is None:
        return None
    if not rulebook.checks(round_.rules, dealer[0].points, figure=dealer[0].figure):
        return None
    if round_.checked is None:
        return CHECK
    return TURN_HOLE if round_.checked else settling.settle_insurances(round_)


def _retire_late(round_: Round) -> Round | Wait | None:
    return _ask(questions.retiring(round_)) if rulebook.retires_after_check(round_.rules) else None


def _interim_payment(round_: Round) -> Round | Wait | None:
    """Before the turns only: a blackjack that had to wait for the second card is paid at settlement (D1-19)."""
    second_known = len(round_.dealer) > 1 and round_.dealer[1] is not None
    return None if second_known else settling.pay_blackjacks(round_)


def _turns(round_: Round) -> Round | Wait | None:
    for at, box in enumerate(round_.boxes):
        for position, hand in enumerate(box.hands):
            if not hand.done:
                return _turn(round_, at, box, position)
    return None


def _turn(round_: Round, at: int, box: Box, position: int) -> Round | Wait:
    hand = box.hands[position]
    if hand.pending == "hit":
        return _card_to(box.number, position + 1)
    if hand.pending:
        return Asks(questions.following(round_, box, position))
    if not is_live(hand):
        return _done(round_, at, position)
    short = _first_short(round_.rules, box, position)
    if short >= 0:
        return _card_to(box.number, short + 1)
    if is_bust(hand):
        return settling.bust(_done(round_, at, position), at, position)
    return _open_turn(round_, at, box, position)


def _first_short(rules: RuleSet, box: Box, position: int) -> int:
    """The hand of the box that is to get its second card now, -1 if none (D1-31, ``split.second_cards``)."""
    at_once = rules.split.second_cards == "both_at_once"
    for place in range(position, len(box.hands) if at_once else position + 1):
        if len(box.hands[place].cards) == 1:
            return place
    return -1


def _open_turn(round_: Round, at: int, box: Box, position: int) -> Round | Wait:
    asked = facts(round_, box, box.hands[position])
    if rulebook.is_closed(round_.rules, asked):
        return _done(round_, at, position)
    question = questions.turn(round_, box, position, asked)
    if len(question.legal) > 1:
        return Asks((question,))
    return _card_to(box.number, position + 1) if question.legal == ("hit",) else _done(round_, at, position)


def _done(round_: Round, at: int, position: int) -> Round:
    return with_hand(round_, at, position, replace(round_.boxes[at].hands[position], done=True))


def _dealer(round_: Round) -> Round | Wait | None:
    dealer = round_.dealer
    if len(dealer) == 2 and dealer[1] is None:
        return TURN_HOLE
    hands_open, blackjacks_open, second_open = _still_open(round_)
    if len(dealer) == 1:
        any_open = hands_open or blackjacks_open or second_open
        return _card_to(DEALER, 0) if rulebook.takes_second(round_.rules, any_bet_open=any_open) else None
    if second_open and len(dealer) == 2:
        return settling.settle_insurances(round_) or settling.settle_decided(round_)
    hard, ace = dealer_count(round_)
    if rulebook.draws_on(round_.rules, hard=hard, ace=ace, hands_open=hands_open, blackjacks_open=blackjacks_open):
        return _card_to(DEALER, 0)
    return None


def _still_open(round_: Round) -> tuple[bool, bool, bool]:
    """Whether hands, blackjacks, and bets that only wait for the dealer's second card are still open."""
    hands = blackjacks = False
    second = settling.open_insurances(round_)
    for box in round_.boxes:
        for hand in box.hands:
            if not is_live(hand):
                continue
            if hand.retired or is_bust(hand):
                second = True
            elif hand.blackjack:
                blackjacks = True
            else:
                hands = True
    return hands, blackjacks, second


_PHASES: Final[tuple[Callable[[Round], Round | Wait | None], ...]] = (
    _blackjacks_on_deal,
    _retire_early,
    _insurance,
    _check,
    _retire_late,
    _interim_payment,
    _turns,
    _dealer,
    settling.settle_rest,
)
_FROM_TURNS: Final = _PHASES[-3:]
_AFTER_BLACKJACK: Final[tuple[Callable[[Round], Round | Wait | None], ...]] = (
    settling.settle_insurances,
    settling.settle_rest,
)
_ACCEPT: Final[dict[type, Callable[[Round, Any], Round]]] = {
    Dealt: _accept_card,
    Checked: _accept_check,
    Turned: _accept_turned,
    Decided: _accept_decision,
    Voided: _accept_void,
}
_ANSWER: Final = {
    "retire": _answer_retire,
    "insure": _answer_insure,
    "turn": _answer_turn,
    "follow": _answer_follow,
}
