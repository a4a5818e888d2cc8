"""The shipped tables: the five pages exactly, and the tables of the world that published figures speak of."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tapete.rulecheck import faults
from tapete.rulefile import FOUNDING, load, preset, presets, resolve
from tapete.rules import KEYS, RuleSet, Value, differences, digest, switches, with_
from tapete.rulevalues import MAX_DECKS, from_text, to_text

DATA = Path(__file__).parents[1] / "data"
PRESETS = Path(__file__).parents[2] / "src" / "tapete" / "presets"

DIGESTS = {
    "casino": "f41a93e248b75420c197ed0c51a891ef2ea310e757931e88020d0937a50dcb47",
    "british": "aeb3812b21f286f08c659abed15970a15ec0a5407f1f0a8286a66c56b9a14e01",
    "leaflet": "1b73e75b88083100a1e5a05410297f0be64d11dfca5a0b6170f522bcc37ffffb",
    "faceup": "8acf9f896b0a9c17d55795905334f0961d467a380f35ef5fb0b8b74d60a8d043",
    "home": "925f9135656e783e1d3f723fde226b7b134b2d9241b115f1c6cdae4dd880614f",
}
"""Published names: histories and commitments carry them. They change only with a page's rules or the format."""


def examples() -> dict[str, object]:
    return dict(json.loads((DATA / "examples.json").read_text("utf-8")))


def clause_ids() -> set[str]:
    told = json.loads((DATA / "clause_ids.json").read_text("utf-8"))
    return {one for part in ("clauses", "supplied", "contested") for one in told[part]}


def in_units(told: dict[str, object]) -> dict[str, object]:
    amounts = {"bet_min", "bet_max", "unit"}
    return {key: value * 100 if key in amounts and isinstance(value, int) else value for key, value in told.items()}


# --- the five pages -------------------------------------------------------------------------------------------------


def test_the_five_pages_come_first() -> None:
    assert presets()[:5] == FOUNDING == ("casino", "british", "leaflet", "faceup", "home")


@pytest.mark.parametrize("name", FOUNDING)
def test_a_page_is_played_with_exactly_the_values_read_from_it(name: str) -> None:
    tables = examples()["tables"]
    assert isinstance(tables, dict)
    told = in_units(tables[name])
    assert set(KEYS) - set(told) == {"version"}
    assert differences(preset(name).rules, with_(RuleSet(), told)) == ()


@pytest.mark.parametrize("name", FOUNDING)
def test_a_page_keeps_its_published_name(name: str) -> None:
    assert digest(preset(name).rules) == DIGESTS[name]


def stated_with_comments(text: str) -> Iterator[tuple[str, str]]:
    """Each switch of a preset's text with the comment beside it."""
    group = ""
    for line in text.splitlines():
        if line.startswith("["):
            group = line.strip("[]")
        elif group.startswith("rules") and (found := re.fullmatch(r"(\w+) = .+?  +# (.+)", line)):
            yield f"{group}.{found[1]}".removeprefix("rules."), found[2]


@pytest.mark.parametrize("name", FOUNDING)
def test_each_switch_of_a_page_stands_beside_the_clause_that_sets_it(name: str) -> None:
    beside = dict(stated_with_comments((PRESETS / f"{name}.toml").read_text("utf-8")))
    clauses = preset(name).clauses
    assert set(beside) == set(clauses) == set(KEYS)
    assert {key: tuple(text.split(", ")) for key, text in beside.items()} == dict(clauses)


@pytest.mark.parametrize("name", FOUNDING)
def test_every_clause_named_is_one_of_the_page(name: str) -> None:
    number = str(FOUNDING.index(name))
    named = {one for ids in preset(name).clauses.values() for one in ids}
    assert named <= {one for one in clause_ids() if one[1] == number}


def test_every_worked_round_and_every_other_reading_is_a_table_that_loads() -> None:
    rounds = examples()["examples"]
    assert isinstance(rounds, list)
    tried = 0
    for one in rounds:
        for switch in (one["switch"], *({**one["switch"], **other["switch"]} for other in one["other"])):
            told = plain(in_units(switch))
            settings = [f"{key}={to_text(key, value)}" for key, value in told.items()]
            assert told.items() <= switches(resolve(one["table"], settings).rules).items()
            tried += 1
    assert tried > 50


def plain(switch: dict[str, Any]) -> dict[str, Value]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in switch.items()}


# --- all shipped tables ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", presets())
def test_a_shipped_table_can_be_played_and_reads_in_both_languages(name: str) -> None:
    found = preset(name)
    assert found.id == name == found.source
    assert faults(found.rules) == ()
    for text in (found.title, found.description):
        assert text.en
        assert text.es
    assert found.description.en != found.description.es


def test_no_two_shipped_tables_are_the_same() -> None:
    assert len({digest(preset(name).rules) for name in presets()}) == len(presets())
    assert len({preset(name).title for name in presets()}) == len(presets())


def test_only_the_five_pages_have_clauses_to_cite() -> None:
    assert [name for name in presets() if preset(name).clauses] == list(FOUNDING)


@pytest.mark.parametrize("name", presets())
def test_a_shipped_table_copied_to_a_file_is_the_same_table(name: str, tmp_path: Path) -> None:
    copy = tmp_path / f"{name}.toml"
    copy.write_text((PRESETS / f"{name}.toml").read_text("utf-8"), "utf-8")
    assert load(copy).rules == preset(name).rules


# --- the tables behind published figures ----------------------------------------------------------------------------

BASES = {
    "peek": "american-6d",
    "enhc_lose_all": "european-enhc",
    "enhc_obo": "european-obo",
    "both_up": "double-exposure",
}
TOTALS = {
    "any": "any",
    "any, any number of cards": "any",
    "9-11 or soft 19-20": "9,10,11",
    "10-11": "10,11",
    "11": "11",
}
TOTALS |= {"9-11": "9,10,11", "9-20": ",".join(map(str, range(9, 21)))}
SURRENDERS = {"none": "none", "late": "late", "early_full": "early"}


def reference_rows() -> list[dict[str, str]]:
    """The distinct rule columns of published and computed figures; ``source`` says whose."""
    with (DATA / "reference_rules.csv").open(encoding="utf-8", newline="") as opened:
        return list(csv.DictReader(opened))


def settings_of(row: dict[str, str]) -> Iterator[str]:
    decks = MAX_DECKS if row["decks"] == "inf" else int(row["decks"])  # as good as endless
    yield from (f"decks={decks}", f"cut_card_left={13 * decks}")
    yield f"dealer_soft17={'hit' if row['soft17'] == 'H17' else 'stand'}"
    yield from (f"bj_pays={row['bj_pays']}", f"bj_tie={row['bj_tie']}", f"tie={row['tie']}")
    yield f"split.max_hands={row['max_hands']}"
    yield f"double.totals={TOTALS[row['double']]}"
    if row["double"] == "any, any number of cards":
        yield "double.cards=any"
    if "soft" in row["double"]:
        yield "double.soft_as_low=true"
    if row["max_hands"] != "1":
        yield f"double.after_split={'true' if row['das'] == '1' else 'false'}"
        yield f"split.aces_cards={'many' if row['hit_split_aces'] == '1' else 'one'}"
    if row["max_hands"] not in ("1", "2"):
        yield f"split.aces_resplit={'true' if row['resplit_aces'] == '1' else 'false'}"
    yield f"surrender.mode={SURRENDERS[row['surrender']]}"
    if row["surrender"] == "early_full":
        yield "surrender.window=on_second_card"


def test_every_rule_combination_of_the_published_figures_is_a_preset_with_settings() -> None:
    rows = reference_rows()
    assert len(rows) > 120
    assert {row["hole_card"] for row in rows} == set(BASES)
    tables = set()
    for row in rows:
        rules = resolve(BASES[row["hole_card"]], list(settings_of(row))).rules
        stated = dict(setting.split("=") for setting in settings_of(row))
        assert {key: from_text(key, text) for key, text in stated.items()}.items() <= switches(rules).items()
        tables.add(rules)
    assert len(tables) == len(rows)
