"""Every table can be played through a pipe in both languages, and what it says of the money is true."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from tapete.rulefile import FOUNDING, preset
from tapete.store import STARTING, Store
from tapete.words import LANGUAGES
from tests.terminal.people import balances, pipe, said, sums

ONE_BOX = {name for name in FOUNDING if preset(name).rules.seats_max == 1}
# Refused answers are asked again, so this plays any table: no, hit or a bet of 1, stand or a bet of 2.
ANYTHING = ("0", "1", "2", "2") * 15


def sits(table: str, name: str = "Ana") -> list[str]:
    """The lines with which a person sits down alone."""
    return [name] if table in ONE_BOX else [name, "1", "0"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("table", FOUNDING)
def test_a_table_plays_many_rounds_and_its_money_adds_up(table: str, language: str, tmp_path: Path) -> None:
    told = said(tmp_path, "play", table, "--seed", "11", "--lang", language, lines=[*sits(table), *ANYTHING])
    chips, nets = balances(told, "Ana", language=language), sums(told, "Ana")
    assert len(chips) == len(nets) >= 8
    assert [before + net for before, net in zip([STARTING, *chips], nets, strict=False)] == chips
    with Store(tmp_path) as store:
        assert store.audit().faults == ()


def test_a_seed_gives_the_same_conversation_again_and_another_seed_another_one(tmp_path: Path) -> None:
    lines = [*sits("home"), *ANYTHING[:20]]
    seeds = {"a": "5", "b": "5", "c": "6"}
    first, second, third = (
        said(tmp_path / place, "play", "home", "--seed", seed, "--lang", "en", lines=lines)
        for place, seed in seeds.items()
    )
    assert first == second != third


def test_without_a_seed_the_cards_are_others_each_time(tmp_path: Path) -> None:
    lines = [*sits("home"), *ANYTHING[:20]]
    assert said(tmp_path / "a", "play", "home", lines=lines) != said(tmp_path / "b", "play", "home", lines=lines)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_prompt_is_the_last_thing_said_before_its_answer(language: str, tmp_path: Path) -> None:
    told = said(tmp_path, "play", "casino", "--seed", "3", "--lang", language, lines=[*sits("casino"), *ANYTHING])
    answered = [line for line in told.splitlines() if line.startswith("> ")]
    assert len(answered) == len(sits("casino")) + len(ANYTHING) + 1, "one line answers one question, none is dropped"
    assert [line[2:] for line in answered[:-1]] == [*sits("casino"), *ANYTHING]


def test_nothing_is_drawn(tmp_path: Path) -> None:
    told = said(tmp_path, "play", "leaflet", "--seed", "3", "--lang", "es", lines=[*sits("leaflet"), *ANYTHING])
    assert not set(told) & set("♠♥♦♣│─╭╮·\x1b\r\t")


def test_UI_08_every_card_and_total_has_a_name_and_whose_it_is(tmp_path: Path) -> None:
    told = said(tmp_path, "play", "casino", "--seed", "2", "--lang", "en", lines=[*sits("casino"), "10", "2", "q"])
    assert "Box 1, Ana: 4 of hearts, 5 of diamonds; hard 9.\n" in told
    assert "Dealer: jack of spades; hard 10.\n" in told
    assert "Box 1, Ana: hard 9 against jack of spades." in told
    assert "1 Hit (h), 2 Stand (s), 3 Double (d)." in told


def test_UI_13_cards_are_told_in_the_order_in_which_they_came(tmp_path: Path) -> None:
    lines = [*sits("casino"), "10", "h", "m", "q"]
    told = said(tmp_path, "play", "casino", "--seed", "2", "--lang", "en", lines=lines)
    assert "Box 1, Ana: 4 of hearts, 5 of diamonds, 4 of clubs; hard 13.\n" in told


def test_UI_01_no_hidden_card_is_told_before_it_is_turned(tmp_path: Path) -> None:
    told = said(
        tmp_path, "play", "home", "--seed", "2", "--lang", "en", lines=[*sits("home"), "10", "m", "0", "s", "q"]
    )
    before, turned, _ = told.partition("The dealer turns up: king of spades")
    assert turned
    dealer = {line for line in before.splitlines() if line.startswith("Dealer: ")}
    assert dealer == {"Dealer: 10 of spades, a hidden card; hard 10."}


def test_the_face_up_table_says_rebet_in_spanish_too(tmp_path: Path) -> None:
    lines = ["Ana", "1", *ANYTHING[:30]]
    told = said(tmp_path, "play", "faceup", "--seed", "1", "--lang", "es", lines=lines)
    assert "r Rebet 1." in told
    assert "1 Hit (h)" in told
    assert "Pedir" not in told


def test_what_is_not_allowed_is_told_with_its_reason_and_its_clause(tmp_path: Path) -> None:
    lines = [*sits("casino"), "10", "double", "4", "?", "q"]
    told = said(tmp_path, "play", "casino", "--seed", "3", "--lang", "en", lines=lines)
    refused = "Not now: 3 Double (d). This total may not be doubled here. (Rule D0-21)\n"
    assert told.count(refused) == 2, "once when it was tried, once in the help"
    assert told.count("Not now: 4 Split (p). These two cards are not a pair.\n") == 2
    assert told.count("> double\n") == 1
    assert "Box 1, Ana: doubles" not in told


def test_the_state_can_be_asked_for_at_every_prompt(tmp_path: Path) -> None:
    lines = [*sits("casino"), "m", "10", "m", "q"]
    told = said(tmp_path, "play", "casino", "--seed", "1", "--lang", "en", lines=lines)
    assert "Box 1: Ana, bet 0.\n" in told
    assert "Ana has 990 chips that are not bet.\nBox 1, Ana: Ana has 10 on it.\n" in told


def test_a_table_is_chosen_from_the_list_when_none_is_named(tmp_path: Path) -> None:
    told = said(tmp_path, "play", "--lang", "en", lines=["?", "9", "nonsense", "2", "Ana", "1", "0", "q"])
    assert "There is no table “9”." in told
    assert "There is no table “nonsense”." in told
    assert "The British Table.\nBlackjack pays 3 to 2." in told
    assert told.endswith("Ana leaves with 1000 chips.\n")


def test_a_table_from_a_file_and_a_changed_switch_can_be_played(tmp_path: Path) -> None:
    own = tmp_path / "friday.toml"
    own.write_text('from = "casino"\n[title]\nen = "Our Friday table"\n[rules]\nseats_max = 1\n')
    told = said(
        tmp_path / "data", "play", str(own), "--set", "bet_max=50", "--lang", "en", lines=["Ana", "60", "50", "q"]
    )
    assert "Our Friday table.\n" in told
    assert "That is more than the table's maximum." in told


def test_balances_are_kept_from_one_sitting_to_the_next(tmp_path: Path) -> None:
    told = said(tmp_path, "play", "casino", "--seed", "1", "--lang", "en", lines=[*sits("casino"), "10", "2", "q"])
    assert "Ana leaves with 1010 chips." in told
    assert "Ana has 1010 chips.\n" in said(tmp_path, "play", "faceup", "--lang", "en", lines=["1", "q"])
    assert said(tmp_path, "bank", "--lang", "en") == "Ana: 1010 chips.\n"
    assert said(tmp_path, "bank", "--reset", "ana", "--lang", "en") == "Ana: 1000 chips.\n"


def test_more_than_one_round_never_changes_the_number_of_people(tmp_path: Path) -> None:
    told = said(tmp_path, "play", "casino", "--seed", "1", "--lang", "en", lines=[*sits("casino"), *ANYTHING])
    numbers = [int(line[6:-1]) for line in told.splitlines() if line.startswith("Round ")]
    assert all(after == before + 1 for before, after in pairwise(numbers))


def test_the_help_tells_what_each_answer_does(tmp_path: Path) -> None:
    told = pipe(
        tmp_path, "play", "casino", "--seed", "2", "--lang", "es", lines=[*sits("casino"), "?", "10", "?"]
    ).stdout
    assert "r apuesta lo mismo que la última vez" in told
    assert "1 Pedir (p): otra carta.\n" in told
    assert "3 Doblar (d): otra apuesta igual en esta mano.\n" in told
