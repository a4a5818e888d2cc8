"""Faults in what may be done."""

from __future__ import annotations

import pytest

from tapete import table as tables
from tapete.errors import BadInput, Refused
from tapete.money import units
from tapete.questions import OF_KIND
from tapete.round import begin
from tapete.rules import with_
from tapete.strategy import SIMPLE
from tapete.table import Joined, Placed, Sat, Table
from tests.cases.book import AMERICAN, CASES, table
from tests.driving import play, upto


def seated(chips: str, *boxes: int) -> Table:
    """A table at which Ana holds these boxes."""
    there = tables.apply(Table(AMERICAN), Joined("Ana", units(chips)))
    for box in boxes:
        there = tables.apply(there, Sat("Ana", box))
    return there


def placed(there: Table, box: int, amount: int) -> tuple[str, Table]:
    """Why Ana's bet is refused, "" when it is not; and the table after it."""
    try:
        return "", tables.apply(there, Placed("Ana", box, amount))
    except Refused as refused:
        return str(refused.facts["reason"]), there


def test_LE_01_a_pair_cannot_be_split_after_a_card() -> None:
    case = CASES["LE-01"]
    played = upto(AMERICAN, "10", case["cards"], case["script"])
    assert played.reasons == ["not_a_pair"]
    assert list(played.open[0].legal) == case["legal"]
    assert " ".join(played.cards()) == case["hand"]


def test_LE_03_ten_valued_cards_are_a_pair_as_the_table_says() -> None:
    case = CASES["LE-03"]
    for match in ("value", "rank"):
        rules = with_(AMERICAN, {"split.match": match})
        for hand, pair in zip(case["hands"], case[match], strict=True):
            first, second = hand.split()
            asked = upto(rules, "10", [first, "6", second, "9"]).open[0]
            assert ("split" in asked.legal) is pair, (match, hand)


def test_LE_05_funds_are_asked_for_the_next_stake_and_no_more() -> None:
    case = CASES["LE-05"]
    spare = {"P1": "20"}
    rules = with_(AMERICAN, {"split.second_cards": "when_played"})
    one_by_one = play(rules, case["bets"], case["cards"], case["script"], spare=spare)
    at_once = play(AMERICAN, case["bets"], case["at_once"], case["script"], spare=spare)
    for played in (one_by_one, at_once):
        assert played.reasons == ["funds"]
        assert [one.net for one in played.statements] == [units(net) for net in case["nets"]]
        assert played.round.spare == (units(case["end"]),)


def test_LE_06_nothing_can_be_doubled_while_insurance_is_asked() -> None:
    case = CASES["LE-06"]
    played = upto(AMERICAN, "10", case["cards"], case["script"])
    assert played.reasons == ["round.not_asked"]
    assert list(played.open[0].legal) == case["legal"]


def test_LE_08_a_blackjack_is_offered_insurance_unless_the_table_offers_it_to_nobody() -> None:
    case = CASES["LE-08"]
    assert list(upto(AMERICAN, "10", case["cards"] + " 9").open[0].legal) == case["legal"]
    assert upto(with_(AMERICAN, {"insurance.who": "none"}), "10", case["cards"] + " 9").open == ()
    only = with_(AMERICAN, {"insurance.who": "bj_holder"})
    assert [one.box for one in upto(only, "10 10", "A 10 A K 9 9").open] == [1]


def test_LE_10_doubling_after_a_split_is_a_switch_that_works() -> None:
    case = CASES["LE-10"]
    played = upto(table(case), "10", case["cards"], case["script"])
    assert played.reasons == ["double.after_split"]
    assert list(played.open[0].legal) == case["legal"]
    assert "double" in upto(AMERICAN, "10", case["cards"], "split").open[0].legal


def test_LE_11_a_doubled_hand_takes_one_card_and_is_done() -> None:
    case = CASES["LE-11"]
    played = play(AMERICAN, "10", case["cards"], case["script"])
    assert played.reasons == ["round.over"]
    assert " ".join(played.cards()) == case["hand"]
    assert " ".join(played.dealer) == case["dealer"]
    assert (played.of().stake, played.of().net) == (units(case["stake"]), units(case["net"]))


def test_LE_13_aces_that_cannot_be_split_again_are_a_soft_12_to_play() -> None:
    case = CASES["LE-13"]
    played = upto(table(case), "10", case["cards"], case["script"])
    asked = played.open[0]
    assert (played.cards(), list(asked.legal)) == (["A", "A"], case["legal"])
    assert dict(asked.refused)["split"] == "split.aces_resplit"
    assert SIMPLE.answer(played.round, asked).action == "hit"
    doubling = with_(table(case), {"double.after_split_aces": True})
    assert upto(doubling, "10", case["cards"], case["script"]).open[0].legal == ("hit", "stand", "double")


def test_LE_13_aces_held_to_one_card_are_done_at_12() -> None:
    played = play(AMERICAN, "10", "A 6 A 10 A 5 10", "split")
    assert [played.cards(1, 1), played.cards(1, 2)] == [["A", "A"], ["A", "5"]]


def test_LE_15_doubling_for_less_is_refused_and_never_cut() -> None:
    # The five pages double by the same amount again, so the case's other answer, 14 at stake, is no table's here.
    case = CASES["LE-15"]
    played = play(AMERICAN, case["bets"], case["cards"], case["script"], spare={"P1": case["spare"]})
    assert played.reasons == ["funds", "funds"]
    assert played.of().stake == units(case["bets"])
    assert played.round.spare == (units(case["end"]),)


@pytest.mark.parametrize("tried", CASES["LE-16"]["tried"])
def test_LE_16_no_bet_of_nothing_or_less(tried: str) -> None:
    there = seated("100", 1)
    amount = -units(tried[1:]) if tried.startswith("-") else units(tried)
    why, after = placed(there, 1, amount)
    # Nothing takes the bet back, as long as there is one; less than nothing is no bet at all.
    assert why == ("not_positive" if amount else "")
    assert tables.spare(after, "Ana") == units("100")
    with pytest.raises(Refused, match=r"lock\.too_few"):
        begin(AMERICAN, tables.lock_due(after))


@pytest.mark.parametrize("tried", [one for one in CASES["LE-16"]["tried"] if one.startswith("-")])
def test_LE_16_an_amount_with_a_sign_cannot_be_typed(tried: str) -> None:
    with pytest.raises(BadInput, match=r"money\.unreadable"):
        units(tried)


def test_LE_18_boxes_share_their_holders_chips() -> None:
    case = CASES["LE-18"]
    there, accepted = seated(case["chips"], 1, 2, 3, 4), []
    for box, amount in enumerate(case["tried"], 1):
        why, there = placed(there, box, units(amount))
        assert why in ("", "funds")
        accepted.append(not why)
    assert accepted == case["accepted"]
    assert tables.spare(there, "Ana") == 0


def test_LE_18_raising_a_bet_is_held_against_what_is_left() -> None:
    _, there = placed(seated("10", 1), 1, units("8"))
    assert [placed(there, 1, units(amount))[0] for amount in ("10", "11")] == ["", "funds"]


def test_the_answers_that_these_cases_name_exist() -> None:
    words = {word for answers in OF_KIND.values() for word in answers}
    named = {word for case in CASES.values() for word in case.get("legal", [])}
    assert named <= words
