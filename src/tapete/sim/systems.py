"""Counting systems: what each seen card adds to the running count, and how that becomes a true count.

The published ones stand in ``systems.toml``; a system of one's own is a TOML text that says the same of one system.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from tapete.errors import BadInput
from tapete.tomlplaces import places

RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10")
"""What tags tell apart; 10 stands for all cards that count ten."""
MANY: Final = (*(4,) * 9, 16)
"""How many cards of each a pack holds."""
PER: Final[Mapping[str, int]] = MappingProxyType({"pack": 52, "half-pack": 26, "quarter-pack": 13, "running": 0})
"""The cards that a running count is divided by, by their name in files; 0: it is not divided."""
MOST: Final = 20
"""The largest tag."""
MOST_BEGIN: Final = 1000
_KEYS: Final = ("name", "per", "begin", "begin_per_pack", "tags", "red", "source")


class System(NamedTuple):
    """A counting system; ``tags``, ``red``, ``begin`` and ``begin_per_pack`` are in halves of a point.

    ``tags`` are in the order of :data:`RANKS`, ``red`` the same for red cards; ``per`` is one of the numbers of
    :data:`PER`. Where nothing is divided the count begins at ``begin``, and ``begin_per_pack`` for each pack.
    """

    id: str
    name: str
    tags: tuple[int, ...]
    per: int
    begin: int
    begin_per_pack: int
    source: str
    red: tuple[int, ...]

    @property
    def colourless(self) -> System:
        """The system of who does not look at colours: each card counts what it counts on average."""
        mean = tuple((black + red) // 2 for black, red in zip(self.tags, self.red, strict=True))
        return self._replace(tags=mean, red=mean)

    @property
    def surplus(self) -> int:
        """What a whole pack adds to the count, in halves; 0: the system is balanced."""
        return sum(tag * many for tag, many in zip(self.colourless.tags, MANY, strict=True))


@functools.cache
def published() -> Mapping[str, System]:
    """The published systems by name.

    >>> published()["hi-lo"].tags, published()["ko"].surplus // 2
    ((-2, 2, 2, 2, 2, 2, 0, 0, 0, -2), 4)
    """
    text = (files("tapete") / "sim" / "systems.toml").read_text("utf-8")
    told = tomllib.loads(text).items()
    return MappingProxyType({key: _system(_Told("systems.toml", {}, one), key) for key, one in told})


def read(text: str, file: str, key: str) -> System:
    """The system that a TOML text tells. Raises BadInput ``sim.system_…`` with the place of what is wrong."""
    lines = {".".join(map(str, path)): line for path, line in places(text).items()}
    try:
        told = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput("sim.system_toml", file=file, why=str(error)[:80]) from None
    return _system(_Told(file, lines, told), key)


class _Told(NamedTuple):
    """A system as it was told, and the line of each of its keys."""

    file: str
    lines: Mapping[str, int]
    values: Mapping[str, Any]

    def place(self, key: str) -> str:
        """Where a key stands."""
        return f"{self.file}:{self.lines[key]}" if key in self.lines else self.file


def _system(told: _Told, key: str) -> System:
    for one in told.values:
        if one not in _KEYS:
            raise BadInput("sim.system_key", place=told.place(one), key=one[:40], allowed=_KEYS)
    per = told.values.get("per", "pack")
    if not isinstance(per, str) or per not in PER:
        raise BadInput("sim.system_per", place=told.place("per"), value=str(per)[:40], allowed=tuple(PER))
    begins = [_halves(told, one, told.values.get(one, 0), MOST_BEGIN) for one in ("begin", "begin_per_pack")]
    if PER[per] and any(begins):
        raise BadInput("sim.system_begin", place=told.place("begin" if begins[0] else "begin_per_pack"))
    name, source = _text(told, "name") or key, _text(told, "source")
    tags = _by_rank(told, "tags")
    missing = tuple(rank for rank in RANKS if rank not in tags)
    if missing:
        raise BadInput("sim.system_missing", place=told.place("tags"), missing=missing)
    red = tags | (_by_rank(told, "red") if "red" in told.values else {})
    for rank in RANKS:
        if (red[rank] - tags[rank]) % 2:
            raise BadInput("sim.system_red", place=told.place(f"red.{rank}"), rank=rank)
    if not any((*tags.values(), *red.values())):
        raise BadInput("sim.system_nothing", place=told.place("tags"))
    black, others = (tuple(one[rank] for rank in RANKS) for one in (tags, red))
    found = System(key, name, black, PER[per], begins[0], begins[1], source, others)
    if len(set(found.colourless.tags)) == 1:
        raise BadInput("sim.system_same", place=told.place("tags"))
    return found


def _by_rank(told: _Told, key: str) -> dict[str, int]:
    """The tags of a table of ranks, in halves."""
    tags = told.values.get(key)
    if not isinstance(tags, dict):
        raise BadInput("sim.system_no_tags", place=told.place(key), key=key, ranks=RANKS)
    for rank in tags:
        if rank not in RANKS:
            raise BadInput("sim.system_rank", place=told.place(f"{key}.{rank}"), rank=rank[:20], ranks=RANKS)
    return {rank: _halves(told, f"{key}.{rank}", tag, MOST) for rank, tag in tags.items()}


def _halves(told: _Told, key: str, value: object, most: int) -> int:
    """A number of halves."""
    number = value if isinstance(value, int | float) and not isinstance(value, bool) else most + 1
    if not -most <= number <= most or number * 2 != int(number * 2):
        raise BadInput("sim.system_tag", place=told.place(key), key=key, value=str(value)[:20], most=most)
    return int(number * 2)


def _text(told: _Told, key: str) -> str:
    value = told.values.get(key, "")
    if not isinstance(value, str) or len(value) > 200:
        raise BadInput("sim.system_text", place=told.place(key), key=key)
    return value
