"""Random worlds for the laws: any valid rule set, any stakes, any cards, any decisions."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from tapete import round as rounds
from tapete.cards import PACK, Card
from tapete.croupier import Croupier
from tapete.events import Asks, Decided, Event, Over, Question
from tapete.rulecheck import faults, taking_along
from tapete.rulefile import preset
from tapete.rules import KEYS, RuleSet, Value, get, with_
from tapete.rulevalues import KINDS
from tapete.stakes import Backing, BoxStake, Lock
from tapete.state import Round

FIVE = ("casino", "british", "leaflet", "faceup", "home")
RATIOS: Final[tuple[Value, ...]] = ((1, 1), (3, 2), (6, 5), (2, 1))
LOSSES: Final[tuple[Value, ...]] = ((1, 2), (1, 4), (3, 4))
SETS: Final[dict[str, tuple[Value, ...]]] = {
    "double.totals": ("any", (9, 10, 11), (10, 11), (11,), (8, 17, 20)),
    "split.exclude": ((), (4, 5, 10), (11,), (8,), (10,)),
}
WHOLE: Final[dict[str, tuple[Value, ...]]] = {
    "decks": (1, 2, 4, 6, 8),
    "cut_card_left": (None, 0, 13, 26),
    "seats_max": (1, 3, 7),
    "min_players": (1, 2),
    "boxes_per_player": (1, 3, 7),
    "bet_min": (100, 500),
    "bet_max": (None, 1000, 100_000),
    "unit": (100, 20, 500),
    "split.max_hands": (1, 2, 3, 4, 8),
    "back_colours": (None, (3, 3), (1, 1), (2, 2)),
    "version": ("1", "2"),
}


def values(key: str) -> tuple[Value, ...]:
    """Some values of a switch, all of them where they are few."""
    kind = KINDS[key]
    if kind.shape == "word":
        return tuple(kind.words)
    if kind.shape == "flag":
        return (False, True)
    if kind.shape == "ratio":
        return LOSSES if key == "surrender.loss" else RATIOS
    return SETS.get(key) or WHOLE[key]


def any_rules(rng: random.Random) -> RuleSet:
    """A valid rule set: one of the five with random switches thrown, as long as they may stand together."""
    rules = preset(rng.choice(FIVE)).rules
    for key in rng.sample(KEYS, rng.randint(0, len(KEYS))):
        thrown = with_(rules, {key: rng.choice(values(key))})
        if not faults(thrown):
            rules = thrown
    return rules


def any_lock(rules: RuleSet, rng: random.Random) -> Lock:
    """Stakes that the table allows: some boxes of one person, some with backers, some people short of chips."""
    count = rng.randint(max(1, rules.min_players), rules.seats_max)
    numbers = sorted(rng.sample(range(1, rules.seats_max + 1), count))
    holders = _holders(rules, count, rng)
    boxes = tuple(_any_box(rules, number, holder, rng) for number, holder in zip(numbers, holders, strict=True))
    names = dict.fromkeys(name for box in boxes for name in (box.holder, *(one.bettor for one in box.backers)))
    return Lock(boxes, tuple((name, rng.choice((0, rules.unit, 700, 10**6))) for name in names))


def _holders(rules: RuleSet, count: int, rng: random.Random) -> list[str]:
    people = [f"P{number}" for number in range(1, count + 1)] * rules.boxes_per_player
    return rng.sample(people, count)


def _any_box(rules: RuleSet, number: int, holder: str, rng: random.Random) -> BoxStake:
    most = min(rules.bet_max or 10**6, 40 * rules.unit)
    least = -(-rules.bet_min // rules.unit)
    own = rules.unit * rng.randint(least, max(least, most // rules.unit))
    box = BoxStake(number, holder, own)
    if rules.bet_behind.mode == "off":
        return box
    backers: list[Backing] = []
    for name in rng.sample(["P1", "P2", "B1", "B2", "B3"], rng.randint(0, 3)):
        on_box = own + sum(one.amount for one in backers)
        room = 9 * rules.unit if rules.bet_max is None else rules.bet_max
        if rules.bet_max is not None and rules.bet_behind.cap == "box_total":
            room -= on_box
        if name != holder and room >= rules.unit:
            backers.append(Backing(name, rules.unit * rng.randint(1, min(9, room // rules.unit)), consent=True))
    return BoxStake(number, holder, own, tuple(backers))


def any_answer(question: Question, rng: random.Random) -> Decided:
    """A legal answer to a question."""
    action = rng.choice(question.legal)
    amount = 0
    if action == "insure":
        amount = question.least + question.step * rng.randint(0, (question.most - question.least) // question.step)
    return Decided(question.box, question.hand, action, amount, question.bettor)


def _look_away(_: Round) -> None:
    """Sees nothing."""


@dataclass
class World:
    """One round played at random: every round on the way, every event, every card that left the shoe."""

    rules: RuleSet
    lock: Lock
    rounds: list[Round] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    drawn: list[Card] = field(default_factory=list)

    @property
    def end(self) -> Round:
        return self.rounds[-1]


def shuffled_shoe(rng: random.Random, decks: int = 8) -> list[Card]:
    """Cards enough for any round, some of them rich in aces, small cards or pairs so that rare hands come."""
    cards = list(PACK) * decks
    rich = rng.choice((None, None, (1,), (1, 10), (8,), (2, 3, 4), (10,), (4, 5, 6, 7)))
    if rich:
        cards += [card for card in PACK if card.points in rich] * (4 * decks)
    rng.shuffle(cards)
    return cards


def play(
    rules: RuleSet,
    lock: Lock,
    cards: list[Card],
    rng: random.Random,
    look: Callable[[Round], None] = _look_away,
) -> World:
    """One round with these cards and random decisions; ``look`` sees every round on the way."""
    world = World(rules, lock, events=[lock])
    supply = iter(cards)

    def draw() -> Card:
        world.drawn.append(next(supply))
        return world.drawn[-1]

    croupier = Croupier(draw)
    world.rounds.append(rounds.begin(rules, lock))
    while not isinstance(world.end.waits, Over):
        look(world.end)
        event = croupier.serve(world.end)
        if event is None:
            assert isinstance(world.end.waits, Asks)
            event = any_answer(rng.choice(world.end.waits.questions), rng)
        world.events.append(event)
        world.rounds.append(rounds.apply(world.end, event))
    return world


def any_world(seed: int, look: Callable[[Round], None] = _look_away) -> World:
    """The world of that number."""
    rng = random.Random(seed)
    rules = any_rules(rng)
    return play(rules, any_lock(rules, rng), shuffled_shoe(rng), rng, look)


def switch_values(rules: RuleSet, key: str) -> list[RuleSet]:
    """The table with this switch thrown to each other value that may stand, with what cannot stay beside it."""
    thrown = [with_(rules, {key: value}) for value in values(key) if value != get(rules, key)]
    fit = [one if not faults(one) else taking_along(one, [key]) for one in thrown]
    return [one for one in fit if not faults(one)]
