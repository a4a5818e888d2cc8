"""The manual is complete: every switch, key, dependency and module is in it."""

from __future__ import annotations

import re
import tomllib
from itertools import pairwise

import pytest
from packaging.requirements import Requirement

from tapete.rules import KEYS
from tapete.terminal.full import reading
from tapete.terminal.keys import DIGITS, LETTERS, NO, word_of
from tapete.words import words
from tests.docs.pages import TWINS, rows, text_of
from tests.laws.source import ROOT, SOURCE

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


@pytest.mark.parametrize("key", KEYS)
def test_every_switch_is_in_the_manual(key: str) -> None:
    assert f"`{key}`" in text_of("docs/switches.md")


@pytest.mark.parametrize(
    ("page", "first", "second"), [("docs/playing.md", "en", "es"), ("docs/es/jugar.md", "es", "en")]
)
def test_the_answers_are_those_of_the_program(page: str, first: str, second: str) -> None:
    told = {row[0]: row[1:] for row in rows(text_of(page)) if re.fullmatch(r"`\d`", row[0])}
    due = {
        f"`{digit}`": [
            cell
            for language in (first, second)
            for cell in (word_of(action, words(language)), f"`{LETTERS[language].get(action, NO)}`")
        ]
        for action, digit in DIGITS.items()
    }
    assert told == due


@pytest.mark.parametrize("page", ["docs/playing.md", "docs/es/jugar.md"])
def test_every_key_of_the_full_screen_is_told(page: str) -> None:
    told = {key for row in rows(text_of(page)) for key in re.findall(r"`([^`]+)`", row[0])}
    used = {key for keys, _ in reading._HELP for key in ([keys] if keys in told else keys.split())}
    assert used - told == set()


def test_every_dependency_has_a_reason_and_none_is_told_that_is_gone() -> None:
    project = PROJECT["project"]
    needed = [*project["dependencies"], *PROJECT["build-system"]["requires"]]
    needed += [one for extra in project.get("optional-dependencies", {}).values() for one in extra]
    names = {Requirement(one).name.lower() for one in needed} - {"tapete"}
    told = {row[0] for row in rows(text_of("docs/dependencies.md")) if len(row) == 3 and row[0] != "Package"}
    assert told == names


def rings() -> list[list[str]]:
    """The modules of each ring that the architecture describes."""
    told = [row for row in rows(text_of("docs/architecture.md")) if len(row) == 3 and row[0] != "Ring"]
    return [re.findall(r"`(\w+)`", row[1]) for row in told]


def test_every_module_has_its_place_in_the_architecture() -> None:
    modules = {path.stem for path in SOURCE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert modules - {"__init__", "__main__"} - {name for ring in rings() for name in ring} == set()


def test_the_rings_come_in_the_order_of_the_contract() -> None:
    layers = next(one for one in PROJECT["tool"]["importlinter"]["contracts"] if one["id"] == "rings")["layers"]
    order = [layer.strip("()") for layer in layers]
    places = [[order.index(name) for name in ring] for ring in rings()]
    assert all(max(outer) < min(inner) for outer, inner in pairwise(places))


def test_every_test_folder_that_the_architecture_names_exists() -> None:
    named = re.findall(r"`(tests/[\w/.]+)`", text_of("docs/architecture.md"))
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_the_project_shows_its_readme() -> None:
    assert PROJECT["project"]["readme"] == "README.md"
    assert all((ROOT / page).exists() for pair in TWINS.items() for page in pair)
