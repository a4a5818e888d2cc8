"""The ledger: accounts in units, and transfers whose entries sum to zero.

Chips come from the issuance, lie on a person's account, and go to a rack while the person sits at a table. The bank is
the house's side of every bet. A balance is kept on its account and, as a running balance, on each entry.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from sqlalchemy import bindparam, func, insert, or_, select, update

from tapete.errors import BadInput, Refused
from tapete.money import CHIP, LARGEST
from tapete.store.link import Link
from tapete.store.schema import accounts, entries, transfers

STARTING: Final = 1000 * CHIP
"""What a person starts with, in units."""

_TRANSFER: Final = insert(transfers)

MOST: Final = 1000 * LARGEST
"""No balance may be further from zero than this, in units."""


class Account(NamedTuple):
    """Whose chips: ``BANK``, ``ISSUANCE``, a person's :func:`purse` or a person's :func:`rack` at a table."""

    kind: str
    person: int | None = None
    table: int | None = None

    @property
    def key(self) -> str:
        """The account's own name, as ``rack:7:3`` (person, table)."""
        return ":".join(str(part) for part in self if part is not None)


BANK: Final = Account("bank")
ISSUANCE: Final = Account("issuance")


def purse(person: int) -> Account:
    """The account of a person, away from all tables."""
    return Account("person", person)


def rack(person: int, *, table: int) -> Account:
    """The chips of a person at a table."""
    return Account("rack", person, table)


def create_house(link: Link) -> None:
    """Open the accounts that belong to nobody."""
    for one in (BANK, ISSUANCE):
        open_account(link, one)


def open_account(link: Link, one: Account) -> None:
    """Open an account, empty."""
    new = insert(accounts).values(name=one.key, kind=one.kind, person_id=one.person, table_id=one.table)
    link.change(new)


def holds(link: Link, one: Account) -> int:
    """The balance of an account, in units. Raises Refused ``ledger.no_account``."""
    row = link.row(select(accounts.c.balance).where(accounts.c.name == one.key))
    if row is None:
        raise Refused("ledger.no_account", account=one.key)
    return int(row.balance)


def move(link: Link, amounts: Mapping[Account, int], *, why: str, table: int | None = None) -> None:
    """Add each amount of units to its account, as one transfer.

    Raises Refused ``ledger.unbalanced`` (they do not sum to zero), ``ledger.overdrawn``, ``ledger.too_large`` or
    ``ledger.no_account``; nothing is written then.
    """
    moved = {one: amount for one, amount in amounts.items() if amount}
    if sum(moved.values()):
        raise Refused("ledger.unbalanced", sum=sum(moved.values()))
    if moved:
        _write(link, _checked(link, moved), why=why, table=table)


class Entry(NamedTuple):
    """One line of a transfer: the account, the amount, and its balance after it."""

    account_id: int
    amount: int
    balance: int


def _checked(link: Link, moved: Mapping[Account, int]) -> list[Entry]:
    by_name = {one.key: one for one in moved}
    wanted = select(accounts).where(accounts.c.name.in_(by_name)).order_by(accounts.c.id).with_for_update()
    found = {by_name[row.name]: (row.id, row.balance) for row in link.rows(wanted)}
    return [entry(one, found.get(one), amount) for one, amount in moved.items()]


def entry(one: Account, found: tuple[int, int] | None, amount: int) -> Entry:
    """The line that adds the amount to an account, found by its id and its balance.

    Raises Refused ``ledger.no_account``, ``ledger.overdrawn`` or ``ledger.too_large``.
    """
    if found is None:
        raise Refused("ledger.no_account", account=one.key)
    balance = found[1] + amount
    if balance < 0 and one.kind in ("person", "rack"):
        raise Refused("ledger.overdrawn", account=one.key, balance=found[1], amount=-amount)
    if max(abs(amount), abs(balance)) > MOST:
        raise Refused("ledger.too_large", account=one.key, amount=amount)
    return Entry(found[0], amount, balance)


def _write(link: Link, made: list[Entry], *, why: str, table: int | None) -> None:
    transfer = open_transfer(link, why=why, table=table)
    link.change(insert(entries), [{"transfer_id": transfer, **one._asdict()} for one in made])
    new = update(accounts).where(accounts.c.id == bindparam("which")).values(balance=bindparam("now"))
    link.change(new, [{"which": one.account_id, "now": one.balance} for one in made])


def open_transfer(link: Link, *, why: str, table: int | None) -> int:
    """The number of a new transfer, which has no entries yet."""
    return link.add(_TRANSFER, {"why": why, "table_id": table, "at": int(time.time())})


def reset(link: Link, person: int) -> None:
    """Bring a person's account back to STARTING. Raises Refused ``ledger.chips_at_table`` while seated."""
    at = link.row(_racks_in_use().where(accounts.c.person_id == person))
    if at is not None:
        raise Refused("ledger.chips_at_table", table=at.table_id, amount=at.balance)
    missing = STARTING - holds(link, purse(person))
    move(link, {purse(person): missing, ISSUANCE: -missing}, why="reset")


def sit(link: Link, person: int, *, table: int, amount: int | None) -> int:
    """Move ``amount`` units (all, if None) from a person's account to the rack at ``table``, and tell how many.

    Sitting again adds chips. Raises BadInput ``ledger.negative``, Refused ``ledger.overdrawn``, ``ledger.no_account``.
    """
    moved = holds(link, purse(person)) if amount is None else amount
    if moved < 0:
        raise BadInput("ledger.negative", amount=moved)
    place = rack(person, table=table)
    if link.row(select(accounts.c.id).where(accounts.c.name == place.key)) is None:
        _refuse_overdraft(link, person, moved)
        open_account(link, place)
    move(link, {purse(person): -moved, place: moved}, why="sit", table=table)
    _seat(link, place, seated=True)
    return moved


def _refuse_overdraft(link: Link, person: int, amount: int) -> None:
    balance = holds(link, purse(person))
    if amount > balance:
        raise Refused("ledger.overdrawn", account=purse(person).key, balance=balance, amount=amount)


def leave(link: Link, person: int, *, table: int) -> int:
    """Move a whole rack back to the person's account, and tell its units. Raises Refused ``ledger.no_account``."""
    place = rack(person, table=table)
    moved = holds(link, place)
    move(link, {place: -moved, purse(person): moved}, why="leave", table=table)
    _seat(link, place, seated=False)
    return moved


def _seat(link: Link, place: Account, *, seated: bool) -> None:
    link.change(update(accounts).where(accounts.c.name == place.key).values(seated=seated))


def racks(link: Link, table: int) -> dict[int, int]:
    """The units on each rack in use at ``table``, by person."""
    rows = link.rows(_racks_in_use().where(accounts.c.table_id == table).order_by(accounts.c.id))
    return {row.person_id: row.balance for row in rows}


def sits_somewhere(link: Link, person: int) -> bool:
    """Whether the person has a rack in use at any table."""
    return link.row(_racks_in_use().where(accounts.c.person_id == person)) is not None


def _racks_in_use() -> Any:
    in_use = or_(accounts.c.seated, accounts.c.balance > 0)
    return select(accounts.c.person_id, accounts.c.table_id, accounts.c.balance).where(
        accounts.c.kind == "rack", in_use
    )


def total(link: Link) -> int:
    """The sum of all balances; zero, or something is broken."""
    row = link.row(select(func.coalesce(func.sum(accounts.c.balance), 0).label("total")))
    return 0 if row is None else int(row.total)
