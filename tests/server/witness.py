"""What must hold of all tables whenever their server has just died."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec
from msgspec.json import decode, encode

from tapete import table as tables
from tapete.events import Checked, Dealt, Decided, Turned
from tapete.keeping import read_event
from tapete.rulefile import preset
from tapete.stakes import Lock
from tapete.store import Store
from tapete.table import Reshuffled, ShoeReady, Table, TableEvent
from tapete.view import View, view
from tests.server.players import Player

_CARDS: Final = (Lock, Dealt, Checked, Turned, Reshuffled, ShoeReady)


class Witness:
    """Follows the logs of all tables from one death of the server to the next."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._ids = {table.name: table.id for table in store.open_tables()}
        self._logs: dict[str, list[bytes]] = {code: [] for code in self._ids}
        self._compared: defaultdict[str, set[int]] = defaultdict(set)
        self._folds = {code: Table(preset(code).rules) for code in self._ids}

    def look(self, players: Iterable[Player]) -> None:
        """Check everything that is on the disk now."""
        assert self._store.audit().faults == ()
        for code in self._ids:
            self._read_on(code)
            self._count_chips(code)
        for player in players:
            self._compare(player)

    def _read_on(self, code: str) -> None:
        """What is new in the log follows from what was there before."""
        log = self._logs[code]
        for event in self._store.events(self._ids[code], after_seq=len(log)):
            self._folds[code] = tables.apply(self._folds[code], read_event(event.payload))
            log.append(event.payload)
            assert event.seq == len(log)

    def look_back(self) -> None:
        """The logs are still what they were when they were read, event by event."""
        for code, which in self._ids.items():
            assert [event.payload for event in self._store.events(which)] == self._logs[code]

    def _count_chips(self, code: str) -> None:
        """The racks hold what the log says, and every finished round was saved once."""
        which, fold = self._ids[code], self._folds[code]
        names = {person.id: person.name for person in self._store.people()}
        racks = {names[person]: chips for person, chips in self._store.racks(which).items()}
        assert racks == {one.name: one.chips for one in fold.people if not one.bot}
        assert len(self._store.rounds(which)) == fold.number - fold.playing

    def _compare(self, player: Player) -> None:
        """Whatever the player was told is in the log under that number."""
        log = self._logs[player.code]
        for seq in sorted(player.told.keys() - self._compared[player.name]):
            assert seq <= len(log), f"{player.name} was told event {seq}, and the log ends at {len(log)}"
            assert decode(encode(player.told[seq]), type=TableEvent) == read_event(log[seq - 1])
        self._compared[player.name] = set(player.told)

    def seq(self, code: str) -> int:
        """The number of the last event on the disk."""
        return len(self._logs[code])

    def shows(self, code: str, seen: Mapping[str, Any]) -> bool:
        """Whether that is the view of the table as the log has it: its cards, its bets and its questions."""
        return msgspec.convert(seen, View) == view(self._folds[code])

    def was_done(self, code: str, name: str, command: Mapping[str, Any]) -> bool:
        """Whether the log has the decision that the command wants, behind what its sender had seen."""
        deed = command["deed"]
        wanted = (deed["box"], deed["hand"], deed["action"], name)
        later = map(read_event, self._logs[code][command["seq"] :])
        return any(
            isinstance(event, Decided) and (event.box, event.hand, event.action, event.bettor) == wanted
            for event in later
        )

    def rounds(self, code: str) -> list[TableEvent]:
        """All that concerns the cards: shoes, what each round began with, each card in turn."""
        return [event for event in map(read_event, self._logs[code]) if isinstance(event, _CARDS)]

    def decisions(self, code: str) -> list[tuple[int, Decided]]:
        """Each answer of the log, with the number of its round; in an order that does not depend on who was faster."""
        number, found = 0, []
        for event in map(read_event, self._logs[code]):
            number += isinstance(event, Lock)
            if isinstance(event, Decided):
                found.append((number, event))
        return sorted(found, key=repr)
