"""At a real terminal: held keys answer nothing, lines fit, and every prompt ends what is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.terminal.people import at_terminal

CASINO = ("play", "casino", "--plain", "--seed", "3", "--lang", "en", "--name", "Ana", "--bots", "0")


def test_UI_11_a_held_key_answers_one_question_only(tmp_path: Path) -> None:
    with at_terminal(tmp_path, *CASINO) as one:
        one.answers("1")
        one.answers("10")
        one.sees("> ")
        one.types("1\n" * 6)  # one hit ends this hand; the bet that is asked for then must not be 1
        one.sees("held key")
        one.answers("m")
        one.sees("that are not bet.")
        one.answers("q")
        assert one.ended() == 0
    assert one.seen.count("bust (23)") == 1
    assert one.seen.count("counts as a held key and is ignored") == 1
    assert "Round 2." not in one.seen


def test_UI_11_holding_Enter_decides_nothing(tmp_path: Path) -> None:
    with at_terminal(tmp_path, *CASINO) as one:
        one.answers("1")
        one.answers("10")
        one.sees("What now?")
        one.types("\n" * 40)
        one.answers("m")
        one.sees("that are not bet.")
        one.sees("hard 15")
        one.answers("q")
        assert one.ended() == 0
    assert "Ana: stands" not in one.seen
    assert one.seen.count("What now?") <= 4, "a held Enter does not fill the screen"


def test_different_answers_typed_ahead_are_all_taken(tmp_path: Path) -> None:
    with at_terminal(tmp_path, *CASINO) as one:
        one.sees("> ")
        one.types("1\n10\n2\nq\n")
        assert one.ended() == 0
    assert one.seen.count("Ana now has") == 1


def test_the_same_answer_given_slowly_is_an_answer(tmp_path: Path) -> None:
    with at_terminal(tmp_path, *CASINO) as one:
        for line in ("1", "10", "s", "10", "s", "q"):
            one.answers(line)
        one.ended()
    assert "held key" not in one.seen
    assert one.seen.count("Round ") == 2


@pytest.mark.parametrize("columns", [20, 40, 80])
@pytest.mark.parametrize("language", ["en", "es"])
def test_no_line_is_wider_than_the_terminal_and_no_word_is_cut(columns: int, language: str, tmp_path: Path) -> None:
    with at_terminal(tmp_path, *CASINO, "--lang", language, columns=columns) as one:
        for line in ("1", "?", "10", "?", "m", "2", "q"):
            one.answers(line)
        one.ended()
    said = [line for line in one.seen.splitlines() if not line.startswith("> ")]
    assert max(map(len, said)) < columns
    assert "> ?" in one.seen


def test_every_prompt_ends_what_is_said(tmp_path: Path) -> None:
    with at_terminal(tmp_path, *CASINO) as one:
        one.answers("1")
        one.answers("10")
        one.sees("\n> ")
        assert one.seen.endswith("1 Hit (h), 2 Stand (s).\n> ")


@pytest.mark.parametrize("term", ["dumb", ""])
def test_a_terminal_that_can_draw_nothing_gets_lines_and_is_told_why(term: str, tmp_path: Path) -> None:
    with at_terminal(tmp_path, *(one for one in CASINO if one != "--plain"), more={"TERM": term}) as one:
        one.sees("This terminal cannot show the full table, so it is told in lines.")
        one.sees("The Casino Table.")
        one.answers("q")
        assert one.ended() == 0


def test_UI_06_a_terminal_without_the_suits_gets_lines(tmp_path: Path) -> None:
    arguments = [one for one in CASINO if one != "--plain"]
    with at_terminal(tmp_path, *arguments, "--lang", "es", more={"PYTHONIOENCODING": "ascii"}) as one:
        for line in ("1", "10", "2", "q"):
            one.answers(line)
        assert one.ended() == 0
    assert "Casilla 1, Ana: 8 de diamantes, 7 de picas; 15 duro." in one.seen
    assert "Apuesta? Tienes" in one.seen or "tu apuesta? Tienes" in one.seen
    assert one.seen.isascii()


def test_a_speed_lets_the_cards_come_one_by_one(tmp_path: Path) -> None:
    with at_terminal(tmp_path, *CASINO, "--speed", "fast") as one:
        one.answers("1")
        one.answers("10")
        one.answers("2")
        one.sees("Ana now has")
