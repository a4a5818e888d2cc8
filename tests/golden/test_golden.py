"""The golden playthroughs: one for each of the five tables, as it plays today, with the table's own clauses."""

from __future__ import annotations

import re

import pytest

from scripts import golden

SHOWN = {
    "casino": (
        "insurance won",
        "insurance lost",
        "blackjack push",
        r": split",
        r": double",
        "not split: The box has as many hands",
        "refused: .*Nobody may bet on another's box",
        "dealer blackjack",
        "dealer bust",
    ),
    "british": (
        r"insure (?:5|7\.5)",
        "not split: This pair",
        "Eva: match",
        "soft 12.*split",
        r"  dealt: .*\n(?:  settled: .*blackjack\n)+  \w+, box .*(?:hit|stand)",
        "dealer bust",
    ),
    "leaflet": (
        "refused: .*holder of the box does not agree",
        "refused: .*pass the table's maximum",
        "insurance won",
        "Eva: stay",
        "Leo: match",
        "soft 12.*split",
        "[♠♥♦♣]'",
    ),
    "faceup": ("it has to go on", "not stand: ", "tie lost", "hand 3", "the round is void", "blackjack"),
    "home": (
        ": retire",
        "hole card: blackjack",
        "hole card: no blackjack",
        "hand 3",
        ", 21, against",
        "soft 12.*split",
        r": \+1\.5, blackjack",
    ),
}


@pytest.mark.parametrize("name", golden.SCENES)
def test_golden_playthrough_is_what_the_table_plays_today(name: str) -> None:
    assert golden.path(name).read_text(encoding="utf-8") == golden.text(name), "run: python scripts/golden.py"


@pytest.mark.parametrize("name", golden.SCENES)
def test_golden_playthrough_shows_the_tables_own_clauses(name: str) -> None:
    kept = golden.path(name).read_text(encoding="utf-8")
    assert [one for one in SHOWN[name] if not re.search(one, kept)] == []


def test_no_table_of_the_five_is_without_its_playthrough() -> None:
    assert set(golden.SCENES) == set(SHOWN) == {"casino", "british", "leaflet", "faceup", "home"}
    assert {one.stem for one in golden.FOLDER.glob("*.txt")} == set(golden.SCENES)
