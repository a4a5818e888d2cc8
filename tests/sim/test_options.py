"""Every option of ``tapete simulate`` does what it is for: those about the game change it, the others do not.

That options are read and then never used is a known fault of such programs (case SI-06).
"""

from __future__ import annotations

import itertools
import json
import random
import re
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from tapete import lookup
from tapete import round as rounds
from tapete.cli import main
from tapete.errors import Refused
from tapete.events import Decided, Voided
from tapete.exact.analysis import analyse
from tapete.rulefile import preset
from tapete.rules import with_
from tapete.sim import running, world
from tapete.sim.setting import setting
from tests.sim.sides import Sides, _played, _Stack, any_shoe, any_sides, by_engine, by_kernel, sides_of
from tests.sim.test_counting_played import told

STEPS = ("--count", "hi-lo", "--spread", "-1:1,0:3,1:5,2:8")
CHANGE: Final = {
    "--rounds": ((), ("--rounds", "3e5")),
    "--until-se": (("--until-se", "1%"), ("--until-se", "0.01%")),
    "--boxes": ((), ("--boxes", "2")),
    "--strategy": ((), ("--strategy", "mimic")),
    "--seed": ((), ("--seed", "2")),
    "--shoe": ((), ("--shoe", "endless")),
    "--set": ((), ("--set", "split.max_hands=3")),
    "--count": (STEPS, ("--count", "hi-opt-2")),
    "--spread": (STEPS, ("--spread", "-1:1,0:3,1:5,2:9")),
    "--true-count": (STEPS, ("--true-count", "full,nearest")),
    "--wong-in": (STEPS, ("--wong-in", "1")),
    "--wong-out": (STEPS, ("--wong-out", "-1")),
    "--plays": (STEPS, ("--plays", "hi-lo")),
}
"""The options that change what is played: what stands before them, and the option."""
MONEY: Final = ("--bankroll", "--trip", "--goal", "--risk")
ELSEWHERE: Final = {
    "--workers": "below", "--json": "below", "--plain": "below", "--continue": "test_keeping.py",
    "--cluster": "test_cluster.py", "--picture": "tests/pricing/test_simrisk.py", "--lang": "tests/terminal",
    "--help": "tests/terminal",
}  # fmt: skip
"""The options that leave the rounds as they are, and where that is tested."""


@pytest.mark.parametrize("option", CHANGE)
def test_SI_06_an_option_about_the_game_changes_it(option: str, tmp_path: Path) -> None:
    before, more = CHANGE[option]
    assert option in more
    one, other = told(tmp_path, *before), told(tmp_path, *before, *more)
    assert one["results"] != other["results"]
    assert other["ev"] != one["ev"]


def test_SI_06_the_same_options_give_the_same(tmp_path: Path) -> None:
    assert told(tmp_path, *STEPS, "--boxes", "2") == told(tmp_path, *STEPS, "--boxes", "2")


def test_SI_06_one_common_cell_of_a_chart_changes_the_game(tmp_path: Path) -> None:
    chart = tmp_path / "own.csv"
    assert main(["chart", "american-h17", "--strategy", "td", "--csv", str(chart)]) == 0
    written = chart.read_text("utf-8")
    same = told(tmp_path, "--strategy", str(chart))
    assert same["results"] == told(tmp_path)["results"]
    chart.write_text(with_hits(written), "utf-8")
    assert told(tmp_path, "--strategy", str(chart))["results"] != same["results"]


def with_hits(text: str) -> str:
    """The chart, hard 14 against a 6 hit."""
    lines = text.splitlines()
    head = next(line for line in lines if "10" in line.split(",") and "A" in line.split(","))
    at = next(place for place, line in enumerate(lines) if line.startswith("hard 14,"))
    cells = lines[at].split(",")
    assert cells[head.split(",").index("6")] == "S"
    cells[head.split(",").index("6")] = "H"
    return "\n".join([*lines[:at], ",".join(cells), *lines[at + 1 :], ""])


def test_no_option_is_without_a_test(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--help", "--lang", "en"]) == 0
    options = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", capsys.readouterr().out))
    known = {*CHANGE, *MONEY, *ELSEWHERE}
    assert set(known) - options <= {"--lang"}
    assert options - known <= {"--level"}


GRAINS: Final = ("exact", "quarter", "half", "full", "running")
ROUNDINGS: Final = ("floor", "truncate", "nearest")


def test_SI_06_each_grain_and_each_rounding_of_the_true_count_is_another_game(tmp_path: Path) -> None:
    found: dict[str, Any] = {}
    for grain, rounding in itertools.product(GRAINS, ROUNDINGS):
        way = f"{grain},{rounding}"
        found[way] = told(tmp_path, *STEPS, "--true-count", way)["results"]
    alike = {(one, other) for one, other in itertools.combinations(found, 2) if found[one] == found[other]}
    # A running count is a whole number already.
    assert alike == {*itertools.combinations([f"running,{rounding}" for rounding in ROUNDINGS], 2)}


def test_from_a_shoe_without_end_no_card_is_ever_missed(tmp_path: Path) -> None:
    """So nothing is left to chance, with two hands a box at most, and every round is dealt from a whole shoe."""
    found = told(tmp_path, "--shoe", "endless", table="casino")
    assert found["shoes"] == found["rounds"]
    assert found["standard_error"] < 1e-9 < found["plain_standard_error"]


def test_options_about_money_change_the_risk_alone(tmp_path: Path) -> None:
    asked: list[str] = []
    before = told(tmp_path)
    for option, value in zip(MONEY, ("50", "2000", "40", "5%"), strict=True):
        asked += [option, value]
        now = told(tmp_path, *asked)
        assert now["results"] == before["results"]
        assert now["risk"] != before.get("risk"), option
        before = now


# --- what changes no round ------------------------------------------------------------------------------------------


def test_SI_10_the_number_of_workers_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A million rounds by one, two and four workers, to the last digit of every figure and every word."""
    file, seen = tmp_path / "run.json", []
    for workers in ("1", "2", "4"):
        asked = ["simulate", "casino", "--rounds", "1e6", "--workers", workers, "--json", str(file), "--lang", "en"]
        assert main(asked) == 0
        seen.append((file.read_bytes(), capsys.readouterr().out))
    assert seen[0] == seen[1] == seen[2]
    assert json.loads(seen[0][0])["rounds"] >= 1_000_000


def test_json_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["simulate", "casino", "--rounds", "1e5", "--lang", "en"]
    assert main(asked) == 0
    plain = capsys.readouterr().out
    assert main([*asked, "--json", str(tmp_path / "run.json")]) == 0
    assert capsys.readouterr().out == f"{plain}Written: {tmp_path / 'run.json'}\n"
    assert main([*asked, "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads((tmp_path / "run.json").read_text("utf-8"))


def test_without_the_control_variate_the_rounds_are_the_same_and_the_estimate_is_another(tmp_path: Path) -> None:
    sure, plain = told(tmp_path), told(tmp_path, "--plain")
    for key in ("results", "rounds", "sd", "laid", "rates", "plain_ev", "plain_standard_error", "shoes"):
        assert plain[key] == sure[key], key
    assert plain["ev"] == pytest.approx(sure["plain_ev"], abs=1e-12)
    assert plain["standard_error"] == pytest.approx(sure["plain_standard_error"], rel=1e-9)
    assert plain["ev"] != sure["ev"]
    assert sure["standard_error"] < plain["standard_error"] / 10
    assert (plain["control_variate"], sure["control_variate"]) == (False, True)


# --- a round is a round: cases SI-11 and SI-13 ----------------------------------------------------------------------


def insuring() -> Sides:
    """One box at the common game, by the best chart but always insured against an ace."""
    round_ = analyse(preset("american-6d").rules, level="td").round
    insures, rules = np.zeros_like(round_.way.insures), round_.counted.rules
    ace = next(kind for kind in lookup.kinds(rules) if kind.name == "A")
    insures[:, lookup.starts(rules).index((lookup.dealer_kind(rules, ace),))] = 1
    return sides_of(round_._replace(way=round_.way._replace(insures=insures)), boxes=1, bet=100)


def test_SI_11_doubles_and_insurances_are_no_rounds_of_their_own() -> None:
    """Two deals, one doubled and one insured: four debits, two rounds."""
    side = insuring()
    dealt = ["5", "6", "6", "10", "10", "10", "10", "A", "9", "5", "10", "10"]
    deck = any_shoe(side.rules, random.Random(1), wild=False)
    by_rank = {card.rank: card for card in deck}
    cards = [by_rank[rank] for rank in dealt]
    found, table = by_kernel(side, cards, 2), by_engine(side, cards, cut=len(dealt))
    assert found.nets == table.nets == [(200,), (50,)]
    assert {key: found.counts[key] for key in ("rounds", "doubles", "insured", "splits", "laid")} == {
        "rounds": 2, "doubles": 1, "insured": 1, "splits": 0, "laid": 300,
    }  # fmt: skip
    assert table.counts["rounds"] == 2


@pytest.mark.parametrize("boxes", [1, 4])
def test_SI_13_every_round_is_counted_once(boxes: int) -> None:
    """Rounds full of splits, doubles, insurances: as many as at the table, each with one result."""
    dice = random.Random(boxes)
    rules = with_(preset("american-6d").rules, {"surrender.mode": "late"})
    happened = dict.fromkeys(("splits", "doubles", "insured"), 0)
    for _ in range(12):
        side = any_sides(rules, dice, boxes=boxes)
        table = by_engine(side, cards := any_shoe(rules, dice, wild=True), cut=230)
        found = by_kernel(side, cards, len(table.nets))
        assert found.counts["rounds"] == table.counts["rounds"] == len(table.nets)
        assert found.nets == table.nets
        happened = {key: many + table.counts[key] for key, many in happened.items()}
    assert min(happened.values()) > 10


def test_SI_13_each_round_has_one_result_and_each_box_one_bet() -> None:
    tally = running.block(setting(analyse(preset("casino").rules, level="td").round, boxes_=3), 1, 0)
    assert int(tally.nets.sum()) == tally.rounds
    assert int(tally.counts[world.STAKES]) == 3 * tally.rounds
    assert tally.counts[world.LAID] > 3 * tally.bet * tally.rounds
    twice = tally + tally
    assert (twice.rounds, twice.mean, twice.variance) == (2 * tally.rounds, tally.mean, tally.variance)


def test_SI_13_a_round_that_is_over_is_not_settled_again() -> None:
    side = insuring()
    over = _played(side, _Stack(any_shoe(side.rules, random.Random(2), wild=False)))
    for event in (Decided(1, 1, "stand"), Voided("operator")):
        with pytest.raises(Refused, match=r"round\.over"):
            rounds.apply(over, event)
