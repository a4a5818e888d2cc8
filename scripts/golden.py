"""Writes the golden playthroughs: tests/golden/TABLE.txt, a few rounds at each of the five tables, for people to read.

    python scripts/golden.py          writes them anew; a test fails when they are stale
    python scripts/golden.py casino   prints one

The shoe is the one that the seed shuffles (``tapete.fairness``), the house deals (``tapete.house``), and the people
follow a fixed plan: the simple strategy of the house bots, with the insurance and the backing that each of them likes.
Seeds were chosen so that the table's own clauses occur.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tapete import rulebook
from tapete import table as tables
from tapete.cards import Card
from tapete.errors import Refused
from tapete.events import DEALER, Asks, Checked, Dealt, Decided, Question, Turned, Voided
from tapete.fairness import seeded_secret
from tapete.house import House
from tapete.money import chips, units
from tapete.rulefile import preset
from tapete.rules import digest
from tapete.stakes import Statement
from tapete.state import BoxHand, Round, box_index, dealer_count, total_of
from tapete.strategy import SIMPLE
from tapete.table import Consented, Joined, Placed, Reshuffled, Sat, ShoeReady, ShoeRetired, Table, TableEvent
from tapete.words import words

FOLDER: Final = Path(__file__).parent.parent / "tests" / "golden"
SAY: Final = words("en")
SUITS: Final = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
BACKS: Final = ("", "'")
"""Behind a card of the second back colour."""


@dataclass(frozen=True)
class Scene:
    """Who sits where at a table, what they bet, what they try in vain at first, and for how many rounds."""

    seed: int
    rounds: int
    opening: tuple[TableEvent, ...]
    bets: tuple[Placed, ...]
    tries: tuple[Placed, ...] = ()
    insure: frozenset[str] = frozenset()
    """Who insures, for as much as the table lets them; the others never do."""
    match: frozenset[str] = frozenset()
    """Which backers match every double and split; the others stay."""
    void: bool = False
    """Whether the last round is void after its deal."""


def _join(*names: str) -> tuple[TableEvent, ...]:
    return tuple(Joined(name, units("1000")) for name in names)


def _bet(name: str, box: int, amount: str) -> Placed:
    return Placed(name, box, units(amount))


SCENES: Final = {
    "casino": Scene(
        seed=1487,
        rounds=8,
        opening=(*_join("Ana", "Leo"), Sat("Ana", 1), Sat("Leo", 3), Sat("Leo", 5), Sat("Ana", 5), Sat("Ana", 8)),
        bets=(_bet("Ana", 1, "10"), _bet("Leo", 3, "20"), _bet("Leo", 5, "5")),
        tries=(_bet("Leo", 1, "5"), _bet("Leo", 5, "0.5"), _bet("Leo", 5, "990")),
        insure=frozenset({"Leo"}),
    ),
    "british": Scene(
        seed=7888,
        rounds=7,
        opening=(*_join("Ana", "Leo", "Eva"), Sat("Ana", 2), Sat("Leo", 4)),
        bets=(_bet("Ana", 2, "10"), _bet("Eva", 2, "5"), _bet("Leo", 4, "15"), _bet("Ana", 4, "2")),
        tries=(_bet("Eva", 6, "5"),),
        insure=frozenset({"Ana", "Leo"}),
        match=frozenset({"Eva"}),
    ),
    "leaflet": Scene(
        seed=819,
        rounds=6,
        opening=(*_join("Ana", "Leo", "Eva"), Sat("Ana", 1), Sat("Leo", 2), Consented(1, "Eva"), Consented(1, "Leo")),
        bets=(_bet("Ana", 1, "20"), _bet("Leo", 2, "10"), _bet("Eva", 1, "15"), _bet("Leo", 1, "5")),
        tries=(_bet("Eva", 2, "10"), _bet("Eva", 1, "980")),
        insure=frozenset({"Ana"}),
        match=frozenset({"Leo"}),
    ),
    "faceup": Scene(
        seed=1576,
        rounds=8,
        opening=(*_join("Ana", "Leo"), Sat("Ana", 1), Sat("Leo", 2)),
        bets=(_bet("Ana", 1, "10"),),
        tries=(_bet("Leo", 1, "10"), _bet("Ana", 1, "2000")),
        void=True,
    ),
    "home": Scene(
        seed=4177,
        rounds=8,
        opening=(*_join("Ana", "Leo"), Sat("Ana", 1), Sat("Leo", 2), Sat("Leo", 3)),
        bets=(_bet("Ana", 1, "10"), _bet("Leo", 2, "1"), _bet("Leo", 3, "25")),
        tries=(_bet("Leo", 2, "0.5"),),
        insure=frozenset({"Leo"}),
    ),
}


class Playthrough:
    """Plays a scene and writes down what is seen."""

    def __init__(self, name: str, scene: Scene) -> None:
        self.scene = scene
        self.preset = preset(name)
        secret = seeded_secret(scene.seed)
        rules = self.preset.rules
        self.house = House(rules, digest=digest(rules), secret_for=lambda _: secret, prefix=f"seed{scene.seed}-")
        self.table = Table(rules)
        self.lines: list[str] = []
        self.cards: list[str] = []

    def text(self) -> str:
        """The whole playthrough."""
        self.lines += [f"{self.preset.title.en}, seed {self.scene.seed}", ""]
        self.lines += ["Written by scripts/golden.py; never change it by hand. 'soft' means that an ace counts 11.", ""]
        for event in self.scene.opening:
            self.attempt(event)
        for number in range(1, self.scene.rounds + 1):
            self.round(void=self.scene.void and number == self.scene.rounds)
        self.lines.append("")
        for retired in self.house.last_words(self.table):
            self.do(retired)
        return "\n".join(self.lines) + "\n"

    def write(self, line: str) -> None:
        """A line, after the cards that were dealt before it."""
        if self.cards:
            dealt, self.cards = ", ".join(self.cards), []
            self.lines.append(f"  dealt: {dealt}")
        self.lines.append(line)

    def do(self, event: TableEvent) -> None:
        """What is seen of an event that the table accepts; raises Refused for any other."""
        before, self.table = self.table, tables.apply(self.table, event)
        self.house.saw(before, event, self.table)
        line = _told(before, event)
        if isinstance(event, Dealt):
            self.cards.append(line)
        else:
            self.write(line)
        if before.playing and before.round is not None and self.table.round is not None:
            known = 0 if isinstance(event, Voided) else len(before.round.statements)
            for one in self.table.round.statements[known:]:
                self.write(f"  {_statement(one)}")

    def attempt(self, event: TableEvent) -> None:
        """An event that the table may refuse, with the reason."""
        try:
            self.do(event)
        except Refused as refused:
            self.write(f"  refused: {SAY.explain(refused)}")

    def round(self, *, void: bool) -> None:
        """One round from the bets to the chips that everybody has after it."""
        for event in self.house.before_round(self.table):
            self.write("")
            self.do(event)
        self.write("")
        self.write(f"Round {self.table.number + 1}")
        for bet in self.scene.bets:
            self.do(bet)
        for bet in self.scene.tries if self.table.number == 0 else ():
            self.attempt(bet)
        self.do(tables.lock_due(self.table))
        while self.table.playing and self.table.round is not None:
            asks = isinstance(self.table.round.waits, Asks)
            if void and asks:
                self.do(Voided("malfunction"))
            else:
                self.do(self.house.owes(self.table) or self.answer(self.table.round))
        self.write("  chips: " + ", ".join(f"{one.name} {chips(one.chips)}" for one in self.table.people))

    def in_vain(self, tried: Decided) -> None:
        """A move that has to be refused, with the reason; the page's silence about retiring is not worth a line."""
        try:
            tables.apply(self.table, tried)
        except Refused as refused:
            if refused.facts["reason"] != "surrender.mode":
                self.write(f"    not {tried.action}: {SAY.reason(str(refused.facts['reason']))}")
        else:
            raise AssertionError(f"was not refused: {tried}")

    def answer(self, round_: Round) -> Decided:
        """The plan's answer to the first open question, after every other one was tried and refused."""
        assert isinstance(round_.waits, Asks)
        asked = round_.waits.questions[0]
        self.write(f"  {_asked(round_, asked)}")
        for move, _ in asked.refused:
            self.in_vain(Decided(asked.box, asked.hand, move, 0, asked.bettor))
        planned = SIMPLE.answer(round_, asked)
        if asked.kind == "insure" and asked.bettor in self.scene.insure and "insure" in asked.legal:
            return Decided(asked.box, asked.hand, "insure", asked.most, asked.bettor)
        if asked.kind == "follow" and asked.bettor in self.scene.match:
            return Decided(asked.box, asked.hand, "match", 0, asked.bettor)
        return planned


def _told(before: Table, event: TableEvent) -> str:
    """What is seen of an event."""
    if isinstance(event, Dealt) and before.round is not None:
        return _dealt(before.round, event)
    if isinstance(event, Checked):
        return f"  the dealer looks at the hole card: {'blackjack' if event.blackjack else 'no blackjack'}"
    if isinstance(event, Turned):
        return f"  the dealer turns {_card(event.card)}"
    if isinstance(event, Decided):
        amount = f" {chips(event.amount)}" if event.amount else ""
        return f"    {event.bettor}: {event.action.replace('_', ' ')}{amount}"
    return _told_outside(event)


def _told_outside(event: TableEvent) -> str:
    match event:
        case Joined():
            return f"  {event.name} comes with {chips(event.chips)} chips"
        case Sat():
            return f"  {event.name} takes box {event.box}"
        case Consented():
            return f"  the holder of box {event.box} lets {event.name} bet on it"
        case Placed():
            return f"  {event.name} bets {chips(event.amount)} on box {event.box}"
        case ShoeReady():
            return f"A new shoe of {52 * sum(event.record.packs)} cards; promise {event.record.commitment[:16]}..."
        case ShoeRetired():
            return f"The shoe is done with; its secret was {(event.record.secret or '')[:16]}..."
        case Reshuffled():
            return "  the shoe is empty: the discards are shuffled"
        case Voided():
            return f"  the round is void: {event.cause}"
    return "  no more bets"


def _card(card: Card | None) -> str:
    return "a card face down" if card is None else f"{card.rank}{SUITS[card.suit]}{BACKS[card.back]}"


def _dealt(round_: Round, event: Dealt) -> str:
    if event.box == DEALER:
        return f"dealer {_card(event.card)}"
    hand = round_.boxes[box_index(round_, event.box)].hands[event.hand - 1]
    forced = len(hand.cards) > 1 and not hand.pending
    place = f"box {event.box}" + (f" hand {event.hand}" if hand.split else "")
    return f"{place} {_card(event.card)}" + (" (it has to go on)" if forced else "")


def _total(hard: int, *, ace: bool) -> str:
    return f"{'soft' if rulebook.is_soft(hard, ace=ace) else 'hard'} {rulebook.total(hard, ace=ace)}"


def _hand(hand: BoxHand) -> str:
    cards = " ".join(_card(card) for card in hand.cards)
    if hand.blackjack:
        return f"{cards}, blackjack"
    return f"{cards}, {_total(hand.hard, ace=hand.ace) if total_of(hand) < rulebook.TARGET else total_of(hand)}"


def _asked(round_: Round, asked: Question) -> str:
    hand = round_.boxes[box_index(round_, asked.box)].hands[asked.hand - 1]
    hard, ace = dealer_count(round_)
    up = " ".join(_card(card) for card in round_.dealer if card is not None)
    shown = f"{up}, {_total(hard, ace=ace)}" if len(round_.dealer) > 1 and None not in round_.dealer else up
    place = f"box {asked.box}" + (f" hand {asked.hand}" if hand.split else "")
    answers = " or ".join(answer.replace("_", " ") for answer in asked.legal)
    return f"{asked.bettor}, {place}: {_hand(hand)}, against {shown}. {_price(asked)}{answers}?"


def _price(asked: Question) -> str:
    if asked.kind == "insure" and asked.most:
        return f"insurance of {chips(asked.least)} to {chips(asked.most)}: "
    return f"{asked.move} for {chips(asked.most)} more: " if asked.kind == "follow" else ""


def _statement(told: Statement) -> str:
    what = "insurance" if told.hand == 0 else f"hand {told.hand}"
    reason = told.reason.replace("_", " ")
    return (
        f"settled: box {told.box} {what}, {told.bettor}, {chips(told.stake)}: {chips(told.net, signed=True)}, {reason}"
    )


def text(name: str) -> str:
    """The playthrough of a table."""
    return Playthrough(name, SCENES[name]).text()


def path(name: str) -> Path:
    """Where it is kept."""
    return FOLDER / f"{name}.txt"


def main(arguments: list[str]) -> Iterator[str]:
    for name in arguments:
        yield text(name)
    for name in () if arguments else SCENES:
        path(name).write_text(text(name), encoding="utf-8")
        yield f"{path(name).relative_to(Path.cwd())}\n"


if __name__ == "__main__":
    for part in main(sys.argv[1:]):
        sys.stdout.write(part)
