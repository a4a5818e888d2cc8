"""Imports point inward, and a bare ``import tapete`` costs nothing."""

from __future__ import annotations

import logging
import subprocess
import sys

import pytest
from importlinter.cli import lint_imports

from tests.laws.source import MODULES, ROOT, SOURCE

HEAVY = {
    "jinja2",
    "matplotlib",
    "numba",
    "numpy",
    "rich",
    "sqlalchemy",
    "starlette",
    "textual",
    "typer",
    "uvicorn",
    "websockets",
}
DOORS = {"__main__", "cli", "cluster", "exact", "keeping", "pricing", "server", "sim", "store", "terminal"}
"""The modules that may import something heavy."""

MODULE_NAMES = sorted({".".join(path.relative_to(SOURCE.parent).with_suffix("").parts) for path in MODULES})
LIGHT = [name.removesuffix(".__init__") for name in MODULE_NAMES if DOORS.isdisjoint(name.split("."))]


def test_imports_point_inward(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    broken = lint_imports(no_cache=True)
    for logger in logging.Logger.manager.loggerDict.values():
        if isinstance(logger, logging.Logger):
            logger.disabled = False  # the linter silences every logger but its own, and other tests listen
    assert not broken, capsys.readouterr().out


def loaded_by(*modules: str) -> set[str]:
    """The top-level packages in memory after importing these modules in a fresh interpreter."""
    code = f"import sys\nfor name in {modules!r}: __import__(name)\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {name.split(".")[0] for name in done.stdout.split()}


def test_importing_tapete_stays_light() -> None:
    assert "tapete" in loaded_by("tapete")
    assert loaded_by("tapete") & HEAVY == set()


def test_the_core_is_played_without_a_screen_or_a_database() -> None:
    assert "tapete.rules" in LIGHT
    assert loaded_by(*LIGHT) & HEAVY == set()
