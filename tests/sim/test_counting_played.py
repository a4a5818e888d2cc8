"""Counting as the kernel does it: levels as they were defined, and every option changes what is played."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tapete import lookup
from tapete.cli import main
from tapete.exact.analysis import analyse
from tapete.rulefile import preset
from tapete.sim import counter, kernel, running, systems, world
from tapete.sim.colours import with_red
from tapete.sim.count import (
    FLAT_RAMP,
    FLOOR,
    LEVELS,
    NEAREST,
    SEEN,
    TRUNCATE,
    Conversion,
    Counting,
    counting,
    level,
    red_kinds,
    usual,
)
from tapete.sim.plays import HEAD
from tapete.sim.results import nothing
from tapete.sim.setting import setting

SIX = preset("american-6d").rules


@pytest.mark.parametrize("rounding", [FLOOR, TRUNCATE, NEAREST])
@pytest.mark.parametrize("grain", [0, 1, 13, 26, 52])
@pytest.mark.parametrize("key", ["hi-lo", "halves", "revere", "ko"])
def test_the_kernel_finds_the_levels_that_were_defined(key: str, grain: int, rounding: int) -> None:
    found = counting(SIX, systems.published()[key], Conversion(grain, rounding), FLAT_RAMP)
    for unseen in (312, 311, 286, 285, 157, 156, 100, 53, 27, 13, 6, 1):
        for count in (-50, -13, -6, -3, -1, 0, 1, 2, 7, 24, 50):
            assert in_kernel(found, count, unseen) == level(found, count, unseen), (count, unseen)


def in_kernel(found: Counting, count: int, unseen: int) -> int:
    """The level as the kernel finds it, one card of the unseen lying face down."""
    at = world.At(312 - unseen, 311, np.uint64(1), np.int64(count), 0, 0.0)
    return int(counter.true_count(found, at, 1))


def told(folder: Path, *options: str, table: str = "american-h17") -> dict[str, Any]:
    """What a table comes to, one block unless the options say more; of an option that stands there twice the last."""
    file = folder / "run.json"
    asked: dict[str, list[str]] = {}
    option = ""
    for word in ("--rounds", "1", "--workers", "1", "--json", str(file), *options):
        option = word if word.startswith("--") else option
        asked[option] = [word] if option == word else [*asked[option], word]
    if "--until-se" in asked:
        del asked["--rounds"]
    assert main(["simulate", table, *(word for words in asked.values() for word in words)]) == 0
    found: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return found


COUNTED = ("--count", "hi-lo")
SPREAD = (*COUNTED, "--spread", "1-12")


@pytest.mark.parametrize(
    ("before", "more"),
    [
        (SPREAD, ("--count", "zen")),
        (SPREAD, ("--spread", "1-11")),
        (SPREAD, ("--true-count", "half")),
        (SPREAD, ("--true-count", "quarter")),
        (SPREAD, ("--true-count", "full")),
        (SPREAD, ("--true-count", "nearest")),
        ((*COUNTED, "--spread", "-1:1,0:5"), ("--true-count", "truncate")),
        (SPREAD, ("--wong-in", "1")),
        (SPREAD, ("--wong-out", "-1")),
        ((*SPREAD, "--wong-in", "2"), ("--wong-out", "0")),
        (SPREAD, ("--plays", "hi-lo")),
        (COUNTED, ("--plays", "hi-lo")),
        (("--boxes", "2"), ("--strategy", "td,mimic")),
        (("--strategy", "td,mimic"), ("--strategy", "mimic,simple")),
    ],
)
def test_every_option_changes_what_is_played(tmp_path: Path, before: tuple[str, ...], more: tuple[str, ...]) -> None:
    one, other = told(tmp_path, *before), told(tmp_path, *before, *more)
    assert one["results"] != other["results"]


def test_who_bets_the_same_at_every_count_plays_as_if_he_did_not_count(tmp_path: Path) -> None:
    plain, counted = told(tmp_path), told(tmp_path, *COUNTED)
    assert plain["results"] == counted["results"]
    assert told(tmp_path, *COUNTED, "--spread", "0:1,5:1", "--plays", "none")["results"] == plain["results"]
    fivefold = told(tmp_path, *COUNTED, "--spread", "0:5")
    assert fivefold["results"] == [[net * 5, many] for net, many in plain["results"]]


def test_a_bet_is_made_before_the_cards_of_its_round_are_counted(tmp_path: Path) -> None:
    """With a shuffle before every round nothing is known when bets are made."""
    fresh = ("--set", "shuffle=every_round")
    plain = told(tmp_path, *fresh)
    assert told(tmp_path, *SPREAD, *fresh)["results"] == plain["results"]
    high = told(tmp_path, *COUNTED, "--spread", "-1:1,0:3,1:7", *fresh)
    assert high["results"] == [[net * 3, many] for net, many in plain["results"]]
    watched = told(tmp_path, *COUNTED, "--spread", "0:0,1:1", *fresh)
    assert watched["results"] == [[0, plain["rounds"]]]
    assert told(tmp_path, *COUNTED, "--plays", "hi-lo", *fresh)["results"] != plain["results"]


def test_plays_of_ones_own_are_played(tmp_path: Path) -> None:
    """A file that stands on everything from a count that is never left plays so from the first round on."""
    file = tmp_path / "own.csv"
    file.write_text(f"{','.join(HEAD)}\nhard 16,10,H,-40,S\nhard 16,9,H,-40,S\nhard 16,A,H,40,S\n", "utf-8")
    own = told(tmp_path, *COUNTED, "--plays", str(file))
    assert own["results"] != told(tmp_path, *COUNTED)["results"]
    file.write_text(f"{','.join(HEAD)}\nhard 15,9,H,40,S\nhard 12,4,H,-40,S\n", "utf-8")
    same = told(tmp_path, *COUNTED, "--plays", str(file))
    assert same["results"] == told(tmp_path, *COUNTED)["results"]  # as the chart says anyway


def test_a_counter_wins_where_others_lose(tmp_path: Path) -> None:
    ev = [told(tmp_path, "--rounds", "3e6", *options)["ev"]
          for options in ((), SPREAD, (*SPREAD, "--plays", "hi-lo"))]  # fmt: skip
    assert ev[0] < -0.003
    assert ev[1] > 0.002
    assert ev[2] > ev[1] + 0.001


def test_each_box_is_played_by_its_strategy_wherever_it_sits(tmp_path: Path) -> None:
    for each, wanted in (("td,mimic", (-0.0056, -0.0572)), ("mimic,td", (-0.0572, -0.0056))):
        found = told(tmp_path, "--strategy", each, "--rounds", "1e6")
        assert found["ev"] == pytest.approx(sum(wanted) / 2, abs=0.001)  # the control variate knows each box's play
        assert [mean for mean, _ in found["each_box"]] == pytest.approx(wanted, abs=0.005)


@pytest.mark.parametrize("table", ["american-6d", "casino", "home"])
def test_red_cards_are_like_black_ones_but_for_their_tags(table: str) -> None:
    rules, system = preset(table).rules, systems.published()["red-7"]
    round_ = analyse(rules, level="td").round
    counter_ = counting(rules, system, usual(system), FLAT_RAMP)
    plain = setting(round_, boxes_=2, counting=counter_, control=True)
    red = with_red(plain, red_kinds(rules, system))
    assert int((red.cards == len(lookup.kinds(rules))).sum()) == 2 * rules.decks
    blind, seeing = (running.block(one, 5, 1) for one in (plain, red))
    assert (blind.nets == seeing.nets).all()
    assert (blind.by_box == seeing.by_box).all()
    assert blind.sums == pytest.approx(seeing.sums)
    assert (blind.by_level != seeing.by_level).any()


def test_red_sevens_count_and_black_ones_do_not() -> None:
    system = systems.published()["red-7"]
    counter_ = counting(SIX, system, usual(system), FLAT_RAMP)
    found = with_red(setting(analyse(SIX, level="td").round, counting=counter_), red_kinds(SIX, system))
    assert counter_.tags.tolist() == [-1, 1, 1, 1, 1, 1, 0, 0, 0, -1, 1]
    for seed in range(20):
        cards = np.random.default_rng(seed).permutation(found.cards)
        marks = np.zeros(world.MARKS, dtype=np.int64)
        marks[world.LIMIT], marks[world.OUT] = len(cards), 1
        shoe = world.Shoe(cards, marks, np.uint64(1), False, 1)  # the cards come as they lie
        books = nothing(found.game, found.bet).books
        kernel.play(found.game, shoe, np.array([1], dtype=np.uint64), 30, books)
        sevens = int((cards[: marks[world.BEGAN]] == 10).sum())
        low, high = (int(np.isin(cards[: marks[world.BEGAN]], of).sum()) for of in ([1, 2, 3, 4, 5], [0, 9]))
        assert sevens
        assert marks[world.COUNT] == -12 + low + sevens - high


def test_who_looks_at_colours_bets_otherwise_than_who_does_not(tmp_path: Path) -> None:
    """Red 7 against the same system without its red sevens, and against one to which every seven is half a red one."""
    spread, found = ("--spread", "-6:1,-3:2,0:4,2:8"), []
    tags = "A = -1, 2 = 1, 3 = 1, 4 = 1, 5 = 1, 6 = 1, 7 = {}, 8 = 0, 9 = 0, 10 = -1"
    for name, seven in (("black", "0"), ("all", "0.5")):
        file = tmp_path / f"{name}.toml"
        file.write_text(f'per = "running"\nbegin_per_pack = -2\ntags = {{ {tags.format(seven)} }}\n', "utf-8")
        found.append(told(tmp_path, "--count", str(file), *spread))
    red = told(tmp_path, "--count", "red-7", *spread)
    assert all(red["results"] != one["results"] for one in found)
    assert red["staked"] == pytest.approx(found[1]["staked"], rel=0.05)  # sevens are worth as much to both
    assert red["staked"] > 1.1 * found[0]["staked"]


def test_a_block_begins_with_a_shuffle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before its first round an unbalanced count stands where it begins."""
    monkeypatch.setattr(running, "BLOCK", 1)
    system = systems.published()["ko"]
    counter_ = counting(SIX, system, usual(system), FLAT_RAMP)
    set_ = setting(analyse(SIX, level="td").round, counting=counter_)
    for number in range(3):
        assert running.block(set_, 1, number).by_level[counter_.begin + LEVELS, SEEN] > 0
    assert counter_.begin == -20


def test_levels_have_room(tmp_path: Path) -> None:
    assert len(FLAT_RAMP.bets) == 2 * LEVELS + 1
    two = told(tmp_path, *COUNTED, "--spread", "-40:1,40:1000", table="vegas-1d")
    assert two["rounds"] > 0


def test_an_edge_is_of_what_was_bet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flat, five = told(tmp_path, *COUNTED), told(tmp_path, *COUNTED, "--spread", "0:5")
    assert (flat["staked"], five["staked"]) == (1, 5)
    assert five["house_edge"] == pytest.approx(flat["house_edge"]) == pytest.approx(told(tmp_path)["house_edge"])
    assert five["ev"] == pytest.approx(5 * flat["ev"])
    assert five["laid"] == pytest.approx(5 * flat["laid"])  # doubles and splits, too, are of five units
    capsys.readouterr()
    spread = told(tmp_path, *SPREAD)
    assert 1.5 < spread["staked"] < 2.5
    assert spread["house_edge"] == pytest.approx(-spread["ev"] / spread["staked"])
    assert f"{100 * spread['ev']:+.4f} units" in capsys.readouterr().out


def test_a_run_ends_when_the_edge_of_what_was_bet_is_known_well_enough(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    options = ["--workers", "1", "--until-se", "0.1%", "--json", str(file), "--boxes", "2"]
    assert main(["simulate", "american-h17", *options]) == 0
    plain = json.loads(file.read_text("utf-8"))
    assert plain["standard_error"] <= 0.001
    assert main(["simulate", "american-h17", *options, *COUNTED, "--spread", "0:5"]) == 0
    counted = json.loads(file.read_text("utf-8"))
    assert counted["rounds"] == plain["rounds"]
    assert counted["standard_error"] == pytest.approx(5 * plain["standard_error"])
