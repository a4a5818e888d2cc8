"""Guard: a key that is held, or was pressed before the question appeared, answers nothing.

Every question, every dialog and every other point at which a key commits something is a *moment*. The first press of a
key within a moment counts; the same key again within :data:`HELD` seconds in a later moment is a key that was held, and
it stays held for as long as it keeps coming. Presses from before the moment began are dropped.
"""

from __future__ import annotations

import time
from typing import Final

from textual.events import Event, Key

HELD: Final = 0.7
"""Seconds within which the same key again counts as held."""


def key_of(event: Event, deed: str) -> str:
    """The name under which a press is remembered: the key, or the click on what does this."""
    return event.key if isinstance(event, Key) else f"click {deed}"


class Clock:
    """The time now, and when an event came in, in seconds of one monotonic clock."""

    def now(self) -> float:
        """The time now."""
        return time.monotonic()

    def of(self, event: Event) -> float:
        """When the terminal sent this."""
        return event.time


class Guard:
    """Decides whether a press means something. ``moment`` begins a new moment."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self._moment = 0
        self._began = clock.now()
        self._last: dict[str, tuple[int, float]] = {}

    def moment(self) -> None:
        """From now on something else is asked."""
        self._moment += 1
        self._began = self.clock.now()

    def takes(self, key: str, event: Event, *, again: bool = False) -> bool:
        """Whether the press counts. ``again``: the key may be repeated within the moment, as a chip may."""
        when = self.clock.of(event)
        moment, last = self._last.get(key, (self._moment if again else -1, float("-inf")))
        held = when - last < HELD and not (again and moment == self._moment)
        early = when < self._began
        self._last[key] = (moment if held or early else self._moment, when)
        return not (held or early)

    def saw(self, key: str) -> None:
        """Takes note of a press that was taken elsewhere: held on, it means nothing here."""
        self._last[key] = (self._moment, self.clock.now())
