"""The home table (page 004), clause by clause: cards in, money and offers out."""

from __future__ import annotations

from collections import Counter

import pytest

from tapete import shoe as shoes
from tapete.rulefile import preset
from tests.clauses.sitting import Sitting, splits_and_hits
from tests.clauses.telling import asked, cards_to, money, offered, refused_lock, story, whom, why_not
from tests.driving import play, upto

RULES = preset("home").rules

# --- the game and its cards -----------------------------------------------------------------------------------------


def test_D4_01_one_player_against_the_house_is_enough_and_seven_have_room() -> None:
    assert money(play("home", "10", "10 10 9 8", "stand")) == "1.1=+10"
    cards = "9 9 9 9 9 9 9 7 K K K K K K K 10"
    assert len(play("home", "10 10 10 10 10 10 10", cards, "stand " * 7).statements) == 7


def test_D4_02_who_passes_the_house_without_passing_21_wins() -> None:
    played = play("home", "10 10", "10 10 10 5 5 9 5 9", "1:hit 1:stand 2:hit")
    assert money(played) == "2.1=-10 1.1=+10"


def test_D4_03_two_packs_of_52_without_jokers_are_in_play() -> None:
    cards = shoes.canonical(RULES)
    assert (RULES.decks, len(cards), len(set(cards))) == (2, 104, 52)


def test_D4_04_an_ace_is_one_or_eleven() -> None:
    played = play("home", "10 10", "A A 10 7 7 7 9", "1:stand 2:hit 2:stand")
    assert [played.of(1).total, played.of(2).total] == [18, 17]


def test_D4_05_the_cards_2_to_10_count_what_they_show() -> None:
    assert play("home", "10", "2 10 3 7 4 9", "hit hit stand").of(1).total == 18


def test_D4_06_jack_queen_and_king_count_ten() -> None:
    assert [play("home", "10", f"{rank} 10 9 7", "stand").of(1).total for rank in "JQK"] == [19, 19, 19]


@pytest.mark.parametrize("ten", ["10", "J", "Q", "K"])
def test_D4_07_21_in_the_two_cards_received_is_a_blackjack(ten: str) -> None:
    assert money(play("home", "10", f"A 9 {ten} 8")) == "1.1=+15"


def test_D4_07_21_in_three_cards_is_none() -> None:
    assert money(play("home", "10", "7 9 7 8 7", "hit stand")) == "1.1=+10"


# --- how it is played -----------------------------------------------------------------------------------------------


def test_D4_08_the_house_gets_one_card_up_and_one_down() -> None:
    opened = upto("home", "10 10", "2 3 9 4 5 8")
    assert story(opened) == ["1.1<2", "2.1<3", "D<9", "1.1<4", "2.1<5", "D<??"]


def test_D4_08_the_hidden_card_is_turned_after_the_players() -> None:
    assert story(play("home", "10", "10 9 9 8", "stand"))[-3:] == ["1.1 stand", "turned 8", "1.1=+10"]


def test_D4_08_no_total_of_the_house_is_told_while_its_card_is_hidden() -> None:
    assert play("home", "10 10", "10 10 6 9 9 8 10 10", "1:hit 2:stand").of(1).dealer == 0
    assert play("home", "10 10", "10 10 6 6 9 5 10", "1:retire 2:stand").of(1).dealer == 0


def test_D4_09_retire_double_split_ask_and_stand_are_offered_where_they_are_allowed() -> None:
    first = upto("home", "10", "8 9 8 7")
    assert (asked(first).kind, offered(first)) == ("retire", {"retire", "keep"})
    assert offered(upto("home", "10", "8 9 8 7", "keep")) == {"hit", "stand", "double", "split"}
    assert offered(upto("home", "10", "8 9 7 7", "keep")) == {"hit", "stand", "double"}
    assert offered(upto("home", "10", "2 9 3 7 4", "keep hit")) == {"hit", "stand"}


def test_D4_10_retiring_is_said_on_the_second_card_or_never() -> None:
    played = play("home", "10 10", "10 9 9 6 7 8", "1:keep !1:stand 2:retire !1:retire 1:stand")
    assert played.reasons == ["round.not_asked", "surrender.window"]
    assert money(played) == "2.1=-5 1.1=-10"


def test_D4_10_half_is_saved_even_if_the_house_has_blackjack() -> None:
    assert money(play("home", "10 10", "10 9 A 6 7 K", "1:retire")) == "1.1=-5 2.1=-10"


def test_D4_11_doubling_is_the_first_thing_of_a_turn_or_not_at_all() -> None:
    assert "double" in offered(upto("home", "10", "2 9 3 7", "keep"))
    assert why_not(upto("home", "10", "2 9 3 7 4", "keep hit"), "double") == "double.cards"


@pytest.mark.parametrize("pair", [("2", "3"), ("A", "7"), ("10", "9"), ("A", "2")])
def test_D4_11_any_two_cards_may_double(pair: tuple[str, str]) -> None:
    assert "double" in offered(upto("home", "10", f"{pair[0]} 9 {pair[1]} 7", "keep"))


def test_D4_12_two_cards_of_equal_value_become_two_independent_hands() -> None:
    played = play("home", "10", "10 9 K 8 9 2", "split 1.1:stand 1.2:stand")
    assert money(played) == "1.1=+10 1.2=-10"


def test_D4_13_each_new_hand_gets_a_card_and_plays_on_as_any_other() -> None:
    opened = upto("home", "10", "8 9 8 7 3 2", "keep split")
    assert (opened.cards(1, 1), opened.cards(1, 2)) == (["8", "3"], ["8", "2"])
    assert offered(opened) == {"hit", "stand", "double"}


def test_D4_13_split_aces_play_on_too() -> None:
    assert offered(upto("home", "10", "A 9 A 8 2 K", "keep split")) == {"hit", "stand", "double"}


def test_D4_14_a_pair_may_grow_to_four_hands_aces_included() -> None:
    opened = upto("home", "10", "A 9 A 8 A A A 2 A 3", "keep split 1.1:split 1.1:split")
    assert (len(opened.round.boxes[0].hands), why_not(opened, "split")) == (4, "split.max_hands")


def test_D4_15_one_may_go_on_asking_while_not_over_21_even_on_21() -> None:
    opened = upto("home", "10", "10 9 5 8 6", "keep hit")
    assert (opened.hand().hard, "hit" in offered(opened)) == (21, True)


def test_D4_16_one_may_stand_on_any_total_that_is_not_over_21() -> None:
    assert money(play("home", "10", "2 6 3 10 K", "stand")) == "1.1=+10"


def test_D4_17_over_21_loses_everything_staked_on_the_hand_at_once() -> None:
    played = play("home", "10 10", "10 9 9 6 9 8 9", "1:double 2:stand")
    told = story(played)
    assert told.index("1.1=-20") < told.index("2.1 stand")


def test_D4_18_standing_and_passing_21_end_a_turn_and_21_does_not() -> None:
    assert list(whom(upto("home", "10 10", "10 9 9 5 9 8 6", "1:keep 2:keep 1:hit"))) == ["turn 1"]
    assert list(whom(upto("home", "10 10", "10 9 9 5 9 8 7", "1:keep 2:keep 1:hit"))) == ["turn 2"]
    assert list(whom(upto("home", "10 10", "10 9 9 5 9 8", "1:keep 2:keep 1:stand"))) == ["turn 2"]


def test_D4_19_the_house_asks_with_16_and_stands_with_17() -> None:
    assert play("home", "10", "10 10 2 6 10", "stand").dealer == ["10", "6", "10"]
    assert play("home", "10", "10 10 8 7", "stand").dealer == ["10", "7"]


def test_D4_20_hands_above_the_house_win() -> None:
    assert money(play("home", "10 10", "10 10 10 9 8 7", "stand stand")) == "1.1=+10 2.1=+10"


def test_D4_21_hands_over_21_lose_and_so_do_hands_below_the_house() -> None:
    assert money(play("home", "10 10", "10 10 10 6 6 8 8", "1:hit 2:stand")) == "1.1=-10 2.1=-10"


def test_D4_22_an_equal_hand_gets_its_bet_back() -> None:
    played = play("home", "10", "10 10 9 9", "stand", spare={"P1": "0"})
    assert (money(played), played.round.spare) == ("1.1=0", (1000,))


# --- the bets -------------------------------------------------------------------------------------------------------


def test_D4_23_one_chip_is_enough_to_enter_and_less_is_not() -> None:
    assert money(play("home", "1", "10 10 9 8", "stand")) == "1.1=+1"
    assert [refused_lock("home", bet).facts["reason"] for bet in ("0.5", "0")] == ["unit", "not_positive"]


def test_D4_24_retiring_loses_half_and_saves_half() -> None:
    played = play("home", "7", "10 9 6 8", "retire", spare={"P1": "0"})
    assert (money(played), played.round.spare) == ("1.1=-3.5", (350,))


def test_D4_25_doubling_adds_the_same_amount_again() -> None:
    assert money(play("home", "10", "3 6 5 10 10 K", "double")) == "1.1=+20"
    assert why_not(upto("home", "10", "3 6 5 10", "keep", spare={"P1": "9"}), "double") == "funds"


def test_D4_26_each_new_hand_takes_a_stake_equal_to_the_first() -> None:
    opened = upto("home", "10", "8 9 8 7 3 2", "keep split", spare={"P1": "10"})
    assert [bet.base for hand in opened.round.boxes[0].hands for bet in hand.bets] == [1000, 1000]


@pytest.mark.parametrize(("up", "kind"), [("A", "insure"), ("10", "turn"), ("9", "turn")])
def test_D4_27_insurance_is_offered_when_the_house_shows_an_ace(up: str, kind: str) -> None:
    assert asked(upto("home", "10", f"10 {up} 9 8", "keep")).kind == kind


def test_D4_27_any_box_may_insure_a_blackjack_included() -> None:
    assert list(whom(upto("home", "10 10", "A 10 A K 9 8", "2:keep"))) == ["insure 1", "insure 2"]


def test_D4_28_insurance_pays_two_to_one_that_the_hidden_card_is_a_ten() -> None:
    assert money(play("home", "10", "10 A 9 K", "insure=5")) == "1.0=+10 1.1=-10"
    assert money(play("home", "10", "10 A 9 9", "insure=5 stand")) == "1.0=-5 1.1=-10"


def test_D4_29_passing_the_house_pays_one_to_one() -> None:
    assert money(play("home", "7", "10 10 9 8", "stand")) == "1.1=+7"


def test_D4_30_a_blackjack_is_never_asked_to_double() -> None:
    played = play("home", "10 10", "A 10 9 K 9 8", "2:keep !1:double 2:stand")
    assert (played.reasons, money(played)) == (["round.not_asked"], "1.1=+15 2.1=+10")


def test_D4_31_a_blackjack_pays_three_to_two_to_the_half_chip() -> None:
    assert money(play("home", "1", "A 9 J 8")) == "1.1=+1.5"


# --- where the page is silent ---------------------------------------------------------------------------------------


def test_D4_S_the_house_checks_under_an_ace_or_a_ten_so_that_no_double_meets_a_blackjack() -> None:
    ten = play("home", "10", "6 K 5 A")
    assert story(ten)[-3:] == ["check blackjack", "turned A", "1.1=-10"]
    assert "check nothing" in story(upto("home", "10", "6 A 5 9", "keep no_insurance"))
    assert "check nothing" not in story(upto("home", "10", "6 9 5 9", "keep"))


def test_D4_S_insurance_is_any_part_of_half_the_bet_after_retiring_and_before_the_turns() -> None:
    played = play("home", "10 10", "10 10 A 9 8 8", "1:keep 2:keep !1:insure=5.5 1:insure=0.5 1:stand 2:stand")
    assert played.reasons == ["round.amount"]
    assert story(played)[6:12] == [
        "1.1 keep",
        "2.1 keep",
        "1.1 insure",
        "2.1 no_insurance",
        "check nothing",
        "1.0=-0.5",
    ]


def test_D4_S_the_shoe_is_shuffled_when_the_cut_card_is_out_with_52_left() -> None:
    sitting = Sitting("home", boxes=2)
    while len(set(sitting.shoes)) < 2:
        before = sitting.house.shoe
        sitting.plays()
    assert before is not None
    assert (before.cards_left <= 52, len(sitting.shoes) > 3) == (True, True)


def test_D4_S_a_shoe_too_short_for_a_round_is_dealt_on_from_its_discards() -> None:
    sitting = Sitting("home", boxes=7, cut_card_left=1)
    while not sitting.reshuffles:
        played = sitting.plays(splits_and_hits)
    assert max(Counter(played).values()) <= 2


def test_D4_S_one_card_each_and_one_to_the_house_twice() -> None:
    assert cards_to(upto("home", "10 10", "2 3 9 4 5 8")) == ["1.1", "2.1", "D", "1.1", "2.1", "D"]


def test_D4_S_bets_are_settled_in_seat_order_and_nobody_bets_on_anothers_box() -> None:
    assert money(play("home", "10 10", "10 10 10 9 8 9", "stand stand")) == "1.1=0 2.1=-10"
    assert refused_lock("home", "10+Eva=5").facts["reason"] == "bet_behind.mode"


# --- contested points -----------------------------------------------------------------------------------------------


def test_Q4_1_retiring_comes_before_the_check_or_after_it_or_first_in_the_turn() -> None:
    blackjack = "10 A 6 K"
    assert money(play("home", "10", blackjack, "retire")) == "1.1=-5"
    late = {"surrender.mode": "late"}
    assert money(play("home", "10", blackjack, "!retire", switch=late)) == "1.1=-10"
    assert money(play("home", "10", "10 A 6 9", "no_insurance retire", switch=late)) == "1.1=-5"
    turn = {**late, "surrender.window": "first_action"}
    assert "retire" in offered(upto("home", "10", "10 9 6 8", switch=turn))
    assert why_not(upto("home", "10", "10 9 2 8 3", "hit", switch=turn), "retire") == "surrender.window"


def test_Q4_2_a_new_hand_takes_an_equal_stake_or_one_chip() -> None:
    cards, script = "8 9 8 8 10 2", "split 1.1:stand 1.2:stand"
    assert money(play("home", "10", cards, script)) == "1.1=+10 1.2=-10"
    chip = play("home", "10", cards, script, switch={"split.stake": "one_chip"})
    assert money(chip) == "1.1=+10 1.2=-1"


def test_Q4_3_a_doubled_hand_takes_one_card_or_as_many_as_it_likes() -> None:
    assert money(play("home", "10", "3 10 5 8 4", "double")) == "1.1=-20"
    more = play("home", "10", "3 10 5 8 4 9", "double hit stand", switch={"double.draw": "no_limit"})
    assert money(more) == "1.1=+20"


def test_Q4_4_split_aces_play_on_and_split_again_or_take_one_card_each() -> None:
    many = play("home", "10", "A 9 A 8 2 K 6", "split hit 1.1:stand 1.2:stand")
    assert money(many) == "1.1=+10 1.2=+10"
    one = {"split.aces_cards": "one", "double.after_split_aces": False}
    assert money(play("home", "10", "A 9 A 8 2 K", "split", switch=one)) == "1.1=-10 1.2=+10"
    assert "split" in offered(upto("home", "10", "A 9 A 8 A K", "keep split"))
    never = upto("home", "10", "A 9 A 8 A K", "keep split", switch={"split.aces_resplit": False})
    assert why_not(never, "split") == "split.aces_resplit"


def test_Q4_5_a_blackjack_beats_a_longer_21_or_ties_it() -> None:
    cards, script = "A 7 6 10 7 5 7 10", "2:hit 2:stand"
    assert money(play("home", "10 10", cards, script)) == "1.1=+15 2.1=0"
    points = play("home", "10 10", cards, script, switch={"bj_beats_21": False})
    assert money(points) == "1.1=0 2.1=0"


def test_Q4_6_a_house_over_21_pays_every_hand_still_standing() -> None:
    assert money(play("home", "10", "10 10 2 6 K", "stand")) == "1.1=+10"


def test_Q4_7_a_two_card_21_from_a_split_is_21_or_a_blackjack() -> None:
    cards = "A 9 A 8 7 K"
    assert money(play("home", "10", cards, "split 1.1:stand 1.2:stand")) == "1.1=+10 1.2=+10"
    all_ = play("home", "10", cards, "split 1.1:stand", switch={"split_21_is_bj": "all"})
    assert money(all_) == "1.1=+10 1.2=+15"


def test_Q4_8_a_card_on_21_can_be_taken_unless_it_is_forbidden() -> None:
    cards = "10 9 5 8 6"
    assert money(play("home", "10", f"{cards} 9", "hit hit")) == "1.1=-10"
    assert money(play("home", "10", cards, "hit", switch={"hit_21": "forbidden"})) == "1.1=+10"


def test_Q4_9_the_house_stands_on_soft_17_or_hits_it() -> None:
    cards = "10 6 8 A"
    assert money(play("home", "10", cards, "stand")) == "1.1=+10"
    hits = play("home", "10", f"{cards} 4", "stand", switch={"dealer_soft17": "hit"})
    assert money(hits) == "1.1=-10"


def test_Q4_10_one_box_plays_alone_or_two_are_needed() -> None:
    assert money(play("home", "10", "10 10 9 8", "stand")) == "1.1=+10"
    assert refused_lock("home", "10", min_players=2).code == "lock.too_few"


def test_Q4_11_the_house_checks_under_ace_and_ten_or_under_an_ace_or_never() -> None:
    cards = "6 K 5 A"
    assert money(play("home", "10", cards)) == "1.1=-10"
    for peek in ("ace", "none"):
        assert money(play("home", "10", f"{cards} 10", "double", switch={"peek": peek})) == "1.1=-20"
    ace = "6 A 5 K"
    assert money(play("home", "10", ace, switch={"peek": "ace"})) == "1.1=-10"
    assert money(play("home", "10", f"{ace} 10", "double", switch={"peek": "none"})) == "1.1=-20"


def test_Q4_12_a_bust_takes_the_hand_or_everything_its_player_has_in_the_round() -> None:
    cards, script = "8 9 8 8 8 10 10", "split 1.1:hit"
    assert money(play("home", "10", cards, f"{script} 1.2:stand")) == "1.1=-10 1.2=+10"
    every = play("home", "10", cards, script, switch={"bust_scope": "all_player_bets"})
    assert money(every) == "1.1=-10 1.2=-10"


def test_Q4_13_who_has_retired_is_not_offered_insurance() -> None:
    assert list(whom(upto("home", "10 10", "10 10 A 6 9 8", "1:retire 2:keep"))) == ["insure 2"]


def test_Q4_14_a_blackjack_gets_no_turn_and_may_not_retire() -> None:
    played = play("home", "10", "A 9 K 8")
    assert (played.asked, story(played)[-2:]) == ([], ["turned 8", "1.1=+15"])


def test_Q4_15_retiring_is_said_with_the_houses_card_in_sight_or_before_it_has_any() -> None:
    seen = upto("home", "10", "10 9 6 8")
    assert (asked(seen).kind, seen.dealer) == ("retire", ["9", "??"])
    blind = upto("home", "10", "10 6", switch={"deal_order": "players_first"})
    assert (asked(blind).kind, blind.dealer) == ("retire", [])


def test_Q4_16_a_hand_from_a_split_may_double_or_not() -> None:
    cards = "8 9 8 8 3 10 9"
    assert money(play("home", "10", cards, "split 1.1:double 1.2:stand")) == "1.1=+20 1.2=+10"
    plain = play(
        "home", "10", cards, "split 1.1:hit 1.1:stand 1.2:stand", switch={"double.after_split": False}
    )  # fmt: skip
    assert money(plain) == "1.1=+10 1.2=+10"
    not_ = upto("home", "10", cards, "keep split", switch={"double.after_split": False})
    assert why_not(not_, "double") == "double.after_split"


def test_Q4_17_blackjack_against_blackjack_is_void_or_paid() -> None:
    cards = "A K Q A"
    assert money(play("home", "10", cards)) == "1.1=0"
    assert money(play("home", "10", cards, switch={"bj_tie": "player"})) == "1.1=+15"
