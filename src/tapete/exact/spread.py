"""How far the results of a round spread: variance, what is laid, how often things happen, every net result.

>>> from tapete.exact.analysis import analyse
>>> from tapete.rulefile import preset
>>> found = spread(analyse(preset("casino").rules))
>>> f"{found.sd:.6f}"
'1.105180'

Money is per unit of the initial bet, from the player's side; the conventions are those of ``analysis``. The variance,
the money laid and the expected value are exact for any number of hands: the square of a round needs no more than two
of its hands at a time. What needs all hands of a round at once is told of the rounds with two hands at most, and the
chance of the others beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import sqrt
from typing import Any, Final, NamedTuple, Protocol

import numpy as np

from tapete import lookup
from tapete.exact import boxes, counting, mixed, pairs, play, playing
from tapete.exact.boxes import BUST, ENDS, RAISED
from tapete.exact.counting import Counted
from tapete.exact.playing import PLAY, RETIRE, SPLIT, Round
from tapete.exact.tables import FRESH
from tapete.exact.tree import Ints, Numbers

_NAT: Final = lookup.NATURAL
_NOISE: Final = 1e-13
"""Smaller chances are what the arithmetic of floats leaves of nothing; the rarest net is a thousand times likelier."""


class Rates(NamedTuple):
    """How likely a round is to bring each of these.

    ``blackjack`` (dealt to the player), ``split``, ``retire`` and ``insured`` are exact. ``bust`` and ``double`` (some
    hand), ``win``, ``push`` and ``loss`` (the net of the round) count the rounds with two hands at most: the chance
    over all rounds lies between the number and the number plus ``Spread.beyond``.
    """

    blackjack: Any
    bust: Any
    double: Any
    split: Any
    retire: Any
    insured: Any
    win: Any
    push: Any
    loss: Any


class Spread(NamedTuple):
    """What a round may bring, per unit of the initial bet.

    ``wagered`` is the mean money laid on hands (the bet, doubles, splits), ``insurance`` that on insurance beside it.
    ``nets`` are (net, chance) of the rounds with two hands at most; ``beyond`` is the chance of the rounds with more,
    which ``nets`` leaves out.
    """

    ev: Any
    variance: Any
    wagered: Any
    insurance: Any
    rates: Rates
    nets: tuple[tuple[Any, Any], ...]
    beyond: Any

    @property
    def sd(self) -> float:
        """The standard deviation of a round."""
        return sqrt(self.variance)

    @property
    def ev_per_wagered(self) -> Any:
        """The expected value per unit of all money laid, insurance included."""
        return self.ev / (self.wagered + self.insurance)


class Priced(Protocol):
    """What holds a round, as ``analysis.Price`` does."""

    @property
    def round(self) -> Round:
        """The round."""


class Part(NamedTuple):
    """What some of the rounds add to the whole; ``nets`` and ``chances`` are arrays of one shape, or lists of such."""

    ev: Any
    square: Any
    wagered: Any
    bust: Any
    double: Any
    beyond: Any
    results: list[tuple[Numbers, Numbers]]


def spread(told: Round | Priced) -> Spread:
    """How the results of a round spread under its way of playing."""
    round_ = told if isinstance(told, Round) else told.round
    parts = [_retired(round_), *_unsplit(round_), *_all_split(round_)]
    ev, square, wagered, bust, double, beyond = (sum(column) for column in list(zip(*parts, strict=True))[:6])
    nets = _collected([result for part in parts for result in part.results])
    signs = [sum((chance for net, chance in nets if (net > 0) - (net < 0) == sign), 0) for sign in (1, 0, -1)]
    insured = _insured_chance(round_)
    rates = (_blackjacks(round_), bust, double, _split_chance(round_), _retire_chance(round_), insured, *signs)
    variance, insurance = square - ev * ev, insured * boxes.half(round_.counted)
    found = Spread(ev, variance, wagered, insurance, Rates(*map(_plain, rates)), nets, beyond if beyond > _NOISE else 0)
    return Spread(*map(_plain, found))


def _plain(number: Any) -> Any:
    return number.item() if isinstance(number, np.generic) else number


def _collected(results: list[tuple[Numbers, Numbers]]) -> tuple[tuple[Any, Any], ...]:
    """Each net and its chance; nets that differ by rounding alone are one."""
    there = [(nets[chances != 0], chances[chances != 0]) for nets, chances in results]
    nets, chances = (np.concatenate(column) for column in zip(*there, strict=True))
    if nets.dtype == object:
        sums: Counter[Any] = Counter()
        for net, chance in zip(nets, chances, strict=True):
            sums[net] += chance
        return tuple(sorted(sums.items()))
    found, place = np.unique(nets.round(9), return_inverse=True)
    each = zip(found.tolist(), np.bincount(place, weights=chances).tolist(), strict=True)
    return tuple((net, chance) for net, chance in each if abs(chance) > _NOISE)


# --- chances of what is decided at the deal -------------------------------------------------------------------------


def _dealt(round_: Round) -> Numbers:
    """The chance of each deal with each start and end of the dealer: [deal, start, outcome]."""
    behind = round_.counted.tables.plan.fresh
    found: Numbers = np.array([deal.chance * round_.counted.ends[behind[deal.hand]] for deal in round_.deals])
    return found


def _lives(counted: Counted) -> Ints:
    """By start and outcome, 1 where the hands were played, 0 where the round ended before."""
    lives = np.ones((counted.starts.shape[1], len(lookup.OUTCOMES)), dtype=np.int64)
    lives[boxes.checked(counted.rules), _NAT] = 0
    return lives


def _insures(round_: Round) -> Ints:
    """By deal and start, whether an insurance is laid."""
    retired = (round_.way.choice == RETIRE) & bool(playing.lost_by_retiring(round_.counted))
    laid: Ints = (round_.way.insures > 0) & ~retired
    return laid


def _chance(round_: Round, chosen: Ints) -> Any:
    """The chance of the deals and starts that are chosen, where rounds that end before the turns count."""
    return (_dealt(round_).sum(2) * chosen).sum()


def _blackjacks(round_: Round) -> Any:
    row = round_.counted.tables.row[FRESH]
    return sum((deal.chance for deal in round_.deals if row[deal.hand] == lookup.PLAYER_BLACKJACK), 0)


def _insured_chance(round_: Round) -> Any:
    return _chance(round_, _insures(round_))


def _split_chance(round_: Round) -> Any:
    return (_dealt(round_) * _lives(round_.counted) * (round_.way.choice == SPLIT)[..., None]).sum()


def _retire_chance(round_: Round) -> Any:
    counted = round_.counted
    ended = playing.loses_whole(counted.rules) & boxes.checked(counted.rules)
    open_ = np.where(ended[:, None], _lives(counted), 1)
    return (_dealt(round_) * open_ * (round_.way.choice == RETIRE)[..., None]).sum()


def _retired(round_: Round) -> Part:
    """The rounds in which the hand is retired, or would have been had the dealer no blackjack."""
    counted = round_.counted
    chances = _dealt(round_) * (round_.way.choice == RETIRE)[..., None]
    nets = np.full(chances.shape, -lookup.retire_loss(counted.rules) * counted.one, dtype=chances.dtype)
    nets[:, :, _NAT] = [playing.retired_to_natural(counted, deal.hand) for deal in round_.deals]
    nets = nets + _insures(round_)[..., None] * boxes.insurance_nets(counted)
    return _part(nets, chances, wagered=chances.sum())


def _part(nets: Numbers, chances: Numbers, *, wagered: Any, bust: Any = 0, double: Any = 0) -> Part:
    there = chances != 0
    nets, chances = nets[there], chances[there]
    return Part((nets * chances).sum(), (nets * nets * chances).sum(), wagered, bust, double, 0, [(nets, chances)])


# --- rounds with one hand -------------------------------------------------------------------------------------------


def _unsplit(round_: Round) -> Iterator[Part]:
    """The rounds in which the dealt hand is played: without insurance, and with it."""
    counted = round_.counted
    lives, insured = _lives(counted), _insures(round_)
    chance = np.array([deal.chance for deal in round_.deals])[:, None]
    for with_it in (False, True):
        chosen = (round_.way.choice == PLAY) & (insured == with_it)
        if not chosen.any():
            continue
        ends = _ends(round_, chosen * chance)
        live = ends * lives
        double, bust = live[RAISED:].sum(), live[BUST::RAISED].sum()
        nets = boxes.nets_of_one(counted, insured=with_it)
        yield _part(nets, ends, wagered=ends.sum() + double, bust=bust, double=double)


def _ends(round_: Round, dealt: Numbers) -> Numbers:
    """How the dealt hands end, ``dealt[deal, start]`` being their chances: [end, start, outcome]."""
    counted = round_.counted
    ready = counted.tables
    weight = np.full(round_.fresh.stand.shape, counted.one * 0, dtype=counted.starts.dtype)
    for at, deal in enumerate(round_.deals):
        weight[deal.hand] = dealt[at]
    behind = counted.ends[ready.plan.fresh]
    begun = _together(weight, behind)
    _follow(counted, round_, weight)
    stands, doubles = (np.where(chosen, weight, weight * 0) for chosen in _moves(round_))
    raised, doubled = _together(doubles, behind), _doubled(round_, doubles)
    ends = np.zeros((ENDS, *behind.shape[1:]), dtype=behind.dtype)
    for row in np.unique(ready.row[FRESH]).tolist():
        held = np.flatnonzero(ready.row[FRESH] == row)
        ends[row] = _together(stands[held], behind[held])
        ends[row + RAISED] = _together(doubled[held], behind[held])
    ends[BUST] = begun - raised - ends[:BUST].sum(0)
    ends[BUST + RAISED] = raised - ends[RAISED : RAISED + BUST].sum(0)
    return ends


def _together(weight: Numbers, behind: Numbers) -> Numbers:
    """The dealer's ends behind some hands, weighed by start and added up: [start, outcome]."""
    found: Numbers = np.einsum("hs,hso->so", weight, behind)
    return found


def _follow(counted: Counted, round_: Round, weight: Numbers) -> None:
    """Passes the weights along to every hand that is hit on the way."""
    nothing = np.zeros(weight.shape[0], dtype=np.int64), np.zeros(weight.shape[1], dtype=np.int64)
    cells = play.Cells(*nothing, np.full((1, 1, play.WISHES), counted.one * 0, dtype=weight.dtype))
    follow = play.reach if weight.dtype != object else play.reach.py_func
    hands = counting.hands_of(counted, np.arange(len(weight), dtype=np.int64))
    law = counting.law_of(counted, FRESH, counted.tables.fresh)
    follow(hands, counted.shoe, law, round_.fresh, weight, cells)


def _moves(round_: Round) -> tuple[Ints, Ints]:
    """Which hands stand, and which double: [hand, start]."""
    ready, wish = round_.counted.tables, round_.fresh.wish
    bits = ready.legal[FRESH][ready.code][:, ready.standing]
    closed = bits & (lookup.STAND | lookup.HIT) == 0
    doubles = ~closed & (wish & 2 > 0) & (bits & lookup.DOUBLE > 0)
    hits = (bits & lookup.STAND == 0) | ((wish & 1 == 1) & (bits & lookup.HIT > 0))
    return closed | (~doubles & ~hits), doubles


def _doubled(round_: Round, leaving: Numbers) -> Numbers:
    """The chances of doubled hands that draw no more, ``leaving`` being those of the hands that double."""
    counted, tree = round_.counted, round_.counted.tables.plan.tree
    on = np.stack(
        [pairs.goes_on(counted, FRESH, round_.fresh.wish, start) for start in range(leaving.shape[1])], axis=1
    )
    found = leaving * 0
    for size in range(2, int(tree.size.max())):
        rows = np.flatnonzero(tree.size == size)
        out = leaving[rows] + found[rows] * on[rows]
        rows, out = rows[(out != 0).any(1)], out[(out != 0).any(1)]
        for kind, many in enumerate(counted.shoe):
            more, left = tree.child[rows, kind], many - tree.counts[rows, kind]
            ok = (more >= 0) & (left > 0)
            np.add.at(found, more[ok], out[ok] * (left[ok] / (counted.cards - size))[:, None])
    return found * (1 - on)


# --- rounds with a split --------------------------------------------------------------------------------------------


class Played(NamedTuple):
    """The rounds with a split against one start that are not ended before: chances of their hands' ends, weighed.

    ``two`` and ``pairs`` go by the ends of two hands; ``dealt`` by the dealer's outcome alone.
    """

    dealt: Numbers
    first: Numbers
    rest: Numbers
    with_first: Numbers
    among_rest: Numbers
    two: Numbers


def _all_split(round_: Round) -> Iterator[Part]:
    for at, deal in enumerate(round_.deals):
        for start in np.flatnonzero(round_.way.choice[at] == SPLIT).tolist():
            pair = round_.splits[deal.kinds]
            found = mixed.measured(round_.counted, deal.kinds, start, pair.hands.wishes, pair.weights)
            yield from _split(round_, at, start, found)


def _split(round_: Round, at: int, start: int, found: pairs.Measured) -> Iterator[Part]:
    """The rounds in which a pair is split against a start; those that a blackjack ends before come first."""
    counted, deal = round_.counted, round_.deals[at]
    dealt = deal.chance * counted.ends[counted.tables.plan.fresh[deal.hand], start]
    lives, insured = _lives(counted)[start], bool(_insures(round_)[at, start])
    ended = dealt * (1 - lives)
    yield _part(boxes.beside(counted, start, insured=insured), ended, wagered=ended.sum())
    played = Played(dealt * lives, *(table * lives * deal.chance for table in found[1:]))
    nets = boxes.nets_of_two(counted, found.ends, start, stake=round_.stake, insured=insured)
    first, second = boxes.raised_of_two(counted.rules, found.ends)
    bust = boxes.is_bust(found.ends)
    chance = played.two.sum(2)
    if boxes.pays_each_alone(counted.rules):
        whole = _by_pairs(round_, start, found.ends, played, boxes.beside(counted, start, insured=insured))
    else:
        laid = boxes.laid_on_two(counted.rules, found.ends, stake=round_.stake)
        whole = _part(nets, played.two, wagered=(laid * chance).sum())
    yield whole._replace(
        bust=(chance * (bust[:, None] | bust[None])).sum(),
        double=(chance * np.maximum(first, second)).sum(),
        beyond=played.dealt.sum() - chance.sum(),
        results=[(nets, played.two)],
    )


def _by_pairs(round_: Round, start: int, ends: Ints, played: Played, beside: Numbers) -> Part:
    """Mean, square and money laid of a split box with any number of hands, each paid by itself."""
    ready, raised, stake = round_.counted.tables, boxes.is_raised(ends), round_.stake
    first = boxes.worth(ready.first)[ends, start]
    rest = boxes.worth(ready.other)[ends, start] * stake
    mean = (played.first * first).sum() + (played.rest * rest).sum() + (played.dealt * beside).sum()
    square = (played.first * first * (first + 2 * beside)).sum() + (played.rest * rest * (rest + 2 * beside)).sum()
    both = (played.with_first * first[:, None] * rest[None]).sum()
    both = both + (played.among_rest * rest[:, None] * rest[None]).sum()
    laid = played.first.sum() + played.first[raised].sum() + stake * (played.rest.sum() + played.rest[raised].sum())
    return Part(mean, square + 2 * both + (played.dealt * beside * beside).sum(), laid, 0, 0, 0, [])
