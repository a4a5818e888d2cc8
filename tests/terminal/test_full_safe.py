"""Coming, going and faults at the full-screen table: nothing that was kept is lost, nothing is shown that was not."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tapete.rulefile import FOUNDING
from tapete.store import STARTING, Store
from tapete.terminal.full.dialogs import Ask, Type
from tapete.terminal.opening import unfinished
from tests.terminal.fullscreen import Seat, sit

# --- from nothing to the first bet ----------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5])
def test_three_keys_lead_from_nothing_to_the_first_bet(tmp_path: Path, number: int) -> None:
    async def scenario(seat: Seat) -> None:
        await seat.press(str(number), "enter", "3")
        assert seat.game.preset.id == FOUNDING[number - 1]
        assert [bet.amount for bet in seat.game.table.bets] == [1000]

    sit(tmp_path, scenario, None, names=())


def test_who_played_last_is_proposed_and_another_name_can_be_typed(tmp_path: Path) -> None:
    async def first(seat: Seat) -> None:
        await seat.press("1")
        await seat.type("Eva")
        await seat.press("q")

    async def second(seat: Seat) -> None:
        await seat.press("2", "enter")
        assert [one.name for one in seat.game.table.people] == ["Eva"]

    assert sit(tmp_path, first, None, names=()) == "closed"
    sit(tmp_path, second, None, names=())


def test_a_name_that_is_none_is_explained(tmp_path: Path) -> None:
    async def scenario(seat: Seat) -> None:
        await seat.press("1", "space", "enter")
        assert isinstance(seat.app.screen, Type)
        assert seat.app.game is None
        await seat.type("Eva")
        assert [one.name for one in seat.game.table.people] == ["Eva"]

    sit(tmp_path, scenario, None, names=())


def test_escape_at_the_name_goes_back_to_the_tables(tmp_path: Path) -> None:
    async def scenario(seat: Seat) -> None:
        await seat.press("1", "escape")
        assert "Which table?" in seat.text
        await seat.press("5", "enter")
        assert seat.game.preset.id == "home"
        assert len(seat.game.store.open_tables()) == 1

    sit(tmp_path, scenario, None, names=())


def test_the_language_can_be_changed_before_a_table_is_chosen(tmp_path: Path) -> None:
    async def scenario(seat: Seat) -> None:
        await seat.press("e")
        assert "¿Qué mesa?" in seat.text
        await seat.press("1", "enter")
        assert "apuesta con las fichas" in seat.status

    sit(tmp_path, scenario, None, names=())


def test_friends_watch_where_there_is_one_box(tmp_path: Path) -> None:
    async def scenario(seat: Seat) -> None:
        assert [(one.name, one.box) for one in seat.game.table.seats] == [("Ana", 1)]
        await seat.press("w", "2", "b", "enter", "3", "enter")
        assert seat.game.table.round is not None

    sit(tmp_path, scenario, "faceup", names=("Ana", "Eva"))


# --- leaving --------------------------------------------------------------------------------------------------------


def test_leaving_between_rounds_gives_every_chip_back(tmp_path: Path) -> None:
    async def scenario(seat: Seat) -> None:
        await seat.press("3", "q")

    assert sit(tmp_path, scenario) == "closed"
    with Store(tmp_path) as store:
        assert [store.balance(one.id) for one in store.people()] == [STARTING]
        assert store.open_tables() == []


@pytest.mark.parametrize("key", ["q", "ctrl+c", "ctrl+q"])
def test_a_round_that_is_left_goes_on_with_the_same_cards(tmp_path: Path, key: str) -> None:
    left: list[object] = []

    async def leave(seat: Seat) -> None:
        await seat.press("3", "enter")
        await seat.press("1")
        left.append(seat.game.table)
        await seat.press(key)

    async def come_back(seat: Seat) -> None:
        assert seat.game.table == left[0]
        assert "broken off" in seat.note
        while seat.sitting.phase == "asks":
            await seat.press("2")
        assert seat.game.store.audit().faults == ()

    assert sit(tmp_path, leave, "british", seed=2) == "kept"
    sit(tmp_path, come_back, "british")


def test_ctrl_c_in_a_dialog_or_while_cards_come_leaves_a_game_that_can_be_taken_up(tmp_path: Path) -> None:
    async def in_dialog(seat: Seat) -> None:
        await seat.press("3", "t", "1", "ctrl+c")

    async def while_cards_come(seat: Seat) -> None:
        await seat.press("3")
        seat.clock.time += 1
        await seat.pilot.press("enter")
        await seat.pilot.press("ctrl+c")

    assert sit(tmp_path / "1", in_dialog) == "kept"
    assert sit(tmp_path / "2", while_cards_come, speed="slow") == "kept"
    with Store(tmp_path / "2") as store:
        game = unfinished(store)
        assert game is not None
        while game.serve() is not None:
            pass
        assert store.audit().faults == ()


def test_after_a_broken_off_round_the_table_that_was_asked_for_comes(tmp_path: Path) -> None:
    async def leave(seat: Seat) -> None:
        await seat.press("3", "enter", "q")

    async def other(seat: Seat) -> None:
        assert seat.game.preset.id == "casino"
        await seat.press("2", "enter")
        assert seat.game.preset.id == "british"
        assert [one.name for one in seat.game.table.people] == ["Ana"]

    sit(tmp_path, leave, "casino")
    sit(tmp_path, other, "british")


# --- faults of the store --------------------------------------------------------------------------------------------


def test_a_store_that_cannot_write_says_so_and_nothing_changes(tmp_path: Path) -> None:
    store = Store(tmp_path, patience=0.05)

    async def scenario(seat: Seat) -> None:
        await seat.press("3", "enter")
        before = seat.game.table
        other = sqlite3.connect(store.path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        await seat.press("2")
        assert isinstance(seat.app.screen, Ask)
        assert "exactly as you see it" in seat.text
        assert seat.game.table is before
        other.execute("ROLLBACK")
        other.close()
        await seat.press("1")
        assert seat.sitting.phase == "asks"
        await seat.press("2")
        assert seat.sitting.phase == "over"
        assert store.audit().faults == ()

    sit(tmp_path, scenario, store=store, cards="10 9 8 9")
    store.close()


def test_the_house_goes_on_where_a_fault_stopped_it(tmp_path: Path) -> None:
    store = Store(tmp_path, patience=0.05)

    async def scenario(seat: Seat) -> None:
        await seat.press("3")
        seat.clock.time += 1
        await seat.pilot.press("enter")
        await seat.pilot.pause(0.05)
        other = sqlite3.connect(store.path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        while not isinstance(seat.app.screen, Ask):
            await seat.pilot.pause(0.05)
        other.execute("ROLLBACK")
        other.close()
        seat.clock.time += 1
        await seat.pilot.press("1")
        await seat.settled()
        assert seat.sitting.phase == "asks"
        await seat.press("2")
        assert seat.sitting.phase == "over"

    sit(tmp_path, scenario, store=store, speed="slow", cards="10 9 8 9")
    store.close()


def test_leaving_at_a_fault_keeps_the_round(tmp_path: Path) -> None:
    store = Store(tmp_path, patience=0.05)

    async def scenario(seat: Seat) -> None:
        await seat.press("3", "enter")
        other = sqlite3.connect(store.path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        await seat.press("2", "q")
        other.close()

    assert sit(tmp_path, scenario, store=store, cards="10 9 8 9") == "kept"
    store.close()
    with Store(tmp_path) as again:
        [kept] = again.resumable()
        assert kept.name == "casino"
