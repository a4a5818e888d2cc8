"""What others have simulated and published, met; ``scripts/published.py`` does the same with more rounds."""

from __future__ import annotations

import pytest

from tapete.exact.analysis import analyse
from tapete.exact.spread import spread
from tapete.pricing.simasked import initial
from tapete.pricing.simtold import _headline
from tapete.rulefile import preset
from tapete.rules import with_
from tapete.sim import count, running, systems, world
from tapete.sim.results import Tally, nothing
from tapete.sim.setting import setting
from tapete.words import words
from tests.sim import published
from tests.sim.published import Figure
from tests.sim.test_against_analyser import FRESH, variance_error

MILLIONS = 0.75


@pytest.mark.parametrize("name", published.ALL)
def test_what_others_have_simulated_is_met(name: str) -> None:
    figures = [*published.ALL[name](MILLIONS)]
    assert len(figures) >= 3
    assert [one for one in figures if not one.agrees and one.what not in published.DISAGREE] == []


def test_what_is_said_to_disagree_does() -> None:
    figures = [*published.outcomes(MILLIONS), *published.counters(MILLIONS)]
    apart = {one.what for one in figures if not one.agrees}
    assert apart
    assert apart <= set(published.DISAGREE)
    assert {one.what for one in figures} & set(published.DISAGREE) == apart


def test_a_figure_that_is_off_is_found() -> None:
    good = Figure("a variance", 1.303, 1.304, 0.001, 0.01)
    assert good.agrees
    assert not good._replace(ours=1.32).agrees
    assert not good._replace(theirs=1.28).agrees


def test_published_rates_of_hands_and_of_rounds_are_told_apart() -> None:
    """The rates that are of rounds are met, though those of hands are too far off to be the same thing."""
    met = [one for one in published.outcomes(MILLIONS) if one.agrees]
    assert len(met) == 6


def test_SI_05_means_and_variances_of_cut_card_games_are_the_published_ones() -> None:
    """The case's own tolerance, 0.0003 in the mean and 0.01 in the variance, for its four games."""
    games = {"6D S17 DAS LS RSA": (-0.00281, 1.303), "6D S17": (-0.00573, 1.295),
             "6D H17 DAS": (-0.00628, 1.346), "6D H17": (-0.00787, 1.308)}  # fmt: skip
    found = {one.what: one for one in published.variances(MILLIONS)}
    for game, told in games.items():
        means, variances = (found[f"{game}: {what}"] for what in ("mean", "variance"))
        assert (means.theirs, variances.theirs) == told
        assert (means.within, variances.within) == (3e-4, 0.01)
        assert means.agrees
        assert variances.agrees


def test_SI_01_the_mean_of_a_fresh_shoe_is_the_exact_one() -> None:
    rules = with_(preset("american-6d").rules, FRESH)
    round_ = analyse(rules, level="td").round
    exact = spread(round_)
    plain = published.played(round_, rules, MILLIONS, control=False)
    sure = published.played(round_, rules, MILLIONS)
    assert abs(plain.mean - exact.ev) <= 4 * plain.error
    assert abs(sure.mean - exact.ev) <= 4 * sure.error < 5e-5
    assert abs(plain.variance - exact.variance) <= 4 * variance_error(plain)
    assert 1.13 < plain.sd < 1.17


# --- what is divided by what: case SI-03 ----------------------------------------------------------------------------


def four_rounds() -> Tally:
    """Bets of 1, 1 and 10 that brought -1, 1 and -10, and a doubled one of 1 that brought 2."""
    rules = preset("american-6d").rules
    hi_lo = systems.published()["hi-lo"]
    units = (1,) * (count.LEVELS + 1) + (10,) * count.LEVELS
    counter = count.counting(rules, hi_lo, count.usual(hi_lo), count.FLAT_RAMP._replace(bets=units))
    set_ = setting(analyse(rules, level="td").round, counting=counter)
    found = nothing(set_.game, set_.bet)
    middle = len(found.nets) // 2
    for net in (-1, 1, -10, 2):
        found.nets[middle + net * set_.bet] += 1
        found.sums[world.CORRECTED] += net * set_.bet
    found.counts[world.ROUNDS], found.counts[world.STAKES], found.counts[world.LAID] = 4, 13, 14 * set_.bet
    return found


def test_SI_03_an_edge_of_initial_bets_and_one_of_all_money_are_two_figures() -> None:
    tally = four_rounds()
    assert -tally.mean / initial(tally) == pytest.approx(8 / 13)
    assert -tally.mean / tally.laid == pytest.approx(8 / 14)
    told = [*_headline(tally, "4", words("en"))]
    assert told[0].startswith("House edge")
    assert ": 61.53846 %" in told[0]
    assert "Initial bets in a round: 3.25000 units; on hands in all: 3.50000; the edge on that: 57.14286 %" in told
    assert any(line.startswith("Won in 100 rounds: -200.0000 units") for line in told)


def test_SI_03_an_edge_does_not_change_with_a_bet_that_is_always_the_same() -> None:
    rules, hi_lo = preset("american-6d").rules, systems.published()["hi-lo"]
    round_ = analyse(rules, level="td").round
    edges = []
    for units in (1, 10):
        ramp = count.FLAT_RAMP._replace(bets=(units,) * count.WIDE)
        counter = count.counting(rules, hi_lo, count.usual(hi_lo), ramp)
        tally = running.block(setting(round_, counting=counter), 3, 0)
        edges.append(-tally.mean / initial(tally))
    assert edges[0] == pytest.approx(edges[1], abs=1e-12)


# --- counts ---------------------------------------------------------------------------------------------------------


def test_a_deeper_shoe_is_worth_more_to_a_counter() -> None:
    """As published for four, four and a half and five packs of six: 0.368, 0.587 and 0.837 per cent."""
    edges = [tally.mean / tally.staked for tally in (published.counted(left, MILLIONS) for left in (104, 78, 52))]
    assert 0.003 < edges[0] < edges[1] - 0.001 < edges[2] - 0.002 < 0.01


def test_the_law_of_counts_is_a_law() -> None:
    """Chances add up to 1; the count has mean nought and the variance of draws without putting back."""
    for seen in (4, 100, 234, 311):
        law = published._running(312, seen)
        assert sum(law.values()) == pytest.approx(1)
        assert sum(at * chance for at, chance in law.items()) == pytest.approx(0, abs=1e-9)
        spread_ = sum(at * at * chance for at, chance in law.items())
        assert spread_ == pytest.approx(seen * (240 / 312) * (312 - seen) / 311)
    assert sum(published.expected(312, 234, 0.02).values()) == pytest.approx(1)
