"""Tables drawn by lot: every switch that moves money takes any of its values, and a shoe is small."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

from tapete import lookup
from tapete.errors import BadInput
from tapete.exact import boxes
from tapete.rulecheck import faults
from tapete.rules import RuleSet, with_

SWITCHES: Final[dict[str, tuple[object, ...]]] = {
    "dealer_deal": ("no_hole", "hole", "hole", "both_up"),
    "peek": ("none", "ace", "ace_or_ten"),
    "no_hole_bj_takes": ("all", "original_only", "busted_and_one", "one_bet"),
    "dealer_soft17": ("stand", "hit"),
    "dealer_draws": ("if_any_bet_live", "until_decided", "always"),
    "deal_order": ("interleaved", "interleaved", "players_first"),
    "bj_definition": ("ace_with_any_ten", "ace_with_any_ten", "ace_with_figure"),
    "bj_pays": ((3, 2), (6, 5), (1, 1), (2, 1)),
    "bj_beats_21": (True, True, False),
    "bj_tie": ("push", "player", "dealer"),
    "bj_pay_time": ("end", "end", "interim", "on_deal"),
    "split_21_is_bj": ("none", "tens", "all"),
    "tie": ("push", "push", "dealer"),
    "bust_scope": ("hand", "hand", "hand", "all_player_bets"),
    "hit_21": ("forbidden", "allowed"),
    "forced_play": ("off", "stand_withheld", "auto_all"),
    "insurance.who": ("none", "any", "bj_holder"),
    "insurance.amount": ("up_to_half", "exactly_half"),
    "insurance.pays": ((2, 1), (1, 1), (3, 1)),
    "surrender.mode": ("none", "early", "late"),
    "surrender.window": ("on_second_card", "first_action"),
    "surrender.loss": ((1, 2), (1, 4), (3, 4)),
    "double.totals": ("any", "any", (9, 10, 11), (8, 9, 10, 11, 18, 19), ()),
    "double.soft_as_low": (True, False),
    "double.cards": ("two", "any"),
    "double.after_split": (True, True, False),
    "double.after_split_aces": (True, False),
    "double.draw": ("one_card", "no_limit"),
    "split.match": ("value", "value", "rank"),
    "split.exclude": ((), (), (4, 5, 10), (11,), (8,)),
    "split.max_hands": (1, 2, 3, 4),
    "split.stake": ("equal", "equal", "one_chip"),
    "split.second_cards": ("both_at_once", "when_played"),
    "split.aces_cards": ("one", "many"),
    "split.aces_resplit": (True, False),
}
STAKES: Final = {"unit": 200, "bet_min": 1000, "bet_max": 100_000}
"""Five units, so that one chip is another stake, and every payout above comes out even."""


def table(dice: random.Random, wanted: Callable[[RuleSet], bool] = lambda _: True) -> RuleSet:
    """A table that can be played and counted, as ``wanted``."""
    while True:
        rules = with_(RuleSet(), {**STAKES, **{key: dice.choice(values) for key, values in SWITCHES.items()}})
        if rules.dealer_deal != "hole":
            rules = with_(rules, {"peek": "none"})
        if rules.dealer_deal != "both_up":
            rules = with_(rules, {"forced_play": "off"})
        if not faults(rules) and _can_be_counted(rules) and wanted(rules):
            return rules


def _can_be_counted(rules: RuleSet) -> bool:
    try:
        boxes.check(rules)
    except BadInput:
        return False
    return True


def small_shoe(dice: random.Random, rules: RuleSet) -> tuple[int, ...]:
    """Eleven to fourteen cards by value, tens among them and few other values, so that pairs are common."""
    tens = dice.choice((4, 8)) if len(lookup.kinds(rules)) > 10 else dice.randint(3, 7)
    shoe, values = [0] * 9, dice.sample(range(9), 3)
    values[0] = dice.choice((0, values[0]))
    for _ in range(max(dice.randint(11, 14) - tens, 3)):
        shoe[dice.choice(values)] += 1
    return (*shoe, tens)
