"""Whatever ends the program in the middle of a round, the round goes on: same cards, same question, same money."""

from __future__ import annotations

import resource
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tapete.store import Store
from tests.terminal.people import Person, at_terminal, pipe, said

HOME = ("play", "home", "--seed", "1", "--lang", "en", "--name", "Ana", "--bots", "1")
MARK = "that are not bet."


def state(told: str) -> str:
    """The last answer to ``m``, with the question that follows it."""
    begins = told.rindex("\nAna has ", 0, told.rindex(MARK))
    return told[begins : told.index("> ", begins)]


def until_asked_again(one: Person) -> str:
    """Plays into the middle of a round and asks how things stand."""
    one.answers("1")
    one.answers("10")
    one.answers("m")
    one.sees(MARK)
    return state(one.seen[: one.seen.index(MARK)] + MARK + one.sees("> "))


def kills(one: Person) -> None:
    one.kills()


def interrupts(one: Person) -> None:
    one.types("\x03")
    assert one.ended() == 130
    assert "The round is kept. It goes on at the next start.\n" in one.seen
    assert "Traceback" not in one.seen


def leaves(one: Person) -> None:
    one.types("q\n")
    assert one.ended() == 0
    assert one.seen.endswith("The round is kept. It goes on at the next start.\n")


def ends_the_input(one: Person) -> None:
    one.types("\x04")
    assert one.ended() == 0
    assert one.seen.endswith("The round is kept. It goes on at the next start.\n")


def is_terminated(one: Person) -> None:
    one.program.send_signal(signal.SIGTERM)
    one.ended()


@pytest.mark.parametrize("ends", [kills, interrupts, leaves, ends_the_input, is_terminated])
def test_a_round_goes_on_where_it_was_broken_off(ends: Callable[[Person], None], tmp_path: Path) -> None:
    with at_terminal(tmp_path, *HOME, "--plain") as one:
        before = until_asked_again(one)
        ends(one)
    told = said(tmp_path, "play", "--lang", "en", lines=["m", "0", "2", "q"])
    assert "Here a round was broken off. It goes on now.\n" in told
    assert state(told) == before
    with Store(tmp_path) as store:
        assert store.audit().faults == ()


def test_a_kept_round_comes_before_another_table(tmp_path: Path) -> None:
    casino = ("play", "casino", "--seed", "1", "--lang", "en")
    told = said(tmp_path, *casino, lines=["Ana", "1", "0", "10"])
    assert told.endswith("The round is kept. It goes on at the next start.\n")
    told = said(tmp_path, "play", "faceup", "--seed", "1", "--lang", "en", lines=["2", "1", "q"])
    assert told.index("Here a round was broken off.") < told.index("Face Up 21.")
    assert "Box 1, Ana: 20 against 20: a tie" in told or "Ana now has" in told
    assert told.index("Ana leaves with") < told.index("Face Up 21.")


def test_Ctrl_C_between_rounds_gives_everybody_their_chips(tmp_path: Path) -> None:
    with at_terminal(tmp_path, *HOME, "--plain") as one:
        one.answers("1")
        one.sees("> ")
        one.types("\x03")
        assert one.ended() == 130
        assert one.seen.endswith("Ana leaves with 1000 chips.\n")
    assert said(tmp_path, "bank", "--lang", "en") == "Ana: 1000 chips.\n"


def test_a_table_left_by_a_power_cut_between_rounds_gives_its_chips_back(tmp_path: Path) -> None:
    with at_terminal(tmp_path, *HOME, "--plain") as one:
        one.answers("1")
        one.sees("> ")
        one.kills()
    assert "Ana: 1000 more at a table that is still open." in said(tmp_path, "bank", "--lang", "en")
    told = said(tmp_path, "play", "casino", "--lang", "en", lines=["1", "1", "0", "q"])
    assert "Ana has 1000 chips.\n" in told


def test_two_programs_at_once_each_have_a_table(tmp_path: Path) -> None:
    with at_terminal(tmp_path, *HOME, "--plain") as one:
        until_asked_again(one)
        other = said(tmp_path, "play", "casino", "--lang", "en", lines=["Bea", "1", "0", "q"])
        assert "Here a round was broken off" not in other
        same = pipe(tmp_path, "play", "casino", "--lang", "en", lines=["Ana", "1", "0", "y", "q"])
        assert "Ana has 0 chips left, fewer than the smallest bet." in same.stdout
        assert "You still sit at table" in same.stdout
        assert (same.returncode, same.stderr) == (0, "")
        one.types("q\n")
        assert one.ended() == 0
    with Store(tmp_path) as store:
        assert store.audit().faults == ()


def test_a_disk_that_is_full_in_a_round_is_told_and_the_round_goes_on_later(tmp_path: Path) -> None:
    with at_terminal(tmp_path, *HOME, "--plain") as one:
        before = until_asked_again(one)
        resource.prlimit(one.program.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))  # no file may grow
        one.types("0\n")
        assert one.ended() == 2
    assert "The round is kept as it is told here. It goes on at the next start.\n" in one.seen
    assert "Traceback" not in one.seen
    told = said(tmp_path, "play", "--lang", "en", lines=["m", "q"])
    assert state(told) == before


def test_two_programs_that_want_the_same_kept_round_do_not_both_get_it(tmp_path: Path) -> None:
    with at_terminal(tmp_path, *HOME, "--plain") as one:
        until_asked_again(one)
        one.kills()
    with at_terminal(tmp_path, "play", "--plain", "--lang", "en") as one:
        one.sees("Here a round was broken off.")
        other = said(tmp_path, "play", "casino", "--lang", "en", lines=["Bea", "q"])
        assert "Here a round was broken off." not in other


def spoil_events(database: sqlite3.Connection) -> None:
    database.execute("update events set payload = cast(replace(payload, '10', '11') as blob)")


def spoil_rules(database: sqlite3.Connection) -> None:
    database.execute("update tables set config = cast(replace(config, 'no_hole', 'unheard_of') as blob)")


@pytest.mark.parametrize("spoil", [spoil_events, spoil_rules])
def test_a_round_that_cannot_go_on_is_void_and_every_stake_returns(
    spoil: Callable[[sqlite3.Connection], None], tmp_path: Path
) -> None:
    said(tmp_path, "play", "casino", "--seed", "3", "--lang", "en", lines=["Ana", "1", "0", "10"])
    with closing(sqlite3.connect(tmp_path / "tapete.db")) as database, database:
        spoil(database)
    told = said(tmp_path, "play", "casino", "--lang", "en", lines=["1", "1", "0", "q"])
    assert told.startswith("A round that was broken off cannot go on. It is void: every stake returns.\n")
    assert told.endswith("Ana leaves with 1000 chips.\n")
