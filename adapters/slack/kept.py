"""What Slack was asked of somebody or something, kept for a while."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Coroutine
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar

from bot.ports import Clock
from bot.sharing import Shared

_MOST = 20_000

Value = TypeVar("Value")


class Kept(Generic[Value]):
    """Values by workspace and id, each for a while; who asks at the same time waits together."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._values: OrderedDict[tuple[str, str], tuple[datetime, Value]] = OrderedDict()
        self._asking: Shared[tuple[str, str], tuple[Value, timedelta]] = Shared()

    def get(self, workspace: str, id: str) -> Value | None:
        kept = self._values.get((workspace, id))
        return kept[1] if kept is not None and self._clock.now() < kept[0] else None

    def last(self, workspace: str, id: str) -> Value | None:
        """What was known last, however long ago."""
        kept = self._values.get((workspace, id))
        return None if kept is None else kept[1]

    def put(self, workspace: str, id: str, value: Value, lasts: timedelta) -> None:
        self._values[workspace, id] = (self._clock.now() + lasts, value)
        self._values.move_to_end((workspace, id))
        if len(self._values) > _MOST:
            self._values.popitem(last=False)

    def age(self, workspace: str, id: str) -> None:
        """What is known of it holds only until it has been asked anew."""
        kept = self._values.get((workspace, id))
        if kept is not None:
            self._values[workspace, id] = (self._clock.now(), kept[1])

    async def look(
        self,
        workspace: str,
        id: str,
        ask: Callable[[], Coroutine[Any, Any, tuple[Value, timedelta]]],
    ) -> Value:
        found = self.get(workspace, id)
        if found is not None:
            return found
        value, _ = await self._asking.get(
            (workspace, id), ask, lambda answer: self.put(workspace, id, *answer)
        )
        return value
