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
from tapete.store.people import tidy_name
from tapete.table import Sat, boxes_of
from tapete.terminal.full.dialogs import Type
from tapete.terminal.full.guard import Guard
from tapete.terminal.full.sitting import other_language
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
            yield Static(Content(self._words.say("e español · q leaves")), classes="hint")

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
        elif event.key == "e":
            app = cast("TableApp", self.app)
            app.words = self._words = other_language(self._words)
            self.refresh(recompose=True)
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
        """Asks who plays where that is not known, opens the table, and sits everybody down."""
        game, resumed = self._game, self._game is not None
        names = self._wish.names or (() if resumed else await self._ask_name())
        if not names and not resumed:
            return
        try:
            game = game or self._open(cast(Preset, chosen), names)
        except TapeteError as error:
            self.query_one("#why", Static).update(Content.styled(self._words.explain(error), "$bad"))
        else:
            cast("TableApp", self.app).sit_down(game, resumed=resumed)

    async def _ask_name(self) -> tuple[str, ...]:
        """Who plays; nobody if the question was left."""
        known = self._store.people()
        question = self._words.say("Who plays? Your chips are kept under this name.")
        start = known[-1].name if known else self._words.say("Player")
        typed = await self.app.push_screen_wait(Type(question, self._words, tidy_name, self._guard, start=start))
        return (typed,) if typed else ()

    def _open(self, chosen: Preset, names: tuple[str, ...]) -> Game:
        """The table with everybody on a box of their own, as far as there are boxes, and the bots."""
        game = Game.open(self._store, chosen, seed=self._wish.seed)
        boxes = iter(range(1, chosen.rules.seats_max + 1))
        for name in names:
            come = game.join(name)
            if (box := next(boxes, None)) is not None and not boxes_of(game.table, come):
                game.do(Sat(come, box))
        for box in list(boxes)[: self._wish.bots or 0]:
            game.seat_bot(box)
        game.bet_for_bots()
        return game
