"""People at a terminal, for tests: lines through a pipe, and keys on a terminal of their own."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Final

from tapete.money import CHIP

PATIENCE: Final = 60.0
"""Seconds after which a program that says nothing is taken for hung."""
# Makes the terminal that is its standard input its own, so that Ctrl-C reaches it.
_TAKES_TERMINAL: Final = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.executable, sys.argv[1:])"
)


def environment(folder: Path, **more: str) -> dict[str, str]:
    """The surroundings of a person whose chips lie in ``folder``."""
    return {"PATH": os.environ["PATH"], "TAPETE_DATA": str(folder), "PYTHONUTF8": "1", "TERM": "xterm", **more}


def command(*arguments: str) -> list[str]:
    """The command line ``tapete …``."""
    return [sys.executable, "-m", "tapete", *arguments]


def pipe(
    folder: Path, *arguments: str, lines: Sequence[str] = (), more: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs ``tapete …`` with these lines typed through a pipe."""
    return subprocess.run(
        command(*arguments),
        check=False,
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        encoding="utf-8",
        env=environment(folder, **(more or {})),
        timeout=PATIENCE * 2,
    )


def said(folder: Path, *arguments: str, lines: Sequence[str] = (), more: Mapping[str, str] | None = None) -> str:
    """What ``tapete …`` said, when it ended well and had nothing to complain about."""
    done = pipe(folder, *arguments, lines=lines, more=more)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


class Person:
    """Somebody in front of a terminal on which ``tapete …`` runs."""

    def __init__(self, folder: Path, arguments: Sequence[str], *, columns: int, more: Mapping[str, str]) -> None:
        self._mine, its = pty.openpty()
        fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.program = subprocess.Popen(
            [sys.executable, "-c", _TAKES_TERMINAL, *command(*arguments)],
            stdin=its,
            stdout=its,
            stderr=its,
            start_new_session=True,
            env=environment(folder, **more),
        )
        os.close(its)
        self.seen = ""
        self._read_to = 0
        self._last = ""

    def sees(self, text: str) -> str:
        """Waits until the text has come behind what was read before; gives what came up to its end."""
        deadline = time.monotonic() + PATIENCE
        while text not in self.seen[self._read_to :]:
            assert time.monotonic() < deadline, f"never said {text!r}; said {self.seen[self._read_to :]!r}"
            assert self._listen() or text in self.seen[self._read_to :], f"ended without {text!r}: {self.seen!r}"
        end = self.seen.index(text, self._read_to) + len(text)
        read, self._read_to = self.seen[self._read_to : end], end
        return read

    def _listen(self) -> bool:
        """Takes in what was said; whether the program still has its terminal."""
        if not select.select([self._mine], [], [], 1.0)[0]:
            return True
        try:
            heard = os.read(self._mine, 65536)
        except OSError:  # Linux's way to say that the other side is closed
            return False
        self.seen += heard.decode("utf-8", "replace").replace("\r\n", "\n")
        return bool(heard)

    def types(self, text: str) -> None:
        """Types these characters, all at once."""
        os.write(self._mine, text.encode())

    def answers(self, line: str) -> None:
        """Waits for the prompt and types a line, not so fast that it could be a held key."""
        self.sees("> ")
        if line == self._last:
            time.sleep(0.75)
        self._last = line
        self.types(f"{line}\n")

    def kills(self) -> None:
        """Ends the program at once, as a power cut would."""
        self.program.send_signal(signal.SIGKILL)
        self.program.wait(PATIENCE)

    def ended(self) -> int:
        """The exit code, when all has been said."""
        deadline = time.monotonic() + PATIENCE
        while self._listen():
            assert time.monotonic() < deadline, f"never ended; said {self.seen!r}"
        return self.program.wait(PATIENCE)

    def close(self) -> None:
        """Takes the terminal away."""
        if self.program.poll() is None:
            self.program.kill()
            self.program.wait(PATIENCE)
        os.close(self._mine)


@contextmanager
def at_terminal(
    folder: Path, *arguments: str, columns: int = 80, more: Mapping[str, str] | None = None
) -> Iterator[Person]:
    """A person at a terminal, gone when the block ends."""
    one = Person(folder, arguments, columns=columns, more=more or {})
    try:
        yield one
    finally:
        one.close()


_AMOUNT: Final = r"[-+]?[0-9]+(?:[.,][0-9]+)?"


def _units(text: str) -> int:
    return int(Decimal(text.replace(",", ".")) * CHIP)


def balances(told: str, name: str, *, language: str = "en") -> list[int]:
    """The chips that a transcript says the person has after each round, in units."""
    pattern = {"en": rf"^{name} now has ({_AMOUNT}) chips", "es": rf"^{name} tiene ahora ({_AMOUNT}) fichas"}[language]
    return [_units(found) for found in re.findall(pattern, told, re.MULTILINE)]


def sums(told: str, name: str) -> list[int]:
    """What a transcript gives the person for each round, as in ``Ana: +10 -5 = +5.`` (here 500), in units."""
    found = re.findall(rf"^{name}: (?:[-+0-9,. ]+ = )?({_AMOUNT})\.$", told, re.MULTILINE)
    return [_units(one) for one in found]
