"""The full-screen table: dealer above, boxes below, on one game with the plain mode."""

from __future__ import annotations

from tapete.store import Store
from tapete.terminal.full.app import CLOSED, TableApp
from tapete.terminal.opening import Wish, unfinished
from tapete.words import Words

__all__ = ["TableApp", "play"]


def play(store: Store, wish: Wish, words: Words) -> None:
    """Plays until somebody leaves. A round that was broken off goes on first; a round that is left is kept."""
    app = TableApp(store, wish, words, game=unfinished(store))
    left = app.run()
    if left != CLOSED and app.game is not None and app.game.table.playing:
        print(app.words.say("The round is kept. It goes on at the next start."))
