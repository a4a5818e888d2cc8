"""Shoes that lean: what every move brings when the unseen cards are richer in some kinds than a whole shoe is.

Whoever has counted the seen cards by tags knows the mean tag of the unseen ones. Given that, and the cards in sight,
the mean share of each kind among the unseen is (to the normal approximation of drawing without replacement)

    share = p (1 + (u - m) (tag - m) / v),

p, m and v being the shares, the mean tag and the variance of the tags of a pack without the cards in sight, and u the
mean tag of the unseen cards. It hangs on u alone, not on how many cards are unseen. So one whole shoe that leans, dealt
as any shoe is, holds every hand with the composition behind it, each at a mean tag of its own; how deep the shoe is
dealt only says how often that happens. See docs/indices.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from tapete import chart as charts
from tapete import lookup
from tapete.exact import counting, given, play, playing
from tapete.exact.counting import Counted
from tapete.exact.playing import Round
from tapete.exact.tables import FRESH
from tapete.exact.tree import Ints, Numbers
from tapete.rules import RuleSet

LEAST: Final = 2.5
"""So many cards of each kind are left in the most leaning shoe."""
MOST: Final = 0.45
"""And so much is the largest change of a kind's number, as a part of it."""
LONG: Final = 4
"""Hands of so many cards and more are taken together."""
NEVER: Final = 1e-13
"""Hands that come less often are left out."""


class Pack(NamedTuple):
    """A whole shoe and its tags, by kind: ``total`` is what all its cards add, ``spread`` that of the squares
    of what each differs from the mean.
    """

    many: Numbers
    tags: Numbers

    @property
    def cards(self) -> float:
        """How many cards there are."""
        return float(self.many.sum())

    @property
    def total(self) -> float:
        """What all cards add to the count."""
        return float(self.many @ self.tags)

    @property
    def spread(self) -> float:
        """The squares of what each card differs from the mean tag, added up."""
        return float(self.many @ (self.tags - self.total / self.cards) ** 2)

    def leaning(self, lean: float) -> Numbers:
        """The shoe in which each kind is more by ``lean`` times what its tag is above the mean, in parts of it."""
        found: Numbers = self.many * (1 + lean * (self.tags - self.total / self.cards))
        return found

    def without(self, gone: Numbers) -> Pack:
        """The shoe without some cards."""
        return Pack(self.many - gone, self.tags)

    @property
    def most(self) -> float:
        """The largest lean, to either side, that leaves enough cards of each kind."""
        part = min(MOST, 1 - LEAST / float(self.many.min()))
        return part / float(np.abs(self.tags - self.total / self.cards).max())


class Group(NamedTuple):
    """Decisions alike to a counter: so many cards in ``sight`` that add ``tag``; ``open_``: the hand may retire."""

    open_: bool
    sight: int
    tag: int


class Frame(NamedTuple):
    """What is the same however the shoe leans.

    ``row[hand]`` and ``column[start]`` are places in the table's charts, -1 for none; ``group[hand, start]`` is the
    place in ``groups``; ``decides[hand, start]`` is where a chart has something to decide; ``weight[hand, start]`` is
    how often that comes up.
    """

    whole: Counted
    pack: Pack
    row: Ints
    column: Ints
    groups: tuple[Group, ...]
    group: Ints
    decides: npt.NDArray[np.bool_]
    weight: Numbers


class Brought(NamedTuple):
    """What moves bring in a shoe that leans, per round: times how often the hand comes from a whole shoe.

    ``moves[group, row, column, move]`` are the wishes of ``play.WISHES``, then splitting; ``bend`` is their second
    derivative by the lean, all later play staying as it is. ``retire[group, row, column]``; the rows of ``insured`` are
    those of ``chart.INSURANCE`` and ``chart.INSURANCE_BLACKJACK``.
    """

    moves: Numbers
    bend: Numbers
    retire: Numbers
    insured: Numbers


def frame(rules: RuleSet, tags: Ints) -> Frame:
    """The frame of a table and of the tags of its kinds, whole numbers."""
    shoe = counting.full(rules)
    whole = counting.count(rules, shoe)
    places = given.placed(whole)
    row = np.where(places.pair >= 0, places.pair, places.row)
    tree, ready = whole.tables.plan.tree, whole.tables
    bits = ready.legal[FRESH][ready.code][:, ready.standing]
    decides = (row >= 0)[:, None] & (places.column >= 0) & (bits & playing.CHOICE > 0) & (tree.size > 1)[:, None]
    starts = lookup.starts(rules)
    shown = np.array([sum(_dealer_tag(rules, tags, kind) for kind in start) for start in starts])
    tag = (tree.counts @ tags)[:, None] + shown
    sight = np.minimum(tree.size, LONG)[:, None] + len(starts[0]) + np.zeros_like(tag)
    open_ = np.zeros_like(tag)
    for deal, may in zip(playing.deals(whole), playing.offered(whole)[0], strict=True):
        open_[deal.hand] = may
        decides[deal.hand] |= (places.column >= 0) & (may > 0) & (row[deal.hand] >= 0)
    keys = np.stack([open_, sight, tag], axis=-1)
    every, number = np.unique(keys.reshape(-1, 3), axis=0, return_inverse=True)
    groups = tuple(Group(bool(one), int(two), int(three)) for one, two, three in every)
    return Frame(whole, Pack(np.array(shoe, dtype=np.float64), tags.astype(np.float64)), row, places.column, groups,
                 number.reshape(tag.shape), decides, _weight(whole))  # fmt: skip


def _dealer_tag(rules: RuleSet, tags: Ints, kind: int) -> int:
    """The tag of a dealer's kind, whose cards all have the same."""
    return next(int(tags[at]) for at, one in enumerate(lookup.kinds(rules)) if lookup.dealer_kind(rules, one) == kind)


# --- one shoe that leans --------------------------------------------------------------------------------------------


def brought(known: Frame, leans: Numbers) -> Iterator[Brought]:
    """What moves bring where the shoe leans so much, leans rising evenly; later play is best for this shoe (CDZ-)."""
    width = float(leans[1] - leans[0])
    before, here = (_counted(known, lean) for lean in (float(leans[0]) - width, float(leans[0])))
    for lean in leans.tolist():
        behind = _counted(known, lean + width)
        round_ = playing.best(here, stake=_stake(here.rules))
        now, ahead, after = _of_round(known, round_), _as_in(known, round_, before), _as_in(known, round_, behind)
        bend = (ahead - 2 * now + after) / width**2
        yield Brought(now, bend, _retired(known, round_), _insured(known, lean))
        before, here = here, behind


def _counted(known: Frame, lean: float) -> Counted:
    return counting.count(known.whole.rules, [float(many) for many in known.pack.leaning(lean)])


def _shape(known: Frame) -> tuple[int, int, int]:
    rules = known.whole.rules
    return len(known.groups), len(charts.rows(rules)), len(charts.columns(rules))


def _weight(whole: Counted) -> Numbers:
    """How often each hand comes up against each start in a whole shoe, longer hands as who does not count plays."""
    round_ = playing.best(whole, stake=_stake(whole.rules))
    weight = np.zeros_like(round_.fresh.stand)
    hands, starts = weight.shape
    for deal, choice in zip(round_.deals, round_.way.choice, strict=True):
        weight[deal.hand] = np.where(choice == playing.PLAY, deal.chance, 0.0)
    nothing = play.Cells(np.zeros(hands, dtype=np.int64), np.zeros(starts, dtype=np.int64), np.zeros((1, 1, 4)))
    law = counting.law_of(whole, FRESH, whole.tables.fresh)
    order = counting.hands_of(whole, np.arange(hands, dtype=np.int64))
    play.reach(order, whole.shoe, law, round_.fresh, weight, nothing)
    for deal in round_.deals:
        weight[deal.hand] = deal.chance
    found: Numbers = np.where(weight > NEVER, weight * whole.starts[whole.tables.plan.fresh], 0)
    return found


def _stake(rules: RuleSet) -> float:
    """A new hand's stake per unit of the first, the bet being the smallest."""
    return float(lookup.new_stake(rules, max(rules.bet_min, rules.unit)))


def _as_in(known: Frame, round_: Round, counted: Counted) -> Numbers:
    """What moves bring in another shoe to who plays as in this round."""
    splits = np.array([[playing.SPLIT if deal.kinds in round_.splits else playing.PLAY] for deal in round_.deals])
    after = {}
    for kinds, pair in round_.splits.items():  # a thinner shoe may ask for fewer cards gone, a thicker one for more
        wishes = dict(zip(pair.hands.places, pair.hands.wishes, strict=True))
        after[kinds] = tuple(wishes.get(one, pair.hands.wishes[-1]) for one in counting.places(counted, kinds))
    nothing = 0 * round_.way.choice
    way = playing.Way(round_.way.wish, splits + nothing, nothing, after)
    return _of_round(known, playing.under(counted, way, stake=round_.stake))


def _over(round_: Round, hands: Any, starts: Ints) -> Numbers:
    """One over the chance of starts behind hands: values are joint with the start."""
    chance = round_.counted.starts[round_.counted.tables.plan.fresh[hands], starts]
    found: Numbers = np.where(chance > 0, 1 / np.where(chance > 0, chance, 1), 0)
    return found


def _of_round(known: Frame, round_: Round) -> Numbers:
    ready, values, shape = known.whole.tables, round_.fresh, _shape(known)
    hands, starts = np.nonzero(known.decides & (known.weight > 0))
    bits = ready.legal[FRESH, ready.code[hands], ready.standing[starts]]
    stand, hit, double = (one[hands, starts] for one in (values.stand, values.hit, values.double))
    often = known.weight[hands, starts] * _over(round_, hands, starts)
    at = np.ravel_multi_index((known.group[hands, starts], known.row[hands], known.column[starts]), shape)
    found = np.zeros((*shape, play.WISHES + 1))
    for wish in range(play.WISHES):
        plain = np.where((bits & 1 == 0) | ((wish & 1 == 1) & (bits & 2 > 0)), hit, stand)
        move = np.where((wish & 2 > 0) & (bits & 4 > 0), double, plain)
        move = np.where(bits & playing.CHOICE > 0, move, stand)
        found[..., wish] = np.bincount(at, move * often, minlength=int(np.prod(shape))).reshape(shape)
    for hand, kinds in ((deal.hand, deal.kinds) for deal in round_.deals if deal.kinds in round_.splits):
        where = np.flatnonzero(known.decides[hand])
        worth = round_.splits[kinds].value[where] * known.weight[hand, where] * _over(round_, hand, where)
        np.add.at(found[..., play.WISHES], (known.group[hand, where], known.row[hand], known.column[where]), worth)
    return found


def _retired(known: Frame, round_: Round) -> Numbers:
    """What retiring brings."""
    found = np.zeros(_shape(known))
    for at, deal in enumerate(round_.deals):
        hand = deal.hand
        where = np.flatnonzero(known.decides[hand] & (round_.may_retire[at] > 0))
        worth = round_.retire[at, where] * known.weight[hand, where] * _over(round_, hand, where)
        np.add.at(found, (known.group[hand, where], known.row[hand], known.column[where]), worth)
    return found


# --- insurance ------------------------------------------------------------------------------------------------------


def _insured(known: Frame, lean: float) -> Numbers:
    """What insuring half the stake brings, exactly: only the next card is asked for."""
    whole, shape = known.whole, _shape(known)
    found = np.zeros((shape[0], 2, shape[2]))
    for deal, may in zip(playing.deals(whole), playing.offered(whole)[1], strict=True):
        blackjack = int(whole.tables.row[FRESH, deal.hand] == lookup.PLAYER_BLACKJACK)
        for start in np.flatnonzero(may).tolist():
            chance = deal.chance * whole.starts[whole.tables.plan.fresh[deal.hand], start]
            place = known.group[deal.hand, start], blackjack, known.column[start]
            found[place] += chance * insurance_gain(known, lean, deal.kinds, start)
    return found


def insurance_gain(known: Frame, lean: float, hand: Sequence[int], start: int) -> float:
    """What insuring adds, per initial bet, with this hand, by kinds, in a whole shoe of this lean."""
    rules, pack = known.whole.rules, known.pack
    (up,) = lookup.starts(rules)[start]
    dealer = [lookup.dealer_kind(rules, one) for one in lookup.kinds(rules)]
    gone = np.bincount([*hand, dealer.index(up)], minlength=len(dealer)).astype(np.float64)
    left = pack.without(gone)
    unseen = (pack.total + lean * pack.spread - float(gone @ pack.tags)) / left.cards
    there = left.leaning((unseen - left.total / left.cards) * left.cards / left.spread)
    natural = [lookup.is_natural(rules, (up, kind)) for kind in dealer]
    chance = float(there[natural].sum() / there.sum())
    won, lost = (float(lookup.insurance_net(rules, dealer_blackjack=one)) for one in (True, False))
    return chance * won + (1 - chance) * lost
