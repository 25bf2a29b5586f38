"""The one thread that writes: what is queued while a commit is under way shares the next."""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any, Protocol, TypeVar, cast

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import PendingRollbackError

from bot.outcomes import Attempt, Draft, First, Recorded
from bot.store.addresses import Address, StoreUnavailable
from bot.store.failures import is_outage, may_run_again, unavailable

Value = TypeVar("Value")

# So that one commit neither takes long nor asks for more parameters than a statement may have.
BATCH = 1_000
_TRIES = 3

_log = logging.getLogger(__name__)


class Recorder(Protocol):
    """Writes answers; what it remembers must be forgotten when a transaction is undone."""

    def record(self, connection: Connection, drafts: Sequence[Draft]) -> list[Recorded]: ...

    def forget(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Committed:
    """What has just become durable: first answers, and whether there may be new work for others."""

    first: tuple[Attempt, ...]
    wakes: bool


@dataclass(frozen=True, slots=True)
class _Job:
    """An answer to record, or a function to run; and who waits for it."""

    work: Draft | Callable[[Connection], Any]
    waiter: asyncio.Future[Any]
    wakes: bool
    apart: bool


@dataclass(frozen=True, slots=True)
class _Failed:
    error: Exception


class Writer:
    """Make it, and use it, in the event loop that is told of the outcomes."""

    def __init__(
        self,
        engine: Engine,
        address: Address,
        answers: Recorder,
        on_commit: Callable[[Committed], None],
    ) -> None:
        self._engine = engine
        self._address = address
        self._answers = answers
        self._on_commit = on_commit
        self._loop = asyncio.get_running_loop()
        self._fresh: list[_Job] = []
        self._queue: queue.SimpleQueue[list[_Job] | None] = queue.SimpleQueue()
        self._left: list[_Job] = []
        self._ending = False
        self._ended = self._loop.create_future()
        self._thread = threading.Thread(target=self._run, name="quizbot-writer", daemon=True)
        self._thread.start()

    async def write(
        self, work: Callable[[Connection], Value], *, wakes: bool = True, apart: bool = True
    ) -> Value:
        """Run it in the next transaction; its value once that is durable.

        It may be run more than once, when the transaction has to begin again: it must do
        nothing but through the connection. What it raises is raised here, and only here.
        `wakes` False: it makes no work that would have to be looked for. `apart` False: it locks
        nothing that another process leads, and may share its transaction with others.
        """
        return cast(Value, await self._queued(work, wakes=wakes, apart=apart))

    async def record(self, draft: Draft) -> Recorded:
        """Cancelling the wait does not cancel the work."""
        return cast(Recorded, await self._queued(draft, wakes=False, apart=False))

    async def close(self) -> None:
        """Commit what is queued, then stop."""
        if not self._ending:
            self._ending = True
            self._hand_over()
            self._queue.put(None)
        await asyncio.shield(self._ended)
        self._thread.join()

    # --- in the event loop ---------------------------------------------------------------

    def _queued(
        self, work: Draft | Callable[[Connection], Any], *, wakes: bool, apart: bool
    ) -> asyncio.Future[Any]:
        if self._ending:
            raise StoreUnavailable("quizbot is stopping; nothing more is stored.")
        waiter = self._loop.create_future()
        if not self._fresh:
            # A rush that arrives in one go is handed to the thread in one go.
            self._loop.call_soon(self._hand_over)
        self._fresh.append(_Job(work, waiter, wakes, apart))
        return waiter

    def _hand_over(self) -> None:
        if self._fresh:
            self._queue.put(self._fresh)
            self._fresh = []

    def _hand_back(self, jobs: list[_Job], values: list[Any], *, durable: bool) -> None:
        for job, value in zip(jobs, values, strict=True):
            if job.waiter.done():
                continue  # nobody waits any more
            if isinstance(value, _Failed):
                job.waiter.set_exception(value.error)
            else:
                job.waiter.set_result(value)
        if durable:
            committed = _committed(jobs, values)
            if committed.first or committed.wakes:
                self._on_commit(committed)

    # --- in the thread -------------------------------------------------------------------

    def _run(self) -> None:
        try:
            while taken := self._take():
                for jobs in self._transactions(taken):
                    values, durable = self._commit(jobs)
                    hand_back = partial(self._hand_back, jobs, values, durable=durable)
                    self._loop.call_soon_threadsafe(hand_back)
        finally:
            self._engine.dispose()
            self._loop.call_soon_threadsafe(self._ended.set_result, None)

    def _take(self) -> list[_Job]:
        """What is queued, up to a bound, and at least one; nothing when it is time to stop."""
        jobs = self._left or self._queue.get() or []
        while jobs and len(jobs) < BATCH:
            try:
                more = self._queue.get_nowait()
            except queue.Empty:
                break
            if more is None:
                self._queue.put(None)  # for the next time; nothing is queued behind it
                break
            jobs = jobs + more
        jobs, self._left = jobs[:BATCH], jobs[BATCH:]
        return jobs

    def _transactions(self, jobs: list[_Job]) -> Iterator[list[_Job]]:
        """What is committed together: all, where nobody else can wait for what is held.

        On PostgreSQL what a write that goes apart has locked is free again before the next begins:
        it may be any round, and of two processes each would hold what the other waits for.
        """
        if self._address.kind == "sqlite":
            yield jobs
            return
        for apart, group in groupby(jobs, key=lambda job: job.apart):
            together = list(group)
            yield from ([job] for job in together) if apart else [together]

    def _commit(self, jobs: list[_Job]) -> tuple[list[Any], bool]:
        """What came of each, and whether it is durable."""
        for remaining in reversed(range(_TRIES)):
            try:
                with self._engine.connect() as connection:
                    values = self._transaction(connection, jobs, may_repeat=remaining > 0)
            except _Repeat:
                continue
            except Exception as error:  # noqa: BLE001 - every one who waits is told
                return [_Failed(self._failure(error))] * len(jobs), False
            return values, True
        raise AssertionError("the last try ends above")

    def _transaction(
        self, connection: Connection, jobs: list[_Job], *, may_repeat: bool
    ) -> list[Any]:
        is_committing = False
        try:
            transaction = connection.begin()
            values = [
                value
                for is_answer, group in groupby(jobs, key=_is_answer)
                for value in self._together(connection, is_answer, [job.work for job in group])
            ]
            is_committing = True
            transaction.commit()
        except Exception as error:
            self._answers.forget()
            # Whatever state it is in: closing it undoes all, and the next one is new.
            connection.invalidate()
            # What became of a commit that failed is not known, so that one is not repeated.
            if may_repeat and not is_committing and may_run_again(error):
                raise _Repeat from error
            raise
        return values

    def _together(self, connection: Connection, is_answer: bool, works: list[Any]) -> list[Any]:
        if not is_answer:
            return [self._one(connection, work) for work in works]
        values = self._one(connection, lambda inner: self._answers.record(inner, works))
        if not isinstance(values, _Failed):
            return cast("list[Any]", values)
        if len(works) == 1:
            return [values]
        # One that cannot be recorded must not take the others with it.
        return [value for work in works for value in self._together(connection, True, [work])]

    def _one(self, connection: Connection, work: Callable[[Connection], Any]) -> Any:
        """Its value, or its failure with its own effects undone."""
        savepoint = connection.begin_nested()
        try:
            value = work(connection)
            savepoint.commit()
        except Exception as error:
            if is_outage(error):
                raise
            self._answers.forget()
            savepoint.rollback()
            value = _Failed(unavailable(error, self._address) or error)
        _check_begun(connection)
        return value

    def _failure(self, error: Exception) -> StoreUnavailable:
        known = unavailable(error, self._address)
        if known is not None:
            return known
        _log.error("a transaction was undone", exc_info=error)
        unknown = StoreUnavailable("The database failed in a way that has no name; see the log.")
        unknown.__cause__ = error
        return unknown


def _is_answer(job: _Job) -> bool:
    return isinstance(job.work, Draft)


def _committed(jobs: list[_Job], values: list[Any]) -> Committed:
    first = tuple(
        attempt
        for value in values
        if isinstance(value, First)
        for attempt in (value.attempt, *value.also)
    )
    wakes = any(
        job.wakes and not isinstance(value, _Failed)
        for job, value in zip(jobs, values, strict=True)
    )
    return Committed(first, wakes)


class _Repeat(Exception):
    """The transaction was undone and may be run again."""


def _check_begun(connection: Connection) -> None:
    """Some failures end a transaction of SQLite by themselves; the rest must not be stored."""
    driver = connection.connection.dbapi_connection
    if not getattr(driver, "in_transaction", True):
        raise PendingRollbackError("the transaction had ended before its commit")
