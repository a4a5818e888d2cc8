"""Tables of rules as a history states them: every switch, under the digest of all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from tapete.errors import BadInput
from tapete.history.faults import HistoryError
from tapete.history.fields import Part
from tapete.history.lines import is_name
from tapete.history.records import Table
from tapete.rulecheck import Fault, faults
from tapete.rulefile import Text
from tapete.rules import GROUPS, KEYS, RuleSet, Value, digest, with_
from tapete.rulevalues import from_toml, shown

MAX_TITLE: Final = 2000
"""As long as a rule file's own."""


def read_table(part: Part, name: str) -> Table:
    """The table that stands under the digest ``name``. Raises HistoryError."""
    told = dict(part.told)
    called, title = told.pop("id", "table"), told.pop("title", {})
    if not is_name(called):
        part.wrong(("id",), called)
    found = dict(_switches(part, told))
    for key in KEYS:
        if key not in found:
            part.missing((key,))
    rules = with_(RuleSet(), found)
    for fault in faults(rules):
        raise _faulty(part, fault)
    if digest(rules) != name:
        raise HistoryError("history.digest_differs", line=part.line(), stated=shown(name), due=digest(rules))
    return Table(rules=rules, id=called, title=_title(part, title), notes=part.notes)


def _title(part: Part, told: object) -> Text:
    if not isinstance(told, dict) or not all(name in ("en", "es") for name in told):
        part.wrong(("title",), told)
    for name, text in told.items():
        if not isinstance(text, str) or len(text) > MAX_TITLE or not text.replace("\n", "").isprintable():
            part.wrong(("title", name), text)
    return Text(**told)


def _switches(part: Part, told: Mapping[str, Any]) -> Iterator[tuple[str, Value]]:
    for name, one in told.items():
        if name not in GROUPS:
            yield _switch(part, name, one)
        elif not isinstance(one, dict):
            part.unknown((name,), KEYS)
        else:
            for inner, value in one.items():
                yield _switch(part, f"{name}.{inner}", value)


def _switch(part: Part, name: str, one: object) -> tuple[str, Value]:
    path = tuple(name.split("."))
    if name not in KEYS:
        part.unknown(path, KEYS)
    found = from_toml(name, one)
    if isinstance(found, Fault):
        raise _faulty(part, found)
    return name, found


def _faulty(part: Part, fault: Fault) -> HistoryError:
    error = HistoryError(
        "history.rules_faulty", line=part.line(*fault.key.split(".")), key=fault.key, value=fault.value
    )
    error.__cause__ = BadInput(fault.code, **fault.facts)
    return error
