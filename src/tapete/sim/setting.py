"""A table, a way of playing and a number of boxes made ready for the kernel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from tapete import lookup, rulebook
from tapete.exact import boxes, playing
from tapete.exact.playing import Round
from tapete.exact.tree import Ints
from tapete.rules import RuleSet
from tapete.sim import world
from tapete.sim.control import values_of
from tapete.sim.count import LEVELS, Counting
from tapete.sim.dealer import Bytes, dealer
from tapete.sim.machine import KINDS, Machine, machine
from tapete.sim.money import PLACES, money, open_
from tapete.sim.world import Game, Room, Settings, Table

Levels = tuple[tuple[int, Round], ...]
Play = Round | Sequence[tuple[int, Round]]
"""A way of playing, or several, each from a true count on: the first from the least there is."""


class Setting(NamedTuple):
    """A game for the kernel, its whole shoe, the units that a box's bet holds, and 0 for a shoe without end, else 1."""

    rules: RuleSet
    game: Game
    cards: Bytes
    bet: int
    gone: int


def setting(
    play: Play,
    *,
    boxes_: int = 1,
    bet: int = 0,
    rules: RuleSet | None = None,
    counting: Counting | None = None,
    control: bool = False,
    endless: bool = False,
) -> Setting:
    """The setting of a way of playing that all boxes have; else as :func:`setting_of`."""
    return setting_of((play,) * boxes_, bet=bet, rules=rules, counting=counting, control=control, endless=endless)


def setting_of(
    plays: Sequence[Play],
    *,
    bet: int = 0,
    rules: RuleSet | None = None,
    counting: Counting | None = None,
    control: bool = False,
    endless: bool = False,
) -> Setting:
    """The setting of a way of playing for each box, for a bet in units of the house (else the smallest).

    ``rules``: those of the table where the ways were found for its hands alone (``boxes.hand_by_hand``). ``counting``:
    cards are counted, and ways that hang on the count know it. ``control``: with the tables of the control variate.
    ``endless``: a shoe from which no card is ever missed.
    """
    levels = [_levels(play) for play in plays]
    if counting is None and any(len(one) > 1 for one in levels):
        raise ValueError("plays that hang on the count need one")
    ways = {id(play): (one[0][1].counted, [(least, round_.way) for least, round_ in one])
            for play, one in zip(plays, levels, strict=True)}  # fmt: skip
    made = machine([ways[id(play)] for play in plays])
    rules = rules or levels[0][0][1].counted.rules
    return around(made, rules, bet=bet, counting=counting, control=control, endless=endless)


def around(
    made: Machine,
    rules: RuleSet,
    *,
    bet: int = 0,
    counting: Counting | None = None,
    control: bool = False,
    endless: bool = False,
) -> Setting:
    """The setting of a machine, whose boxes are those in play; the rest is as in :func:`setting_of`."""
    boxes_, coins, dealt = len(made.begin), money(rules, bet or rules.bet_min), dealer(rules)
    table, settings = _table(rules), _settings(rules, boxes_, endless=endless)
    values = values_of(rules, made, dealt, table, settings, coins) if control else None
    game = Game(made, dealt, table, coins, open_(rules), settings, _room(rules, boxes_), counting, values)
    return Setting(rules, game, np.repeat(*_kinds(rules)), coins.bet, int(not endless))


def _levels(play: Play) -> Levels:
    return ((-LEVELS, play),) if isinstance(play, Round) else tuple(play)


def _kinds(rules: RuleSet) -> tuple[Bytes, Ints]:
    kinds = lookup.kinds(rules)
    return np.arange(len(kinds), dtype=np.uint8), np.array([kind.many * rules.decks for kind in kinds])


def _table(rules: RuleSet) -> Table:
    starts, kinds = lookup.starts(rules), lookup.kinds(rules)
    place = {shown: at for at, shown in enumerate(starts)}
    start = np.zeros((len(kinds), KINDS), dtype=np.uint8)
    for up, kind in enumerate(kinds):
        for hole, other in enumerate(kinds):
            shown = lookup.dealer_kind(rules, kind), lookup.dealer_kind(rules, other)
            start[up, hole] = place[tuple(sorted(shown)) if rules.dealer_deal == "both_up" else shown[:1]]
    return Table(start.ravel(), boxes.checked(rules).astype(np.uint8))


def _settings(rules: RuleSet, many: int, *, endless: bool) -> Settings:
    cards = sum(kind.many for kind in lookup.kinds(rules)) * rules.decks
    for_blackjack = rulebook.draws_on(rules, hard=12, ace=False, hands_open=False, blackjacks_open=True)
    return Settings(
        boxes=many,
        hands=rules.split.max_hands,
        up_between=int(rules.deal_order == "interleaved"),
        second={"no_hole": 0, "hole": 1, "both_up": 2}[rules.dealer_deal],
        at_once=int(rules.split.second_cards == "both_at_once"),
        always=int(rules.dealer_draws == "always"),
        for_blackjack=int(for_blackjack),
        first_live=int(rulebook.takes_first_live(rules)),
        early=int(_retires_first(rules)),
        bust_ends=int(rulebook.bust_takes_all(rules)),
        keeps=int(not rulebook.retires_before_check(rules)),
        cut=0 if endless or rules.cut_card_left is None else max(0, cards - rules.cut_card_left),
    )


def _retires_first(rules: RuleSet) -> bool:
    """Whether hands retire before a blackjack of the dealer can end the round."""
    return playing.is_blind(rules) or (rulebook.retires_before_check(rules) and rules.dealer_deal != "both_up")


def _room(rules: RuleSet, many: int) -> Room:
    wide, ends = (many, rules.split.max_hands), (world.ROLES, PLACES)
    sizes: list[Any] = [wide, wide, wide, wide, many, many, many, many, ends, ends, 4]
    return Room(*(np.zeros(size, dtype=np.int64) for size in sizes))
