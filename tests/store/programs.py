"""Starting the programs of ``child.py``, and what must hold after any of them died."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tapete.store import BANK, Store

CHILD = Path(__file__).with_name("child.py")


class Program:
    """A running program that is told and tells lines."""

    def __init__(self, *arguments: object, url: str | None) -> None:
        command = [sys.executable, str(CHILD), *map(str, arguments)]
        pipe = subprocess.PIPE
        there = {**os.environ, "TAPETE_TEST_URL": url} if url else None
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=there)

    def hear(self) -> list[str]:
        """The words of its next line; none when it has ended."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().split()

    def tell(self, line: str = "") -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def hear_all(self) -> list[list[str]]:
        """Every line until it ends well."""
        said = []
        while line := self.hear():
            said.append(line)
        assert self.process.wait() == 0
        return said

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()


@contextmanager
def program(*arguments: object, url: str | None = None) -> Iterator[Program]:
    one = Program(*arguments, url=url)
    try:
        yield one
    finally:
        one.end()


def rounds_kept(store: Store, table: int) -> int:
    """How many rounds of ``child.play_round`` are there, after checking that each is there with all its parts."""
    seqs = [event.seq for event in store.events(table)]
    rounds = list(store.rounds(table))
    assert seqs == list(range(1, 3 * len(rounds) + 1))
    assert rounds == list(range(1, len(rounds) + 1))
    assert len(store.shoes(table)) == len(rounds)
    assert [event.payload.split()[0] for event in store.events(table)][::3] == [str(n).encode() for n in rounds]
    return len(rounds)


def assert_whole(store: Store) -> int:
    """All rounds kept at all open tables, after checking that money and log tell of the same rounds."""
    assert store.audit().faults == ()
    kept = sum(rounds_kept(store, one.id) for one in store.open_tables())
    assert store.holds(BANK) == kept
    return kept
