"""Pages: what the tables of a running server write again and again, for any number of tables at once.

A page is the common case of one table: events for its log, rounds that ended, and the chips that these move between
the racks and the bank. However many pages there are, they take a handful of statements, in the words that SQLite and
PostgreSQL share; everything is looked at before the first of them is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Final, NamedTuple

from tapete.errors import Refused
from tapete.store.ledger import Account, Entry, entry, open_transfer
from tapete.store.link import Link
from tapete.store.log import refuse_closed

_EVENTS: Final = "INSERT INTO events (table_id, seq, payload) VALUES (?, ?, ?)"
_ROUNDS: Final = "INSERT INTO rounds (table_id, number, text) VALUES (?, ?, ?)"
_ENTRIES: Final = "INSERT INTO entries (transfer_id, account_id, amount, balance) VALUES (?, ?, ?, ?)"
_BALANCE: Final = "UPDATE accounts SET balance = ? WHERE id = ?"


class Page(NamedTuple):
    """What some events of one table change."""

    table: int
    first_seq: int
    payloads: Sequence[bytes]
    rounds: Sequence[tuple[int, str]] = ()
    """Numbers and history texts of the rounds that ended."""
    won: Sequence[Mapping[Account, int]] = ()
    """One transfer for each of them, in units, which sums to zero."""


def write(link: Link, pages: Sequence[Page], need: Callable[[int], None]) -> None:
    """Writes the pages; ``need`` raises Refused for a table that is not held.

    Raises Refused as ``log.append``, ``log.save_round`` and ``ledger.move`` do, with nothing written.
    """
    _check_logs(link, pages, need)
    _check_rounds(link, pages)
    transfers = [(page.table, moved) for page in pages for won in page.won if (moved := _moved(won))]
    entries, balances = _booked(link, [moved for _, moved in transfers])
    link.direct_many(_EVENTS, [row for page in pages for row in _numbered(page)])
    link.direct_many(_ROUNDS, [(page.table, number, text) for page in pages for number, text in page.rounds])
    if transfers:
        # One after the other, so that they count up: balances are run through in that order.
        numbers = [open_transfer(link, why="round", table=table) for table, _ in transfers]
        rows = [(number, *one) for number, lines in zip(numbers, entries, strict=True) for one in lines]
        link.direct_many(_ENTRIES, rows)
        link.direct_many(_BALANCE, [(now, which) for which, now in balances.items()])


def _numbered(page: Page) -> Iterable[tuple[int, int, bytes]]:
    return ((page.table, seq, one) for seq, one in enumerate(page.payloads, page.first_seq))


def _marks(many: int) -> str:
    return ", ".join("?" * many)


def _touched(pages: Sequence[Page]) -> list[int]:
    racks = {one.table for page in pages for won in page.won for one in won if one.table is not None}
    return sorted({page.table for page in pages} | racks)


def _check_logs(link: Link, pages: Sequence[Page], need: Callable[[int], None]) -> None:
    wanted = _touched(pages)
    last = "(SELECT max(seq) FROM events WHERE table_id = tables.id)"
    words = f"SELECT id, is_open, {last} FROM tables WHERE id IN ({_marks(len(wanted))})"
    found = {which: (is_open, last or 0) for which, is_open, last in link.direct(words, wanted)}
    for table in wanted:
        refuse_closed(table, is_open=found[table][0] if table in found else None)
        need(table)
    for page in pages:
        is_open, last_seq = found[page.table]
        if page.first_seq != last_seq + 1 and page.payloads:
            raise Refused("log.out_of_step", table=page.table, expected=last_seq + 1, seq=page.first_seq)
        found[page.table] = is_open, last_seq + len(page.payloads)


def _check_rounds(link: Link, pages: Sequence[Page]) -> None:
    wanted = [(page.table, number) for page in pages for number, _ in page.rounds]
    if not wanted:
        return
    words = " OR ".join(["table_id = ? AND number = ?"] * len(wanted))
    for table, number in link.direct(f"SELECT table_id, number FROM rounds WHERE {words}", list(chain(*wanted))):
        raise Refused("log.round_saved", table=table, number=number)
    seen: set[tuple[int, int]] = set()
    for table, number in wanted:
        if (table, number) in seen:
            raise Refused("log.round_saved", table=table, number=number)
        seen.add((table, number))


def _moved(won: Mapping[Account, int]) -> dict[Account, int]:
    moved = {one: amount for one, amount in won.items() if amount}
    if sum(moved.values()):
        raise Refused("ledger.unbalanced", sum=sum(moved.values()))
    return moved


def _booked(link: Link, transfers: Sequence[Mapping[Account, int]]) -> tuple[list[list[Entry]], dict[int, int]]:
    """The entries of each transfer, one after the other, and each account's balance after the last of them."""
    if not transfers:
        return [], {}
    keys = sorted({one.key for moved in transfers for one in moved})
    words = f"SELECT name, id, balance FROM accounts WHERE name IN ({_marks(len(keys))})"
    found: dict[str, tuple[int, int]] = {name: (which, balance) for name, which, balance in link.direct(words, keys)}
    booked: list[list[Entry]] = []
    for moved in transfers:
        lines = [entry(one, found.get(one.key), amount) for one, amount in moved.items()]
        found |= {one.key: (line.account_id, line.balance) for one, line in zip(moved, lines, strict=True)}
        booked.append(lines)
    return booked, dict(found.values())
