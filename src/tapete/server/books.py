"""Books: the store of a running server, written by one thread in grouped transactions.

All jobs that wait when the thread is free go into one transaction, and a single commit brings them to the disk. Should
one of them be refused, all are undone and done again, each in a savepoint of its own, so that the refused one undoes
itself alone. Nobody is told of a job before its commit. The pages of all jobs, which is what play is made of, are
written together in a handful of statements.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from typing import Any, Final

from tapete.store import Page, Store, StoreError, Transaction

BATCH: Final = 256
"""The most jobs in one transaction."""

Job = Callable[[Transaction], Any]
Pages = Callable[[], Page]
"""A page, put together by the thread that writes it."""


class _Task:
    """One job and the future that waits for it in its event loop."""

    __slots__ = ("error", "future", "job", "loop", "page", "result")

    def __init__(self, loop: asyncio.AbstractEventLoop, job: Job | None, page: Pages | None) -> None:
        self.job = job
        self.page = page
        self.loop = loop
        self.future: asyncio.Future[Any] = loop.create_future()
        self.result: Any = None
        self.error: BaseException | None = None

    def settle(self) -> None:
        """Hands the outcome to whoever still waits; runs in the event loop."""
        if self.future.done():
            return
        if self.error is None:
            self.future.set_result(self.result)
        else:
            self.future.set_exception(self.error)


def _do(tasks: list[_Task], deeds: Transaction) -> None:
    for task in tasks:
        if task.job is not None:
            task.result = task.job(deeds)
    deeds.write([task.page() for task in tasks if task.page is not None])


def _settle_all(tasks: list[_Task]) -> None:
    for task in tasks:
        task.settle()


class Books:
    """The store behind one thread. Close it from outside the event loop or with :meth:`aclose`."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._tasks: queue.SimpleQueue[_Task | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="tapete-books", daemon=True)
        self._thread.start()
        self.commits = 0
        """Transactions so far, for the metrics."""

    async def write(self, job: Job) -> Any:
        """The result of the job once it is on the disk. Raises what the job raised, or the StoreError of the commit."""
        return await self._do(_Task(asyncio.get_running_loop(), job, None))

    async def keep(self, page: Pages) -> None:
        """Writes a page; returns when it is on the disk. Raises as :meth:`write`."""
        await self._do(_Task(asyncio.get_running_loop(), None, page))

    def _do(self, task: _Task) -> asyncio.Future[Any]:
        self._tasks.put(task)
        return task.future

    async def read(self, look: Callable[[Store], Any]) -> Any:
        """The answer of a look at the store, from a thread of its own."""
        return await asyncio.to_thread(look, self.store)

    async def aclose(self) -> None:
        """Finishes the waiting jobs and closes the store."""
        await asyncio.to_thread(self.close)

    def close(self) -> None:
        """Finishes the waiting jobs and closes the store; twice does no harm."""
        if self._thread.is_alive():
            self._tasks.put(None)
            self._thread.join()
        self.store.close()

    def _run(self) -> None:
        while (first := self._tasks.get()) is not None:
            batch, more = self._gather(first)
            self._commit(batch)
            self._tell(batch)
            if not more:
                return

    def _gather(self, first: _Task) -> tuple[list[_Task], bool]:
        batch = [first]
        while len(batch) < BATCH:
            try:
                task = self._tasks.get_nowait()
            except queue.Empty:
                return batch, True
            if task is None:
                return batch, False
            batch.append(task)
        return batch, True

    def _commit(self, batch: list[_Task]) -> None:
        try:
            if not self._commit_whole(batch):
                self._commit_apart(batch)
            self.commits += 1
        except Exception as error:  # noqa: BLE001  (whatever broke the commit, each waiting job has to hear of it)
            for task in batch:
                task.error = task.error or error

    def _commit_whole(self, batch: list[_Task]) -> bool:
        """Tries all jobs without savepoints, which cost as much as a job does; tells whether all were done."""
        try:
            with self.store.transaction() as deeds:
                _do(batch, deeds)
        except StoreError:
            raise
        except Exception:  # noqa: BLE001  (which job it was, and why, shows when each is done apart)
            return False
        return True

    def _commit_apart(self, batch: list[_Task]) -> None:
        with self.store.transaction() as deeds:
            for task in batch:
                self._try(task, deeds)

    def _try(self, task: _Task, deeds: Transaction) -> None:
        try:
            with deeds.apart():
                _do([task], deeds)
        except Exception as error:  # noqa: BLE001  (a job's error belongs to whoever gave the job)
            task.error = error

    @staticmethod
    def _tell(batch: list[_Task]) -> None:
        loops = {id(task.loop): task.loop for task in batch}
        for key, loop in loops.items():
            mine = [task for task in batch if id(task.loop) == key]
            if not loop.is_closed():
                loop.call_soon_threadsafe(_settle_all, mine)
