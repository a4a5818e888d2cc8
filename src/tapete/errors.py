"""The few errors of Tapete.

Each error answers one question: what was asked, what came instead, and where. ``code`` is stable and is what an
interface translates (``tapete.words.explain``); ``facts`` fill the sentence. ``str(error)`` is plain English for logs.
"""

from __future__ import annotations


class TapeteError(Exception):
    """Something asked of Tapete cannot be done; nothing was changed."""

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code, facts)
        self.code = code
        self.facts = facts

    def __str__(self) -> str:
        told = ", ".join(f"{name}={value!r}" for name, value in self.facts.items())
        return f"{self.code}: {told}" if told else self.code


class BadInput(TapeteError):
    """A value from outside (a card, an amount, an option) does not read."""


class Refused(TapeteError):
    """An event that the round or the table does not accept now; the state is as it was."""
