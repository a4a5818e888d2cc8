"""What every test stands on: compiled catalogues, a data folder of its own, and no language taken from the machine."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from hatch_build import compile_catalogues

# How fast a machine is decides nothing here: speed lives in bench/.
settings.register_profile("tapete", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.load_profile("tapete")


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # once, before pytest-xdist's workers start
        compile_catalogues(Path(__file__).parent.parent)


@pytest.fixture(autouse=True)
def own_surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads the tester's language or touches the tester's chips."""
    monkeypatch.setenv("TAPETE_DATA", str(tmp_path / "tapete-data"))
    for name in ("TAPETE_LANG", "LC_ALL", "LC_MESSAGES", "LANGUAGE", "LANG"):
        monkeypatch.delenv(name, raising=False)
