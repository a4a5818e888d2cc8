"""``tapete simulate``: a table played so many times, interrupted and taken up again."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from functools import partial
from typing import Final, NamedTuple

from tapete.errors import BadInput, TapeteError
from tapete.pricing import figures, simfile, simtally
from tapete.pricing.simasked import Asked, Point, Run, enough, initial, made
from tapete.pricing.simkept import Keeper
from tapete.pricing.stopping import Stop
from tapete.sim import kernel, running
from tapete.sim.results import Tally, nothing
from tapete.sim.running import Progress, Source
from tapete.sim.setting import Setting
from tapete.words import N_, Words

MOST_SECONDS: Final = 0.2
"""Between two lines of progress."""
LONG: Final = 3
"""Moments without a block after which a first look is wanted: compiled code that is kept is there sooner."""
NEVER: Final = 100_000_000
"""Rounds without a bet after which none is waited for, where an error is to be reached."""
MOST_POINTS: Final = 1000
"""Of a run's history."""


class Files(NamedTuple):
    """Where an earlier run stands, and where this one is kept; empty for nowhere, ``-`` for the output."""

    begun: str
    kept: str


class Ended(NamedTuple):
    """A run as far as it came, and what went wrong, if anything did."""

    run: Run
    fault: TapeteError | None


def played(wanted: Asked, files: Files, stop: Stop, *, words: Words, progress: bool) -> Ended:
    """The run to its end, or to where a signal or a fault stops it.

    Raises BadInput, before anything is played, for files and clusters that are of no use.
    """
    shown = _Shown(wanted, words) if progress else None
    try:
        if shown:
            shown.preparing()
        set_ = made(wanted)
        game, so_far, over = simtally.mark(set_), Progress(0, nothing(set_.game, set_.bet)), enough(wanted)
        if files.begun:
            so_far = simfile.begun(wanted, game, so_far.tally, files.begun)
        keeper = Keeper(files.kept)
        if shown:
            shown.ready(set_)
        with _players(wanted, set_, shown) as tallies:
            stop.listen()
            stages = running.run(set_, wanted.seed, begun=so_far, enough=over, tallies=tallies)
            ended = _followed(Run(wanted, so_far, over=False, game=game), stages, keeper, stop, words, shown)
    finally:
        if shown:
            shown.gone()
    run = ended.run._replace(over=over(ended.run.progress.tally))
    try:
        if run.progress.blocks:
            keeper.write(simfile.text(run))
    except BadInput as error:
        return Ended(run, ended.fault or error)
    return Ended(run, ended.fault)


@contextmanager
def _players(wanted: Asked, set_: Setting, shown: _Shown | None) -> Iterator[Source]:
    """Who plays: threads here, or a cluster."""
    if not wanted.cluster:
        yield partial(running.threads, set_, wanted.seed, workers=wanted.workers)
        return
    from tapete import cluster  # noqa: PLC0415  (an extra, and only who has one needs it)

    if shown:
        shown.joining()
    with cluster.joined(wanted.cluster) as client:
        yield partial(cluster.tallies, client, set_, wanted.seed)


def _followed(
    run: Run, stages: Generator[Progress], keeper: Keeper, stop: Stop, words: Words, shown: _Shown | None
) -> Ended:  # fmt: skip
    """The run through its stages, told and kept now and then."""
    history: list[Point] = []
    fault: TapeteError | None = None
    with closing(stages):
        try:
            for so_far in stages:
                if so_far.blocks > run.progress.blocks:
                    history = _longer(history, so_far.tally)
                    run = run._replace(progress=so_far)
                    keeper.now_and_then(partial(simfile.text, run), words)
                    if shown:
                        shown.tell(so_far.tally)
                elif shown and not so_far.blocks:
                    shown.look()
                if not run.asked.rounds and so_far.tally.rounds >= NEVER and not so_far.tally.staked:
                    raise BadInput("sim.never_bets", rounds=so_far.tally.rounds)
                if stop.signal and shown:
                    shown.stopping()
                if stop.signal and (so_far.blocks or run.asked.cluster):  # a thread's block is waited for in any case
                    break
        except TapeteError as error:
            fault = error
    return Ended(run._replace(history=tuple(history)), fault)


def _longer(history: list[Point], tally: Tally) -> list[Point]:
    """The history with one more point; every other one of a long history is dropped, so that it takes no more room."""
    kept = history[1::2] if len(history) >= MOST_POINTS else history
    return [*kept, Point(tally.rounds, tally.mean, tally.error)]


def clock(seconds: float) -> str:
    """Hours, minutes and seconds.

    >>> clock(59.6), clock(100_000)
    ('0:01:00', '27:46:40')
    """
    whole = round(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"


class _Shown:
    """A line about how far the run is, on the error output."""

    def __init__(self, wanted: Asked, words: Words) -> None:
        self._wanted, self._words = wanted, words
        self._set: Setting | None = None
        self._waited = 0
        self._begun: tuple[float, int] | None = None
        self._last = 0.0
        self._wide = 0

    def preparing(self) -> None:
        """Tells that the table is made ready."""
        self._write(self._words.say(N_("Making the table ready …")))

    def ready(self, set_: Setting) -> None:
        """The table is ready now."""
        self._set = set_

    def joining(self) -> None:
        """Tells that a cluster is sought."""
        self._write(self._words.say(N_("Joining the cluster at {address} …"), address=self._wanted.cluster))

    def stopping(self) -> None:
        """Tells that the end was heard of."""
        self._write(self._words.say(N_("Stopping: the rounds under way are played to their end …")))

    def look(self) -> None:
        """Has a first look, when no block has come for a while."""
        self._waited += 1
        if self._set and self._waited == LONG:
            self.first(running.glimpse(self._set, self._wanted.seed))

    def first(self, tally: Tally) -> None:
        """Tells what there is while nobody knows yet how fast it goes."""
        compiling = N_("After {rounds} rounds: edge {edge}, error {error}; compiling, this once …")
        going_on = N_("After {rounds} rounds: edge {edge}, error {error} …")
        self._write(
            self._words.say(
                going_on if kernel.is_compiled() or self._wanted.cluster else compiling,
                rounds=figures.number(tally.rounds, self._words, digits=0, signed=False),
                **self._edge(tally),
            )
        )

    def tell(self, tally: Tally) -> None:
        """Tells what there is after one more block."""
        now = time.monotonic()
        if self._begun is None:
            self._begun, self._last = (now, tally.rounds), now
            self.first(tally)
        elif now - self._last >= MOST_SECONDS:
            self._last = now
            self._write(self._line(tally, (tally.rounds - self._begun[1]) / (now - self._begun[0])))

    def _write(self, line: str) -> None:
        line = line[: shutil.get_terminal_size().columns - 1]
        sys.stderr.write("\r" + line.ljust(self._wide))
        sys.stderr.flush()
        self._wide = len(line)

    def _line(self, tally: Tally, rate: float) -> str:
        words, wanted = self._words, self._wanted
        total = wanted.rounds or tally.rounds * (tally.error / initial(tally) / wanted.error) ** 2
        return words.say(
            N_("edge {edge}, error {error}; {left} left; {rounds} M rounds, {rate} M/s"),
            rounds=figures.number(tally.rounds / 1e6, words, digits=1, signed=False),
            rate=figures.number(rate / 1e6, words, digits=1, signed=False),
            left=clock(max(0.0, total - tally.rounds) / rate),
            **self._edge(tally),
        )

    def _edge(self, tally: Tally) -> dict[str, str]:
        mean, error = (
            figures.percent(one / initial(tally), self._words, digits=4) for one in (-tally.mean, tally.error)
        )
        return {"edge": mean, "error": error}

    def gone(self) -> None:
        sys.stderr.write("\r" + " " * self._wide + "\r")
