"""Section 8b of the reading: what holds where switches meet, paragraph by paragraph, and the invariants at its end.

R marks what the reading refuses. Presets are the start; a test says which switches it turns.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from fractions import Fraction

import pytest

from tapete import round as rounds
from tapete import rulebook
from tapete import shoe as shoes
from tapete.cards import RANKS, Card
from tapete.croupier import Croupier
from tapete.errors import Refused
from tapete.events import Asks, Dealt, Decided, Event, Over, Question
from tapete.house import NO_CARDS
from tapete.rulecheck import faults
from tapete.rulefile import FOUNDING, preset
from tapete.rules import RuleSet
from tapete.stakes import Backing, BoxStake, Lock, Statement, bank_net, laid, nets
from tapete.state import Round, dealer_count, facts, is_bust, live_bets, total_of
from tests.clauses.sitting import Sitting, splits_and_hits
from tests.clauses.telling import asked, money, offered, refused_lock, story, why_not
from tests.driving import play, table, upto


def _none() -> Card:
    raise AssertionError("no card is due")


def refused(rules: str, **switch: object) -> list[str]:
    """The codes of what is wrong with a preset after some switches are turned."""
    return [one.code for one in faults(table(rules, {key.replace("__", "."): value for key, value in switch.items()}))]


# --- 1: what a dealer blackjack is ----------------------------------------------------------------------------------

FIGURES = {"bj_definition": "ace_with_figure"}


def test_8b_1_insurance_with_both_cards_up_is_refused() -> None:
    assert refused("faceup", insurance__who="any") == ["rules.insurance_open"]


def test_8b_1_insurance_wins_by_the_tables_own_blackjack() -> None:
    assert money(play("leaflet", "10", "9 A 9 10", "insure=5 stand", switch=FIGURES)) == "1.0=-5 1.1=-10"
    assert money(play("leaflet", "10", "9 A 9 K", "insure=5 stand", switch=FIGURES)) == "1.0=+10 1.1=-10"


def test_8b_1_the_house_checks_only_where_its_own_blackjack_can_lie() -> None:
    assert "check nothing" not in story(upto("home", "10", "9 10 9 9", "keep", switch=FIGURES))
    assert "check nothing" in story(upto("home", "10", "9 K 9 9", "keep", switch=FIGURES))


def test_8b_1_a_blackjack_waits_only_for_a_blackjack_that_can_still_come() -> None:
    assert money(upto("british", "10 10", "9 A 10 9 K", switch=FIGURES)) == "2.1=+15"
    assert money(upto("british", "10 10", "9 A J 9 K", switch=FIGURES)) == ""


# --- 2: retiring ----------------------------------------------------------------------------------------------------

LATE = {"surrender.mode": "late"}
EARLY = {"surrender.mode": "early"}


def test_8b_2_retired_early_the_second_half_is_safe_with_one_dealer_card_too() -> None:
    told = story(play("casino", "10 10", "10 9 K 6 9 A", "1:retire 2:stand", switch=EARLY))
    assert told[5:] == ["1.1 retire", "1.1=-5", "2.1 keep", "2.1 stand", "D<A", "2.1=-10"]


def test_8b_2_late_is_asked_after_the_check() -> None:
    opened = upto("home", "10", "10 K 6 9", switch=LATE)
    assert (asked(opened).kind, story(opened)[-1]) == ("retire", "check nothing")


def test_8b_2_late_without_a_check_a_dealer_blackjack_takes_the_rest() -> None:
    assert money(play("casino", "10", "10 K 6 A", "retire", switch=LATE)) == "1.1=-10"


def test_8b_2_late_without_a_check_the_bet_lives_until_the_second_card_and_no_longer() -> None:
    played = play("casino", "10", "10 K 6 5", "retire", switch=LATE)
    assert story(played)[3:] == ["1.1 retire", "D<5", "1.1=-5"]


def test_8b_2_late_against_a_card_that_makes_no_blackjack_is_settled_at_once() -> None:
    assert story(play("casino", "10", "10 9 6", "retire", switch=LATE))[3:] == ["1.1 retire", "1.1=-5"]


def test_8b_2_late_under_a_ten_where_only_aces_are_checked_the_rest_can_still_be_taken() -> None:
    ace_only = {**LATE, "peek": "ace"}
    assert money(play("home", "10", "10 K 6 A", "retire", switch=ace_only)) == "1.1=-10"
    assert money(play("home", "10", "10 A 6 9", "no_insurance retire", switch=ace_only)) == "1.1=-5"


def test_8b_2_late_first_action_without_a_check_lives_until_the_second_card_too() -> None:
    turn = {**LATE, "surrender.window": "first_action"}
    assert money(play("casino", "10 10", "10 9 K 6 9 A", "1:retire 2:stand", switch=turn)) == "2.1=-10 1.1=-10"
    assert money(play("casino", "10 10", "10 9 K 6 9 9", "1:retire 2:stand", switch=turn)) == "1.1=-5 2.1=-10"


def test_8b_2_early_in_the_turn_and_a_check_are_refused() -> None:
    assert refused("home", surrender__window="first_action") == ["rules.early_after_check"]
    unchecked = {"surrender.window": "first_action", "peek": "none"}
    assert money(play("home", "10", "10 A 6 K", "no_insurance retire", switch=unchecked)) == "1.1=-5"


@pytest.mark.parametrize("mode", [EARLY, LATE])
def test_8b_2_with_both_cards_up_a_dealer_blackjack_ends_the_round_before_anyone_retires(
    mode: dict[str, object],
) -> None:
    assert money(play("faceup", "10", "10 A 6 K", switch=mode)) == "1.1=-10"
    assert money(play("faceup", "10", "10 A 6 5", "retire", switch=mode)) == "1.1=-5"


def test_8b_2_backers_bets_on_a_retired_hand_are_halved_too() -> None:
    assert money(play("leaflet", "10+Eva=3", "10 9 6", "retire", switch=EARLY)) == "1.1=-5 1.1@Eva=-1.5"


def test_8b_2_retiring_blind_comes_before_any_card_of_the_dealer() -> None:
    blind = {"deal_order": "players_first"}
    played = play("home", "10 10", "10 9 6 8 A K", "1:retire 2:keep", switch=blind)
    assert story(played)[4:8] == ["1.1 retire", "1.1=-5", "2.1 keep", "D<A"]
    assert money(played) == "1.1=-5 2.1=-10"


# --- 3: split aces --------------------------------------------------------------------------------------------------

ONE_RESPLIT = {"split.aces_resplit": True, "split.max_hands": 4}


def test_8b_3_doubling_a_split_ace_that_takes_one_card_is_refused() -> None:
    assert refused("casino", double__after_split_aces=True) == ["rules.ace_double_needs_cards"]


def test_8b_3_a_one_card_ace_that_meets_an_ace_may_split_again_and_nothing_else() -> None:
    opened = upto("casino", "10", "A 7 A A 5", "split", switch=ONE_RESPLIT)
    assert offered(opened) == {"split", "stand"}


def test_8b_3_one_card_aces_split_up_to_the_maximum_and_then_close() -> None:
    cards = "A 7 A A 5 A 2 A 3 10"
    played = play("casino", "10", cards, "split 1.1:split 1.1:split", switch=ONE_RESPLIT)
    assert [played.cards(1, hand) for hand in (1, 2, 3, 4)] == [["A", "A"], ["A", "3"], ["A", "2"], ["A", "5"]]


def test_8b_3_an_ace_excluded_from_splitting_is_written_11() -> None:
    assert why_not(upto("casino", "10", "A 7 A", switch={"split.exclude": (11,)}), "split") == "split.exclude"
    assert why_not(upto("casino", "10", "8 7 8", switch={"split.exclude": (11,)}), "split") == ""


# --- 4: one chip ----------------------------------------------------------------------------------------------------

ONE_CHIP = {"split.stake": "one_chip"}


def test_8b_4_the_chip_is_the_unit_of_the_table() -> None:
    unit = {**ONE_CHIP, "unit": 500, "bet_min": 500}
    assert money(play("home", "20", "8 9 8 8 10 2", "split stand stand", switch=unit)) == "1.1=+20 1.2=-5"


def test_8b_4_a_double_adds_the_hands_own_stake() -> None:
    played = play("home", "10", "8 9 8 8 3 2 10 9", "split 1.1:double 1.2:double", switch=ONE_CHIP)
    assert money(played) == "1.1=+20 1.2=+2"


def test_8b_4_a_pair_split_from_the_chip_takes_one_chip_more() -> None:
    cards, script = "8 9 8 8 2 8 3 10", "split 1.1:stand 1.2:split 1.2:stand 1.3:stand"
    assert money(play("home", "10", cards, script, switch=ONE_CHIP)) == "1.1=-10 1.2=-1 1.3=+1"


def test_8b_4_each_backer_who_matches_adds_one_chip_too() -> None:
    script = "split Eva@match Leo@stay stand stand"
    played = play("leaflet", "10+Eva=4+Leo=6", "8 7 8 10 10 10", script, switch=ONE_CHIP)
    assert money(played) == "1.1=+10 1.1@Eva=+4 1.1@Leo=+6 1.2=+1 1.2@Eva=+1"


# --- 5: when a blackjack is paid ------------------------------------------------------------------------------------


def test_8b_5_interim_pays_where_the_check_has_found_nothing() -> None:
    opened = upto("home", "10 10", "9 A K 9 K 9", "1:keep", switch={"bj_pay_time": "interim"})
    assert story(opened)[-2:] == ["check nothing", "2.1=+15"]


@pytest.mark.parametrize("tie", ["push", "player", "dealer"])
def test_8b_5_interim_waits_for_a_possible_blackjack_whatever_a_tie_brings(tie: str) -> None:
    assert money(upto("british", "10 10", "9 A K 9 K", switch={"bj_tie": tie})) == ""
    assert money(upto("british", "10 10", "9 A 9 9 K", switch={"bj_tie": tie})) == "2.1=+15"


def test_8b_5_paying_on_the_deal_without_both_cards_up_is_refused() -> None:
    assert refused("home", bj_pay_time="on_deal") == ["rules.on_deal_closed"]
    assert refused("faceup", bj_pay_time="interim") == ["rules.interim_open"]


def test_8b_5_paying_a_blackjack_early_that_a_21_may_tie_is_refused() -> None:
    assert refused("british", bj_beats_21=False) == ["rules.paid_too_soon"]
    assert refused("faceup", bj_beats_21=False) == ["rules.paid_too_soon"]


def test_8b_5_until_decided_stops_at_the_second_card_only_if_a_21_cannot_tie() -> None:
    at_end = {"bj_pay_time": "end"}
    assert play("british", "10", "A 10 K 5", switch=at_end).dealer == ["10", "5"]
    assert play("british", "10", "A 6 K 5", switch=at_end).dealer == ["6", "5"]
    ties = play("british", "10", "A 10 K 5 6", switch={**at_end, "bj_beats_21": False})
    assert (ties.dealer, money(ties)) == (["10", "5", "6"], "1.1=0")


# --- 6: blackjack as an ordinary 21 ---------------------------------------------------------------------------------

POINTS = {"bj_beats_21": False}


@pytest.mark.parametrize(("tie", "mine", "his"), [("push", "1.1=0", "1.1=0"), ("dealer", "1.1=-10", "1.1=-10")])
def test_8b_6_blackjack_against_another_21_follows_the_tie_on_either_side(tie: str, mine: str, his: str) -> None:
    assert money(play("casino", "10", "A 7 K 7 7", switch={**POINTS, "tie": tie})) == mine
    assert money(play("casino", "10", "10 K 5 6 A", "hit", switch={**POINTS, "tie": tie})) == his


def test_8b_6_it_still_beats_a_lower_total_at_its_own_rate() -> None:
    assert money(play("casino", "10", "A 10 K 10", switch=POINTS)) == "1.1=+15"


def test_8b_6_blackjack_against_blackjack_keeps_its_own_rule() -> None:
    both = {**POINTS, "tie": "dealer", "bj_tie": "push"}
    assert money(play("casino", "10", "A K Q A", switch=both)) == "1.1=0"


def test_8b_6_a_dealer_blackjack_found_by_the_check_still_ends_the_round() -> None:
    assert story(play("home", "10", "10 A 9 K", switch=POINTS))[-2:] == ["turned K", "1.1=-10"]


@pytest.mark.parametrize(("tie", "won"), [("player", "1.1=+12"), ("dealer", "1.1=-10"), ("push", "1.1=0")])
def test_8b_6_a_tie_of_blackjacks_pays_the_tables_rate_or_takes_the_stake_or_is_void(tie: str, won: str) -> None:
    assert money(play("casino", "10", "A K Q A", switch={"bj_tie": tie, "bj_pays": (6, 5)})) == won


# --- 7: an open insurance is an open bet ----------------------------------------------------------------------------


def test_8b_7_the_insurance_of_a_bust_hand_forces_one_card_and_the_dealer_stops() -> None:
    played = play("casino", "10", "10 A 6 10 5", "insure=5 hit")
    assert story(played)[4:] == ["1.1 hit", "1.1<10", "1.1=-10", "D<5", "1.0=-5"]


def test_8b_7_the_insurance_of_a_bust_hand_is_won_against_a_blackjack() -> None:
    assert money(play("casino", "10", "10 A 6 10 K", "insure=5 hit")) == "1.1=-10 1.0=+10"


def test_8b_7_he_draws_on_while_another_hand_is_open() -> None:
    played = play("casino", "10 10", "10 10 A 6 9 10 2 6", "1:insure=5 1:hit 2:stand")
    assert (played.dealer, money(played)) == (["A", "2", "6"], "1.1=-10 1.0=-5 2.1=0")


def test_8b_7_under_a_hole_card_that_is_not_checked_it_is_settled_when_that_is_turned() -> None:
    played = play("home", "10", "10 A 6 5 10", "insure=5 hit", switch={"peek": "none"})
    assert story(played)[-3:] == ["1.1=-10", "turned 5", "1.0=-5"]


# --- 8: forced play -------------------------------------------------------------------------------------------------


def test_8b_8_a_hand_that_beats_the_standing_dealer_closes_before_anything_is_offered() -> None:
    assert money(play("faceup", "10", "9 10 9 7")) == "1.1=+10"
    assert money(play("faceup", "10", "9 10 9 7", switch={"double.totals": "any"})) == "1.1=+10"


def test_8b_8_21_closes_even_where_a_card_on_21_is_allowed() -> None:
    assert money(play("faceup", "10", "10 K 5 9 6", switch={"hit_21": "allowed"})) == "1.1=+10"
    assert offered(upto("faceup", "10", "10 5 5 6 6", "hit", switch={"hit_21": "allowed"})) == {"hit", "stand"}


def test_8b_8_21_closes_even_if_it_only_ties_a_standing_21() -> None:
    both = {**FIGURES, "hit_21": "allowed"}
    assert money(play("faceup", "10", "10 A 5 10 6", switch=both)) == "1.1=-10"


@pytest.mark.parametrize("tie", ["dealer", "push"])
def test_8b_8_ties_are_drawn_through_whatever_a_tie_brings(tie: str) -> None:
    assert money(play("faceup", "10", "10 K 9 9 5", switch={"tie": tie})) == "1.1=-10"


def test_8b_8_a_split_ace_or_a_doubled_hand_takes_its_one_card_and_no_more() -> None:
    assert money(play("faceup", "10", "A K A 8 2 9", "split")) == "1.1=-10 1.2=+10"
    assert money(play("faceup", "10", "6 10 5 8 6", "double")) == "1.1=-20"


def test_8b_8_a_one_card_ace_that_may_split_again_may_also_stand_below_the_dealer() -> None:
    opened = upto("faceup", "10", "A K A 8 A 5", "split", switch={"split.aces_resplit": True})
    assert offered(opened) == {"split", "stand"}


def test_8b_8_each_hand_of_a_split_is_forced_on_its_own() -> None:
    assert offered(upto("faceup", "10", "8 K 8 8")) == {"hit", "split"}
    played = play("faceup", "10", "8 K 8 8 10 3 2 5 3", "split 1.2:hit")
    assert [played.of(1, hand).total for hand in (1, 2)] == [20, 19]


# --- 9: a split hand that counts as a blackjack ---------------------------------------------------------------------

SPLIT_BJ = {"split_21_is_bj": "all"}


def test_8b_9_it_closes_and_cannot_double() -> None:
    assert asked(upto("home", "10", "A 9 A 7 K 5", "keep split", switch=SPLIT_BJ), hand=2).kind == "turn"
    assert "double" in offered(upto("home", "10", "A 9 A 7 K 5", "keep split"), hand=1)


def test_8b_9_it_is_paid_its_rate_on_its_own_stake() -> None:
    both = {**SPLIT_BJ, **ONE_CHIP}
    assert money(play("home", "10", "A 9 A 8 5 K", "split stand", switch=both)) == "1.1=-10 1.2=+1.5"


@pytest.mark.parametrize(("tie", "won"), [("push", "1.1=0 1.2=-10"), ("player", "1.1=+15 1.2=-10")])
def test_8b_9_it_meets_a_dealer_blackjack_as_blackjacks_do(tie: str, won: str) -> None:
    assert money(play("casino", "10", "A 10 A K 9 A", "split", switch={**SPLIT_BJ, "bj_tie": tie})) == won


def test_8b_9_it_is_settled_at_the_end_where_dealt_blackjacks_are_paid_before() -> None:
    played = play("british", "10", "A 9 A K 9 10", "split 1.2:stand", switch=SPLIT_BJ)
    assert story(played)[-3:] == ["D<10", "1.1=+15", "1.2=+10"]


def test_8b_9_it_is_settled_at_the_end_also_when_the_first_box_has_retired() -> None:
    script = "1:retire 2:split 2.2:stand"
    played = play("british", "10 10", "10 A 9 6 A K 9 10", script, switch={**SPLIT_BJ, **EARLY})
    assert story(played)[-3:] == ["D<10", "2.1=+15", "2.2=+10"]


def test_8b_9_closing_at_21_comes_before_any_offer_to_double() -> None:
    opened = upto("casino", "10", "10 7 K A 5", "split", switch={"double.totals": "any"})
    assert asked(opened, hand=2).kind == "turn"


# --- 10: original bets only -----------------------------------------------------------------------------------------

ORIGINAL = {"no_hole_bj_takes": "original_only"}


def test_8b_10_only_the_stake_on_the_first_position_is_lost() -> None:
    played = play("casino", "10", "8 K 8 3 2 9 10 A", "split 1.1:double 1.2:hit 1.2:stand", switch=ORIGINAL)
    assert money(played) == "1.1=-10 1.2=0"


def test_8b_10_a_doubled_second_position_returns_whole() -> None:
    played = play("casino", "10", "8 K 8 10 3 9 A", "split 1.1:stand 1.2:double", switch=ORIGINAL)
    assert (money(played), played.of(1, 2).stake) == ("1.1=-10 1.2=0", 2000)


def test_8b_10_bust_hands_stay_lost_and_so_the_first_position_can_be_the_only_loss() -> None:
    cards = "8 K 8 8 10 K A"
    assert money(play("casino", "10", cards, "split 1.1:hit 1.2:stand", switch=ORIGINAL)) == "1.1=-10 1.2=0"
    second = play("casino", "10", "8 K 8 10 8 10 A", "split 1.1:stand 1.2:hit", switch=ORIGINAL)
    assert money(second) == "1.2=-10 1.1=-10"


def test_8b_10_a_backer_who_stayed_loses_what_rides_on_the_first_position() -> None:
    script = "split Eva@stay Leo@match 1.1:stand 1.2:stand"
    played = play("leaflet", "10+Eva=4+Leo=6", "8 K 8 10 10 A", script, switch=ORIGINAL)
    assert money(played) == "1.1=-10 1.1@Eva=-4 1.1@Leo=-6 1.2=0 1.2@Leo=0"


@pytest.mark.parametrize(("peek", "cards"), [("none", "6 A 5 K 9"), ("ace", "6 K 5 A 9")])
def test_8b_10_it_holds_for_a_hole_card_that_is_not_checked(peek: str, cards: str) -> None:
    played = play("home", "10", cards, "double", switch={**ORIGINAL, "peek": peek})
    assert money(played) == "1.1=-10"


def test_8b_10_where_no_blackjack_can_come_after_the_turns_it_is_refused() -> None:
    assert refused("home", **ORIGINAL) == ["rules.no_late_blackjack"]
    assert refused("faceup", **ORIGINAL) == ["rules.no_late_blackjack"]


# --- 11: a bust that costs everything -------------------------------------------------------------------------------

EVERYTHING = {"bust_scope": "all_player_bets"}


def test_8b_11_other_hands_other_boxes_and_insurance_go_too() -> None:
    bets, script = "1:Ana=10 2:Ana=20 3:Leo=10", "1:insure=5 2:insure=10 1:split 1.1:hit 3:stand"
    played = play("casino", bets, "8 9 9 A 8 9 9 10 10 10 7", script, switch=EVERYTHING)
    assert money(played) == "1.1=-10 1.2=-10 2.1=-20 1.0=-5 2.0=-10 3.1=0"


def test_8b_11_it_is_for_each_bettor_and_a_backer_loses_his_own_box() -> None:
    bets = "1:Ana=10+Eva=5 2:Eva=10 3:Leo=10"
    played = play("leaflet", bets, "10 9 9 10 6 9 9 10 8", "1:hit 3:stand", switch=EVERYTHING)
    assert money(played) == "1.1=-10 1.1@Eva=-5 2.1=-10 3.1=0"


def test_8b_11_a_backer_elsewhere_loses_nothing_by_the_bust_of_another() -> None:
    bets = "1:Ana=10 2:Leo=10+Eva=5"
    played = play("leaflet", bets, "10 9 10 6 9 10 8", "1:hit 2:stand", switch=EVERYTHING)
    assert money(played) == "1.1=-10 2.1=0 2.1@Eva=0"


def test_8b_11_a_hand_left_with_a_backers_money_is_played_but_not_raised() -> None:
    bets = "1:Ana=10 2:Ana=10+Eva=5"
    opened = upto("leaflet", bets, "10 6 10 6 5 10", "1:hit", switch=EVERYTHING)
    assert (offered(opened, 2), why_not(opened, "double", 2)) == ({"hit", "stand"}, "bust_scope")
    played = play("leaflet", bets, "10 6 10 6 5 10 8 7", "1:hit 2:hit 2:stand", switch=EVERYTHING)
    assert money(played) == "1.1=-10 2.1=-10 2.1@Eva=+5"


def test_8b_11_a_hand_left_without_money_is_not_played() -> None:
    played = play("casino", "1:Ana=10 2:Ana=10", "10 9 7 6 9 10", "1:hit", switch=EVERYTHING)
    assert (played.dealer, money(played)) == (["7"], "1.1=-10 2.1=-10")


# --- 12: the order of settlement ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("order", "boxes"), [("right_to_left", "2 1"), ("left_to_right", "1 2")])
def test_8b_12_boxes_in_the_tables_order_hands_by_position_the_holder_first(order: str, boxes: str) -> None:
    bets = "10+Eva=5+Leo=6 10+Leo=3+Eva=2"
    script = "1:split 1:Leo@match 1:Eva@match 1.1:stand 1.2:stand 2:stand"
    played = play("leaflet", bets, "8 10 10 8 9 10 10 8", script, switch={"settle_order": order})
    of = {"1": ["1.1", "1.1@Eva", "1.1@Leo", "1.2", "1.2@Eva", "1.2@Leo"], "2": ["2.1", "2.1@Leo", "2.1@Eva"]}
    assert [word.partition("=")[0] for word in money(played).split()] == [
        one for box in boxes.split() for one in of[box]
    ]


@pytest.mark.parametrize(
    ("order", "told"), [("right_to_left", "2.0 1.0 2.1 1.1"), ("left_to_right", "1.0 2.0 1.1 2.1")]
)
def test_8b_12_insurances_in_the_same_order_of_boxes(order: str, told: str) -> None:
    script = "2:insure=5 1:insure=5 1:stand 2:stand"
    played = play("leaflet", "10 10", "9 9 A 9 9 K", script, switch={"settle_order": order})
    assert [word.partition("=")[0] for word in money(played).split()] == told.split()


# --- 13: stakes and maximum -----------------------------------------------------------------------------------------


def test_8b_13_the_holder_comes_first_and_then_whoever_came_first() -> None:
    taken = play("leaflet", "900+Eva=60+Leo=40", "10 10 9 8", "stand")
    assert len(taken.statements) == 3
    full = refused_lock("leaflet", "900+Eva=60+Leo=41")
    assert (full.code, full.facts["bettor"]) == ("lock.box_full", "Leo")


def test_8b_13_a_holder_cannot_raise_into_room_that_a_backer_has_taken() -> None:
    sitting = Sitting("leaflet", boxes=2)
    sitting.agrees(1, "P2")
    with pytest.raises(Refused) as first:
        sitting.bets("P2", 1, 5)
    sitting.bets("P1", 1, 900)
    sitting.bets("P2", 1, 60)
    with pytest.raises(Refused) as full:
        sitting.bets("P1", 1, 950)
    assert [one.value.facts["reason"] for one in (first, full)] == ["holder_first", "box_full"]


def test_8b_13_the_maximum_is_looked_at_when_bets_are_locked_and_not_at_a_double() -> None:
    played = play("leaflet", "900+Eva=100", "6 7 5 10 10", "double Eva@match")
    assert money(played) == "1.1=+1800 1.1@Eva=+200"


def test_8b_13_stakes_are_multiples_of_the_unit_and_insurances_of_half_of_it() -> None:
    five = {"unit": 500, "bet_min": 500}
    assert refused_lock("casino", "12", **five).facts["reason"] == "unit"
    played = play("casino", "15", "9 A 9 9", "!insure=4 insure=7.5 stand", switch=five)
    assert (played.reasons, money(played)) == (["round.amount"], "1.0=-7.5 1.1=-15")


def test_8b_13_exactly_half_of_an_odd_stake_may_be_insured() -> None:
    question = asked(upto("british", "7", "A A K"))
    assert (question.least, question.most) == (350, 350)


# --- 14: backers ----------------------------------------------------------------------------------------------------


def test_8b_14_a_backer_matches_all_of_a_double_or_nothing() -> None:
    opened = upto("leaflet", "10+Eva=4", "6 7 5", "double")
    question = asked(opened)
    assert (question.kind, question.bettor, question.most, question.move) == ("follow", "Eva", 400, "double")
    with pytest.raises(Refused, match=r"round\.amount"):
        rounds.apply(opened.round, Decided(1, 1, "match", 200, "Eva"))


def test_8b_14_a_backer_without_the_funds_stays_and_is_not_asked() -> None:
    played = play("leaflet", "10+Eva=4", "6 7 5 10 10", "double", spare={"Eva": "3"})
    assert ("1.1@Eva stay" in story(played), money(played)) == (False, "1.1=+20 1.1@Eva=+4")


def test_8b_14_mirrored_money_without_the_funds_stays() -> None:
    mirror = {"bet_behind.follow": "mirror"}
    played = play("leaflet", "10+Eva=4+Leo=4", "6 7 5 10 10", "double", switch=mirror, spare={"Eva": "3"})
    assert money(played) == "1.1=+20 1.1@Eva=+4 1.1@Leo=+8"


def test_8b_14_money_that_stays_rides_on_the_first_position_and_has_no_say_on_the_second() -> None:
    cards = "8 7 8 3 3 10 10 10"
    script = "split Eva@stay 1.1:double Eva@match 1.2:double"
    assert money(play("leaflet", "10+Eva=4", cards, script)) == "1.1=+20 1.1@Eva=+8 1.2=+20"


def test_8b_14_money_that_joined_the_second_hand_may_follow_its_double() -> None:
    script = "split Eva@match 1.1:stand 1.2:double Eva@match"
    assert money(play("leaflet", "10+Eva=4", "8 7 8 10 3 10 10", script)) == "1.1=+10 1.1@Eva=+4 1.2=+20 1.2@Eva=+8"


def test_8b_14_money_that_stayed_is_asked_again_when_its_hand_splits_again() -> None:
    cards, script = "8 7 8 8 10 10 10 10", "split Eva@stay 1.1:split Eva@match 1.1:stand 1.2:stand 1.3:stand"
    played = play("leaflet", "10+Eva=4", cards, script, switch={"split.max_hands": 3})
    assert money(played) == "1.1=+10 1.1@Eva=+4 1.2=+10 1.2@Eva=+4 1.3=+10"


def test_8b_14_backers_may_answer_in_any_order_for_the_same_money() -> None:
    said = ("Eva@match", "Leo@stay", "Pau@match")
    played = [
        money(play("leaflet", "10+Eva=4+Leo=6+Pau=2", "6 7 5 10 10", f"double {' '.join(order)}"))
        for order in itertools.permutations(said)
    ]
    assert set(played) == {"1.1=+20 1.1@Eva=+8 1.1@Leo=+6 1.1@Pau=+4"}


def test_8b_14_nobody_backs_an_empty_box() -> None:
    behind = Lock((BoxStake(1, "P1", 0, (Backing("Eva", 500, consent=True),)),), (("P1", 0), ("Eva", 0)))
    assert refused_lock("leaflet", behind).facts["reason"] == "not_positive"


# --- 15: the count of hands -----------------------------------------------------------------------------------------


def test_8b_15_a_bust_hand_counts_among_the_hands_of_a_box() -> None:
    cards, script = "8 9 8 7 8 8 10 10 10", "keep split 1.1:split 1.1:hit 1.2:stand"
    three = upto("home", "10", cards, script, switch={"split.max_hands": 3})
    assert is_bust(three.hand(1, 1))
    assert why_not(three, "split", hand=3) == "split.max_hands"
    assert "split" in offered(upto("home", "10", cards, script), hand=3)


# --- 16: packs and a shoe that runs out -----------------------------------------------------------------------------


def test_8b_16_the_back_colours_add_up_to_the_packs_or_are_not_stated() -> None:
    assert refused("leaflet", decks=8) == ["rules.backs"]
    assert refused("leaflet", decks=8, back_colours=None) == []


def test_8b_16_a_shoe_that_runs_out_gets_its_discards_back_and_not_the_cards_in_play() -> None:
    rules = table("home", {"decks": 1, "cut_card_left": 1})
    shoe = shoes.load(shoes.canonical(rules), rules=rules)
    for _ in range(40):
        shoe = shoe.deal()[1]
    shoe = shoe.discard(gone := shoe.in_play)
    for _ in range(12):
        shoe = shoe.deal()[1]
    assert shoe.must_reshuffle
    again = shoe.reshuffled(gone[::-1])
    assert (again.order, again.in_play, again.needs_shuffle) == (gone[::-1], shoe.in_play, True)


def test_8b_16_cards_on_the_table_are_not_dealt_a_second_time_in_a_round() -> None:
    sitting = Sitting("home", boxes=4, decks=1, cut_card_left=1, split__max_hands=1)
    for _ in range(40):
        played = sitting.plays(splits_and_hits)
        assert len(set(played)) == len(played)
    assert sitting.reshuffles


def test_8b_16_if_no_card_is_left_anywhere_the_round_is_void() -> None:
    sitting = Sitting("home", boxes=7, decks=1, cut_card_left=1)
    while sitting.table.round is None or not sitting.table.round.cause:
        sitting.plays(splits_and_hits)
    assert sitting.table.round.cause == NO_CARDS
    assert {one.net for one in sitting.table.round.statements} == {0}


# --- 17: time-outs --------------------------------------------------------------------------------------------------


def test_8b_17_what_the_clock_says_does_what_the_player_would_have_done() -> None:
    player = clock = upto("home", "10", "10 A 6 9").round
    for action in ("keep", "no_insurance"):
        player = rounds.apply(player, Decided(1, 1, action))
        clock = rounds.apply(clock, Decided(1, 1, action, by="clock"))
        while (due := Croupier(_none).serve(player)) is not None:
            player, clock = rounds.apply(player, due), rounds.apply(clock, due)
    assert player == clock


def test_8b_17_every_question_has_an_answer_for_one_who_says_nothing() -> None:
    for question in _questions():
        silent = SILENT.get(question.kind) or ("stand" if "stand" in question.legal else "hit")
        assert silent in question.legal, question


# --- the invariants, on rounds played at random at the five tables --------------------------------------------------

SILENT = {"retire": "keep", "insure": "no_insurance", "follow": "stay"}
ROUNDS = 150
"""Random rounds at each table."""


def _random_lock(rules: RuleSet, dice: random.Random) -> Lock:
    """Some boxes, backers where the table has them, and often hardly a chip beside the cloth."""
    boxes = []
    for box in range(1, rules.seats_max + 1):
        if box == 1 or dice.random() < 0.3:
            names = [name for name in ("Eva", "Leo") if rules.bet_behind.mode != "off" and dice.random() < 0.5]
            behind = tuple(Backing(name, 100 * dice.randint(1, 9), consent=True) for name in names)
            boxes.append(BoxStake(box, dice.choice(("Ana", "Pau")), 100 * dice.randint(1, 9), behind))
    draft = Lock(tuple(boxes), ())
    return Lock(draft.boxes, tuple((name, 100 * dice.choice((0, 5, 12, 500))) for name in laid(draft)))


def _answer(question: Question, dice: random.Random) -> Decided:
    splits = "split" in question.legal and dice.random() < 0.7  # else many hands would hardly be seen
    action = "split" if splits else dice.choice(question.legal)
    steps = (question.most - question.least) // question.step if action == "insure" else 0
    amount = question.least + question.step * dice.randint(0, steps) if action == "insure" else 0
    return Decided(question.box, question.hand, action, amount, question.bettor)


def _played(table_id: str, dice: random.Random, ranks: str) -> Iterator[tuple[Round, Event | None]]:
    """One random round: each state with the event that follows it, the last one with none."""
    rules = preset(table_id).rules
    cards = [one for one in shoes.canonical(rules) if one.rank in (ranks or RANKS)] * 4
    dice.shuffle(cards)
    croupier, now = Croupier(cards.pop), rounds.begin(rules, _random_lock(rules, dice))
    while not isinstance(now.waits, Over):
        event = croupier.serve(now)
        if event is None:
            assert isinstance(now.waits, Asks)
            event = _answer(dice.choice(now.waits.questions), dice)
        yield now, event
        now = rounds.apply(now, event)
    yield now, None


def _rounds(*ids: str, ranks: str = "") -> Iterator[list[tuple[Round, Event | None]]]:
    for table_id in ids or FOUNDING:
        dice = random.Random(table_id)
        for _ in range(ROUNDS):
            yield list(_played(table_id, dice, ranks))


def _questions() -> Iterator[Question]:
    for played in _rounds():
        for now, _ in played:
            if isinstance(now.waits, Asks):
                yield from now.waits.questions


def _over(*ids: str, ranks: str = "") -> Iterator[Round]:
    return (played[-1][0] for played in _rounds(*ids, ranks=ranks))


def test_inv_1_what_the_bettors_win_is_what_the_bank_loses_and_no_chip_is_made_or_lost() -> None:
    for over in _over():
        won, before, on_cloth = nets(over.statements), dict(over.lock.spare), laid(over.lock)
        assert sum(won.values()) + bank_net(over.statements) == 0
        after = {name: before[name] + on_cloth[name] + won[name] for name in over.bettors}
        assert dict(zip(over.bettors, over.spare, strict=True)) == after


def _stakes(over: Round) -> Iterator[tuple[Statement, int]]:
    """Each settled bet on a hand, with its base stake."""
    boxes = {box.number: box for box in over.boxes}
    for one in over.statements:
        if one.hand:
            bets = boxes[one.box].hands[one.hand - 1].bets
            yield one, next(bet.base for bet in bets if over.bettors[bet.bettor] == one.bettor)


def test_inv_2_a_hand_wins_or_loses_none_a_half_one_one_and_a_half_or_two_of_its_stake() -> None:
    seen = {Fraction(one.net, base) for over in _over() for one, base in _stakes(over)}
    assert seen == {Fraction(net, 2) for net in (-4, -2, -1, 0, 2, 3, 4)}


def test_inv_3_an_insurance_wins_twice_its_stake_or_loses_it() -> None:
    seen = {Fraction(one.net, one.stake) for over in _over() for one in over.statements if not one.hand}
    assert seen == {Fraction(2), Fraction(-1)}


def _open_bets(now: Round) -> list[str]:
    """What is still undecided: hands, blackjacks, insurances."""
    hands = [(box, hand) for box in now.boxes for hand in box.hands if live_bets(hand)]
    insured = any(bet.amount and not bet.settled for box in now.boxes for bet in box.insurances)
    kinds = [
        "blackjack" if rulebook.counts_as_blackjack(now.rules, facts(now, box, hand)) else "hand" for box, hand in hands
    ]
    return kinds + ["insurance"] * insured


def test_inv_4_no_card_leaves_the_shoe_once_no_bet_is_open() -> None:
    for now, event in itertools.chain.from_iterable(_rounds()):
        if isinstance(event, Dealt) and event.box == 0 and len(now.dealer) > 0 and now.dealt >= 2 * len(now.boxes) + 1:
            third = len(now.dealer) > 1
            closes = {"blackjack"} if third and now.rules.dealer_draws == "until_decided" else set()
            assert set(_open_bets(now)) - closes - ({"insurance"} if third else set())


def test_inv_5_nobody_is_offered_a_double_or_a_split_that_he_cannot_pay() -> None:
    checked = 0
    for now, event in itertools.chain.from_iterable(_rounds()):
        if isinstance(event, Decided) and isinstance(now.waits, Asks):
            for question in now.waits.questions:
                box = next(one for one in now.boxes if one.number == question.box)
                stake = box.hands[question.hand - 1].bets[0].base
                if {"double", "split"} & set(question.legal):
                    assert now.spare[box.holder] >= stake
                    checked += 1
    assert checked


def test_inv_6_no_box_has_more_hands_than_the_table_allows() -> None:
    most = {
        table_id: max(len(box.hands) for over in _over(table_id, ranks="3A8") for box in over.boxes)
        for table_id in FOUNDING
    }
    assert most == {table_id: preset(table_id).rules.split.max_hands for table_id in FOUNDING}


def test_inv_7_no_hand_stands_at_or_below_a_dealer_who_stands() -> None:
    stood = 0
    for now, event in itertools.chain.from_iterable(_rounds("faceup")):
        if isinstance(event, Decided) and event.action == "stand":
            hard, ace = dealer_count(now)
            hand = now.boxes[0].hands[event.hand - 1]
            assert rulebook.must_draw(now.rules, hard, ace=ace) or total_of(hand) > rulebook.total(hard, ace=ace)
            stood += 1
    assert stood


def test_inv_8_a_leaflet_box_never_begins_above_its_maximum() -> None:
    most = preset("leaflet").rules.bet_max or 0
    for holder, eva, leo in itertools.product((100, most // 2, most), (100, most // 2, most), (100, most // 2)):
        backers = (Backing("Eva", eva, consent=True), Backing("Leo", leo, consent=True))
        locked = Lock((BoxStake(1, "Ana", holder, backers),), (("Ana", 0), ("Eva", 0), ("Leo", 0)))
        if holder + eva + leo > most:
            assert refused_lock("leaflet", locked).code == "lock.box_full"
        else:
            assert rounds.begin(preset("leaflet").rules, locked).lock == locked
