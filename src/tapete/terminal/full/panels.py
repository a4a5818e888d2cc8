"""Panels: what lies on the cloth, drawn. Each widget is handed a view and draws it for the width that it has."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from tapete.cards import Card
from tapete.terminal.full import faces
from tapete.terminal.full.faces import LARGE, MIDDLE, SMALL, Deck
from tapete.terminal.full.views import BoxView, DealerView, HandView, ShoeView, Stake, shoe_text, stake_text
from tapete.words import Words
from tapete.words import words as words_of


class Drawn(Widget):
    """A widget of lines that depend on its width alone; it is as high as its lines."""

    def lines(self, width: int) -> list[Content]:
        """The lines for this width, none of them longer."""
        raise NotImplementedError

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002  (as Textual calls it)
        """As many rows as there are lines."""
        return len(self.lines(width))

    def render(self) -> Content:
        """The lines, one below the other."""
        return Content("\n").join(self.lines(self.content_size.width))


def wrapped(text: str, width: int, style: str = "") -> Iterator[Content]:
    """A text in lines of this width, long words broken."""
    for line in textwrap.wrap(text, max(1, width)):
        yield Content.styled(line, style)


def centred(line: Content, width: int) -> Content:
    """A line in the middle, its own blanks kept: they may be paper."""
    return line.pad_left(max(0, (width - line.cell_length) // 2))


def fitting(cards: tuple[Card | None, ...], within: int, *, most: faces.Size) -> faces.Size:
    """The largest size, up to ``most``, in which the cards lie in one row; the smallest if none does."""
    for size in (LARGE, MIDDLE):
        if size.height <= most.height and faces.width(len(cards), size) <= within:
            return size
    return SMALL


# --- the dealer and the shoe ----------------------------------------------------------------------------------------


class Dealer(Drawn):
    """The dealer's cards in the middle, and what they come to."""

    view = DealerView()
    deck = Deck()
    most = MIDDLE

    def show(self, view: DealerView, deck: Deck, *, most: faces.Size, name: str) -> None:
        """Draws this from now on, with cards up to this size."""
        new = (view, deck, most, name)
        if new != (self.view, self.deck, self.most, self.heading):
            self.view, self.deck, self.most, self.heading = new
            self.refresh(layout=True)

    heading = ""

    def lines(self, width: int) -> list[Content]:
        """The cards, and below them the dealer's name and total."""
        size = fitting(self.view.cards, width, most=self.most)
        drawn = list(faces.rows(self.view.cards, size, self.deck, within=width))
        room = self.most.height - len(drawn)
        text = f"{self.heading}: {self.view.total}" if self.view.total else self.heading
        told = Content.styled(text[:width], "bold $paper")
        blank = [Content("")] * max(0, room)
        return [centred(line, width) for line in (*blank, *drawn, told)]


class FeltLine(Drawn):
    """The rules printed on the cloth: in an arc where there is room for it, else in one line."""

    text = ""

    def show(self, text: str) -> None:
        """Prints this from now on."""
        if text != self.text:
            self.text = text
            self.refresh(layout=True)

    def lines(self, width: int) -> list[Content]:
        """The outer parts above, the inner ones below."""
        parts = self.text.split(" · ")
        inner = " · ".join(parts[1:-1])
        room = width - len(parts[0]) - len(parts[-1]) - len(inner)
        if len(parts) < 3 or room < 4 or self.app.size.height < 34:
            return [
                centred(Content.styled(line, "italic $faded"), width)
                for line in textwrap.wrap(self.text, max(1, width))
            ]
        gap = min(len(inner) + 4, room + len(inner))
        outer = f"{parts[0]}{' ' * gap}{parts[-1]}"
        return _printed([outer, _below(parts, inner, gap)], width)


def _printed(lines: list[str], width: int) -> list[Content]:
    return [centred(Content.styled(line, "italic $faded"), width) for line in lines]


def _below(parts: list[str], inner: str, gap: int) -> str:
    """The inner parts, padded so that they lie in the gap between the outer ones."""
    left = len(parts[0]) + (gap - len(inner)) // 2
    return " " * left + inner + " " * (len(parts[0]) + gap + len(parts[-1]) - left - len(inner))


class ShoeLine(Drawn):
    """The shoe in one line: packs, cards left, how far it is dealt, where the cut card lies, the discards."""

    view: ShoeView | None = None
    words = words_of("en")

    def show(self, view: ShoeView, words: Words) -> None:
        """Draws this from now on."""
        if view != self.view or words is not self.words:
            self.view, self.words = view, words
            self.refresh(layout=True)

    def lines(self, width: int) -> list[Content]:
        """One line; where it is too narrow for all, the bar and the cards left."""
        if self.view is None:
            return [Content("")]
        text = shoe_text(self.view, self.words)
        room = width - len(text) - 1
        if room < 14:
            text = self.words.plural("{n} card left", "{n} cards left", self.view.left)
            room = width - len(text) - 1
        return [Content.assemble((f"{text} ", "$faded"), penetration(self.view, min(32, max(6, room))))]


def penetration(view: ShoeView, width: int) -> Content:
    """A bar: what is dealt, what is left, and the place of the cut card."""
    inner = width - 2
    dealt = round(view.dealt * inner)
    cells = ["█" if at < dealt else "─" for at in range(inner)]
    if view.cut is not None:
        cells[min(inner - 1, int(view.cut * inner))] = "╂"
    return Content.assemble(("▕" + "".join(cells) + "▏", "$faded"))


# --- a box ----------------------------------------------------------------------------------------------------------


class BoxPanel(Drawn):
    """One box: its number and holder, its hands, its bets."""

    view = BoxView(number=0)
    deck = Deck()
    most = MIDDLE
    words = words_of("en")

    def show(self, view: BoxView, deck: Deck, words: Words, *, most: faces.Size) -> None:
        """Draws this from now on, with cards up to this size."""
        if (view, deck, words, most) == (self.view, self.deck, self.words, self.most):
            return
        self.view, self.deck, self.words, self.most = view, deck, words, most
        self.set_class(view.active, "-active")
        self.set_class(view.mine, "-mine")
        self.refresh(layout=True)

    @property
    def active_lines(self) -> tuple[int, int]:
        """The first line and the number of lines of the hand in turn, in the widget's own rows."""
        width, first = self.content_size.width, self.gutter.top + 1
        for hand in self.view.hands:
            count = len(list(self._hand(hand, width)))
            if hand.active:
                return first, count
            first += count
        return 0, self.size.height

    def lines(self, width: int) -> list[Content]:
        """The heading, then each hand, then insurance."""
        drawn = [self._heading(width)]
        for hand in self.view.hands:
            drawn.extend(self._hand(hand, width))
        for one in self.view.insurances:
            text = self.words.say("insurance {stake}", stake=stake_text(one, self.words))
            drawn.extend(wrapped(text, width, _colour(one)))
        if not self.view.plays:
            drawn.extend(wrapped(self.words.say("sits out"), width, "$faded"))
        return drawn

    def _heading(self, width: int) -> Content:
        mark = "▶" if self.view.active else "●" if self.view.mine else " "
        text = f"{mark} {self.view.number} {self.view.holder}"
        style = "bold $brass" if self.view.active else "bold $paper" if self.view.mine else "$faded"
        return Content.styled(text[: width - 1] + "…" if len(text) > width else text, style)

    def _hand(self, hand: HandView, width: int) -> Iterator[Content]:
        size = fitting(hand.cards, width, most=self._most())
        rows = list(faces.rows(hand.cards, size, self.deck, within=width))
        style = "bold $brass" if hand.active else "$paper"
        text, stakes = self._told(hand), self._stakes(hand)
        if not hand.cards:
            yield from [Content("")] * (self.most.height if self.most is not SMALL else 0)
        if len(rows) == 1 and rows[0].cell_length + len(text) + stakes.cell_length + 4 <= width:
            yield Content.assemble(rows[0], ("  " + text + "  ", style), stakes)
            return
        yield from rows
        if len(text) + stakes.cell_length + 2 <= width:
            yield Content.assemble((text + "  " if text else "", style), stakes)
            return
        yield from wrapped(text, width, style)
        yield from stakes.wrap(width)

    def _most(self) -> faces.Size:
        """Several hands are drawn smaller than one."""
        return self.most if len(self.view.hands) == 1 else MIDDLE if self.most is LARGE else SMALL

    def _told(self, hand: HandView) -> str:
        mark = "▶ " if hand.active and len(self.view.hands) > 1 else ""
        number = f"{hand.number}: " if hand.number else ""
        return mark + number + ", ".join(part for part in (hand.total, *hand.notes) if part)

    def _stakes(self, hand: HandView) -> Content:
        if not hand.stakes:
            return Content.styled(self.words.say("no bet") if not hand.cards else "", "$faded")
        parts = [Content.styled(stake_text(one, self.words), _colour(one)) for one in hand.stakes]
        return Content.assemble(("◉ ", "$faded"), Content(" · ").join(parts))


def _colour(stake: Stake) -> str:
    if stake.net is None:
        return "$paper"
    return "bold $good" if stake.net > 0 else "bold $bad" if stake.net < 0 else "bold $paper"
