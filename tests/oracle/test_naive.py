"""Two slow ways to the exact price of a table agree to the last digit: every order through the round, and recursion."""

from __future__ import annotations

import hashlib
from fractions import Fraction

import pytest

from bench import naive
from bench.naive.game import Against
from bench.naive.table import Table
from tapete.rulefile import preset
from tapete.rules import RuleSet, Value, with_
from tests.oracle.enumeration import RanOut, Strategy, enumerate_round

FIVE = ("casino", "british", "leaflet", "faceup", "home")
SHOE = (2, 1, 0, 0, 1, 1, 0, 3, 0, 5)
HEAVY = (2, 0, 0, 0, 0, 1, 0, 4, 0, 6)


def table(name: str, **changes: Value) -> RuleSet:
    return with_(preset(name).rules, {key.replace("__", "."): value for key, value in changes.items()})


def wilful(seed: int) -> Strategy:
    """A strategy without sense that sticks to its answers, splits again what it has split, and ends its hands."""

    def answer(
        hand_cards: tuple[int, ...], dealer: tuple[int, ...], split: bool, hands: int, legal: tuple[str, ...]
    ) -> str:
        if split and "split" in legal:
            return "split"
        open_ = [move for move in legal if move != "hit" or sum(hand_cards) <= 14 or "stand" not in legal]
        digest = hashlib.sha256(repr((seed, hand_cards, dealer, split, open_)).encode()).digest()
        return open_[digest[0] % len(open_)]

    return answer


def sober(hand_cards: tuple[int, ...], dealer: tuple[int, ...], split: bool, hands: int, legal: tuple[str, ...]) -> str:
    """Splits all pairs, doubles nothing, stands on hard 15."""
    if "split" in legal:
        return "split"
    return "hit" if "hit" in legal and sum(hand_cards) < 15 else "stand"


def agree(rules: RuleSet, shoe: tuple[int, ...], strategy: Strategy | None = None, *, splits: str = "auto") -> None:
    found = naive.analyse(rules, shoe, Fraction, strategy, splits=splits)
    counted = enumerate_round(rules, shoe, found.strategy)
    assert found.ev == counted.ev
    assert found.by_dealer == counted.by_dealer
    assert sum(counted.nets.values()) == sum(cell.probability for cell in found.cells.values()) == 1


@pytest.mark.parametrize("name", FIVE)
def test_the_best_play_is_worth_the_same_in_every_order_of_the_cards(name: str) -> None:
    agree(table(name), HEAVY)


def test_a_pair_split_to_four_hands_is_worth_the_same_one_hand_at_a_time_and_all_together() -> None:
    rules = table("home", surrender__mode="none", insurance__who="none")
    apart, together = (naive.analyse(rules, HEAVY, Fraction, sober, splits=how) for how in ("exchange", "joint"))
    counted = enumerate_round(rules, HEAVY, sober)
    assert apart.ev == together.ev == counted.ev
    assert apart.by_dealer == together.by_dealer == counted.by_dealer
    assert min(counted.nets) == -4


SWITCHES: tuple[tuple[str, dict[str, Value]], ...] = (
    ("casino", {"no_hole_bj_takes": "original_only"}),
    ("casino", {"no_hole_bj_takes": "one_bet", "double__draw": "no_limit"}),
    ("casino", {"no_hole_bj_takes": "busted_and_one", "dealer_soft17": "hit"}),
    ("casino", {"bust_scope": "all_player_bets"}),
    ("casino", {"split__stake": "one_chip", "split_21_is_bj": "tens"}),
    ("casino", {"split_21_is_bj": "all", "bj_tie": "dealer", "bj_pays": (6, 5)}),
    ("casino", {"surrender__mode": "early", "surrender__window": "first_action"}),
    ("casino", {"surrender__mode": "early", "deal_order": "players_first"}),
    ("casino", {"surrender__mode": "late", "surrender__loss": (3, 4), "double__cards": "any"}),
    ("casino", {"bj_beats_21": False, "tie": "dealer", "double__soft_as_low": True}),
    ("home", {"split__max_hands": 2, "peek": "ace", "no_hole_bj_takes": "original_only"}),
    ("home", {"split__max_hands": 2, "surrender__mode": "late", "surrender__window": "first_action"}),
    ("home", {"split__max_hands": 3, "bust_scope": "all_player_bets", "split__aces_cards": "one"}),
    ("faceup", {"forced_play": "auto_all", "bj_tie": "push"}),
    ("faceup", {"forced_play": "off", "tie": "push", "surrender__mode": "late"}),
)


@pytest.mark.parametrize(
    ("name", "changes"), SWITCHES, ids=[f"{name}-{','.join(changes)}" for name, changes in SWITCHES]
)
def test_a_changed_switch_changes_both_alike(name: str, changes: dict[str, Value]) -> None:
    rules = table(name, **changes)
    if "split__aces_cards" in changes:
        rules = with_(rules, {"double.after_split_aces": False})
    agree(rules, HEAVY, wilful(len(changes)))


@pytest.mark.parametrize(
    "changes",
    [
        {"bj_definition": "ace_with_figure", "bj_beats_21": False, "dealer_deal": "hole", "peek": "ace_or_ten"},
        {"bj_definition": "ace_with_figure"},
        {
            "bj_definition": "ace_with_figure",
            "no_hole_bj_takes": "one_bet",
            "split_21_is_bj": "all",
            "bj_tie": "dealer",
        },
        {"split__match": "rank", "split__max_hands": 3},
    ],
    ids=",".join,
)
def test_tens_are_told_apart_where_the_rules_tell_them_apart(changes: dict[str, Value]) -> None:
    agree(table("casino", **changes), (2, 0, 0, 0, 0, 1, 0, 2, 0, 2, 3, 0, 1), wilful(1))


@pytest.mark.parametrize("name", ["casino", "faceup", "home"])
def test_orders_that_are_carried_on_together_are_the_same_apart(name: str) -> None:
    shoe = (2, 1, 0, 0, 0, 1, 0, 2, 0, 2)
    together, apart = (
        enumerate_round(table(name), shoe, wilful(3), when_empty="void", merge=merge) for merge in (True, False)
    )
    assert together == apart
    assert together.chance["split"] > 0
    assert together.chance["void"] > 0


def test_a_shoe_that_cannot_end_the_round_is_refused_or_voids_it() -> None:
    low = (4, 4, 0, 0, 0, 0, 0, 0, 0, 0)
    with pytest.raises(RanOut):
        enumerate_round(table("casino"), low, wilful(0))
    with pytest.raises(naive.RanOut):
        naive.analyse(table("casino"), low)
    void = enumerate_round(table("casino"), low, wilful(0), when_empty="void")
    assert void.chance["void"] > 0
    assert void.chance["push"] >= void.chance["void"]


def test_what_happens_in_a_round_adds_up() -> None:
    found = enumerate_round(table("casino"), SHOE, wilful(5))
    assert found.chance["win"] + found.chance["push"] + found.chance["loss"] == 1
    assert found.ev == sum(net * chance for net, chance in found.nets.items())
    assert found.square == sum(net**2 * chance for net, chance in found.nets.items())
    assert found.ev == sum(chance * ev for chance, ev in found.by_dealer.values())
    assert found.chance["blackjack"] == Fraction(2 * 2 * 5, 13 * 12)
    assert found.staked > 1


def test_floats_are_the_fractions_rounded() -> None:
    exact, near = (naive.analyse(table("casino"), SHOE, number) for number in (Fraction, float))
    assert near.ev == pytest.approx(float(exact.ev), abs=1e-14)
    assert near.cells.keys() == exact.cells.keys()


def test_play_that_counts_its_hands_is_not_taken_one_hand_at_a_time() -> None:
    def fickle(
        hand_cards: tuple[int, ...], dealer: tuple[int, ...], split: bool, hands: int, legal: tuple[str, ...]
    ) -> str:
        if "split" in legal and hands < 3:
            return "split"
        return "stand" if "stand" in legal else legal[0]

    rules = table("home", insurance__who="none", surrender__mode="none")
    with pytest.raises(ValueError, match="number of hands"):
        naive.analyse(rules, HEAVY, Fraction, fickle, splits="exchange")
    agree(rules, HEAVY, fickle, splits="joint")


def test_the_small_shoe_that_tells_analysers_apart_has_its_published_values() -> None:
    # E. Farmer on blackjackinfo.com, thread 22710: 2,2 against 7 out of nineteen cards, to four hands.
    rules = table("american-6d", dealer_soft17="stand", surrender__mode="none", insurance__who="none")
    rules = with_(rules, {"split.max_hands": 4, "split.aces_resplit": False, "double.after_split": True})
    shoe = (0, 4, 4, 2, 0, 0, 2, 0, 0, 7)
    cell = naive.analyse(rules, shoe).cells[(2, 2), (7,)]
    told = {"stand": -0.61639194139, "hit": -0.13266733267, "double": -1.23278388278, "split": -0.76210220335}
    assert cell.values == pytest.approx(told, abs=5e-12)
    # Four hands together can use up these cards; one hand at a time does not see it, and so it is published.
    with pytest.raises(naive.RanOut):
        Against(Table(rules, shoe, float, rules.unit), (6,), None, "joint").split_value((1, 1), insured=False)
