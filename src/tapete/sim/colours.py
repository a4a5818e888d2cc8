"""Colours for who counts by them: no rule knows any, so a red card is like a black one in all but its tag."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tapete.sim.control import Control
from tapete.sim.dealer import Bytes
from tapete.sim.setting import Setting


def with_red(set_: Setting, kinds: Sequence[int]) -> Setting:
    """The same game with the red cards of these kinds, half of each, as kinds of their own behind the others."""
    if not kinds:
        return set_
    machine, table, control = set_.game.machine, set_.game.table, set_.game.control
    every = [*range(machine.next_.shape[1]), *kinds]
    cards = set_.cards.copy()
    for code, kind in enumerate(kinds, machine.next_.shape[1]):
        there = np.flatnonzero(cards == kind)
        cards[there[::2]] = code
    game = set_.game._replace(
        machine=machine._replace(
            next_=np.ascontiguousarray(machine.next_[:, every]),
            raised=np.ascontiguousarray(machine.raised[:, every]),
            split=np.ascontiguousarray(machine.split[:, every]),
        ),
        table=table._replace(to_dealer=table.to_dealer[every]),
        control=None if control is None else _coloured(control, cards, len(every)),
    )
    return set_._replace(game=game, cards=cards)


def _coloured(control: Control, cards: Bytes, many: int) -> Control:
    full = np.bincount(cards, minlength=many).astype(np.float64)
    return control._replace(full=full, left=full.copy())
