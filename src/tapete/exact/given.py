"""Ways of playing given from outside: a chart as a way that can be counted, and the chart of a way that was found."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from tapete import chart as charts
from tapete import lookup
from tapete.chart import HARD, NOTHING, PAIR, SOFT, Chart, Column, Row
from tapete.exact import counting, levels, play, playing
from tapete.exact.counting import Counted
from tapete.exact.play import Values
from tapete.exact.playing import PLAY, RETIRE, SPLIT, Deal, Round, Way
from tapete.exact.tables import FRESH
from tapete.exact.tree import Ints, Numbers
from tapete.exact.tree import soft as softness

_WISHES: Final = {"S": 0, "H": 1, "Ds": 2, "D": 3, NOTHING: 0}
"""The wish of the counting (``play.WISHES``) that each letter is."""
_LETTERS: Final = ("S", "H", "Ds", "D")
NEVER: Final = 1e-14
"""Chances below this are rounding."""
ROUNDS: Final = 6
"""More than any table has asked for until its chart stands still."""


# --- a chart as a way of playing ------------------------------------------------------------------------------------


class Placed(NamedTuple):
    """Where the hands of a tree and the starts of the dealer stand in a chart: -1 for nowhere.

    ``row[hand]`` is the row of its total, ``pair[hand]`` that of its pair, ``column[start]`` the dealer's column.
    """

    row: Ints
    pair: Ints
    column: Ints


def placed(counted: Counted) -> Placed:
    """Where everything stands in the charts of the table."""
    rules, tree = counted.rules, counted.tables.plan.tree
    number = {row.name: at for at, row in enumerate(charts.rows(rules))}
    totals = np.minimum(counted.tables.row[FRESH], 21)
    soft = softness(tree)
    row = [number.get(f"{SOFT if is_soft else HARD} {total}", -1) for total, is_soft in zip(totals, soft, strict=True)]
    pair = np.full(len(row), -1, dtype=np.int64)
    for at, one in enumerate(charts.rows(rules)):
        if one.kind == PAIR and (hand := tree.hand(one.value, one.value)) >= 0:
            pair[hand] = at
    column = np.full(len(lookup.starts(rules)), -1, dtype=np.int64)
    for at, shown in enumerate(charts.columns(rules)):
        column[list(shown.starts)] = at
    return Placed(np.array(row, dtype=np.int64), pair, column)


def way(counted: Counted, chart: Chart) -> Way:
    """The way of playing that a chart tells; it must be a chart for this table's rules (``chart.made``, ``.read``)."""
    places, rules = placed(counted), counted.rules
    letters = [chart.cells[row.name] for row in charts.rows(rules)]
    plain = [[charts.taken_apart(letter)[1] for letter in row] for row in letters]
    # One row and one column more, of standing, for what a chart does not speak of.
    wishes = np.zeros((len(plain) + 1, len(chart.columns) + 1), dtype=np.int64)
    wishes[:-1, :-1] = [[_WISHES.get(letter, -1) for letter in row] for row in plain]
    own = wishes[places.pair][:, places.column]
    wish = np.where((places.pair[:, None] >= 0) & (own >= 0), own, wishes[places.row][:, places.column])
    every = playing.deals(counted)
    choices = np.zeros((len(plain) + 1, len(chart.columns) + 1), dtype=np.int64)
    choices[:-1, :-1] = [[_choice(letter) for letter in row] for row in letters]
    at = [places.pair[deal.hand] if places.pair[deal.hand] >= 0 else places.row[deal.hand] for deal in every]
    choice = np.ascontiguousarray(choices[at][:, places.column])
    return Way(np.ascontiguousarray(wish), choice, _insures(counted, every, chart), {})


def _choice(letter: str) -> int:
    return RETIRE if letter.startswith("R") else SPLIT if letter == "P" else PLAY


def _insures(counted: Counted, every: tuple[Deal, ...], chart: Chart) -> Ints:
    """Where a chart insures; where that is not open it is no wish."""
    starts = lookup.starts(counted.rules)
    offered = np.array([lookup.asks_insurance(counted.rules, start) for start in starts], dtype=np.int64)
    wishes = [chart.insure_blackjack if _is_blackjack(counted, deal) else chart.insure for deal in every]
    return np.array(wishes, dtype=np.int64)[:, None] * offered * _may_insure(counted, every)


def _is_blackjack(counted: Counted, deal: Deal) -> bool:
    return bool(counted.tables.row[FRESH, deal.hand] == lookup.PLAYER_BLACKJACK)


def _may_insure(counted: Counted, every: tuple[Deal, ...]) -> Ints:
    rows = charts.insurance_rows(counted.rules)
    any_hand = charts.INSURANCE in rows
    return np.array([[int(any_hand or (bool(rows) and _is_blackjack(counted, deal)))] for deal in every])


# --- the chart of a way of playing ----------------------------------------------------------------------------------


def chart_of(round_: Round, name: str = "td") -> Chart:
    """The chart of a round whose way of playing goes by totals (level ``td``, or :func:`way`).

    Cells that no hand reaches under this way, because it was split or retired before, are filled with what is best for
    the hand as dealt, so that the chart holds for who comes there nevertheless.
    """
    seen = _Seen(round_, placed(round_.counted), _gains(round_, placed(round_.counted)), round_.fresh)
    found = _charted(seen, name)
    for _ in range(ROUNDS):
        # What is best in a cell that nobody reaches hangs on others of that sort.
        values = counting.fresh(round_.counted, way(round_.counted, found).wish)
        again = _charted(seen._replace(values=values), name)
        if again == found:
            break
        found = again
    return found


class _Seen(NamedTuple):
    """A round, its hands' places in a chart, what each wish brings by cell, and the values of the hands as dealt."""

    round: Round
    places: Placed
    gains: Any
    values: Values


def _charted(seen: _Seen, name: str) -> Chart:
    counted = seen.round.counted
    number = {deal.hand: at for at, deal in enumerate(seen.round.deals)}

    def wish(row: Row, column: Column) -> str:
        hands = _hands(seen, row)
        dealt = [number[hand] for hand in hands.tolist() if hand in number]
        if row.kind != PAIR:
            dealt = [one for one in dealt if seen.places.pair[seen.round.deals[one].hand] < 0] or dealt
        letter = _plain(seen, row, column, hands, dealt)
        if row.kind == PAIR and dealt and _splits(seen.round, dealt[0], column):
            letter = "P"
        retires = any(seen.round.way.choice[one, column.starts[0]] == RETIRE for one in dealt)
        return f"R{letter.lower()}" if retires else letter

    insured = [(seen.round.way.insures[at] > 0).any() for at in range(len(seen.round.deals))]
    blackjacks = [_is_blackjack(counted, deal) for deal in seen.round.deals]
    return charts.made(
        counted.rules,
        name,
        wish,
        insure=any(told and not own for told, own in zip(insured, blackjacks, strict=True)),
        insure_blackjack=any(told and own for told, own in zip(insured, blackjacks, strict=True)),
    )


def _hands(seen: _Seen, row: Row) -> Ints:
    of = seen.places.pair if row.kind == PAIR else seen.places.row
    return np.flatnonzero(of == charts.rows(seen.round.counted.rules).index(row))


def _plain(seen: _Seen, row: Row, column: Column, hands: Ints, dealt: list[int]) -> str:
    """What hands of a cell do when they neither split nor retire; "" for a pair that this shoe cannot deal."""
    rules = seen.round.counted.rules
    told = row if row.kind != PAIR else charts.total_row(rules, row)
    if not len(hands):
        return "" if row.kind == PAIR else _unseen(row)
    letter = _LETTERS[int(seen.round.way.wish[hands[-1], column.starts[0]]) % play.WISHES]
    brings = seen.gains[charts.rows(rules).index(told), charts.columns(rules).index(column)]
    if not brings.any():
        return _best_dealt(seen, dealt, column) or _unseen(told)
    if letter in ("D", "Ds") and brings[2] == brings[3]:  # nobody comes here who may not double
        return "D" if _best_dealt(seen, dealt, column) in ("D", "H") else "Ds"
    return letter


def _unseen(row: Row) -> str:
    """What stands in a cell that this shoe never deals: what can do no harm."""
    return "H" if row.value <= (11 if row.kind == HARD else 17) else "S"


def _gains(round_: Round, places: Placed) -> Any:
    """What each wish brings by row and column, split hands included; nothing but 0 where no hand comes to decide."""
    known = levels.cells(round_.counted, two_card=False)
    gains = levels.gains(round_, known)
    rules = round_.counted.rules
    starts = [column.starts[0] for column in charts.columns(rules)]
    found = np.zeros((len(charts.rows(rules)), len(starts), play.WISHES))
    for at in np.unique(places.row[places.row >= 0]):
        cell = known.of[np.flatnonzero(places.row == at)[-1]]
        found[at] = gains[cell][known.column[starts]]
    return found


def _best_dealt(seen: _Seen, dealt: list[int], column: Column) -> str:
    """The letter of what is best for these deals together; "" if they have no choice."""
    ready, values = seen.round.counted.tables, seen.values
    hands = [seen.round.deals[at].hand for at in dealt]
    starts = list(column.starts)
    bits = 0
    for hand in hands:
        bits |= int(np.bitwise_or.reduce(ready.legal[FRESH, ready.code[hand], ready.standing[starts]]))
    if not bits & (lookup.STAND | lookup.HIT):
        return ""
    chances = [seen.round.deals[at].chance for at in dealt]
    stand, hit, double = (_summed(one, hands, starts, chances) for one in (values.stand, values.hit, values.double))
    if max(abs(stand), abs(hit), abs(double)) < NEVER:  # this shoe never deals that
        return ""
    hits = not bits & lookup.STAND or (bits & lookup.HIT and hit > stand)
    if bits & lookup.DOUBLE and double > (hit if hits else stand):
        return "D" if hits else "Ds"
    return "H" if hits else "S"


def _summed(values: Numbers, hands: list[int], starts: list[int], chances: list[Any]) -> Any:
    return sum(chance * values[hand, starts].sum() for hand, chance in zip(hands, chances, strict=True))


def _splits(round_: Round, at: int, column: Column) -> bool:
    """Whether a pair is split, or would be if it were not retired."""
    deal, starts = round_.deals[at], list(column.starts)
    choice = round_.way.choice[at, starts]
    if (choice == SPLIT).any():
        return True
    pair = round_.splits.get(deal.kinds)
    retired = bool((choice == RETIRE).any())
    return retired and pair is not None and bool(pair.value[starts].sum() > round_.fresh.value[deal.hand, starts].sum())
