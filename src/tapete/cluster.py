"""The simulator on a Dask cluster: groups of blocks played by its workers, their tallies given back in order.

What a group of blocks comes to depends on its numbers alone. So a worker may be lost at any moment: another plays its
groups again, with the same bits, and each group is taken once, by its place in the line. The scheduler keeps the table
itself, so that it outlives every worker.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
import time
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final

import distributed
from distributed.scheduler import KilledWorker

from tapete import __version__
from tapete.errors import BadInput
from tapete.exact.compiled import written_in
from tapete.sim import running
from tapete.sim.results import Tally
from tapete.sim.setting import Setting

CONNECT: Final = 10.0
"""Seconds for a scheduler to answer."""
PATIENCE: Final = 30.0
"""Seconds for a first or another worker to come, and for a result to be carried here."""
GLANCE: Final = 0.25
"""Seconds after which a wait is told of."""
LOOK: Final = 2.0
"""Seconds between two looks at who is there."""
AHEAD: Final = 2
"""Groups that each thread of the workers may have waiting."""
MOST: Final = 64
"""Blocks of a group, about a second's work. The first groups are smaller, so that little is played in vain."""
_ADDRESS: Final = re.compile(r"(?:(tcp|tls|ws|wss)://)?(?:[\w.-]+|\[[0-9A-Fa-f:.]+\]):(\d{1,5})", re.ASCII)
_Client: Final[Any] = distributed.Client  # typed in parts only, as is what follows
_Security: Final[Any] = distributed.Security
_connect: Final[Any] = distributed.comm.core.connect
_send_recv: Final[Any] = distributed.core.send_recv
_get_worker: Final[Any] = distributed.get_worker
_wait: Final[Any] = distributed.wait


@contextmanager
def joined(address: str) -> Iterator[Any]:
    """A client of the scheduler at an address, whose workers all have this very Tapete.

    What Dask would log or warn of is not shown meanwhile. Raises BadInput ``cluster.…``.
    """
    level = logging.root.manager.disable
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        logging.disable(logging.CRITICAL)
        try:
            client = _client(address)
            try:
                _check(client)
                yield client
            finally:
                client.close(timeout=GLANCE)
        finally:
            logging.disable(level)


def _client(address: str) -> Any:
    read = _ADDRESS.fullmatch(address)
    if not read or not 0 < int(read[2]) < 1 << 16:
        raise BadInput("cluster.address", address=address[:80])
    try:
        security = _Security()  # from Dask's own settings
        keys = security.get_connection_args("client")
        if read[1] in ("tls", "wss") and not keys.get("ssl_context"):
            raise BadInput("cluster.certificates", address=address[:80])
        asyncio.run(asyncio.wait_for(_ask(address, keys), CONNECT + 1))
        return _Client(address, timeout=CONNECT, set_as_default=False, security=security)
    except Exception as error:  # whatever listens there may answer whatever it likes
        if isinstance(error, BadInput):
            raise
        if not (why := getattr(error, "strerror", None) or str(error)):
            raise BadInput("cluster.silent", address=address[:80]) from None
        raise BadInput("cluster.unreachable", address=address[:80], why=why.partition("\n")[0][:160]) from None


async def _ask(address: str, keys: dict[str, Any]) -> None:
    """Raises OSError where no scheduler answers: a client would wait for ever where something else listens."""
    comm = await _connect(address if "://" in address else f"tcp://{address}", timeout=CONNECT, **keys)
    try:
        told = await asyncio.wait_for(_send_recv(comm, op="identity"), CONNECT)
    finally:
        comm.abort()
    if told.get("type") != "Scheduler":
        raise OSError


def _check(client: Any) -> None:
    """Waits for a first worker, and asks all that are there what they would play with."""
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
        found = client.run(_marker(), on_error="return")
    except TimeoutError:
        raise BadInput("cluster.nobody", seconds=int(PATIENCE)) from None
    except (OSError, CancelledError, RuntimeError):
        raise BadInput("cluster.lost") from None
    others = [worker for worker, told in found.items() if told != mark()]
    if others:
        raise BadInput("cluster.another", worker=others[0], many=len(others), all=len(found))


# --- what the workers do --------------------------------------------------------------------------------------------


@cache
def mark() -> str:
    """The version of Tapete and a digest of all that plays: with the same mark come the same bits."""
    files = Path(__file__), *written_in(Path(__file__).parent)
    found = hashlib.sha256(b"\0".join(file.read_bytes().replace(b"\r\n", b"\n") for file in files))
    return f"{__version__} {found.hexdigest()[:16]}"


def _marker() -> Callable[[], str]:
    """A function that travels by its code, not by its name, so that it runs even where there is no Tapete."""

    def found() -> str:
        try:
            from tapete import cluster  # noqa: PLC0415, PLW0406  (the one that is there)

            return cluster.mark()
        except (ImportError, AttributeError):
            return ""

    return found


def the_table(set_: Setting) -> Setting:
    """The table, as a result that workers hand on to each other and that can be had again."""
    return set_


def play_blocks(set_: Setting, seed: int, first: int, many: int, wanted: str) -> tuple[Tally, ...] | str:
    """The tallies of a group of blocks; the address of a worker that has another Tapete than is ``wanted``."""
    if mark() != wanted:
        return str(_get_worker().address)
    return tuple(running.block(set_, seed, number) for number in range(first, first + many))


# --- what is done here ----------------------------------------------------------------------------------------------


def tallies(client: Any, set_: Setting, seed: int, *, first: int = 0) -> Generator[Tally | None]:
    """The tallies of the blocks from the ``first`` on, in order and without end; None where none came for a moment.

    Raises BadInput ``cluster.lost``, ``cluster.nobody``, ``cluster.late``, ``cluster.fault``.
    """
    waiting: deque[Any] = deque()
    crew = _Crew(client)
    try:
        table = client.submit(the_table, set_, pure=False)
        at = first
        while True:
            while len(waiting) < AHEAD * max(1, crew.threads):
                many = min(MOST, 1 + (at - first) // (8 * max(1, crew.threads)))
                waiting.append(client.submit(play_blocks, table, seed, at, many, mark(), pure=False))
                at += many
            if _is_done(client, waiting[0]):
                yield from _taken(waiting.popleft())
            else:
                yield None
            crew.look()
    except (CancelledError, OSError, RuntimeError):  # the ways in which Dask tells that its scheduler is gone
        raise BadInput("cluster.lost") from None
    finally:
        for one in waiting:
            one.release()


def _is_done(client: Any, future: Any) -> bool:
    try:
        with client.as_current():
            _wait(future, timeout=GLANCE)
    except TimeoutError:
        return False
    return True


def _taken(future: Any) -> tuple[Tally, ...]:
    """The tallies of a group that was played."""
    if future.status == "error":  # whatever went wrong on a worker comes here as it was
        error = future.exception(timeout=PATIENCE)
        why = str(error) if isinstance(error, KilledWorker) else f"{type(error).__name__}: {error}"
        raise BadInput("cluster.fault", why=why.partition("\n")[0][:160])
    found: tuple[Tally, ...] | str = future.result(timeout=PATIENCE)
    if isinstance(found, str):
        raise BadInput("cluster.late", worker=found)
    return found


class _Crew:
    """How many threads the workers have together, looked at now and then."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self.threads = 0
        self._looked = self._seen = time.monotonic()
        self._count()

    def look(self) -> None:
        """Looks, if it is time. Raises BadInput ``cluster.nobody`` when nobody was there for long."""
        now = time.monotonic()
        if now - self._looked < LOOK:
            return
        self._looked = now
        self._count()
        if self.threads:
            self._seen = now
        elif now - self._seen > PATIENCE:
            raise BadInput("cluster.nobody", seconds=int(PATIENCE))

    def _count(self) -> None:
        self.threads = sum(self._client.sync(self._client.scheduler.ncores, callback_timeout=CONNECT).values())
