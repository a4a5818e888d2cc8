"""The Face Up table (page 003), clause by clause: cards in, money and offers out."""

from __future__ import annotations

import pytest

from tapete import round as rounds
from tapete import shoe as shoes
from tapete.errors import Refused
from tapete.events import Over, Voided
from tapete.rulefile import preset
from tapete.rules import digest
from tapete.stakes import Lock, bank_net
from tapete.table import Placed
from tests.clauses.sitting import Sitting, stand
from tests.clauses.telling import cards_to, money, offered, refused_lock, story, whom, why_not
from tests.driving import play, table, upto

RULES = preset("faceup").rules

# --- the game and its cards -----------------------------------------------------------------------------------------


def test_D3_01_one_player_plays_against_the_program() -> None:
    assert (RULES.seats_max, refused_lock("faceup", "10 10").code) == (1, "lock.boxes")


@pytest.mark.parametrize("ten", ["10", "J", "Q", "K"])
def test_D3_02_21_in_two_cards_is_a_blackjack(ten: str) -> None:
    played = play("faceup", "10", f"A 10 {ten} 9")
    assert (money(played), played.of(1).reason) == ("1.1=+10", "blackjack")


def test_D3_03_a_blackjack_wins_on_the_deal_and_the_dealer_draws_nothing() -> None:
    played = play("faceup", "10", "A 2 K 3")
    assert (played.dealer, money(played)) == (["2", "3"], "1.1=+10")


def test_D3_04_21_in_three_cards_is_no_blackjack_and_waits_for_the_dealer() -> None:
    played = play("faceup", "10", "10 5 5 6 6 10", "hit")
    assert (played.of(1).total, money(played), played.of(1).reason) == (21, "1.1=-10", "tie_lost")


def test_D3_05_the_cards_2_to_10_count_what_they_show() -> None:
    assert play("faceup", "10", "2 5 3 6 4 9 7", "hit hit stand").of(1).total == 18


def test_D3_06_jack_queen_and_king_count_ten() -> None:
    assert [play("faceup", "10", f"{rank} 10 9 6 8", "stand").of(1).total for rank in "JQK"] == [19, 19, 19]


def test_D3_07_an_ace_makes_the_better_hand_six_and_ace_are_7_or_17() -> None:
    assert play("faceup", "10", "6 5 A 6 7", "stand").of(1).total == 17
    assert play("faceup", "10", "6 5 A 6 10 7", "hit stand").of(1).total == 17


# --- how it is played -----------------------------------------------------------------------------------------------


def test_D3_08_bets_outside_the_limits_are_not_taken() -> None:
    assert (RULES.bet_min, RULES.bet_max) == (100, 100_000)
    assert [refused_lock("faceup", bet).facts["reason"] for bet in ("0.5", "1001")] == ["unit", "bet_max"]


def test_D3_08_the_bet_to_repeat_is_the_one_that_was_made_not_what_doubling_added() -> None:
    for seed in range(50):
        sitting = Sitting("faceup", seed=seed)
        assert sitting.table.last == ()
        sitting.bets("P1", 1, 7)
        sitting.plays(lambda question: "double" if "double" in question.legal else stand(question))
        assert sitting.table.round is not None
        if any(one.stake == 1400 for one in sitting.table.round.statements):
            break
    assert sitting.table.last == (Placed("P1", 1, 700),)


def test_D3_09_nothing_is_dealt_without_a_bet() -> None:
    with pytest.raises(Refused, match=r"lock\.too_few"):
        rounds.begin(RULES, Lock((), ()))


def test_D3_10_hit_stand_double_and_split_are_all_there_is() -> None:
    opened = upto("faceup", "10", "5 A 5 6")
    assert (list(whom(opened)), offered(opened)) == (["turn 1"], {"hit", "stand", "double", "split"})
    assert (RULES.ui_verbs, why_not(opened, "retire")) == ("en", "surrender.mode")


def test_D3_11_a_player_may_hit_as_often_as_he_likes() -> None:
    played = play("faceup", "10", "A 5 A 5 A A A 2 2 A 7", "hit hit hit hit hit hit stand")
    assert (len(played.cards()), played.of(1).total) == (8, 20)


@pytest.mark.parametrize(
    ("first", "second", "may"),
    [("5", "3", 0), ("5", "4", 1), ("6", "4", 1), ("6", "5", 1), ("8", "4", 0), ("A", "8", 0), ("A", "9", 0)],
)
def test_D3_12_hard_9_10_and_11_may_double_and_soft_hands_may_not(first: str, second: str, may: int) -> None:
    assert ("double" in offered(upto("faceup", "10", f"{first} 5 {second} 6"))) == bool(may)


def test_D3_13_a_hand_from_a_split_may_double() -> None:
    assert money(play("faceup", "10", "8 5 8 6 3 10 9 6", "split double stand")) == "1.1=+20 1.2=+10"


def test_D3_14_two_cards_of_equal_value_may_be_split() -> None:
    assert "split" in offered(upto("faceup", "10", "10 5 K 6"))
    assert why_not(upto("faceup", "10", "9 5 K 6"), "split") == "not_a_pair"


def test_D3_15_the_new_hand_takes_a_bet_equal_to_the_first() -> None:
    opened = upto("faceup", "10", "8 5 8 6 2 3", "split", spare={"P1": "10"})
    assert [bet.base for hand in opened.round.boxes[0].hands for bet in hand.bets] == [1000, 1000]
    assert why_not(upto("faceup", "10", "8 5 8 6", spare={"P1": "9"}), "split") == "funds"


def test_D3_16_split_hands_draw_on_but_split_aces_get_one_card_each() -> None:
    eights = play("faceup", "10", "8 5 8 6 2 3 9 7 10", "split 1.1:hit 1.1:stand 1.2:hit 1.2:stand")
    assert [len(eights.cards(1, hand)) for hand in (1, 2)] == [3, 3]
    aces = play("faceup", "10", "A 5 A 6 A 9 10", "split")
    assert [aces.cards(1, hand) for hand in (1, 2)] == [["A", "A"], ["A", "9"]]


def test_D3_17_a_pair_may_grow_to_three_hands_and_no_more() -> None:
    opened = upto("faceup", "10", "8 5 8 6 8 2 8 8", "split split")
    assert (len(opened.round.boxes[0].hands), why_not(opened, "split")) == (3, "split.max_hands")


# --- forced play ----------------------------------------------------------------------------------------------------


def test_D3_18_against_a_standing_dealer_the_game_deals_until_the_player_wins_or_busts() -> None:
    assert money(play("faceup", "10", "10 K 9 9 2")) == "1.1=+10"
    assert money(play("faceup", "10", "10 K 2 9 A 5 5")) == "1.1=-10"


def test_D3_19_a_player_with_21_is_dealt_nothing_more() -> None:
    assert money(play("faceup", "10", "10 K 5 9 6")) == "1.1=+10"


def test_D3_20_both_cards_of_the_dealer_lie_face_up() -> None:
    opened = upto("faceup", "10", "10 5 9 6")
    assert (opened.dealer, cards_to(opened)) == (["5", "6"], ["1.1", "D", "1.1", "D"])


def test_D3_21_against_a_dealer_who_must_draw_the_player_chooses() -> None:
    opened = upto("faceup", "10", "10 K 2 6")
    assert offered(opened) == {"hit", "stand"}


def test_D3_22_the_base_bet_is_made_before_the_deal() -> None:
    assert refused_lock("faceup", "0").facts["reason"] == "not_positive"


# --- who wins -------------------------------------------------------------------------------------------------------


def test_D3_23_the_hand_nearer_to_21_wins() -> None:
    assert money(play("faceup", "10", "10 10 10 6 3", "stand")) == "1.1=+10"
    assert money(play("faceup", "10", "10 10 8 6 3", "stand")) == "1.1=-10"


def test_D3_24_a_dealer_over_21_loses_to_a_hand_that_is_not() -> None:
    assert money(play("faceup", "10", "10 10 2 6 10", "stand")) == "1.1=+10"


def test_D3_25_the_dealer_wins_ties() -> None:
    played = play("faceup", "10", "10 10 9 6 3", "stand")
    assert (money(played), played.of(1).reason) == ("1.1=-10", "tie_lost")


# --- the dealer -----------------------------------------------------------------------------------------------------


def test_D3_26_the_dealer_draws_on_hard_16() -> None:
    assert play("faceup", "10", "10 10 2 6 10", "stand").dealer == ["10", "6", "10"]


def test_D3_27_the_dealer_stays_on_hard_17() -> None:
    assert play("faceup", "10", "10 10 8 7").dealer == ["10", "7"]


def test_D3_28_the_dealer_draws_on_soft_17() -> None:
    played = play("faceup", "10", "A A 8 6 4", "stand")
    assert (played.dealer, money(played)) == (["A", "6", "4"], "1.1=-10")


def test_D3_29_the_dealer_stays_on_soft_18() -> None:
    played = play("faceup", "10", "10 A 9 7")
    assert (played.dealer, money(played)) == (["A", "7"], "1.1=+10")


def test_D3_30_17_with_an_ace_worth_one_is_hard_and_stays() -> None:
    assert play("faceup", "10", "10 A 8 5 A 10", "stand").dealer == ["A", "5", "A", "10"]


def test_D3_31_an_ace_of_a_soft_hand_counts_one_or_eleven() -> None:
    assert play("faceup", "10", "A 5 6 6 6", "stand").of(1).total == 17
    assert play("faceup", "10", "10 A 9 9 2").of(1).dealer == 20


# --- payment --------------------------------------------------------------------------------------------------------


def test_D3_32_a_dealer_blackjack_wins_at_once() -> None:
    played = play("faceup", "10", "5 A 6 K")
    assert (story(played)[-2:], played.of(1).reason) == (["D<K", "1.1=-10"], "dealer_blackjack")


def test_D3_33_a_blackjack_is_paid_even_money() -> None:
    assert money(play("faceup", "7", "A 10 K 9")) == "1.1=+7"


def test_D3_34_any_other_winning_hand_is_paid_even_money() -> None:
    assert money(play("faceup", "7", "10 K 9 8")) == "1.1=+7"


def test_D3_35_an_ordinary_tie_pays_nothing_back() -> None:
    played = play("faceup", "10", "10 10 10 6 4", "stand", spare={"P1": "0"})
    assert played.round.spare == (0,)


def test_D3_36_a_round_keeps_the_version_of_the_rules_it_began_with() -> None:
    old = upto("faceup", "10", "10 5 9 6")
    new = table("faceup", {"version": "2"})
    assert (RULES.version, old.round.rules.version) == ("1", "1")
    assert digest(new) != digest(old.round.rules)


def test_D3_37_a_malfunction_voids_every_bet_and_every_payment() -> None:
    opened = upto("faceup", "10", "8 5 8 6 3 10 9", "split double", spare={"P1": "40"})
    void = rounds.apply(opened.round, Voided("power"))
    assert isinstance(void.waits, Over)
    assert (void.spare, [one.reason for one in void.statements], bank_net(void.statements)) == (
        (5000,),
        ["void"] * 2,
        0,
    )


def test_D3_37_a_payment_already_made_is_reversed() -> None:
    paid = upto("british", "10 10", "9 A 9 9 K")
    assert paid.nets == {"P2": 1500}
    assert rounds.apply(paid.round, Voided("power")).spare == (1_001_000, 1_001_000)


def test_D3_38_where_the_page_is_silent_ordinary_rules_hold() -> None:
    opened = upto("faceup", "10", "2 5 3 6 6", "hit")
    assert why_not(opened, "double") == "double.cards"


# --- where the page is silent ---------------------------------------------------------------------------------------


def test_D3_S_eight_packs_are_shuffled_for_every_round() -> None:
    sitting = Sitting("faceup")
    for _ in range(3):
        sitting.plays()
    assert (RULES.decks, len(shoes.canonical(RULES)), len(set(sitting.shoes))) == (8, 416, 3)


def test_D3_S_nobody_bets_on_the_players_hand() -> None:
    assert refused_lock("faceup", "10+Eva=5").facts["reason"] == "bet_behind.mode"


def test_D3_S_both_split_hands_get_their_second_card_at_once() -> None:
    opened = upto("faceup", "10", "8 5 8 6 2 3", "split")
    assert (opened.cards(1, 1), opened.cards(1, 2)) == (["8", "2"], ["8", "3"])


# --- contested points -----------------------------------------------------------------------------------------------


def test_Q3_1_blackjack_against_blackjack_is_won_or_lost_or_void() -> None:
    cards = "A K Q A"
    assert money(play("faceup", "10", cards)) == "1.1=+10"
    assert money(play("faceup", "10", cards, switch={"bj_tie": "dealer"})) == "1.1=-10"
    assert money(play("faceup", "10", cards, switch={"bj_tie": "push"})) == "1.1=0"


def test_Q3_2_forced_play_holds_against_any_standing_dealer_not_only_one_with_21() -> None:
    assert [money(play("faceup", "10", f"10 K 2 {low} 9")) for low in (7, 8, 9)] == ["1.1=+10"] * 3


def test_Q3_3_against_a_standing_dealer_stand_is_withheld_or_all_is_automatic_or_nothing_is() -> None:
    withheld = upto("faceup", "10", "6 10 5 8")
    assert (offered(withheld), why_not(withheld, "stand")) == ({"hit", "double"}, "forced_play")
    automatic = play("faceup", "10", "6 10 5 8 6 4", switch={"forced_play": "auto_all"})
    assert money(automatic) == "1.1=+10"
    free = play("faceup", "10", "6 10 5 8", "stand", switch={"forced_play": "off"})
    assert money(free) == "1.1=-10"


def test_Q3_4_ties_go_to_the_dealer_or_are_void() -> None:
    cards = "10 10 9 6 3"
    assert money(play("faceup", "10", cards, "stand")) == "1.1=-10"
    assert money(play("faceup", "10", cards, "stand", switch={"tie": "push"})) == "1.1=0"


def test_Q3_5_11_in_three_cards_doubles_only_where_any_number_of_cards_may() -> None:
    cards = "2 5 3 6 6"
    assert why_not(upto("faceup", "10", cards, "hit"), "double") == "double.cards"
    any_ = play("faceup", "10", f"{cards} 9 8", "hit double", switch={"double.cards": "any"})
    assert money(any_) == "1.1=+20"


def test_Q3_6_a_pair_grows_to_three_hands_or_one_player_holds_three_boxes() -> None:
    assert "split" in offered(upto("faceup", "10", "8 5 8 6 8 2", "split"))
    boxes = {"seats_max": 3, "boxes_per_player": 3, "split.max_hands": 2}
    three = upto("faceup", "1:Ana=10 2:Ana=10 3:Ana=10", "8 9 9 5 8 9 9 6 8 2", "split", switch=boxes)
    assert (len(three.round.boxes), why_not(three, "split")) == (3, "split.max_hands")


def test_Q3_7_a_two_card_21_from_a_split_ties_and_loses_or_is_a_blackjack() -> None:
    cards = "A 5 A 6 K 9 10"
    assert money(play("faceup", "10", cards, "split")) == "1.1=-10 1.2=-10"
    all_ = play("faceup", "10", cards, "split", switch={"split_21_is_bj": "all"})
    assert money(all_) == "1.1=+10 1.2=-10"


def test_Q3_8_the_same_money_is_one_to_one_or_as_much_as_a_table_sets() -> None:
    assert money(play("faceup", "10", "A 10 K 9")) == "1.1=+10"
    assert money(play("faceup", "10", "A 10 K 9", switch={"bj_pays": (3, 2)})) == "1.1=+15"


def test_Q3_9_an_ace_is_never_ten() -> None:
    assert play("faceup", "10", "A 5 7 6 6", "stand").of(1).total == 18


def test_Q3_10_a_longer_soft_17_of_the_dealer_draws_too() -> None:
    assert play("faceup", "10", "10 A 8 2 4 3", "stand").dealer == ["A", "2", "4", "3"]


def test_Q3_11_a_pair_that_already_beats_the_standing_dealer_closes_as_won() -> None:
    assert money(play("faceup", "10", "10 10 K 7")) == "1.1=+10"
    free = upto("faceup", "10", "10 10 K 7", switch={"forced_play": "off"})
    assert "split" in offered(free)
