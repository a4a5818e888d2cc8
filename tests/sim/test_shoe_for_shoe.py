"""The simulator plays as the tables do: the same shoe, the same answers, every box's money and every card alike.

``scripts/shoes.py`` does the same for a million rounds.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from tapete.exact import counting, playing
from tapete.exact.analysis import analyse
from tapete.exact.playing import RETIRE, SPLIT, Way
from tapete.rulefile import preset
from tapete.rules import RuleSet, with_
from tapete.shoe import canonical
from tapete.sim import world
from tests.laws.worlds import any_rules
from tests.oracle.test_analyser import CHANGES
from tests.sim.sides import Sides, any_shoe, any_sides, by_engine, difference, drawn, played, sides, sides_of

THREE_QUARTERS = 0.75
MORE: list[tuple[str, dict[str, object]]] = [
    ("casino", {"dealer_draws": "always", "split.max_hands": 4}),
    ("casino", {"dealer_draws": "until_decided", "bj_tie": "dealer", "insurance.who": "any"}),
    ("casino", {"dealer_draws": "always", "dealer_deal": "hole", "peek": "ace", "bust_scope": "all_player_bets"}),
    ("casino", {"no_hole_bj_takes": "busted_and_one", "split.max_hands": 4, "split_21_is_bj": "all"}),
    ("casino", {"no_hole_bj_takes": "busted_and_one", "split.stake": "one_chip", "bet_min": 500, "split.max_hands": 4}),
    ("casino", {"no_hole_bj_takes": "one_bet", "split.stake": "one_chip", "bet_min": 500, "split.max_hands": 4}),
    ("casino", {"no_hole_bj_takes": "original_only", "bust_scope": "all_player_bets", "split.max_hands": 4}),
    ("casino", {"bj_definition": "ace_with_figure", "split.exclude": (), "split.max_hands": 4, "bj_beats_21": False}),
    ("faceup", {"bj_definition": "ace_with_figure", "surrender.mode": "late", "bj_beats_21": False}),
    ("home", {"surrender.mode": "late", "bj_definition": "ace_with_figure", "bj_beats_21": False}),
    ("home", {"surrender.mode": "early", "deal_order": "players_first", "split.match": "rank"}),
    ("british", {"split.aces_cards": "many", "split.aces_resplit": True, "split.second_cards": "when_played"}),
]
"""Switches that meet, beside those that the analyser is tried with."""


def agree(side: Sides, dice: random.Random, *, shoes: int) -> Counter[str]:
    """Plays shoes down to the cut card on both sides; gives what happened."""
    happened: Counter[str] = Counter()
    for at in range(shoes):
        cut = int(52 * side.rules.decks * THREE_QUARTERS)
        told, differs = difference(side, any_shoe(side.rules, dice, wild=at % 2 > 0), cut=cut)
        assert not differs, differs
        happened += told.counts
    return happened


# --- the five tables ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "boxes"),
    [("casino", (1, 6)), ("british", (2, 7)), ("leaflet", (3, 5)), ("faceup", (4, 1)), ("home", (5, 7, 3))],
)
def test_every_box_wins_the_same_at_the_five_tables(name: str, boxes: tuple[int, ...]) -> None:
    happened: Counter[str] = Counter()
    dice = random.Random(name)
    for many in boxes:
        happened += agree(any_sides(preset(name).rules, dice, boxes=many), dice, shoes=6)
    assert min(happened[what] for what in ("splits", "doubles", "blackjacks", "busts")) > 10


@pytest.mark.parametrize(
    ("name", "level", "change"),
    [
        ("casino", "td", {}),
        ("home", "cdp1", {"split.aces_resplit": True}),
        ("british", "cdz", {"double.draw": "no_limit"}),
        ("casino", "cdz", {"bj_definition": "ace_with_figure", "split.exclude": ()}),
    ],
)
def test_every_box_wins_the_same_by_the_best_play(name: str, level: str, change: dict[str, object]) -> None:
    rules = with_(preset(name).rules, {"min_players": 1, **change})
    side = sides_of(analyse(rules, level=level).round, boxes=3, bet=rules.bet_min)
    assert agree(side, random.Random(level), shoes=8)["splits"] > 5


# --- switches -------------------------------------------------------------------------------------------------------


def _changed() -> Iterator[tuple[str, RuleSet]]:
    for rules, change in CHANGES:
        yield str(change), with_(rules, {"split.max_hands": 4, **change})
    for name, change in MORE:
        yield f"{name} {change}", with_(preset(name).rules, change)


@pytest.mark.parametrize("part", range(4))
def test_every_box_wins_the_same_whichever_switch_is_thrown(part: int) -> None:
    for title, rules in [*_changed()][part::4]:
        dice = random.Random(title)
        assert agree(any_sides(rules, dice), dice, shoes=2)["rounds"], title


@pytest.mark.parametrize("seed", range(6))
def test_every_box_wins_the_same_under_switches_thrown_by_lot(seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(2):
        agree(any_sides(any_rules(dice), dice), dice, shoes=2)


@pytest.mark.parametrize("name", ["casino", "american-6d", "faceup"])
def test_an_ace_and_a_plain_ten_are_no_blackjack_where_it_takes_a_figure(name: str) -> None:
    dice, happened = random.Random(name), Counter[str]()
    side = any_sides(with_(preset(name).rules, {"bj_definition": "ace_with_figure"}), dice, boxes=2)
    for _ in range(12):
        cards = sorted(canonical(side.rules), key=lambda card: dice.random() - 0.7 * (card.rank in ("A", "10")))
        told, differs = difference(side, cards, cut=52)
        assert not differs, differs
        happened += told.counts
    assert happened["rounds"] > 50


SEEN: list[tuple[str, int, dict[str, object]]] = [
    ("hands", 1, {}),
    ("up_between", 0, {}),
    ("second", 2, {}),
    ("at_once", 0, {}),
    ("always", 1, {}),
    ("for_blackjack", 0, {"dealer_draws": "if_any_bet_live"}),
    ("first_live", 0, {"no_hole_bj_takes": "busted_and_one"}),
    ("early", 1, {"dealer_deal": "hole", "peek": "ace_or_ten", "surrender.mode": "late"}),
]


@pytest.mark.parametrize(("flag", "value", "change"), SEEN, ids=[flag for flag, _, _ in SEEN])
def test_a_simulator_set_up_wrong_is_found(flag: str, value: int, change: dict[str, object]) -> None:
    rules = with_(preset("casino").rules, {"split.max_hands": 4, "split.exclude": (), "no_hole_bj_takes": "all"})
    side = sides(with_(rules, change), boxes=1, bet=100, seed=1)
    game, dice = side.setting.game, random.Random(1)
    assert getattr(game.settings, flag) != value
    bent = side._replace(setting=side.setting._replace(game=game._replace(
        settings=game.settings._replace(**{flag: value}))))  # fmt: skip
    shoes = [any_shoe(side.rules, dice, wild=True) for _ in range(60)]
    assert any(difference(bent, shoe, cut=60)[1] for shoe in shoes)
    assert not any(difference(side, shoe, cut=60)[1] for shoe in shoes)


# --- ways that few go -----------------------------------------------------------------------------------------------


def reckless(rules: RuleSet, *, boxes: int, seed: int, move: int = SPLIT) -> Sides:
    """Who splits every pair, or retires, wherever he may, insures all, and mostly hits or doubles, whatever he has."""
    rules = with_(rules, {"min_players": 1, "seats_max": 7})
    counted, dice = counting.count(rules, counting.full(rules)), np.random.default_rng(seed)
    shape = len(counted.tables.row[0]), counted.starts.shape[1]
    every = playing.deals(counted)
    nothing = np.zeros((len(every), shape[1]), dtype=np.int64)
    hits = playing.under(counted, Way(dice.choice([0, 1, 1, 3], shape), nothing, nothing, {}))
    may = hits.may_retire > 0 if move == RETIRE else [[playing.may_split(counted, deal)] for deal in every]
    way = hits.way._replace(choice=np.where(may, move, nothing), insures=np.where(hits.may_insure > 0, 1, 0))
    return sides_of(hits._replace(way=way), boxes=boxes, bet=rules.bet_min)


ALONE: list[dict[str, object]] = [{}, {"split.stake": "one_chip", "bet_min": 500}]
WHOLE: list[dict[str, object]] = [
    *ALONE,
    {"bust_scope": "all_player_bets"},
    {"split_21_is_bj": "all", "bj_pay_time": "interim"},
]
"""With ``one_bet`` a bust hand waits for the dealer, and takes no other along."""


@pytest.mark.parametrize("boxes", [1, 2])
@pytest.mark.parametrize(
    ("takes", "changes"), [("all", WHOLE), ("original_only", WHOLE), ("busted_and_one", WHOLE), ("one_bet", ALONE)]
)
def test_boxes_of_many_hands_most_of_them_bust_win_the_same(
    takes: str, changes: list[dict[str, object]], boxes: int
) -> None:
    splits: dict[str, object] = {"split.max_hands": 4, "split.exclude": (), "double.totals": "any"}
    for change in changes:
        rules = with_(preset("casino").rules, {**splits, "no_hole_bj_takes": takes, **change})
        happened = agree(reckless(rules, boxes=boxes, seed=1), random.Random(boxes), shoes=24)
        assert min(happened["splits"], happened["busts"]) > 200, change
        assert happened["insured"] > 50, change


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("casino", {"surrender.mode": "late", "surrender.window": "first_action", "insurance.who": "any"}),
        ("casino", {"surrender.mode": "early", "surrender.window": "first_action", "surrender.loss": (1, 4)}),
        ("american-6d", {"surrender.mode": "late"}),
        ("american-6d", {"surrender.mode": "early", "insurance.who": "any"}),
        ("faceup", {"surrender.mode": "early"}),
        ("faceup", {"surrender.mode": "early", "deal_order": "players_first"}),
        ("home", {"surrender.mode": "early", "deal_order": "players_first"}),
    ],
)
def test_who_retires_whenever_he_may_loses_the_same(name: str, change: dict[str, object]) -> None:
    side = reckless(with_(preset(name).rules, change), boxes=2, seed=1, move=RETIRE)
    happened = agree(side, random.Random(name), shoes=20)
    assert happened["retires"] > 200


# --- the end of a shoe ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("boxes", [1, 3, 7])
def test_a_shoe_that_runs_out_is_dealt_on_from_earlier_rounds_and_a_round_without_cards_pays_nothing(
    boxes: int,
) -> None:
    dice, happened, on = random.Random(boxes), Counter[str](), 0
    side = any_sides(with_(preset("home").rules, {"split.max_hands": 4}), dice, boxes=boxes)
    for at in range(60):
        cards = any_shoe(side.rules, dice, wild=at % 2 > 0)[: 3 * boxes + dice.choice((0, 2, 5, 15, 30))]
        told, differs = difference(side, cards, cut=len(cards), dry=True)
        assert not differs, differs
        happened += told.counts
        on += told.place < len(cards) and not told.counts["void"]
    assert happened["void"] > 5
    assert on > 5


@pytest.mark.parametrize("left", [78, 0, 26])
def test_cards_drawn_at_random_are_played_as_they_came_and_the_cut_card_ends_the_shoe(left: int) -> None:
    side = sides(with_(preset("leaflet").rules, {"cut_card_left": left}), boxes=4, bet=300, seed=left)
    pack = {side.kinds[card.rank]: card for card in canonical(side.rules)}
    cut = 312 - left
    for seed in range(20):
        shoe = drawn(side.setting, seed)
        tally, nets = played(side.setting, shoe, 1)
        told = by_engine(side, [pack[kind] for kind in shoe.cards.tolist()], cut=cut)
        if not shoe.marks[world.OUT]:
            assert (told.place, told.counts["rounds"]) == (shoe.marks[world.PLACE], tally.rounds)
            assert [list(row) for row in told.nets] == (nets * side.bet // side.setting.bet).tolist()
