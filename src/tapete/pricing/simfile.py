"""A simulated run as JSON, and taken up again from there; the keys are documented in docs/simulating.md."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from tapete.errors import BadInput
from tapete.pricing import chartfile, priced
from tapete.pricing.simasked import Asked, Run
from tapete.rules import digest
from tapete.sim import kernel
from tapete.sim.results import Tally
from tapete.sim.running import Progress

COUNTED: Final[Mapping[str, int]] = MappingProxyType(
    {
        "blackjack": kernel.BLACKJACKS,
        "split": kernel.SPLITS,
        "double": kernel.DOUBLES,
        "bust": kernel.BUSTS,
        "retire": kernel.RETIRES,
        "insured": kernel.INSURED,
    }
)
"""What is counted, by its name in JSON."""


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
        "rates": {name: tally.rate(at) for name, at in COUNTED.items()} if some else {},
        "results": [[net, many] for net, many in tally.results],
        "counts": tally.counts.tolist(),
    }


def begun(wanted: Asked, tally: Tally, file: str) -> Progress:
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
