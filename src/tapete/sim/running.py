"""Running a simulation: blocks of rounds on as many threads as wanted, added up in their order.

The answer depends on the table, the way of playing, the seed and how many rounds are asked for, and on nothing else:
not on the number of threads, nor on whether the run was interrupted and taken up again.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Generator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Final, NamedTuple

import numpy as np

from tapete.sim import kernel
from tapete.sim.results import Tally, nothing
from tapete.sim.setting import Setting
from tapete.sim.streams import stream

BLOCK: Final = 1 << 18
"""Rounds of a block, which then goes on to the end of its shoe."""
AHEAD: Final = 2
"""Blocks that each thread may have waiting."""


class Progress(NamedTuple):
    """A run so far: the blocks from the first on that are all there, and their tally."""

    blocks: int
    tally: Tally


def block(set_: Setting, seed: int, number: int) -> Tally:
    """The tally of one block."""
    found = nothing(set_.game, set_.bet)
    state, step = stream(seed, number)
    cards = set_.cards.copy()
    marks = np.zeros(kernel.MARKS, dtype=np.int64)
    marks[kernel.LIMIT] = len(cards)
    marks[kernel.OUT] = 1  # so that the first round begins with a shuffle
    shoe = kernel.Shoe(cards, marks, np.uint64(step), True, set_.gone)  # noqa: FBT003  (shuffled)
    kernel.play(own(set_.game), shoe, np.array([state], dtype=np.uint64), BLOCK, found.books)
    return found


def own(game: kernel.Game) -> kernel.Game:
    """The game with a workplace of its own."""
    control = game.control
    if control is not None:
        control = control._replace(left=control.left.copy(), worth=control.worth.copy())
    return game._replace(room=kernel.Room(*(np.zeros_like(one) for one in game.room)), control=control)


def run(
    set_: Setting, seed: int, *, workers: int = 1, begun: Progress | None = None, enough: Callable[[Tally], bool]
) -> Generator[Progress]:
    """The run after each block, in order, until it is ``enough``; ``begun``: where an earlier one had come to."""
    so_far = begun or Progress(0, nothing(set_.game, set_.bet))
    waiting: dict[Future[Tally], int] = {}
    ready: dict[int, Tally] = {}
    numbers = itertools.count(so_far.blocks)
    with ThreadPoolExecutor(workers) as pool:
        try:
            while not enough(so_far.tally):
                while len(waiting) + len(ready) < AHEAD * workers:
                    number = next(numbers)
                    waiting[pool.submit(block, set_, seed, number)] = number
                if so_far.blocks not in ready:
                    for done in wait(waiting, return_when=FIRST_COMPLETED).done:
                        ready[waiting.pop(done)] = done.result()
                    continue
                so_far = Progress(so_far.blocks + 1, so_far.tally + ready.pop(so_far.blocks))
                yield so_far
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
