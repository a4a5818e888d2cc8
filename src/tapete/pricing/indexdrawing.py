"""Index plays as a picture: one A4 page with a cell for each hand against each dealer's card, coloured by the count.

Low counts are blue, high ones orange, with the number in each cell and the letter that is played from it on, so that no
colour is needed to read it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import matplotlib as mpl
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from tapete import chart as charts
from tapete.chart import HARD, NO, PAIR, SOFT, YES, Column
from tapete.pricing import drawing, indextold
from tapete.pricing.charted import heading, meaning, row_name, shown
from tapete.pricing.drawing import DOTS, MARGIN, PAGE
from tapete.pricing.indices import Found, Indices
from tapete.pricing.priced import unwritable
from tapete.pricing.simcounttold import letter
from tapete.words import N_, Words

check = drawing.check
_NAMES: Final = 0.72
_WIDEST: Final = 0.62
_TALLEST: Final = 0.22
_ROOMY: Final = 0.42
"""Inches of a cell that has room for a letter beside the number."""
_INK, _FAINT, _EMPTY = "#1b1b1b", "#8a8a8a", "#f4f4f4"
_HUES: Final = LinearSegmentedColormap.from_list("counts", ("#4a90c4", "#cfe3f1", "#ffffff", "#fbe0bf", "#e58a1f"))
_FAR: Final = 8
"""The count, up or down, from which on colours are full."""
_WITH_LETTER: Final = N_(
    "In each cell: the count from which on the letter beside it is played, and another one below. Where the move and "
    "retiring both hang on the count, the more valuable one is shown."
)
_WITHOUT: Final = N_("In each cell: the count from which on another move is played than below it.")
_STYLE: Final[Mapping[str, Any]] = MappingProxyType(
    {"font.family": "DejaVu Sans", "svg.fonttype": "path", "svg.hashsalt": "tapete"}
)


def draw(found: Indices, words: Words, file: str) -> None:
    """Draws the plays into a file, by its ending. Raises BadInput ``chart.picture``, ``price.unwritable``."""
    check(file)
    kind, out = Path(file).suffix.lower()[1:], BytesIO()
    plain: dict[str, Any] = {{"svg": "Date", "png": "Software"}.get(kind, "CreationDate"): None}
    style: Any = dict(_STYLE)
    with mpl.rc_context(style):
        page(found, words).savefig(out, format=kind, dpi=DOTS, metadata=plain)
    try:
        Path(file).write_bytes(out.getvalue())
    except (OSError, ValueError) as error:
        raise unwritable(file, error) from None


def page(found: Indices, words: Words) -> Figure:
    """The page with the cells."""
    made = _Page(found, words)
    made.draw()
    return made.figure


class _Page:
    """One page drawn from the top; lengths are inches, ``_at`` is how far down it has come."""

    def __init__(self, found: Indices, words: Words) -> None:
        self._found, self._words, self._rules = found, words, found.asked.table.rules
        self._columns = charts.columns(self._rules)
        self._plays = _by_cell(found.plays)
        self.figure = Figure(figsize=PAGE, facecolor="white")
        self._axes = self.figure.add_axes((0, 0, 1, 1))
        self._axes.set_xlim(0, PAGE[0])
        self._axes.set_ylim(PAGE[1], 0)
        self._axes.axis("off")
        self._at = MARGIN
        self._wide = min((PAGE[0] - 2 * MARGIN - _NAMES) / len(self._columns), _WIDEST)
        self._left = (PAGE[0] - self._wide * len(self._columns) - _NAMES) / 2 + _NAMES
        self._high = _TALLEST

    def draw(self) -> None:
        """Draws everything."""
        self._head()
        foot = self._notes()
        lines = len(charts.rows(self._rules)) + 2.5 * 3 + 2.5
        self._high = min((PAGE[1] - self._at - 0.4 - 0.16 * len(foot) - 0.25) / lines, _TALLEST)
        for kind in (HARD, SOFT, PAIR):
            rows = [(row_name(row, self._rules), row.name) for row in charts.rows(self._rules) if row.kind == kind]
            self._section(heading(kind, self._words), rows)
        if offered := charts.insurance_rows(self._rules):
            named = {charts.INSURANCE: N_("any"), charts.INSURANCE_BLACKJACK: N_("a blackjack")}
            self._section(self._words.say(N_("Insurance")), [(self._words.say(named[row]), row) for row in offered])
        self._at += 0.1
        for line in foot:
            self._write(self._start, self._at, line, 7.5)
            self._at += 0.16

    def _write(self, x: float, y: float, text: str, size: float, **how: Any) -> None:
        self._axes.text(x, y, text, fontsize=size, **{"color": _INK, "va": "center", **how})

    @property
    def _start(self) -> float:
        return min(self._left - _NAMES, MARGIN + 0.3)

    def _head(self) -> None:
        title, what, counter, depth, rules = indextold.headlines(self._found, self._words)
        self._write(self._start, self._at, title, 15, weight="bold")
        self._at += 0.3
        self._write(self._start, self._at, what, 9, weight="bold")
        self._at += 0.2
        for line in (*textwrap.wrap(counter, 105), *textwrap.wrap(depth, 105)):
            self._write(self._start, self._at, line, 7.5)
            self._at += 0.16
        self._write(self._start, self._at, rules, 6, color="#555555")
        self._at += 0.2

    def _section(self, title: str, rows: Sequence[tuple[str, str]]) -> None:
        self._write(self._left - _NAMES, self._at + self._high * 0.6, title, 8.5, weight="bold")
        if title == heading(HARD, self._words):
            self._over()
        self._at += self._high * 1.1
        for place, column in enumerate(self._columns):
            x = self._left + (place + 0.5) * self._wide
            self._write(x, self._at + self._high / 2, shown(column), 8, ha="center", weight="bold")
        self._at += self._high
        for name, row in rows:
            self._write(self._left - 0.08, self._at + self._high / 2, name, 8, ha="right", weight="bold")
            for place, column in enumerate(self._columns):
                self._cell(place, self._plays.get((row, column.name)))
            self._seam()
            self._at += self._high
        self._at += self._high * 0.4

    def _over(self) -> None:
        """What the columns are, above the first of them."""
        if self._rules.dealer_deal != "both_up":
            return self._above(self._words.say(N_("Dealer’s card")), self._columns)
        for one, told in ((HARD, N_("Dealer’s hard total")), (SOFT, N_("Dealer’s soft total"))):
            self._above(self._words.say(told), [each for each in self._columns if each.name.startswith(one)])
        return None

    def _above(self, text: str, group: Sequence[Column]) -> None:
        places = [self._columns.index(one) for one in group]
        middle = self._left + (min(places) + max(places) + 1) / 2 * self._wide
        self._write(middle, self._at + self._high * 0.6, text, 8, ha="center")

    def _cell(self, place: int, found: Found | None) -> None:
        x, least = self._left + place * self._wide, found.play.least if found else 0
        fill = _HUES(0.5 + max(-1.0, min(1.0, least / _FAR)) / 2) if found else _EMPTY
        self._axes.add_patch(Rectangle((x, self._at), self._wide, self._high, facecolor=fill, edgecolor="#9a9a9a",
                                       linewidth=0.5))  # fmt: skip
        if not found:
            return
        told = indextold.count(least).replace("-", "−")
        if self._wide >= _ROOMY:
            told += f" {letter(found.play.above, self._rules, self._words)}"
        size = 8 if self._wide >= _ROOMY else 6
        self._write(x + self._wide / 2, self._at + self._high / 2, told, size, ha="center")

    def _seam(self) -> None:
        """A line where the dealer's soft totals begin."""
        soft = [place for place, column in enumerate(self._columns) if column.name.startswith(SOFT)]
        if soft:
            x = self._left + soft[0] * self._wide
            self._axes.plot([x, x], [self._at, self._at + self._high], color=_INK, linewidth=1.6)

    def _notes(self) -> list[str]:
        words = self._words
        told = [words.say(_WITH_LETTER if self._wide >= _ROOMY else _WITHOUT)]
        used = {one.play.above for one in self._plays.values() if one.play.above not in (YES, NO)}
        codes = [code for code in charts.LETTERS if code in used] if self._wide >= _ROOMY else []
        named = [f"{letter(code, self._rules, words)}: {meaning(code, self._rules, words)}" for code in codes]
        if YES in {one.play.above for one in self._plays.values()} and self._wide >= _ROOMY:
            named.append(f"{letter(YES, self._rules, words)}: {indextold.move(YES, self._rules, words)}")
        return [line for one in (*told, *named) for line in textwrap.wrap(one, 110)]


def _by_cell(plays: Sequence[Found]) -> dict[tuple[str, str], Found]:
    """The most valuable play of each cell."""
    found: dict[tuple[str, str], Found] = {}
    for one in plays:
        found.setdefault((one.play.row, one.play.column), one)
    return found
