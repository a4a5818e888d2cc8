"""Parts of the kernel that make the control variate; they fall away where it is not asked for.

At every draw: the mean of what the cards that remain would be worth, less what the card that came is worth.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tapete.exact.compiled import part
from tapete.sim import paying
from tapete.sim.control import Control
from tapete.sim.machine import KINDS
from tapete.sim.money import PAYS, PLACES
from tapete.sim.world import At, Game, Shoe, of


@part
def take(control: Control | None, shoe: Shoe, at: At) -> None:
    """The cards that remain, by kind, without the last one drawn; so late, for what just changed is slow to read."""
    if control is None:
        return
    control.left[np.uint64(at.last)] -= shoe.gone


@part
def again(control: Control | None, shoe: Shoe, at: At) -> None:
    """The cards that remain after the discards were shuffled, and the one that was drawn from them."""
    if control is None:
        return
    for kind in range(control.left.shape[0]):
        control.left[kind] = 0
    for place in range(at.place - 1, at.limit):
        control.left[shoe.cards[place]] += 1


@part
def fill(control: Control | None, shoe: Shoe, at: At) -> None:
    """The whole shoe remains, and the last card, which will be taken away."""
    if control is None:
        return
    for kind in range(control.left.shape[0]):
        control.left[kind] = control.full[kind]
    control.left[at.last] += shoe.gone


@part
def _off(shoe: Shoe, at: At, total: Any, came: Any) -> At:
    """The correction of a draw: ``total`` is over the cards that there were, ``came`` that of the one drawn."""
    mean = total / (at.limit - at.place + shoe.gone)
    return At(at.place, at.limit, at.state, at.count, at.last, at.off + mean - came)


@part
def _mean(table: Any, first: Any, left: Any) -> Any:
    """A row of values, each as often as there are such cards: two sums side by side, always in the same order."""
    a, b = 0.0, 0.0
    for kind in range(0, left.shape[0], 2):
        a += left[np.uint64(kind)] * table[np.uint64(first + kind)]
        b += left[np.uint64(kind + 1)] * table[np.uint64(first + kind + 1)]
    return a + b


@part
def unseen_drawn(control: Control | None, shoe: Shoe, at: At, row: Any, card: Any) -> At:
    """A player's card that comes before the dealer's; ``row`` is where the next state is looked up."""
    if control is None:
        return at
    first = row * control.wide
    then: At = _off(shoe, at, _mean(control.unseen, first, control.left), control.unseen[np.uint64(first + card)])
    return then


@part
def drawn(control: Control | None, shoe: Shoe, at: At, hands: Any, holds: Any, row: Any, card: Any) -> At:
    """A player's card, in a box of so many hands (0 where it was not split)."""
    if control is None:
        return at
    first = ((hands * control.held + holds) * control.rows + row) * control.wide
    then: At = _off(shoe, at, _mean(control.drawn, first, control.left), control.drawn[np.uint64(first + card)])
    return then


@part
def held(control: Control | None, up: Any, hole: Any) -> Any:
    """What the dealer holds, as the value tables have it."""
    if control is None:
        return 0
    return of(control.holds, up * KINDS + hole)


@part
def dealer_dealt(control: Control | None, game: Game, shoe: Shoe, at: At, up: Any, card: Any, boxes: int) -> At:
    """A card of the dealer's while the boxes hold what was dealt to them: his first one where ``up`` is below 0."""
    if control is None:
        return at
    total, came = 0.0, 0.0
    for box in range(boxes):
        first = ((up + 1) * control.states + game.room.state[box, 0]) * control.wide
        total += _mean(control.dealt, first, control.left)
        came += control.dealt[np.uint64(first + card)]
    then: At = _off(shoe, at, total, came)
    return then


@part
def worths(control: Control | None, game: Game, start: Any, end: Any, boxes: int) -> Any:
    """What all boxes bring, by the dealer's end: the line of a hand alone, else -1 and it is in ``worth``."""
    if control is None:
        return np.int64(-1)
    if boxes == 1 and end >= 0 and not game.room.insured[0]:
        return of(control.line, start * PLACES + end)
    for outcome in range(control.worth.shape[0]):
        total = np.int64(0)
        for box in range(boxes):
            total += paying.worth(game, start, box, game.room.ended[box] if boxes > 1 else end, outcome)
        control.worth[outcome] = total
    return np.int64(-1)


@part
def dealer_drawn(control: Control | None, game: Game, shoe: Shoe, at: At, hand: Any, card: Any, line: Any) -> At:
    """A card of the dealer's when the boxes are done, and bring what :func:`worths` said."""
    if control is None:
        return at
    if line >= 0:
        first = (line * control.hands + hand) * control.wide
        alone: At = _off(shoe, at, _mean(control.alone, first, control.left), control.alone[np.uint64(first + card)])
        return alone
    total, came, ends = 0.0, 0.0, of(game.dealer.next_, hand * KINDS + card) * PAYS
    for outcome in range(control.worth.shape[0]):
        worth = control.worth[np.uint64(outcome)]
        total += worth * _mean(control.after, (hand * PAYS + outcome) * control.wide, control.left)
        came += worth * control.law[np.uint64(ends + outcome)]
    then: At = _off(shoe, at, total, came)
    return then


@part
def kept(control: Control | None, game: Game, boxes: int, state: Any) -> None:
    """The state of a box alone, where it is looked for when the dealer's card comes."""
    if control is None:
        return
    if boxes == 1:
        game.room.state[0, 0] = state
