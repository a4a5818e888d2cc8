"""A chart with its price, and the words in which it is told."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from tapete import chart as charts
from tapete import lookup
from tapete.chart import HARD, NOTHING, PAIR, SOFT, Chart, Column, Row
from tapete.exact import given
from tapete.exact.analysis import LEVELS, Price, price_of
from tapete.exact.departures import Departure, departures
from tapete.pricing import edges, figures, priced, strategies
from tapete.pricing.priced import CHART, Table
from tapete.rules import RuleSet, digest
from tapete.terminal.keys import LETTERS, spoken, word_of
from tapete.words import N_, Words
from tapete.words import words as words_of

MOVES: Final[Mapping[str, str]] = MappingProxyType(
    {"S": "stand", "H": "hit", "D": "double", "P": "split", "R": "retire"}
)
"""The move that each letter begins with."""


class Charted(NamedTuple):
    """A chart with its price. ``other`` is a better strategy: the one asked for, where that looks at more than a chart
    tells, or the best chart beside one from outside; ``departures`` is where it departs from the chart.
    """

    table: Table
    chart: Chart
    price: Price
    other: Price | None
    departures: tuple[Departure, ...]


def charted(table: Table, strategy: str) -> Charted:
    """The chart of a level, of a strategy that has a name, or of a chart file, with its price."""
    asked = strategy or CHART
    best = priced.price(table.rules, table.shoe, CHART)
    if asked == CHART:
        return Charted(table, given.chart_of(best.round), best, None, ())
    if asked in LEVELS:
        chart, price = given.chart_of(best.round), best
        other = priced.price(table.rules, table.shoe, asked)
    else:
        chart = strategies.chart(table.rules, asked)
        price, other = price_of(table.rules, chart, shoe=table.shoe), best
    return Charted(table, chart, price, other, departures(other.round, chart))


# --- words ----------------------------------------------------------------------------------------------------------


def letter(code: str, rules: RuleSet, words: Words) -> str:
    """A letter of a chart as the table's players know it: the letters of the keys.

    >>> from tapete.words import words
    >>> [letter(code, RuleSet(), words("es")) for code in ("H", "Ds", "Rp", "-")]
    ['P', 'DL', 'Rs', '-']
    """
    keys = LETTERS[spoken(rules, words.language)]
    told = "".join(keys[MOVES[part.upper()]] for part in code if part != NOTHING)
    return told[:1].upper() + told[1:].replace("l", "L") or NOTHING  # a small l is no letter to be read alone


def legend(found: Charted, words: Words) -> list[tuple[str, str]]:
    """The letters that the chart has, each with what it means in the table's words, plain ones first."""
    used = {code for cells in found.chart.cells.values() for code in cells}
    return [(code, meaning(code, found.table.rules, words)) for code in charts.LETTERS if code in used]


def meaning(code: str, rules: RuleSet, words: Words) -> str:
    """What a letter means, in the table's words."""
    spoke = words_of(spoken(rules, words.language))

    def word(part: str) -> str:
        return word_of(MOVES[part], spoke)

    if code == NOTHING:
        return words.say(N_("nothing to decide: the hand is over by itself"))
    if code == "P":
        return words.say(N_("{move}; where that is not open, as the total"), move=word("P"))
    if code in ("D", "Ds"):
        return words.say(N_("{move}; where that is not open: {other}"), move=word("D"), other=word("SH"[code == "D"]))
    if code.startswith("R") and len(code) > 1:
        return words.say(N_("{move}; where that is not open: {other}"), move=word("R"), other=word(code[1].upper()))
    return word(code[0])


def insurance(found: Charted, words: Words) -> str:
    """What the chart says of insurance; empty where none is offered."""
    rows, chart = charts.insurance_rows(found.table.rules), found.chart
    if not rows:
        return ""
    if chart.insure:
        return words.say(N_("Insurance: always."))
    if chart.insure_blackjack:
        return words.say(N_("Insurance: with a blackjack."))
    return words.say(N_("Insurance: never."))


def row_name(row: Row, rules: RuleSet) -> str:
    """A row's name below the heading of its kind."""
    if row.kind != PAIR:
        return str(row.value)
    card = _short(lookup.kinds(rules)[row.value].name)
    return f"{card}-{card}"


def heading(kind: str, words: Words) -> str:
    """The heading of the rows of a kind."""
    return words.say({HARD: N_("Hard totals"), SOFT: N_("Soft totals"), PAIR: N_("Pairs")}[kind])


def headlines(found: Charted, words: Words) -> list[str]:
    """Name, strategy, edge, shoe and rules: what stands above every chart."""
    table, other = found.table, found.other
    told = [f"{table.title(words)} ({table.preset.id})", strategy_line(found, words)]
    edge = figures.percent(found.price.house_edge, words, digits=6)
    told.append(words.say(N_("House edge under this chart: {edge}"), edge=edge))
    if other:
        edge = figures.percent(other.house_edge, words, digits=6)
        told.append(words.say(N_("House edge by {strategy}: {edge}"), strategy=other.level, edge=edge))
    return [*told, edges.cards(table, words), words.say(N_("Rules: {digest}"), digest=digest(table.rules))]


def strategy_line(found: Charted, words: Words) -> str:
    """Which chart this is."""
    name = found.chart.name
    if found.price.level == CHART and name == CHART:
        return words.say(N_("The best chart by totals (td)"))
    if name in priced.MEANINGS and name != CHART:
        return words.say(N_("Strategy {name}: {meaning}"), name=name, meaning=strategies.meaning(name, words))
    return words.say(N_("Strategy {name}"), name=name)


def shown(column: Column) -> str:
    """The head of a column where its kind is told elsewhere."""
    return _short(column.name.rpartition(" ")[2])


def _short(name: str) -> str:
    """A kind of card, short enough for a cell's head; any figure is ``JQK``."""
    return {"T": "10", "F": "JQK"}.get(name, name)
