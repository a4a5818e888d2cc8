"""Links lead somewhere, and every page can be reached."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

import pytest

from scripts.manual import ROOT
from tests.docs.pages import PAGES, anchors, links, name_of, text_of

OUTSIDE = re.compile(r"[a-z]+:")
ABSOLUTE = re.compile(r"(?<![\w.:/~`\-])/(?:home|root|work|tmp|usr|opt|etc|var|mnt|srv|Users)\b|\b[A-Z]:\\|file://")


def leads_somewhere(page: Path, link: str) -> bool:
    target, _, anchor = unquote(link).partition("#")
    path = (page.parent / target).resolve() if target else page
    if OUTSIDE.match(link):
        return True
    if not path.exists() or not path.is_relative_to(ROOT):
        return False
    return not anchor or anchor in anchors(path.read_text("utf-8"))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_no_link_leads_nowhere(page: Path) -> None:
    assert [link for link in links(page.read_text("utf-8")) if not leads_somewhere(page, link)] == []


@pytest.mark.parametrize(
    ("link", "leads"),
    [
        ("missing.md", False), ("glossary.md#no-such-heading", False), ("#no-such-heading", False),
        ("../../elsewhere.md", False), ("glossary.md", True), ("#the-laws", True), ("es/jugar.md#fichas", True),
    ],
)  # fmt: skip
def test_a_link_that_leads_nowhere_is_found(link: str, leads: bool) -> None:
    assert leads_somewhere(ROOT / "docs" / "architecture.md", link) is leads


def test_links_are_looked_for_in_the_text_alone() -> None:
    assert links("see [this](missing.md) and\n```\n[not](this.md)\n```\n") == ["missing.md"]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_no_page_names_a_place_on_somebodys_machine(page: Path) -> None:
    assert ABSOLUTE.findall(page.read_text("utf-8")) == []


@pytest.mark.parametrize("start", ["README.md", "README.es.md"])
def test_every_page_can_be_reached_from_the_readme(start: str) -> None:
    reached, waiting = set(), [ROOT / start]
    while waiting:
        page = waiting.pop()
        if page in reached or page.suffix != ".md":
            continue
        reached.add(page)
        inside = (link.partition("#")[0] for link in links(page.read_text("utf-8")) if not OUTSIDE.match(link))
        waiting += [(page.parent / link).resolve() for link in inside if link]
    assert set(PAGES) <= reached


def test_the_index_lists_every_page_of_the_manual() -> None:
    listed = {(ROOT / "docs" / link).resolve() for link in links(text_of("docs/README.md"))}
    assert {page for page in (ROOT / "docs").rglob("*.md") if page.name != "README.md"} == listed
