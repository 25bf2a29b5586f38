"""One open tab: a bounded queue to it, so that a slow one keeps nobody waiting."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from aiohttp import WSCloseCode, web

from adapters.local.room_words import translator
from bot.calls import Who

log = logging.getLogger(__name__)

WAITING = 200
"""Frames that may wait for a tab; with more it gets the whole room again instead."""

SLOWEST = 20.0
"""Seconds that one frame may take to leave; after that the tab is given up."""

MOST_REFUSED = 300
"""Requests in a row that came too fast; after these the socket is closed."""

_BURST = 30.0
_PER_SECOND = 10.0

Snapshot = Callable[["Tab"], Awaitable[str]]


def encode(frame: dict[str, object]) -> str:
    """A frame as it goes over the socket."""
    return json.dumps(frame, ensure_ascii=False, separators=(",", ":"))


@dataclass(slots=True)
class Sitter:
    """Who sits at a tab, and how the room speaks with them."""

    who: Who | None
    language: str


class Tab:
    """What the room holds of an open socket."""

    def __init__(self, socket: web.WebSocketResponse, *, organiser: bool, language: str) -> None:
        self.socket = socket
        self.organiser = organiser
        self.sitter = Sitter(None, language)
        self._frames: asyncio.Queue[str | None] = asyncio.Queue(WAITING)
        self.refused = 0
        self._tokens = _BURST
        self._counted_at = asyncio.get_running_loop().time()

    def offer(self, frame: str) -> None:
        """Put a frame in line, at once. If the line is full, the tab starts afresh later."""
        try:
            self._frames.put_nowait(frame)
        except asyncio.QueueFull:
            while not self._frames.empty():
                self._frames.get_nowait()
                self._frames.task_done()
            self._frames.put_nowait(None)

    def say(self, request: str | None, sentence: str, *, again: bool = False) -> None:
        """Tell what went wrong with a request; `again` asks the page to send it once more."""
        self.offer(encode({"is": "error", "id": request, "text": sentence, "again": again}))

    async def send(self, snapshot: Snapshot) -> None:
        """Send what is offered until the socket is gone."""
        while not self.socket.closed:
            frame = await self._frames.get()
            try:
                text = await snapshot(self) if frame is None else frame
                async with asyncio.timeout(SLOWEST):
                    await self.socket.send_str(text)
            except (TimeoutError, ConnectionError):
                await self.close(WSCloseCode.TRY_AGAIN_LATER)
                return
            except Exception as fault:  # noqa: BLE001 - whatever it was, the page must not hang
                log.error("a tab of the room could not be shown, it connects anew: %r", fault)
                await self.close(WSCloseCode.TRY_AGAIN_LATER)
                return
            self._frames.task_done()

    async def sent(self, seconds: float) -> None:
        """Wait until all that was offered has left, for this long at most."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._frames.join()

    def may_ask(self) -> bool:
        """Whether this tab keeps to the pace; each call counts as one request."""
        now = asyncio.get_running_loop().time()
        gained = (now - self._counted_at) * _PER_SECOND
        self._tokens = min(_BURST, self._tokens + gained)
        self._counted_at = now
        if self._tokens < 1:
            self.refused += 1
            return False
        self._tokens -= 1
        self.refused = 0
        return True

    def gettext(self, sentence: str) -> str:
        """A sentence in the language of who sits here."""
        return translator(self.sitter.language).gettext(sentence)

    async def close(self, code: WSCloseCode) -> None:
        """Close the socket, without waiting long for the other side."""
        with contextlib.suppress(TimeoutError, ConnectionError):
            async with asyncio.timeout(2):
                await self.socket.close(code=code)
