"""What one event changes in the store: the log, the racks and the finished round, in one transaction.

The terminal and the server keep their tables with this alone, so that a chip moves by the same deed wherever it is
played.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from msgspec.json import Decoder, encode

from tapete import table as tables
from tapete.history import Record, round_block
from tapete.stakes import nets
from tapete.store import BANK, Transaction, rack
from tapete.table import Joined, Left, Table, TableEvent

_EVENTS: Decoder[TableEvent] = Decoder(TableEvent)


class Move(NamedTuple):
    """One event with the table before and after it, and the record of the round if it ended one."""

    before: Table
    event: TableEvent
    after: Table
    record: Record | None = None


def read_event(payload: bytes) -> TableEvent:
    """The event that a log keeps."""
    return _EVENTS.decode(payload)


def keep(
    deeds: Transaction, which: int, moves: Sequence[Move], *, first_seq: int, person_id: Callable[[str], int]
) -> None:
    """Writes these moves of a table within a transaction: log, chips, finished rounds."""
    deeds.append(which, [encode(move.event) for move in moves], first_seq=first_seq)
    for move in moves:
        _move_chips(deeds, which, move, person_id)
        if move.record is not None:
            deeds.save_round(which, number=move.record.number, text=round_block(move.record))


def _move_chips(deeds: Transaction, which: int, move: Move, person_id: Callable[[str], int]) -> None:
    event, after = move.event, move.after
    if isinstance(event, Joined) and not event.bot:
        deeds.sit(person_id(event.name), table=which, amount=event.chips)
    elif isinstance(event, Left) and not tables.person(move.before, event.name).bot:
        deeds.leave(person_id(event.name), table=which)
    elif move.before.playing and not after.playing and after.round is not None:
        won = {
            rack(person_id(name), table=which): net
            for name, net in nets(after.round.statements).items()
            if not tables.person(after, name).bot
        }
        deeds.move({**won, BANK: -sum(won.values())}, why="round", table=which)
