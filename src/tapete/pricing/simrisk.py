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
    """A figure, and what it would be at the two ends of the mean's interval of 95 %; infinite where there is no end."""

    value: float
    low: float
    high: float


class Found(NamedTuple):
    """What was asked about risk, as far as it is asked; a bankroll is None where each one is lost in the end.

    ``ever`` is by the whole distribution of results, ``ever_normal`` by mean and variance alone; so ``before_normal``.
    ``within`` and ``before`` are counted where that takes no more than a second, else by a formula.
    """

    game: Moments
    n0: Figure | None
    score: Figure | None
    desirability: Figure | None
    ever: Figure | None
    ever_normal: float | None
    within: Figure | None
    within_counted: bool
    before: Figure | None
    before_normal: float | None
    before_counted: bool
    ahead: Figure | None
    certainty: Figure | None
    for_ever: Figure | None
    for_trip: Figure | None


def found(tally: Tally, asked: Wish) -> Found | None:
    """What the rounds say about the risk; None if there are none."""
    return reckoned(tally.results, tally.mean, tally.error, asked) if tally.rounds else None


@functools.lru_cache(maxsize=4)
def reckoned(results: tuple[tuple[float, int], ...], mean: float, error: float, asked: Wish) -> Found | None:
    """The same from the results, and a mean that is better known than theirs; the same again if it is asked again."""
    plain = risk.moments(results)
    if plain is None:
        return None
    seen = _Seen(results, plain._replace(mean=mean), error)
    bankroll, trip, goal = asked.bankroll, asked.trip, asked.goal
    rate = risk.brownian_rate(seen.game)
    each = walks.steps(seen.results())
    wins = mean > 0 and plain.variance > 0
    ever = seen.by_walk(lambda told: risk.ever(risk.rate(told), bankroll)) if bankroll else None
    payable = bool(bankroll and trip) and walks.payable(each, bankroll, trip)
    solvable = bool(goal) and walks.solvable(each, bankroll, goal)
    return Found(
        seen.game,
        seen.by_moments(lambda game: risk.n0(game) or math.inf) if wins else None,
        seen.by_moments(lambda game: risk.score(game) or 0.0) if wins else None,
        seen.by_moments(lambda game: risk.desirability(game) or 0.0) if plain.variance else None,
        ever,
        risk.ever(rate, bankroll) if bankroll else None,
        _within(seen, asked, ever, counted=payable) if ever and trip else None,
        payable,
        _before(seen, each, asked, counted=solvable) if goal else None,
        risk.before(rate, bankroll, goal) if goal else None,
        solvable,
        _ahead(seen, each, trip) if trip else None,
        seen.by_moments(lambda game: risk.HUNDRED * risk.certainty(game, bankroll)) if bankroll else None,
        seen.by_walk(lambda told: _for_ever(told, asked.risk)) if asked.risk and mean > 0 else None,
        seen.by_walk(lambda told: risk.bankroll_within(risk.brownian(told), asked.risk, trip))
        if asked.risk and trip
        else None,
    )


class _Seen(NamedTuple):
    """The results as they were found; the mean of ``game`` is the better one, with its error.

    Figures are of the results with that mean, and with the means at the ends of its interval.
    """

    plain: Results
    game: Moments
    error: float

    def results(self, by: float = 0.0) -> Results:
        """The results with the mean, and so much more."""
        return risk.tilted(self.plain, self.game.mean + by)

    def by_moments(self, figure: Callable[[Moments], float]) -> Figure:
        """A figure that hangs on mean and variance."""
        return self._of(lambda by: figure(self.game._replace(mean=self.game.mean + by)))

    def by_walk(self, figure: Callable[[Results], float]) -> Figure:
        """A figure that hangs on all results."""
        return self._of(lambda by: figure(self.results(by)))

    def _of(self, figure: Callable[[float], float]) -> Figure:
        off = NINETY_FIVE * self.error
        value, *ends = (figure(by) for by in (0.0, -off, off))
        return Figure(value, min(value, *ends), max(value, *ends))


def _moved(formula: Figure, value: float) -> Figure:
    """A chance that was counted, with ends as far from it as those of the formula are from its own."""
    by = value - formula.value
    return Figure(*(min(1.0, max(0.0, one + by)) for one in formula))


def _for_ever(results: Results, risk_: float) -> float:
    enough = risk.bankroll_ever(risk.rate(results), risk_)
    return math.inf if enough is None else enough


def _within(seen: _Seen, asked: Wish, ever: Figure, *, counted: bool) -> Figure:
    """Never more than is lost sooner or later, which is the most that it can be."""
    told = seen.by_walk(lambda each: risk.within(risk.brownian(each), asked.bankroll, asked.trip))
    if counted:
        *_, last = walks.walk(walks.steps(seen.results()), asked.bankroll, asked.trip)
        told = _moved(told, last.ruined)
    return Figure(*map(min, told, ever))


def _before(seen: _Seen, each: walks.Steps, asked: Wish, *, counted: bool) -> Figure:
    """By the formula, its ends hold what it may be off, too."""
    bankroll, goal = asked.bankroll, asked.goal
    told = seen.by_walk(lambda results: risk.before(risk.rate(results), bankroll, goal))
    if not counted:
        least, most = min(seen.plain)[0], max(seen.plain)[0]
        low = seen.by_walk(lambda results: risk.before(risk.rate(results), bankroll + max(0.0, -least), goal)).low
        high = seen.by_walk(lambda results: risk.before(risk.rate(results), bankroll, goal + max(0.0, most))).high
        return Figure(told.value, low, high)
    if walks.solvable(each, 3 * bankroll, 3 * goal):
        return seen.by_walk(lambda results: walks.before(walks.steps(results), bankroll, goal))
    return _moved(told, walks.before(each, bankroll, goal))


def _ahead(seen: _Seen, each: walks.Steps, trip: int) -> Figure:
    told = seen.by_moments(lambda game: risk.ahead(game, trip))
    return _moved(told, walks.after(each, trip).ahead) if walks.summable(each, trip) else told


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
        "standard_error": None if one.error is None else one.error / tally.boxes,
    }


def _risk_json(told: Found, asked: Wish, ramp: Best | None) -> dict[str, Any]:
    """Each figure with the two that it would be at the ends of the mean's interval."""
    figures: dict[str, Any] = {
        **{key: value or None for key, value in asked._asdict().items()},
        "win_rate": risk.HUNDRED * told.game.mean,
        "win_rate_sd": math.sqrt(risk.HUNDRED) * told.game.sd,
        "n0": told.n0,
        "desirability": told.desirability,
        "score": told.score,
        "ruin_ever": told.ever,
        "ruin_ever_normal": told.ever_normal,
        "ruin_within": told.within,
        "ruin_within_counted": told.within_counted,
        "ruin_before": told.before,
        "ruin_before_normal": told.before_normal,
        "ruin_before_counted": told.before_counted,
        "ahead": told.ahead,
        "certainty_equivalent": told.certainty,
        "bankroll_ever": told.for_ever,
        "bankroll_within": told.for_trip,
    }
    if ramp is not None:
        figures["ramp"] = _ramp_json(ramp)
    return {key: _figure_json(one) if isinstance(one, Figure) else one for key, one in figures.items()}


def _figure_json(told: Figure) -> dict[str, float | None]:
    return {key: one if math.isfinite(one) else None for key, one in told._asdict().items()}


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
