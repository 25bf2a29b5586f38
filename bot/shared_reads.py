"""Reads that many ask for at once: whoever asks while one is under way shares the next."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Hashable, Mapping
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class SharedReads(Generic[Key, Value]):
    """`read` finds what there is for each of some keys.

    What is read is never older than the question for it. One that fails or is cut off is begun
    again by the next who waits.
    """

    def __init__(self, read: Callable[[Collection[Key]], Awaitable[Mapping[Key, Value]]]) -> None:
        self._read = read
        self._waiting: dict[Key, asyncio.Future[Value]] = {}
        self._reading = asyncio.Lock()

    async def get(self, key: Key) -> Value:
        answer = self._waiting.get(key)
        if answer is None:
            answer = self._waiting[key] = asyncio.get_running_loop().create_future()
        async with self._reading:
            if not answer.done():
                # One that failed was waited for by others than those who have asked since.
                answer = self._waiting.setdefault(key, answer)
                await self._read_all()
        return answer.result()

    async def _read_all(self) -> None:
        wanted, self._waiting = self._waiting, {}
        try:
            found = await self._read(wanted.keys())
        except BaseException:
            self._waiting = {**wanted, **self._waiting}
            raise
        for key, answer in wanted.items():
            answer.set_result(found[key])
