"""The values of a switch: what kind each one takes, how it is read from a file or a ``--set``, and how it is written.

The kinds follow from the types in ``tapete.rules``; only the ranges are stated here. A value that does not fit makes a
:class:`Fault`, never an exception, because a file is told all its faults at once.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Final, Literal, get_args, get_type_hints

import msgspec

from tapete.money import CHIP, LARGEST, chips
from tapete.rules import GROUPS, KEYS, Ratio, RuleSet, Value

Shape = Literal["whole", "amount", "flag", "word", "ratio", "set", "colours", "text"]

MAX_DECKS: Final = 100
"""A hundred packs are as good as endless; more would only eat memory."""
MAX_HANDS: Final = 8
"""Houses stop at four; eight stands for "as often as you like" and can still be shown on one box."""
MAX_BOXES: Final = 7
MAX_RATIO: Final = 100
MAX_TEXT: Final = 40
NONE: Final = "none"
SHOWN: Final = 60


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """One thing wrong with a rule set or its file: a stable ``code``, where it is, and the facts of its sentence.

    ``key`` is the switch to change (or the key of the file), ``others`` are switches that it collides with. ``file``
    and ``line`` are filled in by whoever read a file; a ``--set`` has no line.
    """

    code: str
    key: str = ""
    value: str = ""
    others: tuple[str, ...] = ()
    told: tuple[tuple[str, object], ...] = ()
    file: str = ""
    line: int | None = None

    @property
    def facts(self) -> dict[str, object]:
        """What fills the sentence of the code."""
        return {"key": self.key, "value": self.value, **dict(self.told)}


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    """What a switch takes: its shape, its range, its words, and whether ``none`` is one of them."""

    shape: Shape
    low: int = 0
    high: int = 0
    words: tuple[str, ...] = ()
    optional: bool = False

    @property
    def code(self) -> str:
        """The code of the sentence that tells what is allowed."""
        return _NEEDS[self.shape][self.optional or (self.shape == "set" and bool(self.words))]


_RANGES: Final[Mapping[str, tuple[int, int]]] = MappingProxyType(
    {
        "decks": (1, MAX_DECKS),
        "cut_card_left": (0, 52 * MAX_DECKS - 1),
        "back_colours": (1, MAX_DECKS),
        "seats_max": (1, MAX_BOXES),
        "min_players": (1, MAX_BOXES),
        "boxes_per_player": (1, MAX_BOXES),
        "split.max_hands": (1, MAX_HANDS),
        "double.totals": (4, 21),
        "split.exclude": (2, 11),
    }
)
_NEEDS: Final[Mapping[Shape, tuple[str, str]]] = MappingProxyType(
    {
        "whole": ("rules.needs_whole", "rules.needs_whole_or_none"),
        "amount": ("rules.needs_amount", "rules.needs_amount_or_none"),
        "flag": ("rules.needs_flag", ""),
        "word": ("rules.needs_word", ""),
        "ratio": ("rules.needs_ratio", ""),
        "set": ("rules.needs_set", "rules.needs_set_or_any"),
        "colours": ("", "rules.needs_colours"),
        "text": ("rules.needs_text", ""),
    }
)
"""The code that tells what is allowed: plainly, and where a word like ``none`` or ``any`` is allowed as well."""
_AMOUNTS: Final = frozenset({"bet_min", "bet_max", "unit"})
_SHAPES: Final[Mapping[object, tuple[Shape, bool]]] = MappingProxyType(
    {
        bool: ("flag", False),
        str: ("text", False),
        int: ("whole", False),
        int | None: ("whole", True),
        Ratio: ("ratio", False),
        tuple[int, ...]: ("set", False),
        tuple[int, ...] | None: ("colours", True),
    }
)


def _kind(key: str, hint: object) -> Kind:
    low, high = _RANGES.get(key, (1, LARGEST if key in _AMOUNTS else MAX_RATIO))
    words = tuple(one for part in (hint, *get_args(hint)) for one in get_args(part) if isinstance(one, str))
    if words:
        shape: Shape = "set" if key in _RANGES else "word"
        return Kind(shape=shape, low=low, high=high, words=tuple(dict.fromkeys(words)))
    shape, optional = _SHAPES[hint]
    return Kind(shape="amount" if key in _AMOUNTS else shape, low=low, high=high, optional=optional)


def _kinds() -> dict[str, Kind]:
    hints = {"": get_type_hints(RuleSet)} | {group: get_type_hints(struct) for group, struct in GROUPS.items()}
    split = {key: key.rpartition(".") for key in KEYS}
    return {key: _kind(key, hints[group][name]) for key, (group, _, name) in split.items()}


KINDS: Final[Mapping[str, Kind]] = MappingProxyType(_kinds())
"""The kind of every switch, by dotted key."""


def misfit(key: str, value: object) -> Fault:
    """The fault of a value that the switch cannot take; its facts say what is allowed."""
    kind = KINDS[key]
    low, high = (chips(kind.low), chips(kind.high)) if kind.shape == "amount" else (kind.low, kind.high)
    told = (("low", low), ("high", high), ("allowed", kind.words))
    return Fault(code=kind.code, key=key, value=shown(value), told=told)


def shown(value: object) -> str:
    """Any value that came from outside, short enough for a sentence."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return "[" + ", ".join(shown(one) for one in value[:12]) + (", …]" if len(value) > 12 else "]")
    if isinstance(value, dict):
        return "{…}"
    if isinstance(value, int) and value.bit_length() > 200:
        return "…"
    text = str(value)
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


# --- from a TOML value ---------------------------------------------------------------------------------------------


class _Misfit(Exception):
    """Raised and caught inside this module only."""


_RATIO: Final = re.compile(r"([0-9]{1,3}):([0-9]{1,3})", re.ASCII)


def _whole(kind: Kind, raw: object) -> int:
    if isinstance(raw, bool) or not isinstance(raw, int) or not kind.low <= raw <= kind.high:
        raise _Misfit
    return raw


def _amount(kind: Kind, raw: object) -> int:
    if isinstance(raw, bool) or not isinstance(raw, int | Decimal):
        raise _Misfit
    if isinstance(raw, Decimal) and (not raw.is_finite() or abs(raw.adjusted()) > 20):
        raise _Misfit
    in_units = raw * CHIP
    if in_units != int(in_units):
        raise _Misfit
    return _whole(kind, int(in_units))


def _flag(_: Kind, raw: object) -> bool:
    if not isinstance(raw, bool):
        raise _Misfit
    return raw


def _word(kind: Kind, raw: object) -> str:
    if not isinstance(raw, str) or raw not in kind.words:
        raise _Misfit
    return raw


def _ratio(kind: Kind, raw: object) -> Ratio:
    found = _RATIO.fullmatch(raw) if isinstance(raw, str) else None
    paid, staked = (int(found[1]), int(found[2])) if found else (0, 0)
    if not (kind.low <= paid <= kind.high and kind.low <= staked <= kind.high):
        raise _Misfit
    shared = math.gcd(paid, staked)
    return paid // shared, staked // shared


def _numbers(kind: Kind, raw: object) -> tuple[int, ...]:
    if not isinstance(raw, list | tuple):
        raise _Misfit
    return tuple(_whole(kind, 11 if one == "A" and kind.high == 11 else one) for one in raw)


def _set(kind: Kind, raw: object) -> str | tuple[int, ...]:
    if isinstance(raw, str) and raw in kind.words:
        return raw
    found = () if raw == NONE else _numbers(kind, raw)
    if len(set(found)) != len(found):
        raise _Misfit
    return tuple(sorted(found))


def _colours(kind: Kind, raw: object) -> tuple[int, ...]:
    found = _numbers(kind, raw)
    if not 1 <= len(found) <= 4:
        raise _Misfit
    return found


def _text(_: Kind, raw: object) -> str:
    if not isinstance(raw, str) or not 0 < len(raw.strip()) <= MAX_TEXT or not raw.isprintable():
        raise _Misfit
    return raw.strip()


_READ: Final[Mapping[Shape, Callable[[Kind, object], Value]]] = MappingProxyType(
    {
        "whole": _whole,
        "amount": _amount,
        "flag": _flag,
        "word": _word,
        "ratio": _ratio,
        "set": _set,
        "colours": _colours,
        "text": _text,
    }
)


def from_toml(key: str, raw: object) -> Value | Fault:
    """The value of a switch from what TOML gave (amounts in chips, decimals as Decimal), or a Fault."""
    kind = KINDS[key]
    if kind.optional and raw == NONE:
        return None
    try:
        return _READ[kind.shape](kind, raw)
    except _Misfit:
        return misfit(key, raw)


# --- from the text of a --set --------------------------------------------------------------------------------------

_INTEGER: Final = re.compile(r"-?[0-9]{1,18}", re.ASCII)
_DECIMAL: Final = re.compile(r"-?[0-9]{1,18}\.[0-9]{1,18}", re.ASCII)


def _plain(text: str) -> object:
    if _INTEGER.fullmatch(text):
        return int(text)
    return Decimal(text) if _DECIMAL.fullmatch(text) else text


def from_text(key: str, text: str) -> Value | Fault:
    """The value of a switch from the text behind ``--set key=``.

    >>> from_text("double.totals", "9,10,11"), from_text("bj_pays", "6:5"), from_text("bet_max", "none")
    ((9, 10, 11), (6, 5), None)
    """
    kind, tidy = KINDS[key], text.strip()
    if kind.shape == "text":
        return from_toml(key, tidy)
    if kind.shape == "flag":
        return from_toml(key, {"true": True, "false": False}.get(tidy, tidy))
    if kind.shape in ("set", "colours") and tidy != NONE and tidy not in kind.words:
        fitting = from_toml(key, [_plain(one.strip()) for one in tidy.split(",")])
        return misfit(key, tidy) if isinstance(fitting, Fault) else fitting
    return from_toml(key, _plain(tidy))


# --- back to text --------------------------------------------------------------------------------------------------


def to_text(key: str, value: Value) -> str:
    """The value as ``--set`` reads it.

    >>> to_text("bj_pays", (3, 2)), to_text("bet_min", 50), to_text("split.exclude", ())
    ('3:2', '0.5', 'none')
    """
    if value is None or value == ():
        return NONE
    if isinstance(value, tuple):
        return (":" if KINDS[key].shape == "ratio" else ",").join(str(one) for one in value)
    if isinstance(value, bool):
        return str(value).lower()
    return chips(value) if isinstance(value, int) and KINDS[key].shape == "amount" else str(value)


def fits(key: str, value: object) -> bool:
    """Whether a Python value could be the switch's: right type, known word, within its range, in lowest terms."""
    kind = KINDS[key]
    if value is None:
        return kind.optional
    if kind.shape == "amount":
        return not isinstance(value, bool) and isinstance(value, int) and kind.low <= value <= kind.high
    if isinstance(value, tuple) and kind.shape == "ratio":
        return len(value) == 2 and from_toml(key, ":".join(map(str, value))) == value
    if isinstance(value, list):
        return False
    return type(found := from_toml(key, value)) is type(value) and found == value
