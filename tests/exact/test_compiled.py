"""Compiled kernels that are kept on disk: they serve until what they were compiled from is another."""

from __future__ import annotations

import ast
import importlib.util
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import tapete
from tapete.exact import compiled

HOME = Path(tapete.__file__).parent
MARKS = ("kernel", "adder", "part")
KERNEL = """
from tapete.exact.compiled import kernel
from paying_for_a_test import paid

@kernel
def won(bet):
    return paid(bet)
"""
PART = """
from tapete.exact.compiled import part

@part
def paid(bet):
    return {} * bet
"""


def test_a_kept_kernel_is_compiled_anew_when_a_file_of_its_parts_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else who has a new Tapete would be paid as the old one did."""
    monkeypatch.syspath_prepend(tmp_path)
    file = tmp_path / "paying_for_a_test.py"
    (tmp_path / "kernel_for_a_test.py").write_text(KERNEL, "utf-8")
    monkeypatch.setattr(compiled, "_WRITTEN_IN", (file,))

    def won(second: int) -> tuple[int, bool]:
        """What a bet of 10 wins, and whether that was known from disk, for a file written in that second."""
        os.utime(file, (second, second))
        for name in ("paying_for_a_test", "kernel_for_a_test"):
            sys.modules.pop(name, None)
            importlib.invalidate_caches()
        found = importlib.import_module("kernel_for_a_test").won
        return found(10), bool(found.stats.cache_hits)

    file.write_text(PART.format(2), "utf-8")
    assert [won(1000), won(1000)] == [(20, False), (20, True)]
    file.write_text(PART.format(3), "utf-8")
    assert [won(2000), won(2000)] == [(30, False), (30, True)]
    file.write_text(PART.format(40), "utf-8")
    assert won(2000) == (400, False)  # within the same tick of a clock, but longer


def test_all_that_kernels_are_written_in_is_looked_at() -> None:
    """Names that kernels and their parts take from other files of Tapete come from files that are looked at."""
    written = {file.resolve() for file in compiled._WRITTEN_IN}
    found = {(file, of) for file in HOME.rglob("*.py") for of in _sources(file)}
    assert {file.stem for file, _ in found} >= {"kernel", "counter", "variate", "paying", "cards", "world"}
    assert sorted(str(one) for pair in found for one in pair if one.resolve() not in written) == []


def _sources(file: Path) -> Iterator[Path]:
    """The files of Tapete from which the kernels and parts of a file have names, and the file itself if it has any."""
    tree = ast.parse(file.read_text("utf-8"))
    marked = [one for one in tree.body if isinstance(one, ast.FunctionDef)
              and any(isinstance(mark, ast.Name) and mark.id in MARKS for mark in one.decorator_list)]  # fmt: skip
    names = {at.id for one in marked for line in one.body for at in ast.walk(line) if isinstance(at, ast.Name)}
    if not marked:
        return
    yield file
    for one in tree.body:
        if isinstance(one, ast.ImportFrom) and one.module and one.module.startswith("tapete"):
            folder = HOME.parent.joinpath(*one.module.split("."))
            for name in (alias.asname or alias.name for alias in one.names):
                inner = folder / f"{name}.py"
                if name in names:
                    yield inner if inner.exists() else folder.with_suffix(".py")
