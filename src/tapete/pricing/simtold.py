"""What simulated rounds came to, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import sqrt
from types import MappingProxyType
from typing import Final

from tapete.pricing import figures, simcounttold, simrisktold, spreading, strategies
from tapete.pricing.priced import Table
from tapete.pricing.simasked import Asked, Run, initial
from tapete.pricing.simfile import COUNTED
from tapete.rules import digest
from tapete.sim import world
from tapete.sim.results import Tally
from tapete.terminal.talk import Talk
from tapete.words import N_, Words

_HANDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "blackjack": N_("blackjacks dealt"),
        "split": N_("splits"),
        "double": N_("doubled hands"),
        "bust": N_("hands over 21"),
        "retire": N_("retired hands"),
        "insured": N_("insurances"),
    }
)
_NINETY_FIVE: Final = 1.959963984540054


def tell(run: Run, talk: Talk, *, begun: str = "") -> None:
    """Says what the rounds came to; ``begun`` is the file that an earlier run was taken up from."""
    words, wanted, tally = talk.words, run.asked, run.progress.tally
    _tell_end(run, talk, begun)
    if not tally.rounds:
        talk.tell(N_("No round was finished."))
        return
    for line in _headline(tally, _rounds(run, words), words):
        talk.line(line)
    talk.line("")
    for line in played(wanted, words):
        talk.line(line)
    talk.line(words.say(N_("The shoe has no end: no card is ever missed.")) if wanted.endless
              else _shuffled(wanted.table, words))  # fmt: skip
    talk.line(words.plural("One box in each round.", "{n} boxes in each round.", wanted.boxes))
    for line in simcounttold.lines(wanted.counter, wanted.table.rules, words):
        talk.line(line)
    talk.tell(N_("Seed {seed}: the same seed gives the same rounds."), seed=wanted.seed)
    talk.tell(N_("Rules: {digest}"), digest=digest(wanted.table.rules))
    talk.line("")
    if tally.staked:
        talk.line(_of_rounds(tally, words))
        for line in figures.columns(list(_shares(tally, words))):
            talk.line(line)
    for line in _boxes(wanted, tally, words):
        talk.line(line)
    talk.tell(N_("In 100 rounds, watched ones among them, there are:") if tally.watched
              else N_("In 100 rounds there are:"))  # fmt: skip
    for line in figures.columns(list(_rates(tally, words))):
        talk.line(line)
    for line in simrisktold.lines(tally, wanted.wish, words, room=talk.room) if tally.staked else ():
        talk.line(line)


def _tell_end(run: Run, talk: Talk, begun: str) -> None:
    """The table, and why the run ended where it did."""
    words, wanted = talk.words, run.asked
    talk.line(f"{wanted.table.title(words)} ({wanted.table.preset.id})")
    if not run.over:
        talk.tell(N_("Stopped before its end; what follows is of the rounds until then."))
    elif begun and not run.history:
        talk.tell(N_("{file} has all that is asked for already; nothing was played beside it."), file=begun[-80:])
    if wanted.error and run.over:
        most = figures.number(100 * wanted.error, words, digits=7, signed=False).rstrip("0").rstrip(".,")
        talk.tell(N_("Played until the standard error was at most {error} %."), error=most)


def played(wanted: Asked, words: Words) -> Iterator[str]:
    """By which strategy each box is played."""
    if len(set(wanted.strategies)) == 1:
        strategy = wanted.strategies[0]
        yield words.say(N_("Played by {strategy}: {meaning}."),
                        strategy=strategy, meaning=strategies.meaning(strategy, words))  # fmt: skip
        return
    for box, strategy in enumerate(wanted.strategies, 1):
        yield words.say(N_("Box {box} is played by {strategy}: {meaning}."),
                        box=box, strategy=strategy, meaning=strategies.meaning(strategy, words))  # fmt: skip


def edge(tally: Tally, words: Words, *, digits: int) -> str:
    """The edge and its error, in a sentence."""
    if not tally.staked:
        return words.say(N_("No round had a bet, and so there is no edge to tell."))
    found, off = (figures.percent(one / initial(tally), words, digits=digits) for one in (-tally.mean, tally.error))
    if len(tally.by_level):
        told = N_("House edge on the bets as they were made: {edge}, standard error {error}")
        return words.say(told, edge=found, error=off)
    return words.say(N_("House edge: {edge}, standard error {error}"), edge=found, error=off)


def _headline(tally: Tally, many: str, words: Words) -> Iterator[str]:
    yield edge(tally, words, digits=5)
    if not tally.staked:
        yield words.say(N_("Rounds: {rounds}"), rounds=many)
        return
    bets = initial(tally)
    ends = ((-tally.mean + sign * _NINETY_FIVE * tally.error) / bets for sign in (-1, 1))
    low, high = (figures.percent(one, words, digits=4) for one in ends)
    yield words.say(N_("In 95 of 100 such runs, the true edge lies between the two: here {low} and {high}."),
                    low=low, high=high)  # fmt: skip
    if tally.corrected:
        told = N_("A control variate has taken most of chance out of that; as dealt: {edge}, standard error {error}")
        yield words.say(told,
                        edge=figures.percent(-tally.plain_mean / bets, words, digits=5),
                        error=figures.percent(tally.plain_error / bets, words, digits=5))  # fmt: skip
    sd = figures.number(tally.sd, words, digits=5, signed=False)
    if len(tally.by_level):
        yield from _in_units(tally, many, sd, words)
        return
    yield words.say(N_("Rounds: {rounds}; standard deviation of a round: {sd} initial bets"), rounds=many, sd=sd)
    laid = tally.laid
    yield words.say(N_("Laid on hands in a round: {laid} initial bets; the edge on that: {edge}"),
                    laid=figures.number(laid, words, digits=5, signed=False),
                    edge=figures.percent(-tally.mean / laid, words, digits=5))  # fmt: skip


def _rounds(run: Run, words: Words) -> str:
    """How many rounds there were, and why they are more than were asked for."""
    many = run.progress.tally.rounds
    told = figures.number(many, words, digits=0, signed=False)
    if not run.history or not 0 < run.asked.rounds < many:
        return told
    return words.say(N_("{rounds}, as whole blocks are played to the end of their shoe"), rounds=told)


def _in_units(tally: Tally, many: str, sd: str, words: Words) -> Iterator[str]:
    """What a counter won and bet, in units: the smallest bet of the table."""
    flat = figures.percent(-tally.flat_mean / tally.boxes, words, digits=4)
    yield words.say(N_("House edge if the bet had always been the same: {edge}"), edge=flat)
    won = figures.number(100 * tally.mean, words, digits=4)
    off = figures.number(100 * tally.error, words, digits=4, signed=False)
    yield words.say(N_("Won in 100 rounds: {won} units, standard error {error}"), won=won, error=off)
    yield words.say(N_("Rounds: {rounds}; standard deviation of a round: {sd} units"), rounds=many, sd=sd)
    if not (laid := tally.laid):  # all that was played was watched
        return
    yield words.say(N_("Initial bets in a round: {staked} units; on hands in all: {laid}; the edge on that: {edge}"),
                    staked=figures.number(tally.staked, words, digits=5, signed=False),
                    laid=figures.number(laid, words, digits=5, signed=False),
                    edge=figures.percent(-tally.mean / laid, words, digits=5))  # fmt: skip


def _boxes(wanted: Asked, tally: Tally, words: Words) -> Iterator[str]:
    """How boxes of the same round hang together, and what each brings where they are not played alike."""
    if tally.boxes == 1:
        return
    if len(set(wanted.strategies)) > 1:
        rows = []
        for box, (mean, variance) in enumerate(tally.each, 1):
            told, off = (figures.percent(one, words, digits=4) for one in (-mean, sqrt(variance / tally.rounds)))
            rows.append([words.say(N_("box {box}"), box=box), told, f"± {off}"])
        yield words.say(N_("The house edge at each box as it was dealt, with its standard error:"))
        yield from figures.columns(rows)
    if (covariance := tally.covariance) is not None:
        variance = sum(one for _, one in tally.each) / tally.boxes
        yield words.say(N_("Variance of one box: {variance}; covariance of two in the same round: {covariance}"),
                        variance=figures.number(variance, words, digits=4, signed=False),
                        covariance=figures.number(covariance, words, digits=4, signed=False))  # fmt: skip


def _shuffled(table: Table, words: Words) -> str:
    rules = table.rules
    if rules.shuffle == "cut_card" and rules.cut_card_left is not None:
        return words.plural(
            "The shoe is shuffled when {n} card is left or fewer.",
            "The shoe is shuffled when {n} cards are left or fewer.",
            rules.cut_card_left,
        )
    return words.say(N_("The shoe is shuffled before every round."))


def _of_rounds(tally: Tally, words: Words) -> str:
    if not tally.watched:
        return words.say(N_("Of all rounds:"))
    part = figures.percent(1 - tally.watched / tally.rounds, words, digits=2)
    return words.say(N_("Of the rounds with a bet, which are {part} of all:"), part=part)


def _shares(tally: Tally, words: Words) -> Iterator[list[str]]:
    for name, sign in (("win", 1), ("push", 0), ("loss", -1)):
        yield [words.say(spreading.RATES[name]), figures.percent(tally.share(sign), words, digits=4)]
    if void := tally.rate(world.VOID):
        yield [words.say(N_("it is void, no card being left")), figures.percent(void, words, digits=4)]


def _rates(tally: Tally, words: Words) -> Iterator[list[str]]:
    for name, said in _HANDS.items():
        if rate := tally.rate(COUNTED[name]):
            yield [words.say(said), figures.number(100 * rate, words, digits=4, signed=False)]
