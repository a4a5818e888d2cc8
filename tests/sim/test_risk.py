"""What a bankroll risks: the formulas against exact small walks, against counting, and against published figures."""

from __future__ import annotations

from itertools import product
from math import exp, inf, log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapete.exact.analysis import analyse
from tapete.exact.tree import Ints
from tapete.rulefile import preset
from tapete.sim import ramps, risk, walks
from tapete.sim.count import FIELDS, FLAT, FLAT_SQUARES, LEVELS, PLAYED, SEEN, STAKED
from tapete.sim.ramps import Level, Ramp
from tapete.sim.risk import Moments, Results
from tapete.sim.setting import setting
from tapete.sim.walks import Floats
from tests.sim import sides

BLACKJACK: Results = (
    *((-8.0, 0.000002), (-6.0, 0.00006), (-4.0, 0.0012), (-3.0, 0.0024), (-2.0, 0.0421), (-1.0, 0.42973)),
    *((0.0, 0.0844), (1.0, 0.3286), (1.5, 0.0453), (2.0, 0.0610), (3.0, 0.0035), (4.0, 0.0017), (6.0, 0.000008)),
)
"""A round of a common game, roughly."""
COUNTER: Results = ((-8.0, 2), (-4.0, 40), (-1.0, 420), (0.0, 80), (1.0, 380), (1.5, 45), (4.0, 51), (8.0, 3))
"""A round of somebody who wins in the long run."""


def walk_of(up: float) -> Results:
    return ((1.0, up), (-1.0, 1 - up))


def test_results_are_tilted_to_a_mean() -> None:
    for mean in (-0.5, 0.0, 0.0143, 2.0):
        tilted = risk.tilted(COUNTER, mean)
        assert [net for net, _ in tilted] == [net for net, _ in COUNTER]
        assert risk.moments(tilted) == pytest.approx(
            (mean, (risk.moments(tilted) or Moments(0, 0)).variance), abs=1e-12
        )
    same = risk.tilted(COUNTER, (risk.moments(COUNTER) or Moments(0, 0)).mean)
    assert [many for _, many in same] == pytest.approx([many / 1021 for _, many in COUNTER])
    assert risk.tilted([(0.0, 9)], 0.5) == [(0.0, 9)]


# --- how good a game is ---------------------------------------------------------------------------------------------


def test_moments_are_those_of_all_rounds() -> None:
    assert risk.moments([(1.5, 2), (-1.0, 6), (0.0, 2)]) == pytest.approx((-0.3, 0.96))
    assert risk.moments([]) is None
    assert risk.moments([(1.0, 0)]) is None


def test_score_is_the_win_of_100_rounds_at_the_bets_that_risk_13_5_per_cent_of_ten_thousand() -> None:
    """Schlesinger's definition, followed step by step: the bet for the risk exp(-2), then its win."""
    game = Moments(0.02, 5.0)
    for_one = risk.bankroll_ever(risk.brownian_rate(game), exp(-2))
    assert for_one is not None
    bet = 10_000 / for_one
    assert risk.score(game) == pytest.approx(100 * bet * game.mean)
    assert risk.score(game) == pytest.approx((risk.desirability(game) or 0) ** 2)
    assert risk.score(game) == pytest.approx(1e6 / (risk.n0(game) or 1))


def test_n0_is_when_the_mean_win_is_one_standard_deviation() -> None:
    game = Moments(0.02, 5.0)
    rounds = risk.n0(game)
    assert rounds is not None
    assert game.mean * rounds == pytest.approx(game.sd * sqrt(rounds))
    assert risk.ahead(game, rounds) == pytest.approx(0.841345, abs=1e-6)  # Φ(1): “an 84 % chance”, Jacobson on N0


def test_published_desirability() -> None:
    """Two packs, cut card at 75 cards: DI 9.9 (Jacobson, apheat.net, 2013), so SCORE 98 and N0 10,203."""
    game = Moments(0.0099, 1.0)
    assert risk.desirability(game) == pytest.approx(9.9)
    assert risk.score(game) == pytest.approx(98.01)
    assert risk.n0(game) == pytest.approx(10203, abs=0.5)


def test_certainty_is_half_the_win_at_the_bets_of_kelly() -> None:
    """At Kelly's bets bankroll × mean = variance, and half the win is what the risk costs."""
    game = Moments(0.02, 5.0)
    assert risk.certainty(game, bankroll=250) == pytest.approx(0.01)
    assert risk.certainty(game, bankroll=250, kelly=0.5) == pytest.approx(0.0)


# --- the rate of a walk ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("up", [0.3, 0.499, 0.5001, 0.51, 0.7])
def test_rate_of_a_simple_walk_is_the_logarithm_of_its_odds(up: float) -> None:
    assert risk.rate(walk_of(up)) == pytest.approx(log(up / (1 - up)), rel=1e-9)


def test_rate_where_all_results_have_one_sign() -> None:
    assert risk.rate([(1.0, 3), (0.0, 2)]) == inf
    assert risk.rate([(-1.0, 3), (0.0, 2)]) == -inf
    assert risk.rate([(0.0, 2)]) == inf
    assert risk.rate([(1.0, 1), (-1.0, 1)]) == risk.rate([]) == 0.0


@given(st.lists(st.tuples(st.integers(-8, 8), st.integers(1, 1000)), min_size=2, max_size=12))
def test_rate_is_a_root_beside_nought(results: list[tuple[int, int]]) -> None:
    rate, game = risk.rate(results), risk.moments(results)
    assert game is not None
    assert abs(rate) == inf or (rate > 0) - (rate < 0) == (game.mean > 0) - (game.mean < 0)
    if 0 < abs(rate) < inf:
        rounds = sum(many for _, many in results)
        assert sum(many * exp(-rate * net) for net, many in results) / rounds == pytest.approx(1, abs=1e-6)


def test_skewness_is_in_the_rate() -> None:
    """Mirrored, a game of many small losses and a rare great win has the same moments but for the third."""
    skewed: Results = ((-1.0, 0.9), (10.0, 0.1))
    game = risk.moments(skewed)
    assert game is not None
    mirrored = [(2 * game.mean - net, many) for net, many in skewed]
    assert risk.rate(skewed) < risk.brownian_rate(game) * 1.5
    assert risk.rate(skewed) > risk.rate(mirrored)


def test_published_lopsided_game() -> None:
    """Sorokin's example, in Dunbar and Math Boy (1999): for 5 % risk, 100,000 is not enough."""
    lopsided: Results = ((-1.0, 0.75), (1.0, 0.2499), (5101.0, 0.0001))
    rate, game = risk.rate(lopsided), risk.moments(lopsided)
    assert game is not None
    assert game.mean == pytest.approx(0.01)
    assert risk.ever(rate, 100_000) > 0.05
    one = risk.ever(rate, 1)  # the risk of who has 1: lost at once, or after winning
    assert one == pytest.approx(0.75 + 0.2499 * one**2 + 0.0001 * one**5102)


# --- ruin for ever, and before a goal -------------------------------------------------------------------------------


@pytest.mark.parametrize("up", [0.35, 0.49, 0.51, 0.6])
def test_gamblers_ruin_exactly(up: float) -> None:
    """A simple walk with 5 units that wants 7 more: ((q/p)^5 - (q/p)^12) / (1 - (q/p)^12), Feller I, XIV.2."""
    odds, rate = (1 - up) / up, risk.rate(walk_of(up))
    assert risk.before(rate, 5, 7) == pytest.approx((odds**5 - odds**12) / (1 - odds**12))
    assert risk.ever(rate, 5) == pytest.approx(min(1.0, odds**5))


def test_gamblers_ruin_in_a_fair_game() -> None:
    assert risk.before(0.0, 5, 7) == pytest.approx(7 / 12)
    assert risk.before(1e-12, 5, 7) == pytest.approx(7 / 12)
    assert risk.before(-1e-12, 5, 7) == pytest.approx(7 / 12)
    assert risk.ever(0.0, 5) == 1.0


def ruined_before(results: Results, bankroll: int, goal: int) -> float:
    """The chance to be ruined before the goal, by solving for all bankrolls at once; in half units."""
    top = 2 * (bankroll + goal)
    asked, told = np.eye(top - 1), np.zeros(top - 1)
    total = sum(many for _, many in results)
    for here, (net, many) in product(range(1, top), results):
        there = here + round(2 * net)
        if there <= 0:
            told[here - 1] += many / total
        elif there < top:
            asked[here - 1, there - 1] -= many / total
    return float(np.linalg.solve(asked, told)[2 * bankroll - 1])


@pytest.mark.parametrize("results", [BLACKJACK, COUNTER])
def test_before_a_goal_against_exact_equations(results: Results) -> None:
    """The formula takes no notice of falling below nought by several bets; on average that is some tenths of a bet."""
    rate = risk.rate(results)
    assert risk.before(rate, 100, 100) == pytest.approx(ruined_before(results, 100, 100), abs=0.004)
    assert risk.before(rate, 30, 60) == pytest.approx(ruined_before(results, 30, 60), abs=0.012)


@pytest.mark.parametrize("results", [BLACKJACK, COUNTER])
@pytest.mark.parametrize(("bankroll", "goal"), [(1, 1), (2, 200), (200, 3), (30, 60), (100, 100)])
def test_before_a_goal_by_blocks_is_as_by_all_equations_at_once(results: Results, bankroll: int, goal: int) -> None:
    """Bankrolls beside either end, and so large that there are blocks to both sides."""
    assert walks.before(walks.steps(results), bankroll, goal) == pytest.approx(
        ruined_before(results, bankroll, goal), rel=1e-9
    )


def test_before_a_goal_where_the_next_round_decides() -> None:
    each = walks.steps([(-2.0, 3), (0.0, 4), (1.5, 5)])
    assert walks.before(each, 0.5, 0.001) == pytest.approx(3 / 8)
    assert walks.solvable(each, 0.5, 0.001)
    assert not walks.solvable(walks.steps([(0.0, 1)]), 50, 40)
    assert not walks.solvable(each, 1e7, 1e7)


def test_for_ever_against_exact_equations() -> None:
    """A goal so far that who gets there is safe: within 1 % of the rate's formula, which is the most that it can be."""
    found = ruined_before(COUNTER, 60, 1000)
    assert found < risk.ever(risk.rate(COUNTER), 60) < 1.06 * found


def test_published_ruin_of_a_counter() -> None:
    """Michael Hall, "Risk of Ruin", 1992: 300 units, win 0.0151 a hand, mean square 3.887: 9.0 % before it doubles.

    He rounds the odds of his coin to 1.0153; without that it is 8.9 %.
    """
    game = Moments(0.0151, 3.887 - 0.0151**2)
    assert risk.before(risk.brownian_rate(game), 300, 300) == pytest.approx(0.0886, abs=0.0001)
    assert risk.before(log(1.0153), 152.16, 152.16) == pytest.approx(0.090, abs=0.0005)


def test_ruin_where_nothing_spreads() -> None:
    up, down, still = (risk.brownian_rate(Moments(mean, 0.0)) for mean in (1.0, -1.0, 0.0))
    assert (risk.ever(up, 10), risk.ever(down, 10)) == (0.0, 1.0)
    assert (risk.before(up, 10, 5), risk.before(down, 10, 5)) == (0.0, 1.0)
    assert (risk.ever(still, 10), risk.before(still, 10, 5), risk.bankroll_ever(still, 0.05)) == (0.0, 0.0, 0.0)


# --- ruin in a time -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("results", "bankroll", "rounds"), [(BLACKJACK, 50, 2000), (COUNTER, 80, 2000)])
def test_within_a_time_against_counting_every_round(results: Results, bankroll: int, rounds: int) -> None:
    game, each = risk.moments(results), walks.steps(results)
    assert game is not None
    *_, last = walks.walk(each, bankroll, rounds)
    assert risk.within(game, bankroll, rounds) == pytest.approx(last.ruined, abs=0.012)


def test_who_stands_where_after_a_time_against_counting_every_round() -> None:
    game, each = risk.moments(COUNTER), walks.steps(COUNTER)
    assert game is not None
    *_, last = walks.walk(each, 80, 2000)
    for won in (-79.0, -40.0, 0.0, 40.0):
        counted = float(last.alive[round((80 + won) / each.step) + 1 :].sum())
        assert risk.standing(game, 80, 2000, won) == pytest.approx(counted, abs=0.015)
    assert risk.standing(game, 80, 2000, -80) == pytest.approx(1 - risk.within(game, 80, 2000))


def test_within_a_very_long_time_is_for_ever() -> None:
    good, bad = Moments(0.02, 5.0), Moments(-0.005, 1.3)
    assert risk.within(good, 100, 1e9) == pytest.approx(risk.ever(risk.brownian_rate(good), 100))
    assert risk.within(bad, 100, 1e9) == pytest.approx(1.0)
    assert risk.within(bad, 1e6, 1e4) == 0.0
    assert 0.5 < risk.within(bad, 1e6, 2.01e8) < risk.within(bad, 1e6, 2.1e8) < 1.0


GAMES = st.lists(
    st.tuples(st.integers(-16, 16).map(lambda half: half / 2), st.integers(1, 1000)), min_size=2, max_size=12
)


@given(GAMES, st.floats(0.5, 5000), st.integers(1, 10**9))
def test_nobody_is_ruined_in_a_time_who_is_not_in_the_end(results: Results, bankroll: float, rounds: int) -> None:
    ever = risk.ever(risk.rate(results), bankroll)
    assert risk.within(risk.brownian(results), bankroll, rounds) <= ever + 1e-9


def test_a_brownian_motion_for_a_walk() -> None:
    assert risk.brownian([(1.0, 1), (-1.0, 1)]) == (0.0, 1.0)
    assert risk.brownian([]) == (0.0, 0.0)
    assert risk.brownian([(1.0, 1), (2.0, 1)]) == (1.5, 0.0)
    assert risk.brownian([(-1.0, 1), (-2.0, 1)]) == (-1.5, 0.25)
    game = risk.brownian(COUNTER)
    assert risk.brownian_rate(game) == pytest.approx(risk.rate(COUNTER))
    assert game == pytest.approx(risk.moments(COUNTER), rel=0.01)


@pytest.mark.parametrize(("units", "hands"), [(32, 200), (40, 300), (46, 400), (52, 500), (58, 600), (62, 700),
                                             (67, 800), (71, 900)])  # fmt: skip
def test_published_ruin_within_so_many_hands(units: int, hands: int) -> None:
    """Wizard of Odds, appendix 12: six packs, S17, DAS, three hands, edge 0.414 %; the row of 5 %, whole units."""
    game = Moments(-0.00414, 1.15**2)
    assert risk.within(game, units, hands) == pytest.approx(0.05, abs=0.006)
    assert risk.bankroll_within(game, 0.05, hands) == pytest.approx(units, abs=1)


def test_within_no_time_and_without_spread() -> None:
    assert risk.within(Moments(-1.0, 1.0), 5, 0) == 0.0
    assert risk.within(Moments(-1.0, 0.0), 5, 4) == 0.0
    assert risk.within(Moments(-1.0, 0.0), 5, 5) == 1.0
    assert risk.bankroll_within(Moments(0.5, 0.0), 0.05, 100) == 0.0


def test_ahead() -> None:
    game = Moments(-0.005, 1.3)
    assert risk.ahead(game, 10_000) == pytest.approx(0.3305, abs=5e-4)
    assert walks.after(walks.steps(BLACKJACK), 10_000).ahead == pytest.approx(
        risk.ahead(risk.moments(BLACKJACK) or game, 10_000), abs=0.005
    )
    assert (risk.ahead(game, 0), risk.ahead(Moments(1.0, 0.0), 3), risk.ahead(Moments(0.0, 0.0), 3)) == (0.0, 1.0, 0.0)


def test_bankroll_for_a_risk_has_that_risk() -> None:
    game = Moments(0.02, 5.0)
    enough = risk.bankroll_ever(risk.brownian_rate(game), 0.05)
    assert enough is not None
    assert risk.ever(risk.brownian_rate(game), enough) == pytest.approx(0.05)
    assert risk.within(game, risk.bankroll_within(game, 0.05, 3000), 3000) == pytest.approx(0.05)
    assert risk.bankroll_ever(-0.1, 0.05) is None


# --- many rounds, counted -------------------------------------------------------------------------------------------


def test_sums_that_are_too_many_to_count_are_told() -> None:
    each = walks.steps(BLACKJACK)
    assert walks.summable(each, 10**7)
    assert not walks.summable(each, 10**10)
    assert walks.payable(each, 100, 10_000)
    assert not walks.payable(each, 100, 10**6)


def test_two_rounds_are_convolved() -> None:
    spread = walks.after(walks.steps([(1.5, 1), (-1.0, 3)]), 2)
    told = {round((spread.lowest + at) * spread.step, 6): one for at, one in enumerate(spread.chances) if one > 1e-9}
    assert told == pytest.approx({-2.0: 9 / 16, 0.5: 6 / 16, 3.0: 1 / 16})
    assert spread.ahead == pytest.approx(7 / 16)


def test_who_is_even_is_not_ahead() -> None:
    assert walks.after(walks.steps([(1.0, 1), (-1.0, 1)]), 2).ahead == pytest.approx(1 / 4)
    assert walks.after(walks.steps([(1.0, 1), (-1.0, 1)]), 3).ahead == pytest.approx(1 / 2)


def test_many_rounds_keep_mean_and_variance() -> None:
    each = walks.steps(BLACKJACK)
    spread = walks.after(each, 5000)
    money = (spread.lowest + np.arange(len(spread.chances))) * spread.step
    game = risk.moments(BLACKJACK)
    assert game is not None
    assert spread.chances @ money == pytest.approx(5000 * game.mean)
    assert spread.chances @ money**2 - (spread.chances @ money) ** 2 == pytest.approx(5000 * game.variance)


def test_a_walk_against_every_way_that_it_can_go() -> None:
    """All 3^7 ways of seven rounds with two units, and a goal of two more."""
    results: Results = ((1.0, 3), (-0.5, 4), (-2.0, 1))
    ends = {"ruined": 0.0, "won": 0.0, "alive": 0.0}
    for way in product(results, repeat=7):
        money, chance, end = 2.0, 1.0, "alive"
        for net, many in way:
            chance *= many / 8
            if end == "alive":
                money += net
                end = "ruined" if money <= 0 else "won" if money >= 4 else end
        ends[end] += chance
    *_, last = walks.walk(walks.steps(results), 2, 7, goal=2)
    assert (last.ruined, last.won, last.alive.sum()) == pytest.approx((ends["ruined"], ends["won"], ends["alive"]))


def test_a_walk_without_a_goal_loses_nobody() -> None:
    *_, last = walks.walk(walks.steps(COUNTER), 10, 500)
    assert last.ruined + last.alive.sum() == pytest.approx(1.0)
    assert last.won == pytest.approx(0.0, abs=1e-12)


def test_paths_begin_at_nought_and_are_the_same_again() -> None:
    each = walks.steps(BLACKJACK)
    drawn = walks.paths(each, range(401), 10)
    assert drawn.shape == (10, 401)
    assert not drawn[:, 0].any()
    assert set(np.diff(drawn).ravel()) <= {net for net, _ in BLACKJACK}
    assert (drawn == walks.paths(each, range(401), 10)).all()


def test_paths_between_far_marks_spread_as_the_rounds_between_them() -> None:
    drawn = walks.paths(walks.steps(BLACKJACK), [0, 100, 10_000], 4000)
    game = risk.moments(BLACKJACK)
    assert game is not None
    assert drawn[:, 2].std() == pytest.approx(100 * game.sd, rel=0.05)
    assert drawn[:, 2].mean() == pytest.approx(10_000 * game.mean, abs=5 * 100 * game.sd / sqrt(4000))


def test_bankrolls_of_dealt_shoes_fare_as_those_of_independent_rounds() -> None:
    """Five thousand bankrolls of 50, each of 2000 rounds of dealt shoes one after the other, within four errors."""
    set_ = setting(analyse(preset("casino").rules, level="td").round)
    tally, told = sides.played(set_, sides.drawn(set_, 11), 10_000_000)
    trips = (told[:10_000_000, 0] / set_.bet).reshape(-1, 2000).cumsum(axis=1)
    each = walks.steps(tally.results)
    *_, last = walks.walk(each, 50, 2000)
    for found, counted in (
        (trips.min(axis=1) <= -50, last.ruined),
        (trips[:, -1] > 0, walks.after(each, 2000).ahead),
        (trips.max(axis=1) >= 40, goal_within(each, 40, 2000)),
    ):
        assert abs(found.mean() - counted) < 4 * sqrt(counted * (1 - counted) / len(trips))


def goal_within(each: walks.Steps, goal: float, rounds: int) -> float:
    """The chance to have won so much once within so many rounds, whatever bankroll it takes."""
    *_, last = walks.walk(each, 1000, rounds, goal=goal)
    return last.won


# --- the best bets --------------------------------------------------------------------------------------------------

SHOE = (
    Level(-1, 400_000, 1.0, -0.010, 1.3, 0.002),
    Level(0, 300_000, 1.0, -0.004, 1.3, 0.002),
    Level(1, 150_000, 1.0, 0.003, 1.3, 0.003),
    Level(2, 90_000, 1.0, 0.009, 1.32, 0.004),
    Level(3, 60_000, 1.0, 0.015, 1.33, 0.005),
)


def books(rows: dict[int, list[int]]) -> tuple[Ints, Floats]:
    """The books by level: rounds seen, played, units, results for one unit and their squares, in small units."""
    by_level, sums = np.zeros((2 * LEVELS + 1, FIELDS), dtype=np.int64), np.zeros((2 * LEVELS + 1, 2))
    for level, row in rows.items():
        by_level[level + LEVELS, [SEEN, PLAYED, STAKED, FLAT, FLAT_SQUARES]] = row
        sums[level + LEVELS] = [row[3] * 1.1, row[4] / 2]  # as a control variate might have it
    return by_level, sums


def test_levels_are_read_from_the_books() -> None:
    low, high = ramps.levels(*books({-3: [7, 0, 0, -70, 70_000], 2: [10, 8, 24, 200, 60_000]}), 100)
    assert low[:4] == pytest.approx((-3, 7, 0.0, -0.11))
    assert high == pytest.approx((2, 10, 2.4, 0.22, 0.6 - 0.2**2, sqrt((0.3 - 0.22**2) / 10)))


def test_the_ends_of_the_levels_are_put_together() -> None:
    rows = {level: [10, 10, 10, level, 100] for level in range(-2, 3)} | {9: [1, 1, 8, 5, 100], -9: [2, 2, 2, 1, 100]}
    pooled = ramps.levels(*ramps.pooled(*books(rows), 0.2), 1)
    assert [(one.level, one.rounds) for one in pooled] == [(-2, 12), (-1, 10), (0, 10), (1, 10), (2, 11)]
    assert pooled[-1].bet == pytest.approx(18 / 11)
    assert pooled[-1].mean == pytest.approx(1.1 * 7 / 11)


def test_best_ramp_beats_every_other_of_its_risk() -> None:
    found = ramps.best(SHOE, 3000, 0.10, least=1, most=8)
    assert found is not None
    assert found.risk <= 0.10
    tried = 0
    for bets in product([1, 2, 3, 4, 5, 6, 7, 8], repeat=3):
        game = ramps.flat(SHOE, (1, 1, *bets))
        if risk.ever(risk.brownian_rate(game), 3000) <= 0.10:
            tried += 1
            assert game.mean <= found.game.mean * 1.02
    assert tried > 20


def test_ramp_tells_its_own_win_and_risk() -> None:
    found = ramps.best(SHOE, 3000, 0.10, least=1, most=8)
    assert found is not None
    game = ramps.flat(SHOE, [bet for _, bet in found.bets])
    assert found.game == pytest.approx(game)
    assert found.risk == pytest.approx(risk.ever(risk.brownian_rate(game), 3000))


def test_a_ramp_spreads_as_all_its_rounds_together() -> None:
    """Bets of 1 that win 40 of 100, and of 5 that win 70: that levels differ is a part of the spread."""
    table = (Level(0, 100, 1.0, -0.2, 1 - 0.2**2, 0.1), Level(1, 100, 5.0, 0.4, 1 - 0.4**2, 0.1))
    assert ramps.flat(table, (1, 5)) == pytest.approx(risk.moments([(1, 40), (-1, 60), (5, 70), (-5, 30)]))
    found = ramps.best(table, 100, 0.5, least=1, most=5)
    assert found is not None
    assert found.game == pytest.approx(ramps.flat(table, [bet for _, bet in found.bets]))


def test_without_a_least_bet_the_bets_are_those_of_kelly() -> None:
    """Of a risk exp(-2), bankroll × mean/variance, in whole units; nothing where the edge is the house's."""
    found = ramps.best(SHOE, 5000, exp(-2), least=0, most=1000)
    assert found is not None
    for (level, bet), one in zip(found.bets, SHOE, strict=True):
        assert level == one.level
        assert bet == pytest.approx(max(0.0, 5000 * one.mean / one.variance), abs=0.7)


def test_a_bankroll_too_small_for_any_ramp() -> None:
    assert ramps.best(SHOE, 20, 0.01, least=1, most=8) is None
    enough = ramps.needed(SHOE, 0.01, least=1, most=8)
    assert enough is not None
    assert ramps.best(SHOE, enough * 1.001, 0.01, least=1, most=8) is not None
    assert ramps.best(SHOE, enough * 0.999, 0.01, least=1, most=8) is None


def test_nothing_to_win_at_any_level() -> None:
    table = [one._replace(mean=-0.01) for one in SHOE]
    assert ramps.best(table, 500, 0.1) is None
    assert ramps.needed(table, 0.1) is None


def test_a_level_seen_three_times_asks_for_no_bet_of_its_own() -> None:
    odd = (*SHOE, Level(4, 3, 1.0, -1.0, 0.1, 0.2))
    found = ramps.best(odd, 3000, 0.10)
    assert found is not None
    assert found.bets[-1][1] == found.bets[-2][1]


def test_spread_is_told_from_level_to_level() -> None:
    ramp = Ramp(((-1, 0), (0, 0), (1, 2), (2, 4)), Moments(0.0, 1.0), 1.0)
    assert ramps.spread(ramp) == "0:0,1:2,2:4"
    assert ramps.spread(ramp._replace(bets=((-1, 3), (0, 3)))) == "0:3"
