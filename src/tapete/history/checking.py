"""Replaying a history, and holding it against its own results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from tapete import fairness
from tapete.cards import Card
from tapete.errors import Refused
from tapete.events import Dealt, Event, Over, Turned
from tapete.fairness import ShoeRecord
from tapete.history.faults import HistoryError
from tapete.history.lines import write_event
from tapete.history.records import History, Record
from tapete.round import apply, begin
from tapete.stakes import Statement
from tapete.state import Round


class Step(NamedTuple):
    """One step of a replay: the line of the event (empty for the lock), the event, and the round after it."""

    text: str
    event: Event
    round_: Round


def replay(record: Record) -> Iterator[Step]:
    """The round step by step, its lock first.

    Raises HistoryError ``history.lock_refused`` or ``history.event_refused`` with the line of what cannot be; the
    error that it comes from says why.
    """
    try:
        round_ = begin(record.table.rules, record.lock)
    except Refused as why:
        at = next((at for at, box in enumerate(record.lock.boxes) if box.box == why.facts.get("box")), None)
        where = record.line("boxes") if at is None else record.line("boxes", at)
        raise HistoryError("history.lock_refused", line=where, round=record.number) from why
    yield Step("", record.lock, round_)
    for at, event in enumerate(record.events):
        text = write_event(event, round_)
        try:
            round_ = apply(round_, event)
        except Refused as why:
            raise HistoryError("history.event_refused", line=record.line("events", at), event=text) from why
        yield Step(text, event, round_)


def validate(history: History) -> None:
    """Whether every round replays to the results that the file tells, and the shoes agree with each other.

    Raises HistoryError, with the line where the file first departs from what it says itself.
    """
    for record in history.records:
        validate_round(record)
    _check_shoes(history)


def validate_round(record: Record) -> Round:
    """The round at its end, if it comes out as the record tells. Raises HistoryError."""
    round_ = None
    for step in replay(record):
        round_ = step.round_
    if round_ is None or type(round_.waits) is not Over:
        last = record.line("events", len(record.events) - 1) if record.events else record.line("events")
        raise HistoryError("history.unfinished", line=last, round=record.number)
    for at, (due, told) in enumerate(zip_longest(round_.statements, record.statements)):
        if due != told:
            raise HistoryError(
                "history.result_differs", line=record.line("results", at), told=_short(told), due=_short(due)
            )
    return round_


def _short(told: Statement | None) -> str:
    """A statement as its line in the file has it, without the names of the fields."""
    return "-" if told is None else " ".join(str(getattr(told, name)) for name in told.__struct_fields__)


# --- shoes ----------------------------------------------------------------------------------------------------------


def shoes_of(history: History) -> dict[str, tuple[ShoeRecord, tuple[fairness.Dealt, ...]]]:
    """Every shoe of the history by its id: its record as last told, and the cards of its rounds, for ``verify``."""
    known: dict[str, ShoeRecord] = {}
    dealt: dict[str, list[fairness.Dealt]] = {}
    for record in history.records:
        if record.shoe is not None:
            known[record.shoe.id] = record.shoe
            if record.first is not None:
                seen = fairness.Dealt(first=record.first, cards=cards(record.events))
                dealt.setdefault(record.shoe.id, []).append(seen)
    known |= {shoe.id: shoe for shoe in history.reveals}
    return {name: (shoe, tuple(dealt.get(name, ()))) for name, shoe in known.items()}


def cards(events: Sequence[Event]) -> tuple[Card | None, ...]:
    """The cards of a round in the order in which they left the shoe; None for one that nobody saw."""
    turned = next((event.card for event in events if isinstance(event, Turned)), None)
    return tuple(turned if event.card is None else event.card for event in events if isinstance(event, Dealt))


_LASTING = ("rules", "packs", "commitment")


def _check_shoes(history: History) -> None:
    """What was promised about a shoe once is promised in every round and in its reveal."""
    first: dict[str, ShoeRecord] = {}
    told = [(one.shoe, one.line("shoe"), one.table.digest) for one in history.records if one.shoe is not None]
    lines = history.reveal_lines or (None,) * len(history.reveals)
    told += [(shoe, line, shoe.rules) for shoe, line in zip(history.reveals, lines, strict=True)]
    for shoe, line, rules in told:
        before = first.setdefault(shoe.id, shoe)
        if shoe.rules != rules:
            raise HistoryError("history.shoe_rules", line=line, shoe=shoe.id)
        if any(getattr(shoe, name) != getattr(before, name) for name in _LASTING):
            raise HistoryError("history.shoe_differs", line=line, shoe=shoe.id)
