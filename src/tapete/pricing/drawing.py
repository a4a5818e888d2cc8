"""Charts as pictures: one A4 page, PNG, SVG or PDF, in black and white as in colour.

Each cell has its letter, and each move a shade of its own that copies well; doubling and retiring have a pattern, too.
Only the fonts that come with the drawing library are used, so that a picture looks the same everywhere.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from tapete import chart as charts
from tapete.chart import HARD, NOTHING, PAIR, SOFT, Column
from tapete.errors import BadInput
from tapete.pricing.charted import Charted, heading, headlines, insurance, legend, letter, row_name, shown
from tapete.pricing.priced import unwritable
from tapete.rulecard import felt_line
from tapete.words import N_, Words

ENDINGS: Final = (".png", ".svg", ".pdf")
PAGE: Final = (8.27, 11.69)
"""A4 in inches."""
DOTS: Final = 150
"""Dots to the inch of a PNG."""
MARGIN: Final = 0.55
_NAMES: Final = 0.62
"""The width of the rows' names, in inches."""
_WIDEST: Final = 0.62
_LEGEND: Final = 0.21
_INK: Final = "#1b1b1b"


class Paint(NamedTuple):
    """How the cells of a move are filled."""

    fill: str
    ink: str
    pattern: str = ""
    lines: str = _INK


PAINTS: Final[Mapping[str, Paint]] = MappingProxyType(
    {
        "S": Paint("#c9d8e6", _INK),
        "H": Paint("#ffffff", _INK),
        "D": Paint("#f2c14e", _INK, "////", "#d79a1e"),
        "P": Paint("#1f6b52", "#ffffff"),
        "R": Paint("#5a2a3c", "#ffffff", "xxxx", "#8a5168"),
        NOTHING: Paint("#ffffff", "#8a8a8a"),
    }
)
"""By the first part of a letter; from light to dark: hit, stand, double, split, retire."""
_STYLE: Final[Mapping[str, Any]] = MappingProxyType(
    {"font.family": "DejaVu Sans", "svg.fonttype": "path", "svg.hashsalt": "tapete", "hatch.linewidth": 0.6}
)


def check(file: str) -> None:
    """Raises BadInput ``chart.picture`` unless the name of a picture has an ending that can be drawn."""
    if Path(file).suffix.lower() not in ENDINGS:
        raise BadInput("chart.picture", file=file[-80:], allowed=ENDINGS)


def draw(found: Charted, words: Words, file: str) -> None:
    """Draws a chart into a file, by its ending. Raises BadInput ``price.unwritable``."""
    check(file)
    content = picture(found, words, Path(file).suffix.lower()[1:])
    try:
        Path(file).write_bytes(content)
    except (OSError, ValueError) as error:
        raise unwritable(file, error) from None


def picture(found: Charted, words: Words, kind: str, *, dots: int = DOTS) -> bytes:
    """The picture of a chart as ``png``, ``svg`` or ``pdf``."""
    out = BytesIO()
    with mpl.rc_context(_style()):
        page = _Page(found, words)
        page.draw()
        plain: dict[str, Any] = {{"svg": "Date", "png": "Software"}.get(kind, "CreationDate"): None}
        more: dict[str, Any] = {"pil_kwargs": {"optimize": True}} if kind == "png" else {}
        page.figure.savefig(out, format=kind, dpi=dots, metadata=plain, **more)
    return out.getvalue()


def _style() -> Any:
    """The settings of the drawing library, which names all of its own in a type."""
    return dict(_STYLE)


class _Page:
    """One page on which a chart is drawn from the top; lengths are inches, ``_at`` is how far down it has come."""

    def __init__(self, found: Charted, words: Words) -> None:
        self._found, self._words, self._rules = found, words, found.table.rules
        self._columns = charts.columns(self._rules)
        self.figure = Figure(figsize=PAGE, facecolor="white")
        self._axes = self.figure.add_axes((0, 0, 1, 1))
        self._axes.set_xlim(0, PAGE[0])
        self._axes.set_ylim(PAGE[1], 0)
        self._axes.axis("off")
        self._at = MARGIN
        room = PAGE[0] - 2 * MARGIN - _NAMES
        self._wide = min(room / len(self._columns), _WIDEST)
        self._left = (PAGE[0] - self._wide * len(self._columns) - _NAMES) / 2 + _NAMES

    def draw(self) -> None:
        """Draws everything."""
        self._head()
        below = len(self._legend()) * _LEGEND + 0.45
        lines = len(charts.rows(self._rules)) + 3 * 2.5
        self._high = min((PAGE[1] - MARGIN - below - self._at) / lines, 0.23)
        for kind in (HARD, SOFT, PAIR):
            self._section(kind)
        self._foot()

    def _write(self, x: float, y: float, text: str, size: float, **how: Any) -> None:
        self._axes.text(x, y, text, fontsize=size, **{"color": _INK, "va": "center", **how})

    def _head(self) -> None:
        title, strategy, *others, shoe, rules = headlines(self._found, self._words)
        self._write(self._start, self._at, title, 15, weight="bold")
        self._at += 0.3
        for line in textwrap.wrap(". ".join((strategy, *others)), 90):
            self._write(self._start, self._at, line, 8.5, weight="bold")
            self._at += 0.18
        self._at += 0.02
        for line in _broken(felt_line(self._rules, self._words), 100):
            self._write(self._start, self._at, line, 7.5)
            self._at += 0.16
        self._write(self._start, self._at, shoe, 7.5)
        self._at += 0.16
        self._write(self._start, self._at, rules, 6, color="#555555")
        self._at += 0.2

    @property
    def _start(self) -> float:
        return min(self._left - _NAMES, MARGIN + 0.3)

    def _section(self, kind: str) -> None:
        self._write(self._left - _NAMES, self._at + self._high * 0.6, heading(kind, self._words), 8.5, weight="bold")
        if kind == HARD and self._rules.dealer_deal != "both_up":
            self._over(self._words.say(N_("Dealer’s card")), self._columns)
        elif kind == HARD:
            for one, told in ((HARD, N_("Dealer’s hard total")), (SOFT, N_("Dealer’s soft total"))):
                self._over(self._words.say(told), [each for each in self._columns if each.name.startswith(one)])
        self._at += self._high * 1.1
        for place, column in enumerate(self._columns):
            x = self._left + (place + 0.5) * self._wide
            self._write(x, self._at + self._high / 2, shown(column), 8, ha="center", weight="bold")
        self._at += self._high
        for row in charts.rows(self._rules):
            if row.kind == kind:
                self._write(self._left - 0.08, self._at + self._high / 2, row_name(row, self._rules), 8, ha="right",
                            weight="bold")  # fmt: skip
                self._cells(self._found.chart.cells[row.name])
                self._at += self._high
        self._at += self._high * 0.4

    def _over(self, text: str, group: Sequence[Column]) -> None:
        places = [self._columns.index(one) for one in group]
        middle = self._left + (min(places) + max(places) + 1) / 2 * self._wide
        self._write(middle, self._at + self._high * 0.6, text, 8, ha="center")

    def _cells(self, codes: Sequence[str]) -> None:
        for place, code in enumerate(codes):
            self._cell(self._left + place * self._wide, self._at, code, self._wide, self._high)
        for place in self._seams():
            x = self._left + place * self._wide
            self._axes.plot([x, x], [self._at, self._at + self._high], color=_INK, linewidth=1.6)

    def _seams(self) -> list[int]:
        """Where the dealer's soft totals begin."""
        kinds = [column.name.partition(" ")[0] for column in self._columns]
        return [kinds.index(SOFT)] if SOFT in kinds else []

    def _cell(self, x: float, y: float, code: str, wide: float, high: float) -> None:
        paint = PAINTS[code[0]]
        if paint.pattern:  # a pattern has the colour of its patch's edge
            self._axes.add_patch(Rectangle((x, y), wide, high, facecolor=paint.fill, edgecolor=paint.lines,
                                           linewidth=0, hatch=paint.pattern))  # fmt: skip
        self._axes.add_patch(Rectangle((x, y), wide, high, edgecolor="#7a7a7a", linewidth=0.5,
                                       facecolor="none" if paint.pattern else paint.fill))  # fmt: skip
        told = letter(code, self._rules, self._words)
        behind = {"facecolor": paint.fill, "edgecolor": "none", "pad": 0.8} if paint.pattern else None
        self._write(x + wide / 2, y + high / 2, told, 8 if len(told) < 2 else 7.2, ha="center", color=paint.ink,
                    weight="bold" if code[0] in "DPR" else "normal", bbox=behind)  # fmt: skip

    def _legend(self) -> list[tuple[str, str]]:
        return legend(self._found, self._words)

    def _foot(self) -> None:
        self._at += 0.12
        for code, told in self._legend():
            self._cell(self._left, self._at, code, 0.36, _LEGEND * 0.86)
            self._write(self._left + 0.46, self._at + _LEGEND * 0.43, told, 8)
            self._at += _LEGEND
        if said := insurance(self._found, self._words):
            self._write(self._left, self._at + 0.1, said, 8)


def _broken(text: str, most: int) -> Iterator[str]:
    """A line of phrases between dots, broken at a dot."""
    line = ""
    for phrase in text.split(" · "):
        if line and len(line) + len(phrase) > most:
            yield line
            line = phrase
        else:
            line = f"{line} · {phrase}" if line else phrase
    yield line
