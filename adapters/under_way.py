"""Work that goes on by itself: kept until it is done, and waited for only so long."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from datetime import datetime
from typing import Any, TypeVar

from bot.ports import Clock

Value = TypeVar("Value")


class UnderWay:
    """Tasks that nobody else holds: asyncio itself may lose one in the middle of its work."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def __len__(self) -> int:
        return len(self._tasks)

    def begin(self, work: Coroutine[Any, Any, Value]) -> asyncio.Task[Value]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def ended(self, within: float) -> bool:
        """Whether all of it ended in so many seconds, also what began meanwhile."""
        try:
            async with asyncio.timeout(within):
                while self._tasks:
                    await asyncio.wait(self._tasks)
        except TimeoutError:
            return False
        return True

    async def give_up(self) -> None:
        """Cut off what has not ended, and wait until it has noticed."""
        while self._tasks:
            left = set(self._tasks)
            for task in left:
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)


async def done_by(until: datetime, work: asyncio.Future[Any], clock: Clock) -> bool:
    """Whether it ended by then, however it did; it goes on if it has not."""
    ended = asyncio.Event()
    work.add_done_callback(lambda _: ended.set())
    await clock.wait(ended, until)
    return work.done()
