"""Index plays as a picture: one A4 page with a cell for each hand against each dealer's card, coloured by the count.

Low counts are blue, high ones orange, with the number in each cell and the letter that is played from it on, so that no
colour is needed to read it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from tapete import chart as charts
from tapete.chart import HARD, PAIR, SOFT, YES
from tapete.pricing import drawing, indextold, sheets
from tapete.pricing.charted import heading, meaning, row_name
from tapete.pricing.indices import Found, Indices
from tapete.pricing.sheets import PAGE, Sheet
from tapete.pricing.simcounttold import letter
from tapete.rules import RuleSet
from tapete.words import N_, Words

check = drawing.check
_NAMES: Final = 0.72
_TALLEST: Final = 0.22
_ROOMY: Final = 0.42
"""Inches of a cell that has room for a letter beside the number."""
_EMPTY: Final = "#f4f4f4"
_HUES: Final = LinearSegmentedColormap.from_list("counts", ("#4a90c4", "#cfe3f1", "#ffffff", "#fbe0bf", "#e58a1f"))
_LETTERS: Final = 110
"""Letters in a line below the cells."""
_FAR: Final = 8
"""The count, up or down, from which on colours are full."""
_WITH_LETTER: Final = N_(
    "In each cell: the count from which on the letter beside it is played, and another one below. Where the move and "
    "retiring both hang on the count, the more valuable one is shown."
)
_WITHOUT: Final = N_("In each cell: the count from which on another move is played than below it.")


class _Cell(NamedTuple):
    """The count of a cell, and what is written into it."""

    least: int
    told: str


def draw(found: Indices, words: Words, file: str) -> None:
    """Draws the plays into a file, by its ending. Raises BadInput ``chart.picture``, ``price.unwritable``."""
    check(file)
    sheets.save(lambda: page(found, words), file)


def page(found: Indices, words: Words) -> Figure:
    """The page with the cells."""
    rules = found.asked.table.rules
    sheet = Sheet(rules, words, names=_NAMES, high=_TALLEST)
    _head(sheet, found, words)
    plays, roomy = _by_cell(found.plays), sheet.wide >= _ROOMY
    cells = {at: _Cell(one.play.least, _label(one, rules, words, roomy=roomy)) for at, one in plays.items()}
    foot = _notes([*plays.values()], rules, words) if roomy else textwrap.wrap(words.say(_WITHOUT), _LETTERS)
    lines = len(charts.rows(rules)) + 2.5 * 3 + 2.5
    sheet.high = min((PAGE[1] - sheet.at - 0.4 - 0.16 * len(foot) - 0.25) / lines, _TALLEST)
    for kind in (HARD, SOFT, PAIR):
        sheet.section(heading(kind, words), first=kind == HARD)
        rows = [(row_name(row, rules), row.name) for row in charts.rows(rules) if row.kind == kind]
        _rows(sheet, rows, cells)
        sheet.at += sheet.high * 0.4
    if offered := charts.insurance_rows(rules):
        named = {charts.INSURANCE: N_("any"), charts.INSURANCE_BLACKJACK: N_("a blackjack")}
        sheet.section(words.say(N_("Insurance")), first=False)
        _rows(sheet, [(words.say(named[row]), row) for row in offered], cells)
        sheet.at += sheet.high * 0.4
    sheet.at += 0.1
    sheet.lines(foot, 7.5, 0.16)
    return sheet.figure


def _head(sheet: Sheet, found: Indices, words: Words) -> None:
    title, what, counter, depth, rules = indextold.headlines(found, words)
    sheet.lines([title], 15, 0.3, weight="bold")
    sheet.lines([what], 9, 0.2, weight="bold")
    sheet.lines([*textwrap.wrap(counter, 105), *textwrap.wrap(depth, 105)], 7.5, 0.16)
    sheet.lines([rules], 6, 0.2, color="#555555")


def _label(found: Found, rules: RuleSet, words: Words, *, roomy: bool) -> str:
    told = indextold.count(found.play.least).replace("-", "−")
    return f"{told} {letter(found.play.above, rules, words)}" if roomy else told


def _rows(sheet: Sheet, rows: Sequence[tuple[str, str]], cells: Mapping[tuple[str, str], _Cell]) -> None:
    for name, row in rows:
        for x, column in zip(sheet.row(name), sheet.columns, strict=True):
            _draw(sheet, x, cells.get((row, column.name)))


def _draw(sheet: Sheet, x: float, cell: _Cell | None) -> None:
    fill = _HUES(0.5 + max(-1.0, min(1.0, cell.least / _FAR)) / 2) if cell else _EMPTY
    sheet.axes.add_patch(Rectangle((x, sheet.at), sheet.wide, sheet.high, facecolor=fill, edgecolor="#9a9a9a",
                                   linewidth=0.5))  # fmt: skip
    if cell:
        size = 8 if sheet.wide >= _ROOMY else 6
        sheet.write(x + sheet.wide / 2, sheet.at + sheet.high / 2, cell.told, size, ha="center")


def _notes(found: Sequence[Found], rules: RuleSet, words: Words) -> list[str]:
    """What stands in the cells, and what the letters mean."""
    used = {one.play.above for one in found}
    told = [words.say(_WITH_LETTER)]
    told += [f"{letter(code, rules, words)}: {meaning(code, rules, words)}" for code in charts.LETTERS if code in used]
    if YES in used:
        told.append(f"{letter(YES, rules, words)}: {indextold.move(YES, rules, words)}")
    return [line for one in told for line in textwrap.wrap(one, _LETTERS)]


def _by_cell(plays: Sequence[Found]) -> dict[tuple[str, str], Found]:
    """The most valuable play of each cell."""
    found: dict[tuple[str, str], Found] = {}
    for one in plays:
        found.setdefault((one.play.row, one.play.column), one)
    return found
