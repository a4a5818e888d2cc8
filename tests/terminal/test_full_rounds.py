"""Rounds at the full-screen table: at each table, in both languages, with all that the pages know."""

from __future__ import annotations

from pathlib import Path

import pytest

from tapete import table as tables
from tapete.stakes import nets
from tapete.store import STARTING
from tapete.terminal.full.faces import LARGE, MIDDLE, SMALL, Deck, card_lines
from tests.terminal.fullscreen import Seat, sit

FIVE = ("casino", "british", "leaflet", "faceup", "home")
STAY = {"turn": "2", "retire": "0", "insure": "0", "follow": "0"}


async def to_the_end(seat: Seat) -> None:
    """Stands, or hits where Stand is withheld, and declines everything."""
    while seat.sitting.phase == "asks":
        kind = seat.asked.kind
        await seat.press("1" if kind == "turn" and "stand" not in seat.asked.legal else STAY[kind])


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("table", FIVE)
def test_a_round_is_played_to_its_money(tmp_path: Path, table: str, language: str) -> None:
    async def scenario(seat: Seat) -> None:
        assert seat.sitting.phase == "bets"
        await seat.press("3", "enter")
        await to_the_end(seat)
        assert seat.sitting.phase == "over"
        round_ = seat.game.table.round
        assert round_ is not None
        net = nets(round_.statements)["Ana"]
        now = STARTING + net
        assert seat.game.store.racks(seat.game.id) == {seat.game.person_id("Ana"): now}
        amount = seat.sitting.words.amount
        unit = "fichas" if language == "es" else "chips"
        assert seat.status == f"Ana: {amount(STARTING)} {amount(net, signed=True)} = {amount(now)} {unit}"
        await seat.press("enter")
        assert seat.sitting.phase == "bets"
        await seat.press("r")
        assert seat.bets() == {("Ana", 1): 1000}

    sit(tmp_path, scenario, table, language=language)


def test_the_results_say_how_each_hand_fared_and_the_sum_last(tmp_path: Path) -> None:
    async def scenario(seat: Seat) -> None:
        await seat.press("3", "enter", "4", "2", "2")
        lines = seat.results.splitlines()
        assert "hand 1: 18 against 20: loses 10" in lines[0]
        assert "hand 2: 19 against 20: loses 10" in lines[1]
        assert lines[2:] == ["Ana: -10 -10 = -20"]
        assert seat.status == "Ana: 1000 -20 = 980 chips"

    sit(tmp_path, scenario, "british", cards="8 10 8 10 A 10")


@pytest.mark.parametrize(
    ("language", "words"), [("en", "Hit Stand Double Split"), ("es", "Pedir Plantarse Doblar Separar")]
)
def test_buttons_speak_the_tables_own_words(tmp_path: Path, language: str, words: str) -> None:
    async def scenario(seat: Seat) -> None:
        await seat.press("3", "enter")
        shown = [offer.label.split()[1] for offer in seat.offers.values()]
        assert shown == words.split()

    sit(tmp_path, scenario, "leaflet", language=language, cards="10 9 8")


def test_the_english_page_keeps_its_english_words_in_spanish(tmp_path: Path) -> None:
    async def scenario(seat: Seat) -> None:
        assert {"n Deal", "r Rebet"} <= {offer.label for offer in seat.offers.values()}
        await seat.press("3", "enter")
        assert seat.offers["hit"].label == "1 Hit (h)"

    sit(tmp_path, scenario, "faceup", language="es", cards="5 10 8 5")


def test_several_boxes_people_and_bots_play_in_one_round(tmp_path: Path) -> None:
    async def scenario(seat: Seat) -> None:
        await seat.press("w", "4", "right", "5", "b", "enter")
        assert [(one.name, one.box) for one in seat.game.table.seats] == [
            ("Ana", 1), ("Eva", 2), ("Ana", 4), ("Eva", 5), ("Bot 7", 7),
        ]  # fmt: skip
        await seat.press("3", "right", "2", "right", "2", "right", "3", "enter")
        assert seat.asked.bettor == "Ana"
        assert "Ana" in seat.status
        await to_the_end(seat)
        assert "Ana: " in seat.results
        assert "Eva: " in seat.results
        assert "Bot" not in seat.results

    sit(tmp_path, scenario, "casino", names=("Ana", "Eva"), cards="9 8 7 9 8 10 9 8 7 9 8")


def test_a_consent_is_taken_back(tmp_path: Path) -> None:
    async def scenario(seat: Seat) -> None:
        await seat.press("w", "2", "enter", "3", "b", "1", "y")
        assert tables.may_back(seat.game.table, 1, "Eva") == ""
        await seat.press("w", "c")
        assert "1 Eva may bet on box 1." in seat.text
        await seat.press("1")
        assert tables.may_back(seat.game.table, 1, "Eva") == "no_consent"
        assert "Take a consent back" not in seat.text
        await seat.press("enter")
        assert "Eva, behind Ana on box 1" not in seat.status

    sit(tmp_path, scenario, "leaflet", names=("Ana", "Eva"), cards="8 6 8 2 3 10 10")


def test_a_backer_asks_the_holder_first(tmp_path: Path) -> None:
    async def scenario(seat: Seat) -> None:
        await seat.press("w", "2", "enter", "3", "b", "1")
        assert "Ana: may Eva bet on your box 1?" in seat.text
        await seat.press("0")
        assert "Ana does not agree" in seat.note
        assert tables.may_back(seat.game.table, 1, "Eva") == "no_consent"
        await seat.press("b", "1", "y")
        assert "Eva, behind Ana on box 1" in seat.status
        await seat.press("2", "enter")
        assert seat.bets() == {}
        assert seat.game.table.round is not None
        [stake] = seat.game.table.round.lock.boxes
        assert [(one.bettor, one.amount, one.consent, one.standing) for one in stake.backers] == [
            ("Eva", 500, True, True)
        ]
        await seat.press("4")
        assert (seat.asked.kind, seat.asked.bettor) == ("follow", "Eva")
        assert "Eva" in seat.status
        await seat.press("4")
        assert "Eva 5" in seat.text
        await to_the_end(seat)
        assert "Ana, hand 1; Eva’s bet" in seat.results

    sit(tmp_path, scenario, "leaflet", names=("Ana", "Eva"), cards="8 6 8 2 3 10 10")


def test_nobody_bets_behind_where_the_page_does_not_know_it(tmp_path: Path) -> None:
    async def scenario(seat: Seat) -> None:
        assert "back" not in seat.offers
        await seat.press("b")
        assert "“b” means nothing here" in seat.note

    sit(tmp_path, scenario, "home", names=("Ana", "Eva"))


def test_insurance_is_asked_only_of_the_holder_of_a_blackjack(tmp_path: Path) -> None:
    """D1-14, D1-15: exactly half, so there is no other amount to type."""

    async def scenario(seat: Seat) -> None:
        await seat.press("3", "right", "3", "enter")
        assert (seat.asked.kind, seat.asked.box) == ("insure", 2)
        assert list(seat.offers) == ["insure", "no_insurance"]
        assert "insure" in seat.offers
        await seat.press("6")
        assert (seat.asked.kind, seat.asked.box) == ("turn", 1)
        assert "insurance 5" in seat.text
        await to_the_end(seat)
        assert "insurance (2 to 1): wins 10" in seat.results

    sit(tmp_path, scenario, "british", names=("Ana", "Eva"), cards="10 A A 7 K Q")


def test_an_insurance_of_any_amount_can_be_typed(tmp_path: Path) -> None:
    async def scenario(seat: Seat) -> None:
        await seat.press("3", "enter")
        assert seat.asked.kind == "insure"
        assert seat.offers["insure"].label.endswith(" 5")
        await seat.press("t")
        await seat.type("5.5")
        assert "5.5 does not fit" in seat.text
        await seat.press("backspace", "backspace", "backspace")
        await seat.type("2.5")
        assert seat.asked.kind == "turn"
        assert seat.game.table.round is not None
        [insured] = seat.game.table.round.boxes[0].insurances
        assert insured.amount == 250

    sit(tmp_path, scenario, "casino", cards="10 A 9")


def test_retiring_at_home_costs_half_at_once(tmp_path: Path) -> None:
    async def scenario(seat: Seat) -> None:
        await seat.press("3", "enter")
        assert seat.asked.kind == "retire"
        await seat.press("5")
        assert "retired: loses 5 of 10" in seat.results
        assert "retired" in seat.text

    sit(tmp_path, scenario, "home", cards="10 9 6 7")


def test_stand_is_withheld_and_says_why(tmp_path: Path) -> None:
    """D3-18: against a dealer who stands the hand has to go on until it beats him."""

    async def scenario(seat: Seat) -> None:
        await seat.press("3", "enter")
        before = seat.game.table
        assert seat.offers["stand"].reason
        await seat.press("2")
        assert seat.game.table is before
        assert "at this table it has to go on" in seat.note
        assert "D3-18" in seat.note

    sit(tmp_path, scenario, "faceup", cards="6 10 5 8 6")


def test_the_hole_card_is_a_back_until_it_is_turned(tmp_path: Path) -> None:
    async def scenario(seat: Seat) -> None:
        await seat.press("3", "enter")
        while seat.sitting.phase == "asks":
            assert "Q" not in seat.text
            assert "░░░" in seat.text
            await seat.press(STAY[seat.asked.kind])
        assert "Q" in seat.text

    sit(tmp_path, scenario, "home", cards="10 9 8 Q")


def test_both_backs_of_the_leaflets_packs_are_told_apart_by_their_pattern(tmp_path: Path) -> None:
    async def scenario(seat: Seat) -> None:
        assert "3 packs ░ and 3 packs ▞" in seat.text
        shoe = seat.game.house.shoe
        assert shoe is None
        await seat.press("3", "enter")
        corners = set()
        assert seat.game.table.round is not None
        for one in seat.game.table.round.boxes[0].hands[0].cards:
            for size in (LARGE, MIDDLE, SMALL):
                last = card_lines(one, size, Deck(backs=True))[-1].plain
                corners.add((one.back, last[-1] if size is SMALL else last[0]))
        assert corners <= {(0, "░"), (1, "▞")}

    sit(tmp_path, scenario, "leaflet")


def test_a_finished_round_can_be_read_until_a_key_and_the_key_that_ended_it_does_not_sweep_it(tmp_path: Path) -> None:
    async def scenario(seat: Seat) -> None:
        await seat.press("3", "enter")
        await seat.press("2")
        assert seat.sitting.phase == "over"
        await seat.press("r", gap=1.0)
        assert seat.bets() == {("Ana", 1): 1000}

    sit(tmp_path, scenario, "casino", cards="10 9 8 9")


def test_the_hand_in_turn_is_named_with_its_total(tmp_path: Path) -> None:
    async def scenario(seat: Seat) -> None:
        await seat.press("3", "enter")
        assert "hard 16 against 10 of hearts" in seat.status
        await seat.press("e")
        assert "16 duro contra 10 de corazones" in seat.status

    sit(tmp_path, scenario, "casino", cards="9 10h 7")
