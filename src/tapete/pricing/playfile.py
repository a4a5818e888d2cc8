"""Index plays of one's own, read from CSV or JSON. The format is told in docs/simulating.md.

Reading is strict, and the first fault is told with its place; the words are those of chart files.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from tapete.errors import BadInput
from tapete.pricing import chartfile
from tapete.rules import RuleSet
from tapete.sim.count import LEVELS, IndexPlay
from tapete.sim.plays import HEAD, check, clash

ENDINGS: Final = (".csv", ".json")
_DIGEST: Final = re.compile(r"^#.*\b([0-9a-f]{64})\s*$", re.ASCII | re.MULTILINE)
_COUNT: Final = re.compile(r"^# count: (.+), ([a-z]+,[a-z]+)\s*$", re.MULTILINE)
_LEAST: Final = re.compile(r"[+-]?\d{1,3}", re.ASCII)


class _Play(msgspec.Struct, forbid_unknown_fields=True):
    """A play in JSON; what stands behind ``above`` is told to who uses the file."""

    hand: str
    against: str
    below: str
    least: int
    above: str
    usual: str = ""
    gain: float = 0.0
    exact: float | None = None


class _File(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A file in JSON; ``plays`` are read, and for which ``count``; the rest is told to who uses the file."""

    plays: tuple[_Play, ...]
    table: str = ""
    rules: str = ""
    count: str = ""
    source: str = ""
    true_count: str = ""
    unseen: float = 0.0
    lowest: int = 0
    highest: int = 0
    beyond: int = 0


class Origin(NamedTuple):
    """The digest of the rules, the counting system and the way to the true count that plays were derived for.

    Empty where a file does not say so; without a ``system`` the ``way`` means nothing.
    """

    rules: str = ""
    system: str = ""
    way: str = ""


class Read(NamedTuple):
    """The plays of a file, and what it says of them."""

    plays: tuple[IndexPlay, ...]
    origin: Origin


def remark(count: str, way: str) -> str:
    """The remark of a CSV file, behind ``#``, that tells for which count its plays are."""
    return f"count: {count}, {way}"


def read(rules: RuleSet, file: str, count: str = "") -> Read:
    """The plays of a file, for this table and a counting system, if it has a name.

    Raises BadInput ``sim.play_…``, ``chart.…``.
    """
    path = Path(file)
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise BadInput("sim.play_ending", file=file[-80:], allowed=ENDINGS)
    text = chartfile.content(path)
    lines, origin = (_csv(text, file), _remarked(text)) if ending == ".csv" else _json(text, file, count)
    found: list[IndexPlay] = []
    for place, play in lines:
        check(rules, play, place)
        if any(clash(play, earlier) for earlier in found):
            raise BadInput("sim.play_twice", place=place, row=play.row, column=play.column)
        found.append(play)
    if not found:
        raise BadInput("sim.play_none", file=file[-80:])
    return Read(tuple(found), origin)


def _remarked(text: str) -> Origin:
    """What the remarks say that ``tapete indices`` writes."""
    digest, count = _DIGEST.search(text), _COUNT.search(text)
    return Origin(digest[1] if digest else "", *(count.groups() if count else ()))


def _csv(text: str, file: str) -> Iterator[tuple[str, IndexPlay]]:
    lines = chartfile.csv_lines(text, file)
    head = next(lines, None)
    if head is None or (head.row, *head.cells) != HEAD:
        raise BadInput("sim.play_head", place=head.place if head else file, head=",".join(HEAD))
    for place, row, cells in lines:
        if len(cells) != len(HEAD) - 1:
            raise BadInput("sim.play_cells", place=place, given=len(cells) + 1, head=",".join(HEAD))
        column, below, least, above = cells
        if not _LEAST.fullmatch(least):
            raise BadInput("sim.play_level", place=place, text=least[:20], most=LEVELS)
        yield place, IndexPlay(row, column, below, int(least), above)


def _json(text: str, file: str, count: str) -> tuple[list[tuple[str, IndexPlay]], Origin]:
    try:
        told = msgspec.convert(json.loads(text), _File)
    except json.JSONDecodeError as error:
        raise BadInput("chart.not_json", place=f"{file}:{error.lineno}") from None
    except RecursionError:
        raise BadInput("chart.not_json", place=file) from None
    except msgspec.ValidationError as error:
        where = re.search(r"`(\$[^`]*)`$", str(error)) or re.search(r"field `([^`]+)`", str(error))
        raise BadInput("sim.play_shape", file=file[-80:], at=where[1][:60] if where else "$") from None
    if count and told.count and told.count != count:
        raise BadInput("sim.play_count", file=file[-80:], theirs=told.count[:40], ours=count)
    found = [
        (f"{file} ({number})", IndexPlay(one.hand, one.against, one.below, one.least, one.above))
        for number, one in enumerate(told.plays, 1)
    ]
    return found, Origin(told.rules, told.count, told.true_count)
