"""Faults in paying."""

from __future__ import annotations

from tapete.events import Asks, Dealt, Decided
from tapete.money import units
from tests.cases.book import AMERICAN, CASES, driven, table, worked
from tests.driving import CHIPS, Played, play, steps, upto


def has(played: Played) -> int:
    """What the first bettor has beyond what was in hand when the bets were locked, in units."""
    return played.round.spare[0] - units(str(CHIPS))


def test_PO_01_a_blackjack_is_paid_what_the_table_prints() -> None:
    played = worked("PO-01")
    assert has(played) == units("250")
    assert len(played.used) == 4


def test_PO_03_a_dealer_blackjack_beats_a_21_of_three_cards() -> None:
    assert worked("PO-03").of().reason == "dealer_blackjack"


def test_PO_05_a_push_gives_the_stake_back() -> None:
    assert has(worked("PO-05")) == units("10")


def test_PO_06_a_doubled_push_gives_both_halves_of_the_stake_back() -> None:
    played = worked("PO-06")
    assert played.of().stake == units(CASES["PO-06"]["returned"])
    assert has(played) == units("10")


def test_PO_08_a_won_insurance_pays_2_to_1_on_its_own_stake() -> None:
    told = worked("PO-08").of(hand=0)
    assert told.stake + told.net == units(CASES["PO-08"]["credited"])


def test_PO_10_a_lost_insurance_beside_a_push_and_a_loss() -> None:
    played = worked("PO-10")
    assert played.nets == {"P1": -units("5"), "P2": -units("15")}


def test_PO_11_a_blackjack_may_be_insured_and_then_wins_its_stake_either_way() -> None:
    case = CASES["PO-11"]
    assert upto(table(case), "10", case["cards"]).open[0].legal == ("insure", "no_insurance")
    assert worked("PO-11").net == units("10")
    assert play(AMERICAN, "10", "A A 10 9", case["script"]).net == units("10")


def test_PO_13_insurance_at_6_to_5_is_reckoned_by_itself() -> None:
    assert worked("PO-13").net == units("7")
    assert driven("PO-13", bj_pays=(3, 2)).net == units("10")
    assert play(table(CASES["PO-13"]), "10", "A A 10 K", "insure=5").net == units("10")


def test_PO_15_half_of_an_odd_stake_is_exactly_half() -> None:
    assert worked("PO-15").of().net == -250


def test_PO_16_an_ace_with_a_ten_after_a_split_is_no_blackjack() -> None:
    assert [one.reason for one in worked("PO-16").statements] == ["win", "win"]


def test_PO_18_a_split_ten_with_an_ace_is_no_blackjack() -> None:
    assert worked("PO-18").of(hand=1).reason == "push"


def test_PO_20_each_split_hand_carries_one_stake() -> None:
    assert [one.stake for one in worked("PO-20").statements] == [units("10"), units("10")]


def test_PO_21_a_blackjack_is_paid_whatever_the_other_box_does() -> None:
    played = worked("PO-21")
    first = next(after for before, event, after in steps(played) if isinstance(before.waits, Asks))
    assert [one.reason for one in first.statements] == ["blackjack"]
    assert len(played.used) == 7


def test_PO_23_ties_are_lost_only_where_the_table_says_so() -> None:
    assert worked("PO-23").of().reason == "tie_lost"
    assert driven("PO-23", tie="push").net == 0


def test_PO_25_ENHC_a_late_dealer_blackjack_takes_everything() -> None:
    assert [worked("PO-25-ENHC").of(hand=hand).net for hand in (1, 2)] == [-units("20"), -units("10")]


def test_PO_25_OBO_a_late_dealer_blackjack_takes_one_bet() -> None:
    assert worked("PO-25-OBO").net == -units("10")


def test_PO_25_OBBO_a_late_dealer_blackjack_gives_the_doubled_part_back() -> None:
    assert worked("PO-25-OBBO").of(hand=1).reason == "part_returned"


def test_PO_25_BB_1_a_late_dealer_blackjack_takes_bust_hands_and_one_bet() -> None:
    assert worked("PO-25-BB+1").net == -units("20")


def test_PO_26_without_a_hole_card_a_double_is_lost_to_a_blackjack_and_otherwise_could_not_be_made() -> None:
    assert worked("PO-26").of().stake == units("20")
    assert driven("PO-26", no_hole_bj_takes="one_bet").net == -units("10")
    checked = play(AMERICAN, "10", "6 10 5 A", "!double")
    assert (checked.reasons, checked.net) == (["round.over"], -units("10"))


def test_PO_28_an_open_insurance_makes_the_dealer_take_the_second_card_though_the_hand_is_bust() -> None:
    played = worked("PO-28")
    assert [one.hand for one in played.statements] == [1, 0]
    other = play(table(CASES["PO-28"]), "10", "10 A 6 9 2", "insure=5 hit")
    assert other.dealer == ["A", "2"]


def test_PO_30_late_retiring_is_no_way_out_of_a_dealer_blackjack() -> None:
    case = CASES["PO-30"]
    worked("PO-30")
    played = play(table(case), "10", case["cards"], "!retire no_insurance !retire")
    assert played.reasons == ["round.not_asked", "round.over"]
    asked = [event.action for event in played.events if isinstance(event, Decided)]
    assert asked == ["no_insurance"]


def test_PO_31_insurance_lost_and_then_half_the_stake() -> None:
    played = worked("PO-31")
    assert [(one.reason, one.net) for one in played.statements] == [("insurance_lost", -500), ("retired", -500)]
    assert len([event for event in played.events if isinstance(event, Dealt)]) == 4
