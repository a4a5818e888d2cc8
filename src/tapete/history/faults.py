"""HistoryError: why a history cannot be read or does not hold, and where."""

from __future__ import annotations

from tapete.errors import TapeteError


class HistoryError(TapeteError):
    """A history that cannot be read, or that does not replay to its own results.

    ``line`` counts from 1 in the file; None where no line is at fault. The error it comes from, if any, is its
    ``__cause__`` and says why in its own words.
    """

    def __init__(self, code: str, *, line: int | None = None, **facts: object) -> None:
        super().__init__(code, line=line, **facts)
        self.line = line
