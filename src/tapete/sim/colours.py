"""Colours for who counts by them: no rule knows any, so a red card is like a black one in all but its tag."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tapete.sim.control import in_rows
from tapete.sim.machine import KINDS
from tapete.sim.setting import Setting


def with_red(set_: Setting, kinds: Sequence[int]) -> Setting:
    """The same game with the red cards of these kinds, half of each, as kinds of their own behind the others."""
    if not kinds:
        return set_
    game, cards = set_.game, set_.cards.copy()
    many = int(cards.max()) + 1
    for code, kind in enumerate(kinds, many):
        there = np.flatnonzero(cards == kind)
        cards[there[::2]] = code

    def wider(table: Any) -> Any:
        found = table.reshape(-1, KINDS).copy()
        found[:, many : many + len(kinds)] = found[:, list(kinds)]
        return found.ravel()

    def longer(table: Any) -> Any:
        found = table.reshape(-1, KINDS)
        return wider(np.concatenate([found, found[list(kinds)]]))

    machine, control = game.machine, game.control
    next_, dealer = wider(machine.next_), wider(game.dealer.next_)
    if control is not None:
        full, holds = np.bincount(cards).astype(np.float64), longer(control.holds)
        seen, then, his = (one.reshape(-1, KINDS) for one in (holds, next_, dealer))
        control = in_rows(control.value, control.law, seen, full, then, his, control.line, control.lines)
    game = game._replace(
        machine=machine._replace(next_=next_, split=wider(machine.split)),
        dealer=game.dealer._replace(next_=dealer),
        table=game.table._replace(start=longer(game.table.start)),
        control=control,
    )
    return set_._replace(game=game, cards=cards)
