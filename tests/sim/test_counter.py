"""The kernel's counter against one who sits at the round engine's table and looks at its cards."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from math import floor
from typing import NamedTuple

import numpy as np
import pytest

from tapete import round as rounds
from tapete.cards import Card
from tapete.croupier import Croupier
from tapete.events import Decided, Over, Question
from tapete.exact import counting, playing
from tapete.exact.playing import PLAY, SPLIT, Round
from tapete.rulefile import preset
from tapete.rules import RuleSet, with_
from tapete.sim import count, kernel, world
from tapete.sim.count import (
    FIELDS,
    FLAT,
    FLAT_SQUARES,
    FLOOR,
    LEVELS,
    PLAYED,
    SEEN,
    STAKED,
    TRUNCATE,
    WON,
    WON_SQUARES,
    Counting,
)
from tapete.sim.results import Tally, nothing
from tapete.sim.setting import Levels, Setting, setting
from tapete.stakes import BoxStake, Lock
from tapete.state import Round as Dealt
from tests.sim.sides import SPARE, Answers, NoCard, any_shoe, kind_of, lying, wild_way

TAGS = {**dict.fromkeys("23456", 1), **dict.fromkeys("789", 0), **dict.fromkeys(("10", "J", "Q", "K", "A"), -1)}
"""Hi-Lo."""


class Counted(NamedTuple):
    """A table for a counter: what he does from which true count on, at the engine and in the kernel."""

    rules: RuleSet
    boxes: int
    answers: list[tuple[int, Answers]]
    setting: Setting
    bets: dict[int, int]


def ways(rules: RuleSet, seed: int, levels: tuple[int, ...]) -> Levels:
    """Ways of playing made at random, one from each true count on."""
    counted = counting.count(rules, counting.full(rules))
    found = []
    for at, least in enumerate(levels):
        way = wild_way(counted, seed + at)
        unsplit = way._replace(choice=np.where(way.choice == SPLIT, PLAY, way.choice))
        found.append((least, playing.under(counted, unsplit)._replace(way=way)))
    return tuple(found)


def tables(rules: RuleSet, rounding: int, bets: dict[int, int], enter: int, leave: int) -> Counting:
    """Hi-Lo by the cards unseen."""
    kinds = kind_of(rules)
    tags = np.zeros(max(kinds.values()) + 1, dtype=np.int64)
    for rank, kind in kinds.items():
        tags[kind] = TAGS[rank]
    cards = 52 * rules.decks
    by_level = np.array([bets[at] for at in range(-LEVELS, LEVELS + 1)])
    parts = np.maximum(np.arange(cards + 2), 1)
    return Counting(tags, 0, 52, parts, rounding, by_level, enter, leave)


def table(rules: RuleSet, boxes: int, seed: int, *, rounding: int = FLOOR, enter: int = -LEVELS, leave: int = -LEVELS,
          levels: tuple[int, ...] = (-LEVELS, -1, 2)) -> Counted:  # fmt: skip
    """Both sides of a table."""
    rules = with_(rules, {"min_players": 1, "seats_max": 7})
    bets = {at: max(0, min(at + 2, 5)) for at in range(-LEVELS, LEVELS + 1)}
    plays = ways(rules, seed, levels)
    counter = tables(rules, rounding, bets, enter, leave)
    made = setting(plays, boxes_=boxes, bet=rules.bet_min, counting=counter)
    answers = [(least, Answers(one.counted, one.way)) for least, one in plays]
    return Counted(rules, boxes, answers, made, bets)


class AtTable:
    """Who sits at the engine's table with a shoe, and counts what he sees of it.

    A shoe that runs out within a round is dealt on from the cards of its earlier rounds, and he counts anew: those that
    lie on the table are all that he has seen.
    """

    def __init__(self, at: Counted, cards: list[Card], whole: Callable[[Fraction], int]) -> None:
        self.at, self.whole = at, whole
        self.left, self.seen, self.table = cards[:], list[Card](), list[Card]()
        self.out = False

    def draw(self) -> Card:
        if not self.left:
            if self.out or not self.seen:
                raise NoCard
            self.left, self.seen, self.out = self.seen, [], True
        self.table.append(self.left.pop(0))
        return self.table[-1]

    def level(self, hidden: Card | None = None) -> int:
        running = sum(TAGS[card.rank] for card in self.seen + self.table) - (TAGS[hidden.rank] if hidden else 0)
        unseen = len(self.left) + (hidden is not None)
        return max(-LEVELS, min(LEVELS, self.whole(Fraction(running * 52, max(1, unseen)))))

    def answer(self, round_: Dealt, question: Question, croupier: Croupier) -> Decided:
        down = len(round_.dealer) == 2 and round_.dealer[1] is None
        level = self.level(croupier.hole if down else None)
        return [one for least, one in self.at.answers if least <= level][-1](round_, question)

    def round(self, amount: int) -> list[int]:
        """What each box wins in a round."""
        self.seen, self.table = self.seen + self.table, []
        names = [f"P{number}" for number in range(1, self.at.boxes + 1)]
        stakes = tuple(BoxStake(number, name, amount) for number, name in enumerate(names, 1))
        croupier = Croupier(self.draw)
        now = rounds.begin(self.at.rules, Lock(stakes, tuple((name, SPARE) for name in names)))
        while type(now.waits) is not Over:
            event = croupier.serve(now)
            now = rounds.apply(now, event or self.answer(now, now.waits.questions[0], croupier))  # type: ignore[union-attr]
        net = Counter(dict.fromkeys(range(1, self.at.boxes + 1), 0))
        for one in now.statements:
            net[one.box] += one.net
        return [net[number] for number in sorted(net)]


def by_engine(
    at: Counted, cards: list[Card], cut: int, whole: Callable[[Fraction], int]
) -> tuple[list[int], np.ndarray]:
    """The nets of all rounds, and the table by level, in units of the house."""
    found, nets = np.zeros((2 * LEVELS + 1, FIELDS), dtype=np.int64), []
    counter, base = AtTable(at, cards, whole), at.rules.bet_min
    enter, leave = at.setting.game.counting.enter, at.setting.game.counting.leave  # type: ignore[union-attr]
    inside = False
    while len(cards) - len(counter.left) < cut and not counter.out:
        level = counter.level()
        inside = level >= enter or (inside and level >= leave)
        bet = at.bets[level] if inside else 0
        try:
            brought = counter.round(base)
        except NoCard:
            break
        nets.append(sum(brought) * bet)
        row = found[level + LEVELS]
        row[[SEEN, PLAYED, STAKED]] += (1, bet > 0, bet * at.boxes)
        row[[FLAT, WON]] += (sum(brought), sum(brought) * bet)
        row[[FLAT_SQUARES, WON_SQUARES]] += (sum(brought) ** 2, (sum(brought) * bet) ** 2)
    return nets, found


def by_kernel(at: Counted, cards: list[Card], many: int) -> Tally:
    """So many rounds from the shoe."""
    kinds = kind_of(at.rules)
    shoe = lying(np.array([kinds[card.rank] for card in cards], dtype=np.uint8))
    shoe.marks[world.OUT] = 1  # so that the first round begins a shoe
    tally = nothing(at.setting.game, at.setting.bet)
    game = at.setting.game._replace(settings=at.setting.game.settings._replace(cut=len(cards)))
    kernel.play(game, shoe, np.array([1], dtype=np.uint64), many, tally.books)
    return tally


def agree(
    at: Counted, dice: random.Random, whole: Callable[[Fraction], int], shoes: int, *, dry: bool = False
) -> np.ndarray:
    """Plays shoes on both sides, if ``dry`` short ones until they run out; gives the table by level."""
    total = np.zeros((2 * LEVELS + 1, FIELDS), dtype=np.int64)
    for _ in range(shoes):
        cards = any_shoe(at.rules, dice, wild=False)
        cards = cards[: dice.randint(10, 18) * at.boxes] if dry else cards
        nets, found = by_engine(at, cards, len(cards) * 3 // 4 if not dry else len(cards), whole)
        tally = by_kernel(at, cards, len(nets))
        scale = at.setting.bet
        told = Counter(dict(tally.results))
        assert told == Counter(Fraction(net, at.rules.bet_min) for net in nets)
        money, squares, plain = [FLAT, WON], [FLAT_SQUARES, WON_SQUARES], [SEEN, PLAYED, STAKED]
        assert (tally.by_level[:, plain] == found[:, plain]).all()
        assert (tally.by_level[:, money] * at.rules.bet_min == found[:, money] * scale).all()
        assert (tally.by_level[:, squares] * at.rules.bet_min**2 == found[:, squares] * scale**2).all()
        assert tally.counts[world.STAKES] == found[:, STAKED].sum()
        total += found
    return total


def truncated(true_count: Fraction) -> int:
    return int(true_count)


@pytest.mark.parametrize(
    ("name", "boxes"), [("casino", 1), ("british", 3), ("leaflet", 2), ("faceup", 1), ("home", 4), ("american-6d", 1)]
)
def test_the_counter_sees_bets_and_plays_as_one_at_the_table(name: str, boxes: int) -> None:
    found = agree(table(preset(name).rules, boxes, 1), random.Random(name), floor, 5)
    assert (found[:, SEEN] > 0).sum() > 5
    assert found[:, PLAYED].sum() < found[:, SEEN].sum()


def test_a_true_count_may_be_cut_off_towards_nought() -> None:
    at = table(preset("casino").rules, 1, 5, rounding=TRUNCATE)
    agree(at, random.Random(3), truncated, 3)
    with pytest.raises(AssertionError):
        agree(at, random.Random(3), floor, 3)


def test_who_comes_in_at_a_count_and_leaves_at_another_bets_between_them() -> None:
    at = table(preset("home").rules, 2, 5, enter=1, leave=0)
    found = agree(at, random.Random(4), floor, 8)
    assert found[LEVELS, SEEN] > found[LEVELS, PLAYED] > 0
    assert found[:LEVELS, PLAYED].sum() == 0


@pytest.mark.parametrize(
    "change",
    [
        {"surrender.mode": "early", "deal_order": "players_first", "dealer_deal": "hole", "peek": "ace_or_ten"},
        {"surrender.mode": "late", "dealer_deal": "hole", "peek": "ace_or_ten", "insurance.who": "any"},
        {"surrender.mode": "early", "insurance.who": "any", "split.max_hands": 4, "split.exclude": ()},
    ],
)
def test_a_counter_retires_and_insures_by_the_count_of_that_moment(change: dict[str, object]) -> None:
    for boxes, seed in ((1, 3), (3, 4)):
        at = table(with_(preset("casino").rules, change), boxes, seed, levels=(-LEVELS, -2, -1, 0, 1, 2, 3))
        agree(at, random.Random(seed), floor, 6)


@pytest.mark.parametrize(("name", "seed"), [("casino", 3), ("american-6d", 5)])
def test_who_counts_begins_anew_when_the_shoe_runs_out_within_a_round(name: str, seed: int) -> None:
    """His plays in the rest of the round go by what lies on the table, and by the cards that were shuffled again."""
    at = table(preset(name).rules, 2, seed, levels=(-LEVELS, -8, -3, 0, 3, 8))
    agree(at, random.Random(seed), floor, 60, dry=True)


def test_nothing_was_bet_on_a_round_for_which_there_were_no_cards() -> None:
    at = table(preset("casino").rules, 2, 5)
    found = by_kernel(at, any_shoe(at.rules, random.Random(1), wild=False)[:5], 1)
    assert at.bets[0] == 2
    assert found.counts[[world.ROUNDS, world.VOID, world.STAKES]].tolist() == [1, 1, 0]
    assert found.by_level[:, [SEEN, PLAYED, STAKED]].sum(0).tolist() == [1, 0, 0]


def test_who_came_in_at_a_high_count_watches_again_after_the_shuffle() -> None:
    at = table(preset("casino").rules, 1, 5, enter=1, leave=-LEVELS)
    for seed in range(5):
        cards = any_shoe(at.rules, random.Random(seed), wild=False)
        shoe = lying(np.array([kind_of(at.rules)[card.rank] for card in cards], dtype=np.uint8))
        tallies = [nothing(at.setting.game, at.setting.bet) for _ in range(2)]
        for tally, rounds_ in zip(tallies, (20, 1), strict=True):
            shoe.marks[world.OUT] = 1  # the next round begins a shoe
            kernel.play(at.setting.game, shoe, np.array([1], dtype=np.uint64), rounds_, tally.books)
        if tallies[0].by_level[:, PLAYED].any():
            break
    assert tallies[0].by_level[:LEVELS, PLAYED].any()  # once in, he stayed, whatever came
    assert tallies[1].by_level[LEVELS, [SEEN, PLAYED]].tolist() == [1, 0]


def test_the_card_that_lies_face_down_is_still_unseen_when_insurance_is_asked_for() -> None:
    """Of 26 cards 5, 6 and 4 are seen: 3 of 23 unseen ones make a true count of 6; of 22, without it, 7."""
    at = table(preset("american-6d").rules, 1, 5)
    cards = np.array([4, 5, 3, *[6] * 23], dtype=np.uint8)  # then sevens
    kernel.play(at.setting.game, lying(cards), np.array([1], dtype=np.uint64), 1,
                nothing(at.setting.game, at.setting.bet).books)  # fmt: skip
    counted = at.setting.game.counting
    assert counted
    assert at.setting.game.room.levels.tolist() == [3, 23, 3, 23]
    assert [count.level(counted, 3, unseen) for unseen in (23, 22)] == [6, 7]


def test_who_retires_before_the_dealer_has_a_card_counts_his_own_two() -> None:
    """Of 26 cards 5 and 6 are seen then, and a 4 when insurance is asked for."""
    at = table(with_(preset("american-6d").rules, {"deal_order": "players_first", "surrender.mode": "early"}), 1, 5)
    cards = np.array([4, 5, 3, *[6] * 23], dtype=np.uint8)  # then sevens
    kernel.play(at.setting.game, lying(cards), np.array([1], dtype=np.uint64), 1,
                nothing(at.setting.game, at.setting.bet).books)  # fmt: skip
    assert at.setting.game.room.levels.tolist() == [3, 23, 2, 24]


def test_the_bet_is_made_before_the_cards_of_its_round_are_counted() -> None:
    """By the count after the round, money and levels would be others."""
    at = table(preset("casino").rules, 1, 9)
    cards = any_shoe(at.rules, random.Random(1), wild=False)
    first = by_kernel(at, cards, 1)
    assert first.by_level[LEVELS, SEEN] == 1
    assert first.by_level[:, SEEN].sum() == 1


def test_one_way_and_its_copies_at_every_count_are_the_same(casino: Round) -> None:
    one, many = (setting(play, boxes_=2, counting=tables(casino.counted.rules, FLOOR, FLAT_BETS, -LEVELS, -LEVELS))
                 for play in (casino, [(-LEVELS, casino), (0, casino), (3, casino)]))  # fmt: skip
    assert len(one.game.machine.end) == len(many.game.machine.end)
    assert len(many.game.machine.plans) == 0


FLAT_BETS = dict.fromkeys(range(-LEVELS, LEVELS + 1), 1)


@pytest.fixture(scope="module")
def casino() -> Round:
    """The casino's best play by every card."""
    return ways(with_(preset("casino").rules, {}), 1, (-LEVELS,))[0][1]
