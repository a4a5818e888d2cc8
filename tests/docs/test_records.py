"""The records of long runs: complete, the same in both languages, and nothing in them is far off."""

from __future__ import annotations

import re

import pytest

from scripts import records
from scripts.longrun import ERROR, FAR, SEVERAL, TABLES
from tests.docs.pages import headings, rows, text_of
from tests.sim import published

ENGLISH, SPANISH = "docs/records.md", "docs/es/registros.md"
NAMES = ("means", "plain", "rates", *(name.replace(" ", "-") for name in published.ALL))


def table(page: str, name: str) -> list[list[str]]:
    """The rows of a table, without its head."""
    found = re.search(rf"<!-- {name} -->\n(.*?)<!-- /{name} -->", text_of(page), re.DOTALL)
    assert found, name
    return rows(found[1])[1:]


def number(cell: str) -> float:
    return float(cell.replace("−", "-").replace(",", ""))


@pytest.mark.parametrize("name", NAMES)
def test_both_languages_have_the_same_figures(name: str) -> None:
    english, spanish = table(ENGLISH, name), table(SPANISH, name)
    assert english
    swapped = str.maketrans(",.", ".,")
    for one, other in zip(english, spanish, strict=True):
        figures = [cell for cell in one if re.fullmatch(r"[−\d.,]+", cell)]
        assert figures
        assert [cell.translate(swapped) for cell in figures] == [
            cell for cell in other if re.fullmatch(r"[−\d.,]+", cell)
        ]


def test_pages_have_the_same_sections() -> None:
    assert [level for level, _ in headings(text_of(ENGLISH))] == [level for level, _ in headings(text_of(SPANISH))]


def test_every_table_was_played_long_enough_and_is_near_what_is_counted() -> None:
    means = table(ENGLISH, "means")
    wanted = {(f"`{name}`", boxes) for name in TABLES for boxes in (1, SEVERAL[name])}
    assert {(row[0], int(row[1])) for row in means} == wanted
    assert max(number(row[5]) for row in means) <= ERROR
    plain = table(ENGLISH, "plain")
    assert {(row[0], int(row[1]), row[3]) for row in plain} == {(*one, what) for one in wanted
                                                                for what in ("mean", "variance")}  # fmt: skip
    assert min(number(row[2]) for row in plain if row[1] == "1") >= 1e9
    assert {row[0] for row in table(ENGLISH, "rates")} == {f"`{name}`" for name in TABLES}
    assert all(abs(number(row[-1])) < FAR for name in ("means", "plain", "rates") for row in table(ENGLISH, name))


@pytest.mark.parametrize("name", ["variances", "effects", "edges", "off-the-top", "cut-card", "outcomes", "counters"])
def test_what_disagrees_with_what_is_published_is_marked_and_known(name: str) -> None:
    marked = {row[0].removesuffix(" *") for row in table(ENGLISH, name) if row[0].endswith(" *")}
    assert marked <= set(published.DISAGREE)


def test_a_page_without_a_place_for_a_table_is_told() -> None:
    shown = (("Table", "z"), [("`casino`", -1.5)])
    text = records.put("a\n<!-- means -->\nold\n<!-- /means -->\nb", "means", records.markdown(shown, "es"))
    assert text == "a\n<!-- means -->\n\n| Mesa | z |\n| --- | ---: |\n| `casino` | −1,50 |\n\n<!-- /means -->\nb"
    with pytest.raises(ValueError, match="plain"):
        records.put(text, "plain", "")
