"""How far the results of a round spread, told: deviation, money laid, how often things happen, every net result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from tapete.exact.spread import Rates, Spread
from tapete.pricing import figures
from tapete.terminal.talk import Talk
from tapete.words import N_, Words

RATES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "win": N_("the round is won"),
        "push": N_("it comes out even"),
        "loss": N_("it is lost"),
        "blackjack": N_("the player is dealt a blackjack"),
        "split": N_("a pair is split"),
        "double": N_("a hand is doubled"),
        "bust": N_("a hand goes over 21"),
        "retire": N_("the hand is retired"),
        "insured": N_("insurance is bought"),
    }
)
"""What each rate counts, in the order in which they are told."""
SEEN: Final = 5e-7
"""Rates below this round to nothing, and are not told."""


def tell(found: Spread, talk: Talk) -> None:
    """Says the standard deviation, the money laid and how often things happen in a round."""
    words = talk.words
    talk.tell(N_("Standard deviation of a round: {sd} initial bets"), sd=_plain(found.sd, words, digits=8))
    laid = _plain(found.wagered + found.insurance, words, digits=6)
    edge = figures.percent(-found.ev_per_wagered, words, digits=6)
    talk.tell(N_("Laid in a round: {laid} initial bets; the edge on all that is laid: {edge}"), laid=laid, edge=edge)
    talk.tell(N_("Of all rounds:"))
    for line in figures.columns(list(_rates(found, words)), left=1):
        talk.line(line)
    if found.beyond > SEEN:
        talk.tell(
            N_("Rounds with more than two hands, {share}, count as none of: won, even, lost, doubled, over 21."),
            share=figures.percent(found.beyond, words, digits=4),
        )


def _plain(value: Any, words: Words, *, digits: int) -> str:
    return figures.number(value, words, digits=digits, signed=False)


def _rates(found: Spread, words: Words) -> Iterator[list[str]]:
    for name, said in RATES.items():
        rate = float(getattr(found.rates, name))
        if rate > SEEN:
            yield [words.say(said), figures.percent(rate, words, digits=4)]


def tell_results(found: Spread, talk: Talk) -> None:
    """Says how likely each net result of a round is."""
    words = talk.words
    talk.tell(N_("Net result in initial bets, and its chance:"))
    rows = [
        [figures.number(net, words, digits=2), figures.percent(chance, words, digits=6)] for net, chance in found.nets
    ]
    if found.beyond > SEEN:
        rows.append([words.say(N_("more than two hands")), figures.percent(found.beyond, words, digits=6)])
    for line in figures.columns(rows):
        talk.line(line)


def as_json(found: Spread) -> dict[str, Any]:
    """The same with all digits."""
    return {
        "sd": float(found.sd),
        "variance": float(found.variance),
        "wagered": float(found.wagered),
        "insurance_laid": float(found.insurance),
        "ev_per_wagered": float(found.ev_per_wagered),
        "rates": {name: float(getattr(found.rates, name)) for name in Rates._fields},
        "results": [[float(net), float(chance)] for net, chance in found.nets],
        "more_than_two_hands": float(found.beyond),
    }
