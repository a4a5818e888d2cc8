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
    "card.unreadable": N_("“{card}” is not a card. Write rank and suit, like Ah, 10s or Kd."),
    "lang.unknown": N_("Tapete does not speak “{lang}”. It speaks {allowed}."),
    "money.unreadable": N_("“{amount}” is not an amount of chips. Write a number like 10 or 12.5."),
}
