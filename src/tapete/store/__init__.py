"""The store: the append-only log and the ledger, one schema for the terminal and the server.

Laws of the store:

1. Whatever happens to the program or the machine, a transaction is there whole or not at all. SQLite runs with its
   write-ahead log and ``synchronous=FULL``: when a transaction has returned, it is on the disk.
2. The entries of a transfer sum to zero, so all accounts do. A person's account and a rack never go below zero; the
   bank and the issuance may. :func:`Store.audit` recomputes all of it.
3. The log of a table is only ever appended to, without a gap.
4. An open table belongs to one running program, by a lock that dies with it. Only that program writes the table's log
   and touches its racks.
5. What is refused changes nothing: each deed checks before it writes, and a transaction that fails is undone whole.
"""

from tapete.store.audit import Audit
from tapete.store.ledger import BANK, ISSUANCE, STARTING, Account, purse, rack
from tapete.store.link import StoreError
from tapete.store.log import Event, Shoe, Table
from tapete.store.pages import Page
from tapete.store.people import NAME_LENGTH, Person
from tapete.store.store import Store
from tapete.store.transaction import Transaction

__all__ = [
    "BANK",
    "ISSUANCE",
    "NAME_LENGTH",
    "STARTING",
    "Account",
    "Audit",
    "Event",
    "Page",
    "Person",
    "Shoe",
    "Store",
    "StoreError",
    "Table",
    "Transaction",
    "purse",
    "rack",
]
