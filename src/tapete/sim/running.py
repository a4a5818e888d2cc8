"""Running a simulation: blocks of rounds on as many threads as wanted, added up in their order.

The answer depends on the table, the way of playing, the seed and how many rounds are asked for, and on nothing else:
not on who plays, threads here or workers elsewhere, nor on how many they are, nor on whether the run was interrupted
and taken up again.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from functools import partial
from typing import Final, NamedTuple, Protocol

import numpy as np

from tapete.sim import kernel, world
from tapete.sim.results import Tally, nothing
from tapete.sim.setting import Setting
from tapete.sim.streams import stream

BLOCK: Final = 1 << 18
"""Rounds of a block, which then goes on to the end of its shoe."""
AHEAD: Final = 2
"""Blocks that each thread may have waiting."""
GLIMPSE: Final = 1 << 10
"""Rounds that are played for a first look."""
MOMENT: Final = 0.1
"""Seconds after which it is told that no block has come."""


class Progress(NamedTuple):
    """A run so far: the blocks from the first on that are all there, and their tally."""

    blocks: int
    tally: Tally


class Source(Protocol):
    """Who plays the blocks: gives the tallies from the ``first`` block on, in order; None where none came just now."""

    def __call__(self, *, first: int) -> Generator[Tally | None]:
        """The tallies."""


def block(set_: Setting, seed: int, number: int) -> Tally:
    """The tally of one block."""
    return _played(set_, seed, number, BLOCK, compiled=True)


def glimpse(set_: Setting, seed: int) -> Tally:
    """The first rounds of the first block, and on to the end of their shoe, without compiled code: a first look."""
    return _played(set_, seed, 0, GLIMPSE, compiled=False)


def _played(set_: Setting, seed: int, number: int, rounds: int, *, compiled: bool) -> Tally:
    found = nothing(set_.game, set_.bet)
    state, step = stream(seed, number)
    cards = set_.cards.copy()
    marks = np.zeros(world.MARKS, dtype=np.int64)
    marks[world.LIMIT] = len(cards)
    marks[world.OUT] = 1  # so that the first round begins with a shuffle
    shoe = world.Shoe(cards, marks, np.uint64(step), True, set_.gone)  # noqa: FBT003  (shuffled)
    kernel.play(own(set_.game), shoe, np.array([state], dtype=np.uint64), rounds, found.books, compiled=compiled)
    return found


def own(game: world.Game) -> world.Game:
    """The game with a workplace of its own."""
    control = game.control
    if control is not None:
        control = control._replace(left=control.left.copy(), worth=control.worth.copy())
    return game._replace(room=world.Room(*(np.zeros_like(one) for one in game.room)), control=control)


def threads(set_: Setting, seed: int, *, first: int = 0, workers: int = 1) -> Generator[Tally | None]:
    """The tallies of the blocks from the ``first`` on, in order and without end, played by so many threads.

    None where none came for a moment.
    """
    numbers = itertools.count(first)
    with ThreadPoolExecutor(workers) as pool:
        waiting = deque(pool.submit(block, set_, seed, next(numbers)) for _ in range(AHEAD * workers))
        try:
            while True:
                if not wait([waiting[0]], MOMENT).done:
                    yield None
                    continue
                found = waiting.popleft().result()
                waiting.append(pool.submit(block, set_, seed, next(numbers)))
                yield found
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def run(
    set_: Setting,
    seed: int,
    *,
    workers: int = 1,
    begun: Progress | None = None,
    enough: Callable[[Tally], bool],
    tallies: Source | None = None,
) -> Generator[Progress]:
    """The run after each block, in order, until it is ``enough``; ``begun``: where an earlier one had come to.

    ``tallies`` says who plays, else threads do. Where they have nothing new for a moment, the run is told once more.
    """
    so_far = begun or Progress(0, nothing(set_.game, set_.bet))
    if enough(so_far.tally):
        return
    played = tallies or partial(threads, set_, seed, workers=workers)
    with closing(played(first=so_far.blocks)) as found:
        for tally in found:
            if tally is not None:
                so_far = Progress(so_far.blocks + 1, so_far.tally + tally)
            yield so_far
            if enough(so_far.tally):
                return
