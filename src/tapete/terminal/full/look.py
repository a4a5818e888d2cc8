"""Look: the two cloths, the inks of the cards, the colours and marks of the chips.

Nothing is told by colour alone: a suit has its sign, a chip its number and its edge, the active hand its arrow. Every
pair of colours that carries text has a contrast of at least 4.5 to 1, and a test says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from textual.theme import Theme

FELT: Final = "tapete-felt"
SLATE: Final = "tapete-slate"

_PAPER: Final = "#f4ecd9"
_INKS: Final = {
    "paper": _PAPER,
    "ink": "#1d1d1b",
    "suit-red": "#a8121d",
    "suit-blue": "#144a94",
    "suit-green": "#175c2b",
    "back-blue": "#2b4c8c",
    "back-red": "#8f2a2f",
}


def _theme(name: str, *, felt: str, deep: str, hollow: str, lifted: str, odd: str, faded: str) -> Theme:
    variables = {**_INKS, "felt": felt, "deep": deep, "hollow": hollow, "lifted": lifted}
    variables |= {"odd": odd, "faded": faded}
    variables |= {"brass": "#e6bd68", "good": "#b6e3a8", "bad": "#ffb9a8"}
    return Theme(
        name=name,
        primary=lifted,
        secondary=deep,
        accent="#e6bd68",
        foreground=_PAPER,
        background=felt,
        surface=deep,
        panel=lifted,
        success="#b6e3a8",
        warning="#e6bd68",
        error="#ffb9a8",
        dark=True,
        text_alpha=1.0,
        variables=variables,
    )


THEMES: Final = (
    _theme(FELT, felt="#0f3d2e", deep="#0a2c21", hollow="#0d3629", lifted="#18543f", odd="#134634", faded="#a3bcae"),
    _theme(SLATE, felt="#232b33", deep="#181e24", hollow="#1f262d", lifted="#36424e", odd="#2d3741", faded="#a4b1bb"),
)
"""A deep green, and a slate for those who want less colour."""

TEXT_PAIRS: Final = (
    ("paper", "felt"), ("paper", "deep"), ("paper", "lifted"), ("brass", "felt"), ("brass", "deep"),
    ("ink", "brass"), ("ink", "paper"), ("suit-red", "paper"), ("suit-blue", "paper"), ("suit-green", "paper"),
    ("paper", "back-blue"), ("paper", "back-red"), ("faded", "felt"), ("faded", "deep"),
    ("faded", "hollow"), ("brass", "lifted"), ("brass", "odd"), ("paper", "odd"), ("good", "felt"),
    ("good", "deep"), ("bad", "felt"), ("bad", "deep"),
)  # fmt: skip
"""Which colour is written on which ground."""

SIGNS: Final[Mapping[str, str]] = MappingProxyType({"s": "♠", "h": "♥", "d": "♦", "c": "♣"})
TWO_COLOURS: Final[Mapping[str, str]] = MappingProxyType({"s": "$ink", "h": "$suit-red", "d": "$suit-red", "c": "$ink"})
FOUR_COLOURS: Final[Mapping[str, str]] = MappingProxyType(
    {"s": "$ink", "h": "$suit-red", "d": "$suit-blue", "c": "$suit-green"}
)
BACKS: Final = (("░", "$back-blue"), ("▞", "$back-red"))
"""Pattern and colour of each back."""

CHIP_EDGES: Final = ("·", ":", "=", "+", "*", "#", "%", "@")
CHIP_COLOURS: Final = (
    ("#1d1d1b", "#f4ecd9"), ("#ffffff", "#a8121d"), ("#ffffff", "#144a94"), ("#ffffff", "#175c2b"),
    ("#ffffff", "#000000"), ("#ffffff", "#5b2a86"), ("#1d1d1b", "#e3a03c"), ("#1d1d1b", "#9ad0d8"),
)  # fmt: skip
"""Ink and ground of the chips, in the order of their values; their edges have the same order."""
