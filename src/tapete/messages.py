"""The sentence for every error code and every reason why a move is not allowed.

A sentence may hold ``{fact}``; ``{fact:chips}`` writes units as chips, ``{fact:word}`` translates the fact itself,
``{fact:reason}`` explains another code. A fact that an error does not bring stays visible as ``{fact}``. New sentences:
add them here, run ``make messages``, fill in the Spanish. A test finds codes without a sentence and sentences without a
use.
"""

from __future__ import annotations

from typing import Final


def N_(text: str) -> str:  # noqa: N802  (gettext's own name for the marker)
    """The text itself, marked for the catalogues; whoever shows it translates it."""
    return text


MESSAGES: Final[dict[str, str]] = {
    # A table's switches that do not allow a move or a bet (tapete.rulebook, tapete.questions).
    "bet_behind.mode": N_("Nobody may bet on another's box at this table."),
    "bet_max": N_("That is more than the table's maximum."),
    "bet_min": N_("That is less than the table's minimum."),
    "bust_scope": N_("No bet of yours is left on this hand."),
    "double.after_split": N_("A hand that comes from a split may not double here."),
    "double.after_split_aces": N_("A split ace may not double here."),
    "double.cards": N_("Only a hand of two cards may double here."),
    "double.draw": N_("This hand is doubled already."),
    "double.totals": N_("This total may not be doubled here."),
    "forced_play": N_("The hand does not beat the dealer yet, and at this table it has to go on."),
    "funds": N_("You do not have the chips for that."),
    "no_consent": N_("The holder of the box does not agree."),
    "not_a_pair": N_("These two cards are not a pair."),
    "not_positive": N_("A bet has to be more than nothing."),
    "split.aces_cards": N_("Split aces take one card each."),
    "split.aces_resplit": N_("Split aces may not be split again here."),
    "split.exclude": N_("This pair may not be split here."),
    "split.match": N_("Only two cards of the same rank may be split here."),
    "split.max_hands": N_("The box has as many hands as the table allows."),
    "surrender.mode": N_("Nobody may retire at this table."),
    "surrender.window": N_("The moment to retire this hand is over."),
    "unit": N_("The bet is not a multiple of the table's smallest chip."),
    # What does not read.
    "card.unreadable": N_("“{card}” is not a card. Write rank and suit, like Ah, 10s or Kd."),
    "lang.unknown": N_("Tapete does not speak “{lang}”. It speaks {allowed}."),
    "money.unreadable": N_("“{amount}” is not an amount of chips. Write a number like 10 or 12.5."),
}
