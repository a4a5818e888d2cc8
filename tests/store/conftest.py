"""A store of its own for each test, on each kind of database."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tapete.store import Store
from tests.databases import Place, place, postgres
from tests.disks import small_disk

__all__ = ["place", "postgres", "small_disk", "store", "table"]


@pytest.fixture
def store(place: Place) -> Iterator[Store]:
    with place.store() as opened:
        yield opened


@pytest.fixture
def table(store: Store) -> int:
    return store.open_table(kind="casino", name="Mesa", config=b"{}")
