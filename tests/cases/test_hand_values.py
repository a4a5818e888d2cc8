"""Faults in counting a hand."""

from __future__ import annotations

from itertools import permutations, product

from tapete import rulebook
from tapete.cards import card
from tapete.events import Dealt
from tapete.state import dealer_total, total_of
from tests.cases.book import CASES, worked
from tests.driving import Played, steps


def counted(ranks: list[str]) -> tuple[int, bool]:
    """What the rulebook makes of some cards: total, and whether it is soft."""
    points = [card(f"{rank}s").points for rank in ranks]
    return rulebook.total(sum(points), ace=1 in points), rulebook.is_soft(sum(points), ace=1 in points)


def tried(ranks: list[str]) -> tuple[int, bool]:
    """The same by trying both values of every ace: the best total that does not pass 21, else the least."""
    ways = product(*[(1, 11) if rank == "A" else (card(f"{rank}s").points,) for rank in ranks])
    totals = {sum(way): 11 in way for way in ways}
    fine = [one for one in totals if one <= 21]
    best = max(fine) if fine else min(totals)
    return best, totals[best]


def drawn(played: Played) -> list[tuple[int, bool]]:
    """Total and softness of the first hand after each card that it drew."""
    told = []
    for before, event, after in steps(played):
        if isinstance(event, Dealt) and event.box and len(before.boxes[0].hands[0].cards) > 1:
            hand = after.boxes[0].hands[0]
            told.append((total_of(hand), rulebook.is_soft(hand.hard, ace=hand.ace)))
    return told


def test_HV_01_both_aces_between_small_cards_become_1() -> None:
    case, played = CASES["HV-01"], worked("HV-01")
    assert [(16, True), *drawn(played)] == [(16, True), (17, True), (12, False)]
    assert [total for total, _ in [(16, True), *drawn(played)]] == case["totals"]


def test_HV_03_a_later_ace_may_still_be_11() -> None:
    played = worked("HV-03")
    assert total_of(played.hand()) == 19
    assert rulebook.is_soft(played.hand().hard, ace=True)


def test_HV_05_a_hand_of_20_with_two_aces_is_shown_as_20_and_still_asked() -> None:
    played = worked("HV-05")
    assert [11, *[total for total, _ in drawn(played)]] == CASES["HV-05"]["totals"]
    assert drawn(played)[-1] == (20, False)
    assert played.legal[-1] == ("hit", "stand")


def test_HV_06_the_dealers_ace_becomes_1_when_11_would_bust() -> None:
    assert dealer_total(worked("HV-06").round) == 20


def test_HV_08_soft_and_hard_after_every_card_in_every_order() -> None:
    case = CASES["HV-08"]
    hands = [hand.split() for hand in case["hands"]]
    assert [counted(hand) for hand in hands] == list(zip(case["totals"], case["soft"], strict=True))
    for order in {one for hand in hands for one in permutations(hand)}:
        for many in range(1, len(order) + 1):
            assert counted(list(order[:many])) == tried(list(order[:many])), order[:many]


def test_HV_10_hands_of_many_aces_are_counted() -> None:
    case = CASES["HV-10"]
    assert [counted(["A"] * many) for many in case["aces"]] == list(zip(case["totals"], case["soft"], strict=True))


def test_HV_11_a_21_of_three_cards_is_no_blackjack() -> None:
    played = worked("HV-11")
    assert total_of(played.hand()) == 21
    assert not played.hand().blackjack
    assert played.of().reason == "win"
