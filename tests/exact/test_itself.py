"""What must hold whatever the figures: no other source is needed to see it fail."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest

from tapete import lookup
from tapete.errors import BadInput
from tapete.exact import analysis, counting, playing
from tapete.exact.playing import Round, Way
from tapete.exact.tree import soft as softness
from tapete.rulefile import preset
from tapete.rules import RuleSet, with_
from tests.exact.world import price, table

FIVE = ("casino", "british", "leaflet", "faceup", "home")


def under(rules: RuleSet, shoe: tuple[int, ...], way: Way, stake: float = 1.0) -> float:
    return float(playing.value(playing.under(counting.count(rules, shoe), way, stake=stake)))


def without(shoe: tuple[int, ...], *kinds: int) -> tuple[int, ...]:
    left = list(shoe)
    for kind in kinds:
        left[kind] -= 1
    return tuple(left)


def way_of(round_: Round) -> Way:
    """The way of a round, its split hands played by the same wishes."""
    return round_.way._replace(after={})


@pytest.mark.parametrize("name", FIVE)
def test_no_level_of_attention_is_below_a_lower_one(name: str) -> None:
    rules = preset(name).rules
    worth = [price(rules, level).ev for level in analysis.LEVELS]
    assert worth == sorted(worth)
    assert worth[0] < worth[2]


@pytest.mark.parametrize("name", ["casino", "home"])
def test_effects_of_removal_weighed_by_rank_cancel_under_a_fixed_strategy(name: str) -> None:
    rules = preset(name).rules
    round_ = price(rules).round
    shoe = counting.full(rules)
    way = way_of(round_)
    effects = [under(rules, without(shoe, kind), way) - under(rules, shoe, way) for kind in range(len(shoe))]
    assert max(map(abs, effects)) > 1e-4
    assert sum(many * effect for many, effect in zip(shoe, effects, strict=True)) == pytest.approx(0, abs=1e-11)


def test_the_mean_over_all_shoes_without_two_cards_is_the_full_shoe() -> None:
    rules = table(decks=1, split__max_hands=2)
    shoe = counting.full(rules)
    way, cards = way_of(price(rules).round), sum(counting.full(rules))
    mean = 0.0
    for one in range(10):
        for other in range(one, 10):
            chance = shoe[one] * (shoe[other] - (one == other)) / (cards * (cards - 1)) * (1 if one == other else 2)
            mean += chance * under(rules, without(shoe, one, other), way)
    assert mean == pytest.approx(under(rules, shoe, way), abs=1e-12)


def test_many_packs_come_near_the_endless_one() -> None:
    rules = table(split__max_hands=2)
    edges = [analysis.analyse(rules, shoe=[many * packs for many in (4,) * 9 + (16,)]).ev for packs in (1, 2, 4, 8)]
    endless = analysis.analyse(rules, shoe=counting.endless(rules)).ev
    gaps = [abs(edge - endless) for edge in edges]
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[3] == pytest.approx(gaps[2] / 2, rel=0.05)


@pytest.mark.parametrize("name", ["casino", "home", "faceup"])
def test_chances_of_all_hands_and_ends_add_up_to_one(name: str) -> None:
    rules = preset(name).rules
    counted = price(rules).round.counted
    assert sum(deal.chance for deal in playing.deals(counted)) == pytest.approx(1, abs=1e-13)
    [whole] = counted.ends[counted.tables.plan.fresh[0]][None].sum((1, 2))
    assert whole == pytest.approx(1, abs=1e-13)
    possible = (counted.tables.plan.tree.counts <= counted.shoe).all(1)
    assert counted.ends[counted.tables.plan.fresh][possible].min() > -1e-15


def test_no_single_cell_of_the_best_strategy_by_totals_can_be_improved() -> None:
    rules = table(decks=1, split__max_hands=2)
    round_ = price(rules, "td").round
    best, rng = playing.value(round_), random.Random(8)
    tree, row = round_.counted.tables.plan.tree, round_.counted.tables.row[0]
    soft = softness(tree)
    for _ in range(25):
        total, is_soft, start = rng.randint(5, 20), rng.random() < 0.4, rng.randrange(10)
        wish = round_.way.wish.copy()
        wish[(row == total) & (soft == is_soft), start] = rng.randrange(4)
        other = under(rules, counting.full(rules), round_.way._replace(wish=wish))
        assert other <= best + 1e-15, (total, is_soft, start)


def test_ranks_of_ten_told_apart_change_nothing_where_no_rule_looks_at_them() -> None:
    """Suits and names of tens: a table that matches ranks but never splits tens counts 13 kinds, not ten."""
    plain = table(split__exclude=(10,), split__max_hands=2)
    assert len(lookup.kinds(with_(plain, {"split.match": "rank"}))) == 13
    assert price(with_(plain, {"split.match": "rank"})).ev == pytest.approx(price(plain).ev, abs=1e-14)


FAVOURS = [
    ("casino", {"dealer_soft17": "hit"}, -1),
    ("casino", {"bj_pays": (6, 5)}, -1),
    ("casino", {"tie": "dealer"}, -1),
    ("casino", {"bj_tie": "player"}, 1),
    ("casino", {"bj_tie": "dealer"}, -1),
    ("casino", {"bj_beats_21": False}, -1),
    ("casino", {"no_hole_bj_takes": "original_only"}, 1),
    ("casino", {"no_hole_bj_takes": "one_bet"}, 1),
    ("casino", {"split.max_hands": 4}, 1),
    ("casino", {"split.aces_cards": "many"}, 1),
    ("casino", {"split.match": "rank"}, 0),
    ("casino", {"double.totals": "any"}, 1),
    ("casino", {"double.cards": "any"}, 1),
    ("casino", {"double.draw": "no_limit"}, 1),
    ("casino", {"surrender.mode": "early"}, 1),
    ("casino", {"surrender.mode": "late"}, 1),
    ("casino", {"split_21_is_bj": "all"}, 1),
    ("casino", {"bj_definition": "ace_with_figure"}, -1),
    ("casino", {"decks": 1, "back_colours": None, "cut_card_left": 13}, 1),
    ("casino", {"hit_21": "allowed"}, 0),
    ("casino", {"dealer_draws": "always"}, 0),
    ("home", {"surrender.loss": (3, 4)}, -1),
    ("home", {"peek": "none"}, -1),
    ("home", {"surrender.mode": "late"}, -1),
    ("home", {"deal_order": "players_first"}, -1),
    ("home", {"split.aces_resplit": False}, -1),
    ("home", {"double.after_split": False}, -1),
    ("home", {"split.stake": "one_chip", "bet_min": 500}, -1),
    ("faceup", {"forced_play": "auto_all"}, -1),
    ("faceup", {"tie": "push"}, 1),
    ("faceup", {"dealer_soft17": "stand"}, 1),
]


@pytest.mark.parametrize(
    ("name", "change", "sign"), FAVOURS, ids=lambda one: "-".join(one) if isinstance(one, dict) else None
)
def test_each_switch_moves_the_edge_the_way_its_description_says(
    name: str, change: dict[str, object], sign: int
) -> None:
    rules = preset(name).rules
    moved = price(with_(rules, change)).ev - price(rules).ev
    assert moved == pytest.approx(0, abs=1e-12) if sign == 0 else moved * sign > 1e-7


def test_fractions_and_floats_are_the_same_to_fifteen_digits() -> None:
    rules, shoe = preset("casino").rules, (1, 1, 1, 0, 1, 1, 1, 1, 1, 4)
    exact = analysis.analyse(rules, shoe=shoe, exact=True).ev
    assert isinstance(exact, Fraction)
    assert analysis.analyse(rules, shoe=shoe).ev == pytest.approx(float(exact), abs=1e-14)


@pytest.mark.parametrize(
    ("shoe", "code"),
    [
        ((1,) * 9, "exact.shoe_kinds"),
        ((-1,) + (4,) * 9, "exact.shoe_count"),
        ((4,) * 9 + (500,), "exact.shoe_count"),
        ((32,) * 9 + (132,), "exact.shoe_count"),
        ((36,) * 9 + (144,), "exact.shoe_packs"),
        ((1, 1, 0, 0, 0, 0, 0, 0, 0, 3), "exact.shoe_small"),
    ],
)
def test_impossible_shoes_are_refused(shoe: tuple[int, ...], code: str) -> None:
    with pytest.raises(BadInput) as refused:
        analysis.analyse(preset("casino").rules, shoe=shoe)
    assert refused.value.code == code


@pytest.mark.parametrize("cards", [(9, 9, 9), (4, 4, 4, 4, 4), (0,) * 9])
def test_hands_that_cannot_be_are_refused(cards: tuple[int, ...]) -> None:
    with pytest.raises(BadInput) as refused:
        price(table(decks=2), shoe=(8,) * 9 + (32,)).moves(cards, (4,))
    assert refused.value.code == "exact.no_such_hand"


def test_a_hand_of_any_length_has_its_moves_and_its_reasons() -> None:
    moves = {move.name: move for move in price(preset("casino").rules).moves((1, 1, 2, 3), (9,))}
    assert moves["hit"].ev is not None
    assert np.isfinite(float(moves["stand"].ev))
    assert moves["double"].reason == "double.cards"
    assert moves["split"].reason == "not_a_pair"


@pytest.mark.parametrize("name", ["american-6d", "faceup"])
def test_a_pair_where_nobody_may_split_has_its_other_moves(name: str) -> None:
    rules = with_(preset(name).rules, {"split.max_hands": 1})
    start = lookup.starts(rules)[-1]
    for moves in (price(rules).moves((8, 8), start), analysis.decision(rules, (8, 8), start)):
        found = {move.name: move for move in moves}
        assert (found["split"].ev, found["split"].reason) == (None, "split.max_hands")
        assert found["hit"].ev is not None


@pytest.mark.parametrize("name", ["home", "faceup"])
def test_one_decision_asked_alone_is_the_same(name: str) -> None:
    worth = price(preset(name).rules)
    for cards in ((7, 7), (0, 0), (9, 5), (0, 9), (1, 1, 2)):
        for start in lookup.starts(worth.rules)[1::6]:
            alone = {move.name: move for move in analysis.decision(worth.rules, cards, start)}
            told = {move.name: move for move in worth.moves(cards, start)}
            assert {one: move.reason for one, move in alone.items()} == {one: move.reason for one, move in told.items()}
            for one, move in told.items():
                if move.ev is not None:
                    both = (move.ev, move.ev_without)
                    assert (alone[one].ev, alone[one].ev_without) == pytest.approx(both, abs=1e-13)
