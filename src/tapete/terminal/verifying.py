"""Verifying files: every shoe of a history held against what its table promised, in words.

What is compared, and what that proves, stands in docs/fairness.md. Nothing is asked of a network: the file is enough.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from tapete import fairness, history
from tapete.errors import BadInput
from tapete.events import Dealt
from tapete.fairness import ShoeRecord, Verdict
from tapete.history import History, HistoryError, Record
from tapete.terminal.replaying import told
from tapete.words import N_, Words

FAIR: Final = 0
UNFAIR: Final = 1
UNREADABLE: Final = 2
HEADS: Final = {
    "ok": N_("Shoe {shoe}: OK, as promised."),
    "pending": N_("Shoe {shoe}: PENDING."),
    "mismatch": N_("Shoe {shoe}: MISMATCH, not as promised."),
}


class Finding(NamedTuple):
    """One shoe of a file: what is public about it, its rounds, and what the check found out."""

    shoe: ShoeRecord
    rounds: tuple[Record, ...]
    verdict: Verdict


def findings(told: History) -> Iterator[Finding]:
    """Every shoe of a history with the outcome of its check, in the order in which the file first names them."""
    for name, (shoe, dealt) in history.shoes_of(told).items():
        rounds = tuple(one for one in told.records if one.shoe is not None and one.shoe.id == name)
        records = [one.shoe for one in rounds if one.shoe is not None]
        records += [one for one in told.reveals if one.id == name]
        yield Finding(shoe, rounds, fairness.changed(records) or _verify(shoe, rounds, dealt))


def _verify(shoe: ShoeRecord, rounds: Sequence[Record], dealt: Sequence[fairness.Dealt]) -> Verdict:
    foreign = next((one.table for one in rounds if one.table.digest != shoe.rules), None)
    table = foreign or next((one.table for one in rounds), None)
    if table is None:
        return fairness.verify(shoe, dealt)
    return fairness.verify(shoe, dealt, rules=table.rules, digest=table.digest)


# --- the command ----------------------------------------------------------------------------------------------------


def verify(words: Words, file: str) -> int:
    """Tells of every shoe of a file whether it was as promised: 0 if none is not, 1 if one is not, 2 for a bad file."""
    if not file:
        raise BadInput("cli.needs_file")
    path = Path(file)
    try:
        found = history.load(path)
    except HistoryError as fault:
        print(told(path, fault, words), file=sys.stderr)
        return UNREADABLE
    lines, fair = report(path, found, words)
    print("\n".join(lines))
    return FAIR if fair else UNFAIR


def report(path: Path, found: History, words: Words) -> tuple[list[str], bool]:
    """What there is to say about a history that was read, and whether nothing in it is other than promised."""
    every = list(findings(found))
    lines = [f"{path}: " + words.plural("{n} shoe.", "{n} shoes.", len(every))]
    for one in every:
        lines += _told(path, found, one, words)
    broken = _broken(path, found, words)
    lines += _unnamed(found, words) + broken
    if every:
        lines.append(words.say(N_("Compare each commitment with the one that you kept from before your bets.")))
    return lines, not broken and all(one.verdict.outcome != "mismatch" for one in every)


def _told(path: Path, found: History, one: Finding, words: Words) -> Iterator[str]:
    verdict, shoe = one.verdict, one.shoe
    yield words.say(HEADS[verdict.outcome], shoe=shoe.id)
    where = f"{path}:{line}: " if verdict.outcome == "mismatch" and (line := _line(found, one)) else ""
    yield "  " + where + words.reason(verdict.code, **verdict.facts)
    yield "  " + words.plural(
        "{n} round of this file is from it.", "{n} rounds of this file are from it.", len(one.rounds)
    )
    yield "  " + _seeds(shoe, words)
    yield "  " + words.say(N_("Commitment: {commitment}"), commitment=shoe.commitment)


def _seeds(shoe: ShoeRecord, words: Words) -> str:
    if not shoe.seed_commitments:
        return words.say(N_("Nobody gave a seed, so the house could have tried out secrets."))
    opened = sum(bool(one) for one in shoe.opened)
    return words.say(N_("Seeds promised: {promised}; opened: {opened}."), promised=len(shoe.opened), opened=opened)


def _unnamed(found: History, words: Words) -> list[str]:
    """What cannot be held against any shoe."""
    count = sum(one.shoe is None or one.first is None for one in found.records)
    if not count:
        return []
    text = words.plural(
        "{n} round does not say from which shoe or place it was dealt: it cannot be verified.",
        "{n} rounds do not say from which shoe or place they were dealt: they cannot be verified.",
        count,
    )
    return [text]


def _broken(path: Path, found: History, words: Words) -> list[str]:
    """The first round that does not come to its own results: cards may be missing from it."""
    try:
        for record in found.records:
            history.validate_round(record)
    except HistoryError as fault:
        return [told(path, fault, words)]
    return []


# --- the place of a mismatch ----------------------------------------------------------------------------------------


def _line(found: History, one: Finding) -> int | None:
    """The line of the file where the mismatch shows."""
    place = one.verdict.index
    if one.verdict.code in ("verdict.card", "verdict.round") and place is not None:
        return next((line for record in one.rounds if (line := _card_line(record, place))), None)
    if one.verdict.code == "verdict.changed" and place is not None and place <= len(one.rounds):
        return one.rounds[place - 1].line("shoe")
    revealed = (line for shoe, line in zip(found.reveals, found.reveal_lines, strict=False) if shoe.id == one.shoe.id)
    return next(revealed, one.rounds[-1].line("shoe") if one.rounds else None)


def _card_line(record: Record, place: int) -> int | None:
    """The line of the event that dealt the card at a place of the shoe; None if that was another round's."""
    if record.first is None or place < record.first:
        return None
    dealt = (at for at, event in enumerate(record.events) if isinstance(event, Dealt))
    at = next(islice(dealt, place - record.first, None), None)
    return None if at is None else record.line("events", at)
