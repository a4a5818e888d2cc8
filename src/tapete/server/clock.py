"""The clock of a live table: what it waits for, and until when."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from typing import Final

from tapete.server.messages import Clock

Ring = Callable[[str, int], None]
GRACE: Final = 5.0
"""Seconds that a table which was taken up from its log waits for the others when the first is back."""


class Grace:
    """After a restart nothing begins without those who had a seat, until they are back or a few seconds are over."""

    def __init__(self) -> None:
        self._until = 0.0

    def begin(self) -> None:
        """The table has been taken up, and nobody is back yet."""
        self._until = math.inf

    def somebody_is_back(self, over: Callable[[], None]) -> None:
        """Counts from the first one; ``over`` is called at the end."""
        if self._until == math.inf:
            loop = asyncio.get_running_loop()
            self._until = loop.time() + GRACE
            loop.call_later(GRACE, over)

    def end(self) -> None:
        """Everyone is back, or has been waited for long enough."""
        self._until = 0.0

    def left(self) -> float:
        """Seconds that are left; infinity while nobody is back."""
        return max(0.0, self._until - asyncio.get_running_loop().time()) if self._until else 0.0


class TableClock:
    """One clock; ``ring`` is called with what it ran for when it has run down."""

    def __init__(self, ring: Ring) -> None:
        self._ring = ring
        self._timer: asyncio.TimerHandle | None = None
        self._waits = "", 0
        self._total = 0.0
        self.deadline = 0.0
        """When it runs down, in the event loop's time; 0 while it does not run."""

    def run(self, what: str, seconds: float | None, *, of: int) -> None:
        """Runs for ``what`` in number ``of`` (a round, or an event); if it does so already, it runs on."""
        if self._timer is not None and self._waits == (what, of):
            return
        self.stop()
        if what and seconds is not None:
            loop = asyncio.get_running_loop()
            self._waits, self._total, self.deadline = (what, of), seconds, loop.time() + seconds
            self._timer = loop.call_later(seconds, self._rings)

    def stop(self) -> None:
        """Runs no more."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer, self.deadline = None, 0.0

    def told(self) -> Clock | None:
        """What it runs for, and how much is left."""
        if not self.deadline:
            return None
        left = max(0.0, self.deadline - asyncio.get_running_loop().time())
        return Clock(self._waits[0], round(left, 2), self._total)

    def _rings(self) -> None:
        self._timer = None
        self._ring(*self._waits)
