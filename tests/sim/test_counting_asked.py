"""What ``tapete simulate`` is asked about counting: bets, true counts, sitting in and out, plays, strategies by box."""

from __future__ import annotations

from pathlib import Path

import pytest

from tapete.cli import main
from tapete.errors import BadInput
from tapete.pricing import simasked, simcount, simcounttold
from tapete.pricing.simcount import Counter
from tapete.rulefile import preset
from tapete.rules import RuleSet, with_
from tapete.sim.count import FLOOR, LEVELS, NEAREST, TRUNCATE, Conversion
from tapete.words import LANGUAGES, words

SIX = preset("american-6d").rules


def counter(**options: str) -> Counter:
    """The counter of these options, Hi-Lo if nothing else is said."""
    return counter_at(SIX, **options)


def counter_at(rules: RuleSet, **options: str) -> Counter:
    """The same at another table."""
    found = simcount.counter(rules, {"count": "hi-lo", **options})
    assert found is not None
    return found


def bets(spread: str, **options: str) -> dict[int, int]:
    """The units at the counts at which they change, the lowest count first."""
    units = counter(spread=spread, **options).ramp.bets
    assert len(units) == 2 * LEVELS + 1
    changes = [at for at in range(len(units)) if not at or units[at] != units[at - 1]]
    return {at - LEVELS: units[at] for at in changes}


# --- bets -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spread", "wanted"),
    [
        ("0:1,1:2,2:4,3:8,4:12", {-40: 1, 1: 2, 2: 4, 3: 8, 4: 12}),
        (" -1 : 0 , +2 : 5 ", {-40: 0, 2: 5}),
        ("1:3", {-40: 3}),
        ("0:1,1:1,2:2", {-40: 1, 2: 2}),
        ("0:8,5:1", {-40: 8, 5: 1}),
        ("-40:1,40:1000", {-40: 1, 40: 1000}),
        ("1-12", {-40: 1, 2: 4, 3: 7, 4: 9, 5: 12}),
        ("1-5", {-40: 1, 2: 2, 3: 3, 4: 4, 5: 5}),
        ("0-1", {-40: 0, 3: 1}),
        ("7-7", {-40: 7}),
        ("", {-40: 1}),
    ],
)
def test_a_spread_is_read(spread: str, wanted: dict[int, int]) -> None:
    assert bets(spread) == wanted


@pytest.mark.parametrize("dash", "\u2010\u2011\u2013\u2014\u2212")
def test_every_dash_is_a_minus(dash: str) -> None:
    """As they are copied from a book or a page; what is kept is the plain one."""
    made = counter(spread=f"1{dash}8", wong_in=f"{dash}1", wong_out=f"{dash}2")
    plain = counter(spread="1-8", wong_in="-1", wong_out="-2")
    assert (made.ramp, made.told) == (plain.ramp, plain.told)
    assert bets(f"{dash}1:1,2:4") == bets("-1:1,2:4")


@pytest.mark.parametrize(
    ("spread", "code", "fact"),
    [
        ("1:", "sim.spread", "1:"),
        (":2", "sim.spread", ":2"),
        ("1", "sim.spread", "1"),
        ("0:1,", "sim.spread", "number=2"),
        ("0:1,,2:4", "sim.spread", "number=2"),
        ("0:1;1:2", "sim.spread", "0:1;1:2"),
        ("0:1,1:-2", "sim.spread", "1:-2"),
        ("0:1,1:2.5", "sim.spread", "1:2.5"),
        ("0:1,1.5:2", "sim.spread", "1.5:2"),
        ("0:1,1:1001", "sim.spread", "1:1001"),
        ("0:1,1:1e3", "sim.spread", "1:1e3"),
        ("0:1,41:2", "sim.spread", "41:2"),
        ("-41:1", "sim.spread", "-41:1"),
        ("٠:١", "sim.spread", "٠:١"),
        ("nan:1", "sim.spread", "nan:1"),
        ("2:4,1:2", "sim.spread_order", "level=1"),
        ("0:1,1:2,1:3", "sim.spread_order", "level=1"),
        ("0:0,1:0", "sim.spread_nothing", "0:0"),
        ("12-1", "sim.spread_short", "12-1"),
        ("0-0", "sim.spread_short", "0-0"),
        ("1-1001", "sim.spread_short", "1-1001"),
        ("1-2-3", "sim.spread", "1-2-3"),
        ("0:" + "9" * 5000, "sim.spread", "number=1"),
    ],
)
def test_a_nonsense_spread_is_told(spread: str, code: str, fact: str) -> None:
    with pytest.raises(BadInput) as caught:
        counter(spread=spread)
    assert caught.value.code == code
    assert fact in str(caught.value)


def test_more_than_the_table_takes_is_told() -> None:
    rules = with_(SIX, {"bet_min": 1000, "bet_max": 10_000})
    assert max(counter_at(rules, spread="1-10").ramp.bets) == 10
    with pytest.raises(BadInput) as caught:
        counter_at(rules, spread="1-11")
    assert caught.value.code == "sim.spread_limit"
    assert caught.value.facts == {"units": 11, "most": 10}
    assert max(counter_at(with_(rules, {"bet_max": None}), spread="1-1000").ramp.bets) == 1000


def test_split_hands_of_one_chip_allow_no_bets_that_change() -> None:
    rules = with_(SIX, {"split.stake": "one_chip"})
    for spread in ("1-2", "0:0,1:1,2:5", "0:5"):
        with pytest.raises(BadInput) as caught:
            counter_at(rules, spread=spread)
        assert caught.value.code == "sim.spread_stake"
    assert counter_at(rules, spread="0:0,2:1").ramp.bets[-1] == 1


def test_a_running_count_has_its_steps_written() -> None:
    assert bets("-4:1,0:4,4:12", count="ko") == {-40: 1, 0: 4, 4: 12}
    with pytest.raises(BadInput) as caught:
        counter(count="ko", spread="1-12")
    assert caught.value.code == "sim.spread_running"
    assert bets("1-12", count="ko", true_count="exact")[5] == 12


# --- true counts ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", Conversion(1, FLOOR)),
        ("exact", Conversion(1, FLOOR)),
        ("quarter", Conversion(13, FLOOR)),
        ("half, truncate", Conversion(26, TRUNCATE)),
        ("full,nearest", Conversion(52, NEAREST)),
        ("truncate", Conversion(1, TRUNCATE)),
        ("running", Conversion(0, FLOOR)),
    ],
)
def test_a_true_count_is_read(text: str, wanted: Conversion) -> None:
    assert counter(true_count=text).conversion == wanted


@pytest.mark.parametrize("text", ["floor,half", "half,half", "half,", "third", "half,up", "half,floor,floor", ","])
def test_a_nonsense_true_count_is_told(text: str) -> None:
    with pytest.raises(BadInput) as caught:
        counter(true_count=text)
    assert caught.value.code == "sim.true_count"


def test_unbalanced_systems_run_and_others_are_divided() -> None:
    assert counter(count="ko").conversion == counter(count="ace-five").conversion == Conversion(0, FLOOR)
    assert counter(count="halves").conversion == Conversion(1, FLOOR)


# --- sitting in and out ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("enter", "leave", "wanted"),
    [
        ("", "", (-LEVELS, -LEVELS)),
        ("1", "", (1, 1)),
        ("", "-1", (-1, -1)),
        ("+2", "0", (2, 0)),
        ("1", "1", (1, 1)),
    ],
)
def test_sitting_in_and_leaving(enter: str, leave: str, wanted: tuple[int, int]) -> None:
    ramp = counter(wong_in=enter, wong_out=leave).ramp
    assert (ramp.enter, ramp.leave) == wanted


@pytest.mark.parametrize(
    ("enter", "leave", "code"),
    [
        ("1", "2", "sim.wong_crossed"),
        ("one", "", "sim.whole"),
        ("", "0.5", "sim.whole"),
        ("41", "", "sim.whole"),
        ("", "-41", "sim.whole"),
        ("١", "", "sim.whole"),
    ],
)
def test_nonsense_about_sitting_in_is_told(enter: str, leave: str, code: str) -> None:
    with pytest.raises(BadInput) as caught:
        counter(wong_in=enter, wong_out=leave)
    assert caught.value.code == code


def test_who_leaves_before_he_would_bet_never_bets() -> None:
    with pytest.raises(BadInput) as caught:
        counter(spread="-9:1,0:0", wong_in="1")
    assert caught.value.code == "sim.spread_nothing"


# --- the count itself, and plays ------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", [key for key in simcount.OPTIONS if key != "count"])
def test_what_goes_by_a_count_needs_one(key: str) -> None:
    with pytest.raises(BadInput) as caught:
        simcount.counter(SIX, {key: "1"})
    assert caught.value.code == "sim.needs_count"
    assert caught.value.facts["option"] == simcount.OPTIONS[key]
    assert simcount.counter(SIX, {}) is None


@pytest.mark.parametrize("name", ["high-low", "Hi-Lo", "red 7", "", "hi-lo "])
def test_a_system_that_there_is_not_is_told(name: str) -> None:
    if not name:
        assert simcount.counter(SIX, {"count": name}) is None
        return
    with pytest.raises(BadInput) as caught:
        counter(count=name)
    assert caught.value.code == "sim.no_system"
    assert "red-7" in str(caught.value)


def test_a_system_of_ones_own_and_its_faults(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    tags = "\n".join(f"{rank} = {one}" for rank, one in zip("A23456789", (-1, 1, 1, 1, 1, 1, 0, 0, 0), strict=True))
    file.write_text(f"[tags]\n{tags}\n10 = -1\n", "utf-8")
    mine, hi_lo = counter(count=str(file)), counter()
    assert mine.counting(SIX).tags.tolist() == hi_lo.counting(SIX).tags.tolist()
    assert mine.system.name == "mine"
    file.write_text(f"[tags]\n{tags}\n", "utf-8")
    with pytest.raises(BadInput) as caught:
        counter(count=str(file))
    assert caught.value.code == "sim.system_missing"
    with pytest.raises(BadInput) as caught:
        counter(count=str(tmp_path / "nothing.toml"))
    assert caught.value.code == "chart.unreadable"


def test_the_published_plays_are_for_hi_lo() -> None:
    assert len(counter(plays="hi-lo").plays) == 19
    assert [play.above for play in counter(plays="hi-lo").dropped] == ["Rh"] * 4
    assert counter(plays="none").plays == ()
    for options in ({"count": "zen"}, {"true_count": "running"}):
        with pytest.raises(BadInput) as caught:
            counter(plays="hi-lo", **options)
        assert caught.value.code == "sim.plays_hi_lo"
    with pytest.raises(BadInput) as caught:
        counter_at(preset("faceup").rules, plays="hi-lo")
    assert caught.value.code == "sim.plays_none"
    with pytest.raises(BadInput) as caught:
        counter(plays="illustrious")
    assert caught.value.code == "sim.no_plays"


# --- strategies by box ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "boxes", "wanted"),
    [
        ("td", "", ("td",)),
        ("td", "3", ("td",) * 3),
        ("td, simple,mimic", "", ("td", "simple", "mimic")),
        ("td,simple", "2", ("td", "simple")),
    ],
)
def test_each_box_has_its_strategy(text: str, boxes: str, wanted: tuple[str, ...]) -> None:
    assert simasked.strategies_of(text, boxes) == wanted


@pytest.mark.parametrize(
    ("text", "boxes", "code"),
    [
        ("td,simple", "3", "sim.boxes_strategies"),
        ("td,simple", "1", "sim.boxes_strategies"),
        ("td,", "", "chart.no_strategy"),
        (",".join(["td"] * 8), "", "sim.strategies"),
        (",".join(["td"] * 8), "8", "sim.strategies"),
        ("td", "8", "sim.whole"),
    ],
)
def test_boxes_without_a_strategy_are_told(text: str, boxes: str, code: str) -> None:
    with pytest.raises(BadInput) as caught:
        simasked.strategies_of(text, boxes)
    assert caught.value.code == code


# --- the command ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "part"),
    [
        (["--spread", "1-12"], "--count hi-lo"),
        (["--count", "nothing"], "hi-opt-1"),
        (["--count", "hi-lo", "--spread", "0:1,1:"], "step 2"),
        (["--count", "hi-lo", "--spread", "0:1,1:1001"], "0 to 1000"),
        (["--count", "hi-lo", "--true-count", "third"], "quarter"),
        (["--count", "hi-lo", "--wong-in", "0", "--wong-out", "1"], "--wong-out"),
        (["--count", "hi-lo", "--wong-in", "x"], "--wong-in"),
        (["--count", "ko", "--plays", "hi-lo"], "Knock-Out"),
        (["--count", "hi-lo", "--plays", "hi-lo", "--strategy", "cdz"], "cdz"),
        (["--count", "hi-lo", "--plays", "nothing.csv"], "nothing.csv"),
        (["--strategy", "td,simple", "--boxes", "3"], "2 strategies"),
        (["--strategy", ",".join(["td"] * 8)], "8 strategies are more than a table can have boxes: 7 at most."),
        (["--set", "decks=9"], "A shoe of 9 packs is too large to be counted or simulated: 8 packs at most."),
        (["--count", "hi-lo", "--spread", "1-"], "like 1-12"),
    ],
)
def test_bad_input_is_told(options: list[str], part: str, capsys: pytest.CaptureFixture[str]) -> None:
    for lang in ("en", "es"):
        assert main(["simulate", "american-6d", "--rounds", "1", "--lang", lang, *options]) == 2
        told = capsys.readouterr()
        if lang == "en":
            assert part in told.err
        assert "Traceback" not in told.err
        assert not told.out


def test_a_counter_is_told_in_words() -> None:
    found = counter(spread="0:1,2:8", true_count="half,truncate", plays="hi-lo", wong_in="1", wong_out="-1")
    told = list(simcounttold.lines(found, SIX, words("en")))
    assert told[0].startswith(
        "Counted by Hi-Lo; the true count is the running count by the packs unseen, to the nearest"
    )
    assert told[1:4] == [
        "Units on each box by the count: 8 from 2 on, 1 below that.",
        "Plays from a count of 1 on, and stops before a round that begins below -1.",
        "19 index plays change the chart.",
    ]
    assert told[4].endswith("hard 14 v 10 (H/Rh), hard 15 v 10 (H/Rh), hard 15 v 9 (H/Rh), hard 15 v A (H/Rh).")
    spanish = list(simcounttold.lines(found, SIX, words("es")))
    assert spanish[4].endswith(
        "14 duro contra 10 (P/Rp), 15 duro contra 10 (P/Rp), 15 duro contra 9 (P/Rp), 15 duro contra A (P/Rp)."
    )
    uninsured = with_(SIX, {"insurance.who": "none", "split.max_hands": 1})
    left_out = {
        one: [*simcounttold.lines(counter_at(uninsured, plays="hi-lo"), uninsured, words(one))][-1] for one in LANGUAGES
    }
    assert "insurance v A (N/Y), insurance with a blackjack v A (N/Y), 10-10 v 5 (S/P)" in left_out["en"]
    assert "seguro contra A (N/A), seguro con un blackjack contra A (N/A), 10-10 contra 5 (L/S)" in left_out["es"]
    fresh = with_(SIX, {"shuffle": "every_round"})
    assert "every bet is made at the same count" in list(simcounttold.lines(found, fresh, words("en")))[-1]
    red = list(simcounttold.lines(counter(count="red-7"), SIX, words("en")))
    assert red[0] == "Counted by Red 7: a running count that begins at -12."
    assert list(simcounttold.lines(None, SIX, words("en"))) == []
