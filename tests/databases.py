"""Where a test's store lies: a SQLite file of its own, or a database of its own on the tests' PostgreSQL server.

A folder whose tests need it has ``from tests.databases import place, postgres`` in its ``conftest.py``.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from tapete.store import Store
from tapete.store.sqlite import FILE
from tests.postgres import Server, server_or_reason

KINDS = ("sqlite", "postgresql")


class Place:
    """One database. ``name`` is empty with SQLite."""

    def __init__(self, folder: Path, server: Server | None) -> None:
        self.folder = folder
        self.server = server
        self.name = "" if server is None else server.new()

    @property
    def url(self) -> str | None:
        """Its address; None for the file in the folder."""
        return None if self.server is None else self.server.url(self.name)

    def store(self, *, patience: float = 10.0) -> Store:
        """The store that lies there."""
        return Store(self.folder, url=self.url, patience=patience)

    def by_hand(self, statement: str) -> list[tuple[object, ...]]:
        """What somebody does to the database behind the store's back, and what that finds."""
        if self.server is None:
            return _by_hand(self.folder / FILE, statement)
        with self.server.connect(self.name) as connection:
            done = connection.execute(statement.encode())
            return done.fetchall() if done.description else []


def _by_hand(path: Path, statement: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(path)
    try:
        connection.execute("PRAGMA ignore_check_constraints=ON")
        found = connection.execute(statement).fetchall()
        connection.commit()
        return found
    finally:
        connection.close()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """The tests' PostgreSQL server."""
    with server_or_reason() as server:
        yield server


@pytest.fixture(params=KINDS)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """A new database of each kind."""
    server = request.getfixturevalue("postgres") if request.param == "postgresql" else None
    return Place(tmp_path / "data", server)
