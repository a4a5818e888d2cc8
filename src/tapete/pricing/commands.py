"""What the commands about prices do. Each gives an exit code, or raises what went wrong."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

from tapete.errors import BadInput
from tapete.pricing import comparing, costs, edges, hands, opening, priced
from tapete.pricing import removal as removing
from tapete.terminal.talk import Talk
from tapete.words import Words

INTERRUPTED: Final = 130


def edge(
    words: Words, table: str, *, settings: Sequence[str], strategy: str, shoe: str, json: str, removal: bool,
    insurance: bool,
) -> int:  # fmt: skip
    """Tells the edge of a table; with ``removal`` what one card less does, with ``insurance`` when to buy it."""
    asked = priced.table(table, settings, shoe=shoe)
    found = edges.edge(asked, priced.strategy_named(strategy))
    effects = removing.effects(found.price) if removal else ()
    insured = removing.insurance(found.price) if insurance else ()
    if json != "-":
        talk = Talk(words)
        edges.tell(found, talk)
        if removal:
            talk.line("")
            removing.tell(effects, found.price, talk)
        if insurance:
            talk.line("")
            removing.tell_insurance(insured, found.price, talk)
    if json:
        more = removing.as_json(effects, insured, asked.rules, removal=removal, insurance=insurance)
        priced.write_json({**edges.as_json(found), **more}, json)
    return 0


def ev(
    words: Words, table: str, hand: str, *, settings: Sequence[str], strategy: str, shoe: str, json: str
) -> int:  # fmt: skip
    """Tells what every move of a hand is worth."""
    asked = priced.table(table, settings, shoe=shoe)
    if not hand:
        raise BadInput("price.needs_hand")
    found = hands.hand(asked, hand, priced.strategy_named(strategy))
    if json != "-":
        hands.tell(found, Talk(words))
    if json:
        priced.write_json(hands.as_json(found), json)
    return 0


def compare(words: Words, names: Sequence[str], *, json: str) -> int:
    """Tells the edges of several tables side by side."""
    if len(names) < 2:
        raise BadInput("price.needs_tables")
    tables = [priced.table(name) for name in names]
    if json != "-":
        comparing.tell(tables, Talk(words))
    if json:
        priced.write_json(comparing.as_json(tables), json)
    return 0


def cost(
    words: Words, table: str, *, settings: Sequence[str], strategy: str, json: str, only: Sequence[str], picture: str
) -> int:  # fmt: skip
    """Tells what each rule of a table is worth; Ctrl-C tells what is known by then."""
    if picture:
        opening.ready(pictures=True)
        from tapete.pricing import bars  # noqa: PLC0415  (heavy, and only pictures need it)

        bars.check(picture)
    asked = priced.table(table, settings)
    stages = costs.costs(asked, priced.strategy_named(strategy), only)
    found = costs.gather(stages, progress=sys.stderr.isatty())
    if json != "-":
        costs.tell(found, Talk(words))
    if json:
        priced.write_json(costs.as_json(found), json)
    if picture:
        bars.draw(found, words, picture)
    return 0 if len(found.changes) == found.many else INTERRUPTED
