"""Who has how much on which hand: own bets, backers' bets, and what became of each.

A round begins with its :class:`Lock`: every stake on the cloth and every bettor's spare chips, so that the legality of
a double, a split or an insurance needs no other source. Amounts are whole units (100 to the chip). Money moves three
ways only: a stake is laid (debited), a bet is settled by one :class:`Statement`, or the round is void and everything
returns.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import msgspec

from tapete import rulebook
from tapete.errors import Refused
from tapete.rules import RuleSet


class Backing(msgspec.Struct, frozen=True, gc=False):
    """Another person's bet on a box, in the order in which the table accepted it."""

    bettor: str
    amount: int
    consent: bool = False
    """Whether the box's holder agreed."""
    standing: bool = False
    """Whether the backer stands behind the table (D2-10) or sits at another box (D2-09)."""


class BoxStake(msgspec.Struct, frozen=True, gc=False):
    """What lies on one box when the bets are locked."""

    box: int
    holder: str
    amount: int
    backers: tuple[Backing, ...] = ()


class Lock(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The first event of a round: the stakes by box, and each bettor's chips that are not on the cloth."""

    boxes: tuple[BoxStake, ...]
    spare: tuple[tuple[str, int], ...]


class Bet(msgspec.Struct, frozen=True, gc=False):
    """One bettor's money on one hand: ``base`` as laid, ``added`` by doubling."""

    bettor: int
    base: int
    added: int = 0
    settled: bool = False


class InsuranceBet(msgspec.Struct, frozen=True, gc=False):
    """One bettor's answer to the insurance; the amount 0 declines."""

    bettor: int
    amount: int
    settled: bool = False


class Statement(msgspec.Struct, frozen=True, gc=False):
    """What became of one bettor's bet on one hand, or of his insurance (``hand`` 0).

    ``net`` excludes the returned stake: +won, -lost, 0 void. ``total`` is the hand's total and ``dealer`` the dealer's,
    0 where it was not yet known. ``reason`` is one of :data:`REASONS`.
    """

    box: int
    hand: int
    bettor: str
    stake: int
    net: int
    reason: str
    total: int = 0
    dealer: int = 0


REASONS = (
    "blackjack", "win", "dealer_bust", "push", "blackjack_push", "loss", "tie_lost", "dealer_blackjack",
    "part_returned", "bust", "bust_elsewhere", "retired", "insurance_won", "insurance_lost", "void",
)  # fmt: skip


def nets(statements: Iterable[Statement]) -> dict[str, int]:
    """Each bettor's net over these statements, in units."""
    sums: dict[str, int] = {}
    for one in statements:
        sums[one.bettor] = sums.get(one.bettor, 0) + one.net
    return sums


def bank_net(statements: Iterable[Statement]) -> int:
    """The bank's net: what the bettors lost less what they won."""
    return -sum(one.net for one in statements)


def laid(lock: Lock) -> dict[str, int]:
    """What each bettor has on the cloth at the lock, in units."""
    sums: dict[str, int] = {}
    for box in lock.boxes:
        sums[box.holder] = sums.get(box.holder, 0) + box.amount
        for backer in box.backers:
            sums[backer.bettor] = sums.get(backer.bettor, 0) + backer.amount
    return sums


def boxes_short(rules: RuleSet, *, boxes: int) -> int:
    """How many more boxes with a bet a round needs than these."""
    return max(0, max(1, rules.min_players) - boxes)


def check_lock(rules: RuleSet, lock: Lock) -> None:
    """Refuses a lock that the table does not allow; the error names the box and the reason."""
    _check_boxes(rules, [box.box for box in lock.boxes], [box.holder for box in lock.boxes])
    for box in lock.boxes:
        _check_bet(rules, box.box, box.amount, behind=False)
        _check_backers(rules, box)
    _check_spare(lock)


def _check_boxes(rules: RuleSet, numbers: list[int], holders: list[str]) -> None:
    if any(a >= b for a, b in pairwise((0, *numbers))) or (numbers and numbers[-1] > rules.seats_max):
        raise Refused("lock.boxes", boxes=numbers, most=rules.seats_max)
    if boxes_short(rules, boxes=len(numbers)):
        raise Refused("lock.too_few", boxes=len(numbers), least=max(1, rules.min_players))
    for holder in holders:
        if holders.count(holder) > rules.boxes_per_player:
            raise Refused("lock.boxes_per_player", bettor=holder, most=rules.boxes_per_player)


def _check_bet(rules: RuleSet, box: int, amount: int, *, behind: bool) -> None:
    reason = rulebook.why_not_bet(rules, amount, behind=behind)
    if reason:
        raise Refused("lock.bet", box=box, amount=amount, reason=reason)


def _check_backers(rules: RuleSet, box: BoxStake) -> None:
    on_box, seen = box.amount, {box.holder}
    for backer in box.backers:
        _check_backer(rules, box, backer)
        if backer.bettor in seen:
            raise Refused("lock.backs_twice", box=box.box, bettor=backer.bettor)
        if not rulebook.box_has_room(rules, on_box=on_box, amount=backer.amount):
            raise Refused("lock.box_full", box=box.box, bettor=backer.bettor, amount=backer.amount, most=rules.bet_max)
        on_box += backer.amount
        seen.add(backer.bettor)


def _check_backer(rules: RuleSet, box: BoxStake, backer: Backing) -> None:
    reason = rulebook.why_not_back(rules, consent=backer.consent)
    if reason:
        raise Refused("lock.backing", box=box.box, bettor=backer.bettor, holder=box.holder, reason=reason)
    _check_bet(rules, box.box, backer.amount, behind=True)


def _check_spare(lock: Lock) -> None:
    names = [name for name, _ in lock.spare]
    if sorted(names) != sorted(laid(lock)) or any(not name for name in names):
        raise Refused("lock.bettors", bettors=names)
    for name, amount in lock.spare:
        if amount < 0:
            raise Refused("lock.spare", bettor=name, amount=amount)
