"""``tapete simulate``: a table played so many times, interrupted and taken up again."""

from __future__ import annotations

import sys
import time
from typing import Final

from tapete.pricing import figures, simfile
from tapete.pricing.simasked import Asked, Run, enough, made
from tapete.sim import running
from tapete.sim.results import Tally, nothing
from tapete.sim.running import Progress
from tapete.words import N_, Words

MOST_SECONDS: Final = 0.2
"""Between two lines of progress."""


def played(wanted: Asked, file: str, *, words: Words, progress: bool) -> Run:
    """The run to its end, or to where Ctrl-C stops it; ``file``: of an earlier one, from which it goes on."""
    set_ = made(wanted)
    so_far = Progress(0, nothing(set_.game, set_.bet))
    if file:
        so_far = simfile.begun(wanted, so_far.tally, file)
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
