"""Identities: guests of the web table, their names, and the phrases that bring them back.

Nothing about a person is kept but the name that he chose and, if he asked for one, the hash of a recovery phrase.
"""

from __future__ import annotations

from itertools import count

from sqlalchemy import insert, select, update

from tapete.errors import Refused
from tapete.store import ledger, people
from tapete.store.link import Link
from tapete.store.people import Person
from tapete.store.schema import people as people_table
from tapete.store.schema import phrases


def free_name(link: Link, name: str) -> str:
    """The tidy name itself, or with the smallest number behind it that nobody has."""
    if people.find(link, name) is None:
        return name
    for number in count(2):
        tail = f" {number}"
        numbered = name[: people.NAME_LENGTH - len(tail)].rstrip() + tail
        if people.find(link, numbered) is None:
            return numbered
    raise AssertionError("numbers do not end")


def rename(link: Link, person: int, name: str) -> Person:
    """The person under a new name.

    Raises BadInput as :func:`people.tidy_name`, Refused ``person.name_taken``, ``person.at_table`` with chips at one.
    """
    tidy = people.tidy_name(name)
    people.get(link, person)
    holder = people.find(link, tidy)
    if holder is not None and holder.id != person:
        raise Refused("person.name_taken", name=tidy, free=free_name(link, tidy))
    if ledger.sits_somewhere(link, person):
        raise Refused("person.at_table")
    new = update(people_table).where(people_table.c.id == person)
    link.change(new.values(name=tidy, key=people.key_of(tidy)))
    return Person(person, tidy)


def keep_phrase(link: Link, person: int, digest: str) -> None:
    """Keep the hash of a person's recovery phrase in place of an earlier one."""
    people.get(link, person)
    found = link.row(select(phrases.c.person_id).where(phrases.c.person_id == person))
    if found is None:
        link.change(insert(phrases).values(person_id=person, hash=digest))
    else:
        link.change(update(phrases).where(phrases.c.person_id == person).values(hash=digest))


def of_phrase(link: Link, digest: str) -> Person:
    """Whose phrase has that hash. Raises Refused ``identity.phrase_unknown``."""
    row = link.row(select(phrases.c.person_id).where(phrases.c.hash == digest))
    if row is None:
        raise Refused("identity.phrase_unknown")
    return people.get(link, row.person_id)
