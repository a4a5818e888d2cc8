"""Rounds: what a table played, told again step by step, to keep, and to share.

Only the public view of a round ever leaves: cards that were never turned up are not in a record. Other people are
named by their box; one's own name stays.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Final

import msgspec

from tapete import history, telling
from tapete.errors import Refused
from tapete.events import Over
from tapete.fairness import ShoeRecord
from tapete.history import History, Record
from tapete.history.records import Table as NamedRules
from tapete.history.writing import HEADER, table_block
from tapete.keeping import read_event
from tapete.rulefile import Preset
from tapete.server.about import about
from tapete.server.live import Config
from tapete.stakes import Lock, laid, nets
from tapete.state import Round
from tapete.store import Store
from tapete.table import Person, Sat, ShoeRetired, Table
from tapete.view import view
from tapete.words import LANGUAGES, Words, words

_RETIRED: Final = b'"ShoeRetired"'


class Played(msgspec.Struct, frozen=True):
    """One finished round of a table, with the shoe's reveal if that is out."""

    preset: Preset
    record: Record
    reveal: ShoeRecord | None


def played(store: Store, which: int, preset: Preset, *, number: int) -> Played:
    """The round with that number. Raises Refused ``round.unknown`` for one that is not over, or forgotten."""
    text = store.rounds(which, after=number - 1).get(number) if number > 0 else None
    if text is None:
        raise Refused("round.unknown", number=number)
    whole = history.loads("\n".join([HEADER, table_block(NamedRules.of(preset)), text]))
    record = whole.records[0]
    return Played(preset, record, _reveal(store, which, record))


def lately(store: Store, which: int, preset: Preset, *, most: int) -> History:
    """The last finished rounds of a table with their shoes’ reveals. Raises Refused ``round.unknown`` for none."""
    texts = list(store.rounds(which).values())[-most:]
    if not texts:
        raise Refused("round.unknown", number=1)
    whole = history.loads("\n".join([HEADER, table_block(NamedRules.of(preset)), *texts]))
    named = {record.shoe.id for record in whole.records if record.shoe is not None}
    return History.of(whole.records, reveals=[shoe for shoe in _reveals(store, which) if shoe.id in named])


def _reveal(store: Store, which: int, record: Record) -> ShoeRecord | None:
    if record.shoe is None:
        return None
    return next((shoe for shoe in _reveals(store, which) if shoe.id == record.shoe.id), None)


def _reveals(store: Store, which: int) -> Iterator[ShoeRecord]:
    for kept in store.events(which):
        if _RETIRED in kept.payload:
            event = read_event(kept.payload)
            if isinstance(event, ShoeRetired):
                yield event.record


def public(one: Played, *, keep: Collection[str]) -> History:
    """The round as a history that names nobody but ``keep``."""
    reveals = () if one.reveal is None else (one.reveal,)
    return history.anonymous(History.of([one.record], reveals=reveals), keep=keep)


def told(one: Played, *, keep: Collection[str]) -> dict[str, Any]:
    """The round for a page: its table, its steps with their sentences and views, its results, its shoe."""
    whole = public(one, keep=keep)
    record = whole.records[0]
    return {
        "number": record.number,
        "title": {language: one.preset.title.in_(language) for language in LANGUAGES},
        "rules": record.table.digest,
        "about": about(Config(one.preset, "")),
        "steps": steps(record),
        "results": record.statements,
        "bank": -sum(nets(record.statements).values()),
        "shoe": record.shoe,
        "first": record.first,
        "reveal": one.reveal,
    }


def steps(record: Record) -> list[dict[str, Any]]:
    """Every step of a round: the line of the history, the sentence in each language, the table as anyone saw it."""
    found = []
    before: Round | None = None
    for step in history.replay(record):
        found.append(
            {
                "line": step.text,
                "text": {language: sentence(before, step, words(language)) for language in LANGUAGES},
                "view": view(_table(record, step.round_)),
            }
        )
        before = step.round_
    return found


def sentence(before: Round | None, step: history.Step, say: Words) -> str:
    """What happened in a step, and what it settled; each bettor's sum at the end."""
    lines = [telling.event_text(before, step.event, step.round_, say)]
    lines += [telling.statement_text(step.round_, one, say) for one in telling.new_results(before, step.round_)]
    if type(step.round_.waits) is Over:
        lines += telling.sum_texts(step.round_.statements, say)
    return "\n".join(lines)


def _table(record: Record, round_: Round) -> Table:
    """The table around a round that is told again: nobody but those who had a bet."""
    over = type(round_.waits) is Over
    won = nets(round_.statements) if over else {}
    people = [Person(name, spare + _staked(record.lock, name) + won.get(name, 0)) for name, spare in record.lock.spare]
    return Table(
        record.table.rules,
        people=tuple(people),
        seats=tuple(Sat(box.holder, box.box) for box in record.lock.boxes),
        shoe=record.shoe,
        spent=(record.first or 0, round_.dealt if over else 0),
        round=round_,
        number=record.number,
    )


def _staked(lock: Lock, name: str) -> int:
    return laid(lock)[name]
