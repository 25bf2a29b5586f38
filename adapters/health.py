"""Whether this process is alive and whether it is ready, told to whoever asks: states alone."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Protocol

from aiohttp import web

from bot.ports import Clock

LATE = timedelta(seconds=30)
"""The schedule turns every five seconds, and notes that; what has not for so long hangs."""

SILENT = timedelta(minutes=5)
"""Every platform's connection carries a sign of life at least once a minute. One that is
called open and was silent for so long deceives also who keeps it open."""

LONGEST_PROBE = 5.0
"""Seconds after which a database that says nothing is taken to be away."""

_log = logging.getLogger(__name__)


class Connection(Protocol):
    """A platform's connection, as it stands now."""

    @property
    def is_open(self) -> bool:
        """Whether what people do there is heard; who keeps it open tries again while it is not."""
        ...

    @property
    def heard_at(self) -> datetime | None:
        """When something last came in, be it a sign of life alone; None before the first."""
        ...


class Health:
    """Alive is what no restart would mend; ready is what people can play on.

    `turned_at` is when the schedule last looked for work, `noted_at` when the database last took
    something that it wrote, `probe` raises while nothing can be read, and `connections` are the
    platforms by name.
    """

    def __init__(
        self,
        clock: Clock,
        *,
        turned_at: Callable[[], datetime | None],
        noted_at: Callable[[], datetime | None],
        probe: Callable[[], Awaitable[object]],
        connections: Mapping[str, Connection],
    ) -> None:
        self._clock = clock
        self._began = clock.now()
        self._turned_at = turned_at
        self._noted_at = noted_at
        self._probe = probe
        self._connections = connections
        self._probing: asyncio.Task[bool] | None = None

    def routes(self) -> list[web.RouteDef]:
        """For everybody, by whatever name: a load balancer asks by address and has no code."""
        return [web.get("/healthz", self._healthz), web.get("/readyz", self._readyz)]

    async def _healthz(self, _: web.Request) -> web.Response:
        """That it answers at all says that the event loop turns."""
        now = self._clock.now()
        states: dict[str, object] = {"schedule": _seconds(now - self._last_turn())}
        for name, connection in self._connections.items():
            heard = connection.heard_at
            states[name] = {
                "open": connection.is_open,
                "silent": None if heard is None else _seconds(now - heard),
            }
        return _answer(list(self._hanging(now)), states)

    def _hanging(self, now: datetime) -> Iterator[str]:
        if now - self._last_turn() > LATE:
            yield "schedule"
        for name, connection in self._connections.items():
            heard = connection.heard_at
            # One that is closed is being opened again: a restart would only begin anew.
            if connection.is_open and heard is not None and now - heard > SILENT:
                yield name

    async def _readyz(self, _: web.Request) -> web.Response:
        """While it stops, nobody is listened to, and that says enough."""
        states = {"database": self._takes_notes() and await self._takes_calls()}
        states |= {name: connection.is_open for name, connection in self._connections.items()}
        return _answer([name for name, is_well in states.items() if not is_well], states)

    def _last_turn(self) -> datetime:
        return self._turned_at() or self._began

    def _takes_notes(self) -> bool:
        """A full disk, or a standby, can be read all the same."""
        return self._clock.now() - (self._noted_at() or self._began) <= LATE

    async def _takes_calls(self) -> bool:
        # However many ask at once, one look serves them all.
        if self._probing is None or self._probing.done():
            self._probing = asyncio.create_task(self._look())
        return await asyncio.shield(self._probing)

    async def _look(self) -> bool:
        try:
            async with asyncio.timeout(LONGEST_PROBE):
                await self._probe()
        except Exception as fault:  # noqa: BLE001 - whatever it was, no call would fare better
            _log.warning("not ready: %r", fault)
            return False
        return True


def _answer(faults: list[str], states: Mapping[str, object]) -> web.Response:
    """`{"status": "ok", …}`, or 503 with the names of what is at fault."""
    body = {"status": "fault", "faults": faults, **states} if faults else {"status": "ok", **states}
    headers = {"Cache-Control": "no-store"}
    return web.json_response(body, status=503 if faults else 200, headers=headers)


def _seconds(age: timedelta) -> float:
    return max(0.0, round(age.total_seconds(), 1))
