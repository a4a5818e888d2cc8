"""The best strategy of players who look at less than every card: by total, or by total after the first two cards.

A *cell* is what such a player tells apart. Along one hand a cell is met once at most, so what a change of one cell
brings is exactly the sum over the hands that reach it of weight times difference of move values, splits included, whose
hands enter with their weights. The cells are improved together until none can be improved alone.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from tapete import lookup, rulebook
from tapete.exact import counting, play, playing
from tapete.exact.counting import Counted
from tapete.exact.play import Values
from tapete.exact.playing import PLAY, RETIRE, SPLIT, Round, Way
from tapete.exact.tables import FRESH
from tapete.exact.tree import Ints, Numbers
from tapete.exact.tree import soft as softness

ROUNDS: Final = 60
"""More improvements than any table has asked for."""


class Cells(NamedTuple):
    """What a player tells apart: ``of[hand]`` and ``deal[deal]`` are cells, ``column[start]`` what the dealer shows."""

    of: Ints
    deal: Ints
    column: Ints


def cells(counted: Counted, *, two_card: bool) -> Cells:
    """The cells of a player who goes by total and softness; with ``two_card`` he knows his first two cards apart.

    Of the dealer he knows the up card; of two cards seen, their total and whether it is soft.
    """
    tree, row = counted.tables.plan.tree, counted.tables.row[FRESH]
    total = np.minimum(row, rulebook.TARGET)
    soft = softness(tree)
    keys = [
        (tuple(counts) if two_card and size == 2 else (int(best), bool(is_soft)))
        for counts, size, best, is_soft in zip(tree.counts.tolist(), tree.size, total, soft, strict=True)
    ]
    every = playing.deals(counted)
    apart = [two_card or deal.kinds[1] in lookup.alike(counted.rules, deal.kinds[0]) for deal in every]
    first = [deal.kinds if told else keys[deal.hand] for deal, told in zip(every, apart, strict=True)]
    return Cells(_numbered(keys), _numbered(first), _columns(counted))


def _numbered(keys: list[Any]) -> Ints:
    places = {key: at for at, key in enumerate(dict.fromkeys(keys))}
    return np.array([places[key] for key in keys], dtype=np.int64)


def _columns(counted: Counted) -> Ints:
    points = [kind.points for kind in lookup.dealer_kinds(counted.rules)]
    starts = lookup.starts(counted.rules)
    return _numbered([start if len(start) == 1 else _seen(points, start) for start in starts])


def _seen(points: list[int], start: tuple[int, ...]) -> tuple[int, bool]:
    hard = sum(points[kind] for kind in start)
    return hard, 0 in start


# --- improving ------------------------------------------------------------------------------------------------------


def best_by(counted: Counted, *, two_card: bool, stake: Any = 1, every: Round | None = None) -> Round:
    """The round under the best strategy by total (``two_card``: by the first two cards, then by total).

    ``every`` is the round under CDZ-, from which the search begins, where it is known already.
    """
    known = cells(counted, two_card=two_card)
    found = _first_guess(counted, stake, every, two_card=two_card)
    policy = np.argmax(gains(found, known), axis=2)
    value = playing.value(found) if _starts_from_totals(counted, two_card=two_card) else None
    for _ in range(ROUNDS):
        round_ = _decided(counted, known, policy, stake)
        worth = playing.value(round_)
        if value is not None and not worth > value:
            break
        found, value = round_, worth
        policy = _better(policy, gains(round_, known))
    return found


def _first_guess(counted: Counted, stake: Any, every: Round | None, *, two_card: bool) -> Round:
    """Where to begin: what the player would do who sees every card.

    Where doubled hands go on, cells do not tell all that their wishes bring; there the player who knows his two cards
    begins with the best strategy by totals, so as not to end below it.
    """
    if _starts_from_totals(counted, two_card=two_card):
        return best_by(counted, two_card=False, stake=stake)
    return every or playing.best(counted, "cdz", stake=stake)


def _starts_from_totals(counted: Counted, *, two_card: bool) -> bool:
    return two_card and counted.rules.double.draw == "no_limit"


def _better(policy: Ints, gains: Numbers) -> Ints:
    """The wishes that bring more than those of the policy, which are kept where nothing does."""
    kept = np.take_along_axis(gains, policy[..., None], axis=2)[..., 0]
    best = np.argmax(gains, axis=2)
    found = np.take_along_axis(gains, best[..., None], axis=2)[..., 0]
    return np.where(found > kept, best, policy)


def _decided(counted: Counted, known: Cells, policy: Ints, stake: Any) -> Round:
    """The round under a policy by cell, whose deals are split, retired and insured as is best by cell."""
    wish = np.ascontiguousarray(policy[known.of][:, known.column])
    every = playing.deals(counted)
    shape = len(every), len(known.column)
    splits = np.array([[SPLIT if playing.may_split(counted, deal) else PLAY] * shape[1] for deal in every])
    open_ = playing.under(counted, Way(wish, splits, np.zeros(shape, dtype=np.int64), {}), stake=stake)
    chance = np.array([deal.chance for deal in every])[:, None]
    plain = np.array([open_.fresh.value[deal.hand] for deal in every])
    choice = np.where(_summed(known, chance * (open_.total - plain)) > 0, splits, PLAY)
    played = np.where(choice == SPLIT, open_.total, plain)
    insured = _summed(known, chance * open_.insurance * open_.may_insure, own=_blackjacks(open_)) > 0
    insures = np.where(insured, open_.may_insure, 0)
    bonus = np.where(insures > 0, open_.insurance, open_.insurance * 0)
    gain = np.where(open_.may_retire > 0, open_.retire - played - bonus * playing.lost_by_retiring(counted), -1)
    retires = _retires(open_, known, chance * gain)
    return playing.settled(open_, Way(wish, np.where(retires, RETIRE, choice), insures, {}))


def _retires(round_: Round, known: Cells, gain: Numbers) -> Any:
    open_ = round_.may_retire > 0
    if playing.is_blind(round_.counted.rules):
        whole = np.where(open_.all(axis=1), gain.sum(axis=1), -1)
        by_cell = np.bincount(known.deal, weights=whole.astype(np.float64))[known.deal]
        return open_ & (by_cell > 0)[:, None]
    return open_ & (_summed(known, np.where(open_, gain, 0)) > 0)


def _blackjacks(round_: Round) -> Ints:
    row = round_.counted.tables.row[FRESH]
    return np.array([int(row[deal.hand] == lookup.PLAYER_BLACKJACK) for deal in round_.deals])


def _summed(known: Cells, values: Numbers, own: Ints | None = None) -> Numbers:
    """The values added up over each cell of deals and column, put back at every member."""
    rows = known.deal if own is None else own
    sums = np.full((int(rows.max()) + 1, int(known.column.max()) + 1), values.flat[0] * 0, dtype=values.dtype)
    np.add.at(sums, (rows[:, None], known.column[None, :]), values)
    found: Numbers = sums[rows][:, known.column]
    return found


def filled(round_: Round, *, two_card: bool) -> Round:
    """The same round of a player who also knows what to do where his own way never leads him.

    What no hand reaches, because it was split or retired before, is of no weight in :func:`best_by`, nor is what a hand
    would do that is always doubled. Here that is what would be best if every deal might be played and every pair split,
    so that a move which is not the player's has its value too.
    """
    counted, known = round_.counted, cells(round_.counted, two_card=two_card)
    way, every = round_.way, playing.deals(round_.counted)
    splits = np.array([[SPLIT if playing.may_split(counted, deal) else PLAY] * len(known.column) for deal in every])
    mine, wish, nothing = gains(round_, known), way.wish, np.zeros_like(splits)
    alike = mine == mine.max(axis=2, keepdims=True)
    for _ in range(ROUNDS):  # what is best in a cell that nobody reaches hangs on others of that sort
        split = playing.under(counted, Way(wish, splits, nothing, {}), stake=round_.stake)
        played = playing.settled(split, Way(wish, np.full_like(splits, PLAY), nothing, {}))
        brings = gains(split, known) + gains(played, known)
        policy = np.argmax(np.where(alike, brings, brings.min() - 1), axis=2)
        before, wish = wish, np.ascontiguousarray(policy[known.of][:, known.column])
        if (wish == before).all():
            break
    return playing.under(counted, way._replace(wish=wish), stake=round_.stake)


# --- what reaches a cell --------------------------------------------------------------------------------------------


def gains(round_: Round, known: Cells) -> Numbers:
    """What each wish would bring in each cell and column, all else as in the round."""
    counted = round_.counted
    shape = int(known.of.max()) + 1, int(known.column.max()) + 1, play.WISHES
    into = play.Cells(known.of, known.column, np.full(shape, counted.one * 0, dtype=counted.starts.dtype))
    played = np.zeros_like(round_.fresh.stand)
    for at, deal in enumerate(round_.deals):
        played[deal.hand] = _share(round_, at, PLAY)
        if (round_.way.choice[at] == SPLIT).any():
            _split_gains(round_, deal.kinds, _share(round_, at, SPLIT), into)
    ascending = np.arange(len(known.of), dtype=np.int64)
    _follow(counted, ascending, counted.shoe, FRESH, round_.fresh, played, into)
    return into.gains


def _share(round_: Round, at: int, choice: int) -> Numbers:
    """The chance of a deal, by start, where this is chosen."""
    chance = round_.deals[at].chance
    share: Numbers = np.where(round_.way.choice[at] == choice, chance, chance * 0)
    return share


def _split_gains(round_: Round, kinds: tuple[int, int], chance: Numbers, into: play.Cells) -> None:
    """Adds what the hands of a split bring, one for each place and role, with their weights."""
    counted = round_.counted
    hands = round_.splits[kinds].hands
    for at, place in enumerate(hands.places):
        shoe = counting.beside(counted, place)
        order = np.flatnonzero(counted.tables.plan.behind(place) >= 0)
        for played, whole, other in _roles(round_, kinds, at, hands[at]):
            weight = _second_cards(counted, place.kind, shoe, chance, (whole, other))
            _follow(counted, order, shoe, place.kind + 1, played, weight, into)


def _second_cards(counted: Counted, kind: int, shoe: Numbers, chance: Numbers, shares: tuple[Any, Any]) -> Numbers:
    """The weight of each two-card hand of a split, the hand's first card still in ``shoe``."""
    tree, alike = counted.tables.plan.tree, lookup.alike(counted.rules, kind)
    weight = np.full((len(tree.size), len(chance)), counted.one * 0, dtype=chance.dtype)
    for drawn in range(len(shoe)):
        left, more = shoe[drawn] - (drawn == kind), tree.hand(kind, drawn)
        if left > 0 and more >= 0:
            share = shares[0] if drawn in alike else shares[0] + shares[1]
            weight[more] = chance * (share * left / (shoe.sum() - 1))
    return weight


def _roles(round_: Round, kinds: tuple[int, int], at: int, values: Values) -> list[tuple[Values, Any, Any]]:
    """The values and weights of the split hands: the first one's beside the others' where it is paid otherwise."""
    weights, stake = round_.splits[kinds].weights, round_.stake
    rest = weights.rest_any[at] * stake, weights.rest_other[at] * stake
    first = weights.first_any[at], weights.first_other[at]
    if not counting.first_differs(round_.counted):
        return [(values, rest[0] + first[0], rest[1] + first[1])]
    place = round_.splits[kinds].hands.places[at]
    ahead = counting.after_split(round_.counted, place, values.wish, first=True)
    return [(values, *rest), (ahead, *first)]


def _follow(
    counted: Counted, hands: Ints, shoe: Numbers, context: int, values: Values, weight: Numbers, cells: play.Cells
) -> None:
    follow = play.reach if counted.starts.dtype != object else play.reach.py_func
    law = counting.law_of(counted, context, counted.tables.fresh)
    follow(counting.hands_of(counted, hands), shoe, law, values, weight, cells)
