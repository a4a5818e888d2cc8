"""A table, a shoe and a strategy as they were asked for, and their price."""

from __future__ import annotations

import functools
import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from tapete import lookup
from tapete.errors import BadInput
from tapete.exact.analysis import LEVELS, Price, analyse, check_shoe
from tapete.exact.counting import full
from tapete.exact.spread import Spread, spread
from tapete.messages import why
from tapete.pricing import reading
from tapete.rulefile import Preset, resolve
from tapete.rules import RuleSet, digest
from tapete.terminal.talk import Talk
from tapete.words import N_, Words

USUAL: Final = "cdz"
"""The strategy where none is asked for."""
CHART: Final = "td"
"""The best strategy that fits on a chart of totals."""
MEANINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "td": N_("the player goes by the total of the hand, hard or soft, and by what the dealer shows"),
        "two-card": N_("the player knows the first two cards apart, and goes by totals afterwards"),
        "cdz": N_("the player knows every card of the hand; split hands are played as the same hand unsplit"),
        "cdp1": N_("the player knows every card of the hand; split hands allow for the other card of the pair"),
        "cdp": N_("the player knows every card of the hand; split hands allow for every card of the pair that is gone"),
        "mimic": N_("playing as the dealer has to, who never doubles, splits or retires"),
        "never-bust": N_("hitting only what cannot go bust, and soft hands to 17; no doubling, no splitting"),
        "simple": N_("what the house’s bots play"),
    }
)
"""What the player of each strategy looks at, or does."""


class Table(NamedTuple):
    """A table and the cards in its shoe, by kind; ``fresh``: all of them."""

    preset: Preset
    shoe: tuple[int, ...]
    fresh: bool

    @property
    def rules(self) -> RuleSet:
        """The table's rules."""
        return self.preset.rules

    def title(self, words: Words) -> str:
        """The table's name in the reader's language."""
        return self.preset.title.in_(words.language) or self.preset.id


def table(name: str, settings: Sequence[str] = (), *, shoe: str = "") -> Table:
    """The table and the shoe that a command line means. Raises BadInput and RuleFileError."""
    if not name:
        raise BadInput("cli.needs_table")
    found = resolve(name, settings)
    cards = reading.shoe(found.rules, shoe)
    check_shoe(found.rules, cards)
    return Table(found, cards, cards == full(found.rules))


def strategy_named(text: str) -> str:
    """The strategy that is meant; the usual one for no text. Raises BadInput ``exact.no_such_level``."""
    asked = text or USUAL
    if asked not in LEVELS:
        raise BadInput("exact.no_such_level", level=asked[:40], known=LEVELS)
    return asked


@functools.lru_cache(maxsize=4)
def price(rules: RuleSet, shoe: tuple[int, ...], strategy: str) -> Price:
    """The price of a table for a shoe and one of the levels; asked again, the same one.

    The usual one is counted first: what it has counted serves the others.
    """
    beside = price(rules, shoe, USUAL) if strategy != USUAL else None
    return analyse(rules, shoe=shoe, level=strategy, beside=beside)


@functools.lru_cache(maxsize=16)
def spread_of(rules: RuleSet, shoe: tuple[int, ...], strategy: str) -> Spread:
    """How far the results of a round spread; asked again, the same."""
    return spread(price(rules, shoe, strategy))


# --- JSON -----------------------------------------------------------------------------------------------------------


def stated(asked: Table, strategy: str) -> dict[str, Any]:
    """What every answer in JSON says first: the table, the digest of its rules, the strategy and the shoe."""
    kinds = lookup.kinds(asked.rules)
    return {
        "table": asked.preset.id,
        "rules": digest(asked.rules),
        "strategy": strategy,
        "shoe": {kind.name: many for kind, many in zip(kinds, asked.shoe, strict=True)},
        "fresh": asked.fresh,
    }


def start_name(rules: RuleSet, start: Sequence[int]) -> str:
    """A start of the dealer in JSON: the names of its kinds."""
    kinds = lookup.dealer_kinds(rules)
    return ",".join(kinds[one].name for one in start)


def write_json(answer: Mapping[str, Any], file: str) -> None:
    """Writes an answer into a file, or, for ``-``, out. Raises BadInput ``price.unwritable``."""
    write(json_text(answer), file)


def json_text(answer: Mapping[str, Any]) -> str:
    """An answer as the text of its file."""
    return json.dumps(answer, ensure_ascii=False, indent=2, default=float) + "\n"


def write(text: str, file: str) -> None:
    """Writes into a file, or, for ``-``, out. Raises BadInput ``price.unwritable``."""
    if file == "-":
        sys.stdout.write(text)
        return
    try:
        Path(file).write_text(text, "utf-8")
    except (OSError, ValueError) as error:
        raise unwritable(file, error) from None


def apart(outputs: Mapping[str, str]) -> None:
    """Raises BadInput ``cli.same_output`` where two options would write into the same place; empty for none."""
    places: dict[str, str] = {}
    for option, file in outputs.items():
        if not file:
            continue
        place = file if file == "-" else _place(file)
        if place in places:
            raise BadInput("cli.same_output", one=places[place], other=option, file=file[-80:])
        places[place] = option


def _place(file: str) -> str:
    """A name that is the same for every way to name a file."""
    try:
        return os.path.normcase(os.path.realpath(file))
    except (OSError, ValueError):  # whoever opens it will see
        return file


def tell_written(files: Sequence[str], talk: Talk) -> None:
    """Says which files were written, of those that were asked for."""
    for file in files:
        if file:
            talk.tell(N_("Written: {file}"), file=file)


def unwritable(file: str, error: Exception) -> BadInput:
    """What is said of a file that cannot be written."""
    return BadInput("price.unwritable", file=file[-80:], why=why(error))
