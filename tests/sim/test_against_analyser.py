"""What is simulated is what is counted: means, spread, frequencies of a fresh shoe, within four standard errors."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from math import sqrt
from operator import add
from typing import Any

import numpy as np
import pytest

from tapete import lookup
from tapete.exact import counting, playing
from tapete.exact.playing import Round
from tapete.exact.spread import spread
from tapete.rulefile import preset
from tapete.rules import RuleSet, with_
from tapete.sim import running, world
from tapete.sim.results import Tally
from tapete.sim.setting import Setting, setting
from tests.sim.sides import drawn, played, wild_way

ROUNDS = 4 * running.BLOCK
FRESH: dict[str, object] = {"shuffle": "every_round", "cut_card_left": None, "min_players": 1}


def fresh(name: str, changes: Mapping[str, object]) -> RuleSet:
    """The table, its shoe shuffled before every round."""
    return with_(preset(name).rules, {**FRESH, **changes})


def counted_round(rules: RuleSet, seed: int) -> Round:
    """A round under a way of playing made at random."""
    counted = counting.count(rules, counting.full(rules))
    stake = lookup.new_stake(rules, rules.bet_min) * counted.one
    return playing.under(counted, wild_way(counted, seed), stake=stake)


def a_million(set_: Setting) -> Tally:
    """The tally of a million rounds."""
    blocks = [running.block(set_, 11, number) for number in range(4)]
    return reduce(add, blocks)


def variance_error(tally: Tally) -> float:
    """The standard error of the variance."""
    fourth = sum((net - tally.mean) ** 4 * many for net, many in tally.results) / tally.rounds
    return sqrt((fourth - tally.variance**2) / tally.rounds)


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
    found = a_million(set_)
    assert near(found.mean, told.ev, found.error)
    assert near(found.variance, told.variance, variance_error(found))
    assert near(found.laid, told.wagered, found.error)
    for what, rate in ((world.BLACKJACKS, "blackjack"), (world.INSURED, "insured"), (world.RETIRES, "retire")):
        assert is_rate(found.rate(what), getattr(told.rates, rate)), rate
    split = float(told.rates.split)
    assert split - 4 * sqrt(split / ROUNDS) < found.rate(world.SPLITS) < (rules.split.max_hands - 1) * split * 1.1


def test_a_million_rounds_with_both_cards_of_the_dealer_seen_bring_what_is_counted() -> None:
    round_ = counted_round(fresh("faceup", {}), 3)
    set_ = setting(round_)
    found = a_million(set_)
    assert near(found.mean, playing.value(round_), found.error)
    assert is_rate(found.rate(world.NATURALS), natural(set_.rules))


def natural(rules: RuleSet) -> float:
    """The chance of a blackjack in two cards of a full shoe."""
    packs = rules.decks
    return 2 * 4 * packs * 16 * packs / (52 * packs * (52 * packs - 1))


@pytest.mark.parametrize("boxes", [3, 7])
def test_each_of_several_boxes_brings_what_one_alone_does(boxes: int) -> None:
    rules = fresh("american-6d", {})
    round_ = counted_round(rules, 5)
    set_ = setting(round_, boxes_=boxes)
    tally, told = played(set_, drawn(set_, 13), ROUNDS // boxes)
    for box in range(boxes):
        brought = told[:, box] / set_.bet
        assert near(brought.mean(), playing.value(round_), brought.std() / sqrt(len(brought))), box
        assert tally.each[box] == pytest.approx((brought.mean(), brought.var()))
    together = np.cov(told.T / set_.bet, bias=True)
    assert tally.covariance == pytest.approx((together.sum() - together.trace()) / (boxes * (boxes - 1)))
    chance, rounds = natural(rules), ROUNDS // boxes
    assert near(tally.rate(world.NATURALS), chance, sqrt(chance / rounds))
    assert near(tally.rate(world.BLACKJACKS) / boxes, chance, sqrt(chance / rounds))
