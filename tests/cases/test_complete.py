"""No reported fault and no worked round is without a test."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests.cases.book import CASES
from tests.clauses.test_examples import EXAMPLES, OTHERS

TESTS = Path(__file__).parent.parent


def test_every_case_has_a_test_that_is_named_after_it() -> None:
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in TESTS.rglob("test_*.py")]
    names = [node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    missing = [
        case for case in CASES if not any(name.startswith(f"test_{re.sub('[-+]', '_', case)}_") for name in names)
    ]
    assert missing == []


def test_no_case_and_no_worked_round_has_got_lost() -> None:
    assert (len(CASES), len(EXAMPLES), len(OTHERS)) == (88, 37, 33)
    assert len({one["id"] for one in EXAMPLES}) == 37
