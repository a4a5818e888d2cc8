"""What pictures share: how they look and are saved, and the A4 sheet of cells that charts and index plays stand on.

Only the fonts that come with the drawing library are used, so that a picture looks the same everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import matplotlib as mpl
from matplotlib.figure import Figure

from tapete import chart as charts
from tapete.chart import HARD, SOFT, Column
from tapete.pricing.charted import shown
from tapete.pricing.priced import unwritable
from tapete.rules import RuleSet
from tapete.words import N_, Words

ENDINGS: Final = (".png", ".svg", ".pdf")
PAGE: Final = (8.27, 11.69)
"""A4 in inches."""
DOTS: Final = 150
"""Dots to the inch of a PNG."""
MARGIN: Final = 0.55
INK: Final = "#1b1b1b"
_WIDEST: Final = 0.62
"""The most inches that a column takes."""
_STYLE: Final[Mapping[str, Any]] = MappingProxyType(
    {"font.family": "DejaVu Sans", "svg.fonttype": "path", "svg.hashsalt": "tapete", "hatch.linewidth": 0.6}
)


def can_be_drawn(file: str) -> bool:
    """Whether the name of a picture has an ending that can be drawn."""
    return bool(_ending(file))


def _ending(file: str) -> str:
    """The ending of a picture's name, which may be nothing else; empty for any other."""
    return next((one for one in ENDINGS if Path(file).name.lower().endswith(one)), "")


def picture(made: Callable[[], Figure], kind: str, *, dots: int = DOTS) -> bytes:
    """A page as ``png``, ``svg`` or ``pdf``: the same bytes each time."""
    out = BytesIO()
    plain: dict[str, Any] = {{"svg": "Date", "png": "Software"}.get(kind, "CreationDate"): None}
    more: dict[str, Any] = {"pil_kwargs": {"optimize": True}} if kind == "png" else {}
    with mpl.rc_context(_style()):
        made().savefig(out, format=kind, dpi=dots, metadata=plain, **more)
    return out.getvalue()


def save(made: Callable[[], Figure], file: str) -> None:
    """Draws a page into a file, by its ending. Raises BadInput ``price.unwritable``."""
    content = picture(made, _ending(file)[1:])
    try:
        Path(file).write_bytes(content)
    except (OSError, ValueError) as error:
        raise unwritable(file, error) from None


def _style() -> Any:
    """The settings of the drawing library, which names all of its own in a type."""
    return dict(_STYLE)


class Sheet:
    """A page that is drawn on from the top, with a column of cells for each thing that the dealer can show.

    Lengths are inches, ``names`` the width of the rows' names; ``at`` is how far down it has come, ``high`` the height
    of a row.
    """

    def __init__(self, rules: RuleSet, words: Words, *, names: float, high: float) -> None:
        self.columns = charts.columns(rules)
        self.figure = Figure(figsize=PAGE, facecolor="white")
        self.axes = self.figure.add_axes((0, 0, 1, 1))
        self.axes.set_xlim(0, PAGE[0])
        self.axes.set_ylim(PAGE[1], 0)
        self.axes.axis("off")
        self.at, self.high = MARGIN, high
        self.wide = min((PAGE[0] - 2 * MARGIN - names) / len(self.columns), _WIDEST)
        self.left = (PAGE[0] - self.wide * len(self.columns) - names) / 2 + names
        self.start = min(self.left - names, MARGIN + 0.3)
        self._names, self._rules, self._words = names, rules, words

    def write(self, x: float, y: float, text: str, size: float, **how: Any) -> None:
        """Writes beside a point."""
        self.axes.text(x, y, text, fontsize=size, **{"color": INK, "va": "center", **how})

    def lines(self, told: Iterable[str], size: float, step: float, **how: Any) -> None:
        """Writes lines below each other."""
        for line in told:
            self.write(self.start, self.at, line, size, **how)
            self.at += step

    def section(self, title: str, *, first: bool) -> None:
        """The title of rows and the heads of their columns; above the first also what the columns are."""
        self.write(self.left - self._names, self.at + self.high * 0.6, title, 8.5, weight="bold")
        if first:
            self._over()
        self.at += self.high * 1.1
        for place, column in enumerate(self.columns):
            x = self.left + (place + 0.5) * self.wide
            self.write(x, self.at + self.high / 2, shown(column), 8, ha="center", weight="bold")
        self.at += self.high

    def _over(self) -> None:
        if self._rules.dealer_deal != "both_up":
            self._above(self._words.say(N_("Dealer’s card")), self.columns)
            return
        for one, told in ((HARD, N_("Dealer’s hard total")), (SOFT, N_("Dealer’s soft total"))):
            self._above(self._words.say(told), [each for each in self.columns if each.name.startswith(one)])

    def _above(self, text: str, group: Sequence[Column]) -> None:
        places = [self.columns.index(one) for one in group]
        middle = self.left + (min(places) + max(places) + 1) / 2 * self.wide
        self.write(middle, self.at + self.high * 0.6, text, 8, ha="center")

    def row(self, name: str) -> Iterator[float]:
        """Writes a row's name, gives where each of its cells begins, and ends the row once all are drawn."""
        self.write(self.left - 0.08, self.at + self.high / 2, name, 8, ha="right", weight="bold")
        for place in range(len(self.columns)):
            yield self.left + place * self.wide
        soft = [place for place, column in enumerate(self.columns) if column.name.startswith(SOFT)]
        if soft:  # a line where the soft totals begin
            x = self.left + soft[0] * self.wide
            self.axes.plot([x, x], [self.at, self.at + self.high], color=INK, linewidth=1.6)
        self.at += self.high
