"""Drawing from a shoe, as a part of the kernel."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from tapete.exact.compiled import part
from tapete.exact.tree import Ints
from tapete.sim.world import BEGAN, NOTHING, OUT, At, Shoe

_MULTIPLIER: Final = np.uint64(6364136223846793005)
_U32: Final = np.uint64(0xFFFFFFFF)
_TURNS: Final = np.uint64(1 << 32)


@part
def draw(shoe: Shoe, at: At) -> tuple[Any, At]:
    """The next card, brought to its place from those behind it; the generator is PCG32."""
    place, limit, state = at.place, at.limit, at.state
    if place == limit:
        place, limit = _again(shoe.marks, limit)
        if place == limit:
            return np.int64(0), At(place, limit, state, at.count, at.last, at.off)
    here = np.uint64(place)
    card = shoe.cards[here]
    if shoe.shuffled:
        many = np.uint64(limit) - here
        while True:
            old = state
            state = old * _MULTIPLIER + shoe.step
            mixed = (((old >> np.uint64(18)) ^ old) >> np.uint64(27)) & _U32
            turned = (mixed | mixed << np.uint64(32)) >> (old >> np.uint64(59))
            wide = (turned & _U32) * many
            low = wide & _U32
            if low >= many or low >= _TURNS % many:
                break
        other = here + (wide >> np.uint64(32))
        card, shoe.cards[other] = shoe.cards[other], card
        shoe.cards[here] = card
    found: Any = np.int64(card)
    return found, At(place + shoe.gone, limit, state, at.count, found, at.off)


@part
def _again(marks: Ints, limit: int) -> tuple[int, int]:
    """Where to draw on when the shoe has run out: among the cards of earlier rounds, or nowhere."""
    if marks[OUT] or marks[BEGAN] == 0:
        marks[OUT] = 1
        marks[NOTHING] = 1
        return limit, limit
    marks[OUT] = 1
    return 0, marks[BEGAN]
