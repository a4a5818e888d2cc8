"""``tapete simulate``: what a bankroll risks, in words, as JSON and as a picture."""

from __future__ import annotations

import math
import re
from functools import cache
from itertools import combinations
from math import exp
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

from tapete.errors import BadInput
from tapete.pricing import figures, priced, simasked, simdrawn, simpanels, simrisk, simrisktold
from tapete.pricing.bars import PLAYER
from tapete.pricing.sheets import INK
from tapete.pricing.simasked import Point, Run
from tapete.pricing.simrisk import Wish
from tapete.sim import risk, running, walks
from tapete.sim.count import PLAYED, SEEN, STAKED
from tapete.sim.results import Tally, nothing
from tapete.sim.risk import Results
from tapete.sim.running import Progress
from tapete.sim.world import CORRECTED
from tapete.words import LANGUAGES, Words, words
from tests.pricing.saying import spoken, told

SIMULATE = ("simulate", "casino", "--rounds", "1", "--workers", "1")
COUNTER = ("--count", "hi-lo", "--spread", "0:1,1:2,2:6,3:12", "--wong-in", "-1")
OPTIONS = ("rounds", "until", "boxes", "strategy", "seed", "workers", "cluster", "count", "true_count", "spread",
           "wong_in", "wong_out", "plays", "plain", "bankroll", "trip", "goal", "risk")  # fmt: skip


@cache
def a_run(blocks: int = 2, table: str = "casino", **options: str) -> Run:
    """A short run with these options."""
    wanted = simasked.asked(priced.table(table), dict.fromkeys(OPTIONS, "") | {"workers": "1"} | options)
    set_ = simasked.made(wanted)
    so_far, history = Progress(0, nothing(set_.game, set_.bet)), []
    for number in range(blocks):
        so_far = Progress(number + 1, so_far.tally + running.block(set_, 1, number))
        history.append(Point(so_far.tally.rounds, so_far.tally.mean, so_far.tally.error))
    return Run(wanted, so_far, over=True, history=tuple(history))


def counted(**options: str) -> Run:
    """The same with a counter."""
    return a_run(count="hi-lo", spread="0:1,1:2,2:6,3:12", **options)


def figures_of(run: Run, **wish: Any) -> dict[str, Any]:
    """What is said of the risk in JSON."""
    answer: dict[str, Any] = simrisk.as_json(run.progress.tally, Wish(**wish))
    return answer


# --- JSON -----------------------------------------------------------------------------------------------------------


def test_nothing_is_said_of_a_risk_that_nobody_asks_for() -> None:
    run = a_run()
    assert figures_of(run) == {}
    assert list(simrisktold.lines(run.progress.tally, Wish(), words("en"))) == []


def test_what_is_asked_is_answered_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    answer = told(capsys, *SIMULATE, "--bankroll", "50", "--trip", "2000", "--goal", "40", "--risk", "5%")["risk"]
    assert (answer["bankroll"], answer["trip"], answer["goal"], answer["risk"]) == (50, 2000, 40, 0.05)
    assert answer["ruin_ever"]["value"] == answer["ruin_ever_normal"] == 1.0
    assert answer["bankroll_ever"] is None
    assert answer["n0"] is answer["score"] is None
    assert answer["ruin_within"]["low"] < answer["ruin_within"]["value"] < answer["ruin_within"]["high"]
    assert answer["ruin_within"]["value"] == pytest.approx(0.40, abs=0.05)
    assert answer["ruin_before"]["value"] == pytest.approx(answer["ruin_before_normal"], abs=0.01)
    assert answer["bankroll_within"]["value"] == pytest.approx(108, abs=8)
    assert answer["ahead"]["value"] == pytest.approx(0.39, abs=0.04)


def test_without_a_bankroll_only_what_needs_none_is_answered() -> None:
    answer = figures_of(a_run(), trip=1000, risk=0.1)["risk"]
    assert answer["ahead"] is not None
    assert answer["bankroll_within"]["low"] > 0
    assert answer["bankroll"] is answer["ruin_ever"] is answer["ruin_within"] is answer["certainty_equivalent"] is None
    assert "ramp" not in answer


def test_each_answer_hangs_on_its_question() -> None:
    usual = {"bankroll": 60.0, "trip": 1500, "goal": 30.0, "risk": 0.05}
    hang = {"bankroll": {"ruin_within", "ruin_before", "certainty_equivalent"}, "trip": {"ruin_within", "ahead"},
            "goal": {"ruin_before"}, "risk": {"bankroll_within"}}  # fmt: skip
    once = figures_of(a_run(), **usual)["risk"]
    for key, answers in hang.items():
        other = figures_of(a_run(), **{**usual, key: usual[key] * 2})["risk"]
        assert all(once[name] != other[name] for name in answers), key


def test_a_long_trip_is_by_the_formula_and_a_short_one_is_counted() -> None:
    run = a_run()
    short, long = (figures_of(run, bankroll=1000.0, trip=trip)["risk"] for trip in (5_000, 1_000_000))
    assert (short["ruin_within_counted"], long["ruin_within_counted"]) == (True, False)
    tally = run.progress.tally
    game = risk.Moments(tally.mean, tally.variance)
    assert long["ruin_within"]["value"] == pytest.approx(risk.within(game, 1000, 1_000_000), abs=0.001)


NETS = (*(half / 2 for half in range(-16, 17)), -96.0, 96.0)


def test_less_is_lost_in_a_time_than_in_the_end() -> None:
    """Of two dozen games, good ones and bad ones, and at the ends of their intervals, too."""
    dice = np.random.default_rng(3)
    for number in range(24):
        results = tuple((net, int(many)) for net, many in zip(NETS, dice.integers(1, 1000, len(NETS)), strict=True))
        bankroll, mean = float(dice.uniform(1, 9000)), float(dice.uniform(-0.01, 0.05))
        asked = Wish(bankroll, (100_000_000, 20)[number % 2], 0.0, float(dice.uniform(0.001, 0.9)))
        told = simrisk.reckoned(results, mean, 0.004 * (number % 3), asked)
        assert told is not None
        assert told.within is not None
        assert told.ever is not None
        assert told.for_trip is not None
        assert all(one <= other for one, other in zip(told.within, told.ever, strict=True))
        ends = zip(told.for_trip, told.for_ever or (math.inf,) * 3, strict=True)
        assert all(one <= other * (1 + 1e-6) for one, other in ends)


def drawn_before(results: Results, bankroll: float, goal: float) -> tuple[float, float]:
    """The share of bankrolls that are lost before the goal is won, each drawn round by round, and its error."""
    dice = np.random.default_rng(1)
    nets, often = np.array(results, dtype=np.float64).T
    money, lost, many = np.full(40_000, bankroll), 0, 40_000
    while len(money):
        money = money + dice.choice(nets, len(money), p=often / often.sum())
        lost += int((money <= 0).sum())
        money = money[(money > 0) & (money < bankroll + goal)]
    part = lost / many
    return part, (part * (1 - part) / many) ** 0.5


@pytest.mark.parametrize(
    ("options", "bankroll", "goal"),
    [
        ({"boxes": "7"}, 30.0, 20.0),
        ({"count": "hi-lo", "spread": "0:1,1:2,2:6,3:12"}, 50.0, 20.0),
        ({"count": "hi-lo", "spread": "-40:1000,39:1"}, 0.5, 0.001),
    ],
)
def test_a_goal_of_few_bets_is_counted(options: dict[str, str], bankroll: float, goal: float) -> None:
    """By the formula these are 42 %, 27 % and 0 %: it knows nothing of bets that lose or win more than it takes."""
    tally = a_run(1, **options).progress.tally
    answer = simrisk.as_json(tally, Wish(bankroll, goal=goal))["risk"]
    drawn, error = drawn_before(risk.tilted(tally.results, tally.mean), bankroll, goal)
    assert answer["ruin_before_counted"]
    assert abs(answer["ruin_before"]["value"] - drawn) < 4 * error


def test_a_goal_that_is_too_far_to_be_counted_has_the_error_of_its_formula_in_brackets() -> None:
    results = ((-1000.0, 480), (-0.5, 30), (0.0, 10), (1000.0, 490), (2000.0, 5))
    asked = Wish(3000.0, goal=1500.0)
    told = simrisk.reckoned(results, 9.8, 0.01, asked)
    assert told is not None
    assert told.before is not None
    assert not told.before_counted
    drawn, error = drawn_before(risk.tilted(results, 9.8), 3000.0, 1500.0)
    assert told.before.low < drawn < told.before.high
    assert abs(told.before.value - drawn) > 9 * error


def test_a_count_that_came_once_has_no_error() -> None:
    tally = counted().progress.tally
    rare = tally._replace(by_level=tally.by_level.copy())
    rare.by_level[-1] = 0
    rare.by_level[-1, [SEEN, PLAYED, STAKED]] = 1
    *_, before, last = simrisk.as_json(rare, Wish())["levels"]
    assert (last["rounds"], last["standard_error"]) == (1, None)
    assert before["rounds"] > 1
    assert before["standard_error"] > 0


def test_all_that_hangs_on_the_edge_has_its_interval() -> None:
    results, mean, error = ((-1.0, 470), (-4.0, 3), (1.0, 500), (1.5, 27)), 0.03, 0.005
    told = simrisk.reckoned(results, mean, error, Wish(200.0, 5000, 0.0, 0.05))
    variance = (risk.moments(results) or risk.Moments(0, 0)).variance
    ends = [risk.Moments(mean + by, variance) for by in (0.0, -1.96 * error, 1.96 * error)]
    assert told is not None
    for figure, of in (
        (told.n0, risk.n0),
        (told.score, risk.score),
        (told.desirability, risk.desirability),
        (told.certainty, lambda game: 100 * risk.certainty(game, 200)),
        (told.for_ever, lambda game: risk.bankroll_ever(risk.brownian_rate(game), 0.05)),
        (told.for_trip, lambda game: risk.bankroll_within(game, 0.05, 5000)),
    ):
        value, *two = (of(game) or 0.0 for game in ends)
        assert figure is not None
        assert figure == pytest.approx((value, min(two), max(two)), rel=0.05)
        assert figure.low < figure.value < figure.high


def test_an_edge_that_may_be_none_has_no_end() -> None:
    tally = counted().progress.tally
    wins = tally._replace(sums=tally.sums.copy())
    wins.sums[CORRECTED] = tally.rounds * tally.bet * tally.error  # a mean of one error
    asked = Wish(1000.0, risk=0.1)
    answer = simrisk.as_json(wins, asked)["risk"]
    for key in ("n0", "bankroll_ever"):
        assert answer[key]["high"] is None
        assert 0 < answer[key]["low"] < answer[key]["value"]
    said = "\n".join(simrisktold.lines(wins, asked, words("en")))
    assert len(re.findall(r"\([\d.]+ or more\)", said)) == 2


def test_levels_of_the_count_add_up_to_the_rounds() -> None:
    tally = counted().progress.tally
    levels = figures_of(counted())["levels"]
    assert sum(one["rounds"] for one in levels) == tally.rounds
    won = sum(one["rounds"] * one["bet"] * one["edge"] for one in levels) / tally.rounds
    assert won == pytest.approx(tally.mean, rel=1e-9)
    edges = {one["level"]: one["edge"] for one in levels}
    assert edges[-5] < edges[0] < edges[5]
    assert {one["bet"] for one in levels if one["level"] >= 3} == {12.0}


def test_the_best_ramp_is_read_by_spread_and_keeps_its_risk() -> None:
    """Played again with the spread that was told, the round has the mean and the deviation that were told with it."""
    first = figures_of(a_run(8, **COUNTED), bankroll=4000.0, risk=0.1)["risk"]["ramp"]
    assert first["ruin_ever"] <= 0.1
    assert (first["least"], first["most"]) == (1, 12)
    again = a_run(8, count="hi-lo", spread=first["spread"]).progress.tally
    assert again.sd == pytest.approx(first["sd"], rel=1e-4)
    assert 100 * again.mean == pytest.approx(first["win_rate"], rel=1e-9)
    game = risk.Moments(first["win_rate"] / 100, first["sd"] ** 2)
    assert first["kelly"] == pytest.approx(game.variance / (game.mean * 4000))
    assert first["score"] == pytest.approx(risk.score(game))
    assert first["ruin_ever"] == pytest.approx(exp(-2 * game.mean * 4000 / game.variance))


def test_a_bankroll_that_no_ramp_saves_is_told_what_it_takes() -> None:
    run = a_run(8, **COUNTED)
    none = figures_of(run, bankroll=50.0, risk=0.01)["risk"]["ramp"]
    assert none["spread"] is None
    enough = figures_of(run, bankroll=none["needs_bankroll"] * 1.001, risk=0.01)["risk"]["ramp"]
    assert enough["ruin_ever"] <= 0.01


COUNTED = {"count": "hi-lo", "spread": "0:1,1:2,2:6,3:12"}


# --- words ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_tell_the_figures_of_the_json(language: str) -> None:
    tally, asked = counted().progress.tally, Wish(1000.0, 5000, 400.0, 0.1)
    say = words(language)
    said = "\n".join(simrisktold.lines(tally, asked, say))
    answer = simrisk.as_json(tally, asked)["risk"]
    for key in ("ruin_ever", "ruin_within", "ruin_before", "ahead"):
        for end in answer[key].values():
            assert simrisktold.share(end, say) in said, key
    assert figures.number(answer["win_rate"], say, digits=4) in said
    for end in answer["bankroll_within"].values():
        assert simrisktold.plain(end, say, 1) in said
    for end in answer["certainty_equivalent"].values():
        assert figures.number(end, say, digits=4) in said
    assert "{" not in said


def test_the_ends_of_a_table_by_the_count_hold_what_is_beyond() -> None:
    lines = list(simrisktold.lines(counted().progress.tally, Wish(), words("en")))
    assert re.match(r" *-\d+ or less ", lines[3])
    assert re.match(r" *\d+ or more ", lines[-1])
    shares = [float(found[1]) for line in lines[3:] if (found := re.search(r"([\d.]+) % +[+-]", line))]
    assert sum(shares) == pytest.approx(100, abs=0.2)


@pytest.mark.parametrize(
    ("language", "one", "many"), [("en", " 1 round:", " 2 rounds:"), ("es", " 1 ronda:", " 2 rondas:")]
)
def test_one_round_is_no_rounds(language: str, one: str, many: str) -> None:
    for trip, said in ((1, one), (2, many)):
        lines = list(simrisktold.lines(a_run().progress.tally, Wish(10.0, trip, 0.0, 0.05), words(language)))
        assert sum(said in line for line in lines) == 3
        fan = simdrawn.page(a_run(trip=str(trip)), words(language)).axes[2]
        assert any(text.get_text().endswith(said.rstrip(":")) for text in fan.texts)


def test_what_is_lost_in_the_end_is_told_as_the_most_that_it_can_be() -> None:
    """Of a counter with bets that are large against his bankroll, fewer are: counted with a goal out of reach."""
    results = ((-12.0, 50), (-1.0, 400), (0.0, 80), (1.0, 410), (12.0, 54))
    told = simrisk.reckoned(results, 0.06, 0.0, Wish(20.0))
    assert told is not None
    assert told.ever is not None
    counted_ = walks.before(walks.steps(risk.tilted(results, 0.06)), 20, 4000)
    assert counted_ < 0.98 * told.ever.value
    tally = counted().progress.tally
    wins = tally._replace(sums=tally.sums.copy())
    wins.sums[CORRECTED] = tally.rounds * tally.bet * 0.05
    for language, most in (("en", " at most"), ("es", " como mucho")):
        said = [line for line in simrisktold.lines(wins, Wish(50.0), words(language)) if line.endswith(most)]
        assert len(said) == 1


def test_a_table_that_loses_says_that_no_bankroll_is_enough() -> None:
    said = "\n".join(simrisktold.lines(a_run().progress.tally, Wish(100.0, risk=0.05), words("en")))
    assert "lost sooner or later, if play never ends: 100.00 %" in said
    assert "none is large enough" in said
    assert "SCORE" not in said


# --- what is refused ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"bankroll": "0"}, "sim.money"),
        ({"bankroll": "-5"}, "sim.money"),
        ({"bankroll": "nan"}, "sim.money"),
        ({"bankroll": "1e10"}, "sim.money"),
        ({"bankroll": "٣"}, "sim.money"),
        ({"bankroll": "lots"}, "sim.money"),
        ({"bankroll": "100", "goal": "x"}, "sim.money"),
        ({"goal": "100"}, "sim.needs_bankroll"),
        ({"trip": "0"}, "sim.trip"),
        ({"trip": "1.5"}, "sim.trip"),
        ({"trip": "inf"}, "sim.trip"),
        ({"risk": "0"}, "sim.risk"),
        ({"risk": "100%"}, "sim.risk"),
        ({"risk": "5 per cent"}, "sim.risk"),
        ({"risk": "%"}, "sim.risk"),
    ],
)
def test_nonsense_is_refused(
    options: dict[str, str], code: str, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(BadInput) as caught:
        simrisk.wish(options)
    assert caught.value.code == code
    flags = [part for key, value in options.items() for part in (f"--{key}={value}",)]
    said = spoken(capsys, *SIMULATE, *flags, "--lang", language, code=2)
    assert said.strip()
    assert "Traceback" not in said


def test_numbers_are_read_as_people_write_them() -> None:
    asked = simrisk.wish({"bankroll": "12,5", "trip": "1e4", "goal": "7.5", "risk": " 5 % "})
    assert asked == Wish(12.5, 10_000, 7.5, 0.05)
    assert simrisk.wish({"risk": "0.05"}) == Wish(risk=0.05)


# --- the picture ----------------------------------------------------------------------------------------------------


def laid_out(run: Run, language: Words) -> Figure:
    """The picture of a run, in which everything has its place."""
    figure = simdrawn.page(run, language)
    FigureCanvasAgg(figure)
    figure.draw_without_rendering()
    return figure


def words_of(figure: Figure) -> list[Text]:
    """All texts of a picture that are drawn: of the ticks of an axis only those between its ends."""
    found: list[Text] = [*figure.texts]
    for axes in figure.axes:
        found += [*axes.texts, axes.xaxis.label, axes.yaxis.label]
        for axis, ends in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
            found += [tick.label1 for tick in axis.get_major_ticks() if ends[0] <= tick.get_loc() <= ends[1]]
    return [text for text in found if text.get_visible() and text.get_text()]


RUNS = {
    "one box": lambda: a_run(bankroll="50", trip="2000", goal="40"),
    "seven boxes": lambda: a_run(1, boxes="7"),
    "a long trip": lambda: a_run(bankroll="500", trip="1e7"),
    "no bankroll, long": lambda: a_run(trip="1e6"),
    "a counter": lambda: counted(bankroll="1000", trip="3000", risk="10%"),
    "a counter who watches": lambda: counted(wong_in="1", boxes="2"),
    "a running count": lambda: a_run(
        count="ko", spread="-20:1,-4:2,-3:10,-2:11,0:12,4:24", wong_in="-15", bankroll="500", boxes="2"
    ),
    "a running count of Hi-Lo": lambda: counted(true_count="running", plays="none", strategy="td,simple,mimic"),
    "a counter who only watches": lambda: counted(wong_in="40", bankroll="100", trip="100", goal="10"),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", RUNS)
def test_every_word_of_the_picture_is_on_the_page(name: str, language: str) -> None:
    figure = laid_out(RUNS[name](), words(language))
    wide, high = figure.bbox.width, figure.bbox.height
    told = words_of(figure)
    assert len(told) > 30
    for text in told:
        box = text.get_window_extent()
        assert box.x0 >= 0, text.get_text()
        assert box.x1 <= wide, text.get_text()
        assert box.y0 >= 0, text.get_text()
        assert box.y1 <= high, text.get_text()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", RUNS)
def test_no_heading_runs_into_what_is_beside_it(name: str, language: str) -> None:
    """What stands above a panel ends before the panel to its right begins, and above its own bars and lines."""
    figure = laid_out(RUNS[name](), words(language))
    for axes in figure.axes:
        own = axes.get_window_extent()
        rights = [one.get_window_extent().x0 for one in figure.axes if one.get_window_extent().x0 > own.x1]
        for text in axes.texts:
            box = text.get_window_extent()
            if box.y0 >= own.y1:
                assert box.x1 < min(rights, default=figure.bbox.width), text.get_text()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", RUNS)
def test_no_number_runs_into_the_next(name: str, language: str) -> None:
    figure = laid_out(RUNS[name](), words(language))
    for axes in figure.axes:
        named = [tick.label1 for axis in (axes.xaxis, axes.yaxis) for tick in axis.get_major_ticks()]
        for those in (axes.texts, [one for one in words_of(figure) if one in named]):
            boxes = [(one.get_text(), one.get_window_extent()) for one in those if one.get_text()]
            for (one, here), (other, there) in combinations(boxes, 2):
                assert not here.overlaps(there), (one, other)


def test_the_counts_that_are_named_have_room() -> None:
    """All of them, every second or every fifth, and both ends."""
    assert simpanels.named(range(-2, 3), 60.0) == [-2, -1, 0, 1, 2]
    assert simpanels.named(range(-10, 10), 17.0) == [-10, -8, -6, -4, -2, 0, 2, 4, 6, 9]
    assert simpanels.named(range(-34, 18), 6.6) == [-34, -30, -25, -20, -15, -10, -5, 0, 5, 10, 17]
    assert simpanels.named(range(-40, 41), 4.2) == [-40, -30, -20, -10, 0, 10, 20, 30, 40]


def test_the_heading_tells_how_boxes_are_bet_and_played() -> None:
    def heading(run: Run, language: str = "en") -> str:
        return " ".join(text.get_text() for text in simdrawn.page(run, words(language)).texts)

    told = heading(RUNS["a running count"]())
    assert "2 boxes in each round. Played by td" in told
    assert "Units on each box by the count: 2 from -4 on, 10 from -3 on, 11 from -2 on, 12 from 0 on, 24" in told
    assert "Plays from a count of -15 on" in told
    assert "index plays" not in told
    assert "19 index plays change the chart." in heading(a_run(1, "home", count="hi-lo", plays="hi-lo"))
    assert "19 jugadas por índice" in heading(a_run(1, "home", count="hi-lo", plays="hi-lo"), "es")
    assert "They are played by td, simple, mimic, in this order." in heading(RUNS["a running count of Hi-Lo"]())
    assert "count" not in heading(RUNS["one box"]())


def test_where_counts_are_crowded_a_bet_is_told_where_it_changes() -> None:
    below = panels(RUNS["a running count"]())[4]
    assert [text.get_text() for text in below.texts if text.get_text()] == ["0", "1", "2", "10", "11", "12", "24"]
    below = panels(counted(bankroll="1000", trip="3000", risk="10%"))[4]
    assert len([text for text in below.texts if text.get_text()]) == len(below.patches)


def panels(run: Run) -> list[Axes]:
    return simdrawn.page(run, words("en")).axes


def bars_of(axes: Axes) -> dict[float, float]:
    """The heights of the bars, by their middle."""
    bars: Any = axes.patches
    return {round(bar.get_x() + bar.get_width() / 2, 6): bar.get_height() for bar in bars}


def lines_of(axes: Axes, colour: str) -> list[list[float]]:
    """How high the lines of a colour are."""
    return [
        np.asarray(line.get_ydata(), dtype=np.float64).tolist() for line in axes.lines if line.get_color() == colour
    ]


def test_the_estimate_settles_where_it_is_told() -> None:
    run = a_run(4)
    line = next(one for one in lines_of(panels(run)[1], INK))
    assert line == pytest.approx([-100 * point.mean for point in run.history])
    low, high = (one for one in lines_of(panels(run)[1], PLAYER))
    assert (high[-1] - low[-1]) / 2 == pytest.approx(196 * run.progress.tally.error, rel=1e-4)


def test_there_is_a_panel_more_where_somebody_counts() -> None:
    assert len(panels(a_run())) == 3
    assert len(panels(counted())) == 5


def test_bars_are_the_shares_of_the_results() -> None:
    tally = a_run(4).progress.tally
    bars = bars_of(panels(a_run(4))[0])
    for net, many in tally.results:
        if many / tally.rounds > 0.001:
            assert bars[net] == pytest.approx(100 * many / tally.rounds)


def test_a_wide_bar_holds_what_it_stands_over() -> None:
    """The commonest results, one unit won or lost, are in the bars beside nought, and even rounds are between them."""
    told = [(-320.0, 3), (-2.5, 9), (-1.0, 400), (0.0, 90), (1.0, 340), (2.0, 60), (320.0, 3)]
    bars, wide = simpanels.bars_of(told)
    assert wide == 5
    assert bars == {-317.5: 3, -2.5: 409, 0.0: 90, 2.5: 400, 317.5: 3}
    bars, wide = simpanels.bars_of([(-60.0, 3), (-2.5, 9), (-1.0, 400), (0.0, 90), (1.0, 340), (1.5, 60), (60.0, 3)])
    assert wide == 1
    assert bars == {-60.0: 3, -3.0: 9, -1.0: 400, 0.0: 90, 1.0: 340, 2.0: 60, 60.0: 3}


@pytest.mark.parametrize("trip", ["1", "2000"])
def test_what_the_lines_of_a_bankroll_are_is_beside_them(trip: str) -> None:
    """The goal above its line, the loss below its own, however near they are to each other, clear of their marks."""
    figure = laid_out(a_run(1, bankroll="0.5", goal="0.5", trip=trip), words("en"))
    axes = figure.axes[2]
    won, lost = (
        next(one.get_window_extent() for one in axes.texts if said in one.get_text()) for said in ("is won", "is lost")
    )
    marks = [axes.transData.transform((0, at))[1] for at in (0.5, -0.5)]
    assert won.y0 > marks[0] + 3 * figure.dpi / 72
    assert lost.y1 < marks[1] - 3 * figure.dpi / 72
    assert axes.get_window_extent().y0 < lost.y0


def test_a_line_that_is_just_in_sight_has_room_for_its_name() -> None:
    usual = simdrawn.page(a_run(1, bankroll="1e6", trip="2000"), words("en")).axes[2].get_ylim()
    bankroll = math.floor(-usual[0]) - 1
    figure = laid_out(a_run(1, bankroll=str(bankroll), trip="2000"), words("en"))
    axes = figure.axes[2]
    lost = next(one.get_window_extent() for one in axes.texts if "is lost" in one.get_text())
    assert axes.get_window_extent().y0 < lost.y0


def test_long_trips_are_told_in_millions() -> None:
    fan = panels(a_run(1, bankroll="1e9", trip="1e9"))[2]
    assert fan.get_ylabel() == "won or lost, in millions of initial bets"
    assert fan.get_xlabel() == "million rounds"
    assert fan.xaxis.get_major_formatter()(2e8, None) == "200"
    assert fan.yaxis.get_major_formatter()(-2e6, None) == "-2"


def test_nothing_is_drawn_of_an_edge_that_is_none() -> None:
    figure = simdrawn.page(RUNS["a counter who only watches"](), words("en"))
    texts = [text.get_text() for axes in figure.axes[:3] for text in axes.texts]
    assert texts.count("No round had a bet.") == 3
    assert not any("±" in text for text in texts)


def test_watched_rounds_are_no_even_rounds() -> None:
    run = counted(wong_in="2")
    bars = bars_of(panels(run)[0])
    assert bars[0] < 25
    assert sum(bars.values()) == pytest.approx(100, abs=0.1)


def test_the_fan_is_where_the_walks_are() -> None:
    """The middle line ends where half of all bankrolls are above, and a lost one stays lost."""
    run = a_run(bankroll="50", trip="2000")
    ends = [line[-1] for line in lines_of(panels(run)[2], PLAYER) if len(line) > 9]
    assert ends == sorted(ends)
    assert ends[0] == ends[1] == -50
    tally = run.progress.tally
    game = risk.Moments(tally.mean, tally.variance)
    assert risk.standing(game, 50, 2000, ends[2]) == pytest.approx(0.5, abs=0.02)
    assert risk.standing(game, 50, 2000, ends[4]) == pytest.approx(0.05, abs=0.01)


def test_fans_counted_and_by_the_formula_agree() -> None:
    tally = a_run().progress.tally
    marks = [0, 500, 2000]
    counted_ = simpanels.bands(tally, marks, 60.0)
    game = risk.Moments(tally.mean, tally.variance)
    formula = [simpanels.standing(game, 60.0, 2000, part) for part in simpanels.PARTS]
    assert list(counted_[-1]) == pytest.approx(formula, abs=1.5)
    free = simpanels.bands(tally, marks, 0.0)
    assert list(free[-1]) == pytest.approx(
        [2000 * tally.mean + z * 2000**0.5 * tally.sd for z in (-1.645, -0.674, 0, 0.674, 1.645)], abs=0.8
    )


def test_bankrolls_are_drawn_with_the_mean_of_the_band(monkeypatch: pytest.MonkeyPatch) -> None:
    """The money as it was dealt has another mean, which in so many rounds makes a difference of many bets."""
    monkeypatch.setattr(simpanels, "PATHS", 200)
    run = a_run(1, trip="1000000")
    tally = run.progress.tally
    ends = [line[-1] for line in lines_of(panels(run)[2], simpanels.PATH)]
    assert len(ends) == 200
    error = tally.sd * 1000 / 200**0.5
    assert abs(tally.plain_mean - tally.mean) * 1e6 > 8 * error
    assert abs(np.mean(ends) - tally.mean * 1e6) < 4 * error


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_pictures_are_drawn_by_their_ending_and_the_same_again(ending: str, tmp_path: Path) -> None:
    first, again = (tmp_path / f"{name}.{ending}" for name in ("first", "again"))
    for file in (first, again):
        simdrawn.draw(a_run(), words("es"), str(file))
    assert first.read_bytes() == again.read_bytes()
    head = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[ending]
    assert first.read_bytes().startswith(head)


def test_the_command_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "run.svg"
    said = spoken(capsys, *SIMULATE, "--picture", str(file), "--lang", "en")
    assert "House edge" in said
    assert file.read_bytes().startswith(b"<?xml")


def test_a_picture_that_cannot_be_drawn_is_refused_before_anything_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("run.gif", "none/run.png"):
        said = spoken(capsys, *SIMULATE[:2], "--rounds", "1e13", "--picture", str(tmp_path / name), code=2)
        assert "run." in said or "none" in said
        assert "Traceback" not in said


def test_without_a_finished_round_there_is_nothing_to_draw(tmp_path: Path) -> None:
    run = a_run()
    empty = run._replace(progress=Progress(0, none_of(run.progress.tally)))
    with pytest.raises(BadInput) as caught:
        simdrawn.draw(empty, words("en"), str(tmp_path / "run.png"))
    assert caught.value.code == "sim.nothing"
    assert simrisk.found(empty.progress.tally, Wish(50.0)) is None


def none_of(tally: Tally) -> Tally:
    """The same tally of no rounds."""
    return tally._replace(nets=0 * tally.nets, counts=0 * tally.counts)
