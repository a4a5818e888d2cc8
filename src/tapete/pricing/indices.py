"""Index plays of a table, derived from its rules: what a counter does otherwise when the count is high or low.

Of each cell of the chart a counter may change two things with the count: its move, and whether it retires. For each,
this finds the one level, and the letters below it and from it on, that bring most over all levels, each as often as it
comes. Method and conventions are told in docs/indices.md.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

import numpy as np

from tapete import chart as charts
from tapete.chart import NO, NOTHING, YES, Column, Row
from tapete.errors import BadInput
from tapete.exact import boxes, leaning
from tapete.exact.tree import Ints, Numbers
from tapete.pricing import figures, indexchances, priced
from tapete.pricing.indexchances import SIGHT, Seen
from tapete.pricing.simcount import Counter
from tapete.rules import RuleSet
from tapete.sim.count import LEVELS, NEAREST, PACK, IndexPlay

LEANS: Final = 17
"""How many shoes are counted, each leaning otherwise."""
POINTS: Final = 101
"""How many counts are looked at to see where two moves are equal."""
DEPTHS: Final = 40
"""Depths of the shoe that are weighed."""
LEAST: Final = 1e-10
"""Plays that gain less in a round, per initial bet, are none."""
FURTHEST: Final = LEVELS - 1
"""A level from which on, to either side, a play may as well belong to any further one."""
FEWEST: Final = 26
"""Cards that have been seen at least where a depth of the shoe is asked for; half as many are unseen."""
_WISHES: Final = {"S": 0, "H": 1, "Ds": 2, "D": 3}


class Asked(NamedTuple):
    """A table, a counter, and how many ``packs`` are unseen, 0 for all depths of the shoe."""

    table: priced.Table
    counter: Counter
    packs: float


class Found(NamedTuple):
    """A play, what it gains per round and initial bet over the better of its letters, and where the moves are equal.

    ``usual`` is that better letter; ``exact`` the count, before it is made whole, at which both letters bring the
    same (None: nowhere near).
    """

    play: IndexPlay
    usual: str
    gain: float
    exact: float | None


class Indices(NamedTuple):
    """The plays of a table, the most valuable first; ``lowest`` and ``highest`` are the levels looked at.

    ``beyond`` plays are left out: their level is, or lies beyond, the last one that is told apart from what is further.
    """

    asked: Asked
    unseen: float
    dealt: bool
    lowest: int
    highest: int
    plays: tuple[Found, ...]
    beyond: int = 0


Progress = Callable[[int, int], None]
"""Told how many of how many shoes are counted."""


def packs(text: str, rules: RuleSet) -> float:
    """How many packs are unseen; 0 for no text. Raises BadInput ``index.packs``."""
    least, most = FEWEST / 2 / PACK, rules.decks - FEWEST / PACK
    try:
        wanted = figures.decimal(text) if text else 0.0
    except ValueError:
        wanted = math.nan
    if text and not least <= wanted <= most:
        raise BadInput("index.packs", text=text[:40], least=least, most=most)
    return wanted


def derived(asked: Asked, progress: Progress = lambda _done, _many: None) -> Indices:
    """The index plays. Where hands decide about each other and cannot be counted, they are those hand by hand."""
    rules = boxes.hand_by_hand(asked.table.rules)
    seen = _seen(asked, rules)
    counts, weights = indexchances.points(seen, POINTS)
    over = np.concatenate([indexchances.chances(seen), weights], axis=2)
    sums = _summed(seen, over, progress)
    cells = _Cells(rules, sums, indexchances.told(seen), counts, seen.counting.rounding)
    found = [one for one in (*_played(cells), *_insured(cells)) if one.gain >= LEAST]
    told = [one for one in found if abs(one.play.least) < FURTHEST]
    plays = tuple(sorted(told, key=lambda one: -one.gain))
    known = cells.levels
    return Indices(asked, seen.unseen, _is_dealt(rules), int(known[0]), int(known[-1]), plays, len(found) - len(told))


# --- the counter ----------------------------------------------------------------------------------------------------


def _seen(asked: Asked, rules: RuleSet) -> Seen:
    counting = asked.counter.colourless.counting(rules)
    frame = leaning.frame(rules, counting.tags)
    most = frame.pack.most
    return Seen(counting, frame, np.linspace(-most, most, LEANS), _depths(rules, asked.packs))


def _is_dealt(rules: RuleSet) -> bool:
    """Whether a shoe is dealt for more than one round."""
    return rules.shuffle == "cut_card" and rules.cut_card_left is not None


def _depths(rules: RuleSet, unseen: float) -> Ints:
    """How many cards have been seen beside those in sight: as a shoe is dealt, or as it is when so many are unseen."""
    cards = PACK * rules.decks
    if unseen:
        return np.array([round(cards - SIGHT - PACK * unseen)])
    left = rules.cut_card_left if _is_dealt(rules) and rules.cut_card_left is not None else cards // 2
    dealt = max(1, cards - max(left, FEWEST // 2) - SIGHT)
    places = (np.arange(DEPTHS) + 0.5) * dealt / DEPTHS
    return np.maximum(1, places.astype(np.int64))


# --- what letters bring ---------------------------------------------------------------------------------------------


class _Sums(NamedTuple):
    """What moves bring by level and, behind the levels, by point: ``[at, row, column, …]``.

    ``first`` is of hands that may retire, ``later`` of the others; in the last axis are the wishes, then splitting.
    """

    first: Numbers
    later: Numbers
    retire: Numbers
    insured: Numbers


def _summed(seen: Seen, over: Numbers, progress: Progress) -> _Sums:
    open_ = np.array([group.open_ for group in seen.frame.groups])
    total: list[Numbers] = []
    for at, told in enumerate(leaning.brought(seen.frame, seen.leans)):
        plain, bent = over[:, 0, :, at], over[:, 1, :, at]
        now = [
            *(np.tensordot(plain[one].T, told.moves[one], 1) + np.tensordot(bent[one].T, told.bend[one], 1)
              for one in (open_, ~open_)),
            np.tensordot(plain.T, told.retire, 1),
            np.tensordot(plain.T, told.insured, 1),
        ]  # fmt: skip
        total = [one + more for one, more in zip(total, now, strict=True)] if total else now
        progress(at + 1, len(seen.leans))
    return _Sums(*total)


class _Cells(NamedTuple):
    """All cells of a table's charts; ``levels`` may be indices, ``counts`` are those of the points."""

    rules: RuleSet
    sums: _Sums
    levels: Ints
    counts: Numbers
    rounding: int


class _Step(NamedTuple):
    """One letter below a level, another from it on: what it brings more than the better one alone, ``usual``."""

    below: str
    least: int
    above: str
    usual: str
    gain: float

    def at(self, levels: Numbers) -> Numbers:
        """Where the letter above is played."""
        found: Numbers = levels >= self.least
        return found


_LEVELS: Final = np.arange(-LEVELS, LEVELS + 1)
_MANY: Final = len(_LEVELS)


def _step(brings: Mapping[str, Numbers], levels: Ints) -> _Step:
    """The best step between letters that bring so much at each level; with no gain where none is better than a letter.

    Of letters that bring the same the first are taken.
    """
    usual = max(brings, key=lambda letter: float(brings[letter][:_MANY].sum()))
    whole = float(brings[usual][:_MANY].sum())
    best = _Step(usual, -LEVELS, usual, usual, 0.0)
    for below, above in itertools.permutations(brings, 2):
        gained = np.cumsum((brings[above] - brings[below])[:_MANY][::-1])[::-1]
        totals = float(brings[below][:_MANY].sum()) + gained[levels + LEVELS] - whole
        at = int(np.argmax(totals))
        if totals[at] > best.gain + 1e-15:
            best = _Step(below, int(levels[at]), above, usual, float(totals[at]))
    return best


def _played(cells: _Cells) -> Iterator[Found]:
    """The plays of all rows and columns, moves and retiring apart."""
    for at, row in enumerate(charts.rows(cells.rules)):
        for place, column in enumerate(charts.columns(cells.rules)):
            yield from _of_cell(cells, (at, row), (place, column))


def _of_cell(cells: _Cells, row: tuple[int, Row], column: tuple[int, Column]) -> Iterator[Found]:
    letters = _letters(cells, row, column)
    first, later = (
        {letter: one[:, row[0], column[0], 4 if letter == "P" else _WISHES.get(letter, 0)] for letter in letters}
        for one in (cells.sums.first, cells.sums.later)
    )
    retire = cells.sums.retire[:, row[0], column[0]]
    retires = np.zeros(len(retire))
    step = None
    if any(letter.startswith("R") for letter in charts.allowed(cells.rules, row[1], column[1])):
        play_on = np.max([*first.values()], axis=0)
        step = _step({"": play_on, "R": retire}, cells.levels)
        retires = _where(cells, step)
    brings = {letter: first[letter] * (1 - retires) + later[letter] for letter in letters}
    move = _step(_distinct(brings), cells.levels)
    yield _found(cells, (row[1], column[1]), move, brings)
    if step and not charts.is_blind(cells.rules):
        names = {"": move.usual, "R": f"R{move.usual.lower().strip(NOTHING)}"}
        told = step._replace(below=names[step.below], above=names[step.above], usual=names[step.usual])
        yield _found(cells, (row[1], column[1]), told, {names[""]: play_on, names["R"]: retire})


def _letters(cells: _Cells, row: tuple[int, Row], column: tuple[int, Column]) -> list[str]:
    """The moves that may stand in a cell, retiring apart."""
    may = charts.allowed(cells.rules, row[1], column[1])
    return [letter for letter in (*charts.PLAIN, NOTHING) if letter in may]


def _where(cells: _Cells, step: _Step) -> Numbers:
    """1 at the levels and points where a step between playing on and retiring retires."""
    counts = np.concatenate([_LEVELS, cells.counts + (0.5 if cells.rounding == NEAREST else 0)])
    above = step.at(counts)
    found: Numbers = np.where(above, step.above == "R", step.below == "R").astype(np.float64)
    return found


def _distinct(brings: Mapping[str, Numbers]) -> Mapping[str, Numbers]:
    """The letters without one of the two doublings where they are the same: every hand there may double."""
    if "D" not in brings or "Ds" not in brings or np.abs(brings["D"] - brings["Ds"])[:_MANY].max() > LEAST:
        return brings
    hits = brings["H"][:_MANY].sum() >= brings["S"][:_MANY].sum() if {"H", "S"} <= brings.keys() else "H" in brings
    return {letter: one for letter, one in brings.items() if letter != ("Ds" if hits else "D")}


def _insured(cells: _Cells) -> Iterator[Found]:
    for row in charts.insurance_rows(cells.rules):
        which = int(row == charts.INSURANCE_BLACKJACK)
        for place, column in enumerate(charts.columns(cells.rules)):
            gains = cells.sums.insured[:, which, place]
            brings = {NO: gains * 0, YES: gains}
            yield _found(cells, (Row(row, row, 0), column), _step(brings, cells.levels), brings)


def _found(cells: _Cells, cell: tuple[Row, Column], step: _Step, brings: Mapping[str, Numbers]) -> Found:
    play = IndexPlay(cell[0].name, cell[1].name, step.below, step.least, step.above)
    return Found(play, step.usual, step.gain, _crossing(cells, step, brings))


def _crossing(cells: _Cells, step: _Step, brings: Mapping[str, Numbers]) -> float | None:
    """The count nearest to a step at which its second letter becomes the better one."""
    if step.below == step.above:
        return None
    gains = (brings[step.above] - brings[step.below])[_MANY:]
    rising = np.flatnonzero((gains[:-1] <= 0) & (gains[1:] > 0))
    if not len(rising):
        return None
    low, high = cells.counts[rising], cells.counts[rising + 1]
    part = -gains[rising] / (gains[rising + 1] - gains[rising])
    found = low + (high - low) * part
    middle = step.least + (0 if cells.rounding == NEAREST else 0.5)
    nearest = float(found[np.argmin(np.abs(found - middle))])
    return nearest if math.isfinite(nearest) else None
