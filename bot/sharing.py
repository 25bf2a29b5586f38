"""Work that is asked for by many at once and done once for all of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Shared(Generic[Key, Value]):
    """What is under way by key. Who asks for the same meanwhile waits for what was begun.

    It remembers nothing of what has ended: who asks then begins anew.
    """

    def __init__(self) -> None:
        self._under_way: dict[Key, asyncio.Task[Value]] = {}

    @property
    def under_way(self) -> frozenset[asyncio.Task[Value]]:
        return frozenset(self._under_way.values())

    async def get(
        self,
        key: Key,
        work: Callable[[], Coroutine[Any, Any, Value]],
        keep: Callable[[Value], None] | None = None,
    ) -> Value:
        """What comes of the work, or what it raises. Who gives up waiting ends it for nobody.

        `keep` hears of the value before anybody who waits, unless the key was forgotten meanwhile.
        """
        task = self._under_way.get(key)
        if task is None:
            task = self._under_way[key] = asyncio.create_task(work())
            task.add_done_callback(lambda done: self._ended(key, done, keep))
        return await asyncio.shield(task)

    def forget(self, key: Key) -> None:
        """What is under way may be out of date: who asks from now on does not wait for it."""
        self._under_way.pop(key, None)

    def clear(self) -> None:
        """As `forget`, of every key."""
        self._under_way.clear()

    def _ended(
        self, key: Key, task: asyncio.Task[Value], keep: Callable[[Value], None] | None
    ) -> None:
        if self._under_way.get(key) is not task:
            return
        del self._under_way[key]
        if keep is not None and not task.cancelled() and task.exception() is None:
            keep(task.result())
