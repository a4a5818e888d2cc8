"""Published charts for one and two packs: every cell, and every cell that differs with what ours gains by it."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Final

import pytest

from tapete.chart import Chart
from tapete.exact import given
from tapete.exact.analysis import Price, analyse, price_of
from tapete.rules import RuleSet
from tests.exact.world import kinds, price, rows, table

SOFT17: Final = {"s17": "stand", "h17": "hit"}
LETTERS: Final = {"DH": "D", "DS": "Ds", "QH": "P", "QS": "P", "QD": "P", "RH": "Rh", "RS": "Rs", "RP": "Rp"}
NO_HOLE: Final = {"dealer_deal": "no_hole", "peek": "none", "surrender__mode": "early"}
ENHC: Final = "_enhc"

UNREACHED: Final = 0.0
"""What a letter gains that nobody comes to: who retires a hand as dealt never asks what else to do with it."""
DIFFER: Final[dict[tuple[str, str, str], tuple[str, str, float]]] = {
    # Who retires 16 as dealt meets it only with three cards and more, small ones mostly, and stands on those.
    ("1d-s17", "hard 16", "10"): ("Rh", "Rs", 1.6e-4), ("1d-s17", "hard 16", "10_enhc"): ("Rh", "Rs", 1.9e-4),
    ("1d-h17", "hard 16", "10"): ("Rh", "Rs", 1.6e-4), ("1d-h17", "hard 16", "10_enhc"): ("Rh", "Rs", 1.9e-4),
    ("2d-s17", "hard 16", "10"): ("Rh", "Rs", 6.7e-5), ("2d-s17", "hard 16", "10_enhc"): ("Rh", "Rs", 8.4e-5),
    ("2d-h17", "hard 16", "10"): ("Rh", "Rs", 6.7e-5), ("2d-h17", "hard 16", "10_enhc"): ("Rh", "Rs", 8.4e-5),
    ("1d-s17", "pair 8", "10_enhc"): ("Rh", "Rs", UNREACHED), ("1d-h17", "pair 8", "10_enhc"): ("Rh", "Rs", UNREACHED),
    ("2d-s17", "pair 8", "10_enhc"): ("Rh", "Rs", UNREACHED), ("2d-h17", "pair 8", "10_enhc"): ("Rh", "Rs", UNREACHED),
    # Sevens that may not be retired: by totals a 14, to be hit; as the cards that they are, to be stood on.
    ("1d-s17", "pair 7", "10"): ("Rs", "Rh", UNREACHED), ("1d-s17", "pair 7", "10_enhc"): ("Rs", "Rh", UNREACHED),
    ("1d-h17", "pair 7", "10"): ("Rs", "Rh", UNREACHED), ("1d-h17", "pair 7", "10_enhc"): ("Rs", "Rh", UNREACHED),
    # Retired or hit. Without the sevens, which have a row of their own, 14 is better than half its stake.
    ("1d-s17", "hard 14", "10_enhc"): ("Rh", "H", 1.0e-4), ("1d-h17", "hard 14", "10_enhc"): ("Rh", "H", 1.0e-4),
    ("1d-s17", "pair 2", "A_enhc"): ("H", "Rh", 3.2e-7), ("1d-h17", "pair 4", "A_enhc"): ("H", "Rh", 2.4e-6),
    ("1d-h17", "hard 8", "A_enhc"): ("H", "Rh", 2.8e-5), ("2d-h17", "hard 8", "A_enhc"): ("H", "Rh", 3.6e-6),
    # Ours weighs all hands that come to a cell, longer ones and those of splits too; as dealt the other move is best.
    ("2d-s17", "soft 17", "2"): ("H", "D", 1.5e-7), ("2d-h17", "soft 17", "2"): ("H", "D", 5.7e-7),
    ("2d-s17", "soft 18", "A"): ("H", "S", 3.1e-6), ("2d-s17", "soft 18", "A_enhc"): ("H", "S", 2.0e-6),
    # Right where one may not double afterwards.
    ("2d-h17", "pair 8", "A"): ("Rp", "P", 1.7e-6),
}  # fmt: skip
"""Table, row, column: the published letter, ours, and what ours is worth more per round."""


def rules_of(name: str, *, no_hole: bool, doubles: bool = True) -> RuleSet:
    told = NO_HOLE if no_hole else {"surrender__mode": "late"}
    decks, soft17 = name.split("d-")
    return table(decks=int(decks), dealer_soft17=SOFT17[soft17], double__after_split=doubles, **told)


@functools.lru_cache(maxsize=2)
def best(rules: RuleSet) -> tuple[Price, Chart]:
    found = analyse(rules, level="td")
    return found, given.chart_of(found.round)


def published(name: str, *, no_hole: bool) -> Iterator[tuple[str, str, str]]:
    """Row, column and letter, for doubling after splits."""
    for row in rows("woo_basic_strategy_tables.csv"):
        if row["table"] == name and not row["player"].endswith(" 21"):
            for column in list(row)[2:]:
                if column.endswith(ENHC) == no_hole:
                    yield row["player"], column, LETTERS.get(row[column], row[column])


def with_cell(chart: Chart, row: str, column: str, letter: str) -> Chart:
    at = chart.columns.index(column)
    cells = chart.cells[row]
    return Chart(chart.name, chart.columns, {**chart.cells, row: (*cells[:at], letter, *cells[at + 1 :])})


TABLES: Final = ("1d-s17", "1d-h17", "2d-s17", "2d-h17")


@pytest.mark.parametrize("no_hole", [False, True], ids=["peek", "enhc"])
@pytest.mark.parametrize("name", TABLES)
def test_every_cell_of_a_published_chart_or_what_ours_gains_by_another(name: str, no_hole: bool) -> None:
    rules = rules_of(name, no_hole=no_hole)
    worth, chart = best(rules)
    told, found = 0, {}
    for row, column, wanted in published(name, no_hole=no_hole):
        told += 1
        place = column.removesuffix(ENHC)
        if (ours := chart.letter(row, place)) != wanted:
            found[name, row, column] = wanted, ours
            gain = float(worth.ev - price_of(rules, with_cell(chart, row, place, wanted)).ev)
            assert gain == pytest.approx(DIFFER[name, row, column][2], rel=0.05, abs=1e-15), (row, column)
    expected = {at: one[:2] for at, one in DIFFER.items() if at[0] == name and at[2].endswith(ENHC) == no_hole}
    assert (told, found) == (34 * (2 if no_hole else 10), expected)


@pytest.mark.parametrize("name", TABLES)
def test_pairs_are_split_less_where_nobody_may_double_afterwards(name: str) -> None:
    chart = best(rules_of(name, no_hole=False, doubles=False))[1]
    told = [row for row in rows("woo_basic_strategy_tables.csv") if row["table"] == name]
    asked = [(row["player"], at, row[at][1]) for row in told for at in chart.columns if row[at][0] == "Q"]
    assert 7 <= len(asked) <= 10
    assert [one for one in asked if chart.letter(one[0], one[1]) != one[2]] == []
    if name == "2d-h17":  # two of the cells that differ for who may double
        assert (chart.letter("soft 17", "2"), chart.letter("pair 8", "A")) == ("H", "Rp")


def test_the_hands_as_dealt_are_better_played_as_the_published_chart_says() -> None:
    """A chart by totals cannot say so: it speaks of every hand of a total at once."""
    sevens = {move.name: move.ev for move in price(table(decks=1)).moves((6, 6), kinds("10"))}
    assert sevens["stand"] > sevens["hit"]
    two = price(table(decks=2))
    six = {move.name: move.ev for move in two.moves(kinds("A,6"), kinds("2"))}
    seven = {move.name: move.ev for move in two.moves(kinds("A,7"), kinds("A"))}
    assert six["hit"] > six["double"]
    assert seven["hit"] > seven["stand"]
