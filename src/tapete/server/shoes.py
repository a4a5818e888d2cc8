"""Secrets: those of one table's shoes, each kept in the books before its shoe is used.

The secret of the next shoe is drawn ahead, so that a table does not wait for the disk when a shoe is opened.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final

from tapete.errors import Refused, TapeteError
from tapete.fairness import Secret, new_secret
from tapete.server.books import Books
from tapete.store import Transaction

REMEMBERED: Final = 8
"""Shoes whose secrets stay in memory; older ones are read again where a log is."""


class Secrets:
    """The secret for each shoe of a table, by the shoe's id."""

    def __init__(self, books: Books, which: int, known: Mapping[str, bytes] | None = None) -> None:
        self._books = books
        self._which = which
        self._known = {name: Secret(raw) for name, raw in (known or {}).items()}
        self._ahead: asyncio.Task[None] | None = None

    def __call__(self, shoe: str) -> Secret:
        """The secret of that shoe, which is on the disk by now."""
        name = self._name(shoe)
        if name not in self._known:
            self._remember(name, self._found(name) or self._drawn(name))
        self._draw_ahead(_next(shoe))
        return self._known[name]

    def _name(self, shoe: str) -> str:
        return f"{self._which}/{shoe}"

    def _remember(self, name: str, secret: Secret) -> None:
        self._known[name] = secret
        while len(self._known) > REMEMBERED:
            del self._known[next(iter(self._known))]

    def _found(self, name: str) -> Secret | None:
        shoes = self._books.store.shoes(self._which)
        return next((Secret(one.secret) for one in shoes if one.id == name), None)

    def _drawn(self, name: str) -> Secret:
        secret = new_secret()
        try:
            with self._books.store.transaction() as deeds:
                deeds.add_shoe(name, table=self._which, secret=secret.raw)
        except Refused:  # what was drawn ahead came to the disk just now
            return self._found(name) or secret
        return secret

    def _draw_ahead(self, shoe: str) -> None:
        """Draws the secret of the next shoe while this one is dealt."""
        name = self._name(shoe)
        busy = self._ahead is not None and not self._ahead.done()
        if shoe and name not in self._known and not busy and _runs():
            self._ahead = asyncio.get_running_loop().create_task(self._keep(name))

    async def _keep(self, name: str) -> None:
        secret = new_secret()

        def job(deeds: Transaction) -> None:
            deeds.add_shoe(name, table=self._which, secret=secret.raw)

        try:
            await self._books.write(job)
        except TapeteError:  # the table has closed, or has drawn it itself: then nobody needs this one
            return
        self._remember(name, secret)


def _runs() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _next(shoe: str) -> str:
    """The id of the shoe after this one: they are numbered behind the last hyphen."""
    head, _, number = shoe.rpartition("-")
    return f"{head}-{int(number) + 1}" if number.isdecimal() else ""
