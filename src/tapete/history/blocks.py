"""The blocks of a history file: its header, then tables of rules, rounds and reveals, each read on its own.

Reading block by block keeps a large file cheap, gives every fault its line, and lets a file that was cut short in the
middle of its last block be told from one that is wrong.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, Final, NamedTuple

from tapete.errors import BadInput
from tapete.history.faults import HistoryError
from tapete.tomlplaces import Path as Place
from tapete.tomlplaces import places

MAX_BLOCK: Final = 1 << 20
"""Characters that one block may have; a round of seven boxes split to the full takes a fiftieth of it."""

# Strings and comments are passed over whole, so that nothing in them is taken for a header.
_HEADERS: Final = re.compile(
    r"""
      \"{3} (?: [^"\\]++ | \\. | "(?!"") )*+ (?: \"{3,5} | \Z )?
    | '{3} (?: [^']++ | '(?!'') )*+ (?: '{3,5} | \Z )?
    | " (?: [^"\\\n]++ | \\[^\n] )*+ "?
    | ' [^'\n]*+ '?
    | \# [^\n]*+
    | ^ [ \t]* \[ (?: (?P<rules> [ \t]* rules [ \t]* [.\]] ) | \[ [ \t]* (?P<array> round | reveal ) [ \t]* \]\] )
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_AT: Final = re.compile(r" \(at (?:line (\d+), column \d+|(end of document))\)")
_SHOWN: Final = 60


class Block(NamedTuple):
    """One block: what it says, and where each of its fields stands in the file. ``last`` ends the file."""

    kind: str
    told: dict[str, Any]
    lines: Mapping[Place, int]
    begins: int
    last: bool


def blocks(text: str) -> Iterator[Block]:
    """The blocks of a file's text, the header first.

    Raises HistoryError ``history.torn`` for a last block that was cut short, ``toml.unreadable``, ``toml.too_deep`` or
    ``history.block_too_big``, each with its line, for others.
    """
    line = 1
    for kind, part, last in _split(text):
        yield _block(kind, part, line, last=last)
        line += part.count("\n")


def _split(text: str) -> Iterator[tuple[str, str, bool]]:
    kind, begin = "header", 0
    while True:
        head, end = _next(text, kind, begin)
        yield kind, text[begin:end], not head
        if not head:
            return
        kind, begin = head, end


def _next(text: str, kind: str, begin: int) -> tuple[str, int]:
    """The kind of the next block and where it begins; "" and the end of the text if there is none near enough."""
    for found in _HEADERS.finditer(text, begin + (kind != "header"), begin + MAX_BLOCK + 2):
        head = found["array"] or ("rules" if found["rules"] else "")
        if head and not head == kind == "rules":
            return head, found.start()
    return "", len(text)


def _block(kind: str, part: str, line: int, *, last: bool) -> Block:
    if len(part) > MAX_BLOCK:
        raise HistoryError("history.block_too_big", line=line, most=MAX_BLOCK)
    try:
        where = places(part)
        told = tomllib.loads(part, parse_float=Decimal)
    except BadInput as fault:
        raise HistoryError(
            fault.code, line=line - 1 + int(str(fault.facts["line"])), most=fault.facts["most"]
        ) from None
    except (ValueError, ArithmeticError, RecursionError) as fault:
        raise _unreadable(str(fault), part, line, last=last) from None
    lines = {path: line - 1 + at for path, at in where.items()}
    return Block(kind, told, lines, line, last)


def _unreadable(why: str, part: str, line: int, *, last: bool) -> HistoryError:
    at, last_line = _AT.search(why), line + part.rstrip("\n").count("\n")
    here = line - 1 + int(at[1]) if at and at[1] else last_line
    ends_there = here == last_line and not part.endswith("\n")
    if last and (ends_there or (at is not None and at[2])):
        return HistoryError("history.torn", line=here, begins=line)
    return HistoryError("toml.unreadable", line=here, why=_AT.sub("", why)[:_SHOWN])
