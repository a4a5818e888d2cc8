"""The screen of a table: which key means what now, the dialogs, and the rhythm of the cards."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, cast

from textual import events, work
from textual.app import ComposeResult
from textual.content import Content
from textual.screen import Screen

from tapete import money
from tapete.errors import BadInput, Refused
from tapete.events import Question
from tapete.store import StoreError
from tapete.table import holder
from tapete.terminal.desk import YES
from tapete.terminal.full import reading
from tapete.terminal.full.bets import Place, humans
from tapete.terminal.full.choices import Choice, Offer
from tapete.terminal.full.cloth import Cloth
from tapete.terminal.full.dialogs import Ask, Read, Type
from tapete.terminal.full.guard import Guard, key_of
from tapete.terminal.full.seats import Seats
from tapete.terminal.full.sitting import BEATS, SPEEDS, Sitting, other_language
from tapete.terminal.keys import word_of

if TYPE_CHECKING:
    from tapete.terminal.full.app import TableApp

SCROLLS: Final = ("up", "down", "pageup", "pagedown")
COMMON: Final[Mapping[str, str]] = MappingProxyType(
    {
        "?": "help", "f1": "help", "g": "rules", "f2": "rules", "j": "log", "f3": "log", "k": "suits", "f4": "suits",
        "v": "speed", "f5": "speed", "e": "language", "f6": "language", "y": "cloth", "f7": "cloth", "q": "quit",
    }
)  # fmt: skip
"""The keys that mean the same in every phase; none is the letter of an answer in any language."""


class TableScreen(Screen[None]):
    """One table in play."""

    AUTO_FOCUS = ""

    def __init__(self, sitting: Sitting, guard: Guard, *, resumed: bool = False) -> None:
        super().__init__()
        self.sitting = sitting
        self.guard = guard
        self.cloth = Cloth(sitting)
        self._hurry = False
        self._resumed = resumed

    def compose(self) -> ComposeResult:
        """The cloth is all there is."""
        yield self.cloth

    def on_mount(self) -> None:
        """Takes the game up where it stands."""
        self.go_on()

    @property
    def table_app(self) -> TableApp:
        """The app, as what it is."""
        return cast("TableApp", self.app)

    # --- the rhythm of the cards

    @work(exclusive=True, group="house")
    async def go_on(self) -> None:
        """Lets the house and the bots act until people must, one thing at a time."""
        self._hurry = False
        try:
            self.cloth.draw()
            while self.sitting.advance() is not None:
                await self._beat()
        except StoreError as error:
            self.fault(error)
            return
        self.guard.moment()
        self.set_focus(None)
        self.cloth.draw()
        self.cloth.note(self._news())

    def _news(self) -> str:
        if self._resumed:
            self._resumed = False
            return self.sitting.words.say("Here a round was broken off. It goes on now.")
        return self.sitting.last_words()

    async def _beat(self) -> None:
        if self.sitting.phase == "busy" and not self._hurry and BEATS[self.sitting.speed]:
            self.cloth.draw()
            self.cloth.note(self.sitting.last_words())
            await asyncio.sleep(BEATS[self.sitting.speed])

    # --- keys and buttons

    def on_key(self, event: events.Key) -> None:
        """A key that no widget took."""
        named = {event.key, (event.character or "").casefold()} - {""}
        if event.key in SCROLLS:
            self.cloth.scroll(event.key)
        elif self.sitting.phase == "busy" and not named & set(COMMON):
            self.guard.saw(event.key)
            self._hurry = True
        elif self.sitting.phase == "bets" and event.key in ("left", "right"):
            self.sitting.bets.go(1 if event.key == "right" else -1)
            self.cloth.draw()
        else:
            self._key(event, named)

    def _key(self, event: events.Key, named: set[str]) -> None:
        chips, moves = self.sitting.offers()
        offer = next((one for one in (*chips, *moves) if named & set(one.keys)), None)
        common = next((COMMON[name] for name in named if name in COMMON), None)
        if offer is not None:
            self.choose(offer, event)
        elif common is not None:
            self._common(common)
        elif event.is_printable or event.key in ("enter", "escape", "backspace", "delete"):
            say, key = self.sitting.words.say, event.character or event.key
            self.cloth.note(
                say("“{key}” means nothing here; nothing was decided. ? shows the keys.", key=key), bad=True
            )

    def on_choice_pressed(self, pressed: Choice.Pressed) -> None:
        """A button was pressed."""
        pressed.stop()
        self.choose(pressed.offer, pressed.cause)

    def on_choice_noticed(self, noticed: Choice.Noticed) -> None:
        """A faded button says why it is faded."""
        noticed.stop()
        self.cloth.note(noticed.offer.reason)

    def choose(self, offer: Offer, cause: events.Event) -> None:
        """Does what was chosen, unless it may not be done or the key was only held."""
        say = self.sitting.words.say
        key = key_of(cause, offer.deed)
        again = self.sitting.phase == "bets" and (offer.chip >= 0 or offer.deed == "undo")
        if not self.guard.takes(key, cause, again=again):
            self.cloth.note(say("That key was still held, or came too soon: it answered nothing. Press it again."))
        elif offer.reason:
            self.cloth.note(offer.reason, bad=True)
        else:
            self.cloth.note("")
            self._do(offer.deed)

    # --- deeds

    def _do(self, deed: str) -> None:
        dialogs: dict[str, Callable[[], object]] = {
            "amount": self.type_amount,
            "people": self.show_seats,
            "back": self.back_a_box,
            "refill": self.refill,
        }
        if deed in dialogs:
            dialogs[deed]()
        elif self.sitting.phase == "asks":
            self.attempt(lambda: self.sitting.decide(deed))
        elif self.sitting.phase == "over" and self.table_app.moves_on:
            self.attempt(self.table_app.move_on)
        elif self.sitting.phase == "over":
            self.attempt(lambda: self.sitting.sweep("" if deed == "go on" else deed))
        else:
            self.attempt(lambda: self.sitting.bet(deed))

    def attempt(self, deed: Callable[[], object]) -> None:
        """Does it and shows what came of it; a refusal is said, a fault of the store has its dialog."""
        before = self.sitting.phase
        try:
            deed()
        except StoreError as error:
            self.fault(error)
        except (Refused, BadInput) as error:
            self.cloth.note(self.sitting.words.explain(error), bad=True)
        if self.sitting.phase == "busy":
            self.go_on()
            return
        if self.sitting.phase != before:
            self.guard.moment()
        self.cloth.draw()

    @work
    async def fault(self, error: StoreError) -> None:
        """Says what the store could not do. The game stands as it was, here and on the disk."""
        say = self.sitting.words.say
        text = f"{self.sitting.words.explain(error)}\n\n"
        text += say("The game stands exactly as you see it, and nothing was lost.")
        again = Offer("again", ("1", "enter"), say("1 Try again"), main=True)
        leave = Offer("leave", ("q", "0"), say("q Leave; the game goes on next time"))
        chosen = await self.app.push_screen_wait(Ask(text, (again, leave), self.guard))
        if chosen == "leave":
            self.table_app.leave()
        elif self.sitting.phase == "busy":
            self.go_on()
        else:
            self.cloth.draw()

    @work
    async def type_amount(self) -> None:
        """An amount to type: of an insurance, else of a bet."""
        asked, say = self.sitting.asked, self.sitting.words.say
        if asked is not None:
            text = say(
                "Insurance: how much? From {least:chips} to {most:chips}, in steps of {step:chips}.",
                least=asked.least, most=asked.most, step=asked.step,
            )  # fmt: skip
            typed = await self._type(text, lambda typed: _insurable(asked, money.units(typed)))
            if typed:
                self.attempt(lambda: self.sitting.decide("insure", money.units(typed)))
            return
        place = self.sitting.bets.place
        if place is not None:
            text = say("{name}, box {box}: how much do you bet?", name=place.name, box=place.box)
            await self._type(text, lambda typed: self.sitting.bets.set(money.units(typed)))
            self.cloth.draw()

    async def _type(self, text: str, check: Callable[[str], object]) -> str:
        return await self.app.push_screen_wait(Type(text, self.sitting.words, check, self.guard))

    @work
    async def show_seats(self) -> None:
        """Who sits where."""
        fault = await self.app.push_screen_wait(Seats(self.sitting.game, self.sitting.words, self.guard))
        self.guard.moment()
        if fault is not None:
            self.fault(fault)
        else:
            self.attempt(self.sitting.game.bet_for_bots)

    @work
    async def refill(self) -> None:
        """New chips for who has none left, after asking."""
        place, say = self.sitting.bets.place, self.sitting.words.say
        if place is None:
            return
        text = say("{name}, your chips are gone. Start again with new ones?", name=place.name)
        if await self._agreed(text):
            self.attempt(self.sitting.refill)

    async def _agreed(self, text: str) -> bool:
        words = self.sitting.words
        letter = YES[words.language][0]
        yes = Offer("yes", ("1", letter), words.say("1 Yes ({key})", key=letter))
        no = Offer("no", ("0", "n"), f"0 {word_of('no', words)} (n)")
        return await self.app.push_screen_wait(Ask(text, (yes, no), self.guard)) == "yes"

    @work
    async def back_a_box(self) -> None:
        """Bets on another's box: whose, by whom, and whether the holder agrees."""
        game, say = self.sitting.game, self.sitting.words.say
        who = await self._pick_person()
        boxes = self.sitting.bets.backable(who) if who else ()
        if not boxes:
            return
        told = [Offer(str(box), (str(box),), f"{box} {holder(game.table, box)}") for box in boxes]
        back = Offer("", ("escape",), say("Esc Back"))
        text = say("{name}: behind which box do you bet?", name=who)
        chosen = await self.app.push_screen_wait(Ask(text, (*told, back), self.guard))
        if chosen:
            await self._behind(Place(who, int(chosen)))

    async def _pick_person(self) -> str:
        people, say = self.sitting.bets.backers, self.sitting.words.say
        if len(people) == 1:
            return people[0]
        told = [Offer(name, (str(at),), f"{at} {name}") for at, name in enumerate(people[:9], 1)]
        return await self.app.push_screen_wait(Ask(say("Who bets on another’s box?"), told, self.guard))

    async def _behind(self, place: Place) -> None:
        owner = holder(self.sitting.game.table, place.box)
        say = self.sitting.words.say
        if self.sitting.bets.needs_consent(place) and owner in humans(self.sitting.game.table):
            text = say("{holder}: may {name} bet on your box {box}?", holder=owner, name=place.name, box=place.box)
            if not await self._agreed(text):
                self.cloth.note(say("{holder} does not agree.", holder=owner))
                return
        self.attempt(lambda: self.sitting.bets.back(place))

    # --- what every phase knows

    def _common(self, deed: str) -> None:
        {
            "help": self.show_help,
            "rules": self.show_rules,
            "log": self.toggle_log,
            "suits": self.toggle_suits,
            "speed": self.change_speed,
            "language": self.change_language,
            "cloth": self.table_app.change_cloth,
            "quit": self.quit,
        }[deed]()

    def _read(self, title: str, text: Content) -> None:
        self.app.push_screen(Read(title, text, self.sitting.words.say("↑ ↓ scroll, any other key closes."), self.guard))

    def show_help(self) -> None:
        """All keys."""
        self._read(self.sitting.words.say("Keys"), reading.help_text(self.sitting.words))

    def show_rules(self) -> None:
        """The rule card of the table."""
        preset = self.sitting.game.preset
        self._read(preset.title.in_(self.sitting.words.language), reading.rules_text(preset, self.sitting.words))

    def toggle_log(self) -> None:
        """Folds the log away or out; as a sheet of its own where there is no room beside the table."""
        if self.cloth.has_room_for_log:
            self.cloth.log_open = not self.cloth.log_open
            self.cloth.draw()
        else:
            self._read(self.sitting.words.say("Log"), reading.log_text(self.sitting.steps, self.sitting.words))

    def toggle_suits(self) -> None:
        """Two colours of suits, or four."""
        self.sitting.four_colours = not self.sitting.four_colours
        self.cloth.draw()

    def change_speed(self) -> None:
        """The next speed of the cards."""
        names = list(SPEEDS)
        self.sitting.speed = names[(names.index(self.sitting.speed) + 1) % len(names)]
        self.cloth.draw()

    def change_language(self) -> None:
        """The next language."""
        self.sitting.words = self.table_app.words = other_language(self.sitting.words)
        self.cloth.draw()

    def quit(self) -> None:
        """Leaves: a round is kept, and between rounds the game ends."""
        try:
            self.table_app.quit_table()
        except StoreError as error:
            self.fault(error)


def _insurable(asked: Question, amount: int) -> None:
    if not asked.least <= amount <= asked.most or (amount - asked.least) % asked.step:
        raise Refused("round.amount", amount=amount, least=asked.least, most=asked.most, step=asked.step)
