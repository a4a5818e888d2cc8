"""Effects of removal: how the value moves when one card is gone and nobody plays any differently; and insurance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from tapete import lookup
from tapete.exact import counting, playing
from tapete.exact.analysis import Price
from tapete.exact.counting import Counted
from tapete.exact.playing import Round, Way
from tapete.exact.tree import Ints, Place
from tapete.pricing import figures
from tapete.rules import RuleSet
from tapete.terminal.talk import Talk
from tapete.words import N_, Words

ACE: Final = (0,)


class Effect(NamedTuple):
    """What one card less of a kind adds to the value of the game, per initial bet; ``many`` of them are in the shoe."""

    kind: int
    many: int
    gain: float


def effects(price: Price) -> tuple[Effect, ...]:
    """The effect of each kind of which the shoe holds a card, the way of playing staying as it is.

    Weighted with ``many`` they add up to nothing.
    """
    return tuple(
        Effect(kind, many, float(_without(price, kind) - price.ev)) for kind, many in enumerate(price.shoe) if many
    )


def _without(price: Price, kind: int) -> Any:
    less = [many - (at == kind) for at, many in enumerate(price.shoe)]
    counted = counting.count(price.rules, less)
    return playing.value(playing.under(counted, _carried(price.round, counted), stake=price.round.stake))


def _carried(round_: Round, counted: Counted) -> Way:
    """A way of playing for another shoe of the same table, whose tree may hold fewer hands."""
    old, new = round_.counted.tables.plan.tree, counted.tables.plan.tree
    places = np.array([old.number[tuple(counts)] for counts in new.counts.tolist()], dtype=np.int64)
    deals = {deal.kinds: at for at, deal in enumerate(round_.deals)}
    rows = [deals[deal.kinds] for deal in playing.deals(counted)]
    way = round_.way
    after = {
        kinds: _for_each(
            counting.places(counted, kinds), counting.places(round_.counted, kinds), [wish[places] for wish in wishes]
        )
        for kinds, wishes in way.after.items()
    }
    return Way(way.wish[places], way.choice[rows], way.insures[rows], after)


def _for_each(wanted: Sequence[Place], known: Sequence[Place], wishes: list[Ints]) -> tuple[Ints, ...]:
    """The wishes by place, the last one where a place was not known."""
    return tuple(wishes[known.index(place) if place in known else -1] for place in wanted)


def tell(found: Sequence[Effect], price: Price, talk: Talk) -> None:
    """Says the effects of removal."""
    words, kinds = talk.words, lookup.kinds(price.rules)
    talk.tell(N_("One card less, and nobody plays differently: the player’s value moves by"))
    rows = [[figures.name(kinds[one.kind]), figures.percent(one.gain, words, digits=6, signed=True)] for one in found]
    for line in figures.columns(rows):
        talk.line(line)


# --- insurance ------------------------------------------------------------------------------------------------------


class Insured(NamedTuple):
    """What insuring half the bet adds with a two-card hand, per initial bet, given an ace."""

    kinds: tuple[int, int]
    gain: float
    chance: float


def insurance(price: Price) -> tuple[Insured, ...]:
    """The value of insurance by hand, best first; none where nobody may buy it."""
    starts = lookup.starts(price.rules)
    if ACE not in starts:
        return ()
    at = starts.index(ACE)
    round_ = price.round
    behind = round_.counted.tables.plan.fresh
    found = []
    for place, deal in enumerate(round_.deals):
        start = round_.counted.starts[behind[deal.hand], at]
        if round_.may_insure[place, at] and start > 0:
            found.append(Insured(deal.kinds, float(round_.insurance[place, at] / start), float(deal.chance)))
    return tuple(sorted(found, key=lambda one: (-round(one.gain, 12), one.kinds)))


def tell_insurance(found: Sequence[Insured], price: Price, talk: Talk) -> None:
    """Says with which hands insurance is worth buying, and how much it loses or wins with each."""
    words, kinds = talk.words, lookup.kinds(price.rules)
    if not found:
        talk.tell(N_("Nobody can insure at this table."))
        return
    paid, staked = price.rules.insurance.pays
    talk.tell(
        N_("It pays once more than {part} in {whole} of the unseen cards would make a blackjack of the ace."),
        part=staked,
        whole=paid + staked,
    )
    talk.line(_verdict(found, words))
    rows = [[figures.cards(kinds, one.kinds), figures.percent(one.gain, words, digits=6, signed=True)] for one in found]
    for line in figures.columns(rows):
        talk.line(line)


def _verdict(found: Sequence[Insured], words: Words) -> str:
    good = sum(one.gain > 0 for one in found)
    if good == len(found):
        return words.say(N_("Insurance against an ace: buy it with every hand that may."))
    if not good:
        return words.say(N_("Insurance against an ace: never buy it. Insuring half the bet adds"))
    return words.plural(
        "Insurance against an ace: buy it with {n} hand. Insuring half the bet adds",
        "Insurance against an ace: buy it with {n} hands. Insuring half the bet adds",
        good,
    )


def as_json(
    found: Sequence[Effect], insured: Sequence[Insured], rules: RuleSet, *, removal: bool, insurance: bool
) -> dict[str, Any]:
    """What was asked for of both, with all digits."""
    kinds = lookup.kinds(rules)
    told: dict[str, Any] = {}
    if removal:
        told["removal"] = {kinds[one.kind].name: one.gain for one in found}
    if insurance:
        told["insurance"] = {",".join(kinds[kind].name for kind in one.kinds): one.gain for one in insured}
    return told
