"""The questions a round can ask, each with its legal answers and the reason beside every other one."""

from __future__ import annotations

from typing import Final

from tapete import rulebook
from tapete.events import Question
from tapete.state import Box, BoxHand, Round, facts, live_bet

MOVES: Final = ("hit", "stand", "double", "split", "retire")
OF_KIND: Final = {
    "turn": MOVES,
    "retire": ("retire", "keep"),
    "insure": ("insure", "no_insurance"),
    "follow": ("match", "stay"),
}
"""The answers of each kind of question."""


def cost(round_: Round, hand: BoxHand, *, bettor: int, move: str) -> int:
    """The units that a bettor must add for a double or a split of the hand, -1 if he has no money on it."""
    bet = live_bet(hand, bettor)
    if bet is None:
        return -1
    return bet.base if move == "double" else rulebook.split_stake(round_.rules, bet.base)


def _why_not_pay(round_: Round, box: Box, hand: BoxHand, move: str) -> str:
    price = cost(round_, hand, bettor=box.holder, move=move)
    if price < 0:
        return "bust_scope"
    return "funds" if price > round_.spare[box.holder] else ""


def turn(round_: Round, box: Box, position: int, asked: rulebook.Hand) -> Question:
    """The question to the hand in turn."""
    rules, hand = round_.rules, box.hands[position]
    reasons = {
        "hit": rulebook.why_not_hit(rules, asked),
        "stand": rulebook.why_not_stand(rules, asked),
        "double": rulebook.why_not_double(rules, asked) or _why_not_pay(round_, box, hand, "double"),
        "split": rulebook.why_not_split(rules, asked) or _why_not_pay(round_, box, hand, "split"),
        "retire": rulebook.why_not_retire_in_turn(rules, asked),
    }
    legal = tuple([move for move, reason in reasons.items() if not reason])
    refused = tuple([(move, reason) for move, reason in reasons.items() if reason])
    return Question("turn", box.number, position + 1, round_.bettors[box.holder], legal, refused)


def retiring(round_: Round) -> tuple[Question, ...]:
    """Who is still to say whether he retires, in seat order."""
    return tuple(
        Question("retire", box.number, 1, round_.bettors[box.holder], OF_KIND["retire"])
        for box in round_.boxes
        for hand in box.hands
        if hand.retired is None and not rulebook.why_not_retire(round_.rules, facts(round_, box, hand))
    )


def insuring(round_: Round) -> tuple[Question, ...]:
    """Who is still to say whether he insures, in seat order, the holder of a box before its backers."""
    return tuple(
        _insure(round_, box, bet.bettor, bet.base)
        for box in round_.boxes
        for bet in box.hands[0].bets
        if _asks_insurance(round_, box, bet.bettor)
    )


def _asks_insurance(round_: Round, box: Box, bettor: int) -> bool:
    hand = box.hands[0]
    if hand.retired or hand.split or any(given.bettor == bettor for given in box.insurances):
        return False
    return rulebook.may_insure(round_.rules, blackjack=hand.blackjack, behind=bettor != box.holder)


def _insure(round_: Round, box: Box, bettor: int, stake: int) -> Question:
    rules, spare = round_.rules, round_.spare[bettor]
    step, least = rulebook.insurance_step(rules), rulebook.insurance_least(rules, stake)
    most = min(rulebook.insurance_most(stake), spare - spare % step)
    name = round_.bettors[bettor]
    if most < least:
        return Question("insure", box.number, 1, name, ("no_insurance",), (("insure", "funds"),))
    return Question("insure", box.number, 1, name, OF_KIND["insure"], (), least, most, step)


def following(round_: Round, box: Box, position: int) -> tuple[Question, ...]:
    """Which backers are still to say whether they match the pending double or split."""
    hand = box.hands[position]
    given = [bettor for bettor, _ in hand.answers]
    return tuple(
        Question(
            "follow",
            box.number,
            position + 1,
            round_.bettors[bet.bettor],
            OF_KIND["follow"],
            (),
            0,
            cost(round_, hand, bettor=bet.bettor, move=hand.pending),
            0,
            hand.pending,
        )
        for bet in hand.bets
        if not bet.settled and bet.bettor != box.holder and bet.bettor not in given
    )
