"""Ways of playing made at random, and the same as answers to the engine's questions."""

from __future__ import annotations

import numpy as np

from tapete import lookup
from tapete.exact import playing
from tapete.exact.counting import Counted
from tapete.exact.playing import PLAY, RETIRE, SPLIT, Deal, Round, Way
from tapete.exact.tree import Ints
from tests.oracle.enumeration import Strategy


def random_way(counted: Counted, seed: int) -> Way:
    """A way that splits, doubles, retires and insures a lot, and never draws to 17 and more."""
    dice = np.random.default_rng(seed)
    row = np.minimum(counted.tables.row[0], 21)
    starts, every = counted.starts.shape[1], playing.deals(counted)
    wish = np.zeros((len(row), starts), dtype=np.int64)
    low, middle = row <= 11, (row > 11) & (row < 17)
    wish[low] = dice.choice([1, 2, 3, 3], size=(low.sum(), starts))
    wish[middle] = dice.choice([0, 0, 0, 0, 1, 2, 3], size=(middle.sum(), starts))
    nothing = np.zeros((len(every), starts), dtype=np.int64)
    open_ = playing.under(counted, Way(wish, nothing, nothing, {}))
    choice = np.array(
        [np.where(_may_split(counted, deal) & (dice.random(starts) < 0.8), SPLIT, PLAY) for deal in every]
    )
    retires = dice.random(choice.shape) < 0.2
    if playing.is_blind(counted.rules):
        retires[:] = retires[:, :1]
    choice = np.where((open_.may_retire > 0) & retires, RETIRE, choice)
    insures = (open_.may_insure > 0) & (dice.random(choice.shape) < 0.5)
    return Way(wish, choice, np.where(insures, 1, 0), {})


def _may_split(counted: Counted, deal: Deal) -> Ints:
    ready = counted.tables
    may: Ints = (ready.legal[0, ready.code[deal.hand], ready.standing] & lookup.SPLIT) > 0
    return may


def answers(round_: Round) -> Strategy:
    """The round's way of playing, as the engine asks for it; a pair that may be split again is."""
    counted, way = round_.counted, round_.way
    starts, tree = list(lookup.starts(counted.rules)), counted.tables.plan.tree
    place = {deal.kinds: at for at, deal in enumerate(round_.deals)}

    def answer(
        hand: tuple[int, ...], dealer: tuple[int, ...], split: bool, hands: int, legal: tuple[str, ...]
    ) -> str:  # fmt: skip
        kinds = tuple(card - 1 for card in hand)
        start = starts.index(tuple(card - 1 for card in dealer)) if dealer else 0
        dealt = not split and len(kinds) == 2
        choice = way.choice[place[kinds[0], kinds[1]], start] if dealt else PLAY
        if legal == ("insure", "no_insurance"):
            return legal[0 if way.insures[place[kinds[0], kinds[1]], start] else 1]
        if "retire" in legal and choice == RETIRE:
            return "retire"
        if legal == ("retire", "keep"):
            return "keep"
        if "split" in legal and (split or choice == SPLIT):
            return "split"
        return _move(int(way.wish[tree.hand(*kinds), start]), legal)

    return answer


def _move(wish: int, legal: tuple[str, ...]) -> str:
    if wish >= 2 and "double" in legal:
        return "double"
    return "hit" if "stand" not in legal or (wish % 2 == 1 and "hit" in legal) else "stand"
