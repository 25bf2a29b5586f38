"""What changes the same page changes it in the order of what people did."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from itertools import count
from typing import TypeVar

Value = TypeVar("Value")

_MOST = 5_000


class Turns:
    """Numbers what is done. One change of a page is under way at a time, and none goes back."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self._done: OrderedDict[str, int] = OrderedDict()
        self._locks: dict[str, asyncio.Lock] = {}

    def next(self) -> int:
        return next(self._numbers)

    async def take(
        self, page: str, number: int, change: Callable[[], Awaitable[Value]]
    ) -> Value | None:
        """What came of the change; None where the page is by now what something later made it."""
        lock = self._locks.setdefault(page, asyncio.Lock())
        try:
            async with lock:
                if number < self._done.get(page, 0):
                    return None
                changed = await change()
                self._done[page] = number
                self._done.move_to_end(page)
                if len(self._done) > _MOST:
                    self._done.popitem(last=False)
                return changed
        finally:
            if not lock.locked() and self._locks.get(page) is lock:
                del self._locks[page]
