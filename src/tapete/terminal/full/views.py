"""Views: a table in play as plain values, ready to be drawn. What is true of the game is asked of the round."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from tapete import table as tables
from tapete.cards import Card
from tapete.events import Asks, Question
from tapete.shoe import Shoe, packs
from tapete.stakes import Statement, nets
from tapete.state import Box, BoxHand, Round, is_bust
from tapete.table import Table
from tapete.telling import dealer_text, total_text
from tapete.terminal.full.bets import Place, humans
from tapete.words import Words


class Stake(msgspec.Struct, frozen=True):
    """Money in front of a hand: whose (empty for the box's holder), how much, and what became of it."""

    name: str
    amount: int
    net: int | None = None


class HandView(msgspec.Struct, frozen=True, kw_only=True):
    """One hand: its cards, its total in words, what else is to be said, and the money on it."""

    number: int = 0
    """1 and up where a box has several hands, else 0."""
    cards: tuple[Card, ...] = ()
    total: str = ""
    notes: tuple[str, ...] = ()
    stakes: tuple[Stake, ...] = ()
    active: bool = False


class BoxView(msgspec.Struct, frozen=True, kw_only=True):
    """One box: who holds it, whether that is somebody at this keyboard, its hands or its bets."""

    number: int
    holder: str = ""
    mine: bool = False
    active: bool = False
    hands: tuple[HandView, ...] = ()
    insurances: tuple[Stake, ...] = ()
    plays: bool = True
    """False for a box without a bet while others play."""


class DealerView(msgspec.Struct, frozen=True):
    """The dealer's cards, None face down, and what they come to."""

    cards: tuple[Card | None, ...] = ()
    total: str = ""


class ShoeView(msgspec.Struct, frozen=True):
    """The shoe: packs of each back, cards left and put away, how much is dealt and where the cut card lies (0 to 1)."""

    packs: tuple[int, ...]
    left: int
    discards: int
    dealt: float
    cut: float | None


def dealer_view(table: Table, words: Words) -> DealerView:
    """The dealer of the round in play or of the last one."""
    round_ = table.round
    return DealerView() if round_ is None else DealerView(round_.dealer, dealer_text(round_, words))


def shoe_view(table: Table, shoe: Shoe | None) -> ShoeView:
    """What is public about the shoe; a table before its first round has a full one."""
    rules = table.rules
    cut = None if rules.shuffle != "cut_card" or rules.cut_card_left is None else rules.cut_card_left
    whole = 52 * rules.decks
    if shoe is None:
        return ShoeView(packs(rules), whole, 0, 0.0, None if cut is None else 1 - cut / whole)
    place = None if cut is None else shoe.cut_at / max(1, len(shoe.order))
    return ShoeView(packs(rules), shoe.cards_left, len(shoe.discards), shoe.penetration, place)


def shoe_text(view: ShoeView, words: Words) -> str:
    """The shoe in words, without its bar."""
    left = words.plural("{n} card left", "{n} cards left", view.left)
    tray = words.plural("{n} discard", "{n} discards", view.discards)
    return f"{packs_text(view, words)} · {left} · {tray}"


def packs_text(view: ShoeView, words: Words) -> str:
    """How many packs, and how many of each back where there are two."""
    if len(view.packs) == 1:
        return words.plural("{n} pack", "{n} packs", view.packs[0])
    return words.say("{blue} packs ░ and {red} packs ▞", blue=view.packs[0], red=view.packs[1])


# --- boxes ----------------------------------------------------------------------------------------------------------


def bet_views(table: Table, place: Place | None) -> tuple[BoxView, ...]:
    """Every held box with the bets for the coming round; ``place`` is the one in hand."""
    return tuple(
        BoxView(
            number=seat.box,
            holder=seat.name,
            mine=seat.name in humans(table),
            active=place is not None and place.box == seat.box,
            hands=(_bets_view(table, seat.box, seat.name),),
        )
        for seat in table.seats
    )


def play_views(table: Table, words: Words, asked: Question | None) -> tuple[BoxView, ...]:
    """Every held box as it stands in the round; ``asked`` is the question that somebody here is to answer."""
    return tuple(_play_view(table, words, seat.box, asked) for seat in table.seats)


def _play_view(table: Table, words: Words, number: int, asked: Question | None) -> BoxView:
    name, round_ = tables.holder(table, number), table.round
    seen = BoxView(number=number, holder=name, mine=name in humans(table), plays=False)
    box = None if round_ is None else next((one for one in round_.boxes if one.number == number), None)
    if round_ is None or box is None:
        return seen
    return msgspec.structs.replace(
        seen,
        plays=True,
        active=asked is not None and asked.box == number,
        hands=tuple(_hand_view(round_, box, at, words, asked) for at in range(len(box.hands))),
        insurances=_insurances(round_, box),
    )


def _bets_view(table: Table, number: int, holder: str) -> HandView:
    laid = [bet for bet in table.bets if bet.box == number]
    own = [Stake("", bet.amount) for bet in laid if bet.name == holder]
    return HandView(stakes=(*own, *(Stake(bet.name, bet.amount) for bet in laid if bet.name != holder)))


def _hand_view(round_: Round, box: Box, at: int, words: Words, asked: Question | None) -> HandView:
    hand = box.hands[at]
    number = at + 1 if len(box.hands) > 1 else 0
    return HandView(
        number=number,
        cards=hand.cards,
        total=total_text(hand, words) if hand.cards else "",
        notes=tuple(_notes(round_, hand, words)),
        stakes=tuple(_stakes(round_, box, at)),
        active=asked is not None and (asked.box, asked.hand) == (box.number, at + 1),
    )


def _notes(round_: Round, hand: BoxHand, words: Words) -> Iterable[str]:
    if hand.doubled:
        yield words.say("doubled")
    if hand.retired:
        yield words.say("retired")
    elif hand.done and not hand.blackjack and not is_bust(hand) and isinstance(round_.waits, Asks):
        yield words.say("stands")


def _stakes(round_: Round, box: Box, at: int) -> Iterable[Stake]:
    for bet in box.hands[at].bets:
        name = round_.bettors[bet.bettor]
        yield Stake(
            "" if bet.bettor == box.holder else name,
            bet.base + bet.added,
            _net(round_, box=box.number, hand=at + 1, bettor=name),
        )


def _net(round_: Round, *, box: int, hand: int, bettor: str) -> int | None:
    found = [one.net for one in round_.statements if (one.box, one.hand, one.bettor) == (box, hand, bettor)]
    return sum(found) if found else None


def _insurances(round_: Round, box: Box) -> tuple[Stake, ...]:
    laid = [one for one in box.insurances if one.amount]
    return tuple(
        Stake(
            "" if one.bettor == box.holder else round_.bettors[one.bettor],
            one.amount,
            _net(round_, box=box.number, hand=0, bettor=round_.bettors[one.bettor]),
        )
        for one in laid
    )


def stake_text(stake: Stake, words: Words) -> str:
    """A stake in digits, with its name where it is not the holder's and with what it won or lost."""
    text = words.amount(stake.amount)
    if stake.name:
        text = f"{stake.name} {text}"
    return text if stake.net is None else f"{text} → {words.amount(stake.net, signed=True)}"


# --- the end of a round ---------------------------------------------------------------------------------------------


def balances(table: Table, statements: Iterable[Statement], words: Words) -> list[str]:
    """What each person at this keyboard had, won or lost in the round, and has now."""
    sums = nets(statements)
    told = []
    for name in humans(table):
        if name in sums:
            now = tables.spare(table, name)
            facts = {"name": name, "before": now - sums[name], "now": now}
            net = words.amount(sums[name], signed=True)
            told.append(words.say("{name}: {before:chips} {net} = {now:chips} chips", **facts, net=net))
    return told
