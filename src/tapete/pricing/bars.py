"""What each rule is worth, as a picture: bars from the best for the player to the worst, on one A4 page.

Blue goes to the right and to the player, orange to the left and to the house, so that neither colour is needed to read
it. A change that dwarfs the others leaves the page with a broken bar; its number is told all the same.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tapete.errors import BadInput
from tapete.pricing import costs, figures, sheets
from tapete.pricing.costs import Change, Costs
from tapete.pricing.sheets import ENDINGS, INK, PAGE
from tapete.rules import digest
from tapete.words import N_, Words

TALLEST: Final = 0.42
"""The most inches that one bar takes, with its sentence."""
_TOP, _BOTTOM, _LEFT, _RIGHT = 1.25, 0.85, 3.75, 0.35
_WIDE: Final = 58
"""Letters in a line of a sentence."""
PLAYER, HOUSE, FAINT = "#0072b2", "#d55e00", "#8a8a8a"


def check(file: str) -> None:
    """Raises BadInput ``price.picture`` unless the name of a picture has an ending that can be drawn."""
    if not sheets.can_be_drawn(file):
        raise BadInput("price.picture", file=file[-80:], allowed=ENDINGS)


def draw(found: Costs, words: Words, file: str) -> None:
    """Draws the changes into a file, by its ending. Raises BadInput ``price.picture`` and ``price.unwritable``."""
    check(file)
    sheets.save(lambda: page(found, words), file)


def page(found: Costs, words: Words) -> Figure:
    """The page with the bars."""
    told = costs.ordered(found)
    figure = Figure(figsize=PAGE)
    tall = min(PAGE[1] - _TOP - _BOTTOM, max(1, len(told)) * TALLEST)
    axes = figure.add_axes((
        _LEFT / PAGE[0], (PAGE[1] - _TOP - tall) / PAGE[1], (PAGE[0] - _LEFT - _RIGHT) / PAGE[0], tall / PAGE[1],
    ))  # fmt: skip
    _bars(axes, told, words)
    _sentences(axes, told, words, size=min(7.5, 72 * tall / max(1, len(told)) / 2.6))
    _around(figure, found, words)
    return figure


def _bars(axes: Axes, told: Sequence[Change], words: Words) -> None:
    most = reach([one.gain for one in told])
    for at, one in enumerate(told):
        seen = max(-most, min(most, one.gain))
        colour = PLAYER if one.gain > 0 else HOUSE
        axes.barh(at, seen, height=0.62, color=colour)
        number = figures.percent(one.gain, words, digits=3, signed=True)
        broken = abs(one.gain) > most
        inside = abs(seen) > 0.55 * most
        outward = 1 if one.gain > 0 else -1
        axes.annotate(
            f"{number} »" if broken and outward > 0 else f"« {number}" if broken else number,
            (seen, at), xytext=(-3 * outward if inside else 3 * outward, 0), textcoords="offset points",
            ha="right" if (outward > 0) == inside else "left", va="center_baseline", fontsize=6.5,
            color="white" if inside else INK,
        )  # fmt: skip
    axes.set_xlim(-1.06 * most, 1.06 * most)
    axes.set_ylim(len(told) - 0.4, -0.6)
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.tick_params(axis="x", labelsize=7, colors=INK)
    digits = decimals([100 * tick for tick in axes.get_xticks()])
    axes.xaxis.set_major_formatter(lambda value, _: figures.percent(value, words, digits=digits, signed=True))
    axes.grid(axis="x", color="#dddddd", linewidth=0.5)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)


def reach(gains: Sequence[float]) -> float:
    """How far the axis goes: to the largest change, unless it and few others dwarf the rest.

    >>> reach([0.01, -0.02]), reach([0.1, 0.002, 0.001, -0.001, 0.004, 0.004, 0.002, 0.001, 0.001, 0.001])
    (0.02, 0.006)
    """
    sizes = sorted(map(abs, gains))
    if not sizes:
        return 0.01
    usual = sizes[int(0.85 * (len(sizes) - 1))]
    return sizes[-1] if sizes[-1] <= 2.5 * usual else 1.5 * usual


def decimals(numbers: Sequence[float]) -> int:
    """How many decimals it takes to write these, one at least.

    >>> decimals([-0.5, 0.0, 0.5]), decimals([0.25, 0.5])
    (1, 2)
    """
    return next((many for many in range(1, 6) if all(abs(one - round(one, many)) < 1e-9 for one in numbers)), 6)


def _sentences(axes: Axes, told: Sequence[Change], words: Words, *, size: float) -> None:
    """The rule that each bar stands for."""
    axes.set_yticks(range(len(told)))
    axes.set_yticklabels([_broken(costs.sentence(one, words)) for one in told], fontsize=size, color=INK)
    axes.tick_params(axis="y", length=0, pad=4)


def _broken(sentence: str) -> str:
    wide = _WIDE if len(sentence) <= _WIDE else max(40, min(_WIDE, len(sentence) // 2 + 8))
    return "\n".join(textwrap.wrap(sentence, wide, max_lines=2, placeholder=" …"))


def _around(figure: Figure, found: Costs, words: Words) -> None:
    """What stands above and below."""
    table = found.table
    title = words.say(N_("{table}: what each rule is worth to the player"), table=table.title(words))
    edge = figures.percent(-found.ev, words, digits=6)
    below = words.say(N_("House edge as the table is, by {strategy}: {edge}"), edge=edge, strategy=found.strategy)
    how = words.say(N_("One rule changed at a time; in per cent of the initial bet, with a whole fresh shoe."))
    left = 0.35 / PAGE[0]
    figure.text(left, 1 - 0.55 / PAGE[1], title, fontsize=13, weight="bold", color=INK)
    figure.text(left, 1 - 0.80 / PAGE[1], below, fontsize=8.5, color=INK)
    figure.text(left, 1 - 1.00 / PAGE[1], how, fontsize=8.5, color=INK)
    told = words.say(N_("Rules: {digest}"), digest=digest(table.rules))
    figure.text(left, 0.30 / PAGE[1], told, fontsize=6.5, color=FAINT)
    sides = (N_("better for the house"), PAGE[0] - _RIGHT - 4.1, "left", HOUSE), (
        N_("better for the player"), PAGE[0] - _RIGHT, "right", PLAYER,
    )  # fmt: skip
    for text, at, side, colour in sides:
        figure.text(at / PAGE[0], 1 - 1.20 / PAGE[1], words.say(text), fontsize=7.5, ha=side, color=colour)
