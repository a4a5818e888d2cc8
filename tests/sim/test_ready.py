"""Machines made beforehand are those that would be made now, and a first look is one at the run itself."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scripts import machines
from tapete.cli import main
from tapete.exact.analysis import analyse
from tapete.exact.boxes import hand_by_hand
from tapete.pricing import priced, simasked, simulating, strategies
from tapete.pricing.simasked import Asked
from tapete.rulefile import preset, presets
from tapete.rules import with_
from tapete.sim import kernel, ready, running, world
from tapete.sim.results import nothing
from tapete.sim.setting import setting
from tapete.sim.streams import stream
from tests.pricing.test_simrisk import OPTIONS


def alike(one: Any, other: Any) -> bool:
    """Whether two nested tuples of arrays are the same, types and all."""
    if isinstance(one, tuple):
        return isinstance(other, tuple) and all(alike(*pair) for pair in zip(one, other, strict=True))
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other)
    return bool(one == other)


def asked(table: str, **options: str) -> Asked:
    """What the command makes of these options; ``set`` is a switch."""
    switches, shoe = [one for one in (options.pop("set", ""),) if one], options.pop("shoe", "")
    return simasked.asked(priced.table(table, switches, shoe=shoe), dict.fromkeys(OPTIONS, "") | options)


# --- machines -------------------------------------------------------------------------------------------------------


def test_the_machines_that_come_with_the_program_are_those_made_now(tmp_path: Path) -> None:
    machines.write(tmp_path)
    made, kept = ({file.name for file in folder.iterdir()} for folder in (tmp_path, machines.FOLDER))
    assert made == kept == {ready.file(hand_by_hand(preset(name).rules)) for name in presets()}
    for file in made:
        one, other = (np.load(folder / file) for folder in (tmp_path, machines.FOLDER))
        assert one.files == other.files
        assert all(alike(one[name], other[name]) for name in one.files), f"{file}: run scripts/machines.py"


@pytest.mark.parametrize(("name", "boxes"), [("casino", 1), ("faceup", 3), ("home", 7)])
def test_of_several_boxes_it_is_the_same_machine(name: str, boxes: int) -> None:
    rules = hand_by_hand(preset(name).rules)
    found = ready.machine_of(rules, boxes)
    assert alike(found, setting(analyse(rules, level="td").round, boxes_=boxes).game.machine)


def test_other_rules_have_no_machine_beforehand() -> None:
    rules = preset("casino").rules
    assert ready.machine_of(rules, 1)
    assert ready.machine_of(with_(rules, {"decks": 5}), 1) is None


@pytest.mark.parametrize("table", ["american-6d", "home"])
def test_nothing_is_counted_where_there_is_one(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wishes: tuple[dict[str, str], ...] = ({"boxes": "2"}, {"count": "hi-lo", "spread": "1-8"}, {"plain": "yes"})
    with monkeypatch.context() as patched:
        patched.setattr(ready, "machine_of", lambda *_: None)
        slow = [simasked.made(asked(table, **wish)) for wish in wishes]
    monkeypatch.setattr(strategies, "price", None)
    assert all(alike(one, simasked.made(asked(table, **wish))) for one, wish in zip(slow, wishes, strict=True))


@pytest.mark.parametrize(
    "wish",
    [
        {"strategy": "cdz"},
        {"strategy": "td,mimic"},
        {"shoe": "endless"},
        {"set": "decks=5"},
        {"count": "hi-lo", "spread": "1-8", "plays": "hi-lo"},
    ],
)
def test_what_is_played_otherwise_is_counted(wish: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = asked("casino", **wish)
    monkeypatch.setattr(strategies, "price", None)
    with pytest.raises(TypeError, match="NoneType"):
        simasked.made(wanted)


# --- the first look -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "options"),
    [("casino", {}), ("home", {"boxes": "3"}), ("faceup", {"plain": "yes"}),
     ("american-6d", {"count": "ko", "spread": "-10:1,0:4"}), ("casino", {"shoe": "endless"})],
)  # fmt: skip
def test_a_first_look_is_the_first_rounds_of_the_run_bit_for_bit(table: str, options: dict[str, str]) -> None:
    set_ = simasked.made(asked(table, **options))
    found = nothing(set_.game, set_.bet)
    state, step = stream(5, 0)
    cards, marks = set_.cards.copy(), np.zeros(world.MARKS, dtype=np.int64)
    marks[world.LIMIT], marks[world.OUT] = len(cards), 1
    shoe = world.Shoe(cards, marks, np.uint64(step), True, set_.gone)
    states = np.array([state], dtype=np.uint64)
    kernel.play(running.own(set_.game), shoe, states, running.GLIMPSE, found.books)
    assert found.rounds >= running.GLIMPSE
    assert alike(found, running.glimpse(set_, 5))
    assert not alike(found, running.glimpse(set_, 6))


class Terminal(io.StringIO):
    """An error output that is looked at."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], Terminal]:
    """Makes every block wait, as while it is compiled, after something was done; gives what stands on the terminal."""
    block, error = running.block, Terminal()

    def made(begun: Callable[[], object]) -> Terminal:
        def waited(*given: Any) -> Any:
            begun()
            time.sleep(10 * running.MOMENT)
            return block(*given)

        monkeypatch.setattr(running, "block", waited)
        monkeypatch.setattr(sys, "stderr", error)
        return error

    return made


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", ("Making the table ready …", "After", "compiling, this once …")),
     ("es", ("Preparando la mesa …", "Tras", "compilando, solo esta vez …"))],
)  # fmt: skip
@pytest.mark.parametrize("compiled", [True, False])
def test_who_waits_for_the_first_block_gets_a_first_look(
    language: str, said: tuple[str, ...], compiled: bool, slow: Callable[[Callable[[], object]], Terminal],
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    error = slow(lambda: None)
    look = running.glimpse(simasked.made(asked("casino")), 1)
    monkeypatch.setattr(kernel, "is_compiled", lambda: compiled)
    assert main(["simulate", "casino", "--rounds", "1", "--workers", "1", "--lang", language]) == 0
    lines = error.getvalue().split("\r")
    assert lines[1] == said[0]
    first, second = (line.split()[1] for line in lines if said[1] in line)
    assert int(first) == look.rounds
    assert str(int(second)) in capsys.readouterr().out.split("\n\n")[0]
    assert int(second) > running.BLOCK
    assert (said[2] in error.getvalue()) is not compiled


def test_the_kernel_says_whether_it_is_compiled() -> None:
    code = (
        "from tapete.sim import kernel, ready, running, setting; from tapete.rulefile import preset; "
        "rules = preset('casino').rules; set_ = setting.around(ready.machine_of(rules, 1), rules); "
        "print(kernel.is_compiled()); running.glimpse(set_, 1); print(kernel.is_compiled()); "
        "running.block(set_, 1, 0); print(kernel.is_compiled())"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["False", "False", "True"]


def test_who_stops_before_the_first_block_is_there_is_heard_and_gets_it(
    slow: Callable[[Callable[[], object]], Terminal], capsys: pytest.CaptureFixture[str]
) -> None:
    once = iter([signal.SIGINT])

    def stop() -> None:
        for number in once:
            os.kill(os.getpid(), number)

    error = slow(stop)
    assert main(["simulate", "casino", "--rounds", "1e9", "--workers", "1"]) == 130
    assert "Stopping: the rounds under way" in error.getvalue()
    assert "Stopped before its end" in capsys.readouterr().out


def test_who_asks_for_an_error_and_never_bets_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulating, "NEVER", 2 * running.BLOCK)
    wish = ["--count", "hi-lo", "--wong-in", "39", "--workers", "1", "--lang", "en"]
    assert main(["simulate", "american-6d", "--until-se", "1%", *wish]) == 2
    told = capsys.readouterr()
    assert "there was no bet, so no error is ever reached" in told.err
    assert "No round had a bet" in told.out
    assert main(["simulate", "american-6d", "--rounds", "6e5", *wish]) == 0
