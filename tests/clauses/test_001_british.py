"""The British table (page 001), clause by clause: cards in, money and offers out."""

from __future__ import annotations

import pytest

from tapete import round as rounds
from tapete import shoe as shoes
from tapete.errors import Refused
from tapete.rulefile import preset
from tests.clauses.sitting import Sitting
from tests.clauses.telling import cards_to, money, offered, refused_lock, story, whom, why_not
from tests.driving import lock, play, upto

RULES = preset("british").rules

# --- the cards ------------------------------------------------------------------------------------------------------


def test_D1_01_six_packs_of_52_are_in_play() -> None:
    cards = shoes.canonical(RULES)
    assert (RULES.decks, len(cards), len(set(cards))) == (6, 312, 52)


def test_D1_02_every_round_begins_with_a_full_shuffle() -> None:
    sitting = Sitting("british", boxes=2)
    for _ in range(3):
        sitting.plays()
    assert sitting.shoes == ["shoe-1", "shoe-2", "shoe-3"]


def test_D1_03_a_players_ace_is_eleven_unless_his_total_would_pass_21() -> None:
    played = play("british", "10 10", "A A 10 7 7 9 7", "1:stand 2:hit 2:stand")
    assert [played.of(1).total, played.of(2).total] == [18, 17]


def test_D1_03_a_second_ace_counts_one() -> None:
    assert play("british", "10", "A 10 A 6 7", "hit stand").of(1).total == 18


def test_D1_04_the_dealer_stands_on_soft_17() -> None:
    played = play("british", "10", "10 A 8 6", "stand")
    assert (played.dealer, money(played)) == (["A", "6"], "1.1=+10")


def test_D1_05_a_dealer_ace_that_would_pass_21_counts_one() -> None:
    played = play("british", "10", "10 A 8 5 10 4", "stand")
    assert (played.of(1).dealer, money(played)) == (20, "1.1=-10")


def test_D1_06_king_queen_and_jack_count_ten_and_the_others_what_they_show() -> None:
    played = play("british", "10 10 10", "J Q K 10 2 3 4 6 9", "stand stand stand")
    assert [played.of(box).total for box in (1, 2, 3)] == [12, 13, 14]


def test_D1_07_an_ace_with_any_ten_is_a_blackjack() -> None:
    played = play("british", "10 10 10 10", "A J A K 9 10 A Q A")
    assert money(played) == "1.1=+15 2.1=+15 3.1=+15 4.1=+15"


def test_D1_08_no_hand_from_a_split_is_a_blackjack() -> None:
    assert money(play("british", "10", "A 7 A K J 10", "split")) == "1.1=+10 1.2=+10"
    tens = play("british", "10", "10 7 K A 9 10", "split 1.2:stand", switch={"split.exclude": ()})
    assert money(tens) == "1.1=+10 1.2=+10"


def test_D1_09_you_win_when_the_bank_busts_when_you_are_higher_and_with_a_blackjack_against_21() -> None:
    assert money(play("british", "10", "10 10 2 6 J", "stand")) == "1.1=+10"
    assert money(play("british", "10", "10 10 9 8", "stand")) == "1.1=+10"
    assert money(play("british", "10 10", "A 10 10 K 9 6 5", "stand")) == "1.1=+15 2.1=-10"


def test_D1_10_insurance_is_settled_on_its_own_beside_the_hand() -> None:
    assert money(play("british", "10", "A A K 9", "insure=5")) == "1.0=-5 1.1=+15"


# --- the bets -------------------------------------------------------------------------------------------------------


def test_D1_11_nobody_retires_and_nobody_raises_after_the_first_card() -> None:
    opened = upto("british", "10", "10 10 2")
    assert (offered(opened), why_not(opened, "retire")) == ({"hit", "stand"}, "surrender.mode")
    with pytest.raises(Refused, match=r"round\.not_an_event"):
        rounds.apply(opened.round, lock("20"))


def test_D1_12_bets_outside_the_limits_are_not_taken() -> None:
    assert (RULES.bet_min, RULES.bet_max) == (100, 100_000)
    assert [refused_lock("british", bet).facts["reason"] for bet in ("0.5", "1001")] == ["unit", "bet_max"]
    assert refused_lock("british", "4", bet_min=500).facts["reason"] == "bet_min"


# --- insurance ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("up", "questions"), [("A", ["insure 1"]), ("K", ["turn 2"]), ("9", ["turn 2"])])
def test_D1_13_insurance_is_offered_when_the_dealers_first_card_is_an_ace(up: str, questions: list[str]) -> None:
    assert list(whom(upto("british", "10 10", f"A 9 {up} K 9"))) == questions


def test_D1_14_only_a_blackjack_holder_is_offered_insurance() -> None:
    script = "!2:insure=5 !3:insure=5 1:no_insurance 2:stand"
    played = play("british", "10 10 10", "A 10 5 A K 9 6 10 9", f"{script} 3:hit")
    assert played.reasons == ["round.not_asked", "round.not_asked"]


def test_D1_15_the_insurance_is_exactly_half_the_bet() -> None:
    played = play("british", "10", "A A K 9", "!insure=4.5 !insure=5.5 insure=5")
    assert (played.reasons, played.of(1, 0).stake) == (["round.amount", "round.amount"], 500)


def test_D1_15_half_of_an_odd_bet_is_half_a_chip() -> None:
    assert play("british", "7", "A A K 9", "insure=3.5").of(1, 0).stake == 350


def test_D1_16_insurance_pays_two_to_one_when_the_next_card_makes_21() -> None:
    assert money(play("british", "10", "A A K 10", "insure=5")) == "1.0=+10 1.1=0"


def test_D1_16_a_21_that_needs_two_more_cards_does_not_pay_the_insurance() -> None:
    played = play("british", "10 10", "A 10 A K 9 2 8", "insure=5 2:stand")
    assert (played.of(2).dealer, money(played)) == (21, "1.0=-5 1.1=+15 2.1=-10")


def test_D1_17_every_blackjack_is_asked_before_the_third_card_to_any_box() -> None:
    opened = upto("british", "10 10 10", "9 A A A 9 K Q")
    assert list(whom(opened)) == ["insure 2", "insure 3"]
    late = play("british", "10 10", "9 A A 5 K 2 9", "no_insurance 1:hit !2:insure=5 1:stand")
    assert late.reasons == ["round.not_asked"]


def test_D1_18_several_boxes_play_seven_at_most() -> None:
    cards = "9 9 9 9 9 9 9 7 K K K K K K K 10"
    assert len(play("british", "10 10 10 10 10 10 10", cards, "stand " * 7).statements) == 7
    assert refused_lock("british", "8:10").code == "lock.boxes"


# --- interim payment ------------------------------------------------------------------------------------------------


def test_D1_19_a_blackjack_is_paid_before_the_turns_unless_the_dealer_shows_a_ten_or_an_ace() -> None:
    paid = story(play("british", "10 10", "9 A 9 9 K 10", "1:stand"))
    assert paid.index("2.1=+15") < paid.index("1.1 stand")
    for up in ("10", "J", "Q", "K", "A"):
        opened = upto("british", "10 10", f"9 A {up} 9 K", "no_insurance" if up == "A" else "")
        assert (list(whom(opened)), opened.statements) == (["turn 1"], ())


def test_D1_20_those_who_bet_on_a_blackjack_are_paid_with_it() -> None:
    assert money(play("british", "10+Eva=4", "A 9 K")) == "1.1=+15 1.1@Eva=+6"


def test_D1_21_a_lost_insurance_is_taken_at_the_dealers_second_card_before_he_draws_on() -> None:
    played = play("british", "10 10", "A 10 A K 9 5 3", "insure=5 2:stand")
    assert story(played)[-5:] == ["D<5", "1.0=-5", "D<3", "1.1=+15", "2.1=0"]


def test_D1_22_the_dealer_has_one_card_until_the_players_have_finished() -> None:
    assert story(play("british", "10", "10 9 8 10", "stand"))[3:] == ["1.1 stand", "D<10", "1.1=-10"]


# --- the turns ------------------------------------------------------------------------------------------------------


def test_D1_23_play_goes_clockwise_from_the_dealers_left() -> None:
    played = play("british", "2:10 5:10 7:10", "9 9 9 9 9 9 9 10", "stand stand stand")
    assert [one.box for one in played.asked] == [2, 5, 7]


def test_D1_24_a_player_may_take_as_many_cards_as_he_asks_for() -> None:
    played = play("british", "10", "A 10 A A A A 2 2 A 7", "hit hit hit hit hit hit stand")
    assert (len(played.cards()), money(played)) == (8, "1.1=+10")


def test_D1_25_a_bust_loses_every_bet_on_the_hand_at_once() -> None:
    played = play("british", "10+Eva=4 10", "10 9 6 6 9 8 10 10", "1:hit 2:stand")
    told = story(played)
    assert told.index("1.1@Eva=-4") == told.index("1.1=-10") + 1 < told.index("2.1 stand")


def test_D1_26_those_who_bet_on_a_hand_have_no_say_in_its_cards() -> None:
    played = play("british", "10+Eva=4", "10 7 5 10", "!Eva@hit !Eva@stand stand")
    assert played.reasons == ["round.not_asked", "round.not_asked"]
    assert money(played) == "1.1=-10 1.1@Eva=-4"


def test_D1_27_nobody_takes_a_card_on_21_hard_or_soft() -> None:
    assert money(play("british", "10 10", "10 A 7 5 4 6 6 10", "1:hit 2:hit")) == "1.1=+10 2.1=+10"


# --- splitting ------------------------------------------------------------------------------------------------------

PAIRS = {"A": 1, "2": 1, "3": 1, "4": 0, "5": 0, "6": 1, "7": 1, "8": 1, "9": 1, "10": 0, "J": 0, "Q": 0, "K": 0}


@pytest.mark.parametrize(("rank", "may"), PAIRS.items())
def test_D1_28_a_pair_may_be_split_but_not_fours_fives_and_tens(rank: str, may: int) -> None:
    assert why_not(upto("british", "10", f"{rank} 7 {rank}"), "split") == ("" if may else "split.exclude")


def test_D1_29_only_the_two_cards_of_the_initial_deal_may_be_split() -> None:
    assert why_not(upto("british", "10", "2 7 2 2", "hit"), "split") == "not_a_pair"


def test_D1_30_an_equal_bet_goes_on_the_second_hand_by_itself() -> None:
    opened = upto("british", "10", "8 7 8 2 3", "split", spare={"P1": "10"})
    assert [bet.base for hand in opened.round.boxes[0].hands for bet in hand.bets] == [1000, 1000]
    assert why_not(upto("british", "10", "8 7 8", spare={"P1": "9"}), "split") == "funds"


def test_D1_31_both_hands_get_their_second_card_at_once() -> None:
    opened = upto("british", "10", "8 7 8 2 3", "split")
    assert (opened.cards(1, 1), opened.cards(1, 2)) == (["8", "2"], ["8", "3"])


def test_D1_32_the_first_hand_is_completed_before_the_second() -> None:
    played = play("british", "10", "8 7 8 2 9 10 10", "split !1.2:stand 1.1:hit 1.1:stand 1.2:stand")
    assert played.reasons == ["round.not_asked"]


def test_D1_33_a_new_pair_may_not_be_split() -> None:
    assert why_not(upto("british", "10", "8 7 8 8 3", "split"), "split") == "split.max_hands"


@pytest.mark.parametrize(("second", "may"), [("A", 0), ("2", 1), ("3", 1), ("4", 0)])
def test_D1_34_a_split_hand_of_9_10_or_11_may_double(second: str, may: int) -> None:
    assert ("double" in offered(upto("british", "10", f"8 7 8 {second} 9", "split"))) == bool(may)


def test_D1_34_a_split_ace_may_not_double_not_even_where_ace_and_eight_are_nine() -> None:
    opened = upto("british", "10", "A 7 A 8 9", "split", switch={"double.soft_as_low": True})
    assert why_not(opened, "double") == "double.after_split_aces"


def test_D1_35_split_aces_play_on_as_they_like() -> None:
    played = play("british", "10", "A 10 A 5 K 4 7", "split hit 1.1:stand")
    assert (played.cards(1, 1), money(played)) == (["A", "5", "4"], "1.1=+10 1.2=+10")


def test_D1_36_a_ten_on_a_split_ace_is_no_natural() -> None:
    assert money(play("british", "10", "A 9 A K 9 8", "split 1.2:stand")) == "1.1=+10 1.2=+10"
    assert money(play("british", "10", "A 10 A K 9 A", "split 1.2:stand")) == "1.1=-10 1.2=-10"


# --- doubling -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("first", "second", "may"), [(5, 3, 0), (5, 4, 1), (6, 4, 1), (6, 5, 1), (8, 4, 0)])
def test_D1_37_two_cards_of_9_10_or_11_may_double(first: int, second: int, may: int) -> None:
    assert ("double" in offered(upto("british", "10", f"{first} 7 {second}"))) == bool(may)


def test_D1_37_a_doubled_hand_takes_one_card_more_and_no_other() -> None:
    assert money(play("british", "10", "6 7 5 2 10", "double")) == "1.1=-20"


# --- the dealer -----------------------------------------------------------------------------------------------------


def test_D1_38_the_dealer_stops_as_soon_as_every_bet_is_decided() -> None:
    played = play("british", "10", "A 10 K 5")
    assert (played.dealer, money(played)) == (["10", "5"], "1.1=+15")


def test_D1_39_the_dealer_draws_on_16_and_stands_on_17() -> None:
    assert play("british", "10", "10 10 2 6 10", "stand").dealer == ["10", "6", "10"]
    assert play("british", "10", "10 10 8 7", "stand").dealer == ["10", "7"]


# --- payment --------------------------------------------------------------------------------------------------------


def test_D1_40_bets_are_paid_after_the_dealer_has_finished() -> None:
    told = story(play("british", "10 10", "10 10 10 9 8 5 4", "stand stand"))
    assert told[-4:] == ["D<5", "D<4", "1.1=0", "2.1=-10"]


def test_D1_41_a_blackjack_is_paid_three_to_two_unless_the_dealer_has_one() -> None:
    assert money(play("british", "7", "A 10 K 8")) == "1.1=+10.5"
    assert money(play("british", "7", "A 10 K A")) == "1.1=0"


def test_D1_42_another_winning_bet_is_paid_one_to_one() -> None:
    assert money(play("british", "10", "10 9 9 9", "stand")) == "1.1=+10"
    assert money(play("british", "10", "10 6 2 10 K", "stand")) == "1.1=+10"


def test_D1_43_a_hand_lower_than_the_dealers_loses() -> None:
    assert money(play("british", "10", "10 9 7 9", "stand")) == "1.1=-10"


def test_D1_44_21_without_blackjack_loses_to_a_dealer_blackjack_doubled_or_split_too() -> None:
    played = play("british", "10 10", "6 A 10 5 A 10 K 9 A", "1:double 2:split 2.2:stand")
    assert money(played) == "1.1=-20 2.1=-10 2.2=-10"


def test_D1_45_blackjack_against_blackjack_is_annulled() -> None:
    played = play("british", "10", "A K Q A")
    assert (money(played), played.of(1).reason) == ("1.1=0", "blackjack_push")


def test_D1_46_an_equal_hand_is_annulled_and_a_lower_one_is_not() -> None:
    assert money(play("british", "10 10", "10 10 10 9 8 9", "stand stand")) == "1.1=0 2.1=-10"


# --- where the page is silent ---------------------------------------------------------------------------------------


def test_D1_S_cards_come_as_at_the_leaflet_table_and_bets_are_settled_in_seat_order() -> None:
    played = play("british", "10 10", "10 10 10 9 8 9", "stand stand")
    assert cards_to(played) == ["1.1", "2.1", "D", "1.1", "2.1", "D"]
    assert money(played) == "1.1=0 2.1=-10"


def test_D1_S_those_who_bet_on_anothers_blackjack_may_not_insure() -> None:
    assert list(whom(upto("british", "10+Eva=4", "A A K"))) == ["insure 1"]


def test_D1_S_a_box_and_its_backers_stay_within_the_maximum_together() -> None:
    assert refused_lock("british", "990+Eva=11").code == "lock.box_full"
    assert money(play("british", "990+Eva=10", "10 9 10 8", "stand")) == "1.1=+990 1.1@Eva=+10"


# --- contested points -----------------------------------------------------------------------------------------------


def test_Q1_1_a_19_may_insure_only_where_any_box_may() -> None:
    cards = "A 10 A Q 9 K"
    holder = play("british", "20 20", cards, "1:insure=10 !2:insure=10 2:stand")
    assert (holder.reasons, money(holder)) == (["round.not_asked"], "1.0=+20 1.1=0 2.1=-20")
    anyone = play("british", "20 20", cards, "1:insure=10 2:insure=10 2:stand", switch={"insurance.who": "any"})
    assert money(anyone) == "1.0=+20 2.0=+20 1.1=0 2.1=-20"


def test_Q1_2_a_card_on_21_can_be_taken_only_where_that_is_allowed() -> None:
    assert money(play("british", "10", "10 10 5 6 9", "hit")) == "1.1=+10"
    allowed = play("british", "10", "10 10 5 6 9", "hit hit", switch={"hit_21": "allowed"})
    assert money(allowed) == "1.1=-10"


def test_Q1_3_a_figure_delays_the_payment_so_that_a_blackjack_can_still_be_annulled() -> None:
    played = play("british", "10", "A K Q A")
    assert story(played)[-2:] == ["D<A", "1.1=0"]


def test_Q1_4_insurance_is_lost_in_the_dealers_turn_and_not_before_the_players_act() -> None:
    told = story(play("british", "10 10", "A 10 A K 9 5 3", "insure=5 2:stand"))
    assert told.index("2.1 stand") < told.index("1.0=-5") < told.index("D<3")


def test_Q1_5_tens_may_be_split_only_where_nothing_is_excluded() -> None:
    cards = "10 10 K"
    assert why_not(upto("british", "10", cards), "split") == "split.exclude"
    played = play("british", "10", f"{cards} 9 8 7", "split 1.1:stand 1.2:stand", switch={"split.exclude": ()})
    assert money(played) == "1.1=+10 1.2=+10"


def test_Q1_6_split_aces_play_on_or_take_one_card_each() -> None:
    many = play("british", "10", "A 10 A 5 K 4 7", "split hit stand")
    assert money(many) == "1.1=+10 1.2=+10"
    one = play("british", "10", "A 10 A 5 K 4 7", "split", switch={"split.aces_cards": "one"})
    assert money(one) == "1.1=-10 1.2=0"


def test_Q1_7_a_backers_money_follows_a_double_if_he_likes_or_always_or_never() -> None:
    cards, bets = "6 9 5 10 10", "10+Eva=4"
    assert money(play("british", bets, cards, "double Eva@stay")) == "1.1=+20 1.1@Eva=+4"
    assert money(play("british", bets, cards, "double Eva@match")) == "1.1=+20 1.1@Eva=+8"
    mirror = play("british", bets, cards, "double", switch={"bet_behind.follow": "mirror"})
    assert money(mirror) == "1.1=+20 1.1@Eva=+8"
    never = play("british", bets, cards, "double !Eva@match", switch={"bet_behind.follow": "original_only"})
    assert money(never) == "1.1=+20 1.1@Eva=+4"


def test_Q1_8_a_bust_takes_the_hand_or_everything_its_player_has_in_the_round() -> None:
    cards, script = "8 7 8 8 2 K", "split 1.1:hit"
    hand = play("british", "10", f"{cards} 9 10", f"{script} 1.2:hit 1.2:stand")
    assert money(hand) == "1.1=-10 1.2=+10"
    every = play("british", "10", cards, script, switch={"bust_scope": "all_player_bets"})
    assert (every.dealer, money(every)) == (["7"], "1.1=-10 1.2=-10")


def test_Q1_9_the_only_raise_while_drawing_is_doubling() -> None:
    opened = upto("british", "10", "10 10 2 3", "hit")
    assert offered(opened) == {"hit", "stand"}


def test_Q1_10_the_ace_of_the_second_split_hand_counts_eleven_too() -> None:
    played = play("british", "10", "A 9 A 8 7 8", "split 1.1:stand 1.2:stand")
    assert [played.of(1, 1).total, played.of(1, 2).total] == [19, 18]


def test_Q1_11_the_cards_are_shuffled_after_each_round_or_when_the_cut_card_is_out() -> None:
    every, kept = Sitting("british"), Sitting("british", shuffle="cut_card", cut_card_left=78)
    for sitting in (every, kept):
        for _ in range(3):
            sitting.plays()
    assert (len(set(every.shoes)), len(set(kept.shoes))) == (3, 1)


def test_Q1_12_ace_and_eight_are_19_and_double_only_where_they_may_be_nine() -> None:
    assert why_not(upto("british", "10", "A 7 8"), "double") == "double.totals"
    assert money(play("british", "10", "A 7 8 10", "stand")) == "1.1=+10"
    low = play("british", "10", "A 7 8 7 10", "double", switch={"double.soft_as_low": True})
    assert money(low) == "1.1=-20"


def test_Q1_13_a_dealer_blackjack_takes_the_split_bet_too_or_the_original_only() -> None:
    cards, script = "8 K 8 10 10 A", "split 1.1:stand 1.2:stand"
    assert money(play("british", "10", cards, script)) == "1.1=-10 1.2=-10"
    original = play("british", "10", cards, script, switch={"no_hole_bj_takes": "original_only"})
    assert money(original) == "1.1=-10 1.2=0"


def test_Q1_14_a_lower_hand_is_lost_and_not_annulled() -> None:
    assert money(play("british", "10", "10 10 8 9", "stand")) == "1.1=-10"


def test_Q1_15_the_dealer_stops_when_all_is_decided_or_draws_while_a_bet_lies_there_or_always() -> None:
    assert play("british", "10", "A 10 K 5").dealer == ["10", "5"]
    live = play("british", "10", "A 10 K 5 2", switch={"dealer_draws": "if_any_bet_live"})
    assert (live.dealer, money(live)) == (["10", "5", "2"], "1.1=+15")
    bust = play("british", "10", "10 10 6 10 5 2", "hit", switch={"dealer_draws": "always"})
    assert (bust.dealer, money(bust)) == (["10", "5", "2"], "1.1=-10")
