"""Scenes: a table at a chosen moment, with chosen cards, as the server would tell it to somebody who comes.

The engine plays every scene; only the cards are laid out. A page that is given the snapshot has to show it well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from tapete import fairness
from tapete import table as tables
from tapete.cards import Card, card
from tapete.croupier import Croupier
from tapete.events import Asks, Decided, Over
from tapete.keeping import Move
from tapete.rulefile import preset
from tapete.rules import digest
from tapete.server import messages as wire
from tapete.server.about import about
from tapete.server.live import Config
from tapete.server.told import sentences
from tapete.table import Consented, Joined, Placed, Sat, ShoeReady, Table, TableEvent
from tapete.view import view

NAMES: Final = ("Ana", "Bea", "Carmen", "Diego", "Eva", "Federico-Guillermo", "Gala")
CHIPS: Final = 100_000


@dataclass
class Scene:
    """One moment of a table. ``you`` is who looks at it."""

    game: str
    seats: dict[int, str]
    bets: Sequence[tuple[str, int, int]] = ()
    """Name, box, chips."""
    cards: str = ""
    """In the order in which they leave the shoe: ``A 10h K``; spades unless a suit is named. Then threes."""
    answers: Sequence[str] = ()
    """Answers to the first open question, one after the other; ``1.2:stand`` names a place, ``Eva@match`` a person."""
    you: str = "Ana"
    moves: list[Move] = field(default_factory=list)
    table: Table = field(init=False)

    def __post_init__(self) -> None:
        self.preset = preset(self.game)
        self.table = Table(self.preset.rules)
        self._settle()
        if self.cards:
            self._do(tables.lock_due(self.table))
            self._play()

    def _do(self, event: TableEvent) -> None:
        after = tables.apply(self.table, event)
        self.moves.append(Move(self.table, event, after))
        self.table = after

    def _settle(self) -> None:
        for name in dict.fromkeys([*self.seats.values(), *(bet[0] for bet in self.bets), self.you]):
            self._do(Joined(name, CHIPS))
        for box, name in self.seats.items():
            self._do(Sat(name, box))
        secret = fairness.seeded_secret(1)
        rules = self.preset.rules
        opened = fairness.begin(secret, shoe_id=f"{self.game}-1", rules_digest=digest(rules), rules=rules)
        self._do(ShoeReady(fairness.cut(fairness.close(opened), at=20)))
        for name, box, chips in self.bets:
            if self.seats[box] != name and rules.bet_behind.mode == "consent":
                self._do(Consented(box, name))
            self._do(Placed(name, box, chips * 100))

    def _play(self) -> None:
        drawn = self._draws()
        croupier = Croupier(lambda: next(drawn))
        answers = iter(self.answers)
        while self.table.round is not None and not isinstance(self.table.round.waits, Over):
            event = croupier.serve(self.table.round)
            if event is None:
                told = next(answers, None)
                if told is None:
                    return
                event = self._answer(told)
            self._do(event)

    def _draws(self) -> Iterator[Card]:
        yield from (card(one if one[-1] in "shdc1" and len(one) > 1 else f"{one}s") for one in self.cards.split())
        while True:
            yield card("3d")

    def _answer(self, told: str) -> Decided:
        assert self.table.round is not None
        waits = self.table.round.waits
        assert isinstance(waits, Asks)
        who, _, rest = told.rpartition("@")
        place, _, action = rest.rpartition(":")
        action, _, amount = action.partition("=")
        fit = [one for one in waits.questions if who in ("", one.bettor) and place in ("", f"{one.box}.{one.hand}")]
        one = fit[0]
        return Decided(one.box, one.hand, action, int(amount or 0) * 100, one.bettor)

    def snapshot(self, *, code: str) -> bytes:
        """What the server says first."""
        told = [wire.Told(at, one.event, sentences(one)) for at, one in enumerate(self.moves, 1)]
        config = Config(self.preset, code)
        finished = tuple(range(1, self.table.number + (0 if self.table.playing else 1)))
        first = wire.Snapshot(wire.VERSION, len(told), self.you, about(config), view(self.table), tuple(told), finished)
        return wire.ENCODER.encode(first)

    def room(self, **changed: object) -> bytes:
        """What is true now and not in the log."""
        names = tuple(one.name for one in self.table.people)
        facts: dict[str, object] = {
            "present": names,
            "watching": 2,
            "ready": (),
            "sitting_out": (),
            "requests": (),
            "cutter": "",
            "clock": wire.Clock("question", 17.0, 25.0) if self.table.playing else None,
            "closing": False,
            "paused": False,
            "host": "Ana",
            "short": 0,
        }
        return wire.ENCODER.encode(wire.Room(**{**facts, **changed}))  # type: ignore[arg-type]


FULL: Final = dict(enumerate(NAMES, 1))
EVERYBODY: Final = [(name, box, 10 * box) for box, name in FULL.items()]


def seven_boxes_four_hands() -> Scene:
    """Seven people; Ana has split a pair into four hands at the home table, and plays the third."""
    first, second = "8 9 A K 7 5 10 6", "8h 9 2 10 7 6 A 5"
    drawn = "8d 8c 2 3 10h 2 2 4 3 5 9 2"
    played = ["split", "split", "hit", "stand", "hit", "hit", "stand", "split", "hit"]
    return Scene("home", FULL, EVERYBODY, f"{first} {second} {drawn}", [*["keep"] * 6, *played])


def my_turn() -> Scene:
    """Alone against a 10, hard 16."""
    return Scene("casino", {4: "Ana"}, [("Ana", 4, 25)], "10h 10c 6d")


def insurance() -> Scene:
    """The dealer shows an ace, and a soft 18 may be insured for up to half."""
    return Scene("casino", {2: "Ana", 3: "Bea"}, [("Ana", 2, 20), ("Bea", 3, 30)], "A 10 A 7 9")


def retire() -> Scene:
    """16 against a 10 at the home table: retire?"""
    return Scene("home", {4: "Ana"}, [("Ana", 4, 20)], "10 K 6 7")


def forced() -> Scene:
    """The Face Up table: a pair of eights against 19 has to go on, one way or the other."""
    return Scene("faceup", {1: "Ana"}, [("Ana", 1, 20)], "8 10h 8d 9")


def backed() -> Scene:
    """The leaflet table: Eva and Leo stand behind Ana, who has doubled; Eva is asked whether she follows."""
    bets = [("Ana", 3, 20), ("Eva", 3, 10), ("Leo", 3, 5), ("Bea", 5, 15)]
    return Scene("leaflet", {3: "Ana", 5: "Bea"}, bets, "6h 10h/1 9 5 10s/1", ["double"], you="Eva")


def results() -> Scene:
    """A round with a won, a lost and a tied hand of mine."""
    bets = [("Ana", 2, 10), ("Ana", 3, 20), ("Ana", 4, 30), ("Bea", 6, 15)]
    return Scene("casino", {2: "Ana", 3: "Ana", 4: "Ana", 6: "Bea"}, bets, "10 10 10 10 9 10 8 9 10 10", ["stand"] * 4)


def betting() -> Scene:
    """Between rounds, some bets laid."""
    return Scene("british", FULL, EVERYBODY[:5])


SCENES: Final = {
    "four-hands": seven_boxes_four_hands,
    "turn": my_turn,
    "insurance": insurance,
    "retire": retire,
    "forced": forced,
    "backed": backed,
    "results": results,
    "betting": betting,
}
