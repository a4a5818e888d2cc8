"""Strategies by name: a level of the counting, one that needs no counting (``mimic``, ``never-bust``), a chart file."""

from __future__ import annotations

from typing import Final

from tapete.chart import NAMED, Chart
from tapete.errors import BadInput
from tapete.exact.analysis import LEVELS, Price, price_of
from tapete.pricing import chartfile, priced
from tapete.pricing.priced import USUAL, Table
from tapete.rules import RuleSet
from tapete.words import N_, Words

KNOWN: Final = (*LEVELS, *NAMED)
"""The strategies that have a name."""
_FILE: Final = N_("the player goes by this chart")


def price(table: Table, strategy: str) -> Price:
    """The price of a table for a strategy, the usual one for no text. Raises BadInput for one that there is not."""
    asked = strategy or USUAL
    if asked in LEVELS:
        return priced.price(table.rules, table.shoe, asked)
    return price_of(table.rules, chart(table.rules, asked), shoe=table.shoe)


def chart(rules: RuleSet, name: str) -> Chart:
    """The chart of a strategy that is none of the levels. Raises BadInput ``chart.…``."""
    if name in NAMED:
        return NAMED[name](rules)
    if chartfile.is_file(name):
        return chartfile.read(rules, name)
    raise BadInput("chart.no_strategy", strategy=name[:40], allowed=KNOWN)


def meaning(strategy: str, words: Words) -> str:
    """What the player of a strategy looks at, or does."""
    return words.say(priced.MEANINGS.get(strategy, _FILE))
