"""The full-screen table: dealer above, boxes below, on one game with the plain mode."""

from __future__ import annotations

from tapete.store import Store
from tapete.table import person
from tapete.terminal.full.app import CLOSED, TableApp
from tapete.terminal.full.bets import humans
from tapete.terminal.opening import Wish, unfinished
from tapete.words import Words

__all__ = ["TableApp", "play"]


def play(store: Store, wish: Wish, words: Words) -> None:
    """Plays until somebody leaves. A round that was broken off goes on first; a round that is left is kept.

    Raises StoreError if the chips could not go back to their owners at the end; they do at the next start then.
    """
    app = TableApp(store, wish, words, game=unfinished(store))
    left = app.run()
    if app.game is None:
        return
    if app.game.table.playing:
        print(app.words.say("The round is kept. It goes on at the next start."))
        return
    if left != CLOSED:
        app.game.close()
    for name in humans(app.game.table):
        chips = person(app.game.table, name).chips
        print(app.words.say("{name} leaves with {chips:chips} chips.", name=name, chips=chips))
