"""What the kernel works on: a table, its shoe, a place to work and the books, all as tuples of arrays."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from tapete.exact.compiled import part
from tapete.exact.tree import Ints
from tapete.sim.control import Control, Floats
from tapete.sim.count import Counting
from tapete.sim.dealer import Bytes, Dealer
from tapete.sim.machine import Machine
from tapete.sim.money import Money, Open


class Settings(NamedTuple):
    """Whole numbers about the table.

    ``boxes`` in play, ``hands`` a box may hold, ``up_between`` (1: the dealer's first card comes between the players'
    two), ``second`` (his second card: 0 after the turns, 1 face down, 2 face up), ``at_once`` (1: both hands of a split
    get their second cards at once), ``always`` (1: the dealer plays on even where nothing is open), ``for_blackjack``
    (1: also for an open blackjack alone), ``first_live`` (1: of a split box the first hand that is not bust counts as
    its first when a blackjack takes), ``early`` (1: hands retire before a blackjack of the dealer could end the round),
    ``keeps`` (1: who retires keeps his insurance), ``bust_ends`` (1: a bust hand takes its whole box),
    ``cut`` (so many cards come out before a round begins with a shuffle).
    """

    boxes: int
    hands: int
    up_between: int
    second: int
    at_once: int
    always: int
    for_blackjack: int
    first_live: int
    early: int
    keeps: int
    bust_ends: int
    cut: int


class Table(NamedTuple):
    """``start[up * KINDS + hole]``, by the kinds of the shoe, whatever the hole where it is not seen.

    ``checked[start]``: a blackjack of the dealer ends the round before the turns.
    """

    start: Bytes
    checked: Bytes


class Room(NamedTuple):
    """Workplace by box and hand: states, first and second cards (-1: not there yet), ends.

    By box: the number of hands of a split one, whether it is insured, after which hand it was gone as a whole (0 if it
    was not), and the end of a hand never split, or -1. ``ends[role, end]`` counts hands, ``staked`` the same in units
    bet. ``levels``: the running count and the unseen cards when insurances are asked for, and when hands retire.
    """

    state: Ints
    first: Ints
    second: Ints
    end: Ints
    hands: Ints
    insured: Ints
    gone: Ints
    ended: Ints
    ends: Ints
    staked: Ints
    levels: Ints


class Game(NamedTuple):
    """All that does not change from round to round, and the workplace; ``counting`` and ``control`` where asked for."""

    machine: Machine
    dealer: Dealer
    table: Table
    money: Money
    open_: Open
    settings: Settings
    room: Room
    counting: Counting | None
    control: Control | None


class Shoe(NamedTuple):
    """The cards; ``step`` of the generator that draws them, or, not ``shuffled``, they come as they lie.

    ``marks`` are kept from one call to the next. ``gone`` is how many cards a drawn one is fewer: 0 in a shoe without
    end.
    """

    cards: Bytes
    marks: Ints
    step: Any
    shuffled: bool
    gone: int


class Books(NamedTuple):
    """What a run fills in. Money is in the small units of :mod:`tapete.sim.money`, by the bets where it is said.

    ``nets[net + middle]`` counts the rounds by what they bring, by the bets; ``counts`` what is named below;
    ``by_box[box]`` sums what each box brings for a bet of one unit, and its square; ``by_level`` is as in
    :mod:`tapete.sim.count`, and ``level_sums`` the corrected sums of that. ``sums`` are over shoes, by the bets, as
    named below. ``told[round, box]``, where it has rows, gets what each box won for a bet of one unit.
    """

    nets: Ints
    counts: Ints
    by_box: Ints
    by_level: Ints
    sums: Floats
    level_sums: Floats
    told: Ints


PLACE: Final = 0
LIMIT: Final = 1
OUT: Final = 2
BEGAN: Final = 3
NOTHING: Final = 4
INSIDE: Final = 5
COUNT: Final = 6
MARKS: Final = 7
"""Marks of a shoe: the next card's place; the end of those that may be drawn; 1 when it ran out in a round, so that the
next one begins with a shuffle; where the round began; 1 when no card was left anywhere, and the round is void; 1 while
the counter takes part; the running count when the round began."""

ROUNDS: Final = 0
VOID: Final = 1
SPLITS: Final = 2
DOUBLES: Final = 3
BLACKJACKS: Final = 4
BUSTS: Final = 5
INSURED: Final = 6
RETIRES: Final = 7
LAID: Final = 8
NATURALS: Final = 9
SHOES: Final = 10
STAKES: Final = 11
COUNTS: Final = 12
"""What is counted: rounds, of them void ones; hands split, doubled, dealt a blackjack, bust; insurances, retired hands;
money laid on hands, by the bets; blackjacks of the dealer that end a round; shoes; units bet when rounds begin."""
ROUNDS_SQUARED: Final = 0
ROUNDS_NETS: Final = 1
NETS_SQUARED: Final = 2
CORRECTED: Final = 3
ROUNDS_CORRECTED: Final = 4
CORRECTED_SQUARED: Final = 5
SUMS: Final = 6
"""Sums over shoes, of the rounds n of each, the net S of all of them and the same corrected by the control variate, X:
n², n S, S², X, n X, X²."""
INSURANCE: Final = 0
RETIREMENT: Final = 1
ALONE: Final = 0
FIRST: Final = 1
OTHER: Final = 2
ROLES: Final = 3
"""The role of a hand: never split, a split box's first, another of it."""


class At(NamedTuple):
    """Where the round stands.

    The next card's place, the end of those that may be drawn, the generator's state, the running count, the last card
    that was drawn, and what the control variate has added up to.
    """

    place: int
    limit: int
    state: Any
    count: Any
    last: Any
    off: Any


@part
def of(table: Any, place: Any) -> Any:
    """An entry of a table of whole numbers; that its place is never negative spares a test."""
    found: Any = np.int64(table[np.uint64(place)])
    return found
