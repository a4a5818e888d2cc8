"""Pace: how long a table waits for people, in seconds."""

from __future__ import annotations

from typing import Final

import msgspec

from tapete.errors import BadInput


class Pace(msgspec.Struct, frozen=True):
    """The waiting times of a table; None waits for ever."""

    bets: float | None
    """From the first bet until the round begins without those who have not said that they are ready."""
    question: float | None
    """For each question; then the stated default answers."""
    result: float
    """How long a finished round stays on the cloth before the next can begin."""
    seeds: float
    """For the seeds of a new shoe to be opened; pages do it by themselves."""
    cut: float
    """For the person who cuts."""


PACES: Final = {
    "relaxed": Pace(60, 60, 4, 2, 15),
    "normal": Pace(25, 25, 3, 2, 10),
    "fast": Pace(10, 10, 1.5, 2, 6),
    "none": Pace(None, None, 2, 2, 10),
    "instant": Pace(None, None, 0, 0, 0),
}
"""``none`` is for friends; ``instant`` for programs that play against each other."""


def pace(name: str) -> Pace:
    """The pace of that name. Raises BadInput ``pace.unknown``."""
    if name not in PACES:
        raise BadInput("pace.unknown", pace=name[:40], allowed=tuple(PACES))
    return PACES[name]
