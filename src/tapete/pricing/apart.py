"""Where a better strategy departs from a chart: by hand, or by cell where that strategy is a chart itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from tapete import chart as charts
from tapete import lookup, rulebook
from tapete.chart import HARD, PAIR, SOFT, Column, Row
from tapete.exact.departures import Departure
from tapete.pricing import figures, priced
from tapete.pricing.charted import Charted, row_name, shown
from tapete.pricing.priced import CHART
from tapete.rules import RuleSet
from tapete.terminal.keys import spoken, word_of
from tapete.words import N_, Words
from tapete.words import words as words_of

OF_NOTE: Final = 1e-9
"""Departures that cost less per round and bet are not listed."""


class Apart(NamedTuple):
    """Where a better strategy departs from the chart: a hand, or, for a strategy that is a chart itself, a cell.

    ``cards`` are the kinds of the hand or empty, ``row`` is the cell's row or None; ``start`` is what the dealer shows,
    by kinds or, for a cell, by its column.
    """

    cards: tuple[int, ...]
    row: Row | None
    start: tuple[int, ...] | Column
    chart: str
    played: str
    cost: Any
    chance: Any


def exceptions(found: Charted) -> list[Apart]:
    """Where the other strategy departs from the chart, the costliest first, without what hardly matters."""
    if found.other is None:
        return []
    every = _by_cell(found) if found.other.level == CHART else [_by_hand(one) for one in found.departures]
    return sorted((one for one in every if one.cost >= OF_NOTE), key=lambda one: -one.cost)


def _by_hand(one: Departure) -> Apart:
    return Apart(one.cards, None, one.start, one.chart, one.played, one.cost, one.chance)


def _by_cell(found: Charted) -> list[Apart]:
    """Departures from one chart to another, those of a cell together."""
    rules = found.table.rules
    starts = {start: at for at, start in enumerate(lookup.starts(rules))}
    columns = {at: column for column in charts.columns(rules) for at in column.starts}
    cells: dict[tuple[Row, Column, str, str], tuple[Any, Any]] = {}
    for one in found.departures:
        place = (_row_of(rules, one.cards), columns[starts[one.start]], one.chart, one.played)
        cost, chance = cells.get(place, (0, 0))
        cells[place] = (cost + one.cost, chance + one.chance)
    return [Apart((), *place, *told) for place, told in cells.items()]


def _row_of(rules: RuleSet, cards: tuple[int, ...]) -> Row:
    if len(cards) == 2 and cards[0] == cards[1]:
        return next(row for row in charts.rows(rules) if row.kind == PAIR and row.value == cards[0])
    points = [lookup.kinds(rules)[card].points for card in cards]
    total = rulebook.total(sum(points), ace=1 in points)
    kind = SOFT if rulebook.is_soft(sum(points), ace=1 in points) else HARD
    return Row(f"{kind} {total}", kind, total)


def exception_rows(found: Charted, known: Sequence[Apart], words: Words) -> list[list[str]]:
    """Exceptions as rows of cells below a head."""
    spoke = words_of(spoken(found.table.rules, words.language))
    head = [N_("Hand"), N_("Dealer"), N_("Chart"), N_("Better"), N_("Cost")]
    rows = [[words.say(one) for one in head]]
    for one in known:
        cost = figures.number(1e6 * one.cost, words, digits=3, signed=False)
        moves = (word_of(one.chart, spoke), word_of(one.played, spoke))
        rows.append([*_where(found.table.rules, one, words), *moves, cost])
    return rows


def _where(rules: RuleSet, one: Apart, words: Words) -> tuple[str, str]:
    if not isinstance(one.start, Column):
        return figures.cards(lookup.kinds(rules), one.cards), figures.start(rules, one.start)
    return row_told(one.row, rules, words) if one.row else "", column_told(one.start, words)


def column_told(column: Column, words: Words) -> str:
    """What the dealer shows in a column."""
    kind, _, total = column.name.rpartition(" ")
    return total_told(kind, total, words) if kind else shown(column)


def row_told(row: Row, rules: RuleSet, words: Words) -> str:
    """The hands of a row."""
    return row_name(row, rules) if row.kind == PAIR else total_told(row.kind, row.value, words)


def total_told(kind: str, total: int | str, words: Words) -> str:
    """A total, hard or soft."""
    return words.say(N_("soft {total}") if kind == SOFT else N_("hard {total}"), total=total)


def as_json(rules: RuleSet, one: Apart) -> dict[str, Any]:
    """An exception in JSON."""
    kinds = lookup.kinds(rules)
    return {
        "hand": one.row.name if one.row else ",".join(kinds[card].name for card in one.cards),
        "dealer": one.start.name if isinstance(one.start, Column) else priced.start_name(rules, one.start),
        "chart": one.chart,
        "played": one.played,
        "cost": float(one.cost),
        "chance": float(one.chance),
    }
