"""Opening: what somebody wishes to play, and the game that comes of it."""

from __future__ import annotations

import msgspec

from tapete.rulefile import Preset
from tapete.store import Store
from tapete.terminal.game import KIND, Game


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """What a command line asks for. ``preset`` is None where the table is still to be chosen."""

    preset: Preset | None = None
    names: tuple[str, ...] = ()
    bots: int | None = None
    """House bots on free boxes; None where that is still to be asked."""
    seed: int | None = None
    speed: str | None = None
    """The name of a speed; None for the face's own."""


def unfinished(store: Store) -> Game | None:
    """The oldest game of this data folder that was broken off in a round, taken up again; None if there is none.

    Games that were broken off between two rounds are closed on the way: their chips go back to their owners.
    """
    for kept in store.resumable():
        if kept.kind == KIND:
            game = Game.resume(store, kept.id)
            if game.table.playing:
                return game
            game.close()
    return None
