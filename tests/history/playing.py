"""Rounds played at random, for the tests of histories: any table, any boxes and backers, any answers."""

from __future__ import annotations

import random
from collections.abc import Iterator

from tapete import rulefile
from tapete.cards import PACKS, Card
from tapete.croupier import Croupier
from tapete.events import Asks, Decided, Event, Over, Question, Voided
from tapete.history import History, Record, record_of
from tapete.round import apply, begin
from tapete.rulefile import Preset
from tapete.rules import RuleSet
from tapete.stakes import Backing, BoxStake, Lock

NAMES = ("Ana", "eva", "María José", "b3", "void", 'O\'Neil "Q" \\', "李雷", "dealer", "x-1_y", "by bot")


def shoe(chance: random.Random) -> Iterator[Card]:
    """Cards without end, of two backs."""
    while True:
        yield chance.choice(PACKS[chance.randrange(2)])


def a_lock(rules: RuleSet, chance: random.Random, names: tuple[str, ...] = NAMES) -> Lock:
    """Stakes that the table allows, a backer here and there."""
    count = chance.randint(max(1, rules.min_players), min(rules.seats_max, 4))
    numbers = sorted(chance.sample(range(1, rules.seats_max + 1), count))
    stakes: list[BoxStake] = []
    spare: dict[str, int] = {}
    for number in numbers:
        holder, *others = chance.sample(names, 3)
        backers: tuple[Backing, ...] = ()
        if rules.bet_behind.mode != "off":
            backers = tuple(
                Backing(one, rules.unit, True, chance.random() < 0.5) for one in others[: chance.randint(0, 2)]
            )
        stakes.append(BoxStake(number, holder, rules.bet_min * chance.randint(1, 3), backers))
        spare |= {one: chance.choice([0, 10_000]) for one in (holder, *(each.bettor for each in backers))}
    return Lock(tuple(stakes), tuple(spare.items()))


def an_answer(question: Question, chance: random.Random) -> Decided:
    """Any legal answer, spoken by the player, the clock or a bot."""
    action = chance.choice(question.legal)
    steps = (question.most - question.least) // question.step if question.step else 0
    amount = question.least + question.step * chance.randint(0, steps) if action == "insure" else 0
    by = chance.choice(["player", "player", "clock", "bot"])
    return Decided(question.box, question.hand, action, amount, question.bettor, by)


def a_round(table: Preset, chance: random.Random, *, number: int = 1, names: tuple[str, ...] = NAMES) -> Record:
    """A finished round, one in twenty void."""
    cards = shoe(chance)
    croupier = Croupier(lambda: next(cards))
    round_ = begin(table.rules, a_lock(table.rules, chance, names))
    events: list[Event] = []
    while type(round_.waits) is not Over:
        event = croupier.serve(round_)
        if isinstance(round_.waits, Asks):
            event = an_answer(chance.choice(round_.waits.questions), chance)
        if chance.random() < 0.005:
            event = Voided(chance.choice(["operator", "no card left"]))
        assert event is not None
        round_ = apply(round_, event)
        events.append(event)
    return record_of(round_, events, number=number, table=table)


def a_history(chance: random.Random, rounds: int = 3) -> History:
    """Rounds at any of the shipped tables."""
    tables = [rulefile.preset(chance.choice(rulefile.presets())) for _ in range(rounds)]
    return History.of(a_round(table, chance, number=at) for at, table in enumerate(tables, 1))
