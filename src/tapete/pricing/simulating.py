"""``tapete simulate``: a table played so many times, told with its errors, interrupted and taken up again."""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import numpy as np
from msgspec.structs import replace

from tapete.errors import BadInput
from tapete.exact.boxes import hand_by_hand
from tapete.pricing import chartfile, figures, priced, spreading, strategies
from tapete.pricing.priced import Table
from tapete.rules import digest
from tapete.sim import kernel, running
from tapete.sim.results import Tally, nothing
from tapete.sim.running import Progress
from tapete.sim.setting import Setting, setting
from tapete.sim.streams import SEEDS
from tapete.terminal.talk import Talk
from tapete.words import N_, Words

ROUNDS: Final = 10_000_000
"""Rounds that are played where nothing is said."""
MOST_ROUNDS: Final = 10**13
MOST_BOXES: Final = 7
MOST_WORKERS: Final = 256
MOST_SECONDS: Final = 0.2
"""Between two lines of progress."""
_COUNTED: Final[Mapping[str, int]] = MappingProxyType(
    {
        "blackjack": kernel.BLACKJACKS,
        "split": kernel.SPLITS,
        "double": kernel.DOUBLES,
        "bust": kernel.BUSTS,
        "retire": kernel.RETIRES,
        "insured": kernel.INSURED,
    }
)
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


class Asked(NamedTuple):
    """What is to be played, and when it is enough: after so many ``rounds``, or at an ``error`` of the mean."""

    table: Table
    strategy: str
    boxes: int
    seed: int
    workers: int
    rounds: int
    error: float


class Run(NamedTuple):
    """A run so far, and whether it came to its end."""

    asked: Asked
    progress: Progress
    over: bool


# --- what is asked for ----------------------------------------------------------------------------------------------


def rounds(text: str) -> int:
    """How many rounds: a whole number, also as 1e8. Raises BadInput ``sim.rounds``."""
    try:
        wanted = float(text) if text.isascii() else math.nan
    except ValueError:
        wanted = math.nan
    if not 1 <= wanted <= MOST_ROUNDS or wanted != int(wanted):
        raise BadInput("sim.rounds", text=text[:40], most=MOST_ROUNDS)
    return int(wanted)


def error(text: str) -> float:
    """A standard error, as a part of the bet or in per cent. Raises BadInput ``sim.error``."""
    part = text.strip().removesuffix("%").strip()
    try:
        wanted = float(part.replace(",", ".") if part.isascii() else "") / (100 if text.strip().endswith("%") else 1)
    except ValueError:
        wanted = math.nan
    if not 1e-7 <= wanted <= 1:
        raise BadInput("sim.error", text=text[:40])
    return wanted


def whole(text: str, option: str, *, least: int, most: int) -> int:
    """A whole number within its limits. Raises BadInput ``sim.whole``."""
    if not text.isascii() or not text.isdecimal() or not least <= int(text[:30]) <= most:
        raise BadInput("sim.whole", option=option, text=text[:40], least=least, most=most)
    return int(text)


def asked(table: Table, options: Mapping[str, str]) -> Asked:
    """What the options ask for. Raises BadInput for each that does not read."""
    if options["rounds"] and options["until"]:
        raise BadInput("sim.both")
    boxes = whole(options["boxes"] or "1", "--boxes", least=1, most=MOST_BOXES)
    return Asked(
        table,
        options["strategy"] or priced.CHART,
        boxes,
        whole(options["seed"] or "1", "--seed", least=0, most=SEEDS - 1),
        whole(options["workers"] or "1", "--workers", least=1, most=MOST_WORKERS),
        0 if options["until"] else rounds(options["rounds"] or str(ROUNDS)),
        error(options["until"]) if options["until"] else 0.0,
    )


def made(wanted: Asked) -> Setting:
    """The table made ready. Raises BadInput for a strategy that there is not.

    Where hands decide about each other and cannot be counted, the way of playing is what is best hand by hand.
    """
    table = wanted.table
    alone = table._replace(preset=replace(table.preset, rules=hand_by_hand(table.rules)))
    return setting(strategies.price(alone, wanted.strategy).round, boxes_=wanted.boxes, rules=table.rules)


def enough(wanted: Asked) -> Callable[[Tally], bool]:
    """Whether a run has come to its end."""
    if wanted.rounds:
        return lambda tally: tally.rounds >= wanted.rounds
    return lambda tally: tally.rounds > 0 and tally.error <= wanted.error


# --- running --------------------------------------------------------------------------------------------------------


def played(wanted: Asked, file: str, *, words: Words, progress: bool) -> Run:
    """The run to its end, or to where Ctrl-C stops it; ``file``: of an earlier one, from which it goes on."""
    set_ = made(wanted)
    so_far = Progress(0, nothing(set_.game, set_.bet))
    if file:
        so_far = _begun(wanted, so_far.tally, file)
    over = enough(wanted)
    shown = _Shown(wanted, words, since=so_far.tally.rounds) if progress else None
    stages = running.run(set_, wanted.seed, workers=wanted.workers, begun=so_far, enough=over)
    try:
        for so_far in stages:
            if shown:
                shown.tell(so_far.tally)
    except KeyboardInterrupt:
        stages.close()
    if shown:
        shown.gone()
    return Run(wanted, so_far, over(so_far.tally))


class _Shown:
    """A line about how far the run is, on the error output."""

    def __init__(self, wanted: Asked, words: Words, since: int) -> None:
        self._wanted, self._words, self._since = wanted, words, since
        self._begun = self._last = time.monotonic()
        self._wide = 0

    def tell(self, tally: Tally) -> None:
        now = time.monotonic()
        if now - self._last < MOST_SECONDS:
            return
        self._last = now
        line = self._line(tally, (tally.rounds - self._since) / (now - self._begun))
        sys.stderr.write("\r" + line.ljust(self._wide))
        sys.stderr.flush()
        self._wide = len(line)

    def _line(self, tally: Tally, rate: float) -> str:
        words, wanted = self._words, self._wanted
        total = wanted.rounds or tally.rounds * (tally.error / wanted.error) ** 2
        return words.say(
            N_("{rounds} million rounds, {rate} million a second; edge {edge} ± {error}; {left} s left"),
            rounds=figures.number(tally.rounds / 1e6, words, digits=1, signed=False),
            rate=figures.number(rate / 1e6, words, digits=1, signed=False),
            edge=figures.percent(-tally.mean / tally.boxes, words, digits=4),
            error=figures.percent(tally.error / tally.boxes, words, digits=4),
            left=figures.number(max(0.0, total - tally.rounds) / rate, words, digits=0, signed=False),
        )

    def gone(self) -> None:
        sys.stderr.write("\r" + " " * self._wide + "\r")


# --- in words -------------------------------------------------------------------------------------------------------


def tell(run: Run, talk: Talk) -> None:
    """Says what the rounds came to."""
    words, wanted, tally = talk.words, run.asked, run.progress.tally
    talk.line(f"{wanted.table.title(words)} ({wanted.table.preset.id})")
    if not run.over:
        talk.tell(N_("Stopped before its end; what follows is of the rounds until then."))
    if not tally.rounds:
        talk.tell(N_("No round was finished."))
        return
    for line in _headline(tally, words):
        talk.line(line)
    talk.line("")
    talk.tell(
        N_("Played by {strategy}: {meaning}."),
        strategy=wanted.strategy,
        meaning=strategies.meaning(wanted.strategy, words),
    )
    talk.line(_shuffled(wanted.table, words))
    talk.line(words.plural("One box in each round.", "{n} boxes in each round.", wanted.boxes))
    talk.tell(N_("Seed {seed}: the same seed gives the same rounds."), seed=wanted.seed)
    talk.tell(N_("Rules: {digest}"), digest=digest(wanted.table.rules))
    talk.line("")
    talk.tell(N_("Of all rounds:"))
    for line in figures.columns(list(_shares(tally, words))):
        talk.line(line)
    talk.tell(N_("In 100 rounds there are:"))
    for line in figures.columns(list(_rates(tally, words))):
        talk.line(line)


def _headline(tally: Tally, words: Words) -> Iterator[str]:
    boxes = tally.boxes
    edge = figures.percent(-tally.mean / boxes, words, digits=5)
    off = figures.percent(tally.error / boxes, words, digits=5)
    yield words.say(N_("House edge: {edge}, standard error {error}"), edge=edge, error=off)
    ends = ((-tally.mean + sign * _NINETY_FIVE * tally.error) / boxes for sign in (-1, 1))
    low, high = (figures.percent(one, words, digits=4) for one in ends)
    yield words.say(N_("In 95 of 100 such runs, the true edge lies between the two: here {low} and {high}."),
                    low=low, high=high)  # fmt: skip
    many = figures.number(tally.rounds, words, digits=0, signed=False)
    sd = figures.number(tally.sd, words, digits=5, signed=False)
    yield words.say(N_("Rounds: {rounds}; standard deviation of a round: {sd} initial bets"), rounds=many, sd=sd)
    laid = tally.laid
    yield words.say(N_("Laid on hands in a round: {laid} initial bets; the edge on that: {edge}"),
                    laid=figures.number(laid, words, digits=5, signed=False),
                    edge=figures.percent(-tally.mean / laid, words, digits=5))  # fmt: skip


def _shuffled(table: Table, words: Words) -> str:
    rules = table.rules
    if rules.shuffle == "cut_card" and rules.cut_card_left is not None:
        return words.plural(
            "The shoe is shuffled when {n} card is left or fewer.",
            "The shoe is shuffled when {n} cards are left or fewer.",
            rules.cut_card_left,
        )
    return words.say(N_("The shoe is shuffled before every round."))


def _shares(tally: Tally, words: Words) -> Iterator[list[str]]:
    for name, sign in (("win", 1), ("push", 0), ("loss", -1)):
        yield [words.say(spreading.RATES[name]), figures.percent(tally.share(sign), words, digits=4)]
    if void := tally.rate(kernel.VOID):
        yield [words.say(N_("it is void, no card being left")), figures.percent(void, words, digits=4)]


def _rates(tally: Tally, words: Words) -> Iterator[list[str]]:
    for name, said in _HANDS.items():
        if rate := tally.rate(_COUNTED[name]):
            yield [words.say(said), figures.number(100 * rate, words, digits=4, signed=False)]


# --- as JSON --------------------------------------------------------------------------------------------------------


def as_json(run: Run) -> dict[str, Any]:
    """The run with all digits, and with what it takes to go on; the keys are documented in docs/simulating.md."""
    wanted, tally = run.asked, run.progress.tally
    some = tally.rounds > 0
    return {
        **priced.stated(wanted.table, wanted.strategy),
        "boxes": wanted.boxes,
        "seed": wanted.seed,
        "blocks": run.progress.blocks,
        "finished": run.over,
        "rounds": tally.rounds,
        "ev": tally.mean / tally.boxes if some else None,
        "house_edge": -tally.mean / tally.boxes if some else None,
        "standard_error": tally.error / tally.boxes if some else None,
        "sd": tally.sd if some else None,
        "laid": tally.laid if some else None,
        "rates": {name: tally.rate(at) for name, at in _COUNTED.items()} if some else {},
        "results": [[net, many] for net, many in tally.results],
        "counts": tally.counts.tolist(),
    }


def _begun(wanted: Asked, tally: Tally, file: str) -> Progress:
    """Where an earlier run had come to, filled into an empty tally. Raises BadInput ``sim.unreadable``."""
    text = chartfile.content(Path(file))
    mine = {"rules": digest(wanted.table.rules), **{key: getattr(wanted, key) for key in ("strategy", "boxes", "seed")}}
    try:
        told = json.loads(text)
        for key, ours in mine.items():
            if told[key] != ours:
                raise BadInput("sim.another", file=file[:80], key=key, theirs=str(told[key])[:20], ours=str(ours)[:20])
        return Progress(int(told["blocks"]), _filled(tally, told))
    except (ValueError, KeyError, TypeError, IndexError, OverflowError):
        raise BadInput("sim.unreadable", file=file[:80]) from None


def _filled(tally: Tally, told: Mapping[str, Any]) -> Tally:
    for net, many in told["results"]:
        at = round(net * tally.bet) + len(tally.nets) // 2
        if at < 0 or many < 0:
            raise ValueError(net)
        tally.nets[at] += many
    counts = np.array(told["counts"], dtype=np.int64)
    if counts.shape != tally.counts.shape or counts[kernel.ROUNDS] != tally.nets.sum():
        raise ValueError(told["counts"])
    return tally._replace(counts=counts)
