"""The panels of a run's picture.

Blue, to the right or above, is for the player; orange, to the left or below, is for the house; so neither colour is
needed to read them.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from statistics import NormalDist
from typing import Any, Final

import numpy as np
from matplotlib.axes import Axes

from tapete.pricing import figures, simrisk
from tapete.pricing.bars import HOUSE, PLAYER
from tapete.pricing.sheets import INK
from tapete.pricing.simasked import Run, initial
from tapete.pricing.simrisk import NINETY_FIVE, Wish
from tapete.pricing.simrisktold import amount, plain, share, unit
from tapete.sim import risk, walks
from tapete.sim.results import Tally
from tapete.sim.risk import Results
from tapete.sim.walks import Floats
from tapete.words import N_, Words

EVEN: Final = "#9a9a9a"
PATH: Final = "#6b6b6b"
TRIP: Final = 1000
"""Rounds of a trip where none is asked for."""
BARS: Final = 25
"""The most initial bets that results spread over where each has a bar; else there are at most six times as many."""
NUMBERED: Final = 18
"""The widest reach of results, in bars, at which each bar has room for its number."""
HALF: Final = 0.5
"""The width of the narrowest bars, in initial bets."""
RARE: Final = 1e-4
"""Results at either end, of less than this share of the rounds together, have no bar."""
PARTS: Final = (0.05, 0.25, 0.5, 0.75, 0.95)
PATHS: Final = 10
LETTERS: Final = 225
"""Small letters in a line as wide as the page."""
TICK, BET = 22.0, 13.0
"""Points that a count below its bar takes, and a bet above it."""
FIGURE: Final = 4.5
"""Points that each figure of such a bet takes."""
MILLION: Final = 1_000_000
"""From here on, axes are in millions."""
POINTS: Final = 72
"""To the inch."""
MARKS: Final = 240
"""Rounds at which a fan is drawn."""
EXACT: Final = 20_000
"""Rounds up to which sums are convolved; beyond them they are as good as normal."""


# --- a round's result -----------------------------------------------------------------------------------------------


def results(axes: Axes, run: Run, words: Words) -> None:
    """How often each result of a round comes."""
    tally = run.progress.tally
    told = _played(tally)
    total = sum(many for _, many in told)
    if not total:
        _empty(axes, words.say(N_("What a round brings")), words)
        return
    bars, wide = bars_of(told)
    reach = (max(bars) - min(bars)) / wide
    for at, many in bars.items():
        colour = PLAYER if at > 0 else HOUSE if at < 0 else EVEN
        thin = wide > 1 and not at  # between its neighbours, which begin and end there
        axes.bar(at, 100 * many / total, width=(0.3 if thin else 0.86) * wide, color=colour, zorder=3 if thin else 2)
        if reach <= NUMBERED:
            axes.annotate(_percents(many / total, words), (at, 100 * many / total), xytext=(0, 2), fontsize=6,
                          textcoords="offset points", ha="center", color=INK)  # fmt: skip
    most = max(bars.values()) / total * 100
    axes.set_ylim(0, 1.28 * most)
    axes.set_xlim(min(bars) - 1.2 * wide, max(bars) + 1.2 * wide)
    shares = [(N_("lost: {share}"), -1, 0.02, "left", HOUSE), (N_("even: {share}"), 0, 0.5, "center", INK),
              (N_("won: {share}"), 1, 0.98, "right", PLAYER)]  # fmt: skip
    for text, sign, x, side, colour in shares:
        part = sum(many for net, many in told if np.sign(net) == sign) / total
        axes.text(x, 0.985, words.say(text, share=figures.percent(part, words, digits=2)), fontsize=8,
                  transform=axes.transAxes, ha=side, va="top", color=colour, weight="bold")  # fmt: skip
    axes.xaxis.set_major_formatter(lambda value, _: _money(value, words))
    axes.yaxis.set_major_formatter(lambda value, _: f"{_short(value, words)} %")
    title = words.say(N_("What a round brings"))
    shown = words.say(N_("Of all rounds, how many brought what, in {unit}."), unit=unit(tally, words))
    if total < tally.rounds:
        shown = words.say(N_("Of the rounds with a bet, how many brought what, in {unit}."), unit=unit(tally, words))
    if sum(bars.values()) < total:
        shown += " " + words.say(N_("The rarest are left out."))
    if wide > HALF:
        shown += " " + words.say(N_("Each bar is {wide} wide."), wide=amount(wide, words))
    _frame(axes, title, shown, words.say(N_("won or lost in a round, in {unit}"), unit=unit(tally, words)))


def _played(tally: Tally) -> Results:
    """The results of the rounds with a bet: all, where nobody watches some."""
    return [(net, many - tally.watched * (net == 0)) for net, many in tally.results]


def bars_of(told: Results) -> tuple[dict[float, float], float]:
    """The bars, by their middle, and how wide they are: a bet or half a bet, more where results spread far.

    Those of a bet and less are where their results are; wider ones go from nought to their width, and so on.
    """
    rounds = sum(many for _, many in told)
    seen = np.cumsum([many for _, many in told]) / rounds
    above = 1 - seen + np.array([many for _, many in told]) / rounds
    kept = [pair for pair, *tails in zip(told, seen, above, strict=True) if min(tails) >= RARE]
    reach = kept[-1][0] - kept[0][0]
    wide = HALF if reach < BARS else next((one for one in (1, 2, 5, 10, 20, 50, 100) if reach < 6 * BARS * one), 200)
    bars: dict[float, float] = {}
    for net, many in kept:
        middle = round(net / HALF) * HALF
        if wide > HALF:
            middle = float(np.sign(net) * (np.ceil(abs(net) / wide - 1e-9) - (wide > 1) / 2) * wide)
        bars[middle] = bars.get(middle, 0) + many
    return bars, wide


def _percents(part: float, words: Words) -> str:
    """A share as a number of per cents, with three figures or so."""
    value = 100 * part
    return plain(value, words, 1 if value >= 1 else 2 if value >= 0.1 else 3)


# --- how the estimate settled ---------------------------------------------------------------------------------------


def settled(axes: Axes, run: Run, words: Words) -> None:
    """The estimate of the edge after each block of rounds, with its interval."""
    tally, history = run.progress.tally, run.history
    if not tally.staked:
        _empty(axes, words.say(N_("How the estimate settled")), words)
        return
    bets = initial(tally)
    edge, off = -tally.mean / bets, NINETY_FIVE * tally.error / bets
    rounds = np.array([one.rounds for one in history] or [tally.rounds]) / 1e6
    means = np.array([-one.mean / bets for one in history] or [edge]) * 100
    wide = np.array([NINETY_FIVE * one.error / bets for one in history] or [off]) * 100
    if len(rounds) > 1:
        axes.fill_between(rounds, means - wide, means + wide, color="#cfe0ee", linewidth=0)
        axes.plot(rounds, means - wide, color=PLAYER, linewidth=0.7, linestyle=(0, (4, 2)))
        axes.plot(rounds, means + wide, color=PLAYER, linewidth=0.7, linestyle=(0, (4, 2)))
        axes.plot(rounds, means, color=INK, linewidth=1.4)
        axes.set_xlim(rounds[0], rounds[-1])
    else:
        axes.errorbar(rounds, means, yerr=wide, fmt="o", color=INK, capsize=4)
        axes.set_xlim(0, 2 * rounds[0])
    axes.axhline(100 * edge, color=HOUSE, linewidth=0.9, linestyle=(0, (1, 1.5)))
    early = min(len(wide) - 1, max(1, len(wide) // 16))
    reach = max(1.6 * wide[early], 3.0 * wide[-1]) or 1.0
    axes.set_ylim(100 * edge - reach, 100 * edge + reach)
    axes.text(0.985, 0.96, words.say(N_("edge {edge} ± {off}"), edge=figures.percent(edge, words, digits=4),
              off=figures.percent(off, words, digits=4)), transform=axes.transAxes, ha="right", va="top", fontsize=8,
              weight="bold", color=INK)  # fmt: skip
    axes.xaxis.set_major_formatter(lambda value, _: _short(value, words))
    axes.yaxis.set_major_formatter(lambda value, _: f"{_short(value, words)} %")
    _frame(
        axes,
        words.say(N_("How the estimate settled")),
        words.say(
            N_("The edge of the house so far; the true one is within the band 95 times in 100. Dotted: how it ended.")
        ),
        words.say(N_("million rounds")),
    )


# --- what a bankroll does -------------------------------------------------------------------------------------------


def fan(axes: Axes, run: Run, words: Words) -> None:
    """Where a bankroll is after so many rounds: shares of all bankrolls, and some drawn at random."""
    tally, asked = run.progress.tally, run.asked.wish
    trip = asked.trip or TRIP
    title = words.plural("What becomes of a bankroll in {rounds} round",
                         "What becomes of a bankroll in {rounds} rounds", trip, rounds=amount(trip, words))  # fmt: skip
    if not tally.staked:
        _empty(axes, title, words)
        return
    marks = sorted({round(one) for one in np.linspace(0, trip, MARKS + 1)})
    each = walks.steps(_played_to(tally))
    lines = bands(tally, marks, asked.bankroll)
    for low, high, colour in ((0, 4, "#dce8f2"), (1, 3, "#b3cee4")):
        axes.fill_between(marks, lines[:, low], lines[:, high], color=colour, linewidth=0)
    for at, style in enumerate(((0, (1, 1.5)), (0, (4, 2)), "-", (0, (4, 2)), (0, (1, 1.5)))):
        axes.plot(marks, lines[:, at], color=PLAYER, linewidth=1.6 if at == 2 else 0.8, linestyle=style)
    paths = walks.paths(each, marks, PATHS)
    for path in paths:
        _path(axes, marks, path, asked)
    low, high = min(paths.min(), lines.min()), max(paths.max(), lines.max())
    if asked.bankroll:
        low = max(low, -asked.bankroll)
    room = (0.13 if asked.bankroll else 0.08) * (high - low or 1)  # for what stands below the line, too
    axes.set_ylim(*_sight(low - room, high + room, room, asked))
    axes.set_xlim(0, trip)
    _lines(axes, run, words)
    _named(axes, lines[-1], -asked.bankroll or -np.inf, words)
    across, up = (MILLION if reach >= MILLION else 1 for reach in (trip, max(high, -low)))
    axes.xaxis.set_major_formatter(lambda value, _: _short(value / across, words))
    axes.yaxis.set_major_formatter(lambda value, _: _money(value / up, words))
    _frame(axes, title,
           words.say(N_("Lines in blue: so many of 100 bankrolls are below. In grey: ten of them, drawn at random. "
                        "Rounds are taken as independent of each other.")),
           words.say(N_("million rounds") if across > 1 else N_("rounds played")))  # fmt: skip
    told = N_("won or lost, in millions of {unit}") if up > 1 else N_("won or lost, in {unit}")
    axes.set_ylabel(words.say(told, unit=unit(tally, words)), fontsize=7.5, color=INK, labelpad=2)


def _sight(low: float, high: float, room: float, asked: Wish) -> tuple[float, float]:
    """The ends of the money; with as much room as it takes beside the lines that are in sight."""
    if asked.bankroll and low <= -asked.bankroll:
        low = min(low, -asked.bankroll - room)
    if asked.goal and asked.goal <= high:
        high = max(high, asked.goal + room)
    return low, high


def bands(tally: Tally, marks: list[int], bankroll: float) -> Floats:
    """The money won below which the shares :data:`PARTS` of all bankrolls are, ``[mark, part]``."""
    results = _played_to(tally)
    each = walks.steps(results)
    if not bankroll:
        return np.array([_spread(tally, each, rounds) for rounds in marks])
    if not walks.payable(each, bankroll, marks[-1]):
        game = risk.brownian(results)
        return np.array([[standing(game, bankroll, rounds, part) for part in PARTS] for rounds in marks])
    kept, found = set(marks), [[0.0] * len(PARTS)]
    for rounds, stage in enumerate(walks.walk(each, bankroll, marks[-1]), 1):
        if rounds in kept:
            below = stage.ruined + np.cumsum(stage.alive)
            found.append([max(0, int(np.searchsorted(below, part))) * each.step - bankroll for part in PARTS])
    return np.array(found)


def _played_to(tally: Tally) -> Results:
    """The results, with the mean that was found."""
    return risk.tilted(tally.results, tally.mean)


def _spread(tally: Tally, each: walks.Steps, rounds: int) -> list[float]:
    if not rounds:
        return [0.0] * len(PARTS)
    if rounds <= EXACT and walks.summable(each, rounds):
        spread = walks.after(each, rounds)
        return [spread.part(part) for part in PARTS]
    wide = tally.sd * rounds**0.5
    return [tally.mean * rounds + wide * NormalDist().inv_cdf(part) for part in PARTS]


def standing(game: risk.Moments, bankroll: float, rounds: int, part: float) -> float:
    """The same of a bankroll that is played by the formula."""
    low, high = -bankroll, max(0.0, game.mean * rounds) + walks.FAR * game.sd * rounds**0.5 + 1
    return risk.halved(lambda won: risk.standing(game, bankroll, rounds, won) <= 1 - part, low, high)


def _path(axes: Axes, marks: list[int], path: Floats, asked: Wish) -> None:
    """A bankroll that was drawn, until it is lost; a dot where it has won its goal for the first time."""
    floor = -asked.bankroll if asked.bankroll else -np.inf
    lost = np.flatnonzero(path <= floor)
    end = int(lost[0]) + 1 if len(lost) else len(path)
    axes.plot(marks[:end], np.maximum(path[:end], floor), color=PATH, linewidth=0.6, alpha=0.85)
    if len(lost):
        axes.plot(marks[end - 1], floor, marker="x", color=HOUSE, markersize=6, markeredgewidth=1.8)
    won = np.flatnonzero(path[:end] >= asked.goal) if asked.goal else lost[:0]
    if len(won):
        axes.plot(marks[int(won[0])], asked.goal, marker="o", color=PLAYER, markersize=5)


def _lines(axes: Axes, run: Run, words: Words) -> None:
    """The lines where a bankroll is lost, and where the goal is, if they are in sight."""
    asked, tally = run.asked.wish, run.progress.tally
    low, high = axes.get_ylim()
    axes.axhline(0, color=INK, linewidth=0.6)
    told = simrisk.found(tally, asked) if asked.bankroll else None
    if asked.bankroll and -asked.bankroll >= low and told is not None:
        axes.axhline(-asked.bankroll, color=HOUSE, linewidth=1.3)
        text = words.say(N_("the bankroll of {bankroll} is lost (×)"), bankroll=amount(asked.bankroll, words))
        if told.within is not None:
            text += ": " + share(told.within.value, words)
        _line_named(axes, text, -asked.bankroll, HOUSE, above=False)
    if asked.goal and asked.goal <= high:
        axes.axhline(asked.goal, color=PLAYER, linewidth=1.3, linestyle=(0, (6, 2)))
        text = words.say(N_("the goal of {goal} is won (●)"), goal=amount(asked.goal, words))
        _line_named(axes, text, asked.goal, PLAYER, above=True)


def _line_named(axes: Axes, text: str, at: float, colour: str, *, above: bool) -> None:
    """What a line across is, beside it and clear of the marks on it, on a ground of its own."""
    axes.annotate(text, (0.01, at), xycoords=("axes fraction", "data"), xytext=(0, 6 if above else -6),
                  textcoords="offset points", va="bottom" if above else "top", fontsize=7.5, color=colour,
                  weight="bold", zorder=6,
                  bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1})  # fmt: skip


def _named(axes: Axes, last: Floats, floor: float, words: Words) -> None:
    """What the blue lines are, at their right ends; those of lost bankrolls have none, nor two that end as one."""
    low, high = axes.get_ylim()
    for at, (part, value) in enumerate(zip(PARTS, last, strict=True)):
        if value <= floor or (at and value - last[at - 1] < 0.03 * (high - low)):
            continue
        axes.annotate(figures.percent(part, words, digits=0), (1, value), xycoords=("axes fraction", "data"),
                      xytext=(3, 0), textcoords="offset points", fontsize=6.5, color=PLAYER, va="center")  # fmt: skip


# --- by the count ---------------------------------------------------------------------------------------------------


def by_count(above: Axes, below: Axes, run: Run, words: Words) -> None:
    """The edge at each level of the count, with its error, and below how often the level is."""
    tally = run.progress.tally
    table = simrisk.levels(tally, simrisk.TAIL)
    total = sum(one.rounds for one in table)
    room = _wide(above) / (len(table) + 0.4)
    told = [plain(one.bet / tally.boxes, words, 0) for one in table]
    crowded = room < max(BET, FIGURE * max(map(len, told)))
    for one in table:
        edge = 100 * one.mean / tally.boxes
        colour = PLAYER if edge > 0 else HOUSE
        above.bar(one.level, edge, width=0.8, color=colour)
        if one.error is not None:
            off = 100 * NINETY_FIVE * one.error / tally.boxes
            above.errorbar(one.level, edge, yerr=off, fmt="none", ecolor=INK, elinewidth=0.8, capsize=2)
        below.bar(one.level, 100 * one.rounds / total, width=0.8, color=EVEN)
    for one, bet, before in zip(table, told, ["", *told], strict=False):
        if not crowded or bet != before:
            turned = 90 if crowded and len(bet) > 1 else 0
            below.annotate(bet, (one.level, 100 * one.rounds / total), xytext=(0, 2), fontsize=6, rotation=turned,
                           textcoords="offset points", ha="center", color=INK)  # fmt: skip
    levels = [one.level for one in table]
    below.set_ylim(0, 125 * max(one.rounds for one in table) / total)
    for axes in (above, below):
        axes.set_xlim(levels[0] - 0.7, levels[-1] + 0.7)
        axes.set_xticks(named(levels, room))
        axes.yaxis.set_major_formatter(lambda value, _: f"{_short(value, words)} %")
    names = {levels[0]: f"≤ {levels[0]}", levels[-1]: f"≥ {levels[-1]}"} if len(levels) > 1 else {}
    below.xaxis.set_major_formatter(lambda value, _: names.get(round(value), f"{round(value)}"))
    above.tick_params(axis="x", labelbottom=False)
    above.axhline(0, color=INK, linewidth=0.8)
    shown = words.say(
        N_("Above: the player’s edge at each count, with its 95 % interval. "
           "Below: how often it is, and the average bet as a number, where it changes.") if crowded else
        N_("Above: the player’s edge at each count, with its 95 % interval. "
           "Below: how often it is, and the average bet as a number.")
    )  # fmt: skip
    _frame(above, words.say(N_("What the count tells")), shown, "")
    _frame(below, "", "", words.say(N_("count when the round begins")))


def _wide(axes: Axes) -> float:
    """How wide axes are, in points."""
    figure = axes.get_figure(root=True)
    assert figure is not None
    return float(axes.get_position().width * figure.get_figwidth() * POINTS)


def named(levels: Sequence[int], room: float) -> list[int]:
    """The levels that are named, each having so many points: both ends, and between them round ones as room allows."""
    low, high = levels[0], levels[-1]
    step = next((one for one in (1, 2, 5) if one * room >= TICK), 10)
    return [one for one in levels
            if one in (low, high) or (one % step == 0 and min(one - low, high - one) * room >= TICK)]  # fmt: skip


# --- what all panels have -------------------------------------------------------------------------------------------


def _empty(axes: Axes, title: str, words: Words) -> None:
    """A panel of rounds that were all watched."""
    axes.set_axis_off()
    _frame(axes, title, words.say(N_("No round had a bet.")), "")


def _frame(axes: Axes, title: str, shown: str, below: str) -> None:
    """The title, what is shown, the name of the axis, and quiet lines."""
    lines = textwrap.wrap(shown, int(LETTERS * axes.get_position().width))
    styles: tuple[dict[str, Any], ...] = ({"weight": "bold", "fontsize": 10}, {"va": "top", "fontsize": 7.5})
    for text, up, style in zip((title, "\n".join(lines)), (28, 24), styles, strict=True):
        axes.annotate(text, (0, 1), xycoords="axes fraction", xytext=(0, up), textcoords="offset points", color=INK,
                      **style)  # fmt: skip
    axes.set_xlabel(below, fontsize=7.5, color=INK, labelpad=2)
    axes.tick_params(labelsize=7, colors=INK)
    axes.grid(axis="y", color="#dddddd", linewidth=0.5)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _money(value: float, words: Words) -> str:
    """Money on an axis: with its sign, and no more decimals than it has."""
    return f"{'+' if value > 0 else ''}{_short(value, words)}"


def _short(value: float, words: Words) -> str:
    """A number on an axis, with no more decimals than it has."""
    told = plain(round(value, 6), words, 6)
    return told.rstrip("0").rstrip(".,")
