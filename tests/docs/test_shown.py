"""What the README and the manual show is what a reader gets."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from scripts import manual
from tapete.rulefile import RuleFileError, read
from tapete.sim import systems
from tests.docs.pages import PAGES, TWINS, headings, name_of, text_of

REFUSED = {
    "tapete check wrong.toml",
    "tapete rules casino --set unit=0.01",
    "tapete rules casino --set split.max_hand=4",
    "tapete rules casino --set surrender.loss=1:4",
    "tapete rules cassino",
    'tapete ev casino "8,X v 10"',
}
"""The commands that are shown because something is wrong with them."""


@pytest.mark.parametrize("page", manual.PAGES)
def test_every_command_says_what_the_page_shows(page: str, tmp_path: Path) -> None:
    runs = list(manual.run(page, tmp_path))
    assert runs
    for one in runs:
        assert one.code == (2 if one.command.line in REFUSED else 0), one.command.line
        assert manual.agrees(one.command.shown, one.said), "\n".join((f"$ {one.command.line}", *one.said))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_rule_file_and_counting_system_that_is_shown_can_be_used(page: Path) -> None:
    for block in manual.blocks(page.read_text("utf-8")):
        if block.kind == "toml" and block.faulty:
            with pytest.raises(RuleFileError):
                read(block.text, source="shown")
        elif block.kind == "toml" and "[tags]" in block.text:
            systems.read(block.text, "shown", "shown")
        elif block.kind == "toml" and "tapete-history" not in block.text and "[[" not in block.text:
            read(block.text, source="shown")


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_python_line_that_is_shown_gives_what_is_shown(page: Path) -> None:
    shown = doctest.DocTestParser().get_doctest(page.read_text("utf-8"), {}, name_of(page), str(page), 0)
    said: list[str] = []
    failed = doctest.DocTestRunner(verbose=False).run(shown, out=said.append)
    assert failed.failed == 0, "".join(said)


def test_some_python_is_shown() -> None:
    assert ">>> " in text_of("docs/architecture.md")


# --- twins ----------------------------------------------------------------------------------------------------------


def typed(page: str) -> list[tuple[str, str]]:
    """Every command of a page with what is typed into it."""
    shown = (block.commands for block in manual.blocks(text_of(page)) if block.kind == "console")
    return [(command.line, command.typed) for commands in shown for command in commands]


@pytest.mark.parametrize(("english", "spanish"), TWINS.items())
def test_twins_show_the_same_commands(english: str, spanish: str) -> None:
    assert typed(english) == typed(spanish)


@pytest.mark.parametrize(("english", "spanish"), TWINS.items())
def test_twins_have_the_same_sections(english: str, spanish: str) -> None:
    assert [level for level, _ in headings(text_of(english))] == [level for level, _ in headings(text_of(spanish))]


@pytest.mark.parametrize(("english", "spanish"), TWINS.items())
def test_twins_show_the_same_rules(english: str, spanish: str) -> None:
    def rules(page: str) -> list[object]:
        blocks = [block for block in manual.blocks(text_of(page)) if block.kind == "toml" and not block.faulty]
        return [read(block.text, source="shown").rules for block in blocks]

    assert rules(english) == rules(spanish)


def test_the_readme_names_both_commands() -> None:
    lines = [line for line, _ in typed("README.md")]
    assert lines[:2] == ["make play", "make test"]
    assert any(line.startswith("tapete play ") and " --seed " in line for line in lines)


def test_the_test_command_of_the_readme_is_what_a_machine_runs() -> None:
    assert "make --no-print-directory test" in (manual.ROOT / ".ci" / "run").read_text("utf-8")


# --- the comparison itself ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shown", "said", "same"),
    [
        ("a b", "a b", True),
        ("a b", "a b c", False),
        ("a b c", "a b", False),
        ("a x", "a b", False),
        ("a ... d", "a b c d", True),
        ("a ...", "a b c d", True),
        ("... d", "a b c d", True),
        ("a ... d", "a b c", False),
        ("a ... d", "x b c d", False),
        ("", "a", False),
    ],
)
def test_a_page_that_shows_something_else_is_found(shown: str, said: str, same: bool) -> None:
    assert manual.agrees(tuple(shown.split()), tuple(said.split())) is same


def test_a_page_written_anew_leaves_out_as_much_as_before() -> None:
    assert manual.updated(("a", "...", "z"), ("b", "c", "d", "y")) == ("b", "...", "y")
    assert manual.updated(("a", "b"), ("c",)) == ("c",)
    assert manual.updated(("a", "..."), ("a", "b")) == ("a", "...")
