"""The app around the table: its themes, its style sheet, and the ways to leave it."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path
from typing import ClassVar, Final

from textual.app import App
from textual.binding import Binding, BindingType

from tapete.store import Store
from tapete.terminal.full.guard import Clock, Guard
from tapete.terminal.full.look import FELT, SLATE, THEMES
from tapete.terminal.full.screen import TableScreen
from tapete.terminal.full.sitting import Sitting
from tapete.terminal.full.start import Start
from tapete.terminal.game import Game
from tapete.terminal.opening import Wish
from tapete.words import Words

CLOSED: Final = "closed"
KEPT: Final = "kept"
"""What became of the game when the app ends."""


class TableApp(App[str]):
    """The full-screen face. ``game`` is None where a table is still to be chosen."""

    TITLE = "Tapete"
    CSS_PATH = Path(__file__).with_name("table.tcss")
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (80, "-normal"), (110, "-wide")]  # noqa: RUF012  (as Textual declares it)
    VERTICAL_BREAKPOINTS = [(0, "-short"), (22, "-middle"), (34, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c,ctrl+q", "leave", show=False, priority=True)]

    def __init__(self, store: Store, wish: Wish, words: Words, *, game: Game | None = None, clock: Clock | None = None):
        super().__init__()
        self.store = store
        self.wish = wish
        self.words = words
        self.game = game
        self.guard = Guard(clock or Clock())
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = FELT

    def on_mount(self) -> None:
        """To the table, or to the choice of one."""
        if not self.is_headless:
            self._mind_signals()
        self.push_screen(Start(self.store, self.wish, self.words, self.guard, self.game))

    def sit_down(self, game: Game, *, resumed: bool) -> None:
        """Everybody is seated: the table is shown."""
        self.game = game
        sitting = Sitting(game, self.words, speed=self.wish.speed or "normal")
        self.switch_screen(TableScreen(sitting, self.guard, resumed=resumed))

    def _mind_signals(self) -> None:
        """Whoever ends the program from outside leaves as with Ctrl-C: what has been kept is kept."""
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            if hasattr(signal, name):
                asyncio.get_running_loop().add_signal_handler(getattr(signal, name), self.leave)

    @property
    def moves_on(self) -> bool:
        """Whether another table was asked for than the one at which a round had been broken off."""
        wished, game = self.wish.preset, self.game
        return wished is not None and game is not None and wished.rules != game.preset.rules

    def move_on(self) -> None:
        """Closes the table of the broken-off round and goes to the one that was asked for. Raises StoreError."""
        if self.game is not None:
            self.game.close()
        self.game = None
        self.switch_screen(Start(self.store, self.wish, self.words, self.guard, None))

    def change_cloth(self) -> None:
        """Green felt, or slate."""
        self.theme = SLATE if self.theme == FELT else FELT

    def quit_table(self) -> None:
        """Leaves as ``q`` means it: between rounds all chips go back to their owners. Raises StoreError."""
        if self.game is not None and not self.game.table.playing:
            self.game.close()
            self.exit(CLOSED)
        else:
            self.leave()

    def leave(self) -> None:
        """Leaves at once; what is kept goes on next time."""
        self.exit(KEPT)

    def action_leave(self) -> None:
        """Ctrl-C."""
        self.leave()
