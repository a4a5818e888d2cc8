"""No reported fault and no worked round is without a test."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests.cases.book import CASES
from tests.clauses.test_examples import EXAMPLES, OTHERS

TESTS = Path(__file__).parent.parent


def without_a_test(cases: list[str], folder: Path) -> list[str]:
    """The cases after which no test of that folder is named."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in folder.rglob("test_*.py")]
    names = [node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return [case for case in cases if not any(name.startswith(f"test_{re.sub('[-+]', '_', case)}_") for name in names)]


def test_every_case_has_a_test_that_is_named_after_it() -> None:
    assert without_a_test(list(CASES), TESTS) == []


def test_every_fault_of_screens_is_looked_for_in_the_terminal_and_in_the_browser() -> None:
    screens = [case for case, one in CASES.items() if one["kind"] == "UI"]
    assert without_a_test(screens, TESTS / "cases") == []
    # A terminal's encoding is nothing that a page could have.
    assert without_a_test(screens, TESTS / "browser") == ["UI-06"]


def test_every_fault_of_what_lasts_is_looked_for_at_the_server() -> None:
    lasting = {case for case, one in CASES.items() if one["kind"] == "persistence"}
    assert len(lasting) == 16
    missing = [set(without_a_test(sorted(lasting), TESTS / folder)) for folder in ("server", "protocol")]
    assert set.intersection(*missing) == set()


def test_no_case_and_no_worked_round_has_got_lost() -> None:
    assert (len(CASES), len(EXAMPLES), len(OTHERS)) == (110, 37, 33)
    assert len({one["id"] for one in EXAMPLES}) == 37
