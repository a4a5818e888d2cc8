"""``tapete indices``: index plays derived from the rules, against published ones, and how they are told."""

from __future__ import annotations

import functools
import io
import math
import re
import sys
from itertools import combinations
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from tapete import chart as charts
from tapete.cli import main
from tapete.exact.leaning import Group
from tapete.pricing import (
    indexchances,
    indexdrawing,
    indextold,
    indices,
    playfile,
    priced,
    sheets,
    simcount,
    simcounttold,
)
from tapete.pricing.indices import Asked, Found, Indices
from tapete.pricing.sheets import PAGE
from tapete.rulefile import resolve
from tapete.rules import digest
from tapete.sim import plays
from tapete.sim.count import FLOOR, LEVELS, IndexPlay
from tapete.sim.systems import RANKS
from tapete.terminal.talk import Talk
from tapete.words import LANGUAGES, words
from tests.exact.world import rows
from tests.pricing.saying import Screen, spoken, told

FIVE: Final = ("casino", "british", "leaflet", "faceup", "home")
LATE: Final = ("surrender.mode=late",)
MOVES: Final = {"stand": "S", "split": "P", "double": "D", "surrender": "Rh"}
ELSEWHERE: Final = {"TTv6 split": (5, 4.53), "10vA double": (3, 3.47), "15vA surrender": (2, 1.50)}
"""Where ours is not the published one: ours, and the count at which both moves are worth the same."""


@functools.cache
def derived(
    table: str, settings: tuple[str, ...] = (), count: str = "hi-lo", way: str = "", packs: float = 0
) -> Indices:
    asked = priced.table(table, settings)
    counter = simcount.counter(asked.rules, {"count": count, "true_count": way})
    assert counter is not None
    return indices.derived(Asked(asked, counter, packs))


def retires(one: IndexPlay) -> bool:
    """Whether a play is about retiring."""
    below, above = (charts.taken_apart(letter)[0] for letter in (one.below, one.above))
    return below != above


def play(found: Indices, row: str, column: str, *, retiring: bool = False) -> Found:
    return next(one for one in found.plays
                if (one.play.row, one.play.column, retires(one.play)) == (row, column, retiring))  # fmt: skip


# --- against published plays ----------------------------------------------------------------------------------------


def published(row: dict[str, str]) -> tuple[str, str, str]:
    """Row, column and move of a line of the published plays."""
    where, _, move = row["play"].partition(" ")
    if where == "insurance":
        return charts.INSURANCE, "A", "Y"
    hand, _, dealer = where.partition("v")
    return "pair 10" if hand == "TT" else f"hard {hand}", dealer, MOVES[move.split()[0]]


@pytest.mark.parametrize("row", rows("hilo_indices_s17.csv"), ids=lambda row: row["play"])
def test_the_published_plays_of_hi_lo_follow_from_the_rules(row: dict[str, str]) -> None:
    """Illustrious 18 and Fab 4, several packs, the dealer stands on soft 17, doubling after splits."""
    hand, column, move = published(row)
    found = play(derived("american-6d", LATE if move == "Rh" else ()), hand, column, retiring=move == "Rh")
    assert found.play.above == move
    sources = ("schlesinger_via_woo_hilo", "bja_s17_chart", "rarepike", "casinonewsdaily_shoe")
    told_elsewhere = [int(row[one]) for one in sources if row[one]]
    assert all(abs(found.play.least - one) <= 1 for one in told_elsewhere)
    ours, exact = ELSEWHERE.get(row["play"], (told_elsewhere[0], None))
    assert found.play.least == ours
    if exact is not None:
        assert found.exact == pytest.approx(exact, abs=0.03)


def test_the_published_plays_for_a_dealer_who_hits_soft_17_follow_from_the_rules() -> None:
    table = resolve("american-6d", ["dealer_soft17=hit", *LATE])
    compared = 0
    for one in plays.published(table.rules).plays:
        late = LATE if retires(one) else ()
        ours = play(derived("american-6d", ("dealer_soft17=hit", *late)), one.row, one.column, retiring=retires(one))
        assert ours.play.above[:1] == one.above[:1]
        assert abs(ours.play.least - one.least) <= 1, ours
        compared += ours.play.least == one.least
    assert compared >= 17


def test_insurance_comes_second_and_pays_from_three_on() -> None:
    found = derived("american-6d")
    insurance = play(found, charts.INSURANCE, "A")
    assert insurance == found.plays[1]
    blackjack = play(found, charts.INSURANCE_BLACKJACK, "A")
    assert insurance.exact == pytest.approx(3.0, abs=0.05)
    assert blackjack.exact == pytest.approx(2.8, abs=0.05), "with two aces gone and a ten, the same count has more tens"


# --- what a play is -------------------------------------------------------------------------------------------------


def test_the_letter_is_changed_at_the_level_that_brings_most() -> None:
    levels = np.arange(-LEVELS, LEVELS + 1)
    often = np.exp(-0.5 * (levels / 3.0) ** 2)
    step = indices._step({"H": often * 0.0, "S": often * (levels - 3.5)}, levels)
    assert (step.below, step.least, step.above, step.usual) == ("H", 4, "S", "H")
    assert step.gain == pytest.approx((often * (levels - 3.5))[levels >= 4].sum())
    never = indices._step({"H": often, "S": often * 2}, levels)
    assert (never.below, never.above, never.gain) == ("S", "S", 0.0)


def test_a_level_is_told_as_the_count_is_rounded() -> None:
    """Rounded down, a level begins at its number; to the nearest, half a count earlier: so is the play."""
    down, nearest = derived("casino"), derived("casino", way="nearest")
    apart = [play(nearest, one.play.row, one.play.column).play.least - one.play.least for one in down.plays[:20]]
    assert set(apart) == {0, 1}
    for one in down.plays[:20]:
        assert play(nearest, one.play.row, one.play.column).exact == pytest.approx(one.exact, abs=0.02)


def test_a_divided_count_means_nearly_the_same_at_every_depth_and_a_running_count_does_not() -> None:
    shallow, deep = (derived("casino", packs=packs) for packs in (4.0, 1.5))
    for row, column, apart in (
        (charts.INSURANCE, "A", 0.01),
        ("hard 16", "10", 0.5),
        ("hard 12", "3", 0.5),
        ("hard 9", "2", 0.5),
    ):
        assert play(shallow, row, column).exact == pytest.approx(play(deep, row, column).exact, abs=apart)
    early, late = (derived("casino", count="ko", packs=packs) for packs in (4.0, 1.5))
    assert play(late, "hard 16", "10").play.least - play(early, "hard 16", "10").play.least > 5
    assert play(late, charts.INSURANCE, "A").play.least == 3, "as published for Knock-Out"


BIG = "".join(
    ("[tags]\n", *(f"{rank} = {tag}\n" for rank, tag in zip(RANKS, (-20, *(20,) * 5, 0, 0, 0, -20), strict=True)))
)


def test_plays_beyond_the_levels_are_left_out_and_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Hi-Lo times twenty: insurance pays from some 60 on in six packs, and no level is told apart there."""
    file = tmp_path / "big.toml"
    file.write_text(BIG, "utf-8")
    found, plain = derived("casino", count=str(file)), derived("casino")
    assert plain.beyond == 0
    assert max(abs(one.play.least) for one in found.plays) < LEVELS - 1
    assert found.beyond >= 10
    assert not any(one.play.row == charts.INSURANCE for one in found.plays)
    there = {(one.play.row, one.play.column): one for one in found.plays}
    for one in plain.plays[:30]:
        cell = one.play.row, one.play.column
        if one.exact is not None and abs(one.exact) < 1.5 and cell in there:
            assert there[cell].exact == pytest.approx(20 * one.exact, abs=0.5)
    indextold.tell(found, found.plays[:30], Talk(words("en")))
    assert f"{found.beyond} plays are left out: they change at 39 or more" in capsys.readouterr().out


def test_deep_in_the_shoe_moves_are_worth_what_they_are_on_the_average_of_what_can_be_left() -> None:
    """Six packs, 78 cards unseen, a pair of fives against a ten at a true count of 3⅓: the gap between doubling and
    hitting was averaged over 1,500 rests of the shoe drawn at random, -0.0026, and grows by 0.0071 a count.
    """
    crossing = 10 / 3 + 0.0026 / 0.0071
    assert play(derived("american-6d", packs=1.5), "pair 5", "10").exact == pytest.approx(crossing, abs=0.4)


def test_gains_are_what_the_play_brings_over_all_levels() -> None:
    """Of insurance all is known: the chance of an ace, of each count, and of a ten then."""
    found = play(derived("casino"), charts.INSURANCE, "A")
    assert found.gain == pytest.approx(1.1e-4, rel=0.05)
    deeper = derived("casino", ("cut_card_left=52",))
    assert play(deeper, charts.INSURANCE, "A").gain > 1.3 * found.gain, "who sees more cards earns more"


def test_where_hands_retire_the_others_alone_make_a_play_worth_something() -> None:
    """Of the sixteens and fifteens against a ten: those that are dealt retire at the counts that matter."""
    late, none = derived("american-6d", LATE), derived("american-6d")
    for row, part in (("hard 16", 0.60), ("hard 15", 0.43)):
        assert play(late, row, "10").gain == pytest.approx(part * play(none, row, "10").gain, rel=0.05)


def test_a_play_begins_at_its_level() -> None:
    step = indices._Step("H", 4, "S", "H", 1.0)
    assert step.at(np.array([3.0, 3.5, 4.0, 5.0])).tolist() == [False, False, True, True]


def test_of_several_counts_at_which_two_moves_are_equal_the_one_next_to_the_play_is_told() -> None:
    levels, counts = np.arange(-LEVELS, LEVELS + 1), np.arange(-10.0, 11.0)
    better = np.where(counts <= 3, np.where((counts > -7) & (counts < -2), 1.0, -1.0), 1.0)  # from -6.5, from 3.5 on
    cells: Any = indices._Cells(priced.table("casino").rules, None, levels, counts, FLOOR)  # type: ignore[arg-type]
    brings = {"H": np.zeros(len(levels) + len(counts)), "S": np.concatenate([0.0 * levels, better])}
    for least, exact in ((3, 3.5), (-6, -6.5)):
        assert indices._crossing(cells, indices._Step("H", least, "S", "H", 1.0), brings) == exact


def test_the_chances_of_the_levels_are_those_of_every_way_to_draw() -> None:
    """Hi-Lo, six packs, 156 cards seen beside three that add nothing."""
    asked = priced.table("casino")
    counter = simcount.counter(asked.rules, {"count": "hi-lo"})
    assert counter is not None
    seen = indices._seen(Asked(asked, counter, 2.942), asked.rules)
    assert seen.depths.tolist() == [156]
    at = seen.frame.groups.index(Group(open_=False, sight=3, tag=0))
    chances = indexchances.chances(seen)[at, 0].sum(1)
    assert chances.sum() == pytest.approx(1)
    exactly = drawn(seen.depths[0])
    for level in range(-8, 9):
        assert chances[level + LEVELS] == pytest.approx(exactly.get(level, 0.0), abs=0.002)


def drawn(many: int) -> dict[int, float]:
    """The chance of each true count, rounded down, with so many of 309 cards seen: 119 low, 71 of none, 119 high."""
    found: dict[int, float] = {}
    whole = math.comb(309, many)
    for low in range(120):
        for high in range(120):
            none = many - low - high
            if 0 <= none <= 71:
                level = (low - high) * 52 // (309 - many)
                found[level] = (
                    found.get(level, 0.0) + math.comb(119, low) * math.comb(119, high) * math.comb(71, none) / whole
                )
    return found


def test_a_table_that_shuffles_every_round_says_that_a_count_is_worth_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert not derived("british").dealt
    assert "hardly anything to count" in spoken(capsys, "indices", "british")


def test_who_retires_before_the_dealer_shows_a_card_has_no_play_about_it() -> None:
    found = derived("home", ("deal_order=players_first",))
    assert not any(retires(one.play) for one in found.plays)
    assert any(retires(one.play) for one in derived("home").plays)


def test_hands_that_decide_about_each_other_have_the_plays_of_hands_alone() -> None:
    together = derived("casino", ("split.max_hands=4", "bust_scope=all_player_bets"))
    alone = derived("casino", ("split.max_hands=4",))
    assert together.plays == alone.plays


# --- how it is told -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FIVE)
@pytest.mark.parametrize("language", LANGUAGES)
def test_plays_are_told_in_both_languages_and_fit_their_table(
    name: str, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = derived(name)
    gains = [one.gain for one in found.plays]
    assert gains == sorted(gains, reverse=True)
    assert gains[-1] >= indices.LEAST
    assert not any(plays.clash(one.play, other.play) for one, other in combinations(found.plays, 2))
    for one in found.plays:
        plays.check(found.asked.table.rules, one.play, "")
        assert one.usual in (one.play.below, one.play.above)
    say = words(language)
    indextold.tell(found, found.plays, Talk(say))
    said = capsys.readouterr().out
    assert f"({name})" in said
    lines = said.split("\n\n")[1].splitlines()
    assert len(lines) == len(found.plays) + 1
    assert lines[0].split()[0] == {"en": "Hand", "es": "Mano"}[language]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("columns", [40, 60, 80])
def test_plays_fit_a_narrow_terminal(columns: int, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = derived("casino")
    monkeypatch.setenv("COLUMNS", str(columns))
    screen, whole = Screen(), io.StringIO()
    for out in (screen, whole):
        indextold.tell(found, found.plays, Talk(words(language), to=out))
    lines = screen.getvalue().splitlines()
    assert max(map(len, lines)) < columns
    figures = r"[-+]\d+[.,]\d+"
    assert re.findall(figures, screen.getvalue()) == re.findall(figures, whole.getvalue())
    insured = next(at for at, line in enumerate(lines) if line.startswith(("any", "cualquiera")))
    hand = {"en": {"any", "but", "a", "blackjack"}, "es": {"cualquiera", "sin", "blackjack"}}[language]
    assert hand <= set(" ".join(lines[insured : insured + 3]).split())


def test_a_play_is_one_line_where_sixty_letters_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """The widest language, but for a hand of three words."""
    found = derived("british")
    monkeypatch.setenv("COLUMNS", "60")
    screen = Screen()
    indextold.tell(found, found.plays, Talk(words("es"), to=screen))
    lines = screen.getvalue().split("\n\n")[1].splitlines()
    assert len([line for line in lines if re.search(r"[-+]\d+,\d+ +\d+,\d+$", line)]) == len(found.plays)


def test_the_thirty_that_are_worth_most_are_told_and_all_where_all_are_asked_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = derived("casino")
    monkeypatch.setattr(indices, "derived", lambda *_: found)
    few, every = spoken(capsys, "indices", "casino"), spoken(capsys, "indices", "casino", "--all")
    assert len(few.split("\n\n")[1].splitlines()) == indextold.TOLD + 1
    assert len(every.split("\n\n")[1].splitlines()) == len(found.plays) + 1
    assert f"And {len(found.plays) - indextold.TOLD} more" in few
    assert "more that gain" not in every


@pytest.mark.parametrize("ending", [".csv", ".json"])
def test_files_are_read_as_index_plays(
    ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = derived("home")
    monkeypatch.setattr(indices, "derived", lambda *_: found)
    file = tmp_path / f"plays{ending}"
    assert f"Written: {file}" in spoken(capsys, "indices", "home", f"--{ending[1:]}", str(file), "--all")
    read = playfile.read(found.asked.table.rules, str(file))
    assert read.plays == tuple(one.play for one in found.plays)
    assert (read.origin.rules, read.origin.system) == (digest(found.asked.table.rules), "hi-lo")


@pytest.mark.parametrize("ending", [".csv", ".json"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_plays_of_another_table_or_count_are_told_to_be_so(
    language: str, ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = derived("casino", way="nearest")
    monkeypatch.setattr(indices, "derived", lambda *_: found)
    file = tmp_path / f"plays{ending}"
    options = ("--true-count", "nearest", "--lang", language, f"--{ending[1:]}", str(file))
    spoken(capsys, "indices", "casino", *options)

    def said(table: str, way: str) -> list[str]:
        asked = priced.table(table)
        counter = simcount.counter(asked.rules, {"count": "hi-lo", "true_count": way, "plays": str(file)})
        return list(simcounttold.lines(counter, asked.rules, words("en")))[-2:]

    assert not any("were derived" in line for line in said("casino", "exact,nearest"))
    elsewhere = said("american-6d", "")
    assert f"{str(file)[-80:]} were derived for other rules than this table’s." in elsewhere[0]
    assert "another count: hi-lo, exact,nearest; here it is hi-lo, exact,floor." in elsewhere[1]


def test_csv_plays_of_another_system_are_told_to_be_so(tmp_path: Path) -> None:
    file = tmp_path / "plays.csv"
    file.write_text(f"# {playfile.remark('ko', 'running,floor')}\n{','.join(plays.HEAD)}\nhard 16,10,H,0,S\n", "utf-8")
    rules = priced.table("casino").rules
    counter = simcount.counter(rules, {"count": "hi-lo", "plays": str(file)})
    said = list(simcounttold.lines(counter, rules, words("es")))[-1]
    assert said.endswith("para otra cuenta: ko, running,floor; aquí es hi-lo, exact,floor.")


def test_what_is_derived_is_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "plays.csv"
    spoken(capsys, "indices", "casino", "--csv", str(file))
    said = spoken(capsys, "simulate", "casino", "--rounds", "1000", "--count", "hi-lo", "--plays", str(file))
    assert "30 index plays change the chart" in said


def test_json_says_everything(capsys: pytest.CaptureFixture[str]) -> None:
    answer = told(capsys, "indices", "casino", "--packs-left", "2.5", "--true-count", "half,nearest")
    assert (answer["table"], answer["count"], answer["true_count"], answer["unseen"]) == (
        "casino", "hi-lo", "half,nearest", 130.0,
    )  # fmt: skip
    assert answer["lowest"] < -10 < 10 < answer["highest"]
    assert set(answer["plays"][0]) == {"hand", "against", "below", "least", "above", "usual", "gain", "exact"}


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_a_picture_is_drawn(kind: str, tmp_path: Path) -> None:
    file = tmp_path / f"plays.{kind}"
    indexdrawing.draw(derived("casino"), words("es"), str(file))
    assert file.read_bytes()[:5] == {"png": b"\x89PNG\r", "svg": b"<?xml", "pdf": b"%PDF-"}[kind]


def test_a_picture_may_have_no_more_name_than_its_ending(tmp_path: Path) -> None:
    indexdrawing.draw(derived("casino"), words("en"), str(tmp_path / ".PNG"))
    assert (tmp_path / ".PNG").read_bytes()[:5] == b"\x89PNG\r"
    assert not any(sheets.can_be_drawn(one) for one in ("png", "plays.gif", "-"))


@pytest.mark.parametrize("name", FIVE)
def test_every_cell_of_the_picture_has_the_count_of_its_most_valuable_play(name: str) -> None:
    found = derived(name)
    page = indexdrawing.page(found, words("en"))
    texts = [text.get_text().split()[0] for text in page.axes[0].texts if text.get_text()[:1] in "+−0"]
    cells: dict[tuple[str, str], IndexPlay] = {}
    for one in found.plays:
        cells.setdefault((one.play.row, one.play.column), one.play)
    assert sorted(texts) == sorted(indextold.count(one.least).replace("-", "−") for one in cells.values())
    for text in page.axes[0].texts:
        x, y = text.get_position()
        assert 0 < x < PAGE[0]
        assert 0 < y < PAGE[1]


# --- what is refused ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--packs-left", "9"), "from 0.25 to 5.5"),
        (("--packs-left", "-1"), "from 0.25 to 5.5"),
        (("--packs-left", "nan"), "from 0.25 to 5.5"),
        (("--packs-left", "٢"), "from 0.25 to 5.5"),
        (("--count", "cards"), "no counting system “cards”"),
        (("--count", "none.toml"), "none.toml"),
        (("--true-count", "about"), "“about” is no way to find a true count"),
        (("--picture", "plays.gif"), ".png, .svg, .pdf"),
    ],
)
def test_what_is_not_understood_is_told(
    options: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in spoken(capsys, "indices", "casino", *options, code=2)


def test_limits_are_told_with_the_decimal_sign_of_the_language(capsys: pytest.CaptureFixture[str]) -> None:
    said = spoken(capsys, "indices", "casino", "--packs-left", "9", "--lang", "es", code=2)
    assert "de 0,25 a 5,5, como 2 o 1,5" in said


def test_a_file_that_cannot_be_written_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = derived("casino")
    monkeypatch.setattr(indices, "derived", lambda *_: found)
    for option, ending in (("--csv", "csv"), ("--json", "json"), ("--picture", "svg")):
        assert main(["indices", "casino", option, str(tmp_path / "nowhere" / f"a.{ending}")]) == 2
        assert "cannot be written" in capsys.readouterr().err


@pytest.mark.parametrize("language", LANGUAGES)
def test_ctrl_c_leaves_nothing_behind_and_is_answered(
    language: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(_asked: Asked, progress: Any) -> Indices:
        progress(3, 17)
        raise KeyboardInterrupt

    monkeypatch.setattr(indices, "derived", stopped)
    monkeypatch.setattr(sys, "stderr", error := Screen())
    assert main(["indices", "casino", "--lang", language]) == 130
    line = {"en": "3 of 17 shoes counted", "es": "3 de 17 sabots contados"}[language]
    said = {"en": "Stopped before its end: no plays", "es": "Interrumpido antes del final: no se ha"}[language]
    assert error.getvalue().startswith(f"\r{line}\r{' ' * len(line)}\r{said}")
    assert error.getvalue().count("\n") == 1
    assert capsys.readouterr().out == ""
