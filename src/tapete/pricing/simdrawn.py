"""A simulated run as a picture: one page of panels that explain themselves, PNG, SVG or PDF."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from errno import ENOENT
from os import strerror
from pathlib import Path
from typing import Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tapete.errors import BadInput
from tapete.pricing import bars, sheets, simcounttold, simpanels, simrisk, simrisktold, simtold
from tapete.pricing.bars import FAINT
from tapete.pricing.priced import unwritable
from tapete.pricing.sheets import INK
from tapete.pricing.simasked import Run
from tapete.rules import digest
from tapete.words import N_, Words

PAGE: Final = (11.69, 8.27)
"""A4 across, in inches."""
_LEFT, _RIGHT, _TOP, _BOTTOM = 0.75, 0.45, 0.83, 0.75
"""Around the panels; above them stand lines about how it was played, too."""
_LINE: Final = 0.16
_LETTERS: Final = 185
"""In such a line."""
_MOST_LINES: Final = 2
"""About the strategies, and about the counter."""
_GAP: Final = 0.9
_HEAD: Final = 0.56
"""Above each panel, for its title and what it shows."""
_FOOT: Final = 0.42
"""Below each panel, for its axis."""


def check(file: str) -> None:
    """Raises BadInput for a picture that cannot be drawn there, before anything is played.

    ``price.picture`` unless its name has an ending that can be drawn, ``price.unwritable`` if there is no such folder.
    """
    bars.check(file)
    if not Path(file).absolute().parent.is_dir():
        raise unwritable(file, FileNotFoundError(ENOENT, strerror(ENOENT)))


def draw(run: Run, words: Words, file: str) -> None:
    """Draws a run into a file, by its ending.

    Raises BadInput ``price.picture``, ``price.unwritable``, and ``sim.nothing`` where no round was finished.
    """
    check(file)
    if not run.progress.tally.rounds:
        raise BadInput("sim.nothing")
    sheets.save(lambda: page(run, words), file)


def page(run: Run, words: Words) -> Figure:
    """The page: a round's result, how the estimate settled, what a bankroll does, and the edge by the count."""
    figure = Figure(figsize=PAGE)
    lines = _played(run, words)
    _around(figure, run, lines, words)
    counted = bool(simrisk.levels(run.progress.tally))
    wide = PAGE[0] - _LEFT - _RIGHT
    half, high = (wide - _GAP) / 2, (PAGE[1] - _TOP - _LINE * len(lines) - _BOTTOM - 2 * _HEAD - _FOOT) / 2
    upper, lower = _BOTTOM + high + _HEAD + _FOOT, _BOTTOM
    right = _LEFT + half + _GAP
    simpanels.results(_axes(figure, _LEFT, upper, half, high), run, words)
    simpanels.settled(_axes(figure, right, upper, half, high), run, words)
    simpanels.fan(_axes(figure, _LEFT, lower, half if counted else wide, high), run, words)
    if counted:
        above = _axes(figure, right, lower + 0.4 * high, half, 0.6 * high)
        below = _axes(figure, right, lower, half, 0.4 * high - 0.08)
        simpanels.by_count(above, below, run, words)
    return figure


def _axes(figure: Figure, left: float, bottom: float, wide: float, high: float) -> Axes:
    """Axes at a place told in inches."""
    return figure.add_axes((left / PAGE[0], bottom / PAGE[1], wide / PAGE[0], high / PAGE[1]))


def _played(run: Run, words: Words) -> list[str]:
    """How it was played, in lines."""
    wanted = run.asked
    boxes = words.plural("One box in each round.", "{n} boxes in each round.", wanted.boxes)
    if len(set(wanted.strategies)) == 1:
        told = [(boxes, *simtold.played(wanted, words))]
    else:
        by = words.say(N_("They are played by {strategies}, in this order."), strategies=list(wanted.strategies))
        told = [(boxes, by)]
    if wanted.counter:
        told.append((*simcounttold.way(wanted.counter, wanted.table.rules, words),))
    return [
        line for one in told for line in textwrap.wrap(" ".join(one), _LETTERS, max_lines=_MOST_LINES, placeholder=" …")
    ]


def _around(figure: Figure, run: Run, lines: Sequence[str], words: Words) -> None:
    """What stands above the panels and below them."""
    wanted, tally = run.asked, run.progress.tally
    millions = simrisktold.plain(tally.rounds / 1e6, words, 2)
    title = words.say(N_("{table}: {rounds} million rounds"), table=wanted.table.title(words), rounds=millions)
    first = simtold.edge(tally, words, digits=4)
    left = 0.45 / PAGE[0]
    figure.text(left, 1 - 0.45 / PAGE[1], title, fontsize=14, weight="bold", color=INK)
    figure.text(left, 1 - 0.70 / PAGE[1], first, fontsize=10, color=INK)
    for at, line in enumerate(lines):
        figure.text(left, 1 - (0.90 + _LINE * at) / PAGE[1], line, fontsize=7.5, color=INK)
    seed = words.say(N_("Seed {seed}: the same seed gives the same rounds."), seed=wanted.seed)
    rules = words.say(N_("Rules: {digest}"), digest=digest(wanted.table.rules))
    figure.text(left, 0.2 / PAGE[1], f"{seed} {rules}", fontsize=6.5, color=FAINT)
