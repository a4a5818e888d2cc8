"""Histories as text.

A file is a header and then blocks: a table of rules before the first round that needs it, a round, a reveal. Blocks are
only ever added at the end. ``results`` is the last field of a round, an array over several lines: a block that was cut
short anywhere lacks its closing bracket, so that it cannot be taken for a whole one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, Final

from tapete import fairness
from tapete.events import DEALER, Dealt
from tapete.history.lines import line, open_cards
from tapete.history.records import NOTHING, History, Notes, Record, Table
from tapete.history.tomltext import inline, key, string, value
from tapete.money import CHIP
from tapete.rules import Value, switches
from tapete.rulevalues import KINDS, NONE
from tapete.stakes import BoxStake, Statement, bank_net, nets
from tapete.tomlplaces import Path as Place

FORMAT: Final = "tapete-history"
VERSION: Final = 1
HEADER: Final = f'format = "{FORMAT}"\nversion = {VERSION}\n'


def dumps(history: History) -> str:
    """The text of a history; ``loads`` gives it back.

    For an export that names nobody, hand it ``anonymous(history)``.
    """
    blocks = [HEADER + _notes(history.notes)]
    written: set[str] = set()
    for record in history.records:
        if record.table.digest not in written:
            blocks.append(table_block(history.tables.get(record.table.digest, record.table)))
            written.add(record.table.digest)
        blocks.append(round_block(record))
    unused = [table for name, table in history.tables.items() if name not in written]
    blocks[1:1] = [table_block(table) for table in unused]
    blocks += [reveal_block(one, history.notes, "reveals", at) for at, one in enumerate(history.reveals)]
    return "\n".join(blocks)


def _notes(notes: Notes, *place: str | int) -> str:
    """The annotations that lie directly at a place, as lines."""
    return "".join(f"{key(name)} = {value(one)}\n" for name, one in _at(notes, place))


def _at(notes: Notes, place: Place) -> Iterator[tuple[str, object]]:
    for path, one in notes.items():
        if path[:-1] == place:
            yield str(path[-1]), one


def _annotated(pairs: Mapping[str, object], notes: Notes, *place: str | int) -> str:
    return inline({**pairs, **dict(_at(notes, place))})


# --- tables ---------------------------------------------------------------------------------------------------------


def table_block(table: Table) -> str:
    """The block of a rule set, in the keys and units of rule files."""
    lines = [f"[rules.{table.digest}]", f"id = {string(table.id)}"]
    lines += [
        f"title.{language} = {string(text)}" for language in ("en", "es") if (text := getattr(table.title, language))
    ]
    lines += [f"{name} = {switch(name, one)}" for name, one in switches(table.rules).items()]
    text = "\n".join(lines) + "\n" + _notes(table.notes)
    for path, one in table.notes.items():
        if len(path) > 1:
            text += ".".join(key(str(part)) for part in path) + f" = {value(one)}\n"
    return text


def switch(name: str, one: Value) -> str:
    """The value of a switch as rule files have it: amounts in chips, ratios as "3:2", "none" where absent."""
    shape = KINDS[name].shape
    if one is None:
        return string(NONE)
    if isinstance(one, tuple):
        return string(f"{one[0]}:{one[1]}") if shape == "ratio" else value(one)
    if shape == "amount" and isinstance(one, int):
        return value(one // CHIP if one % CHIP == 0 else Decimal(one) / CHIP)
    return value(one)


# --- rounds ---------------------------------------------------------------------------------------------------------


def round_block(record: Record) -> str:
    """The block of a round."""
    notes = record.notes
    text = f"[[round]]\nnumber = {record.number}\nrules = {string(record.table.digest)}\n" + _notes(notes)
    text += _shoe(record)
    text += _array("bettors", [{"name": name, "spare": units} for name, units in record.lock.spare], notes)
    text += _array("boxes", [_box(box) for box in record.lock.boxes], notes, inner="backers")
    text += "events = [\n" + "".join(f"  {string(line)},\n" for line in event_lines(record)) + "]\n"
    text += _array("totals", [{"bettor": name, "net": net} for name, net in nets(record.statements).items()], notes)
    text += f"bank = {bank_net(record.statements)}\n"
    return text + _array("results", [_result(told) for told in record.statements], notes)


def event_lines(record: Record) -> list[str]:
    """The lines of the round's events; the round need not be played again for them, nor accept them."""
    lines: list[str] = []
    dealt, deal = 0, open_cards(record.table.rules)
    for event in record.events:
        lines.append(line(event, up=dealt < deal))
        dealt += isinstance(event, Dealt) and event.box == DEALER
    return lines


def _array(name: str, tables: list[dict[str, Any]], notes: Notes, *, inner: str = "") -> str:
    lines = []
    for at, table in enumerate(tables):
        below = table.pop(inner, None)
        pairs = inline({**table, **dict(_at(notes, (name, at)))})
        if below:
            told = ", ".join(_annotated(one, notes, name, at, inner, place) for place, one in enumerate(below))
            pairs = f"{pairs[:-2]}, {inner} = [{told}] }}"
        lines.append(f"  {pairs},\n")
    return f"{name} = [\n{''.join(lines)}]\n"


def _box(box: BoxStake) -> dict[str, object]:
    backers = [
        {"bettor": one.bettor, "stake": one.amount, "consent": one.consent, "standing": one.standing}
        for one in box.backers
    ]
    return {"box": box.box, "holder": box.holder, "stake": box.amount, "backers": backers}


def _result(told: Statement) -> dict[str, object]:
    pairs: dict[str, object] = {"box": told.box, "hand": told.hand, "bettor": told.bettor, "stake": told.stake}
    return pairs | {"net": told.net, "reason": told.reason, "total": told.total, "dealer": told.dealer}


# --- shoes ----------------------------------------------------------------------------------------------------------


def _shoe(record: Record) -> str:
    told: dict[str, object] = {}
    if record.shoe is not None:
        told = dict(fairness.to_plain(record.shoe))
    if record.first is not None:
        told["first"] = record.first
    told |= dict(_at(record.notes, ("shoe",)))
    return "".join(f"shoe.{key(name)} = {value(one)}\n" for name, one in told.items())


def reveal_block(shoe: fairness.ShoeRecord, notes: Notes = NOTHING, *place: str | int) -> str:
    """The block that publishes a retired shoe's record, its secret in it, with the annotations of that place."""
    lines = "".join(f"{name} = {value(one)}\n" for name, one in fairness.to_plain(shoe).items())
    return f"[[reveal]]\n{lines}{_notes(notes, *place)}"
