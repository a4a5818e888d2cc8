"""Parts of the kernel that count cards. What stands behind ``is None`` falls away where nobody counts."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapete.exact.compiled import part
from tapete.exact.tree import Ints
from tapete.sim.count import (
    FLAT,
    FLAT_SQUARES,
    LEVELS,
    NEAREST,
    PLAYED,
    SEEN,
    STAKED,
    TRUNCATE,
    WIDE,
    WON,
    WON_SQUARES,
    Counting,
)
from tapete.sim.world import COUNT, INSIDE, INSURANCE, RETIREMENT, At, Books, Game, Room, Shoe, of


@part
def true_count(counting: Counting | None, at: At, hidden: int) -> Any:
    """The true count as a whole number; ``hidden`` cards are out and unseen."""
    if counting is None:
        return 0
    return _level(counting, at.count, at.limit - at.place + hidden)


@part
def _level(counting: Counting, count: Any, unseen: Any) -> Any:
    """The level of a running count. Counted from the lowest on there is no sign, which spares the division tests."""
    over, under = count * counting.unit, of(counting.parts, unseen)
    if counting.rounding == NEAREST:
        over, under = 2 * over + under, 2 * under
    above, part_ = np.uint64(max(over + LEVELS * under, 0)), np.uint64(under)
    level = above // part_
    if counting.rounding == TRUNCATE and level < np.uint64(LEVELS) and level * part_ != above:
        level += np.uint64(1)
    return np.int64(min(level, np.uint64(2 * LEVELS))) - LEVELS


@part
def bet_at(counting: Counting | None, level: Any, marks: Ints) -> Any:
    """The units on each box."""
    if counting is None:
        return 1
    if level >= counting.enter:
        marks[INSIDE] = 1
    elif level < counting.leave:
        marks[INSIDE] = 0
    return of(counting.bets, level + LEVELS) * marks[INSIDE]


@part
def seen(counting: Counting | None, shoe: Shoe, at: At, card: Any, fresh: bool) -> At:  # noqa: FBT001
    """The running count with one more card; ``fresh``: the cards of earlier rounds have just been shuffled."""
    if counting is None:
        return at
    count = of(counting.tags, card) + at.count
    if fresh:
        count += counting.begin - shoe.marks[COUNT]
    return At(at.place, at.limit, at.state, count, at.last, at.off)


@part
def shown(counting: Counting | None, at: At, card: Any) -> At:
    """The running count with a card that was out already, and is turned up."""
    if counting is None:
        return at
    return At(at.place, at.limit, at.state, at.count + of(counting.tags, card), at.last, at.off)


@part
def planned(counting: Counting | None, game: Game, at: At, move: Any) -> Any:
    """A move at the count of the moment; who has no count has no plans."""
    if counting is None:
        return move
    if move < game.machine.planned:
        return move
    return _plan(game, move, true_count(counting, at, game.settings.second == 1))


@part
def before(counting: Counting | None, game: Game, move: Any, when: int) -> Any:
    """A move at the count when insurances were asked for, or when hands retired."""
    if counting is None:
        return move
    if move < game.machine.planned:
        return move
    levels = game.room.levels
    return _plan(game, move, _level(counting, levels[2 * when], levels[2 * when + 1]))


@part
def _plan(game: Game, move: Any, level: Any) -> Any:
    return of(game.machine.plans, (move - game.machine.planned) * WIDE + level + LEVELS)


@part
def asked(counting: Counting | None, game: Game, at: At) -> None:
    """The count when insurances are asked for, and when hands retire unless that was before the dealer's card."""
    if counting is None:
        return
    _kept(game, INSURANCE, at, game.settings.second == 1)
    if game.settings.up_between:
        _kept(game, RETIREMENT, at, game.settings.second == 1)


@part
def alone(counting: Counting | None, game: Game, at: At) -> None:
    """The count when hands retire, where that is before the dealer's card."""
    if counting is None:
        return
    _kept(game, RETIREMENT, at, 0)


@part
def _kept(game: Game, when: int, at: At, hidden: int) -> None:
    """Keeps the count of a moment, and of how many cards; most rounds never ask for it."""
    game.room.levels[2 * when], game.room.levels[2 * when + 1] = at.count, at.limit - at.place + hidden


@part
def noted(
    counting: Counting | None, books: Books, level: Any, bet: Any, boxes: int, total: Any, corrected: float,
) -> None:  # fmt: skip
    """Writes a round into the books by its level."""
    if counting is None:
        return
    row, sums = books.by_level, books.level_sums
    at = np.uint64(level + LEVELS)
    row[at, SEEN] += 1
    row[at, PLAYED] += bet > 0
    row[at, STAKED] += bet * boxes
    row[at, FLAT] += total
    row[at, FLAT_SQUARES] += total * total
    row[at, WON] += bet * total
    row[at, WON_SQUARES] += bet * total * bet * total
    sums[at, 0] += corrected
    sums[at, 1] += corrected * corrected


@part
def nothing_seen(counting: Counting | None) -> Any:
    """The running count after a shuffle."""
    if counting is None:
        return np.int64(0)
    return np.int64(counting.begin)


@part
def staked(counting: Counting | None, room: Room, role: int, end: Any, bet: Any) -> None:
    """Counts the units bet on a hand by its end."""
    if counting is None:
        return
    room.staked[role, end] += bet
