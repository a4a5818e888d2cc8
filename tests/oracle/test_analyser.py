"""The analyser against every order of small shoes through the round engine: the same fraction, switch by switch."""

from __future__ import annotations

import os

import pytest

from tapete.exact import playing
from tapete.rulefile import preset
from tapete.rules import RuleSet, with_
from tests.oracle.enumeration import enumerate_round
from tests.oracle.given import Lot, counted_round, strategy

SEEDS = range(1, 1 + int(os.environ.get("TAPETE_ORACLE_SEEDS", "1")))
HOLE = with_(
    preset("casino").rules,
    {"dealer_deal": "hole", "peek": "ace_or_ten", "double.totals": "any", "split.exclude": (), "back_colours": None},
)
NONE = with_(HOLE, {"dealer_deal": "no_hole", "peek": "none"})
UP = preset("faceup").rules

CHANGES: list[tuple[RuleSet, dict[str, object]]] = [
    (HOLE, {}),
    (HOLE, {"dealer_soft17": "hit"}),
    (HOLE, {"peek": "ace"}),
    (HOLE, {"peek": "none"}),
    (HOLE, {"peek": "none", "no_hole_bj_takes": "original_only"}),
    (HOLE, {"bj_tie": "dealer"}),
    (HOLE, {"bj_beats_21": False}),
    (HOLE, {"tie": "dealer"}),
    (HOLE, {"split_21_is_bj": "tens"}),
    (HOLE, {"split.aces_cards": "many", "split.aces_resplit": True}),
    (HOLE, {"surrender.mode": "late"}),
    (HOLE, {"surrender.mode": "early"}),
    (HOLE, {"surrender.mode": "early", "deal_order": "players_first"}),
    (HOLE, {"double.draw": "no_limit"}),
    (HOLE, {"double.cards": "any"}),
    (HOLE, {"double.totals": (9, 10, 11), "double.soft_as_low": True}),
    (HOLE, {"hit_21": "allowed"}),
    (HOLE, {"insurance.who": "bj_holder"}),
    (HOLE, {"split.stake": "one_chip", "bet_min": 500}),
    (NONE, {}),
    (NONE, {"no_hole_bj_takes": "original_only"}),
    (NONE, {"no_hole_bj_takes": "one_bet"}),
    (NONE, {"no_hole_bj_takes": "one_bet", "split_21_is_bj": "all"}),
    (NONE, {"split.stake": "one_chip", "bet_min": 500}),
    (NONE, {"bj_tie": "player"}),
    (NONE, {"bj_pay_time": "on_deal"}),
    (NONE, {"split.aces_cards": "many", "double.after_split_aces": True}),
    (NONE, {"surrender.mode": "late", "surrender.window": "first_action"}),
    (NONE, {"surrender.mode": "early", "surrender.window": "first_action", "surrender.loss": (1, 4)}),
    (UP, {"forced_play": "auto_all"}),
    (UP, {"forced_play": "off", "hit_21": "allowed"}),
    (UP, {"surrender.mode": "early"}),
    (UP, {"bj_beats_21": False, "tie": "push"}),
]
SMALL = (2, 0, 0, 0, 1, 2, 0, 2, 0, 6)
RANKS = (2, 0, 0, 0, 0, 2, 0, 2, 0, 8)


def agree(rules: RuleSet, shoe: tuple[int, ...], seed: int) -> None:
    lot = Lot(seed)
    told = enumerate_round(rules, shoe, strategy(lot, rules))
    assert playing.value(counted_round(lot, rules, shoe)) == told.ev
    assert playing.value(counted_round(lot, rules, shoe, exact=False)) == pytest.approx(float(told.ev), abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("rules", "change"), CHANGES, ids=lambda one: " ".join(map(str, one.items())) if isinstance(one, dict) else ""
)
def test_the_same_fraction_for_every_switch(rules: RuleSet, change: dict[str, object], seed: int) -> None:
    changed = with_(rules, {"split.max_hands": 2, **change})
    agree(changed, SMALL, seed)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    "change", [{"split.match": "rank"}, {"bj_definition": "ace_with_figure", "split.exclude": (10,)}]
)
def test_the_same_fraction_where_ranks_of_ten_are_told_apart(change: dict[str, object], seed: int) -> None:
    agree(with_(NONE, {"split.max_hands": 2, **change}), RANKS, seed)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("name", "shoe"),
    [
        ("casino", (2, 1, 0, 0, 1, 2, 0, 3, 0, 5)),
        ("british", (3, 1, 0, 0, 1, 2, 0, 2, 0, 5)),
        ("leaflet", (2, 0, 1, 0, 0, 1, 3, 0, 2, 4)),
        ("faceup", (2, 0, 0, 0, 1, 1, 0, 4, 0, 6)),
        ("home", (0, 0, 0, 0, 0, 2, 0, 4, 0, 8)),
    ],
)
def test_the_same_fraction_at_the_five_tables_split_to_their_limits(
    name: str, shoe: tuple[int, ...], seed: int
) -> None:
    agree(preset(name).rules, shoe, seed)
