"""The player's side: what every hand is worth, against all starts of the dealer at once.

Values here are *joint*: the chance that the dealer's start is this one, times what the hand then brings. Cards drawn
before the start is looked at are as likely as after it, so one uniform draw serves all starts, and a dealer's blackjack
that ends the round keeps its place in every value with the same loss whatever was decided.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from tapete.exact.compiled import kernel, part
from tapete.exact.tree import Ints, Numbers

WISHES: Final = 4
"""What a strategy wants of a hand: 0 stand, 1 hit, 2 double or else stand, 3 double or else hit."""
OTHERWISE: Final = 4
"""Added to a wish: the same hand, when it is doubled and may go on, draws where the wish stands, or stands instead."""


class Hands(NamedTuple):
    """The hands to be valued, in descending size, and the tree they stand in."""

    order: Ints
    child: Ints
    counts: Ints
    code: Ints


class Shoes(NamedTuple):
    """``cards[kind]`` outside these hands; ``behind[hand]`` numbers the shoe in ``ends`` and ``starts``."""

    cards: Numbers
    behind: Ints
    ends: Numbers
    starts: Numbers


class Law(NamedTuple):
    """The table for hands of one context: see :class:`tapete.exact.tables.Tables`."""

    row: Ints
    legal: Ints
    doubled: Ints
    standing: Ints
    pay: Numbers
    lost: Numbers
    bust: Numbers


class Values(NamedTuple):
    """Joint values ``[hand, start]`` of each move, of the hand under its wishes, and of a doubled hand; the wishes."""

    stand: Numbers
    hit: Numbers
    double: Numbers
    value: Numbers
    after: Numbers
    wish: Ints


def blank(hands: int, starts: int, one: Any) -> Values:
    """Room for the values of a tree."""
    shape = hands, starts
    if isinstance(one, float):
        stand, hit, double, value, after = (np.zeros(shape) for _ in range(5))
    else:
        stand, hit, double, value, after = (np.full(shape, one * 0, dtype=object) for _ in range(5))
    return Values(stand, hit, double, value, after, np.zeros((hands, starts), dtype=np.int64))


@kernel
def fill(hands: Hands, shoes: Shoes, law: Law, values: Values, room: Numbers, fixed: bool) -> None:  # noqa: FBT001
    """Fills the values of the hands. With ``fixed`` the wishes are obeyed, else they are filled with the best.

    ``room`` are two rows of numbers by start.
    """
    for hand in hands.order:
        cards = _left(hands, shoes.cards, hand)
        if cards < 0:
            continue
        _stand(shoes, law, values, hand)
        room[:] = room[0, 0] * 0
        _draw(hands, shoes, values, room, hand, cards)
        if cards > 0:
            _busts(shoes, law, values, room, hand)
        _decide(law, values, hand, hands.code[hand], fixed)


@part
def _left(hands: Hands, shoe: Numbers, hand: int) -> Any:
    """How many cards are left behind a hand; -1 when the shoe cannot deal it: a part of a card is still dealt."""
    cards = shoe[0] * 0
    for kind in range(shoe.shape[0]):
        left = shoe[kind] - hands.counts[hand, kind]
        if left <= -1:
            return shoe[0] * 0 - 1
        cards += left
    return cards


@part
def _stand(shoes: Shoes, law: Law, values: Values, hand: int) -> None:
    """What the hand brings as it is, and as a doubled hand."""
    here, row, ends, pay = shoes.behind[hand], law.row[hand], shoes.ends, law.pay
    for start in range(values.stand.shape[1]):
        plain = ends[here, start, 0] * pay[0, row, start, 0]
        raised = ends[here, start, 0] * pay[1, row, start, 0]
        for outcome in range(1, ends.shape[2]):
            plain += ends[here, start, outcome] * pay[0, row, start, outcome]
            raised += ends[here, start, outcome] * pay[1, row, start, outcome]
        values.stand[hand, start] = plain
        values.after[hand, start] = raised


@part
def _draw(hands: Hands, shoes: Shoes, values: Values, room: Numbers, hand: int, cards: Any) -> None:
    """What one more card brings where the hand survives it; ``room``: the chances of start and blackjack then."""
    hit, double, value, after = values.hit, values.double, values.value, values.after
    for start in range(hit.shape[1]):
        hit[hand, start] = room[0, start]
        double[hand, start] = room[0, start]
    for kind in range(shoes.cards.shape[0]):
        more = hands.child[hand, kind]
        left = shoes.cards[kind] - hands.counts[hand, kind]
        if more >= 0 and left > 0:
            chance, there = left / cards, shoes.behind[more]
            for start in range(hit.shape[1]):
                hit[hand, start] += chance * value[more, start]
                double[hand, start] += chance * after[more, start]
                room[0, start] += chance * shoes.starts[there, start]
                room[1, start] += chance * shoes.ends[there, start, 6]


@part
def _busts(shoes: Shoes, law: Law, values: Values, room: Numbers, hand: int) -> None:
    """Adds what the cards bring that break the hand: the rest of the chances, the dealer's blackjacks apart."""
    here = shoes.behind[hand]
    for start in range(values.stand.shape[1]):
        natural = shoes.ends[here, start, 6] - room[1, start]
        other = shoes.starts[here, start] - room[0, start] - natural
        values.hit[hand, start] += natural * law.lost[0, start] + other * law.bust[0]
        values.double[hand, start] += natural * law.lost[1, start] + other * law.bust[1]


@part
def _decide(law: Law, values: Values, hand: int, code: int, fixed: bool) -> None:  # noqa: FBT001
    """Chooses the move, and lets a doubled hand go on where the table does: it has no double left in it."""
    wishes, value, after = values.wish, values.value, values.after
    for start in range(value.shape[1]):
        bits, later = law.legal[code, law.standing[start]], law.doubled[code, law.standing[start]]
        stand, hit, double = values.stand[hand, start], values.hit[hand, start], values.double[hand, start]
        wish = wishes[hand, start] if fixed else best(bits, stand, hit, double)
        if not fixed and later & 3 == 3 and (double > after[hand, start]) != (wish & 1 == 1):
            wish += OTHERWISE
        wishes[hand, start] = wish
        value[hand, start] = move(bits, wish, stand, hit, double)
        if later & 2 != 0 and (later & 1 == 0 or draws_on(wish)):
            after[hand, start] = double


@part
def draws_on(wish: Any) -> Any:
    """Whether a doubled hand that has the choice takes a card."""
    return (wish ^ (wish >> 2)) & 1 == 1


@part
def best(bits: int, stand: Any, hit: Any, double: Any) -> int:
    """The best wish of a hand with these legal moves and their values."""
    if bits & 3 == 0:
        return 0
    plain = stand
    wish = 0
    if bits & 1 == 0 or (bits & 2 != 0 and hit > plain):
        plain = hit
        wish = 1
    return wish + 2 if bits & 4 != 0 and double > plain else wish


@part
def move(bits: int, wish: int, stand: Any, hit: Any, double: Any) -> Any:
    """The value of the move that a wish becomes under these legal moves."""
    if bits & 3 == 0:
        return stand
    if wish & 2 != 0 and bits & 4 != 0:
        return double
    if bits & 1 == 0 or (wish & 1 == 1 and bits & 2 != 0):
        return hit
    return stand


# --- what reaches a hand --------------------------------------------------------------------------------------------


class Cells(NamedTuple):
    """``of[hand]`` and ``column[start]``: what a player tells apart; ``gains[cell, column, wish]`` is filled."""

    of: Ints
    column: Ints
    gains: Numbers


@kernel
def reach(hands: Hands, shoe: Numbers, law: Law, values: Values, weight: Numbers, cells: Cells) -> None:
    """Follows ``weight[hand, start]`` along the wishes, and adds up what each wish would bring in each cell.

    The hands come in ascending size. Each gain grows by weight times the value of the move that the wish becomes at
    this hand; hands without a choice add nothing.
    """
    for hand in hands.order:
        cards = _left(hands, shoe, hand)
        for start in range(weight.shape[1]):
            share = weight[hand, start]
            bits = law.legal[hands.code[hand], law.standing[start]]
            if share == 0 or bits & 3 == 0:
                continue
            for wish in range(4):
                worth = move(bits, wish, values.stand[hand, start], values.hit[hand, start], values.double[hand, start])
                cells.gains[cells.of[hand], cells.column[start], wish] += share * worth
            if _hits(bits, values.wish[hand, start]):
                _pass_on(hands, shoe, weight, hand, start, cards)


@part
def _hits(bits: int, wish: int) -> bool:
    if wish & 2 != 0 and bits & 4 != 0:
        return False
    return bits & 1 == 0 or (wish & 1 == 1 and bits & 2 != 0)


@part
def _pass_on(hands: Hands, shoe: Numbers, weight: Numbers, hand: int, start: int, cards: Any) -> None:
    for kind in range(shoe.shape[0]):
        more = hands.child[hand, kind]
        left = shoe[kind] - hands.counts[hand, kind]
        if more >= 0 and left > 0:
            weight[more, start] += weight[hand, start] * (left / cards)
