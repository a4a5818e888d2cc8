"""Parts of the kernel that pay boxes, and what hands come to in a run."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapete.exact.boxes import BUST, RAISED
from tapete.exact.compiled import part
from tapete.exact.tree import Ints
from tapete.lookup import NATURAL, PLAYER_BLACKJACK
from tapete.sim import counter
from tapete.sim.money import PAYS, PLACES, RETIRED
from tapete.sim.world import ALONE, BLACKJACKS, BUSTS, DOUBLES, FIRST, LAID, OTHER, RETIRES, SPLITS, STAKES, Game, of


@part
def worth(game: Game, start: Any, box: int, end: Any, outcome: Any) -> Any:
    """What a box brings for a bet of one unit when the dealer ends so."""
    room, money = game.room, game.money
    if end < 0:
        return _worth_split(game, start, box, outcome)
    net = of(money.alone, (start * PLACES + end) * PAYS + outcome)
    if room.insured[box]:
        net += money.insured[0 if room.gone[box] else outcome]
    return net


@part
def _worth_split(game: Game, start: int, box: int, outcome: Any) -> Any:
    room, money = game.room, game.money
    hands, gone, laid, leading = room.hands[box], room.gone[box], np.int64(0), 0
    if gone:
        for hand in range(hands):
            end = 0 if hand >= gone else room.end[box, hand]
            laid += money.laid_other[end] if hand else money.laid[end]
        return -laid + room.insured[box] * money.insured[0]
    if game.settings.first_live and outcome == NATURAL:
        while leading < hands - 1 and room.end[box, leading] % RAISED == BUST:
            leading += 1
    net = room.insured[box] * money.insured[outcome] + (money.once[start] if outcome == NATURAL else 0)
    for hand in range(hands):
        end = room.end[box, hand]
        if hand == 0:
            net += of(money.first, (start * PLACES + end) * PAYS + outcome) if leading == 0 else -money.laid[end]
        elif hand == leading:
            net += of(money.first, (start * PLACES + end) * PAYS + outcome) * money.laid_other[0] // money.laid[0]
        else:
            net += of(money.other, (start * PLACES + end) * PAYS + outcome)
    return net


@part
def hand_counted(game: Game, box: int, end: Any, bet: Any) -> None:
    """Counts the hands of a box by their ends."""
    room = game.room
    if end >= 0:
        room.ends[ALONE, end] += 1
        counter.staked(game.counting, room, ALONE, end, bet)
        return
    gone = room.gone[box]
    for hand in range(room.hands[box]):
        end = 0 if gone and hand >= gone else room.end[box, hand]
        role = OTHER if hand else FIRST
        room.ends[role, end] += 1
        counter.staked(game.counting, room, role, end, bet)


def hands_counted(game: Game, counts: Ints) -> None:
    """Adds what hands came to, by their ends, and forgets those."""
    ends, money = game.room.ends, game.money
    staked = ends if game.counting is None else game.room.staked
    by_end, at = ends.sum(0), np.arange(ends.shape[1])
    counts[LAID] += (staked[ALONE] + staked[FIRST]) @ money.laid + staked[OTHER] @ money.laid_other
    counts[STAKES] += staked[ALONE].sum() + staked[FIRST].sum()
    counts[SPLITS] += ends[OTHER].sum()
    counts[RETIRES] += by_end[RETIRED]
    counts[DOUBLES] += by_end[RAISED:RETIRED].sum()
    counts[BUSTS] += by_end[at % RAISED == BUST].sum()
    counts[BLACKJACKS] += ends[ALONE, PLAYER_BLACKJACK]
    ends[:] = 0
    staked[:] = 0
