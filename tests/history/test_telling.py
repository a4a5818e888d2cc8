"""What is told: cards, totals, events and results as sentences."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapete import rulefile
from tapete.cards import PACK, card
from tapete.events import Asks
from tapete.history import replay
from tapete.questions import OF_KIND
from tapete.stakes import REASONS, Statement
from tapete.telling import (
    card_name,
    card_sign,
    count_text,
    event_text,
    hand_text,
    new_results,
    question_text,
    reason_text,
    result_text,
    statement_text,
    sum_texts,
)
from tapete.words import LANGUAGES, Words, words
from tests.history.playing import a_round

EN, ES = words("en"), words("es")


@pytest.mark.parametrize(
    ("text", "english", "spanish", "sign"),
    [
        ("As", "ace of spades", "as de picas", "A♠"),
        ("10h", "10 of hearts", "10 de corazones", "10♥"),
        ("Jc/1", "jack of clubs", "sota de tréboles", "J♣"),
        ("Qd", "queen of diamonds", "reina de diamantes", "Q♦"),
        ("Ks", "king of spades", "rey de picas", "K♠"),
    ],
)
def test_a_card_is_spoken_and_written(text: str, english: str, spanish: str, sign: str) -> None:
    one = card(text)
    assert (card_name(one, EN), card_name(one, ES), card_sign(one)) == (english, spanish, sign)
    assert card_sign(one, letters=True) == text.removesuffix("/1")


def test_a_hidden_card_is_not_told() -> None:
    assert (card_name(None, EN), card_name(None, ES), card_sign(None)) == ("a hidden card", "una carta tapada", "??")


def test_every_card_has_a_name_of_its_own() -> None:
    assert all(len({card_name(one, say) for one in PACK}) == 52 for say in (EN, ES))


@pytest.mark.parametrize(
    ("hard", "ace", "english", "spanish"),
    [
        (16, False, "hard 16", "16 duro"),
        (8, True, "A-7 · soft 18", "A-7 · 18 blando"),
        (2, True, "A-A · soft 12", "A-A · 12 blando"),
        (1, True, "soft 11", "11 blando"),
        (17, True, "hard 17", "17 duro"),
        (24, False, "bust (24)", "se pasa (24)"),
    ],
)
def test_a_total_says_soft_or_hard(hard: int, ace: bool, english: str, spanish: str) -> None:
    assert (count_text(hard, EN, ace=ace), count_text(hard, ES, ace=ace)) == (english, spanish)


RESULTS = {
    "blackjack": (1500, "Blackjack (3 to 2): wins 15", "Blackjack (3 a 2): gana 15"),
    "win": (1000, "20 against 19: wins 10", "20 contra 19: gana 10"),
    "dealer_bust": (1000, "20, and the dealer goes bust with 19: wins 10", "20, y el crupier se pasa con 19: gana 10"),
    "push": (0, "20 against 19: a tie, the stake of 10 returns", "20 contra 19: empate, vuelve la apuesta de 10"),
    "loss": (-1000, "20 against 19: loses 10", "20 contra 19: pierde 10"),
    "bust": (-1000, "bust with 20: loses 10", "se pasa con 20: pierde 10"),
    "retired": (-500, "retired: loses 5 of 10", "retirada: pierde 5 de 10"),
    "insurance_won": (2000, "insurance (2 to 1): wins 20", "seguro (2 a 1): gana 20"),
    "part_returned": (
        -500,
        "the dealer has blackjack: loses 5 of 10, the rest returns",
        "blackjack del crupier: pierde 5 de 10, vuelve el resto",
    ),
}


@pytest.mark.parametrize("reason", RESULTS)
def test_a_result_is_one_sentence(reason: str) -> None:
    net, english, spanish = RESULTS[reason]
    told = Statement(1, 1, "Ana", 1000, net, reason, 20, 19)
    assert (result_text(told, EN), result_text(told, ES)) == (english, spanish)


@pytest.mark.parametrize("reason", REASONS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_has_its_sentence(reason: str, language: str) -> None:
    text = result_text(Statement(1, 1, "Ana", 1000, 0, reason, 20, 19), words(language))
    assert text
    assert reason not in text or reason in ("retired", "bust", "push", "void", "blackjack", "win")
    assert "{" not in text


def test_a_sum_shows_its_parts() -> None:
    told = [Statement(1, 1, "Ana", 1000, 1000, "win"), Statement(1, 0, "Ana", 500, -550, "insurance_lost")]
    assert sum_texts(told, ES) == ["Ana: +10 -5,5 = +4,5"]
    assert sum_texts(told[:1], EN) == ["Ana: +10"]


def test_a_refusal_cites_the_clause_of_the_house() -> None:
    clauses = rulefile.preset("casino").clauses
    assert "D0-21" in reason_text("double.totals", clauses, EN)
    assert reason_text("double.totals", clauses, ES) != reason_text("double.totals", clauses, EN)
    assert reason_text("funds", clauses, EN) == EN.reason("funds")
    assert reason_text("surrender.mode", {"surrender.mode": ("D0-S",)}, EN) == EN.reason("surrender.mode")


@given(st.integers(0, 2**32), st.sampled_from(["leaflet", "home", "faceup", "british", "casino"]))
def test_anything_that_happens_can_be_told_in_both_languages(seed: int, table: str) -> None:
    record = a_round(rulefile.preset(table), random.Random(seed))
    for say in (EN, ES):
        assert_tellable(record, say)


def assert_tellable(record: object, say: Words) -> None:
    before, settled = None, 0
    for step in replay(record):  # type: ignore[arg-type]
        texts = [event_text(before, step.event, step.round_, say)]
        new = new_results(before, step.round_)
        texts += [statement_text(step.round_, one, say) for one in new]
        texts += [hand_text(hand, say) for box in step.round_.boxes for hand in box.hands]
        if isinstance(step.round_.waits, Asks):
            asked = step.round_.waits.questions
            assert all(set(one.legal) <= set(OF_KIND[one.kind]) for one in asked)
            texts += [question_text(step.round_, one, say) for one in asked]
        assert all("{" not in text and text for text in texts)
        settled = len(new) if step.round_.cause else settled + len(new)
        before = step.round_
    assert before is not None
    assert settled == len(before.statements)
