"""Tables from TOML files and ``--set`` settings.

A file states every switch, or it starts from a preset and says only what differs::

    from = "casino"
    [title]
    en = "Our Friday table"
    [rules]
    decks = 4
    [rules.split]
    max_hands = 4
    [clauses]
    "split.max_hands" = "house rule 7"

``from`` names one of the shipped presets, never another file: a file and a version of Tapete are then the whole truth
about a table. Amounts are chips, ratios ``"3:2"``, sets ``[9, 10, 11]``, and ``"none"`` where a value may be absent.
``clauses`` says where the house's text has each rule, so that a refused move can cite it; a switch that a file or a
setting changes loses the clause of the preset, and the table its description. All faults of a file are reported
together, each with its line.
"""

from __future__ import annotations

import functools
import os
import re
import stat
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from importlib.resources import files
from pathlib import Path
from typing import Final, cast

import msgspec

from tapete.errors import BadInput, TapeteError
from tapete.messages import why
from tapete.rulecheck import Fault, faults, idle, taking_along
from tapete.rules import GROUPS, KEYS, RuleSet, Value, get, nearest, with_
from tapete.rulevalues import from_text, from_toml, shown, to_text
from tapete.tomlplaces import Path as Place
from tapete.tomlplaces import places

MAX_BYTES: Final = 1 << 20
MOST_FAULTS: Final = 50
"""More faults than these are counted, not listed."""
FOUNDING: Final = ("casino", "british", "leaflet", "faceup", "home")
"""The five tables of the written pages, in the order of the pages."""
SETTINGS: Final = "--set"
"""Stands for the file in the faults of settings."""

_TOP: Final = ("id", "from", "title", "description", "rules", "clauses")
_ID: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,39}", re.ASCII)
_MAX_TEXT: Final = 2000
_LANGUAGES: Final = ("en", "es")


class Text(msgspec.Struct, frozen=True):
    """A text in the languages of Tapete."""

    en: str = ""
    es: str = ""

    def in_(self, language: str) -> str:
        """The text in ``en`` or ``es``, in the other one if it was not given."""
        return (self.es or self.en) if language == "es" else (self.en or self.es)


class Preset(msgspec.Struct, frozen=True, kw_only=True):
    """A table as its file states it.

    ``clauses`` gives the places in the house's text for each switch; ``source`` is the file, or the id of a shipped
    preset; ``base`` is the preset it started from, "" if it states everything itself.
    """

    id: str
    title: Text
    description: Text
    clauses: Mapping[str, tuple[str, ...]]
    rules: RuleSet
    source: str
    base: str = ""


class RuleFileError(TapeteError):
    """A table that cannot be used, with all its ``faults``; each has a code and facts of its own."""

    def __init__(self, source: str, found: Sequence[Fault]) -> None:
        super().__init__("rules.refused", file=source, count=len(found))
        self.source = source
        self.faults = tuple(found)

    def __str__(self) -> str:
        return "; ".join(f"{one.file}:{one.line or '-'}: {one.code} {one.key} = {one.value}" for one in self.faults)


# --- shipped presets -----------------------------------------------------------------------------------------------


@functools.cache
def presets() -> tuple[str, ...]:
    """The ids of the shipped tables: the five of the written pages, then the others of the world by name."""
    names = {one.name[:-5] for one in (files("tapete") / "presets").iterdir() if one.name.endswith(".toml")}
    return FOUNDING + tuple(sorted(names.difference(FOUNDING)))


@functools.cache
def preset(preset_id: str) -> Preset:
    """A shipped table. Raises BadInput ``rules.unknown_table``."""
    if preset_id not in presets():
        raise _unknown_table(preset_id)
    text = (files("tapete") / "presets" / f"{preset_id}.toml").read_text(encoding="utf-8")
    return read(text, source=preset_id)


def _unknown_table(name: str) -> BadInput:
    near = nearest(name, presets())
    code = "rules.unknown_table_near" if near else "rules.unknown_table"
    return BadInput(code, table=shown(name), nearest=near, allowed=presets())


# --- getting at a table --------------------------------------------------------------------------------------------


def load(path: str | Path) -> Preset:
    """The table of a file. Raises RuleFileError with everything that is wrong with it."""
    source = str(path)
    return read(_decoded(_bytes(source), source), source=source)


def resolve(name_or_path: str, settings: Sequence[str] = ()) -> Preset:
    """The table that a command line means: a preset's id or a file, with ``key=value`` settings laid over it.

    Whatever looks like a path (has a separator, ends in .toml, or exists) is a file unless a preset has its name.
    Raises RuleFileError, or BadInput ``rules.unknown_table``.
    """
    if name_or_path in presets():
        found = preset(name_or_path)
    elif _looks_like_path(name_or_path):
        found = load(name_or_path)
    else:
        raise _unknown_table(name_or_path)
    return set_(found, settings) if settings else found


def _looks_like_path(name: str) -> bool:
    try:
        return "/" in name or os.sep in name or name.endswith(".toml") or Path(name).exists()
    except (OSError, ValueError):
        return False


def set_(base: Preset, settings: Sequence[str]) -> Preset:
    """A table with ``key=value`` settings laid over it; they say no more than what differs, as a file with ``from``."""
    told: dict[str, Value] = {}
    wrong: list[Fault] = []
    for setting in settings:
        key, found = _setting(setting)
        if isinstance(found, Fault):
            wrong.append(found)
        elif key in told:
            wrong.append(Fault(code="rules.setting_twice", key=key, value=shown(setting)))
        else:
            told[key] = found
    return _changed(base, told, wrong, source=SETTINGS, lines={})


def _setting(setting: str) -> tuple[str, Value | Fault]:
    key, equals, text = (part.strip() for part in setting.partition("="))
    if not equals or not key:
        return key, Fault(code="rules.setting_unreadable", key=key[:80], value=shown(setting))
    if key not in KEYS:
        return key, _unknown(key, text)
    return key, from_text(key, text)


def _unknown(key: str, value: object) -> Fault:
    near = nearest(key, (*KEYS, *GROUPS))
    code = "rules.unknown_key_near" if near else "rules.unknown_key"
    return Fault(code=code, key=shown(key), value=shown(value), told=(("nearest", near),))


# --- bytes and text ------------------------------------------------------------------------------------------------


def _bytes(source: str) -> bytes:
    try:
        mode = Path(source).stat().st_mode
        if not stat.S_ISREG(mode):
            raise _refuse(source, "rules.file_is_folder" if stat.S_ISDIR(mode) else "rules.file_not_regular")
        with Path(source).open("rb") as opened:
            content = opened.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise _refuse(source, "rules.file_missing") from None
    except (OSError, ValueError) as problem:
        raise _refuse(source, "rules.file_unreadable", ("why", why(problem))) from None
    if len(content) > MAX_BYTES:
        raise _refuse(source, "rules.file_too_big", ("most", MAX_BYTES))
    return content


def _refuse(source: str, code: str, *told: tuple[str, object], line: int | None = None) -> RuleFileError:
    return RuleFileError(source, (Fault(code=code, file=source, line=line, told=(("file", source), *told)),))


def _decoded(content: bytes, source: str) -> str:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = content.count(b"\n", 0, problem.start) + 1
        raise _refuse(source, "rules.file_not_utf8", line=line) from None
    if "\0" in text:
        raise _refuse(source, "rules.file_has_nul", line=text.count("\n", 0, text.index("\0")) + 1)
    return text.replace("\r\n", "\n")


_AT: Final = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)")


def _parsed(text: str, source: str) -> tuple[dict[str, object], dict[Place, int]]:
    try:
        lines = places(text)
        return tomllib.loads(text, parse_float=Decimal), lines
    except BadInput as problem:
        raise _refuse(
            source, problem.code, ("most", problem.facts["most"]), line=cast(int, problem.facts["line"])
        ) from None
    except (ValueError, ArithmeticError, RecursionError) as problem:
        why, at = str(problem), _AT.search(str(problem))
        line = int(at[1]) if at and at[1] else text.count("\n") + 1 if at else None
        raise _refuse(source, "toml.unreadable", ("why", shown(_AT.sub("", why))), line=line) from None


def read_bytes(content: bytes, *, source: str) -> Preset:
    """The table of a TOML file that somebody sent; ``source`` is what the faults call it. Raises RuleFileError."""
    return read(_decoded(content, source), source=source)


# --- a file's tables -----------------------------------------------------------------------------------------------


def read(text: str, *, source: str) -> Preset:
    """The table of a TOML text; ``source`` is what the faults call it. Raises RuleFileError."""
    told, lines = _parsed(text, source)
    reader = _Reader(told, source, lines)
    return reader.preset()


class _Reader:
    """One file: what it says, and the faults found so far."""

    def __init__(self, told: Mapping[str, object], source: str, lines: Mapping[Place, int]) -> None:
        self.told = told
        self.source = source
        self.lines = lines
        self.wrong: list[Fault] = []

    def preset(self) -> Preset:
        """The table, or RuleFileError."""
        for key in self.told:
            if key not in _TOP:
                self._unknown_top(key)
        base = self._base()
        changes = dict(self._switches(self._table("rules")))
        clauses = dict(self._clauses(self._table("clauses")))
        named = self._named(base)
        lines = {key: line for key in KEYS if (line := self._line("rules", *key.split(".")))}
        if base is None and "from" not in self.told:
            self._must_state_all(changes)
        whole = base or Preset(id="", title=Text(), description=Text(), clauses={}, rules=RuleSet(), source="")
        found = _changed(whole, changes, self.wrong, source=self.source, lines=lines, differing=base is not None)
        return msgspec.structs.replace(found, clauses={**found.clauses, **clauses}, **named)

    def _line(self, *path: str | int) -> int | None:
        return self.lines.get(path)

    def _fault(self, code: str, key: str, value: object, *told: tuple[str, object], line: int | None) -> None:
        self.wrong.append(Fault(code=code, key=shown(key), value=shown(value), told=told, line=line))

    def _unknown_top(self, key: str) -> None:
        """A key beside the tables; often a switch whose [rules] line was forgotten."""
        near = key if key in KEYS or key in GROUPS else nearest(key, (*_TOP, *KEYS, *GROUPS))
        near = near if near in _TOP or not near else f"rules.{near}"
        code = "rules.unknown_key_near" if near else "rules.unknown_key"
        self._fault(code, key, self.told[key], ("nearest", near), line=self._line(key))

    def _table(self, name: str) -> Mapping[str, object]:
        found = self.told.get(name, {})
        if isinstance(found, dict):
            return found
        self._fault("rules.needs_table", name, found, ("header", name), line=self._line(name))
        return {}

    def _base(self) -> Preset | None:
        name = self.told.get("from")
        if name is None:
            return None
        if isinstance(name, str) and name in presets():
            return preset(name)
        near = nearest(name, presets()) if isinstance(name, str) else ""
        code = "rules.from_near" if near else "rules.from_unknown"
        told = (("nearest", near), ("allowed", presets()))
        self._fault(code, "from", name, *told, line=self._line("from"))
        return None

    def _switches(self, table: Mapping[str, object]) -> Iterator[tuple[str, Value]]:
        for name, raw in table.items():
            if name not in GROUPS:
                yield from self._switch(name, raw, self._line("rules", name))
            elif isinstance(raw, dict):
                for inner, value in raw.items():
                    yield from self._switch(f"{name}.{inner}", value, self._line("rules", name, inner))
            else:
                header = ("header", f"rules.{name}")
                self._fault("rules.needs_table", name, raw, header, line=self._line("rules", name))

    def _switch(self, key: str, raw: object, line: int | None) -> Iterator[tuple[str, Value]]:
        if key not in KEYS:
            near = nearest(key, (*KEYS, *GROUPS)) if len(self.wrong) < MOST_FAULTS else ""
            code = "rules.unknown_key_near" if near else "rules.unknown_key"
            self._fault(code, key, raw, ("nearest", near), line=line)
            return
        found = from_toml(key, raw)
        if isinstance(found, Fault):
            self.wrong.append(msgspec.structs.replace(found, line=line))
        else:
            yield key, found

    def _must_state_all(self, changes: Mapping[str, Value]) -> None:
        wrong = {fault.key for fault in self.wrong}
        missing = tuple(key for key in KEYS if key not in changes and key not in wrong)
        if missing:
            self._fault("rules.unstated", "rules", "", ("missing", missing), line=self._line("rules"))

    def _clauses(self, table: Mapping[str, object]) -> Iterator[tuple[str, tuple[str, ...]]]:
        for key, raw in table.items():
            line = self._line("clauses", key)
            ids = [raw] if isinstance(raw, str) else raw
            if key not in KEYS:
                self.wrong.append(msgspec.structs.replace(_unknown(key, raw), line=line))
            elif not isinstance(ids, list) or not all(isinstance(one, str) and one.isprintable() for one in ids):
                self._fault("rules.needs_clause", key, raw, line=line)
            else:
                yield key, tuple(one[:80] for one in ids)

    def _named(self, base: Preset | None) -> dict[str, object]:
        """Id, title and description as far as the file states them; the id is its own name otherwise."""
        stem = re.sub(r"[^a-z0-9]+", "-", Path(self.source).stem.lower()).strip("-")[:40] or "table"
        own = self.told.get("id", stem)
        if not isinstance(own, str) or not _ID.fullmatch(own):
            self._fault("rules.needs_id", "id", own, line=self._line("id"))
        title = self._text("title", base.title if base else Text(en=str(own), es=str(own)))
        return {
            "id": own,
            "title": title,
            "description": self._text("description", base.description if base else Text()),
        }

    def _text(self, name: str, otherwise: Text) -> Text:
        if name not in self.told:
            return otherwise
        said = {language: text for language, text in self._table(name).items() if self._may_say(name, language, text)}
        return Text(**cast(dict[str, str], said))

    def _may_say(self, name: str, language: str, text: object) -> bool:
        line = self._line(name, language)
        if language not in _LANGUAGES:
            near = (("nearest", nearest(language, _LANGUAGES)), ("allowed", _LANGUAGES))
            self._fault("rules.needs_language", f"{name}.{language}", text, *near, line=line)
        elif not isinstance(text, str) or len(text) > _MAX_TEXT or not text.replace("\n", "").isprintable():
            self._fault("rules.needs_sentence", f"{name}.{language}", text, ("high", _MAX_TEXT), line=line)
        else:
            return True
        return False


# --- changes laid over a table -------------------------------------------------------------------------------------


def _changed(
    base: Preset,
    changes: Mapping[str, Value],
    wrong: Sequence[Fault],
    *,
    source: str,
    lines: Mapping[str, int],
    differing: bool = True,
) -> Preset:
    """``base`` with ``changes``, unless anything is wrong with them or with what comes of them.

    ``differing`` says that the changes are meant as differences, so that each must make one.
    """
    rules = taking_along(with_(base.rules, changes), changes)
    bad = {fault.key for fault in wrong}
    found = [*wrong, *(fault for fault in faults(rules) if bad.isdisjoint((fault.key, *fault.others)))]
    if differing:
        told = {fault.key for fault in found}
        found += (one for one in _without_effect(base.rules, rules, changes) if one.key not in told)
    if found:
        raise RuleFileError(source, _told(found, source, lines))
    kept = {key: ids for key, ids in base.clauses.items() if get(base.rules, key) == get(rules, key)}
    own = base if source == SETTINGS else msgspec.structs.replace(base, source=source, base=base.id)
    description = base.description if rules == base.rules else Text()
    return msgspec.structs.replace(own, rules=rules, clauses=kept, description=description)


def _without_effect(before: RuleSet, after: RuleSet, changes: Iterable[str]) -> Iterator[Fault]:
    """Stated changes that promise what the table will not do.

    Going back to a switch's ordinary value promises nothing, and a change that had to be made has its effect.
    """
    resting, ordinary = idle(after), RuleSet()
    for key in changes:
        old, new = get(before, key), get(after, key)
        if key in resting and new not in (old, get(ordinary, key)) and not faults(with_(after, {key: old})):
            because = resting[key]
            told = (("other", because), ("other_value", to_text(because, get(after, because))))
            yield Fault(code="rules.no_effect", key=key, value=to_text(key, new), others=(because,), told=told)


def _told(found: Sequence[Fault], source: str, lines: Mapping[str, int]) -> Sequence[Fault]:
    placed = [_placed(fault, source, lines) for fault in found[:MOST_FAULTS]]
    if (more := len(found) - MOST_FAULTS) > 0:
        placed.append(Fault(code="rules.more_faults", file=source, told=(("count", more),)))
    return sorted(placed, key=lambda fault: (fault.line is None, fault.line or 0))


def _placed(fault: Fault, source: str, lines: Mapping[str, int]) -> Fault:
    """A collision stands where the first of its switches is stated."""
    stated = (lines[key] for key in (fault.key, *fault.others) if key in lines)
    line = fault.line or next(stated, None)
    return msgspec.structs.replace(fault, file=source, line=line, told=(("file", source), *fault.told))
