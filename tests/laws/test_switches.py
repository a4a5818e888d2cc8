"""Every switch makes a difference: thrown alone, it changes what somebody at the table could see.

A switch that is read and never used is a fault that many programs have. Here each value of each switch is tried against
every other value on tables where it may stand, and the two tables are compared in everything they do: the stakes they
accept, the same cards and decisions dealt at both, the shoe, and the words of the moves.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from tapete import round as rounds
from tapete.errors import Refused
from tapete.events import Event
from tapete.rulefile import preset
from tapete.rules import KEYS, RuleSet, digest, get
from tapete.shoe import canonical, load
from tapete.stakes import Backing, BoxStake, Lock
from tapete.terminal.keys import spoken
from tests.laws.worlds import FIVE, any_lock, any_rules, play, shuffled_shoe, switch_values

WORLDS = 400
"""How many random rounds a pair of tables may need to show its difference."""


def _accepted(rules: RuleSet) -> tuple[object, ...]:
    """What the table says to a row of stakes at its edges."""
    tried = [
        *(
            Lock((BoxStake(1, "A", amount),), (("A", 0),))
            for amount in (20, 100, 150, 500, 1000, 1020, 100_000, 100_100)
        ),
        Lock((BoxStake(7, "A", 1000),), (("A", 0),)),
        Lock((BoxStake(1, "A", 500), BoxStake(2, "A", 500)), (("A", 0),)),
        Lock(tuple(BoxStake(box, "A", 500) for box in range(1, 5)), (("A", 0),)),
        *(
            Lock((BoxStake(1, "A", 1000, (Backing("B", 500, consent=agreed),)),), (("A", 0), ("B", 0)))
            for agreed in (False, True)
        ),
        Lock((BoxStake(1, "A", 100_000, (Backing("B", 500, consent=True),)),), (("A", 0), ("B", 0))),
    ]
    return tuple(_verdict(rules, lock) for lock in tried)


def _verdict(rules: RuleSet, lock: Lock) -> str:
    try:
        rounds.begin(rules, lock)
    except Refused as refused:
        return refused.code
    return "accepted"


def _shoe(rules: RuleSet) -> tuple[object, ...]:
    cards = canonical(rules)
    shoe = load(cards, rules=rules)
    due = []
    for _ in range(len(cards)):
        _, shoe = shoe.deal()
        due.append(shoe.needs_shuffle)
    return (*cards, *due)


def _log(rules: RuleSet, lock: Lock, seed: int) -> tuple[list[Event], object, object]:
    rng = random.Random(seed)
    world = play(rules, lock, shuffled_shoe(rng), rng)
    waits = [round_.waits for round_ in world.rounds]
    return world.events, world.end.statements, waits


def _rounds_differ(one: RuleSet, other: RuleSet, seed: int) -> bool:
    lock = any_lock(one, random.Random(seed))
    if _verdict(other, lock) != "accepted":
        return True
    return _log(one, lock, seed) != _log(other, lock, seed)


def _differ(one: RuleSet, other: RuleSet) -> bool:
    if _accepted(one) != _accepted(other) or _shoe(one) != _shoe(other):
        return True
    if spoken(one, "es") != spoken(other, "es"):
        return True
    return any(_rounds_differ(one, other, seed) for seed in range(WORLDS))


def _pairs(key: str) -> Iterator[tuple[RuleSet, RuleSet]]:
    """Tables that differ in this switch alone: the five first, then random ones."""
    for name in FIVE:
        rules = preset(name).rules
        yield from ((rules, other) for other in switch_values(rules, key))
    rng = random.Random(key)
    for _ in range(200):
        rules = any_rules(rng)
        yield from ((rules, other) for other in switch_values(rules, key))


@pytest.mark.parametrize("key", [key for key in KEYS if key != "version"])
def test_every_value_of_a_switch_makes_a_difference(key: str) -> None:
    missing: set[frozenset[object]] | None = None
    shown: set[frozenset[object]] = set()
    for tried, (one, other) in enumerate(_pairs(key)):
        pair = frozenset((get(one, key), get(other, key)))
        missing = (missing or set()) | {pair}
        if pair not in shown and _differ(one, other):
            shown.add(pair)
        if tried > 60 and missing == shown:
            break
    assert missing, f"no table may have another value of {key}"
    assert missing == shown, f"nothing changes between these values of {key}: {missing - shown}"


def test_the_version_changes_the_digest_that_a_round_is_kept_with() -> None:
    rules = preset("casino").rules
    assert {digest(one) for one in switch_values(rules, "version")}.isdisjoint({digest(rules)})
