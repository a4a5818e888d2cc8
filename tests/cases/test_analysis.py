"""Wrong advice and wrong values that other programs were reported to give, asked of the analyser.

Where a case names no table, it is six packs, S17, a hole card that is checked, doubling after splits. Values there are
given that the dealer has no blackjack; without a hole card they hold it.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from tapete.chart import taken_apart
from tapete.exact import analysis, counting, given
from tapete.exact.analysis import Move
from tapete.rulefile import preset
from tapete.rules import RuleSet, with_
from tests.cases.book import CASES
from tests.driving import play
from tests.exact.world import kinds, price, table

NO_HOLE: dict[str, Any] = {"dealer_deal": "no_hole", "peek": "none"}
SOFT17 = {"S17": "stand", "H17": "hit"}
DIGITS = 1e-6


def values(moves: tuple[Move, ...]) -> dict[str, float]:
    """The values of the legal moves, best first."""
    return {move.name: float(move.ev_without) for move in moves if move.ev is not None}


def asked(rules: RuleSet, hand: str, up: str, level: str = "cdz") -> dict[str, float]:
    return values(price(rules, level).moves(kinds(hand), kinds(up)))


def agrees(found: Mapping[str, float], told: Mapping[str, float]) -> None:
    """The values are those of the case, and so is their order."""
    assert {move: found[move] for move in told} == pytest.approx(told, abs=DIGITS)
    assert [move for move in found if move in told] == list(told)


@pytest.mark.parametrize("soft17", SOFT17)
def test_AN_01_eleven_against_an_ace_is_doubled_only_where_the_dealer_hits_soft_17(soft17: str) -> None:
    case = CASES["AN-01"]
    agrees(asked(table(dealer_soft17=SOFT17[soft17]), case["hand"], case["up"]), case["values"][soft17])


@pytest.mark.parametrize("soft17", SOFT17)
def test_AN_03_a_soft_18_against_a_two_is_doubled_only_where_the_dealer_hits_soft_17(soft17: str) -> None:
    case = CASES["AN-03"]
    agrees(asked(table(dealer_soft17=SOFT17[soft17]), case["hand"], case["up"]), case["values"][soft17])


def test_AN_05_sixteen_against_a_ten_is_retired_where_that_is_open_and_hit_where_not() -> None:
    case = CASES["AN-05"]
    agrees(asked(table(surrender__mode="late"), case["hand"], case["up"]), case["values"])
    assert next(iter(asked(table(), case["hand"], case["up"]))) == "hit"


@pytest.mark.parametrize("name", CASES["AN-06"]["values"])
def test_AN_06_without_a_hole_card_eleven_is_not_doubled_into_a_blackjack(name: str) -> None:
    case = CASES["AN-06"]
    seen, soft17, _, up = name.split()
    rules = table(dealer_soft17=SOFT17[soft17], **(NO_HOLE if seen == "ENHC" else {}))
    agrees(asked(rules, case["hand"], up), case["values"][name])


@pytest.mark.parametrize("cards", CASES["AN-08"]["values"])
def test_AN_08_aces_against_an_ace_without_a_hole_card_are_split_where_they_may_draw(cards: str) -> None:
    case = CASES["AN-08"]
    agrees(asked(table(split__aces_cards=cards, **NO_HOLE), case["hand"], case["up"]), case["values"][cards])


def test_AN_10_the_three_fifteens_against_a_ten_of_one_pack_are_told_apart() -> None:
    case = CASES["AN-10"]
    rules, weighed, chances = table(decks=1, surrender__mode="late"), 0.0, 0.0
    for hand, told in case["hit"].items():
        found = asked(rules, hand, case["up"])
        assert found["hit"] == pytest.approx(told, abs=DIGITS)
        assert next(iter(found)) == ("retire" if told < -0.5 else "hit"), hand
        chance = _without_blackjack(rules, kinds(hand), kinds(case["up"])[0])
        weighed, chances = weighed + chance * found["hit"], chances + chance
    assert weighed / chances == pytest.approx(case["weighed"], abs=DIGITS)


def _without_blackjack(rules: RuleSet, hand: tuple[int, ...], up: int) -> float:
    """The chance of a hand and an up card behind which no blackjack is."""
    left = list(counting.full(rules))
    chance = 2.0
    for kind in (*hand, up):
        chance *= left[kind] / sum(left)
        left[kind] -= 1
    return chance * (1 - left[{0: 9, 9: 0}[up]] / sum(left))


def test_AN_11_sixteens_against_a_ten_of_one_pack_are_hit_or_stood_on_card_by_card() -> None:
    case = CASES["AN-11"]
    for move in ("hit", "stand"):
        for hand in case[move]:
            assert next(iter(asked(table(decks=1), hand, case["up"]))) == move, hand
    for hand, told in case["values"].items():
        found = asked(table(decks=1), hand, case["up"])
        assert {move: found[move] for move in told} == pytest.approx(told, abs=DIGITS)


def test_AN_13_a_soft_18_against_an_ace_is_stood_on_with_one_pack_alone() -> None:
    case = CASES["AN-13"]
    for decks, told in case["values"].items():
        agrees(asked(table(decks=int(decks)), case["hand"], case["up"]), told)
    endless = price(table(), shoe=counting.endless(table())).moves(kinds(case["hand"]), kinds(case["up"]))
    found = {move.name: move.ev for move in endless if move.name in case["endless"]}
    assert found == pytest.approx(case["endless"], abs=6e-5)
    assert list(found) == list(case["endless"])


@pytest.mark.parametrize("pays", [(3, 2), (6, 5)])
def test_AN_15_even_money_is_more_than_a_blackjack_that_pays_six_to_five_and_less_than_one_at_three_to_two(
    pays: tuple[int, int],
) -> None:
    case = CASES["AN-15"]
    rules = table(decks=1, bj_pays=pays, insurance__who="bj_holder")
    moves = {move.name: move.ev for move in price(rules).moves(kinds(case["hand"]), kinds(case["up"]))}
    won, of = case["keep"][f"{pays[0]}:{pays[1]}"]
    assert moves["stand"] == pytest.approx(won / of, abs=1e-14)
    assert (moves["stand"] < 1) == (pays == (6, 5))
    # Insurance for half the stake is even money at three to two, and loses in the mean whatever the blackjack pays.
    assert moves["insure"] == pytest.approx(0.5 * (2 * 15 - 34) / 49, abs=1e-14)
    if pays == (3, 2):
        assert moves["stand"] + moves["insure"] == pytest.approx(1, abs=1e-14)


def test_AN_16_an_insured_blackjack_has_no_variance() -> None:
    case = CASES["AN-16"]
    rules = table(insurance__who="any")
    shoe = (6, 4, 4, 4, 4, 4, 4, 4, 2, 18)  # beside the three cards, a third of what is left are tens
    left = sum(shoe) - 3
    assert left == 3 * (shoe[9] - 1)
    moves = {move.name: move.ev for move in analysis.decision(rules, kinds(case["hand"]), (0,), shoe=shoe)}
    assert (moves["stand"], moves["insure"]) == pytest.approx((case["mean"], 0), abs=1e-14)
    ends = {
        (hole, insured): play(rules, "10", f"A A K {hole}", "insure=5" if insured else "").net / 1000
        for hole in ("Q", "9") for insured in (False, True)
    }  # fmt: skip
    variances = [(ends["Q", insured] - 1) ** 2 / 3 + (ends["9", insured] - 1) ** 2 * 2 / 3 for insured in (False, True)]
    assert variances == pytest.approx(case["variance"], abs=1e-14)


def test_AN_18_play_that_was_best_before_the_split_need_not_be_best_after_it() -> None:
    case = CASES["AN-18"]
    rules = table(decks=8, double__after_split=False, split__max_hands=2, **NO_HOLE)
    levels = {"frozen": "cdz", "two_card": "two-card", "again": "cdp1"}
    for column, level in levels.items():
        for hand, told in case[column].items():
            assert asked(rules, hand, case["up"], level)["split"] == pytest.approx(told, abs=DIGITS), (hand, level)
    for hand in case["again"]:
        best = asked(rules, hand, case["up"], "cdp")["split"]
        assert all(
            asked(rules, hand, case["up"], level)["split"] <= best + 1e-12 for level in ("td", "two-card", "cdz")
        )


@pytest.mark.parametrize("match", ["value", "rank"])
def test_AN_20_a_jack_and_a_king_are_a_twenty_whether_or_not_they_are_a_pair(match: str) -> None:
    case = CASES["AN-20"]
    rules = table(split__max_hands=2, split__match=match)
    hand = (9, 9) if match == "value" else (10, 12)
    moves = price(rules).moves(hand, kinds(case["up"]))
    found, told = values(moves), dict(case["values"])
    if match == "rank":
        assert next(move.reason for move in moves if move.name == "split") == "split.match"
        del told["split"]
    agrees(found, told)


@pytest.mark.parametrize("at", range(3))
def test_AN_21_the_best_move_changes_with_the_cards_that_are_gone_and_every_move_is_looked_at(at: int) -> None:
    spot = CASES["AN-21"]["spots"][at]
    late = {"surrender__mode": "late"} if at == 1 else {}
    rules = table(dealer_soft17="hit", **late)
    for removed, told in spot["by_removed"].items():
        shoe = [many - int(removed) * (1 <= kind <= 5) for kind, many in enumerate(counting.full(rules))]
        found = values(analysis.decision(rules, kinds(spot["hand"]), kinds(spot["up"]), shoe=shoe))
        agrees(found, told)
        assert next(iter(found)) == next(iter(told)), removed


@functools.cache
def hands(decks: int) -> list[tuple[int, ...]]:
    """Every hand of two cards and more that is not bust."""
    tree = price(table(decks=decks, split__max_hands=2)).round.counted.tables.plan.tree
    found = [tuple(np.repeat(np.arange(10), counts).tolist()) for counts in tree.counts]
    return [cards for cards in found if len(cards) > 1]


@pytest.mark.parametrize("exclude", [(), (2, 11)], ids=["any", "some"])
def test_AN_23_there_is_a_legal_move_for_every_hand_that_can_come_up(exclude: tuple[int, ...]) -> None:
    """A pair that may not be split is its total: a hard 4, a soft 12."""
    rules = table(split__max_hands=2, split__exclude=exclude)
    worth = price(rules)
    seen = 0
    for cards in hands(6):
        for up in range(10):
            best = worth.moves(cards, (up,))[0]
            assert best.ev is not None or sum(cards) + len(cards) in (11, 21), (cards, up)
            assert best.reason in ("", "closed")
            seen += 1
    assert seen > 30_000


def test_AN_23_a_chart_has_an_answer_in_every_cell() -> None:
    for name in ("casino", "faceup"):
        rules = with_(preset(name).rules, {"split.exclude": (2, 11)})
        chart = given.chart_of(price(rules, "td").round)
        letters = {letter for cells in chart.cells.values() for letter in cells}
        assert {"hard 4", "soft 12"} <= set(chart.cells)
        assert all(taken_apart(letter)[1] in ("S", "H", "D", "Ds", "P", "-", "Y") for letter in letters)
