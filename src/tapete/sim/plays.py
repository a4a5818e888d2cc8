"""Index plays: what a counter does otherwise than his chart says when the count is high or low."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from importlib.resources import files
from types import MappingProxyType
from typing import Final, NamedTuple

from tapete import chart as charts
from tapete import lookup, rulebook
from tapete.chart import INSURANCE, INSURANCE_BLACKJACK, LETTERS, NO, NOTHING, PAIR, YES, Chart, Row
from tapete.errors import BadInput
from tapete.exact import given, playing
from tapete.exact.playing import Round
from tapete.rules import RuleSet
from tapete.sim.count import LEVELS, IndexPlay

HI_LO: Final = "hi-lo"
"""The published set, and the system that it is for."""
HEAD: Final = ("hand", "against", "below", "least", "above")
"""The cells of a line that tells a play."""
_INSURED: Final = (INSURANCE, INSURANCE_BLACKJACK)
_TEN: Final = 10


class Published(NamedTuple):
    """The published plays at a table, for every row and column they speak of there, and those that do not fit it."""

    plays: tuple[IndexPlay, ...]
    dropped: tuple[IndexPlay, ...]


def published(rules: RuleSet) -> Published:
    """Hi-Lo's Illustrious 18 and Fab 4, as the dealer plays his soft 17 here.

    They were found for a dealer who looks for his blackjack before anybody retires, doubles or splits. Where he does
    not, those that retire do not fit, nor those that lay more money against what may turn out to be one.
    """
    text = (files("tapete") / "sim" / f"hi-lo-{'h17' if rules.dealer_soft17 == 'hit' else 's17'}.csv").read_text(
        "utf-8"
    )
    lines = csv.reader(line for line in text.splitlines() if not line.startswith("#"))
    told = [IndexPlay(row, column, below, int(least), above) for row, column, below, least, above in [*lines][1:]]
    kept: list[IndexPlay] = []
    dropped = []
    for play in told:
        here = [one for one in _spread(rules, play) if _fits(rules, one)]
        kept += here
        dropped += [] if here else [play]
    return Published(tuple(kept), tuple(dropped))


def _spread(rules: RuleSet, play: IndexPlay) -> Iterator[IndexPlay]:
    """A play for each row and column of this table that counts ten, where it speaks of tens."""
    rows, columns = [play.row], [play.column]
    if play.row == f"{PAIR} {_TEN}":
        kinds = lookup.kinds(rules)
        rows = [row.name for row in charts.rows(rules) if row.kind == PAIR and kinds[row.value].points == _TEN]
    if play.column == str(_TEN):
        columns = [column.name for column in charts.columns(rules) if column.name in (play.column, "F")]
    for row in rows:
        yield from (play._replace(row=row, column=column) for column in columns)


def _fits(rules: RuleSet, play: IndexPlay) -> bool:
    try:
        check(rules, play, "")
    except BadInput:
        return False
    if _retires(play):
        return not rulebook.retires_before_check(rules)
    starts = [lookup.starts(rules)[at] for one in charts.columns(rules) if one.name == play.column for at in one.starts]
    return play.above not in ("D", "P") or not any(lookup.may_turn_out_natural(rules, start) for start in starts)


def check(rules: RuleSet, play: IndexPlay, place: str) -> None:
    """Raises BadInput ``chart.…``, ``sim.play_…`` unless the table has this row and column, and both letters there."""
    columns = {column.name: column for column in charts.columns(rules)}
    rows: dict[str, Row | None] = {row.name: row for row in charts.rows(rules)}
    rows |= dict.fromkeys(charts.insurance_rows(rules))
    if play.row not in rows:
        raise BadInput("chart.row_unknown", place=place, row=play.row[:40], allowed=tuple(rows))
    if play.column not in columns:
        raise BadInput("chart.column_unknown", place=place, column=play.column[:40], allowed=tuple(columns))
    may = _letters(rules, rows[play.row], columns[play.column])
    for letter in (play.below, play.above):
        if letter not in may:
            code = "chart.not_allowed" if letter in (*LETTERS, YES, NO) else "chart.letter"
            raise BadInput(code, place=place, row=play.row, column=play.column, letter=letter[:20], allowed=may)
    if play.below == play.above:
        raise BadInput("sim.play_same", place=place, row=play.row, column=play.column, letter=play.above)
    if not -LEVELS <= play.least <= LEVELS:
        raise BadInput("sim.play_level", place=place, text=str(play.least), most=LEVELS)
    if charts.is_blind(rules) and _retires(play):
        raise BadInput("sim.play_blind", place=place, row=play.row, column=play.column)


def _letters(rules: RuleSet, row: Row | None, column: charts.Column) -> tuple[str, ...]:
    if row is not None:
        return charts.allowed(rules, row, column)
    return (YES, NO) if lookup.asks_insurance(rules, lookup.starts(rules)[column.starts[0]]) else (NOTHING,)


def _retires(play: IndexPlay) -> bool:
    """Whether a play is about retiring."""
    return charts.taken_apart(play.below)[0] != charts.taken_apart(play.above)[0]


def clash(one: IndexPlay, other: IndexPlay) -> bool:
    """Whether two plays decide the same of a cell: what is played, or whether to retire."""
    return one[:2] == other[:2] and bool(_decides(one) & _decides(other))


def _decides(play: IndexPlay) -> set[str]:
    below, above = (charts.taken_apart(letter) for letter in (play.below, play.above))
    return {name for name, mine, yours in zip(("retire", "move"), below, above, strict=True) if mine != yours}


# --- charts by the count --------------------------------------------------------------------------------------------


def levels(rules: RuleSet, chart: Chart, plays: Sequence[IndexPlay]) -> list[tuple[int, Chart]]:
    """The chart from each level on at which it changes, from -LEVELS on; plays and chart must be for these rules.

    A play that tells a move leaves it to the chart whether to retire; one about retiring, whose letters are the same
    beside that (``H`` and ``Rh``), leaves the move to it. A pair that the chart plays as its total follows the plays
    of the total, if none is about itself.
    """
    found: list[tuple[int, Chart]] = []
    for least in sorted({-LEVELS, *(play.least for play in plays)}):
        now = _chart(rules, chart, plays, least)
        if not found or now != found[-1][1]:
            found.append((least, now))
    return found


def rounds(rules: RuleSet, base: Round, chart: Chart, plays: Sequence[IndexPlay]) -> list[tuple[int, Round]]:
    """The way of playing from each level on, for a chart, counted with the tables of ``base``."""
    counted = base.counted
    return [
        (least, playing.under(counted, given.way(counted, one), stake=base.stake))
        for least, one in levels(rules, chart, plays)
    ]


def _chart(rules: RuleSet, chart: Chart, plays: Sequence[IndexPlay], level: int) -> Chart:
    cells = {row: list(letters) for row, letters in chart.cells.items()}
    insures = {INSURANCE: chart.insure, INSURANCE_BLACKJACK: chart.insure_blackjack}
    for play in plays:
        if play.row in _INSURED:
            insures[play.row] = _now(play, level) == YES
            continue
        at = chart.columns.index(play.column)
        cells[play.row][at] = _told(play, cells[play.row][at], level)
        for row in _followers(rules, chart, plays, play):
            letter = _told(play, cells[row.name][at], level)
            if letter in charts.allowed(rules, row, charts.columns(rules)[at]):
                cells[row.name][at] = letter
    return Chart(
        chart.name,
        chart.columns,
        MappingProxyType({row: tuple(letters) for row, letters in cells.items()}),
        insures[INSURANCE],
        insures[INSURANCE_BLACKJACK],
    )


def _now(play: IndexPlay, level: int) -> str:
    return play.above if level >= play.least else play.below


def _told(play: IndexPlay, cell: str, level: int) -> str:
    """What a play makes of a cell's letter."""
    inner = {charts.taken_apart(letter)[1] for letter in (play.below, play.above)}
    retires, plain = charts.taken_apart(_now(play, level))
    there, beside = charts.taken_apart(cell)
    if not _retires(play):
        retires = there or retires
    elif len(inner) == 1:
        plain = beside
    return f"R{plain.lower().strip(NOTHING)}" if retires else plain


def _followers(rules: RuleSet, chart: Chart, plays: Sequence[IndexPlay], play: IndexPlay) -> Iterator[Row]:
    """The pairs that the chart plays as the total of a play."""
    own = {one.row for one in plays if one.column == play.column}
    for row in charts.rows(rules):
        if row.kind != PAIR or row.name in own or charts.total_row(rules, row).name != play.row:
            continue
        cells = (chart.letter(name, play.column) for name in (row.name, play.row))
        mine, whole = (charts.taken_apart(cell)[1] for cell in cells)
        if mine == whole != "P":
            yield row
