"""The kernel: rounds from a shoe, by tables alone. It knows no rule: what the tables do not say, it does not do."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapete.exact.boxes import BUST, RAISED
from tapete.exact.compiled import kernel, part
from tapete.lookup import NATURAL
from tapete.sim import cards, counter, paying, variate
from tapete.sim.machine import BEGIN, KINDS, RETIRE, SPLIT
from tapete.sim.money import BLACKJACK, PLACES, RETIRED, SECOND_CARD, TOTAL
from tapete.sim.world import (
    BEGAN,
    CORRECTED,
    CORRECTED_SQUARED,
    COUNT,
    INSIDE,
    INSURANCE,
    INSURED,
    LIMIT,
    NATURALS,
    NETS_SQUARED,
    NOTHING,
    OUT,
    PLACE,
    RETIREMENT,
    ROUNDS,
    ROUNDS_CORRECTED,
    ROUNDS_NETS,
    ROUNDS_SQUARED,
    SHOES,
    VOID,
    At,
    Books,
    Game,
    Shoe,
    of,
)


def play(game: Game, shoe: Shoe, stream: Any, rounds: int, books: Books, *, compiled: bool = True) -> None:
    """Plays rounds, and where cards are drawn at random on to the end of the shoe.

    ``stream`` is the generator's state. Not ``compiled``, the same code is played as Python: the same rounds, some
    thousand times as slowly, and at once.
    """
    one, drawn = game.settings.boxes == 1, shoe.shuffled
    rounds_ = _rounds if compiled else _rounds.py_func
    with np.errstate(over="ignore"):  # the generator's numbers are meant to
        rounds_(game, shoe, stream, rounds, books, None if one else game.settings.boxes, None if drawn else 1)
    paying.hands_counted(game, books.counts)


def is_compiled() -> bool:
    """Whether the kernel was compiled, or loaded, for some table already; if not, the first block takes that long."""
    return bool(_rounds.signatures)


@kernel
def _rounds(
    game: Game, shoe: Shoe, stream: Any, rounds: int, books: Books, more: int | None, lying: int | None,
) -> None:  # fmt: skip
    """The rounds, of ``more`` boxes or, if that is None, one, from a shuffled shoe or, if not None, one as it lies.

    What is known from a type costs no time in a round.
    """
    boxes, shoe = _boxes(more), _lain(lying, shoe)
    marks, cut = shoe.marks, game.settings.cut
    at = At(marks[PLACE], marks[LIMIT], stream[0], np.int64(0), np.int64(0), 0.0)
    middle, round_, begun = books.nets.shape[0] // 2, 0, 0
    shoe_net, shoe_corrected = np.int64(0), 0.0
    while round_ < rounds or (shoe.shuffled and at.place < cut and not marks[OUT]):
        if at.place >= cut or marks[OUT]:
            _shoe_closed(books, round_ - begun, shoe_net, shoe_corrected)
            begun, shoe_net, shoe_corrected = round_, np.int64(0), 0.0
            at = _shuffled(game, shoe, at)
        at = _begun(shoe, at)
        level = counter.true_count(game.counting, at, 0)
        bet = counter.bet_at(game.counting, level, marks)
        total, at = _round(game, shoe, at, bet, round_, books, boxes)
        if marks[NOTHING]:
            bet = 0
        won = total * bet
        shoe_net += won
        shoe_corrected += won + bet * at.off
        books.nets[np.uint64(won + middle)] += 1
        counter.noted(game.counting, books, level, bet, boxes, total, total + at.off)
        round_ += 1
    _shoe_closed(books, round_ - begun, shoe_net, shoe_corrected)
    books.counts[ROUNDS] += round_
    marks[PLACE], marks[LIMIT], stream[0] = at.place, at.limit, at.state


@part
def _boxes(more: int | None) -> int:
    if more is None:
        return 1
    return more


@part
def _lain(lying: int | None, shoe: Shoe) -> Shoe:
    if lying is None:
        return Shoe(shoe.cards, shoe.marks, shoe.step, True, shoe.gone)  # noqa: FBT003  (shuffled)
    return Shoe(shoe.cards, shoe.marks, shoe.step, False, 1)  # noqa: FBT003  (not shuffled)


@part
def _round(game: Game, shoe: Shoe, at: At, bet: Any, round_: int, books: Books, boxes: int) -> tuple[Any, At]:
    """A round; gives what all boxes bring for a bet of one unit."""
    counts, marks, total = books.counts, shoe.marks, np.int64(0)
    start, dealt, row, hidden, state, at = _deal(game, shoe, at, boxes)
    counter.asked(game.counting, game, at)
    seen = dealt == game.dealer.rests + NATURAL and of(game.table.checked, start) == 1
    end, open_ = 0, 0
    for box in range(boxes):
        if boxes > 1:
            state = game.room.state[box, 0]
        end, more, at = _boxed(game, shoe, at, start, row, box, state, seen)
        open_ |= more
    if game.settings.second == 1:
        at = counter.shown(game.counting, at, hidden)
    outcome = NATURAL
    if not seen:
        outcome, at = _dealt(game, shoe, at, start, dealt, open_, end, boxes)
    if marks[NOTHING]:
        counts[VOID] += 1
        return np.int64(0), At(at.place, at.limit, at.state, at.count, at.last, 0.0)
    counts[NATURALS] += seen
    for box in range(boxes):
        if boxes > 1:
            end = game.room.ended[box]
        paying.hand_counted(game, box, end, bet)
        net = paying.worth(game, start, box, end, outcome)
        if game.room.insured[box]:
            counts[INSURED] += 1
        total += net
        if boxes > 1:
            books.by_box[box, 0] += net
            books.by_box[box, 1] += net * net
        if round_ < books.told.shape[0]:
            books.told[round_, box] = net
    return total, at


@part
def _shoe_closed(books: Books, rounds: int, net: int, corrected: float) -> None:
    """Adds a shoe to the sums over shoes."""
    if rounds == 0:
        return
    sums = books.sums
    books.counts[SHOES] += 1
    sums[ROUNDS_SQUARED] += float(rounds) * rounds
    sums[ROUNDS_NETS] += float(rounds) * net
    sums[NETS_SQUARED] += float(net) * net
    sums[CORRECTED] += corrected
    sums[ROUNDS_CORRECTED] += rounds * corrected
    sums[CORRECTED_SQUARED] += corrected * corrected


# --- the shoe -------------------------------------------------------------------------------------------------------


@part
def _shuffled(game: Game, shoe: Shoe, at: At) -> At:
    """The whole shoe again. Drawn at random from any order, it is a shuffled one."""
    place = 0 if shoe.shuffled else at.place
    shoe.marks[OUT] = 0
    shoe.marks[INSIDE] = 0
    variate.fill(game.control, shoe, at)
    return At(place, shoe.cards.shape[0], at.state, counter.nothing_seen(game.counting), at.last, at.off)


@part
def _begun(shoe: Shoe, at: At) -> At:
    """The shoe when a round begins."""
    shoe.marks[BEGAN] = at.place
    shoe.marks[NOTHING] = 0
    shoe.marks[COUNT] = at.count
    return At(at.place, shoe.cards.shape[0], at.state, at.count, at.last, 0.0)


@part
def _card(game: Game, shoe: Shoe, at: At, face_down: bool = False) -> tuple[Any, At]:  # noqa: FBT001, FBT002
    """The next card, seen by all unless it lies face down."""
    limit = at.limit
    variate.take(game.control, shoe, at)
    card, at = cards.draw(shoe, at)
    fresh = at.limit != limit
    if fresh:
        variate.again(game.control, shoe, at)
    if not face_down:
        at = counter.seen(game.counting, shoe, at, card, fresh)
    return card, at


# --- a round --------------------------------------------------------------------------------------------------------


@part
def _deal(game: Game, shoe: Shoe, at: At, boxes: int) -> tuple[Any, Any, Any, Any, Any, At]:
    """Deals the first cards.

    Gives what the dealer shows, the state of his hand, what he holds as the value tables have it, his hidden card, and
    the state of the last box's hand.
    """
    room, next_, settings = game.room, game.machine.next_, game.settings
    up, hole, held, state = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    for box in range(boxes):
        begin = game.machine.begin[box]
        card, at = _card(game, shoe, at)
        at = variate.unseen_drawn(game.control, shoe, at, begin, card)
        room.first[box, 0] = card
        state = of(next_, begin * KINDS + card)
        if boxes > 1:
            room.state[box, 0] = state
    if settings.up_between:
        variate.kept(game.control, game, boxes, state)
        up, at = _up(game, shoe, at, boxes)
        held = variate.held(game.control, up, KINDS - 1)
    for box in range(boxes):
        card, at = _card(game, shoe, at)
        if boxes > 1:
            state = room.state[box, 0]
        if settings.up_between:
            at = variate.drawn(game.control, shoe, at, 0, held, state, card)
        else:
            at = variate.unseen_drawn(game.control, shoe, at, state, card)
        room.second[box, 0] = card
        state = of(next_, state * KINDS + card)
        if boxes > 1:
            room.state[box, 0] = state
    variate.kept(game.control, game, boxes, state)
    if not settings.up_between:
        counter.alone(game.counting, game, at)
        up, at = _up(game, shoe, at, boxes)
        held = variate.held(game.control, up, KINDS - 1)
    hand = of(game.dealer.next_, up)
    if settings.second:
        hole, at = _card(game, shoe, at, settings.second == 1)
        at = variate.dealer_dealt(game.control, game, shoe, at, up, hole, boxes)
        held = variate.held(game.control, up, hole)
        hand = of(game.dealer.next_, hand * KINDS + hole)
    return of(game.table.start, up * KINDS + hole), hand, held, hole, state, at


@part
def _up(game: Game, shoe: Shoe, at: At, boxes: int) -> tuple[Any, At]:
    """The dealer's first card."""
    card, at = _card(game, shoe, at)
    return card, variate.dealer_dealt(game.control, game, shoe, at, -1, card, boxes)


@part
def _boxed(
    game: Game, shoe: Shoe, at: At, start: Any, held: Any, box: int, state: Any, seen: bool,  # noqa: FBT001
) -> tuple[Any, Any, At]:  # fmt: skip
    """Plays a box to the end of its turn; of a box that retires, or whose round is over, the hand as dealt.

    Gives the end of its hand, -1 for a box that was split, and which kinds of bets are open then.
    """
    room, machine = game.room, game.machine
    place = start * machine.states + state
    insured = counter.before(game.counting, game, of(machine.insures, place), INSURANCE)
    room.insured[box] = insured
    end = of(machine.end, state)
    act = counter.before(game.counting, game, of(machine.act, place), RETIREMENT)
    if act == RETIRE and (game.settings.early or not seen):
        end = np.int64(RETIRED)
        insured = insured & game.settings.keeps
        room.insured[box] = insured
    elif not seen:
        state, split, at = _hand(game, shoe, at, start, held, 0, state, game.settings.hands > 1)
        if split:
            at = _hands(game, shoe, at, start, held, box)
            room.ended[box] = -1
            return np.int64(-1), _open(game, start, box), at
        end = of(machine.end, state)
    room.ended[box] = end
    open_ = of(game.open_.alone, start * PLACES + end)
    if insured:
        room.gone[box] = game.settings.bust_ends and end % RAISED == BUST
        if game.settings.second == 0 and not room.gone[box]:
            open_ |= SECOND_CARD
    return end, open_, at


@part
def _hand(
    game: Game, shoe: Shoe, at: At, start: Any, held: Any, hands: Any, state: Any, may_split: bool,  # noqa: FBT001
) -> tuple[Any, bool, At]:  # fmt: skip
    """Plays a hand of a box of so many hands (0: never split) to its end, or to where it is split."""
    machine, places = game.machine, start * game.machine.states
    while True:
        row = counter.planned(game.counting, game, at, of(machine.act, places + state))
        if row < BEGIN:
            if row == SPLIT and may_split:
                return state, True, at
            if row in (SPLIT, RETIRE):  # no more; when it was time to retire, the count was another
                row = counter.planned(game.counting, game, at, of(machine.full, places + state))
            if row < BEGIN:
                return state, False, at
        card, at = _card(game, shoe, at)
        at = variate.drawn(game.control, shoe, at, hands, held, row, card)
        state = of(machine.next_, row * KINDS + card)


@part
def _hands(game: Game, shoe: Shoe, at: At, start: Any, held: Any, box: int) -> At:
    """Plays a box whose first two cards are split."""
    room, hand = game.room, 0
    room.hands[box] = 1
    room.gone[box] = 0
    _split(game, box, hand)
    while hand < room.hands[box]:
        at = _seconds(game, shoe, at, held, box, hand)
        many = room.hands[box]
        more = many < game.settings.hands
        state, split, at = _hand(game, shoe, at, start, held, many, room.state[box, hand], more)
        if split:
            _split(game, box, hand)
            continue
        room.end[box, hand] = of(game.machine.end, state)
        hand += 1
        if game.settings.bust_ends and room.end[box, hand - 1] % RAISED == BUST:
            room.gone[box] = hand
            break
    return at


@part
def _split(game: Game, box: int, hand: int) -> None:
    """Makes two hands of one card each."""
    room = game.room
    for place in range(room.hands[box], hand + 1, -1):
        room.state[box, place] = room.state[box, place - 1]
        room.first[box, place] = room.first[box, place - 1]
        room.second[box, place] = room.second[box, place - 1]
    room.first[box, hand + 1] = room.second[box, hand]
    for place in range(hand, hand + 2):
        room.state[box, place] = of(game.machine.split, box * KINDS + room.first[box, place])
        room.second[box, place] = -1
    room.hands[box] += 1


@part
def _seconds(game: Game, shoe: Shoe, at: At, held: Any, box: int, hand: int) -> At:
    """Deals second cards to hands of a split that lack them: to this one, or to it and all behind it."""
    room = game.room
    for place in range(hand, room.hands[box] if game.settings.at_once else hand + 1):
        if room.second[box, place] < 0:
            card, at = _card(game, shoe, at)
            state = room.state[box, place]
            at = variate.drawn(game.control, shoe, at, room.hands[box], held, state, card)
            room.second[box, place] = card
            room.state[box, place] = of(game.machine.next_, state * KINDS + card)
    return at


@part
def _open(game: Game, start: Any, box: int) -> Any:
    """Which kinds of bets are open on a box that was split, as bits."""
    room = game.room
    if room.gone[box]:
        return np.int64(0)
    found = np.int64(SECOND_CARD if room.insured[box] and game.settings.second == 0 else 0)
    for hand in range(room.hands[box]):
        found |= of(game.open_.split, start * PLACES + room.end[box, hand])
    return found


@part
def _dealt(
    game: Game, shoe: Shoe, at: At, start: Any, hand: Any, open_: Any, end: Any, boxes: int,
) -> tuple[Any, At]:  # fmt: skip
    """The dealer's turn; gives how he ends, or any end where nothing is left that it could decide."""
    dealer, line = game.dealer, np.int64(-1)
    if open_ or game.settings.always:
        line = variate.worths(game.control, game, start, end, boxes)
    if game.settings.second == 0:
        if open_ == 0 and not game.settings.always:
            return np.int64(0), at
        card, at = _card(game, shoe, at)
        at = variate.dealer_drawn(game.control, game, shoe, at, hand, card, line)
        hand = of(dealer.next_, hand * KINDS + card)
    if open_ & TOTAL or game.settings.always or (open_ & BLACKJACK and game.settings.for_blackjack):
        while hand < dealer.rests:
            card, at = _card(game, shoe, at)
            at = variate.dealer_drawn(game.control, game, shoe, at, hand, card, line)
            hand = of(dealer.next_, hand * KINDS + card)
    outcome: Any = max(hand - dealer.rests, 0)
    return outcome, at
