"""Faults in the dealer's play."""

from __future__ import annotations

from tapete.money import units
from tapete.state import dealer_total
from tests.cases.book import AMERICAN, CASES, driven, worked
from tests.driving import play


def test_DP_01_a_dealer_who_stands_on_soft_17_stands() -> None:
    assert worked("DP-01").of().reason == "push"
    case = CASES["DP-01"]
    assert play(AMERICAN, "10", case["cards"] + " 4", case["script"], switch={"dealer_soft17": "hit"}).net < 0


def test_DP_03_a_dealer_who_hits_soft_17_stops_at_hard_17_and_at_soft_18() -> None:
    assert dealer_total(worked("DP-03").round) == 17
    soft_18 = play(AMERICAN, "10", "10 A 9 7", "stand", switch={"dealer_soft17": "hit"})
    assert soft_18.dealer == ["A", "7"]


def test_DP_05_the_dealer_draws_to_17_though_already_ahead() -> None:
    assert worked("DP-05").of().reason == "dealer_bust"


def test_DP_06_the_dealer_stands_on_18_though_behind() -> None:
    assert worked("DP-06").of().reason == "win"
    assert play(AMERICAN, "10", "A 10 J 10", "").net == units("15")


def test_DP_08_the_dealer_may_take_seven_cards() -> None:
    assert len(worked("DP-08").dealer) == 7


def test_DP_10_the_dealer_draws_nothing_once_everybody_is_bust() -> None:
    assert len(worked("DP-10").used) == CASES["DP-10"]["used"]
    always = play(AMERICAN, "10 10", CASES["DP-10"]["cards"] + " 2", "hit hit", switch={"dealer_draws": "always"})
    assert always.dealer == ["6", "10", "2"]


def test_DP_11_two_bust_split_hands_end_the_round() -> None:
    assert [one.reason for one in worked("DP-11").statements] == ["bust", "bust"]


def test_DP_13_the_dealer_draws_nothing_for_blackjacks_alone() -> None:
    assert worked("DP-13").of(1).reason == "blackjack"
    # Where a blackjack lies to the end and any open bet is drawn for, the dealer draws, and pays the same.
    drawn = play(
        AMERICAN,
        "10 10",
        CASES["DP-13"]["cards"] + " 9",
        "hit",
        switch={"bj_pay_time": "end", "dealer_draws": "if_any_bet_live"},
    )
    assert (drawn.dealer, drawn.net) == (["7", "5", "9"], driven("DP-13").net)
