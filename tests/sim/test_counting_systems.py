"""Counting systems: the published ones against other sources, and the way from seen cards to a level."""

from __future__ import annotations

import csv
from fractions import Fraction
from pathlib import Path

import pytest

from tapete import lookup
from tapete.errors import BadInput
from tapete.rulefile import preset
from tapete.rules import RuleSet, with_
from tapete.sim import systems
from tapete.sim.count import (
    FLAT_RAMP,
    FLOOR,
    LEVELS,
    NEAREST,
    TRUNCATE,
    Conversion,
    Counting,
    counting,
    level,
    red_kinds,
    usual,
)
from tapete.sim.systems import MANY, PER, RANKS, System

DATA = Path(__file__).parent.parent / "data"
SIX = RuleSet()

ELSEWHERE = {
    "hi-lo": "-1 1 1 1 1 1 0 0 0 -1",
    "hi-opt-1": "0 0 1 1 1 1 0 0 0 -1",
    "hi-opt-2": "0 1 1 2 2 1 1 0 0 -2",
    "omega-2": "0 1 1 2 2 2 1 0 -1 -2",
    "halves": "-1 .5 1 1 1.5 1 .5 0 -.5 -1",
    "zen": "-1 1 1 2 2 2 1 0 0 -2",
    "ko": "-1 1 1 1 1 1 1 0 0 -1",
    "red-7": "-1 1 1 1 1 1 .5 0 0 -1",
    "uston-apc": "0 1 2 2 3 2 2 1 -1 -3",
    "silver-fox": "-1 1 1 1 1 1 1 0 -1 -1",
    "canfield": "0 0 1 1 1 1 1 0 -1 -1",
    "mentor": "-1 1 2 2 2 2 1 0 -1 -2",
    "revere": "-2 1 2 2 2 2 1 0 0 -2",
    "ace-five": "-1 0 0 0 1 0 0 0 0 0",
}
"""Ace to ten, red and black on average: the first seven as github.com/1andDone/blackjack has them, the next two as
lifesagambol.com, then myblackjacksuccess.com, bestonlinecasinos.com, countingedge.com, wizardofodds.com."""

CORRELATIONS = {
    "hi-lo": 0.97,
    "hi-opt-1": 0.88,
    "hi-opt-2": 0.91,
    "ko": 0.98,
    "red-7": 0.98,
    "omega-2": 0.92,
    "zen": 0.96,
    "halves": 0.99,
    "uston-apc": 0.90,
    "mentor": 0.97,
}
"""The published betting correlations (Blackjack Review's encyclopedia, QFIT)."""


def test_the_tags_are_those_of_another_source() -> None:
    assert set(systems.published()) == set(ELSEWHERE)
    for key, told in ELSEWHERE.items():
        tags = systems.published()[key].colourless.tags
        assert [Fraction(tag, 2) for tag in tags] == [Fraction(one) for one in told.split()], key


def test_a_whole_pack_sums_to_nothing_where_a_system_is_balanced() -> None:
    surplus = {key: one.surplus / 2 for key, one in systems.published().items() if one.surplus}
    assert surplus == {"ko": 4, "red-7": 2}


@pytest.mark.parametrize("key", CORRELATIONS)
def test_the_betting_correlation_is_the_published_one(key: str) -> None:
    with (DATA / "reference" / "effects_of_removal_player_pp.csv").open(encoding="utf-8") as opened:
        rows = [row for row in csv.DictReader(opened) if row["decks"] == "6" and row["soft17"] == "S17"]
    effects = {row["card"]: float(row["effect_percent"]) for row in rows}
    pairs = [(tag / 2, effects[rank], many) for tag, rank, many in
             zip(systems.published()[key].colourless.tags, RANKS, MANY, strict=True)]  # fmt: skip
    mean_tag, mean_effect = (sum(one[at] * one[2] for one in pairs) / 52 for at in (0, 1))
    moved = [(tag - mean_tag, effect - mean_effect, many) for tag, effect, many in pairs]
    both = sum(tag * effect * many for tag, effect, many in moved)
    squares = sum(tag**2 * many for tag, _, many in moved) * sum(effect**2 * many for _, effect, many in moved)
    assert both / squares**0.5 == pytest.approx(CORRELATIONS[key], abs=0.02)


@pytest.mark.parametrize(("decks", "ko", "red"), [(1, 0, -2), (2, -4, -4), (6, -20, -12), (8, -28, -16)])
def test_unbalanced_counts_begin_where_their_books_say(decks: int, ko: int, red: int) -> None:
    rules = with_(SIX, {"decks": decks, "cut_card_left": 26})
    begun = [counter(key, rules).begin for key in ("ko", "red-7")]
    assert begun == [ko, red]


def counter(key: str, rules: RuleSet = SIX, conversion: Conversion | None = None) -> Counting:
    """A counter by a published system."""
    system = systems.published()[key]
    return counting(rules, system, conversion or usual(system), FLAT_RAMP)


@pytest.mark.parametrize("name", ["american-6d", "casino", "home", "leaflet", "british", "faceup"])
@pytest.mark.parametrize("key", sorted(ELSEWHERE))
def test_a_whole_shoe_brings_the_count_to_its_surplus(name: str, key: str) -> None:
    rules, system = preset(name).rules, systems.published()[key]
    found = counter(key, rules)
    scale = 2 if any(tag % 2 for tag in system.tags) else 1
    many = [kind.many for kind in lookup.kinds(rules)]
    for kind in red_kinds(rules, system):
        many[kind] //= 2
        many.append(many[kind])
    total = sum(int(tag) * cards for tag, cards in zip(found.tags, many, strict=True))
    assert total * 2 == system.surplus * scale


# --- true counts: case SI-08 ----------------------------------------------------------------------------------------

EXACT = Conversion(1, FLOOR)


def test_SI_08_the_true_count_divides_by_what_is_unseen() -> None:
    found = counter("hi-lo")
    for seen in (0, 51, 52, 156, 260, 311):
        for running in (6, -6, 0):
            exact = Fraction(running) / (Fraction(312 - seen) / 52)
            assert Fraction(running * found.unit, int(found.parts[312 - seen])) == exact
    assert 6 * found.unit / found.parts[1] == 312


def test_SI_08_nothing_is_divided_by_nothing() -> None:
    for grain in (0, 1, 13, 26, 52):
        found = counter("hi-lo", conversion=Conversion(grain, FLOOR))
        assert (found.parts > 0).all()
        assert level(found, 6, 0) <= LEVELS


def test_SI_08_nought_has_no_sign() -> None:
    for rounding in (FLOOR, TRUNCATE, NEAREST):
        for grain in (0, 1, 13, 26, 52):
            found = counter("hi-lo", conversion=Conversion(grain, rounding))
            assert all(str(level(found, 0, unseen)) == "0" for unseen in range(313))
    assert str(level(counter("hi-lo", conversion=Conversion(1, TRUNCATE)), -1, 104)) == "0"


def test_SI_08_roundings_differ_where_they_say() -> None:
    half = {name: counter("hi-lo", conversion=Conversion(1, at)) for name, at in
            {"floor": FLOOR, "truncate": TRUNCATE, "nearest": NEAREST}.items()}  # fmt: skip
    told = {(name, running): level(found, running, 104) for name, found in half.items() for running in (-3, -1, 1, 3)}
    assert [told["floor", one] for one in (-3, -1, 1, 3)] == [-2, -1, 0, 1]
    assert [told["truncate", one] for one in (-3, -1, 1, 3)] == [-1, 0, 0, 1]
    assert [told["nearest", one] for one in (-3, -1, 1, 3)] == [-1, 0, 1, 2]


@pytest.mark.parametrize(
    ("unseen", "quarters", "halves", "packs"),
    [
        (338, 26, 13, 7),  # six packs and a half
        (312, 24, 12, 6),
        (300, 23, 12, 6),
        (286, 22, 11, 6),
        (285, 22, 11, 5),
        (26, 2, 1, 1),
        (12, 1, 1, 1),
        (5, 1, 1, 1),
        (0, 1, 1, 1),
    ],
)
def test_SI_08_packs_are_estimated_to_the_nearest(unseen: int, quarters: int, halves: int, packs: int) -> None:
    rules = with_(SIX, {"decks": 8})
    for grain, wanted in ((13, quarters), (26, halves), (52, packs)):
        assert counter("hi-lo", rules, Conversion(grain, FLOOR)).parts[unseen] == wanted * grain


def test_levels_are_held_at_the_ends() -> None:
    assert [level(counter("hi-lo"), running, 2) for running in (-20, 20)] == [-LEVELS, LEVELS]


def test_half_packs_divide_where_the_book_says() -> None:
    assert level(counter("revere"), 12, 156) == 2  # six half packs
    assert level(counter("zen"), 12, 156) == 4


def test_halves_are_counted_in_whole_numbers() -> None:
    found = counter("halves")
    assert found.tags.tolist() == [-2, 1, 2, 2, 3, 2, 1, 0, -1, -2]
    assert level(found, 2 * 7 + 1, 52) == 7  # seven and a half, in one pack


def test_an_unbalanced_count_is_divided_about_its_pivot() -> None:
    """Knock-Out begins at 4 - 4 packs and says +4 at its pivot; divided, it begins at -4 packs and says 0 there."""
    found = counter("ko", conversion=EXACT)
    assert found.begin == -24
    assert level(found, found.begin, 312) == -4
    assert level(found, 0, 100) == 0


# --- systems of one's own -------------------------------------------------------------------------------------------

GOOD = """name = "Mine"
per = "running"
begin = 0.5
begin_per_pack = -1
[tags]
A = -1
2 = 0.5
3 = 1
4 = 1
5 = 1.5
6 = 1
7 = 0.5
8 = 0
9 = -0.5
10 = -1
"""


def test_a_system_of_ones_own_is_read() -> None:
    assert systems.read(GOOD, "mine.toml", "mine") == System(
        "mine", "Mine", (-2, 1, 2, 2, 3, 2, 1, 0, -1, -2), PER["running"], 1, -2, "", (-2, 1, 2, 2, 3, 2, 1, 0, -1, -2)
    )


def test_red_cards_may_count_otherwise() -> None:
    found = systems.read(GOOD + "[red]\n2 = -0.5\n7 = 1.5\n", "mine.toml", "mine")
    assert found.tags == (-2, 1, 2, 2, 3, 2, 1, 0, -1, -2)
    assert found.red == (-2, -1, 2, 2, 3, 2, 3, 0, -1, -2)
    assert found.colourless.tags == (-2, 0, 2, 2, 3, 2, 2, 0, -1, -2)
    assert red_kinds(SIX, found) == (1, 6)
    assert counting(SIX, found, usual(found), FLAT_RAMP).tags.tolist() == [-2, 1, 2, 2, 3, 2, 1, 0, -1, -2, -1, 3]


@pytest.mark.parametrize(
    ("old", "new", "code", "fact"),
    [
        ("7 = 0.5\n", "", "sim.system_missing", "7"),
        ("A = -1\n2 = 0.5\n", "", "sim.system_missing", "A"),
        ("8 = 0\n", "8 = 0\n8 = 1\n", "sim.system_toml", "overwrite"),
        ("8 = 0", "8 = 0\nJ = -1", "sim.system_rank", "mine.toml:14"),
        ("8 = 0", "8 = 0.25", "sim.system_tag", "mine.toml:13"),
        ("10 = -1", "10 = -1\n[red]\n7 = 1", "sim.system_red", "mine.toml:17"),
        ("10 = -1", "10 = -1\n[red]\nJ = 1", "sim.system_rank", "mine.toml:17"),
        ("10 = -1", "10 = -1\n[red]\n7 = nan", "sim.system_tag", "red.7"),
        ("[tags]", "red = 3\n[tags]", "sim.system_no_tags", "mine.toml:5"),
        ("8 = 0", "8 = nan", "sim.system_tag", "nan"),
        ("8 = 0", "8 = inf", "sim.system_tag", "inf"),
        ("8 = 0", "8 = true", "sim.system_tag", "True"),
        ("8 = 0", '8 = "0"', "sim.system_tag", "tags.8"),
        ("8 = 0", "8 = 1e300", "sim.system_tag", "1e+300"),
        ("8 = 0", f"8 = {10**40}", "sim.system_tag", "tags.8"),
        ("[tags]", "[tag]", "sim.system_key", "mine.toml:5"),
        ("[tags]", "[name.tags]", "sim.system_toml", "mine.toml"),
        ('"running"', '"decks"', "sim.system_per", "decks"),
        ('"running"', "3", "sim.system_per", "mine.toml:2"),
        ('"running"', '"pack"', "sim.system_begin", "mine.toml:3"),
        ('"Mine"', "7", "sim.system_text", "name"),
    ],
)
def test_a_faulty_system_is_told_with_its_place(old: str, new: str, code: str, fact: str) -> None:
    assert GOOD.count(old) == 1
    with pytest.raises(BadInput) as caught:
        systems.read(GOOD.replace(old, new), "mine.toml", "mine")
    assert caught.value.code == code
    assert fact in str(caught.value)


RED_AGAINST_BLACK = "\n".join(
    ("[tags]", *(f"{rank} = 1" for rank in RANKS), "[red]", *(f"{rank} = -1" for rank in RANKS))
)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "sim.system_no_tags"),
        ("tags = 3", "sim.system_no_tags"),
        ("[tags]\n" + "".join(f"{rank} = 0\n" for rank in RANKS), "sim.system_nothing"),
        ("[tags]\n" + "".join(f"{rank} = 1\n" for rank in RANKS), "sim.system_same"),
        (RED_AGAINST_BLACK, "sim.system_same"),
        ("a = " + "[" * 5000, "toml.too_deep"),
    ],
)
def test_what_is_no_system_is_refused(text: str, code: str) -> None:
    with pytest.raises(BadInput) as caught:
        systems.read(text, "mine.toml", "mine")
    assert caught.value.code == code


def test_a_running_count_that_begins_beyond_the_levels_is_refused() -> None:
    with pytest.raises(BadInput) as caught:
        counter("ko", with_(SIX, {"decks": 12}))
    assert caught.value.code == "sim.count_begin"
    assert counter("ko", with_(SIX, {"decks": 11})).begin == -40


@pytest.mark.parametrize("page", ["simulating.md", "es/simulacion.md"])
def test_the_manual_has_every_system_as_it_is(page: str) -> None:
    text = (Path(__file__).parent.parent.parent / "docs" / page).read_text("utf-8")
    rows = [[cell.strip(" `") for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.count("|") == 14]
    told = {row[0]: [[written(one) for one in cell.split(", ")] for cell in row[1:11]] for row in rows[2:]}
    for at in (0, -1):  # black, red
        seen = {key: tuple(cell[at] for cell in cells) for key, cells in told.items()}
        assert seen == {key: system.red if at else system.tags for key, system in systems.published().items()}
    per = {row[0]: row[11] for row in rows[2:]}
    assert len(set(per.values())) == 3
    for key, system in systems.published().items():
        assert per[key] == per[{52: "hi-lo", 26: "revere", 0: "ko"}[system.per]]


def written(cell: str) -> int:
    """A tag of the manual, in halves."""
    return int(2 * float({"½": "0.5", "−½": "-0.5", "1½": "1.5"}.get(cell, cell.replace("−", "-"))))
