"""Socket Mode of the stand-in Slack: tickets, greetings, envelopes, acknowledgements, silence.

Documented: up to ten sockets, a payload goes to one of them, `hello`, `disconnect` and its
reasons. Assumed: which socket is chosen (in turn), that a ticket serves once and for 30 seconds,
and that Slack closes a socket right after it asked for another one.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from aiohttp import WSMsgType, web
from stand_in_slack_deliveries import Delivery
from stand_in_slack_world import Json

if TYPE_CHECKING:
    from stand_in_slack_world import World

MOST = 10
TICKET_LIVES = timedelta(seconds=30)


class Socket:
    """One connection. `silent` says no more, not even pongs, and never closes."""

    def __init__(self, sockets: Sockets, number: int, http: web.Request) -> None:
        self.number = number
        self.silent = False
        self.pings = 0
        self.received: list[Json] = []
        self._sockets = sockets
        self._http = http
        self._ws = web.WebSocketResponse(autoping=False)
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def is_open(self) -> bool:
        return not self._ws.closed and self._http.transport is not None

    def say(self, frame: Json) -> None:
        self._soon(self._ws.send_str(json.dumps(frame)))

    def ping(self) -> None:
        self._soon(self._ws.ping(b"Ping from applink-stand-in"))

    def cut(self) -> None:
        """The TCP connection breaks, without a closing frame."""
        if self._http.transport is not None:
            self._http.transport.abort()

    def close(self) -> None:
        self._soon(self._ws.close())

    def fall_silent(self) -> None:
        self.silent = True

    async def serve(self) -> web.WebSocketResponse:
        await self._ws.prepare(self._http)
        self._sockets.joined(self)
        try:
            async for frame in self._ws:
                if self.silent:
                    continue
                if frame.type is WSMsgType.PING:
                    self.pings += 1
                    await self._ws.pong(frame.data)
                elif frame.type is WSMsgType.TEXT:
                    said = json.loads(frame.data)
                    self.received.append(said)
                    self._sockets.heard(said)
        finally:
            self._sockets.left(self)
        return self._ws

    async def end(self) -> None:
        await self._ws.close()
        for task in list(self._tasks):
            task.cancel()

    def _soon(self, work: Coroutine[Any, Any, object]) -> None:
        if self.silent or not self.is_open:
            work.close()
            return
        task = asyncio.ensure_future(_carefully(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


class Sockets:
    """All connections, and which of them gets what."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.open: list[Socket] = []
        self.opened = 0
        """How many there have been."""
        self.duplicates = 0
        """How many of the next deliveries come twice."""
        self.deaf = 0
        """How many of the next acknowledgements are lost on their way."""
        self._tickets: dict[str, datetime] = {}
        self._waiting: dict[str, Delivery] = {}
        self._turn = 0

    @property
    def connected(self) -> bool:
        return any(one.is_open for one in self.open)

    def ticket(self) -> str:
        """The address that `apps.connections.open` hands out."""
        ticket = self.world.new_id("ticket-")
        self._tickets[ticket] = self.world.now() + TICKET_LIVES
        address = self.world.base.replace("http://", "ws://")
        return f"{address}/link/?ticket={ticket}&app_id={self.world.app_id}"

    async def serve(self, http: web.Request) -> web.StreamResponse:
        until = self._tickets.pop(http.query.get("ticket", ""), None)
        if until is None or self.world.now() > until:
            return web.Response(status=404)
        self.opened += 1
        # Documented: the eleventh is told so, and closed.
        number = 0 if len(self.open) >= MOST else self.opened
        return await Socket(self, number, http).serve()

    def joined(self, socket: Socket) -> None:
        if socket.number == 0:
            socket.say({"type": "disconnect", "reason": "too_many_websockets"})
            socket.close()
            return
        self.open.append(socket)
        socket.say(
            {
                "type": "hello",
                "num_connections": len(self.open),
                "debug_info": {
                    "host": "applink-stand-in",
                    "build_number": 1,
                    "approximate_connection_time": 18060,
                },
                "connection_info": {"app_id": self.world.app_id},
            }
        )
        self.world.tell()

    def left(self, socket: Socket) -> None:
        if socket in self.open:
            self.open.remove(socket)
        self.world.tell()

    def heard(self, said: Json) -> None:
        delivery = self._waiting.get(said.get("envelope_id", ""))
        if delivery is None:
            self.world.slips.append(f"the bot said what is no acknowledgement: {said}")
            return
        if self.deaf:
            self.deaf -= 1
            return
        delivery.ack(said.get("payload"))

    def deliver(self, delivery: Delivery) -> None:
        self._waiting[delivery.envelope_id] = delivery
        alive = [one for one in self.open if one.is_open]
        if not alive:
            delivery.miss("dispatch_failed")
            return
        self._turn += 1
        socket = alive[self._turn % len(alive)]
        socket.say(delivery.envelope())
        if self.duplicates:
            self.duplicates -= 1
            socket.say(delivery.envelope())

    def disconnect(self, reason: str, socket: Socket | None = None) -> None:
        """Say `warning`, `refresh_requested` or `link_disabled` to one socket, or to all."""
        for one in [socket] if socket else list(self.open):
            told = {"host": "applink-stand-in"}
            one.say({"type": "disconnect", "reason": reason, "debug_info": told})
            if reason != "warning":
                one.close()

    def forget(self) -> None:
        """What was delivered, and heard, so far."""
        self._waiting.clear()
        for one in self.open:
            one.received.clear()

    def ping(self) -> None:
        """As Slack does every few seconds."""
        for one in self.open:
            one.ping()

    async def end(self) -> None:
        for one in list(self.open):
            await one.end()


async def _carefully(work: Coroutine[Any, Any, object]) -> None:
    try:
        await work
    except (ConnectionError, RuntimeError):
        return
