"""Several people, house bots and backers at one table, each asked by name about their own box."""

from __future__ import annotations

from pathlib import Path

import pytest

from tapete.store import Store
from tests.terminal.people import balances, said, sums

# With this seed Ana has 11 on box 1, Bea 18 on box 2, the dealer an ace and then a ten.
ACE_UP = ("play", "leaflet", "--seed", "7", "--name", "Ana", "--name", "Bea", "--bots", "0")
SEATED = ("1", "2")


def leaflet(folder: Path, *lines: str, language: str = "en") -> str:
    """What the leaflet table says to Ana on box 1 and Bea on box 2 who type these lines."""
    return said(folder, *ACE_UP, "--lang", language, lines=[*SEATED, *lines])


def test_each_person_is_asked_by_name_about_their_own_box(tmp_path: Path) -> None:
    told = leaflet(tmp_path, "20", "10", "0", "0", "2", "2", "q")
    asked = [line for line in told.splitlines() if line.endswith(("What now?", "chips.")) and ":" in line]
    assert "Ana, box 1: your bet? You have 1000 chips." in asked
    assert "Bea, box 2: your bet? You have 1000 chips." in asked
    assert told.index("Box 1, Ana: hard 11 against ace of clubs. What now?") < told.index("Box 2, Bea: hard 18 against")


@pytest.mark.parametrize(
    ("language", "first", "second"),
    [
        ("en", "Box 1, Ana: hard 11. Insurance for up to 10?", "Box 2, Bea: hard 18. Insurance for up to 5?"),
        ("es", "Casilla 1, Ana: 11 duro. ¿Seguro, hasta 10?", "Casilla 2, Bea: 18 duro. ¿Seguro, hasta 5?"),
    ],
)
def test_UI_10_an_insurance_question_names_its_box_and_is_paid_there(
    language: str, first: str, second: str, tmp_path: Path
) -> None:
    told = leaflet(
        tmp_path, "20", "10", "n", {"en": "i 3", "es": "a 3"}[language], "1", "2", "2", "q", language=language
    )
    assert told.index(first) < told.index(second)
    won = {"en": "Box 2, Bea: insurance (2 to 1): wins 6.", "es": "Casilla 2, Bea: seguro (2 a 1): gana 6."}
    assert won[language] in told


def test_UI_03_insurance_is_asked_after_the_ace_is_told(tmp_path: Path) -> None:
    told = leaflet(tmp_path, "20", "10", "q")
    assert told.index("Dealer: ace of clubs; soft 11.") < told.index("Insurance for up to")


@pytest.mark.parametrize("amount", ["i 11", "i 0", "i 0.3", "i 5.25"])
def test_an_insurance_that_does_not_fit_is_told_and_asked_again(amount: str, tmp_path: Path) -> None:
    told = leaflet(tmp_path, "20", "10", amount, "q")
    assert "does not fit: from 0.5 to 10, in steps of 0.5." in told
    assert told.count("Box 1, Ana: hard 11. Insurance for up to 10?") == 2
    assert "takes insurance" not in told


def test_results_are_told_by_hand_and_by_bettor_with_their_sums(tmp_path: Path) -> None:
    told = leaflet(tmp_path, "20", "b", "10", "1 5", "y", "0", "i 3", "3", "0", "2", "q")
    for line in (
        "Box 1, Ana: the dealer has blackjack: loses 40.",
        "Box 1, Ana; Bea’s bet: the dealer has blackjack: loses 5.",
        "Box 2, Bea: insurance (2 to 1): wins 6.",
        "Bea: +6 -10 -5 = -9.",
        "Ana: -40.",
    ):
        assert f"{line}\n" in told
    assert (sums(told, "Ana"), balances(told, "Ana")) == ([-4000], [96_000])
    assert (sums(told, "Bea"), balances(told, "Bea")) == ([-900], [99_100])


def test_D2_09_a_bet_behind_needs_the_holders_word_and_is_asked_at_that_moment(tmp_path: Path) -> None:
    told = leaflet(tmp_path, "20", "b", "10", "1 5", "n", "1 5", "y", "q")
    assert told.count("Ana: may Bea bet 5 on your box 1? y yes, n no.") == 2
    assert told.index("Ana does not agree.") < told.index("Ana agrees")
    assert "Box 1, Ana; Bea’s bet: 5.\n" in told


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("1 2000", "Bea: 2000 is no bet for box 1. That is more than the table's maximum."),
        ("1 995", "You do not have the chips for that."),
        ("1 -5", "“-5” is not an amount of chips."),
        ("1 0.5", "The bet is not a multiple of the table's smallest chip."),
        ("2 5", "A bet behind goes on one of these boxes: 1."),
        ("7 5", "A bet behind goes on one of these boxes: 1."),
        ("x", "A bet behind goes on one of these boxes: 1."),
        ("1", "“1” is not an answer here."),
    ],
)
def test_the_holder_is_not_troubled_with_a_bet_that_cannot_stand(typed: str, sentence: str, tmp_path: Path) -> None:
    told = leaflet(tmp_path, "20", "b", "10", typed, "0", "q")
    assert sentence in told
    assert "may Bea bet" not in told
    assert "Bea’s bet" not in told


def test_D2_10_a_friend_who_stands_may_back_and_follow_a_double(tmp_path: Path) -> None:
    told = said(
        tmp_path, *ACE_UP, "--lang", "en",
        lines=["1 2", "0", "20", "10", "1 5", "y", "0", "0", "0", "double", "f", "2", "q"],
    )  # fmt: skip
    assert "Box 1, Ana; Bea’s bet: follow the double with 5?" in told
    assert "Box 1, Ana; Bea’s bet: follows with 5 more.\n" in told
    assert "Box 1, Ana; Bea’s bet: the dealer has blackjack: loses 10.\n" in told


def test_a_bet_behind_can_be_repeated_without_being_asked_again(tmp_path: Path) -> None:
    lines = ["1", "0", "20", "1 5", "y", "0", "2", "r", "1 r", "q"]
    told = said(tmp_path, *ACE_UP, "--lang", "en", lines=lines)
    assert told.count("may Bea bet") == 1
    assert told.count("Box 1, Ana; Bea’s bet: 5.\n") == 2


def test_house_bots_play_and_agree_by_themselves(tmp_path: Path) -> None:
    told = said(
        tmp_path, "play", "leaflet", "--seed", "3", "--name", "Ana", "--bots", "2", "--lang", "en",
        lines=["1", "b", "10", "3 20", "0", "2", "q"],
    )  # fmt: skip
    assert "Bot 3 agrees.\n" in told
    assert "Box 3, Bot 3; Ana’s bet: 20.\n" in told
    assert "Box 2, Bot 2: bets 1.\n" in told
    with Store(tmp_path) as store:
        assert [one.name for one in store.people()] == ["Ana"], "bots play with the house's chips"
        assert store.audit().faults == ()


def test_the_menu_moves_people_and_bots_between_rounds(tmp_path: Path) -> None:
    lines = [
        "1", "2", "w", "1 Ana 3", "2 1", "3 Eva", "5", "5 4", "6 3 Bea", "4 bea", "1 Nobody 2", "9", "0", "7", "2", "q",
    ]  # fmt: skip
    told = said(tmp_path, *ACE_UP, "--lang", "en", lines=lines)
    assert "Eva: which box? Free: 1, 4-7." in told
    assert "Nobody is not at this table." in told
    assert "“9” is not an answer here." in told
    assert "Box 5, Eva: bets 2.\n" in told
    assert "Box 4, Bot 4: bets 1.\n" in told


def test_a_box_that_is_taken_is_told(tmp_path: Path) -> None:
    told = said(tmp_path, *ACE_UP, "--lang", "en", lines=["1 3", "3", "8", "x", "2", "q"])
    assert "Box 3 is Ana’s." in told
    assert "There is no box 8: they are numbered from 1 to 7." in told
    assert told.count("Bea: which box?") == 4


def test_names_that_are_none_are_told_and_asked_again(tmp_path: Path) -> None:
    lines = ["12", "x" * 41, ", ,", "Ana, ana,  Zoë ", "1", "2", "0", "q"]
    told = said(tmp_path, "play", "casino", "--lang", "en", lines=lines)
    assert "A name needs at least one letter." in told
    assert "A name may have up to 40 letters" in told
    assert "Ana leaves with 1000 chips.\nZoë leaves with 1000 chips.\n" in told


def test_the_face_up_table_has_one_box_and_friends_watch(tmp_path: Path) -> None:
    told = said(tmp_path, "play", "faceup", "--seed", "1", "--lang", "en", lines=["Ana, Bea", "b", "q"])
    assert "Ana: your bet? You have 1000 chips." in told
    assert "Bea has 1000 chips.\n" in told
    assert "Nobody may bet on another's box at this table." in told
