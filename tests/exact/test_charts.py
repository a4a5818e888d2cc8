"""Strategy charts: as others have published them, as files, as pictures, in the terminal."""

from __future__ import annotations

import csv
import functools
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from tapete import chart as charts
from tapete.chart import Chart
from tapete.cli import main
from tapete.errors import BadInput
from tapete.exact import given
from tapete.exact.analysis import Price, analyse, price_of
from tapete.exact.departures import departures
from tapete.pricing import apart, chartfile, drawing, priced
from tapete.pricing import charts as in_terminal
from tapete.pricing.charted import Charted, charted, legend, letter
from tapete.pricing.sheets import DOTS
from tapete.rulefile import FOUNDING, preset
from tapete.rules import RuleSet, with_
from tapete.terminal.talk import Talk
from tapete.words import words
from tests.pricing.saying import Screen

DATA = Path(__file__).parents[1] / "data" / "charts"
PLAIN = {"surrender.mode": "none", "surrender.window": "on_second_card", "insurance.who": "none"}
NO_HOLE = {"dealer_deal": "no_hole", "peek": "none", "no_hole_bj_takes": "all"}


def rows(name: str) -> list[dict[str, str]]:
    with (DATA / name).open(encoding="utf-8", newline="") as opened:
        return list(csv.DictReader(opened))


def table(**changes: object) -> RuleSet:
    """Six packs, S17, hole card, doubling after splits, four hands; with changes, dots written ``__``."""
    told = {key.replace("__", "."): value for key, value in changes.items()}
    return with_(preset("american-6d").rules, PLAIN | told)


@functools.cache
def best(rules: RuleSet) -> tuple[Price, Chart]:
    price = analyse(rules, level="td")
    return price, given.chart_of(price.round)


def with_cell(chart: Chart, row: str, column: str, told: str) -> Chart:
    at = chart.columns.index(column)
    cells = chart.cells[row]
    return Chart(chart.name, chart.columns, {**chart.cells, row: (*cells[:at], told, *cells[at + 1 :])})


# --- as published ---------------------------------------------------------------------------------------------------

LETTERS = {"DH": "D", "DS": "Ds", "QH": "P", "QS": "P", "QD": "P", "RH": "Rh", "RS": "Rs", "RP": "Rp"}
APART = {("hard 16", "10"): "Rs", ("hard 16", "10_enhc"): "Rs", ("pair 8", "10_enhc"): "Rs"}
"""Where the published chart says Rh. Who retires 16 as dealt is asked again only with three cards and more, small ones
mostly, and stands on those."""


def published(soft17: str) -> Iterator[tuple[str, str, str]]:
    for row in rows("multi_deck.csv"):
        if row["table"] == f"4plus-{soft17}" and not row["player"].endswith(" 21"):
            for column in list(row)[2:]:
                yield row["player"], column, LETTERS.get(row[column], row[column])


@pytest.mark.parametrize(("soft17", "value"), [("s17", "stand"), ("h17", "hit")])
def test_the_published_chart_for_many_packs_with_and_without_hole_card(soft17: str, value: str) -> None:
    seen = best(table(dealer_soft17=value, surrender__mode="late"))[1]
    unseen = best(with_(table(dealer_soft17=value, surrender__mode="early"), NO_HOLE))[1]
    found, told = {}, 0
    for row, column, wanted in published(soft17):
        ours = (unseen if column.endswith("_enhc") else seen).letter(row, column.removesuffix("_enhc"))
        told += 1
        if ours != wanted:
            found[row, column] = (wanted, ours)
    assert told == 34 * 12
    assert found == {place: ("Rh", ours) for place, ours in APART.items()}


def test_standing_on_a_longer_16_is_worth_more_than_the_published_hit() -> None:
    rules = table(surrender__mode="late")
    price, chart = best(rules)
    other = with_cell(chart, "hard 16", "10", "Rh")
    values = float(price.ev), float(price_of(rules, other).ev)
    assert values == pytest.approx((-0.0033170357848691656, -0.0033321555950715648), abs=1e-13)


def test_without_doubling_after_splits_pairs_are_split_less() -> None:
    chart = best(table(double__after_split=False))[1]
    told = [row for row in rows("multi_deck.csv") if row["table"] == "4plus-s17"]
    asked = [
        (row["player"], column, row[column][1]) for row in told for column in chart.columns if row[column][0] == "Q"
    ]
    assert len(asked) == 7
    assert [one for one in asked if chart.letter(one[0], one[1]) != one[2]] == []


def test_the_best_strategy_by_totals_of_another_program_cell_by_cell() -> None:
    chart = best(table())[1]
    found = {}
    for row in rows("td_strategy_6d_s17.csv"):
        name, column = ("A" if text == "1" else text for text in (row["total_or_pair"], row["upcard"]))
        if row["kind"] != "pair" and f"{row['kind']} {name}" not in chart.cells:
            continue
        ours = chart.letter(f"{row['kind']} {name}", column)
        if row["kind"] == "pair":
            same = (ours == "P") == (row["split"] == "1")
        else:
            doubled = {"H": "D", "S": "Ds"}[row["hit_stand"]]
            same = ours == (doubled if row["double_if_allowed"] == "1" else row["hit_stand"])
        if not same:
            found[row["kind"], name, column] = (row, ours)
    assert found == {}


def test_the_published_list_of_hands_to_retire_before_the_dealer_looks() -> None:
    chart = best(table(surrender__mode="early"))[1]
    told: set[tuple[str, str]] = set()
    for row in rows("early_surrender.csv"):
        total = int(row["player"].split()[1])
        told.add((f"hard {total}", row["upcard"]))
        if total % 2 == 0 and total in (6, 12, 14, 16):
            told.add((f"pair {total // 2}", row["upcard"]))
    found = {
        (row, column)
        for row, cells in chart.cells.items()
        for column, told_ in zip(chart.columns, cells, strict=True)
        if told_.startswith("R")
    }
    assert found == told | {("hard 16", "9")}  # no blackjack can be behind a nine: the list leaves it to late retiring


# --- what a chart may say -------------------------------------------------------------------------------------------


def test_no_cell_of_any_table_asks_for_what_the_rules_forbid() -> None:
    for name in FOUNDING:
        rules = preset(name).rules
        for chart in (charts.mimic(rules), charts.never_bust(rules), charts.simple(rules)):
            header, *told = [(chartfile.HEAD, chart.columns), *charts.lines(rules, chart)]
            lines = [charts.Line("here", row, cells) for row, cells in told]
            assert charts.read(rules, chart.name, charts.Line("here", *header), lines) == chart


def test_standing_is_withheld_where_the_page_withholds_it() -> None:
    rules = preset("faceup").rules
    row = {one.name: one for one in charts.rows(rules)}
    column = {one.name: one for one in charts.columns(rules)}
    assert charts.allowed(rules, row["hard 16"], column["hard 17"]) == ("H",)
    assert charts.allowed(rules, row["hard 18"], column["hard 17"]) == ("-",)
    assert charts.allowed(rules, row["hard 11"], column["hard 16"]) == ("S", "H", "D", "Ds")
    assert len(charts.columns(rules)) == 26


def test_ranks_are_pairs_of_their_own_where_the_table_splits_by_rank() -> None:
    rules = table(split__match="rank")
    assert [row.name for row in charts.rows(rules)][-5:] == ["pair 10", "pair J", "pair Q", "pair K", "pair A"]


# --- files ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def casino() -> RuleSet:
    return preset("casino").rules


@pytest.fixture
def sound(casino: RuleSet) -> str:
    return chartfile.as_csv(casino, charts.simple(casino), ["a remark"])


def test_every_kind_of_file_gives_the_same_chart_back(tmp_path: Path) -> None:
    for name in ("home", "faceup"):
        rules = preset(name).rules
        chart = charts.simple(rules)
        (tmp_path / "simple.csv").write_text(chartfile.as_csv(rules, chart, ["one", "two"]), "utf-8")
        (tmp_path / "simple.md").write_text(chartfile.as_markdown(rules, chart, ["# A title"], ["| a | b |"]), "utf-8")
        (tmp_path / "simple.json").write_text(json.dumps(chartfile.as_json(rules, chart)), "utf-8")
        for ending in chartfile.ENDINGS:
            assert chartfile.read(rules, str(tmp_path / f"simple{ending}")) == chart


BROKEN = [
    ("hard 9,H,", "hard 9,,", "chart.hole", {"row": "hard 9", "column": "2", "allowed": ("S", "H", "D", "Ds")}),
    ("hard 9,H,", "hard 9,H,H,", "chart.too_many", {"row": "hard 9", "given": 11, "wanted": 10}),
    ("hard 20,S,S,", "hard 20,S,", "chart.hole", {"row": "hard 20", "column": "A"}),
    ("hard 9,H,", "hard 9,x,", "chart.letter", {"row": "hard 9", "column": "2", "letter": "x"}),
    ("hard 8,H,", "hard 8,D,", "chart.not_allowed", {"row": "hard 8", "column": "2", "allowed": ("S", "H")}),
    ("hard 8,H,", "hard 8,Rh,", "chart.not_allowed", {"row": "hard 8", "column": "2"}),
    ("soft 17,H,", "soft 17,P,", "chart.not_allowed", {"row": "soft 17"}),
    ("hard 9,", "hard 8,", "chart.row_twice", {"row": "hard 8"}),
    ("hard 9,", "hard 99,", "chart.row_unknown", {"row": "hard 99"}),
    ("hand,2,", "hand,3,", "chart.column_twice", {"column": "3"}),
    ("hand,2,", "hand,1,", "chart.column_unknown", {"column": "1"}),
    ("hand,2,", "hands,2,", "chart.no_rows", {"word": "hand"}),
    ("insurance,-", "insurance,Y", "chart.not_allowed", {"row": "insurance", "column": "2", "allowed": ("-",)}),
]  # fmt: skip


@pytest.mark.parametrize(("part", "instead", "code", "facts"), BROKEN)
def test_a_chart_file_that_is_wrong_is_refused_with_its_place(
    tmp_path: Path, casino: RuleSet, sound: str, part: str, instead: str, code: str, facts: dict[str, object]
) -> None:
    assert part in sound
    file = tmp_path / "bad.csv"
    file.write_text(sound.replace(part, instead, 1), "utf-8")
    with pytest.raises(BadInput) as refused:
        chartfile.read(casino, str(file))
    assert refused.value.code == code
    assert {key: refused.value.facts[key] for key in facts} == facts
    assert str(file) in str(refused.value.facts.get("place", refused.value.facts.get("file")))
    told = {words(language).explain(refused.value) for language in ("en", "es")}
    assert len(told) == 2
    assert not any("{" in one for one in told)


def test_a_row_that_is_missing_is_named(tmp_path: Path, casino: RuleSet, sound: str) -> None:
    lines = sound.splitlines(keepends=True)
    for row in ("hard 12", "pair A", "insurance with blackjack"):
        file = tmp_path / "bad.csv"
        file.write_text("".join(line for line in lines if not line.startswith(f"{row},")), "utf-8")
        with pytest.raises(BadInput, match=r"chart\.row_missing") as refused:
            chartfile.read(casino, str(file))
        assert refused.value.facts["row"] == row


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("bad.json", "{", "chart.not_json"), ("bad.json", "[" * 100_000, "chart.not_json"),
        ("bad.json", "[]", "chart.shape"),
        ("bad.json", '{"columns": ["2"], "chart": {"hard 5": 3}}', "chart.shape"),
        ("bad.json", '{"columns": [], "chart": {"hard 5": [], "hard 5": []}}', "chart.row_twice"),
        ("bad.json", '{"columns": [], "chart": {}, "more": 1}', "chart.shape"),
        ("bad.csv", "", "chart.no_rows"), ("bad.md", "words", "chart.no_rows"),
        ("bad.csv", 'hand,"2', "chart.unreadable"),
        ("bad.txt", "hand", "chart.ending"), ("bad.csv", "\x00" * 2_000_000, "chart.too_large"),
    ],
)  # fmt: skip
def test_what_is_no_chart_at_all_is_refused(
    tmp_path: Path, casino: RuleSet, name: str, content: str, code: str
) -> None:
    (tmp_path / name).write_text(content, "utf-8")
    with pytest.raises(BadInput) as refused:
        chartfile.read(casino, str(tmp_path / name))
    assert refused.value.code == code


def test_a_file_that_is_not_there_or_not_text_is_refused(tmp_path: Path, casino: RuleSet) -> None:
    (tmp_path / "bad.csv").write_bytes(b"hand,\xff\xfe")
    for name in ("bad.csv", "none.csv", "."):
        with pytest.raises(BadInput, match=r"chart\.(unreadable|ending)"):
            chartfile.read(casino, str(tmp_path / name))


def test_a_table_that_retires_blind_takes_whole_rows_alone(tmp_path: Path) -> None:
    rules = table(surrender__mode="early", deal_order="players_first")
    text = chartfile.as_csv(rules, charts.mimic(rules))
    file = tmp_path / "blind.csv"
    file.write_text(text.replace("hard 16,H,", "hard 16,Rh,"), "utf-8")
    with pytest.raises(BadInput, match=r"chart\.blind"):
        chartfile.read(rules, str(file))


# --- departures -----------------------------------------------------------------------------------------------------


def test_what_better_play_departs_from_is_what_it_is_worth() -> None:
    rules = preset("casino").rules
    price, chart = best(rules)
    better = analyse(rules, level="cdz")
    found = departures(better.round, chart)
    first = [(one.cards, one.start, one.chart, one.played) for one in found[:4]]
    assert ((3, 4, 6), (9,), "hit", "stand") in first  # 4, 5, 7 against a ten: the sixteen that everybody knows
    assert ((1, 9), (3,), "stand", "hit") in first  # 10, 2 against a four
    assert all(one.cost > 0 for one in found)
    # What is left is in the hands of splits, which this list leaves out.
    assert sum(one.cost for one in found) == pytest.approx(better.ev - price.ev, rel=0.01)
    assert departures(price.round, chart) == ()


# --- pictures and the terminal --------------------------------------------------------------------------------------


def test_a_chart_from_outside_is_told_where_it_is_wrong() -> None:
    found = charted(priced.table("british"), "simple")
    wrong = [apart.as_json(found.table.rules, one) for one in apart.exceptions(found)]
    told = [(one["hand"], one["dealer"], one["chart"], one["played"]) for one in wrong]
    assert told == [("hard 11", "10", "double", "hit"), ("pair A", "A", "hit", "split")]
    assert found.other is not None
    assert sum(one["cost"] for one in wrong) == pytest.approx(found.other.ev - found.price.ev, rel=1e-9)


def test_insurance_that_only_some_hands_should_buy_is_told() -> None:
    rules = with_(preset("vegas-1d").rules, {"insurance.pays": (9, 4)})
    best_by_cards = analyse(rules, level="cdz")
    told = departures(best_by_cards.round, charts.made(rules, "none", lambda *_: "S"))
    insured = [one for one in told if one.played == "insure"]
    assert insured
    assert all(9 not in one.cards and one.start == (0,) and one.cost > 0 for one in insured)  # none who holds a ten


@functools.cache
def shown(name: str) -> Charted:
    return charted(priced.table(name), "simple")


@pytest.mark.parametrize(("name", "language"), [("faceup", "es")])
def test_a_picture_is_a_page_with_something_on_it(tmp_path: Path, name: str, language: str) -> None:
    file = tmp_path / "chart.png"
    drawing.draw(shown(name), words(language), str(file))
    with Image.open(file) as picture:
        assert picture.size == (round(8.27 * DOTS), int(11.69 * DOTS))
        grey = picture.convert("L")
    dark = sum(grey.histogram()[:128]) / (grey.size[0] * grey.size[1])
    assert 0.02 < dark < 0.5
    assert max(grey.crop((0, 0, grey.size[0], 20)).histogram()[:250]) == 0  # a margin for the printer


def test_a_drawing_is_the_same_each_time_and_needs_no_font(tmp_path: Path) -> None:
    first, again = (drawing.picture(shown("casino"), words("es"), "svg") for _ in range(2))
    assert first == again
    assert b"<text" not in first
    assert b"font-family" not in first


def test_moves_can_be_told_apart_without_colours() -> None:
    def grey(colour: str) -> float:
        red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
        return 0.299 * red + 0.587 * green + 0.114 * blue

    shades = {
        code: (round(grey(paint.fill) / 25), paint.pattern) for code, paint in drawing.PAINTS.items() if code != "-"
    }
    assert len(set(shades.values())) == len(shades)
    for paint in drawing.PAINTS.values():
        assert abs(grey(paint.fill) - grey(paint.ink)) > 100


def test_a_picture_with_another_ending_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"chart\.picture"):
        drawing.draw(shown("casino"), words("en"), str(tmp_path / "chart.bmp"))


@pytest.mark.parametrize("name", FOUNDING)
@pytest.mark.parametrize("language", ["en", "es"])
def test_a_chart_fits_a_screen_and_explains_its_letters(
    capsys: pytest.CaptureFixture[str], name: str, language: str
) -> None:
    assert main(["chart", name, "--strategy", "simple", "--lang", language]) == 0
    told = capsys.readouterr().out
    grid = [line for line in told.splitlines() if line.startswith("  ")]
    assert len(grid) > 30
    assert max(len(line) for line in grid) <= 80
    for code, meaning in legend(shown(name), words(language)):
        assert f"{letter(code, shown(name).table.rules, words(language)):>3}  {meaning}" in told


def test_figures_that_stand_apart_fit_a_screen_too(capsys: pytest.CaptureFixture[str]) -> None:
    flags = ["--set", "bj_definition=ace_with_figure", "--strategy", "mimic", "--lang", "en"]
    assert main(["chart", "casino", *flags]) == 0
    grid = [line for line in capsys.readouterr().out.splitlines() if line.startswith(" ")]
    assert "          2   3   4   5   6   7   8   9  10  JQK  A" in grid
    assert max(len(line) for line in grid) <= 80


def test_a_chart_of_many_columns_is_told_in_parts_on_a_narrow_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    letters = []
    for wide in (80, 60):
        monkeypatch.setenv("COLUMNS", str(wide))
        in_terminal.tell(shown("faceup"), Talk(words("en"), to=Screen()))
        grid = [line for line in capsys.readouterr().out.splitlines() if line.startswith("  ")]
        assert max(len(line) for line in grid) < wide
        letters.append([line[8:].split() for line in grid if line[8:].strip()])
    whole, parts = ([letter for line in those for letter in line] for those in letters)
    assert len(letters[1]) > len(letters[0])
    assert sorted(whole) == sorted(parts)


def test_letters_are_those_of_the_keys_in_each_language_and_at_an_english_table() -> None:
    codes, spanish = ("H", "S", "D", "Ds", "P", "Rh"), words("es")
    assert [letter(code, preset("casino").rules, spanish) for code in codes] == ["P", "L", "D", "DL", "S", "Rp"]
    assert [letter(code, preset("faceup").rules, spanish) for code in codes] == ["H", "S", "D", "Ds", "P", "Rh"]


def test_the_command_writes_files_that_it_reads_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [tmp_path / f"mine{ending}" for ending in chartfile.ENDINGS]
    flags = ["--csv", str(files[0]), "--json", str(files[1]), "--markdown", str(files[2])]
    assert main(["chart", "casino", "--strategy", "cdz", *flags, "--lang", "en"]) == 0
    assert "Where cdz departs from the chart" in capsys.readouterr().out
    told = json.loads(files[1].read_text("utf-8"))
    assert told["house_edge"] == pytest.approx(0.0066477096254, abs=1e-12)
    assert told["exceptions"][0]["cost"] > 0
    for file in files:
        assert main(["chart", "casino", "--strategy", str(file), "--json", "-"]) == 0
        again = json.loads(capsys.readouterr().out)
        assert (again["chart"], again["ev"]) == (told["chart"], told["ev"])


def test_a_strategy_that_does_not_exist_is_told_in_the_readers_language(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chart", "casino", "--strategy", "luck", "--lang", "es"]) == 2
    assert "No hay ninguna estrategia «luck»" in capsys.readouterr().err
