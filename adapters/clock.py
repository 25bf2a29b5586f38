"""The host's clock, which the composition root hands to everything that asks for the time."""

from __future__ import annotations

import asyncio
import contextlib
from datetime import UTC, datetime


class SystemClock:
    """A `Clock` that runs."""

    def now(self) -> datetime:
        return datetime.now(UTC)  # noqa: TID251 - the one place where the time comes from

    async def wait(self, event: asyncio.Event, until: datetime | None) -> None:
        # A timeout that is already over still looks at the event once.
        seconds = None if until is None else max(0.0, (until - self.now()).total_seconds())
        with contextlib.suppress(TimeoutError):
            # Not wait_for: before Python 3.12 it loses a cancellation that comes with the event.
            async with asyncio.timeout(seconds):
                await event.wait()
