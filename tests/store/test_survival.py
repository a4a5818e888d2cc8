"""Programs are killed at any moment, or write at once: nothing is half there, nothing told is lost."""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path

import pytest

from tapete.errors import Refused
from tapete.store import STARTING, Store
from tests.databases import Place
from tests.store.programs import Program, assert_whole, program, rounds_kept

KILLS = 60


def kill_at(nursery: Program, folder: Path, *, moment: float, rounds: int = 0, url: str | None = None) -> int:
    """Let a program work and kill it ``moment`` seconds after its ``rounds``-th round; the last that it called kept."""
    nursery.tell(f"{folder.name} {url or ''}")
    born, kept = nursery.hear(), 0
    while rounds and (line := nursery.hear()):
        if line[0] == "kept":
            rounds, kept = rounds - 1, int(line[1])
    time.sleep(moment)
    os.kill(int(born[1]), signal.SIGKILL)
    while (line := nursery.hear())[0] != "dead":
        kept = int(line[1]) if line[0] == "kept" else kept
    return kept


def test_a_program_killed_at_any_moment_leaves_no_half_round_and_loses_none(place: Place) -> None:
    dice = random.Random(2)
    told, kills = 0, KILLS // (1 if place.server is None else 4)
    with program("nursery", place.folder.parent, "Ana") as nursery:
        for _ in range(kills):
            rounds = dice.randrange(1, 4)
            moment = dice.uniform(0, 0.01)
            told = max(told, kill_at(nursery, place.folder, moment=moment, rounds=rounds, url=place.url))
            with place.store() as store:
                kept = assert_whole(store)
                assert resumable_soon(store)
            assert kept in (told, told + 1)  # one more if killed between keeping it and telling of it
            told = kept
    assert told >= kills


def test_a_program_killed_while_it_makes_the_database_spoils_nothing(place: Place) -> None:
    dice = random.Random(3)
    with program("nursery", place.folder.parent, "Ana") as nursery:
        for number in range(40 if place.server is None else 12):
            one = Place(place.folder.parent / str(number), place.server)
            kill_at(nursery, one.folder, moment=dice.uniform(0, 0.03 if one.url is None else 0.12), url=one.url)
            with one.store() as store:
                assert_whole(store)
                assert store.balance(store.person("Eva").id) == STARTING


def test_ctrl_c_at_any_moment_leaves_no_half_round_and_a_store_that_goes_on(place: Place) -> None:
    with program("interrupted", place.folder, "Ana", url=place.url) as one:
        for _, believed, last_seq in one.hear_all():
            assert int(last_seq) in (3 * int(believed), 3 * int(believed) + 3)
    with place.store() as store:
        assert assert_whole(store) > 0


def test_two_programs_that_start_and_write_at_once_both_keep_everything(place: Place) -> None:
    for number in range(5 if place.server is None else 2):
        here = Place(place.folder / str(number), place.server)
        ana, eva = ("together", here.folder, "Ana", 40), ("together", here.folder, "Eva", 40)
        with program(*ana, url=here.url) as one, program(*eva, url=here.url) as two:
            assert one.hear() == two.hear() == ["ready"]
            one.tell()
            two.tell()
            assert one.hear_all()[-1] == two.hear_all()[-1] == ["kept", "40"]
        with here.store() as store:
            assert assert_whole(store) == 80
            assert [rounds_kept(store, one.id) for one in store.open_tables()] == [40, 40]
            assert sorted(person.name for person in store.people()) == ["Ana", "Eva"]


def test_two_programs_with_one_name_share_one_person(place: Place) -> None:
    ana, again = ("together", place.folder, "Ana", 10), ("together", place.folder, "ANA", 10)
    with program(*ana, url=place.url) as one, program(*again, url=place.url) as two:
        for each in (one, two):
            assert each.hear() == ["ready"]
        one.tell()
        two.tell()
        assert one.hear_all()[-1] == two.hear_all()[-1] == ["kept", "10"]
    with place.store() as store:
        (person,) = store.people()
        assert assert_whole(store) == 20
        assert store.balance(person.id) == STARTING - 2 * 50_000


def test_a_table_is_resumable_only_after_its_program_died(place: Place) -> None:
    with place.store() as store, program("hold", place.folder, "Ana", url=place.url) as holder:
        table = int(holder.hear()[1])
        assert store.resumable() == []
        with pytest.raises(Refused, match=r"store\.table_in_use"):
            store.claim(table)
        with pytest.raises(Refused, match=r"store\.table_not_held"), store.transaction() as deeds:
            deeds.append(table, [b"mine"], first_seq=4)
        holder.process.kill()
        holder.process.wait()
        assert resumable_soon(store) == [table]
        assert store.claim(table).name == "Ana"
        assert store.resumable() == []
        assert rounds_kept(store, table) == 1
        store.close_table(table)
        assert store.balance(store.person("Ana").id) == STARTING - 1


def resumable_soon(store: Store) -> list[int]:
    """The tables that can be taken up, once the database has noticed too that their program is dead."""
    for _ in range(500):
        if found := [one.id for one in store.resumable()]:
            return found
        time.sleep(0.02)
    return []


def test_a_program_that_ends_well_leaves_its_table_for_the_next(place: Place) -> None:
    for last in ("2", "4"):
        with program("work", place.folder, "Ana", 2, url=place.url) as one:
            assert one.hear_all()[-1] == ["kept", last]
    with place.store() as store:
        assert len(store.open_tables()) == 1
        assert assert_whole(store) == 4
