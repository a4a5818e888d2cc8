"""``tapete ev``: every move of one hand against what the dealer shows, best first, and why the others are not open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from tapete import lookup, rulebook, rulecard
from tapete.exact.analysis import Move
from tapete.exact.tables import resplits
from tapete.pricing import edges, figures, priced, reading, strategies
from tapete.pricing.priced import Table
from tapete.pricing.reading import Asked
from tapete.rules import RuleSet
from tapete.terminal.keys import spoken, word_of
from tapete.terminal.talk import Talk
from tapete.words import N_, Words
from tapete.words import words as words_of

INSURE: Final = "insure"
AGAIN: Final = "price.split_again"
"""Why a pair that came from a split is not priced apart: it is always split again."""


class Hand(NamedTuple):
    """One hand, and its moves: the ``open_`` ones best first, the ``closed`` ones with their reasons.

    ``over`` is what the hand gets where nothing can be done any more: the dealer's blackjack lies open.
    """

    table: Table
    asked: Asked
    strategy: str
    open_: tuple[Move, ...]
    closed: tuple[Move, ...]
    insurance: Move | None
    over: float | None = None


def hand(table: Table, text: str, strategy: str) -> Hand:
    """The moves of a typed hand. Raises BadInput for one that does not read or that the shoe cannot deal."""
    asked = reading.hand(table.rules, text)
    price = strategies.price(table, strategy)
    found = price.moves(asked.cards, asked.start, split=asked.split)
    if len(asked.start) > 1 and lookup.is_natural(table.rules, asked.start):
        return Hand(
            table, asked, price.level, (), (), None, float(max(move.ev for move in found if move.ev is not None))
        )
    moves = [_told(table.rules, asked, move) for move in found if move.name != INSURE]
    insurance = next((move for move in found if move.name == INSURE), None)
    return Hand(
        table,
        asked,
        price.level,
        tuple(move for move in moves if move.ev is not None),
        tuple(move for move in moves if move.ev is None),
        insurance if lookup.asks_insurance(table.rules, asked.start) and not asked.split else None,
    )


def _told(rules: RuleSet, asked: Asked, move: Move) -> Move:
    """A move as it is told here: a dealer who looked, and let a pair be split, has no blackjack."""
    if asked.split and move.ev is not None and lookup.is_checked(rules, asked.start):
        return move._replace(ev=move.ev_without)
    return move._replace(reason=_again(rules, asked)) if asked.split and move.name == "split" else move


def _again(rules: RuleSet, asked: Asked) -> str:
    """Why a hand that came from a split is not split again, or not priced so."""
    kinds, cards = lookup.kinds(rules), asked.cards
    if len(cards) != 2 or kinds[cards[0]].name != kinds[cards[1]].name:
        return "not_a_pair"
    return AGAIN if resplits(rules, cards[0]) and rules.split.max_hands > 2 else "split.max_hands"


# --- in words -------------------------------------------------------------------------------------------------------


def tell(found: Hand, talk: Talk) -> None:
    """Says the moves with their values."""
    words, table, asked = talk.words, found.table, found.asked
    talk.line(f"{table.title(words)} ({table.preset.id})")
    talk.line(_hand(found, words))
    if asked.split:
        card = figures.name(lookup.kinds(table.rules)[asked.cards[0]])
        talk.tell(N_("The hand grew from one {card} of a split pair; the other one is gone."), card=card)
    talk.line(edges.cards(table, words))
    talk.line("")
    if found.over is not None:
        gets = figures.number(found.over, words)
        talk.tell(N_("The dealer’s blackjack lies open: the round is over, and the hand gets {value}."), value=gets)
        return
    for line in _rows(found, words):
        talk.line(line)
    for move in found.closed:
        talk.line(f"{word(table, move.name, words)}: {words.reason(move.reason)}")
    talk.line("")
    if found.insurance:
        talk.line(_insurance(found, words))
    talk.tell(
        N_("Values are per initial bet; after the move, the hand is played by {strategy}."), strategy=found.strategy
    )


def _hand(found: Hand, words: Words) -> str:
    rules, asked = found.table.rules, found.asked
    kinds = lookup.kinds(rules)
    hard = sum(kinds[card].points for card in asked.cards)
    ace = any(kinds[card].points == 1 for card in asked.cards)
    text = N_("{cards} (soft {total}) against {dealer}") if rulebook.is_soft(hard, ace=ace) else (
        N_("{cards} ({total}) against {dealer}")
    )  # fmt: skip
    return words.say(
        text,
        cards=figures.cards(kinds, asked.cards),
        total=rulebook.total(hard, ace=ace),
        dealer=figures.start(rules, asked.start),
    )


def word(table: Table, action: str, words: Words) -> str:
    """A move in the table's own words."""
    return word_of(action, words_of(spoken(table.rules, words.language)))


def _rows(found: Hand, words: Words) -> Sequence[str]:
    """The open moves; with the values where the dealer has no blackjack, if that is another number."""
    peeked = lookup.is_checked(found.table.rules, found.asked.start) and any(
        move.ev != move.ev_without for move in found.open_
    )
    head = [N_("Move"), N_("Value"), *([N_("No blackjack")] if peeked else [])]
    rows = [[words.say(one) for one in head]]
    for move in found.open_:
        told = [word(found.table, move.name, words), figures.number(move.ev, words, digits=8)]
        rows.append([*told, *([figures.number(move.ev_without, words, digits=8)] if peeked else [])])
    return figures.columns(rows)


def _insurance(found: Hand, words: Words) -> str:
    move = found.insurance
    if move is None or move.ev is None:
        return rulecard.sentence(found.table.rules, "insurance.who", words)
    return words.say(
        N_("{insure}: insuring half the bet adds {value}."),
        insure=word(found.table, INSURE, words),
        value=figures.number(move.ev, words, digits=8),
    )


# --- as JSON --------------------------------------------------------------------------------------------------------


def as_json(found: Hand) -> dict[str, Any]:
    """The same with all digits; the keys are documented in docs/pricing.md."""
    kinds = lookup.kinds(found.table.rules)
    moves = (*found.open_, *found.closed, *((found.insurance,) if found.insurance else ()))
    return {
        **priced.stated(found.table, found.strategy),
        "hand": [kinds[card].name for card in found.asked.cards],
        "dealer": priced.start_name(found.table.rules, found.asked.start),
        "split": found.asked.split,
        "best": found.open_[0].name if found.open_ else None,
        "over": found.over,
        "moves": {move.name: _as_json(move) for move in moves},
    }


def _as_json(move: Move) -> dict[str, Any]:
    if move.ev is None:
        return {"legal": False, "reason": move.reason}
    return {"legal": True, "ev": float(move.ev), "ev_without_blackjack": float(move.ev_without)}
