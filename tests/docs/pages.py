"""The Markdown pages of the repository, and what can be found in them."""

from __future__ import annotations

import re
from pathlib import Path

from scripts.manual import ROOT

PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
TWINS = {
    "README.md": "README.es.md",
    "docs/web.md": "docs/es/web.md",
    "docs/playing.md": "docs/es/jugar.md",
    "docs/rules.md": "docs/es/reglas.md",
    "docs/charts.md": "docs/es/estrategia.md",
    "docs/pricing.md": "docs/es/precios.md",
}  # fmt: skip
"""Pages that exist in both languages."""

_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def text_of(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def prose(text: str) -> str:
    """A page without its fenced blocks."""
    return _FENCED.sub("", text)


def links(text: str) -> list[str]:
    return _LINK.findall(prose(text))


def headings(text: str) -> list[tuple[int, str]]:
    """The headings with their levels."""
    return [(len(one[1]), one[2]) for one in re.finditer(r"^(#+) (.+)$", prose(text), re.MULTILINE)]


def anchors(text: str) -> set[str]:
    """What a link into the page may name, as GitHub makes it of the headings."""
    tidy = (re.sub(r"[^\w\- ]", "", title.lower()) for _, title in headings(text))
    return {title.replace(" ", "-") for title in tidy}


def rows(text: str) -> list[list[str]]:
    """The cells of all table rows, without the lines below headers."""
    lines = (line.strip() for line in prose(text).splitlines() if line.startswith("|"))
    cells = ([cell.strip() for cell in line.strip("|").split("|")] for line in lines)
    return [row for row in cells if not all(re.fullmatch(r":?-+:?", cell) for cell in row)]
