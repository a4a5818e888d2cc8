"""Charts as pictures: one A4 page, PNG, SVG or PDF, in black and white as in colour.

Each cell has its letter, and each move a shade of its own that copies well; doubling and retiring have a pattern, too.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from tapete import chart as charts
from tapete.chart import HARD, NOTHING, PAIR, SOFT
from tapete.errors import BadInput
from tapete.pricing import sheets
from tapete.pricing.charted import Charted, heading, headlines, insurance, legend, letter, row_name
from tapete.pricing.sheets import DOTS, ENDINGS, INK, MARGIN, PAGE, Sheet
from tapete.rulecard import felt_line
from tapete.words import Words

_NAMES: Final = 0.62
"""The width of the rows' names, in inches."""
_TALLEST: Final = 0.23
_LEGEND: Final = 0.21


class Paint(NamedTuple):
    """How the cells of a move are filled."""

    fill: str
    ink: str
    pattern: str = ""
    lines: str = INK


PAINTS: Final[Mapping[str, Paint]] = MappingProxyType(
    {
        "S": Paint("#c9d8e6", INK),
        "H": Paint("#ffffff", INK),
        "D": Paint("#f2c14e", INK, "////", "#d79a1e"),
        "P": Paint("#1f6b52", "#ffffff"),
        "R": Paint("#5a2a3c", "#ffffff", "xxxx", "#8a5168"),
        NOTHING: Paint("#ffffff", "#8a8a8a"),
    }
)
"""By the first part of a letter; from light to dark: hit, stand, double, split, retire."""


def check(file: str) -> None:
    """Raises BadInput ``chart.picture`` unless the name of a picture has an ending that can be drawn."""
    if not sheets.can_be_drawn(file):
        raise BadInput("chart.picture", file=file[-80:], allowed=ENDINGS)


def draw(found: Charted, words: Words, file: str) -> None:
    """Draws a chart into a file, by its ending. Raises BadInput ``chart.picture``, ``price.unwritable``."""
    check(file)
    sheets.save(lambda: _page(found, words), file)


def picture(found: Charted, words: Words, kind: str, *, dots: int = DOTS) -> bytes:
    """The picture of a chart as ``png``, ``svg`` or ``pdf``."""
    return sheets.picture(lambda: _page(found, words), kind, dots=dots)


def _page(found: Charted, words: Words) -> Figure:
    """The page with the chart."""
    rules = found.table.rules
    sheet = Sheet(rules, words, names=_NAMES, high=_TALLEST)
    _head(sheet, found, words)
    told = legend(found, words)
    lines = len(charts.rows(rules)) + 3 * 2.5
    sheet.high = min((PAGE[1] - MARGIN - len(told) * _LEGEND - 0.45 - sheet.at) / lines, _TALLEST)
    for kind in (HARD, SOFT, PAIR):
        sheet.section(heading(kind, words), first=kind == HARD)
        for row in charts.rows(rules):
            if row.kind == kind:
                for x, code in zip(sheet.row(row_name(row, rules)), found.chart.cells[row.name], strict=True):
                    _cell(sheet, x, code, letter(code, rules, words), (sheet.wide, sheet.high))
        sheet.at += sheet.high * 0.4
    sheet.at += 0.12
    for code, meaning in told:
        _cell(sheet, sheet.left, code, letter(code, rules, words), (0.36, _LEGEND * 0.86))
        sheet.write(sheet.left + 0.46, sheet.at + _LEGEND * 0.43, meaning, 8)
        sheet.at += _LEGEND
    if said := insurance(found, words):
        sheet.write(sheet.left, sheet.at + 0.1, said, 8)
    return sheet.figure


def _head(sheet: Sheet, found: Charted, words: Words) -> None:
    title, strategy, *others, shoe, rules = headlines(found, words)
    sheet.lines([title], 15, 0.3, weight="bold")
    sheet.lines(textwrap.wrap(". ".join((strategy, *others)), 90), 8.5, 0.18, weight="bold")
    sheet.at += 0.02
    sheet.lines([*_broken(felt_line(found.table.rules, words), 100), shoe], 7.5, 0.16)
    sheet.lines([rules], 6, 0.2, color="#555555")


def _cell(sheet: Sheet, x: float, code: str, told: str, size: tuple[float, float]) -> None:
    """A cell of a code, with the letter that is told for it."""
    paint, y, (wide, high) = PAINTS[code[0]], sheet.at, size
    if paint.pattern:  # a pattern has the colour of its patch's edge
        sheet.axes.add_patch(Rectangle((x, y), wide, high, facecolor=paint.fill, edgecolor=paint.lines,
                                       linewidth=0, hatch=paint.pattern))  # fmt: skip
    sheet.axes.add_patch(Rectangle((x, y), wide, high, edgecolor="#7a7a7a", linewidth=0.5,
                                   facecolor="none" if paint.pattern else paint.fill))  # fmt: skip
    behind = {"facecolor": paint.fill, "edgecolor": "none", "pad": 0.8} if paint.pattern else None
    sheet.write(x + wide / 2, y + high / 2, told, 8 if len(told) < 2 else 7.2, ha="center", color=paint.ink,
                weight="bold" if code[0] in "DPR" else "normal", bbox=behind)  # fmt: skip


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
