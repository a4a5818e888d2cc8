"""Plays shoes at the round engine and in the simulator, side by side, and tells every difference.

.venv/bin/python scripts/shoes.py                      a million rounds: a quarter of an hour
.venv/bin/python scripts/shoes.py --rounds 20000       a short one

A sixth of the rounds goes to each of the five tables as they stand, the last one to tables whose switches are thrown
by lot. One to seven boxes play, each for a bettor of his own; ways of playing are made at random, some shoes have pairs
or blackjacks in front. Compared are the money of every box in every round, the cards that have left the shoe, and how
often hands were split, doubled, retired and so on. Every shoe is played until the cut card is out, and one in ten until
it has run out. Ends with code 1 if anything differs.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tapete.rulefile import preset
from tapete.rules import RuleSet, digest
from tests.laws.worlds import FIVE, any_rules
from tests.sim.sides import Sides, any_shoe, any_sides, difference

BY_LOT = "by lot"
ROUNDS_OF_A_WAY = 3000
EVENTS = ("splits", "doubles", "blackjacks", "busts", "insured", "retires", "naturals", "void")


def cut(side: Sides) -> int:
    """How many cards come out before the table shuffles; where it always does, they are dealt on for once."""
    cards = 52 * side.rules.decks
    return max(1, cards - (cards // 4 if side.rules.cut_card_left is None else side.rules.cut_card_left))


def shoes(side: Sides, dice: random.Random, rounds: int) -> Iterator[tuple[Counter[str], str]]:
    """What happened in each shoe, and what differed, until so many rounds are played."""
    while rounds > 0:
        dry = dice.random() < 0.1
        cards = any_shoe(side.rules, dice, wild=dice.random() < 0.3)
        told, differs = difference(side, cards, cut=len(cards) if dry else cut(side), dry=dry)
        rounds -= max(1, len(told.nets))
        told.counts.update({"shoes": 1, "boxes": len(told.nets) * side.boxes})
        yield told.counts, differs


def table(name: str, rounds: int, dice: random.Random) -> tuple[Counter[str], int]:
    """What happened at a table, and in how many shoes something differed."""
    found, differences, began, least = Counter[str](), 0, time.monotonic(), min(ROUNDS_OF_A_WAY, rounds // 7 or 1)
    if name == BY_LOT:
        least //= 10
    for boxes in _forever(range(1, 8)):
        if found["rounds"] >= rounds:
            break
        rules: RuleSet = any_rules(dice) if name == BY_LOT else preset(name).rules
        found["tables"] += name == BY_LOT
        for counts, differs in shoes(any_sides(rules, dice, boxes=boxes), dice, least):
            found += counts
            differences += bool(differs)
            if differs:
                print(f"\n{name}, {boxes} boxes, rules {digest(rules)[:12]}: {differs}")
        rate = found["rounds"] / (time.monotonic() - began)
        print(f"\r{name:8} {found['rounds']:9,} rounds, {rate:,.0f} a second", end="", file=sys.stderr, flush=True)
    return found, differences


def _forever(numbers: range) -> Iterator[int]:
    while True:
        yield from numbers


def main() -> int:
    """Plays, and tells the number of differences."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--rounds", type=int, default=1_000_000)
    asked.add_argument("--seed", type=int, default=1)
    options = asked.parse_args()
    tables = (*FIVE, BY_LOT)
    total, differences = Counter[str](), 0
    for at, name in enumerate(tables):
        wanted = (options.rounds * (at + 1)) // len(tables) - (options.rounds * at) // len(tables)
        found, differ = table(name, wanted, random.Random(f"{options.seed} {name}"))
        events = ", ".join(f"{what} {found[what]:,}" for what in EVENTS)
        print(f"\r{name:8} rounds {found['rounds']:,}, boxes played {found['boxes']:,}, shoes {found['shoes']:,}, "
              f"{events}: {differ} differences", flush=True)  # fmt: skip
        total += found
        differences += differ
    print(f"{total['rounds']:,} rounds, {total['boxes']:,} boxes played, {total['shoes']:,} shoes, "
          f"{total['tables']} tables by lot: {differences} differences")  # fmt: skip
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
