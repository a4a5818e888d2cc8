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
from tapete.store import BANK, Account, Page, Transaction, rack
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
    if not comes_or_goes(moves):
        deeds.write([page(which, moves, first_seq=first_seq, person_id=person_id)])
        return
    for seq, move in enumerate(moves, first_seq):  # chips come and go between what is won and lost
        deeds.write([page(which, [move], first_seq=seq, person_id=person_id)])
        _come_or_go(deeds, which, move, person_id)


def comes_or_goes(moves: Sequence[Move]) -> bool:
    """Whether chips come to the table or leave it, so that a page does not say it all."""
    return any(isinstance(move.event, Joined | Left) for move in moves)


def page(which: int, moves: Sequence[Move], *, first_seq: int, person_id: Callable[[str], int]) -> Page:
    """What these moves of a table change, but for the chips of those who come and go."""
    return Page(
        which,
        first_seq,
        [encode(move.event) for move in moves],
        [(move.record.number, round_block(move.record)) for move in moves if move.record is not None],
        [_won(which, move.after, person_id) for move in moves if move.before.playing and not move.after.playing],
    )


def _won(which: int, after: Table, person_id: Callable[[str], int]) -> dict[Account, int]:
    statements = after.round.statements if after.round is not None else ()
    won = {
        rack(person_id(name), table=which): net
        for name, net in nets(statements).items()
        if not tables.person(after, name).bot
    }
    return {**won, BANK: -sum(won.values())}


def _come_or_go(deeds: Transaction, which: int, move: Move, person_id: Callable[[str], int]) -> None:
    event = move.event
    if isinstance(event, Joined) and not event.bot:
        deeds.sit(person_id(event.name), table=which, amount=event.chips)
    elif isinstance(event, Left) and not tables.person(move.before, event.name).bot:
        deeds.leave(person_id(event.name), table=which)
