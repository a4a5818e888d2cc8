"""TOML values as text: what the standard library reads but does not write."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import date, time
from decimal import Decimal
from typing import Final

_BARE: Final = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)
_ESCAPED: Final = re.compile(r"[\x7f-\x9f]")


def key(name: str) -> str:
    """A key, quoted where it must be."""
    return name if _BARE.fullmatch(name) else string(name)


def string(text: str) -> str:
    r"""A string: literal where that spares escapes, else basic.

    >>> string("plain"), string('"Ana B" b3 stays')
    ('"plain"', '\'"Ana B" b3 stays\'')
    """
    if ('"' in text or "\\" in text) and "'" not in text and text.isprintable():
        return f"'{text}'"
    # JSON escapes what a basic string must escape, but for DEL; C1 controls are escaped to be seen.
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(text, ensure_ascii=False))


def value(one: object) -> str:
    """Any value that ``tomllib`` can give (floats as Decimal or float), on one line."""
    if isinstance(one, bool):
        return str(one).lower()
    if isinstance(one, str):
        return string(one)
    if isinstance(one, int):
        return hex(one) if one >= 2**63 else str(one)
    if isinstance(one, Decimal | float):
        return _number(str(one))
    if isinstance(one, date | time):
        return one.isoformat()
    if isinstance(one, Mapping):
        return inline({str(name): inner for name, inner in one.items()})
    if isinstance(one, list | tuple):
        return "[" + ", ".join(value(inner) for inner in one) + "]"
    raise TypeError(f"no TOML value: {type(one).__name__}")


def _number(text: str) -> str:
    lower = text.lower().replace("infinity", "inf")
    return lower if re.search(r"[.en]", lower) else f"{lower}.0"


def inline(pairs: Mapping[str, object]) -> str:
    """A table on one line."""
    return "{ " + ", ".join(f"{key(name)} = {value(one)}" for name, one in pairs.items()) + " }" if pairs else "{}"
