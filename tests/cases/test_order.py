"""Faults in the order of play."""

from __future__ import annotations

import pytest

from tapete.events import DEALER, Dealt, Decided, Turned
from tapete.money import units
from tapete.state import total_of
from tests.cases.book import AMERICAN, CASES, table, worked
from tests.driving import play, steps, upto


def test_OP_01_both_ways_of_dealing_to_split_hands_are_there_and_keep_to_their_order() -> None:
    case = CASES["OP-01"]
    worked("OP-01")
    assert [upto(AMERICAN, "10", case["cards"], "split").cards(1, hand) for hand in (1, 2)] == [["4", "7"], ["4", "6"]]
    later = upto(AMERICAN, "10", case["cards"], "split", switch={"split.second_cards": "when_played"})
    assert [later.cards(1, hand) for hand in (1, 2)] == [["4", "7"], ["4"]]


def test_OP_03_a_box_goes_on_until_it_stands_and_the_dealer_comes_last() -> None:
    played = worked("OP-03")
    boxes = [event.box for event in played.events if isinstance(event, Decided)]
    assert boxes == [1, 1, 1, 2, 2]
    drew = [event.box for event in played.events if isinstance(event, Dealt)]
    assert drew[6:] == [1, 1, 2, DEALER]
    seen = [len(before.dealer) for before, event, _ in steps(played) if isinstance(event, Decided)]
    assert seen == [2] * 5


def test_OP_05_every_card_goes_to_the_hand_that_asked() -> None:
    case = CASES["OP-05"]
    played = play(AMERICAN, "10", case["cards"], case["script"])
    assert " ".join(played.cards()) == case["hand"]
    assert total_of(played.hand()) == case["total"]
    assert " ".join(played.dealer) == case["dealer"]


@pytest.mark.parametrize("script", ["", "!stand"])
def test_OP_08_a_dealer_blackjack_found_by_the_check_ends_the_round_and_is_shown(script: str) -> None:
    case = CASES["OP-08"]
    played = play(AMERICAN, "10", case["cards"], script)
    assert " ".join(played.dealer) == case["dealer"]
    assert played.net == -units("10")
    assert played.of().reason == "dealer_blackjack"


def test_OP_10_the_hole_card_is_shown_after_everybody_retired() -> None:
    case = CASES["OP-10"]
    played = play(table(case), "10", case["cards"], case["script"])
    assert " ".join(played.dealer) == case["dealer"]
    assert any(isinstance(event, Turned) for event in played.events)
    assert played.net == -units(case["net"].lstrip("-"))
