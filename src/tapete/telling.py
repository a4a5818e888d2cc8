"""Telling: cards, hands, events and results as sentences, for whoever shows or says them.

The plain mode, the full screen and the replay tell the same things in the same words. A place is written before a colon
(``Box 2, Ana, hand 1: hits``), so that no sentence has to bend a name. Nothing here decides anything; what a hand is
worth or whether a bet may be laid is asked of the round and of the rulebook.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from tapete.cards import HIDDEN_TEXT, Card
from tapete.events import DEALER, Checked, Dealt, Decided, Event, Question, Turned, Voided
from tapete.rulebook import is_bust, is_soft, total
from tapete.stakes import Lock, Statement
from tapete.state import (
    BoxHand,
    Round,
    box_index,
    dealer_count,
    shows_blackjack,
)
from tapete.words import N_, Words

BLACKJACK: Final = "Blackjack"
"""The one word that needs no translation."""

# --- cards ----------------------------------------------------------------------------------------------------------

_RANKS: Final = MappingProxyType({"A": N_("ace"), "J": N_("jack"), "Q": N_("queen"), "K": N_("king")})
_SUITS: Final = MappingProxyType({"s": N_("spades"), "h": N_("hearts"), "d": N_("diamonds"), "c": N_("clubs")})
_SIGNS: Final = MappingProxyType({"s": "♠", "h": "♥", "d": "♦", "c": "♣"})


@lru_cache(maxsize=256)
def card_name(card: Card | None, words: Words) -> str:
    """A card as it is spoken: ``ace of spades``, ``10 of hearts``."""
    if card is None:
        return words.say(N_("a hidden card"))
    rank = words.say(_RANKS[card.rank]) if card.rank in _RANKS else card.rank
    return words.say(N_("{rank} of {suit}"), rank=rank, suit=words.say(_SUITS[card.suit]))


def card_sign(card: Card | None, *, letters: bool = False) -> str:
    """A card in two or three characters: ``A♠``, or ``As`` with ``letters``; ``??`` face down."""
    if card is None:
        return HIDDEN_TEXT
    return card.rank + (card.suit if letters else _SIGNS[card.suit])


def cards_text(cards: Iterable[Card | None], words: Words) -> str:
    """Cards in the order in which they came, spoken."""
    return ", ".join(card_name(one, words) for one in cards)


# --- totals and hands -----------------------------------------------------------------------------------------------


@lru_cache(maxsize=512)
def count_text(hard: int, words: Words, *, ace: bool) -> str:
    """What some cards come to, always with soft or hard: ``hard 16``, ``A-7 · soft 18``, ``bust (24)``."""
    best = total(hard, ace=ace)
    if is_bust(hard):
        return words.say(N_("bust ({total})"), total=best)
    if not is_soft(hard, ace=ace):
        return words.say(N_("hard {total}"), total=best)
    soft = words.say(N_("soft {total}"), total=best)
    rest = hard - 1
    return f"A-{'A' if rest == 1 else rest} · {soft}" if rest else soft


def total_text(hand: BoxHand, words: Words) -> str:
    """A hand's total, or that it is a blackjack."""
    return BLACKJACK if hand.blackjack else count_text(hand.hard, words, ace=hand.ace)


def dealer_text(round_: Round, words: Words) -> str:
    """The dealer's total over the cards that lie open, or that it is a blackjack; empty before the first."""
    hard, ace = dealer_count(round_)
    if not hard:
        return ""
    return BLACKJACK if shows_blackjack(round_) else count_text(hard, words, ace=ace)


def hand_text(hand: BoxHand, words: Words) -> str:
    """A hand's cards and total, and what else became of it: doubled, retired."""
    parts = [cards_text(hand.cards, words), total_text(hand, words)]
    if hand.doubled:
        parts.append(words.say(N_("doubled")))
    if hand.retired:
        parts.append(words.say(N_("retired")))
    return "; ".join(parts)


def place_text(round_: Round, number: int, hand: int, words: Words) -> str:
    """Whose hand: ``Box 2, Ana, hand 1``; shorter at a table of one box, and where the box has one hand.

    ``hand`` 0 means the box as a whole.
    """
    box = round_.boxes[box_index(round_, number)]
    parts = [words.say(N_("Box {box}"), box=number)] if round_.rules.seats_max > 1 else []
    parts.append(round_.bettors[box.holder])
    if len(box.hands) > 1 and hand:
        parts.append(words.say(N_("hand {hand}"), hand=hand))
    return ", ".join(parts)


# --- events ---------------------------------------------------------------------------------------------------------


def event_text(before: Round | None, event: Event, after: Round, words: Words) -> str:
    """What happened, in one sentence (the bets at the lock in one line each).

    ``before`` is the round as it was, None for the lock. What was settled along with it is told by
    :func:`new_results` and :func:`statement_text`.
    """
    if isinstance(event, Lock):
        return "\n".join(_bets(event, after, words))
    if isinstance(event, Checked):
        if event.blackjack:
            return words.say(N_("The dealer looks at the hidden card: blackjack."))
        return words.say(N_("The dealer looks at the hidden card: no blackjack."))
    if isinstance(event, Turned):
        facts = {"card": card_name(event.card, words), "total": dealer_text(after, words)}
        return words.say(N_("The dealer turns up: {card}; {total}."), **facts)
    if isinstance(event, Voided):
        return words.say(N_("The round is void ({cause}). Every stake returns."), cause=_cause(event.cause, words))
    if isinstance(event, Dealt):
        return _dealt(event, after, words)
    return _decided(before or after, event, after, words)


def _bets(lock: Lock, after: Round, words: Words) -> Iterator[str]:
    for box in lock.boxes:
        place = place_text(after, box.box, 1, words)
        yield words.say(N_("{place}: bets {amount:chips}."), place=place, amount=box.amount)
        for one in box.backers:
            behind = words.say(N_("{place}; {bettor}’s bet"), place=place, bettor=one.bettor)
            yield f"{behind}: {words.amount(one.amount)}."


_CAUSES: Final = MappingProxyType(
    {
        "operator": N_("stopped by the operator"),
        "no_cards": N_("no card is left"),
        "rules": N_("the rules cannot be loaded"),
    }
)


def _cause(cause: str, words: Words) -> str:
    return words.say(_CAUSES[cause]) if cause in _CAUSES else cause


def _dealt(event: Dealt, after: Round, words: Words) -> str:
    card = card_name(event.card, words)
    if event.box != DEALER:
        place = place_text(after, event.box, event.hand, words)
        hand = after.boxes[box_index(after, event.box)].hands[event.hand - 1]
        if len(hand.cards) == 1:
            return f"{place}: {card}."
        return f"{place}: {card}; {total_text(hand, words)}."
    if event.card is None:
        return words.say(N_("The dealer’s second card lies face down."))
    if len(after.dealer) == 1:
        return words.say(N_("The dealer shows: {card}."), card=card)
    if len(after.dealer) == 2 and after.rules.dealer_deal == "both_up":
        return words.say(N_("The dealer shows: {card}; {total}."), card=card, total=dealer_text(after, words))
    return words.say(N_("The dealer draws: {card}; {total}."), card=card, total=dealer_text(after, words))


def _decided(before: Round, event: Decided, after: Round, words: Words) -> str:
    box = before.boxes[box_index(before, event.box)]
    holder = before.bettors[box.holder]
    bettor = event.bettor or holder
    who = place_text(before, event.box, event.hand, words)
    if bettor != holder:
        who = words.say(N_("{place}; {bettor}’s bet"), bettor=bettor, place=who)
    at = before.bettors.index(bettor)
    paid = event.amount or max(0, before.spare[at] - after.spare[at])
    deed = words.say(_DEEDS[event.action], amount=paid)
    late = words.say(N_("(time ran out)"))
    return f"{who}: {deed} {late}." if event.by == "clock" else f"{who}: {deed}."


_DEEDS: Final = MappingProxyType(
    {
        "hit": N_("takes a card"),
        "stand": N_("stands"),
        "double": N_("doubles with {amount:chips} more"),
        "split": N_("splits with {amount:chips} more"),
        "retire": N_("retires"),
        "keep": N_("plays on"),
        "insure": N_("takes insurance for {amount:chips}"),
        "no_insurance": N_("takes no insurance"),
        "match": N_("follows with {amount:chips} more"),
        "stay": N_("leaves the bet as it is"),
    }
)


# --- questions ------------------------------------------------------------------------------------------------------


def question_text(round_: Round, question: Question, words: Words) -> str:
    """What is asked, and whom."""
    place = place_text(round_, question.box, question.hand, words)
    box = round_.boxes[box_index(round_, question.box)]
    hand = box.hands[question.hand - 1]
    if question.bettor != round_.bettors[box.holder]:
        place = words.say(N_("{place}; {bettor}’s bet"), bettor=question.bettor, place=place)
    told = {"place": place, "total": total_text(hand, words), "amount": question.most}
    if question.kind == "turn":
        return words.say(N_("{place}: {total} against {dealer}. What now?"), **told, dealer=_against(round_, words))
    if question.kind == "retire":
        return words.say(N_("{place}: {total} against {dealer}. Retire?"), **told, dealer=_against(round_, words))
    if question.kind == "follow" and question.move == "double":
        return words.say(N_("{place}: follow the double with {amount:chips}?"), **told)
    if question.kind == "follow":
        return words.say(N_("{place}: follow the split with {amount:chips}?"), **told)
    if "insure" not in question.legal:
        return words.say(N_("{place}: {total}. Insurance is offered, but there are no chips left for it."), **told)
    if question.least == question.most:
        return words.say(N_("{place}: {total}. Insurance for {amount:chips}?"), **told)
    return words.say(N_("{place}: {total}. Insurance for up to {amount:chips}?"), **told)


def _against(round_: Round, words: Words) -> str:
    """The dealer's hand in short: his card while it is one, his total when it is more."""
    seen = [card for card in round_.dealer if card is not None]
    return card_name(seen[0], words) if len(seen) == 1 else dealer_text(round_, words)


def reason_text(reason: str, clauses: Mapping[str, Sequence[str]], words: Words) -> str:
    """Why a move is not allowed, with the clauses of the house's text that say so.

    ``clauses`` are those of the preset; places where the text is silent (``D4-S``) are not cited.
    """
    cited = [clause for clause in clauses.get(reason, ()) if "-S" not in clause]
    why = words.reason(reason)
    rule = words.say(N_("(Rule {clauses})"), clauses=cited)
    return f"{why} {rule}" if cited else why


# --- results --------------------------------------------------------------------------------------------------------

RESULTS: Final = MappingProxyType(
    {
        "blackjack": N_("Blackjack ({ratio}): wins {won:chips}"),
        "win": N_("{total} against {dealer}: wins {won:chips}"),
        "dealer_bust": N_("{total}, and the dealer goes bust with {dealer}: wins {won:chips}"),
        "push": N_("{total} against {dealer}: a tie, the stake of {stake:chips} returns"),
        "blackjack_push": N_("Blackjack, and the dealer has as much: a tie, the stake of {stake:chips} returns"),
        "loss": N_("{total} against {dealer}: loses {lost:chips}"),
        "tie_lost": N_("{total} against {dealer}: the dealer wins ties, {lost:chips} lost"),
        "dealer_blackjack": N_("the dealer has blackjack: loses {lost:chips}"),
        "part_returned": N_("the dealer has blackjack: loses {lost:chips} of {stake:chips}, the rest returns"),
        "bust": N_("bust with {total}: loses {lost:chips}"),
        "bust_elsewhere": N_("another hand went bust: loses {lost:chips}"),
        "retired": N_("retired: loses {lost:chips} of {stake:chips}"),
        "insurance_won": N_("insurance ({ratio}): wins {won:chips}"),
        "insurance_lost": N_("insurance, and no dealer blackjack: loses {lost:chips}"),
        "void": N_("void: the stake of {stake:chips} returns"),
    }
)
"""The sentence of every reason that a statement can have, which stands after its place."""


def result_text(told: Statement, words: Words) -> str:
    """What became of one bet: ``20 against 19: wins 10``."""
    rate = Fraction(max(told.net, 0), told.stake or 1)
    return words.say(
        RESULTS[told.reason],
        total=told.total,
        dealer=told.dealer,
        stake=told.stake,
        won=told.net,
        lost=-told.net,
        ratio=words.say(N_("{paid} to {staked}"), paid=rate.numerator, staked=rate.denominator),
    )


def statement_text(round_: Round, told: Statement, words: Words) -> str:
    """What became of one bet, with whose it was and where it lay."""
    place = place_text(round_, told.box, told.hand, words)
    if told.bettor != round_.bettors[round_.boxes[box_index(round_, told.box)].holder]:
        place = words.say(N_("{place}; {bettor}’s bet"), bettor=told.bettor, place=place)
    return f"{place}: {result_text(told, words)}."


def new_results(before: Round | None, after: Round) -> tuple[Statement, ...]:
    """The bets that one step settled; all of them when the round became void."""
    known = 0 if before is None or after.cause else len(before.statements)
    return after.statements[known:]


def sum_texts(statements: Iterable[Statement], words: Words) -> list[str]:
    """Each bettor's sum with its parts: ``Ana: +10 -5 = +5``."""
    parts: dict[str, list[int]] = {}
    for one in statements:
        parts.setdefault(one.bettor, []).append(one.net)
    return [f"{name}: {_sum(nets, words)}" for name, nets in parts.items()]


def _sum(nets: list[int], words: Words) -> str:
    whole = words.amount(sum(nets), signed=True)
    return whole if len(nets) == 1 else f"{' '.join(words.amount(one, signed=True) for one in nets)} = {whole}"
