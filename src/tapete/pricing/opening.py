"""Opening: whether what the counting needs is installed, asked before anything heavy is loaded."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

from tapete.errors import BadInput

COUNTING: Final = ("numpy", "numba")
DRAWING: Final = ("matplotlib",)


def ready(*, pictures: bool = False) -> None:
    """Raises BadInput ``price.not_installed`` where a package is missing that counting, or drawing, needs."""
    missing = tuple(name for name in (*COUNTING, *(DRAWING if pictures else ())) if find_spec(name) is None)
    if missing:
        raise BadInput("price.not_installed", missing=missing)
