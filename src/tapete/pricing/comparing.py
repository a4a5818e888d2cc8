"""``tapete compare``: the edges of several tables side by side, and the rules in which they differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tapete import rulecard
from tapete.pricing import figures, priced, strategies
from tapete.pricing.priced import CHART, USUAL, Table
from tapete.rulecheck import idle
from tapete.rules import KEYS, RuleSet, get
from tapete.terminal.talk import Talk
from tapete.words import N_, Words

STRATEGIES = (CHART, USUAL)
"""The strategies that are compared: the best chart, and the best play by every card."""


def tell(tables: Sequence[Table], talk: Talk) -> None:
    """Says the edges of the tables, and each rule on which not all of them agree."""
    words = talk.words
    head = [words.say(N_("Table")), *(words.say(N_("Edge by {strategy}"), strategy=one) for one in STRATEGIES)]
    rows = [[table.preset.id, *(_edge(table, one, words) for one in STRATEGIES), _sd(table, words)] for table in tables]
    for line in figures.columns([[*head, words.say(N_("Deviation"))], *rows]):
        talk.line(line)
    talk.line("")
    for strategy in STRATEGIES:
        talk.line(f"{strategy}: {strategies.meaning(strategy, words)}.")
    told = list(differing(tables, words))
    talk.line("")
    if not told:
        talk.tell(N_("All these tables play by the same rules."))
    for key, sentences in told:
        talk.line(key)
        for names, sentence in sentences:
            talk.line(f"  {', '.join(names)}: {sentence}")


def _edge(table: Table, strategy: str, words: Words) -> str:
    return figures.percent(priced.price(table.rules, table.shoe, strategy).house_edge, words, digits=6)


def _sd(table: Table, words: Words) -> str:
    return figures.number(deviation(table), words, digits=6, signed=False)


def deviation(table: Table) -> float:
    """The standard deviation of a round played by every card."""
    return priced.spread_of(table.rules, table.shoe, USUAL).sd


def differing(tables: Sequence[Table], words: Words) -> Iterator[tuple[str, list[tuple[list[str], str]]]]:
    """Each switch on which the tables say different things: what is said, and at which tables."""
    silent = words.say(N_("nothing to say"))
    for key in KEYS:
        told: dict[str, list[str]] = {}
        for table in tables:
            told.setdefault(_says(table.rules, key, words) or silent, []).append(table.preset.id)
        if len(told) > 1:
            yield key, [(names, sentence) for sentence, names in told.items()]


def _says(rules: RuleSet, key: str, words: Words) -> str:
    """What a switch says at a table; nothing where it makes no difference there."""
    return "" if key in idle(rules) else rulecard.sentence(rules, key, words)


def as_json(tables: Sequence[Table]) -> dict[str, Any]:
    """The same with all digits; the keys are documented in docs/pricing.md."""
    return {
        "tables": [
            {
                **priced.stated(table, CHART),
                "strategy": list(STRATEGIES),
                "ev": {one: float(priced.price(table.rules, table.shoe, one).ev) for one in STRATEGIES},
                "sd": deviation(table),
            }
            for table in tables
        ],
        "differing": [key for key in KEYS if len({str(get(table.rules, key)) for table in tables}) > 1],
    }
