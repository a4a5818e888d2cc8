"""Pruning: the logs, rounds and shoes of tables that closed long ago are forgotten; their transfers stay."""

from __future__ import annotations

from sqlalchemy import Select, delete, func, select

from tapete.store.link import Link
from tapete.store.schema import events, rounds, shoes, tables, transfers


def prune(link: Link, *, kind: str, before: int) -> int:
    """Forget the tables of a kind that were closed, and moved no chip, since ``before``; tells how many had a log."""
    old = [row.id for row in link.rows(_old(kind, before))]
    for one in old:
        for table in (events, rounds, shoes):
            link.change(delete(table).where(table.c.table_id == one))
    return len(old)


def _old(kind: str, before: int) -> Select[tuple[int]]:
    last = select(func.max(transfers.c.at)).where(transfers.c.table_id == tables.c.id).scalar_subquery()
    logged = select(events.c.seq).where(events.c.table_id == tables.c.id).exists()
    return select(tables.c.id).where(
        tables.c.kind == kind, tables.c.is_open.is_(False), func.coalesce(last, tables.c.at) < before, logged
    )
