"""What a live table works with: its log read again, its questions, the answers by default, what changed in the view."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from tapete import stakes
from tapete import table as tables
from tapete.events import Asks, Decided, Question
from tapete.house import House
from tapete.keeping import Move, read_event
from tapete.rules import RuleSet
from tapete.stakes import Lock
from tapete.table import Placed, Table
from tapete.view import View

BY_DEFAULT: Final = {"insure": "no_insurance", "retire": "keep", "follow": "stay"}
Key = tuple[str, int, int, str, int]


def replayed(rules: RuleSet, house: House, payloads: Iterable[tuple[int, bytes]]) -> tuple[Table, int, list[Move]]:
    """The table that a log makes, the number of its last event, and the moves of its last round; the house follows."""
    table, last_seq = Table(rules), 0
    last: list[Move] = []
    for seq, payload in payloads:
        event = read_event(payload)
        after = tables.apply(table, event)
        house.repeat(table, event, after)
        if isinstance(event, Lock):
            last.clear()
        last.append(Move(table, event, after))
        table, last_seq = after, seq
    return table, last_seq, last


def questions(table: Table) -> tuple[Question, ...]:
    """The open questions."""
    round_ = table.round
    return round_.waits.questions if round_ is not None and isinstance(round_.waits, Asks) else ()


def key_of(table: Table, question: Question) -> Key:
    """What tells one question from another: it is a new one when the hand has another card, or the box another hand."""
    cards = 0
    if table.round is not None:
        box = next(box for box in table.round.boxes if box.number == question.box)
        cards = len(box.hands[question.hand - 1].cards) + 100 * len(box.hands)
    return question.kind, question.box, question.hand, question.bettor, cards


def default(question: Question) -> Decided:
    """The stated answer to a question that nobody answers in time (8b.17)."""
    action = BY_DEFAULT.get(question.kind) or ("stand" if "stand" in question.legal else "hit")
    return Decided(question.box, question.hand, action, bettor=question.bettor, by="clock")


def bot_bets(table: Table) -> list[Placed]:
    """The smallest stake on each box of a house bot."""
    rules = table.rules
    amount = -(-rules.bet_min // rules.unit) * rules.unit
    bots = {one.name for one in table.people if one.bot}
    return [Placed(seat.name, seat.box, amount) for seat in table.seats if seat.name in bots]


def boxes_short(table: Table) -> int:
    """How many more boxes with a bet the next round needs; the house bots bet when it begins."""
    if table.rules.min_players <= 1 or table.playing:
        return 0
    bet = {one.box for one in (*table.bets, *bot_bets(table))}
    return stakes.boxes_short(table.rules, boxes=len(bet))


def changes(before: View, after: View) -> dict[str, Any]:
    """The fields of the view that changed; of the boxes only those that did, by number."""
    found: dict[str, Any] = {
        name: getattr(after, name)
        for name in View.__struct_fields__
        if name != "boxes" and getattr(after, name) != getattr(before, name)
    }
    boxes = {str(new.box): new for old, new in zip(before.boxes, after.boxes, strict=True) if old != new}
    return {**found, "boxes": boxes} if boxes else found
