"""Choices: the buttons of the action bar. They keep their places; what is not allowed is faded and says why."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from textual import events
from textual.containers import Container
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from tapete.terminal.full.look import CHIP_COLOURS, CHIP_EDGES


class Offer(msgspec.Struct, frozen=True):
    """One thing that may be done now: its name, how it is shown, and why not (empty when it may)."""

    deed: str
    keys: tuple[str, ...]
    """The keys that mean it, as Textual names them."""
    label: str
    reason: str = ""
    chip: int = -1
    """Which chip it is, in order of value, -1 for no chip."""
    main: bool = False


class Choice(Widget, can_focus=True):
    """One button."""

    class Pressed(Message):
        """A button was pressed, by mouse or while it had the focus."""

        def __init__(self, offer: Offer, cause: events.Event) -> None:
            super().__init__()
            self.offer = offer
            self.cause = cause

    class Noticed(Message):
        """A button has the focus or the mouse over it: its reason is of interest."""

        def __init__(self, offer: Offer) -> None:
            super().__init__()
            self.offer = offer

    offer = Offer("", (), "")

    def show(self, offer: Offer | None) -> None:
        """Is this button from now on; None leaves its place empty."""
        self.display = offer is not None
        if offer is None or offer == self.offer:
            return
        self.offer = offer
        self.set_class(bool(offer.reason), "-faded")
        self.set_class(offer.main, "-main")
        self.tooltip = offer.reason or None
        self.refresh()

    def render(self) -> Content:
        """The label; a chip with its colour, its edge and its number."""
        key, _, rest = self.offer.label.partition(" ")
        faded = bool(self.offer.reason)
        lead = (f"{key} ", "bold $brass" if not faded and not self.offer.main else "")
        if self.offer.chip < 0:
            return Content.assemble(lead, rest)
        edge = CHIP_EDGES[self.offer.chip % len(CHIP_EDGES)]
        ink, ground = CHIP_COLOURS[self.offer.chip % len(CHIP_COLOURS)]
        return Content.assemble(lead, (f"{edge}{rest}{edge}", "" if faded else f"bold {ink} on {ground}"))

    def on_click(self, event: events.Click) -> None:
        """A click presses."""
        event.stop()
        self.post_message(self.Pressed(self.offer, event))

    def on_key(self, event: events.Key) -> None:
        """Enter or space presses the button that has the focus."""
        if event.key in ("enter", "space"):
            event.stop()
            self.post_message(self.Pressed(self.offer, event))

    def on_focus(self) -> None:
        """Says why it is faded."""
        self.post_message(self.Noticed(self.offer))

    def on_enter(self) -> None:
        """Says why it is faded."""
        self.post_message(self.Noticed(self.offer))


class Bar(Container):
    """A row of buttons that wraps into as many rows as it needs."""

    def __init__(self, *, most: int, id: str) -> None:  # noqa: A002  (Textual's own name)
        super().__init__(*(Choice() for _ in range(most)), id=id)
        self.offers: tuple[Offer, ...] = ()
        self.room = 0
        self._shape = (0, 0)

    def show(self, offers: Sequence[Offer], *, room: int) -> None:
        """Offers these from now on, in so many rows of cells at most."""
        if (tuple(offers), room) == (self.offers, self.room):
            return
        self.offers, self.room = tuple(offers), room
        buttons = list(self.query(Choice))
        for at, button in enumerate(buttons):
            button.show(offers[at] if at < len(offers) else None)
        self.display = bool(offers)
        self.fit()

    def fit(self) -> None:
        """As many columns as there is room for, in rows of equal length; the buttons as high as that leaves."""
        count, width = max(1, len(self.offers)), self.size.width or self.container_size.width or 80
        longest = max((len(one.label) + 2 * (one.chip >= 0) for one in self.offers), default=1)
        columns = max(1, min(count, (width + 1) // (longest + 1)))
        rows = -(-count // columns)
        shape = (-(-count // rows), max(1, min(3, self.room // rows)))
        if shape != self._shape:
            self._shape = shape
            self._arrange(*shape)

    def _arrange(self, columns: int, height: int) -> None:
        """Rows lie close together; every other one is of a darker colour, so that they are told apart."""
        self.styles.grid_size_columns = columns
        self.styles.grid_rows = str(height)
        for at, button in enumerate(self.query(Choice)):
            button.styles.height = height
            button.set_class(at // columns % 2 == 1, "-odd")

    def on_resize(self) -> None:
        """The columns follow the width."""
        self.fit()
