"""Time as tests tell it: it stands still until it is moved."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

START = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)  # a Monday


class StandingClock:
    """A Clock whose waits end when the test moves it past them, or when their event is set."""

    def __init__(self, start: datetime = START) -> None:
        self._now = start
        self._waits: dict[asyncio.Future[None], datetime | None] = {}
        self._entered = asyncio.Event()
        self.waits = 0
        """How often somebody began to wait."""

    def now(self) -> datetime:
        return self._now

    async def wait(self, event: asyncio.Event, until: datetime | None) -> None:
        self.waits += 1
        if event.is_set() or (until is not None and until <= self._now):
            await asyncio.sleep(0)
            return
        arrived: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waits[arrived] = until
        self._entered.set()
        setting = asyncio.ensure_future(event.wait())
        try:
            waits: list[asyncio.Future[Any]] = [arrived, setting]
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            setting.cancel()
            del self._waits[arrived]

    @property
    def is_waited_for(self) -> bool:
        return any(not arrived.done() for arrived in self._waits)

    @property
    def is_still(self) -> bool:
        """Somebody waits, and nobody whose wait is over has yet to notice."""
        return bool(self._waits) and not any(arrived.done() for arrived in self._waits)

    async def next_wait(self, after: int | None = None) -> None:
        """Until somebody begins to wait, or has since the count of waits was `after`."""
        seen = self.waits if after is None else after
        while self.waits == seen:
            self._entered.clear()
            await self._entered.wait()

    def next_stop(self, until: datetime) -> datetime:
        """The first instant before `until` that somebody waits for, else `until`."""
        return min([at for at in self._waits.values() if at is not None and at < until] + [until])

    def move_to(self, at: datetime) -> None:
        self._now = max(self._now, at)
        for arrived, until in self._waits.items():
            if until is not None and until <= self._now and not arrived.done():
                arrived.set_result(None)

    def move(self, seconds: float) -> None:
        self.move_to(self._now + timedelta(seconds=seconds))

    def set_back(self, seconds: float) -> None:
        """As a host's clock is set right; whoever waits was woken by another one, in five seconds.

        That one goes on, whatever the time of day is said to be.
        """
        self._now -= timedelta(seconds=seconds)
        for arrived in self._waits:
            if not arrived.done():
                arrived.set_result(None)
