"""Ctrl-C waits for its turn.

A KeyboardInterrupt may come between any two steps of the interpreter, so also between the beginning of a transaction
and the care for its end; the database would then stay locked until the program ends. Transactions last milliseconds:
the interrupt waits until they are kept or undone.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Hold back Ctrl-C until the block has ended. It only comes to the main thread; elsewhere this does nothing."""
    usual = signal.getsignal(signal.SIGINT) if threading.current_thread() is threading.main_thread() else None
    if not callable(usual):
        yield
        return
    held_back: list[FrameType | None] = []
    signal.signal(signal.SIGINT, lambda _number, frame: held_back.append(frame))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
        if held_back:
            usual(signal.SIGINT, held_back[0])
