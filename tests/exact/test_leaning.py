"""Shoes that lean: the mean of the unseen cards given a count, and what moves bring in it."""

from __future__ import annotations

import itertools
import math
from typing import Final

import numpy as np
import pytest

from tapete import chart as charts
from tapete import lookup
from tapete.exact import counting, leaning, playing
from tapete.exact.analysis import analyse, decision
from tapete.exact.leaning import Frame, Pack
from tapete.exact.tree import Numbers
from tapete.rulefile import preset
from tapete.rules import RuleSet
from tests.exact.world import rows, table

HI_LO: Final = np.array([-1, 1, 1, 1, 1, 1, 0, 0, 0, -1])
ACE: Final = 0
TEN: Final = 9


def pack(decks: int = 1) -> Pack:
    return Pack(np.array([4.0] * 9 + [16.0]) * decks, HI_LO.astype(np.float64))


def without(known: Pack, *kinds: int) -> Pack:
    return known.without(np.bincount(kinds, minlength=10).astype(np.float64))


# --- the mean of the unseen cards -----------------------------------------------------------------------------------


@pytest.mark.parametrize("row", rows("hilo_insurance.csv"), ids=lambda row: f"{row['decks']} packs")
def test_insurance_pays_from_the_published_true_counts_on(row: dict[str, str]) -> None:
    left = without(pack(int(row["decks"])), ACE)
    low, high = -0.5, 0.5
    for _ in range(60):
        lean = (low + high) / 2
        there = left.leaning(lean)
        low, high = (lean, high) if there[TEN] / there.sum() > 1 / 3 else (low, lean)
    unseen = float(there @ left.tags / there.sum())
    assert -52 * unseen == pytest.approx(float(row["index"]), abs=0.05)


def unseen_exactly(known: Pack, unseen: int, tags: int) -> Numbers:
    """The mean number of each kind among so many unseen cards that add so much, from every way to draw them."""
    groups = {tag: known.many[known.tags == tag] for tag in (-1, 0, 1)}
    sizes = {tag: int(of.sum()) for tag, of in groups.items()}
    ways, total = dict.fromkeys(groups, 0.0), 0.0
    for high in range(min(sizes[-1], unseen) + 1):
        low = high + tags
        none = unseen - high - low
        if 0 <= low <= sizes[1] and 0 <= none <= sizes[0]:
            way = float(math.comb(sizes[-1], high) * math.comb(sizes[1], low) * math.comb(sizes[0], none))
            total += way
            for tag, many in ((-1, high), (0, none), (1, low)):
                ways[tag] += way * many
    means = {tag: ways[tag] / total for tag in groups}
    return np.array(
        [means[int(tag)] * many / sizes[int(tag)] for tag, many in zip(known.tags, known.many, strict=True)]
    )


@pytest.mark.parametrize("tags", [-8, -3, 0, 2, 6])
@pytest.mark.parametrize("gone", [(), (TEN,), (TEN, 5, TEN), (1, 2, 4)])
def test_the_mean_of_the_unseen_cards_is_that_of_every_way_to_draw_them(tags: int, gone: tuple[int, ...]) -> None:
    left, unseen = without(pack(2), *gone), 50
    exactly = unseen_exactly(left, unseen, tags)
    there = left.leaning((tags / unseen - left.total / left.cards) * left.cards / left.spread)
    assert there.sum() == pytest.approx(left.cards)
    assert there @ left.tags / left.cards == pytest.approx(tags / unseen)
    assert there / left.cards * unseen == pytest.approx(exactly, abs=0.09), "a tenth of a card of fifty"


def test_the_largest_lean_leaves_some_of_every_card() -> None:
    for decks in (1, 2, 8):
        known = pack(decks)
        for sign in (-1, 1):
            there = known.leaning(sign * known.most)
            assert there.min() >= leaning.LEAST - 1e-9
            assert (np.abs(there / known.many - 1) <= leaning.MOST + 1e-12).all()


# --- shoes with parts of cards --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["casino", "home", "faceup"])
def test_a_shoe_with_half_a_card_less_is_worth_what_lies_between(name: str) -> None:
    rules = preset(name).rules
    whole = counting.full(rules)

    def worth(less: float) -> float:
        return float(
            playing.value(
                playing.best(counting.count(rules, [many - less * (at == 4) for at, many in enumerate(whole)]))
            )
        )

    assert worth(0) == float(analyse(rules).ev)
    low, half, high = worth(1), worth(0.5), worth(0)
    assert abs(low - high) > 1e-5
    assert half == pytest.approx((low + high) / 2, abs=0.02 * abs(low - high))


def test_parts_of_cards_may_be_dealt_to_the_last() -> None:
    rules = table(decks=1)
    thin = [2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 4, 4, 4, 16]
    found = float(playing.value(playing.best(counting.count(rules, thin))))
    ends = [
        float(playing.value(playing.best(counting.count(rules, [math.floor(one + up) for one in thin]))))
        for up in (0, 0.5)
    ]
    assert min(ends) < found < max(ends)


# --- what moves bring -----------------------------------------------------------------------------------------------


def frame(rules: RuleSet) -> Frame:
    return leaning.frame(rules, HI_LO)


def test_in_an_upright_shoe_moves_bring_what_the_analyser_says() -> None:
    rules = preset("american-6d").rules
    told = next(leaning.brought(frame(rules), np.array([0.0, 0.05])))
    row, column = place(rules, "hard 11", "A")
    dealt = told.moves[[group.sight == SIGHT_OF_TWO for group in frame(rules).groups]].sum(0)[row, column]
    shoe = counting.full(rules)
    expected = {"stand": 0.0, "hit": 0.0, "double": 0.0}
    for one, other in ((1, 8), (2, 7), (3, 6), (4, 5)):
        chance = 2 * shoe[one] * shoe[other] * shoe[0] / (312 * 311 * 310)
        for move in decision(rules, (one, other), (0,)):
            if move.name in expected:
                expected[move.name] += chance * move.ev
    assert dealt[[0, 1, 3]] == pytest.approx([*expected.values()], abs=1e-12)


SIGHT_OF_TWO: Final = 3
"""Cards in sight of who holds two and sees one of the dealer."""


def place(rules: RuleSet, row: str, column: str) -> tuple[int, int]:
    return [one.name for one in charts.rows(rules)].index(row), [one.name for one in charts.columns(rules)].index(
        column
    )


@pytest.mark.parametrize("lean", [-0.3, -0.1, 0.1, 0.3])
def test_a_hand_is_worth_in_the_shoe_of_all_hands_what_it_is_in_its_own(lean: float) -> None:
    """The shoe of one hand is known: what is unseen behind it, and its cards. Twelve counts away they differ by 1 %."""
    rules = preset("american-6d").rules
    known = frame(rules)
    hand, up = (9, 5), 9
    left = without(known.pack, *hand, up)
    unseen = (known.pack.total + lean * known.pack.spread - float(HI_LO[[*hand, up]].sum())) / left.cards
    there = left.leaning((unseen - left.total / left.cards) * left.cards / left.spread)
    own = gap(rules, hand, up, there + np.bincount([*hand, up], minlength=10))
    assert gap(rules, hand, up, known.pack.leaning(lean)) == pytest.approx(own, rel=0.02)


def gap(rules: RuleSet, hand: tuple[int, int], up: int, shoe: Numbers) -> float:
    """What hitting brings more than standing."""
    moves = {move.name: move.ev for move in decision(rules, hand, (up,), shoe=[float(many) for many in shoe])}
    return float(moves["hit"] - moves["stand"])


def test_insurance_is_told_by_the_mean_of_what_is_unseen() -> None:
    rules = preset("american-6d").rules
    known = frame(rules)
    start = lookup.starts(rules).index((ACE,))
    shoe = counting.full(rules)
    for one, other in itertools.product((4, 9), repeat=2):
        left = 309.0
        tens = shoe[TEN] - [one, other].count(TEN)
        expected = tens / left * 1.0 - (1 - tens / left) * 0.5
        assert leaning.insurance_gain(known, 0.0, (one, other), start) == pytest.approx(expected, abs=1e-15)
    gains = [leaning.insurance_gain(known, lean, (4, 9), start) for lean in (-0.2, 0.0, 0.2)]
    assert gains == sorted(gains, reverse=True), "a shoe that leans to low cards has fewer tens"
