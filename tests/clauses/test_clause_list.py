"""Every clause of the reading is proven by a test that bears its id, or listed with the reason why none can be."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections import Counter
from pathlib import Path

HERE = Path(__file__).parent
IDS = json.loads((HERE.parent / "data" / "clause_ids.json").read_text(encoding="utf-8"))
LISTED = tomllib.loads((HERE / "clauses.toml").read_text(encoding="utf-8"))
UNPLAYED: dict[str, str] = LISTED["unplayed"]
ALSO_SEEN: dict[str, str] = LISTED["also_seen"]
GROUPS = ("clauses", "supplied", "contested", "meetings", "invariants")
_NAMED = re.compile(r"test_((?:D\d|Q\d|8b|inv)_S?\d*)_[a-z0-9]")


def _tested() -> Counter[str]:
    """How many tests bear each id: ``test_D1_14_...`` is one for D1-14."""
    found: Counter[str] = Counter()
    for path in HERE.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match = _NAMED.match(node.name) if isinstance(node, ast.FunctionDef) else None
            if match:
                found[match[1].replace("_", "-")] += 1
    return found


def _all() -> list[str]:
    return [one for group in GROUPS for one in IDS[group]]


def test_every_clause_has_a_test_of_its_name_or_a_reason() -> None:
    tested = _tested()
    assert [one for one in _all() if one not in tested and one not in UNPLAYED] == []


def test_no_test_bears_the_name_of_a_clause_that_there_is_not() -> None:
    assert sorted(set(_tested()) - set(_all())) == []


def test_no_listed_clause_is_unknown_or_has_a_test_after_all() -> None:
    assert sorted((set(UNPLAYED) | set(ALSO_SEEN)) - set(_all())) == []
    assert sorted(set(UNPLAYED) & set(_tested())) == []
    assert all(len(reason) > 20 for reason in (*UNPLAYED.values(), *ALSO_SEEN.values()))


def test_the_list_of_clauses_has_no_gap() -> None:
    assert len(_all()) == len(set(_all()))
    for page, many in {"D0": 26, "D1": 46, "D2": 40, "D3": 38, "D4": 31}.items():
        assert [f"{page}-{number:02d}" for number in range(1, many + 1)] == [
            one for one in IDS["clauses"] if one.startswith(page)
        ]
