"""How fast is the round engine in plain Python, and does its memory stay flat?

    .venv/bin/python bench/engine.py                      rounds per second, one box and seven boxes
    .venv/bin/python bench/engine.py --memory 1000000     resident memory over a million rounds
    .venv/bin/pip install blackjack21==5.0.0              the peer, for the ratio (not needed else)

Both engines play six packs, dealer stands on soft 17, with a fixed hit-and-stand strategy for the ratio, in turns in
one run; the figure is CPU time, the best of several tries, since other programs disturb it one way only. Tapete's own
figures use the house bots' strategy ``simple`` (splits, doubles) at the table ``american-6d``.
"""

from __future__ import annotations

import argparse
import importlib
import random
import resource
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from tapete import round as rounds
from tapete.cards import PACK, Card
from tapete.croupier import Croupier
from tapete.events import Asks, Decided, Question
from tapete.rulefile import preset
from tapete.rules import RuleSet
from tapete.stakes import BoxStake, Lock
from tapete.state import Round, box_index, total_of
from tapete.strategy import SIMPLE

Answer = Callable[[Round, Question], Decided]
PEER = "blackjack21"


class Deck:
    """Six packs, shuffled when a quarter is left."""

    def __init__(self, seed: int) -> None:
        self._cards = list(PACK) * 6
        self._chance = random.Random(seed)
        self._next = len(self._cards)

    def draw(self) -> Card:
        """The next card."""
        card = self._cards[self._next]
        self._next += 1
        return card

    def ready(self) -> None:
        """Shuffles between rounds when it is time."""
        if self._next > len(self._cards) * 3 // 4:
            self._chance.shuffle(self._cards)
            self._next = 0


def hit_or_stand(round_: Round, question: Question) -> Decided:
    """Never bust against a weak card, else draw to 17: what the peer is asked to do as well."""
    if question.kind == "insure":
        return Decided(question.box, 1, "no_insurance", bettor=question.bettor)
    hand = round_.boxes[box_index(round_, question.box)].hands[question.hand - 1]
    up = round_.dealer[0]
    enough = 12 if up is not None and 2 <= up.points <= 6 else 17
    return Decided(question.box, question.hand, "stand" if total_of(hand) >= enough else "hit")


def play_rounds(rules: RuleSet, boxes: int, count: int, answer: Answer) -> int:
    """Plays so many rounds; tells the bettors' net in units."""
    names = [f"P{number}" for number in range(1, boxes + 1)]
    lock = Lock(
        tuple(BoxStake(number, name, 1000) for number, name in enumerate(names, 1)),
        tuple((name, 100_000) for name in names),
    )
    deck, net = Deck(7), 0
    for _ in range(count):
        deck.ready()
        net += _play(rules, lock, Croupier(deck.draw), answer)
    return net


def _play(rules: RuleSet, lock: Lock, croupier: Croupier, answer: Answer) -> int:
    round_ = rounds.begin(rules, lock)
    while True:
        event = croupier.serve(round_)
        if event is None:
            if type(round_.waits) is not Asks:
                return sum(one.net for one in round_.statements)
            event = answer(round_, round_.waits.questions[0])
        round_ = rounds.apply(round_, event)


def play_peer(count: int) -> None:
    """The same number of one-box rounds by the peer."""
    peer: Any = importlib.import_module(PEER)
    deck = peer.Deck(("Hearts", "Diamonds", "Spades", "Clubs"), count=6)
    table = peer.Table([("P1", 10)], deck)
    for _ in range(count):
        if deck.penetration > 0.75:
            deck.reset()
        table.start_game()
        while (hand := table.current_hand) is not None:
            up = table.dealer_visible_hand[0].value
            if hand.total >= (12 if 2 <= up <= 6 else 17):
                table.stand()
            else:
                table.hit()


def rate(count: int, job: Callable[[], object], tries: int) -> float:
    """Rounds per second of CPU time, the best of several tries."""
    best = float("inf")
    for _ in range(tries):
        began = time.process_time()
        job()
        best = min(best, time.process_time() - began)
    return count / best


def speed(count: int, tries: int) -> None:
    """Prints the rates."""
    rules = preset("american-6d").rules
    for boxes in (1, 7):
        many = max(1, count // boxes)
        found = rate(many, partial(play_rounds, rules, boxes, many, SIMPLE.answer), tries)
        print(f"tapete, {boxes} box(es), strategy simple: {found:,.0f} rounds/s, {found * boxes:,.0f} box rounds/s")
    plain = rate(count, lambda: play_rounds(rules, 1, count, hit_or_stand), tries)
    print(f"tapete, 1 box, hit or stand: {plain:,.0f} rounds/s")
    try:
        importlib.import_module(PEER)
    except ImportError:
        print(f"{PEER} is not installed: no ratio")
        return
    other = rate(count, lambda: play_peer(count), tries)
    print(f"{PEER}, 1 box, hit or stand: {other:,.0f} rounds/s; ratio {plain / other:.2f}")


def memory(count: int) -> None:
    """Prints the largest resident size after each tenth of the rounds."""
    rules = preset("american-6d").rules
    for tenth in range(1, 11):
        play_rounds(rules, 1, count // 10, SIMPLE.answer)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(f"{tenth * count // 10:>9,} rounds: {peak / 1024:.1f} MiB at most", flush=True)


def main() -> None:
    """Reads the options and measures."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rounds", type=int, default=5000)
    options.add_argument("--tries", type=int, default=7)
    options.add_argument("--memory", type=int, metavar="ROUNDS")
    chosen = options.parse_args()
    if chosen.memory:
        memory(chosen.memory)
    else:
        speed(chosen.rounds, chosen.tries)


if __name__ == "__main__":
    main()
