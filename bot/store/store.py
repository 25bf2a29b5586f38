"""The store as the rest of the product sees it."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from datetime import date
from typing import TypeVar
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.outcomes import Draft, Recorded
from bot.ports import Clock
from bot.store.addresses import Address
from bot.store.answers import Answers
from bot.store.engines import reader_engine, writer_engine
from bot.store.failures import unavailable
from bot.store.schema import heartbeats
from bot.store.writer import Committed, Writer

Value = TypeVar("Value")

_log = logging.getLogger(__name__)


class Store:
    """Made by `open_store`. Everything raises StoreUnavailable while the database is away."""

    def __init__(self, address: Address, *, zone: ZoneInfo, clock: Clock) -> None:
        self.zone = zone
        self._address = address
        self._clock = clock
        self._callbacks: list[Callable[[Committed], None]] = []
        self._readers: AsyncEngine = reader_engine(address)
        self._writer = Writer(
            writer_engine(address), address, Answers(zone), on_commit=self._committed
        )

    async def write(
        self,
        work: Callable[[Connection], Value],
        *,
        wakes: bool = True,
        apart: bool | None = None,
    ) -> Value:
        """Run a plain function of a connection in the next transaction, under a savepoint.

        Its value comes back once the transaction is durable; what it raises is raised here
        and undoes nothing but its own. It may be run again when the transaction has to be
        begun anew, so it must have no effect but through the connection. `wakes` False says
        that it puts nothing into the outbox and sets no timer that is not looked for anyway.
        `apart`, as what wakes does unless it is said: it leads rounds or sends, and has a
        transaction of its own where other processes do so too.
        """
        return await self._writer.write(work, wakes=wakes, apart=wakes if apart is None else apart)

    async def record(self, draft: Draft) -> Recorded:
        """Store an answer; cancelling the wait does not cancel the work.

        Answers and writes take effect in the order in which they were asked for.
        """
        return await self._writer.record(draft)

    async def read(self, work: Callable[[AsyncConnection], Awaitable[Value]]) -> Value:
        """Run an async function of a connection that sees one state of the database."""
        try:
            async with self._readers.connect() as connection, connection.begin():
                return await work(connection)
        except Exception as error:
            failure = unavailable(error, self._address)
            if failure is None:
                raise
            raise failure from error

    async def ping(self) -> None:
        """Read one row, so that whoever asks knows that it can be read."""
        await self.read(lambda connection: connection.execute(select(heartbeats.c.at).limit(1)))

    def after_commit(self, callback: Callable[[Committed], None]) -> None:
        """Have it called, in the event loop, after commits of first answers or of what wakes."""
        self._callbacks.append(callback)

    def today(self, zone: str | None) -> date:
        """The date now where a community is; None is the zone of this instance."""
        return self._clock.now().astimezone(self.zone if zone is None else ZoneInfo(zone)).date()

    async def close(self) -> None:
        """What was asked for is committed first."""
        try:
            await self._writer.close()
        finally:
            await self._readers.dispose()

    def _committed(self, committed: Committed) -> None:
        for callback in self._callbacks:
            try:
                callback(committed)
            except Exception:  # noqa: BLE001 - it must not keep the others from being told
                _log.exception("a callback after a commit failed")
