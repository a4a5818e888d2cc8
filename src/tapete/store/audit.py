"""The audit: everything that the ledger and the log promise, computed again from their entries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, func, select

from tapete.errors import TapeteError
from tapete.store import ledger
from tapete.store.link import Link, StoreError
from tapete.store.schema import accounts, entries, events, transfers


class Audit(NamedTuple):
    """What an audit counted and found wrong; ``faults`` is empty when all is right."""

    accounts: int
    transfers: int
    events: int
    faults: tuple[TapeteError, ...]


def audit(link: Link) -> Audit:
    """Recompute all balances, sums and sequences."""
    faults = tuple(_faults(link))
    counted = [_count(link, func.count(column)) for column in (accounts.c.id, transfers.c.id, events.c.seq)]
    return Audit(counted[0], counted[1], counted[2], faults)


def _faults(link: Link) -> Iterator[TapeteError]:
    if total := ledger.total(link):
        yield StoreError("audit.total", sum=total)
    for row in link.rows(_unbalanced()):
        yield StoreError("audit.transfer", transfer=row.id, sum=row.sum)
    for row in link.rows(_misstated()):
        yield StoreError("audit.balance", account=row.name, balance=row.balance, sum=row.sum)
    for row in link.rows(_overdrawn()):
        yield StoreError("audit.overdrawn", account=row.name, balance=row.balance)
    for row in link.rows(_broken_chains()):
        yield StoreError("audit.running", account=row.account_id, transfer=row.transfer_id)
    for row in link.rows(_gaps()):
        yield StoreError("audit.gap", table=row.table_id, events=row.events, last=row.last)


def _count(link: Link, counted: ColumnElement[int]) -> int:
    row = link.row(select(counted))
    return 0 if row is None else int(row[0])


def _sum() -> ColumnElement[Any]:
    return func.coalesce(func.sum(entries.c.amount), 0)


def _unbalanced() -> Select[Any]:
    """Transfers whose entries do not sum to zero, or that have none."""
    joined = transfers.outerjoin(entries, entries.c.transfer_id == transfers.c.id)
    found = select(transfers.c.id, _sum().label("sum")).select_from(joined).group_by(transfers.c.id)
    return found.having((_sum() != 0) | (func.count(entries.c.amount) < 2))


def _misstated() -> Select[Any]:
    """Accounts whose balance is not the sum of their entries."""
    joined = accounts.outerjoin(entries, entries.c.account_id == accounts.c.id)
    columns = (accounts.c.name, accounts.c.balance)
    found = select(*columns, _sum().label("sum")).select_from(joined).group_by(accounts.c.id, *columns)
    return found.having(accounts.c.balance != _sum())


def _overdrawn() -> Select[Any]:
    return select(accounts.c.name, accounts.c.balance).where(
        accounts.c.balance < 0, accounts.c.kind.in_(("person", "rack"))
    )


def _broken_chains() -> Select[Any]:
    """Entries whose running balance is not the sum of the account's entries so far."""
    so_far = func.sum(entries.c.amount).over(partition_by=entries.c.account_id, order_by=entries.c.transfer_id)
    computed = select(entries.c.account_id, entries.c.transfer_id, entries.c.balance, so_far.label("so_far")).subquery()
    return select(computed.c.account_id, computed.c.transfer_id).where(computed.c.balance != computed.c.so_far)


def _gaps() -> Select[Any]:
    """Tables whose events do not count up from 1 without a gap."""
    counted, last, first = func.count(), func.max(events.c.seq), func.min(events.c.seq)
    found = select(events.c.table_id, counted.label("events"), last.label("last")).group_by(events.c.table_id)
    return found.having((counted != last) | (first != 1))
