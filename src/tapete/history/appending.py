"""Rounds added to a file, one by one, so that a crash at any moment loses at most the round being written.

A round goes into the file in one write, which is brought to the disk before :func:`append_round` returns. If a crash
leaves half a round at the end, the next append turns that half into comments, in a copy that then takes the file's
place; what was there before the crash is never touched. One program at a time may add to a file.
"""

from __future__ import annotations

import mmap
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tapete import places
from tapete.fairness import ShoeRecord
from tapete.history.blocks import blocks
from tapete.history.faults import HistoryError
from tapete.history.fields import Part
from tapete.history.reading import is_history
from tapete.history.records import Record
from tapete.history.tables import read_table
from tapete.history.writing import HEADER, reveal_block, round_block, table_block

_BLOCK: Final = re.compile(
    rb"""^[ \t]*\[(?:\[[ \t]*(?:round|reveal)[ \t]*\]\]|[ \t]*rules[ \t]*\.[ \t]*["']?([0-9a-f]{64}))""", re.MULTILINE
)


def append_round(path: Path, record: Record) -> int:
    """Add a round to the file, made if it is missing, with its table if that is not in the file yet.

    Tells how many bytes of an earlier, broken off round were turned into comments; 0 normally. Raises HistoryError
    ``history.not_a_history`` for a file of another kind, BadInput ``data.full``, ``data.readonly`` or
    ``data.unusable`` when nothing can be written; the file is as before then.
    """
    return _append(path, round_block(record), record)


def append_reveal(path: Path, shoe: ShoeRecord) -> int:
    """Add the record of a retired shoe, its secret in it. Raises as :func:`append_round`."""
    return _append(path, reveal_block(shoe))


def _append(path: Path, block: str, record: Record | None = None) -> int:
    try:
        known, torn = _look(path)
        repaired = _repair(path, torn)
        if record is not None and record.table.digest not in known:
            block = f"{table_block(record.table)}\n{block}"
        _write(path, block)
    except OSError as fault:
        raise places.fault(fault, path) from fault
    return repaired


def _look(path: Path) -> tuple[set[str], int]:
    """The digests of the tables in a file, and from which byte on it is broken off (its size if it is whole)."""
    if not path.exists() or path.stat().st_size == 0:
        return set(), 0
    with path.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as whole:
        if not is_history(whole[: 1 << 12]):
            return _look_at_beginning(whole[:])
        found = list(_BLOCK.finditer(whole))
        last = found[-1].start() if found else 0
        torn = len(whole) if _is_whole(whole[last:]) else last
        return {str(one[1], "ascii") for one in found if one[1] and one.start() < torn}, torn


def _look_at_beginning(raw: bytes) -> tuple[set[str], int]:
    """A file that got no further than a part of its header can be begun again; any other is not ours to touch."""
    if HEADER.encode().startswith(raw):
        return set(), 0
    raise HistoryError("history.not_a_history", line=1)


def _is_whole(tail: bytes) -> bool:
    """Whether the last block of a file is complete: it reads, and nothing in it can be missing.

    Rounds and rules cannot lose their end unnoticed; the record of a shoe can, so its last line must be ended.
    """
    try:
        found = list(blocks(tail.decode("utf-8")))[-1]
        if found.kind == "rules":
            ((name, told),) = found.told["rules"].items()
            read_table(Part(found, told, ("rules", name)), name)
    except (HistoryError, UnicodeDecodeError):
        return False
    if found.kind == "round":
        return "results" in found.told["round"][0]
    return {"rules": True, "reveal": tail.endswith(b"\n")}.get(found.kind, "version" in found.told)


def _repair(path: Path, sound: int) -> int:
    """Turns all from byte ``sound`` on into comments; tells how many bytes."""
    size = path.stat().st_size if path.exists() else 0
    if size == sound:
        return 0
    whole = path.read_bytes()
    copy = path.with_name(path.name + ".repair")
    with copy.open("wb") as opened:
        copy.chmod(path.stat().st_mode & 0o777)
        opened.write((whole[:sound] or HEADER.encode()) + "".join(_commented(whole[sound:])).encode())
        opened.flush()
        os.fsync(opened.fileno())
    copy.replace(path)
    return size - sound


def _commented(torn: bytes) -> Iterator[str]:
    if HEADER.encode().startswith(torn):
        return
    for line in torn.decode("utf-8", "replace").split("\n"):
        tidy = "".join(one if one.isprintable() else "?" for one in line)
        if tidy:
            yield f"# torn: {tidy}\n"


def _write(path: Path, block: str) -> None:
    """One write at the end of the file, on the disk when this returns; a write that fails is taken back."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        before = os.fstat(handle).st_size
        text = (f"\n{block}" if before else f"{HEADER}\n{block}").encode()
        try:
            _write_all(handle, text)
        except OSError:
            os.ftruncate(handle, before)
            raise
    finally:
        os.close(handle)


def _write_all(handle: int, text: bytes) -> None:
    while text:
        text = text[os.write(handle, text) :]
    os.fsync(handle)
