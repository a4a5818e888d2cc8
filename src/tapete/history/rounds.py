"""Rounds and shoes as a history states them, read into records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec

from tapete import fairness
from tapete.errors import BadInput
from tapete.events import Event
from tapete.fairness import ShoeRecord
from tapete.history.faults import HistoryError
from tapete.history.fields import Part
from tapete.history.lines import MAX_NAME, is_name, read_event
from tapete.history.records import Record, Table
from tapete.money import LARGEST
from tapete.rulevalues import shown
from tapete.stakes import REASONS, Backing, BoxStake, Lock, Statement, bank_net, nets
from tapete.tomlplaces import Path as Place

# --- the shape of a round -------------------------------------------------------------------------------------------

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_NAME)]
Units = Annotated[int, msgspec.Meta(ge=0, le=LARGEST)]
Net = Annotated[int, msgspec.Meta(ge=-LARGEST, le=LARGEST)]
Small = Annotated[int, msgspec.Meta(ge=0, le=99)]


class _Shape(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What each line of a round must hold; annotations are taken out before."""


class _Bettor(_Shape, frozen=True, kw_only=True):
    name: Name
    spare: Units


class _Backer(_Shape, frozen=True, kw_only=True):
    bettor: Name
    stake: Units
    consent: bool = False
    standing: bool = False


class _Box(_Shape, frozen=True, kw_only=True):
    box: Small
    holder: Name
    stake: Units
    backers: tuple[_Backer, ...] = ()


class _Total(_Shape, frozen=True, kw_only=True):
    bettor: Name
    net: Net


class _Result(_Shape, frozen=True, kw_only=True):
    box: Small
    hand: Small
    bettor: Name
    stake: Units
    net: Net
    reason: str
    total: Small = 0
    dealer: Small = 0


class _Round(_Shape, frozen=True, kw_only=True):
    number: Annotated[int, msgspec.Meta(ge=0, le=LARGEST)]
    rules: str
    bettors: tuple[_Bettor, ...]
    boxes: tuple[_Box, ...]
    events: tuple[str, ...]
    totals: tuple[_Total, ...]
    bank: Net
    results: tuple[_Result, ...]


# --- rounds ---------------------------------------------------------------------------------------------------------


def read_record(part: Part, tables: Mapping[str, Table]) -> Record:
    """The round of a block, played at one of ``tables``. Raises HistoryError."""
    shoe, first = _shoe(part)
    found = part.shaped(_Round)
    if found.rules not in tables:
        raise HistoryError("history.rules_unknown", line=part.line("rules"), digest=shown(found.rules))
    _check_names(part, found)
    told = tuple(_statement(part, at, one) for at, one in enumerate(found.results))
    _check_totals(part, found, told)
    return Record(
        number=found.number,
        table=tables[found.rules],
        lock=_lock(found),
        events=tuple(_event(part, at, line) for at, line in enumerate(found.events)),
        statements=told,
        shoe=shoe,
        first=first,
        notes=part.notes,
        lines=part.lines(),
    )


def _check_names(part: Part, found: _Round) -> None:
    for at, one in enumerate(found.bettors):
        if not is_name(one.name):
            part.wrong(("bettors", at, "name"), one.name)


def _lock(found: _Round) -> Lock:
    boxes = (
        BoxStake(one.box, one.holder, one.stake, tuple(Backing(*msgspec.structs.astuple(each)) for each in one.backers))
        for one in found.boxes
    )
    return Lock(tuple(boxes), tuple((one.name, one.spare) for one in found.bettors))


def _event(part: Part, at: int, line: str) -> Event:
    try:
        return read_event(line)
    except HistoryError as fault:
        raise HistoryError(fault.code, **{**fault.facts, "line": part.line("events", at)}) from None  # type: ignore[arg-type]


def _statement(part: Part, at: int, one: _Result) -> Statement:
    if one.reason not in REASONS:
        part.wrong(("results", at, "reason"), one.reason)
    return Statement(*msgspec.structs.astuple(one))


def _check_totals(part: Part, found: _Round, told: Sequence[Statement]) -> None:
    """The totals of a round are the sums of its results, in the order in which bettors first appear."""
    due = list(nets(told).items())
    stated = [(one.bettor, one.net) for one in found.totals]
    for at in range(max(len(due), len(stated))):
        if due[at : at + 1] != stated[at : at + 1]:
            where = part.line("totals", at)
            raise HistoryError("history.totals", line=where, stated=_total(stated[at:]), due=_total(due[at:]))
    if found.bank != bank_net(told):
        raise HistoryError("history.totals", line=part.line("bank"), stated=found.bank, due=bank_net(told))


def _total(rest: Sequence[tuple[str, int]]) -> str:
    return f"{rest[0][0]} {rest[0][1]}" if rest else "-"


# --- shoes ----------------------------------------------------------------------------------------------------------


def _shoe(part: Part) -> tuple[ShoeRecord | None, int | None]:
    told = part.told.pop("shoe", {})
    if not isinstance(told, dict):
        part.wrong(("shoe",), told)
    first = told.pop("first", None)
    if first is not None and (isinstance(first, bool) or not isinstance(first, int) or not 0 <= first <= LARGEST):
        part.wrong(("shoe", "first"), first)
    return (read_shoe(part, told, ("shoe",)) if told else None), first


def read_shoe(part: Part, told: Mapping[str, Any], path: Place) -> ShoeRecord:
    """The record of a shoe that stands at ``path`` in a block. Raises HistoryError."""
    try:
        found = fairness.from_plain(told)
    except BadInput as fault:
        where = part.misfit(str(fault.facts["reason"]), path)
        raise HistoryError("history.shoe_unreadable", line=part.line(*where)) from fault
    if not found.id.isprintable():
        part.wrong((*path, "id"), found.id)
    return found
