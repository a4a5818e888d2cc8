"""The manual of the switches is complete and never out of date, and its examples work."""

from __future__ import annotations

import re

import pytest

from scripts.switches import PAGE, page
from tapete.rulefile import FOUNDING, presets, read, resolve
from tapete.rules import GROUPS, KEYS, docs
from tapete.rulevalues import KINDS


def sections() -> dict[str, str]:
    """The text below each switch's heading."""
    parts = re.split(r"^#### `(.+)`$", PAGE.read_text("utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_the_manual_is_up_to_date() -> None:
    assert PAGE.read_text("utf-8") == page(), "run `python scripts/switches.py`"


def test_every_switch_has_its_entry() -> None:
    assert sorted(sections()) == sorted(KEYS)


@pytest.mark.parametrize("key", KEYS)
def test_an_entry_tells_each_value_and_where_each_page_stands(key: str) -> None:
    told = sections()[key]
    for word in KINDS[key].words:
        assert f"`{word}`" in told or "any" in told
    row = [line for line in told.splitlines() if line.startswith("| `")]
    assert len(row) == 1
    assert len(re.findall(r"\([DQ][0-4]-S?\d*.*?\)", row[0])) == len(FOUNDING)


@pytest.mark.parametrize("key", KEYS)
def test_a_field_says_what_it_is_and_whom_it_favours(key: str) -> None:
    assert re.search(r"favour|No edge", docs()[key]), docs()[key]


@pytest.mark.parametrize("group", GROUPS)
def test_a_group_says_what_it_is(group: str) -> None:
    assert docs()[group].endswith(".")


def test_every_shipped_table_is_listed() -> None:
    assert re.findall(r"^- `([a-z0-9-]+)`(?: \(from .+?\))?: ", PAGE.read_text("utf-8"), re.MULTILINE)[
        : len(presets())
    ] == [*presets()]


def test_the_example_of_a_rule_file_loads() -> None:
    (example,) = re.findall(r"^```toml\n(.+?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    table = read(example, source="friday.toml")
    assert (table.id, table.rules.decks, table.rules.split.max_hands) == ("friday", 4, 4)


def test_the_example_of_a_command_line_works() -> None:
    (command,) = re.findall(r"`tapete play casino (--set .+?)`", PAGE.read_text("utf-8"))
    settings = re.findall(r"--set (\S+)", command)
    assert resolve("casino", settings).rules.split.max_hands == 4
