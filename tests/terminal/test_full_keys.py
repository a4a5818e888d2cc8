"""Keys at the full-screen table: no key that was held, came too soon or was mistaken ever decides anything."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.events import Key

from tapete.terminal.full.choices import Choice
from tapete.terminal.full.guard import HELD, Guard
from tapete.terminal.full.screen import COMMON, TableScreen
from tapete.terminal.keys import LETTERS
from tests.terminal.fullscreen import Seat, StillClock, sit


def test_no_common_key_is_the_letter_of_an_answer() -> None:
    letters = {letter for language in LETTERS.values() for letter in language.values()} | {"n", "t"}
    assert letters & set(COMMON) == set()


# --- held keys ------------------------------------------------------------------------------------------------------


def test_a_held_key_answers_one_question_only(tmp_path: Path) -> None:
    async def scenario(seat: Seat) -> None:
        await seat.press("3", "enter")
        first = seat.game.table.round
        await seat.press("1", gap=1.0)
        after = seat.game.table.round
        assert after is not first
        await seat.press(*["1"] * 20, gap=0.05)
        assert seat.game.table.round is after
        assert "still held" in seat.note
        await seat.press("1", gap=HELD)
        assert seat.game.table.round is not after

    sit(tmp_path, scenario, "casino", cards="2 9 2 2 2 2 2 2")


def test_enter_held_through_a_whole_round_neither_deals_nor_bets_again(tmp_path: Path) -> None:
    async def scenario(seat: Seat) -> None:
        await seat.press("3", "enter")
        await seat.press(*["enter"] * 10, gap=0.05)
        assert seat.sitting.phase == "asks"
        await seat.press("2")
        await seat.press(*["2"] * 10, gap=0.05)
        assert seat.sitting.phase == "over"
        await seat.press("enter")
        await seat.press(*["enter"] * 10, gap=0.05)
        assert seat.sitting.phase == "bets"
        assert seat.game.table.number == 1

    sit(tmp_path, scenario, "casino", cards="10 9 8 9")


def test_another_key_answers_at_once(tmp_path: Path) -> None:
    async def scenario(seat: Seat) -> None:
        await seat.press("3", "enter")
        await seat.press("1", gap=1)
        await seat.press("2", gap=0.1)
        assert seat.sitting.phase == "over"

    sit(tmp_path, scenario, "casino", cards="5 9 6 2 10")


def test_a_chip_may_be_laid_quickly_but_a_key_held_from_before_lays_none(tmp_path: Path) -> None:
    async def scenario(seat: Seat) -> None:
        await seat.press("3", gap=1)
        await seat.press("3", "3", gap=0.1)
        assert seat.bets() == {("Ana", 1): 3000}
        await seat.press("enter", "2", "enter")
        assert seat.sitting.phase == "bets"
        await seat.press("u", gap=1)
        assert seat.bets() == {}

    sit(tmp_path, scenario, "casino", cards="10 9 8 9")


def test_what_was_typed_before_the_question_appeared_is_dropped(tmp_path: Path) -> None:
    async def scenario(seat: Seat) -> None:
        await seat.press("3", "enter")
        asked = seat.asked
        seat.clock.pressed = seat.clock.time - 0.5
        await seat.press("2")
        assert seat.asked == asked
        assert "too soon" in seat.note
        seat.clock.pressed = None
        await seat.press("2")
        assert seat.sitting.phase == "over"

    sit(tmp_path, scenario, "casino", cards="10 9 8 9")


def test_a_second_click_on_the_same_button_is_no_second_answer(tmp_path: Path) -> None:
    async def scenario(seat: Seat) -> None:
        await seat.press("3", "enter")
        hit = seat.app.screen.query_one("#moves").query(Choice).first()
        await seat.pilot.click(hit)
        await seat.settled()
        seen = seat.game.table.round
        seat.clock.time += 0.2
        await seat.pilot.click(hit)
        await seat.settled()
        assert seat.game.table.round is seen

    sit(tmp_path, scenario, "casino", cards="2 9 2 2 2 2 2 2")


def test_a_key_during_the_cards_hurries_them_and_answers_nothing(tmp_path: Path) -> None:
    async def scenario(seat: Seat) -> None:
        await seat.press("3")
        seat.clock.time += 1
        await seat.pilot.press("enter")
        screen = seat.app.screen
        assert isinstance(screen, TableScreen)
        assert seat.sitting.phase == "busy"
        await seat.pilot.press("2")
        await seat.settled()
        assert seat.sitting.phase == "asks"
        await seat.press("2", gap=0.3)
        assert seat.sitting.phase == "asks"

    sit(tmp_path, scenario, "casino", speed="slow", cards="10 9 8 9")


@pytest.mark.parametrize("key", ["z", "9", "0", "space", "enter", "escape", "ñ", "backspace", "H", "full_stop"])
def test_a_misread_key_decides_nothing(tmp_path: Path, key: str) -> None:
    async def scenario(seat: Seat) -> None:
        await seat.press("3", "enter")
        before = seat.game.table
        if key == "H":  # a capital is the same letter: that one does answer
            await seat.press(key)
            assert seat.game.table is not before
            return
        await seat.press(key)
        assert seat.game.table is before
        assert "nothing was decided" in seat.note

    sit(tmp_path, scenario, "casino", cards="5 9 6")


def test_the_guard_remembers_a_held_key_for_as_long_as_it_comes() -> None:
    clock = StillClock()
    guard, event = Guard(clock), Key("1", "1")
    assert guard.takes("1", event)
    guard.moment()
    for _ in range(50):
        clock.time += 0.5
        assert not guard.takes("1", event)
    clock.time += HELD
    assert guard.takes("1", event)


def test_a_faded_button_says_why_when_it_has_the_focus(tmp_path: Path) -> None:
    async def scenario(seat: Seat) -> None:
        await seat.press("3", "enter", "tab", "tab", "tab")
        assert "This total may not be doubled here." in seat.note
        before = seat.game.table
        await seat.press("enter")
        assert seat.game.table is before
        await seat.press("tab", "tab", "enter")
        assert seat.game.table is not before

    sit(tmp_path, scenario, "casino", cards="5 9 3")


# --- the keys that every phase knows --------------------------------------------------------------------------------


def test_help_rules_and_log_open_and_close_without_touching_the_game(tmp_path: Path) -> None:
    async def scenario(seat: Seat) -> None:
        await seat.press("3", "enter")
        before = seat.game.table
        await seat.press("question_mark")
        assert "scroll the boxes or the results" in seat.text
        await seat.press("1")
        await seat.press("g")
        assert "6 packs of 52 cards" in seat.text
        await seat.press("down", "escape")
        assert "Round 1" in seat.text
        await seat.press("j")
        assert "Round 1" not in seat.text
        await seat.press("j")
        assert seat.game.table is before
        assert seat.sitting.phase == "asks"

    sit(tmp_path, scenario, "casino", cards="5 9 6")


def test_a_key_that_closed_the_help_is_not_held_into_the_question(tmp_path: Path) -> None:
    async def scenario(seat: Seat) -> None:
        await seat.press("3", "enter", "question_mark")
        before = seat.game.table
        await seat.press(*["2"] * 5, gap=0.1)
        assert seat.game.table is before

    sit(tmp_path, scenario, "casino", cards="10 9 6")


def test_language_speed_suits_and_cloth_change_while_a_question_stands(tmp_path: Path) -> None:
    async def scenario(seat: Seat) -> None:
        await seat.press("3", "enter")
        assert "1 Hit (h)" in seat.text
        await seat.press("e")
        assert "1 Pedir (p)" in seat.text
        assert "Ronda 1" in seat.text
        await seat.press("v", "k", "y")
        assert "velocidad: rápida" in seat.text
        assert seat.sitting.four_colours
        assert seat.app.theme == "tapete-slate"
        await seat.press("p")
        assert seat.game.table.round is not None
        assert len(seat.game.table.round.boxes[0].hands[0].cards) == 3

    sit(tmp_path, scenario, "casino", cards="5 9 6 2")
