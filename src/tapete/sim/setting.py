"""A table, a way of playing and a number of boxes made ready for the kernel."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tapete import lookup, rulebook
from tapete.exact import boxes, playing
from tapete.exact.playing import Round
from tapete.exact.tree import Ints
from tapete.rules import RuleSet
from tapete.sim import kernel
from tapete.sim.dealer import Bytes, dealer
from tapete.sim.kernel import Game, Room, Settings, Table
from tapete.sim.machine import machine
from tapete.sim.money import PLACES, money, open_


class Setting(NamedTuple):
    """A game for the kernel, its whole shoe, and the units that a box's bet holds."""

    rules: RuleSet
    game: Game
    cards: Bytes
    bet: int


def setting(round_: Round, *, boxes_: int = 1, bet: int = 0, rules: RuleSet | None = None) -> Setting:
    """The setting of a way of playing, every box playing alike, for a bet in units of the house (else the smallest).

    ``rules``: those of the table where the way was found for its hands alone (``boxes.hand_by_hand``).
    """
    rules = rules or round_.counted.rules
    coins = money(rules, bet or rules.bet_min)
    made = machine(round_.counted, round_.way)
    game = Game(made, dealer(rules), _table(rules), coins, open_(rules), _settings(rules, boxes_), _room(rules, boxes_))
    return Setting(rules, game, np.repeat(*_kinds(rules)), coins.bet)


def _kinds(rules: RuleSet) -> tuple[Bytes, Ints]:
    kinds = lookup.kinds(rules)
    return np.arange(len(kinds), dtype=np.uint8), np.array([kind.many * rules.decks for kind in kinds])


def _table(rules: RuleSet) -> Table:
    starts, dealers = lookup.starts(rules), len(lookup.dealer_kinds(rules))
    start = np.zeros((dealers, dealers), dtype=np.int64)
    for at, shown in enumerate(starts):
        start[shown[0], shown[-1]] = start[shown[-1], shown[0]] = at
    if rules.dealer_deal != "both_up":
        start[:] = np.arange(dealers)[:, None]
    whole_box = np.full(len(starts), rulebook.bust_takes_all(rules), dtype=np.int64)
    to_dealer = np.array([lookup.dealer_kind(rules, kind) for kind in lookup.kinds(rules)], dtype=np.int64)
    return Table(to_dealer, start, boxes.checked(rules).astype(np.int64), whole_box)


def _settings(rules: RuleSet, many: int) -> Settings:
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
        cut=0 if rules.cut_card_left is None else max(0, cards - rules.cut_card_left),
    )


def _retires_first(rules: RuleSet) -> bool:
    """Whether hands retire before a blackjack of the dealer can end the round."""
    return playing.is_blind(rules) or (rulebook.retires_before_check(rules) and rules.dealer_deal != "both_up")


def _room(rules: RuleSet, many: int) -> Room:
    wide = [np.zeros((many, rules.split.max_hands), dtype=np.int64) for _ in range(4)]
    narrow = [np.zeros(many, dtype=np.int64) for _ in range(4)]
    return Room(*wide, *narrow, *[np.zeros((kernel.ROLES, PLACES), dtype=np.int64)])
