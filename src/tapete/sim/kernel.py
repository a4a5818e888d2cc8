"""The kernel: rounds from a shoe, by tables alone. It knows no rule: what the tables do not say, it does not do."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from tapete.exact.boxes import BUST, RAISED
from tapete.exact.compiled import kernel, part
from tapete.exact.tree import Ints
from tapete.lookup import NATURAL, PLAYER_BLACKJACK
from tapete.sim.dealer import Bytes, Dealer
from tapete.sim.machine import HIT, REST, RETIRE, SPLIT, Machine
from tapete.sim.money import BLACKJACK, RETIRED, SECOND_CARD, TOTAL, Money, Open

_MULTIPLIER: Final = np.uint64(6364136223846793005)
_U32: Final = np.uint64(0xFFFFFFFF)
_TURNS: Final = np.uint64(1 << 32)


class Settings(NamedTuple):
    """Whole numbers about the table.

    ``boxes`` in play, ``hands`` a box may hold, ``up_between`` (1: the dealer's first card comes between the players'
    two), ``second`` (his second card: 0 after the turns, 1 face down, 2 face up), ``at_once`` (1: both hands of a split
    get their second cards at once), ``always`` (1: the dealer plays on even where nothing is open), ``for_blackjack``
    (1: also for an open blackjack alone), ``first_live`` (1: of a split box the first hand that is not bust counts as
    its first when a blackjack takes), ``early`` (1: hands retire before a blackjack of the dealer could end the round),
    ``cut`` (so many cards come out before a round begins with a shuffle).
    """

    boxes: int
    hands: int
    up_between: int
    second: int
    at_once: int
    always: int
    for_blackjack: int
    first_live: int
    early: int
    cut: int


class Table(NamedTuple):
    """``to_dealer[kind]``; ``start[up, hole]``, whatever the hole where it is not seen.

    ``checked[start]``: a blackjack of the dealer ends the round before the turns. ``bust_ends[start]``: a bust hand
    takes its whole box.
    """

    to_dealer: Ints
    start: Ints
    checked: Ints
    bust_ends: Ints


class Room(NamedTuple):
    """Workplace by box and hand: states, first and second cards (-1: not there yet), ends.

    By box: the number of hands of a split one, whether it is insured, after which hand it was gone as a whole (0 if it
    was not), and the end of a hand never split, or -1. ``ends[role, end]`` counts hands.
    """

    state: Ints
    first: Ints
    second: Ints
    end: Ints
    hands: Ints
    insured: Ints
    gone: Ints
    ended: Ints
    ends: Ints


class Game(NamedTuple):
    """All that does not change from round to round, and the workplace."""

    machine: Machine
    dealer: Dealer
    table: Table
    money: Money
    open_: Open
    settings: Settings
    room: Room


class Shoe(NamedTuple):
    """The cards; ``step`` of the generator that draws them, or, not ``shuffled``, they come as they lie.

    ``marks`` are kept from one call to the next.
    """

    cards: Bytes
    marks: Ints
    step: Any
    shuffled: bool


PLACE: Final = 0
LIMIT: Final = 1
OUT: Final = 2
BEGAN: Final = 3
NOTHING: Final = 4
MARKS: Final = 5
"""Marks of a shoe: the next card's place; the end of those that may be drawn; 1 when it ran out in a round, so that the
next one begins with a shuffle; where the round began; 1 when no card was left anywhere, and the round is void."""

ROUNDS: Final = 0
VOID: Final = 1
SPLITS: Final = 2
DOUBLES: Final = 3
BLACKJACKS: Final = 4
BUSTS: Final = 5
INSURED: Final = 6
RETIRES: Final = 7
LAID: Final = 8
NATURALS: Final = 9
COUNTS: Final = 10
"""What is counted: rounds, of them void ones; hands split, doubled, dealt a blackjack, bust; insurances, retired hands;
money laid on hands; blackjacks of the dealer that end a round."""
ALONE: Final = 0
FIRST: Final = 1
OTHER: Final = 2
ROLES: Final = 3
"""The role of a hand: never split, a split box's first, another of it."""


class At(NamedTuple):
    """Where the shoe stands: the next card's place, the end of those that may be drawn, the generator's state."""

    place: int
    limit: int
    state: Any


@kernel
def play(game: Game, shoe: Shoe, stream: Any, rounds: int, nets: Ints, counts: Ints, told: Ints) -> None:
    """Plays rounds, and where cards are drawn at random on to the end of the shoe.

    ``nets[net + middle]`` counts the rounds by what they bring, ``counts`` what is named above. ``told[round, box]``,
    where it has rows, gets what each box won. ``stream`` is the generator's state.
    """
    boxes, marks = game.settings.boxes, shoe.marks
    at = At(marks[PLACE], marks[LIMIT], stream[0])
    middle, round_ = nets.shape[0] // 2, 0
    while round_ < rounds or (shoe.shuffled and at.place < game.settings.cut and not marks[OUT]):
        at = _begun(shoe, at, game.settings.cut)
        start, dealt, state, at = _deal(game, shoe, at)
        seen = game.dealer.outcome[dealt] == NATURAL and game.table.checked[start] == 1
        end, open_ = 0, 0
        for box in range(boxes):
            if boxes > 1:
                state = game.room.state[box, 0]
            end, more, at = _boxed(game, shoe, at, start, box, state, seen, counts)
            open_ |= more
        outcome = NATURAL
        if seen:
            counts[NATURALS] += 1
        else:
            outcome, at = _dealt(game, shoe, at, dealt, open_)
        total = 0
        for box in range(boxes):
            if boxes > 1:
                end = game.room.ended[box]
            net = 0 if marks[NOTHING] else _settled(game, start, box, end, outcome, game.room.ends)
            total += net
            if round_ < told.shape[0]:
                told[round_, box] = net
        counts[VOID] += marks[NOTHING]
        nets[total + middle] += 1
        round_ += 1
    counts[ROUNDS] += round_
    _hands_counted(game, counts)
    marks[PLACE], marks[LIMIT], stream[0] = at.place, at.limit, at.state


# --- the shoe -------------------------------------------------------------------------------------------------------


@part
def _begun(shoe: Shoe, at: At, cut: int) -> At:
    """The shoe when a round begins. Drawn at random from any order, a whole shoe is a shuffled one."""
    place, marks = at.place, shoe.marks
    if place >= cut or marks[OUT]:
        if shoe.shuffled:
            place = 0
        marks[OUT] = 0
    marks[BEGAN] = place
    marks[NOTHING] = 0
    return At(place, shoe.cards.shape[0], at.state)


@part
def draw(shoe: Shoe, at: At) -> tuple[int, At]:
    """The next card, brought to its place from those behind it; the generator is PCG32."""
    place, limit, state = at.place, at.limit, at.state
    if place == limit:
        place, limit = _again(shoe.marks, limit)
        if place == limit:
            return 9, At(place, limit, state)
    if shoe.shuffled:
        many = np.uint64(limit - place)
        while True:
            old = state
            state = old * _MULTIPLIER + shoe.step
            mixed = (((old >> np.uint64(18)) ^ old) >> np.uint64(27)) & _U32
            turn = old >> np.uint64(59)
            number = ((mixed >> turn) | (mixed << ((np.uint64(32) - turn) & np.uint64(31)))) & _U32
            wide = number * many
            low = wide & _U32
            if low >= many or low >= _TURNS % many:
                break
        other = place + np.int64(wide >> np.uint64(32))
        card = shoe.cards[other]
        shoe.cards[other] = shoe.cards[place]
        shoe.cards[place] = card
    found: Any = np.int64(shoe.cards[place])
    return found, At(place + 1, limit, state)


@part
def _again(marks: Ints, limit: int) -> tuple[int, int]:
    """Where to draw on when the shoe has run out: among the cards of earlier rounds, or nowhere."""
    if marks[OUT] or marks[BEGAN] == 0:
        marks[OUT] = 1
        marks[NOTHING] = 1
        return limit, limit
    marks[OUT] = 1
    return 0, marks[BEGAN]


# --- a round --------------------------------------------------------------------------------------------------------


@part
def _deal(game: Game, shoe: Shoe, at: At) -> tuple[Any, Any, Any, At]:
    """Deals the first cards; gives what the dealer shows, the state of his hand and that of the last box's hand."""
    room, next_, table = game.room, game.machine.next_, game.table
    up = hole = 0
    state = np.int64(0)
    for box in range(game.settings.boxes):
        card, at = draw(shoe, at)
        room.first[box, 0] = card
        state = np.int64(next_[0, card])
        room.state[box, 0] = state
    if game.settings.up_between:
        up, at = draw(shoe, at)
    for box in range(game.settings.boxes):
        card, at = draw(shoe, at)
        room.second[box, 0] = card
        if game.settings.boxes > 1:
            state = room.state[box, 0]
        state = np.int64(next_[state, card])
        room.state[box, 0] = state
    if not game.settings.up_between:
        up, at = draw(shoe, at)
    up = table.to_dealer[up]
    hand = game.dealer.next_[0, up]
    if game.settings.second:
        hole, at = draw(shoe, at)
        hole = table.to_dealer[hole]
        hand = game.dealer.next_[hand, hole]
    return table.start[up, hole], hand, state, at


@part
def _boxed(
    game: Game, shoe: Shoe, at: At, start: int, box: int, state: Any, seen: bool, counts: Ints,  # noqa: FBT001
) -> tuple[Any, Any, At]:  # fmt: skip
    """Plays a box to the end of its turn; of a box that retires, or whose round is over, the hand as dealt.

    Gives the end of its hand, -1 for a box that was split, and which kinds of bets are open then.
    """
    room, machine = game.room, game.machine
    insured = machine.insures[start, state]
    room.insured[box] = insured
    counts[INSURED] += insured
    end = np.int64(machine.end[state])
    if machine.act[start, state] == RETIRE and (game.settings.early or not seen):
        end = np.int64(RETIRED)
    elif not seen:
        state, split, at = _hand(game, shoe, at, start, state, game.settings.hands > 1)
        if split:
            at = _hands(game, shoe, at, start, box, counts)
            room.ended[box] = -1
            return -1, _open(game, start, box), at
        end = np.int64(machine.end[state])
    room.gone[box] = game.table.bust_ends[start] and end % RAISED == BUST
    room.ended[box] = end
    waits = SECOND_CARD if insured and game.settings.second == 0 and not room.gone[box] else 0
    return end, game.open_.alone[start, end] | waits, at


@part
def _hand(game: Game, shoe: Shoe, at: At, start: int, state: Any, may_split: bool) -> tuple[Any, bool, At]:  # noqa: FBT001
    """Plays a hand to its end, or to where it is split."""
    machine = game.machine
    while True:
        move = machine.act[start, state]
        if move == SPLIT:
            if may_split:
                return state, True, at
            move = machine.full[start, state]
        if move == REST:
            return state, False, at
        card, at = draw(shoe, at)
        state = np.int64(machine.next_[state, card] if move == HIT else machine.raised[state, card])


@part
def _hands(game: Game, shoe: Shoe, at: At, start: int, box: int, counts: Ints) -> At:
    """Plays a box whose first two cards are split."""
    room, hand = game.room, 0
    room.hands[box] = 1
    room.gone[box] = 0
    _split(game, box, hand, counts)
    while hand < room.hands[box]:
        at = _seconds(game, shoe, at, box, hand)
        more = room.hands[box] < game.settings.hands
        state, split, at = _hand(game, shoe, at, start, room.state[box, hand], more)
        if split:
            _split(game, box, hand, counts)
            continue
        room.end[box, hand] = game.machine.end[state]
        hand += 1
        if game.table.bust_ends[start] and room.end[box, hand - 1] % RAISED == BUST:
            room.gone[box] = hand
            break
    return at


@part
def _split(game: Game, box: int, hand: int, counts: Ints) -> None:
    """Makes two hands of one card each."""
    room = game.room
    for place in range(room.hands[box], hand + 1, -1):
        room.state[box, place] = room.state[box, place - 1]
        room.first[box, place] = room.first[box, place - 1]
        room.second[box, place] = room.second[box, place - 1]
    room.first[box, hand + 1] = room.second[box, hand]
    for place in range(hand, hand + 2):
        room.state[box, place] = game.machine.split[room.first[box, place]]
        room.second[box, place] = -1
    room.hands[box] += 1
    counts[SPLITS] += 1


@part
def _seconds(game: Game, shoe: Shoe, at: At, box: int, hand: int) -> At:
    """Deals second cards to hands of a split that lack them: to this one, or to it and all behind it."""
    room = game.room
    for place in range(hand, room.hands[box] if game.settings.at_once else hand + 1):
        if room.second[box, place] < 0:
            card, at = draw(shoe, at)
            room.second[box, place] = card
            room.state[box, place] = game.machine.next_[room.state[box, place], card]
    return at


@part
def _open(game: Game, start: int, box: int) -> int:
    """Which kinds of bets are open on a box that was split, as bits."""
    room = game.room
    if room.gone[box]:
        return 0
    found = SECOND_CARD if room.insured[box] and game.settings.second == 0 else 0
    for hand in range(room.hands[box]):
        found |= game.open_.split[start, room.end[box, hand]]
    return found


@part
def _dealt(game: Game, shoe: Shoe, at: At, hand: int, open_: int) -> tuple[int, At]:
    """The dealer's turn; gives how he ends, or any end where nothing is left that it could decide."""
    dealer = game.dealer
    if game.settings.second == 0:
        if open_ == 0 and not game.settings.always:
            return 0, at
        card, at = draw(shoe, at)
        hand = dealer.next_[hand, game.table.to_dealer[card]]
    if open_ & TOTAL or game.settings.always or (open_ & BLACKJACK and game.settings.for_blackjack):
        while dealer.draws[hand]:
            card, at = draw(shoe, at)
            hand = dealer.next_[hand, game.table.to_dealer[card]]
    outcome: Any = np.int64(dealer.outcome[hand])
    return outcome, at


@part
def _settled(game: Game, start: int, box: int, end: int, outcome: int, ends: Ints) -> Any:
    """What a box wins, its hands being counted."""
    room, money = game.room, game.money
    if end < 0:
        return _settled_split(game, start, box, outcome, ends)
    ends[ALONE, end] += 1
    if room.gone[box]:
        return -money.laid[end] + room.insured[box] * money.insured[0]
    return money.alone[end, start, outcome] + room.insured[box] * money.insured[outcome]


@part
def _settled_split(game: Game, start: int, box: int, outcome: int, ends: Ints) -> Any:
    room, money = game.room, game.money
    hands, gone, laid, leading = room.hands[box], room.gone[box], 0, 0
    for hand in range(hands):
        end = 0 if gone and hand >= gone else room.end[box, hand]
        ends[OTHER if hand else FIRST, end] += 1
        laid += money.laid_other[end] if hand else money.laid[end]
    if gone:
        return -laid + room.insured[box] * money.insured[0]
    if game.settings.first_live and outcome == NATURAL:
        while leading < hands - 1 and room.end[box, leading] % RAISED == BUST:
            leading += 1
    net = room.insured[box] * money.insured[outcome] + (money.once[start] if outcome == NATURAL else 0)
    for hand in range(hands):
        end = room.end[box, hand]
        if hand == 0:
            net += money.first[end, start, outcome] if leading == 0 else -money.laid[end]
        elif hand == leading:
            net += money.first[end, start, outcome] * money.laid_other[0] // money.laid[0]
        else:
            net += money.other[end, start, outcome]
    return net


@part
def _hands_counted(game: Game, counts: Ints) -> None:
    """Adds what hands came to, by their ends, and forgets those."""
    ends = game.room.ends
    for role in range(ROLES):
        for end in range(ends.shape[1]):
            many = ends[role, end]
            ends[role, end] = 0
            counts[LAID] += many * (game.money.laid_other[end] if role == OTHER else game.money.laid[end])
            if end == RETIRED:
                counts[RETIRES] += many
            elif end >= RAISED:
                counts[DOUBLES] += many
            if end % RAISED == BUST:
                counts[BUSTS] += many
            if end == PLAYER_BLACKJACK and role == ALONE:
                counts[BLACKJACKS] += many
