"""Ways of playing from outside: named strategies, and every table's chart priced again."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tapete import chart as charts
from tapete import round as rounds
from tapete import rulebook, strategy
from tapete.cards import card
from tapete.croupier import Croupier
from tapete.events import Asks, Over, Question
from tapete.exact import given, levels, playing
from tapete.exact.analysis import Price, analyse, price_of
from tapete.rulefile import FOUNDING, preset, presets
from tapete.rules import RuleSet, with_
from tapete.stakes import BoxStake, Lock
from tapete.state import Round

FIXED: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "data" / "charts" / "fixed_strategies.json").read_text("utf-8")
)
HEAVY = ("double-exposure",)
"""Both cards seen, in eight packs: long to price, and no other shape than Face Up's."""


def table(decks: int, soft17: str) -> RuleSet:
    value = {"S17": "stand", "H17": "hit"}[soft17]
    plain = {"surrender.mode": "none", "insurance.who": "none", "back_colours": None}
    return with_(preset("american-6d").rules, {**plain, "decks": decks, "dealer_soft17": value})


@pytest.mark.parametrize(
    "told", FIXED, ids=lambda one: f"{one['strategy'][:9]}-{one['decks']}-{one['dealer']}-{one['player']}"
)
def test_fixed_strategies_of_another_program(told: dict[str, Any]) -> None:
    rules = table(told["decks"], told["dealer"])
    if told["strategy"] == "mimic":
        chart = charts.mimic(table(told["decks"], told["player"]))
    else:
        chart = charts.never_bust(rules)
    assert price_of(rules, chart).ev == pytest.approx(told["ev"], abs=1e-12)


@pytest.mark.parametrize("name", [name for name in presets() if name not in HEAVY])
def test_the_chart_of_the_best_strategy_by_totals_is_worth_what_it_is_worth(name: str) -> None:
    rules = preset(name).rules
    price = analyse(rules, level="td")
    chart = given.chart_of(price.round)
    again = price_of(rules, chart)
    assert again.ev == pytest.approx(price.ev, abs=1e-15)
    assert given.chart_of(again.round).cells == chart.cells
    assert (again.level, chart.insure, chart.insure_blackjack) == ("td", False, False)
    for other in charts.NAMED.values() if name == "casino" else ():
        assert price_of(rules, other(rules)).ev < price.ev


@pytest.mark.parametrize(
    "changes",
    [
        {"surrender.mode": "early", "deal_order": "players_first"}, {"insurance.pays": (3, 1)},
        {"split.match": "rank"}, {"bj_definition": "ace_with_figure", "split.match": "rank"},
    ],
    ids=["blind", "insured", "ranks", "figures"],
)  # fmt: skip
def test_rare_rules_have_charts_too(changes: dict[str, Any]) -> None:
    rules = with_(table(1, "S17"), {"insurance.who": "any", "split.max_hands": 2, **changes})
    price = analyse(rules, level="td")
    chart = given.chart_of(price.round)
    assert price_of(rules, chart).ev == pytest.approx(price.ev, abs=1e-15)
    assert chart.insure == chart.insure_blackjack == ("insurance.pays" in changes)


def test_a_chart_is_priced_exactly_in_fractions() -> None:
    rules = with_(table(1, "S17"), {"split.max_hands": 2})
    shoe = (1, 0, 0, 0, 1, 1, 1, 2, 1, 6)
    chart = charts.simple(rules)
    exact = price_of(rules, chart, shoe=shoe, exact=True).ev
    assert isinstance(exact, Fraction)
    assert float(exact) == pytest.approx(price_of(rules, chart, shoe=shoe).ev, abs=1e-14)


def test_a_shoe_from_the_middle_of_play_has_a_chart_without_gaps() -> None:
    for name in ("home", "faceup"):
        rules = preset(name).rules
        shoe = (0, 0, 3, 2, 1, 4, 0, 2, 3, 20)  # no ace, no two, no seven
        price = analyse(rules, level="td", shoe=shoe)
        chart = given.chart_of(price.round)
        assert price_of(rules, chart, shoe=shoe).ev == pytest.approx(price.ev, abs=1e-15)
        assert set(chart.cells["hard 4"]) == {"H"}  # it never comes up, and is told nevertheless
        assert all("" not in cells for cells in chart.cells.values())


# --- the house's bots -----------------------------------------------------------------------------------------------


RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")


def rounds_of(rules: RuleSet, seed: int) -> Iterator[tuple[Round, Question, str]]:
    """Every answer that a bot gives in one round at one box."""
    dice = random.Random(seed)
    cards = [card(f"{rank}{suit}") for rank in RANKS for suit in "shdc"] * 2
    dice.shuffle(cards)
    house = Croupier(iter(cards).__next__)
    now = rounds.begin(rules, Lock((BoxStake(1, "bot", 1000),), (("bot", 99_000),)))
    while not isinstance(now.waits, Over):
        event = house.serve(now)
        if event is None:
            assert isinstance(now.waits, Asks)
            question = now.waits.questions[0]
            event = strategy.SIMPLE.answer(now, question)
            yield now, question, event.action
        now = rounds.apply(now, event)


def letter_for(rules: RuleSet, chart: charts.Chart, now: Round, question: Question) -> str:
    hand = now.boxes[0].hands[question.hand - 1]
    up = [one for one in now.dealer if one is not None]
    if len(up) == 2:
        ace = any(one.points == 1 for one in up)
        total = rulebook.total(sum(one.points for one in up), ace=ace)
        column = f"{'soft' if ace else 'hard'} {total}"
    else:
        column = "A" if up[0].points == 1 else str(up[0].points)
    ace = any(one.points == 1 for one in hand.cards)
    total = rulebook.total(hand.hard, ace=ace)
    row = f"{'soft' if rulebook.is_soft(hand.hard, ace=ace) else 'hard'} {total}"
    if len(hand.cards) == 2 and hand.cards[0].points == hand.cards[1].points:
        told = chart.letter(f"pair {'A' if hand.cards[0].points == 1 else hand.cards[0].points}", column)
        if told != "P" or "split" in question.legal:
            return told
    return chart.letter(row, column)


@pytest.mark.parametrize("name", FOUNDING)
def test_the_bots_play_by_their_chart(name: str) -> None:
    rules = preset(name).rules
    chart = charts.simple(rules)
    moves = {"S": ("stand",), "H": ("hit",), "D": ("double", "hit"), "Ds": ("double", "stand"), "P": ("split",)}
    seen = 0
    for seed in range(800):
        for now, question, action in rounds_of(rules, seed):
            if question.kind == "insure":
                assert action == "no_insurance"
                assert not chart.insure
                continue
            retires, plain = charts.taken_apart(letter_for(rules, chart, now, question))
            if question.kind == "retire":
                assert (action == "retire") == retires
            else:
                assert action == next(move for move in moves[plain] if move in question.legal)
            seen += 1
    assert seen > 600


@pytest.mark.parametrize("level", ["td", "two-card"])
def test_a_player_knows_what_to_do_where_his_own_way_never_leads_him(level: str) -> None:
    """Pairs that nobody splits against a ten are played well after it, where they are split nevertheless."""
    rules = with_(preset("vegas-1d").rules, {"surrender.mode": "late"})
    price, best = analyse(rules, level=level), analyse(rules)
    for kind in range(10):
        told, most = (_split_value(one, kind) for one in (price, best))
        assert told == pytest.approx(most, abs=0.04)
    filled = levels.filled(price.round, two_card=level == "two-card")
    assert playing.value(filled) == pytest.approx(price.ev, abs=1e-14)


def _split_value(price: Price, kind: int) -> float:
    return float(next(move.ev for move in price.moves((kind, kind), (9,)) if move.name == "split"))
