"""The log of a table: its events, its finished rounds and its shoes; nothing of it is ever changed,
and nothing taken away but the whole of it, long after (``tapete.store.pruning``).

What an event or a configuration says is the caller's business: here they are bytes.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from sqlalchemy import BindParameter, Row, bindparam, func, insert, select, update

from tapete.errors import Refused
from tapete.store.link import Link
from tapete.store.schema import events, rounds, shoes, tables

# What each event needs is put together once: that costs more than the database takes to answer.
_WHICH: Final[BindParameter[int]] = bindparam("which")
_IS_OPEN: Final = select(tables.c.is_open).where(tables.c.id == _WHICH)
_LAST: Final = select(func.max(events.c.seq).label("last")).where(events.c.table_id == _WHICH)
_APPEND: Final = insert(events)


class Table(NamedTuple):
    """A table that was opened: what kind, its name, the configuration to rebuild it from."""

    id: int
    kind: str
    name: str
    config: bytes
    is_open: bool


class Event(NamedTuple):
    """One event of a table's log; ``seq`` counts up from 1 at each table."""

    seq: int
    payload: bytes


@dataclass(frozen=True)
class Shoe:
    """A shoe's secret. Until it is revealed it must not leave the program; it does not show in ``repr``."""

    id: str
    table: int
    secret: bytes = field(repr=False)
    revealed: bool


def add_table(link: Link, *, kind: str, name: str, config: bytes) -> int:
    """A new open table; tells its id."""
    return link.add(insert(tables).values(kind=kind, name=name, config=config, is_open=True, at=int(time.time())))


def table(link: Link, which: int) -> Table:
    """The table with that id. Raises Refused ``store.table_unknown``."""
    row = link.row(select(tables).where(tables.c.id == which))
    if row is None:
        raise Refused("store.table_unknown", table=which)
    return _table(row)


def named(link: Link, *, kind: str, name: str) -> Table:
    """The table of a kind with that name, open or closed. Raises Refused ``store.table_unknown``."""
    row = link.row(select(tables).where(tables.c.kind == kind, tables.c.name == name))
    if row is None:
        raise Refused("store.table_unknown", table=name)
    return _table(row)


def open_table(link: Link, which: int) -> Table:
    """The table with that id, if it is open. Raises Refused ``store.table_unknown`` or ``store.table_closed``."""
    found = table(link, which)
    if not found.is_open:
        raise Refused("store.table_closed", table=which)
    return found


def open_tables(link: Link) -> list[Table]:
    """The tables that nobody has closed, oldest first."""
    return [_table(row) for row in link.rows(select(tables).where(tables.c.is_open).order_by(tables.c.id))]


def _table(row: Row[Any]) -> Table:
    return Table(row.id, row.kind, row.name, row.config, row.is_open)


def need_open(link: Link, which: int) -> None:
    """Raise Refused ``store.table_unknown`` or ``store.table_closed`` unless the table is open."""
    row = link.row(_IS_OPEN, {"which": which})
    refuse_closed(which, is_open=None if row is None else row.is_open)


def refuse_closed(which: int, *, is_open: bool | None) -> None:
    """Raise Refused ``store.table_unknown`` (nothing was found) or ``store.table_closed`` unless the table is open."""
    if is_open is None:
        raise Refused("store.table_unknown", table=which)
    if not is_open:
        raise Refused("store.table_closed", table=which)


def close(link: Link, which: int) -> None:
    """Mark a table closed for good."""
    link.change(update(tables).where(tables.c.id == which).values(is_open=False))


def last_seq(link: Link, which: int) -> int:
    """The number of the last event of a table; 0 if there is none."""
    row = link.row(_LAST, {"which": which})
    return 0 if row is None or row.last is None else int(row.last)


def append(link: Link, which: int, payloads: Sequence[bytes], *, first_seq: int) -> int:
    """Add events to a table's log, the first as number ``first_seq``; tells the next free number.

    Raises Refused ``log.out_of_step`` if ``first_seq`` is not the next number: somebody else wrote, or a gap opens.
    """
    expected = last_seq(link, which) + 1
    if first_seq != expected:
        raise Refused("log.out_of_step", table=which, expected=expected, seq=first_seq)
    rows = [{"table_id": which, "seq": seq, "payload": one} for seq, one in enumerate(payloads, first_seq)]
    if rows:
        link.change(_APPEND, rows)
    return first_seq + len(rows)


def read(link: Link, which: int, *, after_seq: int) -> list[Event]:
    """The events of a table behind ``after_seq``, in order."""
    wanted = select(events.c.seq, events.c.payload).where(events.c.table_id == which, events.c.seq > after_seq)
    return [Event(row.seq, row.payload) for row in link.rows(wanted.order_by(events.c.seq))]


def save_round(link: Link, which: int, *, number: int, text: str) -> None:
    """Keep the history text of a finished round. Raises Refused ``log.round_saved`` if that number is taken."""
    if link.row(select(rounds.c.number).where(rounds.c.table_id == which, rounds.c.number == number)) is not None:
        raise Refused("log.round_saved", table=which, number=number)
    link.change(insert(rounds).values(table_id=which, number=number, text=text))


def saved_rounds(link: Link, which: int, *, after: int) -> dict[int, str]:
    """The history texts of a table's finished rounds behind number ``after``, in order."""
    wanted = select(rounds.c.number, rounds.c.text).where(rounds.c.table_id == which, rounds.c.number > after)
    return {row.number: row.text for row in link.rows(wanted.order_by(rounds.c.number))}


def add_shoe(link: Link, which: int, *, shoe: str, secret: bytes) -> None:
    """Keep the secret of a shoe before its first use. Raises Refused ``log.shoe_known`` if the id is taken."""
    if _shoe_row(link, shoe) is not None:
        raise Refused("log.shoe_known", shoe=shoe)
    link.change(insert(shoes).values(id=shoe, table_id=which, secret=secret))


def get_shoe(link: Link, shoe: str) -> Shoe:
    """The shoe with that id. Raises Refused ``log.shoe_unknown``."""
    row = _shoe_row(link, shoe)
    if row is None:
        raise Refused("log.shoe_unknown", shoe=shoe)
    return _shoe(row)


def reveal_shoe(link: Link, shoe: str) -> None:
    """Mark a shoe's secret as published: the shoe is retired and its last round settled."""
    link.change(update(shoes).where(shoes.c.id == shoe).values(revealed=True))


def shoes_of(link: Link, which: int) -> list[Shoe]:
    """The shoes of a table, by id."""
    return [_shoe(row) for row in link.rows(select(shoes).where(shoes.c.table_id == which).order_by(shoes.c.id))]


def _shoe_row(link: Link, shoe: str) -> Row[Any] | None:
    return link.row(select(shoes).where(shoes.c.id == shoe))


def _shoe(row: Row[Any]) -> Shoe:
    return Shoe(row.id, row.table_id, row.secret, row.revealed)
