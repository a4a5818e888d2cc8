"""Writes docs/readings.md: the edge of each of the five tables under the chosen reading and under every rejected one.

.venv/bin/python scripts/readings.py            some ten minutes
"""

from __future__ import annotations

import sys
from pathlib import Path

from tapete.errors import BadInput
from tapete.exact import analysis, boxes
from tapete.rulecheck import taking_along
from tapete.rulefile import preset
from tapete.rules import RuleSet, with_
from tapete.sim import running
from tapete.sim.setting import setting

PAGE = Path(__file__).parents[1] / "docs" / "readings.md"
Change = dict[str, object]
ROUNDS = 400_000_000
"""Rounds that are played of what cannot be counted."""
ALL_BUT_FIRST: Change = {"no_hole_bj_takes": "original_only"}
READINGS: dict[str, list[tuple[str, str, Change]]] = {
    "casino": [
        ("Q0-2", "ace and 8 also count 9 for doubling", {"double.soft_as_low": True}),
        ("Q0-3", "pairs by rank", {"split.match": "rank"}),
        ("Q0-4", "no double after a split", {"double.after_split": False}),
        ("Q0-5", "split again, up to four hands", {"split.max_hands": 4}),
        ("Q0-6", "21 may be hit", {"hit_21": "allowed"}),
        ("Q0-7", "an ace on a split ten is blackjack", {"split_21_is_bj": "tens"}),
        ("Q0-8", "a bust loses all bets of the player", {"bust_scope": "all_player_bets"}),
        ("Q0-9", "a dealer blackjack takes the first bet only", ALL_BUT_FIRST),
    ],
    "british": [
        ("Q1-1", "anybody may insure", {"insurance.who": "any"}),
        ("Q1-6", "split aces get one card", {"split.aces_cards": "one"}),
        ("Q1-8", "a bust loses all bets of the player", {"bust_scope": "all_player_bets"}),
        ("Q1-12", "ace and 8 also count 9 for doubling", {"double.soft_as_low": True}),
        ("Q1-13", "a dealer blackjack takes the first bet only", ALL_BUT_FIRST),
        ("Q1-15", "the dealer draws while any bet lies", {"dealer_draws": "if_any_bet_live"}),
    ],
    "leaflet": [
        ("Q2-1", "blackjack is an ace with a figure", {"bj_definition": "ace_with_figure"}),
        ("Q2-4", "blackjack is paid even against blackjack", {"bj_tie": "player"}),
        ("Q2-6", "a split 21 of two cards is blackjack", {"split_21_is_bj": "all"}),
        ("Q2-9", "the dealer draws when all are bust", {"dealer_draws": "always"}),
        ("Q2-10", "a dealer blackjack takes the first bet only", ALL_BUT_FIRST),
        ("Q2-12", "no double after a split", {"double.after_split": False}),
        ("Q2-12", "split again, up to four hands", {"split.max_hands": 4}),
    ],
    "faceup": [
        ("Q3-1", "blackjack against blackjack loses", {"bj_tie": "dealer"}),
        ("Q3-1", "blackjack against blackjack is void", {"bj_tie": "push"}),
        ("Q3-3", "against a standing dealer all is automatic", {"forced_play": "auto_all"}),
        ("Q3-3", "no forcing", {"forced_play": "off"}),
        ("Q3-4", "ties are void", {"tie": "push"}),
        ("Q3-5", "doubling with any number of cards", {"double.cards": "any"}),
        ("Q3-6", "pairs are split once", {"split.max_hands": 2}),
        ("Q3-7", "21 of two cards after a split is blackjack", {"split_21_is_bj": "all"}),
    ],
    "home": [
        ("Q4-1", "retiring after the check", {"surrender.mode": "late"}),
        ("Q4-2", "a new hand gets one chip (the bet is five)", {"split.stake": "one_chip", "bet_min": 500}),
        ("Q4-3", "no limit of cards after a double", {"double.draw": "no_limit"}),
        ("Q4-4", "split aces get one card", {"split.aces_cards": "one"}),
        ("Q4-5", "blackjack does not beat 21", {"bj_beats_21": False}),
        ("Q4-7", "21 of two cards after a split is blackjack", {"split_21_is_bj": "all"}),
        ("Q4-8", "21 stands by itself", {"hit_21": "forbidden"}),
        ("Q4-9", "the House hits soft 17", {"dealer_soft17": "hit"}),
        ("Q4-11", "the hole card is not looked at", {"peek": "none"}),
        ("Q4-12", "a bust loses all bets of the player", {"bust_scope": "all_player_bets"}),
        ("Q4-15", "retiring before the House has a card", {"deal_order": "players_first"}),
        ("Q4-16", "no double after a split", {"double.after_split": False}),
        ("Q4-17", "blackjack is paid even against blackjack", {"bj_tie": "player"}),
    ],
}
HEAD = """# What each reading costs

The five pages leave some points open. Each was decided, and every reading that was not chosen is still a switch.
Here is the edge of the house, in per cent of the first bet, one box, a fresh shoe, at each
[level of attention](exact.md#conventions): as the tables are played, and with one reading changed at a time. The last
column is what the change is worth to the player (`cdz`, percentage points). Positive edges are the house's.

Where a bust loses all bets of the player, hands are still played as is best for each alone; so the levels need
not stand in order there. With more than two hands in a box that cannot be counted and is
[simulated](simulating.md), with the standard error behind it.

Made by `.venv/bin/python scripts/readings.py`; nothing here is rounded but the last digit shown.
"""


def changed(rules: RuleSet, change: Change) -> RuleSet:
    """The table with a reading changed, and what the change takes along."""
    return taking_along(with_(rules, change), change)


def edges(rules: RuleSet) -> list[float]:
    """The edges at all levels in per cent. Raises BadInput where they cannot be counted."""
    return [100 * float(analysis.analyse(rules, level=level).house_edge) for level in analysis.LEVELS]


def row(name: str, text: str, found: list[float], base: list[float]) -> str:
    """One line of a table."""
    numbers = " | ".join(f"{edge:.6f}" for edge in found)
    worth = "" if found is base else f"{base[2] - found[2]:+.6f}"
    return f"| {name} | {text} | {numbers} | {worth} |"


def simulated(name: str, text: str, rules: RuleSet, base: list[float]) -> str:
    """The same line from playing: all levels but the last, whose player remembers what split hands drew."""
    cells, worth = [], 0.0
    for level in analysis.LEVELS[:-1]:
        way = analysis.analyse(boxes.hand_by_hand(rules), level=level).round
        ready = setting(way, rules=with_(rules, {"shuffle": "every_round"}))
        *_, last = running.run(ready, seed=1, workers=2, enough=lambda tally: tally.rounds >= ROUNDS)
        edge, error = -100 * last.tally.mean, 100 * last.tally.error
        cells.append(f"{edge:.3f} ± {error:.3f}")
        worth = base[2] - edge if level == "cdz" else worth
    return f"| {name} | {text} | {' | '.join(cells)} | | {worth:+.3f} |"


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for name, readings in READINGS.items():
        rules = preset(name).rules
        base = edges(rules)
        parts.append(f"## {preset(name).title.in_('en')} (`{name}`)\n")
        parts.append("| | Reading | " + " | ".join(f"`{level}`" for level in analysis.LEVELS) + " | worth |")
        parts.append("|---|---|" + "---:|" * 6)
        parts.append(row("", "**as played**", base, base))
        for number, text, change in readings:
            print(name, number, file=sys.stderr)
            table = changed(rules, change)
            try:
                parts.append(row(number, text, edges(table), base))
            except BadInput:
                parts.append(simulated(number, text, table, base))
        parts.append("")
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
