"""Data folders that cannot serve: each says what is wrong, and nothing is spoilt."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tapete import places
from tapete.errors import BadInput, TapeteError
from tapete.store import BANK, STARTING, Store, StoreError, purse
from tests.disks import fill
from tests.store.child import NOBODY
from tests.store.programs import assert_whole, program

AS_ROOT = os.geteuid() == 0


def code_of_opening(folder: Path) -> str:
    with pytest.raises(TapeteError) as caught, Store(folder, patience=0.2):
        pass
    return caught.value.code


def give(store: Store, name: str) -> None:
    """One transfer from a new or old person to the bank."""
    with store.transaction() as deeds:
        deeds.move({purse(deeds.person(name).id): -1, BANK: 1}, why="gift")


def give_often(store: Store, times: int) -> None:
    for _ in range(times):
        give(store, "Ana")


# --- where it is ----------------------------------------------------------------------------------------------------


def test_the_environment_names_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAPETE_DATA", str(tmp_path / "mine"))
    with Store() as store:
        assert store.folder == tmp_path / "mine"


def test_without_the_environment_it_is_the_users_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAPETE_DATA", "")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    assert places.data_folder().name == "tapete"
    assert places.data_folder().is_relative_to(tmp_path)


def test_a_relative_folder_does_not_move_with_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Store(Path("here")) as store:
        monkeypatch.chdir("/")
        store.person("Ana")
        assert store.rounds_folder() == tmp_path / "here" / "rounds"


@pytest.mark.parametrize("name", ["año 1", "100%", "a?b=c#d", "'quoted'", "file:x"])
def test_any_folder_name_serves(tmp_path: Path, name: str) -> None:
    with Store(tmp_path / name) as store:
        store.person("Ana")
    assert (tmp_path / name / "tapete.db").is_file()


# --- who may read it ------------------------------------------------------------------------------------------------


def test_nobody_else_can_read_secrets_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with Store(tmp_path / "data") as store:
            store.open_table(kind="casino", name="Mesa", config=b"")
            store.rounds_folder()
            modes = {one: stat.S_IMODE(one.stat().st_mode) for one in store.folder.rglob("*")}
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700
    assert {one.name for one in modes} >= {"tapete.db", "tapete.db-wal", "tapete.db-shm", "1.lock", "rounds"}
    assert {mode for one, mode in modes.items() if one.is_dir()} == {0o700}
    assert {mode for one, mode in modes.items() if one.is_file()} == {0o600}


def test_a_database_left_open_to_others_is_shut_again(tmp_path: Path) -> None:
    Store(tmp_path).close()
    (tmp_path / "tapete.db").chmod(0o644)
    with Store(tmp_path) as store:
        assert stat.S_IMODE(store.path.stat().st_mode) == 0o600


# --- what may be wrong with it --------------------------------------------------------------------------------------


def test_a_file_is_not_a_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    assert code_of_opening(tmp_path / "file") == "data.not_a_folder"
    assert code_of_opening(tmp_path / "file" / "below") == "data.not_a_folder"


@pytest.mark.parametrize("name", ["x" * 300, "nul\0l"])
def test_a_name_that_the_system_refuses_is_told(tmp_path: Path, name: str) -> None:
    assert code_of_opening(tmp_path / name) == "data.unusable"


def test_a_folder_in_place_of_the_database_is_told(tmp_path: Path) -> None:
    (tmp_path / "tapete.db").mkdir()
    assert code_of_opening(tmp_path) == "data.unusable"


@pytest.fixture
def public_folder() -> Iterator[Path]:
    """A folder that an unprivileged program can reach (pytest's own are closed to others)."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def heard_by_nobody(folder: Path) -> list[list[str]]:
    with program("unprivileged", folder) as one:
        return one.hear_all()


EXPECTED = [["user", str(NOBODY if AS_ROOT else os.geteuid())], ["error", "PermissionError"]]


def test_a_folder_that_may_not_be_made_is_told(public_folder: Path) -> None:
    public_folder.chmod(0o555)
    assert heard_by_nobody(public_folder / "data") == [*EXPECTED, ["refused", "data.readonly"]]


def test_a_read_only_empty_folder_is_told(public_folder: Path) -> None:
    public_folder.chmod(0o555)
    assert heard_by_nobody(public_folder) == [*EXPECTED, ["refused", "data.readonly"]]


@pytest.mark.parametrize("writable", [[], ["tables", "opening.lock", "tapete.db"]])
def test_a_read_only_folder_with_a_database_is_told(public_folder: Path, writable: list[str]) -> None:
    with Store(public_folder) as store:
        store.person("Ana")
    for one in public_folder.rglob("*"):
        one.chmod(0o555 if one.is_dir() else 0o444)
    for name in writable:
        (public_folder / name).chmod(0o777)
        if AS_ROOT:
            os.chown(public_folder / name, NOBODY, NOBODY)
    public_folder.chmod(0o555)
    assert heard_by_nobody(public_folder) == [*EXPECTED, ["refused", "data.readonly"]]


def test_a_file_of_noise_is_told_and_left_alone(tmp_path: Path) -> None:
    noise = b"This is no database. " * 1000
    (tmp_path / "tapete.db").write_bytes(noise)
    assert code_of_opening(tmp_path) == "store.corrupt"
    assert (tmp_path / "tapete.db").read_bytes() == noise


def filled(folder: Path) -> Path:
    """The file of a database of many pages."""
    with Store(folder) as store, store.transaction() as deeds:
        table = deeds.open_table(kind="casino", name="Mesa", config=b"")
        deeds.append(table, [bytes(500)] * 500, first_seq=1)
    return folder / "tapete.db"


def test_a_database_cut_short_is_told(tmp_path: Path) -> None:
    path = filled(tmp_path)
    os.truncate(path, path.stat().st_size // 2)
    with pytest.raises(StoreError, match=r"store\.corrupt"), Store(tmp_path) as store:
        store.events(1)


def test_pages_of_noise_within_a_database_are_told(tmp_path: Path) -> None:
    path = filled(tmp_path)
    with path.open("r+b") as opened:
        opened.seek(path.stat().st_size // 2)
        opened.write(b"\xa5" * 40_000)
    with pytest.raises(StoreError, match=r"store\.corrupt"), Store(tmp_path) as store:
        raise store.audit().faults[0]


def changed_by_hand(folder: Path, *statements: str) -> None:
    by_hand = sqlite3.connect(folder / "tapete.db")
    for one in statements:
        by_hand.execute(one)
    by_hand.commit()
    by_hand.close()


def test_a_database_of_a_newer_version_is_told_and_left_alone(tmp_path: Path) -> None:
    Store(tmp_path).close()
    changed_by_hand(tmp_path, "UPDATE schema_version SET version = 99", "DROP TABLE shoes")
    before = (tmp_path / "tapete.db").read_bytes()
    assert code_of_opening(tmp_path) == "store.newer"
    assert (tmp_path / "tapete.db").read_bytes() == before


def test_another_programs_database_is_told(tmp_path: Path) -> None:
    changed_by_hand(tmp_path, "CREATE TABLE recipes (soup TEXT)")
    assert code_of_opening(tmp_path) == "store.foreign"


def test_a_database_without_one_of_its_tables_is_told(tmp_path: Path) -> None:
    Store(tmp_path).close()
    changed_by_hand(tmp_path, "DROP TABLE shoes")
    with Store(tmp_path) as store, pytest.raises(StoreError, match=r"store\.failed.*no such table"):
        store.shoes(1)


def test_a_program_that_never_lets_go_is_told_and_later_forgiven(tmp_path: Path) -> None:
    with Store(tmp_path, patience=0.1) as store:
        other = sqlite3.connect(store.path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match=r"store\.busy"):
            store.person("Ana")
        assert store.people() == []  # reading goes on
        other.execute("ROLLBACK")
        other.close()
        assert store.person("Ana").name == "Ana"


def test_a_database_held_alone_by_another_program_is_told_on_opening(tmp_path: Path) -> None:
    Store(tmp_path).close()
    other = sqlite3.connect(tmp_path / "tapete.db", isolation_level=None)
    other.execute("PRAGMA locking_mode=EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    assert code_of_opening(tmp_path) == "store.busy"
    other.close()
    Store(tmp_path).close()


# --- no room --------------------------------------------------------------------------------------------------------


def run_out_of_room(disk: Path) -> None:
    with Store(disk / "data") as store:
        give(store, "Ana")
        filler = fill(disk)
        with pytest.raises(TapeteError, match=r"data\.full"):
            give_often(store, 2000)
        given = store.holds(BANK)
        assert store.balance(1) == STARTING - given
        assert store.audit().faults == ()
        filler.unlink()
        give(store, "Ana")
        assert store.holds(BANK) == given + 1
        assert store.audit().faults == ()


def test_a_full_disk_loses_only_the_transaction_that_found_it_full(small_disk: Path | None, tmp_path: Path) -> None:
    if small_disk is not None:
        run_out_of_room(small_disk)
    else:  # the next best thing that every user may do: files that may not grow
        run_into_the_limit(tmp_path)


@pytest.mark.parametrize("made", [False, True])
def test_a_disk_already_full_is_told_on_opening(small_disk: Path | None, tmp_path: Path, *, made: bool) -> None:
    if small_disk is None:
        run_into_the_limit(tmp_path)
        return
    if made:
        Store(small_disk / "data").close()
    fill(small_disk)
    assert code_of_opening(small_disk / "data") == "data.full"


def run_into_the_limit(folder: Path) -> None:
    with program("limited", folder / "limited", "Ana") as one:
        refused, kept, again = one.hear_all()
    assert refused == ["refused", "store.failed"]
    assert kept[1] == kept[2]
    assert again == ["done"]
    with Store(folder / "limited") as store:
        assert assert_whole(store) == int(kept[1]) + 1


def test_a_file_that_may_not_grow_loses_only_the_transaction_that_met_the_limit(tmp_path: Path) -> None:
    run_into_the_limit(tmp_path)


# --- after all ------------------------------------------------------------------------------------------------------


def test_a_copied_folder_is_a_whole_backup(tmp_path: Path) -> None:
    with Store(tmp_path / "one") as store:
        give(store, "Ana")
    shutil.copytree(tmp_path / "one", tmp_path / "two")
    with Store(tmp_path / "two") as store:
        assert store.balance(1) == STARTING - 1
        assert store.audit().faults == ()


def test_closing_twice_is_harmless_and_a_closed_store_says_so(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.close()
    store.close()
    with pytest.raises(StoreError, match=r"store\.closed"):
        store.people()
    with pytest.raises(StoreError, match=r"store\.closed"):
        store.person("Ana")


def test_the_environment_variable_may_name_a_file_by_mistake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("x")
    monkeypatch.setenv("TAPETE_DATA", str(tmp_path / "file"))
    with pytest.raises(BadInput, match=r"data\.not_a_folder"):
        Store()
