"""Shoes as the kernel itself draws them: every order as likely as any other, as far as statistics can tell.

Seeds are fixed, so that each figure is always the same; four standard deviations are what is let pass.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest

from tapete.sim import cards, world
from tapete.sim.streams import stream

CARDS = 52
SHOES = 40_000


@numba.njit(nogil=True)
def deal_out(shoe: Any, state: Any, into: Any) -> None:
    """Deals whole shoes, one after the other, each from the order that the last one left."""
    for number in range(into.shape[0]):
        at = world.At(0, shoe.cards.shape[0], state, np.int64(0), np.int64(0), 0.0)
        for place in range(into.shape[1]):
            card, at = cards.draw(shoe, at)
            into[number, place] = card
        state = at.state


@pytest.fixture(scope="module")
def shoes() -> Any:
    """Many shoes of one pack whose cards are all different: [shoe, place]."""
    state, step = stream(20, 26)
    pack = np.arange(CARDS, dtype=np.uint8)
    found = np.empty((SHOES, CARDS), dtype=np.int64)
    deal_out(world.Shoe(pack, np.zeros(world.MARKS, dtype=np.int64), np.uint64(step), True, 1), np.uint64(state), found)
    return found


def deviations(counts: Any, expected: float, freedom: int) -> float:
    """How many standard deviations a sum of squares is off its mean."""
    square = ((counts - expected) ** 2 / expected).sum()
    return float((square - freedom) / (2 * freedom) ** 0.5)


def test_each_shoe_is_the_whole_pack(shoes: Any) -> None:
    assert (np.sort(shoes, axis=1) == np.arange(CARDS)).all()


def test_every_card_comes_at_every_place_alike(shoes: Any) -> None:
    counts = np.zeros((CARDS, CARDS))
    for place in range(CARDS):
        counts[place] = np.bincount(shoes[:, place], minlength=CARDS)
    assert abs(deviations(counts, SHOES / CARDS, (CARDS - 1) ** 2)) < 4


def test_every_card_follows_every_other_alike(shoes: Any) -> None:
    pairs = np.bincount((shoes[:, :-1] * CARDS + shoes[:, 1:]).ravel(), minlength=CARDS**2).reshape(CARDS, CARDS)
    assert not pairs.diagonal().any()
    others = pairs[~np.eye(CARDS, dtype=bool)]
    assert abs(deviations(others, SHOES * (CARDS - 1) / len(others), len(others) - 1)) < 4


def test_a_shoe_remembers_nothing_of_the_one_before(shoes: Any) -> None:
    """Cards that lie where they lay: one on average, with variance one, whatever the pack."""
    for before in (shoes[:-1], np.arange(CARDS)):
        stayed = (shoes[-len(shoes[1:]) :] == before).sum(axis=1)
        assert abs(stayed.mean() - 1) < 4 / SHOES**0.5
        assert abs(stayed.var() - 1) < 4 * (3 / SHOES) ** 0.5  # of a Poisson number's variance: 2 + 1


def test_cards_rise_and_fall_as_often_as_they_should(shoes: Any) -> None:
    rises = (np.diff(shoes, axis=1) > 0).sum(axis=1)
    mean, variance = (CARDS - 1) / 2, (CARDS + 1) / 12
    assert abs(rises.mean() - mean) < 4 * (variance / SHOES) ** 0.5
    assert rises.var() == pytest.approx(variance, rel=0.03)


def test_the_orders_of_a_few_cards_are_all_alike(shoes: Any) -> None:
    """Of the first four places, all 24 orders of which is higher."""
    order = np.argsort(shoes[:, :4], axis=1) @ np.array([64, 16, 4, 1])
    counts = np.unique(order, return_counts=True)[1]
    assert len(counts) == 24
    assert abs(deviations(counts, SHOES / 24, 23)) < 4


def test_neighbouring_blocks_have_nothing_in_common() -> None:
    """The same place in the shoes of two blocks: equal in one case of 52."""
    firsts = np.empty((2000, 20, CARDS), dtype=np.int64)
    for block in range(len(firsts)):
        state, step = stream(1, block)
        pack = np.arange(CARDS, dtype=np.uint8)
        shoe = world.Shoe(pack, np.zeros(world.MARKS, dtype=np.int64), np.uint64(step), True, 1)
        deal_out(shoe, np.uint64(state), firsts[block])
    alike = (firsts[1:] == firsts[:-1]).mean()
    assert abs(alike - 1 / CARDS) < 4 * (1 / CARDS / firsts[1:].size) ** 0.5
