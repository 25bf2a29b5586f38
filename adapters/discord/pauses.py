"""The pauses between tries, which grow as long as nothing comes of them."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from bot.ports import Clock

_FIRST, _LONGEST = 5.0, 300.0


class Pauses:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.seconds = _FIRST
        """How long the next one is."""

    async def wait(self, at_least: float = 0.0) -> None:
        """`at_least` is what the other side asked for."""
        seconds = max(self.seconds, at_least)
        self.seconds = min(2 * self.seconds, _LONGEST)
        await self._clock.wait(asyncio.Event(), self._clock.now() + timedelta(seconds=seconds))

    def begin_anew(self) -> None:
        self.seconds = _FIRST
