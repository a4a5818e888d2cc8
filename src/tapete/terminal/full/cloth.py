"""Cloth: the whole table as one widget, drawn from a sitting for the room that there is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from textual.app import ComposeResult
from textual.containers import Container, Grid, Horizontal, Vertical, VerticalScroll
from textual.content import Content, Span
from textual.geometry import Region
from textual.widgets import Static

from tapete.rulecard import felt_line
from tapete.terminal.full import faces, reading, views
from tapete.terminal.full.choices import Bar
from tapete.terminal.full.faces import Deck
from tapete.terminal.full.panels import BoxPanel, Dealer, FeltLine, ShoeLine
from tapete.terminal.full.sitting import Sitting
from tapete.terminal.full.views import BoxView

MOST_BOXES: Final = 7
ROOMY: Final = 24
"""Columns that a box should have where several lie side by side."""
STACKED: Final = 80
"""Below so many columns the boxes lie one below the other."""
LOG_BESIDE: Final = 110
"""From so many columns on the log lies beside the table."""
SHORT: Final = 22
"""Below so many rows everything is drawn small."""
TALL: Final = 34
"""From so many rows on the dealer's cards are drawn large."""


class Cloth(Vertical):
    """The table, from the title above to the keys below."""

    log_open = True

    def __init__(self, sitting: Sitting) -> None:
        super().__init__()
        self.sitting = sitting
        self._written: dict[str, tuple[str, Sequence[Span]]] = {}

    def compose(self) -> ComposeResult:
        """The parts from above to below."""
        with Container(id="head"):
            yield Static(id="top")
            yield ShoeLine(id="shoe")
        with Horizontal(id="middle"):
            with Vertical(id="felt"):
                yield Dealer(id="dealer")
                yield FeltLine(id="felt-line")
                with VerticalScroll(id="boxes", can_focus=False), Grid(id="grid"):
                    for _ in range(MOST_BOXES):
                        yield BoxPanel()
            with VerticalScroll(id="log", can_focus=False):
                yield Static(id="log-text")
        with VerticalScroll(id="results", can_focus=False):
            yield Static(id="results-text")
        yield Static(id="status")
        with Vertical(id="desk"):
            yield Bar(most=8, id="rail")
            yield Bar(most=12, id="moves")
        yield Static(id="said")
        yield Static(id="hints")

    def on_resize(self) -> None:
        """Everything finds its new place."""
        self.draw()

    # --- drawing

    def draw(self) -> None:
        """Shows the sitting as it is now."""
        self.set_class(self.sitting.phase == "over", "-over")
        self._draw_top()
        self._draw_boxes()
        self._draw_log()
        self._draw_results()
        self._draw_desk()

    def _write(self, where: str, text: str, style: str = "") -> None:
        self._show(where, Content.styled(text, style))

    def _show(self, where: str, content: Content) -> None:
        """Writes what is not there already."""
        if self._written.get(where) != (content.plain, content.spans):
            self._written[where] = (content.plain, content.spans)
            self.query_one(where, Static).update(content)

    def _draw_top(self) -> None:
        seat = self.sitting
        self._write("#top", seat.title(short=self.size.width < STACKED), "bold $paper")
        self.query_one(FeltLine).show(felt_line(seat.game.table.rules, seat.words))
        self.query_one(ShoeLine).show(views.shoe_view(seat.game.table, seat.game.house.shoe), seat.words)
        self.query_one(Dealer).show(seat.dealer, self._deck(), most=self._dealer_cards(), name=seat.words.say("Dealer"))

    def _deck(self) -> Deck:
        backs = self.sitting.game.table.rules.back_colours is not None
        return Deck(four_colours=self.sitting.four_colours, backs=backs)

    def _dealer_cards(self) -> faces.Size:
        if self.size.height < SHORT:
            return faces.SMALL
        return faces.LARGE if self.size.height >= TALL and self.size.width >= STACKED else faces.MIDDLE

    def _draw_boxes(self) -> None:
        shown = self.sitting.boxes
        self._arrange(len(shown))
        for at, panel in enumerate(self.query(BoxPanel)):
            panel.display = at < len(shown)
            if at < len(shown):
                panel.show(shown[at], self._deck(), self.sitting.words, most=self._box_cards(shown, at))
        self.call_after_refresh(self.reveal)

    def _box_cards(self, shown: Sequence[BoxView], at: int) -> faces.Size:
        """How large a box's cards may be: where boxes are stacked, only a single box of one's own is drawn large."""
        height, count = self.size.height, len(shown)
        if self.size.width < STACKED:
            alone = shown[at].mine and sum(one.mine for one in shown) == 1
            return faces.MIDDLE if alone and height >= SHORT else faces.SMALL
        if height < SHORT or (height < 30 and count > 3):
            return faces.SMALL
        return faces.LARGE if height >= TALL and count <= 3 else faces.MIDDLE

    def _arrange(self, count: int) -> None:
        """Columns of boxes: one below 80 cells, else as many as have room, in rows of equal length."""
        width = self.query_one("#boxes").size.width or self.size.width
        most = 1 if self.size.width < STACKED else max(1, width // ROOMY)
        rows = -(-max(1, count) // most)
        self.query_one("#grid", Grid).styles.grid_size_columns = -(-max(1, count) // rows)

    def reveal(self) -> None:
        """Scrolls to the hand whose turn it is."""
        boxes = self.query_one("#boxes", VerticalScroll)
        if self.sitting.phase == "over":
            boxes.scroll_home(animate=False, force=True)
        for panel in self.query(BoxPanel):
            if panel.display and panel.view.active:
                boxes.scroll_to_region(self._spot(panel, boxes.size.height), animate=False, force=True)

    @staticmethod
    def _spot(panel: BoxPanel, room: int) -> Region:
        """The whole box if it has room, else the hand in turn."""
        at = panel.virtual_region
        if at.height <= room:
            return at
        first, count = panel.active_lines
        return Region(at.x, at.y + first, at.width, min(count, room))

    @property
    def has_room_for_log(self) -> bool:
        """Whether the log can lie beside the table."""
        return self.size.width >= LOG_BESIDE

    def _draw_log(self) -> None:
        log = self.query_one("#log", VerticalScroll)
        log.display = self.log_open and self.has_room_for_log
        if log.display:
            text = reading.log_text(self.sitting.steps, self.sitting.words)
            self._show("#log-text", text)
            self.call_after_refresh(log.scroll_end, animate=False)

    def _draw_results(self) -> None:
        over = self.query_one("#results", VerticalScroll)
        over.display = self.sitting.phase == "over"
        if over.display:
            text = reading.results(self.sitting.game.table, self.sitting.words)
            self._show("#results-text", text)
            self.call_after_refresh(self._tell_scrolling)

    def _tell_scrolling(self) -> None:
        if self.query_one("#results", VerticalScroll).max_scroll_y > 0:
            self.note(self.sitting.words.say("↑ ↓ scroll the results."))

    def _draw_desk(self) -> None:
        seat = self.sitting
        self._write("#status", seat.status())
        chips, moves = seat.offers()
        room = self.query_one("#desk").content_size.height
        self.query_one("#rail", Bar).show(chips, room=1)
        self.query_one("#moves", Bar).show(moves, room=1 if seat.phase == "bets" else room)
        self._write("#hints", seat.words.say("? help · j log · g rules · q leave"))

    def note(self, text: str, *, bad: bool = False) -> None:
        """Says something in the line below the buttons."""
        self._write("#said", text, "$bad" if bad else "$paper")

    def scroll(self, key: str) -> None:
        """Scrolls what there is to read: the results, else the boxes."""
        name = "#results" if self.query_one("#results").display else "#boxes"
        part = self.query_one(name, VerticalScroll)
        moves: dict[str, Callable[[], None]] = {
            "up": lambda: part.scroll_up(animate=False),
            "down": lambda: part.scroll_down(animate=False),
            "pageup": lambda: part.scroll_page_up(animate=False),
            "pagedown": lambda: part.scroll_page_down(animate=False),
        }
        moves[key]()
