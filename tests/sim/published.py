"""Figures that others have simulated and published, each beside our own.

The depth of the cut card is rarely told. Where it is not, it is as in a casino: half a pack is left of one, one pack of
two, one and a half of four and more; those depths are told with some of the figures (``house_edges_percent.csv``), and
the others fit them, too.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from functools import reduce
from math import comb, log, sqrt
from operator import add
from typing import Final, NamedTuple

import numpy as np

from tapete.exact import counting, given, playing
from tapete.exact.analysis import analyse
from tapete.exact.playing import Round, Way
from tapete.pricing import simcount
from tapete.rulefile import preset, resolve
from tapete.rules import RuleSet, with_
from tapete.sim import count, plays, running
from tapete.sim.control import Floats
from tapete.sim.results import Tally
from tapete.sim.setting import Play, setting
from tests.exact.test_spread import Row, published_rules, row_of, strategy
from tests.exact.test_world_charts import with_cell
from tests.exact.world import rows, table
from tests.rules.test_presets import BASES, settings_of

LEFT: Final[Mapping[int, int]] = {1: 26, 2: 52, 4: 78, 5: 78, 6: 78, 8: 78}
"""Cards behind the cut card, by packs."""
SEED: Final = 1


class Figure(NamedTuple):
    """A published figure and ours with its standard error; ``within``: how far apart they may be beside chance."""

    what: str
    theirs: float
    ours: float
    error: float
    within: float

    @property
    def agrees(self) -> bool:
        """Whether they are as near as they should be, four standard errors of ours allowed for."""
        return abs(self.ours - self.theirs) <= self.within + 4 * self.error


def played(play: Play, rules: RuleSet, millions: float, *, boxes: int = 1, control: bool = True) -> Tally:
    """The tally of so many million rounds."""
    set_ = setting(play, boxes_=boxes, rules=rules, control=control)
    many = max(1, round(millions * 1e6 / running.BLOCK))
    return reduce(add, (running.block(set_, SEED, number) for number in range(many)))


def variance_error(tally: Tally) -> float:
    """The standard error of a variance, and near enough that of a covariance."""
    fourth = sum((net - tally.plain_mean) ** 4 * many for net, many in tally.results) / tally.rounds
    return sqrt((fourth - tally.variance**2) / tally.rounds) / tally.boxes


# --- means and variances --------------------------------------------------------------------------------------------


def _rules(row: Row) -> RuleSet:
    return with_(published_rules(row), {"cut_card_left": LEFT[row[0]]})


def _title(row: Row) -> str:
    decks, soft17, *rest = row
    named = zip(("DAS", "LS", "RSA"), rest, strict=True)
    return " ".join([f"{decks}D", soft17, *(name for name, there in named if there)])


@functools.cache
def _player(row: Row) -> Way:
    """How the source plays: the best chart for doubling after splits, whatever the rules, but for 16 against 10.

    Who may retire does so with two cards, and should then stand on a 16 that grew from smaller ones. Basic strategy
    knows one 16, and hits: that costs next to nothing, but two boxes have 0.006 less covariance.
    """
    _, soft17, _, retiring, aces_again = row
    if not retiring:
        return strategy(row)
    best = analyse(published_rules((6, soft17, True, True, aces_again)), level="td").round
    return given.way(best.counted, with_cell(given.chart_of(best), "hard 16", "10", "Rh"))


@functools.cache
def _appendix(row: Row, millions: float) -> tuple[Tally, Tally]:
    """One box and two of the source's player."""
    rules = _rules(row)
    round_ = playing.under(counting.count(rules, counting.full(rules)), _player(row)._replace(after={}))
    return played(round_, rules, millions), played(round_, rules, millions, boxes=2, control=False)


def variances(millions: float) -> Iterator[Figure]:
    """Mean, variance and covariance of cut-card games: Wizard of Odds, appendix 4."""
    for row in rows("variance.csv"):
        if row["player_ev"]:
            rules = row_of(row)
            one, two = _appendix(rules, millions)
            title, covariance = _title(rules), two.covariance
            assert covariance is not None
            yield Figure(f"{title}: mean", float(row["player_ev"]), one.mean, one.error, 3e-4)
            yield Figure(f"{title}: variance", float(row["variance"]), one.variance, variance_error(one), 0.01)
            told = float(row["covariance_between_hands"])
            yield Figure(f"{title}: covariance", told, covariance, variance_error(two), 0.01)


STRICT: Final = (6, "H17", False, False, False)
KIND: Final = (6, "H17", True, True, True)
EFFECTS: Final[Mapping[str, tuple[Row, Row]]] = {
    "Stand on soft 17": (KIND, (6, "S17", True, True, True)),
    "Double after split allowed": (STRICT, (6, "H17", True, False, False)),
    "Surrender allowed": (STRICT, (6, "H17", False, True, False)),
    "Re-split aces allowed": (STRICT, (6, "H17", False, False, True)),
    "Eight decks": (STRICT, (8, "H17", False, False, False)),
    "Two decks": ((6, "H17", True, False, False), (2, "H17", True, False, False)),
}
"""Published effects, from which rules to which."""


def effects(millions: float) -> Iterator[Figure]:
    """What rules do to mean, variance and covariance: the same source."""
    for row in rows("variance_rule_effects.csv"):
        before, after = (_appendix(rules, millions) for rules in EFFECTS[row["rule"]])
        means = sqrt(before[0].error ** 2 + after[0].error ** 2)
        spread = sqrt(2) * variance_error(after[0])
        covariances = (after[1].covariance or 0.0) - (before[1].covariance or 0.0)
        yield Figure(f"{row['rule']}: mean", float(row["ev"]), after[0].mean - before[0].mean, means, 3e-4)
        change = after[0].variance - before[0].variance
        yield Figure(f"{row['rule']}: variance", float(row["variance"]), change, spread, 0.003)
        yield Figure(f"{row['rule']}: covariance", float(row["covariance"]), covariances, spread, 0.003)


# --- edges with a cut card ------------------------------------------------------------------------------------------


def _left(row: Mapping[str, str]) -> int:
    """How many cards the source leaves behind the cut card, as far as it says so."""
    decks = int(row["decks"])
    if told := re.search(r"cut_card=(\d+)", row["note"]):
        return 52 * decks - int(told[1])
    return 52 * (decks - 4) if "at 4 decks" in row["note"] else LEFT[decks]


def edges(millions: float) -> Iterator[Figure]:
    """Edges of the house, in per cent, by basic strategy."""
    for row in rows("house_edges_percent.csv"):
        if row["method"] == "basic_cutcard":
            told = resolve(BASES[row["hole_card"]], [*settings_of({"bj_tie": "push", "tie": "push", **row})]).rules
            if row["hit_split_aces"] == "1":  # who may hit split aces there, may double them
                told = with_(told, {"double.after_split_aces": row["das"] == "1"})
            rules = with_(told, {"cut_card_left": _left(row), "shuffle": "cut_card"})
            tally = played(analyse(rules, level="td").round, rules, millions)
            title = " ".join((
                row["source"], f"{row['decks']}D", row["soft17"], row["bj_pays"], "DAS" if row["das"] == "1" else "",
                f"double {row['double']}", f"{row['max_hands']} hands", "LS" if row["surrender"] == "late" else "",
                "RSA" if row["resplit_aces"] == "1" else "", "HSA" if row["hit_split_aces"] == "1" else "",
                row["hole_card"], f"{rules.cut_card_left} left"))  # fmt: skip
            theirs = float(row["house_edge_percent"])
            yield Figure(re.sub(" +", " ", title), theirs, -100 * tally.mean, 100 * tally.error, 0.03)


def off_the_top(millions: float) -> Iterator[Figure]:
    """The player's edge in per cent at three games: Modern Blackjack, page 106."""
    for row in rows("hilo_misc.csv"):
        if row["item"].startswith("off-the-top"):
            rules = _rules((6, "H17" if "H17" in row["item"] else "S17", True, "LS" in row["item"], False))
            tally = played(analyse(rules, level="td").round, rules, millions)
            yield Figure(row["item"], float(row["value"]), 100 * tally.mean, 100 * tally.error, 0.03)


def cut_card(millions: float) -> Iterator[Figure]:
    """What the cut card costs, in per cent, by packs: Wizard of Odds, appendix 10."""
    for row in rows("cut_card_effect.csv"):
        decks = int(row["decks"])
        rules = table(decks=decks, cut_card_left=LEFT[decks])
        best = analyse(rules, level="td")
        tally = played(best.round, rules, millions)
        cost = 100 * (float(best.ev) - tally.mean)
        yield Figure(f"{decks}D, {LEFT[decks]} left", float(row["effect_percent"]), cost, 100 * tally.error, 0.03)


@functools.cache
def _common(millions: float) -> Tally:
    """The common game as it is played."""
    rules = preset("american-6d").rules
    return played(analyse(rules, level="td").round, rules, millions, control=False)


def outcomes(millions: float) -> Iterator[Figure]:
    """Rounds won, even and lost at the common game."""
    tally = _common(max(2.0, millions))
    for row in rows("outcome_rates.csv")[:4]:
        for name, sign in (("win", 1), ("push", 0), ("lose", -1)):
            share = tally.share(sign)
            error = sqrt(share * (1 - share) / tally.rounds)
            yield Figure(f"{row['source']}: {name}", float(row[name]), share, error, 0.002)


# --- counting -------------------------------------------------------------------------------------------------------


@functools.cache
def counted(left: int, millions: float, spread: str = "1-10") -> Tally:
    """A Hi-Lo counter at the common game with that many cards left behind the cut card."""
    rules = with_(preset("american-6d").rules, {"cut_card_left": left})
    told = {"count": "hi-lo", "spread": spread, "plays": "hi-lo"}
    counter = simcount.counter(rules, told)
    assert counter is not None
    base: Round = analyse(rules, level="td").round
    ways = plays.rounds(rules, base, given.chart_of(base), counter.plays)
    set_ = setting(ways, rules=rules, counting=counter.counting(rules), control=True)
    many = max(1, round(millions * 1e6 / running.BLOCK))
    return reduce(add, (running.block(set_, SEED, number) for number in range(many)))


def counters(millions: float) -> Iterator[Figure]:
    """The edge, in per cent of all that was bet, of a counter who bets 1 to 10 units: Wizard of Odds, high-low.

    Neither the rules nor the bets at each count are known: ours are those of ``--spread 1-10`` at ``american-6d``.
    """
    told = {row["item"]: float(row["value"]) for row in rows("hilo_misc.csv") if row["item"][:3] in ("cou", "SD ")}
    tallies = [counted(left, millions) for left in (104, 78, 52)]
    for (item, value), tally in zip(list(told.items())[:3], tallies, strict=True):
        yield Figure(item, value, 100 * tally.mean / tally.staked, 100 * tally.error / tally.staked, 0.15)
    yield Figure("SD per round 1-10 spread 4.5/6 decks", told["SD per round 1-10 spread 4.5/6 decks"], tallies[1].sd,
                 variance_error(tallies[1]), 0.05)  # fmt: skip


def frequencies(millions: float) -> Iterator[Figure]:
    """How often rounds begin at each true count of Hi-Lo, against the law of a count after so many cards.

    The law is exact (low and high cards drawn without putting back), averaged over the cards seen before a round, from
    none to the cut card, as if each number were as likely but for none at all, which every shoe has once. That rounds
    end sooner with high cards is left out; it is worth some tenths of a percentage point.
    """
    tally = counted(78, millions, "1-1")
    seen = tally.by_level[:, count.SEEN] / tally.rounds
    law = expected(312, 312 - 78, tally.shoes / tally.rounds)
    for level in range(-8, 9):
        share = float(seen[level + count.LEVELS])
        error = 2 * sqrt(share / tally.rounds)  # rounds of a shoe have counts that are alike
        yield Figure(f"true count {level}", law.get(level, 0.0), share, error, 0.008)


def expected(cards: int, cut: int, first: float) -> dict[int, float]:
    """The chance of each true count, rounded down, where a part ``first`` of all rounds begin a shoe."""
    found = {0: first}
    for seen in range(4, cut):
        weight = (1 - first) / (cut - 4)
        for running_, chance in _running(cards, seen).items():
            level = 52 * running_ // (cards - seen)
            found[level] = found.get(level, 0.0) + weight * chance
    return found


def _running(cards: int, seen: int) -> dict[int, float]:
    """The chance of each running count of Hi-Lo when so many cards are seen: low, high and other cards by lot."""
    low = 5 * cards // 13
    other, each = cards - 2 * low, np.arange(low + 1)
    rest = seen - each[:, None] - each
    there = (rest >= 0) & (rest <= other)
    ways = _ways(low)[:, None] + _ways(low) + _ways(other)[np.where(there, rest, 0)] - _ways(cards)[seen]
    chances = np.where(there, np.exp(ways), 0.0)
    return {at: float(np.trace(chances, -at)) for at in range(-low, low + 1)}


@functools.cache
def _ways(many: int) -> Floats:
    """The logarithms of the ways to take 0, 1, 2 … of so many cards."""
    return np.array([log(comb(many, taken)) for taken in range(many + 1)])


DISAGREE: Final = {
    "2D H17 DAS: mean": "the published mean is that of a fresh shoe",
    "Two decks: mean": "the same figure",
    **{f"{source}: {name}": "of hands, not of rounds, as it seems; the rules are not told"
       for source in ("Wizard of Odds (Ask the Wizard, from appendix 4)", "Wizard of Odds (other quotation)")
       for name in ("win", "push", "lose")},
    "SD per round 1-10 spread 4.5/6 decks": "the bets at each count are not told",
}  # fmt: skip
"""Figures that ours do not meet, and why as far as is known."""
ALL: Final = {
    "variances": variances, "effects": effects, "edges": edges, "off the top": off_the_top, "cut card": cut_card,
    "outcomes": outcomes, "counters": counters, "frequencies": frequencies,
}  # fmt: skip
"""All comparisons by their names."""
