"""The parts of a stop, one after the other, each by an instant of its own."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

_log = logging.getLogger(__name__)


class Stop:
    """The way down. Whatever hangs there, what comes after it gets its turn."""

    def __init__(self) -> None:
        self._began: float | None = None

    async def part(self, by: float, what: str, *ends: Callable[[], Awaitable[None]]) -> None:
        """Side by side, until so many seconds after the stop began."""
        if self._began is None:
            self._began = asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout_at(self._began + by):
                results = await asyncio.gather(*(end() for end in ends), return_exceptions=True)
        except TimeoutError:
            _log.error("stopping: there was no time to %s", what)
            return
        for fault in results:
            if isinstance(fault, Exception):
                _log.error("stopping: could not %s", what, exc_info=fault)
