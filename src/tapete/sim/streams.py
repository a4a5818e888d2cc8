"""Streams of chance: each block of rounds has its own, found from the seed and the block's number alone.

The generator is PCG32 (M. O'Neill, 2014): 64 bits of state, and a step of its own for every stream. State and step of a
block come from SplitMix64 (Steele, Lea, Flood 2014) of the seed and the number, so the same seed gives the same rounds
in whatever order the blocks are played, and wherever.
"""

from __future__ import annotations

from typing import Final

_MASK: Final = (1 << 64) - 1
_GOLDEN: Final = 0x9E3779B97F4A7C15
SEEDS: Final = 1 << 63
"""Seeds are whole numbers below this, from 0 on."""


def stream(seed: int, block: int) -> tuple[int, int]:
    """State and step of a block's generator; the step is odd.

    >>> stream(1, 0) != stream(1, 1) and stream(1, 0) != stream(2, 0)
    True
    """
    start = _mixed(_mixed(seed & _MASK) ^ (block * _GOLDEN & _MASK))
    return _mixed(start + _GOLDEN & _MASK), _mixed(start + 2 * _GOLDEN & _MASK) | 1


def _mixed(number: int) -> int:
    """SplitMix64's last step: every bit of the number decides about every bit of what comes out."""
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9 & _MASK
    number = (number ^ number >> 27) * 0x94D049BB133111EB & _MASK
    return number ^ number >> 31
