"""A simulated run as JSON, and taken up again from there; the keys are documented in docs/simulating.md."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import msgspec

from tapete import __version__
from tapete.errors import BadInput
from tapete.messages import why
from tapete.pricing import priced, simcount, simrisk, simtally
from tapete.pricing.simasked import Asked, Run, initial
from tapete.rules import digest
from tapete.sim import world
from tapete.sim.results import Tally
from tapete.sim.running import Progress
from tapete.words import N_

COUNTED: Final[Mapping[str, int]] = MappingProxyType(
    {
        "blackjack": world.BLACKJACKS,
        "split": world.SPLITS,
        "double": world.DOUBLES,
        "bust": world.BUSTS,
        "retire": world.RETIRES,
        "insured": world.INSURED,
    }
)
"""What is counted, by its name in JSON."""
FREE: Final = ("table", "counter", "workers", "cluster", "rounds", "error", "wish", "strategies")
"""What a run that is taken up again may be asked otherwise; the table and the counter are compared in their own way."""
LARGEST: Final = 1 << 26


def as_json(run: Run) -> dict[str, Any]:
    """The run with all digits, and with what it takes to go on; the keys are documented in docs/simulating.md."""
    wanted, tally = run.asked, run.progress.tally
    some = tally.rounds > 0
    return {
        **priced.stated(wanted.table, wanted.strategy),
        **_defined(wanted),
        "game": run.game,
        "blocks": run.progress.blocks,
        "finished": run.over,
        "rounds": tally.rounds,
        "ev": tally.mean / tally.boxes if some else None,
        "house_edge": -tally.mean / initial(tally) if some else None,
        "flat_house_edge": -tally.flat_mean / tally.boxes if some else None,
        "standard_error": tally.error / tally.boxes if some else None,
        "control_variate": tally.corrected,
        "plain_ev": tally.plain_mean / tally.boxes if some else None,
        "plain_standard_error": tally.plain_error / tally.boxes if some else None,
        "shoes": tally.shoes,
        "covariance": tally.covariance if some else None,
        "each_box": [list(one) for one in tally.each] if some else [],
        "staked": tally.staked if some else None,
        "sd": tally.sd if some else None,
        "laid": tally.laid if some else None,
        "rates": {name: tally.rate(at) for name, at in COUNTED.items()} if some else {},
        "results": [[net, many] for net, many in tally.results],
        **simrisk.as_json(tally, wanted.wish),
        "tally": simtally.plain(tally),
    }


def text(run: Run) -> str:
    """The run as the text of its file."""
    return priced.json_text(as_json(run))


def _counted(wanted: Asked) -> dict[str, str]:
    """What was asked about counting, where somebody counts."""
    return {key: wanted.counter.told[key] if wanted.counter else "" for key in simcount.OPTIONS}


def begun(wanted: Asked, game: str, empty: Tally, file: str) -> Progress:
    """Where an earlier run of the same ``game`` had come to, filled into an empty tally.

    Raises BadInput ``sim.unreadable``, ``sim.another`` where it was asked for something else, ``sim.another_game``.
    """
    content = _content(file)
    try:
        told = msgspec.json.decode(content)
        for key, ours in _defined(wanted).items():
            if json.dumps(told[key]) != json.dumps(ours):
                raise _another(file, key, told[key], ours)
        if told["game"] != game:
            raise BadInput("sim.another_game", file=file[-80:])
        blocks = told["blocks"]
        if type(blocks) is not int:
            raise ValueError(blocks)
        return Progress(blocks, simtally.filled(empty, told["tally"], blocks))
    except (ValueError, KeyError, TypeError, IndexError, OverflowError, RecursionError):
        raise BadInput("sim.unreadable", file=file[-80:]) from None


def _content(file: str) -> bytes:
    try:
        with Path(file).open("rb") as opened:
            found = opened.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        raise BadInput("chart.unreadable", file=file[-80:], why=why(error)) from None
    if len(found) > LARGEST:
        raise BadInput("sim.unreadable", file=file[-80:])
    return found


def _another(file: str, key: str, theirs: Any, ours: Any) -> BadInput:
    """What is said of a run that was asked for something else."""
    facts: dict[str, Any] = {"file": file[-80:], "key": key}
    if isinstance(theirs, bool) and isinstance(ours, bool):
        return BadInput("sim.another_switch", **facts, theirs=_switch(theirs), ours=_switch(ours))
    return BadInput("sim.another", **facts, theirs=_short(theirs), ours=_short(ours))


def _switch(on: bool) -> str:  # noqa: FBT001  (the answer to a question)
    return N_("yes") if on else N_("no")


def _short(value: Any) -> str:
    return "".join(one if one.isprintable() else "?" for one in str(value))[:20] or "-"


def _defined(wanted: Asked) -> dict[str, Any]:
    """What a run was asked for, by its key, as far as it decides what is played."""
    plain = {name: getattr(wanted, name) for name in wanted._fields if name not in FREE}
    return {"version": __version__, "rules": digest(wanted.table.rules), **plain, **_counted(wanted)}
