"""Replaying and checking files in words, in both languages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path

import pytest

from tapete.history import HistoryError
from tapete.terminal.replaying import check_file, replay_file
from tapete.words import LANGUAGES, words
from tests.history import sample as samples

SAMPLE = samples.SAMPLE.read_text("utf-8")


def told(path: Path, language: str, *answers: str, all_at_once: bool = False) -> list[str]:
    """What a replay says when these answers are typed, prompts among it as ``> ...``."""
    said: list[str] = []
    rest: Iterator[str] = iter(answers)

    def read(prompt: str) -> str:
        said.append(f"> {prompt}")
        answer = next(rest, None)
        if answer is None:
            raise EOFError
        return answer

    replay_file(path, words(language), all_at_once=all_at_once, read=read, write=said.append)
    return said


def test_a_replay_tells_a_round_in_english() -> None:
    text = "\n".join(told(samples.SAMPLE, "en", all_at_once=True))
    for line in (
        "Box 3, Luis; Eva María’s bet: 5.",
        "The dealer shows: ace of spades.",
        "Box 1, Ana: 8 of clubs; hard 17.",
        "Box 1, Ana: takes insurance for 3.",
        "Box 3, Luis: splits with 20 more.",
        "Box 3, Luis; Eva María’s bet: follows with 5 more.",
        "Box 3, Luis, mano 2".replace("mano", "hand") + ": doubles with 20 more.",
        "Box 1, Ana: stands (time ran out).",
        "The dealer draws: 4 of diamonds; A-7 · soft 18.",
        "  Box 1, Ana: 19 against 18: wins 10. Stake 10, +10.",
        "Ana: -3 +10 = +7",
        "The bank: +63",
        "  Box 4, Luis: retired: loses 1.5 of 3. Stake 3, -1.5.",
    ):
        assert line in text.split("\n")


def test_a_replay_tells_a_round_in_spanish() -> None:
    text = "\n".join(told(samples.SAMPLE, "es", all_at_once=True))
    for line in (
        "El crupier descubre: as de picas.",
        "Casilla 1, Ana: 8 de tréboles; 17 duro.",
        "Casilla 3, Luis, mano 2: dobla con 20 más.",
        "El crupier saca: 4 de diamantes; A-7 · 18 blando.",
        "  Casilla 1, Ana: 19 contra 18: gana 10. Apuesta 10, +10.",
        "  Casilla 4, Luis: retirada: pierde 1,5 de 3. Apuesta 3, -1,5.",
        "La banca: +63",
    ):
        assert line in text.split("\n")


def test_it_is_said_who_may_do_what() -> None:
    asked = [line for line in told(samples.SAMPLE, "en", all_at_once=True) if "What now?" in line]
    assert asked[0].startswith("  Box 1, Ana: hard 17 against ace of spades. What now? ")
    assert "Split" not in asked[0]
    assert "Split" in next(line for line in asked if line.startswith("  Box 3, Luis: hard 16"))


def test_questions_that_are_still_open_are_not_asked_again() -> None:
    said = told(samples.SAMPLE, "en", all_at_once=True)
    assert len([line for line in said if "Insurance for up to" in line]) == 2


def prompts(said: list[str]) -> int:
    return len([line for line in said if line.startswith("> ")])


def test_enter_goes_one_step_at_a_time() -> None:
    said = told(samples.SAMPLE, "en", "", "", "")
    assert prompts(said) == 4
    assert said[-2] == "The dealer shows: ace of spades."


def test_n_goes_to_the_next_round_and_stops_there() -> None:
    said = told(samples.SAMPLE, "en", "n")
    assert prompts(said) == 2
    assert "The bank: +63" in said
    assert said[-2].startswith("Box 4, Luis: bets")


def test_a_tells_the_rest_without_stopping() -> None:
    said = told(samples.SAMPLE, "en", "", "a")
    assert prompts(said) == 2
    assert said[-1] == "That was all."


@pytest.mark.parametrize("answers", [("q",), ("", "Q"), ("x", "what?", "q")])
def test_q_ends_the_replay(answers: tuple[str, ...]) -> None:
    said = told(samples.SAMPLE, "en", *answers)
    assert "That was all." not in said
    assert prompts(said) == len(answers)


def test_a_replay_of_a_file_that_departs_stops_there(tmp_path: Path) -> None:
    path = tmp_path / "edited.bjh"
    path.write_text(SAMPLE.replace("b3 split", "b3 retires"), "utf-8")
    said: list[str] = []
    with pytest.raises(HistoryError) as caught:
        replay_file(path, words("en"), all_at_once=True, read=str, write=said.append)
    assert caught.value.line == SAMPLE[: SAMPLE.index("b3 split")].count("\n") + 1
    assert "Luis" in said[-1]


# --- check ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_history_that_holds_is_told_so_with_its_shoes(language: str) -> None:
    lines, fine = check_file(samples.SAMPLE, words(language))
    assert fine
    assert len(lines) == 3
    assert "2" in lines[0]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["casino", "faceup"])
def test_a_rule_file_that_holds_is_told_so(language: str, name: str) -> None:
    lines, fine = check_file(Path(str(files("tapete") / "presets" / f"{name}.toml")), words(language))
    assert fine
    assert len(lines) == 1


EDITS: dict[str, Callable[[str], str]] = {
    "result": lambda text: text.replace('reason = "win"', 'reason = "push"'),
    "event": lambda text: text.replace("b3 split", "b3 retires"),
    "stakes": lambda text: text.replace("stake = 1000", "stake = 1050", 1),
    "rules": lambda text: text.replace("decks = 6", "decks = 0"),
    "shoe": lambda text: text.replace("shoe.packs = [3, 3]", "shoe.packs = 6"),
    "torn": lambda text: text[: text.index("dealer turns")],
    "version": lambda text: text.replace("version = 1", "version = 99", 1),
    "escape": lambda text: text.replace('id = "leaflet"', 'id = "\\u001b[2J"'),
    "noise": lambda _: "\x1b]0;" * 1000,
    "empty": lambda _: "",
}


@pytest.mark.parametrize("edit", EDITS)
def test_a_history_that_does_not_hold_is_told_with_its_line(tmp_path: Path, edit: str) -> None:
    path = tmp_path / "edited.bjh"
    path.write_text(EDITS[edit](SAMPLE), "utf-8")
    said = {}
    for language in LANGUAGES:
        (line,), fine = check_file(path, words(language))
        assert not fine
        assert re.match(re.escape(str(path)) + r":\d+: .", line)
        assert line.isprintable()
        said[language] = line
    assert said["en"] != said["es"]


def test_a_card_that_the_shoe_did_not_hold_there_is_told(tmp_path: Path) -> None:
    path = tmp_path / "edited.bjh"
    path.write_text(SAMPLE.replace("dealer draws 4d/1", "dealer draws 4c/1"), "utf-8")
    lines, fine = check_file(path, words("en"))
    assert not fine
    assert "4d/1" in lines[1]


def test_what_kind_of_file_it_is_tells_its_content(tmp_path: Path) -> None:
    rules, rounds = tmp_path / "rules.txt", tmp_path / "rounds.toml"
    rules.write_text('from = "casino"\n[rules]\ndecks = 4\n', "utf-8")
    rounds.write_text(SAMPLE, "utf-8")
    assert check_file(rules, words("en"))[1]
    assert len(check_file(rounds, words("en"))[0]) == 3


def test_every_fault_of_a_rule_file_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('from = "casino"\n[rules]\ndecks = 0\nxyzzy = 1\ntie = "\\u001b"\n', "utf-8")
    lines, fine = check_file(path, words("es"))
    assert not fine
    assert [line.split(":")[1] for line in lines] == ["3", "4", "5"]
    assert all(line.isprintable() for line in lines)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_file_that_is_not_there_is_told(tmp_path: Path, language: str) -> None:
    for path in (tmp_path / "none.bjh", tmp_path / "none.toml", tmp_path):
        lines, fine = check_file(path, words(language))
        assert not fine
        assert str(path) in lines[0]
