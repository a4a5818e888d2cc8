"""Complaints: an error as the sentences that a person reads, each with its place in a file."""

from __future__ import annotations

from tapete.errors import TapeteError
from tapete.rulefile import SETTINGS, RuleFileError
from tapete.words import Words


def sentences(error: TapeteError, words: Words) -> list[str]:
    """What is wrong: one sentence, or one for each fault of a rule file."""
    if isinstance(error, RuleFileError):
        return [_at(fault.file, fault.line) + words.reason(fault.code, **fault.facts) for fault in error.faults]
    return [words.explain(error)]


def _at(file: str, line: int | None) -> str:
    if file in ("", SETTINGS):
        return ""
    return f"{file}:{line}: " if line else f"{file}: "
