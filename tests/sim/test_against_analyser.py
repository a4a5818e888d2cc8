"""What is simulated is what is counted: means, spread, frequencies of a fresh shoe, within four standard errors."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import Any

import numpy as np
import pytest

from tapete import lookup
from tapete.exact import counting, playing
from tapete.exact.playing import Round
from tapete.exact.spread import spread
from tapete.rulefile import preset
from tapete.rules import RuleSet, with_
from tapete.sim import kernel
from tapete.sim.setting import Setting, play, setting
from tests.sim.sides import wild_way

ROUNDS = 1_000_000
FRESH: dict[str, object] = {"shuffle": "every_round", "cut_card_left": None, "min_players": 1}


def fresh(name: str, changes: Mapping[str, object]) -> RuleSet:
    """The table, its shoe shuffled before every round."""
    return with_(preset(name).rules, {**FRESH, **changes})


def counted_round(rules: RuleSet, seed: int) -> Round:
    """A round under a way of playing made at random."""
    counted = counting.count(rules, counting.full(rules))
    stake = lookup.new_stake(rules, rules.bet_min) * counted.one
    return playing.under(counted, wild_way(counted, seed), stake=stake)


class Found:
    """Mean and variance of what rounds brought, each with its standard error, and how often things happened."""

    def __init__(self, set_: Setting, nets: Any, counts: Any) -> None:
        brought = (np.arange(len(nets)) - len(nets) // 2) / set_.bet
        self.rounds = int(nets.sum())
        self.mean = float((nets * brought).sum()) / self.rounds
        self.variance, fourth = (float((nets * (brought - self.mean) ** at).sum()) / self.rounds for at in (2, 4))
        self.error = sqrt(self.variance / self.rounds)
        self.variance_error = sqrt((fourth - self.variance**2) / self.rounds)
        self.counts = counts

    def rate(self, what: int) -> float:
        """How often it happened in a round."""
        return float(self.counts[what]) / self.rounds


def near(found: float, told: Any, error: float) -> bool:
    """Whether two numbers are one, as far as chance can tell."""
    return abs(found - float(told)) < 4 * error


def is_rate(found: float, told: Any) -> bool:
    """Whether a frequency is the probability, as far as chance can tell."""
    return near(found, told, sqrt(max(float(told) * (1 - float(told)), 0) / ROUNDS) + 1e-12)


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("casino", {"split.max_hands": 3}),
        ("british", {}),
        ("leaflet", {"no_hole_bj_takes": "one_bet", "surrender.mode": "late"}),
        ("home", {}),
        ("home", {"split.stake": "one_chip", "bet_min": 500, "bj_beats_21": False, "surrender.mode": "late"}),
    ],
)
def test_a_million_rounds_spread_as_they_are_counted(name: str, changes: Mapping[str, object]) -> None:
    rules = fresh(name, changes)
    round_ = counted_round(rules, len(changes))
    set_, told = setting(round_, bet=rules.bet_min), spread(round_)
    nets, counts, _ = play(set_, ROUNDS, seed=11)
    found = Found(set_, nets, counts)
    assert near(found.mean, told.ev, found.error)
    assert near(found.variance, told.variance, found.variance_error)
    assert near(found.rate(kernel.LAID) / set_.bet, told.wagered, found.error)
    for what, rate in ((kernel.BLACKJACKS, "blackjack"), (kernel.INSURED, "insured"), (kernel.RETIRES, "retire")):
        assert is_rate(found.rate(what), getattr(told.rates, rate)), rate
    split = float(told.rates.split)
    assert split - 4 * sqrt(split / ROUNDS) < found.rate(kernel.SPLITS) < (rules.split.max_hands - 1) * split * 1.1


def test_a_million_rounds_with_both_cards_of_the_dealer_seen_bring_what_is_counted() -> None:
    round_ = counted_round(fresh("faceup", {}), 3)
    set_ = setting(round_)
    nets, counts, _ = play(set_, ROUNDS, seed=12)
    found = Found(set_, nets, counts)
    assert near(found.mean, playing.value(round_), found.error)
    assert is_rate(found.rate(kernel.NATURALS), natural(set_.rules))


def natural(rules: RuleSet) -> float:
    """The chance of a blackjack in two cards of a full shoe."""
    packs = rules.decks
    return 2 * 4 * packs * 16 * packs / (52 * packs * (52 * packs - 1))


@pytest.mark.parametrize("boxes", [3, 7])
def test_each_of_several_boxes_brings_what_one_alone_does(boxes: int) -> None:
    rules = fresh("american-6d", {})
    round_ = counted_round(rules, 5)
    set_ = setting(round_, boxes_=boxes)
    _, counts, told = play(set_, ROUNDS // boxes, seed=13, told=True)
    for box in range(boxes):
        brought = told[:, box] / set_.bet
        assert near(brought.mean(), playing.value(round_), brought.std() / sqrt(len(brought))), box
    chance, rounds = natural(rules), ROUNDS // boxes
    assert near(counts[kernel.NATURALS] / rounds, chance, sqrt(chance / rounds))
    assert near(counts[kernel.BLACKJACKS] / (rounds * boxes), chance, sqrt(chance / rounds))
