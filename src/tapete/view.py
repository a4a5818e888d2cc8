"""The one door: what anyone may see of a table.

Every snapshot, event, log line, error and export that leaves a program goes through :func:`view` or :func:`shown`. What
they give holds no undealt card, no hole card that lies face down, no seed that is not open and no secret of a shoe in
use: a fold never has them, and what is built here is built from the fold alone, field by field.

A view is plain data (msgspec Structs) that is written as JSON as it is. Amounts are units. It carries what a screen
needs without knowing a rule: totals, whose turn, which moves are legal and why others are not.
"""

from __future__ import annotations

from typing import Final

import msgspec

from tapete import rulebook
from tapete import table as tables
from tapete.cards import write
from tapete.events import Asks, DealTo, Over, Question, Wait
from tapete.fairness import ShoeRecord
from tapete.stakes import Statement
from tapete.state import Box, BoxHand, Round, dealer_count, is_bust, live_bets, shows_blackjack, total_of
from tapete.table import Placed, Table, TableEvent


class BetSeen(msgspec.Struct, frozen=True, gc=False):
    """One bettor's money on one hand."""

    name: str
    amount: int
    added: int = 0
    settled: bool = False


class HandSeen(msgspec.Struct, frozen=True, gc=False):
    """One hand: its cards in the order in which they came, what they come to, and how it stands."""

    cards: tuple[str, ...]
    total: int
    soft: bool
    bets: tuple[BetSeen, ...]
    state: str
    """open, turn, done, bust, blackjack, retired."""
    doubled: bool = False
    split: bool = False


class BoxSeen(msgspec.Struct, frozen=True, gc=False):
    """One box of the cloth; free when nobody holds it."""

    box: int
    holder: str = ""
    bets: tuple[BetSeen, ...] = ()
    """What lies ready for the coming round, the holder's first."""
    hands: tuple[HandSeen, ...] = ()
    insurances: tuple[BetSeen, ...] = ()
    consents: tuple[str, ...] = ()


class DealerSeen(msgspec.Struct, frozen=True, gc=False):
    """The dealer's cards, ``??`` face down, and what the open ones come to."""

    cards: tuple[str, ...] = ()
    total: int = 0
    soft: bool = False
    blackjack: bool = False
    bust: bool = False


class ShoeSeen(msgspec.Struct, frozen=True, gc=False):
    """The shoe from outside: how many cards, and what is public about its shuffle."""

    record: ShoeRecord
    cards: int
    left: int
    cut_left: int | None
    """Cards behind the cut card; absent where none is used."""
    tray: int


class PersonSeen(msgspec.Struct, frozen=True, gc=False):
    """Somebody at the table, with the chips that lie on no box."""

    name: str
    chips: int
    bot: bool = False


class View(msgspec.Struct, frozen=True, gc=False):
    """The whole table as anyone may see it."""

    round: int
    phase: str
    """bets, dealing, questions."""
    dealer: DealerSeen
    boxes: tuple[BoxSeen, ...]
    people: tuple[PersonSeen, ...]
    questions: tuple[Question, ...]
    statements: tuple[Statement, ...]
    void: str
    shoe: ShoeSeen | None


def view(table: Table, before: tuple[Table, View] | None = None) -> View:
    """What anyone may see of the table now.

    ``before`` is an earlier state of the same table with its view: what has not changed since then is taken from it.
    """
    round_ = table.round
    return View(
        round=table.number,
        phase=_phase(round_.waits if round_ is not None else Over()),
        dealer=_dealer(round_) if round_ is not None else DealerSeen(),
        boxes=_boxes(table, before),
        people=tuple([PersonSeen(one.name, tables.spare(table, one.name), one.bot) for one in table.people]),
        questions=round_.waits.questions if round_ is not None and isinstance(round_.waits, Asks) else (),
        statements=round_.statements if round_ is not None else (),
        void=round_.cause if round_ is not None else "",
        shoe=_shoe(table),
    )


def _phase(waits: Wait) -> str:
    return "bets" if type(waits) is Over else "questions" if type(waits) is Asks else "dealing"


def _dealer(round_: Round) -> DealerSeen:
    hard, ace = dealer_count(round_)
    return DealerSeen(
        tuple([write(card) for card in round_.dealer]),
        rulebook.total(hard, ace=ace),
        rulebook.is_soft(hard, ace=ace),
        shows_blackjack(round_),
        rulebook.is_bust(hard),
    )


def _boxes(table: Table, before: tuple[Table, View] | None) -> tuple[BoxSeen, ...]:
    then, known = before if before is not None else (table, None)
    seats = table.seats is then.seats and table.bets is then.bets and table.consents is then.consents
    seen = []
    for number in range(1, table.rules.seats_max + 1):
        old = known.boxes[number - 1] if known is not None else None
        played = old is not None and _looks_the_same(table, then, number)
        if old is not None and seats:
            seen.append(old if played else _played(table, number, old))
        else:
            hands = old if played and old is not None else _played(table, number, BoxSeen(number))
            seen.append(_seated(table, number, hands))
    return tuple(seen)


def _looks_the_same(table: Table, then: Table, number: int) -> bool:
    """Whether what is played at a box has not changed, nor whether it is its turn."""
    now, old = table.round, then.round
    if now is old or now is None or old is None:
        return now is old
    alike = now.bettors is old.bettors and _box_of(now, number) is _box_of(old, number)
    return alike and number not in (_turn(now)[0], _turn(old)[0])


def _box_of(round_: Round, number: int) -> Box | None:
    return next((box for box in round_.boxes if box.number == number), None)


def _played(table: Table, number: int, seen: BoxSeen) -> BoxSeen:
    """A box with the hands and insurances of the round."""
    round_ = table.round
    box = _box_of(round_, number) if round_ is not None else None
    hands = () if box is None or round_ is None else _hands(round_, box)
    insurances = () if box is None or round_ is None else _insurances(round_, box)
    return BoxSeen(number, seen.holder, seen.bets, hands, insurances, seen.consents)


def _seated(table: Table, number: int, seen: BoxSeen) -> BoxSeen:
    """A box with whoever holds it, what is bet on it and who may bet."""
    holder = tables.holder(table, number)
    return BoxSeen(
        number,
        holder,
        tuple([BetSeen(bet.name, bet.amount) for bet in _ready(table, number, holder)]),
        seen.hands,
        seen.insurances,
        tuple([one.name for one in table.consents if one.box == number and one.agrees]),
    )


def _ready(table: Table, number: int, holder: str) -> list[Placed]:
    found = [bet for bet in table.bets if bet.box == number]
    return sorted(found, key=lambda bet: bet.name != holder) if len(found) > 1 else found


def _hands(round_: Round, box: Box) -> tuple[HandSeen, ...]:
    turn = _turn(round_)
    return tuple(
        [_hand(round_, hand, at_turn=turn == (box.number, place)) for place, hand in enumerate(box.hands, start=1)]
    )


def _turn(round_: Round) -> tuple[int, int]:
    """The hand that is being played: the one asked, or the one that a card or a backer's answer is due to."""
    waits = round_.waits
    if isinstance(waits, DealTo):
        return waits.box, waits.hand
    if isinstance(waits, Asks) and waits.questions[0].kind in {"turn", "follow"}:
        return waits.questions[0].box, waits.questions[0].hand
    return 0, 0


def _hand(round_: Round, hand: BoxHand, *, at_turn: bool) -> HandSeen:
    return HandSeen(
        tuple([write(card) for card in hand.cards]),
        total_of(hand),
        rulebook.is_soft(hand.hard, ace=hand.ace),
        tuple([BetSeen(round_.bettors[bet.bettor], bet.base, bet.added, bet.settled) for bet in hand.bets]),
        _state(hand, at_turn=at_turn),
        hand.doubled,
        hand.split,
    )


def _state(hand: BoxHand, *, at_turn: bool) -> str:
    if is_bust(hand):
        return "bust"
    if hand.retired:
        return "retired"
    if hand.blackjack:
        return "blackjack"
    if at_turn:
        return "turn"
    return "done" if hand.done or not live_bets(hand) else "open"


def _insurances(round_: Round, box: Box) -> tuple[BetSeen, ...]:
    return tuple(
        [BetSeen(round_.bettors[bet.bettor], bet.amount, 0, bet.settled) for bet in box.insurances if bet.amount]
    )


CARDS_IN_A_PACK: Final = 52


def _shoe(table: Table) -> ShoeSeen | None:
    if table.shoe is None:
        return None
    cards = CARDS_IN_A_PACK * table.rules.decks
    before = sum(table.spent)
    dealt = before + (table.round.dealt if table.playing and table.round is not None else 0)
    return ShoeSeen(table.shoe, cards, max(0, cards - dealt), table.rules.cut_card_left, before)


def shown(event: TableEvent) -> TableEvent:
    """An event as anyone may see it. Events carry nothing hidden: a card face down is already absent from them."""
    return event
