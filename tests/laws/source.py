"""The project's own source as trees, for the laws that speak about code."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "tapete"
MODULES = sorted(SOURCE.rglob("*.py"))

NO_CODE = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}

Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"), str(path))


def functions(path: Path) -> list[Function]:
    return [node for node in ast.walk(tree(path)) if isinstance(node, Function)]


def _span(node: ast.stmt | ast.expr) -> set[int]:
    return set(range(node.lineno, (node.end_lineno or node.lineno) + 1))


@cache
def code_lines(path: Path) -> frozenset[int]:
    """The lines that hold code: no blank lines, no comments, no docstrings."""
    tokens = tokenize.generate_tokens(io.StringIO(path.read_text("utf-8")).readline)
    lines = {line for one in tokens if one.type not in NO_CODE for line in range(one.start[0], one.end[0] + 1)}
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            lines -= _span(node)
    return frozenset(lines)


def data_lines(path: Path) -> set[int]:
    """The lines of module-level tables: a display assigned to a name."""
    lines: set[int] = set()
    for node in tree(path).body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(
            node.value, ast.Dict | ast.List | ast.Tuple | ast.Set
        ):
            lines |= _span(node)
    return lines


def length(path: Path, function: Function) -> int:
    """The code lines of a function, its signature included, its decorators and docstring not."""
    return len(code_lines(path) & _span(function))


def strings(node: ast.AST) -> Iterator[str]:
    """Every string constant below a node."""
    for one in ast.walk(node):
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield one.value
