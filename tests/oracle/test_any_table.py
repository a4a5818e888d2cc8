"""Tables drawn by lot over every switch: every order of small shoes gives the fractions that the analyser counts."""

from __future__ import annotations

import os
import random
from fractions import Fraction

import pytest

from bench import naive
from tapete.exact import counting, playing
from tapete.exact.spread import Rates, spread
from tapete.rulefile import preset
from tapete.rules import RuleSet, with_
from tests.oracle.enumeration import RanOut, enumerate_round
from tests.oracle.given import Lot, counted_round, strategy
from tests.oracle.tables import small_shoe, table

SEEDS = (0, 1, 7, 9, 13, 20, 24, 30, 34)
"""Tables of every deal, with one to four hands, ranks or tens told apart, and each way to retire and to insure."""
MORE = range(1000, 1000 + int(os.environ.get("TAPETE_ORACLE_TABLES", "0")))
"""More tables to draw; those whose cards run out within a round say nothing."""
DECIDED_AT_THE_DEAL = ("blackjack", "split", "retire", "insured")
FIGURES = with_(
    preset("casino").rules,
    {"bj_definition": "ace_with_figure", "double.totals": "any", "split.exclude": (), "back_colours": None},
)
TENS = (2, 0, 0, 0, 0, 0, 0, 0, 6, 3, 3)
"""By kind: three plain tens and three figures."""
RANKS = (*TENS[:10], 0, 0, TENS[10])


def same_fractions(rules: RuleSet, shoe: tuple[int, ...], lot: Lot) -> None:
    """Every order of the shoe gives the value, variance, money laid, rates and nets that are counted."""
    told = enumerate_round(rules, RANKS if shoe is TENS else shoe, strategy(lot, rules))
    round_ = counted_round(lot, rules, shoe)
    found = spread(round_)
    nets = dict(found.nets)
    assert playing.value(round_) == found.ev == told.ev
    assert (found.variance, found.wagered + found.insurance) == (told.variance, told.staked)
    assert sum(nets.values()) + found.beyond == 1
    for name in DECIDED_AT_THE_DEAL if found.beyond else Rates._fields:
        assert getattr(found.rates, name) == told.chance[name], name
    assert found.beyond or {net: nets.get(net, 0) for net in told.nets} == told.nets


@pytest.mark.parametrize("seed", [*SEEDS, *MORE])
def test_a_table_of_any_switches_is_counted_as_it_is_played(seed: int) -> None:
    dice = random.Random(seed)
    rules = table(dice)
    try:
        same_fractions(rules, small_shoe(dice, rules), Lot(seed))
    except RanOut:
        if seed in SEEDS:
            raise
        pytest.skip("the cards run out")


def test_a_plain_ten_beside_a_figure_is_split_to_four_hands_as_it_is_played() -> None:
    changes = {"split.max_hands": 4, "split.stake": "one_chip", "bet_min": 500, "no_hole_bj_takes": "original_only"}
    rules, lot = with_(FIGURES, {"split_21_is_bj": "all", "split.exclude": (9, 11), **changes}), Lot(2)
    told = enumerate_round(rules, RANKS, strategy(lot, rules))
    assert playing.value(counted_round(lot, rules, TENS)) == told.ev
    near = spread(counted_round(lot, rules, TENS, exact=False))
    assert (near.ev, near.variance, near.wagered + near.insurance, near.rates.split) == pytest.approx(
        (float(told.ev), float(told.variance), float(told.staked), float(told.chance["split"])), abs=1e-12
    )
    assert near.beyond > 0.01


def test_a_plain_ten_beside_a_figure_is_split_where_hands_decide_about_each_other() -> None:
    changes = {"split.max_hands": 2, "bust_scope": "all_player_bets", "split_21_is_bj": "tens"}
    same_fractions(with_(FIGURES, {"split.exclude": (9, 11), **changes}), TENS, Lot(2))


def test_a_21_that_would_have_retired_meets_a_blackjack_of_the_house_as_it_was_dealt() -> None:
    # An ace with a plain ten is no blackjack here: it ties with one, before anybody is asked to retire.
    changes = {"dealer_deal": "hole", "peek": "ace_or_ten", "bj_beats_21": False, "surrender.mode": "late"}
    rules = with_(FIGURES, {**changes, "split.max_hands": 1})
    same_fractions(rules, (2, 0, 0, 0, 0, 2, 0, 2, 0, 8), Lot(1))


def test_a_doubled_hand_goes_on_as_is_best_for_it() -> None:
    changes = {"double.draw": "no_limit", "double.cards": "any", "double.totals": "any", "insurance.who": "none"}
    rules = with_(preset("casino").rules, {**changes, "no_hole_bj_takes": "original_only"})
    shoe = (2, 2, 4, 0, 0, 2, 0, 0, 0, 4)
    best = playing.best(counting.count(rules, shoe, exact=True))
    assert playing.value(best) == naive.analyse(rules, shoe, Fraction).ev
    by_the_same_wish = best.way._replace(wish=best.way.wish % 4, after={})
    assert playing.value(playing.under(best.counted, by_the_same_wish)) < playing.value(best)
