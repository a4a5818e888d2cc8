"""The fields of a block: what each must hold, and the refusal of all else with its line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NoReturn, TypeVar

import msgspec

from tapete.history.blocks import Block
from tapete.history.faults import HistoryError
from tapete.messages import N_
from tapete.rules import nearest
from tapete.rulevalues import shown
from tapete.tomlplaces import Path as Place

EXPECTED: Final = MappingProxyType(
    {
        "format": N_("the text tapete-history"),
        "version": N_("the number 1"),
        "number": N_("a whole number, 0 or more"),
        "rules": N_("the digest of a rule set: 64 hexadecimal digits"),
        "name": N_("a name of 1 to 40 characters that can be shown"),
        "holder": N_("a name of 1 to 40 characters that can be shown"),
        "bettor": N_("a name of 1 to 40 characters that can be shown"),
        "spare": N_("an amount in whole units, 0 or more"),
        "stake": N_("an amount in whole units, 0 or more"),
        "net": N_("an amount in whole units, below zero if it was lost"),
        "bank": N_("an amount in whole units, below zero if it was lost"),
        "box": N_("a number from 0 to 99"),
        "hand": N_("a number from 0 to 99"),
        "total": N_("a number from 0 to 99"),
        "dealer": N_("a number from 0 to 99"),
        "consent": N_("true or false"),
        "standing": N_("true or false"),
        "events": N_("a list of event lines"),
        "bettors": N_("a list of bettors"),
        "boxes": N_("a list of boxes"),
        "backers": N_("a list of backers"),
        "totals": N_("a list of totals"),
        "results": N_("a list of results"),
        "reason": N_("the reason of a result"),
        "first": N_("the place of a card: a whole number, 0 or more"),
        "id": N_("a text of 1 to 40 characters that can be shown"),
        "title": N_("texts of at most 2000 characters, in en and es"),
    }
)
"""What belongs into a field, by its name."""

T = TypeVar("T")


class Part:
    """A table of a block, with the path to it, so that whatever is wrong in it has a line."""

    def __init__(self, block: Block, told: Mapping[str, Any], place: Place) -> None:
        self.block = block
        self.place = place
        self.notes: dict[Place, object] = {}
        self.told: dict[str, Any] = self._without_notes(told, ())

    def _without_notes(self, told: Mapping[str, Any], path: Place) -> dict[str, Any]:
        kept = {}
        for name, one in told.items():
            if name.startswith("_"):
                self.notes[(*path, name)] = one
            else:
                kept[name] = self._cleaned(one, (*path, name))
        return kept

    def _cleaned(self, one: Any, path: Place) -> Any:
        if isinstance(one, dict):
            return self._without_notes(one, path)
        return [self._cleaned(inner, (*path, at)) for at, inner in enumerate(one)] if isinstance(one, list) else one

    def line(self, *path: str | int) -> int:
        """The line of a field, or of the nearest thing around it that has one."""
        whole = (*self.place, *path)
        while whole and whole not in self.block.lines:
            whole = whole[:-1]
        return self.block.lines.get(whole, self.block.begins)

    def lines(self) -> dict[Place, int]:
        """The lines of all fields, by their path below this table."""
        depth = len(self.place)
        return {path[depth:]: at for path, at in self.block.lines.items() if path[:depth] == self.place}

    def wrong(self, path: Place, value: object) -> NoReturn:
        """Refuses a value, telling what should stand there."""
        named = next((part for part in reversed(path) if isinstance(part, str)), "")
        expected = EXPECTED.get(named, "")
        raise HistoryError(
            "history.value", line=self.line(*path), key=dotted(path), value=shown(value), expected=expected
        )

    def missing(self, path: Place) -> NoReturn:
        """Refuses a table without a field that it must have; the last block of a file is more likely cut short."""
        if self.block.last and self.block.kind in ("round", "rules", "reveal"):
            raise HistoryError("history.torn", line=max(self.block.lines.values()), begins=self.block.begins)
        raise HistoryError("history.missing", line=self.line(*path[:-1]), key=dotted(path))

    def unknown(self, path: Place, among: Sequence[str] = ()) -> NoReturn:
        """Refuses a field that does not belong here."""
        near = nearest(str(path[-1]), among or EXPECTED)
        code = "history.unknown_field_near" if near else "history.unknown_field"
        raise HistoryError(code, line=self.line(*path), key=dotted(path), nearest=near)

    def only(self, *names: str) -> None:
        """Refuses any field but these."""
        for name in self.told:
            if name not in names:
                self.unknown((name,), names)

    def shaped(self, shape: type[T]) -> T:
        """The table as that shape; refuses what does not fit with its line."""
        try:
            return msgspec.convert(self.told, shape)
        except msgspec.ValidationError as fault:
            path = self.misfit(str(fault))
            self.wrong(path, self._value(path))

    def misfit(self, why: str, below: Place = ()) -> Place:
        """The path that a message of msgspec's names; refuses at once a field that is missing or not known."""
        path = (*below, *path_of(why))
        named = re.search(r"(missing required|contains unknown) field `(.*)`", why)
        if named is not None:
            refuse = self.missing if named[1].startswith("missing") else self.unknown
            refuse((*path, named[2]))
        return path

    def _value(self, path: Place) -> object:
        one: Any = self.told
        for part in path:
            one = one[part]
        return one


def path_of(why: str) -> Place:
    """The path that msgspec names: ``$.boxes[0].stake``."""
    _, _, told = why.rpartition(" - at `$")
    return tuple(int(at) if at else name for name, at in re.findall(r"\.(\w+)|\[(\d+)\]", told))


def dotted(path: Place) -> str:
    """A path as a sentence has it: ``boxes[1].stake``, counted from 1."""
    return shown("".join(f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in path).lstrip("."))
