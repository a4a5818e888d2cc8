"""The state of a round as plain values: hands, boxes, the round. How it moves stands in ``tapete.round``."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from tapete import rulebook
from tapete.cards import Card
from tapete.events import OVER, DealTo, Wait
from tapete.rules import RuleSet
from tapete.stakes import Bet, InsuranceBet, Lock, Statement


class BoxHand(Struct, frozen=True, gc=False):
    """One hand of a box, with the money on it: the holder's first, then backers' in order of acceptance."""

    cards: tuple[Card, ...]
    hard: int
    ace: bool
    bets: tuple[Bet, ...]
    split: bool = False
    doubled: bool = False
    blackjack: bool = False
    """Whether its two cards count as a blackjack at this table."""
    done: bool = False
    retired: bool | None = None
    """The answer to the question whether to retire; None while it has not been given."""
    pending: str = ""
    """A decision that still needs something: "hit" a card, "double" or "split" the backers' answers."""
    answers: tuple[tuple[int, bool], ...] = ()
    """Which backers match the pending double or split."""


class Box(Struct, frozen=True, gc=False):
    """One box: its number, its holder (an index into ``Round.bettors``), its hands and insurances."""

    number: int
    holder: int
    hands: tuple[BoxHand, ...]
    insurances: tuple[InsuranceBet, ...] = ()


class Round(Struct, frozen=True, gc=False):
    """One round up to now. ``spare`` are the chips of ``bettors`` that are not on the cloth, in units.

    ``waits`` is what the round waits for: a function of all the rest, kept so that asking costs nothing.
    """

    rules: RuleSet
    lock: Lock
    bettors: tuple[str, ...]
    spare: tuple[int, ...]
    boxes: tuple[Box, ...]
    places: tuple[DealTo, ...]
    """Where the cards of the initial deal go."""
    dealer: tuple[Card | None, ...] = ()
    dealt: int = 0
    """Cards that have left the shoe in this round."""
    checked: bool | None = None
    """What the look at the hole card found; None where there was none."""
    statements: tuple[Statement, ...] = ()
    cause: str = ""
    """Why the round is void; empty otherwise."""
    waits: Wait = OVER


def facts(round_: Round, box: Box, hand: BoxHand) -> rulebook.Hand:
    """The hand as the rulebook wants to see it."""
    cards = hand.cards
    two = len(cards) > 1
    return rulebook.Hand(
        hand.hard,
        hand.ace,
        len(cards),
        cards[0].points,
        cards[1].points if two else 0,
        two and cards[0].rank == cards[1].rank,
        two and (cards[0].figure or cards[1].figure),
        hand.split,
        hand.doubled,
        len(box.hands),
        standing(round_),
    )


def standing(round_: Round) -> int:
    """The dealer's standing total that forced play asks to beat, 0 where play is free."""
    if len(round_.dealer) < 2 or round_.rules.forced_play == "off":
        return 0
    hard, ace = dealer_count(round_)
    return rulebook.standing_to_beat(round_.rules, hard, ace=ace)


def dealer_count(round_: Round) -> tuple[int, bool]:
    """The dealer's hard total and whether he shows an ace, over the cards that lie open."""
    hard, ace = 0, False
    for card in round_.dealer:
        if card is not None:
            hard += card.points
            ace = ace or card.points == 1
    return hard, ace


def dealer_total(round_: Round) -> int:
    """The dealer's best total over the cards that lie open."""
    hard, ace = dealer_count(round_)
    return rulebook.total(hard, ace=ace)


def shows_blackjack(round_: Round) -> bool:
    """Whether the dealer's two open cards are a blackjack."""
    if len(round_.dealer) != 2:
        return False
    up, second = round_.dealer
    if up is None or second is None:
        return False
    return rulebook.is_blackjack(
        round_.rules,
        cards=2,
        hard=up.points + second.points,
        ace=up.points == 1 or second.points == 1,
        figure=up.figure or second.figure,
    )


def may_have_blackjack(round_: Round) -> bool:
    """Whether a dealer blackjack can still appear: the second card is not known and the first allows it."""
    dealer = round_.dealer
    if round_.checked is not None or not dealer or (len(dealer) > 1 and dealer[1] is not None):
        return False
    up = dealer[0]
    return up is not None and rulebook.can_become_blackjack(round_.rules, up.points, figure=up.figure)


def total_of(hand: BoxHand) -> int:
    """The hand's best total."""
    return rulebook.total(hand.hard, ace=hand.ace)


def is_bust(hand: BoxHand) -> bool:
    """Whether the hand has passed 21."""
    return rulebook.is_bust(hand.hard)


def live_bets(hand: BoxHand) -> tuple[Bet, ...]:
    """The bets on the hand that are not settled."""
    return tuple(bet for bet in hand.bets if not bet.settled)


def is_live(hand: BoxHand) -> bool:
    """Whether a bet on the hand is not settled."""
    for bet in hand.bets:  # noqa: SIM110  (asked more often than anything else; a generator costs three times as much)
        if not bet.settled:
            return True
    return False


def live_bet(hand: BoxHand, bettor: int) -> Bet | None:
    """The bettor's unsettled bet on the hand."""
    for bet in hand.bets:
        if bet.bettor == bettor and not bet.settled:
            return bet
    return None


def with_hand(round_: Round, at: int, position: int, hand: BoxHand) -> Round:
    """The round with this hand in the place of box index ``at``, hand index ``position``."""
    box = round_.boxes[at]
    hands = (*box.hands[:position], hand, *box.hands[position + 1 :])
    return with_box(round_, at, replace(box, hands=hands))


def with_box(round_: Round, at: int, box: Box) -> Round:
    """The round with this box in the place of box index ``at``."""
    return replace(round_, boxes=(*round_.boxes[:at], box, *round_.boxes[at + 1 :]))


def with_spare(round_: Round, bettor: int, change: int) -> Round:
    """The round with ``change`` units more (or less) in the bettor's hand."""
    spare = round_.spare
    return replace(round_, spare=(*spare[:bettor], spare[bettor] + change, *spare[bettor + 1 :]))


def box_index(round_: Round, number: int) -> int:
    """The index of the box with this number, -1 if it does not play."""
    for at, box in enumerate(round_.boxes):
        if box.number == number:
            return at
    return -1
