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
from tapete.sim.money import PAYS
from tapete.sim.world import At, Game, Shoe, of


@part
def take(control: Control | None, shoe: Shoe, at: At, card: Any, fresh: bool) -> None:  # noqa: FBT001
    """The cards that remain, by kind, without the one drawn."""
    if control is None:
        return
    control.left[card] -= shoe.gone
    if fresh:
        control.left[:] = 0
        for place in range(at.place, at.limit):
            control.left[shoe.cards[place]] += 1


@part
def fill(control: Control | None) -> None:
    """The whole shoe remains."""
    if control is None:
        return
    for kind in range(control.left.shape[0]):
        control.left[kind] = control.full[kind]


@part
def _off(shoe: Shoe, at: At, total: Any, came: Any) -> At:
    """The correction of a draw: ``total`` is over the cards that remain after it, ``came`` that of the one drawn."""
    mean = (total + shoe.gone * came) / (at.limit - at.place + shoe.gone)
    return At(at.place, at.limit, at.state, at.count, at.off + mean - came)


@part
def unseen_drawn(control: Control | None, game: Game, shoe: Shoe, at: At, row: Any, card: Any) -> At:
    """A player's card that comes before the dealer's; ``row`` is where the next state is looked up."""
    if control is None:
        return at
    total, places = 0.0, row * KINDS
    for kind in range(control.left.shape[0]):
        state = of(game.machine.next_, places + kind)
        total += control.left[np.uint64(kind)] * control.before[np.uint64(state)]
    came = control.before[np.uint64(of(game.machine.next_, places + card))]
    then: At = _off(shoe, at, total, came)
    return then


@part
def drawn(
    control: Control | None, game: Game, shoe: Shoe, at: At, hands: Any, held: Any, row: Any, card: Any,
) -> At:  # fmt: skip
    """A player's card, in a box of so many hands (0 where it was not split)."""
    if control is None:
        return at
    total, places, worth = 0.0, row * KINDS, (hands * control.held + held) * game.machine.states
    for kind in range(control.left.shape[0]):
        state = of(game.machine.next_, places + kind)
        total += control.left[np.uint64(kind)] * control.value[np.uint64(worth + state)]
    came = control.value[np.uint64(worth + of(game.machine.next_, places + card))]
    then: At = _off(shoe, at, total, came)
    return then


@part
def held(control: Control | None, up: Any, hole: Any) -> Any:
    """What the dealer holds, as the value tables have it."""
    if control is None:
        return 0
    return of(control.rows, up * KINDS + hole)


@part
def dealer_dealt(control: Control | None, game: Game, shoe: Shoe, at: At, up: Any, card: Any, boxes: int) -> At:
    """A card of the dealer's while the boxes hold what was dealt to them: his first one where ``up`` is below 0."""
    if control is None:
        return at
    total, came = 0.0, 0.0
    for kind in range(control.left.shape[0]):
        held = of(control.rows, kind * KINDS + KINDS - 1 if up < 0 else up * KINDS + kind) * game.machine.states
        worth = 0.0
        for box in range(boxes):
            worth += control.value[np.uint64(held + game.room.state[box, 0])]
        total += control.left[np.uint64(kind)] * worth
        if kind == card:
            came = worth
    then: At = _off(shoe, at, total, came)
    return then


@part
def worths(control: Control | None, game: Game, start: Any, end: Any, boxes: int) -> None:
    """What all boxes bring, by the dealer's end."""
    if control is None:
        return
    for outcome in range(control.worth.shape[0]):
        total = np.int64(0)
        for box in range(boxes):
            total += paying.worth(game, start, box, game.room.ended[box] if boxes > 1 else end, outcome)
        control.worth[outcome] = total


@part
def dealer_drawn(control: Control | None, game: Game, shoe: Shoe, at: At, hand: Any, card: Any) -> At:
    """A card of the dealer's when the boxes are done."""
    if control is None:
        return at
    total, came = 0.0, 0.0
    for kind in range(control.left.shape[0]):
        ends = of(game.dealer.next_, hand * KINDS + kind) * PAYS
        worth = 0.0
        for outcome in range(control.worth.shape[0]):
            worth += control.law[np.uint64(ends + outcome)] * control.worth[np.uint64(outcome)]
        total += control.left[np.uint64(kind)] * worth
        if kind == card:
            came = worth
    then: At = _off(shoe, at, total, came)
    return then


@part
def kept(control: Control | None, game: Game, boxes: int, state: Any) -> None:
    """The state of a box alone, where it is looked for when the dealer's card comes."""
    if control is None:
        return
    if boxes == 1:
        game.room.state[0, 0] = state
