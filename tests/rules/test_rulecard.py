"""The rule card says what the switches say: all of it, nothing else, in both languages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tapete.rulecard import SECTIONS, card, compare, felt_line, sentence
from tapete.rulecheck import faults, idle
from tapete.rulefile import FOUNDING, Preset, preset, presets, resolve
from tapete.rules import KEYS, RuleSet, get, with_
from tapete.words import LANGUAGES, PLACEHOLDER, words
from tests.rules.values import some_values

SILENT = {
    "casino": {
        "bet_behind.cap",
        "bet_behind.follow",
        "bet_behind.insure",
        "peek",
        "surrender.window",
        "surrender.loss",
        "split.aces_resplit",
        "forced_play",
    },
    "british": {
        "cut_card_left",
        "peek",
        "surrender.window",
        "surrender.loss",
        "split.match",
        "split.aces_resplit",
        "forced_play",
    },
    "leaflet": {"peek", "surrender.window", "surrender.loss", "split.aces_resplit", "forced_play"},
    "faceup": {
        "cut_card_left",
        "min_players",
        "boxes_per_player",
        "bet_behind.cap",
        "bet_behind.follow",
        "bet_behind.insure",
        "peek",
        "no_hole_bj_takes",
        "insurance.amount",
        "insurance.pays",
        "surrender.window",
        "surrender.loss",
        "settle_order",
    },
    "home": {
        "bet_behind.cap",
        "bet_behind.follow",
        "bet_behind.insure",
        "no_hole_bj_takes",
        "double.soft_as_low",
        "forced_play",
    },
}
"""The switches that have nothing to say at each table, because another one leaves them nothing to do."""


def told(table: Preset, language: str) -> dict[str, str]:
    return {line.key: line.text for section in card(table, words(language)).sections for line in section.lines}


def flips(rules: RuleSet) -> Iterator[tuple[str, RuleSet]]:
    """Every sound table that differs in one switch."""
    for key in KEYS:
        for value in some_values(key):
            flipped = with_(rules, {key: value})
            if flipped != rules and not faults(flipped):
                yield key, flipped


def test_every_switch_has_one_place_on_the_card() -> None:
    placed = [key for _, keys in SECTIONS for key in keys]
    assert sorted(placed) == sorted(KEYS)


@pytest.mark.parametrize("name", FOUNDING)
def test_a_card_is_silent_only_where_a_switch_has_nothing_to_do(name: str) -> None:
    assert set(KEYS) - set(told(preset(name), "en")) == SILENT[name] == set(idle(preset(name).rules))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", presets())
def test_a_changed_switch_changes_the_card(name: str, language: str) -> None:
    """Whatever one switch is set to, the card says so, unless the switch rests before and after."""
    before, said = preset(name), told(preset(name), language)
    tried = set()
    for key, rules in flips(before.rules):
        after = Preset(
            id="", title=before.title, description=before.description, clauses={}, rules=rules, source="", base=""
        )
        resting = key in idle(before.rules) and key in idle(rules)
        beyond = key == "boxes_per_player" and min(get_int(before.rules, key), get_int(rules, key)) >= rules.seats_max
        if not resting and not beyond:
            assert told(after, language) != said, (key, get(rules, key))
            tried.add(key)
    assert len(tried) > 30


def get_int(rules: RuleSet, key: str) -> int:
    value = get(rules, key)
    assert isinstance(value, int)
    return value


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_values_of_a_switch_read_the_same(language: str) -> None:
    said = words(language)
    for key in KEYS:
        rules = [with_(RuleSet(), {key: value}) for value in {get(RuleSet(), key), *some_values(key)}]
        sentences = [sentence(one, key, said) for one in rules]
        assert len(set(sentences)) == len(sentences), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_is_whole(language: str) -> None:
    for name in presets():
        for _, rules in flips(preset(name).rules):
            for key in KEYS:
                said = sentence(rules, key, words(language))
                assert said.endswith(".")
                assert not PLACEHOLDER.search(said)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", FOUNDING)
def test_each_line_cites_its_clause_until_the_switch_is_changed(name: str, language: str) -> None:
    lines = {line.key: line for section in card(preset(name), words(language)).sections for line in section.lines}
    assert all(line.clauses == tuple(preset(name).clauses[key]) for key, line in lines.items())
    changed = card(resolve(name, ["version=2"]), words(language)).sections[-1].lines[-1]
    assert (changed.key, changed.clauses) == ("version", ())


def test_a_card_carries_its_title_and_description() -> None:
    told_es = card(preset("home"), words("es"))
    assert told_es.title == "La mesa de casa"
    assert told_es.description == preset("home").description.es
    assert [section.title for section in told_es.sections][:3] == ["Cartas", "Casillas y apuestas", "El reparto"]


# --- what differs ---------------------------------------------------------------------------------------------------


def test_a_table_does_not_differ_from_itself() -> None:
    assert compare(preset("home").rules, preset("home").rules, words("en")) == ()


def test_a_comparison_says_what_holds_here_and_there() -> None:
    found = {one.key: one for one in compare(preset("casino").rules, preset("faceup").rules, words("en"))}
    assert found["tie"].here == "Equal hands are void: the bet comes back."
    assert found["tie"].there == "Equal hands go to the dealer."
    assert found["cut_card_left"].there == ""
    assert found["forced_play"].here == ""
    assert "dealer_deal" in found
    assert "double.totals" not in found


@pytest.mark.parametrize("name", presets())
def test_a_comparison_reads_the_same_from_both_sides(name: str) -> None:
    ours, theirs = preset(name).rules, preset("casino").rules
    there_and_here = [(one.key, one.there, one.here) for one in compare(ours, theirs, words("es"))]
    assert [(one.key, one.here, one.there) for one in compare(theirs, ours, words("es"))] == there_and_here


def test_one_changed_switch_is_one_difference_and_what_it_wakes() -> None:
    found = compare(preset("casino").rules, resolve("casino", ["split.max_hands=4"]).rules, words("en"))
    assert [one.key for one in found] == ["split.max_hands"]
    woken = compare(preset("casino").rules, resolve("casino", ["surrender.mode=late"]).rules, words("en"))
    assert [one.key for one in woken] == ["surrender.mode"]


# --- the cloth ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "language", "line"),
    [
        ("casino", "es", "Blackjack paga 3 a 2 · El crupier se planta en 17 · El seguro paga 2 a 1"),
        ("casino", "en", "Blackjack pays 3 to 2 · Dealer stands on 17 · Insurance pays 2 to 1"),
        ("faceup", "es", "Blackjack paga a la par · El crupier pide con 17 blando · El crupier gana los empates"),
        ("six-to-five", "en", "Blackjack pays 6 to 5 · Dealer draws on soft 17 · Insurance pays 2 to 1"),
    ],
)
def test_the_cloth_carries_the_tables_own_line(name: str, language: str, line: str) -> None:
    assert felt_line(preset(name).rules, words(language)) == line
