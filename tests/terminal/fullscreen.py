"""Sit at the full-screen table in a test: the real app, a real game, a store in a folder of its own.

    async def scenario(seat: Seat) -> None:
        await seat.press("3", "enter")
        assert seat.asked.legal == ("hit", "stand")

    sit(tmp_path, scenario, "home", names=("Ana",), cards="10 6 9 7")

Time stands still but for the presses: each comes a second after the last one unless ``gap`` says otherwise.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from msgspec.structs import replace
from textual.events import Event
from textual.pilot import Pilot
from textual.widgets import Static

from tapete.cards import Card
from tapete.events import Question
from tapete.rulefile import Preset, preset
from tapete.shoe import Shoe
from tapete.store import Store
from tapete.terminal.full.app import TableApp
from tapete.terminal.full.choices import Bar, Offer
from tapete.terminal.full.guard import Clock
from tapete.terminal.full.screen import TableScreen
from tapete.terminal.full.sitting import Sitting
from tapete.terminal.game import Game
from tapete.terminal.opening import Wish, unfinished
from tapete.words import words


class StillClock(Clock):
    """A clock that a test moves."""

    time = 100.0
    pressed: float | None = None
    """When the next press was made, if not now."""

    def now(self) -> float:
        return self.time

    def of(self, event: Event) -> float:  # noqa: ARG002  (as the guard calls it)
        return self.time if self.pressed is None else self.pressed


class Seat:
    """Somebody before the screen."""

    def __init__(self, app: TableApp, pilot: Pilot[str], clock: StillClock) -> None:
        self.app = app
        self.pilot = pilot
        self.clock = clock

    # --- doing

    async def press(self, *keys: str, gap: float = 1.0) -> None:
        """Presses keys, one after the other, and waits for what comes of each."""
        for key in keys:
            self.clock.time += gap
            await self.pilot.press(key)
            await self.settled()

    async def type(self, text: str) -> None:
        """Types a text and Enter into a dialog."""
        await self.press(*({".": "full_stop", ",": "comma", "-": "minus"}.get(one, one) for one in text), "enter")

    async def settled(self) -> None:
        """Waits until nothing moves any more."""
        await self.pilot.pause()
        while self._moving():
            await self.pilot.pause(0.01)
        await self.pilot.pause(0.02)

    def _moving(self) -> bool:
        return isinstance(self.app.screen, TableScreen) and self.app.screen.sitting.phase == "busy"

    async def size(self, width: int, height: int) -> None:
        """Makes the terminal larger or smaller."""
        await self.pilot.resize_terminal(width, height)
        await self.settled()

    def stack(self, cards: str) -> None:
        """Puts the named cards on top of the shoe; all others stay below them in their order."""
        for event in self.game.house.before_round(self.game.table):
            self.game.do(event)
        assert self.game.house.shoe is not None
        self.game.house.shoe = stacked(self.game.house.shoe, cards)

    # --- seeing

    @property
    def game(self) -> Game:
        assert self.app.game is not None
        return self.app.game

    @property
    def sitting(self) -> Sitting:
        """What the table's screen shows, whatever lies above it."""
        return next(one.sitting for one in self.app.screen_stack if isinstance(one, TableScreen))

    @property
    def asked(self) -> Question:
        asked = self.sitting.asked
        assert asked is not None, f"nobody is asked; phase {self.sitting.phase}"
        return asked

    def part(self, name: str) -> str:
        """The text of one part of the table."""
        screen = next(one for one in self.app.screen_stack if isinstance(one, TableScreen))
        return str(screen.query_one(name, Static).render())

    @property
    def status(self) -> str:
        return self.part("#status")

    @property
    def note(self) -> str:
        """The line below the buttons."""
        return self.part("#said")

    @property
    def results(self) -> str:
        return self.part("#results-text")

    @property
    def offers(self) -> dict[str, Offer]:
        """What is offered on the buttons, by deed."""
        screen = next(one for one in self.app.screen_stack if isinstance(one, TableScreen))
        return {offer.deed: offer for bar in screen.query(Bar) for offer in bar.offers}

    @property
    def text(self) -> str:
        """Everything on the screen, as letters."""
        strips = self.app.screen._compositor.render_strips()
        return "\n".join("".join(segment.text for segment in strip) for strip in strips)

    def bets(self) -> dict[tuple[str, int], int]:
        """The bets that lie for the coming round, in units."""
        return {(one.name, one.box): one.amount for one in self.game.table.bets}


def stacked(shoe: Shoe, cards: str) -> Shoe:
    """The shoe with these ranks (or cards, ``Kh``) on top."""
    rest, front = list(shoe.order[shoe.position :]), []
    for word in cards.split():
        at = next(at for at, one in enumerate(rest) if word in (one.rank, f"{one.rank}{one.suit}"))
        front.append(rest.pop(at))
    order: tuple[Card, ...] = (*shoe.order[: shoe.position], *front, *rest)
    return replace(shoe, order=order)


Scenario = Callable[[Seat], Awaitable[None]]


def sit(
    folder: Path,
    scenario: Scenario,
    table: str | Preset | None = "casino",
    *,
    names: tuple[str, ...] = ("Ana",),
    bots: int = 0,
    language: str = "en",
    size: tuple[int, int] = (120, 40),
    speed: str = "none",
    cards: str = "",
    seed: int = 1,
    store: Store | None = None,
) -> str | None:
    """Plays a scenario at a table; tells what became of the app: ``closed``, ``kept``, or None if it still ran."""
    chosen = preset(table) if isinstance(table, str) else table
    wish = Wish(preset=chosen, names=names, bots=bots, seed=seed, speed=speed)
    opened = store or Store(folder)

    async def run() -> str | None:
        clock = StillClock()
        app = TableApp(opened, wish, words(language), game=unfinished(opened), clock=clock)
        async with app.run_test(size=size) as pilot:
            seat = Seat(app, pilot, clock)
            await seat.settled()
            if cards:
                seat.stack(cards)
            await scenario(seat)
        return app.return_value

    try:
        return asyncio.run(run())
    finally:
        if store is None:
            opened.close()
