"""Faults that show over several rounds: the repeated bet, the deal, the shoe that runs out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from tapete import fairness
from tapete import round as rounds
from tapete import shoe as shoes
from tapete import table as tables
from tapete.cards import Card
from tapete.croupier import Croupier
from tapete.events import DEALER, Asks, Dealt, DealTo, Decided, Over, Question, Voided
from tapete.fairness import seeded_secret
from tapete.house import NO_CARDS, House
from tapete.money import units
from tapete.rulecheck import faults
from tapete.rules import RuleSet, digest, with_
from tapete.shoe import canonical
from tapete.stakes import BoxStake, Lock, nets
from tapete.state import Round
from tapete.table import Joined, Placed, Reshuffled, Sat, ShoeReady, Table, TableEvent
from tests.cases.book import AMERICAN, CASES
from tests.driving import shoe

HARD = ("split", "hit", "insure", "match", "keep", "no_insurance", "stay", "stand")
"""The answers of somebody who wants as many cards as can be had, best first."""


def wanting(question: Question) -> str:
    return next(answer for answer in HARD if answer in question.legal and answer != "insure")


class Sitting:
    """One person on some boxes of a table, who bets 10 on each and asks for cards as long as there are any."""

    def __init__(self, rules: RuleSet, *, boxes: int, seed: int) -> None:
        assert faults(rules) == ()
        secret = seeded_secret(seed)
        self.house = House(rules, digest=digest(rules), secret_for=lambda _: secret, prefix="s")
        self.table = Table(rules)
        self.log: list[TableEvent] = []
        self.do(Joined("Ana", units("100000")))
        for box in range(1, boxes + 1):
            self.do(Sat("Ana", box))

    def do(self, event: TableEvent) -> None:
        before, self.table = self.table, tables.apply(self.table, event)
        self.house.saw(before, event, self.table)
        self.log.append(event)

    def lock(self) -> None:
        for seat in self.table.seats:
            self.do(Placed("Ana", seat.box, units("10")))
        for event in self.house.before_round(self.table):
            self.do(event)
        self.do(tables.lock_due(self.table))

    def steps(self, *, fails_after: int = 1000) -> Iterator[Round]:
        """The round in play, after each event, to its end; void once more cards than ``fails_after`` are out."""
        while self.table.playing and self.table.round is not None:
            yield self.table.round
            fails = self.table.round.dealt > fails_after
            self.do(Voided("power") if fails else self.house.owes(self.table) or self.answer(self.table.round))

    def answer(self, round_: Round) -> Decided:
        assert isinstance(round_.waits, Asks)
        asked = round_.waits.questions[0]
        return Decided(asked.box, asked.hand, wanting(asked), 0, asked.bettor)

    def round(self) -> Round:
        """One round from its bets to its end."""
        self.lock()
        for _ in self.steps():
            pass
        assert self.table.round is not None
        return self.table.round

    def cards(self) -> list[Card]:
        """The cards of the last round, all of them turned up."""
        ended = self.table.round
        assert ended is not None
        players = [card for box in ended.boxes for hand in box.hands for card in hand.cards]
        return players + [card for card in ended.dealer if card is not None]


def where_all_cards_are(house: House) -> Counter[Card]:
    assert house.shoe is not None
    left = house.shoe.order[house.shoe.position :]
    return Counter((*left, *house.shoe.in_play, *house.shoe.discards))


def small(decks: int, **switch: object) -> RuleSet:
    """The American table with few packs, dealt to the last card."""
    return with_(AMERICAN, {"decks": decks, "cut_card_left": 0, **switch})


def test_PO_33_the_same_bet_again_is_what_was_bet_and_not_what_was_doubled() -> None:
    case = CASES["PO-33"]
    there = Sitting(AMERICAN, boxes=1, seed=1).table
    record = fairness.begin(seeded_secret(1), shoe_id="s", rules_digest=digest(AMERICAN), rules=AMERICAN)
    there = tables.apply(tables.apply(there, ShoeReady(record)), Placed("Ana", 1, units(case["bets"])))
    there = tables.apply(there, tables.lock_due(there))
    cards = iter(shoe(case["cards"]))
    croupier = Croupier(lambda: next(cards))
    while there.playing and there.round is not None:
        there = tables.apply(there, croupier.serve(there.round) or Decided(1, 1, case["script"]))
    assert there.round is not None
    assert nets(there.round.statements) == {"Ana": units(case["net"])}
    assert there.last == (Placed("Ana", 1, units(case["again"])),)


@pytest.mark.parametrize("boxes", range(1, 8))
def test_OP_06_every_round_opens_with_two_cards_for_each_box_and_the_dealer(boxes: int) -> None:
    case = CASES["OP-06"]
    there, kinds = Sitting(small(1), boxes=boxes, seed=boxes), set()
    for number in range(60):
        there.lock()
        begun = len(there.log)
        for _ in there.steps(fails_after=2 * boxes + 2 if number % 10 == 9 else 1000):
            pass
        dealt = [event for event in there.log[begun:] if isinstance(event, Dealt)]
        opened = Counter(event.box for event in dealt[: 2 * boxes + 2])
        assert opened == {**dict.fromkeys(range(1, boxes + 1), case["cards_per_box"]), DEALER: case["dealer"]}
        kinds |= {kind for kind, there_is in _kinds(there, begun) if there_is}
    assert kinds == {"split", "void", "reshuffle"}


def _kinds(there: Sitting, begun: int) -> Iterator[tuple[str, bool]]:
    log = there.log[begun:]
    yield "split", any(isinstance(one, Decided) and one.action == "split" for one in log)
    yield "void", any(isinstance(one, Voided) for one in log)
    yield "reshuffle", any(isinstance(one, Reshuffled) for one in log)


@pytest.mark.parametrize("left", [0, 10, 26])
def test_SH_01_seven_boxes_that_hit_to_the_end_never_hang_a_shoe_of_one_pack(left: int) -> None:
    case = CASES["SH-01"]
    there = Sitting(small(case["decks"], cut_card_left=left), boxes=case["boxes"], seed=left)
    reshuffled = 0
    for _ in range(40):
        there.lock()
        for round_ in there.steps():
            assert where_all_cards_are(there.house) == Counter(canonical(there.table.rules))
            if isinstance(there.log[-1], Reshuffled):
                reshuffled += 1
                assert there.house.shoe is not None
                assert len(there.house.shoe.order) == 52 - round_.dealt
        assert there.table.round is not None
        assert isinstance(there.table.round.waits, Over)
    assert reshuffled > 0


def test_SH_01_with_every_card_on_the_table_the_round_is_void_and_all_stakes_return() -> None:
    rules = small(1)
    there = Sitting(rules, boxes=7, seed=1)
    there.lock()
    there.house.shoe = shoes.load(ordered_to_run_out(rules), rules=rules)
    for _ in there.steps():
        pass
    ended = there.table.round
    assert ended is not None
    assert (ended.cause, ended.dealt) == (NO_CARDS, 52)
    assert {one.reason for one in ended.statements} == {"void"}
    assert tables.spare(there.table, "Ana") == units("100000")


def ordered_to_run_out(rules: RuleSet) -> list[Card]:
    """An order of one pack in which the boxes get pairs of 2 to 8 and split them to four hands wherever they can."""
    left = sorted(canonical(rules), key=lambda card: (card.points, card.rank))
    out: list[Card] = []
    lock = Lock(tuple(BoxStake(box, "Ana", 1000) for box in range(1, 8)), (("Ana", units("100000")),))
    round_ = rounds.begin(rules, lock)
    croupier = Croupier(lambda: out[-1])
    while left and not isinstance(round_.waits, Over):
        if isinstance(round_.waits, Asks):
            asked = round_.waits.questions[0]
            round_ = rounds.apply(round_, Decided(asked.box, asked.hand, wanting(asked), 0, asked.bettor))
            continue
        if isinstance(round_.waits, DealTo):
            out.append(left.pop(_place_of_next(left, round_, round_.waits)))
        event = croupier.serve(round_)
        assert event is not None
        round_ = rounds.apply(round_, event)
    return [*out, *left]


def _place_of_next(left: list[Card], round_: Round, due: DealTo) -> int:
    """The index in ``left`` of the card that this place gets: its own pair while there is one, else the highest."""
    points = 9 if due.box == DEALER else due.box + 1
    hands = [] if due.box == DEALER else round_.boxes[due.box - 1].hands
    pairs = due.box == DEALER or (len(hands) < 4 and len(hands[due.hand - 1].cards) < 2)
    return next((at for at, card in enumerate(left) if pairs and card.points == points), len(left) - 1)


@pytest.mark.parametrize("decks", CASES["SH-06"]["decks"])
def test_SH_06_no_card_is_seen_more_often_in_a_round_than_there_are_packs(decks: int) -> None:
    there, most = Sitting(small(decks), boxes=7, seed=decks), 0
    for _ in range(30):
        there.round()
        most = max(most, *Counter(there.cards()).values())
    assert most <= decks
    assert (most > 1) is (decks > 1)  # which is no fault: in a shoe of five packs the same card does come again


def test_SH_10_no_copies_and_no_losses_over_three_reshuffles() -> None:
    case = CASES["SH-10"]
    there = Sitting(small(case["decks"]), boxes=7, seed=3)
    while sum(isinstance(event, Reshuffled) for event in there.log) < case["reshuffles"]:
        there.lock()
        for _ in there.steps():
            everywhere = where_all_cards_are(there.house)
            assert set(everywhere.values()) == {case["each"]}
            assert everywhere.total() == case["total"]


def test_SH_11_no_hand_of_one_pack_holds_the_same_card_twice() -> None:
    there, longest = Sitting(small(CASES["SH-11"]["decks"]), boxes=5, seed=7), 0
    for _ in range(60):
        ended = there.round()
        for box in ended.boxes:
            for hand in box.hands:
                longest = max(longest, len(hand.cards))
                assert len(set(hand.cards)) == len(hand.cards)
    assert longest >= 5
