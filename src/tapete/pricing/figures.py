"""Figures as a person reads them: with the decimal sign of their language, and kinds of card by name."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, SupportsFloat

from tapete import lookup
from tapete.rules import RuleSet
from tapete.words import Words

FIGURES: Final = "J/Q/K"
"""How a kind is shown that is any figure."""
_GAP: Final = "  "
_NARROW: Final = " "
"""Between columns that have too little room."""
_SET_IN: Final = "    "


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


def columns(rows: Sequence[Sequence[str]], *, left: int = 1, room: int | None = None) -> list[str]:
    """Rows of cells as lines: the first ``left`` columns to the left, the others to the right.

    The first row of a table with too little ``room`` is a head: it is broken between words, then the cells to the left
    are, then the columns stand closer; if that does not help, each row takes several lines, with those after its first
    set in.

    >>> columns([["A", "1"], ["10", "12"]])
    ['A    1', '10  12']
    >>> columns([["hand", "its worth"], ["an ace", "0.125"]], room=14)
    ['          its', 'hand    worth', 'an ace  0.125']
    >>> columns([["hand", "its worth"], ["an ace", "0.125"]], room=11)
    ['        its', 'hand  worth', 'an    0.125', 'ace']
    >>> columns([["hand", "its worth"], ["an ace", "0.125"]], room=10)
    ['       its', 'hand worth', 'an   0.125', 'ace']
    >>> columns([["hand", "its worth"], ["an ace", "0.125"]], room=9)
    ['hand', '      its', '    worth', 'an ace', '    0.125']
    """
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    groups, gap = [[*range(len(wide))]], _GAP
    if room is not None and _length(wide) > room:
        wide, groups, gap = _folded(rows, left, room)
    return [
        line
        for at, row in enumerate(rows)
        for place, group in enumerate(groups)
        for line in _lines(
            [(row[one], wide[one], one < left) for one in group], _SET_IN * bool(place), gap, head=not at
        )
    ]


def _folded(rows: Sequence[Sequence[str]], left: int, room: int) -> tuple[list[int], list[list[int]], str]:
    """How wide columns are that have too little room, which stand in the same line, and what is between them."""
    whole = [[*column] for column in zip(*rows, strict=True)]
    wide = [max(map(len, (*column[0].split(), *column[1:]))) for column in whole]
    least = [max(len(word) for cell in column for word in cell.split()) for column in whole[:left]]
    for gap in (_GAP, _NARROW):
        broken = _broken(wide, least, room - len(gap) * (len(wide) - 1))
        if _length(broken, gap) <= room:
            return broken, [[*range(len(wide))]], gap
    groups: list[list[int]] = [[]]
    for at, width in enumerate(wide):
        set_in = len(_SET_IN) if groups[1:] else 0
        if groups[-1] and set_in + _length([width, *(wide[one] for one in groups[-1])]) > room:
            groups.append([])
        groups[-1].append(at)
    return wide, groups, _GAP


def _broken(wide: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """How wide columns are whose first ones are made narrower until all have room, the widest first, if they can."""
    found = [*wide]
    while sum(found) > room and any(one > most for one, most in zip(found, least, strict=False)):
        found[max(range(len(least)), key=lambda at: (found[at] > least[at], found[at]))] -= 1
    return found


def _length(wide: Sequence[int], gap: str = _GAP) -> int:
    return sum(wide) + len(gap) * (len(wide) - 1)


def _lines(cells: Sequence[tuple[str, int, bool]], before: str, gap: str, *, head: bool) -> Iterator[str]:
    """A row of cells, each with its width, and whether it stands to the left; heads stand at the foot of their row."""
    parts = [textwrap.wrap(cell, width, break_on_hyphens=False) if len(cell) > width else [cell]
             for cell, width, _ in cells]  # fmt: skip
    high = max(map(len, parts))
    whole = [[*[""] * (high - len(part)), *part] if head else [*part, *[""] * (high - len(part))] for part in parts]
    for line in zip(*whole, strict=True):
        told = (
            one.ljust(width) if to_left else one.rjust(width)
            for one, (_, width, to_left) in zip(line, cells, strict=True)
        )
        yield (before + gap.join(told)).rstrip()
