"""``tapete edge``: what a table costs, in words and as JSON."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from tapete import lookup
from tapete.cli import main
from tapete.exact import given
from tapete.exact.analysis import analyse, price_of
from tapete.pricing import priced, removal
from tapete.rulefile import preset, resolve
from tapete.rules import digest
from tapete.words import LANGUAGES
from tests.pricing.saying import spoken, told

NUMBER = {"en": r"-?\d+\.\d{8} %", "es": r"-?\d+,\d{8} %"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_headline_is_the_edge_with_its_meaning(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = spoken(capsys, "edge", "casino", "--lang", language)
    edge = analyse(preset("casino").rules).house_edge
    shown = f"{100 * edge:.8f} %".replace(".", "," if language == "es" else ".")
    assert said.splitlines()[1].endswith(f": {shown}")
    assert digest(preset("casino").rules) in said
    assert len(re.findall(NUMBER[language], said)) >= 3, "the edge, that of the chart, and the difference"
    assert " cdz" in said
    assert " td " in said
    assert "312" in said


def test_both_languages_say_the_same_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    english, spanish = (
        re.findall(r"[+-]?\d+[.,]\d+", spoken(capsys, "edge", "casino", "--results", "--lang", language))
        for language in LANGUAGES
    )
    assert [one.replace(",", ".") for one in spanish] == english


def test_json_has_every_digit_and_the_documented_keys(capsys: pytest.CaptureFixture[str]) -> None:
    answer = told(capsys, "edge", "home")
    price = analyse(preset("home").rules)
    assert answer["ev"] == float(price.ev) == -answer["house_edge"]
    assert answer["rules"] == digest(preset("home").rules)
    assert (answer["table"], answer["strategy"], answer["fresh"]) == ("home", "cdz", True)
    assert answer["compared"]["strategy"] == "td"
    assert answer["compared"]["ev"] < answer["ev"]
    assert sum(answer["shoe"].values()) == 104
    assert answer["sd"] == pytest.approx(answer["variance"] ** 0.5)
    assert list(answer["by_upcard"]) == [kind.name for kind in lookup.dealer_kinds(preset("home").rules)]
    page = (Path(__file__).parents[2] / "docs" / "pricing.md").read_text("utf-8")
    assert [key for key in answer if f"`{key}`" not in page] == []


def test_the_cards_of_the_dealer_add_up_to_the_whole(capsys: pytest.CaptureFixture[str]) -> None:
    for table in ("home", "faceup"):
        answer = told(capsys, "edge", table, "--strategy", "cdz")
        cards = answer["by_upcard"].values()
        assert sum(one["chance"] for one in cards) == pytest.approx(1, abs=1e-14)
        assert sum(one["chance"] * one["ev"] for one in cards) == pytest.approx(answer["ev"], abs=1e-14)
        assert sum(net * chance for net, chance in answer["results"]) == pytest.approx(
            answer["ev"], abs=5 * answer["more_than_two_hands"] + 1e-9
        )


def test_only_a_blackjack_that_is_looked_for_is_taken_out(capsys: pytest.CaptureFixture[str]) -> None:
    looked_for = told(capsys, "edge", "home")["by_upcard"]["A"]
    assert looked_for["ev_without_blackjack"] > looked_for["ev"] + 0.1
    drawn = told(capsys, "edge", "casino")["by_upcard"]["A"]
    assert drawn["ev_without_blackjack"] == drawn["ev"]
    assert drawn["blackjack"] == pytest.approx(96 / 311)


def test_two_open_cards_are_told_by_what_they_make(capsys: pytest.CaptureFixture[str]) -> None:
    said = spoken(capsys, "edge", "faceup", "--lang", "en")
    shown = re.findall(r"^(hard \d+|soft \d+|a blackjack) +\d", said, re.MULTILINE)
    assert shown == [*(f"hard {n}" for n in range(4, 21)), *(f"soft {n}" for n in range(12, 21)), "a blackjack"]
    assert len(told(capsys, "edge", "faceup")["by_upcard"]) == 55


def test_each_level_of_attention_is_worth_as_much_as_the_one_before(capsys: pytest.CaptureFixture[str]) -> None:
    found = [told(capsys, "edge", "casino", "--strategy", level)["ev"] for level in ("mimic", "td", "two-card", "cdz")]
    assert found == sorted(found)
    assert len(set(found)) == 4
    assert told(capsys, "edge", "casino", "--level", "td")["ev"] == found[1]


def test_a_shoe_and_a_setting_are_heeded(capsys: pytest.CaptureFixture[str]) -> None:
    answer = told(capsys, "edge", "casino", "--shoe", "full-8,9", "--set", "dealer_soft17=hit")
    assert answer["fresh"] is False
    assert (answer["shoe"]["8"], answer["shoe"]["9"], answer["shoe"]["T"]) == (23, 23, 96)
    shoe = (24,) * 7 + (23, 23, 96)
    assert answer["ev"] == analyse(resolve("casino", ["dealer_soft17=hit"]).rules, shoe=shoe).ev
    assert "8: 23" in spoken(capsys, "edge", "casino", "--shoe", "full-8,9", "--lang", "en")


def test_json_goes_into_a_file_beside_the_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "edge.json"
    assert spoken(capsys, "edge", "casino", "--lang", "en", "--json", str(file)).startswith("The Casino Table")
    assert json.loads(file.read_text("utf-8")) == told(capsys, "edge", "casino")


# --- removal and insurance ------------------------------------------------------------------------------------------


def test_the_effects_of_removal_add_up_to_nothing() -> None:
    price = priced.price(preset("casino").rules, priced.table("casino").shoe, "cdz")
    found = removal.effects(price)
    assert sum(one.many * one.gain for one in found) == pytest.approx(0, abs=1e-13)
    assert min(found, key=lambda one: one.gain).kind in (0, 9)
    assert max(found, key=lambda one: one.gain).kind == 4


def test_the_effects_of_removal_are_those_of_the_same_chart_in_the_smaller_shoe() -> None:
    table = priced.table("casino")
    price = priced.price(table.rules, table.shoe, "td")
    chart = given.chart_of(price.round)
    for one in (removal.effects(price)[4], removal.effects(price)[9]):
        less = [many - (kind == one.kind) for kind, many in enumerate(table.shoe)]
        gain = price_of(table.rules, chart, shoe=less).ev - price_of(table.rules, chart).ev
        assert one.gain == pytest.approx(gain, abs=1e-13)


def test_removal_and_insurance_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    rich = "24,18,18,18,18,24,24,24,24,96"  # more than one ten in three, unless two of them are in the hand
    answer = told(capsys, "edge", "casino", "--shoe", rich, "--removal", "--insurance")
    assert list(answer["removal"]) == list(answer["shoe"])
    assert answer["insurance"]["T,T"] < 0 < answer["insurance"]["8,9"]
    said = spoken(capsys, "edge", "casino", "--shoe", rich, "--removal", "--insurance", "--lang", "en")
    assert re.search(r"buy it with \d+ hands", said)
    assert "never buy it" in spoken(capsys, "edge", "casino", "--insurance", "--lang", "en")
    assert "Nobody can insure" in spoken(capsys, "edge", "faceup", "--insurance", "--lang", "en")


def test_insurance_pays_exactly_when_the_unseen_tens_say_so() -> None:
    """Half a bet at 2 to 1 wins the bet with the chance of a ten behind the ace, and loses the half without it."""
    table = priced.table("casino")
    for one in removal.insurance(priced.price(table.rules, table.shoe, "cdz")):
        tens = 96 - sum(kind == 9 for kind in one.kinds)
        assert one.gain == pytest.approx(tens / 309 - (309 - tens) / 309 / 2, abs=1e-14)


# --- what does not go -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ["edge"],
        ["edge", "cassino"],
        ["edge", "missing.toml"],
        ["edge", "casino", "--set", "decks=0"],
        ["edge", "casino", "--strategy", "best"],
        ["edge", "casino", "--strategy", "missing.csv"],
        ["edge", "casino", "--shoe", "none"],
        ["edge", "casino", "--shoe", "0"],
        ["edge", "casino", "--shoe", "9"],
        ["edge", "casino", "--set", "decks=9"],
        ["edge", "casino", "--shoe", "-1,24,24,24,24,24,24,24,24,96"],
        ["edge", "casino", "--shoe", "0,0,0,0,0,0,0,1,1,1"],
        ["edge", "casino", "--shoe", "24,24,24"],
        ["edge", "casino", "--json", "no/such/folder/edge.json"],
        ["ev", "casino"],
        ["ev", "casino", "8,8"],
        ["ev", "casino", "8,8,8 v 10"],
        ["ev", "casino", "8,X v 10"],
        ["ev", "faceup", "8,8 v 10"],
        ["ev", "casino", "A,A,A,A,A v A", "--shoe", "4,4,4,4,4,4,4,4,4,16"],
        ["ev", "casino", "8,8 v 10", "--strategy", "best"],
        ["compare"],
        ["compare", "casino"],
        ["compare", "casino", "cassino"],
        ["cost"],
        ["cost", "casino", "--only", "dealer_soft18"],
        ["cost", "casino", "--only", "seats_max"],
        ["cost", "casino", "--only", "forced_play"],
        ["cost", "casino", "--strategy", "mimic"],
        ["cost", "casino", "--picture", "bars.docx"],
    ],
    ids=" ".join,
)
def test_bad_input_is_a_clear_sentence_in_the_readers_language(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    told_ = []
    for language in LANGUAGES:
        assert main([*arguments, "--lang", language]) == 2
        told_.append(capsys.readouterr().err)
        assert re.fullmatch(r"[^\n{}]{10,}\n", told_[-1])
    assert told_[0] != told_[1]


def test_without_the_packages_that_count_the_way_to_them_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    for command in (
        ["edge", "casino"],
        ["ev", "casino", "8,8 v 10"],
        ["compare", "casino", "home"],
        ["cost", "casino"],
    ):
        assert "pip install 'tapete[sim]'" in spoken(capsys, *command, code=2)
