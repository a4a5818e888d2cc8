"""What a bankroll risks, and the edge by the count, in words."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from tapete.pricing import figures, simrisk
from tapete.pricing.simrisk import Best, Figure, Found, Wish
from tapete.sim import ramps, risk
from tapete.sim.ramps import Level
from tapete.sim.results import Tally
from tapete.words import N_, Words

DIGITS: Final = 4


def lines(tally: Tally, asked: Wish, words: Words, *, room: int | None = None) -> Iterator[str]:
    """The sections on the count and on risk, each with an empty line before it; none that was not asked for.

    ``room``: the letters of a line that there is room for, if not any number.
    """
    table = simrisk.levels(tally, simrisk.TAIL)
    if table:
        yield from ("", words.say(N_("By the count with which a round begins:")))
        yield from figures.columns(list(_levels(table, tally, words)), left=0, room=room)
    told = simrisk.found(tally, asked) if any(asked) else None
    if told is not None:
        yield from ("", words.say(N_("The risk, if each round is taken as independent of the others.")))
        yield words.say(N_("In brackets: what it would be if the edge were at the ends of its interval."))
        money = unit(tally, words)
        yield from _game(told, money, words)
        yield from _bankroll(told, asked, money, words)
        yield from _needed(told, asked, money, words)
        if (ramp := simrisk.best(tally, asked)) is not None:
            yield from _ramp(ramp, asked, words)


# --- by the count ---------------------------------------------------------------------------------------------------


def _levels(table: tuple[Level, ...], tally: Tally, words: Words) -> Iterator[list[str]]:
    heads = (N_("count"), N_("of all rounds"), N_("player’s edge"), N_("its error"), N_("average bet"))
    yield [words.say(one) for one in heads]
    total = sum(one.rounds for one in table)
    for one in table:
        yield [
            level_name(one, table, words),
            figures.percent(one.rounds / total, words, digits=2),
            figures.percent(one.mean / tally.boxes, words, digits=3, signed=True),
            "–" if one.error is None else figures.percent(one.error / tally.boxes, words, digits=3),
            plain(one.bet / tally.boxes, words, 2),
        ]


def level_name(one: Level, table: tuple[Level, ...], words: Words) -> str:
    """A level as it is shown; the ends of a table hold all that is beyond them."""
    if len(table) < 2:
        return str(one.level)
    if one is table[0]:
        return words.say(N_("{level} or less"), level=one.level)
    if one is table[-1]:
        return words.say(N_("{level} or more"), level=one.level)
    return str(one.level)


# --- risk -----------------------------------------------------------------------------------------------------------


def _game(told: Found, money: str, words: Words) -> Iterator[str]:
    game = told.game
    yield words.say(
        N_("Won in 100 rounds, on average: {mean} {unit}; standard deviation, how far off it usually is: {sd}"),
        mean=figures.number(risk.HUNDRED * game.mean, words, digits=DIGITS),
        sd=plain(math.sqrt(risk.HUNDRED) * game.sd, words),
        unit=money,
    )
    if told.score is None or told.n0 is None or told.desirability is None:
        return
    yield words.say(N_("N0, the rounds after which the average win is as large as the standard deviation: {rounds}"),
                    rounds=_number(told.n0, words, 0))  # fmt: skip
    yield words.say(
        N_("SCORE, what 100 rounds win with 10,000 and bets so high that 13.5 % of such bankrolls are lost: {score}"),
        score=_number(told.score, words),
    )
    yield words.say(N_("Desirability index, a thousand times mean over standard deviation of a round: {index}"),
                    index=_number(told.desirability, words))  # fmt: skip


def _bankroll(told: Found, asked: Wish, money: str, words: Words) -> Iterator[str]:
    bankroll = amount(asked.bankroll, words)
    trip = asked.trip
    if told.ahead is not None:
        yield words.plural("Ahead after {rounds} round: {chance}", "Ahead after {rounds} rounds: {chance}", trip,
                           rounds=amount(trip, words), chance=_chance(told.ahead, words))  # fmt: skip
    if told.ever is None or told.certainty is None:
        return
    yield words.say(N_("Of all bankrolls of {bankroll} {unit}:"), bankroll=bankroll, unit=money)
    by_formula = 0 < told.ever.value < 1  # which takes no notice of falling below nought by several bets
    yield "  " + words.say(N_("lost sooner or later, if play never ends: {chance} at most") if by_formula
                           else N_("lost sooner or later, if play never ends: {chance}"),
                           chance=_chance(told.ever, words))  # fmt: skip
    if told.within is not None:
        yield "  " + words.plural(
            "lost within {rounds} round: {chance}", "lost within {rounds} rounds: {chance}", trip,
            rounds=amount(trip, words), chance=_chance(told.within, words),
        )  # fmt: skip
    if told.before is not None:
        yield "  " + words.say(N_("lost before {goal} {unit} are won: {chance}"),
                               goal=amount(asked.goal, words), unit=money,
                               chance=_chance(told.before, words))  # fmt: skip
        if not told.before_counted:
            yield "    " + words.say(N_("by a formula; its brackets hold how far the last bets can put it wrong, too"))
    yield words.say(
        N_("Certainty equivalent, the sure win in 100 rounds that is worth as much to its owner: {win} {unit}"),
        win=_with_ends([figures.number(one, words, digits=DIGITS) for one in told.certainty], words),
        unit=money,
    )


def _needed(told: Found, asked: Wish, money: str, words: Words) -> Iterator[str]:
    if not asked.risk:
        return
    yield words.say(N_("The bankroll that it takes for a risk of no more than {risk}:"), risk=_borne(asked, words))
    if told.for_ever is None:
        yield "  " + words.say(N_("if play never ends: none is large enough, because every round loses on average"))
    else:
        yield "  " + words.say(N_("if play never ends: {bankroll} {unit}"),
                               bankroll=_number(told.for_ever, words, 1), unit=money)  # fmt: skip
    if told.for_trip is not None:
        yield "  " + words.plural(
            "within {rounds} round: {bankroll} {unit}", "within {rounds} rounds: {bankroll} {unit}", asked.trip,
            rounds=amount(asked.trip, words), bankroll=_number(told.for_trip, words, 1), unit=money,
        )  # fmt: skip


def _ramp(told: Best, asked: Wish, words: Words) -> Iterator[str]:
    facts = {"least": told.least, "most": told.most, "bankroll": amount(asked.bankroll, words)}
    risk_ = _borne(asked, words)
    if told.ramp is None and told.needed is None:
        yield words.say(N_("With bets from {least} to {most} units nothing is won, whatever the ramp."), **facts)
    elif told.ramp is None:
        yield words.say(
            N_("With bets from {least} to {most} units no bankroll below {needed} units has a risk of {risk} or less."),
            **facts, risk=risk_, needed=plain(told.needed or 0.0, words, 0),
        )  # fmt: skip
    else:
        yield words.say(N_("The best bets from {least} to {most} units for {bankroll} units and a risk of {risk}:"),
                        **facts, risk=risk_)  # fmt: skip
        yield "  --spread " + ramps.spread(told.ramp)
        game = told.ramp.game
        yield "  " + words.say(
            N_("in 100 rounds {mean} units, standard deviation {sd}; SCORE {score}; lost if play never ends: {risk}"),
            mean=figures.number(risk.HUNDRED * game.mean, words, digits=DIGITS),
            sd=plain(math.sqrt(risk.HUNDRED) * game.sd, words), score=plain(risk.score(game) or 0.0, words),
            risk=share(told.ramp.risk, words),
        )  # fmt: skip


# --- figures --------------------------------------------------------------------------------------------------------


def unit(tally: Tally, words: Words) -> str:
    """What money is counted in: initial bets, or what a spread counts in."""
    return words.say(N_("units")) if len(tally.by_level) else words.say(N_("initial bets"))


def plain(value: float, words: Words, digits: int = DIGITS) -> str:
    """A number without a plus."""
    return figures.number(value, words, digits=digits, signed=False)


def share(value: float, words: Words) -> str:
    """A chance in per cent, with as many decimals as tell something, two at least.

    >>> from tapete.words import words
    >>> share(0.05, words("en")), share(0.000012, words("en")), share(1e-9, words("en"))
    ('5.00 %', '0.0012 %', '0.00 %')
    """
    digits = 2 if value < 5e-7 or value > 0.0005 else 1 - math.floor(math.log10(100 * value))
    return figures.percent(value, words, digits=digits)


def amount(value: float, words: Words) -> str:
    """A number as it was asked for.

    >>> from tapete.words import words
    >>> amount(200.0, words("es")), amount(12.5, words("es"))
    ('200', '12,5')
    """
    return plain(value, words, 0) if value == int(value) else plain(value, words, 6).rstrip("0").rstrip(".,")


def _borne(asked: Wish, words: Words) -> str:
    """The risk as it was asked for."""
    return f"{amount(round(100 * asked.risk, 9), words)} %"


def _chance(figure: Figure, words: Words) -> str:
    return _with_ends([share(one, words) for one in figure], words)


def _number(figure: Figure, words: Words, digits: int = DIGITS) -> str:
    if figure.high < math.inf:
        return _with_ends([plain(one, words, digits) for one in figure], words)
    value, low = (plain(one, words, digits) for one in (figure.value, figure.low))
    return words.say(N_("{value} ({low} or more)"), value=value, low=low)


def _with_ends(told: list[str], words: Words) -> str:
    """A figure and, in brackets, its two ends, unless they look the same."""
    value, low, high = told
    if value == low == high:
        return value
    return words.say(N_("{value} ({low} to {high})"), value=value, low=low, high=high)
