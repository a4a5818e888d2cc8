"""Opening: whether what the counting needs is installed, asked before anything heavy is loaded."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

from tapete.errors import BadInput

COUNTING: Final = ("numpy", "numba")
DRAWING: Final = ("matplotlib",)
JOINING: Final = ("dask", "distributed")


def ready(*, pictures: bool = False, cluster: bool = False) -> None:
    """Raises BadInput where a package is missing that counting, drawing or joining a cluster needs.

    ``price.not_installed``, or ``cluster.not_installed``.
    """
    missing = _missing(*COUNTING, *(DRAWING if pictures else ()))
    if missing:
        raise BadInput("price.not_installed", missing=missing)
    if cluster and (missing := _missing(*JOINING)):
        raise BadInput("cluster.not_installed", missing=missing)


def _missing(*names: str) -> tuple[str, ...]:
    return tuple(name for name in names if find_spec(name) is None)
