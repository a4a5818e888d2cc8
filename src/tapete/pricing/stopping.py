"""Stopping: Ctrl-C and its like as a wish to end, so that what there is can be told and kept."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

IMPATIENT: Final = 5.0
"""Seconds after a first signal from which on another one ends the program at once."""
GRACE: Final = 1.0
"""Seconds that what is open then has to be closed. Whatever else is under way, say a compiler, is not waited for."""


class Stop:
    """A wish to end: its ``signal``, 0 while there is none."""

    def __init__(self) -> None:
        self.signal = 0
        self._since = 0.0
        self._before: dict[int, Any] = {}

    def listen(self) -> None:
        """From now on a signal is a wish; signals that were ignored are so still."""
        names = ("SIGINT", "SIGTERM", "SIGHUP") if threading.current_thread() is threading.main_thread() else ()
        for number in (getattr(signal, name) for name in names if hasattr(signal, name)):
            if signal.getsignal(number) not in (signal.SIG_IGN, None):
                self._before[number] = signal.signal(number, self._heard)

    def _heard(self, number: int, _frame: FrameType | None) -> None:
        """Notes the first; a further one is one too many, or, after some seconds, meant."""
        if not self.signal:
            self.signal, self._since = number, time.monotonic()
        elif time.monotonic() - self._since > IMPATIENT:
            end = threading.Timer(GRACE, os._exit, (self.code,))
            end.daemon = True
            end.start()
            raise KeyboardInterrupt

    def leave(self) -> None:
        """Gives the signals back."""
        while self._before:
            signal.signal(*self._before.popitem())

    @property
    def code(self) -> int:
        """The exit code that says which signal it was."""
        return 128 + self.signal


@contextmanager
def stop() -> Iterator[Stop]:
    """Somebody who can listen to Ctrl-C, SIGTERM and a terminal that is closed, until the end of this."""
    found = Stop()
    try:
        yield found
    finally:
        found.leave()
