"""A clock that runs, and that a test moves for every process at once."""

from __future__ import annotations

import asyncio
import os
from datetime import datetime, timedelta
from pathlib import Path

from adapters.clock import SystemClock

LOOKS_EVERY = timedelta(seconds=0.02)


class MovedClock(SystemClock):
    """So many seconds from the host's as a file says; who waits notices when that changes."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def now(self) -> datetime:
        return super().now() + timedelta(seconds=float(self._file.read_text(encoding="ascii")))

    async def wait(self, event: asyncio.Event, until: datetime | None) -> None:
        while not event.is_set():
            now = self.now()
            if until is not None and until <= now:
                break
            look = now + LOOKS_EVERY
            await super().wait(event, look if until is None else min(look, until))

    def move_to(self, at: datetime) -> None:
        beside = self._file.with_suffix(".new")
        beside.write_text(str((at - super().now()).total_seconds()), encoding="ascii")
        # In one go, so that nobody reads half of it.
        os.replace(beside, self._file)


def clock_of(folder: Path) -> MovedClock | None:
    """The clock that a test put into the folder that a program of its own runs in, if it did."""
    file = folder / "clock"
    return MovedClock(file) if file.exists() else None
