"""The casino table (page 000), clause by clause: cards in, money and offers out."""

from __future__ import annotations

import pytest

from tapete import shoe as shoes
from tapete.rulefile import preset
from tests.clauses.sitting import Sitting
from tests.clauses.telling import asked, cards_to, money, offered, refused_lock, story, whom, why_not
from tests.driving import play, upto

RULES = preset("casino").rules

# --- the cards ------------------------------------------------------------------------------------------------------


def test_D0_01_twenty_one_beats_twenty_and_twenty_two_is_lost() -> None:
    played = play("casino", "10 10", "10 10 10 5 5 6 7 10", "1:hit 2:hit")
    assert money(played) == "2.1=-10 1.1=+10"


def test_D0_02_an_ace_is_eleven_while_that_suits_and_one_when_it_must() -> None:
    played = play("casino", "10 10", "A A 10 7 7 9 7", "1:stand 2:hit 2:stand")
    assert [played.of(1).total, played.of(2).total] == [18, 17]
    assert money(played) == "2.1=0 1.1=+10"


def test_D0_03_figures_count_ten() -> None:
    played = play("casino", "10 10 10", "J Q K 10 9 9 9 8", "stand stand stand")
    assert money(played) == "3.1=+10 2.1=+10 1.1=+10"


def test_D0_03_other_cards_count_what_they_show() -> None:
    played = play("casino", "10", "2 10 3 4 5 6 9", "hit hit hit stand")
    assert (played.of(1).total, money(played)) == (20, "1.1=+10")


def test_D0_04_a_blackjack_is_asked_nothing() -> None:
    assert list(whom(upto("casino", "10 10", "A 10 5 K 9"))) == ["turn 2"]


def test_D0_05_a_hand_that_reaches_21_is_closed_by_itself() -> None:
    assert money(play("casino", "10", "10 10 5 6 7", "hit")) == "1.1=+10"


def test_D0_06_a_bust_hand_stays_lost_although_the_dealer_busts_too() -> None:
    played = play("casino", "10 10", "10 10 6 6 8 9 10 K", "1:hit 2:stand")
    assert money(played) == "1.1=-10 2.1=+10"
    assert story(played).index("1.1=-10") < story(played).index("2.1 stand")


# --- the dealer -----------------------------------------------------------------------------------------------------


def test_D0_07_the_dealer_stands_on_17_although_it_loses() -> None:
    played = play("casino", "10", "10 10 8 7", "stand")
    assert (played.dealer, money(played)) == (["10", "7"], "1.1=+10")


def test_D0_08_the_dealer_draws_to_16_although_it_would_win() -> None:
    played = play("casino", "10", "10 10 2 6 10", "stand")
    assert (played.dealer, money(played)) == (["10", "6", "10"], "1.1=+10")


def test_D0_09_the_dealer_stands_on_soft_17() -> None:
    played = play("casino", "10", "10 A 8 6", "stand")
    assert (played.dealer, money(played)) == (["A", "6"], "1.1=+10")


def test_D0_09_of_several_aces_one_counts_eleven_as_soon_as_that_makes_17() -> None:
    assert play("casino", "10", "10 A 8 A 5", "stand").of(1).dealer == 17


def test_D0_09_a_dealer_ace_that_would_pass_21_counts_one() -> None:
    played = play("casino", "10", "10 A 8 5 10 3", "stand")
    assert (played.of(1).dealer, money(played)) == (19, "1.1=-10")


def test_D0_10_a_dealer_over_21_pays_what_is_still_on_the_cloth_and_nothing_else() -> None:
    played = play("casino", "10 10 10", "10 10 A 6 6 2 K 8 10 K", "1:hit 2:stand")
    assert money(played) == "1.1=-10 3.1=+15 2.1=+10"


def test_D0_11_the_dealer_takes_lower_hands_and_pays_higher_ones() -> None:
    assert money(play("casino", "10 10", "10 10 10 8 Q 9", "stand stand")) == "2.1=+10 1.1=-10"


def test_D0_12_equal_hands_are_void() -> None:
    played = play("casino", "10", "10 10 9 9", "stand")
    assert (money(played), played.of(1).reason) == ("1.1=0", "push")


# --- blackjack ------------------------------------------------------------------------------------------------------


def test_D0_13_an_ace_with_any_ten_is_a_blackjack() -> None:
    played = play("casino", "10 10 10 10", "A J A K 9 10 A Q A 8")
    assert money(played) == "4.1=+15 3.1=+15 2.1=+15 1.1=+15"


def test_D0_14_a_blackjack_beats_21_in_three_cards() -> None:
    assert money(play("casino", "10", "A 7 K 7 7")) == "1.1=+15"


def test_D0_14_a_dealer_blackjack_beats_21_and_ties_a_blackjack() -> None:
    played = play("casino", "10 10", "A 10 10 K 5 6 A", "2:hit")
    assert money(played) == "2.1=-10 1.1=0"


def test_D0_15_a_blackjack_is_paid_three_to_two_to_the_half_chip() -> None:
    assert money(play("casino", "7", "A 7 K 10")) == "1.1=+10.5"


# --- insurance ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("up", "kind"), [("A", "insure"), ("10", "turn"), ("9", "turn")])
def test_D0_16_insurance_is_offered_when_the_dealers_first_card_is_an_ace(up: str, kind: str) -> None:
    assert asked(upto("casino", "10", f"10 {up} 9")).kind == kind


def test_D0_17_every_box_may_insure_a_blackjack_included() -> None:
    assert list(whom(upto("casino", "10 10 10", "A 10 2 A K 9 3"))) == ["insure 1", "insure 2", "insure 3"]


def test_D0_18_insurance_is_closed_once_the_first_card_is_asked_for() -> None:
    script = "1:no_insurance 2:no_insurance 1:hit !2:insure=5 !1:insure=5 1:stand 2:stand"
    played = play("casino", "10 10", "10 10 A 2 9 3 K", script)
    assert played.reasons == ["round.not_asked", "round.not_asked"]


def test_D0_18_no_card_moves_before_the_whole_table_has_answered() -> None:
    opened = upto("casino", "10 10", "10 10 A 2 9 3 K", "1:no_insurance")
    assert list(whom(opened)) == ["insure 2"]


def test_D0_19_an_insurance_is_more_than_nothing_and_at_most_half_the_stake() -> None:
    played = play("casino", "10", "10 A 9 9", "!insure=5.5 !insure=0 insure=5 stand")
    assert played.reasons == ["round.amount", "round.amount"]
    assert played.of(1, 0).stake == 500


def test_D0_19_any_part_of_half_the_stake_insures() -> None:
    assert play("casino", "10", "10 A 9 9", "insure=0.5 stand").of(1, 0).stake == 50


def test_D0_20_insurance_pays_two_to_one_against_a_blackjack_drawn() -> None:
    assert money(play("casino", "10", "10 A 9 K", "insure=5 stand")) == "1.0=+10 1.1=-10"


def test_D0_20_otherwise_insurance_is_lost_at_the_second_card() -> None:
    played = play("casino", "10", "10 A 9 5 3", "insure=5 stand")
    assert story(played)[-4:] == ["D<5", "1.0=-5", "D<3", "1.1=0"]


# --- doubling and splitting -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("first", "second", "may"), [(5, 3, 0), (5, 4, 1), (6, 4, 1), (6, 5, 1), (8, 4, 0)])
def test_D0_21_two_cards_of_9_10_or_11_may_double_and_no_others(first: int, second: int, may: int) -> None:
    assert ("double" in offered(upto("casino", "10", f"{first} 7 {second}"))) == bool(may)


def test_D0_21_eleven_in_three_cards_may_not_double() -> None:
    assert why_not(upto("casino", "10", "2 7 3 6", "hit"), "double") == "double.cards"


def test_D0_22_a_doubled_hand_takes_one_card_for_twice_the_stake() -> None:
    played = play("casino", "10", "6 7 5 2 10", "double")
    assert (played.of(1).stake, played.of(1).total, money(played)) == (2000, 13, "1.1=-20")


def test_D0_23_two_cards_of_the_same_value_may_be_played_as_two_hands() -> None:
    played = play("casino", "10", "8 7 8 10 2 10", "split 1.1:stand 1.2:stand")
    assert (played.cards(1, 1), played.cards(1, 2)) == (["8", "10"], ["8", "2"])
    assert money(played) == "1.1=+10 1.2=-10"


def test_D0_23_cards_of_different_values_may_not_be_split() -> None:
    assert why_not(upto("casino", "10", "8 7 9"), "split") == "not_a_pair"


def test_D0_24_the_second_hand_takes_a_stake_equal_to_the_first() -> None:
    opened = upto("casino", "10", "8 7 8 10 2", "split", spare={"P1": "10"})
    assert [bet.base for hand in opened.round.boxes[0].hands for bet in hand.bets] == [1000, 1000]
    assert opened.round.spare == (0,)


def test_D0_24_whoever_lacks_the_second_stake_may_not_split() -> None:
    assert why_not(upto("casino", "10", "8 7 8", spare={"P1": "9"}), "split") == "funds"


def test_D0_25_split_aces_get_one_card_each_and_no_question() -> None:
    played = play("casino", "10", "A 7 A 2 3 10", "split")
    assert (played.cards(1, 1), played.cards(1, 2)) == (["A", "2"], ["A", "3"])
    assert money(played) == "1.1=-10 1.2=-10"


def test_D0_26_a_ten_on_a_split_ace_is_paid_even_money() -> None:
    assert money(play("casino", "10", "A 7 A K 10 10", "split")) == "1.1=+10 1.2=+10"


def test_D0_26_a_ten_on_a_split_ace_loses_to_a_blackjack_and_ties_21() -> None:
    assert money(play("casino", "10", "A 10 A K 10 A", "split")) == "1.1=-10 1.2=-10"
    assert money(play("casino", "10", "A 5 A K 10 10 6", "split")) == "1.1=0 1.2=0"


# --- where the page is silent ---------------------------------------------------------------------------------------


def test_D0_S01_six_packs_lie_in_the_shoe() -> None:
    cards = shoes.canonical(RULES)
    assert (RULES.decks, len(cards), [one.rank for one in cards].count("A")) == (6, 312, 24)


def test_D0_S02_the_shoe_goes_on_from_round_to_round_until_the_cut_card_is_out() -> None:
    sitting = Sitting("casino", boxes=7)
    while len(set(sitting.shoes)) < 2:
        before = sitting.house.shoe
        sitting.plays()
    assert before is not None
    assert (before.to_cut_card, before.cards_left <= 78) == (0, True)
    assert len(sitting.shoes) > 10


def test_D0_S03_seven_boxes_play_and_an_eighth_does_not() -> None:
    cards = "9 9 9 9 9 9 9 7 K K K K K K K 10"
    assert len(play("casino", "10 10 10 10 10 10 10", cards, "stand " * 7).statements) == 7
    assert refused_lock("casino", "8:10").code == "lock.boxes"


def test_D0_S04_bets_outside_the_limits_are_not_taken() -> None:
    reasons = [refused_lock("casino", bet).facts["reason"] for bet in ("1001", "0", "1.5")]
    assert reasons == ["bet_max", "not_positive", "unit"]
    assert refused_lock("casino", "4", bet_min=500).facts["reason"] == "bet_min"


def test_D0_S05_one_card_each_the_dealer_last_then_the_second_ones() -> None:
    assert cards_to(upto("casino", "10 10", "2 3 9 4 5")) == ["1.1", "2.1", "D", "1.1", "2.1"]


def test_D0_S06_the_dealer_has_one_card_until_the_players_have_finished() -> None:
    played = play("casino", "10", "10 9 3 6 8", "hit stand")
    assert story(played)[3:] == ["1.1 hit", "1.1<6", "1.1 stand", "D<8", "1.1=+10"]


def test_D0_S07_doubled_and_split_bets_are_all_lost_to_a_dealer_blackjack() -> None:
    played = play("casino", "10 10", "6 8 K 5 8 10 10 9 A", "double split 2.1:stand 2.2:stand")
    assert money(played) == "2.1=-10 2.2=-10 1.1=-20"


def test_D0_S08_a_hand_from_a_split_may_double() -> None:
    assert "double" in offered(upto("casino", "10", "8 7 8 3 10", "split"))


def test_D0_S09_a_pair_from_a_split_may_not_be_split_again() -> None:
    assert why_not(upto("casino", "10", "8 7 8 8 10", "split"), "split") == "split.max_hands"


def test_D0_S10_an_ace_on_a_split_ten_is_21_and_no_blackjack() -> None:
    played = play("casino", "10", "10 7 K A 9 10", "split 1.2:stand")
    assert (money(played), played.of(1, 1).reason) == ("1.1=+10 1.2=+10", "win")


def test_D0_S11_nobody_may_retire() -> None:
    assert why_not(upto("casino", "10", "10 10 6"), "retire") == "surrender.mode"


def test_D0_S12_nobody_may_bet_on_anothers_box() -> None:
    assert refused_lock("casino", "10+Eva=5").facts["reason"] == "bet_behind.mode"


def test_D0_S13_a_blackjack_is_paid_at_settlement() -> None:
    assert story(play("casino", "10", "A 7 K 10"))[-2:] == ["D<10", "1.1=+15"]


def test_D0_S14_bets_are_settled_from_the_dealers_right_to_his_left() -> None:
    played = play("casino", "10 10 10", "10 10 10 10 9 8 7 8", "stand stand stand")
    assert money(played) == "3.1=-10 2.1=0 1.1=+10"


def test_D0_S15_both_split_hands_get_their_second_card_before_the_first_is_played() -> None:
    played = play("casino", "10", "8 7 8 2 3 9 10 10", "split 1.1:hit 1.1:stand 1.2:double", spare={"P1": "20"})
    assert cards_to(played)[3:] == ["1.1", "1.2", "1.1", "1.2", "D"]


def test_D0_S16_the_dealer_draws_no_card_when_no_bet_is_left() -> None:
    played = play("casino", "10", "10 6 6 10", "hit")
    assert (played.dealer, money(played)) == (["6"], "1.1=-10")


# --- contested points -----------------------------------------------------------------------------------------------


def test_Q0_1_a_dealer_with_exactly_21_takes_lower_hands() -> None:
    assert money(play("casino", "10", "10 10 9 5 6", "stand")) == "1.1=-10"


def test_Q0_2_ace_and_eight_are_19_and_double_only_where_they_may_be_nine() -> None:
    assert why_not(upto("casino", "10", "A 7 8"), "double") == "double.totals"
    assert money(play("casino", "10", "A 7 8 10", "stand")) == "1.1=+10"
    low = play("casino", "10", "A 7 8 7 10", "double", switch={"double.soft_as_low": True})
    assert money(low) == "1.1=-20"


def test_Q0_3_ten_and_king_are_a_pair_by_value_and_none_by_rank() -> None:
    cards = "10 5 K A 7 10 6"
    assert money(play("casino", "10", cards, "split 1.2:stand")) == "1.1=0 1.2=-10"
    by_rank = play("casino", "10", "10 5 K A 10 8", "!split stand", switch={"split.match": "rank"})
    assert (by_rank.reasons, money(by_rank)) == (["split.match"], "1.1=+10")


def test_Q0_4_without_double_after_split_the_eleven_of_a_split_hand_takes_a_plain_card() -> None:
    assert money(play("casino", "10", "8 7 8 3 10 9 10", "split 1.1:double 1.2:stand")) == "1.1=+20 1.2=+10"
    plain = play(
        "casino", "10", "8 7 8 3 10 9 10", "split !1.1:double 1.1:hit 1.1:stand 1.2:stand",
        switch={"double.after_split": False},
    )  # fmt: skip
    assert (plain.reasons, money(plain)) == (["double.after_split"], "1.1=+10 1.2=+10")


def test_Q0_5_a_third_hand_comes_only_where_three_are_allowed() -> None:
    assert "split" not in offered(upto("casino", "10", "8 7 8 8 10", "split"))
    three = play(
        "casino", "10", "8 7 8 8 10 10 10 10", "split split 1.1:stand 1.2:stand 1.3:stand",
        switch={"split.max_hands": 3},
    )  # fmt: skip
    assert money(three) == "1.1=+10 1.2=+10 1.3=+10"


def test_Q0_6_a_card_on_21_can_be_taken_only_where_that_is_allowed() -> None:
    assert money(play("casino", "10", "10 10 5 6 9", "hit")) == "1.1=+10"
    allowed = play("casino", "10", "10 10 5 6 9", "hit hit", switch={"hit_21": "allowed"})
    assert (allowed.dealer, money(allowed)) == (["10"], "1.1=-10")


def test_Q0_7_an_ace_on_a_split_ten_is_a_blackjack_only_where_tens_may_make_one() -> None:
    cards = "10 5 K A 7 10 6"
    assert money(play("casino", "10", cards, "split 1.2:stand")) == "1.1=0 1.2=-10"
    tens = play("casino", "10", cards, "split 1.2:stand", switch={"split_21_is_bj": "tens"})
    assert money(tens) == "1.1=+15 1.2=-10"


def test_Q0_8_a_bust_takes_the_hand_or_everything_its_player_has_in_the_round() -> None:
    cards, script = "8 A 8 8 2 K", "insure=5 split 1.1:hit"
    hand = play("casino", "10", f"{cards} 9 6", f"{script} 1.2:hit 1.2:stand")
    assert money(hand) == "1.1=-10 1.0=-5 1.2=+10"
    every = play("casino", "10", cards, script, switch={"bust_scope": "all_player_bets"})
    assert money(every) == "1.1=-10 1.2=-10 1.0=-5"


def test_Q0_9_a_dealer_blackjack_takes_the_doubled_part_too_or_the_original_bet_only() -> None:
    cards = "6 K 5 10 A"
    assert money(play("casino", "10", cards, "double")) == "1.1=-20"
    original = play("casino", "10", cards, "double", switch={"no_hole_bj_takes": "original_only"})
    assert (money(original), original.of(1).reason) == ("1.1=-10", "part_returned")


@pytest.mark.parametrize("second", ["2", "3", "4", "5"])
def test_Q0_10_a_dealer_ace_with_13_to_16_draws_whatever_it_counts(second: str) -> None:
    assert play("casino", "10", f"10 A 10 {second} 10 10", "stand").dealer[:3] == ["A", second, "10"]
