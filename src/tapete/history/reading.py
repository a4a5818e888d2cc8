"""Histories read from text and files, strictly: what is not understood is refused with its line.

Whether a round replays to its results is asked elsewhere (``tapete.history.checking``); here a file only has to say
everything that it must say, in the right form.
"""

from __future__ import annotations

import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tapete.fairness import ShoeRecord
from tapete.history.blocks import Block, blocks
from tapete.history.faults import HistoryError
from tapete.history.fields import Part, dotted
from tapete.history.records import History, Record, Table
from tapete.history.rounds import read_record, read_shoe
from tapete.history.tables import read_table
from tapete.history.writing import FORMAT, VERSION
from tapete.messages import why
from tapete.rulevalues import shown
from tapete.tomlplaces import Path as Place

MAX_BYTES: Final = 64 << 20
_HEAD: Final = 4096


def load(path: Path) -> History:
    """The history of a file. Raises HistoryError with what is wrong with the file or with what it says."""
    return read(content(path))


def content(path: Path) -> bytes:
    """The bytes of a file that may be a history, 64 MiB at most. Raises HistoryError ``history.file_...``."""
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            raise HistoryError(
                "history.file_is_folder" if stat.S_ISDIR(mode) else "history.file_not_regular", file=str(path)
            )
        with path.open("rb") as opened:
            found = opened.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise HistoryError("history.file_missing", file=str(path)) from None
    except (OSError, ValueError) as fault:
        raise HistoryError("history.file_unreadable", file=str(path), why=why(fault)) from None
    if len(found) > MAX_BYTES:
        raise HistoryError("history.file_too_big", file=str(path), most=MAX_BYTES >> 20)
    return found


_SIGN: Final = re.compile(
    rb"\A(?:\xef\xbb\xbf)?(?:[ \t\r]*(?:#[^\n]*)?\n)*[ \t]*format[ \t]*=[ \t]*[\"']" + FORMAT.encode() + rb"[\"']"
)


def is_history(raw: bytes) -> bool:
    """Whether some bytes call themselves a history: ``format = "tapete-history"`` is their first field."""
    return _SIGN.match(raw[:_HEAD]) is not None


def read(raw: bytes) -> History:
    """The history that some bytes tell."""
    if not is_history(raw):
        raise HistoryError("history.not_a_history", line=1)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise HistoryError("history.not_utf8", line=raw.count(b"\n", 0, fault.start) + 1) from None
    if "\0" in text:
        raise HistoryError("history.has_nul", line=text.count("\n", 0, text.index("\0")) + 1)
    return _read(blocks(text.replace("\r\n", "\n")))


def loads(text: str) -> History:
    """The history of a text. Raises HistoryError with the line and what was expected there."""
    return read(text.encode("utf-8", "surrogatepass"))


def _read(parts: Iterator[Block]) -> History:
    reader = _Reader()
    for block in parts:
        reader.take(block)
    return reader.history()


class _Reader:
    """The history as far as its blocks have been read."""

    def __init__(self) -> None:
        self.tables: dict[str, Table] = {}
        self.records: list[Record] = []
        self.reveals: list[ShoeRecord] = []
        self.reveal_lines: list[int] = []
        self.notes: dict[Place, object] = {}

    def history(self) -> History:
        """All of it."""
        return History(
            tables=self.tables,
            records=tuple(self.records),
            reveals=tuple(self.reveals),
            notes=self.notes,
            reveal_lines=tuple(self.reveal_lines),
        )

    def take(self, block: Block) -> None:
        """One more block."""
        own = ("format", "version") if block.kind == "header" else (block.kind,)
        beside = Part(block, {name: one for name, one in block.told.items() if name not in own or len(own) > 1}, ())
        self._note(beside)
        beside.only(*own)
        {"header": _header, "rules": self._rules, "round": self._round, "reveal": self._reveal}[block.kind](
            beside if block.kind == "header" else Part(block, {block.kind: block.told[block.kind]}, ())
        )

    def _note(self, part: Part) -> None:
        for path, note in part.notes.items():
            if path in self.notes:
                raise HistoryError("history.twice", line=part.line(*path), key=dotted(path))
            self.notes[path] = note

    def _rules(self, whole: Part) -> None:
        named = whole.block.told["rules"]
        if not isinstance(named, dict):
            whole.wrong(("rules",), named)
        for name, told in named.items():
            part = Part(whole.block, told if isinstance(told, dict) else {}, ("rules", name))
            if not isinstance(told, dict):
                whole.wrong(("rules", name), told)
            if name in self.tables:
                raise HistoryError("history.twice", line=part.line(), key=shown(name))
            self.tables[name] = read_table(part, name)

    def _round(self, whole: Part) -> None:
        self.records.append(read_record(_only_one(whole, "round"), self.tables))

    def _reveal(self, whole: Part) -> None:
        part = _only_one(whole, "reveal")
        for path, note in part.notes.items():
            self.notes[("reveals", len(self.reveals), *path)] = note
        self.reveals.append(read_shoe(part, part.told, ()))
        self.reveal_lines.append(part.line())


def _only_one(whole: Part, kind: str) -> Part:
    found = whole.block.told[kind]
    if not isinstance(found, list) or len(found) != 1 or not isinstance(found[0], dict):
        raise HistoryError("history.header", line=whole.block.begins, key=f"[[{kind}]]")
    return Part(whole.block, found[0], (kind, 0))


def _header(part: Part) -> None:
    for name in ("format", "version"):
        if name not in part.told:
            part.missing((name,))
    if part.told["format"] != FORMAT:
        part.wrong(("format",), part.told["format"])
    found = part.told["version"]
    if isinstance(found, bool) or not isinstance(found, int) or found < 1:
        part.wrong(("version",), found)
    if found != VERSION:
        raise HistoryError("history.version", line=part.line("version"), found=shown(found), known=VERSION)
