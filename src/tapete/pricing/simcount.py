"""What ``tapete simulate`` is asked for about counting: the system, the true count, the bets, the plays."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from tapete import lookup
from tapete.errors import BadInput
from tapete.pricing import chartfile, playfile
from tapete.pricing.playfile import Origin
from tapete.rules import RuleSet
from tapete.sim import plays, systems
from tapete.sim.count import (
    FLAT_RAMP,
    FLOOR,
    LEVELS,
    NEAREST,
    PACK,
    TRUNCATE,
    Conversion,
    Counting,
    IndexPlay,
    Ramp,
    counting,
    scale,
    usual,
)
from tapete.sim.systems import System

OPTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "count": "--count",
        "true_count": "--true-count",
        "spread": "--spread",
        "wong_in": "--wong-in",
        "wong_out": "--wong-out",
        "plays": "--plays",
    }
)
"""The options about counting, by their keys in JSON."""
GRAINS: Final[Mapping[str, int]] = MappingProxyType(
    {"exact": 1, "quarter": PACK // 4, "half": PACK // 2, "full": PACK, "running": 0}
)
ROUNDINGS: Final[Mapping[str, int]] = MappingProxyType({"floor": FLOOR, "truncate": TRUNCATE, "nearest": NEAREST})
MOST_UNITS: Final = 1000
NONE: Final = "none"
CLIMBS: Final = (1, 5)
"""The true counts between which a spread in short form climbs."""
_STEP: Final = re.compile(r"\s*([+-]?\d{1,3})\s*:\s*(\d{1,6})\s*", re.ASCII)
_SHORT: Final = re.compile(r"\s*(\d{1,6})\s*-\s*(\d{1,6})\s*", re.ASCII)
_DASHES: Final = {ord(dash): "-" for dash in "\u2010\u2011\u2013\u2014\u2212"}
"""Hyphens, dashes and the minus sign: as they are copied from a page."""
_DASHED: Final = ("spread", "wong_in", "wong_out")
_LEVEL: Final = re.compile(r"\s*([+-]?\d{1,3})\s*", re.ASCII)


class Counter(NamedTuple):
    """A counter: what he counts and how, what he bets and plays; ``dropped`` are published plays that do not fit here.

    ``told`` are the options as they were given, by the keys of :data:`OPTIONS`; ``origin`` is what a file says of its
    plays.
    """

    system: System
    conversion: Conversion
    ramp: Ramp
    plays: tuple[IndexPlay, ...]
    dropped: tuple[IndexPlay, ...]
    told: Mapping[str, str]
    origin: Origin = Origin()

    @property
    def scale(self) -> int:
        """The parts of a point in which the kernel counts."""
        return scale(self.system)

    @property
    def colourless(self) -> Counter:
        """The same counter, who does not look at colours."""
        return self._replace(system=self.system.colourless)

    def counting(self, rules: RuleSet) -> Counting:
        """The tables for the kernel."""
        return counting(rules, self.system, self.conversion, self.ramp)


def counter(rules: RuleSet, options: Mapping[str, str]) -> Counter | None:
    """The counter that the options ask for; None for nobody. Raises BadInput for each option that does not read."""
    told = {key: options.get(key, "") for key in OPTIONS}
    told |= {key: told[key].translate(_DASHES) for key in _DASHED}
    if not told["count"]:
        for key, option in OPTIONS.items():
            if told[key]:
                raise BadInput("sim.needs_count", option=option)
        return None
    system = _system(told["count"])
    conversion_ = conversion(told["true_count"], system)
    bets = _bets(told["spread"], system, conversion_)
    ramp = _ramp(rules, bets, told)
    found, origin = _plays(rules, told["plays"], system, conversion_)
    made = Counter(system, conversion_, ramp, found.plays, found.dropped, MappingProxyType(told), origin)
    made.counting(rules)
    return made


def _system(name: str) -> System:
    """A published system by its name, or that of a file."""
    known = systems.published()
    if name in known:
        return known[name]
    path = Path(name)
    if "/" not in name and "\\" not in name and path.suffix.lower() != ".toml":
        raise BadInput("sim.no_system", system=name[:40], allowed=tuple(known))
    return systems.read(chartfile.content(path), name[-80:], path.stem)


def conversion(text: str, system: System) -> Conversion:
    """How the true count is found, like ``half,truncate``; the usual way for no text. Raises ``sim.true_count``.

    >>> hi_lo = systems.published()["hi-lo"]
    >>> conversion("half,truncate", hi_lo), conversion("nearest", hi_lo)
    (Conversion(grain=26, rounding=1), Conversion(grain=1, rounding=2))
    """
    found = usual(system)
    if not text:
        return found
    parts = [part.strip() for part in text.split(",")]
    if parts[0] in GRAINS:
        found = found._replace(grain=GRAINS[parts.pop(0)])
    if parts and parts[0] in ROUNDINGS:
        found = found._replace(rounding=ROUNDINGS[parts.pop(0)])
    if parts:
        raise BadInput("sim.true_count", text=text[:40], grains=tuple(GRAINS), roundings=tuple(ROUNDINGS))
    return found


def way(conversion_: Conversion) -> str:
    """The words for a conversion.

    >>> way(Conversion(26, TRUNCATE))
    'half,truncate'
    """
    names = (GRAINS, conversion_.grain), (ROUNDINGS, conversion_.rounding)
    return ",".join(next(name for name, one in known.items() if one == sought) for known, sought in names)


# --- bets -----------------------------------------------------------------------------------------------------------


def _bets(text: str, system: System, conversion_: Conversion) -> dict[int, int]:
    """The units from each level on."""
    if not text:
        return {}
    if found := _SHORT.fullmatch(text):
        if not conversion_.grain:
            raise BadInput("sim.spread_running", text=text[:40], system=system.name)
        return _climbing(text, int(found[1]), int(found[2]))
    return _steps(text)


def _climbing(text: str, low: int, high: int) -> dict[int, int]:
    """A straight climb, whole units, halves up."""
    if not low <= high or not 0 < high <= MOST_UNITS:
        raise BadInput("sim.spread_short", text=text[:40], most=MOST_UNITS)
    first, last = CLIMBS
    wide = last - first
    return {first + at: (2 * (low * wide + (high - low) * at) + wide) // (2 * wide) for at in range(wide + 1)}


def _steps(text: str) -> dict[int, int]:
    found: dict[int, int] = {}
    for number, piece in enumerate(text.split(","), 1):
        step = _STEP.fullmatch(piece)
        if not step or int(step[2]) > MOST_UNITS or abs(int(step[1])) > LEVELS:
            raise BadInput("sim.spread", text=text[:60], number=number, step=piece.strip()[:20], most=MOST_UNITS,
                           level=LEVELS)  # fmt: skip
        level = int(step[1])
        if found and level <= max(found):
            raise BadInput("sim.spread_order", text=text[:60], level=level, before=max(found))
        found[level] = int(step[2])
    return found


def _ramp(rules: RuleSet, bets: Mapping[int, int], told: Mapping[str, str]) -> Ramp:
    """The units at every level, and where he sits in and leaves."""
    enters, leaves = (_level(told[key], OPTIONS[key]) for key in ("wong_in", "wong_out"))
    enter = next((one for one in (enters, leaves) if one is not None), -LEVELS)
    leave = enter if leaves is None else leaves
    if leave > enter:
        raise BadInput("sim.wong_crossed", enter=enter, leave=leave)
    units = list(FLAT_RAMP.bets)
    for at in range(len(units)):
        below = [level for level in bets if level <= at - LEVELS]
        units[at] = bets[below[-1] if below else min(bets)] if bets else 1
    if not any(units[leave + LEVELS :]):
        raise BadInput("sim.spread_nothing", text=told["spread"][:60])
    if len({lookup.new_stake(rules, one * rules.bet_min) for one in (1, *units) if one}) > 1:
        raise BadInput("sim.spread_stake")
    if rules.bet_max is not None and max(units) * rules.bet_min > rules.bet_max:
        raise BadInput("sim.spread_limit", units=max(units), most=rules.bet_max // rules.bet_min)
    return Ramp(tuple(units), enter, leave)


def _level(text: str, option: str) -> int | None:
    if not text:
        return None
    found = _LEVEL.fullmatch(text)
    if not found or abs(int(found[1])) > LEVELS:
        raise BadInput("sim.whole", option=option, text=text[:40], least=-LEVELS, most=LEVELS)
    return int(found[1])


# --- plays ----------------------------------------------------------------------------------------------------------


def _plays(rules: RuleSet, text: str, system: System, conversion_: Conversion) -> tuple[plays.Published, Origin]:
    if text in ("", NONE):
        return plays.Published((), ()), Origin()
    if text != plays.HI_LO:
        if Path(text).suffix.lower() not in playfile.ENDINGS and "/" not in text and "\\" not in text:
            raise BadInput("sim.no_plays", plays=text[:40], allowed=(plays.HI_LO, NONE))
        read = playfile.read(rules, text, system.id)
        return plays.Published(read.plays, ()), read.origin
    if system.id != plays.HI_LO or not conversion_.grain:
        raise BadInput("sim.plays_hi_lo", system=system.name)
    found = plays.published(rules)
    if not found.plays:
        raise BadInput("sim.plays_none")
    return found, Origin()
