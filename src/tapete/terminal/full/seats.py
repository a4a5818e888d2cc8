"""Seats: who sits on which box, between rounds. Each change is made at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from tapete import table as tables
from tapete.errors import BadInput, Refused, TapeteError
from tapete.store import StoreError
from tapete.table import Consented, Left, Sat, StoodUp
from tapete.terminal.full.bets import humans
from tapete.terminal.full.choices import Bar, Choice, Offer
from tapete.terminal.full.dialogs import Ask, Type
from tapete.terminal.full.guard import Guard
from tapete.terminal.game import Game
from tapete.words import Words

if TYPE_CHECKING:
    from tapete.terminal.full.app import TableApp


class Seats(ModalScreen[StoreError | None]):
    """The boxes and the people; gives the fault if the store could not keep a change."""

    AUTO_FOCUS = ""

    def __init__(self, game: Game, words: Words, guard: Guard) -> None:
        super().__init__()
        self._game = game
        self._words = words
        self._guard = guard
        self._who = (humans(game.table) or ("",))[0]

    def compose(self) -> ComposeResult:
        """The list, what may be done, and the place for a reason."""
        with Vertical(classes="dialog"):
            yield Static(Content.styled(self._words.say("People and boxes"), "bold $brass"), classes="question")
            yield Static(Content(self._words.say("A number sits down at a free box, or frees one.")), classes="hint")
            yield Bar(most=7, id="places")
            yield Static("", id="seats")
            yield Static("", id="why")
            yield Bar(most=6, id="answers")

    def on_mount(self) -> None:
        """Shows what is."""
        self._guard.moment()
        self._draw()

    def _draw(self) -> None:
        self.query_one("#places", Bar).show(self._places(), room=1)
        self.query_one("#seats", Static).update(Content("\n").join(self._people()))
        self.query_one("#answers", Bar).show(self._offers(), room=1)

    # --- what is shown

    def _places(self) -> list[Offer]:
        table, say = self._game.table, self._words.say
        boxes = [(box, tables.holder(table, box)) for box in range(1, table.rules.seats_max + 1)]
        return [Offer(f"box {box}", (str(box),), f"{box} {name or say('free')}") for box, name in boxes]

    def _people(self) -> list[Content]:
        table, amount = self._game.table, self._words.amount
        return [
            Content.styled(
                f"{'▶' if name == self._who else ' '} {name}: {amount(tables.spare(table, name))}",
                "bold $brass" if name == self._who else "$paper",
            )
            for name in humans(table)
        ]

    def _offers(self) -> tuple[Offer, ...]:
        say = self._words.say
        offers = [Offer("done", ("enter", "escape"), say("Enter Done"), main=True)]
        offers.append(Offer("add", ("a",), say("a Add a person")))
        offers.append(Offer("bot", ("b",), say("b Add a bot")))
        if len(humans(self._game.table)) > 1:
            offers.append(Offer("next", ("right", "left"), say("→ Other person")))
            offers.append(Offer("gone", ("g",), say("g {name} goes", name=self._who)))
        if self._consents():
            offers.append(Offer("consent", ("c",), say("c Take a consent back")))
        return tuple(offers)

    # --- what is done

    def on_key(self, event: events.Key) -> None:
        """A key of one of the buttons."""
        event.stop()
        named = {event.key, (event.character or "").casefold()}
        offers = (*self._places(), *self._offers())
        chosen = next((one for one in offers if named & set(one.keys)), None)
        if chosen is not None and self._guard.takes(event.key, event, again=True):
            self._do(chosen.deed)

    def on_choice_pressed(self, pressed: Choice.Pressed) -> None:
        """A button."""
        pressed.stop()
        self._do(pressed.offer.deed)

    def _do(self, deed: str) -> None:
        word, _, box = deed.partition(" ")
        self._try(lambda: self._deeds(word, int(box or 0)))

    def _try(self, deed: Callable[[], object]) -> None:
        try:
            deed()
        except StoreError as error:
            self.dismiss(error)
        except (Refused, BadInput) as error:
            self._why(error)
        else:
            self._why(None)
            self._draw()

    def _why(self, error: TapeteError | None) -> None:
        self.query_one("#why", Static).update(Content("" if error is None else self._words.explain(error)))

    def _deeds(self, word: str, box: int) -> None:
        if word == "box":
            self._toggle(box)
        elif word == "bot":
            self._seat_bot()
        elif word == "add":
            self._add()
        elif word == "next":
            people = humans(self._game.table)
            self._who = people[(people.index(self._who) + 1) % len(people)]
        elif word == "consent":
            self._take_back()
        elif word == "gone":
            self._game.do(Left(self._who))
            self._who = (humans(self._game.table) or ("",))[0]
        else:
            self._guard.saw("enter")
            self.dismiss(None)

    def _toggle(self, box: int) -> None:
        holder = tables.holder(self._game.table, box)
        if not holder:
            self._game.do(Sat(self._who, box))
        elif holder in self._game.bots():
            self._game.do(Left(holder))
        else:
            self._game.do(StoodUp(box))

    def _seat_bot(self) -> None:
        free = [
            box for box in range(1, self._game.table.rules.seats_max + 1) if not tables.holder(self._game.table, box)
        ]
        if not free:
            raise Refused("full.no_free_box")
        self._game.seat_bot(free[-1])

    def _consents(self) -> list[Consented]:
        """Who may bet on whose box because its holder agreed, as far as people here may take it back."""
        table = self._game.table
        return [one for one in table.consents if one.agrees and tables.holder(table, one.box) in humans(table)]

    def _take_back(self) -> None:
        agreed, say = self._consents()[:9], self._words.say

        def chosen(deed: str | None) -> None:
            if deed:
                one = agreed[int(deed) - 1]
                self._try(lambda: self._game.do(Consented(one.box, one.name, agrees=False)))

        told = [
            Offer(str(at), (str(at),), f"{at} " + say("{name} may bet on box {box}.", name=one.name, box=one.box))
            for at, one in enumerate(agreed, 1)
        ]
        back = Offer("", ("escape",), say("Esc Back"))
        self.app.push_screen(Ask(say("Which consent is taken back?"), (*told, back), self._guard), chosen)

    def _add(self) -> None:
        def join(name: str | None) -> None:
            if name:
                self._who = humans(self._game.table)[-1]
            self._draw()

        app = cast("TableApp", self.app)
        question = self._words.say("Who comes to the table?")
        app.push_screen(Type(question, self._words, self._game.join, self._guard), join)
