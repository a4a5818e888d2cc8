"""Faults in what is seen, heard and typed, at the plain table: whole sittings through the command line."""

from __future__ import annotations

import io
import os
import pty
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache

import pytest

from tapete import fairness, telling
from tapete.cards import SUITS, Card, card
from tapete.cli import main
from tapete.fairness import seeded_secret
from tapete.money import units
from tapete.rulefile import preset
from tapete.rules import RuleSet, digest, with_
from tapete.store import Store
from tapete.terminal.letters import instead
from tapete.terminal.talk import Talk
from tapete.words import words
from tests import driving
from tests.cases.book import CASES
from tests.driving import upto

EN = words("en")


def order(rules: RuleSet, seed: int) -> tuple[Card, ...]:
    """The first shoe of ``--seed``."""
    name = f"seed{seed}-1"
    record = fairness.begin(seeded_secret(seed), shoe_id=name, rules_digest=digest(rules), rules=rules)
    return fairness.order(fairness.cut(fairness.close(record), at=0), seeded_secret(seed))


@cache
def beginning(table: str, seed: int) -> tuple[Card, ...]:
    """The first cards of that shoe."""
    return order(preset(table).rules, seed)[:12]


def seed_where(table: str, wanted: Callable[[Sequence[Card]], bool]) -> str:
    """A seed whose first shoe begins as wanted."""
    return str(next(seed for seed in range(1000) if wanted(beginning(table, seed))))


class Sat:
    """Plays at the plain table with what is typed, and gives what was said."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.monkeypatch = monkeypatch

    def __call__(self, *arguments: str, typed: str, encoding: str = "utf-8") -> str:
        said = io.BytesIO()
        out = io.TextIOWrapper(said, encoding=encoding, write_through=True)
        for name, stream in {
            "stdin": io.TextIOWrapper(io.BytesIO(typed.encode(encoding)), encoding=encoding),
            "stdout": out,
            "stderr": out,
        }.items():
            self.monkeypatch.setattr(sys, name, stream)
        code = main(arguments)
        out.flush()
        text = said.getvalue().decode(encoding)
        assert code == 0, text
        return text


@pytest.fixture
def sat(monkeypatch: pytest.MonkeyPatch) -> Sat:
    return Sat(monkeypatch)


def play(sat: Sat, table: str, seed: str, *typed: str, encoding: str = "utf-8", lang: str = "en") -> str:
    lines = "".join(f"{one}\n" for one in typed)
    arguments = ("play", table, "--plain", "--name", "Ana", "--bots", "0", "--seed", seed, "--lang", lang)
    return sat(*arguments, typed=lines, encoding=encoding)


def points(cards: Sequence[Card], *places: int) -> int:
    """What the cards at these places come to; 0 if there is an ace among them, so that the total is hard for sure."""
    found = [cards[place].points for place in places]
    return 0 if 1 in found else sum(found)


def standing_wins(cards: Sequence[Card]) -> bool:
    """Whether the first box at a table with a hole card stands on its two cards and wins against two cards."""
    return 17 <= points(cards, 1, 3) < points(cards, 0, 2) <= 20


def test_UI_01_the_hole_card_is_nowhere_before_it_is_turned(sat: Sat) -> None:
    def plays_and_hole_is_unlike_the_rest(cards: Sequence[Card]) -> bool:
        ranks = {cards[place].rank for place in (0, 1, 2)}
        return 2 < cards[1].points < 9 and 0 < points(cards, 0, 2) < 21 and cards[3].rank not in ranks

    seed = seed_where("home", plays_and_hole_is_unlike_the_rest)
    cards = beginning("home", int(seed))
    hole = telling.card_name(cards[3], EN)
    said = play(sat, "home", seed, "1", "10", "0")
    assert "a hidden card" in said
    assert hole not in said  # the game was left with the hand still to be played, and is kept
    with Store() as store:
        kept = b"".join(one.payload for table in store.resumable() for one in store.events(table.id))
    assert set(re.findall(rb'"rank":"(\w+)"', kept)) == {cards[place].rank.encode() for place in (0, 1, 2)}
    after = sat("play", "--plain", "--lang", "en", typed="2\n")
    assert f"turns up: {hole}" in after


def test_UI_03_insurance_is_asked_when_the_ace_has_been_said(sat: Sat) -> None:
    seed = seed_where("casino", lambda cards: cards[1].points == 1 and 0 < points(cards, 0, 2) < 21)
    said = play(sat, "casino", seed, "1", "10", "0")
    assert -1 < said.index("Dealer: ace of") < said.index("Insurance for up to 5?")


def test_UI_05_the_chips_told_after_a_round_are_those_after_it(sat: Sat) -> None:
    case = CASES["UI-05"]
    won = int(case["after"]) - int(case["chips"])
    said = play(sat, "home", seed_where("home", standing_wins), "1", case["bet"], "0", "2")
    before = re.search(r"Ana has (\d+) chips", said)
    assert before is not None
    assert f"Ana now has {int(before[1]) + won} chips" in said
    assert f"Ana leaves with {int(before[1]) + won} chips" in said


@pytest.mark.parametrize("encoding", CASES["UI-06"]["encodings"])
@pytest.mark.parametrize("lang", ["en", "es"])
def test_UI_06_a_terminal_without_utf_8_gets_letters_and_no_crash(sat: Sat, encoding: str, lang: str) -> None:
    seed = seed_where("home", standing_wins)
    said = play(sat, "home", seed, "1", "10", "0", "2", "q", encoding=encoding, lang=lang)
    assert "Ana: +10" in said
    assert preset("home").title.in_(lang) in said
    assert [instead(telling.card_sign(card(f"A{suit}"))) for suit in SUITS] == ["AS", "AH", "AD", "AC"]


def test_UI_08_everything_that_a_sighted_player_sees_is_said(sat: Sat) -> None:
    def dealer_goes_bust(cards: Sequence[Card]) -> bool:
        return 17 <= points(cards, 0, 2) <= 20 and 12 <= points(cards, 1, 3) <= 16 and points(cards, 1, 3, 4) > 21

    seed = seed_where("casino", dealer_goes_bust)
    cards = beginning("casino", int(seed))
    said = play(sat, "casino", seed, "1", "10", "2")
    for one in cards[:5]:
        assert telling.card_name(one, EN) in said
    against = f"hard {points(cards, 0, 2)} against {telling.card_name(cards[1], EN)}. What now?"
    for sentence in (against, ": stands.", f"bust ({points(cards, 1, 3, 4)})", "wins 10", "Ana: +10", "Ana now has"):
        assert sentence in said
    # Nothing is drawn or moved: no control codes, and each prompt is the last thing said before it is answered.
    assert re.search(r"[\x00-\x09\x0b-\x1f\x7f]", said) is None
    assert re.search(r"What now\?\n.*2 Stand \(s\).*\n> 2\n", said)


def test_UI_10_the_insurance_question_names_the_box_that_it_acts_on(sat: Sat) -> None:
    def insured_for_nothing(cards: Sequence[Card]) -> bool:
        hands = (points(cards, 0, 3), points(cards, 1, 4))
        return cards[2].points == 1 and cards[5].points < 10 and all(0 < one < 21 for one in hands)

    boxes = range(1, CASES["UI-10"]["boxes"] + 1)
    said = play(sat, "casino", seed_where("casino", insured_for_nothing), "1 2", "10", "20", "0", "6", "2", "2")
    asked = re.findall(r"Box (\d), Ana: .* Insurance for up to (\d+)\?", said)
    assert asked == [("1", "5"), ("2", "10")]
    assert [int(box) for box, _ in asked] == list(boxes)
    assert "Box 2, Ana: insurance, and no dealer blackjack: loses 10." in said
    assert "Box 1, Ana: insurance" not in said


def test_UI_11_a_held_enter_decides_nothing(sat: Sat) -> None:
    seed = seed_where("casino", lambda cards: cards[1].points > 1 and 0 < points(cards, 0, 2) < 21)
    said = play(sat, "casino", seed, "1", "10", *[""] * 40)
    assert said.count("What now?") == 41
    assert "Ana: stands" not in said
    assert "The round is kept." in said


def test_UI_11_a_key_that_is_held_answers_one_question_only() -> None:
    with keyboard("2\n2\n2\n2\n1\n") as (talk, said):
        assert [talk.ask("Stand?"), talk.ask("And this hand?")] == ["2", "1"]
    assert "held key" in said.getvalue()


@contextmanager
def keyboard(typed: str) -> Iterator[tuple[Talk, io.StringIO]]:
    """A conversation with somebody at a real terminal who has typed ahead."""
    hand, line = pty.openpty()
    said = io.StringIO()
    try:
        os.write(hand, typed.encode())
        # Unbuffered, so that what was typed ahead waits in the terminal and is seen there.
        with open(line, buffering=1, closefd=False, encoding="utf-8") as source:
            yield Talk(EN, source=source, to=said), said
    finally:
        os.close(hand)
        os.close(line)


def test_UI_13_cards_are_said_in_the_order_in_which_they_came(sat: Sat) -> None:
    def three_draws(cards: Sequence[Card]) -> bool:
        return cards[1].points > 1 and 0 < points(cards, 0, 2, 3, 4, 5) < 21

    seed = seed_where("casino", three_draws)
    cards = beginning("casino", int(seed))
    said = play(sat, "casino", seed, "1", "10", "1", "1", "1", "m")
    assert telling.cards_text([cards[place] for place in (0, 2, 3, 4, 5)], EN) in said


def test_UI_15_a_jack_is_called_a_jack_and_the_total_stands_beside_it() -> None:
    case = CASES["UI-15"]
    first, second = case["hand"].split()
    hand = upto("casino", "10", [first, "6", second]).hand()
    assert telling.hand_text(hand, EN) == f"jack of spades, 8 of spades; hard {case['total']}"
    assert telling.card_sign(hand.cards[0]) == "J♠"


def test_UI_16_the_printed_rules_are_made_of_the_rules_that_are_played(sat: Sat) -> None:
    settings = ["bj_pays=6:5", "dealer_soft17=hit", "surrender.mode=none"]
    asked = [part for one in settings for part in ("--set", one)]
    said = sat("rules", "home", *asked, "--lang", "en", typed="")
    plain = sat("rules", "home", "--lang", "en", typed="")
    told = {"Blackjack pays 6 to 5", "on a soft 17", "There is no retiring."}
    assert {one for one in told if one in said} == told
    assert {one for one in told if one in plain} == set()
    welcome = sat("play", "home", *asked, "--plain", "--name", "Ana", "--bots", "0", "--lang", "en", typed="q\n")
    assert "Blackjack pays 6 to 5" in welcome
    case = {key: tuple(value) if isinstance(value, list) else value for key, value in CASES["UI-16"]["switch"].items()}
    paid = driving.play(with_(preset("home").rules, case), "10", "A A K 6 10", "")
    assert (paid.of().net, paid.dealer) == (units("12"), ["A", "6", "10"])


def test_OP_08_a_round_without_a_choice_says_that_the_dealer_has_blackjack(sat: Sat) -> None:
    seed = seed_where("home", lambda cards: (cards[1].points, cards[3].points) == (10, 1) and points(cards, 0, 2) > 0)
    said = play(sat, "home", seed, "1", "10", "0")
    assert "The dealer looks at the hidden card: blackjack." in said
    assert re.search(r"The dealer turns up: ace of \w+; Blackjack\.", said)
    assert "the dealer has blackjack: loses 10" in said
    assert "What now?" not in said


def test_PO_33_a_repeated_bet_is_offered_and_laid_as_it_was_chosen(sat: Sat) -> None:
    case = CASES["PO-33"]
    seed = seed_where("home", lambda cards: 1 < cards[1].points < 10 and points(cards, 0, 2) > 0)
    said = play(sat, "home", seed, "1", case["bets"], "0", "3", "r")
    assert f"r Rebet {case['again']}." in said
    assert f"Round 2.\nBox 1, Ana: bets {case['again']}." in said


@pytest.mark.parametrize("decks", CASES["SH-06"]["decks"])
def test_SH_06_the_number_of_packs_is_told(sat: Sat, decks: int) -> None:
    said = sat("rules", "casino", "--set", f"decks={decks}", "--set", "cut_card_left=20", "--lang", "en", typed="")
    assert ("One pack of 52 cards" if decks == 1 else f"{decks} packs of 52 cards") in said
