"""Published figures, and the rule sets that they speak of."""

from __future__ import annotations

import csv
import functools
import json
from pathlib import Path
from typing import Any, Final

from tapete.exact import analysis
from tapete.exact.analysis import Price
from tapete.rulefile import preset
from tapete.rules import RuleSet, with_

DATA: Final = Path(__file__).parents[1] / "data" / "reference"
COMMON: Final = {
    "decks": 6,
    "back_colours": None,
    "dealer_deal": "hole",
    "peek": "ace_or_ten",
    "dealer_soft17": "stand",
    "insurance.who": "none",
    "surrender.mode": "none",
    "double.totals": "any",
    "double.cards": "two",
    "double.after_split": True,
    "split.max_hands": 4,
    "split.exclude": (),
    "split.aces_cards": "one",
    "split.aces_resplit": False,
    "bj_pays": (3, 2),
}
NINE_TO_ELEVEN: Final = (9, 10, 11)


def rows(name: str) -> list[dict[str, str]]:
    """The rows of a file of published figures."""
    with (DATA / name).open(encoding="utf-8", newline="") as opened:
        return list(csv.DictReader(opened))


@functools.cache
def exact_values() -> dict[str, Any]:
    """Values of another program in double precision; its own note says in which conventions."""
    found: dict[str, Any] = json.loads((DATA / "exact_values.json").read_text("utf-8"))
    return found


def table(**changes: object) -> RuleSet:
    """The common game of the world (six packs, S17, hole card, DAS, four hands) with changes, dots written ``__``."""
    return with_(preset("casino").rules, COMMON | {key.replace("__", "."): value for key, value in changes.items()})


def table_of(told: dict[str, Any]) -> RuleSet:
    """The rule set that an entry of ``exact_values.json`` describes."""
    seen = "no_hole" if told["hole_card"].startswith("ENHC") else "hole"
    return table(
        decks=told["decks"],
        dealer_soft17="hit" if told["h17"] else "stand",
        double__totals={"any": "any", "9": NINE_TO_ELEVEN}[told["double"]],
        double__after_split=told["das"],
        split__max_hands=told["max_split_hands"],
        surrender__mode="late" if told["late_surrender"] else "none",
        bj_pays={1.5: (3, 2), 1.2: (6, 5)}[told["blackjack_pays"]],
        dealer_deal=seen,
        peek="none" if seen == "no_hole" else "ace_or_ten",
    )


@functools.lru_cache(maxsize=12)
def price(rules: RuleSet, level: str = "cdz", shoe: tuple[int, ...] | None = None) -> Price:
    """The price of a table; the last ones are kept, at some 70 MB each."""
    return analysis.analyse(rules, level=level, shoe=shoe)


def kinds(text: str) -> tuple[int, ...]:
    """Kinds of cards like "8,8", "A,10", "10"."""
    return tuple((1 if one in ("A", "J") else int(one)) - 1 for one in text.split(","))
