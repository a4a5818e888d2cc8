"""Names: who is the same person, and which names are refused."""

from __future__ import annotations

import pytest

from tapete.errors import BadInput, Refused
from tapete.store import NAME_LENGTH, STARTING, Store, rack


def test_a_new_person_starts_with_a_thousand_chips(store: Store) -> None:
    assert store.balance(store.person("Ana").id) == STARTING == 1000 * 100


@pytest.mark.parametrize(
    "again", ["ana maría", "ANA MARÍA", "  Ana María ", "Ana  María", "Ana Mari\u0301a", "Ａｎａ María"]
)
def test_another_spelling_is_the_same_person(store: Store, again: str) -> None:
    first = store.person("Ana María")
    assert store.person(again) == first
    assert store.people() == [first]


@pytest.mark.parametrize(("one", "other"), [("Ana", "Anna"), ("José", "Jose"), ("Ñu", "Nu"), ("Ana", "Ana 2")])
def test_different_names_are_different_people(store: Store, one: str, other: str) -> None:
    assert store.person(one) != store.person(other)


@pytest.mark.parametrize("name", ["Ana", "O'Brien", "王小明", "Ελένη", "🂡", "1", "x" * NAME_LENGTH, "é" * NAME_LENGTH])
def test_names_of_the_world_are_kept_as_written(store: Store, name: str) -> None:
    assert store.person(name).name == name


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "person.name_empty"),
        (" \t\n\u00a0", "person.name_empty"),
        ("x" * (NAME_LENGTH + 1), "person.name_long"),
        ("An\x00a", "person.name_unprintable"),
        ("An\ta", "person.name_unprintable"),
        ("Ana\x1b[2J", "person.name_unprintable"),
        ("Ana\u202eanA", "person.name_unprintable"),  # turns the rest of the line around
        ("An\u200ba", "person.name_unprintable"),  # looks like Ana
        ("An\u00a0a", "person.name_unprintable"),
        ("\u3164", "person.name_unprintable"),  # a letter that looks like nothing
        ("\ud800", "person.name_unprintable"),
    ],
)
def test_a_name_that_cannot_be_told_apart_or_shown_is_refused(store: Store, name: str, code: str) -> None:
    with pytest.raises(BadInput) as caught:
        store.person(name)
    assert caught.value.code == code
    assert str(caught.value).isprintable()
    assert store.people() == []


def test_reset_brings_back_the_starting_chips_from_less_and_from_more(store: Store, table: int) -> None:
    poor, rich = store.person("Ana").id, store.person("Eva").id
    store.sit(poor, table=table, amount=60_000)
    with store.transaction() as deeds:
        from_rack = {rack(poor, table=table): -60_000, rack(rich, table=table): 60_000}
        deeds.sit(rich, table=table, amount=0)
        deeds.move(from_rack, why="round", table=table)
    for person in (poor, rich):
        store.leave(person, table=table)
        store.reset(person)
        assert store.balance(person) == STARTING
    assert store.audit().faults == ()


def test_reset_is_refused_while_sitting_even_with_all_chips_on_the_felt(store: Store, table: int) -> None:
    person = store.person("Ana").id
    store.sit(person, table=table, amount=0)
    with pytest.raises(Refused, match=r"ledger\.chips_at_table"):
        store.reset(person)
    store.leave(person, table=table)
    store.reset(person)


def test_nobody_is_reset_who_is_not_there(store: Store) -> None:
    with pytest.raises(Refused, match=r"person\.unknown"):
        store.reset(7)
