"""``tapete ev``: every move of a hand, with its value or the reason why it is not open."""

from __future__ import annotations

import re

import pytest

from tapete import lookup
from tapete.messages import MESSAGES
from tapete.pricing import hands, priced
from tapete.rulefile import preset
from tapete.words import LANGUAGES, words
from tests.pricing.saying import spoken, told


def test_every_move_is_told_best_first(capsys: pytest.CaptureFixture[str]) -> None:
    said = spoken(capsys, "ev", "home", "8,8 v 10", "--lang", "en")
    moves = re.findall(r"^(Hit|Stand|Double|Split|Retire) +([+-]\d\.\d{8}) +[+-]\d\.\d{8}$", said, re.MULTILINE)
    assert [name for name, _ in moves] == ["Retire", "Split", "Hit", "Stand", "Double"]
    assert [float(value) for _, value in moves] == sorted((float(value) for _, value in moves), reverse=True)
    assert "8,8 (16) against 10" in said


@pytest.mark.parametrize(("language", "hit", "stand"), [("en", "Hit", "Stand"), ("es", "Pedir", "Plantarse")])
def test_a_move_that_is_not_open_has_the_reason_of_the_round(
    language: str, hit: str, stand: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = spoken(capsys, "ev", "casino", "7,2,3 v T", "--lang", language)
    assert re.search(rf"^{hit} +[+-]\d", said, re.MULTILINE)
    assert re.search(rf"^{stand} +[+-]\d", said, re.MULTILINE)
    say = words(language)
    for reason in ("double.cards", "not_a_pair", "surrender.mode"):
        assert say.reason(reason) in said


def test_the_moves_in_json_agree_with_the_words(capsys: pytest.CaptureFixture[str]) -> None:
    answer = told(capsys, "ev", "home", "8,8 v 10")
    assert (answer["hand"], answer["dealer"], answer["split"], answer["best"]) == (["8", "8"], "T", False, "retire")
    assert answer["moves"]["retire"] == {"legal": True, "ev": -0.5, "ev_without_blackjack": -0.5}
    assert f"{answer['moves']['split']['ev']:+.8f}" in spoken(capsys, "ev", "home", "8,8 v 10", "--lang", "en")
    closed = told(capsys, "ev", "casino", "9,8 v 7")["moves"]
    assert closed["double"] == {"legal": False, "reason": "double.totals"}
    assert {one["reason"] for one in closed.values() if not one["legal"]} <= set(MESSAGES)


def test_a_hand_from_a_split_allows_for_the_other_card(capsys: pytest.CaptureFixture[str]) -> None:
    split = told(capsys, "ev", "home", "8*,3 v 6")
    whole = told(capsys, "ev", "home", "8,3 v 6")
    assert split["split"] is True
    assert split["moves"]["double"]["ev"] != whole["moves"]["double"]["ev"]
    assert split["moves"]["double"]["ev"] == pytest.approx(whole["moves"]["double"]["ev"], abs=0.02)
    assert "one 8 of a split pair" in spoken(capsys, "ev", "home", "8*,3 v 6", "--lang", "en")
    assert told(capsys, "ev", "home", "8*,8 v 6")["moves"]["split"]["reason"] == hands.AGAIN
    assert told(capsys, "ev", "casino", "8*,8 v 6")["moves"]["split"]["reason"] == "split.max_hands"
    assert told(capsys, "ev", "casino", "A*,5 v 6")["moves"]["hit"]["reason"] == "closed"
    # Nobody splits before the dealer has looked: what is left is worth what it is without his blackjack.
    looked = told(capsys, "ev", "home", "8*,3 v A")["moves"]["hit"]
    assert looked["ev"] == looked["ev_without_blackjack"]


def test_two_open_cards_are_played_against(capsys: pytest.CaptureFixture[str]) -> None:
    said = spoken(capsys, "ev", "faceup", "10,6 v 9,8", "--lang", "en")
    assert re.search(r"^Hit +-0\.\d{8}$", said, re.MULTILINE)
    assert f"Stand: {words('en').reason('forced_play')}" in said
    assert told(capsys, "ev", "faceup", "10,6 v 9,7")["best"] == "stand"
    assert told(capsys, "ev", "faceup", "10,6 v K,A")["over"] == -1
    for language in LANGUAGES:
        assert words(language).say("The dealer’s blackjack lies open: the round is over, and the hand gets {value}.")[
            :20
        ] in spoken(capsys, "ev", "faceup", "10,6 v A,K", "--lang", language)


def test_insurance_is_told_apart_from_the_moves(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "ev", "casino", "A,K v A")["moves"]["insure"]["legal"]
    assert "insure" not in told(capsys, "ev", "casino", "A,K v 9")["moves"]
    british = spoken(capsys, "ev", "british", "9,8 v A", "--lang", "en")
    assert "only a blackjack may be insured" in british
    assert told(capsys, "ev", "british", "9,8 v A")["moves"]["insure"]["reason"] == "insurance.who"


def test_the_shoe_and_the_strategy_are_heeded(capsys: pytest.CaptureFixture[str]) -> None:
    full = told(capsys, "ev", "casino", "10,6 v 10")["moves"]
    low = told(capsys, "ev", "casino", "10,6 v 10", "--shoe", "full-5,5,5,5,5,5,5,5")["moves"]
    assert low["hit"]["ev"] < full["hit"]["ev"]
    mimic = told(capsys, "ev", "casino", "10,2 v 6", "--strategy", "mimic")["moves"]
    best = told(capsys, "ev", "casino", "10,2 v 6")["moves"]
    assert mimic["stand"]["ev"] == pytest.approx(best["stand"]["ev"], abs=1e-15)
    assert mimic["hit"]["ev"] < best["hit"]["ev"]


def test_the_best_moves_of_all_hands_add_up_to_the_table() -> None:
    """The edge is nothing but the best move of every hand against every card, and insurance where it pays."""
    table = priced.table("casino")
    price = priced.price(table.rules, table.shoe, "cdz")
    ev = 0.0
    for deal in price.round.deals:
        starts = price.round.counted.starts[price.round.counted.tables.plan.fresh[deal.hand]]
        for start, chance in zip(lookup.starts(table.rules), starts, strict=True):
            open_ = {one.name: one.ev for one in price.moves(deal.kinds, start) if one.ev is not None}
            insurance = max(0, open_.pop(hands.INSURE, 0))
            ev += deal.chance * chance * (max(open_.values()) + insurance)
    assert ev == pytest.approx(price.ev, abs=1e-14)


def test_a_table_with_english_moves_keeps_them(capsys: pytest.CaptureFixture[str]) -> None:
    spoken_there = preset("leaflet").rules.ui_verbs
    said = spoken(capsys, "ev", "leaflet", "8,8 v 10", "--lang", "es")
    assert ("Hit" in said) is (spoken_there == "en")
