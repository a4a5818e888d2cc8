"""The leaflet table (page 002), clause by clause: cards in, money and offers out."""

from __future__ import annotations

from collections import Counter

import pytest

from tapete import round as rounds
from tapete import shoe as shoes
from tapete.cards import Card
from tapete.errors import Refused
from tapete.house import cards_on_table
from tapete.rulefile import preset
from tapete.stakes import Backing, BoxStake, Lock
from tapete.table import Joined, lock_due
from tests.clauses.sitting import Sitting
from tests.clauses.telling import asked, cards_to, money, offered, refused_lock, story, whom, why_not
from tests.driving import lock, play, table, upto

RULES = preset("leaflet").rules

# --- the game and its cards -----------------------------------------------------------------------------------------


def test_D2_01_players_play_against_the_bank_and_not_against_each_other() -> None:
    assert money(play("leaflet", "10 10", "10 10 10 10 8 7", "stand stand")) == "2.1=+10 1.1=+10"


def test_D2_02_21_beats_20_and_22_is_lost() -> None:
    assert money(play("leaflet", "10 10", "10 10 10 5 5 6 7 10", "1:hit 2:hit")) == "2.1=-10 1.1=+10"


def test_D2_03_the_best_hand_is_21_in_two_cards() -> None:
    assert money(play("leaflet", "10 10", "A 7 7 K 7 7 7 7", "2:hit")) == "2.1=0 1.1=+15"


def test_D2_04_six_packs_of_52_are_in_play() -> None:
    cards = shoes.canonical(RULES)
    assert (RULES.decks, len(cards), len({(one.rank, one.suit) for one in cards})) == (6, 312, 52)


def test_D2_05_three_packs_have_one_colour_and_three_another() -> None:
    cards = shoes.canonical(RULES)
    assert Counter(one.back for one in cards) == {0: 156, 1: 156}
    assert set(Counter(cards).values()) == {3}


def test_D2_06_the_cards_are_dealt_from_one_shoe_over_several_rounds() -> None:
    sitting = Sitting("leaflet", boxes=3)
    for _ in range(8):
        sitting.plays()
    assert set(sitting.shoes) == {"shoe-1"}


def test_D2_07_figures_count_ten_an_ace_one_or_eleven_and_the_others_what_they_show() -> None:
    played = play("leaflet", "10 10 10", "J A A 10 9 7 7 9 8", "1:stand 2:stand 3:hit 3:stand")
    assert [played.of(box).total for box in (1, 2, 3)] == [19, 18, 17]


# --- who plays ------------------------------------------------------------------------------------------------------


def test_D2_08_seven_boxes_at_most_each_with_one_holder() -> None:
    assert (RULES.seats_max, refused_lock("leaflet", "8:10").code) == (7, "lock.boxes")
    assert refused_lock("leaflet", "1:Ana=10 1:Leo=10").code == "lock.boxes"


def test_D2_09_a_seated_player_may_bet_on_anothers_cards_with_his_consent() -> None:
    played = play("leaflet", "1:Ana=10 2:Leo=10+Ana=5", "10 10 10 7 9 8", "stand stand")
    assert money(played) == "2.1=+10 2.1@Ana=+5 1.1=-10"
    assert refused_lock("leaflet", "10+Eva=5?").facts["reason"] == "no_consent"


def test_D2_09_the_holder_of_the_box_gives_the_consent_at_the_table() -> None:
    sitting = Sitting("leaflet", boxes=2)
    sitting.bets("P2", 2, 10)
    with pytest.raises(Refused) as without:
        sitting.bets("P1", 2, 5)
    sitting.agrees(2, "P1")
    sitting.bets("P1", 2, 5)
    behind = lock_due(sitting.table).boxes[0].backers
    assert (without.value.facts["reason"], behind) == ("no_consent", (Backing("P1", 500, consent=True),))


def test_D2_10_a_standing_player_may_bet_within_the_maximum_of_the_place() -> None:
    assert money(play("leaflet", _standing(990, 10), "10 10 9 8", "stand")) == "1.1=+990 1.1@Eva=+10"
    assert refused_lock("leaflet", _standing(990, 11)).code == "lock.box_full"


def test_D2_10_whoever_sits_at_no_box_bets_standing_behind_the_table() -> None:
    sitting = Sitting("leaflet")
    sitting.does(Joined("Eva", 10_000))
    sitting.bets("P1", 1, 990)
    sitting.agrees(1, "Eva")
    with pytest.raises(Refused) as full:
        sitting.bets("Eva", 1, 11)
    sitting.bets("Eva", 1, 10)
    assert (full.value.facts["reason"], lock_due(sitting.table).boxes[0].backers[0].standing) == ("box_full", True)


def _standing(holder: int, behind: int) -> Lock:
    backing = Backing("Eva", behind * 100, consent=True, standing=True)
    return Lock((BoxStake(1, "P1", holder * 100, (backing,)),), (("P1", 0), ("Eva", 0)))


# --- the deal -------------------------------------------------------------------------------------------------------


def test_D2_11_a_box_without_a_bet_of_its_own_gets_no_cards() -> None:
    assert cards_to(upto("leaflet", "1:10 3:10", "9 9 9 9 9")) == ["1.1", "3.1", "D", "1.1", "3.1"]
    assert refused_lock("leaflet", "0+Eva=5").facts["reason"] == "not_positive"


def test_D2_12_once_dealing_has_started_no_bet_is_taken() -> None:
    opened = upto("leaflet", "10", "9 9 9")
    with pytest.raises(Refused, match=r"round\.not_an_event"):
        rounds.apply(opened.round, lock("10 10"))


def test_D2_13_one_card_each_from_the_dealers_left_and_his_own_last_all_face_up() -> None:
    assert story(upto("leaflet", "10 10", "2 3 9 4 5"))[:3] == ["1.1<2", "2.1<3", "D<9"]


def test_D2_14_the_second_cards_go_to_the_players_only() -> None:
    assert story(upto("leaflet", "10 10", "2 3 9 4 5"))[3:] == ["1.1<4", "2.1<5"]


def test_D2_15_each_player_in_order_may_stand_or_ask() -> None:
    opened = upto("leaflet", "10 10", "2 3 9 6 5 4", "1:hit 1:stand")
    assert (list(whom(opened)), offered(opened, 2) >= {"hit", "stand"}) == (["turn 2"], True)


def test_D2_16_nobody_gets_a_card_on_21_hard_or_soft() -> None:
    assert money(play("leaflet", "10 10", "10 A 7 5 4 6 6 10", "1:hit 2:hit")) == "2.1=+10 1.1=+10"


def test_D2_17_a_bust_is_collected_in_its_turn() -> None:
    told = story(play("leaflet", "10 10", "10 10 7 6 10 9 10", "1:hit 2:stand"))
    assert told.index("1.1=-10") < told.index("2.1 stand")


# --- the dealer -----------------------------------------------------------------------------------------------------


def test_D2_18_the_dealer_gives_himself_at_least_one_card_after_the_players() -> None:
    assert story(play("leaflet", "10", "10 10 9 8", "stand"))[3:] == ["1.1 stand", "D<8", "1.1=+10"]


def test_D2_19_the_dealer_stands_on_17_although_it_loses() -> None:
    assert play("leaflet", "10", "10 10 8 7", "stand").dealer == ["10", "7"]


def test_D2_20_the_dealer_draws_to_16_although_it_would_win() -> None:
    played = play("leaflet", "10", "10 10 2 6 10", "stand")
    assert (played.dealer, money(played)) == (["10", "6", "10"], "1.1=+10")


def test_D2_21_the_dealer_stands_on_soft_17_and_counts_an_ace_one_when_it_must() -> None:
    assert money(play("leaflet", "10 10", "10 10 3 7 8 A A 2", "stand stand")) == "2.1=+10 1.1=0"
    assert play("leaflet", "10", "10 A 8 5 10 3", "stand").of(1).dealer == 19


# --- settlement -----------------------------------------------------------------------------------------------------


def test_D2_22_bets_are_collected_and_paid_from_right_to_left() -> None:
    played = play("leaflet", "10 10 10", "10 9 A 7 K 5 Q 8 10", "1:stand 2:hit")
    assert money(played) == "2.1=-10 3.1=+15 1.1=+10"


def test_D2_23_cards_that_were_put_away_are_not_dealt_again_before_a_shuffle() -> None:
    sitting = Sitting("leaflet", boxes=7)
    seen: Counter[Card] = Counter()
    while len(set(sitting.shoes)) < 2:
        assert seen <= Counter(shoes.canonical(RULES))
        seen += Counter(sitting.plays())
    assert seen.total() > 200


def test_D2_23_the_dealers_own_cards_are_put_away_last() -> None:
    played = play("leaflet", "10 10", "2 3 10 4 5 6 7", "stand stand")
    assert [one.rank for one in cards_on_table(played.round, hole=None)] == ["2", "4", "3", "5", "10", "6", "7"]


def test_D2_24_a_dealer_over_21_pays_all_bets_still_on_the_cloth() -> None:
    played = play("leaflet", "10 10 10", "10 10 A 6 6 2 K 8 10 K", "1:hit 2:stand")
    assert money(played) == "1.1=-10 3.1=+15 2.1=+10"


def test_D2_25_the_dealer_takes_lower_hands_and_pays_higher_ones() -> None:
    assert money(play("leaflet", "10 10", "10 10 10 8 Q 9", "stand stand")) == "2.1=+10 1.1=-10"


def test_D2_26_equal_hands_get_their_bet_back_and_no_more() -> None:
    played = play("leaflet", "10", "10 10 9 9", "stand", spare={"P1": "0"})
    assert (money(played), played.round.spare) == ("1.1=0", (1000,))


def test_D2_27_bets_are_paid_even_and_a_blackjack_three_for_two() -> None:
    assert money(play("leaflet", "7 7", "A 10 10 K 9 8", "2:stand")) == "2.1=+7 1.1=+10.5"


def test_D2_28_a_blackjack_beats_a_longer_21_on_either_side() -> None:
    assert money(play("leaflet", "10", "A 7 K 7 7")) == "1.1=+15"
    assert money(play("leaflet", "10", "10 K 5 6 A", "hit")) == "1.1=-10"


# --- insurance ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("up", "kind"), [("A", "insure"), ("10", "turn"), ("9", "turn")])
def test_D2_29_insurance_is_offered_when_the_dealers_first_card_is_an_ace(up: str, kind: str) -> None:
    assert asked(upto("leaflet", "10", f"10 {up} 9")).kind == kind


def test_D2_30_insurance_is_offered_to_all_before_the_third_card_and_then_closed() -> None:
    assert list(whom(upto("leaflet", "10 10 10", "A 10 2 A K 9 3"))) == ["insure 1", "insure 2", "insure 3"]
    script = "1:no_insurance 2:no_insurance 1:hit !2:insure=5 1:stand 2:stand"
    assert play("leaflet", "10 10", "10 10 A 2 9 3 K", script).reasons == ["round.not_asked"]


def test_D2_31_an_insurance_is_at_most_half_the_original_bet() -> None:
    played = play("leaflet", "20", "10 A 6 9", "!insure=12 !insure=0 insure=10 stand")
    assert (played.reasons, played.of(1, 0).stake) == (["round.amount", "round.amount"], 1000)


def test_D2_32_a_ten_takes_the_losing_bets_doubled_ones_whole_and_pays_insurance_two_for_one() -> None:
    played = play("leaflet", "20 20", "10 5 A 6 6 10 10", "1:insure=10 1:stand 2:double")
    assert money(played) == "1.0=+20 2.1=-40 1.1=-20"


def test_D2_33_any_other_card_takes_the_insurances_and_the_rest_is_settled_as_usual() -> None:
    told = story(play("leaflet", "10", "10 A 9 5 3", "insure=5 stand"))
    assert told[-4:] == ["D<5", "1.0=-5", "D<3", "1.1=0"]


# --- splitting and doubling -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("second", ["10", "K"])
def test_D2_34_two_cards_of_the_same_value_may_be_played_as_two_hands(second: str) -> None:
    opened = upto("leaflet", "10", f"10 7 {second} 10 10", "split")
    assert (len(opened.round.boxes[0].hands), why_not(opened, "split")) == (2, "split.max_hands")


def test_D2_35_the_second_hand_takes_an_equal_bet() -> None:
    assert money(play("leaflet", "10", "8 7 8 10 2 10", "split stand stand")) == "1.1=+10 1.2=-10"
    assert why_not(upto("leaflet", "10", "8 7 8", spare={"P1": "9"}), "split") == "funds"


def test_D2_36_split_hands_are_independent_and_may_double() -> None:
    cards = "5 3 10 6 3 10 8 10 9 9"
    played = play("leaflet", "10 10", cards, "1:hit 2:split 2.1:double 2.2:stand")
    assert money(played) == "2.1=+20 2.2=-10 1.1=+10"


def test_D2_37_split_aces_get_one_card_each_and_no_question() -> None:
    assert money(play("leaflet", "10", "A 7 A 2 3 10", "split")) == "1.1=-10 1.2=-10"


def test_D2_38_split_aces_and_tens_that_make_21_are_paid_once_the_bet() -> None:
    assert money(play("leaflet", "10", "Q 6 10 A A 10 10", "split")) == "1.1=+10 1.2=+10"
    assert money(play("leaflet", "10", "A 6 A K 10 10 10", "split")) == "1.1=+10 1.2=+10"


@pytest.mark.parametrize(("first", "second", "may"), [(5, 3, 0), (5, 4, 1), (6, 4, 1), (6, 5, 1), (8, 4, 0)])
def test_D2_39_two_cards_of_9_10_or_11_may_double(first: int, second: int, may: int) -> None:
    assert ("double" in offered(upto("leaflet", "10", f"{first} 7 {second}"))) == bool(may)


def test_D2_40_a_doubled_hand_takes_one_card_more_and_no_other() -> None:
    played = play("leaflet", "10", "6 7 5 2 10", "double")
    assert (len(played.cards()), money(played)) == (3, "1.1=-20")


# --- where the page is silent ---------------------------------------------------------------------------------------


def test_D2_S_nobody_retires_and_nobody_insures_a_bet_on_anothers_box() -> None:
    opened = upto("leaflet", "10+Eva=5", "10 A 6")
    assert list(whom(opened)) == ["insure 1"]
    assert why_not(upto("leaflet", "10", "10 10 6"), "retire") == "surrender.mode"


def test_D2_S_a_blackjack_is_paid_at_settlement() -> None:
    assert story(play("leaflet", "10", "A 7 K 10"))[-2:] == ["D<10", "1.1=+15"]


def test_D2_S_any_number_may_bet_on_one_box_up_to_its_maximum() -> None:
    bets = "1" + "".join(f"+B{number}=111" for number in range(9))
    assert len(play("leaflet", bets, "10 10 9 8", "stand").statements) == 10
    assert refused_lock("leaflet", f"{bets}+Eva=1").code == "lock.box_full"


# --- contested points -----------------------------------------------------------------------------------------------


def test_Q2_1_an_ace_with_a_plain_ten_is_a_blackjack_or_only_one_with_a_figure() -> None:
    assert money(play("leaflet", "10", "A 9 10 2 10")) == "1.1=+15"
    figures = {"bj_definition": "ace_with_figure"}
    assert money(play("leaflet", "10", "A 9 10 2 10", switch=figures)) == "1.1=0"
    assert money(play("leaflet", "10", "A 9 K 2 10", switch=figures)) == "1.1=+15"


def test_Q2_2_without_consent_a_bet_is_taken_only_at_an_open_table_and_at_a_closed_one_never() -> None:
    assert refused_lock("leaflet", "10+Eva=5?").facts["reason"] == "no_consent"
    open_ = play("leaflet", "10+Eva=5?", "10 10 9 8", "stand", switch={"bet_behind.mode": "open"})
    assert money(open_) == "1.1=+10 1.1@Eva=+5"
    assert refused_lock("leaflet", "10+Eva=5", bet_behind__mode="off").facts["reason"] == "bet_behind.mode"


def test_Q2_3_the_maximum_is_that_of_the_box_or_that_of_each_bettor() -> None:
    assert refused_lock("leaflet", "600+Eva=600").code == "lock.box_full"
    each = play("leaflet", "600+Eva=600", "10 10 9 8", "stand", switch={"bet_behind.cap": "per_bettor"})
    assert money(each) == "1.1=+600 1.1@Eva=+600"
    alone = refused_lock("leaflet", "600+Eva=1001", bet_behind__cap="per_bettor")
    assert alone.facts["reason"] == "bet_max"


def test_Q2_4_blackjack_against_blackjack_is_void_or_paid() -> None:
    assert money(play("leaflet", "10", "A K Q A")) == "1.1=0"
    assert money(play("leaflet", "10", "A K Q A", switch={"bj_tie": "player"})) == "1.1=+15"
    assert money(play("leaflet", "10", "A K Q A", switch={"bj_tie": "dealer"})) == "1.1=-10"


def test_Q2_5_the_dealers_ten_comes_in_his_own_turn() -> None:
    told = story(play("leaflet", "10", "10 A 6 K", "insure=5 stand"))
    assert told.index("1.1 stand") < told.index("D<K") < told.index("1.0=+10")


def test_Q2_6_both_split_21s_are_paid_even_or_as_blackjacks() -> None:
    cards = "Q 6 10 A A 10 10"
    assert money(play("leaflet", "10", cards, "split")) == "1.1=+10 1.2=+10"
    tens = play("leaflet", "10", cards, "split", switch={"split_21_is_bj": "tens"})
    assert money(tens) == "1.1=+15 1.2=+15"


def test_Q2_7_bets_are_settled_from_right_to_left_or_from_left_to_right() -> None:
    cards = "10 10 10 9 8 9"
    assert money(play("leaflet", "10 10", cards, "stand stand")) == "2.1=-10 1.1=0"
    left = play("leaflet", "10 10", cards, "stand stand", switch={"settle_order": "left_to_right"})
    assert money(left) == "1.1=0 2.1=-10"


def test_Q2_8_both_colours_lie_in_one_shoe() -> None:
    assert {one.back for one in shoes.load(shoes.canonical(RULES), rules=RULES).order} == {0, 1}
    plain = shoes.canonical(table("leaflet", {"back_colours": None}))
    assert {one.back for one in plain} == {0}


def test_Q2_9_the_dealer_draws_for_open_bets_only_or_always() -> None:
    assert play("leaflet", "10", "10 6 6 10", "hit").dealer == ["6"]
    always = play("leaflet", "10", "10 6 6 10 9 3", "hit", switch={"dealer_draws": "always"})
    assert (always.dealer, money(always)) == (["6", "9", "3"], "1.1=-10")


def test_Q2_10_a_dealer_blackjack_takes_the_doubled_part_too_or_the_original_bet_only() -> None:
    cards, script = "10 5 A 6 6 10 10", "1:insure=10 1:stand 2:double"
    assert money(play("leaflet", "20 20", cards, script)) == "1.0=+20 2.1=-40 1.1=-20"
    original = play("leaflet", "20 20", cards, script, switch={"no_hole_bj_takes": "original_only"})
    assert money(original) == "1.0=+20 2.1=-20 1.1=-20"


def test_Q2_11_a_backers_money_follows_a_split_if_he_likes_or_always() -> None:
    cards, bets = "8 7 8 10 2 10", "10+Eva=4"
    stays = play("leaflet", bets, cards, "split Eva@stay stand stand")
    assert money(stays) == "1.1=+10 1.1@Eva=+4 1.2=-10"
    follows = "1.1=+10 1.1@Eva=+4 1.2=-10 1.2@Eva=-4"
    assert money(play("leaflet", bets, cards, "split Eva@match stand stand")) == follows
    mirror = play("leaflet", bets, cards, "split stand stand", switch={"bet_behind.follow": "mirror"})
    assert money(mirror) == follows


def test_Q2_12_split_hands_double_and_do_not_split_again_or_the_other_way_round() -> None:
    assert "double" in offered(upto("leaflet", "10", "8 7 8 3 10", "split"))
    assert "split" not in offered(upto("leaflet", "10", "8 7 8 8 10", "split"))
    other = {"double.after_split": False, "split.max_hands": 3}
    assert why_not(upto("leaflet", "10", "8 7 8 3 10", "split", switch=other), "double") == "double.after_split"
    assert "split" in offered(upto("leaflet", "10", "8 7 8 8 10", "split", switch=other))


def test_Q2_13_a_two_card_21_from_a_split_loses_to_a_dealer_blackjack() -> None:
    assert money(play("leaflet", "10", "A 10 A K 10 A", "split")) == "1.1=-10 1.2=-10"
