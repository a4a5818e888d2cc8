"""What a table costs: the public face of the counting.

>>> from tapete.rulefile import preset
>>> price = analyse(preset("casino").rules)
>>> f"{price.ev:+.6f}"
'-0.006612'

Expected values are per unit of the initial bet, from the player's side, in a fresh shoe (or the shoe given), one box
played, bet enough in hand for every double and split. A *joint* value is the chance of the dealer's start times the
value against it; everything here that is not called joint is a plain expectation.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from tapete import lookup, rulebook
from tapete.chart import Chart
from tapete.errors import BadInput
from tapete.exact import boxes, counting, given, levels, playing
from tapete.exact.counting import Counted
from tapete.exact.play import Values
from tapete.exact.playing import Round, Way
from tapete.exact.tables import FRESH
from tapete.exact.tree import Place
from tapete.rules import RuleSet

LEVELS: Final = ("td", "two-card", "cdz", "cdp1", "cdp")
"""Levels of attention, each at least as good as the one before it: total-dependent; two-card-dependent (the first two
cards known apart, then totals); composition-dependent with split hands played as before splitting (CDZ-), as is best
with the other split card gone (CDP1), or as is best for the number of further pair cards gone (CDP)."""
_BY_CELL: Final = ("td", "two-card")
MOST_PACKS: Final = 8
"""Packs in the largest shoe, the endless one aside."""
MOVES: Final = ("stand", "hit", "double", "split", "retire", "insure")


class Against(NamedTuple):
    """What the game is worth against one start of the dealer.

    ``start`` are his visible kinds, ``chance`` their probability, ``ev`` the value given the start; ``blackjack`` is
    the chance, given the start, that he has or draws a blackjack, ``ev_without`` the value given that one which would
    have ended the round before the turns is not there.
    """

    start: tuple[int, ...]
    chance: Any
    ev: Any
    blackjack: Any
    ev_without: Any


class Move(NamedTuple):
    """One move of a hand: its value (None where it is not legal), the value given no dealer blackjack, the reason."""

    name: str
    ev: Any
    ev_without: Any
    reason: str


class Price(NamedTuple):
    """A table priced for one shoe and one level of attention."""

    rules: RuleSet
    shoe: tuple[int, ...]
    level: str
    round: Round

    @property
    def ev(self) -> Any:
        """Expected value per initial bet, from the player's side."""
        return playing.value(self.round)

    @property
    def house_edge(self) -> Any:
        """What the house keeps of an initial bet."""
        return -self.ev

    def against(self) -> tuple[Against, ...]:
        """The value against each start of the dealer."""
        counted = self.round.counted
        natural = sum(
            deal.chance * counted.ends[counted.tables.plan.fresh[deal.hand], :, lookup.NATURAL]
            for deal in self.round.deals
        )
        joint = playing.by_start(self.round)
        lost = self._joint_with_natural()
        starts = lookup.starts(self.rules)
        over = np.where([lookup.is_checked(self.rules, start) for start in starts], natural, natural * 0)
        return tuple(
            Against(
                start, chance, worth / chance, ends / chance, (worth - gone) / (chance - early) if chance > early else 0
            )
            for start, chance, worth, ends, early, gone in zip(
                starts, counted.starts[0], joint, natural, over, lost, strict=True
            )
            if chance > 0
        )

    def _joint_with_natural(self) -> Any:
        """The part of the joint value in which the dealer's blackjack ends the round before the turns."""
        counted = self.round.counted
        total: Any = 0
        for at, deal in enumerate(self.round.deals):
            total = total + deal.chance * _ended(self.round, at, deal.hand)
        checked = np.array([lookup.is_checked(self.rules, start) for start in lookup.starts(self.rules)])
        return np.where(checked, total, total * 0) if counted.one else total

    def moves(
        self, cards: Sequence[int], start: tuple[int, ...], *, split: bool = False, gone: int = 0
    ) -> tuple[Move, ...]:
        """Every move of a hand of these kinds against this start, best first, illegal ones last with their reason.

        ``split``: the hand grew from a split card, its first one, and ``gone`` further cards of that kind are known to
        be out. Raises BadInput ``exact.no_such_hand`` when the shoe cannot deal it.
        """
        round_ = self.round
        if self.level in _BY_CELL:
            round_ = levels.filled(round_, two_card=self.level == "two-card")
        return hand_moves(round_, cards, start, split=split, gone=gone)


def _ended(round_: Round, at: int, hand: int) -> Any:
    """The joint value of a deal in the branch where a blackjack of the dealer ends the round before the turns."""
    counted = round_.counted
    natural = counted.ends[counted.tables.plan.fresh[hand], :, lookup.NATURAL]
    money = counted.tables.fresh.pay[0, counted.tables.row[FRESH, hand], :, lookup.NATURAL]
    retired = round_.way.choice[at] == playing.RETIRE
    early = rulebook.retires_before_check(round_.counted.rules) and round_.counted.rules.dealer_deal != "both_up"
    paid = np.where(retired & early, -lookup.retire_loss(round_.counted.rules) * counted.one, money)
    insured = round_.way.insures[at] * lookup.insurance_net(counted.rules, dealer_blackjack=True) * counted.one
    return natural * (paid + np.where(retired & early, insured * 0, insured))


# --- pricing --------------------------------------------------------------------------------------------------------


def analyse(
    rules: RuleSet,
    *,
    shoe: Sequence[int] | None = None,
    level: str = "cdz",
    exact: bool = False,
    bet: int | None = None,
    beside: Price | None = None,
) -> Price:
    """The price of a table: best play at one of :data:`LEVELS`, counted.

    ``shoe``: cards by kind (:func:`tapete.lookup.kinds`), the whole shoe by default; ``exact``: with Fractions, for
    small shoes; ``bet``: units on the box, the smallest by default, of weight only where a split hand gets one chip;
    ``beside``: another price of the same table, shoe and bet, whose counting serves again. Raises BadInput when
    the shoe is impossible or too small to deal a round, and ``exact.not_linear`` as ``boxes.check`` does.
    """
    cards = tuple(counting.full(rules) if shoe is None else shoe)
    boxes.check(rules)
    check_shoe(rules, cards)
    counted = beside.round.counted if beside else counting.count(rules, cards, exact=exact)
    stake = lookup.new_stake(rules, bet or max(rules.bet_min, rules.unit)) * counted.one
    if level in _BY_CELL:
        every = beside.round if beside and beside.level == "cdz" else None
        found = levels.best_by(counted, two_card=level == "two-card", stake=stake, every=every)
        return Price(rules, cards, level, found)
    if level not in LEVELS:
        raise BadInput("exact.no_such_level", level=level[:40], known=", ".join(LEVELS))
    return Price(rules, cards, level, playing.best(counted, level, stake=stake))


def decision(
    rules: RuleSet,
    cards: Sequence[int],
    start: tuple[int, ...],
    *,
    shoe: Sequence[float] | None = None,
    bet: int | None = None,
) -> tuple[Move, ...]:
    """Every move of one hand that was dealt or grew by hitting, as :meth:`Price.moves` gives it, and much sooner.

    Only what this decision needs is counted. Split hands are played as before splitting (CDZ-). The shoe may be a mean
    one, with parts of cards.
    """
    held = tuple(counting.full(rules) if shoe is None else shoe)
    boxes.check(rules)
    check_shoe(rules, held)
    stake = lookup.new_stake(rules, bet or max(rules.bet_min, rules.unit)) * 1.0
    at = lookup.starts(rules).index(start)
    return hand_moves(playing.one_deal(rules, held, tuple(sorted(cards)), at, stake=stake), cards, start)


def price_of(
    rules: RuleSet,
    strategy: Chart | Way,
    *,
    shoe: Sequence[int] | None = None,
    exact: bool = False,
    bet: int | None = None,
) -> Price:
    """The price of a table for who plays by a chart for this table, or in any given way; its ``level`` is the name.

    The other arguments are those of :func:`analyse`.
    """
    cards = tuple(counting.full(rules) if shoe is None else shoe)
    boxes.check(rules)
    check_shoe(rules, cards)
    counted = counting.count(rules, cards, exact=exact)
    stake = lookup.new_stake(rules, bet or max(rules.bet_min, rules.unit)) * counted.one
    way = given.way(counted, strategy) if isinstance(strategy, Chart) else strategy
    name = strategy.name if isinstance(strategy, Chart) else "given"
    return Price(rules, cards, name, playing.under(counted, way, stake=stake))


def check_shoe(rules: RuleSet, shoe: Sequence[float]) -> None:
    """Raises BadInput unless the shoe has a count for each kind and can always finish a hand against the dealer."""
    kinds = lookup.kinds(rules)
    if len(shoe) != len(kinds):
        raise BadInput(
            "exact.shoe_kinds", given=len(shoe), wanted=len(kinds), kinds=" ".join(kind.name for kind in kinds)
        )
    if tuple(shoe) == counting.endless(rules):
        return
    packs = int(sum(shoe) // sum(kind.many for kind in kinds))
    if packs > MOST_PACKS and tuple(shoe) == tuple(kind.many * packs for kind in kinds):
        raise BadInput("exact.shoe_packs", given=packs, most=MOST_PACKS)
    for kind, many in zip(kinds, shoe, strict=True):
        if many < 0 or many > kind.many * MOST_PACKS:
            raise BadInput("exact.shoe_count", kind=kind.name, given=many, most=kind.many * MOST_PACKS)
    if sum(shoe) < longest(rules, shoe):
        raise BadInput("exact.shoe_small", given=sum(shoe), wanted=longest(rules, shoe))


@functools.lru_cache(maxsize=64)
def _points(rules: RuleSet) -> tuple[int, ...]:
    return tuple(kind.points for kind in lookup.kinds(rules))


def longest(rules: RuleSet, shoe: Sequence[float], *, hands: int = 1) -> float:
    """How many cards a round with so many hands can take at most from this shoe, the dealer's included.

    A hand draws while it is at 20 or less, the dealer while at 16 or less, all with the smallest cards there are.
    """
    room: float = (rulebook.TARGET - 1) * hands + rulebook.DEALER_STANDS - 1
    taken: float = 0
    for points, many in sorted(zip(_points(rules), shoe, strict=True)):
        fits = min(many, room // points)
        room, taken = room - fits * points, taken + fits
        if fits < many:
            break
    return taken + hands + 1


# --- one hand -------------------------------------------------------------------------------------------------------


def hand_moves(
    round_: Round, cards: Sequence[int], start: tuple[int, ...], *, split: bool = False, gone: int = 0
) -> tuple[Move, ...]:
    """See :meth:`Price.moves`."""
    counted = round_.counted
    rules, tree = counted.rules, counted.tables.plan.tree
    at = lookup.starts(rules).index(start)
    values, behind = _values(round_, cards, split=split, gone=gone)
    hand = tree.hand(*cards)
    if hand < 0 or behind[hand] < 0 or not _can_be(counted, cards, start, gone=(1 + gone) if split else 0):
        raise BadInput("exact.no_such_hand", cards=",".join(lookup.kinds(rules)[kind].name for kind in cards))
    shoe = behind[hand]
    chance, natural = counted.starts[shoe, at], counted.ends[shoe, at, lookup.NATURAL]
    reasons = _reasons(rules, tuple(cards), start, split=split)
    joint = {"stand": values.stand[hand, at], "hit": values.hit[hand, at], "double": values.double[hand, at]}
    joint |= _first_moves(round_, tuple(cards), at, splits=not reasons["split"]) if not split else {}
    ended = _when_ended(round_, hand, at, split=split)
    found = []
    for name in MOVES:
        reason = reasons.get(name, "")
        if reason or name not in joint:
            if reason:
                found.append(Move(name, None, None, reason))
            continue
        known = joint[name] / chance
        without = (joint[name] - ended.get(name, ended[""]) * natural) / (chance - natural) if chance > natural else 0
        found.append(Move(name, known, without if lookup.is_checked(rules, start) else known, ""))
    return tuple(sorted(found, key=lambda move: (move.ev is None, -(move.ev or 0))))


def _values(round_: Round, cards: Sequence[int], *, split: bool, gone: int) -> tuple[Values, Any]:
    counted = round_.counted
    plan = counted.tables.plan
    if not split:
        return round_.fresh, plan.fresh
    kind = cards[0]
    if not plan.split[kind] or gone >= len(plan.split[kind]):
        raise BadInput("exact.no_such_hand", cards=lookup.kinds(counted.rules)[kind].name)
    place = Place(kind, tuple((1 + gone) * (at == kind) for at in range(len(counted.shoe))))
    pair = round_.splits.get((kind, kind))
    if pair and place in pair.hands.places:
        return pair.hands[pair.hands.places.index(place)], plan.behind(place)
    return counting.after_split(counted, place, round_.way.wish), plan.behind(place)


def _can_be(counted: Counted, cards: Sequence[int], start: tuple[int, ...], *, gone: int) -> bool:
    left = [int(many) for many in counted.shoe]
    for kind in cards:
        left[kind] -= 1
    left[cards[0]] -= gone
    for up in start:
        places = [kind for kind, to in enumerate(counted.tables.plan.to_dealer) if to == up and left[kind] > 0]
        if not places:
            return False
        left[places[0]] -= 1
    return min(left) >= 0


def _reasons(rules: RuleSet, cards: tuple[int, ...], start: tuple[int, ...], *, split: bool) -> dict[str, str]:
    hand = lookup.asked(rules, cards, split=split, doubled=False, standing=lookup.standing(rules, start))
    closed = "closed" if rulebook.is_closed(rules, hand) else ""
    blackjack = rulebook.counts_as_blackjack(rules, hand)
    may_insure = lookup.asks_insurance(rules, start) and rulebook.may_insure(rules, blackjack=blackjack, behind=False)
    early = not split and len(cards) == 2
    return {
        "stand": "" if closed else rulebook.why_not_stand(rules, hand),
        "hit": closed or rulebook.why_not_hit(rules, hand),
        "double": closed or rulebook.why_not_double(rules, hand),
        "split": closed or ("split.max_hands" if split else rulebook.why_not_split(rules, hand)),
        "retire": rulebook.why_not_retire(rules, hand) or (closed if rules.surrender.window == "first_action" else ""),
        "insure": "" if may_insure and early else "insurance.who",
    }


def _first_moves(round_: Round, cards: tuple[int, ...], at: int, *, splits: bool) -> dict[str, Any]:
    """Joint values of what only a dealt hand may do: retire, insure and, where it ``splits``, split."""
    kinds = tuple(sorted(cards))
    place = next((place for place, deal in enumerate(round_.deals) if deal.kinds == kinds), None)
    if len(cards) != 2 or place is None:
        return {}
    found = {"retire": round_.retire[place, at], "insure": round_.insurance[place, at]}
    if splits:
        dealt = round_.deals[place].kinds
        pair = round_.splits.get(dealt)
        found["split"] = pair.value[at] if pair else playing.split_of(round_, dealt).value[at]
    return found


def _when_ended(round_: Round, hand: int, at: int, *, split: bool) -> dict[str, Any]:
    """What each move ("": any other) brings where a blackjack ends the round before the turns."""
    counted, rules = round_.counted, round_.counted.rules
    if split:
        return {"": counted.one * 0}
    lost = counted.tables.fresh.pay[0, counted.tables.row[FRESH, hand], at, lookup.NATURAL]
    before = rulebook.retires_before_check(rules) and rules.dealer_deal != "both_up"
    insured = lookup.insurance_net(rules, dealer_blackjack=True) * counted.one
    return {"": lost, "insure": insured, "retire": -lookup.retire_loss(rules) * counted.one if before else lost}
