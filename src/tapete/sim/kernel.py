"""The kernel: rounds from a shoe, by tables alone. It knows no rule: what the tables do not say, it does not do."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from tapete.exact.boxes import BUST, RAISED
from tapete.exact.compiled import kernel, part
from tapete.exact.tree import Ints
from tapete.lookup import NATURAL, PLAYER_BLACKJACK
from tapete.sim.control import Control, Floats
from tapete.sim.count import (
    FLAT,
    FLAT_SQUARES,
    LEVELS,
    NEAREST,
    PLAYED,
    SEEN,
    STAKED,
    TRUNCATE,
    WIDE,
    WON,
    WON_SQUARES,
    Counting,
)
from tapete.sim.dealer import Bytes, Dealer
from tapete.sim.machine import BEGIN, KINDS, RETIRE, SPLIT, Machine
from tapete.sim.money import BLACKJACK, PAYS, PLACES, RETIRED, SECOND_CARD, TOTAL, Money, Open

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
    ``keeps`` (1: who retires keeps his insurance), ``bust_ends`` (1: a bust hand takes its whole box),
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
    keeps: int
    bust_ends: int
    cut: int


class Table(NamedTuple):
    """``start[up * KINDS + hole]``, by the kinds of the shoe, whatever the hole where it is not seen.

    ``checked[start]``: a blackjack of the dealer ends the round before the turns.
    """

    start: Bytes
    checked: Bytes


class Room(NamedTuple):
    """Workplace by box and hand: states, first and second cards (-1: not there yet), ends.

    By box: the number of hands of a split one, whether it is insured, after which hand it was gone as a whole (0 if it
    was not), and the end of a hand never split, or -1. ``ends[role, end]`` counts hands, ``staked`` the same in units
    bet. ``levels``: the true count when insurances are asked for, and when hands retire.
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
    staked: Ints
    levels: Ints


class Game(NamedTuple):
    """All that does not change from round to round, and the workplace; ``counting`` and ``control`` where asked for."""

    machine: Machine
    dealer: Dealer
    table: Table
    money: Money
    open_: Open
    settings: Settings
    room: Room
    counting: Counting | None
    control: Control | None


class Shoe(NamedTuple):
    """The cards; ``step`` of the generator that draws them, or, not ``shuffled``, they come as they lie.

    ``marks`` are kept from one call to the next. ``gone`` is how many cards a drawn one is fewer: 0 in a shoe without
    end.
    """

    cards: Bytes
    marks: Ints
    step: Any
    shuffled: bool
    gone: int


class Books(NamedTuple):
    """What a run fills in. Money is in the small units of :mod:`tapete.sim.money`, by the bets where it is said.

    ``nets[net + middle]`` counts the rounds by what they bring, by the bets; ``counts`` what is named below;
    ``by_box[box]`` sums what each box brings for a bet of one unit, and its square; ``by_level`` is as in
    :mod:`tapete.sim.count`, and ``level_sums`` the corrected sums of that. ``sums`` are over shoes, by the bets, as
    named below. ``told[round, box]``, where it has rows, gets what each box won for a bet of one unit.
    """

    nets: Ints
    counts: Ints
    by_box: Ints
    by_level: Ints
    sums: Floats
    level_sums: Floats
    told: Ints


PLACE: Final = 0
LIMIT: Final = 1
OUT: Final = 2
BEGAN: Final = 3
NOTHING: Final = 4
INSIDE: Final = 5
COUNT: Final = 6
MARKS: Final = 7
"""Marks of a shoe: the next card's place; the end of those that may be drawn; 1 when it ran out in a round, so that the
next one begins with a shuffle; where the round began; 1 when no card was left anywhere, and the round is void; 1 while
the counter takes part; the running count when the round began."""

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
SHOES: Final = 10
STAKES: Final = 11
COUNTS: Final = 12
"""What is counted: rounds, of them void ones; hands split, doubled, dealt a blackjack, bust; insurances, retired hands;
money laid on hands, by the bets; blackjacks of the dealer that end a round; shoes; units bet when rounds begin."""
ROUNDS_SQUARED: Final = 0
ROUNDS_NETS: Final = 1
NETS_SQUARED: Final = 2
CORRECTED: Final = 3
ROUNDS_CORRECTED: Final = 4
CORRECTED_SQUARED: Final = 5
SUMS: Final = 6
"""Sums over shoes, of the rounds n of each, the net S of all of them and the same corrected by the control variate, X:
n², n S, S², X, n X, X²."""
INSURANCE: Final = 0
RETIREMENT: Final = 1
ALONE: Final = 0
FIRST: Final = 1
OTHER: Final = 2
ROLES: Final = 3
"""The role of a hand: never split, a split box's first, another of it."""


class At(NamedTuple):
    """Where the round stands.

    The next card's place, the end of those that may be drawn, the generator's state, the running count, and what the
    control variate has added up to.
    """

    place: int
    limit: int
    state: Any
    count: Any
    off: Any


@part
def of(table: Any, place: Any) -> Any:
    """An entry of a table of whole numbers; that its place is never negative spares a test."""
    found: Any = np.int64(table[np.uint64(place)])
    return found


def play(game: Game, shoe: Shoe, stream: Any, rounds: int, books: Books) -> None:
    """Plays rounds, and where cards are drawn at random on to the end of the shoe.

    ``stream`` is the generator's state.
    """
    one, drawn = game.settings.boxes == 1, shoe.shuffled
    _rounds(game, shoe, stream, rounds, books, None if one else game.settings.boxes, None if drawn else 1)
    _hands_counted(game, books.counts)


@kernel
def _rounds(
    game: Game, shoe: Shoe, stream: Any, rounds: int, books: Books, more: int | None, lying: int | None,
) -> None:  # fmt: skip
    """The rounds, of ``more`` boxes or, if that is None, one, from a shuffled shoe or, if not None, one as it lies.

    What is known from a type costs no time in a round.
    """
    boxes, shoe = _boxes(more), _lain(lying, shoe)
    marks, cut = shoe.marks, game.settings.cut
    at = At(marks[PLACE], marks[LIMIT], stream[0], np.int64(0), 0.0)
    middle, round_, begun = books.nets.shape[0] // 2, 0, 0
    shoe_net, shoe_corrected = np.int64(0), 0.0
    while round_ < rounds or (shoe.shuffled and at.place < cut and not marks[OUT]):
        if at.place >= cut or marks[OUT]:
            _shoe_closed(books, round_ - begun, shoe_net, shoe_corrected)
            begun, shoe_net, shoe_corrected = round_, np.int64(0), 0.0
            at = _shuffled(game, shoe, at)
        at = _begun(shoe, at)
        level = _level(game.counting, at, 0)
        bet = _bet(game.counting, level, marks)
        total, at = _round(game, shoe, at, bet, round_, books, boxes)
        if marks[NOTHING]:
            bet = 0
        won = total * bet
        shoe_net += won
        shoe_corrected += won + bet * at.off
        books.nets[np.uint64(won + middle)] += 1
        _noted(game.counting, books, level, bet, boxes, total, total + at.off)
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
    _asked(game.counting, game, at)
    seen = dealt == game.dealer.rests + NATURAL and of(game.table.checked, start) == 1
    end, open_ = 0, 0
    for box in range(boxes):
        if boxes > 1:
            state = game.room.state[box, 0]
        end, more, at = _boxed(game, shoe, at, start, row, box, state, seen)
        open_ |= more
    if game.settings.second == 1:
        at = _shown(game.counting, at, hidden)
    outcome = NATURAL
    if not seen:
        outcome, at = _dealt(game, shoe, at, start, dealt, open_, end, boxes)
    if marks[NOTHING]:
        counts[VOID] += 1
        return np.int64(0), At(at.place, at.limit, at.state, at.count, 0.0)
    counts[NATURALS] += seen
    for box in range(boxes):
        if boxes > 1:
            end = game.room.ended[box]
        _hand_counted(game, box, end, bet)
        net = _worth(game, start, box, end, outcome)
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


# --- counting -------------------------------------------------------------------------------------------------------
# What stands behind ``is None`` falls away when a game without counting is compiled.


@part
def _level(counting: Counting | None, at: At, hidden: int) -> Any:
    """The true count as a whole number; ``hidden`` cards are out and unseen."""
    if counting is None:
        return 0
    over, under = at.count * counting.unit, counting.parts[at.limit - at.place + hidden]
    if counting.rounding == NEAREST:
        over, under = 2 * over + under, 2 * under
    level = over // under
    if counting.rounding == TRUNCATE and level < 0 and level * under != over:
        level += 1
    return min(max(level, -LEVELS), LEVELS)


@part
def _bet(counting: Counting | None, level: Any, marks: Ints) -> Any:
    """The units on each box."""
    if counting is None:
        return 1
    if level >= counting.enter:
        marks[INSIDE] = 1
    elif level < counting.leave:
        marks[INSIDE] = 0
    return counting.bets[level + LEVELS] * marks[INSIDE]


@part
def _seen(counting: Counting | None, shoe: Shoe, at: At, card: Any, fresh: bool) -> At:  # noqa: FBT001
    """The running count with one more card; ``fresh``: the cards of earlier rounds have just been shuffled."""
    if counting is None:
        return at
    count = counting.tags[card] + at.count
    if fresh:
        count += counting.begin - shoe.marks[COUNT]
    return At(at.place, at.limit, at.state, count, at.off)


@part
def _shown(counting: Counting | None, at: At, card: Any) -> At:
    if counting is None:
        return at
    return At(at.place, at.limit, at.state, at.count + counting.tags[card], at.off)


@part
def _planned(counting: Counting | None, game: Game, at: At, move: Any) -> Any:
    """A move at the count of the moment; who has no count has no plans."""
    if counting is None:
        return move
    if move < game.machine.planned:
        return move
    return _plan(game, move, _level(counting, at, game.settings.second == 1))


@part
def _before(counting: Counting | None, game: Game, move: Any, when: int) -> Any:
    """A move at the count when insurances were asked for, or when hands retired."""
    if counting is None:
        return move
    if move < game.machine.planned:
        return move
    return _plan(game, move, game.room.levels[when])


@part
def _plan(game: Game, move: Any, level: Any) -> Any:
    return of(game.machine.plans, (move - game.machine.planned) * WIDE + level + LEVELS)


@part
def _asked(counting: Counting | None, game: Game, at: At) -> None:
    """The true count when insurances are asked for, and when hands retire unless that was before the dealer's card."""
    if counting is None:
        return
    level = _level(counting, at, game.settings.second == 1)
    game.room.levels[INSURANCE] = level
    if game.settings.up_between:
        game.room.levels[RETIREMENT] = level


@part
def _alone(counting: Counting | None, game: Game, at: At) -> None:
    """The true count when hands retire, where that is before the dealer's card."""
    if counting is None:
        return
    game.room.levels[RETIREMENT] = _level(counting, at, 0)


@part
def _noted(
    counting: Counting | None, books: Books, level: Any, bet: Any, boxes: int, total: Any, corrected: float,
) -> None:  # fmt: skip
    """Writes a round into the books by its level."""
    if counting is None:
        return
    row, sums = books.by_level, books.level_sums
    at = level + LEVELS
    row[at, SEEN] += 1
    row[at, PLAYED] += bet > 0
    row[at, STAKED] += bet * boxes
    row[at, FLAT] += total
    row[at, FLAT_SQUARES] += total * total
    row[at, WON] += bet * total
    row[at, WON_SQUARES] += bet * total * bet * total
    sums[at, 0] += corrected
    sums[at, 1] += corrected * corrected


# --- the control variate --------------------------------------------------------------------------------------------
# At every draw: the mean of what the cards that remain would be worth, less what the card that came is worth.


@part
def _left(control: Control | None, shoe: Shoe, at: At, card: Any, fresh: bool) -> None:  # noqa: FBT001
    """The cards that remain, by kind, without the one drawn."""
    if control is None:
        return
    control.left[card] -= shoe.gone
    if fresh:
        control.left[:] = 0
        for place in range(at.place, at.limit):
            control.left[shoe.cards[place]] += 1


@part
def _filled(control: Control | None) -> None:
    """The whole shoe remains."""
    if control is None:
        return
    for kind in range(control.left.shape[0]):
        control.left[kind] = control.full[kind]


@part
def _off(shoe: Shoe, at: At, total: Any, came: Any) -> At:
    """The correction of a draw: ``total`` is over the cards that remain after it, ``came`` that of the one drawn."""
    mean = (total + shoe.gone * came) / (at.limit - at.place + shoe.gone)
    return At(at.place, at.limit, at.state, at.count, at.off + mean - came)


@part
def _unseen_drawn(control: Control | None, game: Game, shoe: Shoe, at: At, row: Any, card: Any) -> At:
    """A player's card that comes before the dealer's; ``row`` is where the next state is looked up."""
    if control is None:
        return at
    total, places = 0.0, row * KINDS
    for kind in range(control.left.shape[0]):
        state = of(game.machine.next_, places + kind)
        total += control.left[np.uint64(kind)] * control.before[np.uint64(state)]
    came = control.before[np.uint64(of(game.machine.next_, places + card))]
    then: At = _off(shoe, at, total, came)
    return then


@part
def _drawn(
    control: Control | None, game: Game, shoe: Shoe, at: At, hands: Any, held: Any, row: Any, card: Any,
) -> At:  # fmt: skip
    """A player's card, in a box of so many hands (0 where it was not split)."""
    if control is None:
        return at
    total, places, worth = 0.0, row * KINDS, (hands * control.held + held) * game.machine.states
    for kind in range(control.left.shape[0]):
        state = of(game.machine.next_, places + kind)
        total += control.left[np.uint64(kind)] * control.value[np.uint64(worth + state)]
    came = control.value[np.uint64(worth + of(game.machine.next_, places + card))]
    then: At = _off(shoe, at, total, came)
    return then


@part
def _held(control: Control | None, up: Any, hole: Any) -> Any:
    """What the dealer holds, as the value tables have it."""
    if control is None:
        return 0
    return of(control.rows, up * KINDS + hole)


@part
def _dealer_dealt(control: Control | None, game: Game, shoe: Shoe, at: At, up: Any, card: Any, boxes: int) -> At:
    """A card of the dealer's while the boxes hold what was dealt to them: his first one where ``up`` is below 0."""
    if control is None:
        return at
    total, came = 0.0, 0.0
    for kind in range(control.left.shape[0]):
        held = of(control.rows, kind * KINDS + KINDS - 1 if up < 0 else up * KINDS + kind) * game.machine.states
        worth = 0.0
        for box in range(boxes):
            worth += control.value[np.uint64(held + game.room.state[box, 0])]
        total += control.left[np.uint64(kind)] * worth
        if kind == card:
            came = worth
    then: At = _off(shoe, at, total, came)
    return then


@part
def _worths(control: Control | None, game: Game, start: Any, end: Any, boxes: int) -> None:
    """What all boxes bring, by the dealer's end."""
    if control is None:
        return
    for outcome in range(control.worth.shape[0]):
        total = np.int64(0)
        for box in range(boxes):
            total += _worth(game, start, box, game.room.ended[box] if boxes > 1 else end, outcome)
        control.worth[outcome] = total


@part
def _dealer_drawn(control: Control | None, game: Game, shoe: Shoe, at: At, hand: Any, card: Any) -> At:
    """A card of the dealer's when the boxes are done."""
    if control is None:
        return at
    total, came = 0.0, 0.0
    for kind in range(control.left.shape[0]):
        ends = of(game.dealer.next_, hand * KINDS + kind) * PAYS
        worth = 0.0
        for outcome in range(control.worth.shape[0]):
            worth += control.law[np.uint64(ends + outcome)] * control.worth[np.uint64(outcome)]
        total += control.left[np.uint64(kind)] * worth
        if kind == card:
            came = worth
    then: At = _off(shoe, at, total, came)
    return then


# --- the shoe -------------------------------------------------------------------------------------------------------


@part
def _shuffled(game: Game, shoe: Shoe, at: At) -> At:
    """The whole shoe again. Drawn at random from any order, it is a shuffled one."""
    place = 0 if shoe.shuffled else at.place
    shoe.marks[OUT] = 0
    shoe.marks[INSIDE] = 0
    _filled(game.control)
    return At(place, shoe.cards.shape[0], at.state, _nothing_seen(game.counting), at.off)


@part
def _nothing_seen(counting: Counting | None) -> Any:
    if counting is None:
        return np.int64(0)
    return np.int64(counting.begin)


@part
def _begun(shoe: Shoe, at: At) -> At:
    """The shoe when a round begins."""
    shoe.marks[BEGAN] = at.place
    shoe.marks[NOTHING] = 0
    shoe.marks[COUNT] = at.count
    return At(at.place, shoe.cards.shape[0], at.state, at.count, 0.0)


@part
def _card(game: Game, shoe: Shoe, at: At, face_down: bool = False) -> tuple[Any, At]:  # noqa: FBT001, FBT002
    """The next card, seen by all unless it lies face down."""
    limit = at.limit
    card, at = draw(shoe, at)
    fresh = at.limit != limit
    _left(game.control, shoe, at, card, fresh)
    if not face_down:
        at = _seen(game.counting, shoe, at, card, fresh)
    return card, at


@part
def draw(shoe: Shoe, at: At) -> tuple[Any, At]:
    """The next card, brought to its place from those behind it; the generator is PCG32."""
    place, limit, state = at.place, at.limit, at.state
    if place == limit:
        place, limit = _again(shoe.marks, limit)
        if place == limit:
            return np.int64(0), At(place, limit, state, at.count, at.off)
    here = np.uint64(place)
    card = shoe.cards[here]
    if shoe.shuffled:
        many = np.uint64(limit) - here
        while True:
            old = state
            state = old * _MULTIPLIER + shoe.step
            mixed = (((old >> np.uint64(18)) ^ old) >> np.uint64(27)) & _U32
            turned = (mixed | mixed << np.uint64(32)) >> (old >> np.uint64(59))
            wide = (turned & _U32) * many
            low = wide & _U32
            if low >= many or low >= _TURNS % many:
                break
        other = here + (wide >> np.uint64(32))
        card, shoe.cards[other] = shoe.cards[other], card
        shoe.cards[here] = card
    found: Any = np.int64(card)
    return found, At(place + shoe.gone, limit, state, at.count, at.off)


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
        at = _unseen_drawn(game.control, game, shoe, at, begin, card)
        room.first[box, 0] = card
        state = of(next_, begin * KINDS + card)
        if boxes > 1:
            room.state[box, 0] = state
    if settings.up_between:
        _kept(game.control, game, boxes, state)
        up, at = _up(game, shoe, at, boxes)
        held = _held(game.control, up, KINDS - 1)
    for box in range(boxes):
        card, at = _card(game, shoe, at)
        if boxes > 1:
            state = room.state[box, 0]
        if settings.up_between:
            at = _drawn(game.control, game, shoe, at, 0, held, state, card)
        else:
            at = _unseen_drawn(game.control, game, shoe, at, state, card)
        room.second[box, 0] = card
        state = of(next_, state * KINDS + card)
        if boxes > 1:
            room.state[box, 0] = state
    _kept(game.control, game, boxes, state)
    if not settings.up_between:
        _alone(game.counting, game, at)
        up, at = _up(game, shoe, at, boxes)
        held = _held(game.control, up, KINDS - 1)
    hand = of(game.dealer.next_, up)
    if settings.second:
        hole, at = _card(game, shoe, at, settings.second == 1)
        at = _dealer_dealt(game.control, game, shoe, at, up, hole, boxes)
        held = _held(game.control, up, hole)
        hand = of(game.dealer.next_, hand * KINDS + hole)
    return of(game.table.start, up * KINDS + hole), hand, held, hole, state, at


@part
def _kept(control: Control | None, game: Game, boxes: int, state: Any) -> None:
    """The state of a box alone, where it is looked for when the dealer's card comes."""
    if control is None:
        return
    if boxes == 1:
        game.room.state[0, 0] = state


@part
def _up(game: Game, shoe: Shoe, at: At, boxes: int) -> tuple[Any, At]:
    """The dealer's first card."""
    card, at = _card(game, shoe, at)
    return card, _dealer_dealt(game.control, game, shoe, at, -1, card, boxes)


@part
def _boxed(
    game: Game, shoe: Shoe, at: At, start: Any, held: Any, box: int, state: Any, seen: bool,  # noqa: FBT001
) -> tuple[Any, Any, At]:  # fmt: skip
    """Plays a box to the end of its turn; of a box that retires, or whose round is over, the hand as dealt.

    Gives the end of its hand, -1 for a box that was split, and which kinds of bets are open then.
    """
    room, machine = game.room, game.machine
    place = start * machine.states + state
    insured = _before(game.counting, game, of(machine.insures, place), INSURANCE)
    room.insured[box] = insured
    end = of(machine.end, state)
    act = _before(game.counting, game, of(machine.act, place), RETIREMENT)
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
        row = _planned(game.counting, game, at, of(machine.act, places + state))
        if row < BEGIN:
            if row == SPLIT and may_split:
                return state, True, at
            if row in (SPLIT, RETIRE):  # no more; when it was time to retire, the count was another
                row = _planned(game.counting, game, at, of(machine.full, places + state))
            if row < BEGIN:
                return state, False, at
        card, at = _card(game, shoe, at)
        at = _drawn(game.control, game, shoe, at, hands, held, row, card)
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
            at = _drawn(game.control, game, shoe, at, room.hands[box], held, state, card)
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
    dealer = game.dealer
    if open_ or game.settings.always:
        _worths(game.control, game, start, end, boxes)
    if game.settings.second == 0:
        if open_ == 0 and not game.settings.always:
            return np.int64(0), at
        card, at = _card(game, shoe, at)
        at = _dealer_drawn(game.control, game, shoe, at, hand, card)
        hand = of(dealer.next_, hand * KINDS + card)
    if open_ & TOTAL or game.settings.always or (open_ & BLACKJACK and game.settings.for_blackjack):
        while hand < dealer.rests:
            card, at = _card(game, shoe, at)
            at = _dealer_drawn(game.control, game, shoe, at, hand, card)
            hand = of(dealer.next_, hand * KINDS + card)
    outcome: Any = max(hand - dealer.rests, 0)
    return outcome, at


@part
def _worth(game: Game, start: Any, box: int, end: Any, outcome: Any) -> Any:
    """What a box brings for a bet of one unit when the dealer ends so."""
    room, money = game.room, game.money
    if end < 0:
        return _worth_split(game, start, box, outcome)
    net = of(money.alone, (start * PLACES + end) * PAYS + outcome)
    if room.insured[box]:
        net += money.insured[0 if room.gone[box] else outcome]
    return net


@part
def _worth_split(game: Game, start: int, box: int, outcome: Any) -> Any:
    room, money = game.room, game.money
    hands, gone, laid, leading = room.hands[box], room.gone[box], np.int64(0), 0
    if gone:
        for hand in range(hands):
            end = 0 if hand >= gone else room.end[box, hand]
            laid += money.laid_other[end] if hand else money.laid[end]
        return -laid + room.insured[box] * money.insured[0]
    if game.settings.first_live and outcome == NATURAL:
        while leading < hands - 1 and room.end[box, leading] % RAISED == BUST:
            leading += 1
    net = room.insured[box] * money.insured[outcome] + (money.once[start] if outcome == NATURAL else 0)
    for hand in range(hands):
        end = room.end[box, hand]
        if hand == 0:
            net += of(money.first, (start * PLACES + end) * PAYS + outcome) if leading == 0 else -money.laid[end]
        elif hand == leading:
            net += of(money.first, (start * PLACES + end) * PAYS + outcome) * money.laid_other[0] // money.laid[0]
        else:
            net += of(money.other, (start * PLACES + end) * PAYS + outcome)
    return net


@part
def _hand_counted(game: Game, box: int, end: Any, bet: Any) -> None:
    """Counts the hands of a box by their ends."""
    room = game.room
    if end >= 0:
        room.ends[ALONE, end] += 1
        _staked(game.counting, room, ALONE, end, bet)
        return
    gone = room.gone[box]
    for hand in range(room.hands[box]):
        end = 0 if gone and hand >= gone else room.end[box, hand]
        role = OTHER if hand else FIRST
        room.ends[role, end] += 1
        _staked(game.counting, room, role, end, bet)


@part
def _staked(counting: Counting | None, room: Room, role: int, end: Any, bet: Any) -> None:
    if counting is None:
        return
    room.staked[role, end] += bet


def _hands_counted(game: Game, counts: Ints) -> None:
    """Adds what hands came to, by their ends, and forgets those."""
    ends, money = game.room.ends, game.money
    staked = ends if game.counting is None else game.room.staked
    by_end, at = ends.sum(0), np.arange(ends.shape[1])
    counts[LAID] += (staked[ALONE] + staked[FIRST]) @ money.laid + staked[OTHER] @ money.laid_other
    counts[STAKES] += staked[ALONE].sum() + staked[FIRST].sum()
    counts[SPLITS] += ends[OTHER].sum()
    counts[RETIRES] += by_end[RETIRED]
    counts[DOUBLES] += by_end[RAISED:RETIRED].sum()
    counts[BUSTS] += by_end[at % RAISED == BUST].sum()
    counts[BLACKJACKS] += ends[ALONE, PLAYER_BLACKJACK]
    ends[:] = 0
    staked[:] = 0
