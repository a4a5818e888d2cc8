"""Strategy charts: what to do with each hand against what the dealer shows, as a value.

A chart has a column for each thing that the dealer can show (his up card; his total, hard or soft, where both of his
cards are seen) and a row for each thing that a player tells apart: hard totals, soft totals, pairs. A cell is a letter:

- ``S`` stand, ``H`` hit, ``D`` double, else hit, ``Ds`` double, else stand, ``P`` split, else as the total says;
- ``R`` before one of them, like ``Rh``: retire, else that; ``R`` alone: retire, else there is nothing to decide;
- ``-`` the hand's turn is over by itself.

Beside the cells it says whether to insure, with a blackjack and with anything else. What a cell may say is decided by
the table's rules: :func:`allowed`.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

import msgspec

from tapete import lookup, rulebook, strategy
from tapete.errors import BadInput
from tapete.rulebook import Hand
from tapete.rules import RuleSet

NOTHING: Final = "-"
PLAIN: Final = ("S", "H", "D", "Ds", "P")
LETTERS: Final = (*PLAIN, *(f"R{letter.lower()}" for letter in PLAIN), "R", NOTHING)
"""Every letter that a cell can have."""
YES, NO = "Y", "N"
HARD, SOFT, PAIR = "hard", "soft", "pair"
INSURANCE: Final = "insurance"
INSURANCE_BLACKJACK: Final = "insurance with blackjack"
"""The rows of a file that say whether to insure, with :data:`YES` or :data:`NO`."""
_INSTEAD: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "S": ("S", "H"),
        "H": ("H", "S"),
        "D": ("D", "H", "S"),
        "Ds": ("Ds", "S", "D", "H"),
        "P": ("P",),
        NOTHING: ("S", "H"),
    }
)
"""What each letter becomes where the table does not allow it."""


class Column(NamedTuple):
    """What the dealer shows: its name in files, and the places among ``lookup.starts`` that it stands for."""

    name: str
    starts: tuple[int, ...]


class Row(NamedTuple):
    """What a player tells apart: ``hard`` and ``soft`` with a total, ``pair`` with a kind of ``lookup.kinds``."""

    name: str
    kind: str
    value: int


class Chart(msgspec.Struct, frozen=True):
    """A way of playing that fits on a page. ``cells[row]`` are its letters, one for each of ``columns``."""

    name: str
    columns: tuple[str, ...]
    cells: Mapping[str, tuple[str, ...]]
    insure: bool = False
    insure_blackjack: bool = False

    def letter(self, row: str, column: str) -> str:
        """The letter of a cell."""
        return self.cells[row][self.columns.index(column)]


# --- the shape of a table's charts ----------------------------------------------------------------------------------


@functools.lru_cache(maxsize=64)
def columns(rules: RuleSet) -> tuple[Column, ...]:
    """What the dealer can show at this table while there is something to decide, the ace (and soft totals) last."""
    starts = lookup.starts(rules)
    if rules.dealer_deal != "both_up":
        names = [_name(kind) for kind in lookup.dealer_kinds(rules)]
        return tuple(Column(names[up], (up,)) for up in (*range(1, len(names)), 0))
    groups: dict[tuple[bool, int], list[int]] = {}
    for at, start in enumerate(starts):
        if not lookup.is_natural(rules, start):
            hard = sum(lookup.dealer_kinds(rules)[kind].points for kind in start)
            groups.setdefault((0 in start, rulebook.total(hard, ace=0 in start)), []).append(at)
    return tuple(
        Column(f"{SOFT if soft else HARD} {total}", tuple(groups[soft, total])) for soft, total in sorted(groups)
    )


def _name(kind: lookup.Kind) -> str:
    return "10" if kind.name == "T" else kind.name


@functools.lru_cache(maxsize=64)
def rows(rules: RuleSet) -> tuple[Row, ...]:
    """What a player tells apart at this table: totals that are not closed by themselves, and every pair."""
    most = 21 if rules.hit_21 == "allowed" else 20
    kinds = lookup.kinds(rules)
    return (
        *(Row(f"{HARD} {total}", HARD, total) for total in range(4, most + 1)),
        *(Row(f"{SOFT} {total}", SOFT, total) for total in range(12, most + 1)),
        *(Row(f"{PAIR} {_name(kinds[kind])}", PAIR, kind) for kind in (*range(1, len(kinds)), 0)),
    )


def insurance_rows(rules: RuleSet) -> tuple[str, ...]:
    """The rows about insurance that a file for this table has."""
    if rules.insurance.who == "none" or rules.dealer_deal == "both_up":
        return ()
    return (INSURANCE, INSURANCE_BLACKJACK) if rules.insurance.who == "any" else (INSURANCE_BLACKJACK,)


def is_blind(rules: RuleSet) -> bool:
    """Whether retiring is decided before the dealer shows a card: a row then retires in all columns, or in none."""
    return rulebook.retires_before_check(rules) and rules.deal_order == "players_first"


# --- what a cell may say --------------------------------------------------------------------------------------------


def allowed(rules: RuleSet, row: Row, column: Column) -> tuple[str, ...]:
    """The letters that the table's rules allow in a cell."""
    standing = lookup.standing(rules, lookup.starts(rules)[column.starts[0]])
    return _letters(rules, row, standing)


@functools.lru_cache(maxsize=4096)
def _letters(rules: RuleSet, row: Row, standing: int) -> tuple[str, ...]:
    bits = retires = 0
    for hand in _hands(rules, row, standing):
        bits |= lookup.moves(rules, hand)
        pair = hand.same_rank and row.kind != PAIR  # a pair retires by its own row
        retires |= hand.cards == 2 and not hand.split and not pair and lookup.may_retire(rules, hand)
    needed = (
        ("S", lookup.STAND),
        ("H", lookup.HIT),
        ("D", lookup.DOUBLE | lookup.HIT),
        ("Ds", lookup.DOUBLE | lookup.STAND),
        ("P", lookup.SPLIT if row.kind == PAIR else 1 << 10),
    )
    plain = tuple(letter for letter, bit in needed if bits & bit == bit) or (NOTHING,)
    return (*plain, *(f"R{letter.lower().strip(NOTHING)}" for letter in plain)) if retires else plain


def _hands(rules: RuleSet, row: Row, standing: int) -> Iterator[Hand]:
    """Hands of a row, one of each sort that the rulebook tells apart."""
    kinds = lookup.kinds(rules)
    if row.kind == PAIR:
        yield from _dealt(rules, row.value, row.value, standing)
        return
    hard, ace = (row.value - rulebook.SOFT_BONUS, True) if row.kind == SOFT else (row.value, False)
    for one, other in itertools.combinations_with_replacement(range(len(kinds)), 2):
        if kinds[one].points + kinds[other].points == hard and (kinds[one].points == 1) == ace:
            yield from _dealt(rules, one, other, standing)
            yield from _dealt(rules, other, one, standing)
    for first in (1, 2):
        for split in (False, True):
            yield Hand(hard, ace, 3, first, 2, False, False, split, False, 1 + split, standing)  # noqa: FBT003


def _dealt(rules: RuleSet, one: int, other: int, standing: int) -> Iterator[Hand]:
    for split in (False, True):
        hand = lookup.asked(rules, (one, other), split=split, doubled=False, standing=standing)
        yield hand._replace(hands=1 + split)


def fitted(rules: RuleSet, row: Row, column: Column, letter: str) -> str:
    """The letter that a cell has at this table where a strategy wishes ``letter``; "" for a pair that is not split."""
    may = allowed(rules, row, column)
    retires, inner = taken_apart(letter)
    plain = next((one for one in (*_INSTEAD[inner], NOTHING) if one in may), "")
    prefixed = f"R{plain.lower().strip(NOTHING)}"
    return prefixed if retires and plain and prefixed in may else plain


def taken_apart(letter: str) -> tuple[bool, str]:
    """Whether a letter retires, and the letter that is played else.

    >>> taken_apart("Rds"), taken_apart("H"), taken_apart("R")
    ((True, 'Ds'), (False, 'H'), (True, '-'))
    """
    if not letter.startswith("R"):
        return False, letter
    return True, letter[1:].capitalize() or NOTHING


# --- charts made from wishes ----------------------------------------------------------------------------------------


Wish = Callable[[Row, Column], str]


def made(rules: RuleSet, name: str, wish: Wish, *, insure: bool = False, insure_blackjack: bool = False) -> Chart:
    """The chart of a strategy that wishes these letters, each fitted to what the table allows.

    A pair whose letter is empty, or that the table does not let split, is played as its total.
    """
    cells = {}
    for row in rows(rules):
        cells[row.name] = tuple(_cell(rules, row, column, wish) for column in columns(rules))
    offered = insurance_rows(rules)
    return Chart(
        name,
        tuple(column.name for column in columns(rules)),
        MappingProxyType(cells),
        insure and INSURANCE in offered,
        insure_blackjack and INSURANCE_BLACKJACK in offered,
    )


def _cell(rules: RuleSet, row: Row, column: Column, wish: Wish) -> str:
    letter = wish(row, column)
    told = fitted(rules, row, column, letter) if letter else ""
    if told:
        return told
    plain = wish(total_row(rules, row), column)
    return fitted(rules, row, column, f"R{plain.lower()}" if letter.startswith("R") and plain[0] != "R" else plain)


def total_row(rules: RuleSet, pair: Row) -> Row:
    """The row of the total that a pair makes."""
    points = lookup.kinds(rules)[pair.value].points
    return Row(f"{SOFT} 12", SOFT, 12) if points == 1 else Row(f"{HARD} {2 * points}", HARD, 2 * points)


def mimic(rules: RuleSet) -> Chart:
    """Playing as the dealer of this table has to: no doubling, splitting, retiring, insuring."""

    def wish(row: Row, _: Column) -> str:
        if row.kind == PAIR:
            return ""
        soft = row.kind == SOFT
        return "H" if rulebook.must_draw(rules, row.value - (rulebook.SOFT_BONUS if soft else 0), ace=soft) else "S"

    return made(rules, "mimic", wish)


def never_bust(rules: RuleSet) -> Chart:
    """Hitting only what cannot go bust and is below soft 18; no doubling, splitting, retiring, insuring."""

    def wish(row: Row, _: Column) -> str:
        if row.kind == PAIR:
            return ""
        return "H" if row.value <= (11 if row.kind == HARD else 17) else "S"

    return made(rules, "never-bust", wish)


def simple(rules: RuleSet) -> Chart:
    """What the house's bots play: ``strategy.SIMPLE``."""
    bots, blind = strategy.SIMPLE, is_blind(rules)
    unseen = strategy.COLUMNS.index(10)  # what bots think of before the dealer shows a card

    def retires(points: int, at: int) -> bool:
        return points > 1 and bots.hard[2 * points][at] == "R"

    def wish(row: Row, column: Column) -> str:
        at = _bots_column(column)
        if row.kind == PAIR:
            points = lookup.kinds(rules)[row.value].points
            letter = "P" if bots.pairs.get(points, "N" * 10)[at] == "P" else ""
            return f"R{letter.lower()}" if blind and letter and retires(points, unseen) else letter
        letters = (bots.soft if row.kind == SOFT else bots.hard)[row.value]
        plain = {"T": "Ds", "R": "H"}.get(letters[at], letters[at])
        return f"R{plain.lower()}" if letters[unseen if blind else at] == "R" else plain

    return made(rules, "simple", wish)


def _bots_column(column: Column) -> int:
    kind, _, shown = column.name.rpartition(" ")
    if not kind:
        return strategy.COLUMNS.index({"A": 1, "F": 10}.get(shown) or int(shown))
    return strategy.COLUMNS.index(6 if kind == HARD and 12 <= int(shown) <= 16 else 10)


NAMED: Final[Mapping[str, Callable[[RuleSet], Chart]]] = MappingProxyType(
    {"mimic": mimic, "never-bust": never_bust, "simple": simple}
)
"""Strategies that have a name of their own, as charts for any table."""


# --- charts from outside --------------------------------------------------------------------------------------------


class Line(NamedTuple):
    """A line of a chart from outside: where it stands, its row, its cells."""

    place: str
    row: str
    cells: tuple[str, ...]


def read(rules: RuleSet, name: str, header: Line, lines: Sequence[Line]) -> Chart:
    """The chart that these lines tell, in whatever order; it has to say one thing for each cell of this table.

    Raises BadInput ``chart.…`` for the first thing that is wrong, with its place and what is possible there.
    """
    known = {column.name: column for column in columns(rules)}
    _check_header(header, tuple(known))
    order = [header.cells.index(column) for column in known]
    wanted = {row.name: row for row in rows(rules)}
    found: dict[str, tuple[str, ...]] = {}
    for line in lines:
        if line.row in found:
            raise BadInput("chart.row_twice", place=line.place, row=line.row)
        if line.row not in wanted and line.row not in insurance_rows(rules):
            raise BadInput("chart.row_unknown", place=line.place, row=line.row[:40],
                           allowed=(*wanted, *insurance_rows(rules)))  # fmt: skip
        _check_length(line, header)
        cells = tuple(_told(rules, wanted.get(line.row), known[header.cells[at]], line, line.cells[at]) for at in order)
        found[line.row] = cells
    for row in (*wanted, *insurance_rows(rules)):
        if row not in found:
            raise BadInput("chart.row_missing", place=header.place, row=row)
    _check_blind(rules, lines, found)
    insures = {row: YES in found.pop(row) for row in insurance_rows(rules)}
    cells_by_row = MappingProxyType({row: found[row] for row in wanted})
    return Chart(
        name, tuple(known), cells_by_row, insures.get(INSURANCE, False), insures.get(INSURANCE_BLACKJACK, False)
    )


def _check_header(header: Line, known: tuple[str, ...]) -> None:
    for at, column in enumerate(header.cells):
        if column not in known:
            raise BadInput("chart.column_unknown", place=header.place, column=column[:40], allowed=known)
        if column in header.cells[:at]:
            raise BadInput("chart.column_twice", place=header.place, column=column)
    for column in known:
        if column not in header.cells:
            raise BadInput("chart.column_missing", place=header.place, column=column)


def _check_length(line: Line, header: Line) -> None:
    if len(line.cells) > len(header.cells):
        raise BadInput("chart.too_many", place=line.place, row=line.row, given=len(line.cells),
                       wanted=len(header.cells))  # fmt: skip
    if len(line.cells) < len(header.cells):
        raise BadInput("chart.hole", place=line.place, row=line.row, column=header.cells[len(line.cells)],
                       allowed=LETTERS)  # fmt: skip


def _told(rules: RuleSet, row: Row | None, column: Column, line: Line, letter: str) -> str:
    """A cell's letter, if it is allowed there."""
    if row is None:
        start = lookup.starts(rules)[column.starts[0]]
        may: tuple[str, ...] = (YES, NO) if lookup.asks_insurance(rules, start) else (NOTHING,)
    else:
        may = allowed(rules, row, column)
    if letter in may:
        return letter
    if letter == "S" and may == (NOTHING,):
        return NOTHING
    if not letter:
        raise BadInput("chart.hole", place=line.place, row=line.row, column=column.name, allowed=may)
    code = "chart.not_allowed" if letter in (*LETTERS, YES, NO) else "chart.letter"
    raise BadInput(code, place=line.place, row=line.row, column=column.name, letter=letter[:20], allowed=may)


def _check_blind(rules: RuleSet, lines: Iterable[Line], found: Mapping[str, tuple[str, ...]]) -> None:
    for line in lines if is_blind(rules) else ():
        if len({taken_apart(letter)[0] for letter in found[line.row]}) > 1:
            raise BadInput("chart.blind", place=line.place, row=line.row)


def lines(rules: RuleSet, chart: Chart) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The rows of a chart as files have them, those about insurance last."""
    yield from chart.cells.items()
    told = {INSURANCE: chart.insure, INSURANCE_BLACKJACK: chart.insure_blackjack}
    starts = lookup.starts(rules)
    offered = [lookup.asks_insurance(rules, starts[column.starts[0]]) for column in columns(rules)]
    for row in insurance_rows(rules):
        yield row, tuple((YES if told[row] else NO) if asks else NOTHING for asks in offered)
