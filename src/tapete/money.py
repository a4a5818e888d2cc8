"""Money: whole units, 100 to the chip; how amounts are typed and written.

No float ever holds an amount. ``12.5`` chips are 1250 units.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from tapete.errors import BadInput

CHIP: Final = 100
LARGEST: Final = 10**15
_TYPED: Final = re.compile(r"[0-9]{1,13}(?:[.,][0-9]{1,2})?", re.ASCII)


def units(text: str) -> int:
    """The units of an amount of chips as a person types it: ``10``, ``12.5``, ``12,50``.

    >>> units("12,5")
    1250

    Raises BadInput ``money.unreadable`` for anything else: signs, exponents, other scripts' digits, three decimals.
    """
    tidy = text.strip()
    if not _TYPED.fullmatch(tidy):
        raise BadInput("money.unreadable", amount=text[:40])
    return int(Decimal(tidy.replace(",", ".")) * CHIP)


def chips(amount: int, *, decimal: str = ".", signed: bool = False) -> str:
    """An amount of units written in chips, without needless zeros.

    >>> chips(1250), chips(-500), chips(1000, signed=True), chips(1250, decimal=",")
    ('12.5', '-5', '+10', '12,5')
    """
    whole, rest = divmod(abs(amount), CHIP)
    cents = f"{decimal}{rest:02d}".rstrip("0") if rest else ""
    sign = "-" if amount < 0 else "+" if signed and amount > 0 else ""
    return f"{sign}{whole}{cents}"
