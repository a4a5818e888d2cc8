"""What ``tapete simulate`` is asked for: read from its options, and made ready for the kernel."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from msgspec.structs import replace

from tapete.errors import BadInput
from tapete.exact.boxes import hand_by_hand
from tapete.pricing import priced, strategies
from tapete.pricing.priced import Table
from tapete.sim.results import Tally
from tapete.sim.running import Progress
from tapete.sim.setting import Setting, setting
from tapete.sim.streams import SEEDS

ROUNDS: Final = 10_000_000
"""Rounds that are played where nothing is said."""
MOST_ROUNDS: Final = 10**13
MOST_BOXES: Final = 7
MOST_WORKERS: Final = 256


class Asked(NamedTuple):
    """What is to be played, and when it is enough: after so many ``rounds``, or at an ``error`` of the mean."""

    table: Table
    strategy: str
    boxes: int
    seed: int
    workers: int
    rounds: int
    error: float


class Run(NamedTuple):
    """A run so far, and whether it came to its end."""

    asked: Asked
    progress: Progress
    over: bool


# --- what is asked for ----------------------------------------------------------------------------------------------


def rounds(text: str) -> int:
    """How many rounds: a whole number, also as 1e8. Raises BadInput ``sim.rounds``."""
    try:
        wanted = float(text) if text.isascii() else math.nan
    except ValueError:
        wanted = math.nan
    if not 1 <= wanted <= MOST_ROUNDS or wanted != int(wanted):
        raise BadInput("sim.rounds", text=text[:40], most=MOST_ROUNDS)
    return int(wanted)


def error(text: str) -> float:
    """A standard error, as a part of the bet or in per cent. Raises BadInput ``sim.error``."""
    part = text.strip().removesuffix("%").strip()
    try:
        wanted = float(part.replace(",", ".") if part.isascii() else "") / (100 if text.strip().endswith("%") else 1)
    except ValueError:
        wanted = math.nan
    if not 1e-7 <= wanted <= 1:
        raise BadInput("sim.error", text=text[:40])
    return wanted


def whole(text: str, option: str, *, least: int, most: int) -> int:
    """A whole number within its limits. Raises BadInput ``sim.whole``."""
    if not text.isascii() or not text.isdecimal() or not least <= int(text[:30]) <= most:
        raise BadInput("sim.whole", option=option, text=text[:40], least=least, most=most)
    return int(text)


def asked(table: Table, options: Mapping[str, str]) -> Asked:
    """What the options ask for. Raises BadInput for each that does not read."""
    if options["rounds"] and options["until"]:
        raise BadInput("sim.both")
    boxes = whole(options["boxes"] or "1", "--boxes", least=1, most=MOST_BOXES)
    return Asked(
        table,
        options["strategy"] or priced.CHART,
        boxes,
        whole(options["seed"] or "1", "--seed", least=0, most=SEEDS - 1),
        whole(options["workers"] or "1", "--workers", least=1, most=MOST_WORKERS),
        0 if options["until"] else rounds(options["rounds"] or str(ROUNDS)),
        error(options["until"]) if options["until"] else 0.0,
    )


def made(wanted: Asked) -> Setting:
    """The table made ready. Raises BadInput for a strategy that there is not.

    Where hands decide about each other and cannot be counted, the way of playing is what is best hand by hand.
    """
    table = wanted.table
    alone = table._replace(preset=replace(table.preset, rules=hand_by_hand(table.rules)))
    return setting(strategies.price(alone, wanted.strategy).round, boxes_=wanted.boxes, rules=table.rules)


def enough(wanted: Asked) -> Callable[[Tally], bool]:
    """Whether a run has come to its end."""
    if wanted.rounds:
        return lambda tally: tally.rounds >= wanted.rounds
    return lambda tally: tally.rounds > 0 and tally.error <= wanted.error
