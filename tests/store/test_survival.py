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
from tests.store.programs import Program, assert_whole, program, rounds_kept

KILLS = 60


def kill_at(nursery: Program, folder: Path, *, moment: float, rounds: int = 0) -> int:
    """Let a program work and kill it ``moment`` seconds after its ``rounds``-th round; the last that it called kept."""
    nursery.tell(folder.name)
    born, kept = nursery.hear(), 0
    while rounds and (line := nursery.hear()):
        if line[0] == "kept":
            rounds, kept = rounds - 1, int(line[1])
    time.sleep(moment)
    os.kill(int(born[1]), signal.SIGKILL)
    while (line := nursery.hear())[0] != "dead":
        kept = int(line[1]) if line[0] == "kept" else kept
    return kept


def test_a_program_killed_at_any_moment_leaves_no_half_round_and_loses_none(tmp_path: Path) -> None:
    dice = random.Random(2)
    told, folder = 0, tmp_path / "data"
    with program("nursery", tmp_path, "Ana") as nursery:
        for _ in range(KILLS):
            rounds = dice.randrange(1, 4)
            told = max(told, kill_at(nursery, folder, moment=dice.uniform(0, 0.01), rounds=rounds))
            with Store(folder) as store:
                kept = assert_whole(store)
            assert kept in (told, told + 1)  # one more if killed between keeping it and telling of it
            told = kept
    assert told >= KILLS


def test_a_program_killed_while_it_makes_the_data_folder_spoils_nothing(tmp_path: Path) -> None:
    dice = random.Random(3)
    with program("nursery", tmp_path, "Ana") as nursery:
        for folder in (tmp_path / str(number) for number in range(40)):
            kill_at(nursery, folder, moment=dice.uniform(0, 0.03))
            with Store(folder) as store:
                assert_whole(store)
                assert store.balance(store.person("Eva").id) == STARTING


def test_ctrl_c_at_any_moment_leaves_no_half_round_and_a_store_that_goes_on(tmp_path: Path) -> None:
    with program("interrupted", tmp_path, "Ana") as one:
        for _, believed, last_seq in one.hear_all():
            assert int(last_seq) in (3 * int(believed), 3 * int(believed) + 3)
    with Store(tmp_path) as store:
        assert assert_whole(store) > 0


def test_two_programs_that_start_and_write_at_once_both_keep_everything(tmp_path: Path) -> None:
    for number in range(5):
        folder = tmp_path / str(number)
        with program("together", folder, "Ana", 40) as one, program("together", folder, "Eva", 40) as two:
            assert one.hear() == two.hear() == ["ready"]
            one.tell()
            two.tell()
            assert one.hear_all()[-1] == two.hear_all()[-1] == ["kept", "40"]
        with Store(folder) as store:
            assert assert_whole(store) == 80
            assert [rounds_kept(store, one.id) for one in store.open_tables()] == [40, 40]
            assert sorted(person.name for person in store.people()) == ["Ana", "Eva"]


def test_two_programs_with_one_name_share_one_person(tmp_path: Path) -> None:
    with program("together", tmp_path, "Ana", 10) as one, program("together", tmp_path, "ANA", 10) as two:
        for each in (one, two):
            assert each.hear() == ["ready"]
        one.tell()
        two.tell()
        assert one.hear_all()[-1] == two.hear_all()[-1] == ["kept", "10"]
    with Store(tmp_path) as store:
        (person,) = store.people()
        assert assert_whole(store) == 20
        assert store.balance(person.id) == STARTING - 2 * 50_000


def test_a_table_is_resumable_only_after_its_program_died(tmp_path: Path) -> None:
    with Store(tmp_path) as store, program("hold", tmp_path, "Ana") as holder:
        table = int(holder.hear()[1])
        assert store.resumable() == []
        with pytest.raises(Refused, match=r"store\.table_in_use"):
            store.claim(table)
        with pytest.raises(Refused, match=r"store\.table_not_held"), store.transaction() as deeds:
            deeds.append(table, [b"mine"], first_seq=4)
        holder.process.kill()
        holder.process.wait()
        assert [one.id for one in store.resumable()] == [table]
        assert store.claim(table).name == "Ana"
        assert store.resumable() == []
        assert rounds_kept(store, table) == 1
        store.close_table(table)
        assert store.balance(store.person("Ana").id) == STARTING - 1


def test_a_program_that_ends_well_leaves_its_table_for_the_next(tmp_path: Path) -> None:
    with program("work", tmp_path, "Ana", 2) as first:
        assert first.hear_all()[-1] == ["kept", "2"]
    with program("work", tmp_path, "Ana", 2) as second:
        assert second.hear_all()[-1] == ["kept", "4"]
    with Store(tmp_path) as store:
        assert len(store.open_tables()) == 1
        assert assert_whole(store) == 4
