"""Bad rule files and settings: every fault is told, at once, where it stands, with what is allowed."""

from __future__ import annotations

import os
import random
import re
import socket
import string
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapete.errors import BadInput, TapeteError
from tapete.messages import MESSAGES
from tapete.rulecheck import faults, idle, taking_along
from tapete.rulefile import MAX_BYTES, MOST_FAULTS, Preset, RuleFileError, load, preset, presets, read, resolve
from tapete.rules import KEYS, RuleSet, Value, differences, digest, get, nearest, switches, with_
from tapete.rulevalues import KINDS, Fault, fits, from_text, from_toml, to_text
from tapete.tomlplaces import MAX_DEPTH, places
from tapete.words import LANGUAGES, PLACEHOLDER, words
from tests.rules.values import some_values

PRESETS = Path(__file__).parents[2] / "src" / "tapete" / "presets"


def refused(text: str) -> tuple[Fault, ...]:
    with pytest.raises(RuleFileError) as error:
        read(text, source="mine.toml")
    assert all(one.file == "mine.toml" for one in error.value.faults)
    return error.value.faults


def the_fault(text: str) -> Fault:
    (only,) = refused(text)
    return only


def refused_settings(table: str, *settings: str) -> tuple[Fault, ...]:
    with pytest.raises(RuleFileError) as error:
        resolve(table, settings)
    return error.value.faults


def explained(fault: Fault, language: str) -> str:
    return words(language).reason(fault.code, **fault.facts)


# --- a table of one's own -------------------------------------------------------------------------------------------

FRIDAY = """
# Our table
id = "friday"
from = "casino"

[title]
en = "Our Friday table"

[rules]
bet_max = 50
unit = 0.5
bet_min = 0.5

[rules.split]
max_hands = 4
exclude = ["A", 4]

[clauses]
"split.max_hands" = "house rule 7"
"""


def test_a_table_of_ones_own_says_only_what_differs() -> None:
    found = read(FRIDAY, source="friday.toml")
    changed = {key: new for key, _, new in differences(preset("casino").rules, found.rules)}
    assert changed == {
        "bet_max": 5000,
        "bet_min": 50,
        "unit": 50,
        "split.max_hands": 4,
        "split.exclude": (4, 11),
    }
    assert (found.id, found.base, found.source) == ("friday", "casino", "friday.toml")
    assert found.title.in_("es") == found.title.in_("en") == "Our Friday table"


def test_a_changed_switch_no_longer_cites_the_page_it_left() -> None:
    clauses = read(FRIDAY, source="friday.toml").clauses
    assert clauses["split.max_hands"] == ("house rule 7",)
    assert "bet_max" not in clauses
    assert clauses["double.draw"] == ("D0-22",)
    assert "split.max_hands" not in resolve("casino", ["split.max_hands=4"]).clauses


def test_a_changed_table_no_longer_has_the_description_of_the_page() -> None:
    assert preset("casino").description.en
    assert resolve("casino", ["decks=8"]).description.en == ""
    assert resolve("casino", ["decks=6"]).description == preset("casino").description


def test_a_file_without_an_id_is_called_after_its_name(tmp_path: Path) -> None:
    mine = tmp_path / "Mesa del Jueves.toml"
    mine.write_text('from = "home"\n', "utf-8")
    assert load(mine).id == "mesa-del-jueves"


def test_a_file_written_on_windows_is_read(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_bytes(b"\xef\xbb\xbf" + FRIDAY.replace("\n", "\r\n").encode())
    assert load(mine).rules == read(FRIDAY, source="").rules


@pytest.mark.parametrize("name", ["mine.toml", "mine"])
def test_a_command_finds_a_table_by_its_path(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / name).write_text(FRIDAY, "utf-8")
    monkeypatch.chdir(tmp_path)
    assert resolve(name, ["decks=4"]).rules.decks == 4
    assert resolve(str(tmp_path / name)).rules.decks == 6


def test_a_file_cannot_take_the_name_of_a_shipped_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "casino").write_text(FRIDAY, "utf-8")
    monkeypatch.chdir(tmp_path)
    assert resolve("casino") is preset("casino")
    assert resolve("./casino").id == "friday"


@pytest.mark.parametrize(("wrong", "near"), [("casio", "casino"), ("face-up", "faceup"), ("americn-6d", "american-6d")])
def test_a_misspelt_table_is_answered_with_the_nearest_one(wrong: str, near: str) -> None:
    with pytest.raises(BadInput) as error:
        resolve(wrong)
    assert error.value.code == "rules.unknown_table_near"
    assert f"Did you mean {near}?" in words("en").explain(error.value)


@pytest.mark.parametrize("wrong", ["", "zzzz", "x" * 5000, "\0", "ñandú", "../", "-"])
def test_a_table_that_does_not_exist_is_refused(wrong: str) -> None:
    with pytest.raises(TapeteError) as error:
        resolve(wrong)
    assert len(words("es").explain(error.value)) < 600


# --- every kind of fault, at its line -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """A file with one fault: the code, the line, and what must be read in the sentence."""

    code: str
    text: str
    line: int | None
    told: str = ""


def rules(*lines: str, base: str = "casino") -> str:
    return f'from = "{base}"\n[rules]\n' + "\n".join(lines)


CASES = [
    # unknown keys, with the nearest
    Case("rules.unknown_key_near", rules("deks = 4"), 3, "decks"),
    Case("rules.unknown_key_near", rules("max_hands = 4"), 3, "split.max_hands"),
    Case("rules.unknown_key_near", rules("[rules.split]", "", "max_hand = 4"), 5, "split.max_hands"),
    Case("rules.unknown_key_near", rules("[rules.splitt]", "max_hands = 4"), 3, "split"),
    Case("rules.unknown_key_near", 'from = "casino"\ndecks = 4\n', 2, "rules.decks"),
    Case("rules.unknown_key_near", 'from = "casino"\n[split]\nmax_hands = 4\n', 2, "rules.split"),
    Case("rules.unknown_key_near", 'form = "casino"\nfrom = "casino"\n', 1, "from"),
    Case("rules.unknown_key", rules("jokers = 2"), 3, "jokers"),
    Case("rules.unknown_key_near", rules("", "[clauses]", "split.max_hands = 'x'"), 5, "split"),
    # wrong types and values
    Case("rules.needs_whole", rules('decks = "six"'), 3, "from 1 to 100"),
    Case("rules.needs_whole", rules("decks = 6.0"), 3, "6.0"),
    Case("rules.needs_whole", rules("decks = true"), 3, "true"),
    Case("rules.needs_whole", rules("decks = 0"), 3, "from 1 to 100"),
    Case("rules.needs_whole", rules("decks = -6"), 3, "-6"),
    Case("rules.needs_whole", rules("decks = 1000000000000000000000000000000"), 3, "from 1 to 100"),
    Case("rules.needs_whole", rules("seats_max = 8"), 3, "from 1 to 7"),
    Case("rules.needs_whole", rules("split.max_hands = 9"), 3, "from 1 to 8"),
    Case("rules.needs_whole", rules("decks = 2026-01-01"), 3, "2026-01-01"),
    Case("rules.needs_whole", rules("decks = {a = 1}"), 3, "{…}"),
    Case("rules.needs_whole_or_none", rules('cut_card_left = "deep"'), 3, "or none"),
    Case("rules.needs_amount", rules("unit = 0.001"), 3, "steps of 0.01"),
    Case("rules.needs_amount", rules("unit = 0"), 3, "from 0.01"),
    Case("rules.needs_amount", rules("unit = -1"), 3, "-1"),
    Case("rules.needs_amount", rules("unit = nan"), 3, "NaN"),
    Case("rules.needs_amount", rules("unit = inf"), 3, "Infinity"),
    Case("rules.needs_amount", rules("unit = 1e400"), 3, "1E+400"),
    Case("rules.needs_amount", rules('unit = "1"'), 3, "amount of chips"),
    Case("rules.needs_amount_or_none", rules("bet_max = 1e30"), 3, "or none"),
    Case("rules.needs_flag", rules("bj_beats_21 = 1"), 3, "true or false"),
    Case("rules.needs_flag", rules('bj_beats_21 = "yes"'), 3, "yes"),
    Case("rules.needs_word", rules('dealer_soft17 = "H17"'), 3, "stand, hit"),
    Case("rules.needs_word", rules("dealer_soft17 = 17"), 3, "stand, hit"),
    Case("rules.needs_ratio", rules("bj_pays = 1.5"), 3, "3:2"),
    Case("rules.needs_ratio", rules('bj_pays = "3:0"'), 3, "3:0"),
    Case("rules.needs_ratio", rules('bj_pays = "-3:2"'), 3, "from 1 to 100"),
    Case("rules.needs_ratio", rules('bj_pays = "٣:٢"'), 3, "٣:٢"),
    Case("rules.needs_set", rules("split.exclude = [1]"), 3, "from 2 to 11"),
    Case("rules.needs_set", rules("split.exclude = [4, 4]"), 3, "different"),
    Case("rules.needs_set_or_any", rules("double.totals = [9, 10, 22]"), 3, "from 4 to 21"),
    Case("rules.needs_set_or_any", rules("double.totals = 9"), 3, "or any"),
    Case("rules.needs_set_or_any", rules("double.totals = [9, [10]]"), 3, "or any"),
    Case("rules.needs_colours", rules("back_colours = []"), 3, "back colours"),
    Case("rules.needs_colours", rules("back_colours = [2, 1, 1, 1, 1]"), 3, "at most four"),
    Case("rules.needs_text", rules('version = ""'), 3, "40"),
    Case("rules.needs_text", rules("version = '''a\nb'''"), 3, "40"),
    Case("rules.needs_table", rules("split = 4"), 3, "[rules.split]"),
    Case("rules.needs_table", 'from = "casino"\nrules = 4\n', 2, "[rules]"),
    Case("rules.needs_table", 'from = "casino"\ntitle = "Mine"\n', 2, "[title]"),
    Case("rules.needs_clause", rules("[clauses]", "decks = 7"), 4, "list of texts"),
    Case("rules.needs_id", 'id = "Mi Mesa"\nfrom = "casino"\n', 1, "letters a to z"),
    Case("rules.needs_id", 'id = "../x"\nfrom = "casino"\n', 1, "../x"),
    Case("rules.needs_language", 'from = "casino"\n[title]\nfr = "Ma table"\n', 3, "en, es"),
    Case("rules.needs_sentence", 'from = "casino"\n[title]\nen = 7\n', 3, "7"),
    Case("rules.needs_sentence", 'from = "casino"\n[title]\nen = "\\u001b[2J"\n', 3, "title.en"),
    # where a file starts
    Case("rules.from_near", 'from = "casio"\n', 1, "casino"),
    Case("rules.from_unknown", 'from = "other.toml"\n', 1, "casino, british"),
    Case("rules.from_unknown", "from = 7\n", 1, "casino, british"),
    Case("rules.unstated", "[rules]\ndecks = 6\n", 1, "shuffle, cut_card_left"),
    Case("rules.unstated", "", None, "decks"),
    # limits that contradict each other
    Case("rules.limits_crossed", rules("bet_min = 10", "bet_max = 5"), 3, "bet_max = 5"),
    Case("rules.limits_crossed", rules("bet_max = 5", "", "bet_min = 10"), 5, "bet_max = 5"),
    Case("rules.limit_off_unit", rules("bet_min = 1.5"), 3, "unit = 1"),
    Case("rules.limit_off_unit", rules("unit = 0.6", "bet_min = 0.6", "bet_max = 1000"), 5, "unit = 0.6"),
    Case("rules.too_few_boxes", rules("seats_max = 2", "min_players = 3"), 4, "seats_max = 2"),
    Case("rules.cut_beyond_shoe", rules("decks = 1"), 3, "0 to 51"),
    Case("rules.cut_beyond_shoe", rules("cut_card_left = 312"), 3, "0 to 311"),
    Case("rules.cut_without_shoe", rules('shuffle = "every_round"', "cut_card_left = 78"), 4, "none"),
    Case("rules.cut_missing", rules('cut_card_left = "none"'), 3, "0 to 311"),
    Case("rules.cut_missing", rules('shuffle = "cut_card"', base="british"), 3, "0 to 311"),
    Case("rules.backs", rules("decks = 8", base="leaflet"), 3, "8"),
    # money that cannot be paid
    Case("rules.unit_not_payable", rules("unit = 0.02", "bet_min = 0.02", 'bj_pays = "6:5"'), 3, "6:5"),
    Case("rules.unit_not_payable", rules("unit = 0.02", "insurance.pays = '3:2'"), 3, "insurance.pays = 3:2"),
    Case("rules.unit_not_payable", rules('surrender.mode = "early"', "surrender.loss = '1:3'"), 4, "1:3"),
    Case(
        "rules.unit_not_halved",
        rules("unit = 0.05", "bet_min = 0.05", 'bj_pays = "6:5"'),
        3,
        "insurance",
    ),
    Case("rules.retires_with_nothing", rules("surrender.mode = 'late'", "surrender.loss = '1:1'"), 4, "1:1"),
    # switches that may not stand together
    Case("rules.peek_needs_hole", rules('peek = "ace"'), 3, "dealer_deal = hole"),
    Case("rules.forced_needs_open", rules('forced_play = "auto_all"'), 3, "both_up"),
    Case("rules.insurance_open", rules('insurance.who = "any"', base="faceup"), 3, "none"),
    Case("rules.early_after_check", rules('surrender.window = "first_action"', base="home"), 3, "on_second_card"),
    Case("rules.ace_double_needs_cards", rules("double.after_split_aces = true"), 3, "many"),
    Case(
        "rules.ace_double_needs_cards",
        rules("double.after_split_aces = true", 'split.aces_cards = "one"', base="home"),
        3,
        "many",
    ),
    Case("rules.interim_open", rules('bj_pay_time = "interim"', base="faceup"), 3, "on_deal"),
    Case("rules.on_deal_closed", rules('bj_pay_time = "on_deal"'), 3, "interim"),
    Case("rules.paid_too_soon", rules("bj_beats_21 = false", base="british"), 3, "end"),
    Case("rules.paid_too_soon", rules("bj_beats_21 = false", base="faceup"), 3, "end"),
    Case("rules.no_late_blackjack", rules('no_hole_bj_takes = "original_only"', base="home"), 3, "all"),
    Case("rules.no_late_blackjack", rules('no_hole_bj_takes = "one_bet"', base="faceup"), 3, "all"),
    Case(
        "rules.bust_claimed_twice",
        rules('no_hole_bj_takes = "one_bet"', 'bust_scope = "all_player_bets"'),
        4,
        "one_bet",
    ),
    # differences that make none
    Case("rules.no_effect", rules('bet_behind.cap = "per_bettor"'), 3, "bet_behind.mode = off"),
    Case("rules.no_effect", rules('surrender.window = "first_action"'), 3, "surrender.mode = none"),
    Case("rules.no_effect", rules('insurance.amount = "exactly_half"', base="faceup"), 3, "insurance.who = none"),
    Case("rules.no_effect", rules("split.aces_resplit = true"), 3, "split.max_hands = 2"),
    Case("rules.no_effect", rules("split.max_hands = 1", 'split_21_is_bj = "tens"'), 4, "split.max_hands = 1"),
    Case("rules.no_effect", rules("double.soft_as_low = true", base="home"), 3, "double.totals = any"),
    # no TOML
    Case("toml.unreadable", "a = ", 1, "TOML"),
    Case("toml.unreadable", rules("decks = 6", "decks = 8"), 4, "overwrite"),
    Case("toml.unreadable", rules("", "", "decks == 8"), 5, "TOML"),
    Case("toml.unreadable", "decks = " + "1" * 5000, None, "TOML"),
    Case("toml.unreadable", "# \x01", 1, "TOML"),
    Case("toml.too_deep", "a = " + "[" * 200, 1, str(MAX_DEPTH)),
    Case("toml.too_deep", "\n" + "a." * 200 + "b = 1", 2, str(MAX_DEPTH)),
    Case("toml.too_deep", "a = " + "{b = " * 200, 1, str(MAX_DEPTH)),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code}-{case.text[-24:]!r}")
def test_a_fault_is_told_with_its_line_and_what_is_allowed(case: Case) -> None:
    found = the_fault(case.text)
    assert (found.code, found.line) == (case.code, case.line)
    assert case.told in explained(found, "en")


def test_every_code_that_a_file_can_meet_is_tried() -> None:
    elsewhere = {code for code in MESSAGES if code.startswith("rules.file_")}
    elsewhere |= {
        "rules.more_faults",
        "rules.refused",
        "rules.setting_twice",
        "rules.setting_unreadable",
        "rules.unknown_table",
        "rules.unknown_table_near",
    }
    known = {code for code in MESSAGES if code.startswith(("rules.", "toml."))}
    assert {case.code for case in CASES} == known - elsewhere


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code}-{case.text[-24:]!r}")
def test_a_fault_leaves_no_hole_in_its_sentence(case: Case, language: str) -> None:
    said = explained(the_fault(case.text), language)
    assert not PLACEHOLDER.search(said.replace(case.text, ""))
    assert len(said) < 1500


MANY = """
from = "casino"
colour = "green"

[title]
en = 7
fr = "x"

[rules]
decks = "six"
deks = 8
peek = "ace"
bet_min = 10
bet_max = 5

[rules.split]
max_hands = 99
match = "suit"

[rules.double]
totals = [
    9,
    30,
]
"""


def test_all_faults_of_a_file_are_told_at_once_in_the_order_of_its_lines() -> None:
    assert [(one.line, one.key) for one in refused(MANY)] == [
        (3, "colour"),
        (6, "title.en"),
        (7, "title.fr"),
        (10, "decks"),
        (11, "deks"),
        (12, "peek"),
        (13, "bet_min"),
        (17, "split.max_hands"),
        (18, "split.match"),
        (21, "double.totals"),
    ]


def test_a_value_that_does_not_read_brings_no_second_complaint() -> None:
    """With decks unreadable nothing is said about the cut card that might not fit."""
    assert [one.key for one in refused(rules('decks = "one"', "cut_card_left = 100"))] == ["decks"]


def test_faults_beyond_counting_are_counted() -> None:
    found = refused('from = "casino"\n[rules]\n' + "\n".join(f"x{n} = {n}" for n in range(5000)))
    assert len(found) == MOST_FAULTS + 1
    assert explained(found[-1], "en") == f"Further faults that are not listed: {5000 - MOST_FAULTS}."


def test_an_error_in_a_log_names_file_line_and_key() -> None:
    with pytest.raises(RuleFileError, match=re.escape("mine.toml:3: rules.needs_whole decks = 0")):
        read(rules("decks = 0"), source="mine.toml")


# --- what brings another switch along -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "setting", "along"),
    [
        ("casino", "shuffle=every_round", {"cut_card_left": None}),
        ("home", "dealer_deal=no_hole", {"peek": "none"}),
        ("home", "split.aces_cards=one", {"double.after_split_aces": False}),
        ("american-6d", "dealer_deal=hole", {}),
        ("european-obo", "dealer_deal=hole", {"no_hole_bj_takes": "one_bet"}),
    ],
)
def test_a_setting_takes_along_what_has_one_value_left(table: str, setting: str, along: dict[str, Value]) -> None:
    found = resolve(table, [setting]).rules
    assert along.items() <= switches(found).items()
    key = setting.split("=", maxsplit=1)[0]
    changed = {one for one, _, _ in differences(preset(table).rules, found)} - {key}
    assert changed == {one for one, value in along.items() if get(preset(table).rules, one) != value}


def test_a_switch_that_is_stated_is_never_changed_behind_ones_back() -> None:
    codes = [one.code for one in refused_settings("home", "dealer_deal=no_hole", "peek=ace")]
    assert codes == ["rules.peek_needs_hole"]


def test_where_a_choice_remains_it_is_asked_for() -> None:
    assert [one.code for one in refused_settings("faceup", "dealer_deal=hole")] == ["rules.on_deal_closed"]


# --- settings of a command line -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setting", "key", "value"),
    [
        ("split.max_hands=4", "split.max_hands", 4),
        (" decks = 8 ", "decks", 8),
        ("bj_pays=6:5", "bj_pays", (6, 5)),
        ("bj_pays=6:4", "bj_pays", (3, 2)),
        ("bet_max=none", "bet_max", None),
        ("bet_max=2500", "bet_max", 250_000),
        ("unit=0.5", "unit", 50),
        ("double.totals=any", "double.totals", "any"),
        ("double.totals=11,10", "double.totals", (10, 11)),
        ("double.totals=none", "double.totals", ()),
        ("split.exclude=A, 4", "split.exclude", (4, 11)),
        ("back_colours=3,3", "back_colours", (3, 3)),
        ("bj_beats_21=false", "bj_beats_21", False),
        ("dealer_soft17=hit", "dealer_soft17", "hit"),
        ("version=2026=b", "version", "2026=b"),
    ],
)
def test_a_setting_reads_as_a_person_writes_it(setting: str, key: str, value: Value) -> None:
    assert get(resolve("casino", [setting]).rules, key) == value


@pytest.mark.parametrize(
    ("setting", "code"),
    [
        ("", "rules.setting_unreadable"),
        ("decks", "rules.setting_unreadable"),
        ("=6", "rules.setting_unreadable"),
        ("deks=6", "rules.unknown_key_near"),
        ("split=4", "rules.unknown_key_near"),
        ("jokers=2", "rules.unknown_key"),
        ("decks=", "rules.needs_whole"),
        ("decks=6.5", "rules.needs_whole"),
        ("decks=٦", "rules.needs_whole"),
        ("decks=1_0", "rules.needs_whole"),
        ("decks=" + "9" * 50, "rules.needs_whole"),
        ("decks=\x00", "rules.needs_whole"),
        ("unit=NaN", "rules.needs_amount"),
        ("unit=1e3", "rules.needs_amount"),
        ("bj_beats_21=1", "rules.needs_flag"),
        ("bj_beats_21=True", "rules.needs_flag"),
        ("double.totals=9,,11", "rules.needs_set_or_any"),
        ("bj_pays=3/2", "rules.needs_ratio"),
        ("version=" + "x" * 41, "rules.needs_text"),
        ("peek=ace", "rules.peek_needs_hole"),
        ("bet_behind.insure=true", "rules.no_effect"),
    ],
)
def test_a_setting_that_cannot_be_is_refused(setting: str, code: str) -> None:
    (found,) = refused_settings("casino", setting)
    assert (found.code, found.line, found.file) == (code, None, "--set")
    for language in LANGUAGES:
        assert not PLACEHOLDER.search(explained(found, language))


def test_a_setting_that_stands_there_twice_is_refused_as_in_a_file() -> None:
    (found,) = refused_settings("casino", "decks=2", "decks = 3")
    assert (found.code, found.key) == ("rules.setting_twice", "decks")
    assert explained(found, "es") == "--set decks está dos veces: ponlo una sola vez."


def test_all_settings_are_judged_together() -> None:
    keys = [one.key for one in refused_settings("casino", "decks=x", "bet_min=10", "bet_max=5", "nonsense")]
    assert sorted(keys) == ["bet_min", "decks", "nonsense"]
    assert resolve("casino", ["bet_min=10", "bet_max=5000"]).rules.bet_min == 1000


# --- what is no file of a table -------------------------------------------------------------------------------------


def refused_file(path: Path | str) -> Fault:
    with pytest.raises(RuleFileError) as error:
        load(path)
    (only,) = error.value.faults
    assert words("es").explain(error.value)
    assert not PLACEHOLDER.search(explained(only, "es"))
    return only


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    assert refused_file(tmp_path / "none.toml").code == "rules.file_missing"
    with pytest.raises(RuleFileError):
        resolve(str(tmp_path / "none.toml"))


def test_a_folder_is_no_table(tmp_path: Path) -> None:
    assert refused_file(tmp_path).code == "rules.file_is_folder"


def test_a_device_a_pipe_or_a_socket_is_no_table_and_never_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        for path in ("/dev/zero", "/dev/null", "pipe", "socket"):
            assert refused_file(path).code == "rules.file_not_regular"


@contextmanager
def no_superuser() -> Iterator[None]:
    """As somebody whom file modes bind."""
    me = os.geteuid()
    if me == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(me)


def test_a_file_that_may_not_be_read_is_told(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.touch(mode=0)
    with no_superuser():
        assert refused_file(mine).code == "rules.file_unreadable"


@pytest.mark.parametrize("name", ["a\0b.toml", "x" * 5000 + ".toml", "loop.toml"])
def test_a_path_that_cannot_be_opened_is_told(name: str, tmp_path: Path) -> None:
    (tmp_path / "loop.toml").symlink_to(tmp_path / "loop.toml")
    assert refused_file(str(tmp_path / name)).code == "rules.file_unreadable"


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    with mine.open("wb") as opened:
        opened.truncate(50 << 30)  # a hole of 50 GiB
    assert refused_file(mine).code == "rules.file_too_big"
    mine.write_text(FRIDAY + "#" * (MAX_BYTES - len(FRIDAY)), "utf-8")
    assert load(mine).id == "friday"
    mine.write_text(FRIDAY + "#" * (MAX_BYTES - len(FRIDAY) + 1), "utf-8")
    assert refused_file(mine).code == "rules.file_too_big"


def test_text_in_another_encoding_is_told_with_its_line(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_bytes('from = "casino"\n[title]\nes = "Mañana"\n'.encode("latin-1"))
    found = refused_file(mine)
    assert (found.code, found.line) == ("rules.file_not_utf8", 3)


def test_a_file_with_a_nul_is_told_with_its_line(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_bytes(b'from = "casino"\n# \0\n')
    found = refused_file(mine)
    assert (found.code, found.line) == ("rules.file_has_nul", 2)


@pytest.mark.parametrize(
    "text",
    [
        "[" * MAX_BYTES,
        "a=" + "[" * 500_000,
        "a." * 500_000 + "b=1",
        '"' * MAX_BYTES,
        "'" * (MAX_BYTES - 1),
        "a=" + '\\"""' * 250_000,
        "{" * MAX_BYTES,
        "\n" * MAX_BYTES,
        "a=[" + "1," * 500_000 + "]",
        "[a]\n" * 250_000,
        "a=1\n" * 250_000,
    ],
    ids=lambda text: text[:8],
)
def test_a_file_made_to_choke_the_reader_is_refused(text: str) -> None:
    assert refused(text)


@given(st.integers(0, 2**32))
def test_a_damaged_file_is_read_or_refused_and_nothing_else(seed: int) -> None:
    """Cut, doubled and garbled at random, a file never ends in a traceback."""
    chance = random.Random(seed)
    text = chance.choice([FRIDAY, MANY, (PRESETS / "home.toml").read_text("utf-8")])
    for _ in range(chance.randint(1, 8)):
        at, to = sorted(chance.choices(range(len(text) + 1), k=2))
        noise = "".join(chance.choices(string.printable + "ñ\x00\ud7ff", k=chance.randint(0, 6)))
        text = text[:at] + chance.choice(["", noise, text[at:to] * 2]) + text[min(to, at + 12) :]
    with suppress(RuleFileError):
        assert isinstance(read(text, source="mine.toml"), Preset)


# --- values ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", KEYS)
def test_a_value_written_reads_back_the_same(key: str) -> None:
    for value in some_values(key):
        assert fits(key, value)
        assert from_text(key, to_text(key, value)) == value


@pytest.mark.parametrize("key", KEYS)
def test_no_switch_takes_nonsense(key: str) -> None:
    for nonsense in (object(), b"6", 6.5, "", "\n", [], {}, [[]], (0,), (1, 2, 3.0), -1, float("nan")):
        assert isinstance(from_toml(key, nonsense), Fault) or (nonsense == [] and KINDS[key].shape == "set")
        assert not fits(key, nonsense)


def test_faults_of_a_rule_set_made_in_python_are_found_too() -> None:
    broken = with_(RuleSet(), {"decks": "6", "bj_pays": (6, 4), "bet_min": 5, "double.totals": (11, 10)})
    assert [(one.key, one.code) for one in faults(broken)] == [
        ("decks", "rules.needs_whole"),
        ("bj_pays", "rules.needs_ratio"),
        ("double.totals", "rules.needs_set_or_any"),
        ("bet_min", "rules.limit_off_unit"),
    ]


def test_the_ordinary_table_is_sound() -> None:
    assert faults(RuleSet()) == ()


def neighbours(rules: RuleSet) -> Iterator[tuple[str, RuleSet]]:
    for key in KEYS:
        for value in some_values(key):
            yield key, with_(rules, {key: value})


@pytest.mark.parametrize("name", presets())
def test_a_fault_names_a_switch_that_can_cure_it(name: str) -> None:
    """From any table, whatever one switch breaks, changing a switch that the fault names can mend."""
    for _, broken in neighbours(preset(name).rules):
        for fault in faults(broken):
            cures = (
                with_(broken, {key: value})
                for key in (fault.key, *fault.others)
                for value in [*some_values(key), get(preset(name).rules, key)]
            )
            assert any(fault.code not in {one.code for one in faults(cure)} for cure in cures), (fault, name)


@pytest.mark.parametrize("name", presets())
def test_taking_along_leaves_a_sound_table_alone(name: str) -> None:
    sound = preset(name).rules
    assert taking_along(sound, ()) == sound


def test_a_switch_at_rest_names_the_one_that_rests_it() -> None:
    resting: Mapping[str, str] = idle(preset("casino").rules)
    assert resting["bet_behind.cap"] == "bet_behind.mode"
    assert resting["surrender.loss"] == "surrender.mode"
    assert "split.match" not in resting


# --- switches by their keys -----------------------------------------------------------------------------------------


def test_a_digest_changes_with_every_switch_and_nothing_else() -> None:
    tables = {rules for _, rules in neighbours(RuleSet())}
    assert len({digest(rules) for rules in tables}) == len(tables)
    assert digest(RuleSet()) == "8e29f12785f73938923d6d400fb591b26b3eab843903e6e9b47be6ee3bb43923"
    assert digest(with_(RuleSet(), {"split.exclude": [4, 5]})) == digest(with_(RuleSet(), {"split.exclude": (4, 5)}))


def test_an_unknown_switch_is_answered_with_the_nearest() -> None:
    with pytest.raises(BadInput) as error:
        get(RuleSet(), "split.maxhands")
    assert (error.value.code, error.value.facts["nearest"]) == ("rules.unknown_key_near", "split.max_hands")
    with pytest.raises(BadInput, match=r"rules\.unknown_key"):
        with_(RuleSet(), {"jokers": 2})


@pytest.mark.parametrize("key", KEYS)
def test_a_slip_of_the_finger_is_understood(key: str) -> None:
    for wrong in (key[:-1], key + "s", key.replace("_", "-"), key.upper()):
        assert nearest(wrong) == key or wrong in KEYS or len(key) < 7


# --- lines of a TOML text -------------------------------------------------------------------------------------------

PLACES = r'''# a comment with [brackets] = and "quotes"
title = "a # no comment \" [x]"     # 2
"quoted.key" = 'its'
a.b . "c" = 1
long = """
[not.a.table]
x = 1 \""" still inside
"""
raw = QQQ
y = 2 "
QQQ
list = [ # 12
  1,
  "two ] , [",
  [ 3,
    4 ],
  { x = 1, y.z = [5] }, # 17
]
day = 1979-05-27 07:32:00

[ table . "sub" ]
k = 3

[[round]]
events = [
  "b1 hit",
  "b1 stand"
]
[round.results]
ana = 1
[[round]] # 31
[[round.note]]
text = "x"
'''.replace("QQQ", "'" * 3)


def test_every_key_element_and_table_is_found_at_its_line() -> None:
    found = places(PLACES)
    assert {
        ("title",): 2,
        ("quoted.key",): 3,
        ("a",): 4,
        ("a", "b", "c"): 4,
        ("long",): 5,
        ("raw",): 9,
        ("list",): 12,
        ("list", 0): 13,
        ("list", 1): 14,
        ("list", 2): 15,
        ("list", 2, 0): 15,
        ("list", 2, 1): 16,
        ("list", 3): 17,
        ("list", 3, "x"): 17,
        ("list", 3, "y", "z", 0): 17,
        ("day",): 19,
        ("table", "sub"): 21,
        ("table", "sub", "k"): 22,
        ("round", 0): 24,
        ("round", 0, "events", 0): 26,
        ("round", 0, "events", 1): 27,
        ("round", 0, "results"): 29,
        ("round", 0, "results", "ana"): 30,
        ("round", 1): 31,
        ("round", 1, "note", 0): 32,
        ("round", 1, "note", 0, "text"): 33,
    }.items() <= found.items()
    assert ("x",) not in found
    assert ("y",) not in found
