"""The control variate: it moves no mean, and takes nearly all of chance away."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tapete.exact import counting, given
from tapete.exact.analysis import Price, analyse, price_of
from tapete.pricing import priced, strategies
from tapete.rulefile import preset
from tapete.rules import RuleSet, with_
from tapete.sim import running, world
from tapete.sim.count import LEVELS
from tapete.sim.results import Tally
from tapete.sim.setting import Setting, setting
from tests.sim.sides import drawn, played
from tests.sim.test_counter import tables

FRESH = {"shuffle": "every_round", "cut_card_left": None}


def blocks(set_: Setting, many: int, *, first: int = 0) -> list[Tally]:
    """The tallies of some blocks."""
    return [running.block(set_, 11, number) for number in range(first, first + many)]


def total(parts: list[Tally]) -> Tally:
    """Their sum."""
    found = parts[0]
    for part in parts[1:]:
        found += part
    return found


def corrections(parts: list[Tally]) -> Any:
    """The mean correction of a round, by block."""
    return np.array([one.mean - one.plain_mean for one in parts])


def deviations(found: Any) -> float:
    """By how many of its errors a mean is off nought."""
    return float(found.mean() / (found.std(ddof=1) / sqrt(len(found))))


def casino(change: dict[str, object] | None = None) -> RuleSet:
    """The casino's rules."""
    return with_(preset("casino").rules, change or {})


@pytest.mark.parametrize("name", ["casino", "leaflet", "british", "faceup", "home", "american-6d"])
def test_the_correction_alone_averages_nought(name: str) -> None:
    rules = preset(name).rules
    set_ = setting(analyse(rules, level="td").round, boxes_=2, control=True)
    parts = blocks(set_, 10)
    off = corrections(parts)
    assert off.std() > 1e-4
    assert abs(deviations(off)) < 4


@pytest.mark.parametrize(
    ("change", "level", "boxes"),
    [
        (FRESH, "td", 1),
        ({"dealer_deal": "hole", "peek": "ace_or_ten", "surrender.mode": "late", "insurance.who": "any"}, "td", 3),
        ({"split.max_hands": 4, "split.exclude": (), "no_hole_bj_takes": "one_bet"}, "cdz", 1),
        ({"dealer_draws": "always", "surrender.mode": "early", "bj_tie": "dealer"}, "td", 2),
        ({"bj_definition": "ace_with_figure", "decks": 1, "cut_card_left": 8}, "td", 4),
    ],
)
def test_the_correction_averages_nought_whichever_switch_is_thrown(
    change: dict[str, object], level: str, boxes: int
) -> None:
    set_ = setting(analyse(casino(change), level=level).round, boxes_=boxes, control=True)
    assert abs(deviations(corrections(blocks(set_, 10)))) < 4


def test_the_correction_knows_the_cards_that_are_shuffled_again_within_a_round() -> None:
    """A shoe that runs out in a round is dealt on from those of its earlier rounds: the means are over these then."""
    set_ = setting(analyse(preset("home").rules, level="td").round, boxes_=2, control=True)
    game = set_.game._replace(settings=set_.game.settings._replace(cut=len(set_.cards)))
    assert game.control is not None
    out = 0
    for seed in range(40):
        shoe = drawn(set_, seed)
        played(set_._replace(game=game), shoe, 1)
        there = shoe.cards[shoe.marks[world.PLACE] - 1 : shoe.marks[world.LIMIT]]  # and the last card drawn
        assert (game.control.left[: there.max() + 1] == np.bincount(there)).all()
        assert game.control.left.sum() == len(there)
        out += shoe.marks[world.LIMIT] < len(shoe.cards)
    assert out > 20


def test_a_wrong_correction_would_be_seen() -> None:
    """Were the card that came still among those that remain, its mean would not be nought."""
    set_ = setting(analyse(casino(), level="td").round, control=True)
    control = set_.game.control
    assert control is not None
    full = control.full.copy()
    full[0] += 2  # two aces more than there are
    wrong = set_._replace(game=set_.game._replace(control=control._replace(full=full)))
    assert abs(deviations(corrections(blocks(wrong, 10)))) > 6


def test_money_is_the_same_with_the_correction_and_without() -> None:
    round_ = analyse(preset("home").rules, level="td").round
    plain, corrected = (running.block(setting(round_, boxes_=3, control=one), 5, 2) for one in (False, True))
    assert (plain.nets == corrected.nets).all()
    assert (plain.counts == corrected.counts).all()
    assert (plain.sums[:3] == corrected.sums[:3]).all()
    assert plain.mean == pytest.approx(plain.plain_mean, abs=1e-12)
    assert corrected.plain_mean == pytest.approx(plain.plain_mean, abs=1e-12)
    assert corrected.mean != corrected.plain_mean


@pytest.mark.parametrize("name", ["casino", "leaflet", "british", "faceup", "home", "american-6d"])
def test_a_fresh_shoe_comes_to_what_the_analyser_counts(name: str) -> None:
    """At errors of about a hundred-thousandth of a bet; ``scripts/longrun.py`` does it at 3e-6 and below."""
    price = analyse(with_(preset(name).rules, FRESH), level="td")
    found = total(blocks(setting(price.round, control=True), 4))
    assert found.error < 3e-5
    assert abs(found.mean - price.ev) < 4 * found.error
    assert abs(found.plain_mean - price.ev) < 4 * found.plain_error
    assert found.plain_error / found.error > 35


def test_a_shoe_to_the_cut_card_is_ten_times_as_sure() -> None:
    set_ = setting(analyse(preset("american-6d").rules, level="td").round, control=True)
    found = total(blocks(set_, 4))
    assert (found.plain_error / found.error) ** 2 > 120
    assert abs(found.mean - found.plain_mean) < 4 * found.plain_error


def test_an_error_is_that_of_independent_shoes() -> None:
    """By the shoe: rounds of the same shoe hang together, and shoes of many rounds count for more than others."""
    rules = with_(preset("american-6d").rules, {"cut_card_left": 200})
    set_ = setting(strategies.price(priced.table("american-6d")._replace(
        preset=replace(preset("american-6d"), rules=rules)), "mimic").round, control=True)  # fmt: skip
    shoes = [played(set_, drawn(set_, seed), 1)[0] for seed in range(500)]
    found = total(shoes)
    assert found.shoes == len(shoes)
    assert len({one.rounds for one in shoes}) > 5
    for mean, told, each in (
        (found.mean, found.error, [one.mean for one in shoes]),
        (found.plain_mean, found.plain_error, [one.plain_mean for one in shoes]),
    ):
        off = sum(((one.rounds * (own - mean)) ** 2 for one, own in zip(shoes, each, strict=True)), 0.0)
        assert told == pytest.approx(sqrt(off) / found.rounds)
    # Who loses 6 of 100 loses more in a shoe of more rounds; an error that took that for chance would be far larger.
    assert found.error < 0.7 * sqrt(sum((one.rounds * one.mean) ** 2 for one in shoes)) / found.rounds


def test_an_error_is_what_means_of_blocks_scatter_by(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "BLOCK", 1 << 14)
    set_ = setting(analyse(preset("american-6d").rules, level="td").round, control=True)
    parts = blocks(set_, 250)
    for means, told in (
        ([one.mean for one in parts], total(parts).error),
        ([one.plain_mean for one in parts], total(parts).plain_error),
    ):
        scatter = np.std(means, ddof=1) / sqrt(len(parts))
        assert 0.84 < scatter / told < 1.18


def test_bets_by_the_count_are_corrected_too() -> None:
    rules = preset("american-6d").rules
    counter = tables(rules, 0, {at: max(1, min(2 * at, 12)) for at in range(-LEVELS, LEVELS + 1)}, -LEVELS, -LEVELS)
    set_ = setting(analyse(rules, level="td").round, counting=counter, control=True)
    parts = blocks(set_, 10)
    found = total(parts)
    assert abs(deviations(corrections(parts))) < 4
    assert found.plain_error / found.error > 3
    seen, there = found.by_level[:, 0], found.by_level[:, 0] > 20_000
    corrected, plain = found.level_sums[there, 0] / seen[there], found.by_level[there, 3] / seen[there]
    assert abs(corrected - plain).max() < 0.1 * found.bet
    assert np.all(np.diff(corrected / found.bet) > 0.002)  # every true count more is worth about half a per cent


def test_an_endless_shoe_is_the_infinite_pack() -> None:
    rules = casino()
    set_ = setting(analyse(rules, level="td").round, control=True, endless=True)
    found = total(blocks(set_, 3))
    told = analyse(with_(rules, FRESH), level="td", shoe=counting.endless(rules))
    assert found.error < 3e-5
    # The way is that of six packs, whose cost in an endless one is below what this many rounds can tell.
    assert abs(found.mean - told.ev) < 4 * found.error + 3e-5
    assert found.counts[world.SHOES] == found.rounds


@pytest.mark.parametrize(
    ("name", "change", "level"),
    [
        ("casino", {}, "td"),
        ("british", {}, "cdz"),
        ("faceup", {}, "td"),
        ("home", {}, "cdz"),
        ("american-6d", {"double.draw": "no_limit"}, "td"),
        (
            "casino",
            {"dealer_deal": "hole", "peek": "ace_or_ten", "surrender.mode": "late", "insurance.who": "any"},
            "td",
        ),
        ("casino", {"dealer_draws": "always", "surrender.mode": "early", "bj_tie": "dealer"}, "td"),
        ("casino", {"bj_definition": "ace_with_figure", "decks": 1}, "cdz"),
        ("faceup", {"bj_definition": "ace_with_figure", "surrender.mode": "late", "bj_beats_21": False}, "td"),
        ("home", {"surrender.mode": "early", "deal_order": "players_first", "split.match": "rank"}, "td"),
    ],
)
def test_in_a_shoe_without_end_nothing_is_left_to_chance(
    name: str, change: dict[str, object], level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There the values are exact, with two hands a box at most: every round comes to what the analyser says."""
    monkeypatch.setattr(running, "BLOCK", 1 << 16)
    rules = with_(preset(name).rules, {**FRESH, "split.max_hands": 2, **change})
    price = analyse(rules, level=level, shoe=counting.endless(rules))
    nothing_left(price)


@pytest.mark.parametrize("name", ["casino", "home", "american-6d"])
def test_nothing_is_left_to_chance_for_who_insures_either(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "BLOCK", 1 << 16)
    rules, shoe = with_(preset(name).rules, {**FRESH, "split.max_hands": 2}), counting.endless(preset(name).rules)
    chart = given.chart_of(analyse(rules, level="td", shoe=shoe).round)
    insured = replace(chart, insure=True, insure_blackjack=True)
    nothing_left(price_of(rules, insured, shoe=shoe))


def nothing_left(price: Price) -> None:
    """Every round of one box, and of two, comes to what the analyser says."""
    for boxes in (1, 2):
        found = running.block(setting(price.round, boxes_=boxes, control=True, endless=True), 3, 0)
        assert found.plain_error > 4e-3
        assert found.error < 1e-9
        assert found.mean == pytest.approx(boxes * float(price.ev), abs=1e-12)
