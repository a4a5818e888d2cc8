"""What a bankroll risks at a simulated table: asked for, counted, and as JSON (docs/simulating.md has the keys)."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from tapete.errors import BadInput
from tapete.pricing import figures
from tapete.sim import ramps, risk, walks
from tapete.sim.ramps import Level, Ramp
from tapete.sim.results import Tally
from tapete.sim.risk import Moments, Results

MOST_MONEY: Final = 10**9
MOST_TRIP: Final = 10**9
FLAT_MOST: Final = 12
"""The largest bet of the best ramp, in units, where none was played."""
NINETY_FIVE: Final = 1.959963984540054
TAIL: Final = 0.001
"""The share of rounds that the lowest and the highest level have at least, where a table is shown."""


class Wish(NamedTuple):
    """What is asked about risk: money in initial bets, a trip in rounds; nought where nothing is asked."""

    bankroll: float = 0.0
    trip: int = 0
    goal: float = 0.0
    risk: float = 0.0


def wish(options: Mapping[str, str]) -> Wish:
    """What the options ask. Raises BadInput for each that does not read, and for a goal without a bankroll."""
    asked = Wish(
        _money(options.get("bankroll", ""), "--bankroll"),
        _trip(options.get("trip", "")),
        _money(options.get("goal", ""), "--goal"),
        _risk(options.get("risk", "")),
    )
    if asked.goal and not asked.bankroll:
        raise BadInput("sim.needs_bankroll")
    return asked


def _number(text: str) -> float:
    try:
        return figures.decimal(text)
    except ValueError:
        return math.nan


def _money(text: str, option: str) -> float:
    wanted = _number(text or "0")
    if text and not 0 < wanted <= MOST_MONEY:
        raise BadInput("sim.money", option=option, text=text[:40], most=MOST_MONEY)
    return wanted


def _trip(text: str) -> int:
    wanted = _number(text or "0")
    if text and (not 1 <= wanted <= MOST_TRIP or wanted != int(wanted)):
        raise BadInput("sim.trip", text=text[:40], most=MOST_TRIP)
    return int(wanted)


def _risk(text: str) -> float:
    part = text.strip().removesuffix("%").strip()
    wanted = _number(part or "0") / (100 if text.strip().endswith("%") else 1)
    if text and not 1e-9 <= wanted < 1:
        raise BadInput("sim.risk", text=text[:40])
    return wanted


# --- counted --------------------------------------------------------------------------------------------------------


class Figure(NamedTuple):
    """A figure, and what it would be at the two ends of the mean's interval of 95 %."""

    value: float
    low: float
    high: float


class Found(NamedTuple):
    """What was asked about risk, as far as it is asked; a bankroll is None where each one is lost in the end.

    ``ever`` is by the whole distribution of results, ``ever_normal`` by mean and variance alone; so ``before`` and
    ``before_normal``. ``within`` is counted round by round where that takes no more than a second (``counted``), else
    by the formula.
    """

    game: Moments
    score: Figure | None
    ever: Figure | None
    ever_normal: float | None
    within: Figure | None
    counted: bool
    before: Figure | None
    before_normal: float | None
    ahead: Figure | None
    certainty: float | None
    for_ever: float | None
    for_trip: float | None


def found(tally: Tally, asked: Wish) -> Found | None:
    """What the rounds say about the risk; None if there are none."""
    return _found(tally.results, tally.mean, tally.error, asked) if tally.rounds else None


@functools.lru_cache(maxsize=4)
def _found(results: tuple[tuple[float, int], ...], mean: float, error: float, asked: Wish) -> Found | None:
    """The same, and the same again if it is asked again."""
    plain = risk.moments(results)
    if plain is None:
        return None
    game = plain._replace(mean=mean)
    seen = _Shifted(results, plain, game, error)
    bankroll, trip, goal = asked.bankroll, asked.trip, asked.goal
    rate = risk.brownian_rate(game)
    counted = bool(bankroll and trip) and walks.payable(walks.steps(results), bankroll, trip)
    return Found(
        game,
        seen.at(lambda each: risk.score(each) or 0.0) if game.mean > 0 and game.variance else None,
        seen.by_rate(lambda each: risk.ever(each, bankroll)) if bankroll else None,
        risk.ever(rate, bankroll) if bankroll else None,
        _within(seen, bankroll, trip, counted=counted) if bankroll and trip else None,
        counted,
        seen.by_rate(lambda each: risk.before(each, bankroll, goal)) if goal else None,
        risk.before(rate, bankroll, goal) if goal else None,
        _ahead(seen, trip) if trip else None,
        risk.certainty(game, bankroll) if bankroll else None,
        risk.bankroll_ever(seen.rate(), asked.risk) if asked.risk else None,
        risk.bankroll_within(game, asked.risk, trip) if asked.risk and trip else None,
    )


class _Shifted(NamedTuple):
    """The results as they were found, with ``plain`` moments; the mean of ``game`` is the better one, with its error.

    Figures are of the results moved to that mean, and to the ends of its interval.
    """

    results: Results
    plain: Moments
    game: Moments
    error: float

    def at(self, figure: Callable[[Moments], float]) -> Figure:
        """A figure that hangs on mean and variance."""
        ends = [figure(self.game._replace(mean=self.game.mean + by)) for by in self._off()]
        return Figure(figure(self.game), min(ends), max(ends))

    def by_rate(self, figure: Callable[[float], float]) -> Figure:
        """A figure that hangs on the rate of the walk."""
        ends = [figure(self.rate(by)) for by in self._off()]
        return Figure(figure(self.rate()), min(ends), max(ends))

    def rate(self, by: float = 0.0) -> float:
        """The rate of the walk with its mean moved."""
        moved = self.game.mean - self.plain.mean + by
        return risk.rate([(net + moved, many) for net, many in self.results])

    def counted(self, figure: Callable[[Moments], float], value: float) -> Figure:
        """A figure whose ``value`` for the plain mean was counted; the rest by the formula."""
        formula = self.at(figure)
        by = value - figure(self.plain)
        return Figure(*(min(1.0, max(0.0, one + by)) for one in formula))

    def _off(self) -> tuple[float, float]:
        return -NINETY_FIVE * self.error, NINETY_FIVE * self.error


def _within(seen: _Shifted, bankroll: float, trip: int, *, counted: bool) -> Figure:
    if not counted:
        return seen.at(lambda each: risk.within(each, bankroll, trip))
    *_, last = walks.walk(walks.steps(seen.results), bankroll, trip)
    return seen.counted(lambda each: risk.within(each, bankroll, trip), last.ruined)


def _ahead(seen: _Shifted, trip: int) -> Figure:
    each = walks.steps(seen.results)
    if not walks.summable(each, trip):
        return seen.at(lambda game: risk.ahead(game, trip))
    return seen.counted(lambda game: risk.ahead(game, trip), walks.after(each, trip).ahead)


# --- by the count ---------------------------------------------------------------------------------------------------


def levels(tally: Tally, share: float = 0.0) -> tuple[Level, ...]:
    """The levels of the count, the ends put together until they have that share; none where nobody counts."""
    books = (tally.by_level, tally.level_sums)
    return ramps.levels(*(ramps.pooled(*books, share) if share else books), tally.bet) if len(tally.by_level) else ()


class Best(NamedTuple):
    """The best ramp between two bets for a bankroll and a risk; without one, the bankroll that it would take."""

    least: int
    most: int
    ramp: Ramp | None
    needed: float | None


def best(tally: Tally, asked: Wish) -> Best | None:
    """The best bets by the count; None where nobody counts, or bankroll and risk are not told.

    Between the least and the largest bet that were played, or up to :data:`FLAT_MOST` units if all bets were the same.
    """
    table = levels(tally)
    bets = [round(one.bet / tally.boxes) for one in table]
    if not (bets and asked.bankroll and asked.risk):
        return None
    least, most = min(bets), max(bets)
    most = min(ramps.MOST_BET, FLAT_MOST if most <= 1 else most)
    limits = {"least": least, "most": most}
    ramp = ramps.best(table, asked.bankroll, asked.risk, **limits)
    return Best(least, most, ramp, None if ramp else ramps.needed(table, asked.risk, **limits))


# --- JSON -----------------------------------------------------------------------------------------------------------


def as_json(tally: Tally, asked: Wish) -> dict[str, Any]:
    """What was asked about risk, and the levels of the count; nothing of what was not."""
    answer: dict[str, Any] = {}
    table = levels(tally)
    if table:
        answer["levels"] = [_level(one, tally) for one in table]
    told = found(tally, asked) if any(asked) else None
    if told is not None:
        answer["risk"] = _risk_json(told, asked, best(tally, asked))
    return answer


def _level(one: Level, tally: Tally) -> dict[str, Any]:
    return {
        "level": one.level,
        "rounds": one.rounds,
        "bet": one.bet / tally.boxes,
        "edge": one.mean / tally.boxes,
        "standard_error": one.error / tally.boxes,
    }


def _risk_json(told: Found, asked: Wish, ramp: Best | None) -> dict[str, Any]:
    """Each figure with the two that it would be at the ends of the mean's interval."""
    figures: dict[str, Any] = {
        **{key: value or None for key, value in asked._asdict().items()},
        "win_rate": risk.HUNDRED * told.game.mean,
        "win_rate_sd": math.sqrt(risk.HUNDRED) * told.game.sd,
        "n0": risk.n0(told.game),
        "desirability": risk.desirability(told.game),
        "score": told.score,
        "ruin_ever": told.ever,
        "ruin_ever_normal": told.ever_normal,
        "ruin_within": told.within,
        "ruin_within_counted": told.counted,
        "ruin_before": told.before,
        "ruin_before_normal": told.before_normal,
        "ahead": told.ahead,
        "certainty_equivalent": None if told.certainty is None else risk.HUNDRED * told.certainty,
        "bankroll_ever": told.for_ever,
        "bankroll_within": told.for_trip,
    }
    if ramp is not None:
        figures["ramp"] = _ramp_json(ramp)
    return {key: one._asdict() if isinstance(one, Figure) else one for key, one in figures.items()}


def _ramp_json(told: Best) -> dict[str, Any]:
    ramp = told.ramp
    limits = {"least": told.least, "most": told.most}
    if ramp is None:
        return {**limits, "spread": None, "needs_bankroll": told.needed}
    return {
        **limits,
        "spread": ramps.spread(ramp),
        "win_rate": risk.HUNDRED * ramp.game.mean,
        "sd": ramp.game.sd,
        "score": risk.score(ramp.game),
        "ruin_ever": ramp.risk,
        "kelly": risk.kelly_of(ramp.risk) if ramp.risk else None,
    }
