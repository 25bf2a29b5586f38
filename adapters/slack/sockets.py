"""Socket Mode, watched from outside: whatever becomes of a socket, another takes its place.

slack_sdk's client keeps its own watch: it gives up receiving after some failures, sends an
acknowledgement to whichever socket is there by then, and can be neither told the time nor asked
how it is. This one owns a socket from its ticket to its end and starts anew after any of them.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from json import JSONDecodeError, dumps, loads
from typing import Any

import aiohttp

from adapters.slack.client import Answer, Client, Denied, Done, Limited
from adapters.under_way import UnderWay, done_by
from bot.ports import Clock

PING_EVERY = timedelta(seconds=4)
SILENT_AFTER = timedelta(seconds=10)
"""Slack and quizbot ping each other; so long nothing at all is heard of a socket that is dead."""

_HELLO_WITHIN = 10.0
_OLD_READS_ON = timedelta(seconds=15)
_LONGEST_PAUSE = 60.0
_WELL_AFTER = timedelta(minutes=1)
_LAST_WORDS = 2.0

Envelope = Mapping[str, Any]
Handle = Callable[[Envelope], Awaitable[Mapping[str, Any] | None]]
"""Acts on what came, and says what the acknowledgement carries; None acknowledges nothing."""

_log = logging.getLogger(__name__)


@dataclass(eq=False, slots=True)
class Line:
    """One socket. `asked_at` is when a ping was sent that nothing was heard after."""

    socket: aiohttp.ClientWebSocketResponse
    opened_at: datetime
    heard_at: datetime
    asked_at: datetime | None = None
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    """It is to be replaced, or has been."""
    why: str = ""


class Sockets:
    """Keeps so many sockets open, each with a task that replaces it."""

    def __init__(
        self, client: Client, clock: Clock, app_token: str, handle: Handle, *, count: int = 2
    ) -> None:
        self._client = client
        self._clock = clock
        self._token = app_token
        self._handle = handle
        self._count = count
        self._keeping: list[asyncio.Task[None]] = []
        self._lines: set[Line] = set()
        self._acting = UnderWay()
        self._others = UnderWay()
        self._open = asyncio.Event()
        self._heard_at: datetime | None = None

    @property
    def is_open(self) -> bool:
        return any(not line.socket.closed for line in self._lines)

    @property
    def heard_at(self) -> datetime | None:
        return self._heard_at

    @property
    def open_lines(self) -> int:
        return sum(not line.ended.is_set() for line in self._lines)

    @property
    def is_quiet(self) -> bool:
        """Nobody waits for an answer to a ping, and all of them are open."""
        asked = any(line.asked_at for line in self._lines if not line.ended.is_set())
        return self.open_lines >= self._count and not asked

    def start(self) -> None:
        self._keeping = [asyncio.create_task(self._keep()) for _ in range(self._count)]

    async def wait_until_open(self) -> None:
        await self._open.wait()

    async def stop(self) -> None:
        """Hear nothing any more; what was heard is still acknowledged."""
        for keeping in self._keeping:
            keeping.cancel()
        await asyncio.gather(*self._keeping, return_exceptions=True)
        await self._acting.ended(within=_LAST_WORDS)
        await asyncio.gather(*map(self._close, list(self._lines)))
        await self._acting.give_up()
        await self._others.give_up()

    # --- one place for a socket ----------------------------------------------------------

    async def _keep(self) -> None:
        troubles = 0
        while True:
            if troubles > 1:
                # The first is answered at once; what goes on happening, later and later.
                await self._rest(min(2.0 ** (troubles - 2), _LONGEST_PAUSE))
            troubles += 1
            line = await self._opened()
            if line is None:
                continue
            await self._watch(line)
            lived = self._clock.now() - line.opened_at
            _log.info("a socket is replaced after %.0f s: %s", lived.total_seconds(), line.why)
            if lived > _WELL_AFTER or line.why in _REFRESHES:
                troubles = 0

    async def _opened(self) -> Line | None:
        """A new one, of which somebody reads by then; None where none is to be had now."""
        try:
            opened = await self._connect()
        except Exception:  # noqa: BLE001 - whatever it was, the next try may go better
            _log.exception("no socket to Slack")
            return None
        if isinstance(opened, _NoSocket):
            _log.warning("no socket to Slack: %s", opened.why)
            await self._rest(opened.seconds)
            return None
        now = self._clock.now()
        line = Line(opened, now, now)
        self._heard_at = now
        self._lines.add(line)
        self._others.begin(self._read(line))
        self._open.set()
        return line

    async def _connect(self) -> aiohttp.ClientWebSocketResponse | _NoSocket:
        """A socket on which Slack has said hello."""
        answer = await self._client.call("apps.connections.open", {}, token=self._token)
        match answer:
            case Done(data) if data.get("url"):
                url = str(data["url"])
            case Limited(seconds):
                return _NoSocket("Slack asks to wait", seconds)
            case _:
                return _NoSocket(_why_not(answer))
        try:
            async with asyncio.timeout(_HELLO_WITHIN):
                socket = await self._client.session.ws_connect(
                    url, autoping=False, autoclose=True, max_msg_size=0
                )
                return await _greeted(socket)
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            return _NoSocket(repr(error))

    async def _watch(self, line: Line) -> None:
        """Until it has to be replaced: it said so, it ended, or it says nothing any more."""
        while not line.ended.is_set():
            now = self._clock.now()
            if line.asked_at is None:
                line.asked_at = now
            elif now - line.asked_at >= SILENT_AFTER:
                self._end(line, "silent")
                self._others.begin(self._close(line))
                return
            if not await self._pinged(line, now):
                self._others.begin(self._close(line))
                return
            await self._clock.wait(line.ended, now + PING_EVERY)

    async def _pinged(self, line: Line, now: datetime) -> bool:
        """Where nobody reads what is sent, a ping waits for room, for ever."""
        ping = self._others.begin(line.socket.ping())
        if not await done_by(now + SILENT_AFTER, ping, self._clock):
            ping.cancel()
            self._end(line, "it takes nothing")
        elif not ping.cancelled() and (error := ping.exception()) is not None:
            self._end(line, repr(error))
        return not line.ended.is_set()

    # --- what is heard -------------------------------------------------------------------

    async def _read(self, line: Line) -> None:
        """Everything that comes, also while another is already taking its place."""
        try:
            while True:
                received = await line.socket.receive()
                line.heard_at = self._heard_at = self._clock.now()
                line.asked_at = None
                if received.type is aiohttp.WSMsgType.PING:
                    await line.socket.pong(received.data)
                elif received.type is aiohttp.WSMsgType.TEXT:
                    self._hear(line, received)
                elif received.type is not aiohttp.WSMsgType.PONG:
                    break
        except (aiohttp.ClientError, OSError) as error:
            line.why = line.why or repr(error)
        finally:
            self._end(line, "it was closed")
            self._lines.discard(line)

    def _hear(self, line: Line, received: aiohttp.WSMessage) -> None:
        frame = _frame(received) or {}
        if frame.get("type") == "disconnect":
            reason = str(frame.get("reason") or "disconnect")
            if reason == "link_disabled":
                _log.error("Socket Mode is switched off on the page of the Slack app")
            self._end(line, reason)
            self._others.begin(self._retire(line))
        elif frame.get("envelope_id"):
            self._acting.begin(self._act(line, frame))

    async def _act(self, line: Line, frame: Envelope) -> None:
        try:
            payload = await self._handle(frame)
            if payload is None:
                return
            carried = {"payload": payload} if payload else {}
            await line.socket.send_str(dumps({"envelope_id": frame["envelope_id"], **carried}))
        except (aiohttp.ClientError, OSError) as error:
            _log.info("an acknowledgement went nowhere: %r", error)
        except Exception:  # noqa: BLE001 - one envelope's failure is not another's
            _log.exception("what came from Slack could not be handled")

    # --- its end -------------------------------------------------------------------------

    def _end(self, line: Line, why: str) -> None:
        line.why = line.why or why
        line.ended.set()
        if not self.is_open:
            self._open.clear()

    async def _retire(self, line: Line) -> None:
        """What is told to go reads on for a while: its place is taken before it goes."""
        await self._clock.wait(asyncio.Event(), self._clock.now() + _OLD_READS_ON)
        await self._close(line)

    async def _close(self, line: Line) -> None:
        self._end(line, "closed")
        with suppress(aiohttp.ClientError, OSError, TimeoutError):
            async with asyncio.timeout(_LAST_WORDS):
                await line.socket.close()
        self._lines.discard(line)

    async def _rest(self, seconds: float) -> None:
        await self._clock.wait(asyncio.Event(), self._clock.now() + timedelta(seconds=seconds))


_REFRESHES = {"warning", "refresh_requested"}


@dataclass(frozen=True, slots=True)
class _NoSocket:
    """No socket, why, and for how many seconds Slack asks to wait, if it does."""

    why: str
    seconds: float = 0.0


async def _greeted(
    socket: aiohttp.ClientWebSocketResponse,
) -> aiohttp.ClientWebSocketResponse | _NoSocket:
    """The socket once Slack has said hello on it; what is not greeted is closed."""
    is_greeted = False
    try:
        while not is_greeted:
            received = await socket.receive()
            if received.type is aiohttp.WSMsgType.PING:
                await socket.pong(received.data)
                continue
            frame = _frame(received)
            if frame is None or frame.get("type") == "disconnect":
                return _NoSocket(str((frame or {}).get("reason") or "it was closed at once"))
            is_greeted = frame.get("type") == "hello"
        return socket
    finally:
        if not is_greeted:
            with suppress(aiohttp.ClientError, OSError):
                await socket.close()


def _why_not(answer: Answer) -> str:
    return answer.error if isinstance(answer, Denied) else str(answer)


def _frame(received: aiohttp.WSMessage) -> dict[str, Any] | None:
    if received.type is not aiohttp.WSMsgType.TEXT:
        return None
    try:
        found = loads(received.data)
    except (JSONDecodeError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
