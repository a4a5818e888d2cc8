"""Betting at the full-screen table: chips, typed amounts, and taking everything back."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from tapete import table as tables
from tapete.rulefile import preset
from tapete.rules import RuleSet, with_
from tapete.terminal.full.bets import chip_values
from tests.terminal.fullscreen import Seat, sit


def test_chips_add_up_and_can_be_taken_back_one_by_one(tmp_path: Path) -> None:
    async def scenario(seat: Seat) -> None:
        await seat.press("3", "1", "2")
        assert seat.bets() == {("Ana", 1): 1600}
        assert "your bet is 16, 984 left" in seat.status
        await seat.press("u")
        assert seat.bets() == {("Ana", 1): 1100}
        await seat.press("u", "u")
        assert seat.bets() == {}
        await seat.press("u")
        assert "nothing to take back" in seat.note

    sit(tmp_path, scenario)


def test_a_cleared_bet_comes_back_with_undo(tmp_path: Path) -> None:
    async def scenario(seat: Seat) -> None:
        await seat.press("3", "c")
        assert seat.bets() == {}
        await seat.press("u")
        assert seat.bets() == {("Ana", 1): 1000}

    sit(tmp_path, scenario)


def test_the_bet_is_doubled_and_laid_again(tmp_path: Path) -> None:
    async def scenario(seat: Seat) -> None:
        await seat.press("r")
        assert "no earlier bet" in seat.note
        await seat.press("3", "x")
        assert seat.bets() == {("Ana", 1): 2000}
        await seat.press("enter", "2")
        assert seat.sitting.phase == "over"
        await seat.press("x")
        assert seat.bets() == {("Ana", 1): 4000}
        await seat.press("c", "r")
        assert seat.bets() == {("Ana", 1): 2000}

    sit(tmp_path, scenario, cards="10 9 8 9")


def test_a_rebet_that_is_too_much_leaves_every_bet_as_it_was(tmp_path: Path) -> None:
    async def scenario(seat: Seat) -> None:
        await seat.press("t")
        await seat.type("300")
        await seat.press("w", "2", "enter", "right", "t")
        await seat.type("300")
        before = seat.bets()
        assert before == {("Ana", 1): 30000, ("Ana", 2): 30000}
        await seat.press("x")
        assert seat.bets() == before
        assert "chips" in seat.note

    sit(tmp_path, scenario)


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("-5", "-5"),
        ("1e3", "1e3"),
        ("NaN", "NaN"),
        ("٥", "٥"),
        ("10.005", "10.005"),
        ("0.5", "not a multiple"),
        ("5000", "maximum"),
        ("1000.5", "not a multiple"),
        ("99999999999999999999", "99999"),
    ],
)
def test_an_amount_that_is_no_bet_is_explained_and_lays_nothing(tmp_path: Path, typed: str, told: str) -> None:
    async def scenario(seat: Seat) -> None:
        await seat.press("t")
        await seat.type(typed)
        assert seat.bets() == {}
        assert told in seat.text
        await seat.press("escape")
        assert seat.sitting.phase == "bets"

    sit(tmp_path, scenario)


def test_more_than_the_bankroll_is_refused(tmp_path: Path) -> None:
    async def scenario(seat: Seat) -> None:
        await seat.press("6", "t")
        await seat.type("1000")
        assert seat.bets() == {("Ana", 1): 100000}
        await seat.press("1")
        assert "You do not have the chips" in seat.note
        assert seat.offers["chip 100"].reason

    sit(tmp_path, scenario)


def test_sitting_out_takes_the_bet_back_and_goes_on_to_the_next_box(tmp_path: Path) -> None:
    async def scenario(seat: Seat) -> None:
        await seat.press("3", "o")
        assert seat.bets() == {}
        assert "Eva, box 2" in seat.status
        await seat.press("3", "enter", "2")
        assert seat.game.table.round is not None
        assert [box.number for box in seat.game.table.round.boxes] == [2]
        assert "sits out" in seat.text

    sit(tmp_path, scenario, names=("Ana", "Eva"), cards="10 9 8 9")


def test_nothing_is_dealt_without_a_bet(tmp_path: Path) -> None:
    async def scenario(seat: Seat) -> None:
        await seat.press("enter")
        assert seat.sitting.phase == "bets"
        assert "No bet is laid yet" in seat.note
        assert seat.game.table.number == 0

    sit(tmp_path, scenario)


def test_whose_chips_are_gone_can_start_again(tmp_path: Path) -> None:
    async def scenario(seat: Seat) -> None:
        await seat.press("t")
        await seat.type("1000")
        await seat.press("enter", "2", "enter")
        assert tables.person(seat.game.table, "Ana").chips == 0
        assert "refill" in seat.offers
        await seat.press("f", "1")
        assert tables.spare(seat.game.table, "Ana") == 100000
        assert tables.boxes_of(seat.game.table, "Ana") == (1,)

    sit(tmp_path, scenario, cards="10 9 8 10")


def test_new_chips_are_not_offered_to_who_has_some(tmp_path: Path) -> None:
    async def scenario(seat: Seat) -> None:
        assert "refill" not in seat.offers

    sit(tmp_path, scenario)


@pytest.mark.parametrize(
    ("changes", "values"),
    [
        ({}, (100, 500, 1000, 2500, 5000, 10000)),
        ({"bet_max": 1000}, (100, 500, 1000)),
        ({"unit": 1000, "bet_min": 1000}, (1000, 5000, 10000, 50000, 100000)),
        ({"unit": 50, "bet_min": 50}, (50, 100, 500, 1000, 2500, 5000)),
        ({"unit": 700, "bet_min": 700, "bet_max": 7000}, (700,)),
        ({"bet_max": None}, (100, 500, 1000, 2500, 5000, 10000)),
    ],
)
def test_the_chips_suit_the_tables_limits(changes: dict[str, object], values: tuple[int, ...]) -> None:
    assert chip_values(with_(RuleSet(), changes)) == values


def test_a_table_without_a_chip_of_the_ladder_can_still_be_played(tmp_path: Path) -> None:
    async def scenario(seat: Seat) -> None:
        await seat.press("1", "1", "enter", "2")
        assert seat.sitting.phase == "over"

    base = preset("casino")
    odd = replace(base, rules=with_(base.rules, {"unit": 700, "bet_min": 700, "bet_max": 7000}))
    sit(tmp_path, scenario, odd, cards="10 9 8 9")
