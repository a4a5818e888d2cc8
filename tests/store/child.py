"""Programs that the store's tests start, kill and starve. Run as ``python child.py COMMAND FOLDER …``.

Each says what happens line by line on its output, so that a test knows what this program believed when it died.
"""

from __future__ import annotations

import os
import random
import resource
import signal
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from tapete.errors import TapeteError
from tapete.store import BANK, Store, rack

NOBODY = 65534
STAKE = 7


def opened(folder: Path) -> Store:
    """The store of this program: the file in the folder, or what TAPETE_TEST_URL names."""
    return Store(folder, url=os.environ.get("TAPETE_TEST_URL"))


def say(*words: object) -> None:
    sys.stdout.write(" ".join(str(word) for word in words) + "\n")
    sys.stdout.flush()


def play_round(store: Store, person: int, table: int, number: int) -> None:
    """One transaction with everything in it: three events, two transfers, a saved round and a shoe."""
    with store.transaction() as deeds:
        first = 3 * number - 2
        deeds.append(table, [f"{number} a".encode(), f"{number} b".encode()], first_seq=first)
        deeds.move({rack(person, table=table): -STAKE, BANK: STAKE}, why="lock", table=table)
        deeds.add_shoe(f"{table}/{number}", table=table, secret=b"s" * 32)
        deeds.append(table, [f"{number} c".encode()], first_seq=first + 2)
        deeds.move({rack(person, table=table): STAKE - 1, BANK: 1 - STAKE}, why="settle", table=table)
        deeds.save_round(table, number=number, text=f"round {number}")


def sit_down(store: Store, name: str) -> tuple[int, int]:
    """A table of one's own: the one that a dead program left, or a new one."""
    person = store.person(name).id
    for one in store.resumable():
        if one.name == name:
            return person, store.claim(one.id).id
    with store.transaction() as deeds:
        table = deeds.open_table(kind="casino", name=name, config=b"{}")
        deeds.sit(person, table=table, amount=50_000)
    return person, table


def work(folder: Path, name: str, rounds: int) -> None:
    """Play ``rounds`` rounds, and tell each one that is kept."""
    with opened(folder) as store:
        person, table = sit_down(store, name)
        done = store.last_seq(table) // 3
        say("table", table)
        for number in range(done + 1, done + rounds + 1):
            play_round(store, person, table, number)
            say("kept", number)


def together(folder: Path, name: str, rounds: int) -> None:
    """Wait for the word, then work."""
    say("ready")
    sys.stdin.readline()
    work(folder, name, rounds)


def hold(folder: Path, name: str) -> None:
    """Hold a table with an unfinished round until somebody ends this program."""
    with opened(folder) as store:
        person, table = sit_down(store, name)
        play_round(store, person, table, 1)
        say("table", table)
        sys.stdin.readline()


def nursery(folder: Path, name: str) -> None:
    """For each folder told, within ``folder``, let a new program work there without end; tell when it is dead.

    Behind the folder may stand the address of a database to work in instead.
    """
    while line := sys.stdin.readline():
        where, *url = line.split()
        os.environ.update({"TAPETE_TEST_URL": url[0]} if url else {})
        child = os.fork()
        if not child:
            say("born", os.getpid())
            work(folder / where, name, 10**6)
        os.waitpid(child, 0)
        say("dead")


def interrupted(folder: Path, name: str) -> None:
    """Work with one store while Ctrl-C comes again and again, and tell each time how many rounds are kept."""
    dice = random.Random(5)
    with opened(folder) as store:
        person, table = sit_down(store, name)
        for _ in range(150):
            number = store.last_seq(table) // 3 + 1
            try:
                signal.setitimer(signal.ITIMER_REAL, dice.uniform(0.0005, 0.012))
                while True:
                    play_round(store, person, table, number)
                    number += 1
            except KeyboardInterrupt:
                say("kept", number - 1, store.last_seq(table))


def unprivileged(folder: Path) -> None:
    """Open the store as nobody, after showing that nobody may not write there."""
    with tempfile.TemporaryDirectory() as elsewhere, Store(Path(elsewhere)) as store:
        store.person("Ana")  # loads whatever is loaded late, while this program may still read it
    become_nobody()
    say("user", os.geteuid())
    say(*told(lambda: (folder if folder.exists() else folder.parent).joinpath("probe").write_text("x")))
    say(*told(lambda: Store(folder).close()))


def become_nobody() -> None:
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)


def told(deed: Callable[[], object]) -> tuple[object, ...]:
    """What comes of a deed, in words."""
    try:
        deed()
    except TapeteError as error:
        return "refused", error.code
    except OSError as error:
        return "error", type(error).__name__
    return ("done",)


def limited(folder: Path, name: str) -> None:
    """Work until files may not grow any more, then without that limit."""
    with opened(folder) as store:
        person, table = sit_down(store, name)
        grown = max(one.stat().st_size for one in folder.iterdir() if one.is_file())
        resource.setrlimit(resource.RLIMIT_FSIZE, (grown + 60_000, resource.RLIM_INFINITY))
        number = 0
        outcome: tuple[object, ...] = ("done",)
        while outcome == ("done",):
            number += 1
            outcome = told(lambda: play_round(store, person, table, number))  # noqa: B023  (called at once)
        say(*outcome)
        say("kept", store.last_seq(table) // 3, number - 1)
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        say(*told(lambda: play_round(store, person, table, number)))


if __name__ == "__main__":
    signal.signal(signal.SIGALRM, lambda _number, _frame: signal.raise_signal(signal.SIGINT))
    command, folder, *rest = sys.argv[1:]
    if command in ("work", "together"):
        {"work": work, "together": together}[command](Path(folder), rest[0], int(rest[1]))
    elif command == "unprivileged":
        unprivileged(Path(folder))
    else:
        {"hold": hold, "nursery": nursery, "interrupted": interrupted, "limited": limited}[command](
            Path(folder), rest[0]
        )
