"""The house style, where a machine can measure it."""

from __future__ import annotations

import ast
from pathlib import Path
from statistics import median

import pytest

from tests.laws.source import MODULES, SOURCE, code_lines, data_lines, functions, length, tree

RULEBOOK = SOURCE / "rulebook.py"
HARMLESS_CALLS = {"abs", "bool", "int", "len", "max", "min"}
"""Builtins that give a scalar."""

CONTAINERS = (
    ast.Dict, ast.DictComp, ast.GeneratorExp, ast.JoinedStr, ast.Lambda, ast.List, ast.ListComp, ast.Set, ast.SetComp,
    ast.Tuple,
)  # fmt: skip
EXCEPTIONS = (ast.Assert, ast.Raise, ast.Try, ast.TryStar, ast.With)


def name_of(path: Path) -> str:
    return str(path.relative_to(SOURCE))


def test_functions_stay_small() -> None:
    lengths = {f"{name_of(path)}:{one.name}": length(path, one) for path in MODULES for one in functions(path)}
    assert {name: lines for name, lines in lengths.items() if lines > 60} == {}
    assert median(lengths.values()) <= 6


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_no_module_outgrows_one_concern(path: Path) -> None:
    assert len(code_lines(path) - data_lines(path)) <= 400


def rulebook_body(function: ast.AST) -> list[ast.AST]:
    """What a function does, without what it says about types."""
    assert isinstance(function, ast.FunctionDef)
    return [node for statement in function.body for node in ast.walk(statement)]


@pytest.mark.parametrize("function", functions(RULEBOOK), ids=lambda one: one.name)
class TestRulebook:
    """The compiled engines fill their tables by calling the rulebook; it has to stay this plain for them."""

    def test_function_is_short(self, function: ast.FunctionDef) -> None:
        assert length(RULEBOOK, function) <= 20

    def test_function_never_raises(self, function: ast.FunctionDef) -> None:
        assert [ast.unparse(node) for node in rulebook_body(function) if isinstance(node, EXCEPTIONS)] == []

    def test_function_builds_no_container(self, function: ast.FunctionDef) -> None:
        assert [ast.unparse(node) for node in rulebook_body(function) if isinstance(node, CONTAINERS)] == []

    def test_function_calls_only_other_rules_and_scalar_builtins(self, function: ast.FunctionDef) -> None:
        rules = {one.name for one in functions(RULEBOOK)}
        called = {ast.unparse(node.func) for node in rulebook_body(function) if isinstance(node, ast.Call)}
        assert called <= rules | HARMLESS_CALLS

    def test_function_is_pure(self, function: ast.FunctionDef) -> None:
        """No generator, no outer variable changed, no attribute or item set."""
        changed = [
            node
            for node in rulebook_body(function)
            if isinstance(node, ast.Global | ast.Nonlocal | ast.Yield | ast.YieldFrom | ast.Await)
            or (isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load))
        ]
        assert [ast.unparse(node) for node in changed] == []


def test_the_rulebook_stands_on_cards_and_rules_alone() -> None:
    nodes = list(ast.walk(tree(RULEBOOK)))
    imported = {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    imported |= {one.name for node in nodes if isinstance(node, ast.Import) for one in node.names}
    assert imported <= {"__future__", "typing", "tapete.cards", "tapete.rules"}
