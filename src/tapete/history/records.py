"""What a history holds: the tables it was played at, its rounds, the secrets of shoes that were retired.

Everything here is plain and frozen. ``notes`` are annotations, by their path below the thing they belong to; the last
part of the path is the field's own name and begins with ``_``: ``("boxes", 0, "_colour")``. ``lines`` tells where each
field stood in the file it was read from; it has no part in equality.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from msgspec.structs import replace as changed

from tapete.errors import Refused
from tapete.events import Decided, Event, Over
from tapete.fairness import ShoeRecord
from tapete.rulefile import Preset, Text
from tapete.rules import RuleSet, digest
from tapete.stakes import Backing, BoxStake, Lock, Statement
from tapete.state import Round
from tapete.tomlplaces import Path as Place

Notes = Mapping[Place, object]
Lines = Mapping[Place, int]
NOTHING: Final[Notes] = {}
NO_TITLE: Final = Text()


@dataclass(frozen=True, kw_only=True)
class Table:
    """A rule set as a history names it: the id and the title of the table that was played, and all its switches."""

    rules: RuleSet
    id: str = "table"
    title: Text = NO_TITLE
    notes: Notes = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """The digest of the rule set, under which the file has it."""
        return digest(self.rules)

    @classmethod
    def of(cls, preset: Preset) -> Table:
        """The table of a preset or a rule file."""
        return cls(rules=preset.rules, id=preset.id, title=preset.title)


@dataclass(frozen=True, kw_only=True)
class Record:
    """One finished round. ``events`` are those behind the lock; ``statements`` the results as they were told.

    ``shoe`` is what was public about the shoe when the round was written, ``first`` the place of the round's first
    card in it; both are None where nothing is known.
    """

    number: int
    table: Table
    lock: Lock
    events: tuple[Event, ...]
    statements: tuple[Statement, ...]
    shoe: ShoeRecord | None = None
    first: int | None = None
    notes: Notes = field(default_factory=dict)
    lines: Lines = field(default_factory=dict, compare=False, repr=False)

    def line(self, *place: str | int) -> int | None:
        """The line where a field of the round stood, or what holds it; None if the round was not read from a file."""
        while place not in self.lines and place:
            place = place[:-1]
        return self.lines.get(place)


@dataclass(frozen=True, kw_only=True)
class History:
    """A file: tables by digest, rounds in order, and the records of shoes whose secret came out later."""

    tables: Mapping[str, Table] = field(default_factory=dict)
    records: tuple[Record, ...] = ()
    reveals: tuple[ShoeRecord, ...] = ()
    notes: Notes = field(default_factory=dict)
    reveal_lines: tuple[int, ...] = field(default=(), compare=False, repr=False)

    @classmethod
    def of(cls, records: Iterable[Record], *, reveals: Iterable[ShoeRecord] = ()) -> History:
        """The history of these rounds, with the tables they were played at."""
        every = tuple(records)
        return cls(tables={one.table.digest: one.table for one in every}, records=every, reveals=tuple(reveals))


def record_of(
    round_: Round,
    events: Iterable[Event],
    *,
    number: int,
    table: Table | Preset,
    shoe: ShoeRecord | None = None,
    first: int | None = None,
    notes: Notes = NOTHING,
) -> Record:
    """The record of a round that is over; ``events`` may begin with its lock.

    Raises Refused ``history.round_open`` while the round waits for something.
    """
    if type(round_.waits) is not Over:
        raise Refused("history.round_open", number=number)
    return Record(
        number=number,
        table=table if isinstance(table, Table) else Table.of(table),
        lock=round_.lock,
        events=tuple(_plainly(event, round_.lock) for event in events if not isinstance(event, Lock)),
        statements=round_.statements,
        shoe=shoe,
        first=first,
        notes=notes,
    )


def _plainly(event: Event, lock: Lock) -> Event:
    """The event without the name of a box's holder, who is meant where nobody is named."""
    if isinstance(event, Decided) and (event.box, event.bettor) in {(box.box, box.holder) for box in lock.boxes}:
        return changed(event, bettor="")
    return event


# --- exports that name nobody ---------------------------------------------------------------------------------------


def anonymous(history: History, *, keep: Collection[str] = ()) -> History:
    """The history with people named by their box, but for those in ``keep``; it replays to the same money.

    Annotations are left out, because they may name people.
    """
    return History(
        tables={key: replace(table, notes={}) for key, table in history.tables.items()},
        records=tuple(_unnamed(record, keep) for record in history.records),
        reveals=history.reveals,
    )


def _unnamed(record: Record, keep: Collection[str]) -> Record:
    called = _by_box(record.lock, keep)
    lock = Lock(
        tuple(_unnamed_box(box, called) for box in record.lock.boxes),
        tuple((called[name], amount) for name, amount in record.lock.spare),
    )
    return replace(
        record,
        table=replace(record.table, notes={}),
        lock=lock,
        events=tuple(_unnamed_event(event, called) for event in record.events),
        statements=tuple(changed(told, bettor=called[told.bettor]) for told in record.statements),
        notes={},
    )


def _unnamed_box(box: BoxStake, called: Mapping[str, str]) -> BoxStake:
    backers = tuple(Backing(called[one.bettor], one.amount, one.consent, one.standing) for one in box.backers)
    return BoxStake(box.box, called[box.holder], box.amount, backers)


def _unnamed_event(event: Event, called: Mapping[str, str]) -> Event:
    return changed(event, bettor=called[event.bettor]) if isinstance(event, Decided) and event.bettor else event


def _by_box(lock: Lock, keep: Collection[str]) -> dict[str, str]:
    """What each bettor is called: after the first box he holds, else the first box he backs."""
    roles = [(box.holder, f"box{box.box}") for box in lock.boxes]
    roles += [(one.bettor, f"box{box.box}-backer{at}") for box in lock.boxes for at, one in enumerate(box.backers, 1)]
    called = {name: name for name, _ in lock.spare if name in keep}
    for name, role in roles:
        while name not in called and role in called.values():
            role += "-"  # noqa: PLW2901  (somebody who keeps his name is really called "box3")
        called.setdefault(name, role)
    return called
