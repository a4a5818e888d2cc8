"""The common game alone, written out by hand: how fast can a simulator be here?

Six packs, dealer stands on soft 17 and looks at his hole card, blackjack pays 3:2, double on any two cards and after a
split, splits to four hands, one card on split aces, one box, a shoe dealt until 78 cards are left, a chart by totals.
Nothing of it comes from the package but how it is compiled: rules and strategy are in the code below, so that it is
also a second opinion. The chart is the one that ``tapete chart american-6d`` shows. Generator: PCG32 (O'Neill 2014),
bounded by Lemire's multiplication with rejection (2019). A card is 0 for an ace up to 9 for a ten.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tapete.exact.compiled import kernel, part

PACKS, CUT = 6, 6 * 52 - 78
MIDDLE = 16
"""``nets[net + MIDDLE]`` counts rounds; nets are in half bets."""
SOFT, BUST = 32, 22
"""A hand is its hard total, or its soft total and 32 more; 22 is bust."""
STAND, HIT, DOUBLE = 0, 1, 2

# Columns: the dealer's 2 to 10, ace.
HARD = {
    **dict.fromkeys(range(4, 9), "HHHHHHHHHH"),
    9: "HDDDDHHHHH", 10: "DDDDDDDDHH", 11: "DDDDDDDDDH", 12: "HHSSSHHHHH",
    **dict.fromkeys(range(13, 17), "SSSSSHHHHH"),
    **dict.fromkeys(range(17, 23), "SSSSSSSSSS"),
}  # fmt: skip
SOFTS = {
    12: "HHHHDHHHHH", 13: "HHHDDHHHHH", 14: "HHHDDHHHHH", 15: "HHDDDHHHHH", 16: "HHDDDHHHHH", 17: "HDDDDHHHHH",
    18: "SddddSSHHH", 19: "SSSSSSSSSS", 20: "SSSSSSSSSS", 21: "SSSSSSSSSS",
}  # fmt: skip
PAIRS = (
    "PPPPPPPPPP", "PPPPPPHHHH", "PPPPPPHHHH", "HHHPPHHHHH", "DDDDDDDDHH",
    "PPPPPHHHHH", "PPPPPPHHHH", "PPPPPPPPPP", "PPPPPSPPSS", "SSSSSSSSSS",
)  # fmt: skip


def _next() -> Any:
    """What each card makes of a hand: [hand * 16 + card]."""
    table = np.full(64 * 16, BUST, dtype=np.uint8)
    for hand in range(64):
        total, soft = hand % SOFT, hand >= SOFT
        for card in range(10):
            more, ace = total + card + 1, soft
            if card == 0 and not soft and more + 10 <= 21:
                more, ace = more + 10, True
            if more > 21 and ace:
                more, ace = more - 10, False
            table[hand * 16 + card] = more + SOFT * ace if more <= 21 else BUST
    return table


def _acts() -> Any:
    """What a hand of two cards does, and after 1024 one of more: [up * 64 + hand]."""
    table = np.zeros(2048, dtype=np.uint8)
    for shift, rows in ((0, HARD), (SOFT, SOFTS)):
        for total, row in rows.items():
            for column, letter in enumerate(row):
                at = (column + 1) % 10 * 64 + total + shift
                table[at] = {"S": STAND, "H": HIT}.get(letter, DOUBLE)
                table[at + 1024] = {"S": STAND, "d": STAND}.get(letter, HIT)
    return table


NEXT, ACT = _next(), _acts()
SPLITS = np.array(
    [[row[(up - 1) % 10] == "P" for row in PAIRS + 6 * ("-" * 10,)] for up in range(10)], np.uint8
).ravel()
TOTAL = np.array([hand % SOFT for hand in range(64)], dtype=np.uint8)
DRAWS = np.array([hand % SOFT < 17 for hand in range(64)], dtype=np.uint8)


@part
def draw(cards: Any, place: Any, state: Any, step: Any) -> Any:
    """A card from those not yet out, brought to its place."""
    many = np.uint64(cards.shape[0]) - place
    while True:
        old = state
        state = old * np.uint64(6364136223846793005) + step
        mixed = np.uint32(((old >> np.uint64(18)) ^ old) >> np.uint64(27))
        turn = np.uint32(old >> np.uint64(59))
        number = np.uint32(mixed >> turn) | np.uint32(mixed << (np.uint32(32 - turn) & np.uint32(31)))
        wide = np.uint64(number) * many
        low = wide & np.uint64(0xFFFFFFFF)
        if low >= many or low >= np.uint64(1 << 32) % many:
            break
    other = place + (wide >> np.uint64(32))
    card = cards[other]
    cards[other] = cards[place]
    cards[place] = card
    return np.uint64(card), place + np.uint64(1), state


@part
def finish(hand: Any, up: Any, cards: Any, place: Any, state: Any, step: Any) -> Any:
    """Plays a hand by the chart; gives it, and its bet."""
    act, bet = ACT[up * np.uint64(64) + hand], 1
    while act:
        card, place, state = draw(cards, place, state, step)
        hand = np.uint64(NEXT[hand * np.uint64(16) + card])
        if act == DOUBLE:
            bet = 2
            break
        act = ACT[np.uint64(1024) + up * np.uint64(64) + hand]
    return hand, bet, place, state


@part
def split(pair: Any, up: Any, hands: Any, bets: Any, cards: Any, place: Any, state: Any, step: Any) -> Any:
    """Plays a pair that is split, up to four hands; gives how many."""
    open_, done, many = 2, 0, 2
    while open_:
        open_ -= 1
        card, place, state = draw(cards, place, state, step)
        hand, bet = np.uint64(NEXT[np.uint64(NEXT[pair]) * np.uint64(16) + card]), 1
        if pair and card == pair and many < 4:
            open_ += 2
            many += 1
            continue
        if pair:
            hand, bet, place, state = finish(hand, up, cards, place, state, step)
        hands[done], bets[done] = hand, bet
        done += 1
    return many, place, state


@kernel
def play(cards: Any, rounds: int, begun: Any, step: Any, nets: Any, hands: Any, bets: Any) -> None:
    """Plays rounds; ``nets[net + MIDDLE]`` counts what they bring. ``hands`` and ``bets`` are workplace for four."""
    place, state = np.uint64(0), begun
    for _ in range(rounds):
        if place >= CUT:
            place = np.uint64(0)
        first, place, state = draw(cards, place, state, step)
        up, place, state = draw(cards, place, state, step)
        second, place, state = draw(cards, place, state, step)
        hole, place, state = draw(cards, place, state, step)
        hand = np.uint64(NEXT[np.uint64(NEXT[first]) * np.uint64(16) + second])
        his = np.uint64(NEXT[np.uint64(NEXT[up]) * np.uint64(16) + hole])
        natural = hand == SOFT + 21
        if his == SOFT + 21:
            nets[MIDDLE if natural else MIDDLE - 2] += 1
            continue
        if natural:
            nets[MIDDLE + 3] += 1
            continue
        many, bet = 1, 1
        if first == second and SPLITS[up * np.uint64(16) + first]:
            many, place, state = split(first, up, hands, bets, cards, place, state, step)
            lives = False
            for at in range(many):
                lives |= hands[at] != BUST
        else:
            hand, bet, place, state = finish(hand, up, cards, place, state, step)
            lives = hand != BUST
        if lives:
            while DRAWS[his]:
                card, place, state = draw(cards, place, state, step)
                his = np.uint64(NEXT[his * np.uint64(16) + card])
        net = 0
        if many == 1:
            net = won(hand, bet, his)
        else:
            for at in range(many):
                net += won(hands[at], bets[at], his)
        nets[net + MIDDLE] += 1


@part
def won(hand: Any, bet: Any, his: Any) -> Any:
    """What a hand brings, in half bets."""
    mine, other = TOTAL[hand], TOTAL[his]
    if mine == BUST:
        return -2 * bet
    if other == BUST or mine > other:
        return 2 * bet
    return -2 * bet if mine < other else 0


def block(rounds: int, state: int, step: int) -> npt.NDArray[np.int64]:
    """The nets of some rounds from a new shoe."""
    nets = np.zeros(2 * MIDDLE + 1, dtype=np.int64)
    shoe = np.repeat(np.arange(10, dtype=np.uint8), [4 * PACKS] * 9 + [16 * PACKS])
    hands, bets = np.zeros(4, dtype=np.uint64), np.zeros(4, dtype=np.int64)
    play(shoe, rounds, np.uint64(state), np.uint64(step), nets, hands, bets)
    return nets
