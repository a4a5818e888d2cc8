"""What the commands about prices do. Each gives an exit code, or raises what went wrong."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final, NamedTuple

from tapete.errors import BadInput
from tapete.pricing import comparing, costs, edges, hands, opening, priced, removal, spreading, strategies
from tapete.terminal.talk import Talk
from tapete.words import Words

INTERRUPTED: Final = 130


class Wish(NamedTuple):
    """What ``tapete edge`` is asked for beside the edge."""

    removal: bool = False
    insurance: bool = False
    results: bool = False


def edge(
    words: Words, table: str, *, settings: Sequence[str], strategy: str, shoe: str, json: str, wish: Wish
) -> int:  # fmt: skip
    """Tells the edge of a table, and what else is wished for."""
    asked = priced.table(table, settings, shoe=shoe)
    price = strategies.price(asked, strategy)
    talk = Talk(words)
    if json != "-":
        edges.tell_edge(asked, price, talk)
        talk.flush()  # what follows takes its time
    found = edges.edge(asked, price)
    if json != "-":
        edges.tell(found, talk)
        talk.line("")
        talk.flush()
    spread_ = edges.spread_of(found)
    effects = removal.effects(found.price) if wish.removal else ()
    insured = removal.insurance(found.price) if wish.insurance else ()
    if json != "-":
        spreading.tell(spread_, talk)
        if wish.results:
            talk.line("")
            spreading.tell_results(spread_, talk)
        if wish.removal:
            talk.line("")
            removal.tell(effects, found.price, talk)
        if wish.insurance:
            talk.line("")
            removal.tell_insurance(insured, found.price, talk)
    if json:
        more = removal.as_json(effects, insured, asked.rules, removal=wish.removal, insurance=wish.insurance)
        priced.write_json({**edges.as_json(found, spread_), **more}, json)
    return 0


def ev(
    words: Words, table: str, hand: str, *, settings: Sequence[str], strategy: str, shoe: str, json: str
) -> int:  # fmt: skip
    """Tells what every move of a hand is worth."""
    asked = priced.table(table, settings, shoe=shoe)
    if not hand:
        raise BadInput("price.needs_hand")
    found = hands.hand(asked, hand, strategy)
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
    priced.apart({"--json": json, "--picture": picture})
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


def simulate(
    words: Words, table: str, *, settings: Sequence[str], shoe: str, json: str, begun: str, options: dict[str, str],
    picture: str,
) -> int:  # fmt: skip
    """Plays a table so many times; what stops it, a signal or a fault, leaves what there is by then told and kept."""
    from tapete.pricing import simasked, simfile, simtold, simulating, stopping  # noqa: PLC0415  (only this command plays)

    priced.apart({"--json": json, "--picture": picture})
    if picture:
        opening.ready(pictures=True)
        from tapete.pricing import simdrawn  # noqa: PLC0415  (heavy, and only pictures need it)

        simdrawn.check(picture)
    if options["cluster"]:
        opening.ready(cluster=True)
    wanted = simasked.asked(priced.table(table, settings, shoe=shoe), options)
    with stopping.stop() as stop:
        files = simulating.Files(begun=begun, kept=json)
        run, fault = simulating.played(wanted, files, stop, words=words, progress=sys.stderr.isatty())
        if picture:  # first: who reads what is told may have enough before its end
            simdrawn.draw(run, words, picture)
        if json == "-":
            priced.write_json(simfile.as_json(run), json)
        else:
            simtold.tell(run, Talk(words), begun=begun)
            written = json if run.progress.blocks and not fault else ""
            priced.tell_written((written, picture), Talk(words))
    if fault:
        raise fault
    return 0 if run.over else stop.code
