"""Some values that each switch can take."""

from __future__ import annotations

from collections.abc import Mapping

from tapete.rules import Value
from tapete.rulevalues import KINDS

SOME: Mapping[str, tuple[Value, ...]] = {
    "whole": (1, 2, 3, 7),
    "amount": (100, 50, 12_300),
    "flag": (True, False),
    "text": ("1", "2027-a"),
    "ratio": ((3, 2), (6, 5), (1, 1), (1, 2), (1, 4)),
    "set": ((), (9, 10), (11,)),
    "colours": ((3, 3), (6,)),
    "word": (),
}


def some_values(key: str) -> tuple[Value, ...]:
    """A handful for numbers and sets, all of them for words and flags."""
    kind = KINDS[key]
    return (*SOME[kind.shape], *kind.words, *((None,) if kind.optional else ()))
