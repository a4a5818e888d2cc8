"""Index plays: the published ones against their source and against the analyser, and charts by the count."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Sequence
from pathlib import Path

import pytest

from tapete import chart as charts
from tapete.chart import Chart
from tapete.errors import BadInput
from tapete.exact import given
from tapete.exact.analysis import analyse, decision
from tapete.exact.boxes import hand_by_hand
from tapete.exact.counting import full
from tapete.pricing import playfile
from tapete.rulefile import preset
from tapete.rules import RuleSet, with_
from tapete.sim import plays
from tapete.sim.count import LEVELS, IndexPlay
from tapete.sim.plays import HEAD, published

SOURCE = Path(__file__).parent.parent / "data" / "reference" / "hilo_indices_s17.csv"
LATE = preset("atlantic-city").rules
"""A dealer who stands on soft 17, and people may retire once he has looked: every published play fits."""
SOFT = preset("american-h17").rules
"""The same with a dealer who hits soft 17."""
MOVES = {"S": "stand", "H": "hit", "D": "double", "P": "split", "Rh": "retire"}


def base(rules: RuleSet) -> Chart:
    """The best chart of a table."""
    return given.chart_of(analyse(hand_by_hand(rules), level="td").round)


@pytest.fixture(scope="module")
def late() -> Chart:
    """The chart of Atlantic City."""
    return base(LATE)


# --- the published ones ---------------------------------------------------------------------------------------------


def named(play: IndexPlay) -> str:
    """A play as the source names it."""
    if play.row.startswith("insurance"):
        return "insurance"
    hand = play.row.replace("hard ", "").replace("pair 10", "TT")
    deed = {"P": "split", "Rh": "surrender"}.get(play.above, MOVES[play.above])
    return f"{hand}v{play.column} {deed}"


def test_the_published_plays_are_those_of_their_source() -> None:
    with SOURCE.open(encoding="utf-8") as opened:
        told = {
            row["play"].removesuffix(" at or above"): int(row["schlesinger_via_woo_hilo"])
            for row in csv.DictReader(opened)
        }
    assert {named(play): play.least for play in published(LATE).plays} == told
    assert len(told) == 22
    assert not published(LATE).dropped


@pytest.mark.parametrize("rules", [LATE, SOFT], ids=["S17", "H17"])
def test_every_published_play_pays_above_its_index_and_costs_below(rules: RuleSet) -> None:
    """The analyser says so where the shoe is two points away."""
    found = published(rules).plays
    assert len(found) == (23 if rules is LATE else 21)
    for play in found:
        for off in (2, -2):
            values = worths(rules, play, play.least + off)
            better, worse = (play.above, play.below) if off > 0 else (play.below, play.above)
            assert values[better] > values[worse], (play, off)


def worths(rules: RuleSet, play: IndexPlay, true_count: int) -> dict[str, float]:
    """What both letters of a play bring in a shoe of this true count."""
    shoe, start = leaning(rules, true_count), (0 if play.column == "A" else int(play.column) - 1,)
    if play.row.startswith("insurance"):
        hand = [0, 9] if play.row != "insurance" else [9, 8]
        move = next(one for one in decision(rules, hand, start, shoe=shoe) if one.name == "insure")
        return {"Y": move.ev, "N": 0.0}
    values = {move.name: move.ev for move in decision(rules, dealt(play.row), start, shoe=shoe)}
    stands = max(values["stand"], values["hit"])
    return {letter: stands if letter == "H" and play.above == "Rh" else values[MOVES[letter]]
            for letter in (play.below, play.above)}  # fmt: skip


def dealt(row: str) -> Sequence[int]:
    """Two cards of a row, as kinds."""
    kind, total = row.split()
    if kind == "pair":
        return (9, 9)
    small = int(total) - 10
    return (small - 1, 9) if small > 1 else {9: (3, 4), 10: (3, 5), 11: (4, 5)}[int(total)]


def leaning(rules: RuleSet, true_count: int) -> list[int]:
    """The shoe without so many low cards, or aces and tens, that Hi-Lo's true count is this; half of it is dealt."""
    shoe = [many / 2 for many in full(rules)]
    running = true_count * sum(shoe) / 52
    for kind in range(1, 6):
        shoe[kind] -= running / 10
    shoe[0] += running / 10
    shoe[9] += running * 4 / 10
    return [round(many) for many in shoe]


def test_plays_that_were_found_for_another_dealer_are_dropped() -> None:
    dropped = {play[:2] for play in published(preset("casino").rules).dropped}
    assert dropped == {("hard 10", "10"), ("hard 10", "A"), ("hard 11", "A"),
                       ("hard 14", "10"), ("hard 15", "10"), ("hard 15", "9"), ("hard 15", "A")}  # fmt: skip
    assert {play.above for play in published(preset("home").rules).dropped} == {"Rh"}  # retiring comes first there
    assert not published(preset("faceup").rules).plays


def test_a_table_that_tells_tens_apart_has_the_plays_for_each() -> None:
    rules = with_(LATE, {"split.match": "rank"})
    rows = [play.row for play in published(rules).plays if play.column == "6" and play.above == "P"]
    assert rows == ["pair 10", "pair J", "pair Q", "pair K"]
    figures = with_(LATE, {"bj_definition": "ace_with_figure"})
    columns = [play.column for play in published(figures).plays if play.row == "hard 16" and play.least == 0]
    assert columns == ["10", "F"]


# --- charts by the count --------------------------------------------------------------------------------------------


def at(found: list[tuple[int, Chart]], level: int) -> Chart:
    """The chart that holds at a level."""
    return [chart for least, chart in found if least <= level][-1]


def test_the_chart_changes_exactly_at_each_index(late: Chart) -> None:
    found = plays.levels(LATE, late, published(LATE).plays)
    assert [least for least, _ in found] == [-LEVELS, -2, -1, 0, 1, 2, 3, 4, 5]
    for play in published(LATE).plays:
        if not play.row.startswith("insurance") and play.row != "hard 15":
            for level in (-LEVELS, play.least - 1, play.least, LEVELS):
                letter = at(found, level).letter(play.row, play.column)
                told = play.above if level >= play.least else play.below
                assert letter in (told, f"R{told.lower()}"), (play, level)
    assert [at(found, level).insure for level in (2, 3)] == [False, True]
    assert [at(found, level).insure_blackjack for level in (2, 3)] == [False, True]


def test_retiring_and_what_is_played_else_go_by_their_own_indices(late: Chart) -> None:
    found = plays.levels(LATE, late, published(LATE).plays)
    told = [at(found, level).letter("hard 15", "10") for level in (-1, 0, 3, 4)]
    assert told == ["H", "Rh", "Rh", "Rs"]
    assert [at(found, level).letter("hard 16", "10") for level in (-1, 0)] == ["Rh", "Rs"]


def test_no_other_cell_changes(late: Chart) -> None:
    spoken = {play[:2] for play in published(LATE).plays}
    for _, chart in plays.levels(LATE, late, published(LATE).plays):
        changed = {(row, column) for row in late.cells for column in late.columns
                   if late.letter(row, column) != chart.letter(row, column)}  # fmt: skip
        assert changed - spoken <= {("pair 5", "10"), ("pair 5", "A"), ("pair 7", "10")}


def test_a_pair_that_is_played_as_its_total_follows_it(late: Chart) -> None:
    found = plays.levels(LATE, late, published(LATE).plays)
    assert [at(found, level).letter("pair 5", "10") for level in (3, 4)] == ["H", "D"]
    assert at(found, 0).letter("pair 8", "10") == late.letter("pair 8", "10")  # it is split
    own = [IndexPlay("hard 10", "10", "H", 4, "D"), IndexPlay("pair 5", "10", "H", 7, "D")]
    found = plays.levels(LATE, late, own)
    assert [at(found, level).letter("pair 5", "10") for level in (4, 6, 7)] == ["H", "H", "D"]
    assert at(found, 4).letter("hard 10", "10") == "D"


def test_without_plays_there_is_one_chart(late: Chart) -> None:
    assert plays.levels(LATE, late, ()) == [(-LEVELS, late)]
    nothing_new = [IndexPlay("hard 20", "6", "S", -LEVELS, "S")]
    assert plays.levels(LATE, late, nothing_new) == [(-LEVELS, late)]


def test_the_charts_can_be_played(late: Chart) -> None:
    round_ = analyse(LATE, level="td").round
    found = plays.rounds(LATE, round_, late, published(LATE).plays)
    assert [least for least, _ in found] == [-LEVELS, -2, -1, 0, 1, 2, 3, 4, 5]
    ways = [one.way for _, one in found]
    assert all((one.wish != other.wish).any() or (one.choice != other.choice).any()
               for one, other in itertools.pairwise(ways))  # fmt: skip
    assert [bool(one.insures.any()) for one in ways] == [False] * 6 + [True] * 3


# --- plays of one's own ---------------------------------------------------------------------------------------------

LINE = ",".join(HEAD)


def read(tmp_path: Path, text: str, rules: RuleSet = LATE, name: str = "own.csv") -> tuple[IndexPlay, ...]:
    """The plays of a file with this text."""
    file = tmp_path / name
    file.write_text(text, "utf-8")
    return playfile.read(rules, str(file)).plays


def test_plays_are_read_from_csv_and_json(tmp_path: Path) -> None:
    wanted = (IndexPlay("hard 16", "10", "H", 0, "S"), IndexPlay("insurance", "A", "N", -1, "Y"))
    csv_ = f"# mine\n{LINE}\nhard 16, 10, H, 0, S\n\ninsurance,A,N,-1,Y\n"
    assert read(tmp_path, csv_) == wanted
    json_ = """{"plays": [{"hand": "hard 16", "against": "10", "below": "H", "least": 0, "above": "S"},
        {"hand": "insurance", "against": "A", "below": "N", "least": -1, "above": "Y"}], "table": "atlantic-city"}"""
    assert read(tmp_path, json_, name="own.json") == wanted


@pytest.mark.parametrize(
    ("line", "code", "fact"),
    [
        ("hard 3,10,H,0,S", "chart.row_unknown", "own.csv:2"),
        ("hard 16,J,H,0,S", "chart.column_unknown", "J"),
        ("hard 16,10,H,0,P", "chart.not_allowed", "hard 16"),
        ("hard 16,10,X,0,S", "chart.letter", "X"),
        ("hard 16,10,,0,S", "chart.letter", "hard 16"),
        ("hard 16,10,S,0,S", "sim.play_same", "hard 16"),
        ("hard 16,10,H,0.5,S", "sim.play_level", "0.5"),
        ("hard 16,10,H,41,S", "sim.play_level", "41"),
        ("hard 16,10,H,٣,S", "sim.play_level", "٣"),
        ("hard 16,10,H,,S", "sim.play_level", "own.csv:2"),
        ("hard 16,10,H,0", "sim.play_cells", "own.csv:2"),
        ("hard 16,10,H,0,S,S", "sim.play_cells", "own.csv:2"),
        ("insurance,10,N,0,Y", "chart.not_allowed", "insurance"),
        ("insurance,A,H,0,S", "chart.not_allowed", "insurance"),
        ("hard 16,10,H,0,S\nhard 16,10,H,1,S", "sim.play_twice", "own.csv:3"),
        ("hard 15,10,H,4,S\nhard 15,10,H,0,Rs", "sim.play_twice", "own.csv:3"),
        ("", "sim.play_none", "own.csv"),
    ],
)
def test_a_faulty_play_is_told_with_its_place(tmp_path: Path, line: str, code: str, fact: str) -> None:
    with pytest.raises(BadInput) as caught:
        read(tmp_path, f"{LINE}\n{line}\n")
    assert caught.value.code == code
    assert fact in str(caught.value)


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("own.csv", "", "sim.play_head"),
        ("own.csv", "hand,against,least,below,above\n", "sim.play_head"),
        ("own.json", "{", "chart.not_json"),
        ("own.json", "[" * 100_000, "chart.not_json"),
        ("own.json", "[]", "sim.play_shape"),
        ("own.json", '{"plays": [{"hand": "hard 16"}]}', "sim.play_shape"),
        ("own.json", '{"plays": [], "more": 1}', "sim.play_shape"),
        ("own.json", '{"plays": []}', "sim.play_none"),
        ("own.txt", "", "sim.play_ending"),
    ],
)
def test_what_is_no_list_of_plays_is_refused(tmp_path: Path, name: str, text: str, code: str) -> None:
    with pytest.raises(BadInput) as caught:
        read(tmp_path, text, name=name)
    assert caught.value.code == code


def test_a_play_that_the_table_never_allows_is_an_error_in_a_file(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as caught:
        read(tmp_path, f"{LINE}\nhard 15,10,H,0,Rh\n", preset("casino").rules)
    assert caught.value.code == "chart.not_allowed"


def test_nobody_retires_by_a_card_that_comes_later(tmp_path: Path) -> None:
    rules = with_(preset("home").rules, {"deal_order": "players_first"})
    assert charts.is_blind(rules)
    with pytest.raises(BadInput) as caught:
        read(tmp_path, f"{LINE}\nhard 16,10,H,0,Rh\n", rules)
    assert caught.value.code == "sim.play_blind"
