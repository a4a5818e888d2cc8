"""Whether shuffles are even, counted; and whether the counting would notice if they were not.

Every seed is fixed, so a run never differs from the last. Thresholds lie at about one false alarm in a million for
chi-square and at five standard errors for single cards.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable, Sequence
from functools import cmp_to_key
from math import sqrt
from statistics import NormalDist

import pytest

from tapete import fairness
from tapete.cards import PACK, RANKS, Card
from tapete.rules import RuleSet

CARDS = 52
START = {one: place for place, one in enumerate(PACK)}
RULES = RuleSet(decks=1, shuffle="every_round", cut_card_left=None)
SECRET = fairness.seeded_secret(2024)


def chi_square_limit(freedom: int) -> float:
    """What chi-square exceeds once in a million (Wilson and Hilferty's approximation)."""
    z, share = NormalDist().inv_cdf(1 - 1e-6), 2 / (9 * freedom)
    return freedom * (1 - share + z * sqrt(share)) ** 3


def matrix(orders: Iterable[Sequence[Card]]) -> list[list[int]]:
    """How often the card that began at one place ended at another."""
    counts = [[0] * CARDS for _ in range(CARDS)]
    for order in orders:
        for row, one in zip(counts, order, strict=True):
            row[START[one]] += 1
    return list(map(list, zip(*counts, strict=True)))


def spread(counts: list[list[int]]) -> float:
    """Chi-square of a position matrix, with (cards - 1) squared degrees of freedom.

    Rows and columns both add up to the number of shuffles, and the entries of one permutation hang together: the plain
    sum is distributed like cards / (cards - 1) times chi-square.
    """
    due = sum(counts[0]) / CARDS
    plain = sum((seen - due) ** 2 / due for row in counts for seen in row)
    return plain * (CARDS - 1) / CARDS


def our_shuffles(number: int) -> Iterable[tuple[Card, ...]]:
    """One-pack shoes as a table gets them, each with its own id."""
    for shoe in range(number):
        record = fairness.begin(SECRET, shoe_id=str(shoe), rules_digest="d", rules=RULES)
        yield fairness.order(fairness.cut(fairness.close(record), at=0), SECRET)


def swap_with_any_place(chance: random.Random) -> list[Card]:
    mixed = list(PACK)
    for place in range(CARDS):
        other = chance.randrange(CARDS)
        mixed[place], mixed[other] = mixed[other], mixed[place]
    return mixed


def sort_by_random_comparison(chance: random.Random) -> list[Card]:
    return sorted(PACK, key=cmp_to_key(lambda *_: chance.choice((-1, 1))))


@pytest.mark.slow
def test_SH_03_every_card_comes_first_and_anywhere_equally_often() -> None:
    number = 100_000
    counts = matrix(our_shuffles(number))
    even = 1 / CARDS
    error = sqrt(even * (1 - even) / number)
    assert max(abs(row[0] / number - even) for row in counts) < 5 * error
    assert spread(counts) < chi_square_limit((CARDS - 1) ** 2)


@pytest.mark.parametrize("biased", [swap_with_any_place, sort_by_random_comparison])
def test_SH_03_biased_shuffles_would_be_noticed(biased: Callable[[random.Random], list[Card]]) -> None:
    chance = random.Random(3)
    counts = matrix(biased(chance) for _ in range(4_000))
    assert spread(counts) > chi_square_limit((CARDS - 1) ** 2)


def test_SH_03_the_counting_lets_even_shuffles_pass() -> None:
    chance = random.Random(4)
    counts = matrix(chance.sample(PACK, CARDS) for _ in range(4_000))
    assert spread(counts) < chi_square_limit((CARDS - 1) ** 2)


def test_SH_05_the_top_card_and_a_random_card_of_a_shuffled_pack_are_alike_exactly() -> None:
    """All orders of five cards: after two cards are out, the next from the top and any of the rest, counted."""
    pack = PACK[:5]
    top = [(*order[:2], order[2]) for order in itertools.permutations(pack)]
    anywhere = [(*order[:2], one) for order in itertools.permutations(pack) for one in order[2:]]
    assert all(anywhere.count(three) == 3 * top.count(three) for three in set(top) | set(anywhere))


def test_SH_05_the_counting_does_not_tell_the_top_card_from_a_random_card() -> None:
    chance, number = random.Random(5), 20_000
    seen = {"top": dict.fromkeys(RANKS, 0), "anywhere": dict.fromkeys(RANKS, 0)}
    for order in our_shuffles(number):
        seen["top"][order[2].rank] += 1
        seen["anywhere"][chance.choice(order[2:]).rank] += 1
    for counts in seen.values():
        due = number / len(RANKS)
        assert sum((one - due) ** 2 / due for one in counts.values()) < chi_square_limit(len(RANKS) - 1)
