"""Start: from nothing to the table in two keys: which table, and who plays."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual import events, work
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from tapete.errors import TapeteError
from tapete.rulecard import felt_line
from tapete.rulefile import FOUNDING, Preset, preset
from tapete.store import Store
from tapete.table import Sat, holder
from tapete.terminal.full.bets import humans
from tapete.terminal.full.dialogs import Type
from tapete.terminal.full.guard import Guard
from tapete.terminal.game import Game
from tapete.terminal.opening import Wish
from tapete.words import Words

if TYPE_CHECKING:
    from tapete.terminal.full.app import TableApp


class Start(Screen[None]):
    """The choice of a table and of a name; what the command line said already is not asked."""

    AUTO_FOCUS = ""

    def __init__(self, store: Store, wish: Wish, words: Words, guard: Guard, game: Game | None) -> None:
        super().__init__()
        self._store = store
        self._wish = wish
        self._words = words
        self._guard = guard
        self._game = game

    def compose(self) -> ComposeResult:
        """The five tables, each with what is written on its cloth."""
        with VerticalScroll(id="tables", can_focus=False):
            yield Static(Content.styled("Tapete", "bold $brass"), id="name")
            yield Static(Content(self._words.say("Which table? Press its number.")), classes="question")
            for number, one in enumerate(FOUNDING, 1):
                with Vertical(classes="choice", id=f"table-{number}"):
                    yield from self._table(number, preset(one))
            yield Static("", id="why")
            yield Static(Content(self._words.say("q leaves")), classes="hint")

    def _table(self, number: int, one: Preset) -> ComposeResult:
        title = one.title.in_(self._words.language)
        yield Static(Content.assemble((f"{number}  ", "bold $brass"), (title, "bold $paper")))
        yield Static(Content(felt_line(one.rules, self._words)), classes="cloth-line")

    def on_mount(self) -> None:
        """What is known already is not asked."""
        self._guard.moment()
        if self._game is not None or self._wish.preset is not None:
            self.settle(self._wish.preset)

    def on_key(self, event: events.Key) -> None:
        """A number takes a table."""
        if event.key == "q":
            self.app.exit("closed")
        elif event.character and event.character in "12345" and self._guard.takes(event.key, event):
            self.settle(preset(FOUNDING[int(event.character) - 1]))

    def on_click(self, event: events.Click) -> None:
        """A click on a table takes it."""
        widgets = event.widget.ancestors_with_self if event.widget is not None else ()
        named = next((one.id for one in widgets if (one.id or "").startswith("table-")), None)
        if named and self._guard.takes("click", event):
            self.settle(preset(FOUNDING[int(named.removeprefix("table-")) - 1]))

    @work(exclusive=True)
    async def settle(self, chosen: Preset | None) -> None:
        """Opens the table, asks who plays where that is not known, and sits everybody down."""
        try:
            resumed = self._game is not None
            game = self._game or Game.open(self._store, cast(Preset, chosen), seed=self._wish.seed)
            self._game = game
            if not humans(game.table):
                for name in self._wish.names:
                    self._sit(game.join(name))
                if not humans(game.table) and not await self._ask_name(game):
                    return
                self._seat_bots(game, self._wish.bots or 0)
        except TapeteError as error:
            self.query_one("#why", Static).update(Content.styled(self._words.explain(error), "$bad"))
            return
        cast("TableApp", self.app).sit_down(game, resumed=resumed)

    async def _ask_name(self, game: Game) -> bool:
        """Whether somebody has come to the table."""
        known = self._store.people()
        question = self._words.say("Who plays? Your chips are kept under this name.")
        start = known[-1].name if known else self._words.say("Player")
        typed = await self.app.push_screen_wait(Type(question, self._words, game.join, self._guard, start=start))
        if typed:
            self._sit(humans(game.table)[-1])
        return bool(typed)

    def _sit(self, name: str) -> None:
        """On the first box that is free, if one is."""
        game = cast(Game, self._game)
        free = [box for box in range(1, game.table.rules.seats_max + 1) if not holder(game.table, box)]
        if free:
            game.do(Sat(name, free[0]))

    def _seat_bots(self, game: Game, count: int) -> None:
        free = [box for box in range(1, game.table.rules.seats_max + 1) if not holder(game.table, box)]
        for box in free[:count]:
            game.seat_bot(box)
        game.bet_for_bots()
