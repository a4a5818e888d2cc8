"""How fast is the simulator, and how fast could it be?

    .venv/bin/python bench/sim.py            million rounds per second and core, by table, and the ratio to a kernel
                                             written by hand for one game (bench/reference_sim.py)
    .venv/bin/python bench/sim.py --workers  and the wall time of two threads against one
    .venv/bin/python bench/sim.py --cold     and when ``tapete simulate`` has its first estimate, and memory
    .venv/bin/python bench/sim.py --peers    and the rounds of public packages (bench/peers_sim.py), which are installed
                                             from PyPI into an environment that is thrown away

CPU time of whole blocks, median of several after one that does not count, the blocks of all in turn, so that other
programs on the machine disturb all alike. Each table is played by its best chart by totals; "counted" is the common
game (six packs, S17, DAS, splits to four hands, the cut card at 78) with Hi-Lo, a spread from 1 to 8 and its published
index plays, and "corrected" the same game with the control variate.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import pty
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from bench import reference_sim
from tapete.exact.analysis import analyse
from tapete.pricing import priced, simasked
from tapete.rulefile import preset
from tapete.sim import running
from tapete.sim.setting import Setting, setting
from tapete.sim.streams import stream

COMMON = "american-6d"
TABLES = (COMMON, "casino", "british", "leaflet", "faceup", "home")
WANTED = {COMMON: 25, "counted": 15}
"""Million rounds that each was asked to reach; the others 12."""
PEERS = ("gymnasium==1.4.0", "rlcard==1.2.0", "cardsharp==0.1.0")
HERE = Path(__file__).parent
MEMORY = (
    "import resource,sys; from tapete.cli import main; code = main(sys.argv[1:]); "
    "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, file=sys.stderr); sys.exit(code)"
)


def settings() -> dict[str, Setting]:
    """What is played."""
    found = {name: setting(analyse(preset(name).rules, level="td").round) for name in TABLES}
    asked = defaultdict(str, count="hi-lo", spread="1-8", plays="hi-lo", rounds="1", plain="yes")
    found["counted"] = simasked.made(simasked.asked(priced.table(COMMON, ()), asked))
    found["corrected"] = setting(analyse(preset(COMMON).rules, level="td").round, control=True)
    return found


def ours(set_: Setting) -> Callable[[int], int]:
    """Plays a block, and says how many rounds it has."""
    return lambda number: running.block(set_, 1, number).rounds


def reference(number: int) -> int:
    """The same of the kernel written by hand."""
    reference_sim.block(running.BLOCK, *stream(1, number))
    return running.BLOCK


def seconds(each: dict[str, Callable[[int], int]], times: int) -> dict[str, float]:
    """Seconds of CPU time of a round, played in turn."""
    taken = defaultdict(list)
    for number in range(times + 1):
        for name, play in each.items():
            before = time.process_time()
            rounds = play(number)
            taken[name].append((time.process_time() - before) / rounds)
    return {name: statistics.median(one[1:]) for name, one in taken.items()}


def wall(set_: Setting, workers: int) -> tuple[float, float]:
    """Seconds of wall time and of CPU time for fifty blocks."""
    before, spent = time.perf_counter(), time.process_time()
    for _ in running.run(set_, 1, workers=workers, enough=lambda tally: tally.rounds > 50 * running.BLOCK):
        pass
    return time.perf_counter() - before, time.process_time() - spent


def cold() -> None:
    """Prints when a process tells its first estimate on a terminal, its wall time, and its memory."""
    for more in (("--rounds", "1"), ("--rounds", "1", "--set", "decks=5"), ("--rounds", "1e8")):
        given = [sys.executable, "-c", MEMORY, "simulate", COMMON, *more, "--workers", "1", "--lang", "en"]
        with tempfile.TemporaryDirectory() as folder:
            for title in ("not compiled yet", "compiled"):
                spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
                first, whole, memory = shown(given, {**os.environ, "NUMBA_CACHE_DIR": folder})
                spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - spent
                told = (
                    f"{' '.join(more):26} {title:16} first estimate after {first:5.2f} s, all told after {whole:5.2f} s"
                )
                print(f"{told}, CPU time {spent:5.2f} s, {memory} MB")


def shown(given: list[str], environment: dict[str, str]) -> tuple[float, float, int]:
    """Starts a process at a terminal: seconds to its first estimate, to its end, and the number at its very end."""
    began, screen, first = time.perf_counter(), b"", 0.0
    process, terminal = pty.fork()
    if process == 0:
        os.execvpe(given[0], given, environment)
    with contextlib.suppress(OSError):  # Linux says so when the other side is closed
        while part := os.read(terminal, 1 << 16):
            screen += part
            first = first or (b"edge" in screen) * (time.perf_counter() - began)
    _, code = os.waitpid(process, 0)
    if code:
        raise SystemExit(screen.decode())
    return first, time.perf_counter() - began, int(screen.split()[-1])


def peers(nanoseconds: float) -> None:
    """Prints what public packages take, against ours."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder) / "bin" / "python")
        subprocess.run([python, "-m", "pip", "install", "-q", "--no-deps", *PEERS], check=True)
        more = ("numpy", "cloudpickle", "farama-notifications", "typing-extensions", "termcolor", "setuptools<80")
        subprocess.run([python, "-m", "pip", "install", "-q", *more], check=True)
        told = subprocess.run([python, str(HERE / "peers_sim.py")], check=True, capture_output=True, text=True)
    for line in told.stdout.splitlines():
        name, taken = line.split("\t")
        print(f"{name:18} {float(taken):10.0f} ns a round, {float(taken) / nanoseconds:8.0f} times ours")


def main() -> None:
    """Prints what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=15)
    for option in ("--workers", "--cold", "--peers"):
        parser.add_argument(option, action="store_true")
    asked = parser.parse_args()
    ready = settings()
    taken = seconds({"by hand": reference, **{name: ours(set_) for name, set_ in ready.items()}}, asked.times)
    for name, second in taken.items():
        wanted = f"   (wanted {WANTED.get(name, 12)})" if name in ready and name != "corrected" else ""
        ratio = second / taken["by hand"]
        print(f"{name:12} {second * 1e9:6.1f} ns  {1e-6 / second:5.1f} million rounds/s  {ratio:5.2f}{wanted}")
    if asked.workers:
        (one, alone), (two, both) = (wall(ready[COMMON], many) for many in (1, 2))
        cores = f"they had {both / two:.2f} cores, one had {alone / one:.2f}"
        print(f"two threads: {one / two:.2f} times as fast as one, by {both / alone:.2f} times its CPU time; {cores}")
    if asked.cold:
        cold()
    if asked.peers:
        peers(taken[COMMON] * 1e9)


if __name__ == "__main__":
    main()
