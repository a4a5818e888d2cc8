"""People: who a name is, and which names are accepted."""

from __future__ import annotations

import time
import unicodedata
from typing import Any, Final, NamedTuple

from sqlalchemy import Row, insert, select

from tapete.errors import BadInput, Refused
from tapete.store.link import Link
from tapete.store.schema import people

NAME_LENGTH: Final = 40
_BLANKS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters and symbols that print as nothing


class Person(NamedTuple):
    """A person known to this data folder, with the name as first written."""

    id: int
    name: str


def tidy_name(text: str) -> str:
    """``text`` as a name is kept: NFC, one space between words, none around.

    >>> tidy_name("  Ana  María ")
    'Ana María'

    Raises BadInput ``person.name_empty``, ``person.name_long`` or ``person.name_unprintable``.
    """
    name = unicodedata.normalize("NFC", text).strip()
    if not name:
        raise BadInput("person.name_empty")
    if not name.isprintable() or not _BLANKS.isdisjoint(name):
        raise BadInput("person.name_unprintable", name=ascii(name[:NAME_LENGTH]))
    name = " ".join(name.split())
    if len(name) > NAME_LENGTH:
        raise BadInput("person.name_long", longest=NAME_LENGTH, length=len(name))
    return name


def key_of(name: str) -> str:
    """What two spellings of one person's name share: letters without case and without width."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return unicodedata.normalize("NFKC", folded)


def find(link: Link, name: str) -> Person | None:
    """The person of that name, if there is one."""
    return _person(link.row(select(people).where(people.c.key == key_of(name))))


def get(link: Link, person: int) -> Person:
    """The person with that id. Raises Refused ``person.unknown``."""
    found = _person(link.row(select(people).where(people.c.id == person)))
    if found is None:
        raise Refused("person.unknown", person=person)
    return found


def everyone(link: Link) -> list[Person]:
    """All people, in the order in which they first came."""
    rows = link.rows(select(people).order_by(people.c.id))
    return [Person(row.id, row.name) for row in rows]


def add(link: Link, name: str) -> Person:
    """A new person of that tidy name."""
    new = insert(people).values(name=name, key=key_of(name), at=int(time.time()))
    return Person(link.add(new), name)


def _person(row: Row[Any] | None) -> Person | None:
    return None if row is None else Person(row.id, row.name)
