"""The real command in a real terminal: what comes out of it is drawn by a terminal emulator and read from there."""

from __future__ import annotations

import os
import pty
import select
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import ioctl
from pathlib import Path
from termios import TIOCSWINSZ

import pyte
import pytest

from tapete.store import Store

PATIENCE = 60.0


class Terminal:
    """A program in a terminal of its own."""

    def __init__(self, process: subprocess.Popen[bytes], handle: int, *, columns: int, rows: int) -> None:
        self.process = process
        self._handle = handle
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self.raw = b""

    @property
    def text(self) -> str:
        return "\n".join(self._screen.display)

    def type(self, keys: str) -> None:
        os.write(self._handle, keys.encode())

    def until(self, wanted: str) -> None:
        """Reads on until this stands on the screen."""
        ends = time.monotonic() + PATIENCE
        while wanted not in self.text:
            assert time.monotonic() < ends, f"never saw {wanted!r} in\n{self.text}"
            if not self._read() and self.process.poll() is not None and not self._read():
                break
        assert wanted in self.text, self.text

    def _read(self) -> bool:
        if not select.select([self._handle], [], [], 0.2)[0]:
            return False
        try:
            new = os.read(self._handle, 65536)
        except OSError:  # the other end of a terminal is gone
            return False
        self.raw += new
        self._stream.feed(new)
        return bool(new)

    def ended(self) -> int:
        """Reads to the end and tells the exit code."""
        ends = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < ends:
            self._read()
        while self._read():
            pass
        return self.process.wait(timeout=1)


@contextmanager
def terminal(folder: Path, *arguments: str, columns: int = 100, rows: int = 30, **environ: str) -> Iterator[Terminal]:
    """The command ``tapete play`` with these arguments in a terminal."""
    ours, theirs = pty.openpty()
    ioctl(theirs, TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    surroundings = {"PATH": os.environ["PATH"], "TERM": "xterm-256color", "LANG": "C.UTF-8", "HOME": str(folder)}
    surroundings |= {"TAPETE_DATA": str(folder / "data"), "PYTHONUTF8": "1", **environ}
    process = subprocess.Popen(
        [sys.executable, "-m", "tapete", "play", *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=surroundings,
        start_new_session=True,
        cwd=Path(__file__).parents[2],
    )
    os.close(theirs)
    try:
        yield Terminal(process, ours, columns=columns, rows=rows)
    finally:
        process.kill()
        process.wait()
        os.close(ours)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
class TestRealTerminal:
    def test_a_newcomer_plays_with_nothing_but_the_keys_that_are_shown(self, tmp_path: Path) -> None:
        with terminal(tmp_path, "--seed", "7", "--speed", "none") as seat:
            seat.until("Which table?")
            seat.type("1")
            seat.until("Who plays?")
            seat.type("\r")
            seat.until("lay a bet with the chips")
            seat.type("3")
            seat.until("your bet is 10")
            time.sleep(0.8)  # the Enter that gave the name must not still count as held
            seat.type("\r")
            seat.until("What now?")
            assert "1 Hit (h)" in seat.text
            seat.type("2")
            seat.until("Enter Go on")
            seat.type("q")
            assert seat.ended() == 0
            assert "leaves with" in seat.raw.decode()
        with Store(tmp_path / "data") as store:
            assert store.open_tables() == []
            assert store.audit().faults == ()

    @pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL, None])
    def test_whatever_ends_the_program_the_round_goes_on(self, tmp_path: Path, end: signal.Signals | None) -> None:
        with terminal(tmp_path, "casino", "--name", "Ana", "--seed", "7", "--speed", "none", TAPETE_LANG="es") as seat:
            seat.until("Repartir")
            seat.type("3")
            seat.until("apuestas 10")
            seat.type("n")
            seat.until("¿Qué se hace?")
            asked = next(line for line in seat.text.splitlines() if "¿Qué se hace?" in line)
            if end is None:
                seat.type("\x03")
            else:
                os.kill(seat.process.pid, end)
            code = seat.ended()
            assert code == (0 if end != signal.SIGKILL else -signal.SIGKILL)
        with terminal(tmp_path, "casino", "--speed", "none", TAPETE_LANG="es") as seat:
            seat.until(asked.strip())
            seat.type("2")
            seat.until("Intro Seguir")
            seat.type("q")
            assert seat.ended() == 0
        with Store(tmp_path / "data") as store:
            assert store.audit().faults == ()

    def test_no_color_is_heeded(self, tmp_path: Path) -> None:
        with terminal(tmp_path, "home", "--name", "Ana", "--speed", "none", NO_COLOR="1") as seat:
            seat.until("n Deal")
            seat.type("q")
            assert seat.ended() == 0

    def test_forty_columns_are_enough_for_a_round(self, tmp_path: Path) -> None:
        with terminal(tmp_path, "faceup", "--name", "Ana", "--seed", "3", columns=40, rows=20) as seat:
            seat.until("n Deal")
            seat.type("3")
            seat.until("your bet is 10")
            seat.type("n")
            seat.until("Hit (h)")
            seat.type("q")
            assert seat.ended() == 0
            assert "The round is kept" in seat.raw.decode()
