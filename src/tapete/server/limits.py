"""Limits: how often one connection, or one network address, may ask for something."""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import Final

from tapete.server.settings import Rate

REMEMBERED: Final = 20_000
"""Addresses remembered at most; those that have been quiet longest are forgotten first."""


class Bucket:
    """One allowance that fills up again by itself."""

    __slots__ = ("_at", "_left", "_rate")

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._left = rate.burst
        self._at = time.monotonic()

    def take(self) -> bool:
        """Whether one more is allowed now."""
        now = time.monotonic()
        self._left = min(self._rate.burst, self._left + (now - self._at) * self._rate.a_second)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class ByAddress:
    """An allowance for each address."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str) -> bool:
        """Whether that address may once more."""
        bucket = self._buckets.pop(address, None) or Bucket(self._rate)
        self._buckets[address] = bucket
        while len(self._buckets) > REMEMBERED:
            self._buckets.popitem(last=False)
        return bucket.take()
