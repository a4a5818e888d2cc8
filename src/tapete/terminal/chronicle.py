"""The history file of one table: every finished round and every revealed shoe, in the open format.

The store has each round first, in the transaction that ends it. The file follows; if it cannot be written (a full
disk), the game goes on and the file is made whole from the store at the next opportunity.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

from tapete.errors import TapeteError
from tapete.fairness import ShoeRecord
from tapete.history import Record, append_reveal, append_round, record_of
from tapete.history.records import Table as NamedRules
from tapete.history.writing import HEADER, reveal_block, table_block
from tapete.rulefile import Preset
from tapete.state import Round
from tapete.store import Store
from tapete.table import Table


class Chronicle:
    """The file of one table. ``path`` is where it lies."""

    def __init__(self, store: Store, which: int, preset: Preset) -> None:
        self._store = store
        self._which = which
        self._rules = NamedRules.of(preset)
        self._reveals: list[ShoeRecord] = []
        self._behind = False
        self.path: Path = store.rounds_folder() / f"{which:05d}-{preset.id}.bjh"

    def record(self, before: Table, after: Table, ended: Round) -> Record:
        """The record of the round that just ended."""
        return record_of(
            ended, after.events, number=after.number, table=self._rules, shoe=before.shoe, first=sum(before.spent)
        )

    def remember(self, shoe: ShoeRecord) -> None:
        """Takes note of a shoe revealed earlier, while a log is read again."""
        self._reveals.append(shoe)

    def add(self, record: Record) -> None:
        """Adds a round that the store has kept."""
        if self._behind or not self._tried(lambda: append_round(self.path, record)):
            self.catch_up()

    def reveal(self, shoe: ShoeRecord) -> None:
        """Adds a revealed shoe; one that was never dealt from has no file to go into."""
        self.remember(shoe)
        if not self.path.exists():
            return
        if self._behind or not self._tried(lambda: append_reveal(self.path, shoe)):
            self.catch_up()

    def _tried(self, write: Callable[[], object]) -> bool:
        try:
            write()
        except TapeteError:
            return False
        return True

    def catch_up(self) -> None:
        """Writes the file anew from the store, beside the old one, if it does not hold what the store holds."""
        kept = self._store.rounds(self._which)
        self._behind = False
        if not kept or self._holds(len(kept)):
            return
        text = "\n".join([HEADER, table_block(self._rules), *kept.values(), *map(reveal_block, self._reveals)])
        fresh = self.path.with_suffix(".tmp")
        try:
            fresh.write_text(text, encoding="utf-8")
            fresh.replace(self.path)
        except OSError:
            self._behind = True
            with contextlib.suppress(OSError):
                fresh.unlink()

    def _holds(self, rounds: int) -> bool:
        try:
            raw = self.path.read_bytes()
        except OSError:
            return False
        blocks = raw.count(b"\n[[round]]\n"), raw.count(b"\n[[reveal]]\n")
        return blocks == (rounds, len(self._reveals)) and raw.endswith(b"\n")
