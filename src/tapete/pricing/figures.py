"""Figures as a person reads them: with the decimal sign of their language, and kinds of card by name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, SupportsFloat

from tapete import lookup
from tapete.rules import RuleSet
from tapete.words import Words

FIGURES: Final = "J/Q/K"
"""How a kind is shown that is any figure."""


def decimal(text: str) -> float:
    """A number as people write it, with a point or a comma; with three digits behind it, it could be a thousand.

    Raises ValueError for that, and for what is no number.

    >>> decimal("12,5"), decimal("0.001")
    (12.5, 0.001)
    """
    if not text.isascii() or re.fullmatch(r"\s*[+-]?[1-9][0-9]{0,2}[.,][0-9]{3}\s*", text):
        raise ValueError(text)
    return float(text.replace(",", "."))


def number(value: SupportsFloat, words: Words, *, digits: int = 6, signed: bool = True) -> str:
    """A number with so many decimals.

    >>> from tapete.words import words
    >>> number(0.25, words("es"), digits=2), number(-1, words("en"), digits=1, signed=False)
    ('+0,25', '-1.0')
    >>> number(-1e-9, words("en"), digits=2, signed=False)
    '0.00'
    """
    told = f"{float(value):{'+' if signed else ''}z.{digits}f}"
    return told.replace(".", ",") if words.language == "es" else told


def percent(value: SupportsFloat, words: Words, *, digits: int = 6, signed: bool = False) -> str:
    """A share in per cent.

    >>> from tapete.words import words
    >>> percent(0.5, words("en"), digits=1)
    '50.0 %'
    """
    return f"{number(100 * float(value), words, digits=digits, signed=signed)} %"


def name(kind: lookup.Kind) -> str:
    """A kind of card as it is shown: any ten is ``10``, any figure ``J/Q/K``."""
    return {"T": "10", "F": FIGURES}.get(kind.name, kind.name)


def cards(kinds: Sequence[lookup.Kind], places: Iterable[int]) -> str:
    """Cards as they are shown.

    >>> from tapete.rules import RuleSet
    >>> cards(lookup.kinds(RuleSet()), (7, 9))
    '8,10'
    """
    return ",".join(name(kinds[place]) for place in places)


def start(rules: RuleSet, places: Iterable[int]) -> str:
    """What the dealer shows."""
    return cards(lookup.dealer_kinds(rules), places)


def columns(rows: Sequence[Sequence[str]], *, left: int = 1) -> list[str]:
    """Rows of cells as lines: the first ``left`` columns to the left, the others to the right.

    >>> columns([["A", "1"], ["10", "12"]])
    ['A    1', '10  12']
    """
    wide = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if at < left else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, wide, strict=True))
        ).rstrip()
        for row in rows
    ]
