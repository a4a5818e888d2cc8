"""The worked rounds of the five pages, each with its other readings: cards, offers, order of events and money.

tests/data/examples.json has them; every card must go where it went there, every turn must offer exactly what it offered
there, and every bettor must end with the same money.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tapete.events import DEALER, Checked, Dealt, Decided, Event
from tapete.money import chips, units
from tapete.questions import MOVES
from tapete.round import question_for
from tapete.rulefile import preset
from tapete.rules import RuleSet, switches, with_
from tapete.stakes import Statement
from tapete.state import Round, box_index
from tests.driving import Played, play, steps

DATA = json.loads((Path(__file__).parent.parent / "data" / "examples.json").read_text(encoding="utf-8"))
Example = dict[str, Any]
EXAMPLES: list[Example] = DATA["examples"]
OTHERS: list[tuple[Example, Example]] = [(one, other) for one in EXAMPLES for other in one["other"]]
AMOUNTS = ("bet_min", "bet_max", "unit")


def book(name: str, *changes: Mapping[str, object]) -> RuleSet:
    """The rule set as the worked rounds state it, every switch of it."""
    told = {key: tuple(value) if isinstance(value, list) else value for key, value in DATA["tables"][name].items()}
    told |= {key: units(str(told[key])) for key in AMOUNTS}
    return with_(RuleSet(), {key: value for change in (told, *changes) for key, value in change.items()})


def driven(example: Example, round_: Example, *changes: Mapping[str, object]) -> Played:
    cards = [word.split(">")[0] for word in round_["cards"]]
    return play(book(example["table"], example["switch"], *changes), example["bets"], cards, round_["script"])


def label(value: object) -> str:
    if isinstance(value, dict):
        return value.get("id") or " ".join(f"{key}={worth}" for key, worth in value["switch"].items())
    return str(value)


def destinations(played: Played) -> list[str]:
    """Where each card went: ``>1`` in the deal, ``>1.2`` to a hand, ``>dealer`` or ``>hole``."""
    cards = iter(played.used)
    return [f"{next(cards)}>{_place(before, event)}" for before, event, _ in steps(played) if isinstance(event, Dealt)]


def _place(before: Round, event: Dealt) -> str:
    if event.box == DEALER:
        return "hole" if event.card is None else "dealer"
    hand = before.boxes[box_index(before, event.box)].hands[event.hand - 1]
    dealt = not hand.split and len(hand.cards) < 2
    return str(event.box) if dealt else f"{event.box}.{event.hand}"


def turns(played: Played) -> list[list[str]]:
    """At each answered turn: the hand, its cards, a bar, the offer in the order of the alphabet."""
    found = []
    for before, event, _ in steps(played):
        if isinstance(event, Decided) and event.action in MOVES:
            question = question_for(before, event)
            hand = before.boxes[box_index(before, event.box)].hands[event.hand - 1]
            if question.kind == "turn":
                cards = [str(one) for one in hand.cards]
                found.append([f"{event.box}.{event.hand}", *cards, "|", *sorted(question.legal)])
    return found


def happenings(played: Played) -> list[str]:
    """What a person at the table sees happen, in order, in the words of the data; one line for all bets on a hand."""
    told = [line for before, event, after in steps(played) for line in _seen(before, event, after)]
    return [line for line, last in zip(told, ["", *told], strict=False) if line != last]


def _seen(before: Round, event: Event, after: Round) -> Iterator[str]:
    if isinstance(event, Decided) and event.action == "insure":
        yield f"insured {event.box}.0"
    if isinstance(event, Checked):
        yield f"checked {'yes' if event.blackjack else 'no'}"
    if isinstance(event, Dealt) and event.box != DEALER:
        hand = before.boxes[box_index(before, event.box)].hands[event.hand - 1]
        if len(hand.cards) > 1 and not hand.pending:
            yield f"forced {event.box}.{event.hand}"
    for told in after.statements[len(before.statements) :]:
        yield f"{_deed(told, after)} {told.box}.{told.hand}"


def _deed(told: Statement, after: Round) -> str:
    if told.reason == "blackjack" and len(after.dealer) == 1:
        return "interim"
    return told.reason if told.reason in ("bust", "retired", "insurance_won", "insurance_lost") else "settle"


def settled(played: Played) -> list[list[object]]:
    return sorted([one.bettor, one.box, one.hand, chips(one.stake), chips(one.net)] for one in played.statements)


@pytest.mark.parametrize("example", EXAMPLES, ids=label)
class TestExample:
    def test_pays_what_the_page_pays(self, example: Example) -> None:
        played = driven(example, example)
        assert settled(played) == sorted(example["settled"])
        assert chips(-played.net) == example["bank"]

    def test_sends_each_card_where_it_belongs(self, example: Example) -> None:
        played = driven(example, example)
        assert destinations(played) == example["cards"]
        hands = {
            f"{box.number}.{at}": [str(one) for one in hand.cards]
            for box in played.round.boxes
            for at, hand in enumerate(box.hands, 1)
        }
        assert hands == example["hands"]
        assert [str(one) for one in played.round.dealer] == example["dealer"]

    def test_offers_exactly_what_the_page_offers(self, example: Example) -> None:
        due = [[*one[: one.index("|") + 1], *sorted(one[one.index("|") + 1 :])] for one in example["seen"]]
        assert turns(driven(example, example)) == due

    def test_shows_things_in_the_order_of_the_page(self, example: Example) -> None:
        assert happenings(driven(example, example)) == example["happens"]

    def test_is_the_same_round_at_the_preset_table(self, example: Example) -> None:
        cards = [word.split(">")[0] for word in example["cards"]]
        rules = with_(preset(example["table"]).rules, example["switch"])
        played = play(rules, example["bets"], cards, example["script"])
        assert played.statements == driven(example, example).statements


@pytest.mark.parametrize(("example", "other"), OTHERS, ids=label)
def test_other_reading_pays_otherwise(example: Example, other: Example) -> None:
    played = driven(example, other, other["switch"])
    assert settled(played) == sorted(other["settled"])
    assert destinations(played) == other["cards"]
    due = [[one[0], *sorted(one[1:])] for one in other["offers"]]
    assert [[one[0], *one[one.index("|") + 1 :]] for one in turns(played)] == due


@pytest.mark.parametrize("name", DATA["tables"])
def test_preset_is_the_table_of_the_worked_rounds(name: str) -> None:
    mine, theirs = switches(preset(name).rules), switches(book(name))
    told = DATA["tables"][name].keys() - set(AMOUNTS)
    assert {key: mine[key] for key in told} == {key: theirs[key] for key in told}
