"""Transaction: the deeds that change a data folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from tapete.store import identities, ledger, log, pages, people, pruning
from tapete.store.claims import Claims
from tapete.store.ledger import ISSUANCE, STARTING, Account, purse
from tapete.store.link import Link
from tapete.store.log import Shoe
from tapete.store.pages import Page
from tapete.store.people import Person


class Transaction:
    """Deeds that are kept together or not at all; others see them when the block has ended.

    Whatever concerns a table (its log, its racks, its shoes) needs the table to be open and held by this program, else
    it raises Refused ``store.table_unknown``, ``store.table_closed`` or ``store.table_not_held``.
    """

    def __init__(self, link: Link, claims: Claims) -> None:
        self._link = link
        self._claims = claims
        self._opened: list[int] = []
        self._closed: list[int] = []
        self._held: set[int] = set()
        """Tables that this transaction has looked at already."""

    def ended(self, *, kept: bool) -> None:
        """Give up the claims of tables that are no more: the closed ones, or the opened ones if nothing was kept."""
        for table in self._closed if kept else self._opened:
            self._claims.drop(table)

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Deeds that are undone alone if the block raises; those before and after it are kept with the transaction."""
        opened, closed = self._opened, self._closed
        self._opened, self._closed = [], []
        try:
            with self._link.apart():
                yield
        except BaseException:
            self.ended(kept=False)
            self._held.clear()
            self._opened, self._closed = opened, closed
            raise
        self._opened, self._closed = opened + self._opened, closed + self._closed

    def person(self, name: str) -> Person:
        """The person of that name, upper and lower case alike; a new one gets STARTING units from the issuance.

        Raises BadInput ``person.name_empty``, ``person.name_long`` or ``person.name_unprintable``.
        """
        tidy = people.tidy_name(name)
        return people.find(self._link, tidy) or self._welcome(tidy)

    def _welcome(self, name: str) -> Person:
        new = people.add(self._link, name)
        ledger.open_account(self._link, purse(new.id))
        self.move({ISSUANCE: -STARTING, purse(new.id): STARTING}, why="start")
        return new

    def newcomer(self, name: str) -> Person:
        """A new person of that name, with a number behind it if the name is taken. Raises as :meth:`person`."""
        return self._welcome(identities.free_name(self._link, people.tidy_name(name)))

    def rename(self, person: int, name: str) -> Person:
        """The person under a new name. Raises as :func:`identities.rename`."""
        return identities.rename(self._link, person, name)

    def keep_phrase(self, person: int, *, digest: str) -> None:
        """Keep the hash of a person's recovery phrase in place of an earlier one."""
        identities.keep_phrase(self._link, person, digest)

    def reset(self, person: int) -> None:
        """Bring a person's account back to STARTING. Raises Refused ``ledger.chips_at_table`` while seated."""
        people.get(self._link, person)
        ledger.reset(self._link, person)

    def open_table(self, *, kind: str, name: str, config: bytes) -> int:
        """A new table, held by this program; tells its id."""
        table = log.add_table(self._link, kind=kind, name=name, config=config)
        self._claims.take(self._link, table)
        self._opened.append(table)
        return table

    def close_table(self, table: int) -> None:
        """Move every rack back to its person and close the table for good."""
        self._hold(table)
        for person in ledger.racks(self._link, table):
            ledger.leave(self._link, person, table=table)
        log.close(self._link, table)
        self._held.discard(table)
        self._closed.append(table)

    def sit(self, person: int, *, table: int, amount: int | None = None) -> int:
        """Move ``amount`` units (all, if None) from the person's account to the rack; tells how many.

        Sitting again adds chips. Raises BadInput ``ledger.negative``, Refused ``ledger.overdrawn``, ``person.unknown``.
        """
        self._hold(table)
        people.get(self._link, person)
        return ledger.sit(self._link, person, table=table, amount=amount)

    def leave(self, person: int, *, table: int) -> int:
        """Move the whole rack back to the person's account; tells how many units."""
        self._hold(table)
        return ledger.leave(self._link, person, table=table)

    def move(self, amounts: Mapping[Account, int], *, why: str, table: int | None = None) -> None:
        """Add each amount of units to its account, as one transfer.

        Raises Refused ``ledger.unbalanced``, ``ledger.overdrawn``, ``ledger.too_large`` or ``ledger.no_account``.
        """
        for touched in {table, *(one.table for one in amounts)}:
            if touched is not None:
                self._hold(touched)
        ledger.move(self._link, amounts, why=why, table=table)

    def append(self, table: int, payloads: Sequence[bytes], *, first_seq: int) -> int:
        """Add events to the table's log, the first as number ``first_seq``; tells the next free number.

        Raises Refused ``log.out_of_step`` if ``first_seq`` is not the next number.
        """
        self._hold(table)
        return log.append(self._link, table, payloads, first_seq=first_seq)

    def save_round(self, table: int, *, number: int, text: str) -> None:
        """Keep the history text of a finished round. Raises Refused ``log.round_saved`` if that number is taken."""
        self._hold(table)
        log.save_round(self._link, table, number=number, text=text)

    def write(self, written: Sequence[Page]) -> None:
        """Add events, rounds and the chips that they move to any number of tables, in a handful of statements.

        Raises Refused as :meth:`append`, :meth:`save_round` and :meth:`move` do, with nothing written.
        """
        if written:
            pages.write(self._link, written, lambda table: self._claims.need(self._link, table))

    def add_shoe(self, shoe: str, *, table: int, secret: bytes) -> None:
        """Keep the secret of a shoe before its first use. Raises Refused ``log.shoe_known`` if the id is taken."""
        self._hold(table)
        log.add_shoe(self._link, table, shoe=shoe, secret=secret)

    def reveal_shoe(self, shoe: str) -> Shoe:
        """Mark a shoe's secret as published, and tell it. Raises Refused ``log.shoe_unknown``."""
        self._hold(log.get_shoe(self._link, shoe).table)
        log.reveal_shoe(self._link, shoe)
        return log.get_shoe(self._link, shoe)

    def prune(self, *, kind: str, before: int) -> int:
        """Forget the logs of tables of a kind that closed before that time; tells how many. See ``store.pruning``."""
        return pruning.prune(self._link, kind=kind, before=before)

    def holds(self, account: Account) -> int:
        """The units on an account, as this transaction has left it. Raises Refused ``ledger.no_account``."""
        return ledger.holds(self._link, account)

    def _hold(self, table: int) -> None:
        if table not in self._held:
            log.need_open(self._link, table)
            self._claims.need(self._link, table)
            self._held.add(table)
