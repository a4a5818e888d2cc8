"""Bets as people type them: what is no bet is told, nothing is lost, and no round begins by accident."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.terminal.people import balances, said, sums

NO_BETS = {
    "0": "Ana: 0 is no bet for box 1. A bet has to be more than nothing.",
    "-1": "“-1” is not an amount of chips.",
    "-5": "“-5” is not an amount of chips.",
    "2.5": "Ana: 2.5 is no bet for box 1. The bet is not a multiple of the table's smallest chip.",
    "1/2": "“1/2” is not an amount of chips.",
    "nan": "“nan” is not an amount of chips.",
    "inf": "“inf” is not an amount of chips.",
    "1e3": "“1e3” is not an amount of chips.",
    "1_000": "“1_000” is not an amount of chips.",
    "٥٠": "“٥٠” is not an amount of chips.",
    "５": "“５” is not an amount of chips.",
    "1001": "Ana: 1001 is no bet for box 1. That is more than the table's maximum.",
    "9999999999999": "Ana: 9999999999999 is no bet for box 1. That is more than the table's maximum.",
    "9" * 150: "is not an amount of chips.",
    "+0": "Ana: 0 is no bet for box 1. A bet has to be more than nothing.",
    "+": "“” is not an amount of chips.",
    "ten": "“ten” is not an amount of chips.",
    "1 0": "“1 0” is not an amount of chips.",
    "\x1b[A": "is not an amount of chips.",
    "r": "There is no earlier bet to repeat on this box.",
    "x": "There is no bet to double.",
    "d": "There is no bet on this box yet.",
    "b": "Nobody may bet on another's box at this table.",
}


def casino(folder: Path, *lines: str, seed: int = 1, boxes: str = "1") -> str:
    """What the casino table says to Ana who types these lines on her boxes."""
    return said(folder, "play", "casino", "--seed", str(seed), "--lang", "en", lines=["Ana", boxes, "0", *lines])


def test_LE_16_what_is_no_bet_is_told_and_asked_again(tmp_path: Path) -> None:
    told = casino(tmp_path, *NO_BETS, "q")
    question = "Ana, box 1: your bet? You have 1000 chips.\n> "
    answers = told.split(question)[1:]
    assert len(answers) == len(NO_BETS) + 1, "each is answered by one sentence and the same question"
    for (typed, sentence), answer in zip(NO_BETS.items(), answers, strict=False):
        assert sentence in answer, typed
    assert "Round" not in told
    assert told.endswith("Ana leaves with 1000 chips.\n")


def test_a_bet_above_the_bankroll_is_told(tmp_path: Path) -> None:
    told = casino(tmp_path, "10", "2", "995", "1000", "q", seed=4)
    assert "You do not have the chips for that." in told or balances(told, "Ana")[0] >= 100_000


def test_blank_lines_never_bet_or_decide(tmp_path: Path) -> None:
    told = casino(tmp_path, "", "", "10", "", "   ", "", "2", "", "", "q")
    assert told.count("Round ") == 1
    assert told.count("Box 1, Ana: stands.") == 1


def test_LE_18_the_balance_is_shared_by_all_boxes(tmp_path: Path) -> None:
    told = casino(tmp_path, "998", "1", "1", "m", "2", "2", "2", "q", boxes="1 2 3 4")
    assert "Ana has no chips left for box 4." in told
    assert "Box 3, Ana: bets 1.\n" in told
    assert "Ana has 0 chips that are not bet." in told


def test_PO_33_a_rebet_repeats_the_chosen_bet_and_not_the_doubled_one(tmp_path: Path) -> None:
    told = casino(tmp_path, "25", "double", "r", "q", seed=2)
    assert "Box 1, Ana: doubles with 25 more.\n" in told
    assert "Ana, box 1: your bet? " in told
    assert "r Rebet 25.\n> r\n" in told
    assert told.count("Box 1, Ana: bets 25.\n") == 2
    assert abs(sums(told, "Ana")[0]) in (0, 5000)


def test_a_bet_is_built_doubled_taken_back_and_cleared_before_it_is_dealt(tmp_path: Path) -> None:
    told = casino(tmp_path, "+5", "+20", "u", "x", "c", "+3", "x", "+1", "d", "q")
    lying = [line.split("chips. ")[1] for line in told.splitlines() if "lie on the box" in line]
    amounts = [int(one.split()[0]) for one in lying]
    assert amounts == [5, 25, 5, 10, 3, 6, 7]
    assert "Box 1, Ana: bets 7.\n" in told


def test_double_the_bet_starts_from_the_last_one(tmp_path: Path) -> None:
    told = casino(tmp_path, "10", "2", "x", "d", "q")
    assert "20 lie on the box." in told
    assert "Box 1, Ana: bets 20.\n" in told


def test_a_round_can_be_sat_out(tmp_path: Path) -> None:
    told = casino(tmp_path, "o", "7", "2", "q", boxes="1 2")
    assert "Box 2, Ana: bets 7.\n" in told
    assert "Box 1, Ana: bets" not in told


def test_a_table_without_any_bet_waits_and_says_so(tmp_path: Path) -> None:
    told = casino(tmp_path, "o", "q")
    assert "Nobody has bet, so no round begins." in told
    assert told.endswith("Ana leaves with 1000 chips.\n")


def test_bots_do_not_play_on_when_nobody_is_asked(tmp_path: Path) -> None:
    lines = ["Ana", "0", "3", "d", "d", "q"]
    told = said(tmp_path, "play", "casino", "--seed", "1", "--lang", "en", lines=lines)
    assert told.count("Nobody at this keyboard has a bet to make.") == 3
    assert told.count("Round ") == 2
    assert told.endswith("Ana leaves with 1000 chips.\n")


def test_whoever_has_lost_everything_may_start_again(tmp_path: Path) -> None:
    own = ["play", "casino", "--seed", "3", "--lang", "en"]
    told = said(tmp_path, *own, lines=["Ana", "1", "0", "1000", "2", "maybe", "y", "r", "q"])
    assert balances(told, "Ana") == [0]
    assert "Ana has 0 chips left, fewer than the smallest bet.\nAna, start again with new chips?" in told
    assert "“maybe” is not an answer here." in told
    assert "Ana has 1000 chips.\nAna, box 1: your bet? You have 1000 chips." in told


def test_whoever_wants_no_new_chips_watches(tmp_path: Path) -> None:
    told = casino(tmp_path, "1000", "2", "n", "q", seed=3)
    assert "Nobody has bet, so no round begins." in told
    assert told.endswith("Ana leaves with 0 chips.\n")


@pytest.mark.parametrize("typed", ["9" * 100_000, "é" * 5000])
def test_a_line_without_end_is_only_a_wrong_answer(typed: str, tmp_path: Path) -> None:
    told = casino(tmp_path, typed, "10", typed, "2", "q")
    assert "Box 1, Ana: stands." in told
    assert len(told) < 10_000
