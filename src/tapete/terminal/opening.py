"""Opening: what somebody wishes to play, and the game that comes of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from tapete.errors import Refused
from tapete.rulefile import Preset
from tapete.store import Store
from tapete.terminal.game import KIND, Game

_ANOTHERS: Final = frozenset({"store.table_in_use", "store.table_closed"})
"""Another program was faster."""


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """What a command line asks for. ``preset`` is None where the table is still to be chosen."""

    preset: Preset | None = None
    names: tuple[str, ...] = ()
    bots: int | None = None
    """House bots on free boxes; None where that is still to be asked."""
    seed: int | None = None
    speed: str | None = None
    """The name of a speed; None for the face's own."""


def unfinished(store: Store, *, voided: Callable[[], object] = lambda: None) -> Game | None:
    """The oldest game of this data folder that was broken off in a round, taken up again; None if there is none.

    Games that were broken off between two rounds are closed on the way: their chips go back to their owners. So are
    those that cannot be taken up again, because their log does not agree with itself or was written by a Tapete that
    knew other rules; their round is void, every stake returns, and ``voided`` is called. Raises StoreError.
    """
    for kept in store.resumable():
        if kept.kind == KIND:
            game = _taken_up(store, kept.id, voided)
            if game is not None and game.table.playing:
                return game
            if game is not None:
                game.close()
    return None


def _taken_up(store: Store, which: int, voided: Callable[[], object]) -> Game | None:
    try:
        return Game.resume(store, which)
    except (Refused, msgspec.MsgspecError) as error:
        if isinstance(error, Refused) and error.code in _ANOTHERS:
            return None
        store.close_table(which)
        voided()
        return None
