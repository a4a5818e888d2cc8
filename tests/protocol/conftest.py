"""One running server for the tests of a module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.protocol.house import House


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    running = House(tmp_path_factory.mktemp("house"))
    try:
        yield running
        running.check()
        running.stop()
        assert running.complaints == "", running.complaints
    finally:
        running.kill()
