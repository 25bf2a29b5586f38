"""The one HTTP server: whatever is served is served on the host and port of the settings."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Awaitable, Callable, Iterable

from aiohttp import web

_LAST_WORDS = 3.0
"""Seconds that a request has on the way down, after its part has finished what was under way."""


class PortTaken(Exception):
    """The host and port cannot be listened on; the message is one sentence for people."""


class Server:
    """Its parts bring their routes; it knows none of them. A port of 0 is any that is free."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port
        self._application = web.Application()
        self._runner: web.AppRunner | None = None

    def add(
        self,
        routes: Iterable[web.AbstractRouteDef],
        finish: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """Before the start. `finish` is awaited on the way down, in the order of the parts.

        By then nobody new is let in, and what is under way can still be told.
        """
        self._application.add_routes(routes)
        if finish is not None:

            async def on_shutdown(_: web.Application) -> None:
                await finish()

            self._application.on_shutdown.append(on_shutdown)

    async def start(self) -> str:
        """Listen, and return the address to open. Raises `PortTaken`."""
        runner = web.AppRunner(self._application, access_log=None, shutdown_timeout=_LAST_WORDS)
        await runner.setup()
        try:
            await web.TCPSite(runner, self.host, self.port).start()
        except OSError as fault:
            await runner.cleanup()
            raise PortTaken(_why(fault, self.host, self.port)) from fault
        self._runner = runner
        self.port = runner.addresses[0][1]
        return f"http://{_written(self.host)}:{self.port}/"

    async def stop(self) -> None:
        """Stop listening, and let every part finish."""
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None


def _written(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _why(fault: OSError, host: str, port: int) -> str:
    if fault.errno == errno.EADDRINUSE:
        return f"Port {port} is in use: stop what uses it, or set QUIZBOT_PORT to another."
    if fault.errno in (errno.EACCES, errno.EPERM):
        return f"Port {port} may not be used by this account: set QUIZBOT_PORT to one above 1023."
    # From Python 3.13 on, asyncio passes an address by that is not there, and then says this.
    is_nowhere = fault.errno is None and "any address out of" in str(fault)
    if fault.errno == errno.EADDRNOTAVAIL or is_nowhere or isinstance(fault, socket.gaierror):
        return (
            f"quizbot cannot listen on {host}: this machine has no such address; set QUIZBOT_HOST "
            "to one that it has, or to 0.0.0.0 for every network."
        )
    # What asyncio says of it names the address as Python writes it.
    why = os.strerror(fault.errno) if fault.errno else str(fault)
    return f"quizbot cannot listen on {_written(host)}:{port}: {why}."
